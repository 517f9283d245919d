/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of policies of the L1.
 */
#include "l1/policy.h"

#define L1_POLICIES(P) P(mdb) P(pdp)

#define DECLARE_POLICY(name) extern const struct l1_policy_kind l1_policy_##name;
#define POLICY_ROW(name) &l1_policy_##name,
L1_POLICIES(DECLARE_POLICY)
static const struct l1_policy_kind *const kinds[] = {L1_POLICIES(POLICY_ROW)};

_Static_assert(sizeof kinds / sizeof *kinds <= L1_POLICIES_MAX, "a core may have them all");

const struct l1_policy_kind *l1_policy_kind_at(unsigned i) {
    return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL;
}
