/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens ([pcal], HPCA 2015), with which MeDiC is compared (section 5).
 */
/* clang-format off */

SECTION(pcal)
U(tokens, 0, 4096, "warps", "number of warps with a token, which may allocate lines of a partition", D(96, "swept"))
U(epoch, 1000, 100000000, "core cycles", "period after which tokens are granted anew",
  D(100000, "chosen: as medic.period"))
END(pcal)
