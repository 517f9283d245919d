/* SPDX-License-Identifier: Apache-2.0
 *
 * The statistics that a partition registers.
 */
#include "base/unit_set.h"
#include "l2/partition.h"

/* Each bank by its name: the registry keeps a name's address, so the names are constants here. */
#define NAMED(p, b, stat, unit, meaning, source) \
    { "l2.p" #p "b" #b "." stat, unit, meaning, source, STAT_SUM }
#define BANK(p, b) \
    { \
        NAMED(p, b, "requests", "requests", "requests that this bank took", "MeDiC 3.2"), \
            NAMED(p, b, "queue_delay", "L2 cycles", \
                  "delays of its requests from the end of their port to this bank's access", \
                  "MeDiC 3.2") \
    }
#define PARTITION(p) \
    { \
        BANK(p, 0), BANK(p, 1), BANK(p, 2), BANK(p, 3), BANK(p, 4), BANK(p, 5), BANK(p, 6), \
            BANK(p, 7), BANK(p, 8), BANK(p, 9), BANK(p, 10), BANK(p, 11), BANK(p, 12), \
            BANK(p, 13), BANK(p, 14), BANK(p, 15) \
    }
#define TEN_PARTITIONS(ten) \
    PARTITION(ten##0), PARTITION(ten##1), PARTITION(ten##2), PARTITION(ten##3), PARTITION(ten##4), \
        PARTITION(ten##5), PARTITION(ten##6), PARTITION(ten##7), PARTITION(ten##8), \
        PARTITION(ten##9)
static const struct stat_desc bank_desc[UNITS_MAX][L2_BANKS_MAX][2] = {
    TEN_PARTITIONS(),   TEN_PARTITIONS(1),  TEN_PARTITIONS(2),  TEN_PARTITIONS(3),
    TEN_PARTITIONS(4),  TEN_PARTITIONS(5),  TEN_PARTITIONS(6),  TEN_PARTITIONS(7),
    TEN_PARTITIONS(8),  TEN_PARTITIONS(9),  TEN_PARTITIONS(10), TEN_PARTITIONS(11),
    TEN_PARTITIONS(12), TEN_PARTITIONS(13), TEN_PARTITIONS(14), TEN_PARTITIONS(15),
    TEN_PARTITIONS(16), TEN_PARTITIONS(17), TEN_PARTITIONS(18), PARTITION(190),
    PARTITION(191),
};

#define L2_STAT(member, stat, unit, meaning, source) \
    { {"l2." stat, unit, meaning, source, STAT_SUM}, offsetof(struct l2_stats, member) }
#define L2_KIND(kind, name, who) \
    L2_STAT(outcome[kind][L2_HIT], name "_hits", "requests", who " that found their line valid", \
            "model"), \
        L2_STAT(outcome[kind][L2_PENDING_HIT], name "_pending_hits", "requests", \
                who " whose line was being fetched", "model"), \
        L2_STAT(outcome[kind][L2_MISS], name "_misses", "requests", \
                who " that did not find their line", "model")

static bool register_bank(const struct l2_bank *b, struct stats *s) {
#define L2_DELAY(bin, from) \
    L2_STAT(delay_log2[bin], "queue_delay_ge_" #from, "requests", \
            "queue_delay of " #from " L2 cycles and more, below twice that", "MeDiC 3.2")
#define L2_FAIL(cause, name, meaning) \
    L2_STAT(fails[cause], "fail_" name, "L2 cycles", "a request waited: " meaning, "model")
    static const struct stat_member members[] = {
        L2_STAT(requests, "requests", "requests", "requests that the banks took", "model"),
        L2_KIND(REQUEST_READ, "read", "reads"),
        L2_KIND(REQUEST_WRITE, "write", "writes"),
        L2_KIND(REQUEST_ATOMIC, "atomic", "atomics"),
        L2_KIND(REQUEST_WRITEBACK, "l1_writeback", "write-backs of the L1s"),
        L2_STAT(fetches, "fetches", "lines", "lines read from the DRAM", "model"),
        L2_STAT(full_line_writes, "full_line_write_misses", "requests",
                "write misses of a whole line: allocated without a fetch", "model"),
        L2_STAT(write_throughs, "write_throughs", "requests",
                "writes and atomics sent on to the DRAM, their line here or fetched", "model"),
        L2_STAT(write_arounds, "write_arounds", "requests",
                "write misses sent to the DRAM without a line", "model"),
        L2_STAT(no_allocate[REQUEST_READ], "no_allocate_reads", "requests",
                "read misses that were to take no line", "MeDiC 5"),
        L2_STAT(no_allocate[REQUEST_WRITE], "no_allocate_writes", "requests",
                "write misses that were to take no line", "MeDiC 4.2"),
        L2_STAT(no_allocate[REQUEST_ATOMIC], "no_allocate_atomics", "requests",
                "atomic misses that were to take no line", "MeDiC 4.2"),
        L2_STAT(no_allocate[REQUEST_WRITEBACK], "no_allocate_l1_writebacks", "requests",
                "misses of write-backs of the L1s that were to take no line", "MeDiC 4.2"),
        L2_STAT(bypasses[REQUEST_READ], "bypass_reads", "requests",
                "reads that went to the DRAM without the L2", "MeDiC 4.2"),
        L2_STAT(bypasses[REQUEST_WRITE], "bypass_writes", "requests",
                "writes that went to the DRAM without the L2", "MeDiC 4.2"),
        L2_STAT(bypasses[REQUEST_WRITEBACK], "bypass_l1_writebacks", "requests",
                "write-backs of the L1s that went to the DRAM without the L2", "MeDiC 4.2"),
        L2_STAT(bypass_bytes, "bypass_bytes", "bytes", "read and written by bypassing requests",
                "MeDiC 4.2"),
        L2_STAT(returns, "lineless_reads", "requests",
                "reads of the DRAM for requests that took no line", "MeDiC 4.2"),
        L2_STAT(writebacks, "writebacks", "lines", "dirty lines evicted or cleaned", "model"),
        L2_STAT(cleanings, "cleanings", "lines",
                "of these, those that l2.dirty_ways made clean in their way", "model"),
        L2_STAT(replies, "replies", "replies", "answers to the cores, acknowledgements included",
                "model"),
        L2_FAIL(L2_FAIL_ASSOCIATIVITY, "associativity", "every line of its set waits for a fill"),
        L2_FAIL(L2_FAIL_MSHR_FULL, "mshr_full", "no MSHR free"),
        L2_FAIL(L2_FAIL_MSHR_MERGE, "mshr_merge", "the MSHR of its line holds no more"),
        L2_FAIL(L2_FAIL_MISS_QUEUE, "miss_queue", "no room in the queue to the DRAM"),
        L2_FAIL(L2_FAIL_OUTPUT, "reply_queue",
                "no room at the bank's output, before the queue to the interconnect"),
        L2_STAT(delay, "queue_delay", "L2 cycles",
                "delays of all requests from the end of their port to their bank's access",
                "MeDiC 3.2"),
        L2_STAT(pipeline_delay, "pipeline_delay", "L2 cycles",
                "the part of queue_delay that an empty machine has too: l2.arbiter_latency, and a "
                "cycle each of the blocks bypass and insertion if they are present",
                "model"),
        L2_STAT(queue_wait, "queue_wait", "L2 cycles",
                "queueing: queue_delay without pipeline_delay", "MeDiC 3.2, 6.3"),
        L2_STAT(bank_wait, "bank_wait", "L2 cycles",
                "the part of queue_wait in the queue of the bank (l2.queue); the rest is in the "
                "pipeline of a port whose end stands still",
                "MeDiC 3.2"),
        {{"l2.queue_delay_max", "L2 cycles",
          "the longest delay from the end of a port to the bank's access", "MeDiC 3.2", STAT_MAX},
         offsetof(struct l2_stats, delay_max)},
        L2_DELAY(0, 1),
        L2_DELAY(1, 2),
        L2_DELAY(2, 4),
        L2_DELAY(3, 8),
        L2_DELAY(4, 16),
        L2_DELAY(5, 32),
        L2_DELAY(6, 64),
        L2_DELAY(7, 128),
        L2_DELAY(8, 256),
        L2_DELAY(9, 512),
        L2_DELAY(10, 1024),
        L2_DELAY(11, 2048),
        L2_DELAY(12, 4096),
        L2_DELAY(13, 8192),
        L2_DELAY(14, 16384),
        {{"l2.queue_delay_ge_32768", "requests", "queue_delay of 32768 L2 cycles and more",
          "MeDiC 3.2", STAT_SUM},
         offsetof(struct l2_stats, delay_log2[15])},
    };
    static const struct stat_member of_prefetch[] = {
        L2_STAT(prefetches, "prefetches", "lines", "lines of open rows that the L2 took",
                "OWL 4.4"),
        L2_STAT(prefetches_here, "prefetches_here", "lines",
                "not taken: the L2 had it, or fetched it", "OWL 4.4"),
        L2_STAT(prefetches_refused, "prefetches_refused", "lines",
                "not taken: no clean line, no MSHR or no place for its return", "OWL 4.4"),
        L2_STAT(prefetches_used, "prefetches_used", "lines",
                "of those taken: found by a request, each once", "OWL 5.1"),
        L2_STAT(prefetches_late, "prefetches_late", "lines",
                "of those used: found while they were on their way", "OWL 5.1"),
        L2_STAT(prefetches_unused, "prefetches_unused", "lines",
                "of those taken: evicted, and no request had found them", "OWL 5.1"),
    };
#define L2_SECTORS(kind, name, what) \
    L2_STAT(sectors[kind][L2_HIT], name "_hit_sectors", "sectors", what ", and here", "model"), \
        L2_STAT(sectors[kind][L2_PENDING_HIT], name "_pending_sectors", "sectors", \
                what ", and on their way for an earlier request", "model"), \
        L2_STAT(sectors[kind][L2_MISS], name "_miss_sectors", "sectors", \
                what ", and neither here nor on their way", "model")
    static const struct stat_member of_sectors[] = {
        L2_STAT(sector_misses, "sector_misses", "requests",
                "of the misses, those that found their line without their sectors", "model"),
        L2_STAT(sector_joins, "sector_joins", "requests",
                "of these, those of which some sectors were on their way", "model"),
        L2_SECTORS(REQUEST_READ, "read", "read"),
        L2_SECTORS(REQUEST_WRITE, "write", "written"),
        L2_SECTORS(REQUEST_ATOMIC, "atomic", "of atomics"),
    };
#undef L2_SECTORS
#undef L2_FAIL
#undef L2_DELAY
    return stats_register_members(s, members, sizeof members / sizeof *members, &b->stats) &&
           (!b->prefetched ||
            stats_register_members(s, of_prefetch, sizeof of_prefetch / sizeof *of_prefetch,
                                   &b->stats)) &&
           (!b->sectors || stats_register_members(
                               s, of_sectors, sizeof of_sectors / sizeof *of_sectors, &b->stats));
}

bool l2_partition_register_l1_prefetches(const struct l2_partition *p, struct stats *s) {
    static const struct stat_member members[] = {
        L2_KIND(REQUEST_PREFETCH, "l1_prefetch", "prefetches of the L1s"),
        L2_STAT(no_allocate[REQUEST_PREFETCH], "no_allocate_l1_prefetches", "requests",
                "misses of prefetches of the L1s that were to take no line", "model"),
        L2_STAT(bypasses[REQUEST_PREFETCH], "bypass_l1_prefetches", "requests",
                "prefetches of the L1s that went to the DRAM without the L2", "model"),
    };
    bool ok = true;
    for (unsigned i = 0; ok && i < p->banks; i++) {
        ok =
            stats_register_members(s, members, sizeof members / sizeof *members, &p->bank[i].stats);
    }
    return ok;
}

bool l2_partition_register_stats(const struct l2_partition *p, struct stats *s) {
    static const struct stat_desc conflicts = {
        "l2.port_conflicts", "L2 cycles", "a port waited: the queue of its request's bank was full",
        "MeDiC 5", STAT_SUM};
#define OF_WHOM "of warps (l2.bypass = pc: of instructions) whose type "
#define LOOKED(class, name, type) \
    { \
        {"l2.requests_of_" name, "requests", OF_WHOM "is known: " type, "MeDiC 4.1", STAT_SUM}, \
            offsetof(struct l2_types_stats, looked[class]) \
    }
    static const struct stat_member front[] = {
        LOOKED(L2_CLASS_MISS, "mostly_miss", "mostly-miss or all-miss"),
        LOOKED(L2_CLASS_BALANCED, "balanced", "balanced"),
        LOOKED(L2_CLASS_HIT, "mostly_hit", "mostly-hit"),
        LOOKED(L2_CLASS_ALL_HIT, "all_hit", "all-hit"),
        {{"l2.requests_of_unknown", "requests", OF_WHOM "was looked up and is not known yet",
          "MeDiC 4.1", STAT_SUM},
         offsetof(struct l2_types_stats, unknown)},
    };
#undef LOOKED
#undef OF_WHOM
    bool ok = stats_register_members(s, front, sizeof front / sizeof *front, &p->front.types.stats);
    for (unsigned i = 0; ok && i < p->banks; i++) {
        const struct l2_stats *b = &p->bank[i].stats;
        ok = register_bank(&p->bank[i], s) &&
             stats_register(s, &bank_desc[p->channel][i][0], &b->requests) &&
             stats_register(s, &bank_desc[p->channel][i][1], &b->delay) &&
             stats_register(s, &conflicts, &p->bank[i].held);
    }
    return ok && stats_register(s, &conflicts, &p->conflicts) &&
           l2_policies_register_stats(&p->policies, s);
}

struct l2_stats l2_partition_totals(const struct l2_partition *p) {
    struct l2_stats sum = {0};
    for (unsigned i = 0; i < p->banks; i++) {
        const struct l2_stats *s = &p->bank[i].stats;
        const uint64_t *from = (const uint64_t *)(const void *)s;
        uint64_t *to = (uint64_t *)(void *)&sum, longest = sum.delay_max;
        for (size_t k = 0; k < sizeof sum / sizeof *to; k++) {
            to[k] += from[k];
        }
        sum.delay_max = longest > s->delay_max ? longest : s->delay_max;
    }
    return sum;
}
