/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of L2 policies.
 */
#include "config/derived.h"
#include "l2/policy.h"

#define L2_POLICIES(P) P(bypass_all) P(wbyp) P(wbyp_reuse) P(rand) P(pc_byp) P(pcal) P(wip) P(eaf)

#define DECLARE_POLICY(name) extern const struct l2_policy_kind l2_policy_##name;
#define POLICY_ROW(name) &l2_policy_##name,
L2_POLICIES(DECLARE_POLICY)
static const struct l2_policy_kind *const kinds[] = {L2_POLICIES(POLICY_ROW)};

_Static_assert(sizeof kinds / sizeof *kinds < L2_POLICY_KINDS_MAX, "and the one that is named");

const struct l2_policy_kind *l2_policy_kind_at(unsigned i) {
    return i < sizeof kinds / sizeof *kinds ? kinds[i] : NULL;
}

unsigned l2_policy_kinds_wanted(const struct config *config, const struct l2_policy_kind *named,
                                const struct l2_policy_kind *wanted[L2_POLICY_KINDS_MAX]) {
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

static bool orders_lines(const struct l2_policy_kind *kind) {
    return kind->victim || kind->place;
}

/* One policy orders the lines of a set, in a field of bits. */
static bool order_fits(const struct config *c, const struct l2_policy_kind *named,
                       const struct build *build) {
    const struct l2_policy_kind *other[L2_POLICY_KINDS_MAX];
    unsigned others = l2_policy_kinds_wanted(c, NULL, other);
    for (unsigned i = 0; i < others; i++) {
        if (orders_lines(other[i])) {
            return build_refused(build,
                                 "l2.policy = %s and %s both order the lines of a set: must be one "
                                 "of them",
                                 named->name, other[i]->name);
        }
    }
    if (named->victim && config_has_row_prefetch(c)) {
        return build_refused(build,
                             "l2.policy = %s with owl.prefetch on: LRU chooses what a prefetched "
                             "line evicts; must be owl.prefetch = off",
                             named->name);
    }
    return c->l2.ways <= L2_POLICY_WAYS_MAX ||
           build_refused(build, "l2.policy = %s: l2.ways = %u: must be at most %u", named->name,
                         c->l2.ways, L2_POLICY_WAYS_MAX);
}

bool l2_policy_fits(const struct config *c, const struct l2_policy_kind *named,
                    const struct build *build) {
    struct config_error e;
    char asker[CONFIG_TEXT + 16];
    if (!named) {
        return true;
    }
    if ((named->bypass || named->bypasses) && (c->l2.write == L2_WRITE_BACK || c->l2.perfect)) {
        return build_refused(build,
                             "l2.policy = %s bypasses the L2: must be l2.write = through and "
                             "l2.perfect = off",
                             named->name);
    }
    snprintf(asker, sizeof asker, "l2.policy = %s", named->name);
    if (named->types == L2_TYPES_OF_WARPS && c->l2.bypass == L2_BYPASS_PC) {
        return build_refused(build,
                             "%s with l2.bypass = pc: one table decides, of instructions or of "
                             "warps; must be another l2.bypass",
                             asker);
    }
    if (named->types &&
        !config_check_types(c, named->types == L2_TYPES_OF_INSTRUCTIONS, asker, &e)) {
        return build_refused(build, "%s", e.text);
    }
    return !orders_lines(named) || order_fits(c, named, build);
}
