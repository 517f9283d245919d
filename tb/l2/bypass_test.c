/* SPDX-License-Identifier: Apache-2.0
 * Bypass, one behaviour a test: order, rate, turns, reset and rest, and main(). */
#include <string.h>

#include "l2/bypass_cases.h"

SET_TEST(test_a_port_has_two_places) {
    for (unsigned port = 0; port < bypass_params_of(b)->PORTS; port++) {
        enter_port_request(b, port, REQUEST_READ, L2_CLASS_HIT, 1);
        enter_port_request(b, port, REQUEST_READ, L2_CLASS_HIT, 2);
        drive_port_request(b, port, REQUEST_READ, 3);
        bench_comb(b);
        assert_int_equal(bypass_out_of(b)->req_ready, every_port(b) & ~(1u << port));
        bank_takes(b, port, 1); /* room from the next cycle on */
        drive_port_request(b, port, REQUEST_READ, 3);
        bank_takes(b, port, 2);
        answer_lookup(b, port, L2_CLASS_HIT);
        bank_takes(b, port, 3);
        assert_nothing(b);
    }
}

SET_TEST(test_one_request_enters_and_one_leaves_each_cycle) {
    unsigned ports = bypass_params_of(b)->PORTS;
    for (unsigned cycle = 0; cycle < 30; cycle++) { /* to the banks at every port */
        for (unsigned port = 0; port < ports; port++) {
            drive_port_request(b, port, REQUEST_READ, cycle);
            answer_lookup(b, port, L2_CLASS_BALANCED);
        }
        bench_comb(b);
        assert_int_equal(bypass_out_of(b)->req_ready, every_port(b));
        for (unsigned port = 0; port < ports && cycle > 0; port++) {
            assert_for_bank(b, port, cycle - 1);
        }
        bypass_in_of(b)->arb_ready = (uint8_t)every_port(b);
        bench_edge(b);
    }
    bypass_in_of(b)->rst = true;
    bench_edge(b);
    for (unsigned cycle = 0; cycle < 30; cycle++) { /* to the DRAM at one */
        drive_port_request(b, ports - 1, REQUEST_READ, cycle);
        answer_lookup(b, ports - 1, L2_CLASS_MISS);
        bench_comb(b);
        assert_int_equal(bypass_out_of(b)->req_ready, every_port(b));
        if (cycle > 0) {
            assert_for_dram(b, ports - 1, cycle - 1);
        }
        bypass_in_of(b)->byp_ready = true;
        bench_edge(b);
    }
}

SET_TEST(test_a_held_request_holds_those_behind_it) {
    enter_port_request(b, 0, REQUEST_READ, L2_CLASS_HIT, 1);
    enter_port_request(b, 0, REQUEST_READ, L2_CLASS_MISS, 2);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        assert_for_bank(b, 0, 1);
        assert_false(bypass_out_of(b)->byp_valid);
        bypass_in_of(b)->byp_ready = true;
        bench_edge(b);
    }
    bank_takes(b, 0, 1);
    enter_port_request(b, 0, REQUEST_READ, L2_CLASS_HIT, 3);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        assert_for_dram(b, 0, 2);
        bypass_in_of(b)->arb_ready = (uint8_t)every_port(b);
        bench_edge(b);
    }
    dram_takes_request(b, 0, 2);
    bank_takes(b, 0, 3);
}

SET_TEST(test_a_held_request_holds_no_other_port) {
    if (bypass_params_of(b)->PORTS < 2) {
        return;
    }
    enter_port_request(b, 0, REQUEST_READ, L2_CLASS_HIT, 1);
    bench_edge(b);
    enter_port_request(b, 1, REQUEST_READ, L2_CLASS_MISS, 2);
    assert_for_bank(b, 0, 1);
    dram_takes_request(b, 1, 2);
    enter_port_request(b, 1, REQUEST_READ, L2_CLASS_MISS, 3);
    bypass_in_of(b)->arb_ready = 1; /* both ways at once */
    assert_for_bank(b, 0, 1);
    dram_takes_request(b, 1, 3);
    assert_nothing(b);
}

SET_TEST(test_ports_take_turns_at_the_dram) {
    unsigned ports = bypass_params_of(b)->PORTS;
    for (unsigned place = 0; place < 2; place++) {
        for (unsigned port = 0; port < ports; port++) {
            drive_port_request(b, port, REQUEST_READ, 10 * place + port);
            answer_lookup(b, port, L2_CLASS_MISS);
        }
        bench_edge(b);
    }
    for (unsigned port = 0; port < ports; port++) {
        answer_lookup(b, port, L2_CLASS_MISS);
    }
    bench_edge(b);
    for (unsigned i = 0; i < 2 * ports; i++) {
        assert_for_dram(b, i % ports, 10 * (i / ports) + i % ports);
        bench_edge(b); /* not taken: the turn stays */
        dram_takes_request(b, i % ports, 10 * (i / ports) + i % ports);
    }
    assert_nothing(b);
}

SET_TEST(test_a_reset_empties_every_port_and_lets_nothing_in) {
    unsigned last = bypass_params_of(b)->PORTS - 1;
    enter_port_request(b, 0, REQUEST_READ, L2_CLASS_MISS, 1);
    dram_takes_request(b, 0, 1); /* the turn moves */
    enter_port_request(b, last, REQUEST_READ, L2_CLASS_HIT, 2);
    enter_port_request(b, last, REQUEST_READ, L2_CLASS_HIT, 3);
    bypass_in_of(b)->rst = true;
    drive_port_request(b, 0, REQUEST_READ, 5);
    bench_edge(b);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        assert_nothing(b);
        assert_int_equal(bypass_out_of(b)->req_ready, every_port(b));
        bench_edge(b);
    }
    for (unsigned port = 0; port <= last; port++) {
        drive_port_request(b, port, REQUEST_READ, port);
    }
    bench_edge(b);
    for (unsigned port = 0; port <= last; port++) {
        answer_lookup(b, port, L2_CLASS_MISS);
    }
    dram_takes_request(b, 0, 0); /* again the first */
}

SET_TEST(test_bypass_quiet_when_nothing_can_move) {
    assert_true(bench_quiet(b));
    bypass_in_of(b)->arb_ready = 1;
    bypass_in_of(b)->byp_ready = true;
    assert_true(bench_quiet(b)); /* nothing is offered */
    drive_port_request(b, 0, REQUEST_READ, 1);
    assert_false(bench_quiet(b));
    bench_edge(b);
    answer_lookup(b, 0, L2_CLASS_HIT);
    assert_false(bench_quiet(b)); /* its class is still to be kept */
    bench_edge(b);
    bypass_in_of(b)->byp_ready = true;
    assert_true(bench_quiet(b));
    bypass_in_of(b)->arb_ready = 1;
    assert_false(bench_quiet(b));
    bypass_in_of(b)->arb_ready = 0;
    enter_port_request(b, 0, REQUEST_READ, L2_CLASS_MISS, 2);
    bench_edge(b);
    drive_port_request(b, 0, REQUEST_READ, 3);
    assert_true(bench_quiet(b)); /* full */
    bypass_in_of(b)->req_valid = 0;
    bank_takes(b, 0, 1);
    bypass_in_of(b)->arb_ready = 1;
    assert_true(bench_quiet(b));
    bypass_in_of(b)->byp_ready = true;
    assert_false(bench_quiet(b));
    bypass_in_of(b)->byp_ready = false;
    bypass_in_of(b)->rst = true;
    assert_false(bench_quiet(b));
    bench_edge(b);
    bypass_in_of(b)->rst = true;
    drive_port_request(b, 0, REQUEST_READ, 4);
    assert_true(bench_quiet(b));
}

/* A reset of an empty block is no rest while the turn is not back at the first port. */
SET_TEST(test_quiet_in_reset_knows_the_turn) {
    enter_port_request(b, 0, REQUEST_READ, L2_CLASS_MISS, 1);
    dram_takes_request(b, 0, 1);
    bypass_in_of(b)->rst = true;
    assert_int_equal(bench_quiet(b), bypass_params_of(b)->PORTS == 1);
    bench_edge(b);
    bypass_in_of(b)->rst = true;
    assert_true(bench_quiet(b));
}

/* After the last port the turn is the first's again. */
SET_TEST(test_quiet_in_reset_after_the_last_port) {
    unsigned last = bypass_params_of(b)->PORTS - 1;
    enter_port_request(b, last, REQUEST_READ, L2_CLASS_MISS, 1);
    dram_takes_request(b, last, 1);
    bypass_in_of(b)->rst = true;
    assert_true(bench_quiet(b));
}
