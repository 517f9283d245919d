/* SPDX-License-Identifier: Apache-2.0
 *
 * The CTA-aware schedulers of OWL (4.1 to 4.3): groups of CTAs are the classes of issue/policy.h.
 *
 * cta-aware: groups take turns in a circle, and the one that issued keeps the core until all its
 * warps are blocked, as a fetch group does. With locality, and with blp, a group's class is its
 * place, so a better group takes over as soon as one of its warps is ready (figure 4 B).
 */
#include "config/derived.h"
#include "issue/cta_groups.h"
#include "issue/policy.h"

struct cta_aware {
    struct cta_groups groups;
    unsigned cta_warps;
    unsigned current[POLICY_SCHEDULERS_MAX]; /* cta-aware: the group that issued last */
    int last[POLICY_SCHEDULERS_MAX];         /* the warp that did; -1: none yet */
};

static uint64_t warps_of_group(const struct cta_aware *a, unsigned group) {
    uint64_t warps = 0,
             of_cta = a->cta_warps < 64 ? (UINT64_C(1) << a->cta_warps) - 1 : ~UINT64_C(0);
    for (uint32_t slots = a->groups.group[group].slots; slots; slots &= slots - 1) {
        warps |= of_cta << a->cta_warps * (unsigned)__builtin_ctz(slots);
    }
    return warps;
}

/* A scheduler's circle begins with the group of the warp that issued last. Where that group has
 * ended, with the one that is now in its place. */
static unsigned find_first_group(struct cta_aware *a, unsigned scheduler) {
    const struct cta_groups *g = &a->groups;
    for (unsigned i = 0; i < g->count && a->last[scheduler] >= 0; i++) {
        if (warps_of_group(a, i) >> a->last[scheduler] & 1) {
            a->current[scheduler] = i;
            return i;
        }
    }
    return a->current[scheduler] < g->count ? a->current[scheduler] : 0;
}

static void classify_groups(struct cta_aware *a, const struct policy_view *view,
                            struct issue_policy *masks) {
    const unsigned count = a->groups.count;
    for (unsigned s = 0; s < view->schedulers; s++) {
        unsigned first = masks->strict && count ? find_first_group(a, s) : 0;
        for (unsigned i = 0; i < count; i++) {
            policy_classify(masks, warps_of_group(a, (first + i) % count) & view->mine[s], i);
        }
    }
}

static void cta_aware_init(void *state, const struct policy_view *view,
                           struct issue_policy *masks) {
    struct cta_aware *a = state;
    const struct config *c = view->config;
    masks->strict = c->issue.scheduler == SCHEDULER_CTA_AWARE;
    a->groups.priority = c->issue.scheduler == SCHEDULER_CTA_AWARE      ? CTA_GROUPS_RR
                         : c->issue.scheduler == SCHEDULER_CTA_LOCALITY ? CTA_GROUPS_LOCALITY
                                                                        : CTA_GROUPS_BLP;
    a->groups.life = c->owl.life == OWL_LIFE_LAST   ? CTA_GROUPS_LAST
                     : c->owl.life == OWL_LIFE_SLOT ? CTA_GROUPS_SLOT
                                                    : CTA_GROUPS_GENERATION;
    a->groups.core = view->core;
    for (unsigned s = 0; s < view->schedulers; s++) {
        a->last[s] = -1;
    }
}

static void tell_cta_groups(void *state, const struct policy_view *view,
                            const struct policy_event *event, struct issue_policy *masks) {
    struct cta_aware *a = state;
    switch (event->kind) {
    case POLICY_LAUNCHED:
        a->cta_warps = event->cta_warps;
        cta_groups_launch(&a->groups, event->cta_warps, event->ctas, view->config->owl.least_warps);
        return;
    case POLICY_CTA_STARTED: cta_groups_start(&a->groups, event->cta); break;
    case POLICY_CTA_ENDED: cta_groups_end(&a->groups, event->cta); break;
    default:
        a->last[event->scheduler] = (int)event->warp;
        if (!masks->strict || a->groups.count < 2) {
            return;
        }
    }
    classify_groups(a, view, masks);
}

static void find_holding_warps(void *state, const struct policy_view *view,
                               struct issue_policy *masks) {
    (void)state;
    masks->unstalled &=
        view->going &
        ~(view->config->owl.blocked == OWL_BLOCKED_BEYOND_L1 ? view->waiting : view->blocked);
}

const struct policy_kind policy_cta_aware = {
    .name = "cta-aware",
    .wanted = config_has_cta_groups,
    .state_size = sizeof(struct cta_aware),
    .events = POLICY_EVENT(POLICY_LAUNCHED) | POLICY_EVENT(POLICY_CTA_STARTED) |
              POLICY_EVENT(POLICY_CTA_ENDED) | POLICY_EVENT(POLICY_ISSUED),
    .sees_waiting = true,
    .init = cta_aware_init,
    .tell = tell_cta_groups,
    .refresh = find_holding_warps,
    .outranks = "its turn: other group of CTAs"};
