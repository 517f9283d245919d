/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/swl.h"

#include "issue/policy.h"
#include "issue/scheduler.h"

uint64_t swl_allowed(uint64_t eligible, unsigned limit, const uint64_t *age) {
    uint64_t chosen = 0;
    if (limit >= (unsigned)__builtin_popcountll(eligible)) {
        return eligible;
    }
    for (; limit; limit--) {
        chosen |= UINT64_C(1) << scheduler_oldest(eligible & ~chosen, age);
    }
    return chosen;
}

struct swl {
    uint64_t chosen_from; /* the eligible warps that gave `chosen`; 0: none */
    uint64_t chosen;
};

static bool swl_is_wanted(const struct config *config) {
    return config->issue.warp_limit;
}

static void swl_init(void *state, const struct policy_view *view, struct issue_policy *masks) {
    (void)view, (void)masks;
    ((struct swl *)state)->chosen = ~UINT64_C(0);
}

/* A CTA starts: ages change. */
static void swl_forget_choice(void *state, const struct policy_view *view,
                              const struct policy_event *event, struct issue_policy *masks) {
    (void)view, (void)event, (void)masks;
    ((struct swl *)state)->chosen_from = 0;
}

static void swl_choose(void *state, const struct policy_view *view, struct issue_policy *masks) {
    struct swl *swl = state;
    if (view->going != swl->chosen_from) {
        swl->chosen_from = view->going;
        swl->chosen = 0;
        for (unsigned s = 0; s < view->schedulers; s++) {
            swl->chosen |=
                swl_allowed(view->going & view->mine[s], view->config->issue.warp_limit, view->age);
        }
    }
    masks->can_issue &= swl->chosen;
}

const struct policy_kind policy_swl = {.name = "swl",
                                       .wanted = swl_is_wanted,
                                       .state_size = sizeof(struct swl),
                                       .events = POLICY_EVENT(POLICY_CTA_STARTED),
                                       .init = swl_init,
                                       .tell = swl_forget_choice,
                                       .refresh = swl_choose,
                                       .holds = "its turn: held by SWL",
                                       .advice = "a higher issue.warp_limit"};
