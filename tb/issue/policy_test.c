/* SPDX-License-Identifier: Apache-2.0
 *
 * The seam of issue policies: masks, groups, warp limiting, fetch groups.
 */
#include "base/seeded.h"

#include "issue/policy.h"
#include "issue/swl.h"
#include "issue/two_level.h"

static const uint64_t all = ~UINT64_C(0);

TEST(a_policy_holds_nobody_at_first) {
    struct issue_policy p;
    policy_init(&p);
    assert_true(policy_allowed(&p, all, all, all) == all);
    assert_true(policy_allowed(&p, 0x3c, 0, 0) == 0x3c);
    assert_int_equal(p.groups, 0);
}

TEST(can_issue_holds_a_warp_and_can_load_its_memory_instructions) {
    struct issue_policy p;
    policy_init(&p);
    p.can_issue = ~UINT64_C(1);
    p.can_load = ~UINT64_C(6);
    /* Warp 0 is held altogether, warps 1 and 2 as far as they load: 1 does, 2 does not. */
    assert_true(policy_allowed(&p, 0xf, 0x2, 0x2) == 0xc);
}

TEST(can_load_cached_holds_cached_loads_and_no_other_access) {
    struct issue_policy p;
    policy_init(&p);
    p.can_load_cached = ~UINT64_C(6);
    /* Of the two that are held warp 1 has a cached load next, warp 2 a store. */
    assert_true(policy_allowed(&p, 0xf, 0xe, 0xa) == 0xd);
}

TEST(swl_chooses_the_oldest_and_of_one_cta_the_lower_slots) {
    const uint64_t age[64] = {[0] = 7, [1] = 7, [2] = 3, [3] = 3, [4] = 9};
    assert_true(swl_allowed(0x1f, 1, age) == 0x04);
    assert_true(swl_allowed(0x1f, 2, age) == 0x0c);
    assert_true(swl_allowed(0x1f, 3, age) == 0x0d);
    assert_true(swl_allowed(0x1f, 5, age) == 0x1f);
    assert_true(swl_allowed(0x1f, 64, age) == 0x1f);
    assert_true(swl_allowed(0, 3, age) == 0);
}

/* An oldest warp that waits at a barrier gives its place to the next one. */
TEST(swl_counts_only_who_is_eligible) {
    const uint64_t age[64] = {[0] = 1, [1] = 2, [2] = 3};
    assert_true(swl_allowed(0x6, 1, age) == 0x2);
}

TEST(random_limits_agree_with_the_definition) {
    struct rng rng = seeded_rng(0);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t eligible = rng_next(&rng) & rng_next(&rng), age[64], chosen;
        unsigned limit = 1 + rng_below(&rng, 20);
        for (unsigned w = 0; w < 64; w++) {
            age[w] = rng_below(&rng, 10);
        }
        chosen = swl_allowed(eligible, limit, age);
        for (unsigned w = 0; w < 64; w++) {
            unsigned before = 0; /* eligible warps that are older */
            for (unsigned o = 0; o < 64; o++) {
                before += eligible >> o & 1 && (age[o] < age[w] || (age[o] == age[w] && o < w));
            }
            assert_true((chosen >> w & 1) == (eligible >> w & 1 && before < limit));
        }
    }
}

/* Narasiman et al.: warps of a scheduler in groups, the last may be smaller. */
TEST(fetch_groups_are_a_schedulers_warps_in_order) {
    static const uint64_t mine[] = {0x5555, 0x0aaa}; /* 8 warps: 3 + 3 + 2; 6: 3 + 3 */
    struct issue_policy p;
    policy_init(&p);
    two_level_form_groups(&p, mine, 2, 3);
    assert_int_equal(p.groups, 3);
    assert_true(p.group_warps[0] == (0x15 | 0x2a) && p.group_warps[1] == (0x540 | 0xa80) &&
                p.group_warps[2] == 0x5000);
    assert_true(p.strict && p.rotates);
}
