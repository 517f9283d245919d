/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/policy.h"

#include <assert.h>

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
