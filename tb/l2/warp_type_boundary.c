/* SPDX-License-Identifier: Apache-2.0
 * Table of warp types, one behaviour a test: the boundary that moves (4.2, footnote 3), and
 * generations. */
#include "l2/warp_type_cases.h"

enum { MOVE = 5 }; /* cycles from the last request of a window to the boundary that it makes */
enum { KEPT = 2, FOLLOWS }; /* MOVES with a boundary that outlives the clear */

static unsigned size_of_window(const struct bench *b) {
    return 1u << warp_type_params_of(b)->WINDOW;
}

/* Requests, one a cycle, that are hits, or not. */
static void send_requests(struct bench *b, unsigned count, bool hit) {
    while (count--) {
        access_at(b, 0, 0, hit);
        bench_edge(b);
    }
}

/* A window with so many misses. */
static void send_window(struct bench *b, unsigned misses) {
    send_requests(b, misses, false);
    send_requests(b, size_of_window(b) - misses, true);
}

/* A window with so many misses, to which later ones are compared. */
static void send_reference(struct bench *b, unsigned misses) {
    const struct warp_type_params *p = warp_type_params_of(b);
    send_window(b, misses);
    if (p->MOVES == FOLLOWS) { /* it is a period's */
        bench_idle(b, MOVE);
        warp_type_in_of(b)->clear = true;
        bench_edge(b);
        bench_idle(b, warp_type_mean_cycles(p) + warp_type_words(p));
    }
}

/* Misses of a window, rounded up, that are so many 20ths of it. */
static unsigned part_of_window(const struct bench *b, unsigned twentieths) {
    return (size_of_window(b) * twentieths + 19) / 20;
}

/* A boundary lowered by so many 20ths. */
static unsigned lowered_boundary(const struct bench *b, unsigned steps) {
    const struct warp_type_params *p = warp_type_params_of(b);
    return !p->MOVES ? p->MISS_20THS : p->MISS_20THS > steps ? p->MISS_20THS - steps : 0;
}

static void assert_boundary(struct bench *b, unsigned boundary) {
    bench_idle(b, MOVE - 1);
    bench_comb(b);
    assert_int_equal(warp_type_out_of(b)->boundary, boundary);
}

/* Not in windows of 16, where a miss is more than 5 points. */
TEST(test_4_2_the_boundary_falls_5_points_for_every_5_points_of_misses) {
    unsigned sets = 0;
    FOR_EACH_SET(b) {
        if (warp_type_params_of(b)->WINDOW < 5) {
            continue;
        }
        sets++;
        send_reference(b, part_of_window(b, 2)); /* 10 % */
        assert_boundary(b, lowered_boundary(b, 0));
        for (unsigned steps = 1; steps <= 17; steps++) {
            send_window(b, part_of_window(b, 2) + part_of_window(b, steps) - 1);
            assert_boundary(b, lowered_boundary(b, steps - 1));
            send_window(b, part_of_window(b, 2) + part_of_window(b, steps));
            assert_boundary(b, lowered_boundary(b, steps));
        }
    }
    assert_sets(sets, 5);
}

SET_TEST(test_4_2_the_boundary_falls_to_nothing_and_rises_again) {
    send_reference(b, 0);
    send_window(b, size_of_window(b));
    assert_boundary(b, lowered_boundary(b, 20));
    send_window(b, part_of_window(b, 1));
    assert_boundary(
        b, lowered_boundary(b, 20 * part_of_window(b, 1) >> warp_type_params_of(b)->WINDOW));
    send_window(b, 0);
    assert_boundary(b, lowered_boundary(b, 0));
}

SET_TEST(test_4_2_the_miss_rate_is_compared_with_the_lowest_since_the_reset) {
    if (warp_type_params_of(b)->MOVES == FOLLOWS) {
        return;
    }
    send_window(b, part_of_window(b, 10));
    assert_boundary(b, lowered_boundary(b, 0));
    send_window(b, part_of_window(b, 5)); /* the lowest */
    assert_boundary(b, lowered_boundary(b, 0));
    send_window(b, part_of_window(b, 10));
    unsigned rise = part_of_window(b, 10) - part_of_window(b, 5);
    assert_boundary(b, lowered_boundary(b, 20 * rise >> warp_type_params_of(b)->WINDOW));
    send_window(b, part_of_window(b, 6));
    rise = part_of_window(b, 6) - part_of_window(b, 5);
    assert_boundary(b, lowered_boundary(b, 20 * rise >> warp_type_params_of(b)->WINDOW));
}

SET_TEST(test_the_boundary_moves_in_the_fifth_cycle_after_its_window) {
    send_reference(b, 0);
    send_window(b, size_of_window(b));
    for (unsigned cycle = 1; cycle <= MOVE; cycle++) {
        bench_comb(b);
        assert_int_equal(warp_type_out_of(b)->boundary, lowered_boundary(b, cycle < MOVE ? 0 : 20));
        bench_edge(b);
    }
}

SET_TEST(test_4_2_bypasses_count_as_misses) {
    unsigned half = size_of_window(b) / 2;
    send_reference(b, 0);
    for (unsigned i = 0; i < half; i++) { /* a hit and a bypass in each cycle */
        warp_type_in_of(b)->bypassed = UINT64_C(1) << (warp_type_params_of(b)->LOOKUPS - 1);
        access_at(b, warp_type_params_of(b)->UPDATES - 1, 0, true);
        bench_edge(b);
    }
    assert_boundary(b, lowered_boundary(b, 10));
}

SET_TEST(test_accesses_that_are_lost_count_for_the_boundary) {
    const struct warp_type_params *p = warp_type_params_of(b);
    unsigned lost = 0, cycles = 2 * size_of_window(b) / p->UPDATES + 1;
    send_reference(b, 0);
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        for (unsigned port = 0; port < p->UPDATES; port++) {
            access_at(b, port, 0, cycle < cycles / 2);
        }
        bench_comb(b);
        lost += (unsigned)__builtin_popcountll(warp_type_in_of(b)->upd_valid &
                                               ~warp_type_out_of(b)->upd_ready);
        bench_edge(b);
    }
    assert_true(lost > 0);
    assert_boundary(b, lowered_boundary(b, 20));
}

/* A window is ended by as many requests in one cycle as there are ports. */
SET_TEST(test_requests_beyond_a_window_count_for_the_next) {
    unsigned ports = warp_type_params_of(b)->UPDATES;
    send_reference(b, 0);
    send_requests(b, size_of_window(b) - 1, true);
    for (unsigned port = 0; port < ports; port++) {
        access_at(b, port, 0, true);
    }
    bench_edge(b);
    send_requests(b, size_of_window(b) - ports, false); /* one too few */
    assert_boundary(b, lowered_boundary(b, 0));
    send_requests(b, 1, false);
    unsigned misses = size_of_window(b) - ports + 1;
    assert_boundary(b, lowered_boundary(b, 20 * misses >> warp_type_params_of(b)->WINDOW));
}

/* A clear in a cycle with no requests. */
static void clear_alone(struct bench *b) {
    warp_type_in_of(b)->clear = true;
    bench_edge(b);
}

static unsigned boundary_now(struct bench *b) {
    bench_comb(b);
    return warp_type_out_of(b)->boundary;
}

SET_TEST(test_a_clear_puts_the_boundary_back_and_forgets_the_windows) {
    if (warp_type_params_of(b)->MOVES >= KEPT) {
        return;
    }
    send_window(b, 0);
    send_window(b, size_of_window(b));
    assert_boundary(b, lowered_boundary(b, 20));
    send_requests(b, size_of_window(b) - 1, true);
    access_at(b, 0, 0, true); /* is dropped */
    clear_alone(b);
    assert_int_equal(boundary_now(b), warp_type_params_of(b)->MISS_20THS);
    send_window(b, size_of_window(b)); /* the first one, and so the lowest */
    assert_boundary(b, lowered_boundary(b, 0));
    send_window(b, 0);
    send_window(b, size_of_window(b));
    assert_boundary(b, lowered_boundary(b, 20));
}

SET_TEST(test_a_reset_puts_the_boundary_back_and_forgets_the_windows) {
    send_reference(b, 0);
    send_window(b, size_of_window(b));
    assert_boundary(b, lowered_boundary(b, 20));
    send_requests(b, size_of_window(b) - 1, true);
    access_at(b, 0, 0, true); /* is dropped */
    warp_type_in_of(b)->rst = true;
    warp_type_in_of(b)->clear = boundary_now(b) % 2; /* makes no difference */
    bench_edge(b);
    assert_int_equal(boundary_now(b), warp_type_params_of(b)->MISS_20THS);
    send_window(b, size_of_window(b)); /* the first one, and so the lowest */
    assert_boundary(b, lowered_boundary(b, 0));
}

/* 10 %, 15 % and 20 % of misses in three periods: what the two readings differ in. */
TEST(test_fn_2_3_kept_the_boundary_falls_with_a_rise_over_periods) {
    unsigned kept = 0, anew = 0;
    FOR_EACH_SET(b) {
        if (warp_type_params_of(b)->WINDOW < 5 || warp_type_params_of(b)->MOVES == FOLLOWS) {
            continue;
        }
        bool keeps = warp_type_params_of(b)->MOVES == KEPT;
        kept += keeps;
        anew += !keeps;
        for (unsigned period = 0; period < 3; period++) {
            send_window(b, part_of_window(b, 2) + part_of_window(b, period));
            assert_boundary(b, keeps ? lowered_boundary(b, period)
                                     : warp_type_params_of(b)->MISS_20THS);
            clear_alone(b);
            assert_boundary(b, keeps ? lowered_boundary(b, period)
                                     : warp_type_params_of(b)->MISS_20THS);
        }
    }
    assert_sets(kept, 1);
    assert_sets(anew, 1);
}

/* Footnote 3: a period with windows of 10 % and 20 % of misses, then one of 20 %, then one that is
 * too short for a window. */
TEST(test_fn_3_the_boundary_falls_with_a_rise_above_the_last_periods_mean) {
    unsigned sets = 0;
    FOR_EACH_SET(b) {
        if (warp_type_params_of(b)->MOVES != FOLLOWS) {
            continue;
        }
        sets++;
        unsigned two = part_of_window(b, 2), four = part_of_window(b, 4), mean = (two + four) / 2;
        unsigned after = lowered_boundary(b, 20 * (four - mean) >> warp_type_params_of(b)->WINDOW);
        send_window(b, two);
        assert_boundary(b, lowered_boundary(b, 0));
        send_reference(b, four);
        assert_boundary(b, lowered_boundary(b, 0));
        send_window(b, four);
        assert_boundary(b, after);
        send_window(b, size_of_window(b));
        assert_boundary(b, 0);
        send_window(b, two);
        assert_boundary(b, lowered_boundary(b, 0));
        clear_alone(b);
        bench_idle(b, 40);
        clear_alone(b); /* the mean of the period before is still the reference */
        bench_idle(b, 40);
        mean = (two + four + size_of_window(b)) / 3;
        send_window(b, mean + part_of_window(b, 1));
        assert_boundary(
            b, lowered_boundary(b, 20 * part_of_window(b, 1) >> warp_type_params_of(b)->WINDOW));
        send_window(b, mean);
        assert_boundary(b, lowered_boundary(b, 0));
    }
    assert_sets(sets, 4);
}

/* The last 1,025 of 1,537 windows have misses only: 511 and 1 of 1,024 are halved, then as many
 * again. */
TEST(test_fn_3_old_windows_of_a_long_period_count_half) {
    FOR_EACH_SET(b) {
        if (warp_type_params_of(b)->MOVES != FOLLOWS || warp_type_params_of(b)->WINDOW > 5) {
            continue;
        }
        unsigned size = size_of_window(b), tally = 0, misses = 0;
        for (unsigned i = 0; i < 1600; i++) {
            unsigned m = i < 512 ? 0 : size;
            send_window(b, m);
            tally++;
            misses += m;
            if (tally == 1024) {
                tally /= 2;
                misses /= 2;
            }
        }
        bench_idle(b, MOVE);
        clear_alone(b);
        bench_idle(b, 40);
        unsigned mean = misses / tally;
        assert_true(mean > size / 2 && mean < size);
        send_window(b, mean + 1);
        assert_boundary(b, lowered_boundary(b, 20 >> warp_type_params_of(b)->WINDOW));
        send_window(b, size);
        assert_boundary(b,
                        lowered_boundary(b, 20 * (size - mean) >> warp_type_params_of(b)->WINDOW));
    }
}

SET_TEST(test_kept_a_clear_leaves_the_boundary_and_the_lowest_miss_rate) {
    if (warp_type_params_of(b)->MOVES != KEPT) {
        return;
    }
    send_window(b, 0);
    send_window(b, size_of_window(b));
    assert_boundary(b, 0);
    clear_alone(b);
    for (unsigned cycle = 0; cycle < 2 * warp_type_words(warp_type_params_of(b)); cycle++) {
        assert_int_equal(boundary_now(b), 0);
        bench_edge(b);
    }
    send_window(b, part_of_window(b, 1)); /* more than the lowest, which was before the clear */
    assert_boundary(
        b, lowered_boundary(b, 20 * part_of_window(b, 1) >> warp_type_params_of(b)->WINDOW));
    send_window(b, 0);
    assert_boundary(b, warp_type_params_of(b)->MISS_20THS);
}

/* The miss that comes with the clear is dropped for its warp; without it the window had no end. */
SET_TEST(test_kept_a_window_runs_on_over_a_clear_and_counts_what_comes_with_it) {
    if (warp_type_params_of(b)->MOVES != KEPT) {
        return;
    }
    unsigned half = size_of_window(b) / 2;
    send_window(b, 0);
    send_requests(b, half, false);
    warp_type_in_of(b)->bypassed = 1;
    access_at(b, 0, 0, false);
    clear_alone(b);
    send_requests(b, half - 3, false);
    assert_boundary(b, lowered_boundary(b, 0)); /* one too few */
    send_requests(b, 1, false);
    assert_boundary(b, lowered_boundary(b, 20));
}

/* A clear with the last request of a window, and in each cycle from there to the boundary. */
SET_TEST(test_kept_a_clear_holds_up_no_window_that_has_ended) {
    if (warp_type_params_of(b)->MOVES != KEPT) {
        return;
    }
    for (unsigned age = 0; age < MOVE; age++) {
        send_window(b, 0);
        assert_boundary(b, lowered_boundary(b, 0));
        send_requests(b, size_of_window(b) - 1, false);
        access_at(b, 0, 0, false);
        for (unsigned cycle = 0; cycle < MOVE; cycle++) {
            assert_int_equal(boundary_now(b), lowered_boundary(b, 0));
            warp_type_in_of(b)->clear = cycle == age;
            bench_edge(b);
        }
        assert_int_equal(boundary_now(b), lowered_boundary(b, 20));
    }
}

SET_TEST(test_kept_a_clear_empties_counters_and_types_all_the_same) {
    if (warp_type_params_of(b)->MOVES != KEPT) {
        return;
    }
    sweep_counters(b);
    mix_accesses(b, 1, warp_type_params_of(b)->PROFILE, 0);
    assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_ALL_HIT);
    clear_alone(b);
    sweep_counters(b);
    assert_int_equal(type_of_warp(b, 1, 0), UNKNOWN);
    assert_int_equal(entry_of(b, 1)->accesses, 0);
    mix_accesses(b, 1, 0, warp_type_params_of(b)->PROFILE - 1);
    assert_int_equal(type_of_warp(b, 1, 0), UNKNOWN);
    mix_accesses(b, 1, 0, 1);
    assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_MISS);
}

/* Of 30: 20 % is 6, 15 % is 4.5. */
TEST(test_4_2_a_lowered_boundary_makes_mostly_miss_warps_balanced) {
    unsigned sets = 0;
    FOR_EACH_SET(b) {
        if (warp_type_params_of(b)->PROFILE != 30) {
            continue;
        }
        sets++;
        sweep_counters(b);
        send_reference(b, 0);
        send_window(b, part_of_window(b, 1));
        assert_boundary(b, 3);
        mix_accesses(b, 1, 4, 26);
        mix_accesses(b, 2, 5, 25);
        mix_accesses(b, 3, 6, 24);
        assert_int_equal(type_of_warp(b, 1, 0), L2_CLASS_MISS);
        assert_int_equal(type_of_warp(b, 2, 0), L2_CLASS_BALANCED);
        assert_int_equal(type_of_warp(b, 3, 0), L2_CLASS_BALANCED);
    }
    assert_sets(sets, 4);
}

SET_TEST(test_a_slots_next_warp_begins_with_empty_counters) {
    const struct warp_type_params *p = warp_type_params_of(b);
    bool apart = p->GENERATION_BITS > 0;
    sweep_counters(b);
    send_accesses(b, 1, 1, p->PROFILE, true);
    settle_updates(b);
    assert_int_equal(type_of_warp(b, 1, 1), L2_CLASS_ALL_HIT);
    assert_int_equal(type_of_warp(b, 1, 0), apart ? UNKNOWN : L2_CLASS_ALL_HIT);
    send_accesses(b, 1, 0, 1, false); /* the next warp's first */
    settle_updates(b);
    assert_int_equal(type_of_warp(b, 1, 1), apart ? UNKNOWN : L2_CLASS_ALL_HIT);
    send_accesses(b, 1, 0, p->PROFILE - 2, false);
    settle_updates(b);
    assert_int_equal(type_of_warp(b, 1, 0), apart ? UNKNOWN : L2_CLASS_ALL_HIT);
    send_accesses(b, 1, 0, 1, false);
    settle_updates(b);
    assert_int_equal(type_of_warp(b, 1, 0), apart ? L2_CLASS_MISS : L2_CLASS_ALL_HIT);
    assert_int_equal(type_of_warp(b, 1, 1), apart ? UNKNOWN : L2_CLASS_ALL_HIT);
}

SET_TEST(test_warps_of_a_slot_in_turn_stay_unknown) {
    if (!warp_type_params_of(b)->GENERATION_BITS) {
        return;
    }
    sweep_counters(b);
    for (unsigned i = 0; i < 4 * warp_type_params_of(b)->PROFILE; i++) {
        send_accesses(b, 1, i % 2, 1, true); /* each sees the one before it in the stages */
    }
    settle_updates(b);
    assert_int_equal(entry_of(b, 1)->accesses, 1);
    assert_int_equal(type_of_warp(b, 1, 0), UNKNOWN);
    assert_int_equal(type_of_warp(b, 1, 1), UNKNOWN);
}
