/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags: set index, LRU, reserved lines.
 */
#include "base/seeded.h"

#include <string.h>

#include "base/request.h"
#include "base/tag_array.h"

TEST(modulo_index_takes_the_low_bits) {
    enum { SETS = 32 };
    CLOSED_BY(tag_array_destroy) struct tag_array t;
    struct rng rng = seeded_rng(0);
    assert_true(tag_array_init(&t, SETS, 4, TAG_INDEX_MODULO));
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t line = rng_next(&rng) >> rng_below(&rng, 60);
        assert_int_equal(tag_set_of(&t, line), line % SETS);
    }
}

TEST(xor_index_spreads_a_column_over_all_sets) {
    enum { SETS = 32 };
    CLOSED_BY(tag_array_destroy) struct tag_array t;
    uint64_t seen = 0;
    assert_true(tag_array_init(&t, SETS, 4, TAG_INDEX_XOR));
    for (uint64_t row = 0; row < SETS; row++) {
        uint64_t line = row * SETS; /* all in set 0 by modulo */
        assert_int_equal(tag_set_of(&t, line), (line ^ line / SETS) % SETS);
        seen |= UINT64_C(1) << tag_set_of(&t, line);
    }
    assert_true(seen == UINT32_MAX);
}

/* Each bit of a line's number reaches the index: with 2^n sets the bits k, k + n, ... its bit k. */
TEST(xor_all_index_folds_every_group_of_bits) {
    for (unsigned bits = 1; bits <= 16; bits++) {
        CLOSED_BY(tag_array_destroy) struct tag_array t;
        struct rng rng = seeded_rng(bits);
        assert_true(tag_array_init(&t, 1u << bits, 1, TAG_INDEX_XOR_ALL));
        for (unsigned i = 0; i < 200; i++) {
            uint64_t line = rng_next(&rng) >> rng_below(&rng, 60);
            unsigned set = 0;
            for (uint64_t left = line; left; left >>= bits) {
                set ^= left & ((1u << bits) - 1);
            }
            assert_int_equal(tag_set_of(&t, line), set);
        }
    }
}

/* Nugteren et al., HPCA 2014: byte-address bits 7..11 XOR 13, 14, 15, 17, 19; of 64 sets bit 12 is
 * the top bit. Each bit of a line number for itself, and sums of them: the hash is linear. */
TEST(fermi_index_is_the_published_hash) {
    static const unsigned set_of_bit[16] = {1, 2, 4, 8, 16, 32, 1, 2, 4, 0, 8, 0, 16, 0, 0, 0};
    static const unsigned sets[] = {32, 64};
    for (unsigned k = 0; k < 2; k++) {
        CLOSED_BY(tag_array_destroy) struct tag_array t;
        struct rng rng = seeded_rng(k);
        assert_true(tag_array_init(&t, sets[k], 6, TAG_INDEX_FERMI));
        for (unsigned i = 0; i < 1000; i++) {
            uint64_t line = rng_next(&rng) >> rng_below(&rng, 60);
            unsigned set = 0;
            for (unsigned bit = 0; bit < 16; bit++) {
                set ^= line >> bit & 1 ? set_of_bit[bit] : 0;
            }
            assert_int_equal(tag_set_of(&t, line), set % sets[k]);
        }
    }
}

TEST(a_single_set_takes_every_line) {
    static const enum tag_index index[] = {TAG_INDEX_MODULO, TAG_INDEX_XOR, TAG_INDEX_XOR_ALL};
    for (unsigned i = 0; i < 3; i++) {
        CLOSED_BY(tag_array_destroy) struct tag_array t;
        assert_true(tag_array_init(&t, 1, 4, index[i]));
        assert_int_equal(tag_set_of(&t, 0x123456789), 0);
    }
}

TEST(the_least_recently_used_line_goes_first) {
    CLOSED_BY(tag_array_destroy) struct tag_array t;
    assert_true(tag_array_init(&t, 1, 3, TAG_INDEX_MODULO));
    for (uint64_t line = 10; line < 13; line++) {
        tag_insert(&t, 0, tag_victim(&t, 0), line);
    }
    tag_touch(&t, 0, tag_find(&t, 0, 10));
    assert_int_equal(tag_victim(&t, 0), tag_find(&t, 0, 11));
    tag_touch(&t, 0, tag_find(&t, 0, 11));
    assert_int_equal(tag_victim(&t, 0), tag_find(&t, 0, 12));
}

TEST(a_fill_is_not_a_use) {
    CLOSED_BY(tag_array_destroy) struct tag_array t;
    assert_true(tag_array_init(&t, 1, 2, TAG_INDEX_MODULO));
    int first = tag_victim(&t, 0);
    tag_reserve(&t, 0, first, 1, 0);
    tag_insert(&t, 0, tag_victim(&t, 0), 2);
    tag_fill(&t, 0, first);
    assert_int_equal(tag_victim(&t, 0), first);
}

TEST(a_set_of_reserved_lines_has_no_victim) {
    enum { WAYS = 4 };
    CLOSED_BY(tag_array_destroy) struct tag_array t;
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
}

TEST(a_way_that_is_given_away_is_clean) {
    CLOSED_BY(tag_array_destroy) struct tag_array t;
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

TEST(random_streams_agree_with_a_naive_lru) {
    static const struct {
        unsigned sets, ways;
        enum tag_index index;
        bool wide;
    } shape[] = {{1, 1, TAG_INDEX_MODULO, false}, {32, 4, TAG_INDEX_MODULO, false},
                 {32, 4, TAG_INDEX_XOR, false},   {1, 64, TAG_INDEX_XOR, false},
                 {4, 6, TAG_INDEX_XOR, false},    {2, 3, TAG_INDEX_MODULO, false},
                 {32, 4, TAG_INDEX_FERMI, false}, {1, 1, TAG_INDEX_MODULO, true},
                 {4, 6, TAG_INDEX_XOR, true},     {2, 65, TAG_INDEX_MODULO, false},
                 {1, 130, TAG_INDEX_XOR, false}};
    static struct naive_way naive[130];
    for (unsigned k = 0; k < sizeof shape / sizeof *shape; k++) {
        unsigned sets = shape[k].sets, ways = shape[k].ways, reserved = 0, no_victim = 0,
                 evicted = 0;
        struct rng rng = seeded_rng(k);
        CLOSED_BY(tag_array_destroy) struct tag_array t;
        memset(naive, 0, sizeof naive);
        assert_true(
            (shape[k].wide ? tag_array_init_wide : tag_array_init)(&t, sets, ways, shape[k].index));
        assert_int_equal(t.wide != NULL, shape[k].wide || ways > TAG_WAYS_SMALL);
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
                } else if (rng_chance(&rng, 1, 5000)) {
                    tag_invalidate_valid(&t);
                    for (unsigned i = 0; i < sets * ways; i++) {
                        if (naive[i].state == VALID) {
                            naive[i].state = INVALID;
                            naive[i].dirty = false;
                        }
                    }
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
    }
}

/* The two forms, given the same: the same lines are there, dirty and evicted. */
TEST(the_wide_form_answers_as_the_small_one) {
    enum { SETS = 4, WAYS = 24, LINES = 300 };
    struct tag_array form[2];
    struct rng rng = seeded_rng(0);
    unsigned full = 0;
    assert_true(tag_array_init(&form[0], SETS, WAYS, TAG_INDEX_XOR));
    assert_true(tag_array_init_wide(&form[1], SETS, WAYS, TAG_INDEX_XOR));
    for (unsigned step = 0; step < 200000; step++) {
        uint64_t line = rng_below(&rng, LINES);
        unsigned set = tag_set_of(&form[0], line), kind = rng_below(&rng, 100);
        uint64_t victim[2];
        bool there[2], valid[2] = {false}, dirty[2] = {false};
        for (unsigned f = 0; f < 2; f++) {
            struct tag_array *t = &form[f];
            int way = tag_find(t, set, line);
            there[f] = way != TAG_NO_WAY;
            victim[f] = NEVER;
            if (there[f]) {
                valid[f] = tag_is_valid(t, set, way);
                dirty[f] = tag_is_dirty(t, set, way);
                if (!valid[f] && kind < 30) {
                    tag_fill(t, set, way);
                } else if (valid[f] && kind < 5) {
                    tag_invalidate(t, set, way);
                } else if (kind < 20) {
                    tag_set_dirty(t, set, way);
                } else {
                    tag_touch(t, set, way);
                }
                continue;
            }
            way = tag_victim(t, set);
            if (way == TAG_NO_WAY) {
                continue;
            }
            victim[f] = tag_is_valid(t, set, way) ? tag_line(t, set, way) : NEVER - 1;
            if (kind < 80) {
                tag_reserve(t, set, way, line, step % 256);
            } else {
                tag_insert(t, set, way, line);
            }
        }
        assert_true(there[0] == there[1] && valid[0] == valid[1] && dirty[0] == dirty[1]);
        assert_true(victim[0] == victim[1]);
        full += !there[0] && victim[0] == NEVER;
        assert_true(step % 256 || tag_reserved_count(&form[0]) == tag_reserved_count(&form[1]));
    }
    assert_true(full > 100);
    tag_array_destroy(&form[0]);
    tag_array_destroy(&form[1]);
}

/* MRPB 2.4, figure 5: an 8 MB fully associative cache has 65536 lines of 128 bytes. */
TEST(a_set_can_hold_a_whole_large_cache) {
    enum { WAYS = 131072 };
    CLOSED_BY(tag_array_destroy) struct tag_array t;
    assert_true(tag_array_init(&t, 1, WAYS, TAG_INDEX_MODULO));
    for (uint64_t line = 0; line < WAYS; line++) {
        tag_insert(&t, 0, tag_victim(&t, 0), line * 4096);
    }
    tag_touch(&t, 0, tag_find(&t, 0, 0));
    for (uint64_t line = 0; line < WAYS; line++) {
        assert_int_not_equal(tag_find(&t, 0, line * 4096), TAG_NO_WAY);
    }
    assert_true(tag_line(&t, 0, tag_victim(&t, 0)) == 4096); /* 0 was used again */
}

TEST(a_demoted_line_goes_first_and_the_last_one_first_of_all) {
    CLOSED_BY(tag_array_destroy) struct tag_array t;
    assert_true(tag_array_init(&t, 1, 4, TAG_INDEX_MODULO));
    for (int way = 0; way < 4; way++) {
        tag_insert(&t, 0, way, (uint64_t)way);
    }
    tag_demote(&t, 0, 2);
    assert_int_equal(tag_victim(&t, 0), 2);
    tag_demote(&t, 0, 3);
    assert_int_equal(tag_victim(&t, 0), 3);
    tag_touch(&t, 0, 3);
    tag_touch(&t, 0, 2);
    assert_int_equal(tag_victim(&t, 0), 0);
}
