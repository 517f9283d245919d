/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence-aware warp scheduling (MICRO 2013), whose sections are cited.
 */
/* clang-format off */

SECTION(daws)
E(mode, V(DAWS_OFF, "off") V(DAWS_PROFILED, "profiled") V(DAWS_DETECTED, "detected"),
  "hold loads of warps whose predicted footprints do not fit: no; by a profile (5.1); by loads classified at run time (5.2)",
  D(off, "the baseline; schemes daws-profiled and daws-detected turn it on"))
IDLE_WHILE(!config_has_daws(c), "daws.mode=off (--scheme daws-detected)")
E(lanes, V(DAWS_LANES_ACTIVE, "active") V(DAWS_LANES_ALL, "all"),
  "lanes in a prediction: those that begin the trip; all, without control flow awareness (7.1)",
  D(active, "section 5.1.1"))
U(factor, 1, 100, "percent", "share of the L1's lines that footprints may fill (kAssocFactor, 7.3)",
  D(60, "section 7.3, table 4"))
E(latency, V(DAWS_LATENCY_NONE, "0") V(DAWS_LATENCY_BLOCK, "block"),
  "from a loop marker to the mask that follows it: one cycle, in C alone; the latency of issue/daws_footprint",
  D(block, "chosen: 13 cycles of 32 warps at 1.4 GHz and 45 nm: 2 to ask, 3 for the answer, 1 for the entry, 7 for the sum"))
E(sum, V(DAWS_SUM_ALL, "all") V(DAWS_SUM_FIT, "fit"),
  "footprints that hold a warp: of all older warps; of those that are not held themselves",
  D(all, "section 5.1: a prefix sum of each warp's footprint"))
E(mark, V(DAWS_MARK_ISSUE, "issue") V(DAWS_MARK_FETCH, "fetch"),
  "begin and trip of a loop take effect: when their first instruction issues; when it is the warp's next",
  D(issue, "section 5.1: when the scheduler detects that the first instruction of a loop has issued"))
S(outside, OFF_ON(V), "on: while a warp is in a loop, a load outside loops counts as a load of the next loop (5.1.2)",
  D(on, "section 5.1.2"))
E(locality, V(DAWS_LOCALITY_LOAD, "load") V(DAWS_LOCALITY_MAJORITY, "majority") V(DAWS_LOCALITY_ACCESS, "access"),
  "detected: a loop's counter counts up: a load if any of its accesses had intra-warp locality; if most had; each access",
  D(load, "section 5.2.1: on each load issued"))
E(repeat, V(DAWS_REPEAT_ANY, "any") V(DAWS_REPEAT_MAJORITY, "majority"),
  "detected: loads that access one line in a trip are counted once: any two; one of which most accesses find lines of the other",
  D(any, "section 5.2.2: if the tag is found, both loads are marked"))
U(counter_bits, 2, 16, "bits", "detected: width of a loop's counter, signed (5.2.1)",
  D(8, "chosen: some hundred loads change a loop's sign, as many as a warp makes in some trips"))
E(counter_floor, V(DAWS_FLOOR_LEAST, "least") V(DAWS_FLOOR_ZERO, "zero"),
  "detected: a loop's counter counts down: to the least of its bits; to 0, so that the first load with locality makes it positive",
  D(least, "chosen: 5.2.1 names positive counters, and no floor"))
IDLE_END
END(daws)
