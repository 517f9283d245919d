/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams made by hand, and the masks that a warp should have. Threads 0, 1, 2... are bits 1, 2,
 * 4... of a mask.
 */
#include "capture/hand_made.h"

static void assert_aligned(const char *const *lines, const char *const *walks, unsigned threads,
                           enum aligner_rule rule, const char *expected) {
    struct hand_made h;
    char text[HAND_MADE_TEXT];
    open_hand_made(&h, lines, rule);
    if (!align_hand_made(&h, walks, threads)) {
        fail_msg("%s", aligner_error(h.aligner));
    }
    print_records(h.cta, &h.layout->code, 0, text);
    assert_string_equal(text, expected);
    close_hand_made(&h);
}

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ALIGNED(lines, expected, ...) \
    assert_aligned(lines, (const char *const[]){__VA_ARGS__}, \
                   sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *), ALIGN_SMALLEST, \
                   expected)
#define ALIGNED_BY_STACK(lines, expected, ...) \
    assert_aligned(lines, (const char *const[]){__VA_ARGS__}, \
                   sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *), ALIGN_STACK, \
                   expected)

static const char *const if_else[] = {"br > 1 2", "load > 3", "store > 3", "alu", NULL};

TEST(an_if_and_its_else_are_executed_apart_and_meet_behind_it) {
    ALIGNED(if_else, "br 7 load 5 store 2 alu 7", "0 1 3", "0 2 3", "0 1 3");
    ALIGNED_BY_STACK(if_else, "br 7 load 5 store 2 alu 7", "0 1 3", "0 2 3", "0 1 3");
}

TEST(a_branch_that_no_lane_takes_is_not_executed) {
    ALIGNED(if_else, "br 3 load 3 alu 3", "0 1 3", "0 1 3");
}

TEST(a_predicated_block_that_no_lane_takes_issues_what_computes_in_it) {
    static const char *const one[] = {"alu > 1 2", "p: load alu br > 2", "store", NULL};
    static const char *const both[] = {"br > 1 2", "p: alu > 3", "p: load br > 3", "store", NULL};
    ALIGNED(one, "alu 3 alu 0 br 0 store 3", "0 2", "0 2");
    ALIGNED(one, "alu 3 load 1 alu 1 br 1 store 3", "0 1 2", "0 2");
    ALIGNED_BY_STACK(one, "alu 3 alu 0 br 0 store 3", "0 2", "0 2");
    ALIGNED(both, "br 3 br 0 alu 3 store 3", "0 1 3", "0 1 3");
    ALIGNED(both, "br 3 alu 0 load 3 br 3 store 3", "0 2 3", "0 2 3");
}

/* 0: guard; 1: the loop, whose exit block has the smaller number in the compiler's order. */
static const char *const loop[] = {"alu > 2", "store", "load br > 2 1", NULL};

TEST(lanes_that_leave_a_loop_wait_for_those_that_stay) {
    ALIGNED(loop, "alu 7 begin 7 it 7 load 7 br 7 it 6 load 6 br 6 it 4 load 4 br 4 end 7 store 7",
            "0 2 1", "0 2 2 1", "0 2 2 2 1");
    ALIGNED_BY_STACK(
        loop, "alu 7 begin 7 it 7 load 7 br 7 it 6 load 6 br 6 it 4 load 4 br 4 end 7 store 7",
        "0 2 1", "0 2 2 1", "0 2 2 2 1");
}

TEST(trip_k_of_a_row_has_the_lanes_whose_rows_are_longer_than_k) {
    static const unsigned length[WARP_SIZE] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                                               2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
    struct hand_made h;
    char walks[WARP_SIZE][64];
    const char *walk[WARP_SIZE];
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        size_t used = (size_t)sprintf(walks[lane], "0");
        for (unsigned i = 0; i < length[lane]; i++) {
            used += (size_t)sprintf(walks[lane] + used, " 2");
        }
        sprintf(walks[lane] + used, " 1");
        walk[lane] = walks[lane];
    }
    open_hand_made(&h, loop, ALIGN_SMALLEST);
    assert_true(align_hand_made(&h, walk, WARP_SIZE));
    struct warp_cursor c;
    struct warp_op op;
    unsigned trip = 0;
    warp_cursor_open(&c, &h.cta->warp[0], &h.layout->code);
    while (warp_cursor_next(&c, &op)) {
        if (op.insn->op != OP_LOAD) {
            continue;
        }
        uint32_t longer = 0;
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            longer |= (uint32_t)(length[lane] > trip) << lane;
        }
        assert_int_equal(op.active, longer);
        trip++;
    }
    assert_int_equal(trip, 9);
    close_hand_made(&h);
}

/* for (i) { for (j) load; }: 1 is the head of the outer loop, 2 the inner loop, 3 the way back. */
static const char *const nest[] = {"alu > 1", "br > 2 4", "load > 2 3", "alu > 1", "store", NULL};

TEST(an_inner_loop_begins_and_ends_in_each_iteration_and_has_the_larger_pc) {
    ALIGNED(nest,
            "alu 3 begin 3 it 3 br 3 begin 3 it 3 load 3 it 2 load 2 end 3 alu 3 "
            "it 3 br 3 begin 2 it 2 load 2 end 2 alu 2 it 2 br 2 end 3 store 3",
            "0 1 2 3 1 4", "0 1 2 2 3 1 2 3 1 4");
    struct hand_made h;
    open_hand_made(&h, nest, ALIGN_SMALLEST);
    const struct insn *insns = h.layout->code.insns;
    assert_int_equal(h.layout->order->loop_count, 2);
    unsigned outer = h.layout->order->loops[0].parent == LOOP_NONE ? 0 : 1;
    uint32_t outer_at = h.layout->loop_marker[outer], inner_at = h.layout->loop_marker[1 - outer];
    assert_true(insns[outer_at].pc < insns[inner_at].pc);
    for (unsigned marker = 0; marker < 3; marker++) { /* all have that of the first instruction */
        assert_int_equal(insns[outer_at + marker].pc, insns[outer_at + 3].pc);
    }
    close_hand_made(&h);
}

/* for (;;) { if (a) continue; if (b) break; load; }: 1 head, 2 second test, 3 body. */
static const char *const jumps[] = {"alu > 1", "br > 1 2", "br > 3 4", "load > 1", "store", NULL};

TEST(lanes_that_continue_wait_for_the_others_before_the_next_iteration) {
    ALIGNED(jumps,
            "alu 7 begin 7 it 7 br 7 br 6 load 4 it 5 br 5 br 5 load 4 it 4 br 4 br 4 end 7 "
            "store 7",
            "0 1 1 2 4", "0 1 2 4", "0 1 2 3 1 2 3 1 2 4");
}

TEST(a_break_lets_lanes_wait_behind_the_loop) {
    ALIGNED(jumps, "alu 3 begin 3 it 3 br 3 br 3 load 1 it 1 br 1 br 1 end 3 store 3",
            "0 1 2 3 1 2 4", "0 1 2 4");
}

TEST(an_early_return_ends_a_lane_and_not_its_loop) {
    static const char *const early[] = {"alu > 1", "br > 2 3", "store", "load > 1 4", "alu", NULL};
    ALIGNED(early, "alu 3 begin 3 it 3 br 3 load 2 it 2 br 2 load 2 end 3 store 1 alu 2", "0 1 2",
            "0 1 3 1 3 4");
}

/* if (a && (b || c)) load; store */
static const char *const circuit[] = {"br > 1 4", "br > 3 2", "br > 3 4",
                                      "load > 4", "store",    NULL};

TEST(a_short_circuit_executes_its_body_once) {
    ALIGNED(circuit, "br f br e br c load 6 store f", "0 4", "0 1 3 4", "0 1 2 3 4", "0 1 2 4");
}

/* The post-dominator of every branch is block 4: the lanes come to the body one after another. */
TEST(a_stack_executes_the_body_of_a_short_circuit_twice) {
    ALIGNED_BY_STACK(circuit, "br f br e br c load 4 load 2 store f", "0 4", "0 1 3 4", "0 1 2 3 4",
                     "0 1 2 4");
}

TEST(a_switch_that_falls_through_executes_each_case_once) {
    static const char *const cases[] = {"br > 1 2 3 4", "load > 2", "alu > 3",
                                        "load > 4",     "store",    NULL};
    ALIGNED(cases, "br f load 1 alu 3 load 7 store f", "0 1 2 3 4", "0 2 3 4", "0 3 4", "0 4");
}

/* A goto into a loop: blocks 1 and 2 lead to each other, and 0 to both. */
static const char *const goto_in[] = {"br > 1 2", "load > 2", "alu > 1 3", "store", NULL};

TEST(a_loop_with_two_entries_has_no_markers_but_its_lanes_meet_behind_it) {
    struct hand_made h;
    open_hand_made(&h, goto_in, ALIGN_SMALLEST);
    assert_int_equal(h.layout->order->irreducible, 1);
    assert_int_equal(h.layout->order->loop_count, 0);
    close_hand_made(&h);
    ALIGNED(goto_in, "br 3 load 1 alu 3 load 2 alu 2 store 3", "0 1 2 3", "0 2 1 2 3");
}

static const char *const barrier_loop[] = {"alu > 1", "store bar > 2", "load br > 1 3", "alu",
                                           NULL};

TEST(a_barrier_is_one_instruction_of_all_lanes_and_its_loop_goes_on) {
    ALIGNED(barrier_loop,
            "alu 3 begin 3 it 3 store 3 bar 3 load 3 br 3 it 3 store 3 bar 3 load 3 br 3 end 3 "
            "alu 3",
            "0 1 | 2 1 | 2 3", "0 1 | 2 1 | 2 3");
    ALIGNED_BY_STACK(
        barrier_loop,
        "alu 3 begin 3 it 3 store 3 bar 3 load 3 br 3 it 3 store 3 bar 3 load 3 br 3 end 3 alu 3",
        "0 1 | 2 1 | 2 3", "0 1 | 2 1 | 2 3");
}

TEST(lanes_that_wait_at_two_barriers_wait_at_one) {
    static const char *const two[] = {"br > 1 2", "load bar > 3", "bar > 3", "store", NULL};
    ALIGNED(two, "br 3 load 1 bar 3 store 3", "0 1 | 3", "0 2 | 3");
    ALIGNED_BY_STACK(two, "br 3 load 1 bar 3 store 3", "0 1 | 3", "0 2 | 3");
}

/* 0 calls what begins at 2 or 3, and goes on at 1. */
static const char *const two_targets[] = {"call > 1", "alu", "f: load br", "f: store br", NULL};

TEST(lanes_that_call_different_functions_run_them_apart_and_meet_behind_the_call) {
    const char *const expected = "br f load 5 br 5 store a br a alu f";
    ALIGNED(two_targets, expected, "0 2 1", "0 3 1", "0 2 1", "0 3 1");
    ALIGNED_BY_STACK(two_targets, expected, "0 2 1", "0 3 1", "0 2 1", "0 3 1");
}

TEST(a_lane_may_end_in_a_function) {
    ALIGNED(two_targets, "br 3 load 3 br 3 alu 1", "0 2 1", "0 2");
    ALIGNED_BY_STACK(two_targets, "br 3 load 3 br 3 alu 1", "0 2 1", "0 2");
}

TEST(calls_from_two_places_run_the_function_twice) {
    static const char *const places[] = {"br > 1 2", "call > 3", "call > 3",
                                         "alu",      "f: load",  NULL};
    ALIGNED(places, "br 3 br 1 load 1 br 2 load 2 alu 3", "0 1 4 3", "0 2 4 3");
    ALIGNED_BY_STACK(places, "br 3 br 1 load 1 br 2 load 2 alu 3", "0 1 4 3", "0 2 4 3");
}

/* f: if (deepest) load; else { f(); store; } */
TEST(a_lane_that_calls_itself_meets_the_others_when_it_has_returned) {
    static const char *const itself[] = {"call > 1", "alu", "f: br > 3 4", "load > 5",
                                         "call > 6", "alu", "store > 5",   NULL};
    const char *const expected = "br 7 br 7 load 1 br 6 br 6 load 2 br 4 br 4 load 4 alu 4 store 4 "
                                 "alu 6 store 6 alu 7 alu 7";
    ALIGNED(itself, expected, "0 2 3 5 1", "0 2 4 2 3 5 6 5 1", "0 2 4 2 4 2 3 5 6 5 6 5 1");
    ALIGNED_BY_STACK(itself, expected, "0 2 3 5 1", "0 2 4 2 3 5 6 5 1",
                     "0 2 4 2 4 2 3 5 6 5 6 5 1");
}

TEST(a_loop_around_a_call_stays_open_and_one_in_the_function_ends) {
    static const char *const loops[] = {"alu > 1",    "call > 2",      "br > 1 3", "store",
                                        "f: alu > 5", "load br > 5 6", "alu",      NULL};
    const char *const expected =
        "alu 3 begin 3 it 3 br 3 alu 3 begin 3 it 3 load 3 br 3 it 1 load 1 br 1 end 3 alu 3 br 3 "
        "it 1 br 1 alu 1 begin 1 it 1 load 1 br 1 end 1 alu 1 br 1 end 3 store 3";
    ALIGNED(loops, expected, "0 1 4 5 5 6 2 1 4 5 6 2 3", "0 1 4 5 6 2 3");
    ALIGNED_BY_STACK(loops, expected, "0 1 4 5 5 6 2 1 4 5 6 2 3", "0 1 4 5 6 2 3");
}

TEST(lanes_wait_at_a_barrier_inside_of_different_calls) {
    static const char *const waits[] = {"br > 1 2",        "call > 3", "call > 3", "alu",
                                        "f: load bar > 5", "store",    NULL};
    ALIGNED(waits, "br 3 br 1 load 1 br 2 load 2 bar 3 store 1 store 2 alu 3", "0 1 4 | 5 3",
            "0 2 4 | 5 3");
    ALIGNED_BY_STACK(waits, "br 3 br 1 load 1 br 2 load 2 bar 3 store 2 store 1 alu 3",
                     "0 1 4 | 5 3", "0 2 4 | 5 3");
}

TEST(streams_with_calls_that_are_not_of_the_code_are_refused) {
    static const char *const walks[] = {"0 1", "0 2 3", "0 2 2", "0", "0 2 1 1"};
    for (unsigned i = 0; i < sizeof walks / sizeof *walks; i++) {
        struct hand_made h;
        open_hand_made(&h, two_targets, ALIGN_SMALLEST);
        assert_false(align_hand_made(&h, &walks[i], 1));
        close_hand_made(&h);
    }
}

TEST(a_lane_that_has_ended_does_not_wait_at_the_barrier) {
    static const char *const leave[] = {"br > 1 2", "store", "bar > 3", "load", NULL};
    ALIGNED(leave, "br 3 store 1 bar 2 load 2", "0 1", "0 2 | 3");
}

TEST(a_generic_access_is_an_instruction_for_each_space) {
    static const char *const any[] = {"any alu", NULL};
    ALIGNED(any, "load 5 loads 2 alu 7", "0", "0s", "0");
    ALIGNED(any, "loads 3 alu 3", "0s", "0s");
}

TEST(a_jump_to_the_block_that_follows_is_no_instruction) {
    static const char *const both[] = {"br > 1 2", "load jump > 3", "store jump > 3", "alu", NULL};
    ALIGNED(both, "br 3 load 1 br 1 store 2 alu 3", "0 1 3", "0 2 3");
}

TEST(the_second_warp_has_the_lanes_that_are_left) {
    const char *walks[40];
    struct hand_made h;
    char text[HAND_MADE_TEXT];
    for (unsigned t = 0; t < 40; t++) {
        walks[t] = t & 1 ? "0 1 3" : "0 2 3";
    }
    open_hand_made(&h, if_else, ALIGN_SMALLEST);
    assert_true(align_hand_made(&h, walks, 40));
    print_records(h.cta, &h.layout->code, 1, text);
    assert_string_equal(text, "br ff load aa store 55 alu ff");
    assert_int_equal(h.cta->warp_count, 2);
    close_hand_made(&h);
}

TEST(streams_that_are_not_of_the_code_are_refused) {
    static const struct {
        const char *walk, *says;
    } cases[] = {{"1 3", "none of this code"},
                 {"0 3", "none of this code"},
                 {"0 9", "none of this code"},
                 {"0 1", "break off"},
                 {"0 1 3 3", "go on behind"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hand_made h;
        const char *const walks[] = {cases[i].walk};
        open_hand_made(&h, if_else, ALIGN_SMALLEST);
        assert_false(align_hand_made(&h, walks, 1));
        assert_says(aligner_error(h.aligner), cases[i].says);
        close_hand_made(&h);
    }
}

TEST(a_space_that_an_instruction_cannot_reach_is_refused) {
    struct hand_made h;
    open_hand_made(&h, LINES("any"), ALIGN_SMALLEST);
    aligner_begin_cta(h.aligner, 1, h.cta);
    assert_true(recorder_put_block(h.recorder, h.recorder->thread, 0));
    assert_true(recorder_put_access(h.recorder, h.recorder->thread, SPACE_LOCAL, 16));
    assert_false(aligner_run(h.aligner, 0, h.recorder->thread));
    assert_says(aligner_error(h.aligner), "space");
    close_hand_made(&h);
}

TEST(a_recorder_over_its_limit_refuses) {
    struct recorder *r = malloc(sizeof *r);
    recorder_init(r, 1000);
    unsigned put = 0;
    while (put < 5000 && recorder_put_block(r, &r->thread[put % 2], 0)) {
        put++;
    }
    assert_true(put >= 256 && put <= 1000);
    recorder_free(r);
    free(r);
}
