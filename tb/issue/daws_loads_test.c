/* SPDX-License-Identifier: Apache-2.0
 * The table of classified loads, and what it predicts, one behaviour a test. Sections in the names
 * of the cases are those of DAWS, MICRO 2013. */
#include "issue/daws_loads_cases.h"

#include "base/seeded.h"
#include "common/bench.h"
#include "cosim/block_test.h"

enum { LOOP = 100, OTHER_LOOP = 200, LATER_LOOP = 300 };

static const struct daws_loads_params of_the_paper = {.WARPS = 32,
                                                      .LANES = 32,
                                                      .ENTRIES = 32,
                                                      .LOOPS = 8,
                                                      .PC_BITS = 24,
                                                      .CODE_BITS = 8,
                                                      .LINES = 256};

/* --- a C block and what drives it --- */

static struct daws_loads_out tick_loads(struct daws_loads *s, struct daws_loads_in in) {
    struct daws_loads_out out = {0}; /* its padding too */
    daws_loads_comb(s, &in, &out);
    daws_loads_step(s, &in, &out);
    daws_loads_comb(s, &(struct daws_loads_in){0}, &out);
    return out;
}

/* Time in which nothing comes, until nothing changes. Return: something was refused. */
static bool settle_loads(struct daws_loads *s) {
    const struct daws_loads_in none = {0};
    bool refused = false;
    while (!daws_loads_quiet(s, &none)) {
        refused |= tick_loads(s, none).refused;
    }
    return refused;
}

static struct daws_loads empty_table(void) {
    struct daws_loads s;
    assert_true(daws_loads_init(&s, &of_the_paper));
    return s;
}

/* Return: false: refused. */
static bool write_load(struct daws_loads *s, uint32_t loop, uint32_t pc, bool diverged,
                       unsigned group) {
    tick_loads(s, (struct daws_loads_in){.write_valid = true,
                                         .write_loop = loop,
                                         .write_pc = pc,
                                         .write_diverged = diverged,
                                         .write_group = (uint8_t)group});
    return !settle_loads(s);
}

static bool class_load(struct daws_loads *s, uint32_t loop, uint32_t pc, unsigned lanes,
                       unsigned accesses) {
    tick_loads(s, (struct daws_loads_in){.class_valid = true,
                                         .class_loop = loop,
                                         .class_pc = pc,
                                         .class_lanes = (uint8_t)lanes,
                                         .class_accesses = (uint8_t)accesses});
    return !settle_loads(s);
}

static void pair_loads(struct daws_loads *s, uint32_t loop, uint32_t a, uint32_t b) {
    tick_loads(
        s, (struct daws_loads_in){.pair_valid = true, .pair_loop = loop, .pair_a = a, .pair_b = b});
    settle_loads(s);
}

static void sign_loop(struct daws_loads *s, uint32_t loop, bool positive) {
    tick_loads(s, (struct daws_loads_in){
                      .sign_valid = true, .sign_loop = loop, .sign_positive = positive});
    settle_loads(s);
}

static struct daws_loads_out ask_loads(struct daws_loads *s, uint32_t pc, unsigned lanes,
                                       bool near) {
    struct daws_loads_in in = {.ask_valid = true,
                               .ask_warp = 3,
                               .ask_pc = pc,
                               .ask_lanes = (uint8_t)lanes,
                               .ask_near = near};
    assert_false(tick_loads(s, in).ans_valid);
    assert_false(tick_loads(s, (struct daws_loads_in){0}).ans_valid);
    struct daws_loads_out out = tick_loads(s, (struct daws_loads_in){0});
    assert_true(out.ans_valid);
    assert_int_equal(out.ans_warp, 3);
    assert_false(tick_loads(s, (struct daws_loads_in){0}).ans_valid);
    return out;
}

static unsigned lines_of_trip(struct daws_loads *s, uint32_t loop, unsigned lanes) {
    struct daws_loads_out a = ask_loads(s, loop, lanes, false);
    assert_true(a.ans_known);
    assert_int_equal(a.ans_loop, loop);
    return a.ans_lines;
}

static bool is_predicted(struct daws_loads *s, uint32_t pc, bool near) {
    return ask_loads(s, pc, 8, near).ans_known;
}

TEST(a_diverged_load_is_a_line_a_lane_5_1_1) {
    struct daws_loads s = empty_table();
    assert_true(write_load(&s, LOOP, 101, true, 0));
    for (unsigned lanes = 0; lanes <= 32; lanes++) {
        assert_int_equal(lines_of_trip(&s, LOOP, lanes), lanes);
    }
}

TEST(a_converged_load_is_two_lines_and_one_with_one_lane_5_1_1) {
    struct daws_loads s = empty_table();
    assert_true(write_load(&s, LOOP, 101, false, 0));
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 2);
    assert_int_equal(lines_of_trip(&s, LOOP, 2), 2);
    assert_int_equal(lines_of_trip(&s, LOOP, 1), 1);
}

TEST(a_repetition_group_counts_once_and_as_diverged_if_one_load_is_5_1_1) {
    struct daws_loads s = empty_table();
    write_load(&s, LOOP, 101, false, 0);
    write_load(&s, LOOP, 102, false, 0);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 2);
    write_load(&s, LOOP, 103, true, 0);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 32);
    write_load(&s, LOOP, 104, false, 1);
    write_load(&s, LOOP, 105, true, 2);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 32 + 2 + 32);
    assert_int_equal(lines_of_trip(&s, LOOP, 1), 3);
}

/* The same group number in another loop is another group. */
TEST(only_the_loads_of_the_loop_count_5_1_1) {
    struct daws_loads s = empty_table();
    write_load(&s, LOOP, 101, true, 0);
    write_load(&s, OTHER_LOOP, 201, false, 0);
    assert_int_equal(lines_of_trip(&s, LOOP, 8), 8);
    assert_int_equal(lines_of_trip(&s, OTHER_LOOP, 8), 2);
    assert_false(is_predicted(&s, LATER_LOOP, false));
}

TEST(more_lines_than_the_l1_has_are_over_5_1) {
    struct daws_loads s = empty_table();
    for (unsigned i = 0; i < 8; i++) {
        write_load(&s, LOOP, 101 + i, true, i);
    }
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 256);
    assert_false(ask_loads(&s, LOOP, 32, false).ans_over);
    write_load(&s, LOOP, 190, false, 8);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 258);
    assert_true(ask_loads(&s, LOOP, 32, false).ans_over);
    assert_false(ask_loads(&s, LOOP, 31, false).ans_over);
}

TEST(the_closest_loop_is_the_next_in_program_order_5_1_2) {
    struct daws_loads s = empty_table();
    write_load(&s, LATER_LOOP, 301, true, 0);
    write_load(&s, OTHER_LOOP, 201, false, 0);
    assert_int_equal(ask_loads(&s, 150, 8, true).ans_loop, OTHER_LOOP);
    assert_int_equal(ask_loads(&s, 150, 8, true).ans_lines, 2);
    assert_int_equal(ask_loads(&s, 250, 8, true).ans_lines, 8);
    /* A load with which the loop begins, and one behind the last loop. */
    assert_int_equal(ask_loads(&s, LATER_LOOP, 8, true).ans_loop, LATER_LOOP);
    assert_false(is_predicted(&s, LATER_LOOP + 1, true));
}

TEST(the_closest_loop_is_one_of_the_same_code_5_1_2) {
    struct daws_loads s = empty_table();
    write_load(&s, daws_name(1, 800), daws_name(1, 808), true, 0);
    assert_false(is_predicted(&s, daws_name(0, 80), true));
    assert_true(is_predicted(&s, daws_name(1, 80), true));
}

TEST(a_full_table_of_loads_refuses) {
    struct daws_loads s = empty_table();
    for (unsigned i = 0; i < 32; i++) {
        assert_true(write_load(&s, LOOP, 1000 + i, true, i % 32));
    }
    assert_false(write_load(&s, LOOP, 2000, true, 0));
    assert_false(class_load(&s, OTHER_LOOP, 2000, 32, 1));
    assert_int_equal(lines_of_trip(&s, LOOP, 2), 64);
    assert_false(is_predicted(&s, OTHER_LOOP, false));
    assert_true(class_load(&s, LOOP, 1031, 32, 1)); /* a load that is there */
}

TEST(a_full_table_of_loops_refuses) {
    struct daws_loads s = empty_table();
    for (unsigned i = 0; i < 8; i++) {
        assert_true(write_load(&s, 100 + i, 1000 + i, true, i));
    }
    assert_false(write_load(&s, 99, 2000, true, 0));
    assert_true(write_load(&s, 100, 2001, true, 9)); /* a loop that is there */
}

TEST(a_launch_begins_with_its_own_profile_5_1) {
    struct daws_loads s = empty_table();
    write_load(&s, LOOP, 101, true, 0);
    tick_loads(&s, (struct daws_loads_in){.clear = true});
    assert_false(is_predicted(&s, LOOP, false));
    assert_true(write_load(&s, LOOP, 101, false, 0));
    assert_int_equal(lines_of_trip(&s, LOOP, 8), 2);
}

/* With two cycles between them, which is as close as they may be. */
TEST(a_profile_is_written_an_entry_each_third_cycle_5_1) {
    struct daws_loads s = empty_table();
    for (unsigned i = 0; i < 32; i++) {
        tick_loads(&s, (struct daws_loads_in){.write_valid = true,
                                              .write_loop = LOOP + i % 8,
                                              .write_pc = 1000 + i,
                                              .write_diverged = true,
                                              .write_group = (uint8_t)i});
        tick_loads(&s, (struct daws_loads_in){0});
        tick_loads(&s, (struct daws_loads_in){0});
    }
    assert_false(settle_loads(&s));
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(lines_of_trip(&s, LOOP + i, 8), 4 * 8);
    }
}

TEST(names_tell_codes_and_places_apart) {
    assert_true(daws_name(0, 8) != daws_name(1, 8));
    assert_true(daws_name(3, 8) < daws_name(3, 16));
    assert_true(daws_name(3, 8 * 65535) < daws_name(4, 0));
}

/* --- classes that are detected (5.2.2) --- */

TEST(more_than_two_accesses_count_a_load_as_diverged_above_one_5_2_2) {
    struct daws_loads s = empty_table();
    class_load(&s, LOOP, 101, 32, 3);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 2); /* its counter is 1 */
    class_load(&s, LOOP, 101, 3, 3);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 32);
    class_load(&s, LOOP, 101, 32, 2);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 2);
}

TEST(two_lanes_say_nothing_of_divergence_5_2_2) {
    struct daws_loads s = empty_table();
    for (unsigned i = 0; i < 10; i++) {
        class_load(&s, LOOP, 101, 2, 3); /* not aligned: three lines */
    }
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 2);
}

TEST(divergence_counters_saturate_5_2_2) {
    struct daws_loads s = empty_table();
    for (unsigned i = 0; i < 100; i++) {
        class_load(&s, LOOP, 101, 32, 32);
    }
    assert_int_equal(s.load[0].counter, 7);
    for (unsigned i = 0; i < 100; i++) {
        class_load(&s, LOOP, 101, 32, 1);
    }
    assert_int_equal(s.load[0].counter, -8);
    assert_int_equal(s.load_count, 1);
}

TEST(a_pair_is_one_group_the_older_ones_5_2_2) {
    struct daws_loads s = empty_table();
    for (unsigned i = 0; i < 4; i++) {
        class_load(&s, LOOP, 101 + i, 32, 1);
    }
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 8);
    pair_loads(&s, LOOP, 104, 103);
    pair_loads(&s, LOOP, 101, 102);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 4);
    pair_loads(&s, LOOP, 103, 102); /* joins both groups */
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 2);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(s.load[i].group, 0);
    }
    pair_loads(&s, LOOP, 101, 199); /* one that has no entry */
    assert_int_equal(s.load_count, 4);
}

/* A class, a write, a pair, a sign or a scan may be under way. */
TEST(a_clear_leaves_nothing_under_way) {
    static const struct daws_loads_in requests[] = {
        {.class_valid = true, .class_loop = LOOP, .class_pc = 8, .class_lanes = 32},
        {.write_valid = true, .write_loop = LOOP, .write_pc = 40, .write_diverged = true},
        {.pair_valid = true, .pair_loop = LOOP, .pair_a = 8, .pair_b = 16},
        {.sign_valid = true, .sign_loop = LOOP, .sign_positive = true},
    };
    const struct daws_loads_in none = {0};
    for (unsigned r = 0; r < sizeof requests / sizeof *requests; r++) {
        bool settled = false;
        for (unsigned later = 0; !settled; later++) {
            struct daws_loads s = empty_table();
            write_load(&s, LOOP, 8, false, 0);
            write_load(&s, LOOP, 16, false, 1);
            tick_loads(&s, requests[r]);
            for (unsigned i = 0; i < later; i++) {
                tick_loads(&s, none);
            }
            settled = daws_loads_quiet(&s, &none);
            tick_loads(&s, (struct daws_loads_in){.clear = true});
            assert_true(daws_loads_quiet(&s, &none));
        }
    }
}

TEST(a_loop_without_locality_predicts_nothing_and_keeps_its_classes_5_2_1) {
    struct daws_loads s = empty_table();
    class_load(&s, LOOP, 101, 32, 1);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 2);
    sign_loop(&s, LOOP, false);
    assert_false(is_predicted(&s, LOOP, false));
    assert_false(is_predicted(&s, 90, true));
    sign_loop(&s, LOOP, true);
    assert_int_equal(lines_of_trip(&s, LOOP, 32), 2);
    sign_loop(&s, OTHER_LOOP, true); /* one without an entry */
    assert_false(is_predicted(&s, OTHER_LOOP, false));
}

/* --- against the plain model, when all has settled --- */

static void compare_with_plain(struct daws_loads *s, const struct plain_loads *t, struct rng *rng,
                               uint32_t names) {
    const uint32_t pc = rng_below(rng, names);
    const unsigned lanes = rng_below(rng, s->p.LANES + 1);
    const bool near = rng_chance(rng, 1, 2);
    bool known;
    const uint32_t loop = plain_answering_loop(t, pc, near, &known);
    const struct daws_loads_out a = ask_loads(s, pc, lanes, near);
    assert_int_equal(a.ans_known, known);
    if (known) {
        assert_int_equal(a.ans_loop, loop);
        assert_int_equal(a.ans_lines, plain_loads_lines(t, loop, lanes));
        assert_int_equal(a.ans_over, plain_loads_lines(t, loop, lanes) > s->p.LINES);
    }
}

static void change_both(struct daws_loads *s, struct plain_loads *t, struct rng *rng,
                        uint32_t names) {
    const uint32_t loop = rng_below(rng, names), pc = rng_below(rng, names),
                   other = rng_below(rng, names);
    const unsigned lanes = rng_below(rng, s->p.LANES + 1),
                   accesses = rng_below(rng, s->p.LANES + 1), group = rng_below(rng, s->p.ENTRIES);
    switch (rng_below(rng, 8)) {
    case 0:
        assert_int_equal(write_load(s, loop, pc, lanes & 1, group),
                         plain_loads_write(t, loop, pc, lanes & 1, group));
        break;
    case 1:
        sign_loop(s, loop, lanes & 1);
        plain_loads_sign(t, loop, lanes & 1);
        break;
    case 2:
    case 3:
        pair_loads(s, loop, pc, other);
        plain_loads_pair(t, loop, pc, other);
        break;
    default:
        assert_int_equal(class_load(s, loop, pc, lanes, accesses),
                         plain_loads_class(t, loop, pc, lanes, accesses));
    }
}

TEST(any_events_predict_what_the_plain_table_predicts) {
    struct rng rng = seeded_rng(1);
    for (unsigned runs = 60; runs; runs--) {
        const struct daws_loads_params p = {.WARPS = 4,
                                            .LANES = 4 + rng_below(&rng, 29),
                                            .ENTRIES = 2 + rng_below(&rng, 63),
                                            .LOOPS = 2 + rng_below(&rng, 15),
                                            .PC_BITS = 5,
                                            .CODE_BITS = 1 + rng_below(&rng, 4),
                                            .LINES = 1 + rng_below(&rng, 200)};
        const uint32_t names = 2 + rng_below(&rng, 31);
        struct plain_loads t = {
            .entries = p.ENTRIES, .loops = p.LOOPS, .code_shift = p.PC_BITS - p.CODE_BITS};
        struct daws_loads s;
        assert_true(daws_loads_init(&s, &p));
        for (unsigned events = 0; events < 400; events++) {
            change_both(&s, &t, &rng, names);
            compare_with_plain(&s, &t, &rng, names);
        }
    }
}

/* --- time that is skipped --- */

static struct daws_loads_in random_loads_input(struct rng *rng, const struct daws_loads_params *p,
                                               unsigned often) {
    struct daws_loads_in in = {
        .ask_valid = rng_chance(rng, often, 32),
        .ask_pc = rng_below(rng, 8),
        .ask_lanes = (uint8_t)rng_below(rng, p->LANES + 1),
        .class_valid = rng_chance(rng, often, 32),
        .class_loop = rng_below(rng, 4),
        .class_pc = rng_below(rng, 8),
        .class_lanes = 4,
        .class_accesses = (uint8_t)rng_below(rng, 5),
        .pair_valid = rng_chance(rng, often, 64),
        .pair_loop = rng_below(rng, 4),
        .pair_a = rng_below(rng, 8),
        .pair_b = rng_below(rng, 8),
        .sign_valid = rng_chance(rng, often, 64),
        .sign_loop = rng_below(rng, 4),
        .sign_positive = rng_chance(rng, 1, 2),
        .write_valid = rng_chance(rng, often, 200),
        .clear = rng_chance(rng, often, 4000),
        .rst = rng_chance(rng, often, 8000),
    };
    return in;
}

static struct daws_loads_params random_loads_params(struct rng *rng) {
    return (struct daws_loads_params){.WARPS = 2,
                                      .LANES = 4 + rng_below(rng, 29),
                                      .ENTRIES = 2 + rng_below(rng, 63),
                                      .LOOPS = 2 + rng_below(rng, 4),
                                      .PC_BITS = 3,
                                      .CODE_BITS = 1,
                                      .LINES = 9};
}

static void check_loads_skip(const struct daws_loads *from, const struct daws_loads_in *in,
                             uint64_t cycles) {
    struct daws_loads skipped = *from, stepped = *from;
    daws_loads_skip(&skipped, in, cycles);
    for (uint64_t n = 0; n < cycles; n++) {
        tick_loads(&stepped, *in);
    }
    assert_memory_equal(&skipped, &stepped, sizeof skipped);
}

TEST(so_many_skipped_cycles_leave_what_so_many_steps_leave_in_the_table) {
    struct rng rng = seeded_rng(2);
    for (unsigned runs = 40; runs; runs--) {
        const struct daws_loads_params p = random_loads_params(&rng);
        struct daws_loads s;
        assert_true(daws_loads_init(&s, &p));
        for (unsigned cycle = 0; cycle < 1000; cycle++) {
            const struct daws_loads_in in = random_loads_input(&rng, &p, 4);
            tick_loads(&s, in);
            if (rng_chance(&rng, 1, 4)) {
                check_loads_skip(&s, &(struct daws_loads_in){0}, rng_below(&rng, 200));
                check_loads_skip(&s, &in, rng_below(&rng, 4));
            }
        }
    }
}

TEST(the_outputs_stay_for_the_cycles_that_are_steady) {
    struct rng rng = seeded_rng(3);
    for (unsigned runs = 40; runs; runs--) {
        const struct daws_loads_params p = random_loads_params(&rng);
        struct daws_loads s;
        bool long_ones = false;
        assert_true(daws_loads_init(&s, &p));
        for (unsigned cycle = 0; cycle < 1000; cycle++) {
            struct daws_loads_in held = random_loads_input(&rng, &p, 2);
            struct daws_loads_out out = {0}, now;
            struct daws_loads copy = s;
            const uint64_t steady = daws_loads_steady(&s, &held);
            assert_true(steady > 0);
            long_ones |= steady > 1 && (s.scan_left || s.marked);
            daws_loads_comb(&s, &held, &out);
            for (uint64_t n = 1; n < steady && n < 150; n++) {
                now = tick_loads(&copy, held);
                assert_memory_equal(&now, &out, sizeof now);
            }
            tick_loads(&s, held);
        }
        assert_true(long_ones);
    }
}

/* --- cycles, on both sides --- */

static struct daws_loads_in *loads_in_of(const struct bench *b) {
    return b->pair.in;
}

static const struct daws_loads_params *loads_params_of(const struct bench *b) {
    return (const struct daws_loads_params *)b->pair.ports.params;
}

static void put_class(struct bench *b, uint32_t loop, uint32_t pc, unsigned accesses) {
    struct daws_loads_in *in = loads_in_of(b);
    in->class_valid = true;
    in->class_loop = loop;
    in->class_pc = pc;
    in->class_lanes = 4;
    in->class_accesses = (uint8_t)accesses;
}

static void put_ask(struct bench *b, uint32_t pc, unsigned lanes) {
    struct daws_loads_in *in = loads_in_of(b);
    in->ask_valid = true;
    in->ask_warp = 1;
    in->ask_pc = pc;
    in->ask_lanes = (uint8_t)lanes;
}

static void put_sign(struct bench *b, uint32_t loop, bool positive) {
    loads_in_of(b)->sign_valid = true;
    loads_in_of(b)->sign_loop = loop;
    loads_in_of(b)->sign_positive = positive;
}

static void put_pair(struct bench *b, uint32_t loop, uint32_t one, uint32_t other) {
    loads_in_of(b)->pair_valid = true;
    loads_in_of(b)->pair_loop = loop;
    loads_in_of(b)->pair_a = one;
    loads_in_of(b)->pair_b = other;
}

static const struct daws_loads_out *shown_loads(struct bench *b) {
    bench_comb(b);
    b->settled = false; /* inputs of this cycle may come */
    return b->pair.c_out;
}

/* Cycles from a class to the numbers of its groups. */
static unsigned loads_scan_cycles(const struct bench *b) {
    return 3 + 1 + loads_params_of(b)->ENTRIES + 3;
}

/* Asks now. Return: whether a loop answers; *lines. */
static bool ask_both(struct bench *b, uint32_t pc, unsigned lanes, unsigned *lines) {
    put_ask(b, pc, lanes);
    bench_edge(b);
    bench_idle(b, 2);
    *lines = shown_loads(b)->ans_lines;
    return shown_loads(b)->ans_known;
}

SET_TEST(test_an_answer_comes_three_cycles_after_each_ask) {
    put_class(b, 5, 2, 3);
    bench_edge(b);
    bench_idle(b, loads_scan_cycles(b));
    for (unsigned cycle = 0; cycle < 8; cycle++) {
        assert_int_equal(shown_loads(b)->ans_valid, cycle >= 3 && cycle % 2);
        if (cycle % 2 == 0) {
            put_ask(b, cycle ? 5 : 4, 1);
        }
        bench_edge(b);
    }
    assert_true(shown_loads(b)->ans_known == false);
}

/* The loop is there 3 cycles after its first class; its groups after a scan, of which the ask sees
 * the end a cycle later. */
SET_TEST(test_a_class_counts_after_a_scan_of_the_table) {
    const unsigned until = loads_scan_cycles(b);
    for (unsigned cycle = 0; cycle < until + 4; cycle++) {
        const struct daws_loads_out *out = shown_loads(b);
        const unsigned asked = cycle - 3;
        if (cycle >= 3) {
            assert_int_equal(out->ans_known, asked >= 3);
            assert_true(!out->ans_known || out->ans_lines == (asked + 1 >= until ? 2 : 0));
        }
        if (cycle == 0) {
            put_class(b, 5, 2, 1);
        }
        put_ask(b, 5, 2);
        bench_edge(b);
    }
}

SET_TEST(test_a_change_during_a_scan_makes_it_begin_anew) {
    unsigned lines;
    put_class(b, 5, 2, 1);
    bench_edge(b);
    bench_idle(b,
               loads_scan_cycles(b) - 4); /* a change at the edge with which the scan would end */
    put_class(b, 5, 3, 1);
    bench_edge(b);
    bench_idle(b, loads_scan_cycles(b) - 2); /* an ask sees the groups a cycle later */
    put_ask(b, 5, 2);
    bench_edge(b);
    assert_true(ask_both(b, 5, 2, &lines));
    assert_int_equal(lines, 4);
}

/* A class that finds no entry within two cycles behind one that makes one is ignored. */
SET_TEST(test_for_two_cycles_after_an_entry_none_is_made) {
    unsigned lines;
    for (unsigned between = 0; between < 3; between++) {
        loads_in_of(b)->rst = true;
        bench_edge(b);
        put_class(b, 5, 2, 1);
        bench_edge(b);
        bench_idle(b, between);
        put_class(b, 5, 3, 1);
        bench_edge(b);
        bench_idle(b, 2 * loads_scan_cycles(b));
        assert_true(ask_both(b, 5, 2, &lines));
        assert_int_equal(lines, between == 2 ? 4 : 2);
        put_class(b, 5, 3, 1); /* it comes again */
        bench_edge(b);
        bench_idle(b, loads_scan_cycles(b));
        assert_true(ask_both(b, 5, 2, &lines));
        assert_int_equal(lines, 4);
    }
}

SET_TEST(test_refused_is_shown_three_cycles_after_what_finds_no_room) {
    const struct daws_loads_params *p = loads_params_of(b);
    for (unsigned i = 0; i < p->ENTRIES; i++) {
        put_class(b, 5, i, 1);
        bench_edge(b);
        bench_idle(b, 2);
    }
    put_class(b, 5, (1u << p->PC_BITS) - 1, 1);
    for (unsigned cycle = 0; cycle < 5; cycle++) {
        assert_int_equal(shown_loads(b)->refused, cycle == 3);
        bench_edge(b);
    }
}

SET_TEST(test_a_sign_comes_after_the_class_of_its_cycle) {
    unsigned lines;
    put_class(b, 5, 2, 1);
    bench_edge(b);
    bench_idle(b, 2);
    put_class(b, 5, 2, 1);
    put_sign(b, 5, false);
    bench_edge(b);
    bench_idle(b, 2);
    assert_false(ask_both(b, 5, 2, &lines));
    put_class(b, 5, 2, 1);
    bench_edge(b);
    bench_idle(b, 2);
    assert_true(ask_both(b, 5, 2, &lines));
}

SET_TEST(test_a_pair_joins_five_cycles_later_and_a_scan_counts_it) {
    put_class(b, 5, 2, 1);
    bench_edge(b);
    bench_idle(b, 2);
    put_class(b, 5, 3, 1);
    bench_edge(b);
    bench_idle(b, loads_scan_cycles(b));
    put_pair(b, 5, 3, 2);
    bench_edge(b);
    bench_idle(b, 5 - 3 + loads_scan_cycles(b) - 3); /* an ask now is a cycle too early */
    put_ask(b, 5, 2);
    bench_edge(b);
    put_ask(b, 5, 2);
    bench_edge(b);
    bench_idle(b, 1);
    assert_int_equal(shown_loads(b)->ans_lines, 4);
    bench_edge(b);
    assert_int_equal(shown_loads(b)->ans_lines, 2);
}

SET_TEST(test_every_bit_of_a_name_counts) {
    const struct daws_loads_params *p = loads_params_of(b);
    unsigned lines;
    put_class(b, 0, 0, 1);
    bench_edge(b);
    bench_idle(b, loads_scan_cycles(b));
    for (unsigned bit = 0; bit < p->PC_BITS; bit++) {
        assert_false(ask_both(b, UINT32_C(1) << bit, 1, &lines));
        put_pair(b, 0, 0, UINT32_C(1) << bit);
        put_sign(b, UINT32_C(1) << bit, false);
        bench_edge(b);
    }
    bench_idle(b, loads_scan_cycles(b));
    assert_true(ask_both(b, 0, 1, &lines));
    assert_int_equal(lines, 1);
}

SET_TEST(test_a_clear_forgets_all_but_asks) {
    unsigned lines;
    put_class(b, 5, 2, 1);
    bench_edge(b);
    bench_idle(b, loads_scan_cycles(b));
    put_ask(b, 5, 1);
    put_class(b, 6, 2, 1);
    loads_in_of(b)->clear = true;
    bench_edge(b);
    bench_idle(b, 2);
    assert_true(shown_loads(b)->ans_valid && shown_loads(b)->ans_known);
    assert_int_equal(shown_loads(b)->ans_lines, 1);
    assert_false(ask_both(b, 5, 1, &lines));
    assert_false(ask_both(b, 6, 1, &lines));
}

SET_TEST(test_quiet_when_nothing_comes_and_no_scan_goes_on) {
    unsigned cycles = 0;
    assert_true(bench_quiet(b));
    put_ask(b, 5, 1);
    assert_false(bench_quiet(b));
    bench_edge(b);
    bench_idle(b, 3);
    assert_true(bench_quiet(b));
    put_class(b, 5, 2, 1);
    assert_false(bench_quiet(b));
    bench_edge(b);
    for (; !bench_quiet(b); cycles++) {
        bench_edge(b);
    }
    assert_int_equal(cycles, loads_scan_cycles(b) - 1);
    put_sign(b, 5, true);
    assert_false(bench_quiet(b));
    bench_edge(b);
    bench_idle(b, 2);
    assert_true(bench_quiet(b));
    put_pair(b, 5, 2, 2);
    bench_edge(b);
    bench_idle(b, 3);
    assert_false(bench_quiet(b));
    bench_idle(b, 1);
    assert_true(bench_quiet(b));
}
