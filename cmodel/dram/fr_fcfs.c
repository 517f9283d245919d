/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/fr_fcfs.h"

#include <stdlib.h>
#include <string.h>

#include "config/derived.h"
#include "dram/channel_commands.h"
#include "dram/prefetcher.h"
#include "dram/refresh.h"

/* Input slots that a channel which runs ahead keeps free; it needs one of them for the request of
 * the present cycle. */
#define IN_MARGIN 3

/* The masks of positions are as long as the queue asks for, @words, and a @plain channel has
 * neither classes nor refreshes nor a cap of row hits: constants in the instances of the cycle
 * function, as short queues must not pay for long ones, nor plain channels for the others. */
#define FOR_ANY_QUEUE static inline __attribute__((always_inline))

/* The entry at a position wants the row that its bank has open. */
static inline void note_hit(struct fr_fcfs *s, unsigned position, unsigned bank) {
    s->hits[position / 64] |= UINT64_C(1) << position % 64;
    s->hit_count[bank]++;
    s->kept_banks |= UINT64_C(1) << bank;
}

/* Selects the class in service after a read or a write has come or left. */
static void choose_class(struct dram_channel *d, struct fr_fcfs *s) {
    const struct config *c = d->config;
    if (!s->in_batch && s->writes_inside >= c->dram.write_high) {
        s->in_batch = true;
        d->stats.write_drains++;
    } else if (s->in_batch && s->writes_inside <= c->dram.write_low) {
        s->in_batch = false;
    }
    s->writes = s->in_batch || s->writes_inside == d->count;
    s->reads = !s->writes;
}

/* Forgets the row hits of banks that were closed although requests want their rows. */
static void forget_closed_rows(const struct dram_channel *d, struct fr_fcfs *s) {
    s->kept_banks &= d->open_banks;
    for (unsigned i = 0; i < d->count; i++) {
        if (!(d->open_banks >> s->bank_of[i] & 1)) {
            s->hits[i / 64] &= ~(UINT64_C(1) << i % 64);
            s->hit_count[s->bank_of[i]] = 0;
        }
    }
}

/* Is the request at a position in service? */
static inline bool is_in_service(const struct fr_fcfs *s, unsigned position) {
    return s->writing[position / 64] >> position % 64 & 1 ? s->writes : s->reads;
}

/* Has dram.row_hit_cap come into force in a bank? Not while a request for the open row is between
 * two of its bursts. */
static bool bank_is_capped(const struct dram_channel *d, const struct fr_fcfs *s, unsigned bank) {
    bool oldest = true;
    if (!s->cap || s->columns[bank] < s->cap) {
        return false;
    }
    for (unsigned i = 0, left = d->bank_count[bank]; left; i++) {
        if (s->bank_of[i] != bank) {
            continue;
        }
        left--;
        if (is_in_service(s, i)) {
            const struct dram_entry *e = &d->entry[d->order[i]];
            if (entry_hits(d, e) && (oldest || e->served)) {
                return false;
            }
            oldest = false;
        }
    }
    return true;
}

/* With a cap, after a change of its state: may the bank's row be closed? */
static void apply_row_hit_cap(const struct dram_channel *d, struct fr_fcfs *s, unsigned bank) {
    uint64_t mask = UINT64_C(1) << bank;
    bool kept = s->hit_count[bank] && !bank_is_capped(d, s, bank);
    s->kept_banks = kept ? s->kept_banks | mask : s->kept_banks & ~mask;
}

/* The scheduler's queue takes one request a cycle. */
static void admit_request(struct dram_channel *d, struct fr_fcfs *s, const struct now *now) {
    unsigned position = d->count;
    const struct dram_entry *entry = accept_request(d, &d->in, now);
    if (entry_is_write(entry)) {
        s->writing[position / 64] |= UINT64_C(1) << position % 64;
    }
    if (entry_hits(d, entry)) {
        note_hit(s, position, entry->at.bank);
    }
    s->bank_of[position] = (uint8_t)entry->at.bank;
    if (s->split) {
        s->writes_inside += entry_is_write(entry);
        choose_class(d, s);
    }
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

FOR_ANY_QUEUE void retire_request(struct dram_channel *d, struct fr_fcfs *s, unsigned position,
                                  const struct now *now, unsigned words, bool plain) {
    struct dram_entry *e = &d->entry[d->order[position]];
    complete_request(d, e, now);
    if (--s->hit_count[e->at.bank] == 0) {
        s->kept_banks &= ~(UINT64_C(1) << e->at.bank);
    }
    remove_request(d, position);
    memmove(&s->bank_of[position], &s->bank_of[position + 1], d->count - position);
    remove_position(s->hits, position, words);
    remove_position(s->writing, position, words);
    if (!plain && s->split) {
        s->writes_inside -= entry_is_write(e);
        choose_class(d, s);
    }
}

FOR_ANY_QUEUE void issue_column(struct dram_channel *d, struct fr_fcfs *s, unsigned position,
                                const struct now *now, unsigned words, bool plain) {
    struct dram_entry *e = &d->entry[d->order[position]];
    unsigned bank = e->at.bank;
    issue_burst(d, e, now);
    if (!plain && d->prefetcher) {
        s->issued = true;
        if (e->bursts_left == 1) {
            prefetcher_note_finished(d->prefetcher, e);
        }
    }
    if (--e->bursts_left == 0) {
        retire_request(d, s, position, now, words, plain);
    }
    if (!plain && s->cap) {
        s->columns[bank] += s->columns[bank] < s->cap;
        apply_row_hit_cap(d, s, bank);
    }
}

/* A row was opened: notes the requests that want it. */
static void note_row_hits(struct dram_channel *d, struct fr_fcfs *s, unsigned bank) {
    for (unsigned i = 0, left = d->bank_count[bank]; left; i++) {
        if (s->bank_of[i] == bank) {
            left--;
            if (d->entry[d->order[i]].at.row == d->bank[bank].row) {
                note_hit(s, i, bank);
            }
        }
    }
}

/* Open the entry's row, or close another in its bank. */
FOR_ANY_QUEUE void issue_row_command(struct dram_channel *d, struct fr_fcfs *s,
                                     struct dram_entry *e, const struct now *now, bool plain) {
    count_first_command(d, e, now);
    s->issued |= !plain;
    if (d->bank[e->at.bank].open) {
        issue_precharge(d, e->at.bank, now);
        if (!plain) { /* the other class may want it, or it is capped */
            forget_closed_rows(d, s);
            if (d->prefetcher) {
                prefetcher_note_precharge(d->prefetcher, e->at.bank);
            }
        }
    } else {
        issue_activate(d, e, now);
        if (!plain) {
            s->columns[e->at.bank] = 0;
            if (d->prefetcher) {
                prefetcher_note_activate(d->prefetcher, e);
            }
        }
        note_row_hits(d, s, e->at.bank);
    }
}

/* With classes: banks that a request in service is for whose open row none of these keeps. */
static uint64_t row_banks_in_service(const struct dram_channel *d, const struct fr_fcfs *s) {
    uint64_t asked = 0, wanted = 0;
    for (unsigned i = 0; i < d->count; i++) {
        uint64_t bank = is_in_service(s, i) ? UINT64_C(1) << s->bank_of[i] : 0;
        asked |= bank;
        wanted |= s->hits[i / 64] >> i % 64 & 1 ? bank : 0;
    }
    for (uint64_t left = s->cap ? wanted : 0; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left);
        wanted &= ~((uint64_t)bank_is_capped(d, s, bank) << bank);
    }
    return asked & ~wanted;
}

/* Banks whose row command may be next: with requests, and none of them keeps the open row. */
FOR_ANY_QUEUE uint64_t row_banks(const struct dram_channel *d, const struct fr_fcfs *s,
                                 bool plain) {
    uint64_t banks = !plain && s->split ? row_banks_in_service(d, s) : d->occupied & ~s->kept_banks;
    return plain ? banks : banks & ~(s->held & d->open_banks);
}

/* Issue the row command of the bank with the oldest request in service, of those @banks whose row
 * command is legal at @now. */
FOR_ANY_QUEUE bool issue_oldest_row_of(struct dram_channel *d, struct fr_fcfs *s, uint64_t banks,
                                       const struct now *now, bool plain) {
    banks &= d->activate_at <= now->cycle ? ~UINT64_C(0) : d->open_banks;
    for (unsigned i = 0; i < d->count; i++) {
        unsigned bank = s->bank_of[i];
        if (banks >> bank & 1 && d->row_at[bank] <= now->cycle && (plain || is_in_service(s, i))) {
            issue_row_command(d, s, &d->entry[d->order[i]], now, plain);
            return true;
        }
    }
    return false;
}

static bool issue_oldest_row(struct dram_channel *d, struct fr_fcfs *s, const struct now *now) {
    return issue_oldest_row_of(d, s, ~s->kept_banks, now, true);
}

static bool issue_oldest_row_in_service(struct dram_channel *d, struct fr_fcfs *s,
                                        const struct now *now) {
    return issue_oldest_row_of(d, s, row_banks(d, s, false), now, false);
}

/* Issue the oldest column command that is legal at @now, else the row command of the first bank,
 * in the order of their oldest requests, whose row command is legal. False: none is. */
FOR_ANY_QUEUE bool issue_first_ready(struct dram_channel *d, struct fr_fcfs *s,
                                     const struct now *now, unsigned words, bool plain) {
    for (unsigned word = 0; word < words && d->column_at <= now->cycle; word++) {
        uint64_t columns = s->hits[word], writing = s->writing[word];
        columns &= ((plain || s->reads) && d->read_at <= now->cycle ? ~writing : 0) |
                   ((plain || s->writes) && d->write_at <= now->cycle ? writing : 0);
        for (; columns; columns &= columns - 1) {
            unsigned position = word * 64 + (unsigned)__builtin_ctzll(columns);
            if (column_cycle(d, s->bank_of[position], writing >> position % 64 & 1) <= now->cycle) {
                issue_column(d, s, position, now, words, plain);
                return true;
            }
        }
    }
    return plain ? issue_oldest_row(d, s, now) : issue_oldest_row_in_service(d, s, now);
}

/* First cycle in which the next command of the only request is legal: there is no choice. */
FOR_ANY_QUEUE uint64_t cycle_of_only_request(const struct dram_channel *d, const struct fr_fcfs *s,
                                             bool plain) {
    const struct dram_entry *e = &d->entry[d->order[0]];
    if (!s->hits[0]) {
        bool held = !plain && s->held & d->open_banks & UINT64_C(1) << e->at.bank;
        return held ? NEVER : row_cycle(d, e);
    }
    uint64_t at = column_cycle(d, e->at.bank, entry_is_write(e));
    not_before(&at, d->column_at);
    return at;
}

FOR_ANY_QUEUE void issue_for_only_request(struct dram_channel *d, struct fr_fcfs *s,
                                          const struct now *now, bool plain) {
    if (cycle_of_only_request(d, s, plain) > now->cycle) {
        return;
    }
    if (s->hits[0]) {
        issue_column(d, s, 0, now, 1, plain);
    } else {
        issue_row_command(d, s, &d->entry[d->order[0]], now, plain);
    }
}

/* The first cycle, from @first on, in which the row command of a bank whose open row is not kept is
 * legal. */
FOR_ANY_QUEUE uint64_t first_row_cycle(const struct dram_channel *d, const struct fr_fcfs *s,
                                       uint64_t first, bool plain) {
    uint64_t banks = row_banks(d, s, plain), rows = NEVER, activates = NEVER;
    uint64_t activate_from = later_time(first, d->activate_at);
    for (uint64_t open = banks & d->open_banks; open && rows > first; open &= open - 1) {
        rows = later_time(earlier_time(rows, d->row_at[__builtin_ctzll(open)]), first);
    }
    banks &= rows > first ? ~d->open_banks : 0;
    for (; banks && activates > activate_from; banks &= banks - 1) {
        activates =
            later_time(earlier_time(activates, d->row_at[__builtin_ctzll(banks)]), activate_from);
    }
    return earlier_time(rows, activates);
}

/* The first cycle, from @first on, in which a column command is legal, and the oldest request whose
 * is: to planned_column. */
FOR_ANY_QUEUE uint64_t first_column_cycle(struct dram_channel *d, struct fr_fcfs *s, uint64_t first,
                                          unsigned words, bool plain) {
    uint64_t columns = NEVER;
    unsigned planned = FR_FCFS_NO_POSITION;
    not_before(&first, d->column_at);
    const uint64_t reads = plain || s->reads ? later_time(first, d->read_at) : NEVER,
                   writes = plain || s->writes ? later_time(first, d->write_at) : NEVER;
    for (unsigned word = 0; word < words; word++) {
        for (uint64_t hits = s->hits[word]; hits && columns > first; hits &= hits - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(hits), position = word * 64 + bit;
            unsigned bank = s->bank_of[position];
            uint64_t at = d->group_column_at[d->map.group[bank]];
            at = s->writing[word] >> bit & 1
                     ? later_time(at, later_time(writes, d->bank[bank].write_at))
                     : later_time(at, later_time(reads, d->bank[bank].read_at));
            if (at < columns) {
                columns = at;
                planned = position;
            }
        }
    }
    s->planned_column = planned;
    return columns;
}

/* Plan what comes from cycle @first on: when a command for the queue is legal, and which it is. */
FOR_ANY_QUEUE void plan_next_command(struct dram_channel *d, struct fr_fcfs *s, uint64_t first,
                                     unsigned words, bool plain) {
    if (d->count <= 1) {
        s->idle_until = d->count ? later_time(cycle_of_only_request(d, s, plain), first) : NEVER;
        return;
    }
    s->idle_until = first_column_cycle(d, s, first, words, plain);
    if (s->idle_until > first) {
        uint64_t rows = first_row_cycle(d, s, first, plain);
        if (rows < s->idle_until) {
            s->idle_until = rows;
            s->planned_column = FR_FCFS_NO_POSITION;
        }
    }
}

/* The same in a channel with refreshes: none wakes a channel without a request. */
static void plan_until_refresh(struct dram_channel *d, struct fr_fcfs *s, uint64_t first) {
    plan_next_command(d, s, first, FR_FCFS_WORDS, false);
    s->idle_until = d->count ? earlier_time(s->idle_until, d->refresh_from) : NEVER;
}

/* In a cycle from the due time of a refresh on, with requests inside: does it keep them from a
 * command? Then it plans what comes next. */
static bool refresh_goes_first(struct dram_channel *d, struct fr_fcfs *s, const struct now *now) {
    dram_refresh_until(d, now->cycle + 1);
    forget_closed_rows(d, s);
    if (!dram_refresh_holds(d, now->cycle)) {
        return false;
    }
    if (d->refresh_due <= now->cycle) {
        s->idle_until = dram_refresh_next(d);
    } else { /* the command was issued in this cycle */
        plan_until_refresh(d, s, now->cycle + 1);
    }
    return true;
}

FOR_ANY_QUEUE void do_one_cycle(struct dram_channel *d, struct fr_fcfs *s, const struct now *now,
                                unsigned words, bool plain) {
    bool changed = d->in.front_at <= now->time && d->count < d->config->dram.queue;
    if (!plain) {
        s->admitted = changed;
    }
    if (changed) {
        admit_request(d, s, now);
        if (!plain && s->cap) {
            apply_row_hit_cap(d, s, s->bank_of[d->count - 1]);
        }
    }
    changed |= !plain && s->replan;
    if (!plain && d->refresh_from <= now->cycle && d->count && refresh_goes_first(d, s, now)) {
        return;
    }
    if (changed || d->poll || now->cycle >= s->idle_until) {
        if (d->count == 1) {
            issue_for_only_request(d, s, now, plain);
        } else if (changed || d->poll) {
            issue_first_ready(d, s, now, words, plain); /* a newcomer changes what is legal */
        } else if (s->planned_column != FR_FCFS_NO_POSITION) {
            issue_column(d, s, s->planned_column, now, words, plain);
        } else if (plain) {
            issue_oldest_row(d, s, now);
        } else {
            issue_oldest_row_in_service(d, s, now);
        }
        if (plain) {
            plan_next_command(d, s, now->cycle + 1, words, true); /* one command a cycle */
        } else {
            plan_until_refresh(d, s, now->cycle + 1);
        }
    }
}

/* The time up to, not including, which the channel knows all its inputs and its outputs are
 * invisible: it ends with the constant latency, and before the L2's requests, one an L2 cycle,
 * could fill the input queue. */
static inline uint64_t known_until(const struct dram_channel *d, const struct now *now) {
    uint32_t room = d->in.capacity - d->in.used;
    if (!d->seen_at || room <= IN_MARGIN) {
        return now->time;
    }
    uint64_t arrival = d->config->dram.latency * now->period;
    uint64_t filled = (room - IN_MARGIN) * d->l2_clock->period;
    return earlier_time(now->time + earlier_time(arrival, filled), *d->seen_at);
}

FOR_ANY_QUEUE uint64_t fr_fcfs_cycle(struct dram_channel *d, struct fr_fcfs *s,
                                     const struct now *now, unsigned words, bool plain) {
    struct now at = *now; /* the cycle that it has reached */
    uint64_t until = known_until(d, now);
    d->present = now->time;
    for (;;) {
        do_one_cycle(d, s, &at, words, plain);
        uint64_t cycles = s->idle_until - at.cycle;
        uint64_t next = s->idle_until == NEVER ? NEVER : at.time + cycles * at.period;
        uint64_t arrival = d->count < d->config->dram.queue ? ring_next(&d->in) : NEVER;
        if (earlier_time(next, arrival) >= until) {
            return earlier_time(next, arrival);
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

static uint64_t cycle_of_short_queue(struct dram_channel *d, const struct now *now) {
    return fr_fcfs_cycle(d, d->scheduler.self, now, 1, true);
}

static uint64_t cycle_of_long_queue(struct dram_channel *d, const struct now *now) {
    return fr_fcfs_cycle(d, d->scheduler.self, now, 2, true);
}

static uint64_t cycle_of_longest_queue(struct dram_channel *d, const struct now *now) {
    return fr_fcfs_cycle(d, d->scheduler.self, now, FR_FCFS_WORDS, true);
}

static uint64_t cycle_of_rare_queue(struct dram_channel *d, const struct now *now) {
    return fr_fcfs_cycle(d, d->scheduler.self, now, FR_FCFS_WORDS, false);
}

static bool fr_fcfs_wants_open_row(const struct dram_channel *d, unsigned bank) {
    const struct fr_fcfs *s = d->scheduler.self;
    return s->hit_count[bank];
}

/* Banks for whose open row a request waits. */
static uint64_t wanted_banks(const struct dram_channel *d) {
    uint64_t wanted = 0;
    for (uint64_t left = d->open_banks & d->occupied; left; left &= left - 1) {
        wanted |= fr_fcfs_wants_open_row(d, (unsigned)__builtin_ctzll(left)) ? left & -left : 0;
    }
    return wanted;
}

/* Banks in which a request waits for another row than the open one. */
static uint64_t other_banks(const struct dram_channel *d, const struct fr_fcfs *s) {
    uint64_t other = 0;
    for (uint64_t left = d->open_banks & d->occupied; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left);
        other |= d->bank_count[bank] > s->hit_count[bank] ? left & -left : 0;
    }
    return other;
}

/* With a prefetcher a cycle is never done ahead of time, as the L2 answers in between. */
static uint64_t cycle_with_prefetcher(struct dram_channel *d, const struct now *now) {
    struct fr_fcfs *s = d->scheduler.self;
    d->present = now->time;
    uint64_t wanted = wanted_banks(d), other = other_banks(d, s);
    if (d->in.front_at <= now->time && d->count < d->config->dram.queue) {
        /* It comes in now, and a command for it may be issued at once. */
        struct dram_address a = dram_map_local(&d->map, ring_front(&d->in)->request.local);
        uint64_t bank = UINT64_C(1) << a.bank;
        *(d->bank[a.bank].row == a.row ? &wanted : &other) |= bank;
    }
    s->replan |= prefetcher_begin(d, wanted, other, now);
    s->held = d->prefetcher->held;
    s->issued = false;
    do_one_cycle(d, s, now, PREFETCHED_QUEUE_MAX / 64, false);
    uint64_t columns = d->stats.columns;
    uint64_t next = prefetcher_end(d, !s->issued, s->admitted, now);
    s->replan = d->stats.columns != columns;
    next = s->replan ? now_next_edge(now) : next;
    if (s->idle_until != NEVER) {
        next = earlier_time(next, now_time_of(now, later_time(s->idle_until, now->cycle + 1)));
    }
    return d->count < d->config->dram.queue ? earlier_time(next, ring_next(&d->in)) : next;
}

bool fr_fcfs_make(struct dram_channel *d, const struct build *build) {
    struct fr_fcfs *s = calloc(1, sizeof *s);
    if (!s) {
        return build_refused(build, "out of memory");
    }
    const struct config *c = d->config;
    const bool prefetches = c->owl.prefetch != OWL_PREFETCH_OFF;
    const bool plain = !c->dram.write_drain && !c->dram.refi && !c->dram.row_hit_cap;
    d->scheduler = (struct dram_scheduler){
        .self = s,
        .cycle = prefetches             ? cycle_with_prefetcher
                 : !plain               ? cycle_of_rare_queue
                 : c->dram.queue <= 64  ? cycle_of_short_queue
                 : c->dram.queue <= 128 ? cycle_of_long_queue
                                        : cycle_of_longest_queue,
        .wants_open_row = fr_fcfs_wants_open_row,
        .destroy = free,
    };
    if (prefetches && !(d->prefetcher = prefetcher_create(d, build))) {
        return false;
    }
    s->split = c->dram.write_drain;
    s->cap = c->dram.row_hit_cap;
    s->reads = s->writes = true;
    return true;
}
