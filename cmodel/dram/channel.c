/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/channel.h"

#include <string.h>

#include "config/derived.h"
#include "dram/channel_commands.h"
#include "dram/dual_channel.h"

bool dram_channel_init(struct dram_channel *d, const struct config *config) {
    *d = (struct dram_channel){.config = config, .words = (config->dram.queue + 63) / 64};
    dram_map_init(&d->map, config);
    dram_timing_init(&d->timing, config);
    for (unsigned i = 0; i < DRAM_ENTRIES_MAX; i++) {
        d->spare[i] = (uint8_t)(DRAM_ENTRIES_MAX - 1 - i);
    }
    /* Every read has a place reserved in the return queue before it comes here (l2/partition.c).
     * The constant latency is a pipeline, a request a stage and one whose room can be used a cycle
     * later; it never holds up reads that may be under way. */
    unsigned stages = config->dram.latency + 1, reads = config_dram_returns(config);
    bool ok = ring_init(&d->in, stages > reads ? stages : reads);
    for (unsigned i = 0; ok && i < config->l2.banks; i++) {
        ok = ring_init(&d->out[i], reads);
    }
    return ok;
}

bool dram_channel_make_queues(struct dram_channel *d, struct block_factory *blocks,
                              struct alarm *alarm, unsigned partition, char *error,
                              size_t error_size) {
    d->alarm = alarm;
    d->partition = partition;
    return d->config->dram.queues == DRAM_QUEUES_ONE ||
           dual_channel_init(d, blocks, error, error_size);
}

void dram_channel_destroy(struct dram_channel *d) {
    dual_channel_destroy(d);
    ring_destroy(&d->in);
    for (unsigned i = 0; i < DRAM_RETURNS_MAX; i++) {
        ring_destroy(&d->out[i]);
    }
}

/* Places of the way here that a channel which runs ahead leaves free, of which it needs the one for
 * the request of the present cycle. */
#define IN_MARGIN 3

/* The masks of positions are as long as the queue asks for, @words: a constant in two instances of
 * the cycle function, as short queues must not pay for long ones. */
#define FOR_ANY_QUEUE static inline __attribute__((always_inline))

static bool wants_open_row(const struct dram_channel *d, const struct dram_entry *e) {
    const struct dram_bank *b = &d->bank[e->at.bank];
    return b->open && b->row == e->at.row;
}

/* The entry at a position wants the row that its bank has open. */
static inline void note_hit(struct dram_channel *d, unsigned position, unsigned bank) {
    d->hits[position / 64] |= UINT64_C(1) << position % 64;
    d->hit_count[bank]++;
    d->wanted_banks |= UINT64_C(1) << bank;
}

/* The scheduler's queue takes one request a cycle. */
static void take_request(struct dram_channel *d, const struct now *now) {
    uint8_t slot = enter(d, &d->in, now);
    const struct dram_entry *entry = &d->entry[slot];
    if (is_write(entry)) {
        d->writing[d->count / 64] |= UINT64_C(1) << d->count % 64;
    }
    if (wants_open_row(d, entry)) {
        note_hit(d, d->count, entry->at.bank);
    }
    d->bank_of[d->count] = (uint8_t)entry->at.bank;
    d->order[d->count++] = slot;
}

/* A mask of positions after the entry at one of them has left. */
FOR_ANY_QUEUE void remove_position(uint64_t *mask, unsigned position, unsigned words) {
    unsigned word = words == 1 ? 0 : position / 64;
    uint64_t older = (UINT64_C(1) << position % 64) - 1;
    mask[word] = (mask[word] & older) | (mask[word] >> 1 & ~older);
    for (word++; word < words; word++) {
        mask[word - 1] |= mask[word] << 63;
        mask[word] >>= 1;
    }
}

FOR_ANY_QUEUE void retire(struct dram_channel *d, unsigned position, const struct now *now,
                          unsigned words) {
    struct dram_entry *e = &d->entry[d->order[position]];
    finish(d, e, now);
    uint8_t slot = d->order[position];
    if (--d->hit_count[e->at.bank] == 0) {
        d->wanted_banks &= ~(UINT64_C(1) << e->at.bank);
    }
    d->count--;
    memmove(&d->order[position], &d->order[position + 1], d->count - position);
    memmove(&d->bank_of[position], &d->bank_of[position + 1], d->count - position);
    remove_position(d->hits, position, words);
    remove_position(d->writing, position, words);
    d->spare[DRAM_ENTRIES_MAX - 1 - d->count] = slot;
}

FOR_ANY_QUEUE void column_command(struct dram_channel *d, unsigned position, const struct now *now,
                                  unsigned words) {
    struct dram_entry *e = &d->entry[d->order[position]];
    issue_burst(d, e, now);
    if (--e->bursts_left == 0) {
        retire(d, position, now, words);
    }
}

/* A row was opened: who wants it? (A row is closed only when nobody does.) */
static void note_hits(struct dram_channel *d, unsigned bank) {
    for (unsigned i = 0, left = d->bank_count[bank]; left; i++) {
        if (d->bank_of[i] == bank) {
            left--;
            if (d->entry[d->order[i]].at.row == d->bank[bank].row) {
                note_hit(d, i, bank);
            }
        }
    }
}

/* Open the entry's row, or close another in its bank. */
static inline void row_command(struct dram_channel *d, struct dram_entry *e,
                               const struct now *now) {
    note_command(d, e, now);
    if (d->bank[e->at.bank].open) {
        precharge(d, e->at.bank, now);
    } else {
        activate(d, e, now);
        note_hits(d, e->at.bank);
    }
}

/* Issue the row command of the bank with the oldest request, of those whose open row nobody wants
 * and whose row command is legal at @now. */
static bool issue_row(struct dram_channel *d, const struct now *now) {
    uint64_t banks =
        ~d->wanted_banks & (d->activate_at <= now->cycle ? ~UINT64_C(0) : d->open_banks);
    for (unsigned i = 0; i < d->count; i++) {
        unsigned bank = d->bank_of[i];
        if (banks >> bank & 1 && d->row_at[bank] <= now->cycle) {
            row_command(d, &d->entry[d->order[i]], now);
            return true;
        }
    }
    return false;
}

/* Issue the oldest column command that is legal at @now, else the row command of the first bank,
 * in the order of their oldest requests, whose row command is legal. False: none is. */
FOR_ANY_QUEUE bool issue(struct dram_channel *d, const struct now *now, unsigned words) {
    for (unsigned word = 0; word < words && d->column_at <= now->cycle; word++) {
        uint64_t columns = d->hits[word], writing = d->writing[word];
        columns &=
            (d->read_at <= now->cycle ? ~writing : 0) | (d->write_at <= now->cycle ? writing : 0);
        for (; columns; columns &= columns - 1) {
            unsigned position = word * 64 + (unsigned)__builtin_ctzll(columns);
            if (column_cycle(d, d->bank_of[position], writing >> position % 64 & 1) <= now->cycle) {
                column_command(d, position, now, words);
                return true;
            }
        }
    }
    return issue_row(d, now);
}

/* First cycle in which the next command of the only request is legal: nothing is to choose. */
static inline uint64_t cycle_alone(const struct dram_channel *d) {
    const struct dram_entry *e = &d->entry[d->order[0]];
    if (!d->hits[0]) {
        return row_cycle(d, e);
    }
    uint64_t at = column_cycle(d, e->at.bank, is_write(e));
    not_before(&at, d->column_at);
    return at;
}

static inline void issue_alone(struct dram_channel *d, const struct now *now) {
    if (cycle_alone(d) > now->cycle) {
        return;
    }
    if (d->hits[0]) {
        column_command(d, 0, now, 1);
    } else {
        row_command(d, &d->entry[d->order[0]], now);
    }
}

/* The first cycle, from @first on, in which the row command of a bank whose open row nobody wants
 * is legal. */
static inline uint64_t first_row(const struct dram_channel *d, uint64_t first) {
    uint64_t banks = d->occupied & ~d->wanted_banks, rows = NEVER, activates = NEVER;
    uint64_t activate_from = later(first, d->activate_at);
    for (uint64_t open = banks & d->open_banks; open && rows > first; open &= open - 1) {
        rows = later(earlier(rows, d->row_at[__builtin_ctzll(open)]), first);
    }
    banks &= rows > first ? ~d->open_banks : 0;
    for (; banks && activates > activate_from; banks &= banks - 1) {
        activates = later(earlier(activates, d->row_at[__builtin_ctzll(banks)]), activate_from);
    }
    return earlier(rows, activates);
}

/* The first cycle, from @first on, in which a column command is legal, and the oldest request whose
 * is: to planned_column. */
FOR_ANY_QUEUE uint64_t first_column(struct dram_channel *d, uint64_t first, unsigned words) {
    uint64_t columns = NEVER;
    unsigned planned = DRAM_NO_POSITION;
    not_before(&first, d->column_at);
    for (unsigned word = 0; word < words; word++) {
        for (uint64_t hits = d->hits[word]; hits && columns > first; hits &= hits - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(hits), position = word * 64 + bit;
            uint64_t at = column_cycle(d, d->bank_of[position], d->writing[word] >> bit & 1);
            if (at < columns) {
                columns = later(at, first);
                planned = position;
            }
        }
    }
    d->planned_column = planned;
    return columns;
}

/* Plan what comes from cycle @first on: when a command for the queue is legal, and which it is. */
FOR_ANY_QUEUE void look_ahead(struct dram_channel *d, uint64_t first, unsigned words) {
    if (d->count <= 1) {
        d->idle_until = d->count ? later(cycle_alone(d), first) : NEVER;
        return;
    }
    d->idle_until = first_column(d, first, words);
    if (d->idle_until > first) {
        uint64_t rows = first_row(d, first);
        if (rows < d->idle_until) {
            d->idle_until = rows;
            d->planned_column = DRAM_NO_POSITION;
        }
    }
}

FOR_ANY_QUEUE void one_cycle(struct dram_channel *d, const struct now *now, unsigned words) {
    bool changed = d->in.front_at <= now->time && d->count < d->config->dram.queue;
    if (changed) {
        take_request(d, now);
    }
    if (changed || d->poll || now->cycle >= d->idle_until) {
        if (d->count == 1) {
            issue_alone(d, now);
        } else if (changed || d->poll) {
            issue(d, now, words); /* a newcomer changes what is legal */
        } else if (d->planned_column != DRAM_NO_POSITION) {
            column_command(d, d->planned_column, now, words);
        } else {
            issue_row(d, now);
        }
        look_ahead(d, now->cycle + 1, words); /* one command a cycle */
    }
}

/* The time up to, not including, which the channel knows all that comes to it, and nobody sees what
 * it has done already: not before the end of the constant latency, nor while what the L2 may send
 * meanwhile, a request an L2 cycle, could fill the way here. */
static inline uint64_t known_until(const struct dram_channel *d, const struct now *now) {
    uint32_t room = d->in.capacity - d->in.used;
    if (!d->seen_at || room <= IN_MARGIN) {
        return now->time;
    }
    uint64_t arrival = d->config->dram.latency * now->period;
    uint64_t filled = (room - IN_MARGIN) * d->l2_clock->period;
    return earlier(now->time + earlier(arrival, filled), *d->seen_at);
}

FOR_ANY_QUEUE uint64_t channel_cycle(struct dram_channel *d, const struct now *now,
                                     unsigned words) {
    struct now at = *now; /* where it has got to */
    uint64_t until = known_until(d, now);
    d->present = now->time;
    for (;;) {
        one_cycle(d, &at, words);
        uint64_t cycles = d->idle_until - at.cycle;
        uint64_t next = d->idle_until == NEVER ? NEVER : at.time + cycles * at.period;
        uint64_t arrival = d->count < d->config->dram.queue ? ring_next(&d->in) : NEVER;
        if (earlier(next, arrival) >= until) {
            return earlier(next, arrival);
        }
        if (arrival < next) {
            cycles = arrival <= at.time ? 1 : clock_periods_in(d->clock, arrival - at.time);
        }
        at.cycle += cycles;
        at.time += cycles * at.period;
        if (at.time >= until) {
            return at.time;
        }
    }
}

static __attribute__((noinline)) uint64_t short_queue_cycle(struct dram_channel *d,
                                                            const struct now *now) {
    return channel_cycle(d, now, 1);
}

static __attribute__((noinline)) uint64_t long_queue_cycle(struct dram_channel *d,
                                                           const struct now *now) {
    return channel_cycle(d, now, DRAM_QUEUE_WORDS);
}

uint64_t dram_channel_cycle(struct dram_channel *d, const struct now *now) {
    return d->words == 1   ? short_queue_cycle(d, now)
           : d->words == 0 ? dual_channel_cycle(d, now)
                           : long_queue_cycle(d, now);
}

void dram_channel_settle(struct dram_channel *d, uint64_t cycle) {
    if (cycle > d->counted_to) { /* else it has run ahead: it is empty, or the run has failed */
        count_cycles(d, cycle);
    }
}

bool dram_channel_idle(const struct dram_channel *d) {
    bool idle = !d->count && !d->in.count && !d->high_in.count;
    for (unsigned i = 0; i < d->config->l2.banks; i++) {
        idle = idle && !d->out[i].count;
    }
    return idle;
}

bool dram_channel_register_stats(const struct dram_channel *d, struct stats *s) {
#define DRAM_STAT(member, unit, meaning, source) \
    { {"dram." #member, unit, meaning, source, STAT_SUM}, offsetof(struct dram_stats, member) }
    static const struct stat_member members[] = {
        DRAM_STAT(reads, "requests", "lines read", "model"),
        DRAM_STAT(writes, "requests", "lines written", "model"),
        DRAM_STAT(read_bytes, "bytes", "bytes read", "model"),
        DRAM_STAT(write_bytes, "bytes", "bytes written", "model"),
        DRAM_STAT(activates, "commands", "rows opened", "model"),
        DRAM_STAT(precharges, "commands", "rows closed", "model"),
        DRAM_STAT(columns, "commands", "column commands, one a burst", "model"),
        DRAM_STAT(row_hits, "requests", "requests for which no row was opened", "OWL 4.3"),
        DRAM_STAT(data_cycles, "DRAM cycles", "cycles in which the data bus is taken, all channels",
                  "model"),
        DRAM_STAT(busy_cycles, "DRAM cycles", "cycles with a request in a channel's queue",
                  "OWL 2.2"),
        DRAM_STAT(bank_cycles, "banks x DRAM cycles",
                  "banks with a request in the queue, summed over cycles; over busy_cycles: "
                  "bank-level parallelism",
                  "OWL 2.2"),
        DRAM_STAT(queue_cycles, "requests x DRAM cycles",
                  "requests in the queue, summed over cycles; over busy_cycles: its length",
                  "model"),
        DRAM_STAT(wait_cycles, "DRAM cycles",
                  "of all requests, from the queue to the first command for them", "model"),
        DRAM_STAT(service_cycles, "DRAM cycles",
                  "of all requests, from the first command for them to the end of their data",
                  "model"),
    };
    static const struct stat_member of_two[] = {
        DRAM_STAT(high_requests, "requests", "requests of the high-priority queue", "MeDiC 4.4"),
        DRAM_STAT(high_wait_cycles, "DRAM cycles",
                  "of these, from the queue to the first command for them; of the others: the rest "
                  "of wait_cycles",
                  "MeDiC 4.4"),
    };
#undef DRAM_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &d->stats) &&
           (!d->dual ||
            stats_register_members(s, of_two, sizeof of_two / sizeof *of_two, &d->stats));
}
