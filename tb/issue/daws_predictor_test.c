/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands around DAWS's table of loads (5.1, 5.2.2): the cycles of a profile and of answers,
 * full tables, L1s with more lines than any prediction, and no cycles at all.
 */
#include "base/unit_tests.h"

#include "config/preset.h"
#include "issue/daws/predictor.h"

enum { CODE = 2, LOADS = 4 };

struct predicting {
    struct config config;
    struct policy_view view;
    struct daws_predictor p;
    struct daws_profile_kernel profile;
};

/* Two loops of two loads: the first has one diverged load and one converged, the second two
 * converged ones of one group. */
static void open_predicting(struct predicting *t) {
    static const struct daws_profile_load loads[LOADS] = {
        {.loop = 80, .pc = 80, .diverged = true},
        {.loop = 80, .pc = 88, .group = 1},
        {.loop = 160, .pc = 168, .group = 2},
        {.loop = 160, .pc = 176, .group = 2},
    };
    memset(t, 0, sizeof *t);
    t->config = named_preset("quadro-daws");
    t->view.config = &t->config;
    t->profile.loads = LOADS;
    memcpy(t->profile.load, loads, sizeof loads);
}

static void make_predicting(struct predicting *t) {
    const struct build build = {0};
    assert_true(daws_predictor_make(&t->p, &t->view, &build));
}

/* Asks for eight lanes in @cycle, and waits for the answer. */
static struct daws_answer answer_at(struct predicting *t, uint32_t loop, uint64_t cycle) {
    const struct daws_footprint_out none = {0}, ask = {.ask_valid = true,
                                                       .ask_pc = daws_name(CODE, loop),
                                                       .ask_lanes = 8};
    const bool at_once = t->config.daws.latency == DAWS_LATENCY_NONE;
    struct daws_answer answer = daws_predictor_exchange(&t->p, &ask, cycle);
    for (unsigned i = 1; i <= DAWS_ASK_CYCLES && !at_once; i++) {
        assert_false(answer.known);
        answer = daws_predictor_exchange(&t->p, &none, cycle + i);
    }
    return answer;
}

/* The clear, the writes, three cycles each, the last one's change, and the scans of both loops. */
TEST(daws_5_1_a_profile_is_written_from_the_cycle_after_its_launch_on_a_load_each_third_cycle) {
    struct predicting t;
    open_predicting(&t);
    make_predicting(&t);
    const uint64_t launch = 1000, last_write = launch + 1 + 3 * (LOADS - 1),
                   first_seen = launch + 1 + 2, written = last_write + 3 + 2 * (32 + 4);
    daws_predictor_populate(&t.p, CODE, &t.profile, launch);
    assert_false(answer_at(&t, 80, first_seen).known);
    struct daws_answer answer = answer_at(&t, 80, first_seen + 4);
    assert_true(answer.known && answer.lines == 0); /* not scanned yet */
    answer = answer_at(&t, 80, written);
    assert_true(answer.known && answer.loop == daws_name(CODE, 80) && answer.lines == 8 + 2);
    assert_int_equal(answer_at(&t, 160, written + 4).lines, 2);
    daws_predictor_populate(&t.p, CODE, NULL, written + 100); /* a kernel that it does not know */
    assert_false(answer_at(&t, 80, written + 101).known);
    assert_int_equal(t.p.refused, 0);
    daws_predictor_destroy(&t.p);
}

TEST(daws_5_1_with_no_latency_a_profile_and_its_answers_take_no_cycle) {
    struct predicting t;
    open_predicting(&t);
    t.config.daws.latency = DAWS_LATENCY_NONE;
    make_predicting(&t);
    daws_predictor_populate(&t.p, CODE, &t.profile, 1000);
    assert_int_equal(answer_at(&t, 80, 1000).lines, 8 + 2);
    assert_int_equal(answer_at(&t, 160, 1000).lines, 2);
    daws_predictor_sign(&t.p, daws_name(CODE, 80), false, 1000);
    assert_false(answer_at(&t, 80, 1000).known);
    daws_predictor_destroy(&t.p);
}

/* 33 loads come to 32 entries, and one of them comes again. */
TEST(daws_7_4_a_load_that_a_full_table_refuses_is_counted_each_time) {
    for (unsigned latency = 0; latency < 2; latency++) {
        struct predicting t;
        uint64_t cycle = 0;
        open_predicting(&t);
        t.config.daws.latency = latency;
        make_predicting(&t);
        for (unsigned i = 0; i < 34; i++, cycle += 3) {
            daws_predictor_class(&t.p, daws_name(CODE, 80), daws_name(CODE, 80 + 8 * (i % 33)), 8,
                                 8, cycle);
        }
        daws_predictor_class(&t.p, daws_name(CODE, 80), daws_name(CODE, 80 + 8 * 32), 8, 64, cycle);
        daws_predictor_run(&t.p, cycle + 3);
        assert_int_equal(t.p.refused, 2);
        daws_predictor_destroy(&t.p);
    }
}

/* Two classes with more than two accesses make a diverged load, with 64 as with three. */
TEST(daws_5_2_2_a_load_of_more_accesses_than_lanes_is_diverged) {
    struct predicting t;
    open_predicting(&t);
    make_predicting(&t);
    for (unsigned i = 0; i < 2; i++) {
        daws_predictor_class(&t.p, daws_name(CODE, 80), daws_name(CODE, 80), 32, 64, 10 * i);
    }
    assert_int_equal(answer_at(&t, 80, 100).lines, 8);
    daws_predictor_destroy(&t.p);
}

/* The least L1 has a line; that of --l1 8mb 65,536. */
TEST(daws_5_1_a_prediction_is_over_if_it_has_more_lines_than_the_l1) {
    static const struct {
        unsigned sets, ways;
        bool over;
    } l1[] = {{1, 1, true}, {1, 9, true}, {2, 5, false}, {16384, 4, false}};
    for (unsigned i = 0; i < sizeof l1 / sizeof *l1; i++) {
        struct predicting t;
        open_predicting(&t);
        t.config.l1.sets = l1[i].sets;
        t.config.l1.ways = l1[i].ways;
        make_predicting(&t);
        daws_predictor_populate(&t.p, CODE, &t.profile, 0);
        assert_int_equal(answer_at(&t, 80, 200).over, l1[i].over);
        daws_predictor_destroy(&t.p);
    }
}
