/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside of a DRAM channel, for its schedulers: requests come in, commands are issued, data
 * returns.
 */
#ifndef WARPMEM_DRAM_CHANNEL_COMMANDS_H
#define WARPMEM_DRAM_CHANNEL_COMMANDS_H

#include <string.h>

#include "base/events.h"
#include "dram/channel.h"

static inline void not_before(uint64_t *at, uint64_t cycle) {
    if (*at < cycle) {
        *at = cycle;
    }
}

static inline bool entry_is_write(const struct dram_entry *e) {
    return e->request.kind != REQUEST_READ;
}

/* Brings the sums over cycles up to @cycle, before a change of what they count. */
static inline void count_cycles(struct dram_channel *d, uint64_t cycle) {
    uint64_t cycles = cycle - d->counted_to;
    if (d->count) {
        d->stats.busy_cycles += cycles;
        d->stats.bank_cycles += cycles * d->occupied_banks;
        d->stats.queue_cycles += cycles * d->count;
    }
    d->counted_to = cycle;
}

/* A fetch reads the whole line, or with l2.sectors its own bytes; so do a write, and a read for a
 * request without a line. */
static inline bool moves_own_bytes(const struct dram_channel *d, const struct request *r) {
    return r->kind != REQUEST_READ || r->l2_route == L2_ROUTE_BYPASS || d->timing.by_sector;
}

/* Does the entry want the row that its bank has open? */
static inline bool entry_hits(const struct dram_channel *d, const struct dram_entry *e) {
    const struct dram_bank *b = &d->bank[e->at.bank];
    return b->open && b->row == e->at.row;
}

/* The oldest request of the ring enters and becomes the newest of the channel's order. Return: its
 * entry. */
static inline struct dram_entry *accept_request(struct dram_channel *d, struct ring *from,
                                                const struct now *now) {
    struct ring_entry *e = ring_front(from);
    count_cycles(d, now->cycle);
    request_stamp(&e->request, STAMP_DRAM, now->time);
    uint8_t slot = d->spare[DRAM_ENTRIES_MAX - 1 - d->count];
    struct dram_entry *entry = &d->entry[slot];
    entry->request = e->request;
    entry->at = dram_map_local(&d->map, e->request.local);
    entry->bursts_left = d->timing.bursts;
    entry->activated = entry->served = false;
    entry->since = now->cycle;
    if (moves_own_bytes(d, &e->request)) {
        entry->bursts_left = dram_timing_bursts(&d->timing, e->request.bytes);
    }
    d->occupied_banks += d->bank_count[entry->at.bank]++ == 0;
    d->occupied |= UINT64_C(1) << entry->at.bank;
    ring_pop(from, now->time);
    if (from->sender_waits) {
        clock_wake(d->l2_clock, d->partition, d->present);
    }
    d->order[d->count++] = slot;
    return entry;
}

/* The entry at this position of the channel's order leaves it. */
static inline void remove_request(struct dram_channel *d, unsigned position) {
    uint8_t slot = d->order[position];
    d->count--;
    memmove(&d->order[position], &d->order[position + 1], d->count - position);
    d->spare[DRAM_ENTRIES_MAX - 1 - d->count] = slot;
}

static inline void log_command(struct dram_channel *d, const struct now *now,
                               enum dram_command command, unsigned bank, uint64_t row) {
    static const char *const name[] = {"activate", "read", "write", "precharge", "refresh"};
    if (command == DRAM_REFRESH) {
        EVENT(d->events, now->time, "dram.%u refresh\n", d->partition);
    } else {
        EVENT(d->events, now->time, "dram.%u %s bank %u row %" PRIx64 "\n", d->partition,
              name[command], bank, row);
    }
    if (d->log) {
        d->log(d->log_user, now->cycle, command, bank, row);
    }
}

/* First cycle in which a column command is legal in a bank, CCD left out. */
static inline uint64_t column_cycle(const struct dram_channel *d, unsigned bank, bool write) {
    uint64_t at = write ? d->bank[bank].write_at : d->bank[bank].read_at;
    not_before(&at, write ? d->write_at : d->read_at);
    not_before(&at, d->group_column_at[d->map.group[bank]]);
    return at;
}

/* Counts the entry's wait when the first command is issued for it. */
static inline void count_first_command(struct dram_channel *d, struct dram_entry *e,
                                       const struct now *now) {
    if (!e->served) {
        e->served = true;
        d->stats.wait_cycles += now->cycle - e->since;
        e->since = now->cycle;
        request_stamp(&e->request, STAMP_SERVICE, now->time);
    }
}

/* Issues the entry's next column command. */
static inline void issue_burst(struct dram_channel *d, struct dram_entry *e,
                               const struct now *now) {
    const struct dram_timing *t = &d->timing;
    bool write = entry_is_write(e);
    log_command(d, now, write ? DRAM_WRITE : DRAM_READ, e->at.bank, e->at.row);
    d->column_at = now->cycle + t->column;
    d->group_column_at[e->at.group] = now->cycle + t->column_group;
    if (write) {
        not_before(&d->read_at, now->cycle + t->write_to_read);
        not_before(&d->row_at[e->at.bank], now->cycle + t->write_to_precharge);
    } else {
        not_before(&d->write_at, now->cycle + t->read_to_write);
        not_before(&d->row_at[e->at.bank], now->cycle + t->read_to_precharge);
    }
    count_first_command(d, e, now);
    d->stats.columns++;
    d->stats.data_cycles += t->burst_cycles;
}

/* The last column command of a read was issued in this cycle: its data goes to the L2. */
static inline void return_data(struct dram_channel *d, const struct request *r,
                               const struct now *now) {
    uint64_t visible = now->time + (d->timing.cl + d->timing.burst_cycles) * now->period;
    ring_push(&d->out[r->local & (d->config->l2.banks - 1)], r, visible, 1);
    clock_wake_at(d->l2_clock, d->partition, d->present, visible);
}

/* The entry's last column command was issued: returns its data and counts it. */
static inline void complete_request(struct dram_channel *d, const struct dram_entry *e,
                                    const struct now *now) {
    unsigned to_end = d->timing.burst_cycles;
    count_cycles(d, now->cycle);
    if (entry_is_write(e)) {
        to_end += d->timing.wl;
        d->stats.writes++;
        d->stats.write_bytes += e->request.bytes;
    } else {
        to_end += d->timing.cl;
        return_data(d, &e->request, now);
        d->stats.reads++;
        d->stats.read_bytes +=
            moves_own_bytes(d, &e->request) ? e->request.bytes : d->config->l2.line_bytes;
    }
    d->stats.service_cycles += now->cycle + to_end - e->since;
    d->stats.row_hits += !e->activated;
    if (--d->bank_count[e->at.bank] == 0) {
        d->occupied &= ~(UINT64_C(1) << e->at.bank);
        d->occupied_banks--;
    }
}

/* After the activate of @cycle, which d->stats.activates counts: sets the cycle of the next legal
 * one. */
void dram_keep_activate_windows(struct dram_channel *d, uint64_t cycle);

static inline void issue_activate(struct dram_channel *d, struct dram_entry *e,
                                  const struct now *now) {
    const struct dram_timing *t = &d->timing;
    struct dram_bank *b = &d->bank[e->at.bank];
    log_command(d, now, DRAM_ACTIVATE, e->at.bank, e->at.row);
    b->open = true;
    d->open_banks |= UINT64_C(1) << e->at.bank;
    b->row = e->at.row;
    b->read_at = now->cycle + t->rcd_read;
    b->write_at = now->cycle + t->rcd_write;
    d->row_at[e->at.bank] = now->cycle + t->ras;
    b->activate_at = now->cycle + t->rc;
    d->activate_at = now->cycle + t->rrd;
    e->activated = true;
    d->stats.activates++;
    if (__builtin_expect(t->faw | t->aw32, 0)) {
        dram_keep_activate_windows(d, now->cycle);
    }
}

static inline void issue_precharge(struct dram_channel *d, unsigned bank, const struct now *now) {
    struct dram_bank *b = &d->bank[bank];
    log_command(d, now, DRAM_PRECHARGE, bank, b->row);
    b->open = false;
    d->open_banks &= ~(UINT64_C(1) << bank);
    d->row_at[bank] = b->activate_at;
    not_before(&d->row_at[bank], now->cycle + d->timing.rp);
    d->stats.precharges++;
}

/* First cycle in which a row command for the entry, whose row is not open, is legal. */
static inline uint64_t row_cycle(const struct dram_channel *d, const struct dram_entry *e) {
    uint64_t at = d->row_at[e->at.bank];
    not_before(&at, d->bank[e->at.bank].open ? 0 : d->activate_at);
    return at;
}

#endif
