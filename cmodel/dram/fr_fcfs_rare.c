/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/fr_fcfs_rare.h"

#include "dram/channel_commands.h"
#include "dram/run_ahead.h"
#include "dram/scheduler.h"

/* Selects the class in service after a read or a write has come or left. */
static void choose_class(const struct dram_channel *d, struct fr_fcfs_rare *s) {
    const struct config *c = d->config;
    if (!s->in_batch && s->writes_inside >= c->dram.write_high) {
        s->in_batch = true;
        s->write_drains++;
    } else if (s->in_batch && s->writes_inside <= c->dram.write_low) {
        s->in_batch = false;
    }
    s->service.writes = s->in_batch || s->writes_inside == d->count;
    s->service.reads = !s->service.writes;
}

/* Forgets the row hits of banks that were closed although requests want their rows. */
static void forget_closed_rows(const struct dram_channel *d, struct one_queue *q) {
    q->at.kept_banks &= d->banks.open;
    for (unsigned i = 0; i < d->count; i++) {
        if (!(d->banks.open >> q->at.bank_of[i] & 1)) {
            q->at.hits[i / 64] &= ~(UINT64_C(1) << i % 64);
            q->at.hit_count[q->at.bank_of[i]] = 0;
        }
    }
}

/* Is the request at a position in service? One that another waits for always is: the two may be of
 * different classes. */
static inline bool is_in_service(const struct dram_channel *d, const struct fr_fcfs_rare *s,
                                 unsigned position) {
    bool write = s->queue.at.writing[position / 64] >> position % 64 & 1;
    return (write ? s->service.writes : s->service.reads) || is_holding(d, position);
}

/* Has dram.row_hit_cap come into force in a bank? Not while a request for the open row is between
 * two of its bursts. */
static bool bank_is_capped(const struct dram_channel *d, const struct fr_fcfs_rare *s,
                           unsigned bank) {
    bool oldest = true;
    if (!s->cap || s->columns[bank] < s->cap) {
        return false;
    }
    for (unsigned i = 0, left = d->bank_count[bank]; left; i++) {
        if (s->queue.at.bank_of[i] != bank) {
            continue;
        }
        left--;
        if (is_in_service(d, s, i)) {
            const struct dram_entry *e = &d->entry[d->order[i]];
            if (entry_hits(d, e) && (oldest || e->begun)) {
                return false;
            }
            oldest = false;
        }
    }
    return true;
}

/* With a cap, after a change of its state: may the bank's row be closed? */
static void apply_row_hit_cap(const struct dram_channel *d, struct fr_fcfs_rare *s, unsigned bank) {
    uint64_t mask = UINT64_C(1) << bank;
    bool kept = s->queue.at.hit_count[bank] && !bank_is_capped(d, s, bank);
    s->queue.at.kept_banks = kept ? s->queue.at.kept_banks | mask : s->queue.at.kept_banks & ~mask;
}

static void admit_request(struct dram_channel *d, struct fr_fcfs_rare *s, const struct now *now) {
    one_queue_admit(d, &s->queue, now);
    d->entry[d->order[d->count - 1]].begun = false;
    if (s->split) {
        s->writes_inside += entry_is_write(&d->entry[d->order[d->count - 1]]);
        choose_class(d, s);
    }
    if (s->cap) {
        apply_row_hit_cap(d, s, s->queue.at.bank_of[d->count - 1]);
    }
}

static void issue_capped_column(struct dram_channel *d, struct fr_fcfs_rare *s, unsigned position,
                                const struct now *now) {
    struct dram_entry *e = &d->entry[d->order[position]];
    const unsigned bank = e->at.bank;
    e->begun = true;
    bool last = one_queue_issue_column(d, &s->queue, position, now);
    s->command = (struct fr_fcfs_command){.kind = FR_FCFS_COLUMN, .last = last, .entry = e};
    if (last && s->split) {
        s->writes_inside -= entry_is_write(e);
        choose_class(d, s);
    }
    if (s->cap) {
        s->columns[bank] += s->columns[bank] < s->cap;
        apply_row_hit_cap(d, s, bank);
    }
}

static void issue_row_in_service(struct dram_channel *d, struct fr_fcfs_rare *s, unsigned position,
                                 const struct now *now) {
    const struct dram_entry *e = &d->entry[d->order[position]];
    bool opened = one_queue_issue_row(d, &s->queue, position, now);
    s->command =
        (struct fr_fcfs_command){.kind = opened ? FR_FCFS_ACTIVATE : FR_FCFS_PRECHARGE, .entry = e};
    if (opened) {
        s->columns[e->at.bank] = 0;
    } else { /* the other class may want it, or it is capped */
        forget_closed_rows(d, &s->queue);
    }
}

/* With classes: banks that a request in service is for whose open row none of these keeps. */
static uint64_t row_banks_in_service(const struct dram_channel *d, const struct fr_fcfs_rare *s) {
    uint64_t asked = 0, wanted = 0;
    for (unsigned i = 0; i < d->count; i++) {
        uint64_t bank = is_in_service(d, s, i) ? UINT64_C(1) << s->queue.at.bank_of[i] : 0;
        asked |= bank;
        wanted |= s->queue.at.hits[i / 64] >> i % 64 & 1 ? bank : 0;
    }
    for (uint64_t left = s->cap ? wanted : 0; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left);
        wanted &= ~((uint64_t)bank_is_capped(d, s, bank) << bank);
    }
    return asked & ~wanted;
}

/* Banks whose row command may be next: with requests, and an open row that is not kept. */
static uint64_t row_banks(const struct dram_channel *d, const struct fr_fcfs_rare *s) {
    uint64_t banks = s->split ? row_banks_in_service(d, s) : d->occupied & ~s->queue.at.kept_banks;
    return banks & ~(s->held & d->banks.open);
}

static void issue_oldest_row_in_service(struct dram_channel *d, struct fr_fcfs_rare *s,
                                        const struct now *now) {
    unsigned position = one_queue_ready_row(d, &s->queue, now->cycle, s->service, row_banks(d, s));
    if (position != FR_FCFS_NO_POSITION) {
        issue_row_in_service(d, s, position, now);
    }
}

static void issue_first_in_service(struct dram_channel *d, struct fr_fcfs_rare *s,
                                   const struct now *now) {
    unsigned position = one_queue_ready_column(d, &s->queue, now->cycle, s->service);
    if (position != FR_FCFS_NO_POSITION) {
        issue_capped_column(d, s, position, now);
    } else {
        issue_oldest_row_in_service(d, s, now);
    }
}

/* First cycle in which the next command of the only request is legal: there is no choice. */
static uint64_t cycle_of_unheld(const struct dram_channel *d, const struct fr_fcfs_rare *s) {
    bool held = s->queue.at.hits[0] /* by a prefetch of its line; or by one of another row */
                    ? is_held(d, 0)
                    : s->held & d->banks.open & UINT64_C(1) << s->queue.at.bank_of[0];
    return held ? NEVER : one_queue_cycle_of_only(d, &s->queue);
}

static void issue_only_unheld(struct dram_channel *d, struct fr_fcfs_rare *s,
                              const struct now *now) {
    if (cycle_of_unheld(d, s) > now->cycle) {
        return;
    }
    if (s->queue.at.hits[0]) {
        issue_capped_column(d, s, 0, now);
    } else {
        issue_row_in_service(d, s, 0, now);
    }
}

/* Plans what comes from cycle @first on. No refresh wakes a channel without a request. */
static void plan_until_refresh(const struct dram_channel *d, struct fr_fcfs_rare *s,
                               uint64_t first) {
    struct one_queue *q = &s->queue;
    if (!d->count) {
        q->idle_until = NEVER;
        return;
    }
    if (d->count == 1) {
        q->idle_until = later_time(cycle_of_unheld(d, s), first);
    } else {
        one_queue_plan_column(d, q, first, s->service);
        if (q->idle_until > first) {
            one_queue_plan_row(d, q, first, row_banks(d, s));
        }
    }
    q->idle_until = earlier_time(q->idle_until, s->refresh.from);
}

/* In a cycle from the due time of a refresh on, with requests inside: does it keep them from a
 * command? Then it plans what comes next. */
static bool refresh_goes_first(struct dram_channel *d, struct fr_fcfs_rare *s,
                               const struct now *now) {
    refresh_until(&s->refresh, d, now->cycle + 1);
    forget_closed_rows(d, &s->queue);
    if (!refresh_holds(&s->refresh, now->cycle)) {
        return false;
    }
    if (s->refresh.due <= now->cycle) {
        s->queue.idle_until = refresh_next(&s->refresh, d);
    } else { /* the command was issued in this cycle */
        plan_until_refresh(d, s, now->cycle + 1);
    }
    return true;
}

/* The same with the blocks, for the prefetcher, which ends their cycle. */
static void step_blocks(struct dram_channel *d, struct fr_fcfs_rare *s, const struct now *now) {
    struct queue_blocks *b = &s->queue.blocks;
    queue_blocks_begin(b, d, now, s->held);
    s->admitted = queue_blocks_admits(b);
    s->command.kind = FR_FCFS_NOTHING;
    if (s->admitted) {
        admit_request(d, s, now);
    }
    if (!b->out.cmd_valid) {
        return;
    }
    unsigned position = queue_blocks_position(b, d);
    if (b->out.cmd_kind == DRAM_QUEUE_COLUMN) {
        issue_capped_column(d, s, position, now);
    } else {
        issue_row_in_service(d, s, position, now);
    }
}

uint64_t fr_fcfs_rare_step(struct dram_channel *d, const struct now *now) {
    struct fr_fcfs_rare *s = d->scheduler.state;
    struct one_queue *q = &s->queue;
    if (q->blocks.used) {
        step_blocks(d, s, now);
        return NEVER;
    }
    s->admitted = d->in.front_at <= now->time && d->count < d->config->dram.queue;
    s->command.kind = FR_FCFS_NOTHING;
    if (s->admitted) {
        admit_request(d, s, now);
    }
    if (s->refresh.from <= now->cycle && d->count && refresh_goes_first(d, s, now)) {
        return q->idle_until;
    }
    bool changed = s->admitted || s->replan || d->poll; /* so is what is legal */
    if (changed || now->cycle >= q->idle_until) {
        if (d->count == 1) {
            issue_only_unheld(d, s, now);
        } else if (changed) {
            issue_first_in_service(d, s, now);
        } else if (q->planned_column != FR_FCFS_NO_POSITION) {
            issue_capped_column(d, s, q->planned_column, now);
        } else {
            issue_oldest_row_in_service(d, s, now);
        }
        plan_until_refresh(d, s, now->cycle + 1); /* one command a cycle */
    }
    return q->idle_until;
}

static uint64_t fr_fcfs_rare_cycle(struct dram_channel *d, const struct now *now) {
    return run_channel_ahead(d, now, fr_fcfs_rare_step);
}

static bool fr_fcfs_rare_is_wanted(const struct config *config) {
    return config->dram.write_drain || config->dram.refi || config->dram.row_hit_cap;
}

void fr_fcfs_rare_init(struct fr_fcfs_rare *s, const struct config *config) {
    refresh_init(&s->refresh, config);
    s->queue.words = (config->dram.queue + 63) / 64;
    s->split = config->dram.write_drain;
    s->cap = config->dram.row_hit_cap;
    s->service = (struct one_queue_service){.reads = true, .writes = true};
}

static bool init_fr_fcfs_rare(struct dram_channel *d, const struct build *build) {
    (void)build;
    fr_fcfs_rare_init(d->scheduler.state, d->config);
    return true;
}

static void settle_refreshes(struct dram_channel *d, uint64_t cycle) {
    struct fr_fcfs_rare *s = d->scheduler.state;
    refresh_until(&s->refresh, d, cycle);
}

bool fr_fcfs_rare_register_stats(const struct dram_channel *d, struct stats *s) {
    static const struct stat_member members[] = {
        DRAM_STAT(struct fr_fcfs_rare, write_drains, "batches",
                  "times that dram.write_high writes were waiting", "simulator"),
    };
    const struct fr_fcfs_rare *own = d->scheduler.state;
    return (own->refresh.due == NEVER || refresh_register_stats(&own->refresh, s)) &&
           (!own->split ||
            stats_register_members(s, members, sizeof members / sizeof *members, own));
}

const struct dram_scheduler_kind dram_fr_fcfs_rare = {
    .name = "fr-fcfs-rare",
    .about = "the same with refresh, write drain or a cap of row hits",
    .wanted = fr_fcfs_rare_is_wanted,
    .state_size = sizeof(struct fr_fcfs_rare),
    .init = init_fr_fcfs_rare,
    .cycle = fr_fcfs_rare_cycle,
    .wants_open_row = one_queue_wants_open_row,
    .settle = settle_refreshes,
    .register_stats = fr_fcfs_rare_register_stats};
