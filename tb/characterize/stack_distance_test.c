/* SPDX-License-Identifier: Apache-2.0
 *
 * Stack distances and the numbering of lines, against a list in the order of last use.
 */
#include "base/seeded.h"

#include <stdlib.h>
#include <string.h>

#include "characterize/reuse.h"
#include "kernel/warp_stream.h"

static struct stack_touch touch_stack_line(struct stack_distance *s, uint64_t line,
                                           uint32_t owner) {
    struct stack_touch before;
    assert_true(stack_distance_touch(s, line, owner, &before));
    return before;
}

TEST(a_distance_counts_other_lines_once) {
    static const uint64_t lines[] = {7, 8, 9, 8, 8, 7, 7};
    static const int distance[] = {-1, -1, -1, 1, 0, 2, 0};
    CLOSED_BY(stack_distance_destroy) struct stack_distance s = {0};
    for (unsigned i = 0; i < 7; i++) {
        struct stack_touch before = touch_stack_line(&s, lines[i], i);
        assert_int_equal(before.near ? (int)before.distance : -1, distance[i]);
    }
}

/* The list: place 0 is the line used last. */
struct list {
    uint64_t line[512];
    uint32_t owner[512];
    unsigned count;
};

static int list_touch(struct list *l, uint64_t line, uint32_t owner, uint32_t *before) {
    unsigned i = 0;
    while (i < l->count && l->line[i] != line) {
        i++;
    }
    int distance = i < l->count ? (int)i : -1;
    if (i == l->count) {
        l->count++;
    } else {
        *before = l->owner[i];
    }
    memmove(&l->line[1], l->line, i * sizeof *l->line);
    memmove(&l->owner[1], l->owner, i * sizeof *l->owner);
    l->line[0] = line;
    l->owner[0] = owner;
    return distance;
}

/* 200000 touches of 500 lines: times run out and are numbered anew more than a hundred times. */
TEST(random_touches_are_as_in_a_list) {
    struct rng r = seeded_rng(1);
    CLOSED_BY(stack_distance_destroy) struct stack_distance s = {0};
    static struct list list;
    unsigned again = 0;
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t line = (uint64_t)rng_below(&r, i % 1000 < 500 ? 500 : 20) << 40;
        uint32_t owner = (uint32_t)rng_below(&r, 100), want_owner = 0;
        int want = list_touch(&list, line, owner, &want_owner);
        struct stack_touch got = touch_stack_line(&s, line, owner);
        assert_int_equal(got.near, want >= 0);
        if (got.near) {
            assert_int_equal(got.distance, want);
            assert_int_equal(got.owner, want_owner);
            again++;
        }
    }
    assert_true(again > 190000);
}

TEST(what_is_beyond_the_limit_is_not_near) {
    CLOSED_BY(stack_distance_destroy) struct stack_distance s = {0};
    for (unsigned round = 0; round < 2; round++) { /* the second finds lines that were dropped */
        for (uint64_t line = 0; line <= STACK_DISTANCE_LIMIT; line++) {
            assert_false(
                touch_stack_line(&s, line, 0).near); /* the limit's number of others in between */
        }
    }
    /* Line 1 is the oldest but one now: all but itself and line 0 have been touched since. */
    struct stack_touch before = touch_stack_line(&s, 1, 0);
    assert_true(before.near);
    assert_int_equal(before.distance, STACK_DISTANCE_LIMIT - 1);
    assert_true(s.live <= 2 * STACK_DISTANCE_LIMIT);
}

TEST(clearing_forgets_everything) {
    CLOSED_BY(stack_distance_destroy) struct stack_distance s = {0};
    for (unsigned era = 0; era < 100; era++) {
        for (uint64_t line = 0; line < 50 + era; line++) {
            assert_false(touch_stack_line(&s, line, 0).near);
            assert_int_equal(touch_stack_line(&s, line, 0).distance, 0);
        }
        stack_distance_clear(&s);
    }
}

TEST(lines_are_numbered_in_the_order_they_come) {
    struct line_map m = {0};
    uint32_t number, *value = NULL, room = 0;
    bool fresh;
    assert_false(line_map_find(&m, 3, &number));
    for (unsigned era = 0; era < 3; era++) {
        for (uint32_t i = 0; i < 5000; i++) {
            uint64_t key = (uint64_t)(i ^ era) << 33;
            assert_true(line_map_put(&m, key, &number, &fresh));
            assert_true(fresh && number == i);
            assert_true(line_map_room(&m, &value, &room, sizeof *value));
            value[number] = i;
        }
        for (uint32_t i = 0; i < 5000; i++) {
            assert_true(line_map_put(&m, (uint64_t)(i ^ era) << 33, &number, &fresh));
            assert_true(!fresh && number == i && value[number] == i);
        }
        assert_false(line_map_find(&m, 1, &number));
        line_map_clear(&m);
        assert_false(line_map_find(&m, 0, &number));
    }
    free(value);
    line_map_destroy(&m);
}

/* Distances 0, 1, 2-3, 4-7, ...; the last one ends where the limit begins. */
TEST(buckets_are_powers_of_two) {
    static const uint32_t distance[] = {0, 1, 2, 3, 4, 7, 8, 32767, 32768, 65535};
    static const unsigned bucket[] = {0, 1, 2, 2, 3, 3, 4, 15, 16, 16};
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(reuse_bucket(distance[i]), bucket[i]);
        assert_true(reuse_bucket_least(bucket[i]) <= distance[i]);
    }
    assert_int_equal(reuse_bucket(STACK_DISTANCE_LIMIT - 1), REUSE_BUCKETS - 1);
}

TEST(reuse_is_split_by_who_touched_the_line_before) {
    CLOSED_BY(stack_distance_destroy) struct stack_distance s = {0};
    struct reuse_counts c = {0};
    enum { CTA = CTA_WARPS_MAX };
    assert_true(reuse_touch(&s, &c, 1, false, 3 * CTA + 2));
    assert_true(reuse_touch(&s, &c, 1, true, 3 * CTA + 2)); /* same warp */
    assert_true(reuse_touch(&s, &c, 1, true, 3 * CTA + 1)); /* same CTA */
    assert_true(reuse_touch(&s, &c, 1, true, 4 * CTA + 1)); /* another */
    assert_true(reuse_touch(&s, &c, 2, false, 0));
    assert_true(reuse_touch(&s, &c, 1, true, 4 * CTA + 1)); /* same warp, one line between */
    stack_distance_clear(&s);
    assert_true(reuse_touch(&s, &c, 1, true, 0)); /* known to have been touched, but not when */
    assert_int_equal(c.first, 2);
    assert_int_equal(c.far, 1);
    assert_int_equal(c.near[REUSE_SAME_WARP][0], 1);
    assert_int_equal(c.near[REUSE_SAME_WARP][1], 1);
    assert_int_equal(c.near[REUSE_SAME_CTA][0], 1);
    assert_int_equal(c.near[REUSE_OTHER_CTA][0], 1);
}

/* The 2^32nd clear: keys of the first era would be in the map again. */
TEST(cleared_keys_stay_away_when_eras_begin_anew) {
    struct line_map m = {0};
    uint32_t number;
    bool fresh;
    line_map_clear(&m); /* era 1 */
    assert_true(line_map_put(&m, 42, &number, &fresh) && fresh);
    m.era = UINT32_MAX;
    line_map_clear(&m);
    assert_int_equal(m.era, 1);
    assert_false(line_map_find(&m, 42, &number));
    assert_true(line_map_put(&m, 42, &number, &fresh) && fresh);
    assert_int_equal(number, 0);
    line_map_destroy(&m);
}
