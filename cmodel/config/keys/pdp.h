/* SPDX-License-Identifier: Apache-2.0
 *
 * Protecting distances (MICRO 2012), as in CBWT (MICRO 2014), with which MDB is compared (7.1).
 */
/* clang-format off */

SECTION(pdp)
IDLE_WHILE(c->l1.replacement != L1_REPLACEMENT_PDP, "l1.replacement=lru (--scheme pdp)")
U(distance, 0, 256, "accesses",
  "accesses to a line's set for which it is protected after its last use; 0: found by sampling",
  D(0, "dynamic"))
U(interval, 64, 1000000, "accesses", "accesses of the L1 after which the distance is computed anew",
  D(8192, "chosen: 256 accesses a set, as that paper's 512 K accesses of 2,048 sets"))
E(bypass, V(PDP_BYPASS_FREE, "free") V(PDP_BYPASS_MISS, "miss"),
  "a read that finds its set protected: bypasses the MSHRs too, with the reply of l1.bypass_reply; takes an MSHR and fetches the line, as every miss",
  D(free, "as other bypasses; scheme cbwt-best takes miss, because in MDB 2.2 each miss of the L1 needs an MSHR"))
IDLE_END
END(pdp)
