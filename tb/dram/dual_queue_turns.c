/* SPDX-License-Identifier: Apache-2.0
 * dual_queue with a BOUND: the turns of the oldest low request, one behaviour a test. */
#include "dram/dual_queue_cases.h"

/* stream_high_hits() - high hits of a bank, as many as their queue takes. */
static void stream_high_hits(struct bench *b, struct dram *d, unsigned bank) {
    bench_comb(b);
    if (dual_queue_out_of(b)->high_ready) {
        ask_queue(b, HIGH, bank, 0, 1);
    }
    tick_with_dram(b, d);
}

/* The bank's row is open for high hits without end, which one of the low queue wants too. */
SET_TEST(test_a_turn_comes_after_bound_high_columns_and_one_on_its_way) {
    struct dram d = {0};
    unsigned passed = 0;
    open_row_of_bank(b, &d, 0, 0);
    stream_high_hits(b, &d, 0);
    ask_queue(b, LOW, 0, 0, 9);
    for (unsigned cycle = 0; cycle < 400; cycle++) {
        stream_high_hits(b, &d, 0);
        if (d.cmd.cmd_valid && d.cmd.cmd_tag == 9) {
            break;
        }
        passed += d.cmd.cmd_valid;
    }
    const struct dual_queue_params *p = dual_queue_params_of(b);
    if (p->BOUND) { /* columns come every second cycle: the next was a candidate, and with
                       ROW_FIRST the low one too */
        assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 9);
        assert_int_equal(passed, p->BOUND + !p->ROW_FIRST);
    } else {
        assert_in_range(passed, 190, 200);
    }
}

/* The same for another row: the turn closes the one that high requests want, and opens its own. */
SET_TEST(test_a_turn_goes_as_fast_as_the_dram_allows) {
    struct dram d = {0};
    unsigned columns = 0, since = 0;
    if (dual_queue_params_of(b)->BOUND == 0) {
        return;
    }
    open_row_of_bank(b, &d, 0, 0);
    stream_high_hits(b, &d, 0);
    ask_queue(b, LOW, 0, 1, 9);
    while (columns < dual_queue_params_of(b)->BOUND + 1) {
        stream_high_hits(b, &d, 0);
        columns += d.cmd.cmd_valid;
        assert_true(!d.cmd.cmd_valid || d.cmd.cmd_tag == 1);
        assert_true(since++ < 40);
    }
    static const enum dram_queue_command own[] = {DRAM_QUEUE_PRECHARGE, DRAM_QUEUE_ACTIVATE,
                                                  DRAM_QUEUE_COLUMN};
    for (unsigned i = 0; i < 3; i++) {
        /* the masks know a column command at once, the rows one cycle later */
        for (unsigned cycle = i == 0; cycle < DUAL_QUEUE_LEAD; cycle++) {
            stream_high_hits(b, &d, 0);
            assert_false(d.cmd.cmd_valid);
        }
        stream_high_hits(b, &d, 0);
        assert_command(&d, own[i], LOW, 0, 1, 9);
    }
    until_command(b, &d); /* back to the row of the stream */
    assert_command(&d, DRAM_QUEUE_PRECHARGE, HIGH, 0, 0, 1);
}

/* Counted for the oldest of the low queue, wherever the others are: those that are served of other
 * banks do not use up its turn. */
SET_TEST(test_low_columns_of_other_banks_put_no_turn_off) {
    struct dram d = {0};
    unsigned passed = 0, others = 0;
    if (dual_queue_params_of(b)->BOUND < 2) {
        return;
    }
    open_row_of_bank(b, &d, 0, 0);
    open_row_of_bank(b, &d, 1, 0);
    stream_high_hits(b, &d, 0);
    ask_queue(b, LOW, 0, 0, 9);
    for (unsigned cycle = 0; cycle < 200 && d.cmd.cmd_tag != 9; cycle++) {
        if (cycle % 10 == 1) {
            ask_queue(b, LOW, 1, 0, 2);
        }
        d.no_column = cycle % 10 < 6 ? 1 : 0; /* high waits: low of the other bank goes */
        stream_high_hits(b, &d, 0);
        passed += d.cmd.cmd_valid && d.cmd.cmd_tag == 1;
        others += d.cmd.cmd_valid && d.cmd.cmd_tag == 2;
    }
    assert_command(&d, DRAM_QUEUE_COLUMN, LOW, 0, 0, 9);
    assert_in_range(passed, dual_queue_params_of(b)->BOUND, dual_queue_params_of(b)->BOUND + 1);
    assert_true(others > 0);
}

/* A DRAM whose bus takes long to turn round: after a read no write is legal for a while, so that a
 * stream of reads in one bank keeps a write of another from the bus. In a turn the reads wait. */
SET_TEST(test_high_reads_wait_for_a_low_write_of_another_bank_in_its_turn) {
    enum { TURNAROUND = 9, CYCLES = 400 };
    struct dram d = {0};
    unsigned since_read = 0, reads = 0, waited = 0;
    bool served = false;
    open_row_of_bank(b, &d, 0, 0);
    open_row_of_bank(b, &d, 1, 0);
    stream_high_hits(b, &d, 0);
    ask_bursts(b, LOW, WRITE, 1, 0, 9, 1);
    for (unsigned cycle = 0; cycle < CYCLES && !served; cycle++) {
        bench_comb(b);
        if (dual_queue_out_of(b)->high_ready) {
            ask_queue(b, HIGH, 0, 0, 1);
        }
        bench_comb(b);
        d.cmd = *dual_queue_out_of(b);
        bool read = d.cmd.cmd_valid && d.cmd.cmd_tag == 1;
        since_read = read ? 0 : since_read + 1;
        reads += read;
        served = d.cmd.cmd_valid && d.cmd.cmd_tag == 9;
        waited = since_read;
        dual_queue_in_of(b)->read_ok = d.open;
        dual_queue_in_of(b)->write_ok = since_read + DUAL_QUEUE_LEAD >= TURNAROUND ? d.open : 0;
        dual_queue_in_of(b)->precharge_ok = dual_queue_in_of(b)->activate_ok = 0;
        bench_edge(b);
    }
    assert_int_equal(served, dual_queue_params_of(b)->BOUND != 0);
    if (served) {
        assert_in_range(reads, dual_queue_params_of(b)->BOUND, dual_queue_params_of(b)->BOUND + 1);
        assert_int_equal(waited, TURNAROUND);
    }
}

SET_TEST(test_high_columns_of_other_banks_go_on_while_a_turn_opens_its_row) {
    struct dram d = {0};
    unsigned high = 0;
    if (dual_queue_params_of(b)->BOUND == 0) {
        return;
    }
    open_row_of_bank(b, &d, 0, 0);
    open_row_of_bank(b, &d, 1, 0);
    d.no_row = 2; /* its row stays closed in its way for a while */
    ask_queue(b, LOW, 1, 1, 9);
    for (unsigned cycle = 0; cycle < 100; cycle++) {
        stream_high_hits(b, &d, 0);
        high += d.cmd.cmd_valid && d.cmd.cmd_tag == 1;
    }
    assert_in_range(high, 45, 50); /* one in two cycles */
    d.no_row = 0;
    do {
        stream_high_hits(b, &d, 0);
    } while (!(d.cmd.cmd_valid && d.cmd.cmd_tag == 9));
    assert_command(&d, DRAM_QUEUE_PRECHARGE, LOW, 1, 1, 9);
}

SET_TEST(test_in_a_turn_the_bank_serves_the_oldest_alone) {
    struct dram d = {0};
    if (dual_queue_params_of(b)->BOUND == 0) {
        return;
    }
    open_row_of_bank(b, &d, 0, 0);
    open_row_of_bank(b, &d, 1, 0);
    d.no_column = d.no_row = 1;
    ask_queue(b, LOW, 0, 1, 8); /* a conflict */
    tick_with_dram(b, &d);
    ask_queue(b, LOW, 0, 0, 9); /* a hit */
    tick_with_dram(b, &d);
    for (unsigned i = 0; i < dual_queue_params_of(b)->BOUND; i++) {
        ask_queue(b, HIGH, 1, 0, 1);
        until_column(b, &d, 1);
    }
    tick_with_dram(b, &d);
    d.no_column = d.no_row = 0;
    until_command(b, &d);
    assert_command(&d, DRAM_QUEUE_PRECHARGE, LOW, 0, 1, 8);
    until_column(b, &d, 8);
    until_column(b, &d, 9);
}
