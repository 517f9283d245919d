/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/two_queues.h"

#include <assert.h>
#include <string.h>

#include "dram/channel_commands.h"
#include "dram/line_order.h"
#include "dram/scheduler.h"

static struct dual_queue_params params_for(const struct config *config) {
    struct dram_timing t;
    dram_timing_init(&t, config);
    return (struct dual_queue_params){
        .DEPTH =
            config->dram.queue < TWO_QUEUES_DEPTH_MAX ? config->dram.queue : TWO_QUEUES_DEPTH_MAX,
        .BANKS = config->dram.banks,
        .ROW_BITS = TWO_QUEUES_ROW_BITS,
        .BURST_BITS = clog2(t.bursts + 1),
        .TAG_BITS = TWO_QUEUES_TAG_BITS,
        .BOUND = config->dram.low_bound,
        .ROW_FIRST = config->dram.high == DRAM_HIGH_ROW_FIRST,
    };
}

/* The request that a ring offers, in the block's terms. */
struct queue_offer {
    bool valid, write;
    uint8_t bank, bursts, tag;
    uint32_t row;
};

/* @taken: entries that are taken before this one could be. */
static struct queue_offer offer_from(struct dram_channel *d, struct two_queues *u,
                                     struct ring *from, unsigned taken, uint64_t time) {
    const struct ring_entry *e = ring_head(from, time);
    if (!e) {
        return (struct queue_offer){0};
    }
    struct dram_address a = dram_map_local(&d->map, e->request.local);
    bool write = e->request.kind != REQUEST_READ;
    unsigned bursts = moves_own_bytes(d, &e->request)
                          ? dram_timing_bursts(&d->banks.timing, e->request.bytes)
                          : d->banks.timing.bursts;
    if (a.row >> TWO_QUEUES_ROW_BITS) {
        u->failed = true;
        alarm_ring_text(d->alarm, ALARM_FAR_ADDRESS,
                        "an address lies in a DRAM row whose number has more than %u bits, the "
                        "most that dram.queues = two has room for",
                        TWO_QUEUES_ROW_BITS);
        return (struct queue_offer){0};
    }
    unsigned slot = DRAM_ENTRIES_MAX - 1 - d->count - taken;
    return (struct queue_offer){
        .valid = true,
        .write = write,
        .bank = (uint8_t)a.bank,
        .bursts = (uint8_t)bursts,
        .tag = slot < DRAM_ENTRIES_MAX ? d->spare[slot] : 0, /* both are full */
        .row = (uint32_t)a.row,
    };
}

/* May the head of a queue be shown to the block? If the queues share their places, only with a
 * place for it. @taken: as for offer_from(). */
static bool has_credit(const struct dram_channel *d, const struct two_queues *u, unsigned taken) {
    unsigned held = u->count[DUAL_QUEUE_HIGH] + u->count[DUAL_QUEUE_LOW] + taken;
    return d->config->dram.queue_share == DRAM_QUEUE_SHARE_OWN || held < d->config->dram.queue;
}

/* Must a queue's visible head wait for an older request of its line? */
static bool waits_for_line(const struct dram_channel *d, enum dual_queue_side side, uint64_t time) {
    const struct ring *high = &d->high_in, *low = &d->in;
    return side == DUAL_QUEUE_HIGH ? ring_next(high) <= time && line_order_stops_head(d, high, low)
                                   : ring_next(low) <= time && line_order_stops_head(d, low, high);
}

static void offer_heads(struct dram_channel *d, struct two_queues *u, struct dual_queue_in *in,
                        uint64_t time) {
    struct queue_offer high = {0}, low = {0};
    u->held[DUAL_QUEUE_HIGH] = !has_credit(d, u, 0) || waits_for_line(d, DUAL_QUEUE_HIGH, time);
    if (!u->held[DUAL_QUEUE_HIGH]) {
        high = offer_from(d, u, &d->high_in, 0, time);
    }
    bool first = high.valid && u->count[DUAL_QUEUE_HIGH] < u->depth;
    u->held[DUAL_QUEUE_LOW] = !has_credit(d, u, first) || waits_for_line(d, DUAL_QUEUE_LOW, time);
    if (!u->held[DUAL_QUEUE_LOW]) {
        low = offer_from(d, u, &d->in, first, time);
    }
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

static void admit_from(struct dram_channel *d, struct two_queues *u, enum dual_queue_side side,
                       struct ring *from, const struct now *now) {
    accept_request(d, from, now);
    u->count[side]++;
    u->stats.high_requests += side == DUAL_QUEUE_HIGH;
}

/* The block never breaks the DRAM's timing: its masks said so. */
static void execute_command(struct dram_channel *d, struct two_queues *u,
                            const struct dual_queue_out *out, const struct now *now) {
    struct dram_entry *e = &d->entry[out->cmd_tag];
    const struct dram_banks *banks = &d->banks;
    uint64_t waited = d->stats.wait_cycles;
    assert(e->at.bank == out->cmd_bank && e->at.row == out->cmd_row);
    if (out->cmd_kind == DRAM_QUEUE_COLUMN) {
        assert(entry_hits(d, e) && banks->column_at <= now->cycle &&
               banks_column_cycle(banks, e->at.bank, e->at.group, entry_is_write(e)) <= now->cycle);
        issue_burst(d, e, now);
        assert(!e->bursts_left == out->cmd_last);
        if (out->cmd_last) {
            const uint8_t *place = memchr(d->order, (uint8_t)out->cmd_tag, d->count);
            retire_request(d, (unsigned)(place - d->order), now);
            u->count[out->cmd_high ? DUAL_QUEUE_HIGH : DUAL_QUEUE_LOW]--;
        }
    } else {
        assert(banks->bank[e->at.bank].open == (out->cmd_kind == DRAM_QUEUE_PRECHARGE) &&
               banks_row_cycle(banks, e->at.bank) <= now->cycle);
        issue_row_command(d, e, now);
    }
    u->stats.high_wait_cycles += out->cmd_high ? d->stats.wait_cycles - waited : 0;
}

/* Is a command that is legal from @at on legal in cycle @horizon? If not, @at may be the next
 * change. */
static inline bool is_legal_by(uint64_t at, uint64_t horizon, uint64_t *next) {
    if (at <= horizon) {
        return true;
    }
    *next = earlier_time(*next, at);
    return false;
}

/* The masks of banks for a command in cycle @horizon; a bank without a request does not matter.
 * Return: the first cycle after it in which more is legal. */
static uint64_t set_legal_masks(const struct dram_channel *d, uint64_t horizon,
                                struct dual_queue_in *in) {
    const struct dram_banks *b = &d->banks;
    uint64_t next = NEVER;
    for (uint64_t left = d->occupied; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left), group = d->map.group[bank];
        uint64_t bit = left & -left, row_at = b->row_at[bank];
        if (!(b->open & bit)) {
            in->activate_ok |=
                is_legal_by(later_time(row_at, b->activate_at), horizon, &next) ? bit : 0;
            continue;
        }
        uint64_t read_at = later_time(banks_column_cycle(b, bank, group, false), b->column_at),
                 write_at = later_time(banks_column_cycle(b, bank, group, true), b->column_at);
        in->precharge_ok |= is_legal_by(row_at, horizon, &next) ? bit : 0;
        in->read_ok |= is_legal_by(read_at, horizon, &next) ? bit : 0;
        in->write_ok |= is_legal_by(write_at, horizon, &next) ? bit : 0;
    }
    return next;
}

/* The same from the block that knows the timing; it is quiet when nothing more becomes legal. */
static bool take_masks_of_block(struct two_queues *u, const struct dual_queue_out *out, bool write,
                                struct dual_queue_in *in) {
    struct timing_block *t = &u->timing;
    timing_block_begin(t);
    if (out->cmd_valid) {
        timing_block_tell(t, out->cmd_kind, out->cmd_bank, write);
    }
    timing_block_end(t);
    in->read_ok = t->out.read_ok;
    in->write_ok = t->out.write_ok;
    in->precharge_ok = t->out.precharge_ok;
    in->activate_ok = t->out.activate_ok;
    return timing_block_quiet(t);
}

static uint64_t two_queues_cycle(struct dram_channel *d, const struct now *now) {
    struct two_queues *u = d->scheduler.state;
    struct dual_queue_in in = {0};
    struct dual_queue_out out;
    if (u->failed) {
        return NEVER;
    }
    d->present = now->time;
    u->cycle = now->cycle;
    offer_heads(d, u, &in, now->time);
    u->block.comb(u->block.self, &in, &out);
    if (in.high_valid && out.high_ready) {
        admit_from(d, u, DUAL_QUEUE_HIGH, &d->high_in, now);
    }
    if (in.low_valid && out.low_ready) {
        admit_from(d, u, DUAL_QUEUE_LOW, &d->in, now);
    }
    if (out.cmd_valid) {
        execute_command(d, u, &out, now);
    }
    uint64_t next = NEVER;
    bool quiet = true;
    if (u->timing.used) {
        quiet = take_masks_of_block(u, &out,
                                    out.cmd_valid && entry_is_write(&d->entry[out.cmd_tag]), &in);
    } else {
        next = set_legal_masks(d, now->cycle + DUAL_QUEUE_LEAD, &in);
    }
    quiet = u->block.quiet(u->block.self, &in) && quiet;
    if (d->poll || !quiet) {
        if (!u->block.step(u->block.self, &in, &out) ||
            (u->timing.used && !timing_block_step(&u->timing))) {
            u->failed = true;
            alarm_ring(d->alarm, ALARM_BLOCK_DIFFERS);
        }
        return now_next_edge(now);
    }
    /* Refused requests, and those without a credit, wait for a command, and that for the masks. */
    uint64_t change = next == NEVER ? NEVER : now_time_of(now, next - DUAL_QUEUE_LEAD);
    bool waits_low = in.low_valid || u->held[DUAL_QUEUE_LOW],
         waits_high = in.high_valid || u->held[DUAL_QUEUE_HIGH];
    uint64_t low = waits_low ? NEVER : ring_next(&d->in),
             high = waits_high ? NEVER : ring_next(&d->high_in);
    return earlier_time(change, earlier_time(low, high));
}

static bool two_queues_are_wanted(const struct config *config) {
    return config->dram.queues == DRAM_QUEUES_TWO;
}

static bool init_two_queues(struct dram_channel *d, const struct build *build) {
    const struct dual_queue_params params = params_for(d->config);
    struct two_queues *u = d->scheduler.state;
    char where[16];
    snprintf(where, sizeof where, "p%u", d->partition);
    u->depth = params.DEPTH;
    return block_make(build, &dual_queue_block, &params, where, &u->cycle, &u->block) &&
           (!block_is_named(build, &bank_timing_block) ||
            timing_block_init(&u->timing, d, build, DUAL_QUEUE_LEAD, &u->cycle));
}

static void destroy_two_queues(void *state) {
    struct two_queues *u = state;
    timing_block_destroy(&u->timing);
    block_unmake(&u->block);
}

static bool register_two_queues_stats(const struct dram_channel *d, struct stats *s) {
    static const struct stat_member members[] = {
        DRAM_STAT(struct two_queues_stats, high_requests, "requests",
                  "requests of the high-priority queue", "MeDiC 4.4"),
        DRAM_STAT(struct two_queues_stats, high_wait_cycles, "DRAM cycles",
                  "of these, from the queue to the first command for them; of the others: the rest "
                  "of wait_cycles",
                  "MeDiC 4.4"),
    };
    const struct two_queues *u = d->scheduler.state;
    return stats_register_members(s, members, sizeof members / sizeof *members, &u->stats);
}

/* The block holds the requests and may be in Verilog: the channel's own record says which rows are
 * wanted. */
const struct dram_scheduler_kind dram_two_queues = {
    .name = "two-queues",
    .about = "requests of mostly-hit warps in a queue of their own (MeDiC 4.4)",
    .wanted = two_queues_are_wanted,
    .has_high_way = true,
    .state_size = sizeof(struct two_queues),
    .init = init_two_queues,
    .destroy = destroy_two_queues,
    .cycle = two_queues_cycle,
    .register_stats = register_two_queues_stats};
