/* SPDX-License-Identifier: Apache-2.0
 *
 * The scheduler with prefetch of open rows: the block dram/row_prefetch beside FR-FCFS, connected
 * to the L2 (OWL 4.4).
 *
 * A prefetch has three steps. The block offers a line. The channel sends the L2 a claim for it,
 * which the L2 answers in a cycle without a request (l2/prefetch.h). Column commands read a granted
 * line, in DRAM cycles without a command for a request, and its data goes to the L2 as a fetch's
 * does. A row with a granted line stays open until that is read. So even under the block's rule 1 a
 * request for another row waits for the outstanding lines, up to PREFETCHER_LINES_MAX and the
 * offered one. The channel sends a claim in each cycle, so lines that the L2 has cost a cycle each,
 * not the latency of an answer.
 *
 * A chip must compare a claim, like a read, with the writes between L2 bank and DRAM
 * (l2/partition.h); here values always follow the program's order.
 */
#include <assert.h>
#include <string.h>

#include "base/block.h"
#include "config/derived.h"
#include "dram/channel_commands.h"
#include "dram/line_order.h"
#include "dram/fr_fcfs_rare.h"
#include "dram/row_prefetch.h"
#include "dram/scheduler.h"

/* Queue and prefetcher of a channel. */
struct prefetcher {
    struct fr_fcfs_rare queue; /* first: fr_fcfs_rare_step() */
    struct block_instance block;
    uint64_t cycle; /* cycle of the last evaluation; the block's Verilog reads it */
    struct row_prefetch_in in;
    struct row_prefetch_out out;
    uint64_t row_line[DRAM_BANKS_MAX];               /* a local line of each bank's open row */
    bool busy;                                       /* the prefetcher may act without a request */
    bool failed;                                     /* the block in lockstep differed */
    unsigned lines_of[DRAM_BANKS_MAX];               /* outstanding lines of each bank */
    uint64_t lines_in;                               /* banks with outstanding lines */
    unsigned lines;                                  /* claims without an answer, or granted: up to
                                          PREFETCHER_LINES_MAX */
    struct dram_entry claimed[PREFETCHER_LINES_MAX]; /* oldest first */
    unsigned claimed_count;
};

static struct row_prefetch_params choose_prefetch_params(const struct config *config) {
    return (struct row_prefetch_params){
        .BANKS = config->dram.banks,
        .LINES = config_row_lines(config),
        .ROW_BITS = 32,
        .RULE = config->owl.prefetch == OWL_PREFETCH_STOP ? 1 : 2,
        .LOWER = config->owl.lower,
        .HIGHER = config->owl.higher,
        .THRESHOLD = config->owl.threshold,
        .AVERAGE_SHIFT = config->owl.average_shift,
        .WRITTEN = config->owl.written_rows,
        .START = config->owl.start == OWL_START_ANY,
    };
}

/* A claim for a line of the bank is sent. */
static void begin_line(struct prefetcher *f, unsigned bank) {
    f->lines++;
    f->lines_of[bank]++;
    f->lines_in |= UINT64_C(1) << bank;
}

/* The line has been read, or the L2 has refused it. */
static void end_line(struct prefetcher *f, unsigned bank) {
    f->lines--;
    if (--f->lines_of[bank] == 0) {
        f->lines_in &= ~(UINT64_C(1) << bank);
    }
}

/* The offered line as a request of its own. */
static struct request claim_of_offer(const struct dram_channel *d, const struct now *now) {
    const struct prefetcher *f = d->scheduler.state;
    uint64_t local = dram_map_line_beside(&d->map, f->row_line[f->out.pf_bank], f->out.pf_line);
    return (struct request){.kind = REQUEST_READ,
                            .local = local,
                            .born = now->time,
                            .partition = (uint8_t)d->partition,
                            .bytes = (uint16_t)d->config->l2.line_bytes,
                            .l2_class = L2_CLASS_BALANCED};
}

/* The L2's answer to the oldest claim. Return: true if there was one. */
static bool take_claims_answer(struct dram_channel *d, const struct now *now) {
    struct prefetcher *f = d->scheduler.state;
    struct ring_entry *e = ring_head(&d->answers, now->time);
    if (!e) {
        return false;
    }
    struct dram_address at = dram_map_local(&d->map, e->request.local);
    if (e->request.unclaimed) {
        end_line(f, at.bank);
    } else {
        unsigned place = f->claimed_count++;
        f->claimed[place] = (struct dram_entry){.request = e->request,
                                                .number = d->numbered++,
                                                .at = at,
                                                .bursts_left = d->banks.timing.bursts,
                                                .served = true}; /* a prefetch counts in no
                                                                    request's wait */
        request_stamp(&f->claimed[place].request, STAMP_DRAM, now->time);
    }
    ring_pop(&d->answers, now->time);
    return true;
}

/* Takes the block's offer: sends the L2 a claim for the line. */
static void ask_l2(struct dram_channel *d, const struct now *now) {
    struct prefetcher *f = d->scheduler.state;
    if (!f->out.pf_valid || f->lines == PREFETCHER_LINES_MAX) {
        return;
    }
    struct request claim = claim_of_offer(d, now);
    ring_push(d->claims, &claim, now_next_edge(now), 1);
    clock_wake_at(d->l2_clock, d->partition, now->time, now_next_edge(now));
    begin_line(f, f->out.pf_bank);
    f->in.pf_ready = true;
}

/* The claimed line for which a column command is legal, the oldest of several; claimed_count: none.
 * A line that has begun is finished first. */
static unsigned find_readable_line(const struct dram_channel *d, uint64_t cycle) {
    const struct prefetcher *f = d->scheduler.state;
    unsigned found = f->claimed_count;
    for (unsigned i = f->claimed_count; i-- && d->banks.column_at <= cycle;) {
        const struct dram_entry *e = &f->claimed[i];
        bool begun = e->bursts_left < d->banks.timing.bursts;
        if (!line_order_may_read(d, e)) {
            continue;
        }
        found = banks_column_cycle(&d->banks, e->at.bank, e->at.group, false) <= cycle ? i
                : begun ? f->claimed_count
                        : found;
        if (begun) {
            return found;
        }
    }
    return found;
}

/* The next column command for a claimed line, if one is legal. Return: it was issued. */
static bool read_claimed_line(struct dram_channel *d, const struct now *now) {
    struct prefetcher *f = d->scheduler.state;
    unsigned place = find_readable_line(d, now->cycle);
    struct dram_entry *e = &f->claimed[place];
    if (place == f->claimed_count) {
        return false;
    }
    assert(entry_hits(d, e));
    if (e->bursts_left == d->banks.timing.bursts) {
        request_stamp(&e->request, STAMP_SERVICE, now->time);
    }
    issue_burst(d, e, now);
    timing_block_tell(&f->queue.queue.blocks.timing, DRAM_QUEUE_COLUMN, (uint8_t)e->at.bank, false);
    if (!e->bursts_left) {
        return_data(d, &e->request, now);
        d->stats.prefetches++;
        d->stats.read_bytes += d->config->l2.line_bytes;
        end_line(f, e->at.bank);
        f->claimed_count--;
        memmove(e, e + 1, (f->claimed_count - place) * sizeof *e);
        line_order_left(d);
    }
    return true;
}

/* Banks for whose open row a request waits; *other: banks in which one waits for another row than
 * the open one. */
static uint64_t wanted_banks(const struct dram_channel *d, const struct one_queue *q,
                             uint64_t *other) {
    uint64_t wanted = 0;
    for (uint64_t left = d->banks.open & d->occupied; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left);
        wanted |= q->at.hit_count[bank] ? left & -left : 0;
        *other |= d->bank_count[bank] > q->at.hit_count[bank] ? left & -left : 0;
    }
    return wanted;
}

/* A cycle begins: the block says which banks the queue must keep open in it. */
static void begin_prefetch_cycle(struct dram_channel *d, const struct now *now) {
    struct prefetcher *f = d->scheduler.state;
    const uint64_t held = f->queue.held;
    uint64_t other = 0, wanted = wanted_banks(d, &f->queue.queue, &other);
    if (d->in.front_at <= now->time && d->count < d->config->dram.queue) {
        /* It comes in now, and a command for it may be issued at once. */
        struct dram_address a = dram_map_local(&d->map, ring_front(&d->in)->request.local);
        *(d->banks.bank[a.bank].row == a.row ? &wanted : &other) |= UINT64_C(1) << a.bank;
    }
    f->cycle = now->cycle;
    f->in = (struct row_prefetch_in){.open = d->banks.open,
                                     .wanted = wanted & d->banks.open,
                                     .other = other & d->banks.open,
                                     .pending = (uint8_t)d->count};
    f->block.comb(f->block.self, &f->in, &f->out);
    f->queue.held = f->out.hold | f->lines_in;
    f->queue.replan |= f->queue.held != held;
}

/* The queue's command of this cycle as the block sees it. */
static void show_command(const struct dram_channel *d, struct prefetcher *f) {
    const struct fr_fcfs_command *c = &f->queue.command;
    const struct dram_entry *e = c->entry;
    const uint8_t bank = c->kind == FR_FCFS_NOTHING ? 0 : (uint8_t)e->at.bank;
    if (c->kind == FR_FCFS_ACTIVATE) {
        f->in.act_valid = true;
        f->in.act_bank = bank;
        f->in.act_row = (uint32_t)e->at.row;
        f->in.act_write = entry_is_write(e);
        f->row_line[bank] = e->request.local;
    } else if (c->kind == FR_FCFS_PRECHARGE) {
        f->in.pre_valid = true;
        f->in.pre_bank = bank;
    } else if (c->kind == FR_FCFS_COLUMN && c->last) {
        f->in.col_valid = true;
        f->in.col_bank = bank;
        f->in.col_line = (uint8_t)dram_map_column(&d->map, e->request.local);
    }
}

/* The cycle ends. Return: time of the prefetcher's next work; NEVER: when a request or an answer of
 * the L2 comes. */
static uint64_t end_prefetch_cycle(struct dram_channel *d, const struct now *now) {
    struct prefetcher *f = d->scheduler.state;
    const bool idle = f->queue.command.kind == FR_FCFS_NOTHING, arrival = f->queue.admitted;
    if (f->failed || f->queue.queue.blocks.failed) {
        return NEVER;
    }
    show_command(d, f);
    f->in.arrival = arrival;
    bool read = idle && read_claimed_line(d, now);
    bool answered = take_claims_answer(d, now);
    ask_l2(d, now);
    bool quiet = f->block.quiet(f->block.self, &f->in);
    if ((d->poll || !quiet) && !f->block.step(f->block.self, &f->in, &f->out)) {
        f->failed = true;
        alarm_ring(d->alarm, ALARM_BLOCK_DIFFERS);
        return NEVER;
    }
    f->busy = !quiet || f->lines;
    bool next = !quiet || !idle || read || arrival || answered || f->claimed_count;
    return next ? now_next_edge(now) : ring_next(&d->answers);
}

/* A cycle is never done ahead of time, as the L2 answers in between. */
static uint64_t row_prefetch_cycle(struct dram_channel *d, const struct now *now) {
    struct prefetcher *f = d->scheduler.state;
    d->present = now->time;
    begin_prefetch_cycle(d, now);
    uint64_t idle_until = fr_fcfs_rare_step(d, now), columns = d->stats.columns;
    uint64_t next = end_prefetch_cycle(d, now);
    f->queue.replan = d->stats.columns != columns;
    next = f->queue.replan ? now_next_edge(now) : next;
    if (f->queue.queue.blocks.used) {
        return earlier_time(next, queue_blocks_end(&f->queue.queue.blocks, d, now));
    }
    if (idle_until != NEVER) {
        next = earlier_time(next, now_time_of(now, later_time(idle_until, now->cycle + 1)));
    }
    return d->count < d->config->dram.queue ? earlier_time(next, ring_next(&d->in)) : next;
}

static bool row_prefetch_is_wanted(const struct config *config) {
    return config->owl.prefetch != OWL_PREFETCH_OFF;
}

static bool init_prefetcher(struct dram_channel *d, const struct build *build) {
    const struct row_prefetch_params params = choose_prefetch_params(d->config);
    struct prefetcher *f = d->scheduler.state;
    char where[16];
    snprintf(where, sizeof where, "p%u", d->partition);
    fr_fcfs_rare_init(&f->queue, d->config);
    return queue_blocks_init(&f->queue.queue.blocks, d, build) &&
           block_make(build, &row_prefetch_block, &params, where, &f->cycle, &f->block);
}

static void destroy_prefetcher(void *state) {
    struct prefetcher *f = state;
    queue_blocks_destroy(&f->queue.queue.blocks);
    block_unmake(&f->block);
}

static bool prefetcher_is_busy(const struct dram_channel *d) {
    const struct prefetcher *f = d->scheduler.state;
    return f->busy;
}

static bool prefetcher_reads(const struct dram_channel *d, uint64_t local, uint64_t before) {
    const struct prefetcher *f = d->scheduler.state;
    for (unsigned i = 0; i < f->claimed_count; i++) {
        if (f->claimed[i].request.local == local && f->claimed[i].number < before) {
            return true;
        }
    }
    return false;
}

static bool register_row_prefetch_stats(const struct dram_channel *d, struct stats *s) {
    static const struct stat_member members[] = {
        DRAM_STAT(struct dram_stats, prefetches, "lines",
                  "lines of open rows that were read for no request", "OWL 4.4"),
    };
    return stats_register_members(s, members, sizeof members / sizeof *members, &d->stats) &&
           fr_fcfs_rare_register_stats(d, s);
}

const struct dram_scheduler_kind dram_row_prefetch = {
    .name = "row-prefetch",
    .about = "FR-FCFS with prefetch of open rows (OWL 4.4)",
    .wanted = row_prefetch_is_wanted,
    .state_size = sizeof(struct prefetcher),
    .init = init_prefetcher,
    .destroy = destroy_prefetcher,
    .cycle = row_prefetch_cycle,
    .wants_open_row = one_queue_wants_open_row,
    .is_busy = prefetcher_is_busy,
    .reads_unasked = prefetcher_reads,
    .register_stats = register_row_prefetch_stats};
