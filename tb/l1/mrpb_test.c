/* SPDX-License-Identifier: Apache-2.0
 * MRPB, one behaviour a test: bypass, rate, reset and rest (sections 3.4 and 3.5), and main(). */
#include <string.h>

#include "l1/mrpb_cases.h"

static void test_3_4_a_read_refused_for_associativity_bypasses(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        occupy_buffer(b);
        enter(b, 0, READ, 1);
        ripen(b);
        assert_offer(b, 0, READ, 99);
        assert_false(out_of(b)->deq_bypass);
        in_of(b)->deq_assoc_stall = true;
        bench_edge(b);
        for (unsigned cycle = 0; cycle < 3; cycle++) { /* until it is taken */
            assert_offer(b, 0, READ, 99);
            assert_true(out_of(b)->deq_bypass);
            bench_edge(b);
        }
        take(b, 0, READ, 99);
        assert_offer(b, 0, READ, 1);
        assert_false(out_of(b)->deq_bypass);
    }
}

static void test_3_4_a_read_refused_for_another_cause_does_not_bypass(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        occupy_buffer(b);
        bench_idle(b, 3);
        assert_offer(b, 0, READ, 99);
        assert_false(out_of(b)->deq_bypass);
    }
}

static void test_3_4_a_stall_signal_without_refusal_means_nothing(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        in_of(b)->deq_assoc_stall = true; /* nothing is offered */
        bench_edge(b);
        occupy_buffer(b);
        assert_false(out_of(b)->deq_bypass);
        enter(b, 0, READ, 1);
        ripen(b);
        in_of(b)->deq_assoc_stall = true; /* taken all the same */
        take(b, 0, READ, 99);
        assert_offer(b, 0, READ, 1);
        assert_false(out_of(b)->deq_bypass);
    }
}

static void test_3_4_a_write_never_bypasses(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 1);
        for (unsigned cycle = 0; cycle < 3; cycle++) {
            assert_offer(b, 0, WRITE, 1);
            assert_false(out_of(b)->deq_bypass);
            in_of(b)->deq_assoc_stall = true;
            bench_edge(b);
        }
    }
}

static void test_3_5_in_steady_state_one_read_enters_and_one_leaves_each_cycle(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        for (unsigned cycle = 0; cycle < 10 * p->LATENCY; cycle++) {
            assert_true(drive(b, cycle % 2, READ, cycle));
            assert_int_equal(out_of(b)->deq_valid, cycle >= p->LATENCY);
            in_of(b)->deq_ready = true;
            bench_edge(b);
        }
    }
}

static void test_3_5_in_steady_state_one_write_enters_and_one_leaves_each_cycle(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 0);
        for (unsigned i = 1; i < 50; i++) {
            assert_true(drive(b, i % 2, WRITE, i));
            take(b, (i - 1) % 2, WRITE, i - 1);
        }
        in_of(b)->enq_valid = false;
        bench_comb(b);
        take(b, 1, WRITE, 49);
        assert_no_offer(b);
    }
}

/* Reads of one warp in turn with writes of another, from whatever state the cache leaves behind
 * when it takes nothing for a while. A queue that was full for that long may run empty once, until
 * the next read has ripened. */
static void test_3_5_reads_and_writes_of_two_warps_pass_one_each_cycle(void **state) {
    (void)state;
    for (unsigned stalled = 0; stalled < 12; stalled++) {
        FOR_EACH_SET(b) {
            unsigned latency = params_of(b)->LATENCY;
            unsigned entered = 0, left = 0;
            for (unsigned cycle = 0; cycle < 100; cycle++) {
                bool enters = drive(b, entered % 2, entered % 2 ? WRITE : READ, entered);
                if (cycle >= 3 * latency + stalled) {
                    assert_true(enters && out_of(b)->deq_valid);
                }
                in_of(b)->deq_ready = cycle < latency || cycle >= latency + stalled;
                left += out_of(b)->deq_valid && in_of(b)->deq_ready;
                entered += enters;
                bench_edge(b);
            }
            assert_true(left > 100 - 2 * latency - stalled);
        }
    }
}

/* The writes leave the reads a share, although one could enter each cycle. */
static void test_3_5_a_stream_of_writes_does_not_starve_the_reads(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 1, READ, 50);
        enter(b, 1, READ, 51);
        ripen(b);
        unsigned reads = 0;
        for (unsigned cycle = 0; cycle < 6; cycle++) {
            (void)drive(b, 0, WRITE, cycle);
            assert_true(out_of(b)->deq_valid);
            reads += !out_of(b)->deq_write;
            in_of(b)->deq_ready = true;
            bench_edge(b);
        }
        assert_int_equal(reads, 2);
    }
}

static void test_a_reset_empties_everything_and_lets_nothing_in(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        occupy_buffer(b);
        enter(b, 0, WRITE, 5);
        enter(b, 0, WRITE, 6);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            enter(b, 1, READ, i);
        }
        in_of(b)->rst = true;
        (void)drive(b, 0, READ, 1);
        bench_edge(b);
        for (unsigned cycle = 0; cycle < 2 * p->LATENCY; cycle++) {
            assert_true(drive(b, 1, WRITE, 1)); /* empty queue, free slot */
            in_of(b)->enq_valid = false;
            assert_no_offer(b);
            bench_edge(b);
        }
    }
}

static void test_quiet_when_nothing_can_move(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        assert_true(bench_quiet(b)); /* empty */
        enter(b, 1, READ, 1);
        for (unsigned cycle = 1; cycle < p->LATENCY; cycle++) {
            assert_false(bench_quiet(b)); /* it ripens */
            bench_edge(b);
        }
        assert_true(bench_quiet(b)); /* offered and not taken */
        in_of(b)->deq_assoc_stall = true;
        assert_false(bench_quiet(b)); /* the bypass flag will rise */
        bench_edge(b);
        in_of(b)->deq_assoc_stall = true;
        assert_true(bench_quiet(b)); /* it has risen */
        in_of(b)->deq_ready = true;
        assert_false(bench_quiet(b));
    }
}

static void test_quiet_with_writes_that_are_not_taken(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 1);
        enter(b, 0, READ, 2);
        ripen(b);
        assert_true(bench_quiet(b)); /* the read may not be selected */
        (void)drive(b, 1, WRITE, 3);
        assert_false(bench_quiet(b)); /* it will enter the second slot */
        bench_edge(b);
        (void)drive(b, 1, WRITE, 4);
        assert_true(bench_quiet(b)); /* no slot is free */
        in_of(b)->deq_ready = true;
        assert_false(bench_quiet(b));
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(test_3_4_a_read_refused_for_associativity_bypasses),
        cmocka_unit_test(test_3_4_a_read_refused_for_another_cause_does_not_bypass),
        cmocka_unit_test(test_3_4_a_stall_signal_without_refusal_means_nothing),
        cmocka_unit_test(test_3_4_a_write_never_bypasses),
        cmocka_unit_test(test_3_5_in_steady_state_one_read_enters_and_one_leaves_each_cycle),
        cmocka_unit_test(test_3_5_in_steady_state_one_write_enters_and_one_leaves_each_cycle),
        cmocka_unit_test(test_3_5_reads_and_writes_of_two_warps_pass_one_each_cycle),
        cmocka_unit_test(test_3_5_a_stream_of_writes_does_not_starve_the_reads),
        cmocka_unit_test(test_a_reset_empties_everything_and_lets_nothing_in),
        cmocka_unit_test(test_quiet_when_nothing_can_move),
        cmocka_unit_test(test_quiet_with_writes_that_are_not_taken),
    };
    enum { CASES = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[MRPB_ORDER_CASES + CASES];
    memcpy(tests, mrpb_order_cases, sizeof mrpb_order_cases);
    memcpy(tests + MRPB_ORDER_CASES, cases, sizeof cases);
    return block_test_main(argc, argv, &mrpb_stimulus, tests, MRPB_ORDER_CASES + CASES);
}
