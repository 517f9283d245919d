/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L2_PARTITION_H
#define WARPMEM_L2_PARTITION_H

#include <stdio.h>

#include "base/clock.h"
#include "base/mshr.h"
#include "base/ring.h"
#include "base/stats.h"
#include "base/tag_array.h"
#include "config/config.h"

/* Why the L2 bank refused the request at its head. */
enum l2_refusal {
    L2_ACCEPTED,
    L2_FAIL_ASSOCIATIVITY,
    L2_FAIL_MSHR_FULL,
    L2_FAIL_MSHR_MERGE,
    L2_FAIL_MISS_QUEUE,
    L2_FAIL_REPLY_QUEUE,
    L2_REFUSALS
};

/* What a refused request may wait for. */
enum l2_change {
    L2_CHANGE_FILL = 1,
    L2_CHANGE_MSHR_FREE = 2,
    L2_CHANGE_MISS_QUEUE = 4,
    L2_CHANGE_REPLY_QUEUE = 8,
    L2_CHANGE_ANY = 15,
};

struct l2_stats {
    uint64_t requests;
    uint64_t read_hits, read_pending_hits, read_misses;
    uint64_t write_hits, write_pending_hits, write_misses;
    uint64_t full_line_writes; /* write misses that needed no fetch */
    uint64_t writebacks, replies;
    uint64_t fails[L2_REFUSALS];
};

/**
 * struct l2_partition - memory partition: ROP pipeline, request queue, one L2 bank, queues to and
 * from its DRAM channel and to the interconnect.
 *
 * The bank: one request a cycle, write-back, write-allocate, allocate on miss, LRU, MSHRs with
 * merging. A write miss fetches its line and is acknowledged when it is there; with l2.write_miss
 * = partial, a write of a whole line takes its line without a fetch and is acknowledged as a hit
 * is.
 *
 * Order within a cycle: wake a waiting request, take a fill, access the bank, then the queues.
 */
struct l2_partition {
    const struct config *config;
    uint64_t dram_period;
    struct tag_array tags;
    struct mshr_file mshrs;
    struct ring queue; /* ROP pipeline and request queue in one: visible after the ROP latency */
    struct ring miss_queue;
    struct ring reply_queue;
    unsigned
        dram_reads; /* reads between the miss queue and the L2 again: at most dram.return_queue */
    enum l2_refusal refused;
    uint64_t refused_since; /* L2 cycle */
    unsigned changed;       /* since the refusal, what it may wait for: bits of enum l2_change */
    /* Neighbours, wired by the machine. */
    struct ring *requests; /* from the interconnect: one a port */
    struct ring *replies;  /* to the interconnect, in flits */
    uint64_t *replying;    /* the interconnect's inputs with a packet */
    struct ring *to_dram, *from_dram;
    struct clock_domain *noc_clock, *dram_clock;
    unsigned request_network, reply_network; /* units of the NoC clock */
    unsigned channel;                        /* unit of the DRAM clock */
    FILE *events;
    struct l2_stats stats;
};

/** l2_partition_init() - neighbours are set by the caller. False: out of memory. */
bool l2_partition_init(struct l2_partition *p, const struct config *config, uint64_t dram_period);
void l2_partition_destroy(struct l2_partition *p);

/**
 * l2_partition_cycle() - L2 cycle number @cycle at time @now.
 * @poll: try a refused request again though nothing has changed
 * Return: time at which it has something to do again; NEVER: when woken.
 */
uint64_t l2_partition_cycle(struct l2_partition *p, uint64_t cycle, uint64_t now, uint64_t period,
                            bool poll);

/** l2_partition_settle() - count the retries up to, not including, @cycle: before statistics are
 * read. */
void l2_partition_settle(struct l2_partition *p, uint64_t cycle);

/** l2_partition_idle() - no request inside. */
bool l2_partition_idle(const struct l2_partition *p);

bool l2_partition_register_stats(const struct l2_partition *p, struct stats *s);

#endif
