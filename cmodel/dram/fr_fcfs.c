/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/fr_fcfs.h"

#include <string.h>

#include "dram/channel_commands.h"
#include "dram/run_ahead.h"
#include "dram/scheduler.h"

/* The masks of positions are as long as the queue needs, @words: a constant in the instances of the
 * cycle function, so that short queues do not pay for long ones. */
#define FOR_ANY_QUEUE static inline __attribute__((always_inline))

static const struct fr_fcfs_service all_requests = {.reads = true, .writes = true};

/* The entry at a position wants the row that its bank has open. */
static inline void note_hit(struct fr_fcfs *s, unsigned position, unsigned bank) {
    s->hits[position / 64] |= UINT64_C(1) << position % 64;
    s->hit_count[bank]++;
    s->kept_banks |= UINT64_C(1) << bank;
}

/* The scheduler's queue takes one request a cycle. */
void fr_fcfs_admit(struct dram_channel *d, struct fr_fcfs *s, const struct now *now) {
    unsigned position = d->count;
    const struct dram_entry *entry = accept_request(d, &d->in, now);
    if (entry_is_write(entry)) {
        s->writing[position / 64] |= UINT64_C(1) << position % 64;
    }
    if (entry_hits(d, entry)) {
        note_hit(s, position, entry->at.bank);
    }
    s->bank_of[position] = (uint8_t)entry->at.bank;
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

/* Issues the request's next column command; the last one ends it. */
FOR_ANY_QUEUE bool issue_column(struct dram_channel *d, struct fr_fcfs *s, unsigned position,
                                const struct now *now, unsigned words) {
    struct dram_entry *e = &d->entry[d->order[position]];
    issue_burst(d, e, now);
    if (e->bursts_left) {
        return false;
    }
    retire_request(d, position, now);
    if (--s->hit_count[e->at.bank] == 0) {
        s->kept_banks &= ~(UINT64_C(1) << e->at.bank);
    }
    memmove(&s->bank_of[position], &s->bank_of[position + 1], d->count - position);
    remove_position(s->hits, position, words);
    remove_position(s->writing, position, words);
    return true;
}

/* A row was opened: notes the requests that want it. */
static void note_row_hits(const struct dram_channel *d, struct fr_fcfs *s, unsigned bank) {
    for (unsigned i = 0, left = d->bank_count[bank]; left; i++) {
        if (s->bank_of[i] == bank) {
            left--;
            if (d->entry[d->order[i]].at.row == d->banks.bank[bank].row) {
                note_hit(s, i, bank);
            }
        }
    }
}

/* Opens the request's row, or closes another in its bank. */
FOR_ANY_QUEUE bool issue_row(struct dram_channel *d, struct fr_fcfs *s, struct dram_entry *e,
                             const struct now *now) {
    bool opened = issue_row_command(d, e, now);
    if (opened) {
        note_row_hits(d, s, e->at.bank);
    }
    return opened;
}

/* Positions of a class that is in service, or of those in it that others wait for. */
FOR_ANY_QUEUE uint64_t in_service(bool all, uint64_t holding) {
    return all ? ~UINT64_C(0) : holding;
}

FOR_ANY_QUEUE unsigned ready_column(const struct dram_channel *d, const struct fr_fcfs *s,
                                    uint64_t cycle, unsigned words,
                                    struct fr_fcfs_service service) {
    const struct dram_banks *b = &d->banks;
    for (unsigned word = 0; word < words && b->column_at <= cycle; word++) {
        uint64_t columns = s->hits[word] & ~d->held[word], writing = s->writing[word];
        const uint64_t holding = d->holding[word];
        columns &= (b->read_at <= cycle ? ~writing & in_service(service.reads, holding) : 0) |
                   (b->write_at <= cycle ? writing & in_service(service.writes, holding) : 0);
        for (; columns; columns &= columns - 1) {
            unsigned position = word * 64 + (unsigned)__builtin_ctzll(columns);
            unsigned bank = s->bank_of[position];
            if (banks_column_cycle(b, bank, d->map.group[bank], writing >> position % 64 & 1) <=
                cycle) {
                return position;
            }
        }
    }
    return FR_FCFS_NO_POSITION;
}

unsigned fr_fcfs_ready_row(const struct dram_channel *d, const struct fr_fcfs *s, uint64_t cycle,
                           struct fr_fcfs_service service, uint64_t banks) {
    banks &= d->banks.activate_at <= cycle ? ~UINT64_C(0) : d->banks.open;
    for (unsigned i = 0; i < d->count; i++) {
        unsigned bank = s->bank_of[i];
        if (banks >> bank & 1 && d->banks.row_at[bank] <= cycle &&
            ((s->writing[i / 64] >> i % 64 & 1 ? service.writes : service.reads) ||
             is_holding(d, i))) {
            return i;
        }
    }
    return FR_FCFS_NO_POSITION;
}

/* The first cycle, from @first on, in which a column command is legal, and the oldest request whose
 * is. */
FOR_ANY_QUEUE void plan_column(const struct dram_channel *d, struct fr_fcfs *s, uint64_t first,
                               unsigned words, struct fr_fcfs_service service) {
    const struct dram_banks *b = &d->banks;
    uint64_t columns = NEVER;
    unsigned planned = FR_FCFS_NO_POSITION;
    not_before(&first, b->column_at);
    const uint64_t reads = later_time(first, b->read_at), writes = later_time(first, b->write_at);
    for (unsigned word = 0; word < words; word++) {
        const uint64_t writing = s->writing[word], holding = d->holding[word];
        uint64_t hits = s->hits[word] & ~d->held[word];
        hits &= (~writing & in_service(service.reads, holding)) |
                (writing & in_service(service.writes, holding));
        for (; hits && columns > first; hits &= hits - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(hits), position = word * 64 + bit;
            unsigned bank = s->bank_of[position];
            uint64_t at = b->group_column_at[d->map.group[bank]];
            at = writing >> bit & 1 ? later_time(at, later_time(writes, b->bank[bank].write_at))
                                    : later_time(at, later_time(reads, b->bank[bank].read_at));
            if (at < columns) {
                columns = at;
                planned = position;
            }
        }
    }
    s->idle_until = columns;
    s->planned_column = planned;
}

/* The first cycle, from @first on, in which the row command of one of the banks is legal. */
FOR_ANY_QUEUE void plan_row(const struct dram_channel *d, struct fr_fcfs *s, uint64_t first,
                            uint64_t banks) {
    const struct dram_banks *b = &d->banks;
    uint64_t rows = NEVER, activates = NEVER, activate_from = later_time(first, b->activate_at);
    for (uint64_t open = banks & b->open; open && rows > first; open &= open - 1) {
        rows = later_time(earlier_time(rows, b->row_at[__builtin_ctzll(open)]), first);
    }
    banks &= rows > first ? ~b->open : 0;
    for (; banks && activates > activate_from; banks &= banks - 1) {
        activates =
            later_time(earlier_time(activates, b->row_at[__builtin_ctzll(banks)]), activate_from);
    }
    rows = earlier_time(rows, activates);
    if (rows < s->idle_until) {
        s->idle_until = rows;
        s->planned_column = FR_FCFS_NO_POSITION;
    }
}

/* There is no choice. */
FOR_ANY_QUEUE uint64_t cycle_of_only_request(const struct dram_channel *d,
                                             const struct fr_fcfs *s) {
    const struct dram_entry *e = &d->entry[d->order[0]];
    if (!s->hits[0]) {
        return banks_row_cycle(&d->banks, e->at.bank);
    }
    uint64_t at = banks_column_cycle(&d->banks, e->at.bank, e->at.group, entry_is_write(e));
    not_before(&at, d->banks.column_at);
    return at;
}

static void issue_oldest_row(struct dram_channel *d, struct fr_fcfs *s, const struct now *now) {
    unsigned position = fr_fcfs_ready_row(d, s, now->cycle, all_requests, ~s->kept_banks);
    if (position != FR_FCFS_NO_POSITION) {
        issue_row(d, s, &d->entry[d->order[position]], now);
    }
}

FOR_ANY_QUEUE void issue_for_only_request(struct dram_channel *d, struct fr_fcfs *s,
                                          const struct now *now) {
    if (cycle_of_only_request(d, s) > now->cycle) {
        return;
    }
    if (s->hits[0]) {
        issue_column(d, s, 0, now, 1);
    } else {
        issue_row(d, s, &d->entry[d->order[0]], now);
    }
}

/* Issues the oldest column command that is legal at @now, else the row command of the first bank,
 * in the order of their oldest requests, whose row command is legal. */
FOR_ANY_QUEUE void issue_first_ready(struct dram_channel *d, struct fr_fcfs *s,
                                     const struct now *now, unsigned words) {
    unsigned position = ready_column(d, s, now->cycle, words, all_requests);
    if (position != FR_FCFS_NO_POSITION) {
        issue_column(d, s, position, now, words);
    } else {
        issue_oldest_row(d, s, now);
    }
}

/* Plans what comes from cycle @first on: when a command is legal, and which it is. */
FOR_ANY_QUEUE void plan_next_command(const struct dram_channel *d, struct fr_fcfs *s,
                                     uint64_t first, unsigned words) {
    if (d->count <= 1) {
        s->idle_until = d->count ? later_time(cycle_of_only_request(d, s), first) : NEVER;
        return;
    }
    plan_column(d, s, first, words, all_requests);
    if (s->idle_until > first) {
        plan_row(d, s, first, d->occupied & ~s->kept_banks);
    }
}

FOR_ANY_QUEUE uint64_t do_one_cycle(struct dram_channel *d, const struct now *now, unsigned words) {
    struct fr_fcfs *s = d->scheduler.state;
    bool changed = d->in.front_at <= now->time && d->count < d->config->dram.queue;
    if (changed) {
        fr_fcfs_admit(d, s, now);
    }
    if (changed || d->poll || now->cycle >= s->idle_until) {
        if (d->count == 1) {
            issue_for_only_request(d, s, now);
        } else if (changed || d->poll) {
            issue_first_ready(d, s, now, words); /* a newcomer changes what is legal */
        } else if (s->planned_column != FR_FCFS_NO_POSITION) {
            issue_column(d, s, s->planned_column, now, words);
        } else {
            issue_oldest_row(d, s, now);
        }
        plan_next_command(d, s, now->cycle + 1, words); /* one command a cycle */
    }
    return s->idle_until;
}

#define CYCLE_OF_QUEUE(name, words) \
    FOR_ANY_QUEUE uint64_t step_##name(struct dram_channel *d, const struct now *now) { \
        return do_one_cycle(d, now, words); \
    } \
    static uint64_t cycle_of_##name(struct dram_channel *d, const struct now *now) { \
        return run_channel_ahead(d, now, step_##name); \
    }
CYCLE_OF_QUEUE(short_queue, 1)
CYCLE_OF_QUEUE(long_queue, 2)
CYCLE_OF_QUEUE(longest_queue, FR_FCFS_WORDS)

bool fr_fcfs_wants_open_row(const struct dram_channel *d, unsigned bank) {
    const struct fr_fcfs *s = d->scheduler.state;
    return s->hit_count[bank];
}

static bool fr_fcfs_is_wanted(const struct config *config) {
    (void)config;
    return true;
}

static bool fr_fcfs_init(struct dram_channel *d, const struct build *build) {
    const unsigned queue = d->config->dram.queue;
    (void)build;
    d->scheduler.cycle = queue <= 64    ? cycle_of_short_queue
                         : queue <= 128 ? cycle_of_long_queue
                                        : cycle_of_longest_queue;
    return true;
}

const struct dram_scheduler_kind dram_fr_fcfs = {
    .name = "fr-fcfs",
    .about = "first ready, first come first served (ISCA 2000)",
    .wanted = fr_fcfs_is_wanted,
    .state_size = sizeof(struct fr_fcfs),
    .init = fr_fcfs_init,
    .cycle = cycle_of_longest_queue,
    .wants_open_row = fr_fcfs_wants_open_row};

/* For queues with what is rare; they say how long their masks are. */
unsigned fr_fcfs_ready_column(const struct dram_channel *d, const struct fr_fcfs *s, uint64_t cycle,
                              struct fr_fcfs_service service) {
    return ready_column(d, s, cycle, s->words, service);
}

bool fr_fcfs_issue_column(struct dram_channel *d, struct fr_fcfs *s, unsigned position,
                          const struct now *now) {
    return issue_column(d, s, position, now, s->words);
}

bool fr_fcfs_issue_row(struct dram_channel *d, struct fr_fcfs *s, unsigned position,
                       const struct now *now) {
    return issue_row(d, s, &d->entry[d->order[position]], now);
}

uint64_t fr_fcfs_cycle_of_only(const struct dram_channel *d, const struct fr_fcfs *s) {
    return cycle_of_only_request(d, s);
}

void fr_fcfs_plan_column(const struct dram_channel *d, struct fr_fcfs *s, uint64_t first,
                         struct fr_fcfs_service service) {
    plan_column(d, s, first, s->words, service);
}

void fr_fcfs_plan_row(const struct dram_channel *d, struct fr_fcfs *s, uint64_t first,
                      uint64_t banks) {
    plan_row(d, s, first, banks);
}
