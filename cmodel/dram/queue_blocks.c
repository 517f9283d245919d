/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/queue_blocks.h"

#include <assert.h>
#include <string.h>

#include "config/derived.h"
#include "dram/channel_commands.h"

enum { ROW_BITS_OF_QUEUE = 32, TAG_BITS_OF_QUEUE = 8 };

_Static_assert(FR_FCFS_DEPTH_MAX < 1 << TAG_BITS_OF_QUEUE, "each request has a tag of its own");

bool timing_block_init(struct timing_block *t, const struct dram_channel *d,
                       const struct build *build, unsigned lead, const uint64_t *cycle) {
    const struct config *c = d->config;
    const struct dram_timing *of = &d->banks.timing;
    const struct bank_timing_params params = {
        .BANKS = c->dram.banks,
        .GROUPS = c->dram.bank_groups,
        .LOW_GROUPS = c->dram.group_bits == GROUP_BITS_LOW,
        .LEAD = lead,
        .RCD_READ = of->rcd_read,
        .RCD_WRITE = of->rcd_write,
        .COLUMN = of->column,
        .COLUMN_GROUP = of->column_group,
        .READ_TO_WRITE = of->read_to_write,
        .WRITE_TO_READ = of->write_to_read,
        .READ_TO_CLOSE = of->read_to_precharge,
        .WRITE_TO_CLOSE = of->write_to_precharge,
        .RAS = of->ras,
        .RP = of->rp,
        .RC = of->rc,
        .RRD = of->rrd,
        .FAW = of->faw,
        .AW32 = of->aw32,
    };
    char where[16];
    snprintf(where, sizeof where, "p%u", d->partition);
    t->used = block_make(build, &bank_timing_block, &params, where, cycle, &t->block);
    return t->used;
}

void timing_block_destroy(struct timing_block *t) {
    block_unmake(&t->block);
}

void timing_block_begin(struct timing_block *t) {
    t->in = (struct bank_timing_in){0};
}

void timing_block_tell(struct timing_block *t, uint8_t kind, uint8_t bank, bool write) {
    t->in = (struct bank_timing_in){.cmd_valid = true,
                                    .cmd_kind = kind,
                                    .cmd_bank_oh = UINT64_C(1) << bank,
                                    .cmd_write = write};
}

void timing_block_end(struct timing_block *t) {
    t->block.comb(t->block.self, &t->in, &t->out);
}

bool timing_block_quiet(struct timing_block *t) {
    return t->block.quiet(t->block.self, &t->in);
}

bool timing_block_step(struct timing_block *t) {
    return t->block.step(t->block.self, &t->in, &t->out);
}

static struct fr_fcfs_params queue_params_for(const struct dram_channel *d) {
    const struct config *c = d->config;
    return (struct fr_fcfs_params){
        .DEPTH = c->dram.queue,
        .BANKS = c->dram.banks,
        .ROW_BITS = ROW_BITS_OF_QUEUE,
        .COLUMN_BITS = clog2(config_row_lines(c)),
        .BURST_BITS = clog2(d->banks.timing.bursts + 1),
        .TAG_BITS = TAG_BITS_OF_QUEUE,
        .ORDER = c->dram.line_order,
    };
}

bool queue_blocks_init(struct queue_blocks *b, struct dram_channel *d, const struct build *build) {
    const struct fr_fcfs_params params = queue_params_for(d);
    if (!block_is_named(build, &fr_fcfs_block) && !block_is_named(build, &bank_timing_block)) {
        return true;
    }
    char where[16];
    snprintf(where, sizeof where, "p%u", d->partition);
    b->used = block_make(build, &fr_fcfs_block, &params, where, &b->cycle, &b->queue) &&
              timing_block_init(&b->timing, d, build, 1, &b->cycle);
    d->early = 1;
    return b->used;
}

void queue_blocks_destroy(struct queue_blocks *b) {
    block_unmake(&b->queue);
    timing_block_destroy(&b->timing);
}

/* A tag that no request in the queue has. */
static uint8_t unused_tag_of(const struct queue_blocks *b) {
    uint8_t tag = b->tag_count ? b->tags[b->tag_count - 1] : 0;
    do {
        tag++;
    } while (memchr(b->tags, tag, b->tag_count));
    return tag;
}

/* The request of d->in that is the next one for the queue; NULL: there is none. */
static const struct ring_entry *next_request_of(const struct queue_blocks *b,
                                                const struct dram_channel *d) {
    const struct ring *r = &d->in;
    return r->count > b->waits ? &r->entries[(r->head + b->waits) & r->mask] : NULL;
}

/* A request in the queue's terms. */
static void offer_request(struct queue_blocks *b, struct dram_channel *d, const struct request *r) {
    const struct dram_timing *t = &d->banks.timing;
    const struct dram_address at = dram_map_local(&d->map, r->local);
    if (at.row >> ROW_BITS_OF_QUEUE) {
        b->failed = true;
        alarm_ring_text(d->alarm, ALARM_FAR_ADDRESS,
                        "an address lies in a DRAM row whose number has more than %d bits, the "
                        "most that dram/fr_fcfs has room for",
                        ROW_BITS_OF_QUEUE);
        return;
    }
    b->in.req_valid = true;
    b->in.req_bank = (uint8_t)at.bank;
    b->in.req_row = (uint32_t)at.row;
    b->in.req_column = (uint16_t)dram_map_column(&d->map, r->local);
    b->in.req_write = r->kind != REQUEST_READ;
    b->in.req_bursts =
        (uint8_t)(moves_own_bytes(d, r) ? dram_timing_bursts(t, r->bytes) : t->bursts);
    b->in.req_tag = unused_tag_of(b);
}

void queue_blocks_begin(struct queue_blocks *b, struct dram_channel *d, const struct now *now,
                        uint64_t hold) {
    const struct ring_entry *next = next_request_of(b, d);
    b->cycle = now->cycle;
    b->in = (struct fr_fcfs_in){.hold = hold};
    b->admits = b->waits && d->count < d->config->dram.queue;
    if (next && next->visible_at <= now_next_edge(now)) {
        offer_request(b, d, &next->request);
    }
    b->queue.comb(b->queue.self, &b->in, &b->out);
    timing_block_begin(&b->timing);
    if (b->out.cmd_valid) {
        timing_block_tell(&b->timing, b->out.cmd_kind, b->out.cmd_bank, b->out.cmd_write);
    }
}

unsigned queue_blocks_position(const struct queue_blocks *b, const struct dram_channel *d) {
    const uint8_t *tag = memchr(b->tags, (uint8_t)b->out.cmd_tag, d->count);
    const struct dram_banks *banks = &d->banks;
    assert(tag);
    const unsigned position = (unsigned)(tag - b->tags);
    const struct dram_entry *e = &d->entry[d->order[position]];
    assert(e->at.bank == b->out.cmd_bank && e->at.row == b->out.cmd_row &&
           entry_is_write(e) == b->out.cmd_write);
    if (b->out.cmd_kind == DRAM_QUEUE_COLUMN) { /* the timing's masks said that it is legal */
        assert(entry_hits(d, e) && banks->column_at <= b->cycle &&
               banks_column_cycle(banks, e->at.bank, e->at.group, entry_is_write(e)) <= b->cycle);
        assert(e->bursts_left == b->out.cmd_bursts && (e->bursts_left == 1) == b->out.cmd_last);
    } else {
        assert(banks->bank[e->at.bank].open == (b->out.cmd_kind == DRAM_QUEUE_PRECHARGE) &&
               banks_row_cycle(banks, e->at.bank) <= b->cycle);
    }
    return position;
}

/* The clock edge, for the tags: a request has left, another one has arrived. */
static void keep_tags(struct queue_blocks *b) {
    if (b->out.cmd_valid && b->out.cmd_last) {
        uint8_t *tag = memchr(b->tags, (uint8_t)b->out.cmd_tag, b->tag_count);
        b->tag_count--;
        memmove(tag, tag + 1, (size_t)(&b->tags[b->tag_count] - tag));
    }
    b->waits = b->waits && !b->admits;
    if (b->in.req_valid && b->out.req_ready) {
        b->tags[b->tag_count++] = (uint8_t)b->in.req_tag;
        b->waits = true;
    }
}

/* Nothing changes until a request comes: the time at which it is to be offered. */
static uint64_t time_of_next_offer(const struct queue_blocks *b, const struct dram_channel *d,
                                   const struct now *now) {
    const struct ring_entry *next = next_request_of(b, d);
    return next && !b->in.req_valid ? next->visible_at - now->period : NEVER;
}

uint64_t queue_blocks_end(struct queue_blocks *b, struct dram_channel *d, const struct now *now) {
    timing_block_end(&b->timing);
    b->in.read_ok = b->timing.out.read_ok;
    b->in.write_ok = b->timing.out.write_ok;
    b->in.precharge_ok = b->timing.out.precharge_ok;
    b->in.activate_ok = b->timing.out.activate_ok;
    bool quiet = b->queue.quiet(b->queue.self, &b->in);
    quiet = timing_block_quiet(&b->timing) && quiet;
    if (quiet && !d->poll) {
        return time_of_next_offer(b, d, now);
    }
    if (!b->queue.step(b->queue.self, &b->in, &b->out) || !timing_block_step(&b->timing)) {
        b->failed = true;
        alarm_ring(d->alarm, ALARM_BLOCK_DIFFERS);
        return NEVER;
    }
    keep_tags(b);
    return now_next_edge(now);
}
