/* SPDX-License-Identifier: Apache-2.0
 * MRPB, one behaviour a test: in which order requests leave (sections 3.1 to 3.3). */
#include "l1/mrpb_cases.h"

SET_TEST(test_3_1_a_request_reaches_the_cache_latency_cycles_after_it_entered) {
    enter_queue_request(b, 1, READ, 42);
    for (unsigned cycle = 1; cycle < mrpb_params_of(b)->LATENCY; cycle++) {
        assert_no_offer(b);
        bench_edge(b);
    }
    take_offered_request(b, 1, READ, 42);
    assert_no_offer(b);
}

SET_TEST(test_3_1_a_full_queue_stalls_the_memory_stage) {
    const struct mrpb_params *p = mrpb_params_of(b);
    unsigned entered = 0;
    for (unsigned cycle = 0; cycle < 2 * (p->DEPTH + p->LATENCY); cycle++) {
        entered += drive_queue_request(b, 1, READ, entered);
        bench_edge(b);
    }
    assert_int_equal(entered, p->DEPTH + 1);         /* one stands in the outbound buffer */
    assert_true(drive_queue_request(b, 0, READ, 0)); /* other queues take reads */
    assert_false(drive_queue_request(b, 1, READ, 0));
    assert_false(drive_queue_request(b, 1, WRITE, 0));
}

SET_TEST(test_3_1_a_place_is_free_two_cycles_after_its_entry_was_read) {
    const struct mrpb_params *p = mrpb_params_of(b);
    enter_many(b, 1, p->DEPTH, 0);
    ripen_everything(b);
    enter_queue_request(b, 1, READ, p->DEPTH);
    ripen_everything(b);
    assert_false(drive_queue_request(b, 1, READ, 50));
    take_offered_request(b, 1, READ, 0); /* at this edge the next one is read */
    assert_false(drive_queue_request(b, 1, READ, 50));
    bench_edge(b);
    assert_true(drive_queue_request(b, 1, READ, 50));
}

SET_TEST(test_3_2_reads_of_a_queue_keep_their_order) {
    const struct mrpb_params *p = mrpb_params_of(b);
    for (unsigned round = 0; round < 3; round++) { /* the slots wrap */
        enter_many(b, p->QUEUES - 1, p->DEPTH, 64 * round);
        ripen_everything(b);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            take_next(b, p->QUEUES - 1, READ, 64 * round + i);
        }
        ripen_everything(b);
    }
}

SET_TEST(test_3_3_fixed_order_drains_the_lowest_queue_first) {
    const struct mrpb_params *p = mrpb_params_of(b);
    if (p->DRAIN % 3 != MRPB_DRAIN_FIXED) {
        return;
    }
    occupy_buffer(b);
    for (unsigned queue = p->QUEUES; queue-- > 1;) {
        enter_queue_request(b, queue, READ, queue);
    }
    ripen_everything(b);
    take_occupied(b);
    for (unsigned queue = 1; queue < p->QUEUES; queue++) {
        take_offered_request(b, queue, READ, queue);
    }
    assert_no_offer(b);
}

SET_TEST(test_3_3_a_lower_queue_preempts_a_higher_one_unless_that_is_emptied_first) {
    const struct mrpb_params *p = mrpb_params_of(b);
    if (p->DRAIN % 3 != MRPB_DRAIN_FIXED) {
        return;
    }
    bool greedy = p->DRAIN == MRPB_DRAIN_GREEDY_FIXED;
    occupy_buffer(b);
    enter_many(b, 3, 3, 1);
    ripen_everything(b);
    take_offered_request(b, 0, READ, OCCUPIED); /* the next choice: queue 3 */
    enter_queue_request(b, 2, READ, 5);
    ripen_everything(b);
    for (unsigned i = 1; i <= mrpb_pipe(p); i++) {
        take_offered_request(b, 0, READ, OCCUPIED + i);
    }
    take_offered_request(b, 3, READ, 1);
    if (!greedy) {
        take_offered_request(b, 2, READ, 5);
    }
    take_offered_request(b, 3, READ, 2);
    take_offered_request(b, 3, READ, 3);
    if (greedy) {
        take_offered_request(b, 2, READ, 5);
    }
    assert_no_offer(b);
}

TEST(test_3_3_round_robin_takes_queues_in_turn_and_greedy_empties_each) {
    static const unsigned in_turn[] = {1, 3, 0, 1, 3, 0}, emptied[] = {0, 0, 1, 1, 3, 3};
    FOR_EACH_SET(b) {
        unsigned drain = mrpb_params_of(b)->DRAIN, left[4] = {0};
        if (drain % 3 != MRPB_DRAIN_ROUND_ROBIN) {
            continue;
        }
        occupy_buffer(b); /* chosen last: queue 0 */
        for (unsigned i = 0; i < 6; i++) {
            unsigned queue = i % 3 == 2 ? 3 : i % 3;
            enter_queue_request(b, queue, READ, 10 * queue + i / 3);
        }
        ripen_everything(b);
        take_occupied(b);
        for (unsigned i = 0; i < 6; i++) {
            unsigned queue = (drain == MRPB_DRAIN_ROUND_ROBIN ? in_turn : emptied)[i];
            take_offered_request(b, queue, READ, 10 * queue + left[queue]++);
        }
        assert_no_offer(b);
    }
}

SET_TEST(test_3_3_longest_first_takes_the_longest_queue) {
    const struct mrpb_params *p = mrpb_params_of(b);
    if (p->DRAIN % 3 != MRPB_DRAIN_LONGEST) {
        return;
    }
    occupy_buffer(b);
    enter_queue_request(b, 1, READ, 1);
    enter_many(b, 3, 5, 10);
    ripen_everything(b);
    take_occupied(b);
    for (unsigned i = 0; i < 5; i++) { /* equal after four; known after the fifth choice */
        take_offered_request(b, 3, READ, 10 + i);
    }
    take_offered_request(b, 1, READ, 1);
    assert_no_offer(b);
}

SET_TEST(test_3_3_of_equally_long_queues_the_lowest_is_taken) {
    const struct mrpb_params *p = mrpb_params_of(b);
    if (p->DRAIN % 3 != MRPB_DRAIN_LONGEST) {
        return;
    }
    occupy_buffer(b);
    enter_queue_request(b, 1, READ, 1);
    enter_many(b, 3, 2, 10);
    enter_many(b, 2, 2, 20);
    ripen_everything(b);
    take_occupied(b);
    take_offered_request(b, 2, READ, 20);
}

/* A queue that has grown longer in the meantime has to wait if the policy is greedy. */
SET_TEST(test_3_3_greedy_then_longest_first_empties_the_longest) {
    const struct mrpb_params *p = mrpb_params_of(b);
    if (p->DRAIN % 3 != MRPB_DRAIN_LONGEST) {
        return;
    }
    bool greedy = p->DRAIN == MRPB_DRAIN_GREEDY_LONGEST;
    occupy_buffer(b);
    enter_many(b, 3, 2, 10);
    ripen_everything(b);
    take_offered_request(b, 0, READ, OCCUPIED); /* the next choice: queue 3 */
    enter_many(b, 2, 4, 20);
    ripen_everything(b);
    for (unsigned i = 1; i <= mrpb_pipe(p); i++) {
        take_offered_request(b, 0, READ, OCCUPIED + i);
    }
    take_offered_request(b, 3, READ, 10);
    take_offered_request(b, greedy ? 3 : 2, READ, greedy ? 11 : 20);
}

/* The next choice is queue 1, unless rule 1 names the last queue, whose DEPTH places are taken. */
static void fill_last_queue(struct bench *b) {
    const struct mrpb_params *p = mrpb_params_of(b);
    occupy_buffer(b);
    enter_queue_request(b, 1, READ, 50);
    enter_many(b, p->QUEUES - 1, p->DEPTH, 0);
    ripen_everything(b);
}

SET_TEST(test_3_3_flush_rule_1_a_full_queue_gives_one_before_lower_ones) {
    const struct mrpb_params *p = mrpb_params_of(b);
    unsigned last = p->QUEUES - 1;
    if (p->DRAIN % 3 != MRPB_DRAIN_FIXED) {
        return;
    }
    fill_last_queue(b);
    for (unsigned i = 0; i <= mrpb_pipe(p); i++) {
        assert_false(drive_queue_request(b, last, READ, 60));
        take_offered_request(b, 0, READ, OCCUPIED + i);
    }
    if (p->FLUSH) {
        take_offered_request(b, last, READ, 0);
    }
    take_offered_request(b, 1, READ, 50); /* one item was drained, no more */
    take_offered_request(b, last, READ, p->FLUSH ? 1 : 0);
}

SET_TEST(test_3_3_flush_rule_1_needs_a_waiting_read) {
    if (mrpb_params_of(b)->DRAIN % 3 != MRPB_DRAIN_FIXED) {
        return;
    }
    fill_last_queue(b);
    take_occupied(b);
    take_offered_request(b, 1, READ, 50);
    take_offered_request(b, mrpb_params_of(b)->QUEUES - 1, READ, 0);
}

TEST(test_3_3_flush_rule_2_a_write_empties_its_queue_then_passes) {
    for (unsigned stored = 1; stored <= 8; stored++) {
        FOR_EACH_SET(b) {
            const struct mrpb_params *p = mrpb_params_of(b);
            unsigned last = p->QUEUES - 1, next = 0, waited = 0;
            if (stored > p->DEPTH || !p->FLUSH || p->DRAIN != MRPB_DRAIN_FIXED) {
                continue;
            }
            occupy_buffer(b);
            enter_many(b, last, stored, 0);
            enter_queue_request(b, 1, READ, 50);
            ripen_everything(b);
            while (!drive_queue_request(b, last, WRITE, 77)) {
                assert_true(waited++ < 40);
                if (mrpb_out_of(b)->deq_valid && mrpb_out_of(b)->deq_queue == last) {
                    assert_int_equal(mrpb_out_of(b)->deq_data[0], next++);
                } else if (mrpb_out_of(b)->deq_valid && mrpb_out_of(b)->deq_data[0] == 50) {
                    assert_int_equal(next, stored); /* only after the flush */
                }
                mrpb_in_of(b)->deq_ready = true;
                bench_edge(b);
            }
            assert_true(next + 1 >= stored); /* the last one may stand at the outbound buffer */
            bench_edge(b);
            for (; next < stored; next++) {
                take_next(b, last, READ, next);
            }
            for (unsigned i = 0; i < 20; i++) {
                bench_comb(b);
                if (mrpb_out_of(b)->deq_valid) {
                    assert_true(mrpb_out_of(b)->deq_write || mrpb_out_of(b)->deq_data[0] == 50);
                    waited += mrpb_out_of(b)->deq_write ? 1000 : 0;
                }
                mrpb_in_of(b)->deq_ready = true;
                bench_edge(b);
            }
            assert_in_range(waited, 1000, 1999); /* once */
        }
    }
}

SET_TEST(test_3_3_flush_rule_2_waits_for_a_read_on_its_way) {
    const struct mrpb_params *p = mrpb_params_of(b);
    if (!p->FLUSH) {
        return;
    }
    enter_queue_request(b, 1, READ, 1);
    for (unsigned cycle = 1; cycle <= p->LATENCY; cycle++) {
        assert_false(drive_queue_request(b, 1, WRITE, 2));
        bench_edge(b);
    }
    enter_queue_request(b, 1, WRITE, 2);
    take_offered_request(b, 1, READ, 1);
    take_next(b, 1, WRITE, 2);
}

SET_TEST(test_3_3_a_write_to_an_empty_queue_passes_the_stages_only) {
    const struct mrpb_params *p = mrpb_params_of(b);
    unsigned stages = p->FLUSH ? mrpb_pipe(p) + 2 : p->LATENCY;
    enter_queue_request(b, 1, WRITE, 5);
    for (unsigned cycle = 1; cycle < stages; cycle++) {
        assert_no_offer(b);
        bench_edge(b);
    }
    take_offered_request(b, 1, WRITE, 5);
    assert_no_offer(b);
}

TEST(test_3_3_a_later_read_does_not_overtake_the_write) {
    for (unsigned occupied = 0; occupied < 2; occupied++) {
        FOR_EACH_SET(b) {
            if (occupied) {
                occupy_buffer(b);
            }
            enter_queue_request(b, 1, WRITE, 5);
            enter_queue_request(b, 1, READ, 6);
            ripen_everything(b);
            ripen_everything(b);
            if (occupied) {
                take_occupied(b);
            }
            take_next(b, 1, WRITE, 5);
            take_next(b, 1, READ, 6);
            assert_no_offer(b);
        }
    }
}

SET_TEST(test_5_3_without_flush_writes_queue_in_order_with_reads) {
    if (mrpb_params_of(b)->FLUSH) {
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        enter_queue_request(b, 2, i % 2, i);
    }
    ripen_everything(b);
    for (unsigned i = 0; i < 4; i++) {
        take_next(b, 2, i % 2, i);
    }
}

SET_TEST(test_writes_keep_their_order_and_wait_for_room) {
    const struct mrpb_params *p = mrpb_params_of(b);
    unsigned room = mrpb_pipe(p) + 2;
    if (!p->FLUSH) {
        return;
    }
    occupy_buffer(b);
    for (unsigned i = 0; i < room; i++) {
        enter_queue_request(b, 1 + i % 2, WRITE, i);
    }
    assert_false(drive_queue_request(b, 3, WRITE, 0)); /* another queue, empty */
    assert_true(drive_queue_request(b, 3, READ, 60));  /* reads enter all the same */
    bench_edge(b);
    ripen_everything(b);
    take_occupied(b);
    for (unsigned i = 0; i < room; i++) {
        take_next(b, 1 + i % 2, WRITE, i);
    }
    take_next(b, 3, READ, 60);
    assert_no_offer(b);
}
