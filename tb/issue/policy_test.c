/* SPDX-License-Identifier: Apache-2.0
 *
 * The seam of issue policies: masks, classes, warp limiting, fetch groups.
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
    assert_true(policy_allowed(&p, 0xf0, 0x3c, 0) == 0x30); /* a scheduler's own warps alone */
}

TEST(can_issue_holds_a_warp_and_can_load_its_memory_instructions) {
    struct issue_policy p;
    policy_init(&p);
    p.can_issue = ~UINT64_C(1);
    p.can_load = ~UINT64_C(6);
    /* Warp 0 is held altogether, warps 1 and 2 as far as they load: 1 does, 2 does not. */
    assert_true(policy_allowed(&p, all, 0xf, 0x2) == 0xc);
}

TEST(the_lowest_class_with_a_candidate_issues) {
    struct issue_policy p;
    policy_init(&p);
    policy_classify(&p, 0x0f, 2);
    policy_classify(&p, 0xf0, 1);
    assert_true(policy_allowed(&p, 0xff, 0xff, 0) == 0xf0);
    assert_true(policy_allowed(&p, 0xff, 0x2f, 0) == 0x20);
    assert_true(policy_allowed(&p, 0xff, 0x0a, 0) == 0x0a);
    assert_true(policy_allowed(&p, 0xff, 0, 0) == 0);
    policy_classify(&p, 0x0f, 0); /* out of class 2 */
    assert_true(policy_allowed(&p, 0xff, 0xff, 0) == 0x0f);
}

TEST(a_strict_class_keeps_its_scheduler_until_all_its_warps_stall) {
    struct issue_policy p;
    policy_init(&p);
    p.strict = true;
    policy_classify(&p, 0x0f, 0);
    policy_classify(&p, 0xf0, 1);
    p.unstalled = 0xf1; /* warp 0 waits for a result, 1 to 3 for memory */
    assert_true(policy_allowed(&p, 0xff, 0xf0, 0) == 0);
    p.unstalled = 0xf0;
    assert_true(policy_allowed(&p, 0xff, 0xf0, 0) == 0xf0);
    /* Warps of another scheduler do not keep it. */
    p.unstalled = 0xf1;
    assert_true(policy_allowed(&p, 0xfe, 0xf0, 0) == 0xf0);
}

TEST(a_warp_that_the_policy_holds_does_not_keep_its_class) {
    struct issue_policy p;
    policy_init(&p);
    p.strict = true;
    policy_classify(&p, 0x0f, 0);
    policy_classify(&p, 0xf0, 1);
    p.unstalled = 0xff;
    p.can_issue = 0xf0;
    assert_true(policy_allowed(&p, 0xff, 0xff, 0) == 0xf0);
    p.can_issue = all;
    p.can_load = 0xf0;
    assert_true(policy_allowed(&p, 0xff, 0xff, 0x0f) == 0xf0);
    assert_true(policy_allowed(&p, 0xff, 0xff, 0x0e) == 0x01);
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
    struct two_level t;
    two_level_init(&t, 0x5555, 3); /* warps 0, 2, ... 14: 3 + 3 + 2 */
    assert_int_equal(t.groups, 3);
    assert_true(t.group[0] == 0x15 && t.group[1] == 0x540 && t.group[2] == 0x5000);
}

TEST(groups_take_turns_from_the_one_that_issued_last) {
    struct issue_policy p;
    struct two_level t;
    policy_init(&p);
    p.strict = true;
    two_level_init(&t, 0xff, 3); /* 0x07, 0x38, 0xc0 */
    two_level_classify(&t, &p);
    p.unstalled = 0xf8; /* group 0 stalls */
    assert_true(policy_allowed(&p, 0xff, 0xf8, 0) == 0x38);
    assert_false(two_level_issued(&t, 1));
    assert_int_equal(t.current, 0);
    assert_true(two_level_issued(&t, 4));
    assert_int_equal(t.current, 1);
    two_level_classify(&t, &p);
    p.unstalled = 0xc7; /* group 1 stalls: after it comes 2, though 0 goes again */
    assert_true(policy_allowed(&p, 0xff, 0xc7, 0) == 0xc0);
    p.unstalled = 0x07;
    assert_true(policy_allowed(&p, 0xff, 0x07, 0) == 0x07);
}
