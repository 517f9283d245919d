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
IDLE_END
END(pdp)
