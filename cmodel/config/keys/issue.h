/* SPDX-License-Identifier: Apache-2.0
 *
 * Choice of the warp that issues.
 */
/* clang-format off */

SECTION(issue)
E(scheduler, V(SCHEDULER_LRR, "lrr") V(SCHEDULER_GTO, "gto") V(SCHEDULER_OLDEST, "oldest") V(SCHEDULER_GTY, "gty")
  V(SCHEDULER_TWO_LEVEL, "two-level") V(SCHEDULER_CTA_AWARE, "cta-aware")
  V(SCHEDULER_CTA_LOCALITY, "cta-aware-locality") V(SCHEDULER_CTA_BLP, "cta-aware-locality-blp"),
  "gty: greedy, youngest; two-level: groups; cta-...: OWL 4")
E(arbitration, V(ARBITRATION_FIXED, "fixed") V(ARBITRATION_ROTATING, "rotating"),
  "scheduler that goes first to the load/store unit and pipelines: always the first; another one in each cycle",
  D(fixed, "simulator: a fixed order up to July 2017; since its commit dcf7e6a8 they take turns, as in hardware"))
U(group_warps, 1, 64, "warps", "two-level: warps of a fetch group",
  D(8, "MICRO 2011, for issue.scheduler = two-level"))
U(warp_limit, 0, 64, "warps",
  "number of warps that a scheduler picks from, the oldest that wait at no barrier (SWL, MICRO 2012); 0: all",
  D(0, "no limit"))
U(inflight_per_warp, 0, 1, "instructions",
  "1: a warp's next instruction issues after the previous one has ended; 0: when the scoreboard allows it",
  D(0, "simulator: scoreboard"))
T(policy, "a policy in addition to those of other keys, from --plugin FILE or `list schemes`; -: none", D(-, "none"))
END(issue)
