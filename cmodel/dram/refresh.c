/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/refresh.h"

#include "dram/channel_commands.h"

/* The first cycle in which no bank's tRP or tRC, nor tRFC of the refresh before, forbids a row
 * command. */
static uint64_t all_banks_ready(const struct dram_channel *d) {
    uint64_t ready = d->refresh_from;
    for (unsigned bank = 0; bank < d->config->dram.banks; bank++) {
        not_before(&ready, d->row_at[bank]);
    }
    return ready;
}

uint64_t dram_refresh_next(const struct dram_channel *d) {
    if (d->refresh_from == NEVER) {
        return NEVER;
    }
    if (!d->open_banks) {
        return all_banks_ready(d);
    }
    uint64_t next = NEVER;
    for (uint64_t open = d->open_banks; open; open &= open - 1) {
        next = earlier_time(next, d->row_at[__builtin_ctzll(open)]);
    }
    return later_time(next, d->refresh_from);
}

static void issue_refresh(struct dram_channel *d, const struct now *now) {
    log_command(d, now, DRAM_REFRESH, 0, 0);
    for (unsigned bank = 0; bank < d->config->dram.banks; bank++) {
        not_before(&d->row_at[bank], now->cycle + d->timing.rfc);
    }
    d->stats.refreshes++;
    d->stats.refresh_cycles += now->cycle + d->timing.rfc - d->refresh_due;
    d->refresh_due += d->timing.refi;
    d->refresh_from = d->refresh_due;
}

/* Closes the first open bank that may be closed in this cycle. */
static void precharge_for_refresh(struct dram_channel *d, const struct now *now) {
    uint64_t open = d->open_banks;
    while (d->row_at[__builtin_ctzll(open)] > now->cycle) {
        open &= open - 1;
    }
    issue_precharge(d, (unsigned)__builtin_ctzll(open), now);
    d->refresh_from = now->cycle + 1;
}

void dram_refresh_until(struct dram_channel *d, uint64_t cycle) {
    for (uint64_t at; (at = dram_refresh_next(d)) < cycle; d->refresh_last = at) {
        uint64_t period = d->clock->period;
        struct now now = {.cycle = at, .time = at * period, .period = period};
        if (d->open_banks) {
            precharge_for_refresh(d, &now);
        } else {
            issue_refresh(d, &now);
        }
    }
}
