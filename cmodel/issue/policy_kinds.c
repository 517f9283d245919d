/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of issue policies, one row each.
 */
#include "issue/policy.h"

extern const struct policy_kind policy_swl, policy_two_level, policy_cta_aware, policy_ccws,
    policy_daws;

static const struct policy_kind *const kinds[] = {
    &policy_swl, &policy_two_level, &policy_cta_aware, &policy_ccws, &policy_daws,
};

_Static_assert(sizeof kinds / sizeof *kinds <= POLICY_KINDS_MAX, "policy_kinds_wanted() gives all");

const struct policy_kind *policy_kind_at(unsigned i) {
    return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL;
}

unsigned policy_kinds_wanted(const struct config *config,
                             const struct policy_kind *wanted[POLICY_KINDS_MAX]) {
    unsigned count = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i]->wanted && kinds[i]->wanted(config)) {
            wanted[count++] = kinds[i];
        }
    }
    return count;
}

const char *policy_held_nobody(const struct stats *s) {
    size_t held;
    return stats_find(s, "core.descheduled_cycles", &held) && !stats_value(s, held) ? "held no warp"
                                                                                    : NULL;
}
