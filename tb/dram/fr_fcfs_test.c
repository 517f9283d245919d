/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/fr_fcfs.h"

#include "common/bench.h"
#include "cosim/block_test.h"

enum { ALL = -1 }; /* banks */

static const struct fr_fcfs_params *queue_of(const struct bench *b) {
    return (const struct fr_fcfs_params *)b->pair.ports.params;
}

static void ask_for(struct bench *b, unsigned bank, unsigned row, bool write, unsigned tag) {
    struct fr_fcfs_in *in = b->pair.in;
    in->req_valid = true;
    in->req_bank = (uint8_t)bank;
    in->req_row = row;
    in->req_write = write;
    in->req_bursts = 1;
    in->req_tag = tag;
}

/* A cycle with these commands legal in the next one, for banks that are open and closed then.
 * Return: tag and kind of its command, as 4 * tag + kind; -1: none. */
static int run_cycle(struct bench *b, bool column, bool row) {
    struct fr_fcfs_in *in = b->pair.in;
    const struct fr_fcfs_out *out = b->pair.c_out;
    uint64_t open = ((const struct fr_fcfs *)b->pair.state)->open;
    bench_comb(b);
    const int is = out->cmd_valid ? 4 * (int)out->cmd_tag + out->cmd_kind : -1;
    if (out->cmd_valid && out->cmd_kind != DRAM_QUEUE_COLUMN) {
        open ^= UINT64_C(1) << out->cmd_bank;
    }
    const uint64_t all = ~UINT64_C(0) >> (64 - queue_of(b)->BANKS);
    in->read_ok = in->write_ok = column ? open : 0;
    in->precharge_ok = row ? open : 0;
    in->activate_ok = row ? all & ~open : 0;
    bench_edge(b);
    return is;
}

#define COMMAND(tag, kind) (4 * (tag) + DRAM_QUEUE_##kind)

SET_TEST(test_a_request_has_its_first_command_in_the_cycle_after_its_arrival) {
    ask_for(b, 0, 1, false, 3);
    assert_int_equal(run_cycle(b, true, true), -1);
    assert_int_equal(run_cycle(b, true, true), COMMAND(3, ACTIVATE));
    ask_for(b, 0, 1, true, 4);
    assert_int_equal(run_cycle(b, true, true), COMMAND(3, COLUMN));
    ask_for(b, 0, 0, false, 5);
    assert_int_equal(run_cycle(b, true, true), COMMAND(4, COLUMN));
    assert_int_equal(run_cycle(b, true, true), COMMAND(5, PRECHARGE));
    assert_int_equal(run_cycle(b, true, true), COMMAND(5, ACTIVATE));
    assert_int_equal(run_cycle(b, true, true), COMMAND(5, COLUMN));
    assert_int_equal(run_cycle(b, true, true), -1);
}

/* The younger request hits, and the row is closed for the older one behind it. */
SET_TEST(test_hits_go_first_and_keep_their_row) {
    ask_for(b, 1, 0, false, 1);
    (void)run_cycle(b, true, true);
    (void)run_cycle(b, true, true); /* its activate */
    ask_for(b, 1, 0, false, 2);
    assert_int_equal(run_cycle(b, false, true), COMMAND(1, COLUMN));
    ask_for(b, 1, 1, false, 3);
    assert_int_equal(run_cycle(b, false, true), -1);
    assert_int_equal(run_cycle(b, true, true), -1); /* a precharge is legal */
    assert_int_equal(run_cycle(b, true, true), COMMAND(2, COLUMN));
    assert_int_equal(run_cycle(b, true, true), COMMAND(3, PRECHARGE));
}

/* A request that arrives as the row that it wants is closed does not keep it. */
SET_TEST(test_a_request_keeps_no_row_in_the_cycle_of_its_arrival) {
    ask_for(b, 1, 0, false, 1);
    (void)run_cycle(b, true, true);
    ask_for(b, 1, 1, false, 2);
    (void)run_cycle(b, true, true); /* activate */
    (void)run_cycle(b, true, true); /* column */
    ask_for(b, 1, 0, false, 3);
    assert_int_equal(run_cycle(b, true, true), COMMAND(2, PRECHARGE));
    assert_int_equal(run_cycle(b, true, true), COMMAND(2, ACTIVATE));
    assert_int_equal(run_cycle(b, true, true), COMMAND(2, COLUMN));
    assert_int_equal(run_cycle(b, true, true), COMMAND(3, PRECHARGE));
}

SET_TEST(test_hold_keeps_an_open_row_alone) {
    struct fr_fcfs_in *in = b->pair.in;
    ask_for(b, 0, 0, false, 1);
    (void)run_cycle(b, true, true);
    in->hold = (uint64_t)ALL;
    assert_int_equal(run_cycle(b, true, true), COMMAND(1, ACTIVATE));
    ask_for(b, 0, 1, false, 2);
    (void)run_cycle(b, true, true);
    in->hold = 1;
    assert_int_equal(run_cycle(b, true, true), -1);
    in->hold = 2;
    assert_int_equal(run_cycle(b, true, true), COMMAND(2, PRECHARGE));
}

/* A read whose bank allows no read, and a write of the same line, or another one, behind it. */
SET_TEST(test_order_keeps_a_write_behind_a_read_of_its_line) {
    for (unsigned other = 0; other < 2; other++) {
        struct fr_fcfs_in *in = b->pair.in;
        ask_for(b, 0, 0, false, 1);
        (void)run_cycle(b, false, true);
        ask_for(b, 0, 0, true, 2);
        in->req_column = (uint16_t)other;
        (void)run_cycle(b, false, false); /* activate */
        bench_comb(b);
        in->write_ok = 1;
        bench_edge(b);
        const bool held = queue_of(b)->ORDER && !other;
        assert_int_equal(run_cycle(b, true, true), held ? -1 : COMMAND(2, COLUMN));
        assert_int_equal(run_cycle(b, true, true), COMMAND(1, COLUMN));
        assert_int_equal(run_cycle(b, true, true), held ? COMMAND(2, COLUMN) : -1);
        in->rst = true;
        bench_edge(b);
    }
}

/* DEPTH requests take part, and one more has arrived. */
SET_TEST(test_a_full_queue_refuses_until_the_cycle_after_a_request_has_left) {
    const struct fr_fcfs_out *out = b->pair.c_out;
    for (unsigned i = 0; i <= queue_of(b)->DEPTH; i++) {
        ask_for(b, 0, 0, false, i);
        bench_comb(b);
        assert_true(out->req_ready);
        (void)run_cycle(b, i == queue_of(b)->DEPTH, i == 0);
    }
    ask_for(b, 0, 0, false, 0);
    bench_comb(b);
    assert_true(!out->req_ready && out->cmd_last);
    bench_edge(b);
    ask_for(b, 0, 0, false, 0);
    bench_comb(b);
    assert_true(out->req_ready);
}

SET_TEST(test_it_is_quiet_while_no_command_is_legal) {
    struct fr_fcfs_in *in = b->pair.in;
    in->activate_ok = ~UINT64_C(0) >> (64 - queue_of(b)->BANKS);
    assert_true(bench_quiet(b));
    in->activate_ok = 0;
    assert_false(bench_quiet(b));
    (void)run_cycle(b, false, false);
    ask_for(b, 0, 0, false, 1);
    assert_false(bench_quiet(b));
    (void)run_cycle(b, false, false);
    assert_false(bench_quiet(b)); /* it begins to take part */
    (void)run_cycle(b, false, false);
    assert_true(bench_quiet(b));
}
