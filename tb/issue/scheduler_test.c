/* SPDX-License-Identifier: Apache-2.0
 *
 * Warp schedulers against their definitions.
 */
#include "base/seeded.h"

#include "issue/scheduler.h"

enum { SLOTS = 64 };

static const uint64_t all = ~UINT64_C(0);

TEST(lrr_serves_every_candidate_once_a_round) {
    struct warp_scheduler s = {.mine = all, .last = -1};
    for (unsigned turn = 0; turn < 3 * SLOTS; turn++) {
        s.last = scheduler_lrr(&s, all);
        assert_int_equal(s.last, turn % SLOTS);
    }
}

TEST(lrr_skips_warps_that_cannot_issue) {
    const uint64_t candidates = UINT64_C(1) << 5 | UINT64_C(1) << 17 | UINT64_C(1) << 63;
    struct warp_scheduler s = {.mine = all, .last = 5};
    static const int order[] = {17, 63, 5, 17};
    for (unsigned i = 0; i < 4; i++) {
        s.last = scheduler_lrr(&s, candidates);
        assert_int_equal(s.last, order[i]);
    }
}

TEST(lrr_goes_on_after_the_last_slot_with_the_first) {
    struct warp_scheduler s = {.mine = all, .last = SLOTS - 1};
    assert_int_equal(scheduler_lrr(&s, all), 0);
    assert_int_equal(scheduler_lrr(&s, UINT64_C(1) << (SLOTS - 1)), SLOTS - 1);
}

TEST(gto_stays_with_a_warp_until_it_stalls_then_takes_the_oldest) {
    uint64_t age[SLOTS] = {[3] = 9, [4] = 2, [5] = 7};
    const uint64_t candidates = 7 << 3;
    struct warp_scheduler s = {.mine = all, .last = -1};
    s.last = scheduler_gto(&s, candidates, age);
    assert_int_equal(s.last, 4);
    s.last = scheduler_gto(&s, candidates & ~(UINT64_C(1) << 4), age);
    assert_int_equal(s.last, 5);
    assert_int_equal(scheduler_gto(&s, candidates, age), 5); /* greedy though 4 is older and back */
}

TEST(gto_takes_the_lower_slot_of_one_cta) {
    uint64_t age[SLOTS] = {[8] = 1, [9] = 1, [2] = 5};
    struct warp_scheduler s = {.mine = all, .last = 63};
    assert_int_equal(scheduler_gto(&s, UINT64_C(1) << 8 | UINT64_C(1) << 9 | UINT64_C(1) << 2, age),
                     8);
}

TEST(oldest_first_is_not_greedy) {
    uint64_t age[SLOTS] = {[3] = 9, [4] = 2, [5] = 2, [6] = 1};
    assert_int_equal(scheduler_oldest(UINT64_C(0x78), age), 6);
    assert_int_equal(scheduler_oldest(UINT64_C(0x38), age), 4); /* the lower slot of one CTA */
    assert_int_equal(scheduler_oldest(UINT64_C(0x08), age), 3);
}

TEST(gty_is_greedy_then_takes_the_youngest) {
    uint64_t age[SLOTS] = {[3] = 9, [4] = 2, [5] = 9, [6] = 1};
    struct warp_scheduler s = {.mine = all, .last = -1};
    assert_int_equal(scheduler_gty(&s, UINT64_C(0x78), age), 5); /* the higher slot of one CTA */
    s.last = 4;
    assert_int_equal(scheduler_gty(&s, UINT64_C(0x78), age), 4);
    assert_int_equal(scheduler_gty(&s, UINT64_C(0x48), age), 3);
    assert_int_equal(scheduler_gty(&s, UINT64_C(0x40), age), 6);
}

static int naive_lrr(int last, uint64_t candidates) {
    for (int i = 1; i <= SLOTS; i++) {
        int slot = (last + i) % SLOTS;
        if (candidates >> slot & 1) {
            return slot;
        }
    }
    return -1;
}

static int naive_gto(int last, uint64_t candidates, const uint64_t *age) {
    if (last >= 0 && candidates >> last & 1) {
        return last;
    }
    int best = -1;
    for (int slot = 0; slot < SLOTS; slot++) {
        if (candidates >> slot & 1 && (best < 0 || age[slot] < age[best])) {
            best = slot;
        }
    }
    return best;
}

TEST(random_candidates_agree_with_the_definitions) {
    struct rng rng = seeded_rng(0);
    unsigned greedy = 0;
    for (unsigned i = 0; i < 300000; i++) {
        struct warp_scheduler s = {.mine = all, .last = (int)rng_below(&rng, SLOTS + 1) - 1};
        uint64_t candidates = 0, age[SLOTS];
        while (!candidates) {
            candidates =
                rng_next(&rng) & (rng_chance(&rng, 1, 2) ? all : rng_next(&rng) & rng_next(&rng));
        }
        for (unsigned slot = 0; slot < SLOTS; slot++) {
            age[slot] = rng_below(&rng, 20);
        }
        assert_int_equal(scheduler_lrr(&s, candidates), naive_lrr(s.last, candidates));
        assert_int_equal(scheduler_gto(&s, candidates, age), naive_gto(s.last, candidates, age));
        assert_int_equal(scheduler_oldest(candidates, age), naive_gto(-1, candidates, age));
        greedy += s.last >= 0 && candidates >> s.last & 1;
    }
    assert_true(greedy > 1000 && greedy < 299000);
}
