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

TEST(an_access_waits_where_all_its_sectors_are_fetched) {
    OPEN(s);
    sectors_begin_fetch(s, 3, 7, 0x3);
    assert_int_equal(sectors_find_fetch(s, 7, 0x1), 3);
    assert_int_equal(sectors_find_fetch(s, 7, 0x3), 3);
    assert_int_equal(sectors_find_fetch(s, 7, 0x4), SECTORS_NO_MSHR);
    assert_int_equal(sectors_find_fetch(s, 7, 0x5), SECTORS_NO_MSHR);
    assert_int_equal(sectors_find_fetch(s, 8, 0x1), SECTORS_NO_MSHR);
    assert_true(sectors_are_fetched(s, 7, 0x5) && !sectors_are_fetched(s, 7, 0xc));
    assert_int_equal(sectors_end_fetch(s, 3), 0x3);
    assert_int_equal(sectors_find_fetch(s, 7, 0x1), SECTORS_NO_MSHR);
}

TEST(of_two_fetches_of_a_sector_the_newer_is_found) {
    OPEN(s);
    sectors_begin_fetch(s, 0, 7, 0x3);
    sectors_begin_fetch(s, 1, 7, 0x6);
    assert_int_equal(sectors_find_fetch(s, 7, 0x2), 1);
    assert_int_equal(sectors_find_fetch(s, 7, 0x1), 0);
    assert_int_equal(sectors_find_fetch(s, 7, 0x5), SECTORS_NO_MSHR);
    assert_int_equal(sectors_end_fetch(s, 1), 0x6);
    assert_int_equal(sectors_find_fetch(s, 7, 0x2), 0);
}

TEST(random_fetches_agree_with_a_list) {
    struct rng rng = seeded_rng(0);
    struct {
        bool busy;
        uint64_t line, begun;
        uint8_t sectors;
    } list[MSHRS] = {{0}};
    unsigned found = 0, none = 0;
    OPEN(s);
    for (uint64_t step = 1; step < 200000; step++) {
        unsigned mshr = rng_below(&rng, MSHRS);
        uint64_t line = rng_below(&rng, 6) * UINT64_C(0x10000001);
        uint8_t wanted = (uint8_t)(1 + rng_below(&rng, 255)), ended;
        int want = SECTORS_NO_MSHR;
        bool any = false;
        for (int i = 0; i < MSHRS; i++) {
            bool same = list[i].busy && list[i].line == line;
            any |= same && list[i].sectors & wanted;
            if (same && !(wanted & ~list[i].sectors) &&
                (want < 0 || list[i].begun > list[want].begun)) {
                want = i;
            }
        }
        found += want >= 0;
        none += want < 0;
        assert_int_equal(sectors_find_fetch(s, line, wanted), want);
        assert_int_equal(sectors_are_fetched(s, line, wanted), any);
        if (list[mshr].busy) {
            ended = sectors_end_fetch(s, mshr);
            assert_int_equal(ended, list[mshr].sectors);
            list[mshr].busy = false;
        } else {
            wanted |= rng_chance(&rng, 1, 3) ? 0xf0 : 0;
            sectors_begin_fetch(s, mshr, line, wanted);
            list[mshr].busy = true;
            list[mshr].line = line;
            list[mshr].begun = step;
            list[mshr].sectors = wanted;
        }
    }
    assert_true(found > 1000 && none > 1000);
}
