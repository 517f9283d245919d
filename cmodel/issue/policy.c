/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/policy.h"

#include <assert.h>

#include "issue/scheduler.h"

void policy_init(struct issue_policy *p) {
    *p = (struct issue_policy){.can_issue = ~UINT64_C(0),
                               .can_load = ~UINT64_C(0),
                               .unstalled = ~UINT64_C(0),
                               .classes = 1,
                               .of_class = {~UINT64_C(0)}};
}

void policy_classify(struct issue_policy *p, uint64_t warps, unsigned class) {
    assert(class < POLICY_CLASSES_MAX);
    for (unsigned k = 0; k < p->classes; k++) {
        p->of_class[k] &= ~warps;
    }
    p->of_class[class] |= warps;
    p->classes = p->classes > class ? p->classes : class + 1;
}

uint64_t policy_allowed(const struct issue_policy *p, uint64_t mine, uint64_t candidates,
                        uint64_t memory) {
    uint64_t free = mine & p->can_issue & (p->can_load | ~memory), left = candidates & free;
    if (p->classes == 1 || !left) {
        return left;
    }
    /* A warp that the policy itself holds does not keep its class: nobody would ever issue. */
    uint64_t holders = p->strict ? p->unstalled & free : left;
    for (unsigned k = 0; k < p->classes; k++) {
        if (p->of_class[k] & holders) {
            return left & p->of_class[k];
        }
    }
    return 0;
}

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
