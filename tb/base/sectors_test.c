/* SPDX-License-Identifier: Apache-2.0
 *
 * Which MSHR fetches which sectors, against a list.
 */
#include "base/sectors.h"

#include "base/seeded.h"

enum { LINES = 8, MSHRS = 12 };

#define OPEN(name) \
    CLOSED_BY(close_sectors) struct sectors *name = sectors_create(LINES, MSHRS); \
    assert_non_null(name)

static void close_sectors(struct sectors **s) {
    sectors_destroy(*s);
}

TEST(a_fetch_is_found_by_any_of_its_sectors) {
    OPEN(s);
    assert_int_equal(sectors_begin_fetch(s, 3, 7, 0x3), 0x3);
    assert_int_equal(sectors_find_newest(s, 7, 0x1), 3);
    assert_int_equal(sectors_find_newest(s, 7, 0x6), 3);
    assert_int_equal(sectors_find_newest(s, 7, 0x4), SECTORS_NO_MSHR);
    assert_int_equal(sectors_find_newest(s, 8, 0x1), SECTORS_NO_MSHR);
    assert_int_equal(sectors_on_way(s, 7, 0x6), 0x2);
    assert_int_equal(sectors_end_fetch(s, 3), 0x3);
    assert_int_equal(sectors_on_way(s, 7, 0x3), 0);
    assert_int_equal(sectors_take_complete(s, 7), 3);
    assert_int_equal(sectors_take_complete(s, 7), SECTORS_NO_MSHR);
    assert_int_equal(sectors_find_newest(s, 7, 0), SECTORS_NO_MSHR);
}

TEST(a_fetch_leaves_sectors_that_are_on_their_way_and_awaits_them) {
    OPEN(s);
    assert_int_equal(sectors_begin_fetch(s, 0, 7, 0x3), 0x3);
    assert_int_equal(sectors_begin_fetch(s, 1, 7, 0x6), 0x4);
    assert_int_equal(sectors_begin_fetch(s, 2, 7, 0x8), 0x8);
    assert_int_equal(sectors_find_newest(s, 7, 0x3), 0);
    assert_int_equal(sectors_find_newest(s, 7, 0x7), 1);
    sectors_join(s, 2, 0xc);
    sectors_end_fetch(s, 2);
    assert_int_equal(sectors_take_complete(s, 7), SECTORS_NO_MSHR);
    assert_int_equal(sectors_find_newest(s, 7, 0), 2);
    sectors_end_fetch(s, 1); /* MSHR 2 has all that it awaits, MSHR 1 has not */
    assert_int_equal(sectors_take_complete(s, 7), 2);
    assert_int_equal(sectors_take_complete(s, 7), SECTORS_NO_MSHR);
    sectors_end_fetch(s, 0);
    assert_int_equal(sectors_take_complete(s, 7), 0); /* the older first */
    assert_int_equal(sectors_take_complete(s, 7), 1);
    assert_int_equal(sectors_take_complete(s, 7), SECTORS_NO_MSHR);
}

/* A list of MSHRs, whose sectors are on their way or here. */
enum { MSHR_FREE, MSHR_FETCHES, MSHR_WAITS };

struct list {
    struct {
        unsigned state;
        uint64_t line, begun;
        uint8_t sectors, needs;
    } of[MSHRS];
};

static uint8_t list_on_way(const struct list *l, uint64_t line) {
    uint8_t sectors = 0;
    for (unsigned i = 0; i < MSHRS; i++) {
        bool fetches = l->of[i].state == MSHR_FETCHES && l->of[i].line == line;
        sectors |= fetches ? l->of[i].sectors : 0;
    }
    return sectors;
}

static int list_newest(const struct list *l, uint64_t line, uint8_t wanted) {
    int newest = SECTORS_NO_MSHR;
    for (int i = 0; i < MSHRS; i++) {
        if (l->of[i].state == MSHR_FETCHES && l->of[i].line == line && wanted & l->of[i].sectors &&
            (newest < 0 || l->of[i].begun > l->of[newest].begun)) {
            newest = i;
        }
    }
    return newest;
}

static int list_oldest_complete(const struct list *l, uint64_t line) {
    int oldest = SECTORS_NO_MSHR;
    for (int i = 0; i < MSHRS; i++) {
        if (l->of[i].state == MSHR_WAITS && l->of[i].line == line &&
            !(l->of[i].needs & list_on_way(l, line)) &&
            (oldest < 0 || l->of[i].begun < l->of[oldest].begun)) {
            oldest = i;
        }
    }
    return oldest;
}

TEST(random_fetches_agree_with_a_list) {
    struct rng rng = seeded_rng(0);
    struct list l = {0};
    unsigned found = 0, none = 0, deferred = 0;
    OPEN(s);
    for (uint64_t step = 1; step < 200000; step++) {
        unsigned mshr = rng_below(&rng, MSHRS);
        uint64_t line = rng_below(&rng, 6) * UINT64_C(0x10000001);
        uint8_t wanted = (uint8_t)(1 + rng_below(&rng, 255));
        const uint8_t on_way = list_on_way(&l, line);
        const int newest = list_newest(&l, line, wanted);
        found += newest >= 0;
        none += newest < 0;
        assert_int_equal(sectors_find_newest(s, line, wanted), newest);
        assert_int_equal(sectors_on_way(s, line, wanted), wanted & on_way);
        if (newest >= 0 && !(wanted & ~on_way)) {
            sectors_join(s, (unsigned)newest, wanted);
            l.of[newest].needs |= wanted & (uint8_t)~l.of[newest].sectors;
        } else if (l.of[mshr].state == MSHR_FREE) {
            l.of[mshr].state = MSHR_FETCHES;
            l.of[mshr].line = line;
            l.of[mshr].begun = step;
            l.of[mshr].sectors = wanted & (uint8_t)~on_way;
            l.of[mshr].needs = wanted & on_way;
            assert_int_equal(sectors_begin_fetch(s, mshr, line, wanted), l.of[mshr].sectors);
        } else if (l.of[mshr].state == MSHR_FETCHES) {
            assert_int_equal(sectors_end_fetch(s, mshr), l.of[mshr].sectors);
            l.of[mshr].state = MSHR_WAITS;
            deferred += l.of[mshr].needs & list_on_way(&l, l.of[mshr].line);
            for (int done; (done = list_oldest_complete(&l, l.of[mshr].line)) >= 0;) {
                assert_int_equal(sectors_take_complete(s, l.of[mshr].line), done);
                l.of[done].state = MSHR_FREE;
            }
            assert_int_equal(sectors_take_complete(s, l.of[mshr].line), SECTORS_NO_MSHR);
        }
    }
    assert_true(found > 1000 && none > 1000 && deferred > 1000);
}
