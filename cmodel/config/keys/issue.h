/* SPDX-License-Identifier: Apache-2.0
 *
 * Choice of the warp that issues.
 */
/* clang-format off */

SECTION(issue)
E(scheduler, V(SCHEDULER_LRR, "lrr") V(SCHEDULER_GTO, "gto") V(SCHEDULER_OLDEST, "oldest")
  V(SCHEDULER_TWO_LEVEL, "two-level") V(SCHEDULER_CTA_AWARE, "cta-aware")
  V(SCHEDULER_CTA_LOCALITY, "cta-aware-locality") V(SCHEDULER_CTA_BLP, "cta-aware-locality-blp"),
  "two-level: fetch groups (MICRO 2011); cta-...: of CTAs (OWL 4)")
E(arbitration, V(ARBITRATION_FIXED, "fixed") V(ARBITRATION_ROTATING, "rotating"),
  "which scheduler is asked first for the load/store unit and pipelines: always the first; another one in each cycle",
  D(fixed, "simulator: up to July 2017 it asks them in their order; since its commit dcf7e6a8 they take turns, as in hardware"))
U(group_warps, 1, 64, "warps", "two-level: warps of a fetch group",
  D(8, "MICRO 2011, where issue.scheduler = two-level is chosen"))
U(warp_limit, 0, 64, "warps",
  "warps a scheduler picks from, the oldest that no barrier holds (SWL, MICRO 2012); 0: all",
  D(0, "no limit"))
U(inflight_per_warp, 0, 1, "instructions",
  "1: the next instruction of a warp issues after the one before has ended; 0: when the scoreboard lets it",
  D(0, "simulator: scoreboard"))
T(policy, "a policy beside those that other keys choose, of --plugin FILE or of `list schemes`; -: none", D(-, "none"))
END(issue)
