/* SPDX-License-Identifier: Apache-2.0
 *
 * Random bypassing, with which MeDiC is compared (section 5).
 */
/* clang-format off */

SECTION(rand)
U(percent, 0, 100, "percent", "share of the warps that bypasses; chosen at random every medic.period",
  D(50, "swept"))
END(rand)
