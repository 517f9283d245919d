/* SPDX-License-Identifier: Apache-2.0
 * Bank arbiter, one behaviour a test, and main(). */
#include "l2/bank_arbiter_cases.h"

static const struct bank_arbiter_params *bank_arbiter_params_of(const struct bench *b) {
    return (const struct bank_arbiter_params *)b->pair.ports.params;
}

static struct bank_arbiter_in *bank_arbiter_in_of(struct bench *b) {
    return b->pair.in;
}

static const struct bank_arbiter_out *bank_arbiter_out_of(const struct bench *b) {
    return b->pair.c_out;
}

static uint64_t header_of_port(unsigned port) {
    return 0x51 + port;
}

static void ask_bank(struct bench *b, unsigned port, unsigned bank) {
    struct bank_arbiter_in *in = bank_arbiter_in_of(b);
    in->req_valid |= (uint8_t)(1u << port);
    in->req_bank[port] = (uint8_t)bank;
    in->req_data[port] = header_of_port(port);
}

static void ask_bank_at_ports(struct bench *b, unsigned ports, unsigned bank) {
    for (unsigned port = 0; port < BANK_ARBITER_PORTS_MAX; port++) {
        if (ports >> port & 1) {
            ask_bank(b, port, bank);
        }
    }
}

static void ask_all(struct bench *b, unsigned bank) {
    ask_bank_at_ports(b, (1u << bank_arbiter_params_of(b)->PORTS) - 1, bank);
}

static void all_have_room(struct bench *b) {
    bank_arbiter_in_of(b)->room = (uint16_t)((1u << bank_arbiter_params_of(b)->BANKS) - 1);
}

/* The port whose request this bank gets; it gets one. */
static unsigned winner_of_bank(const struct bench *b, unsigned bank) {
    const struct bank_arbiter_out *out = bank_arbiter_out_of(b);
    unsigned port = out->bank_port[bank];
    assert_true(out->bank_valid >> bank & 1);
    assert_true(out->req_ready >> port & 1);
    assert_int_equal(out->bank_data[bank],
                     header_of_port(port) &
                         ~UINT64_C(0) >> (64 - bank_arbiter_params_of(b)->DATA_BITS));
    return port;
}

/* The winner of bank 0 in this cycle, among some ports, with room; the cycle ends. */
static unsigned serve_bank_0(struct bench *b, unsigned ports, unsigned turn) {
    ask_bank_at_ports(b, ports, 0);
    all_have_room(b);
    bank_arbiter_in_of(b)->turn = (uint8_t)turn;
    bench_comb(b);
    unsigned port = winner_of_bank(b, 0);
    assert_int_equal(bank_arbiter_out_of(b)->req_ready, 1u << port); /* the others remain */
    bench_edge(b);
    return port;
}

SET_TEST(test_5_a_request_goes_to_the_queue_of_its_bank) {
    const struct bank_arbiter_params *p = bank_arbiter_params_of(b);
    for (unsigned port = 0; port < p->PORTS; port++) {
        for (unsigned bank = 0; bank < p->BANKS; bank++) {
            ask_bank(b, port, bank);
            all_have_room(b);
            bench_comb(b);
            assert_int_equal(winner_of_bank(b, bank), port);
            assert_int_equal(bank_arbiter_out_of(b)->bank_valid, 1u << bank);
            assert_int_equal(bank_arbiter_out_of(b)->req_ready, 1u << port);
            bench_edge(b);
        }
    }
}

SET_TEST(test_5_nothing_is_given_where_nobody_asks) {
    all_have_room(b);
    bench_comb(b);
    assert_int_equal(bank_arbiter_out_of(b)->bank_valid | bank_arbiter_out_of(b)->req_ready, 0);
    bench_edge(b);
}

/* Each cycle, as ports for different banks never wait for each other. */
SET_TEST(test_5_each_port_and_each_bank_moves_one_request_a_cycle) {
    const struct bank_arbiter_params *p = bank_arbiter_params_of(b);
    unsigned together = p->PORTS < p->BANKS ? p->PORTS : p->BANKS;
    for (unsigned cycle = 0; cycle < 3 * p->BANKS; cycle++) {
        for (unsigned port = 0; port < together; port++) {
            ask_bank(b, port, (port + cycle) % p->BANKS);
        }
        all_have_room(b);
        bench_comb(b);
        assert_int_equal(bank_arbiter_out_of(b)->req_ready, (1u << together) - 1);
        for (unsigned port = 0; port < together; port++) {
            assert_int_equal(winner_of_bank(b, (port + cycle) % p->BANKS), port);
        }
        bench_edge(b);
    }
}

SET_TEST(test_5_a_full_bank_queue_holds_its_port_alone) {
    const struct bank_arbiter_params *p = bank_arbiter_params_of(b);
    if (p->PORTS < 2 || p->BANKS < 2) {
        return;
    }
    for (unsigned cycle = 0; cycle < 5; cycle++) {
        ask_bank(b, 0, 0);
        ask_bank(b, 1, 1);
        bank_arbiter_in_of(b)->room = 2;
        bench_comb(b);
        assert_int_equal(bank_arbiter_out_of(b)->bank_valid, 2);
        assert_int_equal(bank_arbiter_out_of(b)->req_ready, 2);
        bench_edge(b);
    }
    ask_bank(b, 0, 0); /* "until the queue is freed up" */
    bank_arbiter_in_of(b)->room = 1;
    bench_comb(b);
    assert_int_equal(winner_of_bank(b, 0), 0);
    bench_edge(b);
}

SET_TEST(test_5_the_first_port_rotates) {
    const struct bank_arbiter_params *p = bank_arbiter_params_of(b);
    unsigned all = (1u << p->PORTS) - 1;
    for (unsigned turn = 0; turn < p->PORTS; turn++) {
        bank_arbiter_in_of(b)->rst = true;
        bench_edge(b);
        assert_int_equal(serve_bank_0(b, all, turn), turn);
    }
    for (unsigned absent = 0; absent < p->PORTS && p->PORTS > 1; absent++) {
        bank_arbiter_in_of(b)->rst = true;
        bench_edge(b);
        assert_int_equal(serve_bank_0(b, all & ~(1u << absent), absent), (absent + 1) % p->PORTS);
    }
}

/* "In order to prevent a bias towards any one port": whatever the beat between the rotation and the
 * cycles in which the bank has room. */
SET_TEST(test_5_ports_share_a_bank_evenly_whatever_its_interval) {
    const struct bank_arbiter_params *p = bank_arbiter_params_of(b);
    for (unsigned interval = 1; interval <= 12; interval++) {
        unsigned served[BANK_ARBITER_PORTS_MAX] = {0};
        bank_arbiter_in_of(b)->rst = true;
        bench_edge(b);
        for (unsigned cycle = 0; cycle < 5 * p->PORTS * interval; cycle++) {
            ask_all(b, 0);
            bank_arbiter_in_of(b)->turn = (uint8_t)(cycle % p->PORTS);
            bank_arbiter_in_of(b)->room = cycle % interval == 0;
            bench_comb(b);
            if (bank_arbiter_in_of(b)->room) {
                served[winner_of_bank(b, 0)]++;
            }
            bench_edge(b);
        }
        for (unsigned port = 0; port < p->PORTS; port++) {
            assert_int_equal(served[port], 5);
        }
    }
}

SET_TEST(test_who_was_passed_over_comes_first) {
    if (bank_arbiter_params_of(b)->PORTS < 2) {
        return;
    }
    for (unsigned passed = 0; passed < 2; passed++) {
        unsigned other = 1 - passed;
        bank_arbiter_in_of(b)->rst = true;
        bench_edge(b);
        assert_int_equal(serve_bank_0(b, 3, other), other);
        bench_idle(b, 3); /* a debt lasts */
        ask_all(b, 0);    /* and a bank without room does not pay it */
        bench_edge(b);
        assert_int_equal(serve_bank_0(b, 3, other), passed);
        assert_int_equal(serve_bank_0(b, 3, other), other);
    }
}

SET_TEST(test_what_one_bank_owes_counts_at_no_other) {
    const struct bank_arbiter_params *p = bank_arbiter_params_of(b);
    if (p->PORTS < 2 || p->BANKS < 2) {
        return;
    }
    assert_int_equal(serve_bank_0(b, 3, 0), 0);
    for (unsigned bank = p->BANKS - 1; bank + 1 > 0; bank--) {
        ask_bank(b, 0, bank);
        ask_bank(b, 1, bank);
        all_have_room(b);
        bench_comb(b);
        assert_int_equal(winner_of_bank(b, bank), bank == 0 ? 1 : 0);
        bench_edge(b);
    }
}

SET_TEST(test_a_debt_ends_when_its_port_does_not_ask_for_what_is_given) {
    if (bank_arbiter_params_of(b)->PORTS < 2) {
        return;
    }
    assert_int_equal(serve_bank_0(b, 3, 0), 0);
    assert_int_equal(serve_bank_0(b, 1, 0), 0); /* port 1 does not ask */
    assert_int_equal(serve_bank_0(b, 3, 0), 0);
    assert_int_equal(serve_bank_0(b, 3, 0), 1);
}

/* Of three: who comes new waits for both that are owed. */
SET_TEST(test_the_debts_of_a_round_are_paid_before_a_new_one_begins) {
    if (bank_arbiter_params_of(b)->PORTS < 3) {
        return;
    }
    assert_int_equal(serve_bank_0(b, 7, 1), 1); /* owed: 0 and 2 */
    assert_int_equal(serve_bank_0(b, 7, 1), 2); /* owed: 0 */
    assert_int_equal(serve_bank_0(b, 7, 1), 0);
    assert_int_equal(serve_bank_0(b, 5, 1), 2); /* a new round: owed: 0 */
    assert_int_equal(serve_bank_0(b, 3, 1), 0);
    assert_int_equal(serve_bank_0(b, 6, 1), 1);
}

/* The worst that can happen: just served, then all others that are owed, then all others again. */
SET_TEST(test_a_port_is_passed_over_at_most_twice_by_each_other) {
    unsigned ports = bank_arbiter_params_of(b)->PORTS, all = (1u << ports) - 1;
    for (unsigned one = 0; one < ports; one++) {
        unsigned after = (one + 1) % ports;
        bank_arbiter_in_of(b)->rst = true;
        bench_edge(b);
        assert_int_equal(serve_bank_0(b, all, one), one);
        for (unsigned i = 0; i < 2 * (ports - 1); i++) {
            assert_int_equal(serve_bank_0(b, all, after), (after + i % (ports - 1)) % ports);
        }
        assert_int_equal(serve_bank_0(b, all, after), one);
    }
}

SET_TEST(test_reset_forgets_debts) {
    if (bank_arbiter_params_of(b)->PORTS < 2) {
        return;
    }
    assert_int_equal(serve_bank_0(b, 3, 0), 0);
    bank_arbiter_in_of(b)->rst = true;
    assert_int_equal(serve_bank_0(b, 3, 0), 1); /* shown; but nobody is to use it */
    assert_int_equal(serve_bank_0(b, 3, 0), 0);
    bank_arbiter_in_of(b)->rst = true;
    bench_edge(b);
    assert_int_equal(serve_bank_0(b, 3, 0), 0);
}

SET_TEST(test_quiet_unless_a_choice_changes_what_is_owed) {
    bool one_port = bank_arbiter_params_of(b)->PORTS == 1;
    assert_true(bench_quiet(b));
    ask_bank(b, 0, 0);
    all_have_room(b);
    assert_true(bench_quiet(b)); /* alone, as long as it likes */
    ask_all(b, 0);
    assert_int_equal(bench_quiet(b), one_port);
    bank_arbiter_in_of(b)->room = 0;
    assert_true(bench_quiet(b)); /* held */
    all_have_room(b);
    bench_edge(b);
    assert_true(bench_quiet(b)); /* owed, and not asked */
    ask_bank(b, 0, 0);
    all_have_room(b);
    assert_int_equal(bench_quiet(b), one_port); /* the debt ends */
    bank_arbiter_in_of(b)->req_valid = 0;
    bank_arbiter_in_of(b)->rst = true;
    assert_int_equal(bench_quiet(b), one_port);
    bench_edge(b);
    bank_arbiter_in_of(b)->rst = true;
    assert_true(bench_quiet(b));
    if (one_port || bank_arbiter_params_of(b)->BANKS == 1) {
        return;
    }
    bench_edge(b);
    for (unsigned crossed = 0; crossed < 2; crossed++) {
        ask_bank(b, 0, crossed);
        ask_bank(b, 1, !crossed);
        all_have_room(b);
        assert_true(bench_quiet(b)); /* each alone at its bank */
    }
}
