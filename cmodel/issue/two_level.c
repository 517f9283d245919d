/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/two_level.h"

void two_level_form_groups(struct issue_policy *p, const uint64_t *mine, unsigned schedulers,
                           unsigned group_warps) {
    p->strict = p->rotates = true;
    for (unsigned s = 0; s < schedulers; s++) {
        unsigned taken = 0;
        for (uint64_t left = mine[s]; left; left &= left - 1, taken++) {
            p->group_warps[taken / group_warps] |= left & -left;
        }
        unsigned groups = (taken + group_warps - 1) / group_warps;
        p->groups = groups > p->groups ? groups : p->groups;
    }
}

static bool two_level_is_wanted(const struct config *config) {
    return config->issue.scheduler == SCHEDULER_TWO_LEVEL;
}

static void make_fetch_groups(void *state, const struct policy_view *view,
                              struct issue_policy *masks) {
    (void)state;
    two_level_form_groups(masks, view->mine, view->schedulers, view->config->issue.group_warps);
}

/* A load that may still hit the L1 is not a long-latency operation. */
static void find_unstalled_warps(void *state, const struct policy_view *view,
                                 struct issue_policy *masks) {
    (void)state;
    masks->unstalled &= view->going & ~view->waiting;
}

const struct policy_kind policy_two_level = {.name = "two-level",
                                             .wanted = two_level_is_wanted,
                                             .sees_waiting = true,
                                             .init = make_fetch_groups,
                                             .refresh = find_unstalled_warps,
                                             .outranks = "its turn: other fetch group"};
