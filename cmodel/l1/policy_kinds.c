/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of policies of the L1.
 */
#include "l1/policy.h"

#include "config/derived.h"

#define L1_POLICIES(P) P(mdb) P(pdp)

#define DECLARE_POLICY(name) extern const struct l1_policy_kind l1_policy_##name;
#define POLICY_ROW(name) &l1_policy_##name,
L1_POLICIES(DECLARE_POLICY)
static const struct l1_policy_kind *const kinds[] = {L1_POLICIES(POLICY_ROW)};

_Static_assert(sizeof kinds / sizeof *kinds < L1_POLICIES_MAX, "and the one that is named");

const struct l1_policy_kind *l1_policy_kind_at(unsigned i) {
    return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL;
}

unsigned l1_policy_kinds_wanted(const struct config *config, const struct l1_policy_kind *named,
                                const struct l1_policy_kind *wanted[L1_POLICIES_MAX]) {
    unsigned count = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i]->wanted && kinds[i]->wanted(config)) {
            wanted[count++] = kinds[i];
        }
    }
    if (named) {
        wanted[count++] = named;
    }
    return count;
}

/* One policy chooses among lines that are taken at a miss, in a field of bits. */
static bool chooser_fits(const struct config *c, const struct l1_policy_kind *named,
                         const struct build *build) {
    const struct l1_policy_kind *other[L1_POLICIES_MAX];
    unsigned others = l1_policy_kinds_wanted(c, NULL, other);
    for (unsigned i = 0; i < others; i++) {
        if (other[i]->victim) {
            return build_refused(build,
                                 "l1.policy = %s and %s both choose victims: must be one of them",
                                 named->name, other[i]->name);
        }
    }
    if (c->l1.sectors || c->l1.allocate == L1_ALLOCATE_FILL) {
        return build_refused(build,
                             "l1.policy = %s with %s: it chooses victims for whole lines that are "
                             "taken at a miss; must be %s",
                             named->name, c->l1.sectors ? "l1.sectors = on" : "l1.allocate = fill",
                             c->l1.sectors ? "l1.sectors = off" : "l1.allocate = miss");
    }
    return c->l1.ways <= TAG_WAYS_SMALL ||
           build_refused(build, "l1.policy = %s with l1.ways = %u: must be at most %u", named->name,
                         c->l1.ways, TAG_WAYS_SMALL);
}

bool l1_policy_fits(const struct config *c, const struct l1_policy_kind *named,
                    const struct build *build) {
    if (!named) {
        return true;
    }
    if (!c->l1.cache || c->l1.perfect) {
        return build_refused(build,
                             "l1.policy = %s with %s: there is no cache to decide about; must be "
                             "l1.policy = -",
                             named->name, c->l1.perfect ? "l1.perfect = on" : "l1.cache = off");
    }
    if (named->bypasses && c->l1.global_write == L1_WRITE_BACK) {
        return build_refused(build,
                             "l1.policy = %s with l1.global_write = back: an access that bypasses "
                             "the L1 would miss data that stay there; must be l1.global_write = "
                             "evict or through",
                             named->name);
    }
    return !named->victim || chooser_fits(c, named, build);
}
