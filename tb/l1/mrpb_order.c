/* SPDX-License-Identifier: Apache-2.0
 * MRPB, one behaviour a test: in which order requests leave (sections 3.1 to 3.3). */
#include "l1/mrpb_cases.h"

static void test_3_1_a_read_reaches_the_cache_latency_cycles_after_it_entered(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 1, READ, 42);
        for (unsigned cycle = 1; cycle < params_of(b)->LATENCY; cycle++) {
            assert_no_offer(b);
            bench_edge(b);
        }
        take(b, 1, READ, 42);
        assert_no_offer(b);
    }
}

static void test_3_1_a_full_queue_stalls_the_memory_stage(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        unsigned entered = 0;
        for (unsigned cycle = 0; cycle < 2 * (p->DEPTH + p->LATENCY); cycle++) {
            entered += drive(b, 1, READ, entered);
            bench_edge(b);
        }
        assert_int_equal(entered, p->DEPTH + 1); /* one stands in the outbound buffer */
        assert_true(drive(b, 0, READ, 0));       /* other queues take reads */
        assert_false(drive(b, 1, READ, 0));
        assert_false(drive(b, 1, WRITE, 0));
    }
}

static void test_3_2_reads_of_a_queue_keep_their_order(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        for (unsigned round = 0; round < 3; round++) { /* the pointers wrap */
            for (unsigned i = 0; i < p->DEPTH; i++) {
                enter(b, p->QUEUES - 1, READ, 10 * round + i);
            }
            ripen(b);
            for (unsigned i = 0; i < p->DEPTH; i++) {
                take(b, p->QUEUES - 1, READ, 10 * round + i);
            }
        }
    }
}

static void test_3_3_fixed_order_drains_the_lowest_queue_first(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        occupy_buffer(b);
        for (unsigned queue = p->QUEUES; queue-- > 0;) {
            enter(b, queue, READ, queue);
        }
        ripen(b);
        take(b, 0, READ, 99);
        for (unsigned queue = 0; queue < p->QUEUES; queue++) {
            take(b, queue, READ, queue);
        }
        assert_no_offer(b);
    }
}

static void test_3_3_a_lower_queue_preempts_a_higher_one(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        unsigned last = params_of(b)->QUEUES - 1;
        occupy_buffer(b);
        enter(b, last, READ, 1);
        enter(b, last, READ, 2);
        ripen(b);
        take(b, 0, READ, 99);
        enter(b, 0, READ, 3);
        ripen(b);
        take(b, last, READ, 1); /* it stood in the buffer already */
        take(b, 0, READ, 3);
        take(b, last, READ, 2);
    }
}

static void test_3_3_flush_rule_1_a_full_queue_is_drained_before_lower_ones(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        unsigned last = p->QUEUES - 1;
        occupy_buffer(b);
        enter(b, 0, READ, 50);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            enter(b, last, READ, i);
        }
        ripen(b);
        assert_false(drive(b, last, READ, 60));
        take(b, 0, READ, 99);                  /* selected at this edge: the full queue */
        assert_true(drive(b, last, READ, 60)); /* one item was drained, which makes its place */
        take(b, last, READ, 0);
        take(b, 0, READ, 50);
        take(b, last, READ, 1);
    }
}

static void test_3_3_flush_rule_1_needs_a_waiting_read(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        unsigned last = p->QUEUES - 1;
        occupy_buffer(b);
        enter(b, 0, READ, 50);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            enter(b, last, READ, i);
        }
        ripen(b);
        assert_false(drive(b, last, READ, 60));
        in_of(b)->enq_valid = false;
        bench_comb(b);
        take(b, 0, READ, 99);
        take(b, 0, READ, 50);
        take(b, last, READ, 0);
    }
}

static void test_3_3_flush_rule_2_a_write_empties_its_queue_then_passes(void **state) {
    (void)state;
    for (unsigned stored = 1; stored <= MRPB_DEPTH_MAX; stored++) {
        FOR_EACH_SET(b) {
            const struct mrpb_params *p = params_of(b);
            unsigned last = p->QUEUES - 1;
            if (stored > p->DEPTH) {
                continue;
            }
            occupy_buffer(b);
            for (unsigned i = 0; i < stored; i++) {
                enter(b, last, READ, i);
            }
            enter(b, 0, READ, 50);
            ripen(b);
            for (unsigned i = 0; i < stored; i++) { /* one item a cycle */
                assert_false(drive(b, last, WRITE, 77));
                take(b, i == 0 ? 0 : last, READ, i == 0 ? 99 : i - 1);
            }
            assert_true(drive(b, last, WRITE, 77));
            take(b, last, READ, stored - 1);
            take(b, 0, READ, 50); /* selected at the edge at which the write entered */
            take(b, last, WRITE, 77);
            assert_no_offer(b);
        }
    }
}

static void test_3_3_flush_rule_2_waits_for_a_read_in_the_delay_line(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        enter(b, 1, READ, 1);
        for (unsigned cycle = 1; cycle < p->LATENCY; cycle++) {
            assert_false(drive(b, 1, WRITE, 2));
            bench_edge(b);
        }
        assert_true(drive(b, 1, WRITE, 2));
        take(b, 1, READ, 1);
        take(b, 1, WRITE, 2);
    }
}

static void test_3_3_a_write_to_an_empty_queue_passes_at_once(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 1, WRITE, 5);
        take(b, 1, WRITE, 5);
        assert_no_offer(b);
    }
}

static void test_3_3_a_later_read_does_not_overtake_the_write(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        enter(b, 0, WRITE, 5);
        enter(b, 0, READ, 6);
        for (unsigned cycle = 0; cycle < 2 * p->LATENCY; cycle++) {
            assert_offer(b, 0, WRITE, 5);
            bench_edge(b);
        }
        take(b, 0, WRITE, 5); /* selected at this edge: the read */
        take(b, 0, READ, 6);
        assert_no_offer(b);
    }
}

static void test_3_3_a_later_read_does_not_overtake_the_second_write(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 1, WRITE, 4);
        enter(b, 0, WRITE, 5);
        enter(b, 0, READ, 6);
        enter(b, 1, READ, 7);
        ripen(b);
        take(b, 1, WRITE, 4); /* selected at this edge: nothing, not even of the other warp */
        take(b, 0, WRITE, 5);
        take(b, 0, READ, 6);
        take(b, 1, READ, 7);
        assert_no_offer(b);
    }
}

static void test_3_3_a_write_does_not_overtake_the_read_of_its_warp_selected_before(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 4);
        enter(b, 1, READ, 5);
        ripen(b);
        assert_false(drive(b, 1, WRITE, 6)); /* the second slot is free, its queue is not empty */
        take(b, 0, WRITE, 4);                /* selected at this edge: the read of that queue */
        enter(b, 1, WRITE, 6);
        take(b, 1, READ, 5);
        take(b, 1, WRITE, 6);
        assert_no_offer(b);
    }
}

static void test_a_write_waits_behind_the_offered_read(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        occupy_buffer(b);
        enter(b, 0, WRITE, 5);
        assert_offer(b, 0, READ, 99);
        bench_edge(b);
        take(b, 0, READ, 99);
        take(b, 0, WRITE, 5);
        assert_no_offer(b);
    }
}

static void test_a_write_waits_behind_a_write(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        occupy_buffer(b);
        enter(b, 1, WRITE, 1);
        enter(b, 0, WRITE, 2);
        bench_idle(b, 3);
        take(b, 0, READ, 99);
        take(b, 1, WRITE, 1);
        take(b, 0, WRITE, 2);
        assert_no_offer(b);
    }
}

static void test_a_write_waits_for_the_second_write_slot(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 1);
        enter(b, 0, WRITE, 2);
        assert_false(drive(b, 1, WRITE, 3)); /* another queue, empty */
        bench_edge(b);
        assert_false(drive(b, 1, WRITE, 3)); /* the slot that frees at this edge is not free yet */
        take(b, 0, WRITE, 1);
        assert_true(drive(b, 1, WRITE, 3));
        take(b, 0, WRITE, 2);
        take(b, 1, WRITE, 3);
        assert_no_offer(b);
    }
}

static void test_reads_enter_while_writes_stand_in_both_slots(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        enter(b, 0, WRITE, 5);
        enter(b, 0, WRITE, 6);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            enter(b, 0, READ, i);
        }
        assert_false(drive(b, 0, READ, 0));
        assert_true(drive(b, 1, READ, 0));
    }
}

const struct CMUnitTest mrpb_order_cases[MRPB_ORDER_CASES] = {
    cmocka_unit_test(test_3_1_a_read_reaches_the_cache_latency_cycles_after_it_entered),
    cmocka_unit_test(test_3_1_a_full_queue_stalls_the_memory_stage),
    cmocka_unit_test(test_3_2_reads_of_a_queue_keep_their_order),
    cmocka_unit_test(test_3_3_fixed_order_drains_the_lowest_queue_first),
    cmocka_unit_test(test_3_3_a_lower_queue_preempts_a_higher_one),
    cmocka_unit_test(test_3_3_flush_rule_1_a_full_queue_is_drained_before_lower_ones),
    cmocka_unit_test(test_3_3_flush_rule_1_needs_a_waiting_read),
    cmocka_unit_test(test_3_3_flush_rule_2_a_write_empties_its_queue_then_passes),
    cmocka_unit_test(test_3_3_flush_rule_2_waits_for_a_read_in_the_delay_line),
    cmocka_unit_test(test_3_3_a_write_to_an_empty_queue_passes_at_once),
    cmocka_unit_test(test_3_3_a_later_read_does_not_overtake_the_write),
    cmocka_unit_test(test_3_3_a_later_read_does_not_overtake_the_second_write),
    cmocka_unit_test(test_3_3_a_write_does_not_overtake_the_read_of_its_warp_selected_before),
    cmocka_unit_test(test_a_write_waits_behind_the_offered_read),
    cmocka_unit_test(test_a_write_waits_behind_a_write),
    cmocka_unit_test(test_a_write_waits_for_the_second_write_slot),
    cmocka_unit_test(test_reads_enter_while_writes_stand_in_both_slots),
};
