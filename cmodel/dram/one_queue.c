/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/one_queue.h"

#include <string.h>

#include "dram/channel_commands.h"
#include "dram/run_ahead.h"
#include "dram/scheduler.h"

static const struct one_queue_service all_requests = {.reads = true, .writes = true};

/* The scheduler's queue takes one request a cycle. */
void one_queue_admit(struct dram_channel *d, struct one_queue *s, const struct now *now) {
    unsigned position = d->count;
    const struct dram_entry *entry = accept_request(d, &d->in, now);
    enter_position(&s->at, position, entry->at.bank, entry_is_write(entry), entry_hits(d, entry));
}

/* Issues the request's next column command; the last one ends it. */
FOR_ANY_QUEUE bool issue_column(struct dram_channel *d, struct one_queue *s, unsigned position,
                                const struct now *now, unsigned words) {
    struct dram_entry *e = &d->entry[d->order[position]];
    issue_burst(d, e, now);
    if (e->bursts_left) {
        return false;
    }
    retire_request(d, position, now);
    leave_position(&s->at, position, e->at.bank, d->count, words);
    return true;
}

/* A row was opened: notes the requests that want it. */
static void note_row_hits(const struct dram_channel *d, struct one_queue *s, unsigned bank) {
    for (unsigned i = 0, left = d->bank_count[bank]; left; i++) {
        if (s->at.bank_of[i] == bank) {
            left--;
            if (d->entry[d->order[i]].at.row == d->banks.bank[bank].row) {
                note_position_hit(&s->at, i, bank);
            }
        }
    }
}

/* Opens the request's row, or closes another in its bank. */
FOR_ANY_QUEUE bool issue_row(struct dram_channel *d, struct one_queue *s, struct dram_entry *e,
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

/* A cycle of the channel, for the choice. */
struct choice_cycle {
    const struct dram_channel *d;
    const struct one_queue *s;
    uint64_t cycle;
    struct one_queue_service service;
};

FOR_ANY_QUEUE uint64_t columns_in_service(const void *of, unsigned word) {
    const struct choice_cycle *c = of;
    const struct dram_banks *b = &c->d->banks;
    const uint64_t writing = c->s->at.writing[word], holding = c->d->holding[word];
    return ~c->d->held[word] &
           ((b->read_at <= c->cycle ? ~writing & in_service(c->service.reads, holding) : 0) |
            (b->write_at <= c->cycle ? writing & in_service(c->service.writes, holding) : 0));
}

FOR_ANY_QUEUE bool column_is_legal(const void *of, unsigned bank, bool write) {
    const struct choice_cycle *c = of;
    return banks_column_cycle(&c->d->banks, bank, c->d->map.group[bank], write) <= c->cycle;
}

FOR_ANY_QUEUE bool row_is_legal(const void *of, unsigned bank, unsigned position) {
    const struct choice_cycle *c = of;
    bool write = c->s->at.writing[position / 64] >> position % 64 & 1;
    return c->d->banks.row_at[bank] <= c->cycle &&
           ((write ? c->service.writes : c->service.reads) || is_holding(c->d, position));
}

FOR_ANY_QUEUE unsigned ready_column(const struct dram_channel *d, const struct one_queue *s,
                                    uint64_t cycle, unsigned words,
                                    struct one_queue_service service) {
    const struct choice_cycle now = {d, s, cycle, service};
    return d->banks.column_at > cycle
               ? FR_FCFS_NO_POSITION
               : oldest_legal_hit(&s->at, words, &now, columns_in_service, column_is_legal);
}

unsigned one_queue_ready_row(const struct dram_channel *d, const struct one_queue *s,
                             uint64_t cycle, struct one_queue_service service, uint64_t banks) {
    const struct choice_cycle now = {d, s, cycle, service};
    banks &= d->banks.activate_at <= cycle ? ~UINT64_C(0) : d->banks.open;
    return oldest_legal_row(&s->at, d->count, banks, &now, row_is_legal);
}

/* The first cycle, from @first on, in which a column command is legal, and the oldest request whose
 * is. */
FOR_ANY_QUEUE void plan_column(const struct dram_channel *d, struct one_queue *s, uint64_t first,
                               unsigned words, struct one_queue_service service) {
    const struct dram_banks *b = &d->banks;
    uint64_t columns = NEVER;
    unsigned planned = FR_FCFS_NO_POSITION;
    not_before(&first, b->column_at);
    const uint64_t reads = later_time(first, b->read_at), writes = later_time(first, b->write_at);
    for (unsigned word = 0; word < words; word++) {
        const uint64_t writing = s->at.writing[word], holding = d->holding[word];
        uint64_t hits = s->at.hits[word] & ~d->held[word];
        hits &= (~writing & in_service(service.reads, holding)) |
                (writing & in_service(service.writes, holding));
        for (; hits && columns > first; hits &= hits - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(hits), position = word * 64 + bit;
            unsigned bank = s->at.bank_of[position];
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
FOR_ANY_QUEUE void plan_row(const struct dram_channel *d, struct one_queue *s, uint64_t first,
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
                                             const struct one_queue *s) {
    const struct dram_entry *e = &d->entry[d->order[0]];
    if (!s->at.hits[0]) {
        return banks_row_cycle(&d->banks, e->at.bank);
    }
    uint64_t at = banks_column_cycle(&d->banks, e->at.bank, e->at.group, entry_is_write(e));
    not_before(&at, d->banks.column_at);
    return at;
}

static void issue_oldest_row(struct dram_channel *d, struct one_queue *s, const struct now *now) {
    unsigned position = one_queue_ready_row(d, s, now->cycle, all_requests, ~s->at.kept_banks);
    if (position != FR_FCFS_NO_POSITION) {
        issue_row(d, s, &d->entry[d->order[position]], now);
    }
}

FOR_ANY_QUEUE void issue_for_only_request(struct dram_channel *d, struct one_queue *s,
                                          const struct now *now) {
    if (cycle_of_only_request(d, s) > now->cycle) {
        return;
    }
    if (s->at.hits[0]) {
        issue_column(d, s, 0, now, 1);
    } else {
        issue_row(d, s, &d->entry[d->order[0]], now);
    }
}

/* Issues the oldest column command that is legal at @now, else the row command of the first bank,
 * in the order of their oldest requests, whose row command is legal. */
FOR_ANY_QUEUE void issue_first_ready(struct dram_channel *d, struct one_queue *s,
                                     const struct now *now, unsigned words) {
    unsigned position = ready_column(d, s, now->cycle, words, all_requests);
    if (position != FR_FCFS_NO_POSITION) {
        issue_column(d, s, position, now, words);
    } else {
        issue_oldest_row(d, s, now);
    }
}

/* Plans what comes from cycle @first on: when a command is legal, and which it is. */
FOR_ANY_QUEUE void plan_next_command(const struct dram_channel *d, struct one_queue *s,
                                     uint64_t first, unsigned words) {
    if (d->count <= 1) {
        s->idle_until = d->count ? later_time(cycle_of_only_request(d, s), first) : NEVER;
        return;
    }
    plan_column(d, s, first, words, all_requests);
    if (s->idle_until > first) {
        plan_row(d, s, first, d->occupied & ~s->at.kept_banks);
    }
}

FOR_ANY_QUEUE uint64_t do_one_cycle(struct dram_channel *d, const struct now *now, unsigned words) {
    struct one_queue *s = d->scheduler.state;
    bool changed = d->in.front_at <= now->time && d->count < d->config->dram.queue;
    if (changed) {
        one_queue_admit(d, s, now);
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

bool one_queue_wants_open_row(const struct dram_channel *d, unsigned bank) {
    const struct one_queue *s = d->scheduler.state;
    return s->at.hit_count[bank];
}

/* A cycle with the blocks: they know when a command is legal, and choose. */
static uint64_t cycle_of_blocks(struct dram_channel *d, const struct now *now) {
    struct one_queue *s = d->scheduler.state;
    struct queue_blocks *b = &s->blocks;
    if (b->failed) {
        return NEVER;
    }
    d->present = now->time;
    queue_blocks_begin(b, d, now, 0);
    if (queue_blocks_admits(b)) {
        one_queue_admit(d, s, now);
    }
    if (b->out.cmd_valid) {
        unsigned position = queue_blocks_position(b, d);
        if (b->out.cmd_kind == DRAM_QUEUE_COLUMN) {
            issue_column(d, s, position, now, 1);
        } else {
            issue_row(d, s, &d->entry[d->order[position]], now);
        }
    }
    return queue_blocks_end(b, d, now);
}

static bool one_queue_is_wanted(const struct config *config) {
    (void)config;
    return true;
}

static bool init_one_queue(struct dram_channel *d, const struct build *build) {
    const unsigned queue = d->config->dram.queue;
    struct one_queue *s = d->scheduler.state;
    d->scheduler.cycle = queue <= 64    ? cycle_of_short_queue
                         : queue <= 128 ? cycle_of_long_queue
                                        : cycle_of_longest_queue;
    if (!queue_blocks_init(&s->blocks, d, build)) {
        return false;
    }
    d->scheduler.cycle = s->blocks.used ? cycle_of_blocks : d->scheduler.cycle;
    return true;
}

static void destroy_one_queue(void *state) {
    struct one_queue *s = state;
    queue_blocks_destroy(&s->blocks);
}

const struct dram_scheduler_kind dram_fr_fcfs = {
    .name = "fr-fcfs",
    .about = "first ready, first come first served (ISCA 2000)",
    .wanted = one_queue_is_wanted,
    .state_size = sizeof(struct one_queue),
    .init = init_one_queue,
    .destroy = destroy_one_queue,
    .cycle = cycle_of_longest_queue,
    .wants_open_row = one_queue_wants_open_row};

/* For queues with what is rare; they say how long their masks are. */
unsigned one_queue_ready_column(const struct dram_channel *d, const struct one_queue *s,
                                uint64_t cycle, struct one_queue_service service) {
    return ready_column(d, s, cycle, s->words, service);
}

bool one_queue_issue_column(struct dram_channel *d, struct one_queue *s, unsigned position,
                            const struct now *now) {
    return issue_column(d, s, position, now, s->words);
}

bool one_queue_issue_row(struct dram_channel *d, struct one_queue *s, unsigned position,
                         const struct now *now) {
    return issue_row(d, s, &d->entry[d->order[position]], now);
}

uint64_t one_queue_cycle_of_only(const struct dram_channel *d, const struct one_queue *s) {
    return cycle_of_only_request(d, s);
}

void one_queue_plan_column(const struct dram_channel *d, struct one_queue *s, uint64_t first,
                           struct one_queue_service service) {
    plan_column(d, s, first, s->words, service);
}

void one_queue_plan_row(const struct dram_channel *d, struct one_queue *s, uint64_t first,
                        uint64_t banks) {
    plan_row(d, s, first, banks);
}
