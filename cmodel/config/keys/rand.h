/* SPDX-License-Identifier: Apache-2.0
 *
 * Bypassing by lot, which MeDiC is compared with (section 5).
 */
/* clang-format off */

SECTION(rand)
U(percent, 0, 100, "percent", "of the warps, to bypass; drawn anew every medic.period",
  D(50, "swept"))
END(rand)
