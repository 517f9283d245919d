/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics of the data cache and the constant cache.
 */
#include "l1/data_cache.h"

#define STAT(name, member, unit, meaning, source) \
    { {name, unit, meaning, source, STAT_SUM}, offsetof(struct l1_stats, member) }

bool l1_data_cache_register_stats(const struct l1_data_cache *c, struct stats *s) {
#define OF_SPACE(what, member, meaning, source) \
    STAT("l1.global_" what, space[0].member, "accesses", "global memory: " meaning, source), \
        STAT("l1.local_" what, space[1].member, "accesses", "local memory: " meaning, source)
/* Of both: two instances of one name. */
#define OF_BOTH(what, member, meaning, source) \
    STAT("l1." what, space[0].member, "accesses", meaning, source), \
        STAT("l1." what, space[1].member, "accesses", meaning, source)
    static const struct stat_member members[] = {
        OF_SPACE("read_accesses", reads, "reads that the cache took", "MRPB 2.1"),
        OF_SPACE("write_accesses", writes, "writes that the cache took, sent on or not",
                 "MRPB table 1"),
        OF_BOTH("read_hits", read_hits, "reads that found their line valid", "MRPB 2.1"),
        OF_BOTH("read_pending_hits", read_pending_hits,
                "reads that found their line's fill under way and waited for it in an MSHR",
                "MRPB 2.1"),
        OF_BOTH("read_misses", read_misses, "reads that took a line and an MSHR", "MRPB 5.5"),
        OF_BOTH("read_bypasses", read_bypasses, "reads sent on without a line", "MRPB 3.4"),
        OF_SPACE("read_hits", read_hits, "reads that found their line valid", "MRPB 2.1"),
        OF_SPACE("read_pending_hits", read_pending_hits, "reads that waited for a fill under way",
                 "MRPB 2.1"),
        OF_SPACE("read_misses", read_misses, "reads that took a line and an MSHR", "MRPB 5.5"),
        OF_SPACE("read_bypasses", read_bypasses, "reads sent on without a line", "MRPB 3.4"),
        OF_BOTH("write_hits", write_hits, "writes that ended in a valid line", "OWL table 1"),
        OF_BOTH("write_pending_hits", write_pending_hits,
                "writes that ended in the MSHR of a line whose fill is under way", "OWL table 1"),
        OF_BOTH("write_misses", write_misses, "writes that took a line and fetch it",
                "OWL table 1"),
        STAT("l1.atomics", atomics, "accesses", "atomics of global memory that the cache took",
             "model"),
        STAT("l1.uncached_reads", uncached, "accesses",
             "of l1.read_bypasses, those of loads that the program keeps out of the cache (ld.cg, "
             "volatile)",
             "model"),
        STAT("l1.refetches", refetches, "accesses",
             "of l1.read_pending_hits, those that took an MSHR and fetched the line again",
             "model"),
        STAT("l1.write_evicts", write_evicts, "lines",
             "valid lines evicted by a write, an atomic or an uncached read of theirs",
             "MRPB table 1"),
        STAT("l1.writebacks", writebacks, "lines", "dirty lines sent to the L2", "OWL table 1"),
        STAT("l1.fail_associativity", fails[L1_FAIL_ASSOCIATIVITY], "core cycles",
             "an access waited: every line of its set waits for a fill", "MRPB 3.4"),
        STAT("l1.fail_mshr_full", fails[L1_FAIL_MSHR_FULL], "core cycles",
             "an access waited: no MSHR free", "MRPB 2.1"),
        STAT("l1.fail_mshr_merge", fails[L1_FAIL_MSHR_MERGE], "core cycles",
             "an access waited: the MSHR of its line holds no more", "MRPB 2.1"),
        STAT("l1.fail_miss_queue", fails[L1_FAIL_MISS_QUEUE], "core cycles",
             "an access waited: miss queue full", "MRPB 2.1"),
        STAT("l1.fills", fills, "lines", "lines that arrived", "model"),
        STAT("l1.evictions", evictions, "lines", "valid lines replaced by a miss", "model"),
        STAT("l1.misses_cold", reuse.cold, "accesses",
             "misses that took a line for the first time: the initial cache fill", "MRPB 2.4"),
        STAT("l1.misses_freed", reuse.freed, "accesses",
             "misses that took a line which a write, an atomic or a launch had freed", "MRPB 2.4"),
        STAT("l1.misses_intra_warp", reuse.intra_warp, "accesses",
             "misses that evicted a line which their own warp had fetched", "MRPB 2.4, figure 4"),
        STAT("l1.misses_cross_warp", reuse.cross_warp, "accesses",
             "misses that evicted a line of another warp of their CTA", "MRPB 2.4, figure 4"),
        STAT("l1.misses_cross_block", reuse.cross_block, "accesses",
             "misses that evicted a line of another CTA", "MRPB 2.4, figure 4"),
        STAT("l1.hits_intra_warp", reuse.hits_intra_warp, "accesses",
             "read hits on a line that their own warp had fetched", "DAWS 3.2, figure 3"),
        STAT("l1.hits_inter_warp", reuse.hits_inter_warp, "accesses",
             "read hits on a line that another warp had fetched", "DAWS 3.2, figure 3"),
        STAT("l1.hits_this_trip", reuse.hits_this_trip, "accesses",
             "intra-warp hits on a line that the warp accessed in this trip of its innermost loop",
             "DAWS 3.2, figure 4"),
        STAT("l1.hits_last_trip", reuse.hits_last_trip, "accesses",
             "intra-warp hits on a line that the warp accessed in the trip before this one",
             "DAWS 3.2, figure 4"),
        STAT("l1.hits_other_trip", reuse.hits_other_trip, "accesses",
             "intra-warp hits of neither this trip nor the last, or in no loop",
             "DAWS 3.2, figure 4"),
    };
#undef OF_SPACE
#undef OF_BOTH
    static const struct stat_member of_sectors[] = {
        STAT("l1.read_sector_misses", sector_misses, "accesses",
             "of the read misses, those that found their line without its sectors", "model"),
        STAT("l1.read_sector_joins", sector_joins, "accesses",
             "of the read misses, those of which some sectors were on their way", "model"),
        STAT("l1.read_hit_sectors", sectors.read_hits, "sectors", "read, and valid", "model"),
        STAT("l1.read_pending_sectors", sectors.read_pending_hits, "sectors",
             "read, and on their way for an earlier read", "model"),
        STAT("l1.read_miss_sectors", sectors.read_misses, "sectors",
             "read, and requested from the L2, with a line or without", "model"),
        STAT("l1.write_hit_sectors", sectors.write_hits, "sectors",
             "written through, and valid in their line", "model"),
        STAT("l1.write_miss_sectors", sectors.write_misses, "sectors",
             "written through, and not valid here", "model"),
    };
    return stats_register_members(s, members, sizeof members / sizeof *members, &c->stats) &&
           (!c->by_sector || stats_register_members(
                                 s, of_sectors, sizeof of_sectors / sizeof *of_sectors, &c->stats));
}

bool l1_constant_cache_register_stats(const struct l1_data_cache *c, struct stats *s) {
    static const struct stat_member members[] = {
        STAT("constant.accesses", space[0].reads, "accesses",
             "words of constant memory that the constant cache took", "OWL table 1"),
        STAT("constant.hits", space[0].read_hits, "accesses", "words that found their line valid",
             "OWL table 1"),
        STAT("constant.pending_hits", space[0].read_pending_hits, "accesses",
             "words that found their line's fill under way and merged into its MSHR", "model"),
        STAT("constant.misses", space[0].read_misses, "accesses",
             "words that took a line and an MSHR", "OWL table 1"),
        STAT("constant.fail_associativity", fails[L1_FAIL_ASSOCIATIVITY], "core cycles",
             "an access waited: every line of its set waits for a fill", "model"),
        STAT("constant.fail_mshr_full", fails[L1_FAIL_MSHR_FULL], "core cycles",
             "an access waited: no MSHR free", "model"),
        STAT("constant.fail_mshr_merge", fails[L1_FAIL_MSHR_MERGE], "core cycles",
             "an access waited: the MSHR of its line holds no more", "model"),
        STAT("constant.fail_miss_queue", fails[L1_FAIL_MISS_QUEUE], "core cycles",
             "an access waited: miss queue full", "model"),
    };
    return stats_register_members(s, members, sizeof members / sizeof *members, &c->stats);
}
