/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/two_level.h"

void two_level_init(struct two_level *t, uint64_t mine, unsigned group_warps) {
    *t = (struct two_level){0};
    for (unsigned taken = 0; mine; mine &= mine - 1, taken++) {
        t->groups = taken / group_warps + 1;
        t->group[t->groups - 1] |= mine & -mine;
    }
}

void two_level_classify(const struct two_level *t, struct issue_policy *p) {
    for (unsigned i = 0; i < t->groups; i++) {
        policy_classify(p, t->group[(t->current + i) % t->groups], i);
    }
}

bool two_level_issued(struct two_level *t, unsigned warp) {
    if (t->group[t->current] >> warp & 1) {
        return false;
    }
    for (unsigned i = 0; i < t->groups; i++) {
        if (t->group[i] >> warp & 1) {
            t->current = i;
        }
    }
    return true;
}

static bool two_level_is_wanted(const struct config *config) {
    return config->issue.scheduler == SCHEDULER_TWO_LEVEL;
}

/* The state of the policy: the groups of each scheduler. */
static void make_fetch_groups(void *state, const struct policy_view *view,
                              struct issue_policy *masks) {
    struct two_level *of_scheduler = state;
    masks->strict = true;
    for (unsigned s = 0; s < view->schedulers; s++) {
        two_level_init(&of_scheduler[s], view->mine[s], view->config->issue.group_warps);
        two_level_classify(&of_scheduler[s], masks);
    }
}

static void follow_issuing_group(void *state, const struct policy_view *view,
                                 const struct policy_event *event, struct issue_policy *masks) {
    struct two_level *of_scheduler = state;
    (void)view;
    if (two_level_issued(&of_scheduler[event->scheduler], event->warp)) {
        two_level_classify(&of_scheduler[event->scheduler], masks);
    }
}

/* A load that may still hit the L1 is no long-latency operation. */
static void find_unstalled_warps(void *state, const struct policy_view *view,
                                 struct issue_policy *masks) {
    (void)state;
    masks->unstalled &= view->going & ~view->waiting;
}

const struct policy_kind policy_two_level = {.name = "two-level",
                                             .wanted = two_level_is_wanted,
                                             .state_size =
                                                 POLICY_SCHEDULERS_MAX * sizeof(struct two_level),
                                             .events = POLICY_EVENT(POLICY_ISSUED),
                                             .sees_waiting = true,
                                             .init = make_fetch_groups,
                                             .tell = follow_issuing_group,
                                             .refresh = find_unstalled_warps,
                                             .outranks = "its turn: other fetch group"};
