/* SPDX-License-Identifier: Apache-2.0
 *
 * Policies that a configuration asks for by name: a key PLACE.policy in each place of the machine
 * that takes one.
 */
#ifndef WARPMEM_GPU_NAMED_POLICIES_H
#define WARPMEM_GPU_NAMED_POLICIES_H

#include "issue/policy.h"
#include "l2/replacement.h"

/* P(place, its struct of a policy, whose first member is the policy's name). */
#define POLICY_PLACES(P) \
    P(issue, struct policy_kind) \
    P(l2, struct l2_replacement_kind)

#define POLICY_PLACE_NUMBER(place, kind) POLICY_PLACE_##place,
enum policy_place { POLICY_PLACES(POLICY_PLACE_NUMBER) POLICY_PLACE_COUNT };

/** struct named_policies - the policy of each place; NULL: none. */
struct named_policies {
#define POLICY_PLACE_MEMBER(place, kind) const kind *place;
    POLICY_PLACES(POLICY_PLACE_MEMBER)
#undef POLICY_PLACE_MEMBER
};

/** policy_place_key() - "issue.policy". policy_place_word() - its value: a name, or "-". */
const char *policy_place_key(unsigned place);
const char *policy_place_word(const struct config *c, unsigned place);
/** policy_place_fill() - the key gets the name, of CONFIG_TEXT - 1 characters at most. */
void policy_place_fill(struct config *c, unsigned place, const char *name);

/** named_policy_name() - the name of the place's policy; NULL: it has none. */
const char *named_policy_name(const struct named_policies *p, unsigned place);

#endif
