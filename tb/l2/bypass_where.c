/* SPDX-License-Identifier: Apache-2.0
 * Bypass, one behaviour a test: where a request goes (sections 3.1, 4.1, 4.2 and 6.4). */
#include "l2/bypass_cases.h"

static bool port_allocates(const struct bench *b, unsigned port) {
    return bypass_out_of(b)->arb_allocate >> port & 1;
}

SET_TEST(test_4_2_a_read_of_a_mostly_miss_warp_goes_to_the_dram) {
    for (unsigned port = 0; port < bypass_params_of(b)->PORTS; port++) {
        enter_port_request(b, port, REQUEST_READ, L2_CLASS_MISS, 20 + port);
        assert_int_equal(bypass_out_of(b)->arb_valid, 0);
        dram_takes_request(b, port, 20 + port); /* in the cycle after it entered */
        assert_nothing(b);
    }
}

SET_TEST(test_4_2_requests_of_other_warps_go_to_the_bank_arbiter) {
    for (unsigned class = L2_CLASS_BALANCED; class <= L2_CLASS_ALL_HIT; class ++) {
        for (unsigned kind = REQUEST_READ; kind <= REQUEST_WRITEBACK; kind++) {
            unsigned port = class % bypass_params_of(b)->PORTS;
            enter_port_request(b, port, kind, class, 4 * class + kind);
            bank_takes(b, port, 4 * class + kind);
            assert_nothing(b);
            enter_port_request(b, port, kind, class, 0);
            assert_for_bank(b, port, 0);
            assert_int_equal(bypass_out_of(b)->arb_class[port], class);
            assert_true(port_allocates(b, port));
            bank_takes(b, port, 0);
        }
    }
}

SET_TEST(test_4_1_during_profiling_a_warp_does_not_bypass) {
    for (unsigned class = L2_CLASS_MISS; class <= L2_CLASS_ALL_HIT; class ++) {
        enter_port_request(b, 0, REQUEST_READ, class, 7);
        bypass_in_of(b)->look_known = 0;
        assert_for_bank(b, 0, 7);
        assert_int_equal(bypass_out_of(b)->arb_class[0], L2_CLASS_BALANCED);
        assert_true(port_allocates(b, 0));
        bench_edge(b);
        assert_for_bank(b, 0, 7);
        assert_int_equal(bypass_out_of(b)->arb_class[0], L2_CLASS_BALANCED);
        bank_takes(b, 0, 7);
    }
}

/* "fences and atomic instructions from bypassed warps still access the L2 for cache lookup, but are
 * not allowed to store data in the cache" */
SET_TEST(test_4_2_an_atomic_of_a_bypassed_warp_accesses_the_l2_and_stores_nothing) {
    enter_port_request(b, 0, REQUEST_ATOMIC, L2_CLASS_MISS, 9);
    assert_for_bank(b, 0, 9);
    assert_int_equal(bypass_out_of(b)->arb_class[0], L2_CLASS_MISS);
    assert_false(port_allocates(b, 0));
    bank_takes(b, 0, 9);
    assert_nothing(b);
}

SET_TEST(test_4_2_a_store_of_a_bypassed_warp_takes_no_line_or_goes_to_the_dram) {
    unsigned port = bypass_params_of(b)->PORTS - 1;
    for (unsigned kind = REQUEST_WRITE; kind <= REQUEST_WRITEBACK; kind += 2) {
        enter_port_request(b, port, kind, L2_CLASS_MISS, kind);
        settle_outputs(b);
        if (bypass_params_of(b)->STORES) {
            dram_takes_request(b, port, kind);
        } else {
            assert_int_equal(bypass_out_of(b)->arb_class[port], L2_CLASS_MISS);
            assert_false(port_allocates(b, port));
            bank_takes(b, port, kind);
        }
        assert_nothing(b);
    }
}

SET_TEST(test_6_4_a_line_with_reuse_does_not_bypass) {
    for (unsigned kind = REQUEST_READ; kind <= REQUEST_WRITEBACK; kind++) {
        bypass_in_of(b)->req_keep = 1;
        enter_port_request(b, 0, kind, L2_CLASS_MISS, 3);
        assert_for_bank(b, 0, 3);
        assert_int_equal(bypass_out_of(b)->arb_class[0], L2_CLASS_MISS);
        assert_true(port_allocates(b, 0));
        bank_takes(b, 0, 3);
        assert_nothing(b);
    }
    bypass_in_of(b)->req_keep = (uint8_t)~1u; /* of other ports */
    enter_port_request(b, 0, REQUEST_READ, L2_CLASS_MISS, 4);
    bypass_in_of(b)->req_keep = 1; /* of a request that has not entered */
    dram_takes_request(b, 0, 4);
}

SET_TEST(test_the_class_of_the_first_cycle_is_kept) {
    for (unsigned misses = 0; misses < 2; misses++) {
        unsigned class = misses ? L2_CLASS_MISS : L2_CLASS_HIT;
        enter_port_request(b, 0, REQUEST_READ, class, 1);
        for (unsigned cycle = 0; cycle < 4; cycle++) {
            settle_outputs(b);
            assert_int_equal(bypass_out_of(b)->byp_valid, misses);
            assert_int_equal(bypass_out_of(b)->arb_class[0], misses ? 0 : class);
            bench_edge(b);
            answer_lookup(b, 0, misses ? L2_CLASS_BALANCED : L2_CLASS_MISS);
        }
        settle_outputs(b);
        bypass_in_of(b)->arb_ready = 1;
        bypass_in_of(b)->byp_ready = true;
        bench_edge(b);
        assert_nothing(b);
    }
}

SET_TEST(test_a_request_behind_another_has_a_class_of_its_own) {
    for (unsigned second = 0; second < 2; second++) { /* leaves as the class comes, or later */
        for (unsigned first = 0; first < 2; first++) {
            enter_port_request(b, 0, REQUEST_READ, first ? L2_CLASS_MISS : L2_CLASS_HIT, 1);
            drive_port_request(b, 0, REQUEST_READ, 2);
            bench_edge(b);
            answer_lookup(b, 0, first ? L2_CLASS_ALL_HIT : L2_CLASS_MISS);
            if (second) {
                bench_edge(b);
                answer_lookup(b, 0, first ? L2_CLASS_MISS : L2_CLASS_BALANCED);
            }
            if (first) {
                dram_takes_request(b, 0, 1);
                answer_lookup(b, 0, L2_CLASS_MISS);
                assert_for_bank(b, 0, 2);
                assert_int_equal(bypass_out_of(b)->arb_class[0], L2_CLASS_ALL_HIT);
                bank_takes(b, 0, 2);
            } else {
                bank_takes(b, 0, 1);
                answer_lookup(b, 0, L2_CLASS_HIT);
                dram_takes_request(b, 0, 2);
            }
            assert_nothing(b);
        }
    }
}

/* Figure 5: four requests of the mostly-miss warp A come before four of the mostly-hit warp B, all
 * for one bank, which takes one in INTERVAL cycles. (a) With the cache for both, B waits for A. (b)
 * A goes to the memory, and B does not wait. Return: the cycle in which B's last one is taken. */
enum { INTERVAL = 4, EACH = 4 };
static unsigned figure_5(struct bench *b, unsigned class_of_a, unsigned *to_dram) {
    unsigned entered = 0, to_bank = 0, room_at = 0;
    unsigned expected = class_of_a == L2_CLASS_MISS ? EACH : 2 * EACH;
    bool fresh = false;
    *to_dram = 0;
    for (unsigned cycle = 0;; cycle++) {
        if (entered < 2 * EACH) {
            drive_port_request(b, 0, REQUEST_READ, entered);
        }
        if (fresh) {
            answer_lookup(b, 0, entered <= EACH ? class_of_a : L2_CLASS_HIT);
        }
        bench_comb(b);
        const struct bypass_out *out = bypass_out_of(b);
        fresh = entered < 2 * EACH && out->req_ready & 1;
        entered += fresh;
        if (out->byp_valid) {
            assert_int_equal(out->byp_data, *to_dram); /* A0 to A3 */
            bypass_in_of(b)->byp_ready = true;
            (*to_dram)++;
        }
        if (out->arb_valid && cycle >= room_at) {
            assert_int_equal(out->arb_data[0], 2 * EACH - expected + to_bank);
            bypass_in_of(b)->arb_ready = 1;
            room_at = cycle + INTERVAL;
            if (++to_bank == expected) {
                bench_edge(b);
                return cycle;
            }
        }
        bench_edge(b);
    }
}

SET_TEST(test_3_1_figure_5_with_a_bypassing_b_does_not_wait_for_a) {
    unsigned to_dram, last = figure_5(b, L2_CLASS_BALANCED, &to_dram);
    assert_int_equal(to_dram, 0);
    assert_int_equal(last, 1 + (2 * EACH - 1) * INTERVAL); /* A0 in the cycle after it enters */
    last = figure_5(b, L2_CLASS_MISS, &to_dram);
    assert_int_equal(to_dram, EACH);
    assert_int_equal(last, 1 + EACH + (EACH - 1) * INTERVAL);
}
