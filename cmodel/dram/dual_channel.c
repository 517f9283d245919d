/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/dual_channel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dram/channel_commands.h"

extern const struct block dual_queue_block;

struct dual_queue_params dual_channel_params(const struct config *config) {
    struct dram_timing t;
    dram_timing_init(&t, config);
    return (struct dual_queue_params){
        .DEPTH = config->dram.queue,
        .BANKS = config->dram.banks,
        .ROW_BITS = DUAL_CHANNEL_ROW_BITS,
        .BURST_BITS = clog2(t.bursts + 1),
        .TAG_BITS = DUAL_CHANNEL_TAG_BITS,
        .BOUND = config->dram.low_bound,
    };
}

bool dual_channel_init(struct dram_channel *d, struct block_factory *blocks, char *error,
                       size_t error_size) {
    struct dual_queue_params params = dual_channel_params(d->config);
    char where[16];
    snprintf(where, sizeof where, "p%u", d->partition);
    snprintf(error, error_size, "out of memory");
    d->words = 0;
    d->dual = calloc(1, sizeof *d->dual);
    return d->dual && ring_init(&d->high_in, d->in.capacity) &&
           block_make(blocks, &dual_queue_block, &params, where, &d->dual->cycle, &d->dual->block,
                      error, error_size);
}

void dual_channel_destroy(struct dram_channel *d) {
    if (d->dual) {
        block_unmake(&d->dual->block);
        free(d->dual);
        d->dual = NULL;
    }
    ring_destroy(&d->high_in);
}

static void stop_channel(struct dram_channel *d, enum alarm_cause cause) {
    d->dual->failed = true;
    alarm_ring(d->alarm, cause);
}

/* The request that a ring offers, as the block sees it. */
struct offer {
    bool valid, write;
    uint8_t bank, bursts, tag;
    uint32_t row;
};

/* @taken: entries that are taken before this one could be. */
static struct offer offer_of(struct dram_channel *d, struct ring *from, unsigned taken,
                             uint64_t time) {
    const struct ring_entry *e = ring_head(from, time);
    if (!e) {
        return (struct offer){0};
    }
    struct dram_address a = dram_map_local(&d->map, e->request.local);
    bool write = e->request.kind != REQUEST_READ;
    unsigned bursts = moves_own_bytes(&e->request)
                          ? dram_timing_bursts(&d->timing, e->request.bytes)
                          : d->timing.bursts;
    if (a.row >> DUAL_CHANNEL_ROW_BITS) {
        stop_channel(d, ALARM_FAR_ROW);
        return (struct offer){0};
    }
    unsigned slot = DRAM_ENTRIES_MAX - 1 - d->count - taken;
    return (struct offer){
        .valid = true,
        .write = write,
        .bank = (uint8_t)a.bank,
        .bursts = (uint8_t)bursts,
        .tag = slot < DRAM_ENTRIES_MAX ? d->spare[slot] : 0, /* both are full */
        .row = (uint32_t)a.row,
    };
}

static void offer(struct dram_channel *d, struct dual_queue_in *in, uint64_t time) {
    struct offer high = offer_of(d, &d->high_in, 0, time);
    bool first = high.valid && d->dual->count[DUAL_QUEUE_HIGH] < d->config->dram.queue;
    struct offer low = offer_of(d, &d->in, first, time);
    in->high_valid = high.valid;
    in->high_bank = high.bank;
    in->high_row = high.row;
    in->high_write = high.write;
    in->high_bursts = high.bursts;
    in->high_tag = high.tag;
    in->low_valid = low.valid;
    in->low_bank = low.bank;
    in->low_row = low.row;
    in->low_write = low.write;
    in->low_bursts = low.bursts;
    in->low_tag = low.tag;
}

static void take(struct dram_channel *d, enum dual_queue_side side, struct ring *from,
                 const struct now *now) {
    uint8_t slot = enter(d, from, now);
    d->order[d->count++] = slot;
    d->dual->count[side]++;
    d->stats.high_requests += side == DUAL_QUEUE_HIGH;
}

static void leave(struct dram_channel *d, uint8_t slot, bool high) {
    uint8_t *place = memchr(d->order, slot, d->count);
    d->count--;
    memmove(place, place + 1, (size_t)(&d->order[d->count] - place));
    d->spare[DRAM_ENTRIES_MAX - 1 - d->count] = slot;
    d->dual->count[high ? DUAL_QUEUE_HIGH : DUAL_QUEUE_LOW]--;
}

/* The block never breaks the DRAM's timing: its masks said so. */
static void execute(struct dram_channel *d, const struct dual_queue_out *out,
                    const struct now *now) {
    struct dram_entry *e = &d->entry[out->cmd_tag];
    const struct dram_bank *b = &d->bank[out->cmd_bank];
    uint64_t waited = d->stats.wait_cycles;
    assert(e->at.bank == out->cmd_bank && e->at.row == out->cmd_row);
    if (out->cmd_kind == DRAM_QUEUE_COLUMN) {
        assert(b->open && b->row == e->at.row && d->column_at <= now->cycle &&
               column_cycle(d, out->cmd_bank, is_write(e)) <= now->cycle);
        issue_burst(d, e, now);
        bool last = --e->bursts_left == 0;
        assert(last == out->cmd_last);
        if (last) {
            finish(d, e, now);
            leave(d, (uint8_t)out->cmd_tag, out->cmd_high);
        }
    } else {
        assert(b->open == (out->cmd_kind == DRAM_QUEUE_PRECHARGE) && row_cycle(d, e) <= now->cycle);
        note_command(d, e, now);
        if (b->open) {
            precharge(d, out->cmd_bank, now);
        } else {
            activate(d, e, now);
        }
    }
    d->stats.high_wait_cycles += out->cmd_high ? d->stats.wait_cycles - waited : 0;
}

/* Is a command legal in cycle @horizon that is legal from @at on? If not, it may be the next. */
static inline bool legal(uint64_t at, uint64_t horizon, uint64_t *next) {
    if (at <= horizon) {
        return true;
    }
    *next = earlier(*next, at);
    return false;
}

/* The masks of banks for a command in cycle @horizon; of a bank without request nobody asks.
 * Return: the first cycle after it in which more is legal. */
static uint64_t masks(const struct dram_channel *d, uint64_t horizon, struct dual_queue_in *in) {
    uint64_t next = NEVER;
    for (uint64_t left = d->occupied; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left);
        uint64_t bit = left & -left, row_at = d->row_at[bank];
        if (!(d->open_banks & bit)) {
            in->activate_ok |= legal(later(row_at, d->activate_at), horizon, &next) ? bit : 0;
            continue;
        }
        uint64_t read_at = later(column_cycle(d, bank, false), d->column_at),
                 write_at = later(column_cycle(d, bank, true), d->column_at);
        in->precharge_ok |= legal(row_at, horizon, &next) ? bit : 0;
        in->read_ok |= legal(read_at, horizon, &next) ? bit : 0;
        in->write_ok |= legal(write_at, horizon, &next) ? bit : 0;
    }
    return next;
}

uint64_t dual_channel_cycle(struct dram_channel *d, const struct now *now) {
    struct dual_channel *u = d->dual;
    struct dual_queue_in in = {0};
    struct dual_queue_out out;
    if (u->failed) {
        return NEVER;
    }
    d->present = now->time;
    u->cycle = now->cycle;
    offer(d, &in, now->time);
    u->block.comb(u->block.self, &in, &out);
    if (in.high_valid && out.high_ready) {
        take(d, DUAL_QUEUE_HIGH, &d->high_in, now);
    }
    if (in.low_valid && out.low_ready) {
        take(d, DUAL_QUEUE_LOW, &d->in, now);
    }
    if (out.cmd_valid) {
        execute(d, &out, now);
    }
    uint64_t next = masks(d, now->cycle + DUAL_QUEUE_LEAD, &in);
    if (d->poll || !u->block.quiet(u->block.self, &in)) {
        if (!u->block.step(u->block.self, &in, &out)) {
            stop_channel(d, ALARM_BLOCK_DIFFERS);
        }
        return now_next_edge(now);
    }
    /* Refused requests wait for a command, and that for the masks. */
    uint64_t change = next == NEVER ? NEVER : now_time_of(now, next - DUAL_QUEUE_LEAD);
    uint64_t low = in.low_valid ? NEVER : ring_next(&d->in),
             high = in.high_valid ? NEVER : ring_next(&d->high_in);
    return earlier(change, earlier(low, high));
}
