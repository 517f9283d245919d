/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of units against flags, and turns among them.
 */
#include "base/unit_set.h"

#include "base/seeded.h"

TEST(sets_agree_with_flags) {
    struct rng rng = seeded_rng(0);
    struct unit_set s = {{0}};
    bool flag[UNITS_MAX] = {false};
    for (unsigned step = 0; step < 200000; step++) {
        unsigned unit = rng_below(&rng, UNITS_MAX), count = 0, first = UNITS_MAX, after = UNITS_MAX;
        bool few = step % 1000 < 500;
        if (rng_chance(&rng, few ? 1 : 3, 4)) {
            unit_set_add(&s, unit);
            flag[unit] = true;
        } else {
            unit_set_remove(&s, unit);
            flag[unit] = false;
        }
        for (unsigned i = UNITS_MAX; i-- > 0;) {
            assert_int_equal(unit_set_has(&s, i), flag[i]);
            count += flag[i];
            first = flag[i] ? i : first;
            after = flag[i] && i > unit ? i : after;
        }
        assert_int_equal(unit_set_is_empty(&s), !count);
        if (count) {
            assert_int_equal(unit_set_first(&s), first);
            assert_int_equal(unit_set_after(&s, unit), after < UNITS_MAX ? after : first);
        }
    }
}

TEST(words_hold_64_units_each) {
    assert_int_equal(unit_words(1), 1);
    assert_int_equal(unit_words(64), 1);
    assert_int_equal(unit_words(65), 2);
    assert_int_equal(unit_words(129), 3);
    assert_int_equal(unit_words(UNITS_MAX), UNIT_WORDS);
}
