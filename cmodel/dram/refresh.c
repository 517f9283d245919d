/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/refresh.h"

#include "dram/channel_commands.h"
#include "dram/scheduler.h"

void refresh_init(struct dram_refresh *r, const struct config *config) {
    *r = (struct dram_refresh){.last = NEVER};
    r->due = r->from = config->dram.refi ? config->dram.refi : NEVER;
}

/* The first cycle in which tRP and tRC of all banks, and tRFC of the refresh before, allow a row
 * command. */
static uint64_t all_banks_ready(const struct dram_refresh *r, const struct dram_channel *d) {
    uint64_t ready = r->from;
    for (unsigned bank = 0; bank < d->config->dram.banks; bank++) {
        not_before(&ready, d->banks.row_at[bank]);
    }
    return ready;
}

uint64_t refresh_next(const struct dram_refresh *r, const struct dram_channel *d) {
    if (r->from == NEVER) {
        return NEVER;
    }
    if (!d->banks.open) {
        return all_banks_ready(r, d);
    }
    uint64_t next = NEVER;
    for (uint64_t open = d->banks.open; open; open &= open - 1) {
        next = earlier_time(next, d->banks.row_at[__builtin_ctzll(open)]);
    }
    return later_time(next, r->from);
}

static void issue_refresh(struct dram_refresh *r, struct dram_channel *d, const struct now *now) {
    const struct dram_timing *t = &d->banks.timing;
    log_command(d, now, DRAM_REFRESH, 0, 0, NULL);
    for (unsigned bank = 0; bank < d->config->dram.banks; bank++) {
        not_before(&d->banks.row_at[bank], now->cycle + t->rfc);
    }
    r->refreshes++;
    r->refresh_cycles += now->cycle + t->rfc - r->due;
    r->due += t->refi;
    r->from = r->due;
}

/* Closes the first open bank that may be closed in this cycle. */
static void precharge_for_refresh(struct dram_refresh *r, struct dram_channel *d,
                                  const struct now *now) {
    uint64_t open = d->banks.open;
    while (d->banks.row_at[__builtin_ctzll(open)] > now->cycle) {
        open &= open - 1;
    }
    issue_precharge(d, (unsigned)__builtin_ctzll(open), now);
    r->from = now->cycle + 1;
}

void refresh_until(struct dram_refresh *r, struct dram_channel *d, uint64_t cycle) {
    for (uint64_t at; (at = refresh_next(r, d)) < cycle; r->last = at) {
        uint64_t period = d->clock->period;
        struct now now = {.cycle = at, .time = at * period, .period = period};
        if (d->banks.open) {
            precharge_for_refresh(r, d, &now);
        } else {
            issue_refresh(r, d, &now);
        }
    }
}

bool refresh_register_stats(const struct dram_refresh *r, struct stats *s) {
    static const struct stat_member members[] = {
        DRAM_STAT(struct dram_refresh, refreshes, "commands", "refreshes of all banks",
                  "JEDEC JESD79-3"),
        DRAM_STAT(struct dram_refresh, refresh_cycles, "DRAM cycles",
                  "from the due times of refreshes to the end of their tRFC, all channels",
                  "model"),
    };
    return stats_register_members(s, members, sizeof members / sizeof *members, r);
}
