/* SPDX-License-Identifier: Apache-2.0
 *
 * The intra-loop repetition detector (DAWS 5.2.2).
 */
#include "base/seeded.h"

#include "issue/daws_repetition.h"

static struct daws_repetition empty_detector(void) {
    struct daws_repetition r;
    daws_repetition_init(&r, 64, 8);
    return r;
}

TEST(two_loads_of_one_line_in_a_trip_are_a_pair_5_2_2) {
    struct daws_repetition r = empty_detector();
    uint32_t other = 0;
    assert_false(daws_repetition_probe(&r, 0, 77, 10, &other));
    assert_true(daws_repetition_probe(&r, 0, 77, 11, &other));
    assert_int_equal(other, 10);
    assert_true(daws_repetition_probe(&r, 0, 77, 12, &other));
    assert_int_equal(other, 10); /* the entry keeps its load */
}

TEST(a_load_makes_no_pair_with_itself_5_2_2) {
    struct daws_repetition r = empty_detector();
    uint32_t other;
    assert_false(daws_repetition_probe(&r, 0, 77, 10, &other));
    assert_false(daws_repetition_probe(&r, 0, 77, 10, &other));
}

TEST(the_next_trip_forgets_5_2_2) {
    struct daws_repetition r = empty_detector();
    uint32_t other;
    daws_repetition_probe(&r, 0, 77, 10, &other);
    daws_repetition_probe(&r, 1, 88, 20, &other);
    daws_repetition_clear(&r, 0);
    assert_false(daws_repetition_probe(&r, 0, 77, 11, &other));
    assert_true(daws_repetition_probe(&r, 1, 88, 21, &other)); /* another warp's stay */
}

TEST(lines_of_two_warps_do_not_meet_5_2_2) {
    struct daws_repetition r = empty_detector();
    uint32_t other;
    daws_repetition_probe(&r, 0, 77, 10, &other);
    assert_false(daws_repetition_probe(&r, 1, 77, 11, &other));
    assert_true(daws_repetition_probe(&r, 0, 77, 11, &other));
}

TEST(the_least_recently_used_line_of_a_full_set_leaves_5_2_2) {
    struct daws_repetition r = empty_detector();
    uint32_t other;
    for (unsigned i = 0; i < 8; i++) {
        daws_repetition_probe(&r, 0, 8 * i, 10, &other); /* all of set 0 */
    }
    assert_true(daws_repetition_probe(&r, 0, 0, 11, &other)); /* line 0 is the last used */
    daws_repetition_probe(&r, 0, 8 * 8, 10, &other);          /* line 8 leaves */
    daws_repetition_probe(&r, 0, 1, 10, &other);              /* of another set: nothing */
    assert_true(daws_repetition_probe(&r, 0, 0, 11, &other));
    assert_true(daws_repetition_probe(&r, 0, 8 * 2, 11, &other));
    assert_false(daws_repetition_probe(&r, 0, 8, 11, &other));
}

/* The definition, of a detector that is never full: the trip's first load of the line. */
TEST(random_accesses_make_the_pairs_of_the_definition) {
    static uint32_t first[4][16]; /* [warp][line] */
    struct daws_repetition r = empty_detector();
    struct rng rng = seeded_rng(0);
    unsigned pairs = 0;
    for (unsigned i = 0; i < 20000; i++) {
        unsigned warp = rng_below(&rng, 4), line = rng_below(&rng, 16);
        uint32_t pc = 1 + rng_below(&rng, 3), other = 0;
        if (rng_chance(&rng, 1, 10)) {
            daws_repetition_clear(&r, warp);
            memset(first[warp], 0, sizeof first[warp]);
        }
        bool pair = daws_repetition_probe(&r, warp, line, pc, &other);
        assert_true(pair == (first[warp][line] && first[warp][line] != pc));
        assert_true(!pair || other == first[warp][line]);
        first[warp][line] = first[warp][line] ? first[warp][line] : pc;
        pairs += pair;
    }
    assert_true(pairs > 1000);
}
