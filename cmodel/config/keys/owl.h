/* SPDX-License-Identifier: Apache-2.0
 *
 * OWL's groups of CTAs and its prefetcher (ASPLOS 2013); the sections are its. The defaults are its
 * final choice.
 */
/* clang-format off */

SECTION(owl)
IDLE_WHILE(!config_has_cta_groups(c), "issue.scheduler is none of groups of CTAs (--scheme cta-aware)")
U(least_warps, 1, 64, "warps", "of a group of CTAs, where the core has as many (OWL 4.1, 5.2)",
  D(8, "section 5.2"))
E(life, V(OWL_LIFE_LAST, "last") V(OWL_LIFE_SLOT, "slot") V(OWL_LIFE_GENERATION, "generation"),
  "a CTA that starts later goes behind all groups; into its slot's; behind all, and as many as the first CTAs are grouped as those",
  D(generation, "chosen: banks stay in use with blp (docs/owl_machine.md); scheme cta-aware-locality has slot"))
E(blocked, V(OWL_BLOCKED_BEYOND_L1, "beyond-l1") V(OWL_BLOCKED_ISSUED, "issued"),
  "cta-aware: a warp holds its group until it waits for data from beyond the L1, to which all its accesses are known; for any load",
  D(beyond-l1, "section 4.1: blocked waiting for memory"))
IDLE_END
E(prefetch, V(OWL_PREFETCH_OFF, "off") V(OWL_PREFETCH_STOP, "stop") V(OWL_PREFETCH_LEAST, "least"),
  "lines of open DRAM rows into the L2: no; until a request for another row waits; at least a number of them (OWL 4.4)",
  D(off, "the baseline; scheme owl turns it on"))
IDLE_WHILE(c->owl.prefetch == OWL_PREFETCH_OFF, "owl.prefetch=off (--scheme owl)")
U(lower, 0, 64, "lines", "asked for of a row, whatever waits; 0: the row gets no line",
  D(8, "section 4.4"))
U(higher, 0, 64, "lines", "the same while fewer requests wait than owl.threshold",
  D(16, "section 4.4"))
U(threshold, 0, 127, "requests", "in the channel's queue; 0: their running average",
  D(0, "section 4.4: the average"))
U(average_shift, 2, 8, "bits", "the average moves by a difference shifted right by so much, at each arrival",
  D(4, "chosen: the last 16 arrivals count most; section 4.5 has shift registers"))
E(claim, V(OWL_CLAIM_EARLY, "early") V(OWL_CLAIM_LATE, "late"),
  "a prefetch takes its L2 line before it is read, or is dropped; when its data is there",
  D(early, "chosen: nothing is fetched twice, and no dirty line is lost"))
E(prefetched, V(OWL_PREFETCHED_RECENT, "recent") V(OWL_PREFETCHED_LAST, "last"),
  "a prefetched line is its L2 set's most recently used one; its least",
  D(recent, "chosen: as other lines; the paper does not say"))
S(written_rows, OFF_ON(V), "prefetch of rows that were opened for a write",
  D(on, "section 4.4: any open row"))
IDLE_END
END(owl)
