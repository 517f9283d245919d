/* SPDX-License-Identifier: Apache-2.0
 * dual_queue, one behaviour a test (MeDiC, PACT 2015, section 4.4), and main(). */
#include "cosim/block_test.h"
#include "dram/dual_queue_cases.h"

TEST(test_a_hit_is_read_after_the_latency) {
    for (unsigned side = LOW; side <= HIGH; side++) {
        FOR_EACH_SET(b) {
            struct dram d = {0};
            open_row_of_bank(b, &d, 1, 1);
            ask_queue(b, side, 1, 1, 3);
            tick_without_command(b, &d, DUAL_QUEUE_LATENCY);
            tick_with_dram(b, &d);
            assert_command(&d, DRAM_QUEUE_COLUMN, side, 1, 1, 3);
            assert_true(d.cmd.cmd_last);
            tick_without_command(b, &d, 4);
        }
    }
}

/* The next cycle sees a cycle's command; so row and column are LATENCY apart at best. */
SET_TEST(test_a_conflict_closes_opens_and_reads) {
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 1);
    ask_queue(b, LOW, 0, 0, 7);
    tick_without_command(b, &d, DUAL_QUEUE_LATENCY);
    tick_with_dram(b, &d);
    assert_command(&d, DRAM_QUEUE_PRECHARGE, LOW, 0, 0, 7);
    assert_int_equal(until_command(b, &d), DUAL_QUEUE_LATENCY);
    assert_command(&d, DRAM_QUEUE_ACTIVATE, LOW, 0, 0, 7);
    assert_int_equal(until_command(b, &d), DUAL_QUEUE_LATENCY);
    assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 7);
    tick_without_command(b, &d, 4);
}

SET_TEST(test_column_commands_come_every_second_cycle) {
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 0);
    d.no_column = 1;
    ask_queue(b, LOW, 0, 0, 1);
    tick_with_dram(b, &d);
    ask_queue(b, LOW, 0, 0, 2);
    tick_without_command(b, &d, 4);
    d.no_column = 0;
    tick_without_command(b, &d, DUAL_QUEUE_LEAD); /* the masks look ahead */
    tick_with_dram(b, &d);
    assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 1);
    tick_without_command(b, &d, 1);
    tick_with_dram(b, &d);
    assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 2);
}

SET_TEST(test_row_commands_take_the_cycles_between) {
    struct dram d = {.no_row = 2};
    open_row_of_bank(b, &d, 0, 0);
    d.no_column = d.no_row = 3;
    ask_queue(b, LOW, 0, 0, 1);
    tick_with_dram(b, &d);
    ask_queue(b, LOW, 1, 0, 2);
    tick_without_command(b, &d, 4);
    d.no_column = d.no_row = 0;
    tick_without_command(b, &d, DUAL_QUEUE_LEAD);
    tick_with_dram(b, &d);
    assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 1);
    tick_with_dram(b, &d);
    assert_command(&d, DRAM_QUEUE_ACTIVATE, LOW, 1, 0, 2);
}

SET_TEST(test_4_4_a_high_hit_goes_before_older_low_hits) {
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 0);
    open_row_of_bank(b, &d, 1, 0);
    d.no_column = 3;
    ask_queue(b, LOW, 0, 0, 1);
    tick_with_dram(b, &d);
    ask_queue(b, LOW, 1, 0, 2);
    tick_with_dram(b, &d);
    ask_queue(b, HIGH, 1, 0, 3);
    tick_without_command(b, &d, 3);
    d.no_column = 0;
    until_column(b, &d, 3);
    until_column(b, &d, 1);
    until_column(b, &d, 2);
}

/* With ROW_FIRST the hit goes first. */
SET_TEST(test_4_4_a_high_row_command_goes_before_a_low_hit) {
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 0);
    d.no_column = d.no_row = 3;
    ask_queue(b, LOW, 0, 0, 1);
    tick_with_dram(b, &d);
    ask_queue(b, HIGH, 1, 0, 2);
    tick_without_command(b, &d, 3);
    d.no_column = d.no_row = 0;
    tick_without_command(b, &d, DUAL_QUEUE_LEAD);
    for (unsigned i = 0; i < 2; i++) {
        tick_with_dram(b, &d);
        if (i == dual_queue_params_of(b)->ROW_FIRST) {
            assert_command(&d, DRAM_QUEUE_ACTIVATE, HIGH, 1, 0, 2);
        } else {
            assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 1);
        }
    }
}

TEST(test_4_4_each_queue_takes_hits_first_and_of_them_the_oldest) {
    for (unsigned side = LOW; side <= HIGH; side++) {
        FOR_EACH_SET(b) {
            struct dram d = {0};
            open_row_of_bank(b, &d, 0, 0);
            d.no_column = d.no_row = 3;
            ask_queue(b, side, 0, 1, 1); /* a conflict */
            tick_with_dram(b, &d);
            ask_queue(b, side, 0, 0, 2);
            tick_with_dram(b, &d);
            if (dual_queue_params_of(b)->DEPTH > 2) {
                ask_queue(b, side, 0, 0, 3);
                tick_with_dram(b, &d);
            }
            tick_without_command(b, &d, 2);
            d.no_column = d.no_row = 0;
            until_column(b, &d, 2);
            if (dual_queue_params_of(b)->DEPTH > 2) {
                until_column(b, &d, 3);
            }
            until_column(b, &d, 1);
        }
    }
}

TEST(test_4_4_of_two_conflicts_the_older_comes_first) {
    for (unsigned side = LOW; side <= HIGH; side++) {
        FOR_EACH_SET(b) {
            struct dram d = {.no_row = 3};
            ask_queue(b, side, 1, 0, 1);
            tick_with_dram(b, &d);
            ask_queue(b, side, 0, 0, 2);
            tick_without_command(b, &d, 3);
            d.no_row = 0;
            until_command(b, &d);
            assert_command(&d, DRAM_QUEUE_ACTIVATE, side, 1, 0, 1);
            until_command(b, &d);
            assert_command(&d, DRAM_QUEUE_ACTIVATE, side, 0, 0, 2);
        }
    }
}

SET_TEST(test_4_4_full_low_queue_passes_high_requests) {
    struct dram d = {.no_row = 1};
    for (unsigned i = 0; i < dual_queue_params_of(b)->DEPTH; i++) {
        ask_queue(b, LOW, 0, 0, 0);
        tick_with_dram(b, &d);
    }
    bench_comb(b);
    assert_false(dual_queue_out_of(b)->low_ready);
    assert_true(dual_queue_out_of(b)->high_ready);
    ask_queue(b, LOW, 0, 0, 5);
    ask_queue(b, HIGH, 1, 0, 6);
    tick_without_command(b, &d, DUAL_QUEUE_LATENCY);
    tick_with_dram(b, &d);
    assert_command(&d, DRAM_QUEUE_ACTIVATE, HIGH, 1, 0, 6);
    until_column(b, &d, 6);
    tick_without_command(b, &d, 4);
}

/* "Always selects requests from the high priority queue": also where low ones lose their row. With
 * ROW_FIRST the row stays until they have been served. */
SET_TEST(test_4_4_high_requests_close_a_row_that_low_ones_want) {
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 0);
    d.no_column = d.no_row = 1;
    ask_queue(b, LOW, 0, 0, 1);
    tick_with_dram(b, &d);
    ask_queue(b, HIGH, 0, 1, 2);
    tick_without_command(b, &d, 3);
    d.no_column = d.no_row = 0;
    until_command(b, &d);
    if (dual_queue_params_of(b)->ROW_FIRST) {
        assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 1);
        until_command(b, &d);
    }
    assert_command(&d, DRAM_QUEUE_PRECHARGE, HIGH, 0, 1, 2);
    until_column(b, &d, 2);
    if (!dual_queue_params_of(b)->ROW_FIRST) {
        until_column(b, &d, 1);
    }
}

/* The row is wanted by a low request since it was opened, for another one of the low queue. */
SET_TEST(test_4_4_a_row_is_not_closed_as_it_opens_for_low_requests) {
    if (!dual_queue_params_of(b)->ROW_FIRST) {
        return;
    }
    struct dram d = {.no_column = 1};
    ask_queue(b, LOW, 0, 1, 1);
    tick_with_dram(b, &d);
    ask_queue(b, LOW, 0, 1, 2);
    until_command(b, &d);
    assert_command(&d, DRAM_QUEUE_ACTIVATE, LOW, 0, 1, 1);
    ask_queue(b, HIGH, 0, 0, 3);
    tick_without_command(b, &d, 2 * DUAL_QUEUE_LATENCY);
    d.no_column = 0;
    until_column(b, &d, 1);
    until_column(b, &d, 2);
    until_column(b, &d, 3);
}

/* Of hits the high ones go first, in their bank and in others. */
SET_TEST(test_4_4_high_hits_go_before_low_ones) {
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 0);
    open_row_of_bank(b, &d, 1, 0);
    d.no_column = 3;
    ask_queue(b, LOW, 0, 0, 1);
    tick_with_dram(b, &d);
    ask_queue(b, HIGH, 0, 0, 2);
    tick_with_dram(b, &d);
    ask_queue(b, HIGH, 1, 0, 3);
    tick_without_command(b, &d, 3);
    d.no_column = 0;
    until_column(b, &d, 2);
    until_column(b, &d, 3);
    until_column(b, &d, 1);
}

SET_TEST(test_4_4_a_bank_without_high_requests_serves_low_ones) {
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 0);
    open_row_of_bank(b, &d, 1, 0);
    d.no_column = 1; /* the high request cannot go on */
    ask_queue(b, HIGH, 0, 0, 1);
    ask_queue(b, LOW, 1, 0, 2);
    until_column(b, &d, 2);
    tick_without_command(b, &d, 5);
    d.no_column = 0;
    until_column(b, &d, 1);
}

/* No bound but the end of the high stream; then the low request comes as fast as it can: with
 * ROW_FIRST, as a hit, it has been a candidate all the time. */
SET_TEST(test_4_4_a_stream_of_high_requests_starves_low_ones_of_the_bank) {
    if (dual_queue_params_of(b)->BOUND) {
        return;
    }
    enum { STREAM = 200 };
    struct dram d = {0};
    unsigned asked = 0, done = 0;
    open_row_of_bank(b, &d, 0, 0);
    ask_queue(b, HIGH, 0, 0, 1);
    tick_with_dram(b, &d);
    ask_queue(b, LOW, 0, 0, 9);
    while (done < STREAM) {
        bench_comb(b);
        if (asked < STREAM - 1 && dual_queue_out_of(b)->high_ready) {
            ask_queue(b, HIGH, 0, 0, 1);
            asked++;
        }
        tick_with_dram(b, &d);
        if (d.cmd.cmd_valid) {
            assert_command(&d, DRAM_QUEUE_COLUMN, HIGH, 0, 0, 1);
            done++;
        }
    }
    tick_without_command(b, &d, (dual_queue_params_of(b)->ROW_FIRST ? 2 : DUAL_QUEUE_LATENCY) - 1);
    tick_with_dram(b, &d);
    assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 9);
}

SET_TEST(test_a_request_stays_until_its_last_burst) {
    unsigned bursts = (1u << dual_queue_params_of(b)->BURST_BITS) - 1;
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 0);
    ask_bursts(b, LOW, WRITE, 0, 0, 4, bursts);
    for (unsigned i = 0; i < bursts; i++) {
        until_column(b, &d, 4);
        assert_int_equal(d.cmd.cmd_last, i == bursts - 1);
    }
    tick_without_command(b, &d, 5);
}

TEST(test_a_place_is_free_in_the_cycle_after_the_last_column_command) {
    for (unsigned side = LOW; side <= HIGH; side++) {
        FOR_EACH_SET(b) {
            struct dram d = {.no_row = 1};
            for (unsigned i = 0; i < dual_queue_params_of(b)->DEPTH; i++) {
                ask_queue(b, side, 0, 0, i & 7);
                tick_with_dram(b, &d);
            }
            d.no_row = 0;
            until_column(b, &d, 0);
            assert_false(side == HIGH ? d.cmd.high_ready : d.cmd.low_ready);
            tick_with_dram(b, &d);
            assert_true(side == HIGH ? d.cmd.high_ready : d.cmd.low_ready);
        }
    }
}

TEST(test_reads_and_writes_wait_for_their_own_mask) {
    for (unsigned kind = READ; kind <= WRITE; kind++) {
        FOR_EACH_SET(b) {
            struct dram d = {0};
            open_row_of_bank(b, &d, 0, 0);
            ask_bursts(b, HIGH, kind, 0, 0, 1, 1);
            for (unsigned i = 0; i < 6; i++) { /* the other kind may */
                dual_queue_in_of(b)->read_ok = kind == WRITE;
                dual_queue_in_of(b)->write_ok = kind == READ;
                bench_comb(b);
                assert_false(dual_queue_out_of(b)->cmd_valid);
                bench_edge(b);
            }
            until_column(b, &d, 1);
        }
    }
}

SET_TEST(test_a_row_that_opens_as_a_request_for_it_arrives_is_a_hit) {
    struct dram d = {.no_column = 1};
    ask_queue(b, LOW, 0, 1, 1);
    tick_without_command(b, &d, DUAL_QUEUE_LATENCY);
    ask_queue(b, HIGH, 0, 1, 2);
    tick_with_dram(b, &d);
    assert_command(&d, DRAM_QUEUE_ACTIVATE, LOW, 0, 1, 1);
    d.no_column = 0;
    until_command(b, &d);
    assert_command(&d, DRAM_QUEUE_COLUMN, HIGH, 0, 1, 2);
}

/* The row is closed for another request in the cycles in which one that wants it arrives: chosen,
 * dropped, and served when its row has been opened again. */
TEST(test_a_hit_that_comes_too_late_is_dropped) {
    for (unsigned lateness = 0; lateness <= DUAL_QUEUE_LATENCY; lateness++) {
        FOR_EACH_SET(b) {
            struct dram d = {0};
            open_row_of_bank(b, &d, 0, 0);
            ask_queue(b, LOW, 0, 1, 1);
            tick_without_command(b, &d, lateness);
            ask_queue(b, HIGH, 0, 0, 2);
            if (lateness == 0) { /* they come together: the row is never closed before it is read */
                until_command(b, &d);
                assert_command(&d, DRAM_QUEUE_COLUMN, HIGH, 0, 0, 2);
                continue;
            }
            until_command(b, &d);
            assert_command(&d, DRAM_QUEUE_PRECHARGE, LOW, 0, 1, 1);
            until_command(b, &d);
            assert_command(&d, DRAM_QUEUE_ACTIVATE, HIGH, 0, 0, 2);
            until_column(b, &d, 2);
            until_column(b, &d, 1);
        }
    }
}

SET_TEST(test_reset_empties_and_closes) {
    struct dram d = {0};
    open_row_of_bank(b, &d, 0, 0);
    ask_queue(b, LOW, 0, 0, 1);
    ask_queue(b, HIGH, 1, 0, 2);
    tick_without_command(b, &d, 2);
    dual_queue_in_of(b)->rst = true;
    ask_queue(b, LOW, 0, 0, 3);
    tick_with_dram(b, &d);
    d.open = 0;
    tick_without_command(b, &d, 6);
    ask_queue(b, HIGH, 0, 0, 4);
    until_command(b, &d);
    assert_command(&d, DRAM_QUEUE_ACTIVATE, HIGH, 0, 0, 4);
}

SET_TEST(test_dual_queue_quiet_when_still) {
    assert_true(bench_quiet(b));
    ask_queue(b, LOW, 0, 0, 1);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b)); /* no command is legal */
    dual_queue_in_of(b)->activate_ok = 2;
    assert_true(bench_quiet(b)); /* of another bank */
    dual_queue_in_of(b)->activate_ok = 1;
    assert_false(bench_quiet(b));
    bench_edge(b);
    for (unsigned stage = 0; stage < DUAL_QUEUE_LEAD; stage++) {
        assert_false(bench_quiet(b)); /* chosen; issued */
        bench_edge(b);
    }
    assert_true(bench_quiet(b));
    dual_queue_in_of(b)->write_ok = 1;
    assert_true(bench_quiet(b)); /* it is a read */
    dual_queue_in_of(b)->read_ok = 1;
    assert_false(bench_quiet(b));
}
