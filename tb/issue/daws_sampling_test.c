/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of sampling warps (DAWS 5.2, 5.2.1).
 */
#include "base/unit_tests.h"

#include "issue/daws_sampling.h"

enum { LOOP = 100, OTHER = 200 };

static struct daws_sampling empty_sampling(void) {
    struct daws_sampling s;
    daws_sampling_init(&s, 8, 8);
    return s;
}

TEST(the_first_sampling_warp_needs_three_lanes_5_2) {
    struct daws_sampling s = empty_sampling();
    daws_sampling_enter(&s, LOOP, 0, 1);
    daws_sampling_enter(&s, LOOP, 1, 2);
    assert_false(daws_sampling_samples(&s, LOOP, 0) || daws_sampling_samples(&s, LOOP, 1));
    daws_sampling_enter(&s, LOOP, 2, 3);
    assert_true(daws_sampling_samples(&s, LOOP, 2));
}

TEST(a_loop_has_one_sampling_warp_until_it_leaves_5_2) {
    struct daws_sampling s = empty_sampling();
    daws_sampling_enter(&s, LOOP, 2, 32);
    daws_sampling_enter(&s, LOOP, 3, 32);
    assert_true(daws_sampling_samples(&s, LOOP, 2) && !daws_sampling_samples(&s, LOOP, 3));
    daws_sampling_leave(&s, LOOP, 3); /* not the one that samples */
    assert_true(daws_sampling_samples(&s, LOOP, 2));
    daws_sampling_leave(&s, LOOP, 2);
    assert_false(daws_sampling_samples(&s, LOOP, 2));
}

TEST(later_sampling_warps_need_two_lanes_5_2) {
    struct daws_sampling s = empty_sampling();
    daws_sampling_enter(&s, LOOP, 2, 32);
    daws_sampling_leave(&s, LOOP, 2);
    daws_sampling_enter(&s, LOOP, 4, 1);
    assert_false(daws_sampling_samples(&s, LOOP, 4));
    daws_sampling_enter(&s, LOOP, 5, 2);
    assert_true(daws_sampling_samples(&s, LOOP, 5));
}

TEST(a_sampling_warp_that_ends_samples_nothing) {
    struct daws_sampling s = empty_sampling();
    daws_sampling_enter(&s, LOOP, 2, 32);
    daws_sampling_enter(&s, OTHER, 2, 32);
    daws_sampling_exit(&s, 2);
    assert_false(daws_sampling_samples(&s, LOOP, 2) || daws_sampling_samples(&s, OTHER, 2));
    daws_sampling_enter(&s, LOOP, 3, 2);
    assert_true(daws_sampling_samples(&s, LOOP, 3));
}

TEST(two_loops_are_sampled_at_once_5_2) {
    struct daws_sampling s = empty_sampling();
    daws_sampling_enter(&s, LOOP, 0, 32);
    daws_sampling_enter(&s, OTHER, 1, 32);
    daws_sampling_feed(&s, LOOP, true);
    daws_sampling_feed(&s, OTHER, false);
    assert_true(daws_sampling_samples(&s, LOOP, 0) && daws_sampling_samples(&s, OTHER, 1));
    assert_true(daws_sampling_positive(&s, LOOP) && !daws_sampling_positive(&s, OTHER));
}

TEST(a_positive_counter_is_locality_5_2_1) {
    struct daws_sampling s = empty_sampling();
    daws_sampling_enter(&s, LOOP, 0, 32);
    assert_false(daws_sampling_positive(&s, LOOP)); /* 0 */
    daws_sampling_feed(&s, LOOP, true);
    assert_true(daws_sampling_positive(&s, LOOP));
    daws_sampling_feed(&s, LOOP, false);
    assert_false(daws_sampling_positive(&s, LOOP));
    daws_sampling_feed(&s, LOOP, false);
    daws_sampling_feed(&s, LOOP, true);
    assert_false(daws_sampling_positive(&s, LOOP));  /* -1, 0 */
    assert_false(daws_sampling_positive(&s, OTHER)); /* not there */
}

TEST(counters_saturate_5_2_1) {
    struct daws_sampling s = empty_sampling();
    daws_sampling_enter(&s, LOOP, 0, 32);
    for (unsigned i = 0; i < 500; i++) {
        daws_sampling_feed(&s, LOOP, true);
    }
    for (unsigned i = 0; i < 126; i++) {
        daws_sampling_feed(&s, LOOP, false);
    }
    assert_true(daws_sampling_positive(&s, LOOP)); /* 127 - 126 */
    daws_sampling_feed(&s, LOOP, false);
    assert_false(daws_sampling_positive(&s, LOOP));
    for (unsigned i = 0; i < 500; i++) {
        daws_sampling_feed(&s, LOOP, false);
    }
    for (unsigned i = 0; i < 128; i++) {
        daws_sampling_feed(&s, LOOP, true);
    }
    assert_false(daws_sampling_positive(&s, LOOP)); /* -128 + 128 */
    daws_sampling_feed(&s, LOOP, true);
    assert_true(daws_sampling_positive(&s, LOOP));
}

TEST(a_full_table_refuses_a_loop_and_counts) {
    struct daws_sampling s = empty_sampling();
    for (unsigned i = 0; i < 8; i++) {
        daws_sampling_enter(&s, 100 + i, i, 32);
    }
    daws_sampling_enter(&s, 108, 8, 32);
    assert_false(daws_sampling_samples(&s, 108, 8));
    assert_int_equal(s.refused, 1);
    daws_sampling_feed(&s, 108, true);
    assert_false(daws_sampling_positive(&s, 108));
    daws_sampling_leave(&s, 103, 3);
    daws_sampling_enter(&s, 103, 9, 32); /* one that is there */
    assert_true(daws_sampling_samples(&s, 103, 9));
    assert_int_equal(s.refused, 1);
}
