/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/policy.h"

void policy_init(struct issue_policy *p) {
    *p = (struct issue_policy){
        .can_issue = ~UINT64_C(0), .can_load = ~UINT64_C(0), .unstalled = ~UINT64_C(0)};
}
