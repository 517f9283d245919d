/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions of a scheduler on a DRAM channel: a request enters, a command is issued for it, a served
 * request leaves. The timing is that of dram/banks.h.
 */
#ifndef WARPMEM_DRAM_CHANNEL_COMMANDS_H
#define WARPMEM_DRAM_CHANNEL_COMMANDS_H

#include <string.h>

#include "base/events.h"
#include "dram/line_order.h"

/** count_cycles() - complete the sums over cycles before @cycle; before a change of their terms. */
static inline void count_cycles(struct dram_channel *d, uint64_t cycle) {
    uint64_t cycles = cycle - d->counted_to;
    if (d->count) {
        d->stats.busy_cycles += cycles;
        d->stats.bank_cycles += cycles * d->occupied_banks;
        d->stats.queue_cycles += cycles * d->count;
    }
    d->counted_to = cycle;
}

/** moves_own_bytes() - does the request move its own bytes alone? A write does, a read for a
 * request without a line, and with l2.sectors a fetch; another fetch reads the whole line. */
static inline bool moves_own_bytes(const struct dram_channel *d, const struct request *r) {
    return r->kind != REQUEST_READ || r->l2_route == L2_ROUTE_BYPASS || d->banks.timing.by_sector;
}

/** accept_request() - the oldest request of the ring enters and becomes the newest of the channel's
 * order. Return: its entry. */
static inline struct dram_entry *accept_request(struct dram_channel *d, struct ring *from,
                                                const struct now *now) {
    const struct dram_timing *t = &d->banks.timing;
    struct ring_entry *e = ring_front(from);
    count_cycles(d, now->cycle);
    request_stamp(&e->request, STAMP_DRAM, now->time);
    uint8_t slot = d->spare[DRAM_ENTRIES_MAX - 1 - d->count];
    struct dram_entry *entry = &d->entry[slot];
    entry->request = e->request;
    entry->number = d->numbered++;
    entry->at = dram_map_local(&d->map, e->request.local);
    entry->bursts_left = t->bursts;
    entry->activated = entry->served = false;
    entry->since = now->cycle;
    if (moves_own_bytes(d, &e->request)) {
        entry->bursts_left = dram_timing_bursts(t, e->request.bytes);
    }
    d->occupied_banks += d->bank_count[entry->at.bank]++ == 0;
    d->occupied |= UINT64_C(1) << entry->at.bank;
    ring_pop(from, now->time);
    if (from->sender_waits) {
        clock_wake(d->l2_clock, d->partition, d->present);
    }
    d->order[d->count++] = slot;
    line_order_entered(d);
    return entry;
}

static inline void log_command(struct dram_channel *d, const struct now *now,
                               enum dram_command command, unsigned bank, uint64_t row,
                               const struct dram_entry *column) {
    static const char *const name[] = {"activate", "read", "write", "precharge", "refresh"};
    if (command == DRAM_REFRESH) {
        EVENT(d->events, now->time, "dram.%u refresh\n", d->partition);
    } else {
        EVENT(d->events, now->time, "dram.%u %s bank %u row %" PRIx64 "\n", d->partition,
              name[command], bank, row);
    }
    if (d->log) {
        d->log(d->log_user, now->cycle, command, bank, row, column);
    }
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

/** issue_burst() - issue the entry's next column command. */
static inline void issue_burst(struct dram_channel *d, struct dram_entry *e,
                               const struct now *now) {
    bool write = entry_is_write(e);
    log_command(d, now, write ? DRAM_WRITE : DRAM_READ, e->at.bank, e->at.row, e);
    banks_column(&d->banks, e->at.bank, e->at.group, write, now->cycle);
    count_first_command(d, e, now);
    e->bursts_left--;
    d->stats.columns++;
    d->stats.data_cycles += d->banks.timing.burst_cycles;
}

/** return_data() - send the data of a read, whose last column command was issued in this cycle, to
 * the L2. */
static inline void return_data(struct dram_channel *d, const struct request *r,
                               const struct now *now) {
    const struct dram_timing *t = &d->banks.timing;
    uint64_t visible = now->time + (t->cl + t->burst_cycles) * now->period;
    ring_push(&d->out[r->local & (d->config->l2.banks - 1)], r, visible, 1);
    clock_wake_at(d->l2_clock, d->partition, d->present, visible);
}

/* The entry's last column command was issued: returns its data and counts it. */
static inline void complete_request(struct dram_channel *d, const struct dram_entry *e,
                                    const struct now *now) {
    const struct dram_timing *t = &d->banks.timing;
    unsigned to_end = t->burst_cycles;
    count_cycles(d, now->cycle);
    if (entry_is_write(e)) {
        to_end += t->wl;
        d->stats.writes++;
        d->stats.write_bytes += e->request.bytes;
    } else {
        to_end += t->cl;
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

/** retire_request() - remove the request at this position of the channel's order, whose last column
 * command was issued. */
static inline __attribute__((always_inline)) void retire_request(struct dram_channel *d,
                                                                 unsigned position,
                                                                 const struct now *now) {
    uint8_t slot = d->order[position];
    complete_request(d, &d->entry[slot], now);
    d->count--;
    memmove(&d->order[position], &d->order[position + 1], d->count - position);
    d->spare[DRAM_ENTRIES_MAX - 1 - d->count] = slot;
    line_order_left(d);
}

/** issue_precharge() - close the bank's row. */
static inline void issue_precharge(struct dram_channel *d, unsigned bank, const struct now *now) {
    log_command(d, now, DRAM_PRECHARGE, bank, d->banks.bank[bank].row, NULL);
    banks_precharge(&d->banks, bank, now->cycle);
    d->stats.precharges++;
}

/** issue_row_command() - open the entry's row, or close another one in its bank. Return: the row
 * was opened. */
static inline bool issue_row_command(struct dram_channel *d, struct dram_entry *e,
                                     const struct now *now) {
    count_first_command(d, e, now);
    if (d->banks.bank[e->at.bank].open) {
        issue_precharge(d, e->at.bank, now);
        return false;
    }
    log_command(d, now, DRAM_ACTIVATE, e->at.bank, e->at.row, NULL);
    banks_activate(&d->banks, e->at.bank, e->at.row, now->cycle);
    e->activated = true;
    d->stats.activates++;
    return true;
}

#endif
