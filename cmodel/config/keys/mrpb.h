/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory request prioritization buffer before the L1 (HPCA 2014); the sections are its. The
 * defaults are its final choice, table 4 in bold.
 */
/* clang-format off */

SECTION(mrpb)
IDLE_WHILE(c->l1.front == L1_FRONT_NONE, "l1.front=none (--scheme mrpb)")
S(signature, MRPB_SIGNATURE_VALUES(V),
  "a request's queue: its warp slot; its warp's number in the CTA; its CTA slot",
  D(warp, "section 5.1"))
S(drain, MRPB_DRAIN_VALUES(V), "which queue drains; greedy: until it is empty",
  D(fixed, "section 5.2"))
S(flush, OFF_ON(V),
  "on: a full queue drains first, a write empties its queue and is not stored; off: writes queue too",
  D(on, "section 5.3"))
U(depth, 0, 64, "entries", "requests a queue holds, 2 or more; 0: without bound, in C alone",
  D(8, "section 5.3"))
U(latency, 3, 18, "cycles", "from enqueue to the first sight of it by the cache; a write that passes, 5 at most",
  D(5, "section 5.3"))
S(bypass, MRPB_BYPASS_VALUES(V),
  "a read that misses bypasses where it lacks: nothing; a line in its set; that, an MSHR, or room in it",
  D(associativity, "section 5.4"))
IDLE_END
END(mrpb)
