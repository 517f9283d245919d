/* SPDX-License-Identifier: Apache-2.0
 *
 * Cache-conscious wavefront scheduling (MICRO 2012), with the values of DAWS table 3.
 */
/* clang-format off */

SECTION(ccws)
S(mode, OFF_ON(V),
  "on: while warps lose lines of the L1, only the warps that lose most may issue loads that look up the L1 (MICRO 2012)",
  D(off, "the baseline; scheme ccws turns it on"))
IDLE_WHILE(!c->ccws.mode, "ccws.mode=off (--scheme ccws)")
U(base, 1, 1023, "points",
  "score of a warp without recently lost lines, and its share of the cutoff (DAWS table 3)",
  D(100, "DAWS table 3: base locality score"))
U(k, 1, 255, "times", "K_throttle: weight of a lost line against an issued instruction (DAWS table 3)",
  D(8, "DAWS table 3: K_throttle"))
P(clamp, 1, 16, "cutoffs", "bound of a score, a power of two: 1, a warp is held by no more than all scores together",
  D(8, "CCWS as released: none; chosen: the least that no run of DAWS table 2 reaches"))
U(count_bits, 11, 31, "bits",
  "width of the counts of lost lines, times ccws.k, and of issued instructions; both halve when one is half full",
  D(24, "chosen: a core issues fewer than 16 M instructions in a launch"))
IDLE_END
END(ccws)
