/* SPDX-License-Identifier: Apache-2.0
 * The table of sampling warps, one behaviour a test. Sections in the names of the cases are those
 * of DAWS, MICRO 2013. */
#include "issue/daws_sampling.h"

#include "common/bench.h"
#include "cosim/block_test.h"

enum { LOOP = 100, OTHER = 200 };

static struct daws_sampling empty_sampling(void) {
    struct daws_sampling s;
    const struct daws_sampling_params p = {
        .WARPS = 32, .LOOPS = 8, .COUNTER_BITS = 8, .PC_BITS = 24, .NEGATIVE = 1};
    assert_true(daws_sampling_init(&s, &p));
    return s;
}

/* A cycle of a C block alone, and what it shows in the next one. */
static struct daws_sampling_out tick_sampling(struct daws_sampling *s, struct daws_sampling_in in) {
    struct daws_sampling_out out;
    daws_sampling_comb(s, &in, &out);
    daws_sampling_step(s, &in, &out);
    daws_sampling_comb(s, &(struct daws_sampling_in){0}, &out);
    return out;
}

/* Return: does the warp sample the loop after the mark? */
static bool mark_and_ask(struct daws_sampling *s, enum daws_sampling_mark kind, uint32_t pc,
                         unsigned warp, unsigned lanes) {
    return tick_sampling(s, (struct daws_sampling_in){.mark_valid = true,
                                                      .mark_kind = (uint8_t)kind,
                                                      .mark_pc = pc,
                                                      .mark_warp = (uint8_t)warp,
                                                      .mark_lanes = (uint8_t)lanes})
        .ans_samples;
}

static bool enter_marked_loop(struct daws_sampling *s, uint32_t pc, unsigned warp, unsigned lanes) {
    return mark_and_ask(s, DAWS_SAMPLING_BEGIN, pc, warp, lanes);
}

static bool is_sampled_by(struct daws_sampling *s, uint32_t pc, unsigned warp) {
    bool trip = mark_and_ask(s, DAWS_SAMPLING_TRIP, pc, warp, 1);
    assert_int_equal(mark_and_ask(s, DAWS_SAMPLING_LOAD, pc, warp, 1), trip);
    return trip;
}

/* Return: has the loop in that place locality? */
static bool feed_loads(struct daws_sampling *s, unsigned place, bool local, unsigned loads) {
    struct daws_sampling_out out = {0};
    while (loads--) {
        out = tick_sampling(s, (struct daws_sampling_in){.feed_valid = true,
                                                         .feed_loop = (uint8_t)place,
                                                         .feed_local = local});
    }
    return out.positive >> place & 1;
}

TEST(daws_5_2_the_first_sampling_warp_needs_three_lanes) {
    struct daws_sampling s = empty_sampling();
    assert_false(enter_marked_loop(&s, LOOP, 0, 1));
    assert_false(enter_marked_loop(&s, LOOP, 1, 2));
    assert_false(is_sampled_by(&s, LOOP, 0) || is_sampled_by(&s, LOOP, 1));
    assert_true(enter_marked_loop(&s, LOOP, 2, 3));
    assert_true(is_sampled_by(&s, LOOP, 2));
}

TEST(daws_5_2_a_loop_has_one_sampling_warp_until_it_leaves) {
    struct daws_sampling s = empty_sampling();
    assert_true(enter_marked_loop(&s, LOOP, 2, 32));
    assert_false(enter_marked_loop(&s, LOOP, 3, 32));
    assert_true(is_sampled_by(&s, LOOP, 2) && !is_sampled_by(&s, LOOP, 3));
    mark_and_ask(&s, DAWS_SAMPLING_END, LOOP, 3, 32); /* not the one that samples */
    assert_true(is_sampled_by(&s, LOOP, 2));
    mark_and_ask(&s, DAWS_SAMPLING_END, LOOP, 2, 32);
    assert_false(is_sampled_by(&s, LOOP, 2));
}

TEST(daws_5_2_later_sampling_warps_need_two_lanes) {
    struct daws_sampling s = empty_sampling();
    enter_marked_loop(&s, LOOP, 2, 32);
    mark_and_ask(&s, DAWS_SAMPLING_END, LOOP, 2, 32);
    assert_false(enter_marked_loop(&s, LOOP, 4, 1));
    assert_true(enter_marked_loop(&s, LOOP, 5, 2));
}

TEST(a_sampling_warp_that_ends_samples_nothing) {
    struct daws_sampling s = empty_sampling();
    enter_marked_loop(&s, LOOP, 2, 32);
    enter_marked_loop(&s, OTHER, 2, 32);
    assert_false(mark_and_ask(&s, DAWS_SAMPLING_EXIT, LOOP, 2, 0));
    assert_false(is_sampled_by(&s, LOOP, 2) || is_sampled_by(&s, OTHER, 2));
    assert_true(enter_marked_loop(&s, LOOP, 3, 2));
}

TEST(daws_5_2_two_loops_are_sampled_at_once) {
    struct daws_sampling s = empty_sampling();
    enter_marked_loop(&s, LOOP, 0, 32);
    enter_marked_loop(&s, OTHER, 1, 32);
    assert_true(feed_loads(&s, 0, true, 1) && !feed_loads(&s, 1, false, 1));
    assert_true(is_sampled_by(&s, LOOP, 0) && is_sampled_by(&s, OTHER, 1));
    assert_false(is_sampled_by(&s, LOOP, 1) || is_sampled_by(&s, OTHER, 0));
}

TEST(daws_5_2_1_a_positive_counter_is_locality) {
    struct daws_sampling s = empty_sampling();
    enter_marked_loop(&s, LOOP, 0, 32);
    assert_true(feed_loads(&s, 0, true, 1));
    assert_false(feed_loads(&s, 0, false, 1)); /* 0 */
    assert_false(feed_loads(&s, 0, false, 1));
    assert_false(feed_loads(&s, 0, true, 1)); /* -1, 0 */
    assert_false(feed_loads(&s, 1, true, 1)); /* no loop there */
}

TEST(daws_5_2_1_counters_saturate) {
    struct daws_sampling s = empty_sampling();
    enter_marked_loop(&s, LOOP, 0, 32);
    feed_loads(&s, 0, true, 500);
    assert_true(feed_loads(&s, 0, false, 126)); /* 127 - 126 */
    assert_false(feed_loads(&s, 0, false, 1));
    feed_loads(&s, 0, false, 500);
    assert_false(feed_loads(&s, 0, true, 128)); /* -128 + 128 */
    assert_true(feed_loads(&s, 0, true, 1));
}

TEST(a_counter_that_stops_at_0_is_positive_after_the_next_load_with_locality) {
    struct daws_sampling s = empty_sampling();
    s.p.NEGATIVE = 0;
    enter_marked_loop(&s, LOOP, 0, 32);
    feed_loads(&s, 0, false, 500);
    assert_true(feed_loads(&s, 0, true, 1));
    assert_false(feed_loads(&s, 0, false, 1));
}

TEST(daws_5_2_a_full_table_refuses_a_loop) {
    struct daws_sampling s = empty_sampling();
    const struct daws_sampling_in ninth = {
        .mark_valid = true, .mark_pc = 108, .mark_warp = 8, .mark_lanes = 32};
    for (unsigned i = 0; i < 8; i++) {
        assert_true(enter_marked_loop(&s, 100 + i, i, 32));
    }
    struct daws_sampling_out out = tick_sampling(&s, ninth);
    assert_true(out.ans_refused && !out.ans_samples);
    assert_false(is_sampled_by(&s, 108, 8));
    mark_and_ask(&s, DAWS_SAMPLING_END, 103, 3, 0);
    assert_true(enter_marked_loop(&s, 103, 9, 32)); /* one that is there */
    assert_false(s.refused);
}

/* --- cycles, on both sides --- */

static struct daws_sampling_in *sampling_in_of(const struct bench *b) {
    return b->pair.in;
}

static const struct daws_sampling_params *sampling_params_of(const struct bench *b) {
    return (const struct daws_sampling_params *)b->pair.ports.params;
}

static void put_mark(struct bench *b, enum daws_sampling_mark kind, uint32_t pc, unsigned warp,
                     unsigned lanes) {
    sampling_in_of(b)->mark_valid = true;
    sampling_in_of(b)->mark_kind = (uint8_t)kind;
    sampling_in_of(b)->mark_pc = pc;
    sampling_in_of(b)->mark_warp = (uint8_t)warp;
    sampling_in_of(b)->mark_lanes = (uint8_t)lanes;
}

static void put_feed(struct bench *b, unsigned place, bool local) {
    sampling_in_of(b)->feed_valid = true;
    sampling_in_of(b)->feed_loop = (uint8_t)place;
    sampling_in_of(b)->feed_local = local;
}

static const struct daws_sampling_out *shown_answer(struct bench *b) {
    bench_comb(b);
    b->settled = false; /* inputs of this cycle may come */
    return b->pair.c_out;
}

/* The mark of this cycle, and its answer in the next. */
static bool mark_samples(struct bench *b, enum daws_sampling_mark kind, uint32_t pc, unsigned warp,
                         unsigned lanes) {
    put_mark(b, kind, pc, warp, lanes);
    bench_edge(b);
    return shown_answer(b)->ans_samples;
}

SET_TEST(test_an_answer_is_shown_in_the_cycle_after_its_mark_alone) {
    const unsigned last = sampling_params_of(b)->WARPS - 1;
    put_mark(b, DAWS_SAMPLING_BEGIN, 1, last, 3);
    assert_false(shown_answer(b)->ans_samples);
    bench_edge(b);
    assert_true(shown_answer(b)->ans_samples && shown_answer(b)->ans_loop == 0);
    assert_int_equal(shown_answer(b)->loop_pc[0], 1);
    bench_edge(b);
    assert_false(shown_answer(b)->ans_samples);
}

SET_TEST(test_daws_5_2_marks_in_every_cycle_see_the_one_before) {
    assert_true(mark_samples(b, DAWS_SAMPLING_BEGIN, 1, 1, 3));
    assert_false(mark_samples(b, DAWS_SAMPLING_BEGIN, 1, 0, 32));
    assert_true(mark_samples(b, DAWS_SAMPLING_TRIP, 1, 1, 1));
    assert_false(mark_samples(b, DAWS_SAMPLING_LOAD, 1, 0, 1));
    assert_false(mark_samples(b, DAWS_SAMPLING_END, 1, 1, 1));
    assert_false(mark_samples(b, DAWS_SAMPLING_TRIP, 1, 1, 1));
    assert_true(mark_samples(b, DAWS_SAMPLING_BEGIN, 1, 0, 2));
    assert_false(mark_samples(b, DAWS_SAMPLING_EXIT, 1, 0, 32));
    assert_true(mark_samples(b, DAWS_SAMPLING_BEGIN, 1, 1, 2));
    assert_true(mark_samples(b, DAWS_SAMPLING_BEGIN, 0, 1, 3)); /* and a second loop */
    assert_true(mark_samples(b, DAWS_SAMPLING_LOAD, 1, 1, 1));
}

SET_TEST(test_every_count_of_lanes) {
    for (unsigned lanes = 0; lanes <= 32; lanes++) {
        sampling_in_of(b)->rst = true;
        bench_edge(b);
        assert_int_equal(mark_samples(b, DAWS_SAMPLING_BEGIN, 1, 1, lanes), lanes > 2);
        put_mark(b, DAWS_SAMPLING_BEGIN, 1, 1, 3);
        bench_edge(b);
        put_mark(b, DAWS_SAMPLING_EXIT, 0, 1, 3);
        bench_edge(b);
        assert_int_equal(mark_samples(b, DAWS_SAMPLING_BEGIN, 1, 0, lanes), lanes > 1);
    }
}

SET_TEST(test_daws_5_2_a_full_table_refuses_and_keeps_its_loops) {
    const struct daws_sampling_params *p = sampling_params_of(b);
    if (1u << p->PC_BITS <= p->LOOPS) {
        return;
    }
    for (unsigned i = 0; i < p->LOOPS; i++) {
        assert_true(mark_samples(b, DAWS_SAMPLING_BEGIN, i, i % 2, 32));
        assert_int_equal(shown_answer(b)->ans_loop, i);
    }
    assert_false(mark_samples(b, DAWS_SAMPLING_BEGIN, p->LOOPS, 1, 2)); /* with more it could */
    assert_false(shown_answer(b)->ans_refused);
    assert_false(mark_samples(b, DAWS_SAMPLING_BEGIN, p->LOOPS, 1, 3));
    assert_true(shown_answer(b)->ans_refused);
    for (unsigned i = 0; i < p->LOOPS; i++) {
        assert_true(mark_samples(b, DAWS_SAMPLING_TRIP, i, i % 2, 1));
        assert_true(shown_answer(b)->ans_loop == i && !shown_answer(b)->ans_refused);
    }
}

SET_TEST(test_daws_5_2_1_counters_saturate_at_both_ends) {
    const unsigned bits = sampling_params_of(b)->COUNTER_BITS, most = (1u << (bits - 1)) - 1;
    const unsigned below = sampling_params_of(b)->NEGATIVE ? most + 1 : 0;
    const unsigned last = 1; /* place */
    if (bits > 10) {
        return;
    }
    put_mark(b, DAWS_SAMPLING_BEGIN, 0, 0, 3);
    bench_edge(b);
    put_mark(b, DAWS_SAMPLING_BEGIN, 1, 0, 3);
    bench_edge(b);
    for (unsigned i = 0; i < 2 * most + 4; i++) {
        put_feed(b, last, true);
        bench_edge(b);
        assert_int_equal(shown_answer(b)->positive, 1u << last);
    }
    for (unsigned i = 1; i < 3 * most + 4; i++) {
        put_feed(b, last, false);
        bench_edge(b);
        assert_int_equal(shown_answer(b)->positive, i < most ? 1u << last : 0);
    }
    for (unsigned i = 1; i < most + 3; i++) {
        put_feed(b, last, true);
        bench_edge(b);
        assert_int_equal(shown_answer(b)->positive, i > below ? 1u << last : 0);
    }
}

SET_TEST(test_an_answer_tells_the_locality_before_the_judgement_of_its_cycle) {
    put_mark(b, DAWS_SAMPLING_BEGIN, 1, 1, 3);
    put_feed(b, 0, true); /* there is no loop yet */
    bench_edge(b);
    assert_int_equal(shown_answer(b)->positive, 0);
    put_mark(b, DAWS_SAMPLING_LOAD, 1, 1, 3);
    put_feed(b, 0, true);
    bench_edge(b);
    assert_true(shown_answer(b)->ans_samples && !shown_answer(b)->ans_positive);
    assert_int_equal(shown_answer(b)->positive, 1);
    put_mark(b, DAWS_SAMPLING_LOAD, 1, 1, 3);
    put_feed(b, 0, false);
    bench_edge(b);
    assert_true(shown_answer(b)->ans_samples && shown_answer(b)->ans_positive);
    assert_int_equal(shown_answer(b)->positive, 0);
}

SET_TEST(test_every_bit_of_a_name_and_every_warp_counts) {
    const struct daws_sampling_params *p = sampling_params_of(b);
    for (unsigned bit = 0; bit < p->PC_BITS; bit++) {
        const unsigned warp = bit % p->WARPS;
        put_mark(b, DAWS_SAMPLING_BEGIN, 0, warp, 3);
        bench_edge(b);
        assert_false(mark_samples(b, DAWS_SAMPLING_TRIP, UINT32_C(1) << bit, warp, 3));
        assert_false(mark_samples(b, DAWS_SAMPLING_TRIP, 0, (warp + 1) % p->WARPS, 3));
        assert_true(mark_samples(b, DAWS_SAMPLING_TRIP, 0, warp, 3));
        assert_false(mark_samples(b, DAWS_SAMPLING_END, 0, warp, 3));
    }
}

SET_TEST(test_a_reset_forgets_loops_counters_and_what_comes_with_it) {
    put_mark(b, DAWS_SAMPLING_BEGIN, 1, 1, 3);
    bench_edge(b);
    put_feed(b, 0, true);
    bench_edge(b);
    put_mark(b, DAWS_SAMPLING_BEGIN, 1, 1, 3);
    put_feed(b, 0, true);
    sampling_in_of(b)->rst = true;
    bench_edge(b);
    assert_false(shown_answer(b)->ans_samples || shown_answer(b)->positive);
    assert_int_equal(shown_answer(b)->loop_pc[0], 0);
    assert_false(mark_samples(b, DAWS_SAMPLING_TRIP, 1, 1, 3));
    assert_true(mark_samples(b, DAWS_SAMPLING_BEGIN, 0, 1, 3));
    assert_false(shown_answer(b)->ans_positive);
}

SET_TEST(test_quiet_when_nothing_comes_and_no_answer_is_shown) {
    assert_true(bench_quiet(b));
    put_feed(b, 0, true);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b));
    put_mark(b, DAWS_SAMPLING_BEGIN, 1, 1, 3);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_false(bench_quiet(b)); /* its answer goes */
    bench_edge(b);
    assert_true(bench_quiet(b));
    put_mark(b, DAWS_SAMPLING_TRIP, 1, 0, 1); /* not of the sampling warp */
    bench_edge(b);
    assert_true(bench_quiet(b));
    sampling_in_of(b)->rst = true;
    assert_false(bench_quiet(b));
}
