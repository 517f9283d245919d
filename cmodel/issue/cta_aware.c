/* SPDX-License-Identifier: Apache-2.0
 *
 * The CTA-aware schedulers of OWL (4.1 to 4.3): groups of CTAs are the classes of issue/policy.h.
 *
 * cta-aware: groups take turns in a circle, and the one that issued keeps the core until all its
 * warps are blocked, as a fetch group does. With locality, and with blp, a group's class is its
 * place, so a better group takes over as soon as one of its warps is ready (figure 4 B).
 */
#include <string.h>

#include "config/derived.h"
#include "issue/cta_groups.h"
#include "issue/policy.h"

struct cta_aware {
    struct cta_groups groups;
    unsigned cta_warps;
    /* cta-aware: the group that issued last, with which a scheduler's circle begins; where it has
     * ended, the one that is now in its place. */
    unsigned current[POLICY_SCHEDULERS_MAX];
};

static uint64_t warps_of_group(const struct cta_aware *a, unsigned group) {
    uint64_t warps = 0,
             of_cta = a->cta_warps < 64 ? (UINT64_C(1) << a->cta_warps) - 1 : ~UINT64_C(0);
    for (uint32_t slots = a->groups.group[group].slots; slots; slots &= slots - 1) {
        warps |= of_cta << a->cta_warps * (unsigned)__builtin_ctz(slots);
    }
    return warps;
}

/* Which group has the CTA of the warp in this slot? The number of groups: none. */
static unsigned find_group_of(const struct cta_aware *a, unsigned warp) {
    unsigned group = 0;
    while (group < a->groups.count && !(warps_of_group(a, group) >> warp & 1)) {
        group++;
    }
    return group;
}

static void classify_groups(struct cta_aware *a, const struct policy_view *view,
                            struct issue_policy *masks) {
    const unsigned count = a->groups.count;
    for (unsigned s = 0; s < view->schedulers; s++) {
        unsigned first = masks->strict && a->current[s] < count ? a->current[s] : 0;
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
}

/* The groups behind one that begins or ends move by a place. */
static void start_cta_in_group(struct cta_aware *a, const struct policy_view *view, unsigned slot) {
    unsigned count = a->groups.count;
    cta_groups_start(&a->groups, slot);
    unsigned place = find_group_of(a, slot * a->cta_warps);
    for (unsigned s = 0; s < view->schedulers && a->groups.count > count; s++) {
        a->current[s] += place <= a->current[s] && a->current[s] < count;
    }
}

static void end_cta_in_group(struct cta_aware *a, const struct policy_view *view, unsigned slot) {
    unsigned count = a->groups.count, place = find_group_of(a, slot * a->cta_warps);
    cta_groups_end(&a->groups, slot);
    for (unsigned s = 0; s < view->schedulers && a->groups.count < count; s++) {
        a->current[s] -= place < a->current[s];
    }
}

static void tell_cta_groups(void *state, const struct policy_view *view,
                            const struct policy_event *event, struct issue_policy *masks) {
    struct cta_aware *a = state;
    switch (event->kind) {
    case POLICY_LAUNCHED:
        a->cta_warps = event->cta_warps;
        cta_groups_launch(&a->groups, event->cta_warps, event->ctas, view->config->owl.least_warps);
        memset(a->current, 0, sizeof a->current);
        return;
    case POLICY_CTA_STARTED: start_cta_in_group(a, view, event->cta); break;
    case POLICY_CTA_ENDED: end_cta_in_group(a, view, event->cta); break;
    default: {
        unsigned group = masks->strict ? find_group_of(a, event->warp) : 0;
        if (!masks->strict || group == a->current[event->scheduler]) {
            return;
        }
        a->current[event->scheduler] = group;
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
