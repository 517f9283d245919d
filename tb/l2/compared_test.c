/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of what MeDiC is compared with: the filter of EAF, the tokens of PCAL, the lot of Rand.
 */
#include "base/unit_tests.h"
#include "l2/address_filter.h"
#include "l2/draw.h"
#include "l2/tokens.h"

TEST(a_filter_knows_all_that_it_was_told) {
    struct address_filter f;
    assert_true(address_filter_init(&f, 8192, 4, 1024));
    for (uint64_t line = 0; line < 1000; line++) {
        address_filter_insert(&f, line * 977);
    }
    for (uint64_t line = 0; line < 1000; line++) {
        assert_true(address_filter_knows(&f, line * 977));
    }
    address_filter_destroy(&f);
}

/* (1 - e^(-4 * 1000 / 8192))^4 = 2.2 % of other addresses. */
TEST(a_full_filter_takes_few_others_for_known) {
    struct address_filter f;
    unsigned wrong = 0;
    assert_true(address_filter_init(&f, 8192, 4, 1024));
    for (uint64_t line = 0; line < 1000; line++) {
        address_filter_insert(&f, line);
    }
    for (uint64_t line = 1000; line < 11000; line++) {
        wrong += address_filter_knows(&f, line);
    }
    assert_in_range(wrong, 150, 320);
    address_filter_destroy(&f);
}

TEST(a_filter_is_emptied_after_its_number_of_addresses) {
    struct address_filter f;
    assert_true(address_filter_init(&f, 64, 2, 3));
    address_filter_insert(&f, 1);
    address_filter_insert(&f, 2);
    assert_true(address_filter_knows(&f, 1));
    address_filter_insert(&f, 3);
    assert_false(address_filter_knows(&f, 1) || address_filter_knows(&f, 3));
    address_filter_insert(&f, 1);
    assert_true(address_filter_knows(&f, 1));
    address_filter_destroy(&f);
}

TEST(tokens_go_to_warps_in_order_of_their_arrival) {
    CLOSED_BY(tokens_destroy) struct tokens t;
    assert_true(tokens_init(&t, 8, 2));
    assert_true(tokens_use(&t, 5));
    assert_true(tokens_use(&t, 3));
    assert_false(tokens_use(&t, 1));
    assert_true(tokens_use(&t, 5));
}

TEST(an_epoch_grants_them_to_the_latest_users_first) {
    CLOSED_BY(tokens_destroy) struct tokens t;
    assert_true(tokens_init(&t, 8, 2));
    for (unsigned warp = 0; warp < 5; warp++) {
        (void)tokens_use(&t, warp);
    }
    (void)tokens_use(&t, 1); /* now 1 and 4 are the latest */
    tokens_epoch(&t);
    for (unsigned warp = 0; warp < 5; warp++) {
        assert_int_equal(tokens_use(&t, warp), warp == 1 || warp == 4);
    }
}

TEST(what_is_left_over_goes_to_who_comes) {
    CLOSED_BY(tokens_destroy) struct tokens t;
    assert_true(tokens_init(&t, 8, 3));
    (void)tokens_use(&t, 6);
    tokens_epoch(&t); /* 6 keeps its token, two are left */
    assert_true(tokens_use(&t, 0));
    assert_true(tokens_use(&t, 1));
    assert_false(tokens_use(&t, 2));
    assert_true(tokens_use(&t, 6));
    tokens_epoch(&t); /* 6, 2 and 1 */
    tokens_epoch(&t); /* nobody has used the cache since */
    assert_true(tokens_use(&t, 0));
}

TEST(without_tokens_nobody_has_one_and_with_enough_everybody) {
    CLOSED_BY(tokens_destroy) struct tokens none, all;
    assert_true(tokens_init(&none, 4, 0) && tokens_init(&all, 4, 100));
    for (unsigned warp = 0; warp < 4; warp++) {
        assert_false(tokens_use(&none, warp));
        assert_true(tokens_use(&all, warp));
    }
    tokens_epoch(&none);
    tokens_epoch(&all);
    assert_false(tokens_use(&none, 0));
    assert_true(tokens_use(&all, 3));
}

TEST(the_lot_draws_its_percentage_anew_each_period) {
    unsigned drawn = 0, both = 0;
    for (unsigned period = 0; period < 20; period++) {
        for (unsigned warp = 0; warp < 720; warp++) {
            bool now = draw_bypasses(period, warp, 30);
            drawn += now;
            both += now && draw_bypasses(period + 1, warp, 30);
            assert_false(draw_bypasses(period, warp, 0));
            assert_true(draw_bypasses(period, warp, 100));
        }
    }
    assert_in_range(drawn, 14400 * 28 / 100, 14400 * 32 / 100);
    assert_in_range(both, 14400 * 7 / 100, 14400 * 11 / 100); /* 0.3 x 0.3 */
}
