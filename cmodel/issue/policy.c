/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/policy.h"

void policy_init(struct issue_policy *p) {
    *p = (struct issue_policy){0};
    policy_hold_nobody(p);
}

void policy_hold_nobody(struct issue_policy *p) {
    p->can_issue = p->can_load = p->can_load_cached = p->unstalled = ~UINT64_C(0);
}
