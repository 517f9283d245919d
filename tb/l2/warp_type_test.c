/* SPDX-License-Identifier: Apache-2.0
 * Table of warp types, one behaviour a test: types, profiling, counters, queues; and main(). */
#include "l2/warp_type_cases.h"

SET_TEST(test_4_1_a_type_is_known_after_the_profile_and_not_before) {
    sweep_counters(b);
    mix_accesses(b, 1, warp_type_params_of(b)->PROFILE - 1, 0); /* the paper: 29 */
    assert_int_equal(type_of_warp(b, 1, 0), UNKNOWN);
    mix_accesses(b, 1, 1, 0); /* the 30th */
    assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_ALL_HIT);
    assert_int_equal(type_of_warp(b, 0, 0), UNKNOWN);
}

SET_TEST(test_an_access_counts_for_lookups_from_the_sixth_cycle_on) {
    sweep_counters(b);
    mix_accesses(b, 1, warp_type_params_of(b)->PROFILE - 1, 0);
    access_at(b, 0, 1, true);
    bench_edge(b);
    for (unsigned cycle = 1; cycle <= LATENCY; cycle++) {
        ask_type(b, 0, 1, 0);
        bench_edge(b);
        assert_int_equal(answer_to_lookup(b, 0), cycle < LATENCY ? UNKNOWN : L2_CLASS_ALL_HIT);
    }
    bench_edge(b);
    assert_int_equal(answer_to_lookup(b, 0), UNKNOWN); /* nothing was asked */
}

/* Of 30: 70 % is 21, 20 % is 6 (figure 4). */
TEST(test_3_1_classes_at_their_boundaries_with_the_papers_numbers) {
    static const struct {
        unsigned hits, l2_class;
    } examples[] = {{0, L2_CLASS_MISS},     {1, L2_CLASS_MISS},      {6, L2_CLASS_MISS},
                    {7, L2_CLASS_BALANCED}, {20, L2_CLASS_BALANCED}, {21, L2_CLASS_HIT},
                    {29, L2_CLASS_HIT},     {30, L2_CLASS_ALL_HIT}};
    unsigned sets = 0;
    FOR_EACH_SET(b) {
        if (warp_type_params_of(b)->PROFILE != 30) {
            continue;
        }
        sets++;
        for (unsigned i = 0; i < sizeof examples / sizeof *examples; i++) {
            renew_table(b);
            mix_accesses(b, 5, examples[i].hits, 30 - examples[i].hits);
            assert_int_equal(type_of_warp(b, 5, 0), examples[i].l2_class);
        }
    }
    assert_sets(sets, 4);
}

/* There is none for the counters, but for the types. Both together are in tb/cli/faults_test.c. */
SET_TEST(test_without_memory_types_keep_nothing) {
    struct warp_type_params params = *warp_type_params_of(b);
    struct warp_type s;
    params.WARPS = 1 << 28;
    rlim_t before = limit_memory(params.WARPS * sizeof *s.entry);
    bool good = warp_type_init(&s, &params);
    limit_memory(before);
    assert_false(good);
    assert_null(s.entry);
    assert_null(s.type);
}

SET_TEST(test_3_1_classes_of_every_hit_ratio) {
    const struct warp_type_params *p = warp_type_params_of(b);
    for (unsigned hits = 0; hits <= p->PROFILE; hits++) {
        renew_table(b);
        mix_accesses(b, p->WARPS - 1, hits, p->PROFILE - hits);
        unsigned expected = hits == p->PROFILE                        ? L2_CLASS_ALL_HIT
                            : 20 * hits >= p->HIT_20THS * p->PROFILE  ? L2_CLASS_HIT
                            : 20 * hits <= p->MISS_20THS * p->PROFILE ? L2_CLASS_MISS
                                                                      : L2_CLASS_BALANCED;
        assert_int_equal(type_of_warp(b, p->WARPS - 1, 0), expected);
    }
}

SET_TEST(test_6_5_both_counters_halve_instead_of_setting_the_top_bit) {
    unsigned top = 1u << (warp_type_params_of(b)->COUNTER_BITS - 1); /* the paper: 512 */
    sweep_counters(b);
    mix_accesses(b, 1, 3, top - 1 - 3);
    assert_int_equal(entry_of(b, 1)->accesses, top - 1);
    assert_int_equal(entry_of(b, 1)->hits, 3);
    mix_accesses(b, 1, 1, 0);
    assert_int_equal(entry_of(b, 1)->accesses, top / 2);
    assert_int_equal(entry_of(b, 1)->hits, 2);
    mix_accesses(b, 1, 0, top / 2);
    assert_int_equal(entry_of(b, 1)->accesses, top / 2);
    assert_int_equal(entry_of(b, 1)->hits, 1);
}

/* 4-bit counters, halved at 8, and mostly-hit from 80 % on: 6 of 8 are 3 of 4; then 4 of 5 are
 * 80 %. Not halved, these would be 7 of 9. */
TEST(test_6_5_halved_counters_forget_old_accesses) {
    unsigned sets = 0;
    FOR_EACH_SET(b) {
        if (!warp_type_params_of(b)->FOLLOW) {
            continue;
        }
        assert_int_equal(warp_type_params_of(b)->COUNTER_BITS, 4);
        assert_int_equal(warp_type_params_of(b)->HIT_20THS, 16);
        sets++;
        sweep_counters(b);
        mix_accesses(b, 1, 0, 2);
        mix_accesses(b, 1, 6, 0);
        assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_BALANCED);
        mix_accesses(b, 1, 1, 0);
        assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_HIT);
    }
    assert_sets(sets, 2);
}

SET_TEST(test_6_5_all_hit_outlives_the_halving_and_one_miss_ends_it) {
    unsigned top = 1u << (warp_type_params_of(b)->COUNTER_BITS - 1);
    sweep_counters(b);
    mix_accesses(b, 1, 3 * top, 0);
    assert_int_equal(entry_of(b, 1)->hits, entry_of(b, 1)->accesses);
    mix_accesses(b, 1, 0, 1);
    mix_accesses(b, 1, 2 * top, 0);
    assert_true(entry_of(b, 1)->hits < entry_of(b, 1)->accesses);
}

SET_TEST(test_4_1_the_type_is_kept_until_the_reset_or_follows) {
    const struct warp_type_params *p = warp_type_params_of(b);
    sweep_counters(b);
    mix_accesses(b, 1, p->PROFILE, 0);
    assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_ALL_HIT);
    mix_accesses(b, 1, 0, 8u << p->COUNTER_BITS); /* the hits shift out */
    assert_int_equal(entry_of(b, 1)->hits, 0);
    assert_int_equal(type_of_warp(b, 1, 0), p->FOLLOW ? L2_CLASS_MISS : L2_CLASS_ALL_HIT);
}

SET_TEST(test_4_1_a_reset_finds_a_phase_change) {
    sweep_counters(b);
    mix_accesses(b, 1, warp_type_params_of(b)->PROFILE, 0);
    assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_ALL_HIT);
    renew_table(b);
    assert_int_equal(type_of_warp(b, 1, 0), UNKNOWN);
    mix_accesses(b, 1, 0, warp_type_params_of(b)->PROFILE - 1);
    assert_int_equal(type_of_warp(b, 1, 0), UNKNOWN);
    mix_accesses(b, 1, 0, 1);
    assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_MISS);
}

SET_TEST(test_nothing_is_known_from_the_cycle_after_a_clear_or_reset) {
    for (unsigned how = 0; how < 2; how++) {
        renew_table(b);
        mix_accesses(b, 1, warp_type_params_of(b)->PROFILE, 0);
        ask_type(b, 0, 1, 0);
        bench_edge(b);
        assert_int_equal(answer_to_lookup(b, 0), L2_CLASS_ALL_HIT); /* in the clear's own cycle */
        ask_type(b, 0, 1, 0);
        warp_type_in_of(b)->clear = how == 0;
        warp_type_in_of(b)->rst = how == 1;
        bench_edge(b);
        for (unsigned cycle = 0; cycle < 2 * warp_type_words(warp_type_params_of(b)); cycle++) {
            assert_int_equal(answer_to_lookup(b, 0), UNKNOWN);
            ask_type(b, 0, 1, 0);
            bench_edge(b);
        }
    }
}

/* One that would complete the profile in each stage, in the queue, and in the clear's cycle. */
SET_TEST(test_a_clear_drops_the_updates_that_are_on_their_way) {
    for (unsigned age = 0; age < LATENCY; age++) {
        renew_table(b);
        mix_accesses(b, 1, warp_type_params_of(b)->PROFILE - 1, 0);
        for (unsigned cycle = 0; cycle <= age; cycle++) {
            if (cycle == 0) {
                access_at(b, 0, 1, true);
            }
            warp_type_in_of(b)->clear = cycle == age;
            bench_edge(b);
        }
        sweep_counters(b);
        settle_updates(b);
        assert_int_equal(entry_of(b, 1)->accesses, 0);
        assert_int_equal(type_of_warp(b, 1, 0), UNKNOWN);
        mix_accesses(b, 1, warp_type_params_of(b)->PROFILE - 1, 0);
        assert_int_equal(type_of_warp(b, 1, 0), UNKNOWN);
    }
}

SET_TEST(test_updates_wait_while_the_counters_are_emptied) {
    const struct warp_type_params *p = warp_type_params_of(b);
    unsigned words = warp_type_words(p), kept = 0;
    renew_table(b);
    warp_type_in_of(b)->clear = true;
    bench_edge(b);
    for (unsigned cycle = 1; cycle <= words + 1; cycle++) {
        access_at(b, 0, 1, true);
        bench_comb(b);
        assert_int_equal(warp_type_out_of(b)->upd_ready & 1, cycle <= p->QUEUE);
        kept += warp_type_out_of(b)->upd_ready & 1;
        bench_edge(b);
    }
    bench_comb(b); /* one was taken in the cycle after the last word, so there is room */
    assert_true((warp_type_out_of(b)->upd_ready & 1) || words + 1 < 3);
    settle_updates(b);
    assert_int_equal(entry_of(b, 1)->accesses, kept); /* the others are lost */
}

SET_TEST(test_ports_may_update_one_warp_in_one_cycle) {
    unsigned ports = warp_type_params_of(b)->UPDATES,
             top = 1u << (warp_type_params_of(b)->COUNTER_BITS - 1);
    assert_true(ports < top);
    sweep_counters(b);
    for (unsigned port = 0; port < ports; port++) {
        access_at(b, port, 1, port % 2 == 0);
    }
    bench_edge(b);
    /* In the queues for two cycles; then one a cycle is taken, read, and counted. */
    bench_idle(b, 1);
    for (unsigned cycle = 0; cycle < ports + 4; cycle++) {
        unsigned counted = cycle < 3 ? 0 : cycle - 2 < ports ? cycle - 2 : ports;
        assert_int_equal(entry_of(b, 1)->accesses, counted);
        assert_int_equal(entry_of(b, 1)->hits, (counted + 1) / 2); /* port 0 first, in turn */
        bench_edge(b);
    }
}

SET_TEST(test_each_lane_takes_an_update_a_cycle) {
    const struct warp_type_params *p = warp_type_params_of(b);
    unsigned lanes = p->LANES < p->UPDATES ? p->LANES : p->UPDATES;
    sweep_counters(b);
    for (unsigned lane = 0; lane < lanes; lane++) {
        access_at(b, lane, lane, true);
    }
    bench_edge(b);
    bench_idle(b, LATENCY - 2);
    for (unsigned lane = 0; lane < lanes; lane++) {
        assert_int_equal(entry_of(b, lane)->accesses, 1);
    }
}

SET_TEST(test_ports_of_one_lane_are_served_in_turn) {
    unsigned ports = warp_type_params_of(b)->UPDATES, taken[WARP_TYPE_PORTS_MAX] = {0};
    const struct warp_type *s = b->pair.state;
    sweep_counters(b);
    for (unsigned cycle = 0; cycle < 40 * ports; cycle++) {
        for (unsigned port = 0; port < ports; port++) {
            access_at(b, port, 0, true);
        }
        unsigned before[WARP_TYPE_PORTS_MAX];
        for (unsigned port = 0; port < ports; port++) {
            before[port] = s->count[port];
        }
        bench_comb(b);
        uint64_t ready = warp_type_out_of(b)->upd_ready;
        bench_edge(b);
        for (unsigned port = 0; port < ports; port++) {
            taken[port] += before[port] + (ready >> port & 1) - s->count[port];
        }
    }
    for (unsigned port = 1; port < ports; port++) {
        assert_in_range(taken[port] + 1, taken[0], taken[0] + 2);
    }
    assert_true(taken[0] > 20);
}

SET_TEST(test_lookups_of_one_warp_are_answered_at_every_port) {
    const struct warp_type_params *p = warp_type_params_of(b);
    sweep_counters(b);
    mix_accesses(b, 1, p->PROFILE, 0);
    for (unsigned port = 0; port < p->LOOKUPS; port++) {
        ask_type(b, port, 1, 0);
    }
    bench_edge(b);
    for (unsigned port = 0; port < p->LOOKUPS; port++) {
        assert_int_equal(answer_to_lookup(b, port), L2_CLASS_ALL_HIT);
    }
}

SET_TEST(test_quiet_when_nothing_is_on_its_way) {
    assert_false(bench_quiet(b)); /* the counters are being emptied */
    sweep_counters(b);
    assert_true(bench_quiet(b));
    access_at(b, 0, 1, true);
    assert_false(bench_quiet(b));
    for (unsigned cycle = 0; cycle <= LATENCY; cycle++) { /* until its type can be written */
        bench_edge(b);
        assert_int_equal(bench_quiet(b), cycle == LATENCY);
    }
    ask_type(b, 0, 1, 0);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b)); /* the answer: nothing known */
    warp_type_in_of(b)->clear = true;
    assert_false(bench_quiet(b));
}
