/* SPDX-License-Identifier: Apache-2.0
 * Bypassing parameter generator, one behaviour a test. Sections in the names of the cases are those
 * of MDB, DAC 2016. */
#include "l1/bpg_cases.h"

/* Intervals of a thousand accesses, eight calculators: the paper's. */
static bool has_paper_size(const struct bench *b) {
    return bpg_params_of(b)->INTERVAL == 1000;
}

static unsigned most_failures(const struct bench *b) {
    return (1u << bpg_params_of(b)->FAIL_BITS) - 1;
}

static void count_failures(struct bench *b, unsigned fails) {
    unsigned most = (1u << bpg_params_of(b)->COUNT_BITS) - 1;
    while (fails) {
        unsigned now = fails < most ? fails : most;
        bpg_in_of(b)->fail_count = (uint16_t)now;
        bench_edge(b);
        fails -= now;
    }
}

/* Accesses that hit nowhere, until @left of the interval are to come. */
static void pass_interval(struct bench *b, unsigned left, unsigned resident) {
    while (bpg_params_of(b)->INTERVAL - bpg_state_of(b)->accesses > left) {
        drive_unwatched(b, 0, resident);
        bench_edge(b);
    }
}

/* The interval's last access. */
static void end_interval(struct bench *b, unsigned resident) {
    pass_interval(b, 1, resident);
    drive_unwatched(b, 0, resident);
    bench_edge(b);
}

/* The interval has just ended. */
static void assert_limit_comes(struct bench *b, unsigned limit) {
    bench_idle(b, BPG_LATENCY(bpg_params_of(b)->CALCULATORS) - 1);
    bench_comb(b);
    assert_true(bpg_out_of(b)->limit_new);
    assert_int_equal(bpg_out_of(b)->limit, limit);
    bench_edge(b);
}

/* An interval with so many hits of each calculator, of its accesses alone, and so many failures. */
static void run_interval(struct bench *b, const unsigned *hits, unsigned fails, unsigned resident) {
    static const unsigned none[BPG_CALCULATORS_MAX];
    uint64_t first_tag = b->cycle; /* no other interval has these */
    unsigned before = 0;
    hits = hits ? hits : none;
    count_failures(b, fails);
    for (unsigned i = 0; i < bpg_params_of(b)->CALCULATORS; i++) {
        for (unsigned access = 0; hits[i] > before && access <= hits[i] - before; access++) {
            drive_watched(b, i, first_tag + i, resident);
            bench_edge(b);
        }
        before = hits[i];
    }
    end_interval(b, resident);
}

static void restart_block(struct bench *b) {
    bpg_in_of(b)->rst = true;
    bench_edge(b);
}

/* N = 8, E = 1/2: adjusted hits 9.6, 36.9, 49.5, 39, 15.2, -20.4, -70, -136 where hits are taken as
 * counted; with eight of them for each, 79.6, 316.9, 469.5, 487, 463.2, ... */
SET_TEST(test_5_3_the_limit_has_the_most_adjusted_hits) {
    static const unsigned hits[] = {10, 40, 60, 64, 64, 64, 64, 64};
    if (has_paper_size(b)) {
        run_interval(b, hits, 400, 8);
        assert_limit_comes(b, bpg_params_of(b)->HITS_SHIFT ? 4 : 3);
    }
}

SET_TEST(test_6_nobody_bypasses_at_first) {
    bench_comb(b);
    assert_int_equal(bpg_out_of(b)->limit, bpg_params_of(b)->CALCULATORS);
    assert_false(bpg_out_of(b)->limit_new);
    bench_edge(b);
}

SET_TEST(test_6_without_hits_and_failures_nobody_bypasses) {
    unsigned all = bpg_params_of(b)->CALCULATORS;
    run_interval(b, NULL, 0, all);
    assert_limit_comes(b, all);
}

SET_TEST(test_6_without_hits_failures_leave_the_cache_to_one) {
    run_interval(b, NULL, most_failures(b), bpg_params_of(b)->CALCULATORS);
    assert_limit_comes(b, 1);
}

SET_TEST(test_6_hits_alone_leave_the_cache_to_all_that_have_as_many) {
    static const unsigned rising[] = {1, 2, 3, 4, 5, 6, 7, 8}, ties[] = {5, 5, 5, 5, 5, 5, 5, 5};
    unsigned all = bpg_params_of(b)->CALCULATORS;
    run_interval(b, rising, 0, all);
    assert_limit_comes(b, all);
    restart_block(b);
    run_interval(b, ties, 0, all);
    assert_limit_comes(b, all);
}

/* "the hit counters and the reservation failure counter are right shifted by one bit every time a
 * new bypassing parameter is created" */
SET_TEST(test_6_counters_are_halved_after_an_interval) {
    static const unsigned hits[] = {10, 40, 60, 64, 64, 64, 64, 64};
    static const unsigned halves[] = {5, 20, 30, 32, 32, 32, 32, 32};
    if (!has_paper_size(b)) {
        return;
    }
    run_interval(b, hits, 400, 8);
    bench_idle(b, SHADOW_TAGS_LATENCY);
    assert_int_equal(bpg_state_of(b)->fails, 200);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(bpg_state_of(b)->hits[i], halves[i]);
    }
    bench_idle(b, 40);
    run_interval(b, NULL, 0, 8); /* half of all: the same limit */
    assert_limit_comes(b, bpg_params_of(b)->HITS_SHIFT ? 4 : 3);
}

/* One 10-bit counter of hits each, one of 12 bits of reservation failures. */
SET_TEST(test_6_counters_stay_at_their_most) {
    unsigned most = most_failures(b), hits_most = (1u << bpg_params_of(b)->HIT_BITS) - 1;
    count_failures(b, most - 1);
    count_failures(b, 1);
    count_failures(b, 1);
    assert_int_equal(bpg_state_of(b)->fails, most);
    count_failures(b, 5000 - most % 5000);
    assert_int_equal(bpg_state_of(b)->fails, most);
    end_interval(b, bpg_params_of(b)->CALCULATORS);
    assert_int_equal(bpg_state_of(b)->base_fails, most);
    assert_int_equal(bpg_state_of(b)->fails, most >> 1);
    if (2 * bpg_params_of(b)->INTERVAL - 2 > hits_most) {
        for (unsigned i = 0; i < 3 * bpg_params_of(b)->INTERVAL - 1; i++) {
            drive_watched(b, 0, 1, 1);
            bench_edge(b);
        }
        assert_int_equal(bpg_state_of(b)->hits[0], hits_most);
    }
}

/* A lookup table of (L/N)^3. */
TEST(test_6_weights_are_512ths_of_a_cube_rounded_to_the_nearest) {
    static const unsigned of_8[] = {1, 8, 27, 64, 125, 216, 343, 512};
    static const unsigned of_6[] = {2, 19, 64, 152, 296, 512};
    for (unsigned l = 1; l <= 8; l++) {
        assert_int_equal(bpg_weight(l, 8), of_8[l - 1]);
        assert_int_equal(bpg_weight(l, 1), 512 * l * l * l);
    }
    for (unsigned l = 1; l <= 6; l++) {
        assert_int_equal(bpg_weight(l, 6), of_6[l - 1]);
    }
}

/* The difference that one hit makes between two calculators shows each weight: failures for which
 * the larger L is just better, and one more, for which it is not. */
SET_TEST(test_6_each_weight_decides_between_its_neighbours) {
    const struct bpg_params *p = bpg_params_of(b);
    if (p->CALCULATORS != 8 || p->RESCALE) {
        return;
    }
    for (unsigned among = 2; among <= 8; among++) {
        for (unsigned l = 1; l < among; l++) {
            unsigned step = (bpg_weight(l + 1, among) - bpg_weight(l, among)) * p->E_64THS;
            unsigned hit = 1u << (p->HITS_SHIFT + 15), gain = 1;
            unsigned most = gain * hit / step;
            for (unsigned more = 0; more < 2 && most < most_failures(b); more++) {
                /* Up to l there are so many hits that none of them is better than it. */
                unsigned hits[8];
                for (unsigned i = 0; i < 8; i++) {
                    hits[i] = i + 1 < l ? 0 : i + 1 > l ? 200 + gain : 200;
                }
                restart_block(b);
                run_interval(b, hits, most + more, among);
                unsigned limit = more ? l : l + 1;
                assert_limit_comes(b, limit >= among ? 8 : limit);
            }
        }
    }
}

SET_TEST(test_6_a_limit_of_all_that_are_resident_means_that_nobody_bypasses) {
    unsigned all = bpg_params_of(b)->CALCULATORS;
    run_interval(b, NULL, most_failures(b), 1);
    assert_limit_comes(b, all); /* 1 of 1 */
    restart_block(b);
    run_interval(b, NULL, most_failures(b), 0);
    assert_limit_comes(b, all); /* at least this access's is resident */
}

SET_TEST(test_the_first_access_of_an_interval_tells_the_resident) {
    unsigned all = bpg_params_of(b)->CALCULATORS;
    count_failures(b, most_failures(b));
    drive_unwatched(b, 0, all);
    bench_edge(b);
    end_interval(b, 1);
    assert_limit_comes(b, 1);
    bpg_in_of(b)->resident = (uint8_t)all; /* without an access */
    bench_edge(b);
    drive_unwatched(b, 0, 1);
    bench_edge(b);
    end_interval(b, all);
    assert_limit_comes(b, all);
}

/* With RESCALE: failures at a limit of 1 stand for 8^3 times as many without bypassing. */
SET_TEST(test_failures_are_scaled_to_the_limit_in_force) {
    const struct bpg_params *p = bpg_params_of(b);
    unsigned all = p->CALCULATORS, hits[BPG_CALCULATORS_MAX] = {0};
    if (p->INTERVAL != 24 || all != 8) {
        return;
    }
    run_interval(b, NULL, most_failures(b), all);
    assert_limit_comes(b, 1);
    hits[all - 1] = 20;
    run_interval(b, hits, 0, all); /* 160 hits against 127 / 2 * 45 / 64 failures, unless scaled */
    assert_limit_comes(b, p->RESCALE ? 1 : 8);
}

SET_TEST(test_a_limit_stands_in_its_cycle_and_is_new_for_one) {
    unsigned all = bpg_params_of(b)->CALCULATORS, latency = BPG_LATENCY(all);
    count_failures(b, most_failures(b));
    end_interval(b, all);
    for (unsigned cycle = 1; cycle < 2 * latency; cycle++) {
        bench_comb(b);
        assert_int_equal(bpg_out_of(b)->limit, cycle < latency ? all : 1);
        assert_int_equal(bpg_out_of(b)->limit_new, cycle == latency);
        bench_edge(b);
    }
}

SET_TEST(test_first_is_told_between_intervals) {
    for (unsigned i = 0; i <= 2 * bpg_params_of(b)->INTERVAL; i++) {
        bench_comb(b);
        assert_int_equal(bpg_out_of(b)->first, i % bpg_params_of(b)->INTERVAL == 0);
        bench_edge(b);
        drive_unwatched(b, 0, 1);
        bench_edge(b);
    }
}

SET_TEST(test_failures_count_before_the_access_that_ends_their_interval) {
    pass_interval(b, 1, 2);
    drive_unwatched(b, 1, 2);
    bench_edge(b);
    assert_int_equal(bpg_state_of(b)->base_fails, 1);
    bpg_in_of(b)->fail_count = 1;
    bench_edge(b);
    assert_int_equal(bpg_state_of(b)->fails, 1);
}

/* The last two accesses of an interval and the first of the next are of one line: a hit each. */
SET_TEST(test_a_hit_belongs_to_the_interval_of_its_access) {
    unsigned last = bpg_params_of(b)->CALCULATORS - 1;
    pass_interval(b, 3, 1);
    for (unsigned i = 0; i < 4; i++) {
        drive_watched(b, 0, 1, 1);
        bench_edge(b);
    }
    bench_idle(b, SHADOW_TAGS_LATENCY - 1);
    assert_int_equal(bpg_state_of(b)->hits[last], 1); /* two, halved */
    bench_edge(b);
    assert_int_equal(bpg_state_of(b)->hits[last], 2);
}

SET_TEST(test_6_sets_that_are_0_modulo_8_are_sampled) {
    const struct bpg_params *p = bpg_params_of(b);
    for (unsigned set = 0; set < 1u << p->SET_BITS; set++) {
        for (unsigned i = 0; i < 2; i++) {
            drive_watched(b, 0, 1, 1);
            bpg_in_of(b)->acc_set = (uint16_t)set;
            bench_edge(b);
        }
        bench_idle(b, SHADOW_TAGS_LATENCY);
        assert_int_equal(bpg_state_of(b)->hits[0], set % 8 == 0);
        restart_block(b);
    }
}

SET_TEST(test_6_calculator_i_counts_hits_of_warps_0_to_i) {
    unsigned all = bpg_params_of(b)->CALCULATORS;
    for (unsigned number = 0; number <= all; number++) {
        for (unsigned i = 0; i < 2; i++) {
            drive_watched(b, number, 1, 1);
            bench_edge(b);
        }
        bench_idle(b, SHADOW_TAGS_LATENCY);
        for (unsigned i = 0; i < all; i++) {
            assert_int_equal(bpg_state_of(b)->hits[i], i >= number);
        }
        restart_block(b);
    }
}

SET_TEST(test_bits_of_the_line_above_its_set_are_the_tag) {
    const struct bpg_params *p = bpg_params_of(b);
    unsigned hits = 0;
    for (unsigned bit = 0; bit < p->LINE_BITS; bit++) {
        bool is_tag = bit >= p->SET_BITS && bit < p->SET_BITS + p->TAG_BITS;
        for (unsigned i = 0; i < 2; i++) {
            drive_watched(b, 0, 0, 1);
            bpg_in_of(b)->acc_line = i ? UINT64_C(1) << bit : 0;
            bench_edge(b);
        }
        bench_idle(b, SHADOW_TAGS_LATENCY);
        hits = bpg_state_of(b)->hits[0];
        assert_int_equal(hits, !is_tag);
        restart_block(b);
    }
}

SET_TEST(test_clear_begins_anew_in_each_phase_and_is_told) {
    unsigned all = bpg_params_of(b)->CALCULATORS, latency = BPG_LATENCY(all);
    for (unsigned phase = 0; phase <= latency + 1; phase++) {
        run_interval(b, NULL, most_failures(b), all);
        bench_idle(b, 40); /* the limit is 1 */
        pass_interval(b, 1, all);
        for (unsigned cycle = 0; cycle <= phase; cycle++) {
            drive_unwatched(b, 1, all);
            bpg_in_of(b)->clear = cycle == phase;
            bench_edge(b);
        }
        for (unsigned cycle = 1; cycle < 2 * latency; cycle++) {
            bench_comb(b);
            assert_int_equal(bpg_out_of(b)->limit, all);
            assert_int_equal(bpg_out_of(b)->limit_new, cycle == 1);
            assert_true(bpg_out_of(b)->first);
            bench_edge(b);
        }
        assert_int_equal(bpg_state_of(b)->fails, 0);
    }
}

SET_TEST(test_clear_forgets_lines_and_hits) {
    for (unsigned i = 0; i < 3; i++) {
        drive_watched(b, 0, 1, 1);
        bench_edge(b);
    }
    bench_idle(b, 1); /* the second hit is on its way */
    bpg_in_of(b)->clear = true;
    bench_edge(b);
    drive_watched(b, 0, 1, 1);
    bench_edge(b);
    bench_idle(b, SHADOW_TAGS_LATENCY);
    assert_int_equal(bpg_state_of(b)->hits[0], 0);
}

SET_TEST(test_a_reset_comes_before_a_clear_and_is_not_told) {
    bpg_in_of(b)->rst = bpg_in_of(b)->clear = true;
    bench_edge(b);
    bench_comb(b);
    assert_false(bpg_out_of(b)->limit_new);
    bench_edge(b);
}

SET_TEST(test_quiet_when_nothing_is_counted_or_on_its_way) {
    unsigned all = bpg_params_of(b)->CALCULATORS;
    assert_true(bench_quiet(b));
    bpg_in_of(b)->resident = (uint8_t)all;
    assert_true(bench_quiet(b));
    bpg_in_of(b)->fail_count = 1;
    assert_false(bench_quiet(b));
    bpg_in_of(b)->fail_count = 0;
    bpg_in_of(b)->clear = true;
    assert_false(bench_quiet(b));
    bpg_in_of(b)->clear = false;
    bpg_in_of(b)->rst = true;
    assert_false(bench_quiet(b));
    bpg_in_of(b)->rst = false;
    count_failures(b, most_failures(b));
    bpg_in_of(b)->fail_count = 1;
    assert_true(bench_quiet(b)); /* they stay at their most */
    end_interval(b, all);
    for (unsigned cycle = 1; cycle <= BPG_LATENCY(all); cycle++) {
        assert_false(bench_quiet(b));
        bench_edge(b);
    }
    assert_true(bench_quiet(b));
    drive_watched(b, 0, 1, 1);
    assert_false(bench_quiet(b));
    bench_edge(b);
    for (unsigned cycle = 0; cycle < SHADOW_TAGS_LATENCY; cycle++) {
        assert_false(bench_quiet(b));
        bench_edge(b);
    }
    assert_true(bench_quiet(b));
}
