/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/channel.h"

#include <stdlib.h>

#include "config/derived.h"
#include "dram/channel_commands.h"
#include "dram/scheduler.h"

static bool make_scheduler(struct dram_channel *d, const struct dram_scheduler_kind *kind,
                           const struct build *build) {
    const size_t size = kind->state_size + 1;
    d->scheduler = (struct dram_scheduler){
        .kind = kind,
        .state = calloc(1, size),
        .copy = kind->choose && build->asks_twice ? malloc(size) : NULL,
        .cycle = kind->choose ? chooser_cycle : kind->cycle,
    };
    if (!d->scheduler.state || (kind->choose && build->asks_twice && !d->scheduler.copy) ||
        (kind->has_high_way && !ring_init(&d->high_in, d->in.capacity))) {
        return build_refused(build, "out of memory");
    }
    return !kind->init || kind->init(d, build);
}

bool dram_channel_init(struct dram_channel *d, const struct config *config, unsigned partition,
                       const struct dram_scheduler_kind *named, const struct build *build) {
    *d = (struct dram_channel){.config = config,
                               .partition = partition,
                               .line_order = config->dram.line_order,
                               .alarm = build->alarm};
    dram_map_init(&d->map, config);
    dram_timing_init(&d->banks.timing, config);
    for (unsigned i = 0; i < DRAM_ENTRIES_MAX; i++) {
        d->spare[i] = (uint8_t)(DRAM_ENTRIES_MAX - 1 - i);
    }
    /* Every read has a place reserved in the return queue before it comes here (l2/partition.c).
     * The constant latency is a pipeline with one stage more than its cycles; it never blocks the
     * reads that may be outstanding. */
    unsigned stages = config->dram.latency + 1, reads = config_dram_returns(config);
    bool ok = ring_init(&d->in, stages > reads ? stages : reads) &&
              ring_init(&d->answers, PREFETCHER_LINES_MAX);
    for (unsigned i = 0; ok && i < config->l2.banks; i++) {
        ok = ring_init(&d->out[i], reads);
    }
    return ok ? make_scheduler(d, named ? named : dram_scheduler_wanted(config), build)
              : build_refused(build, "out of memory");
}

void dram_channel_destroy(struct dram_channel *d) {
    if (d->scheduler.state && d->scheduler.kind->destroy) {
        d->scheduler.kind->destroy(d->scheduler.state);
    }
    free(d->scheduler.state);
    free(d->scheduler.copy);
    ring_destroy(&d->answers);
    ring_destroy(&d->in);
    ring_destroy(&d->high_in);
    for (unsigned i = 0; i < DRAM_RETURNS_MAX; i++) {
        ring_destroy(&d->out[i]);
    }
}

void dram_channel_settle(struct dram_channel *d, uint64_t cycle) {
    if (d->scheduler.kind->settle) {
        d->scheduler.kind->settle(d, cycle);
    }
    if (cycle > d->counted_to) { /* else it has run ahead: it is empty, or the run has failed */
        count_cycles(d, cycle);
    }
}

bool dram_channel_idle(const struct dram_channel *d) {
    const struct dram_scheduler_kind *kind = d->scheduler.kind;
    bool idle =
        !d->count && !d->in.count && !d->high_in.count && !(kind->is_busy && kind->is_busy(d));
    for (unsigned i = 0; i < d->config->l2.banks; i++) {
        idle = idle && !d->out[i].count;
    }
    return idle;
}

bool dram_channel_wants_open_row(const struct dram_channel *d, unsigned bank) {
    bool wanted = false;
    if (d->scheduler.kind->wants_open_row) {
        return d->scheduler.kind->wants_open_row(d, bank);
    }
    for (unsigned i = 0; !wanted && i < d->count; i++) {
        const struct dram_entry *e = &d->entry[d->order[i]];
        wanted = e->at.bank == bank && entry_hits(d, e);
    }
    return wanted;
}

bool dram_channel_register_stats(const struct dram_channel *d, struct stats *s) {
#define CHANNEL_STAT(...) DRAM_STAT(struct dram_stats, __VA_ARGS__)
    static const struct stat_member members[] = {
        CHANNEL_STAT(reads, "requests", "lines read", "model"),
        CHANNEL_STAT(writes, "requests", "lines written", "model"),
        CHANNEL_STAT(read_bytes, "bytes", "bytes read", "model"),
        CHANNEL_STAT(write_bytes, "bytes", "bytes written", "model"),
        CHANNEL_STAT(activates, "commands", "rows opened", "model"),
        CHANNEL_STAT(precharges, "commands", "rows closed", "model"),
        CHANNEL_STAT(columns, "commands", "column commands, one a burst", "model"),
        CHANNEL_STAT(row_hits, "requests", "requests for which no row was opened", "OWL 4.3"),
        CHANNEL_STAT(data_cycles, "DRAM cycles",
                     "cycles in which the data bus is taken, all channels", "model"),
        CHANNEL_STAT(busy_cycles, "DRAM cycles", "cycles with a request in a channel's queue",
                     "OWL 2.2"),
        CHANNEL_STAT(bank_cycles, "banks x DRAM cycles",
                     "banks with a request in the queue, summed over cycles; over busy_cycles: "
                     "bank-level parallelism",
                     "OWL 2.2"),
        CHANNEL_STAT(queue_cycles, "requests x DRAM cycles",
                     "requests in the queue, summed over cycles; over busy_cycles: its length",
                     "model"),
        CHANNEL_STAT(wait_cycles, "DRAM cycles",
                     "of all requests, from the queue to the first command for them", "model"),
        CHANNEL_STAT(service_cycles, "DRAM cycles",
                     "of all requests, from the first command for them to the end of their data",
                     "model"),
    };
#undef CHANNEL_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &d->stats) &&
           (!d->scheduler.kind->register_stats || d->scheduler.kind->register_stats(d, s));
}
