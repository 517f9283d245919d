/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of footprints, the prefix sum and who may load (DAWS 5.1): the paper's figures, each of
 * its rules, the cycles, and random warps.
 */
#include "issue/daws_footprint_cases.h"

#include "base/seeded.h"
#include "common/bench.h"
#include "cosim/block_test.h"

enum { OUTER = 50, LOOP = 100, OTHER = 200, PLAIN = 300, BIG = 400 };

/* Loops with one diverged load, one and a converged one, and nine; OUTER and PLAIN have none. */
static const struct known_loops three_loops = {.count = 3,
                                               .loop = {{LOOP, 1, 0}, {OTHER, 1, 1}, {BIG, 9, 0}}};

/* --- a C block, loops that answer, and what drives both --- */

struct warps {
    struct daws_footprint s;
    struct known_loops loops;
    struct loop_answer answer[DAWS_ASK_CYCLES]; /* under way; the first is shown in this cycle */
    struct daws_footprint_in in;
    struct daws_footprint_out out; /* of the last cycle */
    uint32_t near_pc[8];
    uint8_t near_lanes[8];
};

/* A cycle with the inputs that are there; those that last stay. */
static void tick_warps(struct warps *b) {
    struct loop_answer answer = {0};
    daws_footprint_comb(&b->s, &b->in, &b->out);
    b->in.near_pc = b->near_pc[b->out.near_warp];
    b->in.near_lanes = b->near_lanes[b->out.near_warp];
    daws_footprint_comb(&b->s, &b->in, &b->out);
    if (b->out.ask_valid) {
        answer = answer_of_loops(&b->loops, b->out.ask_pc, b->out.ask_lanes, b->out.ask_near);
    }
    put_loop_answer(&b->in, b->s.p.AT_ONCE ? &answer : &b->answer[0], b->s.p.LINES);
    memmove(b->answer, b->answer + 1, sizeof b->answer - sizeof *b->answer);
    b->answer[DAWS_ASK_CYCLES - 1] = answer;
    daws_footprint_step(&b->s, &b->in, &b->out);
    b->in = (struct daws_footprint_in){.near = b->in.near, .waits = b->in.waits};
}

static void pass_cycles(struct warps *b, unsigned cycles) {
    while (cycles--) {
        tick_warps(b);
    }
}

/* Until nothing changes any more. */
static void settle_warps(struct warps *b) {
    pass_cycles(b, 1);
    for (unsigned left = 200; left && !daws_footprint_quiet(&b->s, &b->in); left--) {
        tick_warps(b);
    }
    assert_true(daws_footprint_quiet(&b->s, &b->in));
}

static void open_warps(struct warps *b, unsigned lines, unsigned percent, unsigned at_once,
                       unsigned fit) {
    const struct daws_footprint_params p = {.WARPS = 8,
                                            .LANES = 32,
                                            .LINES = lines,
                                            .PERCENT = percent,
                                            .DEPTH = 4,
                                            .PC_BITS = 24,
                                            .AT_ONCE = at_once,
                                            .FIT = fit};
    memset(b, 0, sizeof *b);
    b->loops = three_loops;
    assert_true(daws_footprint_init(&b->s, &p));
    b->in.launch = 0xff;
    settle_warps(b);
}

static void put_loop_mark(struct warps *b, enum daws_mark kind, unsigned warp, uint32_t pc,
                          unsigned lanes) {
    b->in.mark_valid = true;
    b->in.mark_kind = (uint8_t)kind;
    b->in.mark_warp = (uint8_t)warp;
    b->in.mark_pc = pc;
    b->in.mark_lanes = (uint8_t)lanes;
}

static void mark_warp(struct warps *b, enum daws_mark kind, unsigned warp, uint32_t pc,
                      unsigned lanes) {
    put_loop_mark(b, kind, warp, pc, lanes);
    settle_warps(b);
}

/* The warp's next instruction is a load; it has issued. */
static void put_near(struct warps *b, unsigned warp, uint32_t pc, unsigned lanes) {
    b->in.near |= UINT64_C(1) << warp;
    b->near_pc[warp] = pc;
    b->near_lanes[warp] = (uint8_t)lanes;
}

static void load_outside(struct warps *b, unsigned warp, uint32_t pc, unsigned lanes) {
    put_near(b, warp, pc, lanes);
    settle_warps(b);
}

static void issue_load(struct warps *b, unsigned warp) {
    b->in.near &= ~(UINT64_C(1) << warp);
    settle_warps(b);
}

static void wait_at_barrier(struct warps *b, uint64_t warps) {
    b->in.waits = warps;
    settle_warps(b);
}

static void exit_warps(struct warps *b, uint64_t warps) {
    b->in.exit = warps;
    b->in.near &= ~warps;
    settle_warps(b);
}

static void launch_into_slots(struct warps *b, uint64_t warps) {
    b->in.launch = warps;
    settle_warps(b);
}

/* The innermost loop that a load of the warp is in; 0: none. */
static uint32_t loop_of_load(struct warps *b, unsigned warp) {
    put_loop_mark(b, DAWS_LOAD, warp, 0, 0);
    for (unsigned i = 0; i < 4; i++) {
        tick_warps(b);
        if (b->out.load_valid) {
            return b->out.load_found ? b->out.load_loop : 0;
        }
    }
    fail();
    return 0;
}

static unsigned warps_that_load(const struct warps *b) {
    return (unsigned)(~b->s.held & 0xff);
}

static unsigned lines_counted(const struct warps *b, unsigned warp) {
    return daws_footprint_of(&b->s, warp);
}

/* RULE() - a test with the block's cycles, and with none, as in C alone. */
#define RULE(name) \
    static void name##_in(struct warps *b, unsigned at_once); \
    TEST(name) { \
        for (unsigned at_once = 0; at_once < 2; at_once++) { \
            struct warps b; \
            name##_in(&b, at_once); \
        } \
    } \
    static void name##_in(struct warps *b, unsigned at_once)

#define OPEN(lines, percent) open_warps(b, lines, percent, at_once, 0)

RULE(figure_1_a_warp_waits_until_lanes_of_the_other_have_left) {
    OPEN(4, 100);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 4);
    mark_warp(b, DAWS_BEGIN, 1, LOOP, 3);
    assert_int_equal(lines_counted(b, 0) + lines_counted(b, 1), 7);
    assert_int_equal(warps_that_load(b) & 3, 1);
    mark_warp(b, DAWS_TRIP, 0, LOOP, 1);
    assert_int_equal(lines_counted(b, 0) + lines_counted(b, 1), 4);
    assert_int_equal(warps_that_load(b) & 3, 3);
}

RULE(figure_6_the_third_warp_goes_when_half_of_the_first_has_left) {
    OPEN(108, 60);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
    assert_int_equal(lines_counted(b, 0), 32);
    mark_warp(b, DAWS_BEGIN, 1, LOOP, 16);
    assert_int_equal(lines_counted(b, 1), 16);
    assert_int_equal(warps_that_load(b) & 7, 7);
    mark_warp(b, DAWS_BEGIN, 2, LOOP, 32); /* 80 lines of 64.8 */
    assert_int_equal(warps_that_load(b) & 7, 3);
    mark_warp(b, DAWS_TRIP, 0, LOOP, 16); /* 64 */
    assert_int_equal(warps_that_load(b) & 7, 7);
}

RULE(a_sum_that_is_equal_fits_5_1) {
    OPEN(100, 50);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 30);
    mark_warp(b, DAWS_BEGIN, 1, LOOP, 20);
    assert_int_equal(warps_that_load(b), 0xff);
    mark_warp(b, DAWS_TRIP, 1, LOOP, 21);
    assert_int_equal(warps_that_load(b), 0xfd);
}

RULE(the_sum_begins_with_the_oldest_warp_5_1) {
    OPEN(64, 60);
    exit_warps(b, 1);
    launch_into_slots(b, 1); /* the lowest slot has the youngest warp */
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp(b, DAWS_BEGIN, 5, LOOP, 32);
    assert_int_equal(warps_that_load(b), 0xfe);
    exit_warps(b, 32);
    assert_int_equal(warps_that_load(b), 0xff);
}

RULE(a_held_warp_counts_for_the_younger_ones_5_1) {
    OPEN(100, 60);
    struct warps fits;
    open_warps(&fits, 100, 60, 1, 1);
    for (unsigned w = 0; w < 3; w++) {
        unsigned lanes = w == 2 ? 8 : 32;
        mark_warp(b, DAWS_BEGIN, w, LOOP, lanes);
        mark_warp(&fits, DAWS_BEGIN, w, LOOP, lanes);
    }
    assert_int_equal(warps_that_load(b), 0xf9);     /* 32, 64, 72 of 60 */
    assert_int_equal(warps_that_load(&fits), 0xfd); /* with daws.sum = fit: 32, -, 40 */
}

RULE(a_warp_without_a_footprint_is_never_held_5_1) {
    OPEN(10, 60);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 10);
    mark_warp(b, DAWS_BEGIN, 1, PLAIN, 32);
    assert_int_equal(warps_that_load(b), 0xff);
}

RULE(a_loop_of_more_lines_than_the_l1_throttles_nobody_5_1) {
    OPEN(256, 60);
    for (unsigned w = 0; w < 8; w++) {
        mark_warp(b, DAWS_BEGIN, w, BIG, 32); /* 288 lines each */
    }
    assert_int_equal(warps_that_load(b), 0xff);
    mark_warp(b, DAWS_TRIP, 0, BIG, 28); /* 252 */
    mark_warp(b, DAWS_TRIP, 1, BIG, 28);
    assert_int_equal(warps_that_load(b), 0xfd);
}

/* Between the effective size and the L1's, it would else hold every warp for ever. */
RULE(the_oldest_warp_with_a_footprint_always_loads) {
    OPEN(256, 60);
    mark_warp(b, DAWS_BEGIN, 3, BIG, 28);
    mark_warp(b, DAWS_BEGIN, 4, BIG, 28);
    assert_int_equal(warps_that_load(b), 0xef);
}

RULE(a_footprint_ends_with_its_loop_5_1) {
    OPEN(40, 100);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp(b, DAWS_BEGIN, 1, LOOP, 32);
    assert_int_equal(warps_that_load(b), 0xfd);
    mark_warp(b, DAWS_END, 0, LOOP, 32);
    assert_int_equal(lines_counted(b, 0), 0);
    assert_int_equal(warps_that_load(b), 0xff);
}

RULE(a_warp_at_a_barrier_has_no_footprint_until_its_next_trip_5_1) {
    OPEN(40, 100);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp(b, DAWS_BEGIN, 1, LOOP, 32);
    wait_at_barrier(b, 1);
    assert_int_equal(warps_that_load(b), 0xff);
    wait_at_barrier(b, 0);
    assert_int_equal(lines_counted(b, 0), 0);
    mark_warp(b, DAWS_TRIP, 0, LOOP, 20);
    assert_int_equal(lines_counted(b, 0), 20);
    assert_int_equal(warps_that_load(b), 0xfd);
}

RULE(a_warp_keeps_the_inner_loops_footprint_when_it_leaves_it_5_1_3) {
    OPEN(256, 60);
    mark_warp(b, DAWS_BEGIN, 0, OUTER, 32);
    assert_int_equal(lines_counted(b, 0), 0); /* no load of its own has locality */
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 24);
    mark_warp(b, DAWS_END, 0, LOOP, 24);
    assert_int_equal(lines_counted(b, 0), 24);
    mark_warp(b, DAWS_END, 0, OUTER, 32);
    assert_int_equal(lines_counted(b, 0), 0);
}

RULE(an_outer_trip_predicts_the_inner_loops_loads_5_1_3) {
    OPEN(256, 60);
    b->loops.loop[b->loops.count++] = (struct known_loop){OUTER, 0, 1};
    mark_warp(b, DAWS_BEGIN, 0, OUTER, 32);
    assert_int_equal(lines_counted(b, 0), 2);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 24);
    mark_warp(b, DAWS_END, 0, LOOP, 24);
    mark_warp(b, DAWS_TRIP, 0, OUTER, 31);
    assert_int_equal(lines_counted(b, 0), 31);
}

RULE(of_loops_side_by_side_the_last_entered_predicts_5_1_3) {
    OPEN(256, 60);
    mark_warp(b, DAWS_BEGIN, 0, OUTER, 32);
    for (unsigned trip = 0; trip < 2; trip++) {
        mark_warp(b, DAWS_TRIP, 0, OUTER, 32);
        mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
        mark_warp(b, DAWS_TRIP, 0, LOOP, 30);
        assert_int_equal(lines_counted(b, 0), 30);
        mark_warp(b, DAWS_END, 0, LOOP, 30);
        mark_warp(b, DAWS_BEGIN, 0, OTHER, 32);
        mark_warp(b, DAWS_END, 0, OTHER, 32);
        assert_int_equal(lines_counted(b, 0), 34);
    }
    mark_warp(b, DAWS_TRIP, 0, OUTER, 16);
    assert_int_equal(lines_counted(b, 0), 18);
}

/* GC: the loop with locality has an inner one without. */
RULE(an_inner_loop_without_locality_hides_nothing_5_1_3) {
    OPEN(256, 60);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp(b, DAWS_BEGIN, 0, PLAIN, 4);
    mark_warp(b, DAWS_TRIP, 0, PLAIN, 3);
    mark_warp(b, DAWS_END, 0, PLAIN, 3);
    assert_int_equal(lines_counted(b, 0), 32);
    mark_warp(b, DAWS_TRIP, 0, LOOP, 12);
    assert_int_equal(lines_counted(b, 0), 12);
}

RULE(loops_deeper_than_the_entry_count_as_its_last_5_1_3) {
    OPEN(256, 60);
    assert_int_equal(loop_of_load(b, 0), 0);
    for (unsigned i = 0; i < 6; i++) {
        mark_warp(b, DAWS_BEGIN, 0, 10 + i, 32);
        assert_int_equal(loop_of_load(b, 0), 10 + (i < 4 ? i : 3));
    }
    mark_warp(b, DAWS_TRIP, 0, LOOP, 7);
    for (unsigned i = 6; i; i--) {
        assert_int_equal(lines_counted(b, 0), 7);
        assert_true(b->s.in_loop == 1);
        mark_warp(b, DAWS_END, 0, 10 + i - 1, 32);
    }
    assert_int_equal(lines_counted(b, 0), 0);
    assert_true(!b->s.in_loop);
    assert_int_equal(loop_of_load(b, 0), 0);
    mark_warp(b, DAWS_END, 0, 10, 32); /* of a loop that has not begun: nothing */
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 5);
    assert_int_equal(lines_counted(b, 0), 5);
}

RULE(a_load_outside_counts_as_one_of_the_next_loop_while_a_warp_is_in_one_5_1_2) {
    OPEN(40, 100);
    load_outside(b, 1, 90, 32);
    assert_int_equal(lines_counted(b, 1), 0); /* nobody is in a loop */
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
    assert_int_equal(lines_counted(b, 1), 32);
    assert_int_equal(warps_that_load(b), 0xfd);
    mark_warp(b, DAWS_END, 0, LOOP, 32);
    assert_int_equal(lines_counted(b, 1), 0);
    assert_int_equal(warps_that_load(b), 0xff);
}

RULE(a_footprint_outside_loops_stays_until_the_warp_enters_one_5_1_2) {
    OPEN(256, 60);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
    load_outside(b, 1, 90, 32);
    load_outside(b, 2, 90, 32);
    load_outside(b, 3, 90, 32);
    issue_load(b, 1);
    assert_int_equal(lines_counted(b, 1), 32);
    mark_warp(b, DAWS_BEGIN, 1, LOOP, 5);
    assert_int_equal(lines_counted(b, 1), 5);
    mark_warp(b, DAWS_BEGIN, 2, PLAIN, 5); /* a loop without locality */
    assert_int_equal(lines_counted(b, 2), 0);
    exit_warps(b, 8);
    assert_int_equal(lines_counted(b, 3), 0);
    load_outside(b, 4, BIG + 1, 32); /* behind the last loop */
    assert_int_equal(lines_counted(b, 4), 0);
}

RULE(a_load_in_a_loop_is_not_outside_5_1_2) {
    OPEN(256, 60);
    mark_warp(b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp(b, DAWS_BEGIN, 1, PLAIN, 32);
    load_outside(b, 1, 90, 32);
    assert_int_equal(lines_counted(b, 1), 0);
}

TEST(loops_deeper_than_are_counted_end_with_the_fifteenth_end_5_1_3) {
    struct warps b;
    open_warps(&b, 256, 60, 0, 0);
    for (unsigned i = 0; i < DAWS_NESTING_MAX + 3; i++) {
        mark_warp(&b, DAWS_BEGIN, 0, LOOP, 5);
    }
    for (unsigned i = 0; i < DAWS_NESTING_MAX; i++) {
        assert_int_equal(lines_counted(&b, 0), 5);
        mark_warp(&b, DAWS_END, 0, LOOP, 5);
    }
    assert_int_equal(lines_counted(&b, 0), 0);
}

/* A load that waits for long is asked for once; the next one anew. */
TEST(a_load_outside_is_asked_for_once_5_1_2) {
    struct warps b;
    open_warps(&b, 256, 60, 0, 0);
    mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
    load_outside(&b, 1, BIG + 1, 32); /* behind the last loop */
    b.loops.loop[2].pc = BIG + 2;
    pass_cycles(&b, 50);
    assert_int_equal(lines_counted(&b, 1), 0);
    issue_load(&b, 1);
    load_outside(&b, 1, BIG + 1, 4);
    assert_int_equal(lines_counted(&b, 1), 36);
}

TEST(another_warp_in_the_slot_begins_without_footprint) {
    for (unsigned wait = 0; wait < 12; wait++) {
        struct warps b;
        open_warps(&b, 256, 60, 0, 0);
        put_loop_mark(&b, DAWS_BEGIN, 0, LOOP, 32);
        pass_cycles(&b, 1 + wait);
        b.in.exit = 1; /* while its marker is under way */
        tick_warps(&b);
        launch_into_slots(&b, 1);
        assert_int_equal(lines_counted(&b, 0), 0);
        assert_true(!b.s.in_loop && !b.s.targets);
    }
}

TEST(a_mark_counts_for_the_warp_that_comes_and_not_for_one_that_ends_with_it) {
    struct warps b;
    open_warps(&b, 256, 60, 0, 0);
    b.in.exit = 1;
    mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
    assert_int_equal(lines_counted(&b, 0), 0);
    b.in.launch = 1;
    mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
    assert_int_equal(lines_counted(&b, 0), 32);
}

/* The mark of an outer trip that comes while the inner loop's answer is under way. */
TEST(a_trip_sees_the_target_of_the_cycle_after_its_mark_5_1_3) {
    for (unsigned behind = 1; behind < 8; behind++) {
        struct warps b;
        open_warps(&b, 256, 60, 0, 0);
        mark_warp(&b, DAWS_BEGIN, 0, OUTER, 32);
        put_loop_mark(&b, DAWS_BEGIN, 0, LOOP, 32);
        pass_cycles(&b, behind);
        mark_warp(&b, DAWS_TRIP, 0, OUTER, 9);
        assert_int_equal(lines_counted(&b, 0), behind >= 2 + DAWS_ASK_CYCLES ? 9 : 32);
    }
}

/* --- cycles --- */

static unsigned cycles_until_mask(struct warps *b, unsigned mask) {
    unsigned cycles = 0;
    for (; warps_that_load(b) != mask; cycles++) {
        assert_true(cycles < 100);
        tick_warps(b);
    }
    return cycles;
}

/* Thirteen for 32 warps: 2 to ask, 3 for the answer, 1 for the entry, 7 for the sum. */
TEST(the_mask_follows_a_marker_after_thirteen_cycles_of_32_warps) {
    struct daws_footprint_params p = {.WARPS = 32};
    assert_int_equal(daws_mark_cycles(&p), 13);
    struct warps b;
    open_warps(&b, 40, 100, 0, 0);
    mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
    put_loop_mark(&b, DAWS_BEGIN, 1, LOOP, 32);
    assert_int_equal(cycles_until_mask(&b, 0xfd), daws_mark_cycles(&b.s.p));
    assert_int_equal(daws_mark_cycles(&b.s.p), 2 + DAWS_ASK_CYCLES + 1 + 1 + 3 + 1);
    struct warps quick;
    open_warps(&quick, 40, 100, 1, 0);
    mark_warp(&quick, DAWS_BEGIN, 0, LOOP, 32);
    put_loop_mark(&quick, DAWS_BEGIN, 1, LOOP, 32);
    assert_int_equal(cycles_until_mask(&quick, 0xfd), 1);
}

TEST(the_mask_follows_a_barrier_after_the_sum) {
    struct warps b;
    open_warps(&b, 40, 100, 0, 0);
    mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp(&b, DAWS_BEGIN, 1, LOOP, 32);
    b.in.waits = 1;
    assert_int_equal(cycles_until_mask(&b, 0xff), 1 + 1 + daws_round_cycles(&b.s.p));
}

/* A change in any cycle of a round waits for its end: a round's cycles at most. */
TEST(a_change_in_a_round_is_seen_by_the_next_one) {
    for (unsigned behind = 1; behind < 10; behind++) {
        struct warps b;
        open_warps(&b, 40, 100, 0, 0);
        mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
        mark_warp(&b, DAWS_BEGIN, 1, LOOP, 32);
        assert_int_equal(warps_that_load(&b), 0xfd);
        b.in.waits = 4; /* nothing */
        put_loop_mark(&b, DAWS_TRIP, 2, LOOP, 1);
        pass_cycles(&b, 6); /* its round begins in this cycle */
        b.in.waits = 0;
        pass_cycles(&b, behind - 1);
        b.in.waits = 1;
        const unsigned round = daws_round_cycles(&b.s.p),
                       waits = behind < round ? round - behind : 0;
        assert_int_equal(cycles_until_mask(&b, 0xff), 1 + waits + 1 + round);
    }
}

/* A warp that comes to its barrier while the marker before it is under way. */
TEST(a_footprint_that_comes_late_does_not_count_at_a_barrier) {
    struct warps b;
    open_warps(&b, 40, 100, 0, 0);
    put_loop_mark(&b, DAWS_BEGIN, 0, LOOP, 32);
    pass_cycles(&b, 1);
    wait_at_barrier(&b, 1);
    assert_int_equal(lines_counted(&b, 0), 0);
}

TEST(one_load_outside_is_asked_for_a_cycle_the_lowest_slot_first_and_marks_before) {
    struct warps b;
    open_warps(&b, 256, 60, 0, 0);
    mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
    put_near(&b, 2, 90, 8);
    put_near(&b, 1, 90, 8);
    pass_cycles(&b, 1);
    put_loop_mark(&b, DAWS_TRIP, 0, LOOP, 32);
    pass_cycles(&b, 2 + 1 + DAWS_ASK_CYCLES); /* chosen; waits for the mark; asks */
    assert_int_equal(lines_counted(&b, 1), 0);
    pass_cycles(&b, 1);
    assert_int_equal(lines_counted(&b, 1), 8);
    assert_int_equal(lines_counted(&b, 2), 0);
    pass_cycles(&b, 1);
    assert_int_equal(lines_counted(&b, 2), 8);
}

TEST(launched_slots_become_the_youngest_one_a_cycle_the_lowest_first) {
    struct warps b;
    open_warps(&b, 256, 60, 0, 0);
    b.in.launch = 0x0d;
    pass_cycles(&b, 4);
    static const uint8_t order[4][8] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                        {1, 2, 3, 4, 5, 6, 7, 0},
                                        {1, 3, 4, 5, 6, 7, 0, 2},
                                        {1, 4, 5, 6, 7, 0, 2, 3}};
    for (unsigned i = 0; i < 4; i++) {
        assert_memory_equal(b.s.order, order[i], 8);
        pass_cycles(&b, 1);
    }
}

TEST(a_slot_that_is_launched_again_as_it_is_taken_moves_once) {
    struct warps b;
    open_warps(&b, 256, 60, 0, 0);
    b.in.launch = 1;
    pass_cycles(&b, 1);
    b.in.launch = 1; /* in n + 1 */
    pass_cycles(&b, 1);
    b.in.launch = 2; /* its turn would be behind that of slot 0 */
    pass_cycles(&b, 5);
    assert_int_equal(b.s.order[6], 0);
    assert_int_equal(b.s.order[7], 1);
    assert_false(daws_slots_move(&b.s));
}

TEST(a_new_warp_is_free_at_once_and_sums_wait_for_its_place) {
    struct warps b;
    open_warps(&b, 40, 100, 0, 0);
    mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
    mark_warp(&b, DAWS_BEGIN, 1, LOOP, 32);
    assert_int_equal(warps_that_load(&b), 0xfd);
    b.in.launch = 2;
    pass_cycles(&b, 1);
    assert_int_equal(warps_that_load(&b), 0xff);
    mark_warp(&b, DAWS_BEGIN, 1, LOOP, 32);
    assert_int_equal(warps_that_load(&b), 0xfd);
    b.in.launch = 1; /* the other one is older now */
    pass_cycles(&b, 1);
    mark_warp(&b, DAWS_BEGIN, 0, LOOP, 32);
    assert_int_equal(warps_that_load(&b), 0xfe);
}

/* --- random warps --- */

/* No set has them, so the Verilog is refused. */
TEST(variants_are_in_c_alone) {
    struct daws_footprint_params p = {32, 32, 256, 60, 4, 24, 0, 0};
    char text[128];
    assert_string_equal(block_set_matching(&daws_footprint_block, &p)->name, "paper");
    assert_string_equal(block_params_text(&daws_footprint_block, &p, text, sizeof text),
                        "WARPS=32 LANES=32 LINES=256 PERCENT=60 DEPTH=4 PC_BITS=24");
    p.FIT = 1;
    assert_null(block_params_error(&daws_footprint_block, &p));
    assert_null(block_set_matching(&daws_footprint_block, &p));
    assert_string_equal(block_params_text(&daws_footprint_block, &p, text, sizeof text),
                        "WARPS=32 LANES=32 LINES=256 PERCENT=60 DEPTH=4 PC_BITS=24 FIT=1");
    p.FIT = 2;
    assert_string_equal(block_params_error(&daws_footprint_block, &p)->name, "FIT");
}

/* With daws.latency = 0: C alone. */
TEST(at_once_a_question_is_asked_in_the_cycle_of_what_asks_5_1) {
    const struct daws_footprint_params p = {.WARPS = 4,
                                            .LANES = 4,
                                            .LINES = 100,
                                            .PERCENT = 100,
                                            .DEPTH = 2,
                                            .PC_BITS = 8,
                                            .AT_ONCE = 1};
    struct daws_footprint s;
    struct daws_footprint_out out;
    assert_true(daws_footprint_init(&s, &p));
    struct daws_footprint_in in = {.near = 1 << 2, .near_pc = 7, .near_lanes = 1};
    daws_footprint_comb(&s, &in, &out);
    assert_false(out.near_valid || out.ask_valid); /* nobody is inside a loop */

    in.mark_valid = true;
    in.mark_kind = DAWS_BEGIN;
    in.mark_warp = 1;
    in.mark_pc = 40;
    in.mark_lanes = 3;
    daws_footprint_comb(&s, &in, &out);
    assert_true(out.ask_valid && !out.ask_near && out.ask_warp == 1 && out.ask_pc == 40);
    put_loop_answer(&in, &(struct loop_answer){.known = true, .loop = 40, .lines = 5}, p.LINES);
    daws_footprint_step(&s, &in, &out);

    in = (struct daws_footprint_in){.near = 1 << 2, .near_pc = 7, .near_lanes = 1};
    daws_footprint_comb(&s, &in, &out);
    assert_true(out.near_valid && out.ask_near && out.near_warp == 2 && out.ask_warp == 2);

    in = (struct daws_footprint_in){.mark_valid = true,
                                    .mark_kind = DAWS_BEGIN,
                                    .mark_warp = 3,
                                    .mark_pc = 40,
                                    .mark_lanes = 4,
                                    .exit = 1 << 3};
    daws_footprint_comb(&s, &in, &out);
    daws_footprint_step(&s, &in, &out);
    daws_footprint_comb(&s, &(struct daws_footprint_in){0}, &out);
    assert_int_equal(out.in_loop, 1 << 1); /* a warp that ends marks nothing */
}

static struct daws_footprint_params random_footprint_params(struct rng *rng) {
    return (struct daws_footprint_params){.WARPS = 2 + rng_below(rng, 63),
                                          .LANES = 32,
                                          .LINES = 1 + rng_below(rng, 300),
                                          .PERCENT = 1 + rng_below(rng, 100),
                                          .DEPTH = 2 + rng_below(rng, 7),
                                          .PC_BITS = 24};
}

static uint64_t random_slots(struct rng *rng, const struct daws_footprint_params *p) {
    const uint64_t one = UINT64_C(1) << rng_below(rng, p->WARPS);
    return rng_chance(rng, 1, 2)
               ? one
               : (rng_next(rng) & rng_next(rng)) & ~UINT64_C(0) >> (64 - p->WARPS);
}

/* Random inputs of a cycle, dense or rare; answers are any. */
static void put_random_input(struct rng *rng, const struct daws_footprint_params *p, unsigned often,
                             struct daws_footprint_in *in) {
    in->rst = rng_chance(rng, 1, 2000);
    in->mark_valid = rng_chance(rng, often, 12);
    in->mark_kind = (uint8_t)rng_below(rng, 4);
    in->mark_warp = (uint8_t)rng_below(rng, rng_chance(rng, 1, 2) ? 2 : p->WARPS);
    in->mark_pc = rng_below(rng, 6);
    in->mark_lanes = (uint8_t)rng_below(rng, 33);
    in->near ^= rng_chance(rng, often, 24) ? random_slots(rng, p) : 0;
    in->waits = rng_chance(rng, often, 200) ? random_slots(rng, p)
                : rng_chance(rng, 1, 8)     ? 0
                                            : in->waits;
    in->launch = rng_chance(rng, often, 200) ? random_slots(rng, p) : 0;
    in->exit = rng_chance(rng, often, 400) ? random_slots(rng, p) : 0;
    in->near_pc = rng_below(rng, 6);
    in->near_lanes = (uint8_t)rng_below(rng, 33);
    in->ans_known = rng_chance(rng, 3, 4);
    in->ans_loop = rng_below(rng, 6);
    in->ans_over = rng_chance(rng, 1, 16);
    in->ans_lines = rng_below(rng, (rng_chance(rng, 1, 2) ? p->LINES / 4 : p->LINES) + 1);
}

static void assert_as_plain(const struct daws_footprint *s, const struct daws_footprint_in *in,
                            struct plain_footprint *plain) {
    const uint64_t all = ~UINT64_C(0) >> (64 - s->p.WARPS);
    const struct plain_mark *asks = plain_asking(plain);
    struct daws_footprint_out out;
    uint64_t in_loop = 0;
    daws_footprint_comb(s, in, &out);
    for (unsigned w = 0; w < s->p.WARPS; w++) {
        in_loop |= (uint64_t)(plain->warp[w].depth > 0) << w;
    }
    assert_true((~out.can_load & all) == plain->held && out.in_loop == in_loop);
    assert_int_equal(out.ask_valid, asks != NULL);
    if (asks) {
        assert_int_equal(out.ask_warp, asks->warp);
        assert_int_equal(out.ask_pc, asks->pc);
        assert_int_equal(out.ask_lanes, asks->lanes);
        assert_int_equal(out.ask_near, asks->near);
    }
    assert_int_equal(out.near_valid, plain->chosen >= 0 && !plain->looked_at.valid);
    assert_true(!out.near_valid || out.near_warp == plain->chosen);
    assert_int_equal(out.load_valid, plain->load_valid);
    assert_int_equal(out.load_found, plain->load_found);
    assert_true(!out.load_found || out.load_loop == plain->load_loop);
}

TEST(any_stream_does_what_the_plain_model_does) {
    struct rng rng = seeded_rng(1);
    unsigned held = 0;
    for (unsigned runs = 60; runs; runs--) {
        const struct daws_footprint_params p = random_footprint_params(&rng);
        struct daws_footprint s;
        struct plain_footprint plain;
        struct daws_footprint_in in = {0};
        struct daws_footprint_out out;
        unsigned often = 1;
        assert_true(daws_footprint_init(&s, &p));
        plain_footprint_init(&plain, &p);
        for (unsigned cycle = 0; cycle < 4000; cycle++) {
            often = cycle % 300 ? often : rng_below(&rng, 12);
            put_random_input(&rng, &p, often, &in);
            assert_as_plain(&s, &in, &plain);
            held += plain.held != 0;
            daws_footprint_comb(&s, &in, &out);
            daws_footprint_step(&s, &in, &out);
            plain_footprint_step(&plain, &in);
        }
    }
    assert_true(held > 10000);
}

/* 5.1: what the sum of this state holds. The oldest warp with a footprint it never does. */
static uint64_t held_by_definition(const struct warps *b) {
    uint64_t held = 0, sum = 0;
    for (unsigned i = 0; i < 8; i++) {
        const unsigned w = b->s.order[i], lines = lines_counted(b, w);
        held |= lines && sum && (sum + lines) * 100 > b->s.p.PERCENT * b->s.p.LINES ? 1u << w : 0;
        sum += lines;
    }
    return held;
}

static void do_something(struct warps *b, struct rng *rng) {
    static const uint32_t loop[] = {OUTER, LOOP, OTHER, PLAIN, BIG};
    const unsigned warp = rng_below(rng, 8), lanes = 1 + rng_below(rng, 32);
    switch (rng_below(rng, 8)) {
    case 0: b->in.exit = b->in.launch = UINT64_C(1) << warp; break;
    case 1: b->in.waits ^= UINT64_C(1) << warp; break;
    case 2: put_near(b, warp, rng_below(rng, 500), lanes); break;
    case 3: b->in.near &= ~(UINT64_C(1) << warp); break;
    default:
        put_loop_mark(b, (enum daws_mark)rng_below(rng, 3), warp, loop[rng_below(rng, 5)], lanes);
    }
}

TEST(random_warps_are_held_by_the_definition_and_the_oldest_never) {
    struct rng rng = seeded_rng(2);
    unsigned held = 0, outside = 0;
    for (unsigned run = 0; run < 400; run++) {
        struct warps b;
        open_warps(&b, 40 + rng_below(&rng, 300), 20 + rng_below(&rng, 81), run & 1, 0);
        for (unsigned step = 0; step < 100; step++) {
            do_something(&b, &rng);
            tick_warps(&b);
            if (rng_chance(&rng, 1, 2)) {
                settle_warps(&b);
                assert_true(b.s.held == held_by_definition(&b));
                held += b.s.held != 0;
                outside += b.s.inside && b.s.nearby;
            }
        }
    }
    assert_true(held > 100 && outside > 100);
}

/* --- time that is skipped --- */

TEST(so_many_skipped_cycles_are_so_many_steps_of_footprints) {
    struct rng rng = seeded_rng(3);
    for (unsigned runs = 60; runs; runs--) {
        const struct daws_footprint_params p = random_footprint_params(&rng);
        struct daws_footprint s;
        struct daws_footprint_in in = {0};
        struct daws_footprint_out out;
        assert_true(daws_footprint_init(&s, &p));
        for (unsigned cycle = 0; cycle < 1500; cycle++) {
            put_random_input(&rng, &p, 6, &in);
            daws_footprint_comb(&s, &in, &out);
            daws_footprint_step(&s, &in, &out);
            struct daws_footprint skipped = s, stepped = s;
            const uint64_t cycles = rng_below(&rng, 40);
            in.mark_valid &= rng_chance(&rng, 1, 8);
            in.launch = in.exit = 0;
            daws_footprint_skip(&skipped, &in, cycles);
            for (uint64_t n = 0; n < cycles; n++) {
                daws_footprint_comb(&stepped, &in, &out);
                daws_footprint_step(&stepped, &in, &out);
            }
            assert_memory_equal(&skipped, &stepped, sizeof skipped);
        }
    }
}

TEST(outputs_stay_for_the_cycles_that_are_steady) {
    struct rng rng = seeded_rng(4);
    unsigned longest = 0;
    for (unsigned runs = 60; runs; runs--) {
        const struct daws_footprint_params p = random_footprint_params(&rng);
        struct daws_footprint s;
        struct daws_footprint_in in = {0};
        assert_true(daws_footprint_init(&s, &p));
        for (unsigned cycle = 0; cycle < 1500; cycle++) {
            struct daws_footprint_out out, first, later;
            put_random_input(&rng, &p, cycle / 100 % 12, &in);
            daws_footprint_comb(&s, &in, &out);
            daws_footprint_step(&s, &in, &out);
            struct daws_footprint copy = s;
            memset(&first, 0, sizeof first);
            memset(&later, 0, sizeof later);
            in.mark_valid = false;
            in.launch = in.exit = 0;
            daws_footprint_comb(&copy, &in, &first);
            const uint64_t steady = daws_footprint_steady(&s, &in);
            assert_true(steady > 0);
            for (unsigned n = 1; n < steady && n < 100; n++) {
                daws_footprint_step(&copy, &in, &first);
                daws_footprint_comb(&copy, &in, &later);
                assert_memory_equal(&first, &later, sizeof first);
                longest = n > longest ? n : longest;
            }
        }
    }
    assert_true(longest > 7);
}

TEST(quiet_when_nothing_is_under_way) {
    struct warps b;
    open_warps(&b, 40, 100, 0, 0);
    struct daws_footprint_in in = {0};
    assert_true(daws_footprint_quiet(&b.s, &in));
    in.near = 1; /* nobody is in a loop */
    in.waits = 2;
    assert_true(daws_footprint_quiet(&b.s, &in));
    in.mark_valid = true;
    assert_false(daws_footprint_quiet(&b.s, &in));
    in = (struct daws_footprint_in){.launch = 1};
    assert_false(daws_footprint_quiet(&b.s, &in));
    in = (struct daws_footprint_in){.exit = 1};
    assert_false(daws_footprint_quiet(&b.s, &in));
    in = (struct daws_footprint_in){.rst = true};
    assert_false(daws_footprint_quiet(&b.s, &in));
    mark_warp(&b, DAWS_BEGIN, 1, LOOP, 32);
    in = (struct daws_footprint_in){0};
    assert_true(daws_footprint_quiet(&b.s, &in));
    in.near = 1;
    assert_false(daws_footprint_quiet(&b.s, &in));
    in.near = 2; /* it is in a loop */
    assert_true(daws_footprint_quiet(&b.s, &in));
    in.waits = 2;
    assert_false(daws_footprint_quiet(&b.s, &in));
    put_loop_mark(&b, DAWS_TRIP, 1, LOOP, 32);
    in = (struct daws_footprint_in){0};
    for (unsigned i = 0; i + 1 < daws_mark_cycles(&b.s.p); i++) {
        tick_warps(&b);
        assert_false(daws_footprint_quiet(&b.s, &in));
    }
}

/* --- cycles, on both sides --- */

static struct daws_footprint_in *footprint_in_of(const struct bench *b) {
    return b->pair.in;
}

static const struct daws_footprint_params *footprint_params_of(const struct bench *b) {
    return (const struct daws_footprint_params *)b->pair.ports.params;
}

static const struct daws_footprint_out *shown_by(struct bench *b) {
    bench_comb(b);
    b->settled = false; /* inputs of this cycle may come */
    return b->pair.c_out;
}

static void mark_in(struct bench *b, enum daws_mark kind, unsigned warp, uint32_t pc) {
    footprint_in_of(b)->mark_valid = true;
    footprint_in_of(b)->mark_kind = (uint8_t)kind;
    footprint_in_of(b)->mark_warp = (uint8_t)warp;
    footprint_in_of(b)->mark_pc = pc;
    footprint_in_of(b)->mark_lanes = 3;
}

static void answer_in(struct bench *b, uint32_t loop, uint32_t lines) {
    footprint_in_of(b)->ans_known = true;
    footprint_in_of(b)->ans_loop = loop;
    footprint_in_of(b)->ans_lines = lines;
}

/* A mark, its question two cycles later, and its answer three cycles after that. */
static void pass_mark(struct bench *b, enum daws_mark kind, unsigned warp, uint32_t pc,
                      uint32_t asked, uint32_t lines) {
    mark_in(b, kind, warp, pc);
    bench_edge(b);
    bench_edge(b);
    assert_true(shown_by(b)->ask_valid && shown_by(b)->ask_warp == warp &&
                shown_by(b)->ask_pc == asked && shown_by(b)->ask_lanes == 3);
    bench_idle(b, DAWS_ASK_CYCLES);
    answer_in(b, asked, lines);
    bench_edge(b);
}

SET_TEST(test_5_1_the_younger_of_two_whole_footprints_is_held_until_the_older_loop_ends) {
    const struct daws_footprint_params *p = footprint_params_of(b);
    const uint64_t all = ~UINT64_C(0) >> (64 - p->WARPS), last = UINT64_C(1) << (p->WARPS - 1);
    pass_mark(b, DAWS_BEGIN, 0, 1, 1, p->LINES);
    bench_idle(b, 2 * daws_round_cycles(p));
    pass_mark(b, DAWS_BEGIN, p->WARPS - 1, 1, 1, p->LINES);
    bench_idle(b, daws_round_cycles(p));
    assert_true(shown_by(b)->can_load == all); /* not in the cycle before */
    bench_edge(b);
    assert_true(shown_by(b)->can_load == (all & ~last));
    assert_true(shown_by(b)->in_loop == (1 | last));
    mark_in(b, DAWS_END, 0, 1);
    bench_edge(b);
    bench_idle(b, 1 + DAWS_ASK_CYCLES + 1 + daws_round_cycles(p));
    assert_true(shown_by(b)->can_load == (all & ~last));
    bench_edge(b);
    assert_true(shown_by(b)->can_load == all);
    assert_true(shown_by(b)->in_loop == last);
}

SET_TEST(test_5_1_3_an_outer_trip_asks_for_the_inner_loop_and_an_inner_one_for_itself) {
    pass_mark(b, DAWS_BEGIN, 1, 2, 2, 1);
    pass_mark(b, DAWS_BEGIN, 1, 5, 5, 1);
    pass_mark(b, DAWS_TRIP, 1, 5, 5, 1);
    pass_mark(b, DAWS_TRIP, 1, 6, 6, 1);
    pass_mark(b, DAWS_TRIP, 1, 2, 6, 1);
    pass_mark(b, DAWS_TRIP, 0, 2, 2, 1); /* another warp */
}

SET_TEST(test_5_1_2_a_load_outside_asks_with_its_pc_while_a_warp_is_in_a_loop) {
    struct daws_footprint_in *in = footprint_in_of(b);
    in->near = 2;
    bench_edge(b);
    in->near = 2;
    bench_edge(b);
    assert_true(!shown_by(b)->near_valid);
    pass_mark(b, DAWS_BEGIN, 0, 1, 1, 1);
    in->near = 2;
    bench_edge(b);
    in->near = 2;
    assert_true(!shown_by(b)->near_valid);
    bench_edge(b);
    in->near = 2;
    assert_true(shown_by(b)->near_valid && shown_by(b)->near_warp == 1);
    in->near_pc = 4;
    in->near_lanes = 2;
    bench_edge(b);
    in->near = 2;
    assert_true(!shown_by(b)->near_valid);
    assert_true(shown_by(b)->ask_valid && shown_by(b)->ask_near && shown_by(b)->ask_warp == 1 &&
                shown_by(b)->ask_pc == 4 && shown_by(b)->ask_lanes == 2);
    bench_edge(b);
}

SET_TEST(test_5_2_2_a_load_shows_the_innermost_loop_of_its_warp_two_cycles_later) {
    const struct daws_footprint_params *p = footprint_params_of(b);
    const unsigned warp = p->WARPS - 1;
    for (unsigned depth = 0; depth < p->DEPTH + 2; depth++) {
        mark_in(b, DAWS_LOAD, warp, 0);
        bench_edge(b);
        mark_in(b, DAWS_BEGIN, warp, depth + 1); /* behind the load */
        bench_edge(b);
        assert_true(shown_by(b)->load_valid && shown_by(b)->load_found == (depth > 0));
        if (depth) {
            assert_int_equal(shown_by(b)->load_loop, depth < p->DEPTH ? depth : p->DEPTH);
        }
        bench_edge(b);
        assert_true(!shown_by(b)->load_valid);
    }
}

SET_TEST(test_a_reset_forgets_loops_footprints_and_ages) {
    const struct daws_footprint_params *p = footprint_params_of(b);
    const uint64_t all = ~UINT64_C(0) >> (64 - p->WARPS);
    footprint_in_of(b)->launch = 1;
    bench_edge(b);
    bench_idle(b, 3);
    pass_mark(b, DAWS_BEGIN, 0, 1, 1, p->LINES);
    pass_mark(b, DAWS_BEGIN, 1, 1, 1, p->LINES);
    bench_idle(b, 20);
    assert_true(shown_by(b)->can_load == (all & ~UINT64_C(1)));
    mark_in(b, DAWS_BEGIN, 0, 1);
    footprint_in_of(b)->rst = true;
    bench_edge(b);
    assert_true(shown_by(b)->can_load == all && !shown_by(b)->in_loop);
    bench_idle(b, 20);
    assert_true(shown_by(b)->can_load == all && !shown_by(b)->in_loop);
    pass_mark(b, DAWS_BEGIN, 0, 1, 1, p->LINES);
    pass_mark(b, DAWS_BEGIN, 1, 1, 1, p->LINES);
    bench_idle(b, 20);
    assert_true(shown_by(b)->can_load == (all & ~UINT64_C(2)));
}
