/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC's random bypassing (Rand of section 5): "a percentage of randomly-chosen warps bypass the
 * cache every 100k cycles". A hash of the period and the warp alone decides, so that every
 * partition draws the same warps, in any order.
 */
#include "l2/policy.h"

static bool wants_random_bypass(const struct config *config) {
    return config->l2.bypass == L2_BYPASS_RANDOM;
}

/* Is the warp drawn in this period? @percent: of all warps on the average. */
static bool is_warp_drawn(uint64_t period, unsigned warp, unsigned percent) {
    uint64_t x = (period << 16 | warp) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (x >> 32) * 100 < (uint64_t)percent << 32;
}

static enum l2_bypass bypass_drawn_warp(const void *state, const struct l2_policy_view *view,
                                        const struct l2_policy_access *access) {
    uint64_t period = l2_policy_core_cycle(view) / view->config->medic.period;
    (void)state;
    return is_warp_drawn(period, l2_policy_warp(view, access), view->config->rand.percent)
               ? L2_BYPASS_ALWAYS
               : L2_BYPASS_NEVER;
}

const struct l2_policy_kind l2_policy_rand = {.name = "rand",
                                              .about = "warps drawn by lot bypass",
                                              .wanted = wants_random_bypass,
                                              .bypass = bypass_drawn_warp};
