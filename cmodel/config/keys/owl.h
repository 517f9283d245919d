/* SPDX-License-Identifier: Apache-2.0
 *
 * OWL's groups of CTAs and its prefetcher (ASPLOS 2013, whose sections are cited). The defaults are
 * the paper's final choice.
 */
/* clang-format off */

SECTION(owl)
IDLE_WHILE(!config_has_cta_groups(c), "issue.scheduler has no groups of CTAs (--scheme cta-aware)")
U(least_warps, 1, 64, "warps", "least number in a group of CTAs, if the core has that many (OWL 4.1, 5.2)",
  D(8, "section 5.2"))
E(life, V(OWL_LIFE_LAST, "last") V(OWL_LIFE_SLOT, "slot") V(OWL_LIFE_GENERATION, "generation"),
  "later CTAs: go behind all groups; join the group of their slot; form lower-priority groups of the first generation's size",
  D(slot, "chosen: the slot's hardware stays in its group; the paper groups a core's first CTAs only"))
E(blocked, V(OWL_BLOCKED_BEYOND_L1, "beyond-l1") V(OWL_BLOCKED_ISSUED, "issued"),
  "cta-aware: a warp keeps its group in turn until it waits: for data from beyond the L1, with all accesses at the L1; for any load",
  D(beyond-l1, "section 4.1: blocked waiting for memory"))
IDLE_END
E(prefetch, V(OWL_PREFETCH_OFF, "off") V(OWL_PREFETCH_STOP, "stop") V(OWL_PREFETCH_LEAST, "least"),
  "prefetch lines of open DRAM rows into the L2: no; until a request for another row waits; at least a number of lines (OWL 4.4)",
  D(off, "the baseline; scheme owl turns it on"))
IDLE_WHILE(c->owl.prefetch == OWL_PREFETCH_OFF, "owl.prefetch=off (--scheme owl)")
U(lower, 0, 64, "lines", "prefetched of a row even if requests wait; 0: none",
  D(8, "section 4.4"))
U(higher, 0, 64, "lines", "the same while fewer requests wait than owl.threshold",
  D(16, "section 4.4"))
U(threshold, 0, 127, "requests", "bound on the channel's queue; 0: its running average",
  D(0, "section 4.4: the average"))
U(average_shift, 2, 8, "bits", "shift of the difference by which each arrival moves the average",
  D(4, "chosen: the last 16 arrivals count most; section 4.5 has shift registers"))
E(claim, V(OWL_CLAIM_EARLY, "early") V(OWL_CLAIM_LATE, "late"),
  "a prefetch allocates its L2 line: before the read, or is dropped; when its data arrive",
  D(early, "chosen: nothing is fetched twice, and no dirty line is lost"))
E(prefetched, V(OWL_PREFETCHED_RECENT, "recent") V(OWL_PREFETCHED_LAST, "last"),
  "position of a prefetched line in its L2 set: most recently used; least recently used",
  D(last, "chosen: a line that nobody has asked for gives way first; the paper does not say"))
S(written_rows, OFF_ON(V), "on: prefetch rows that were opened for a write too",
  D(off, "section 4.5: a line's bit is set when the line is sent to the L2, and no line of such a row is"))
E(start, V(OWL_START_IDLE, "idle") V(OWL_START_ANY, "any"),
  "the prefetch of a row begins: while no request waits for another row of the bank; whatever waits",
  D(idle, "section 4.4: C lines are guaranteed against a request that arrives after the prefetch has begun"))
IDLE_END
END(owl)
