/* SPDX-License-Identifier: Apache-2.0
 *
 * The dynamic load classifier of Detected-DAWS (5.2): its two blocks, their queue of marks and the
 * cycles in which the table of loads learns of what they find.
 */
#include "base/unit_tests.h"

#include "config/preset.h"
#include "issue/daws/detector.h"

enum { LOOP = 0x020064, OTHER = 0x0200c8, LOAD = 0x020066, SECOND = 0x020068 }; /* of code 2 */

struct detected {
    struct config config;
    struct policy_view view;
    struct daws_predictor loads;
    struct daws_detector d;
};

static void open_detected_by(struct detected *t, unsigned repeat, unsigned floor) {
    const struct build build = {0};
    memset(t, 0, sizeof *t);
    t->config = named_preset("quadro-daws");
    t->view.config = &t->config;
    t->config.daws.latency = DAWS_LATENCY_NONE; /* of the table of loads */
    t->config.daws.repeat = repeat;
    t->config.daws.counter_floor = floor;
    assert_true(daws_predictor_make(&t->loads, &t->view, &build));
    assert_true(daws_detector_make(&t->d, &t->view, &build));
    daws_detector_init(&t->d, DAWS_JUDGE_LOAD, &t->loads);
}

static void open_detected(struct detected *t) {
    open_detected_by(t, DAWS_REPEAT_ANY, DAWS_FLOOR_LEAST);
}

static void close_detected(struct detected *t) {
    daws_detector_destroy(&t->d);
    daws_predictor_destroy(&t->loads);
}

static void run_detected(struct detected *t, uint64_t cycle) {
    while (t->d.cycle < cycle) {
        uint64_t next = t->d.busy ? t->d.cycle + 1 : cycle;
        daws_detector_run(&t->d, next);
    }
}

static void begin_detected_loop(struct detected *t, unsigned warp, uint32_t loop) {
    daws_detector_mark(&t->d, DAWS_SAMPLING_BEGIN, warp, loop, 32);
}

/* A load of four lanes in the loop issues, and its loop is known in the same cycle. */
static void issue_detected(struct detected *t, unsigned warp, uint32_t pc, unsigned accesses) {
    uint32_t number = daws_detector_issue(&t->d, warp, pc, accesses);
    daws_detector_load(&t->d, warp, LOOP, pc, 4, number, accesses);
}

/* A load of four lanes with so many accesses, all of which the L1 takes from the next cycle on.
 * Return: the cycle of the last. */
static uint64_t load_detected(struct detected *t, unsigned warp, uint32_t pc, uint64_t line,
                              unsigned accesses, bool own) {
    issue_detected(t, warp, pc, accesses);
    for (unsigned i = 0; i < accesses; i++) {
        run_detected(t, t->d.cycle + 1);
        daws_detector_access(&t->d, warp, line + i, own, t->d.cycle + 1);
    }
    return t->d.cycle;
}

/* Lines that are predicted for a trip of four lanes; 0: none. */
static unsigned predicted_of(struct detected *t) {
    const struct daws_footprint_out ask = {.ask_valid = true, .ask_pc = LOOP, .ask_lanes = 4};
    return daws_predictor_exchange(&t->loads, &ask, t->d.cycle).lines;
}

TEST(daws_5_2_1_a_loop_has_locality_two_cycles_after_its_loads_last_access) {
    struct detected t;
    open_detected(&t);
    begin_detected_loop(&t, 3, LOOP);
    run_detected(&t, 10);
    uint64_t last = load_detected(&t, 3, LOAD, 100, 3, true);
    run_detected(&t, last + 1); /* it is judged: its victim hits are known */
    assert_int_equal(t.d.sampling_out.positive, 0);
    assert_true(t.d.judged == 1 && t.d.local == 1);
    run_detected(&t, last + 2);
    assert_int_equal(t.d.sampling_out.positive, 1);
    close_detected(&t);
}

TEST(a_loop_whose_counter_stops_at_0_has_locality_after_one_load_with_it) {
    for (unsigned floor = DAWS_FLOOR_LEAST; floor <= DAWS_FLOOR_ZERO; floor++) {
        struct detected t;
        open_detected_by(&t, DAWS_REPEAT_ANY, floor);
        begin_detected_loop(&t, 3, LOOP);
        run_detected(&t, 10);
        for (unsigned i = 0; i < 4; i++) {
            run_detected(&t, load_detected(&t, 3, LOAD, 100 + i, 1, i == 3) + 2);
        }
        assert_int_equal(t.d.sampling_out.positive, floor == DAWS_FLOOR_ZERO);
        close_detected(&t);
    }
}

TEST(daws_5_2_2_a_load_has_its_class_a_cycle_after_it_issued) {
    struct detected t;
    open_detected(&t);
    begin_detected_loop(&t, 3, LOOP);
    run_detected(&t, 10);
    run_detected(&t, load_detected(&t, 3, LOAD, 100, 1, true) + 2);
    issue_detected(&t, 3, SECOND, 1);
    assert_int_equal(predicted_of(&t), 0);
    run_detected(&t, t.d.cycle + 1);
    assert_int_equal(predicted_of(&t), 2); /* one converged load */
    issue_detected(&t, 4, LOAD, 1);        /* not of the sampling warp */
    run_detected(&t, t.d.cycle + 2);
    assert_int_equal(predicted_of(&t), 2);
    close_detected(&t);
}

/* The loop has locality and two classified loads, 4 lines together. */
static void classify_two_loads(struct detected *t) {
    open_detected(t);
    begin_detected_loop(t, 3, LOOP);
    run_detected(t, 10);
    for (unsigned i = 0; i < 2; i++) {
        run_detected(t, load_detected(t, 3, LOAD, 100, 1, true) + 2);
        daws_detector_mark(&t->d, DAWS_SAMPLING_TRIP, 3, LOOP, 32);
    }
    run_detected(t, load_detected(t, 3, SECOND, 200, 1, true) + 20);
    assert_int_equal(predicted_of(t), 4);
}

TEST(daws_5_2_2_a_pair_is_one_group_five_cycles_after_its_access) {
    struct detected t;
    classify_two_loads(&t);
    load_detected(&t, 3, LOAD, 300, 1, true);
    uint64_t last = load_detected(&t, 3, SECOND, 300, 1, true);
    run_detected(&t, last + DAWS_REPETITION_LATENCY - 1);
    assert_int_equal(predicted_of(&t), 4);
    run_detected(&t, last + DAWS_REPETITION_LATENCY);
    assert_int_equal(predicted_of(&t), 2);
    close_detected(&t);
}

/* An event between the two loads is told in the cycle before the second one's access. */
static unsigned lines_with_between(enum daws_sampling_mark kind, unsigned warp) {
    struct detected t;
    classify_two_loads(&t);
    load_detected(&t, 3, LOAD, 300, 1, true);
    daws_detector_mark(&t.d, kind, warp, LOOP, 32);
    run_detected(&t, t.d.cycle + 1);
    load_detected(&t, 3, SECOND, 300, 1, true);
    run_detected(&t, t.d.cycle + 20);
    const unsigned lines = predicted_of(&t);
    close_detected(&t);
    return lines;
}

TEST(daws_5_2_2_loads_of_two_trips_are_no_pair) {
    assert_int_equal(lines_with_between(DAWS_SAMPLING_TRIP, 3), 4);
    assert_int_equal(lines_with_between(DAWS_SAMPLING_BEGIN, 3), 4);
    assert_int_equal(lines_with_between(DAWS_SAMPLING_EXIT, 3), 4);
    assert_int_equal(lines_with_between(DAWS_SAMPLING_TRIP, 4), 2); /* of another warp */
}

TEST(marks_of_one_cycle_count_in_their_order_one_a_cycle) {
    struct detected t;
    open_detected(&t);
    begin_detected_loop(&t, 3, LOOP); /* answered in cycles 1, 2, ... */
    daws_detector_mark(&t.d, DAWS_SAMPLING_END, 3, LOOP, 32);
    begin_detected_loop(&t, 4, LOOP);
    begin_detected_loop(&t, 5, OTHER);
    begin_detected_loop(&t, 3, LOOP);
    for (uint64_t cycle = 1; cycle <= 6; cycle++) {
        static const bool samples[] = {[1] = true, [3] = true, [4] = true, [6] = false};
        run_detected(&t, cycle);
        assert_int_equal(t.d.sampling_out.ans_samples, samples[cycle]);
    }
    assert_false(t.d.count);
    assert_true(t.d.sampling_out.loop_pc[0] == LOOP && t.d.sampling_out.loop_pc[1] == OTHER);
    close_detected(&t);
}

TEST(an_access_before_its_loads_answer_is_not_looked_at) {
    struct detected t;
    open_detected(&t);
    begin_detected_loop(&t, 3, LOOP);
    run_detected(&t, 10);
    for (unsigned i = 0; i < 3; i++) { /* in front of the load's mark */
        daws_detector_mark(&t.d, DAWS_SAMPLING_TRIP, 4, OTHER, 32);
    }
    issue_detected(&t, 3, LOAD, 4);
    for (unsigned i = 0; i < 3; i++) {
        run_detected(&t, t.d.cycle + 1);
        daws_detector_access(&t.d, 3, 100 + i, true, t.d.cycle + 1);
        assert_int_equal(t.d.probe_count, 0);
    }
    run_detected(&t, t.d.cycle + 1); /* the answer */
    daws_detector_access(&t.d, 3, 103, false, t.d.cycle + 1);
    assert_int_equal(t.d.probe[t.d.probe_head].in.probe_pc, LOAD & 0xffff);
    run_detected(&t, t.d.cycle + 1);
    assert_true(t.d.judged == 1 && t.d.local == 1); /* by the accesses before, too */
    close_detected(&t);
}

TEST(a_victim_hit_is_locality_of_the_last_cycles_access) {
    struct detected t;
    open_detected(&t);
    begin_detected_loop(&t, 3, LOOP);
    run_detected(&t, 10);
    uint64_t last = load_detected(&t, 3, LOAD, 100, 1, false);
    daws_detector_lost(&t.d, 3, last + 1);
    run_detected(&t, last + 1);
    assert_true(t.d.judged == 1 && t.d.local == 1);
    close_detected(&t);
}

TEST(a_full_queue_refuses_begins_before_ends_and_counts) {
    struct detected t;
    open_detected(&t);
    for (unsigned i = 0; i < DAWS_MARKS - DAWS_MARKS_LEFT + 3; i++) {
        begin_detected_loop(&t, i % 32, LOOP);
    }
    assert_int_equal(t.d.refused, 3);
    for (unsigned i = 0; i < DAWS_MARKS_LEFT + 2; i++) {
        daws_detector_mark(&t.d, DAWS_SAMPLING_EXIT, 0, 0, 0);
    }
    assert_true(t.d.refused == 5 && t.d.count == DAWS_MARKS);
    run_detected(&t, DAWS_MARKS);
    assert_int_equal(t.d.count, 0);
    begin_detected_loop(&t, 7, LOOP); /* warp 0 sampled it, and has ended */
    run_detected(&t, t.d.cycle + 1);
    assert_true(t.d.sampling_out.ans_samples);
    close_detected(&t);
}

TEST(a_loop_without_a_place_is_counted) {
    struct detected t;
    open_detected(&t);
    for (unsigned i = 0; i < 10; i++) {
        begin_detected_loop(&t, i, LOOP + i);
    }
    run_detected(&t, 20);
    assert_int_equal(t.d.refused, 2);
    close_detected(&t);
}

TEST(accesses_of_one_cycle_are_probed_one_a_cycle) {
    struct detected t;
    open_detected(&t);
    begin_detected_loop(&t, 3, LOOP);
    run_detected(&t, 10);
    issue_detected(&t, 3, LOAD, 2);
    issue_detected(&t, 3, SECOND, 2);
    run_detected(&t, 15);
    for (unsigned i = 0; i < 4; i++) { /* 100, 101, 101, 102 */
        daws_detector_access(&t.d, 3, 100 + (i + 1) / 2, true, 0);
    }
    assert_int_equal(t.d.probe_count, 4);
    for (uint64_t cycle = 16; cycle < 25; cycle++) {
        run_detected(&t, cycle);
        /* That of the third, in cycle 17, five cycles later. */
        assert_int_equal(t.d.repetition_out.pair_valid, cycle == 17 + DAWS_REPETITION_LATENCY);
    }
    assert_false(t.d.busy);
    close_detected(&t);
}

/* A trip's clear stays behind the accesses before it, and before those after it. */
TEST(a_clear_waits_for_the_accesses_before_it) {
    struct detected t;
    open_detected(&t);
    begin_detected_loop(&t, 3, LOOP);
    run_detected(&t, 10);
    issue_detected(&t, 3, LOAD, 4);
    issue_detected(&t, 3, SECOND, 1);
    run_detected(&t, 15);
    for (unsigned i = 0; i < 4; i++) {
        daws_detector_access(&t.d, 3, 100 + i, true, 0);
    }
    daws_detector_mark(&t.d, DAWS_SAMPLING_TRIP, 3, LOOP, 32);
    run_detected(&t, 16); /* the mark is answered: its clear waits */
    daws_detector_access(&t.d, 3, 103, true, 0);
    for (uint64_t cycle = 17; cycle < 30; cycle++) {
        run_detected(&t, cycle);
        assert_false(t.d.repetition_out.pair_valid);
    }
    close_detected(&t);
}

TEST(a_full_queue_of_accesses_refuses_and_counts) {
    struct detected t;
    open_detected(&t);
    begin_detected_loop(&t, 3, LOOP);
    run_detected(&t, 10);
    issue_detected(&t, 3, LOAD, DAWS_PROBES);
    run_detected(&t, 15);
    for (unsigned i = 0; i < DAWS_PROBES; i++) {
        daws_detector_access(&t.d, 3, 100 + i, true, 0);
    }
    assert_int_equal(t.d.refused, DAWS_PROBES_LEFT);
    close_detected(&t);
}

/* SECOND shares one line of three with LOAD, then two. */
TEST(daws_5_2_2_by_majority_one_shared_line_of_three_makes_no_pair) {
    for (unsigned repeat = DAWS_REPEAT_ANY; repeat <= DAWS_REPEAT_MAJORITY; repeat++) {
        for (unsigned shared = 1; shared <= 2; shared++) {
            struct detected t;
            bool pair = false;
            open_detected_by(&t, repeat, DAWS_FLOOR_LEAST);
            begin_detected_loop(&t, 3, LOOP);
            run_detected(&t, 10);
            load_detected(&t, 3, LOAD, 100, 3, true);
            const uint64_t last = load_detected(&t, 3, SECOND, 103 - shared, 3, true);
            for (uint64_t cycle = last + 1; cycle <= last + 1 + DAWS_REPETITION_LATENCY; cycle++) {
                run_detected(&t, cycle);
                pair |= t.d.repetition_out.pair_valid;
            }
            assert_int_equal(pair, repeat == DAWS_REPEAT_ANY || shared == 2);
            close_detected(&t);
        }
    }
}
