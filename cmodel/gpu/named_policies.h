/* SPDX-License-Identifier: Apache-2.0
 *
 * Policies that a configuration selects by name: a key PLACE.policy in each place of the machine
 * that takes one.
 */
#ifndef WARPMEM_GPU_NAMED_POLICIES_H
#define WARPMEM_GPU_NAMED_POLICIES_H

#include "dram/scheduler.h"
#include "issue/policy.h"
#include "l1/policy.h"
#include "l2/policy.h"

/* P(place, its struct of a policy, the rows of its table). */
#define POLICY_PLACES(P) \
    P(issue, struct policy_kind, policy_kind_at) \
    P(l1, struct l1_policy_kind, l1_policy_kind_at) \
    P(l2, struct l2_policy_kind, l2_policy_kind_at) \
    P(dram, struct dram_scheduler_kind, dram_scheduler_kind_at)

#define POLICY_PLACE_NUMBER(place, kind, row_at) POLICY_PLACE_##place,
enum policy_place { POLICY_PLACES(POLICY_PLACE_NUMBER) POLICY_PLACE_COUNT };

/** struct named_policies - the policy of each place; NULL: none. */
struct named_policies {
#define POLICY_PLACE_MEMBER(place, kind, row_at) const kind *place;
    POLICY_PLACES(POLICY_PLACE_MEMBER)
#undef POLICY_PLACE_MEMBER
};

/** policy_place_key() - "issue.policy". policy_place_word() - its value: a name, or "-". */
const char *policy_place_key(unsigned place);
const char *policy_place_word(const struct config *c, unsigned place);
/** policy_place_fill() - the key gets the name, of CONFIG_TEXT - 1 characters at most. */
void policy_place_fill(struct config *c, unsigned place, const char *name);

/** named_policy_row() - name and meaning of the i-th policy in the place's table that PLACE.policy
 * alone selects; NULL: there are no more. */
const char *named_policy_row(unsigned place, unsigned i, const char **about);
/** named_policy_row_exists() - is it the name of such a row? */
bool named_policy_row_exists(unsigned place, const char *name);

/** named_policies_find() - where *p has no policy for the name that the configuration gives, take
 * that row. Return: the first place without a policy of its name; POLICY_PLACE_COUNT: none. */
unsigned named_policies_find(struct named_policies *p, const struct config *c);

#endif
