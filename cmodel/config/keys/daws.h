/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence-aware warp scheduling (MICRO 2013); the sections are its.
 */
/* clang-format off */

SECTION(daws)
E(mode, V(DAWS_OFF, "off") V(DAWS_PROFILED, "profiled") V(DAWS_DETECTED, "detected"),
  "loads are held whose warps' predicted footprints do not fit: no; by a profile of loads (5.1); by what loads do (5.2)",
  D(off, "the baseline; schemes daws-profiled and daws-detected turn it on"))
IDLE_WHILE(!config_has_daws(c), "daws.mode=off (--scheme daws-detected)")
E(lanes, V(DAWS_LANES_ACTIVE, "active") V(DAWS_LANES_ALL, "all"),
  "a prediction is for: the lanes that begin the trip; all, without control flow awareness (7.1)",
  D(active, "section 5.1.1"))
U(factor, 1, 100, "percent", "of the L1's lines that footprints may fill (kAssocFactor, 7.3)",
  D(60, "section 7.3, table 4"))
E(latency, V(DAWS_LATENCY_NONE, "0") V(DAWS_LATENCY_BLOCK, "block"),
  "from a loop marker to the mask that follows it: a cycle, in C alone; as many as issue/daws_footprint takes",
  D(block, "chosen: 13 cycles of 32 warps at 1.4 GHz and 45 nm: 2 to ask, 3 for the answer, 1 for the entry, 7 for the sum"))
E(sum, V(DAWS_SUM_ALL, "all") V(DAWS_SUM_FIT, "fit"),
  "a warp is held by the footprints of: all older warps; those that are not held",
  D(all, "section 5.1: a prefix sum of each warp's footprint"))
E(mark, V(DAWS_MARK_ISSUE, "issue") V(DAWS_MARK_FETCH, "fetch"),
  "a loop's begin and trip count: when their first instruction issues; when it is the warp's next",
  D(issue, "section 5.1: when the scheduler detects that the first instruction of a loop has issued"))
S(outside, OFF_ON(V), "on: a load outside loops counts as one of the next loop while a warp is in a loop (5.1.2)",
  D(on, "section 5.1.2"))
E(locality, V(DAWS_LOCALITY_LOAD, "load") V(DAWS_LOCALITY_MAJORITY, "majority") V(DAWS_LOCALITY_ACCESS, "access"),
  "detected: a loop's counter goes up by a load any of whose accesses had intra-warp locality; most of which; by an access",
  D(load, "section 5.2.1: on each load issued"))
U(counter_bits, 2, 16, "bits", "detected: of a loop's counter, signed (5.2.1)",
  D(8, "chosen: some hundred loads turn a loop, as many as a warp makes in some trips"))
IDLE_END
END(daws)
