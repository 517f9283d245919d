/* SPDX-License-Identifier: Apache-2.0
 * The prefetcher of open DRAM rows, one behaviour a test. Sections in the names of the cases are
 * those of OWL, ASPLOS 2013. */
#include "dram/row_prefetch_cases.h"

static unsigned last_bank_of(const struct bench *b) {
    return row_prefetch_params_of(b)->BANKS - 1;
}

static uint32_t some_row_of(const struct bench *b) {
    return (uint32_t)(UINT64_C(0xa5a5a5a5) &
                      ((UINT64_C(1) << row_prefetch_params_of(b)->ROW_BITS) - 1));
}

/* Longer than from a choice to its offer. */
static void assert_nothing_offered(struct bench *b, struct open_rows *c) {
    for (unsigned cycle = 0; cycle < 6; cycle++) {
        tick_prefetcher(b, c);
        assert_false(c->out.pf_valid);
        assert_int_equal(c->out.hold, 0);
    }
}

/* Activate in cycle n, choice in n + 1, offer in n + 2. */
SET_TEST(test_owl_4_4_lines_are_offered_in_their_order_and_none_twice) {
    struct open_rows c = {0};
    unsigned lines = row_prefetch_params_of(b)->LINES;
    make_lines_go(b, &c);
    open_bank_row(b, &c, 1, some_row_of(b), false);
    tick_prefetcher(b, &c);
    assert_false(c.out.pf_valid);
    for (unsigned line = 0; line < lines; line++) {
        tick_prefetcher(b, &c);
        assert_offered(&c, 1, line);
        assert_int_equal(c.out.pf_row, some_row_of(b));
    }
    assert_nothing_offered(b, &c);
}

SET_TEST(test_owl_4_4_no_line_while_a_demand_for_the_row_waits) {
    struct open_rows c = {0};
    make_lines_go(b, &c);
    open_bank_row(b, &c, 0, 0, false);
    c.wanted = 1;
    assert_nothing_offered(b, &c);
    c.wanted = 0;
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 0);
}

/* "the cache lines that were not accessed by demand requests" */
SET_TEST(test_owl_4_4_a_line_that_a_demand_took_is_not_offered) {
    struct open_rows c = {0};
    unsigned lines = row_prefetch_params_of(b)->LINES, bank = last_bank_of(b);
    make_lines_go(b, &c);
    open_bank_row(b, &c, bank, 0, false);
    serve_demand_line(b, &c, bank, 0);
    serve_demand_line(b, &c, bank, lines - 1);
    serve_demand_line(b, &c, bank, 0);
    tick_prefetcher(b, &c);
    for (unsigned line = 1; line < lines - 1; line++) {
        tick_prefetcher(b, &c);
        assert_offered(&c, bank, line);
    }
    tick_prefetcher(b, &c);
    assert_false(c.out.pf_valid);
}

/* "stops immediately after a demand request to a different row arrives": a line that is offered
 * then is still taken. */
SET_TEST(test_owl_4_4_rule_1_stops_at_a_demand_for_another_row) {
    struct open_rows c = {0};
    if (row_prefetch_params_of(b)->RULE != 1) {
        return;
    }
    open_bank_row(b, &c, 0, 0, false);
    tick_prefetcher(b, &c);
    for (unsigned line = 0; line < 3; line++) {
        tick_prefetcher(b, &c);
        assert_offered(&c, 0, line);
        assert_int_equal(c.out.hold, 1);
    }
    c.other = 1;
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 3);
    assert_nothing_offered(b, &c);
    c.other = 0;
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 4);
}

/* A demand for another row waits as early as it may. The row is held for its lines alone. */
static void assert_lines_despite_demand(struct bench *b, bool few, unsigned least) {
    bool at_once = row_prefetch_params_of(b)->START;
    struct open_rows c = {.other = at_once};
    unsigned lines = row_prefetch_params_of(b)->LINES;
    least = least < lines ? least : lines;
    make_few_wait(b, &c, few);
    open_bank_row(b, &c, 0, 0, false);
    tick_prefetcher(b, &c);
    assert_int_equal(c.out.hold, at_once && least);
    c.other = 1;
    for (unsigned line = 0; line < least; line++) {
        tick_prefetcher(b, &c);
        assert_offered(&c, 0, line);
        assert_int_equal(c.out.hold, 1);
    }
    assert_nothing_offered(b, &c);
    if (least && least < lines) {
        c.other = 0; /* a row that nobody waits to close gets the others too */
        tick_prefetcher(b, &c);
        tick_prefetcher(b, &c);
        assert_offered(&c, 0, least);
    }
}

/* "prefetches at least a minimum number of cache lines (C) regardless of whether or not a demand
 * arrives"; lower is 8. */
SET_TEST(test_owl_4_4_rule_2_stops_after_lower_lines) {
    if (row_prefetch_params_of(b)->RULE == 2) {
        assert_lines_despite_demand(b, false, row_prefetch_params_of(b)->LOWER);
    }
}

/* "If that number is less than a threshold, the value of C is set to a value higher", 16. */
SET_TEST(test_owl_4_4_rule_2_stops_after_higher_lines_while_few_wait) {
    if (row_prefetch_params_of(b)->RULE == 2) {
        assert_lines_despite_demand(b, true, row_prefetch_params_of(b)->HIGHER);
    }
}

/* "regardless of whether or not a demand arrives": one that waits before the first line comes
 * first. */
SET_TEST(test_owl_4_4_rule_2_begins_no_row_while_a_demand_for_another_waits) {
    struct open_rows c = {.other = 1};
    if (row_prefetch_params_of(b)->RULE != 2 || row_prefetch_params_of(b)->START) {
        return;
    }
    make_lines_go(b, &c);
    open_bank_row(b, &c, 0, 0, false);
    assert_nothing_offered(b, &c);
    c.other = 0;
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 0);
}

/* "less than a threshold", which is the average: as many are not few. */
SET_TEST(test_owl_4_4_as_many_as_the_average_are_not_few) {
    unsigned shift = row_prefetch_params_of(b)->AVERAGE_SHIFT;
    struct open_rows c = {.pending = (uint8_t)(1u << (shift - 1))};
    if (row_prefetch_params_of(b)->THRESHOLD) {
        return;
    }
    for (unsigned i = 0; i < 2; i++) { /* the average becomes a half, then one */
        row_prefetch_in_of(b)->arrival = true;
        tick_prefetcher(b, &c);
        tick_prefetcher(b, &c);
    }
    assert_int_equal(row_prefetch_state_of(b)->sum, 1u << shift);
    for (c.pending = 0; c.pending < 3; c.pending++) {
        tick_prefetcher(b, &c);
        assert_int_equal(row_prefetch_state_of(b)->few, c.pending < 1);
    }
}

/* Figure 11: 0 is no prefetching. */
SET_TEST(test_owl_5_2_a_least_number_of_0_prefetches_nothing) {
    struct open_rows c = {0};
    if (row_prefetch_params_of(b)->RULE == 1 || row_prefetch_params_of(b)->LOWER) {
        return;
    }
    make_few_wait(b, &c, false);
    open_bank_row(b, &c, 0, 0, false);
    for (unsigned cycle = 0; cycle < 8; cycle++) {
        tick_prefetcher(b, &c);
        assert_false(c.out.pf_valid);
        assert_int_equal(c.out.hold, 0);
    }
}

/* Where the number of lines falls from higher to lower, those beyond it are held no longer. */
SET_TEST(test_owl_4_4_a_row_is_held_no_longer_when_many_wait_again) {
    const struct row_prefetch_params *p = row_prefetch_params_of(b);
    struct open_rows c = {.other = p->START};
    if (p->RULE == 1 || p->LOWER + 1 >= p->HIGHER || p->HIGHER > p->LINES) {
        return;
    }
    make_few_wait(b, &c, true);
    open_bank_row(b, &c, 0, 0, false);
    for (unsigned cycle = 0; cycle < p->LOWER + 2; cycle++) {
        tick_prefetcher(b, &c);
        c.other = 1;
    }
    c.pending = UINT8_MAX; /* counts from the next cycle on */
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, p->LOWER + 1);
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_false(c.out.pf_valid);
    assert_int_equal(c.out.hold, 0);
    assert_in_range(row_prefetch_state_of(b)->count[0], p->LOWER + 1, p->HIGHER - 1);
}

/* 4.5: "computed approximately with the aid of shift registers". Sixteen times the average, with 32
 * demands at each of 20 arrivals: each adds 32 and takes its sixteenth. */
SET_TEST(test_owl_4_5_the_average_follows_20_arrivals) {
    static const unsigned sums[20] = {32,  62,  91,  118, 143, 167, 189, 210, 229, 247,
                                      264, 280, 295, 309, 322, 334, 346, 357, 367, 377};
    struct open_rows c = {.pending = 32};
    if (row_prefetch_params_of(b)->AVERAGE_SHIFT != 4) {
        return;
    }
    for (unsigned i = 0; i < 20; i++) {
        row_prefetch_in_of(b)->arrival = true;
        tick_prefetcher(b, &c);
        tick_prefetcher(b, &c);
        assert_int_equal(row_prefetch_state_of(b)->sum, sums[i]);
    }
    for (c.pending = 22; c.pending < 26; c.pending++) { /* 377 / 16 is 23.6 */
        tick_prefetcher(b, &c);
        assert_int_equal(row_prefetch_state_of(b)->few, c.pending < 24);
    }
}

/* An arrival does not know of the one a cycle before it. */
SET_TEST(test_arrivals_in_two_cycles_see_the_same_average) {
    struct open_rows c = {.pending = 200};
    unsigned shift = row_prefetch_params_of(b)->AVERAGE_SHIFT;
    const unsigned sums[] = {0, 200, 400, 600 - (200 >> shift)};
    for (unsigned i = 0; i < 4; i++) {
        row_prefetch_in_of(b)->arrival = true;
        tick_prefetcher(b, &c);
        assert_int_equal(row_prefetch_state_of(b)->sum, sums[i]);
    }
}

SET_TEST(test_few_are_fewer_than_the_threshold) {
    struct open_rows c = {0};
    unsigned threshold = row_prefetch_params_of(b)->THRESHOLD;
    if (!threshold) {
        return;
    }
    for (unsigned pending = 0; pending <= UINT8_MAX; pending++) {
        c.pending = (uint8_t)pending;
        tick_prefetcher(b, &c);
        assert_int_equal(row_prefetch_state_of(b)->few, pending < threshold);
    }
}

SET_TEST(test_rows_opened_for_a_write_get_lines_if_written_says_so) {
    struct open_rows c = {0};
    make_lines_go(b, &c);
    open_bank_row(b, &c, 0, 0, true);
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_int_equal(c.out.pf_valid, row_prefetch_params_of(b)->WRITTEN);
    if (!row_prefetch_params_of(b)->WRITTEN) {
        assert_int_equal(c.out.hold, 0);
        serve_demand_line(b, &c, 0, 1); /* what is not known to be left stays so */
        tick_prefetcher(b, &c);
        tick_prefetcher(b, &c);
        assert_false(c.out.pf_valid);
    }
}

SET_TEST(test_banks_take_turns) {
    struct open_rows c = {.wanted = 1};
    make_lines_go(b, &c);
    for (unsigned bank = 0; bank <= last_bank_of(b); bank++) {
        open_bank_row(b, &c, bank, bank & some_row_of(b), false);
        c.wanted = c.open | UINT64_C(1) << bank;
    }
    c.wanted = 0;
    tick_prefetcher(b, &c);
    for (unsigned line = 0; line < 2; line++) {
        for (unsigned bank = 0; bank <= last_bank_of(b); bank++) {
            tick_prefetcher(b, &c);
            assert_offered(&c, bank, line);
            assert_int_equal(c.out.pf_row, bank & some_row_of(b));
        }
    }
}

SET_TEST(test_a_bank_that_cannot_go_loses_its_turn_alone) {
    struct open_rows c = {0};
    unsigned last = last_bank_of(b);
    make_lines_go(b, &c);
    c.wanted = 1;
    open_bank_row(b, &c, 0, 0, false);
    c.wanted |= UINT64_C(1) << last;
    open_bank_row(b, &c, last, 0, false);
    c.wanted = 1;
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_offered(&c, last, 0);
    c.wanted = 0;
    tick_prefetcher(b, &c); /* in whose choice both can go */
    assert_offered(&c, last, 1);
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 0);
}

/* "When the row is opened, the n bits are reset." */
SET_TEST(test_owl_4_5_bits_are_cleared_by_an_activate_alone) {
    struct open_rows c = {0};
    const struct row_prefetch_params *p = row_prefetch_params_of(b);
    make_lines_go(b, &c);
    open_bank_row(b, &c, 0, 0, false);
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 0);
    c.wanted = 1; /* interrupts, but changes nothing */
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_false(c.out.pf_valid);
    close_bank_row(b, &c, 0);
    c.wanted = 0;
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        tick_prefetcher(b, &c);
        assert_false(c.out.pf_valid);
        assert_int_equal(c.out.hold, 0);
    }
    assert_int_equal(row_prefetch_state_of(b)->left[0],
                     (p->LINES < 64 ? (UINT64_C(1) << p->LINES) - 1 : ~UINT64_C(0)) & ~UINT64_C(3));
    open_bank_row(b, &c, 0, 0, false); /* the same row */
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 0);
    assert_int_equal(row_prefetch_state_of(b)->count[0], 1);
}

SET_TEST(test_an_offer_stands_until_it_is_taken) {
    struct open_rows c = {.refuses = true};
    make_lines_go(b, &c);
    open_bank_row(b, &c, 1, some_row_of(b), false);
    tick_prefetcher(b, &c);
    for (unsigned cycle = 0; cycle < 12; cycle++) {
        c.wanted = cycle & 2;
        c.other = cycle & 1 ? 2 : 0;
        c.pending = cycle & 4 ? 0 : UINT8_MAX;
        tick_prefetcher(b, &c);
        assert_offered(&c, 1, 0);
        assert_int_equal(c.out.pf_row, some_row_of(b));
        assert_true(c.out.hold & 2);
    }
}

/* It goes to the L2 once more; but no more lines do in its place. */
SET_TEST(test_a_demand_that_takes_the_offered_line_leaves_the_offer) {
    struct open_rows c = {.refuses = true};
    make_lines_go(b, &c);
    open_bank_row(b, &c, 0, 0, false);
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    serve_demand_line(b, &c, 0, 0);
    c.refuses = false;
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 0);
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 1);
}

/* A row that has had its lines may be closed in the very cycle in which one more is chosen. */
SET_TEST(test_a_choice_is_dropped_as_its_row_closes) {
    struct open_rows c = {0};
    unsigned least = make_lines_go(b, &c);
    if (least >= row_prefetch_params_of(b)->LINES) {
        return;
    }
    open_bank_row(b, &c, 0, 0, false);
    for (unsigned i = 0; i < least; i++) {
        tick_prefetcher(b, &c);
    }
    c.wanted = 1;
    tick_prefetcher(b, &c);
    tick_prefetcher(b, &c);
    assert_false(c.out.pf_valid);
    c.wanted = 0;
    close_bank_row(b, &c, 0);
    assert_false(c.out.pf_valid);
    tick_prefetcher(b, &c);
    assert_false(c.out.pf_valid);
}

SET_TEST(test_a_choice_stands_as_another_row_closes) {
    struct open_rows c = {0};
    make_lines_go(b, &c);
    c.wanted = 3;
    open_bank_row(b, &c, 0, 0, false);
    open_bank_row(b, &c, 1, 0, false);
    c.wanted = 1; /* not held */
    close_bank_row(b, &c, 0);
    tick_prefetcher(b, &c);
    assert_offered(&c, 1, 0);
}

SET_TEST(test_a_reset_forgets_rows_offer_turn_and_average) {
    struct open_rows c = {0};
    make_lines_go(b, &c);
    open_bank_row(b, &c, 0, 0, false);
    tick_prefetcher(b, &c);
    row_prefetch_in_of(b)->arrival = true;
    row_prefetch_in_of(b)->rst = true;
    tick_prefetcher(b, &c);
    assert_offered(&c, 0, 0);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        tick_prefetcher(b, &c); /* the row is open, but not known */
        assert_false(c.out.pf_valid);
        assert_int_equal(c.out.hold, 0);
        assert_int_equal(row_prefetch_state_of(b)->sum, 0);
    }
}

SET_TEST(test_quiet_when_nothing_can_be_chosen_or_taken) {
    struct open_rows c = {.refuses = true};
    struct row_prefetch_in *in = row_prefetch_in_of(b);
    make_lines_go(b, &c);
    in->pending = c.pending;
    assert_true(bench_quiet(b));
    in->pending ^= UINT8_MAX;
    assert_false(bench_quiet(b));
    in->pending = c.pending;
    in->arrival = true;
    assert_false(bench_quiet(b));
    in->arrival = false;
    open_bank_row(b, &c, 0, 0, false);
    in->pending = c.pending;
    in->open = 1;
    assert_false(bench_quiet(b));
    in->wanted = 1;
    assert_true(bench_quiet(b));
    in->col_valid = true;
    assert_false(bench_quiet(b));
    in->col_valid = false;
    in->pre_valid = true;
    assert_false(bench_quiet(b));
    in->pre_valid = false;
    in->rst = true;
    assert_false(bench_quiet(b));
    in->rst = false;
    tick_prefetcher(b, &c);
    in->pending = c.pending;
    in->open = 1;
    assert_true(bench_quiet(b)); /* offered */
    in->pf_ready = true;
    assert_false(bench_quiet(b));
    in->pf_ready = false;
    in->act_valid = true;
    assert_false(bench_quiet(b));
}
