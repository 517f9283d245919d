/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags: set index, LRU, reserved lines.
 */
#include "base/seeded.h"

#include <string.h>

#include "base/tag_array.h"

static void modulo_index_takes_the_low_bits(void **state) {
    (void)state;
    enum { SETS = 32 };
    struct tag_array t;
    struct rng rng = seeded(0);
    assert_true(tag_array_init(&t, SETS, 4, TAG_INDEX_MODULO));
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t line = rng_next(&rng) >> rng_below(&rng, 60);
        assert_int_equal(tag_set_of(&t, line), line % SETS);
    }
    tag_array_destroy(&t);
}

static void xor_index_spreads_a_column_over_all_sets(void **state) {
    (void)state;
    enum { SETS = 32 };
    struct tag_array t;
    uint64_t seen = 0;
    assert_true(tag_array_init(&t, SETS, 4, TAG_INDEX_XOR));
    for (uint64_t row = 0; row < SETS; row++) {
        uint64_t line = row * SETS; /* all in set 0 by modulo */
        assert_int_equal(tag_set_of(&t, line), (line ^ line / SETS) % SETS);
        seen |= UINT64_C(1) << tag_set_of(&t, line);
    }
    assert_true(seen == UINT32_MAX);
    tag_array_destroy(&t);
}

static void a_single_set_takes_every_line(void **state) {
    (void)state;
    static const enum tag_index index[] = {TAG_INDEX_MODULO, TAG_INDEX_XOR};
    for (unsigned i = 0; i < 2; i++) {
        struct tag_array t;
        assert_true(tag_array_init(&t, 1, 4, index[i]));
        assert_int_equal(tag_set_of(&t, 0x123456789), 0);
        tag_array_destroy(&t);
    }
}

static void the_least_recently_used_line_goes_first(void **state) {
    (void)state;
    struct tag_array t;
    assert_true(tag_array_init(&t, 1, 3, TAG_INDEX_MODULO));
    for (uint64_t line = 10; line < 13; line++) {
        tag_insert(&t, 0, tag_victim(&t, 0), line);
    }
    tag_touch(&t, 0, tag_find(&t, 0, 10));
    assert_int_equal(tag_victim(&t, 0), tag_find(&t, 0, 11));
    tag_touch(&t, 0, tag_find(&t, 0, 11));
    assert_int_equal(tag_victim(&t, 0), tag_find(&t, 0, 12));
    tag_array_destroy(&t);
}

static void a_fill_is_not_a_use(void **state) {
    (void)state;
    struct tag_array t;
    assert_true(tag_array_init(&t, 1, 2, TAG_INDEX_MODULO));
    int first = tag_victim(&t, 0);
    tag_reserve(&t, 0, first, 1, 0);
    tag_insert(&t, 0, tag_victim(&t, 0), 2);
    tag_fill(&t, 0, first);
    assert_int_equal(tag_victim(&t, 0), first);
    tag_array_destroy(&t);
}

static void a_set_of_reserved_lines_has_no_victim(void **state) {
    (void)state;
    enum { WAYS = 4 };
    struct tag_array t;
    assert_true(tag_array_init(&t, 2, WAYS, TAG_INDEX_MODULO));
    for (unsigned i = 0; i < WAYS; i++) {
        int way = tag_victim(&t, 1);
        assert_int_not_equal(way, TAG_NO_WAY);
        tag_reserve(&t, 1, way, 1 + 2 * i, 7 + i);
        assert_int_equal(tag_mshr(&t, 1, tag_find(&t, 1, 1 + 2 * i)), 7 + i);
    }
    assert_int_equal(tag_victim(&t, 1), TAG_NO_WAY);
    assert_int_equal(tag_reserved_count(&t), WAYS);
    assert_int_not_equal(tag_victim(&t, 0), TAG_NO_WAY); /* of the other set */
    tag_fill(&t, 1, 2);
    assert_int_equal(tag_victim(&t, 1), 2);
    tag_array_destroy(&t);
}

static void a_way_that_is_given_away_is_clean(void **state) {
    (void)state;
    struct tag_array t;
    assert_true(tag_array_init(&t, 1, 1, TAG_INDEX_MODULO));
    tag_insert(&t, 0, 0, 5);
    tag_set_dirty(&t, 0, 0);
    assert_true(tag_is_dirty(&t, 0, 0));
    tag_insert(&t, 0, 0, 6);
    assert_false(tag_is_dirty(&t, 0, 0));
    tag_set_dirty(&t, 0, 0);
    tag_reserve(&t, 0, 0, 7, 0);
    assert_false(tag_is_dirty(&t, 0, 0));
    tag_fill(&t, 0, 0);
    tag_set_dirty(&t, 0, 0);
    tag_invalidate(&t, 0, 0);
    assert_false(tag_is_dirty(&t, 0, 0));
    assert_int_equal(tag_find(&t, 0, 7), TAG_NO_WAY);
    tag_array_destroy(&t);
}

/* The reference: each way of each set as a record, uses numbered by the step in which they
 * happened. */
enum way_state { INVALID, RESERVED, VALID };

struct naive_way {
    enum way_state state;
    bool dirty;
    uint64_t line, used;
    unsigned mshr;
};

static int naive_find(const struct naive_way *set, unsigned ways, uint64_t line) {
    for (unsigned w = 0; w < ways; w++) {
        if (set[w].state != INVALID && set[w].line == line) {
            return (int)w;
        }
    }
    return TAG_NO_WAY;
}

/* Any invalid way will do; else it is one certain way, or none. */
static void check_victim(const struct naive_way *set, unsigned ways, int victim) {
    int oldest = TAG_NO_WAY;
    bool invalid = false;
    for (unsigned w = 0; w < ways; w++) {
        invalid |= set[w].state == INVALID;
        if (set[w].state == VALID && (oldest == TAG_NO_WAY || set[w].used < set[oldest].used)) {
            oldest = (int)w;
        }
    }
    if (invalid) {
        assert_true(victim != TAG_NO_WAY && set[victim].state == INVALID);
    } else {
        assert_int_equal(victim, oldest);
    }
}

static void check_way(const struct tag_array *t, unsigned set, int way, const struct naive_way *n) {
    assert_int_equal(tag_is_valid(t, set, way), n->state == VALID);
    assert_int_equal(tag_is_dirty(t, set, way), n->dirty);
    assert_true(tag_line(t, set, way) == n->line);
    assert_true(n->state != RESERVED || tag_mshr(t, set, way) == n->mshr);
}

static void random_streams_agree_with_a_naive_lru(void **state) {
    (void)state;
    static const struct {
        unsigned sets, ways;
        enum tag_index index;
    } shape[] = {{1, 1, TAG_INDEX_MODULO}, {32, 4, TAG_INDEX_MODULO}, {32, 4, TAG_INDEX_XOR},
                 {1, 64, TAG_INDEX_XOR},   {4, 6, TAG_INDEX_XOR},     {2, 3, TAG_INDEX_MODULO}};
    static struct naive_way naive[128];
    for (unsigned k = 0; k < sizeof shape / sizeof *shape; k++) {
        unsigned sets = shape[k].sets, ways = shape[k].ways, reserved = 0, no_victim = 0,
                 evicted = 0;
        struct rng rng = seeded(k);
        struct tag_array t;
        memset(naive, 0, sizeof naive);
        assert_true(tag_array_init(&t, sets, ways, shape[k].index));
        for (uint64_t step = 1; step < 200000; step++) {
            uint64_t line =
                rng_below(&rng, sets * ways * 3) + (rng_chance(&rng, 1, 2) ? UINT64_C(1) << 40 : 0);
            unsigned set = tag_set_of(&t, line), kind = rng_below(&rng, 100);
            struct naive_way *in = &naive[set * ways];
            int way = tag_find(&t, set, line);
            assert_int_equal(way, naive_find(in, ways, line));
            if (way != TAG_NO_WAY) {
                check_way(&t, set, way, &in[way]);
                if (in[way].state == RESERVED && kind < 40) {
                    tag_fill(&t, set, way);
                    in[way].state = VALID;
                    reserved--;
                } else if (in[way].state == VALID && kind < 10) {
                    tag_invalidate(&t, set, way);
                    in[way].state = INVALID;
                    in[way].dirty = false;
                } else {
                    tag_touch(&t, set, way);
                    in[way].used = step;
                    if (kind > 80) {
                        tag_set_dirty(&t, set, way);
                        in[way].dirty = true;
                    }
                }
            } else {
                int victim = tag_victim(&t, set);
                check_victim(in, ways, victim);
                no_victim += victim == TAG_NO_WAY;
                if (victim != TAG_NO_WAY) {
                    check_way(&t, set, victim, &in[victim]);
                    evicted += in[victim].state == VALID;
                    in[victim] =
                        (struct naive_way){kind < 70 ? RESERVED : VALID, false, line, step, kind};
                    if (kind < 70) {
                        tag_reserve(&t, set, victim, line, kind);
                        reserved++;
                    } else {
                        tag_insert(&t, set, victim, line);
                    }
                    check_way(&t, set, victim, &in[victim]);
                }
            }
            assert_true(step % 64 || tag_reserved_count(&t) == reserved);
        }
        assert_true(no_victim > 100 && evicted > 1000);
        tag_array_destroy(&t);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modulo_index_takes_the_low_bits),
        cmocka_unit_test(xor_index_spreads_a_column_over_all_sets),
        cmocka_unit_test(a_single_set_takes_every_line),
        cmocka_unit_test(the_least_recently_used_line_goes_first),
        cmocka_unit_test(a_fill_is_not_a_use),
        cmocka_unit_test(a_set_of_reserved_lines_has_no_victim),
        cmocka_unit_test(a_way_that_is_given_away_is_clean),
        cmocka_unit_test(random_streams_agree_with_a_naive_lru),
    };
    return RUN_SEEDED(argc, argv, tests);
}
