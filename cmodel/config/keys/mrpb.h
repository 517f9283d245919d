/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory request prioritization buffer before the L1 (HPCA 2014, whose sections are cited). The
 * defaults are the paper's final choice, bold in table 4.
 */
/* clang-format off */

SECTION(mrpb)
IDLE_WHILE(c->l1.front == L1_FRONT_NONE, "l1.front=none (--scheme mrpb)")
S(signature, MRPB_SIGNATURE_VALUES(V),
  "a request's queue: its warp slot; its warp's number in the CTA; its CTA slot",
  D(warp, "section 5.1"))
S(drain, MRPB_DRAIN_VALUES(V), "the queue that drains; greedy: until it is empty",
  D(fixed, "section 5.2"))
S(flush, OFF_ON(V),
  "on: a full queue drains first, a write empties its queue and is not stored; off: writes queue too",
  D(on, "section 5.3"))
U(depth, 0, 64, "entries", "capacity of a queue, 2 or more; 0: unbounded, in C alone",
  D(8, "section 5.3"))
U(latency, 3, 18, "cycles", "from enqueue until the cache sees the request; at most 5 for a write that passes",
  D(5, "section 5.3"))
S(bypass, MRPB_BYPASS_VALUES(V),
  "a read miss bypasses for lack of: nothing; a line in its set; a line, an MSHR, or room in it",
  D(associativity, "section 5.4"))
IDLE_END
END(mrpb)
