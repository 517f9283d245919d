/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/channel.h"

#include "config/derived.h"
#include "dram/channel_commands.h"
#include "dram/prefetcher.h"
#include "dram/refresh.h"

bool dram_channel_init(struct dram_channel *d, const struct config *config, unsigned partition,
                       const struct build *build) {
    *d = (struct dram_channel){.config = config, .partition = partition, .alarm = build->alarm};
    dram_map_init(&d->map, config);
    dram_timing_init(&d->timing, config);
    d->refresh_due = d->refresh_from = config->dram.refi ? config->dram.refi : NEVER;
    d->refresh_last = NEVER;
    for (unsigned i = 0; i < DRAM_ENTRIES_MAX; i++) {
        d->spare[i] = (uint8_t)(DRAM_ENTRIES_MAX - 1 - i);
    }
    /* Every read has a place reserved in the return queue before it comes here (l2/partition.c).
     * The constant latency is a pipeline, a request a stage and one whose room can be used a cycle
     * later; it never blocks reads that may be outstanding. */
    unsigned stages = config->dram.latency + 1, reads = config_dram_returns(config);
    bool ok = ring_init(&d->in, stages > reads ? stages : reads) &&
              ring_init(&d->answers, PREFETCHER_LINES_MAX);
    for (unsigned i = 0; ok && i < config->l2.banks; i++) {
        ok = ring_init(&d->out[i], reads);
    }
    return ok;
}

void dram_channel_destroy(struct dram_channel *d) {
    if (d->scheduler.destroy) {
        d->scheduler.destroy(d->scheduler.self);
    }
    prefetcher_destroy(d->prefetcher);
    ring_destroy(&d->answers);
    ring_destroy(&d->in);
    ring_destroy(&d->high_in);
    for (unsigned i = 0; i < DRAM_RETURNS_MAX; i++) {
        ring_destroy(&d->out[i]);
    }
}

void dram_channel_settle(struct dram_channel *d, uint64_t cycle) {
    dram_refresh_until(d, cycle);
    if (cycle > d->counted_to) { /* else it has run ahead: it is empty, or the run has failed */
        count_cycles(d, cycle);
    }
}

bool dram_channel_idle(const struct dram_channel *d) {
    bool idle =
        !d->count && !d->in.count && !d->high_in.count && !(d->prefetcher && d->prefetcher->busy);
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
    static const struct stat_member of_refresh[] = {
        DRAM_STAT(refreshes, "commands", "refreshes of all banks", "JEDEC JESD79-3"),
        DRAM_STAT(refresh_cycles, "DRAM cycles",
                  "from the due times of refreshes to the end of their tRFC, all channels",
                  "model"),
    };
    static const struct stat_member of_drain[] = {
        DRAM_STAT(write_drains, "batches", "times that dram.write_high writes were waiting",
                  "simulator"),
    };
    static const struct stat_member of_prefetch[] = {
        DRAM_STAT(prefetches, "lines", "lines of open rows that were read for no request",
                  "OWL 4.4"),
    };
#undef DRAM_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &d->stats) &&
           (!d->config->dram.refi ||
            stats_register_members(s, of_refresh, sizeof of_refresh / sizeof *of_refresh,
                                   &d->stats)) &&
           (!d->prefetcher ||
            stats_register_members(s, of_prefetch, sizeof of_prefetch / sizeof *of_prefetch,
                                   &d->stats)) &&
           (!d->config->dram.write_drain ||
            stats_register_members(s, of_drain, sizeof of_drain / sizeof *of_drain, &d->stats)) &&
           (!d->scheduler.has_high_way ||
            stats_register_members(s, of_two, sizeof of_two / sizeof *of_two, &d->stats));
}

/* The next activate comes @window cycles after the one that is @count before it, or later. */
static void open_activate_window(struct dram_channel *d, unsigned count, unsigned window) {
    uint64_t issued = d->stats.activates;
    if (window && issued >= count) {
        not_before(&d->activate_at, d->activated[(issued - count) % DRAM_ACTIVATES_KEPT] + window);
    }
}

void dram_keep_activate_windows(struct dram_channel *d, uint64_t cycle) {
    d->activated[(d->stats.activates - 1) % DRAM_ACTIVATES_KEPT] = cycle;
    open_activate_window(d, 4, d->timing.faw);
    open_activate_window(d, 32, d->timing.aw32);
}
