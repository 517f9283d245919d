/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines that loads of a loop touch, with hand-made warps; the predictions of DAWS 5.1.1.
 */
#include "characterize/hand_made.h"

#include "characterize/loops.h"

enum { LINE_BYTES = 128 };

struct bench {
    struct config config;
    struct loops loops;
    struct loop_walk walk;
};

static int start_loops(void **state) {
    static struct bench b;
    b = (struct bench){.config = preset_named("quadro-daws")};
    assert_true(loops_init(&b.loops, INSNS));
    loop_walk_begin(&b.walk);
    *state = &b;
    return 0;
}

static int stop_loops(void **state) {
    struct bench *b = *state;
    loops_destroy(&b->loops);
    loop_walk_destroy(&b->walk);
    return 0;
}

static void mark_loop(struct bench *b, unsigned insn, uint32_t active) {
    struct warp_op op = op_of(insn, active, 0, 0);
    assert_true(loops_mark(&b->loops, &b->walk, &op, insn));
}

static void load_in_bench(struct bench *b, unsigned insn, uint32_t active, uint64_t base,
                          int64_t stride) {
    struct warp_op op = op_of(insn, active, base, stride);
    struct accesses a;
    lines_of(&b->config, &op, &a);
    assert_true(loops_load(&b->loops, &b->walk, &op, insn, &a));
}

#define LOOP_TEST(name) TEST_OF(name, start_loops, stop_loops, struct bench *b)

/* DAWS figure 1 and SPMV-Scalar: each lane walks its own words, 32 of them a line. */
LOOP_TEST(a_lane_that_walks_its_own_line_reuses_that_of_the_last_trip) {
    mark_loop(b, BEGIN, ALL_LANES);
    for (unsigned trip = 0; trip < 64; trip++) {
        mark_loop(b, ITERATION, ALL_LANES);
        load_in_bench(b, LOAD, ALL_LANES, BASE + 4 * trip, 4096);
    }
    mark_loop(b, END, ALL_LANES);
    const struct loop *l = &b->loops.loop[0];
    assert_int_equal(l->entries[32], 1);
    assert_int_equal(loop_sum(l->trips), 64);
    assert_int_equal(l->accesses, 64 * 32);
    assert_int_equal(l->last_trip, 62 * 32); /* two trips meet new lines */
    assert_int_equal(l->this_trip + l->earlier, 0);
    assert_int_equal(l->trip_lines, 64 * 32);
    assert_int_equal(l->live_lines, 62 * 32); /* all but after the last touch of a line */
    assert_int_equal(loop_footprint(l, 32), 32);
    assert_int_equal(loop_footprint(l, 5), 5);
    assert_int_equal(loop_footprint_sum(l), 64 * 32);
}

/* 5.2.1: a load is local if any of its lines is; of two trips back none is. */
LOOP_TEST(daws_5_2_1_a_loop_has_locality_if_most_of_its_loads_do) {
    mark_loop(b, BEGIN, ALL_LANES);
    for (unsigned trip = 0; trip < 8; trip++) {
        mark_loop(b, ITERATION, ALL_LANES);
        load_in_bench(b, LOAD, ALL_LANES, BASE + 4 * trip, 4096);
        load_in_bench(b, LOAD_2, ALL_LANES, BASE + (1 << 20) + 4096 * 32 * (trip % 2), 4096);
    }
    const struct loop *l = &b->loops.loop[0];
    assert_int_equal(l->load[0].local, 7);
    assert_int_equal(l->load[0].mostly_local, 7);
    assert_int_equal(l->load[0].local_accesses, 7 * 32);
    assert_int_equal(l->load[0].accesses, 8 * 32);
    assert_int_equal(l->load[1].local + l->load[1].local_accesses, 0);
    assert_false(loop_has_locality(l)); /* 7 of 16 */
    for (unsigned trip = 8; trip < 11; trip++) {
        mark_loop(b, ITERATION, ALL_LANES);
        load_in_bench(b, LOAD, ALL_LANES, BASE + 4 * trip, 4096);
    }
    assert_true(loop_has_locality(&b->loops.loop[0])); /* 10 of 19 */
}

/* 5.1.1: diverged as many as lanes, converged two, and one of a single lane. */
LOOP_TEST(daws_5_1_1_diverged_and_converged_loads_add_up) {
    mark_loop(b, BEGIN, ALL_LANES);
    mark_loop(b, ITERATION, ALL_LANES);
    load_in_bench(b, LOAD, ALL_LANES, BASE, 4096);
    load_in_bench(b, LOAD_2, ALL_LANES, BASE + (1 << 20), 4);
    mark_loop(b, ITERATION, 0xf);
    mark_loop(b, END, ALL_LANES);
    const struct loop *l = &b->loops.loop[0];
    assert_int_equal(loop_footprint(l, 32), 32 + 2);
    assert_int_equal(loop_footprint(l, 2), 2 + 2);
    assert_int_equal(loop_footprint(l, 1), 1 + 1);
    assert_int_equal(loop_footprint_sum(l), 34 + (4 + 2));
}

/* 3.2, 5.2.2: two accesses or fewer are converged; two lanes or fewer say nothing; what is more
 * frequent wins. */
LOOP_TEST(daws_5_2_2_divergence_is_seen_with_more_than_two_lanes) {
    mark_loop(b, BEGIN, ALL_LANES);
    mark_loop(b, ITERATION, ALL_LANES);
    load_in_bench(b, LOAD, 0x3, BASE, 4096); /* two lanes, two lines */
    load_in_bench(b, LOAD, 0x7, BASE, 64);   /* three lanes, two lines */
    assert_false(loop_load_diverged(&b->loops.loop[0].load[0]));
    load_in_bench(b, LOAD, 0x7, BASE, 4096);
    assert_false(loop_load_diverged(&b->loops.loop[0].load[0])); /* one of each */
    load_in_bench(b, LOAD, 0x7, BASE, 4096);
    assert_true(loop_load_diverged(&b->loops.loop[0].load[0]));
    assert_int_equal(b->loops.loop[0].load[0].executions, 4);
}

/* 4.2.2: what another load of the trip has brought does not count again. */
LOOP_TEST(daws_4_2_2_loads_of_the_same_lines_count_once) {
    mark_loop(b, BEGIN, ALL_LANES);
    for (unsigned trip = 0; trip < 4; trip++) {
        mark_loop(b, ITERATION, ALL_LANES);
        load_in_bench(b, LOAD, ALL_LANES, BASE + 4096 * 64 * trip, 4096);
        load_in_bench(b, LOAD_2, ALL_LANES, BASE + 4096 * 64 * trip + 4, 4096);
    }
    const struct loop *l = &b->loops.loop[0];
    assert_int_equal(l->this_trip, 4 * 32);
    assert_int_equal(l->trip_lines, 4 * 32);
    assert_int_equal(loop_footprint(l, 32), 32);
    /* Where they meet in half of the executions only, they are two. */
    for (unsigned trip = 4; trip < 8; trip++) {
        mark_loop(b, ITERATION, ALL_LANES);
        load_in_bench(b, LOAD_2, ALL_LANES, BASE + 4096 * 64 * trip, 4096);
    }
    assert_int_equal(loop_footprint(&b->loops.loop[0], 32), 64);
}

/* A line that comes back after a trip without it lived through that trip. */
LOOP_TEST(a_line_lives_from_its_first_touch_to_its_last) {
    mark_loop(b, BEGIN, 1);
    mark_loop(b, ITERATION, 1);
    load_in_bench(b, LOAD, 1, BASE, 0);
    load_in_bench(b, LOAD, 1, BASE + 128, 0);
    mark_loop(b, ITERATION, 1);
    load_in_bench(b, LOAD, 1, BASE + 128, 0);
    mark_loop(b, ITERATION, 1);
    mark_loop(b, ITERATION, 1);
    load_in_bench(b, LOAD, 1, BASE, 0);
    mark_loop(b, END, 1);
    const struct loop *l = &b->loops.loop[0];
    assert_int_equal(l->live_lines, 3 + 1);
    assert_int_equal(l->last_trip, 1);
    assert_int_equal(l->earlier, 1);
}

LOOP_TEST(a_new_entry_knows_no_lines) {
    for (unsigned entry = 0; entry < 3; entry++) {
        mark_loop(b, BEGIN, 1);
        mark_loop(b, ITERATION, 1);
        load_in_bench(b, LOAD, 1, BASE, 0);
        mark_loop(b, END, 1);
    }
    const struct loop *l = &b->loops.loop[0];
    assert_int_equal(l->entries[1], 3);
    assert_int_equal(l->trip_lines, 3);
    assert_int_equal(l->last_trip + l->earlier + l->this_trip + l->live_lines, 0);
}

/* A loop inside another: here the same code once more. Its loads are its own. */
LOOP_TEST(loads_belong_to_the_innermost_loop) {
    struct warp_op inner = op_of(BEGIN, 3, 0, 0);
    mark_loop(b, BEGIN, ALL_LANES);
    mark_loop(b, ITERATION, ALL_LANES);
    load_in_bench(b, LOAD, 1, BASE, 0);
    assert_true(loops_mark(&b->loops, &b->walk, &inner, ADD)); /* another place in the code */
    mark_loop(b, ITERATION, 3);
    load_in_bench(b, LOAD_2, 1, BASE, 0);
    mark_loop(b, ITERATION, 3);
    mark_loop(b, END, 3);
    load_in_bench(b, LOAD, 1, BASE, 0);
    mark_loop(b, END, ALL_LANES);
    load_in_bench(b, LOAD, 1, BASE, 0); /* in none */
    assert_int_equal(b->loops.count, 2);
    assert_int_equal(b->loops.loop[0].accesses, 2);
    assert_int_equal(b->loops.loop[0].this_trip, 1);
    assert_int_equal(loop_sum(b->loops.loop[0].trips), 1);
    assert_int_equal(b->loops.loop[1].accesses, 1);
    assert_int_equal(b->loops.loop[1].trips[2], 2);
    assert_int_equal(b->loops.loop[1].insn, ADD);
}

/* Markers that a file may hold and no loop writes. */
LOOP_TEST(markers_that_do_not_fit_are_harmless) {
    mark_loop(b, END, 1);
    mark_loop(b, ITERATION, 1);
    for (unsigned i = 0; i < 3 * LOOP_DEPTH_MAX; i++) {
        mark_loop(b, BEGIN, 1);
    }
    for (unsigned i = 0; i < 2 * LOOP_DEPTH_MAX; i++) {
        mark_loop(b, ITERATION, 1); /* of loops too deep to be followed */
        mark_loop(b, END, 1);
    }
    assert_int_equal(loop_sum(b->loops.loop[0].trips), 0);
    mark_loop(b, ITERATION, 1); /* of the deepest one that is */
    load_in_bench(b, LOAD, 1, BASE, 0);
    assert_int_equal(loop_sum(b->loops.loop[0].trips), 1);
    assert_int_equal(loop_sum(b->loops.loop[0].entries), 3 * LOOP_DEPTH_MAX);
    assert_int_equal(b->loops.loop[0].accesses, 1);
}
