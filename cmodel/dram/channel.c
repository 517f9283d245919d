/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/channel.h"

#include <string.h>

#include "base/events.h"

bool dram_channel_init(struct dram_channel *d, const struct config *config, uint64_t period) {
    *d = (struct dram_channel){.config = config, .period = period};
    dram_map_init(&d->map, config);
    dram_timing_init(&d->timing, config);
    for (unsigned i = 0; i < DRAM_QUEUE_MAX; i++) {
        d->spare[i] = (uint8_t)(DRAM_QUEUE_MAX - 1 - i);
    }
    /* Every read has a place reserved in the return queue before it comes here (l2/partition.c).
     * Requests on their way through the constant latency: as many as reads may be under way. */
    return ring_init(&d->in, config->dram.return_queue) &&
           ring_init(&d->out, config->dram.return_queue);
}

void dram_channel_destroy(struct dram_channel *d) {
    ring_destroy(&d->in);
    ring_destroy(&d->out);
}

static void not_before(uint64_t *at, uint64_t cycle) {
    if (*at < cycle) {
        *at = cycle;
    }
}

static bool is_write(const struct dram_entry *e) {
    return e->request.kind != REQUEST_READ;
}

static bool wants_open_row(const struct dram_channel *d, const struct dram_entry *e) {
    const struct dram_bank *b = &d->bank[e->at.bank];
    return b->open && b->row == e->at.row;
}

/* The scheduler's queue takes one request a cycle. */
static bool take_request(struct dram_channel *d, uint64_t now) {
    const struct ring_entry *e = ring_head(&d->in, now);
    if (!e || d->count == d->config->dram.queue) {
        return false;
    }
    uint8_t slot = d->spare[DRAM_QUEUE_MAX - 1 - d->count];
    d->entry[slot] = (struct dram_entry){.request = e->request,
                                         .at = dram_map_local(&d->map, e->request.local),
                                         .bursts_left = d->timing.bursts};
    const struct dram_entry *entry = &d->entry[slot];
    d->hits |= (uint64_t)wants_open_row(d, entry) << d->count;
    d->writing |= (uint64_t)is_write(entry) << d->count;
    d->bank_of[d->count] = (uint8_t)entry->at.bank;
    d->bank_count[entry->at.bank]++;
    d->occupied |= UINT64_C(1) << entry->at.bank;
    d->order[d->count++] = slot;
    ring_pop(&d->in, now);
    if (d->in.sender_waits) {
        clock_wake(d->l2_clock, d->partition, now);
    }
    return true;
}

static void log_command(struct dram_channel *d, uint64_t cycle, enum dram_command command,
                        unsigned bank, uint64_t row) {
    static const char *const name[] = {"activate", "read", "write", "precharge"};
    EVENT(d->events, cycle * d->period, "dram.%u %s bank %u row %" PRIx64 "\n", d->partition,
          name[command], bank, row);
    if (d->log) {
        d->log(d->log_user, cycle, command, bank, row);
    }
}

/* First cycle in which the entry's column command is legal; its row is open. */
static uint64_t column_cycle(const struct dram_channel *d, const struct dram_entry *e) {
    const struct dram_bank *b = &d->bank[e->at.bank];
    uint64_t at = is_write(e) ? b->write_at : b->read_at;
    not_before(&at, is_write(e) ? d->write_at : d->read_at);
    not_before(&at, d->column_at);
    not_before(&at, d->group_column_at[e->at.group]);
    return at;
}

/* A mask of positions after the entry at one of them has left. */
static uint64_t without(uint64_t mask, unsigned position) {
    uint64_t older = (UINT64_C(1) << position) - 1;
    return (mask & older) | (mask >> 1 & ~older);
}

static void retire(struct dram_channel *d, unsigned position, uint64_t now) {
    struct dram_entry *e = &d->entry[d->order[position]];
    if (is_write(e)) {
        d->stats.writes++;
        d->stats.write_bytes += LINE_BYTES;
    } else {
        uint64_t visible = now + (d->timing.cl + d->timing.burst_cycles) * d->period;
        ring_push(&d->out, &e->request, visible, 1);
        clock_wake_at(d->l2_clock, d->partition, now, visible);
        d->stats.reads++;
        d->stats.read_bytes += LINE_BYTES;
    }
    d->stats.row_hits += !e->activated;
    uint8_t slot = d->order[position];
    if (--d->bank_count[e->at.bank] == 0) {
        d->occupied &= ~(UINT64_C(1) << e->at.bank);
    }
    d->count--;
    memmove(&d->order[position], &d->order[position + 1], d->count - position);
    memmove(&d->bank_of[position], &d->bank_of[position + 1], d->count - position);
    d->hits = without(d->hits, position);
    d->writing = without(d->writing, position);
    d->spare[DRAM_QUEUE_MAX - 1 - d->count] = slot;
}

static void column_command(struct dram_channel *d, unsigned position, uint64_t cycle,
                           uint64_t now) {
    const struct dram_timing *t = &d->timing;
    struct dram_entry *e = &d->entry[d->order[position]];
    struct dram_bank *b = &d->bank[e->at.bank];
    bool write = is_write(e);
    log_command(d, cycle, write ? DRAM_WRITE : DRAM_READ, e->at.bank, e->at.row);
    d->column_at = cycle + t->column;
    d->group_column_at[e->at.group] = cycle + t->column_group;
    if (write) {
        not_before(&d->read_at, cycle + t->write_to_read);
        not_before(&b->precharge_at, cycle + t->write_to_precharge);
    } else {
        not_before(&d->write_at, cycle + t->read_to_write);
        not_before(&b->precharge_at, cycle + t->read_to_precharge);
    }
    d->stats.columns++;
    d->stats.data_cycles += t->burst_cycles;
    if (--e->bursts_left == 0) {
        retire(d, position, now);
    }
}

static void activate(struct dram_channel *d, struct dram_entry *e, uint64_t cycle) {
    const struct dram_timing *t = &d->timing;
    struct dram_bank *b = &d->bank[e->at.bank];
    log_command(d, cycle, DRAM_ACTIVATE, e->at.bank, e->at.row);
    b->open = true;
    d->open_banks |= UINT64_C(1) << e->at.bank;
    b->row = e->at.row;
    b->read_at = cycle + t->rcd_read;
    b->write_at = cycle + t->rcd_write;
    not_before(&b->precharge_at, cycle + t->ras);
    b->activate_at = cycle + t->rc;
    d->activate_at = cycle + t->rrd;
    e->activated = true;
    d->stats.activates++;
}

static void precharge(struct dram_channel *d, unsigned bank, uint64_t cycle) {
    struct dram_bank *b = &d->bank[bank];
    log_command(d, cycle, DRAM_PRECHARGE, bank, b->row);
    b->open = false;
    d->open_banks &= ~(UINT64_C(1) << bank);
    not_before(&b->activate_at, cycle + d->timing.rp);
    d->stats.precharges++;
}

/* A row was opened: who wants it? (A row is closed only when nobody does.) */
static void note_hits(struct dram_channel *d, unsigned bank) {
    for (unsigned i = 0; i < d->count; i++) {
        if (d->bank_of[i] == bank) {
            d->hits |= (uint64_t)wants_open_row(d, &d->entry[d->order[i]]) << i;
        }
    }
}

/* Banks whose open row is wanted: not to be closed. */
static uint64_t wanted_banks(const struct dram_channel *d) {
    uint64_t banks = 0;
    for (uint64_t hits = d->hits; hits; hits &= hits - 1) {
        banks |= UINT64_C(1) << d->bank_of[__builtin_ctzll(hits)];
    }
    return banks;
}

/* Issue the row command of the bank with the oldest request, of those whose open row nobody wants
 * and whose row command (precharge if open, else activate) is legal at @cycle. */
static bool issue_row(struct dram_channel *d, uint64_t cycle) {
    uint64_t legal = 0;
    for (uint64_t banks = d->occupied & ~wanted_banks(d); banks; banks &= banks - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(banks);
        const struct dram_bank *b = &d->bank[bank];
        bool now =
            b->open ? b->precharge_at <= cycle : b->activate_at <= cycle && d->activate_at <= cycle;
        legal |= (uint64_t)now << bank;
    }
    if (!legal) {
        return false;
    }
    unsigned oldest = 0;
    while (!(legal >> d->bank_of[oldest] & 1)) {
        oldest++;
    }
    unsigned bank = d->bank_of[oldest];
    if (d->bank[bank].open) {
        precharge(d, bank, cycle);
    } else {
        activate(d, &d->entry[d->order[oldest]], cycle);
        note_hits(d, bank);
    }
    return true;
}

/* Issue the oldest column command that is legal at @cycle, else the row command of the first bank,
 * in the order of their oldest requests, whose row command is legal. False: none is. */
static bool issue(struct dram_channel *d, uint64_t cycle, uint64_t now) {
    uint64_t columns = d->hits;
    columns &= d->column_at <= cycle ? ~UINT64_C(0) : 0;
    columns &= (d->read_at <= cycle ? ~d->writing : 0) | (d->write_at <= cycle ? d->writing : 0);
    for (; columns; columns &= columns - 1) {
        unsigned position = (unsigned)__builtin_ctzll(columns);
        if (column_cycle(d, &d->entry[d->order[position]]) <= cycle) {
            column_command(d, position, cycle, now);
            return true;
        }
    }
    return cycle >= d->rows_from && issue_row(d, cycle);
}

/* Look for the first cycle in which a row command, and any command, for the queue is legal. */
static void look_ahead(struct dram_channel *d) {
    uint64_t columns = NEVER, rows = NEVER, banks = d->occupied;
    for (uint64_t hits = d->hits; hits; hits &= hits - 1) {
        const struct dram_entry *e = &d->entry[d->order[__builtin_ctzll(hits)]];
        uint64_t at = column_cycle(d, e);
        banks &= ~(UINT64_C(1) << e->at.bank);
        columns = at < columns ? at : columns;
    }
    uint64_t closed = banks & ~d->open_banks;
    for (banks &= d->open_banks; banks; banks &= banks - 1) {
        uint64_t at = d->bank[__builtin_ctzll(banks)].precharge_at;
        rows = at < rows ? at : rows;
    }
    uint64_t activates = NEVER;
    for (; closed; closed &= closed - 1) {
        uint64_t at = d->bank[__builtin_ctzll(closed)].activate_at;
        activates = at < activates ? at : activates;
    }
    not_before(&activates, d->activate_at);
    d->rows_from = rows < activates ? rows : activates;
    d->idle_until = columns < d->rows_from ? columns : d->rows_from;
}

uint64_t dram_channel_cycle(struct dram_channel *d, uint64_t cycle, uint64_t now) {
    bool changed = take_request(d, now);
    if (changed || d->poll) {
        d->rows_from = 0; /* a newcomer changes what is legal */
    }
    if (changed || d->poll || cycle >= d->idle_until) {
        /* One command a cycle: what comes after it comes later. */
        bool issued = issue(d, cycle, now);
        look_ahead(d);
        not_before(&d->idle_until, cycle + issued);
    }
    uint64_t next = d->idle_until == NEVER ? NEVER : now + (d->idle_until - cycle) * d->period;
    if (d->count < d->config->dram.queue) {
        uint64_t arrival = ring_next(&d->in);
        next = arrival < next ? arrival : next;
    }
    return next;
}

bool dram_channel_idle(const struct dram_channel *d) {
    return !d->count && !d->in.count && !d->out.count;
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
    };
#undef DRAM_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &d->stats);
}
