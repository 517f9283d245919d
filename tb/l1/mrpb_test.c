/* SPDX-License-Identifier: Apache-2.0
 * MRPB, one behaviour a test: bypass, rate, reset and rest (sections 3.4 and 3.5), and main(). */
#include <string.h>

#include "l1/mrpb_cases.h"
#include "l1/mrpb_unbounded.h"

/* The refusal for which reads bypass with these parameters, and the other one. */
static void refuse_for_cause(struct bench *b, bool cause) {
    bool associativity = mrpb_params_of(b)->BYPASS == MRPB_BYPASS_ASSOCIATIVITY;
    mrpb_in_of(b)->deq_assoc_stall = associativity == cause;
    mrpb_in_of(b)->deq_stall = associativity != cause;
}

SET_TEST(test_3_4_a_read_refused_for_the_cause_bypasses_until_it_is_taken) {
    bool bypasses = mrpb_params_of(b)->BYPASS != MRPB_BYPASS_OFF;
    occupy_buffer(b);
    assert_false(mrpb_out_of(b)->deq_bypass);
    refuse_for_cause(b, true);
    bench_edge(b);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        assert_request_offered(b, 0, READ, OCCUPIED);
        assert_int_equal(mrpb_out_of(b)->deq_bypass, bypasses);
        bench_edge(b);
    }
    take_offered_request(b, 0, READ, OCCUPIED);
    assert_request_offered(b, 0, READ, OCCUPIED + 1);
    assert_false(mrpb_out_of(b)->deq_bypass);
}

SET_TEST(test_3_4_a_read_refused_for_another_cause_does_not_bypass) {
    if (mrpb_params_of(b)->BYPASS == MRPB_BYPASS_OFF) {
        return;
    }
    occupy_buffer(b);
    bench_idle(b, 3);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        refuse_for_cause(b, false);
        assert_request_offered(b, 0, READ, OCCUPIED);
        assert_false(mrpb_out_of(b)->deq_bypass);
        bench_edge(b);
    }
}

SET_TEST(test_3_4_a_stall_signal_without_refusal_means_nothing) {
    refuse_for_cause(b, true); /* nothing is offered */
    bench_edge(b);
    occupy_buffer(b);
    assert_false(mrpb_out_of(b)->deq_bypass);
    refuse_for_cause(b, true); /* taken all the same */
    take_offered_request(b, 0, READ, OCCUPIED);
    assert_request_offered(b, 0, READ, OCCUPIED + 1);
    assert_false(mrpb_out_of(b)->deq_bypass);
}

SET_TEST(test_3_4_a_write_never_bypasses) {
    enter_queue_request(b, 0, WRITE, 1);
    ripen_everything(b);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        assert_request_offered(b, 0, WRITE, 1);
        assert_false(mrpb_out_of(b)->deq_bypass);
        refuse_for_cause(b, true);
        bench_edge(b);
    }
}

SET_TEST(test_3_5_in_steady_state_one_read_enters_and_one_leaves_each_cycle) {
    const struct mrpb_params *p = mrpb_params_of(b);
    for (unsigned cycle = 0; cycle < 10 * p->LATENCY; cycle++) {
        assert_true(drive_queue_request(b, cycle % p->QUEUES, READ, cycle));
        assert_int_equal(mrpb_out_of(b)->deq_valid, cycle >= p->LATENCY);
        mrpb_in_of(b)->deq_ready = true;
        bench_edge(b);
    }
}

SET_TEST(test_3_5_in_steady_state_one_write_enters_and_one_leaves_each_cycle) {
    const struct mrpb_params *p = mrpb_params_of(b);
    unsigned stages = mrpb_pipe(p) + 2;
    for (unsigned i = 0; i < 50 && p->FLUSH; i++) {
        assert_true(drive_queue_request(b, i % 2, WRITE, i));
        if (i >= stages) {
            assert_request_offered(b, i % 2 ^ stages % 2, WRITE, i - stages);
        }
        mrpb_in_of(b)->deq_ready = true;
        bench_edge(b);
    }
}

/* Reads of two warps in turn with writes of a third. */
SET_TEST(test_3_5_reads_and_writes_pass_one_each_cycle) {
    unsigned latency = mrpb_params_of(b)->LATENCY;
    for (unsigned cycle = 0; cycle < 100; cycle++) {
        static const unsigned queue[] = {0, 1, 2, 1};
        assert_true(drive_queue_request(b, queue[cycle % 4], cycle % 2 ? WRITE : READ, cycle));
        assert_true(mrpb_out_of(b)->deq_valid || cycle < latency + 1);
        mrpb_in_of(b)->deq_ready = true;
        bench_edge(b);
    }
}

/* The writes leave the reads a share, although one could enter each cycle. */
SET_TEST(test_3_5_a_stream_of_writes_does_not_starve_the_reads) {
    const struct mrpb_params *p = mrpb_params_of(b);
    unsigned reads = 0, writes = 0;
    if (!p->FLUSH) {
        return;
    }
    occupy_buffer(b);
    enter_many(b, 1, p->DEPTH, 0);
    ripen_everything(b);
    take_occupied(b);
    for (unsigned cycle = 0; cycle < 100 && reads < p->DEPTH; cycle++) {
        (void)drive_queue_request(b, 0, WRITE, cycle);
        reads += mrpb_out_of(b)->deq_valid && !mrpb_out_of(b)->deq_write;
        writes += mrpb_out_of(b)->deq_valid && mrpb_out_of(b)->deq_write;
        mrpb_in_of(b)->deq_ready = true;
        bench_edge(b);
    }
    assert_int_equal(reads, p->DEPTH);
    assert_true(writes <= p->DEPTH + mrpb_pipe(p) + 2);
}

SET_TEST(test_a_reset_empties_everything_and_lets_nothing_in) {
    const struct mrpb_params *p = mrpb_params_of(b);
    occupy_buffer(b);
    enter_queue_request(b, 2, WRITE, 5);
    enter_queue_request(b, 2, WRITE, 6);
    enter_many(b, 1, p->DEPTH, 0);
    mrpb_in_of(b)->rst = true;
    (void)drive_queue_request(b, 0, READ, 1);
    bench_edge(b);
    for (unsigned cycle = 0; cycle < 2 * p->LATENCY; cycle++) {
        assert_true(drive_queue_request(b, 1, WRITE, 1)); /* empty queue, room */
        mrpb_in_of(b)->enq_valid = false;
        assert_no_offer(b);
        bench_edge(b);
    }
}

SET_TEST(test_mrpb_quiet_when_nothing_can_move) {
    const struct mrpb_params *p = mrpb_params_of(b);
    assert_true(bench_quiet(b)); /* empty */
    enter_queue_request(b, 1, READ, 1);
    for (unsigned cycle = 1; cycle <= p->LATENCY; cycle++) {
        assert_false(bench_quiet(b)); /* on its way; at last its place becomes free */
        bench_edge(b);
    }
    ripen_everything(b);
    assert_true(bench_quiet(b)); /* offered and not taken */
    refuse_for_cause(b, true);
    assert_int_equal(bench_quiet(b), p->BYPASS == MRPB_BYPASS_OFF);
    bench_edge(b); /* the bypass flag rises */
    refuse_for_cause(b, true);
    assert_true(bench_quiet(b));
    mrpb_in_of(b)->deq_ready = true;
    assert_false(bench_quiet(b));
}

SET_TEST(test_quiet_with_writes_that_are_not_taken) {
    const struct mrpb_params *p = mrpb_params_of(b);
    if (!p->FLUSH) {
        return;
    }
    occupy_buffer(b);
    for (unsigned i = 0; i < mrpb_pipe(p) + 2; i++) {
        (void)drive_queue_request(b, 1, WRITE, i);
        assert_false(bench_quiet(b)); /* it will enter */
        bench_edge(b);
    }
    ripen_everything(b);
    (void)drive_queue_request(b, 1, WRITE, 9);
    assert_true(bench_quiet(b)); /* no room, and nothing to flush */
    mrpb_in_of(b)->deq_ready = true;
    assert_false(bench_quiet(b));
}

SET_TEST(test_quiet_once_a_refusal_is_known) {
    const struct mrpb_params *p = mrpb_params_of(b);
    enter_many(b, 1, p->DEPTH, 0);
    ripen_everything(b);
    enter_queue_request(b, 1, READ, 50); /* in the place of the offered one */
    ripen_everything(b);
    (void)drive_queue_request(b, 1, READ, 51);
    assert_int_equal(bench_quiet(b), !p->FLUSH); /* rule 1 remembers it */
    bench_edge(b);
    (void)drive_queue_request(b, 1, READ, 51);
    assert_true(bench_quiet(b));
    mrpb_in_of(b)->enq_valid = false;
    bench_comb(b);
    assert_int_equal(bench_quiet(b), !p->FLUSH); /* and forgets it */
}
