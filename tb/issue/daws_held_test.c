/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of footprints, the prefix sum and who may load (DAWS 5.1): the paper's figures, each of
 * its rules, the cycles, and random warps.
 */
#include "base/seeded.h"

#include "issue/daws_held.h"

enum { OUTER = 50, LOOP = 100, OTHER = 200, PLAIN = 300, BIG = 400 };

/* A table of loads of three loops, one diverged load each, that BIG has nine times; PLAIN has none.
 */
struct bench {
    struct daws_classes loads;
    struct daws_held f;
};

static void open_bench_in_plain_c(struct bench *b, unsigned lines, unsigned percent,
                                  unsigned latency, bool fit) {
    const struct daws_held_params params = {
        .warps = 8, .lines = lines, .percent = percent, .latency = latency, .fit = fit};
    daws_classes_init(&b->loads, 32, 8, !latency);
    daws_classes_write(&b->loads, LOOP, 101, true, 0);
    daws_classes_write(&b->loads, OTHER, 201, true, 1);
    daws_classes_write(&b->loads, OTHER, 202, false, 2);
    for (unsigned i = 0; i < 9; i++) {
        daws_classes_write(&b->loads, BIG, 401 + i, true, 3 + i);
    }
    daws_held_init(&b->f, &params, &b->loads);
    daws_held_launch(&b->f, 0xff);
}

/* Without latency: a marker counts at once. */
#define QUICK_BENCH(b, lines, percent) \
    struct bench b; \
    open_bench_in_plain_c(&b, lines, percent, 0, false)

static void mark_warp_in_plain_c(struct bench *b, enum daws_mark kind, unsigned warp, uint32_t pc,
                                 unsigned lanes) {
    daws_held_mark(&b->f, kind, warp, pc, lanes);
}

static void load_outside_in_plain_c(struct bench *b, unsigned warp, uint32_t pc, unsigned lanes) {
    daws_held_near(&b->f, warp, pc, lanes);
}

static unsigned warps_that_load_in_plain_c(const struct bench *b) {
    return (unsigned)(b->f.can_load & 0xff);
}

static unsigned lines_counted_in_plain_c(const struct bench *b, unsigned warp) {
    return daws_held_of(&b->f, warp);
}

TEST(figure_1_a_warp_waits_until_lanes_of_the_other_have_left_in_plain_c) {
    QUICK_BENCH(b, 4, 100);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 4);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, LOOP, 3);
    assert_int_equal(lines_counted_in_plain_c(&b, 0) + lines_counted_in_plain_c(&b, 1), 7);
    assert_int_equal(warps_that_load_in_plain_c(&b) & 3, 1);
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, LOOP, 1);
    assert_int_equal(lines_counted_in_plain_c(&b, 0) + lines_counted_in_plain_c(&b, 1), 4);
    assert_int_equal(warps_that_load_in_plain_c(&b) & 3, 3);
}

TEST(figure_6_the_third_warp_goes_when_half_of_the_first_has_left_in_plain_c) {
    QUICK_BENCH(b, 108, 60);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, LOOP, 16);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 16);
    assert_int_equal(warps_that_load_in_plain_c(&b) & 7, 7);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 2, LOOP, 32); /* 80 lines of 64.8 */
    assert_int_equal(warps_that_load_in_plain_c(&b) & 7, 3);
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, LOOP, 16); /* 64 */
    assert_int_equal(warps_that_load_in_plain_c(&b) & 7, 7);
}

TEST(a_sum_that_is_equal_fits_5_1_in_plain_c) {
    QUICK_BENCH(b, 100, 50);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 30);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, LOOP, 20);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
    mark_warp_in_plain_c(&b, DAWS_TRIP, 1, LOOP, 21);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xfd);
}

TEST(the_sum_begins_with_the_oldest_warp_5_1_in_plain_c) {
    QUICK_BENCH(b, 64, 60);
    daws_held_exit(&b.f, 0);
    daws_held_launch(&b.f, 1); /* the lowest slot has the youngest warp */
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 5, LOOP, 32);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xfe);
    daws_held_exit(&b.f, 5);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
}

TEST(a_held_warp_counts_for_the_younger_ones_5_1_in_plain_c) {
    QUICK_BENCH(b, 100, 60);
    struct bench fits;
    open_bench_in_plain_c(&fits, 100, 60, 0, true);
    for (unsigned w = 0; w < 3; w++) {
        unsigned lanes = w == 2 ? 8 : 32;
        mark_warp_in_plain_c(&b, DAWS_BEGIN, w, LOOP, lanes);
        mark_warp_in_plain_c(&fits, DAWS_BEGIN, w, LOOP, lanes);
    }
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xf9);    /* 32, 64, 72 of 60 */
    assert_int_equal(warps_that_load_in_plain_c(&fits), 0xfd); /* with daws.sum = fit: 32, -, 40 */
}

TEST(a_warp_without_a_footprint_is_never_held_5_1_in_plain_c) {
    QUICK_BENCH(b, 10, 60);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 10);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, PLAIN, 32);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
}

TEST(a_loop_of_more_lines_than_the_l1_throttles_nobody_5_1_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    for (unsigned w = 0; w < 8; w++) {
        mark_warp_in_plain_c(&b, DAWS_BEGIN, w, BIG, 32); /* 288 lines each */
    }
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, BIG, 28); /* 252 */
    mark_warp_in_plain_c(&b, DAWS_TRIP, 1, BIG, 28);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xfd);
}

/* Between the effective size and the L1's, it would else hold every warp for ever. */
TEST(the_oldest_warp_with_a_footprint_always_loads_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 3, BIG, 28);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 4, BIG, 28);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xef);
}

TEST(a_footprint_ends_with_its_loop_5_1_in_plain_c) {
    QUICK_BENCH(b, 40, 100);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, LOOP, 32);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xfd);
    mark_warp_in_plain_c(&b, DAWS_END, 0, LOOP, 32);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 0);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
}

TEST(a_warp_at_a_barrier_has_no_footprint_until_its_next_trip_5_1_in_plain_c) {
    QUICK_BENCH(b, 40, 100);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, LOOP, 32);
    daws_held_wait(&b.f, 1);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
    daws_held_wait(&b.f, 0);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 0);
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, LOOP, 20);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 20);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xfd);
}

TEST(a_warp_keeps_the_inner_loops_footprint_when_it_leaves_it_5_1_3_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, OUTER, 32);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 0); /* no load of its own has locality */
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 24);
    mark_warp_in_plain_c(&b, DAWS_END, 0, LOOP, 24);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 24);
    mark_warp_in_plain_c(&b, DAWS_END, 0, OUTER, 32);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 0);
}

TEST(an_outer_trip_predicts_the_inner_loops_loads_5_1_3_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    daws_classes_write(&b.loads, OUTER, 51, false, 20);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, OUTER, 32);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 2);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 24);
    mark_warp_in_plain_c(&b, DAWS_END, 0, LOOP, 24);
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, OUTER, 31);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 31);
}

TEST(of_loops_side_by_side_the_last_entered_predicts_5_1_3_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, OUTER, 32);
    for (unsigned trip = 0; trip < 2; trip++) {
        mark_warp_in_plain_c(&b, DAWS_TRIP, 0, OUTER, 32);
        mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
        mark_warp_in_plain_c(&b, DAWS_TRIP, 0, LOOP, 30);
        assert_int_equal(lines_counted_in_plain_c(&b, 0), 30);
        mark_warp_in_plain_c(&b, DAWS_END, 0, LOOP, 30);
        mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, OTHER, 32);
        mark_warp_in_plain_c(&b, DAWS_END, 0, OTHER, 32);
        assert_int_equal(lines_counted_in_plain_c(&b, 0), 34);
    }
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, OUTER, 16);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 18);
}

/* GC: the loop with locality has an inner one without. */
TEST(an_inner_loop_without_locality_hides_nothing_5_1_3_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, PLAIN, 4);
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, PLAIN, 3);
    mark_warp_in_plain_c(&b, DAWS_END, 0, PLAIN, 3);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 32);
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, LOOP, 12);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 12);
}

TEST(loops_deeper_than_the_entry_count_as_its_last_5_1_3_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    uint32_t loop;
    assert_false(daws_load_loop(&b.f, 0, &loop));
    for (unsigned i = 0; i < DAWS_DEPTH + 2; i++) {
        mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, 10 + i, 32);
        assert_true(daws_load_loop(&b.f, 0, &loop));
        assert_int_equal(loop, 10 + (i < DAWS_DEPTH ? i : DAWS_DEPTH - 1));
    }
    mark_warp_in_plain_c(&b, DAWS_TRIP, 0, LOOP, 7);
    for (unsigned i = DAWS_DEPTH + 2; i; i--) {
        assert_int_equal(lines_counted_in_plain_c(&b, 0), 7);
        mark_warp_in_plain_c(&b, DAWS_END, 0, 10 + i - 1, 32);
    }
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 0);
    assert_false(daws_load_loop(&b.f, 0, &loop));
    mark_warp_in_plain_c(&b, DAWS_END, 0, 10, 32); /* of a loop that has not begun: nothing */
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 5);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 5);
}

TEST(a_load_outside_counts_as_one_of_the_next_loop_while_a_warp_is_in_one_5_1_2_in_plain_c) {
    QUICK_BENCH(b, 40, 100);
    load_outside_in_plain_c(&b, 1, 90, 32);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 0); /* nobody is in a loop */
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    daws_held_run(&b.f, b.f.cycle + 1);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 32);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xfd);
    mark_warp_in_plain_c(&b, DAWS_END, 0, LOOP, 32);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 0);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
}

TEST(a_footprint_outside_loops_stays_until_the_warp_enters_one_5_1_2_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    load_outside_in_plain_c(&b, 1, 90, 32);
    load_outside_in_plain_c(&b, 2, 90, 32);
    load_outside_in_plain_c(&b, 3, 90, 32);
    daws_held_near_issued(&b.f, 1);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, LOOP, 5);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 5);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 2, PLAIN, 5); /* a loop without locality */
    assert_int_equal(lines_counted_in_plain_c(&b, 2), 0);
    daws_held_exit(&b.f, 3);
    assert_int_equal(lines_counted_in_plain_c(&b, 3), 0);
    load_outside_in_plain_c(&b, 4, BIG + 1, 32); /* behind the last loop */
    assert_int_equal(lines_counted_in_plain_c(&b, 4), 0);
}

TEST(a_load_in_a_loop_is_not_outside_5_1_2_in_plain_c) {
    QUICK_BENCH(b, 256, 60);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, PLAIN, 32);
    load_outside_in_plain_c(&b, 1, 90, 32);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 0);
}

TEST(another_warp_in_the_slot_begins_without_footprint_in_plain_c) {
    struct bench b;
    open_bench_in_plain_c(&b, 256, 60, 10, false);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    daws_held_exit(&b.f, 0); /* while its marker is under way */
    daws_held_launch(&b.f, 1);
    daws_held_run(&b.f, 100);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 0);
}

/* --- cycles --- */

TEST(the_mask_follows_a_marker_after_ten_cycles_in_plain_c) {
    struct bench b;
    open_bench_in_plain_c(&b, 40, 100, DAWS_ASK_LATENCY + DAWS_MASK_LATENCY, false);
    daws_held_run(&b.f, 1000);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, LOOP, 32);
    daws_held_run(&b.f, 1000 + DAWS_ASK_LATENCY - 1);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 0);
    assert_int_equal(daws_held_next(&b.f), 1010);
    daws_held_run(&b.f, 1000 + DAWS_ASK_LATENCY);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 32);
    daws_held_run(&b.f, 1009);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
    assert_int_equal(daws_held_next(&b.f), 1010);
    daws_held_run(&b.f, 1010);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xfd);
    assert_true(daws_held_next(&b.f) == UINT64_MAX);
}

TEST(the_mask_follows_a_barrier_after_seven_cycles_in_plain_c) {
    struct bench b;
    open_bench_in_plain_c(&b, 40, 100, 10, false);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 1, LOOP, 32);
    daws_held_run(&b.f, 500);
    daws_held_wait(&b.f, 1);
    daws_held_run(&b.f, 500 + DAWS_MASK_LATENCY - 1);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xfd);
    daws_held_run(&b.f, 500 + DAWS_MASK_LATENCY);
    assert_int_equal(warps_that_load_in_plain_c(&b), 0xff);
}

/* A warp that comes to its barrier while the marker before it is under way. */
TEST(a_footprint_that_comes_late_does_not_count_at_a_barrier_in_plain_c) {
    struct bench b;
    open_bench_in_plain_c(&b, 40, 100, 10, false);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    daws_held_run(&b.f, 1);
    daws_held_wait(&b.f, 1);
    daws_held_run(&b.f, 50);
    assert_int_equal(lines_counted_in_plain_c(&b, 0), 0);
}

TEST(one_load_outside_is_asked_for_a_cycle_the_lowest_slot_first_in_plain_c) {
    struct bench b;
    open_bench_in_plain_c(&b, 256, 60, 10, false);
    load_outside_in_plain_c(&b, 2, 90, 8);
    load_outside_in_plain_c(&b, 1, 90, 8);
    mark_warp_in_plain_c(&b, DAWS_BEGIN, 0, LOOP, 32);
    daws_held_run(&b.f, 2 * DAWS_ASK_LATENCY - 1);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 0);
    daws_held_run(&b.f, 2 * DAWS_ASK_LATENCY);
    assert_int_equal(lines_counted_in_plain_c(&b, 1), 8);
    assert_int_equal(lines_counted_in_plain_c(&b, 2), 0);
    daws_held_run(&b.f, 2 * DAWS_ASK_LATENCY + 1);
    assert_int_equal(lines_counted_in_plain_c(&b, 2), 8);
}

/* --- random warps --- */

static void do_something_in_plain_c(struct bench *b, struct rng *rng, uint64_t *waits) {
    static const uint32_t loop[] = {OUTER, LOOP, OTHER, PLAIN, BIG};
    unsigned warp = rng_below(rng, 8), lanes = 1 + rng_below(rng, 32);
    switch (rng_below(rng, 8)) {
    case 0:
        *waits &= ~(UINT64_C(1) << warp);
        daws_held_exit(&b->f, warp);
        daws_held_launch(&b->f, UINT64_C(1) << warp);
        break;
    case 1:
        *waits ^= UINT64_C(1) << warp;
        daws_held_wait(&b->f, *waits);
        break;
    case 2: load_outside_in_plain_c(b, warp, rng_below(rng, 500), lanes); break;
    case 3: daws_held_near_issued(&b->f, warp); break;
    default:
        mark_warp_in_plain_c(b, (enum daws_mark)rng_below(rng, 3), warp, loop[rng_below(rng, 5)],
                             lanes);
    }
}

/* The definition: which warps the sum of this state holds. */
static uint64_t warps_of_definition_in_plain_c(const struct daws_held *f) {
    uint64_t can_load = ~UINT64_C(0);
    for (unsigned i = 0; i < f->live; i++) {
        unsigned older = 0, mine = daws_held_of(f, f->order[i]);
        for (unsigned j = 0; j < i; j++) {
            older += daws_held_of(f, f->order[j]);
        }
        if (mine && older && (older + mine) * 100 > f->params.percent * f->params.lines) {
            can_load &= ~(UINT64_C(1) << f->order[i]);
        }
    }
    return can_load;
}

TEST(random_warps_are_held_by_the_definition_and_the_oldest_never_in_plain_c) {
    struct rng rng = seeded_rng(1);
    unsigned held = 0, outside = 0;
    for (unsigned run = 0; run < 200; run++) {
        struct bench b;
        uint64_t waits = 0;
        open_bench_in_plain_c(&b, 40 + rng_below(&rng, 300), 20 + rng_below(&rng, 81), 10, false);
        for (unsigned step = 0; step < 100; step++) {
            do_something_in_plain_c(&b, &rng, &waits);
            daws_held_run(&b.f, b.f.cycle + rng_below(&rng, 3) * rng_below(&rng, 30));
            if (!b.f.asks && !b.f.masks) {
                assert_true(b.f.can_load == warps_of_definition_in_plain_c(&b.f));
                held += b.f.can_load != ~UINT64_C(0);
                outside += b.f.in_loop && b.f.nearby;
                for (unsigned i = 0; i < b.f.live; i++) {
                    if (daws_held_of(&b.f, b.f.order[i])) {
                        assert_true(b.f.can_load >> b.f.order[i] & 1);
                        break;
                    }
                }
            }
        }
    }
    assert_true(held > 100 && outside > 100);
}

/* A core that sleeps looks at the table later. */
TEST(random_warps_count_the_same_in_one_step_and_in_many_in_plain_c) {
    struct rng rng = seeded_rng(2);
    for (unsigned run = 0; run < 200; run++) {
        struct bench many, once;
        uint64_t waits = 0, waits_too = 0;
        unsigned latency = rng_chance(&rng, 1, 4) ? rng_below(&rng, 20) : 10;
        open_bench_in_plain_c(&many, 100, 60, latency, false);
        open_bench_in_plain_c(&once, 100, 60, latency, false);
        for (unsigned step = 0; step < 100; step++) {
            struct rng again = rng;
            uint64_t next = many.f.cycle + rng_below(&again, 40), changes;
            rng = again;
            do_something_in_plain_c(&many, &again, &waits);
            do_something_in_plain_c(&once, &rng, &waits_too);
            changes = daws_held_next(&many.f);
            while (many.f.cycle < next) {
                uint64_t before = many.f.can_load;
                daws_held_run(&many.f, many.f.cycle + 1);
                if (many.f.can_load != before) {
                    assert_true(changes <= many.f.cycle);
                }
                if (changes <= many.f.cycle) {
                    changes = daws_held_next(&many.f);
                }
            }
            daws_held_run(&once.f, next);
            assert_true(many.f.can_load == once.f.can_load && many.f.cycle == once.f.cycle);
            assert_true(many.f.in_loop == once.f.in_loop && many.f.nearby == once.f.nearby);
        }
    }
}
