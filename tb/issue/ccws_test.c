/* SPDX-License-Identifier: Apache-2.0
 * Cache-conscious warp scheduling, one behaviour a test. Sections in the names of the cases are
 * those of DAWS, MICRO 2013. */
#include "issue/ccws_cases.h"

#include "base/seeded.h"
#include "common/bench.h"
#include "cosim/block_test.h"

static const struct ccws_params of_the_paper = {.WARPS = 32,
                                                .BASE = 100,
                                                .K = 8,
                                                .SCORE_BITS = 15,
                                                .COUNT_BITS = 24,
                                                .ISSUES = 2,
                                                .CUTOFFS = 8};

/* --- a C block and what drives it --- */

static void tick_ccws(struct ccws *s, struct ccws_in in) {
    struct ccws_out out;
    ccws_comb(s, &in, &out);
    ccws_step(s, &in, &out);
}

static uint64_t can_load_of(const struct ccws *s) {
    struct ccws_out out;
    ccws_comb(s, &(struct ccws_in){0}, &out);
    return out.can_load;
}

/* Cycles in which nothing happens but time. */
static void pass_ccws_time(struct ccws *s, unsigned cycles, bool ticks) {
    while (cycles--) {
        tick_ccws(s, (struct ccws_in){.live = s->live, .ticks = ticks});
    }
}

/* The first warps are live, warp 0 the oldest, and have been for long. */
static struct ccws live_ccws_of(const struct ccws_params *p, unsigned warps) {
    struct ccws s;
    const uint64_t live = ~UINT64_C(0) >> (64 - warps);
    assert_true(ccws_init(&s, p));
    tick_ccws(&s, (struct ccws_in){.live = live, .launch = live});
    pass_ccws_time(&s, 5 * warps + 2 + 2 * ccws_round_cycles(&s.p), false);
    return s;
}

static struct ccws live_ccws(unsigned warps) {
    return live_ccws_of(&of_the_paper, warps);
}

/* The cutoff bounds scores. */
static struct ccws live_bounded_ccws(unsigned warps) {
    struct ccws_params p = of_the_paper;
    p.CUTOFFS = 1;
    return live_ccws_of(&p, warps);
}

static void issue_two(struct ccws *s, unsigned cycles) {
    while (cycles--) {
        tick_ccws(s, (struct ccws_in){.live = s->live, .issued = 2});
    }
}

/* A warp loses a line; time stands still until the mask says so. */
static void lose_line(struct ccws *s, unsigned warp) {
    tick_ccws(s, (struct ccws_in){.live = s->live, .lost_valid = true, .lost_warp = (uint8_t)warp});
    pass_ccws_time(s, ccws_divider_cycles(&s->p) + 2 * ccws_round_cycles(&s->p) + 3, false);
}

static unsigned score_of_ccws(const struct ccws *s, unsigned warp) {
    uint64_t end = s->score_end[warp];
    return s->p.BASE + (end > s->ticks ? (unsigned)(end - s->ticks) : 0);
}

/* --- scores --- */

TEST(daws_4_a_warp_that_loses_a_line_gets_a_score_and_others_keep_theirs) {
    struct ccws s = live_ccws(32);
    assert_true(can_load_of(&s) == 0xffffffff);
    issue_two(&s, 25);
    lose_line(&s, 5);
    for (unsigned w = 0; w < 32; w++) {
        assert_int_equal(score_of_ccws(&s, w), w == 5 ? 1 * 8 * 3200 / 50 : 100);
    }
}

/* DAWS table 3: base 100, K 8; the cutoff is 100 for each live warp. */
TEST(daws_table_3_the_score_is_lost_times_k_times_cutoff_over_issued) {
    static const struct {
        unsigned live, twos, lost, score;
    } cases[] = {
        {32, 25, 1, 512},
        {32, 25, 3, 3 * 8 * 3200 / 50},
        {16, 25, 3, 3 * 8 * 1600 / 50},
        {32, 4, 1, 3200},
        {32, 3, 1, 8 * 3200 / 6}, /* above the cutoff */
        {32, 2, 3, 3 * 8 * 3200 / 4},
        {32, 2, 4, 8 * 3200}, /* eight cutoffs at most */
        {32, 2, 5, 8 * 3200},
        {32, 5, 1, 2560},
        {32, 200, 1, 100}, /* BASE at least */
        {32, 127, 1, 100},
        {32, 0, 1, 8 * 3200},
        {7, 50, 3, 3 * 8 * 700 / 100},
        {1, 50, 3, 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ccws s = live_ccws(cases[i].live);
        issue_two(&s, cases[i].twos);
        for (unsigned n = 0; n < cases[i].lost; n++) {
            lose_line(&s, 0);
        }
        assert_int_equal(score_of_ccws(&s, 0), cases[i].score);
    }
}

TEST(a_bound_of_one_cutoff_makes_a_score_no_higher_than_all_together) {
    struct ccws s = live_bounded_ccws(32);
    issue_two(&s, 5);
    lose_line(&s, 3);
    assert_int_equal(score_of_ccws(&s, 3), 8 * 3200 / 10);
    lose_line(&s, 3);
    assert_int_equal(score_of_ccws(&s, 3), 3200);
}

TEST(daws_4_exclusivity_falls_by_one_a_cycle_down_to_the_base) {
    struct ccws s = live_ccws(32);
    issue_two(&s, 25);
    lose_line(&s, 5);
    pass_ccws_time(&s, 10, true);
    assert_int_equal(score_of_ccws(&s, 5), 502);
    pass_ccws_time(&s, 401, true);
    assert_int_equal(score_of_ccws(&s, 5), 101);
    pass_ccws_time(&s, 9, true);
    assert_int_equal(score_of_ccws(&s, 5), 100);
}

TEST(a_lost_line_sets_the_score_of_its_warp_even_to_a_lower_one) {
    struct ccws s = live_ccws(32);
    issue_two(&s, 5);
    lose_line(&s, 5);
    assert_int_equal(score_of_ccws(&s, 5), 2560);
    issue_two(&s, 95);
    lose_line(&s, 5);
    assert_int_equal(score_of_ccws(&s, 5), 2 * 8 * 3200 / 200);
}

TEST(lines_that_are_lost_while_the_divider_works_share_its_score) {
    struct ccws s = live_ccws(32);
    issue_two(&s, 50);
    for (unsigned warp = 0; warp < 4; warp++) {
        tick_ccws(&s,
                  (struct ccws_in){.live = s.live, .lost_valid = true, .lost_warp = (uint8_t)warp});
    }
    pass_ccws_time(&s, ccws_divider_cycles(&s.p) + 2, false);
    for (unsigned warp = 0; warp < 4; warp++) { /* of one lost line: the divider began with it */
        assert_int_equal(score_of_ccws(&s, warp), 8 * 3200 / 100);
    }
    lose_line(&s, 9);
    assert_int_equal(score_of_ccws(&s, 9), 5 * 8 * 3200 / 100);
}

TEST(counts_halve_together_and_end_with_the_last_warp) {
    struct ccws s = live_ccws(2);
    const uint32_t half = UINT32_C(1) << (s.p.COUNT_BITS - 1);
    s.lost_count = 40;
    s.issued_count = half - 1;
    issue_two(&s, 1);
    assert_int_equal(s.issued_count, half + 1);
    issue_two(&s, 2);
    assert_int_equal(s.issued_count, half + 5);
    issue_two(&s, 1);
    assert_int_equal(s.issued_count, half / 2 + 2 + 2);
    assert_int_equal(s.lost_count, 20);
    s.live = 0;
    pass_ccws_time(&s, 13, false);
    assert_int_equal(s.lost_count + s.issued_count, 0);
}

/* --- who may load --- */

/* The scores before a warp add up to the cutoff or not: the one that crosses it may load. */
TEST(daws_4_warps_may_load_until_their_scores_reach_the_cutoff) {
    struct ccws s = live_bounded_ccws(32);
    issue_two(&s, 25);
    lose_line(&s, 30); /* 512 of 3200: 26 others take 2600, the next crosses 3200 */
    assert_true(can_load_of(&s) == (UINT32_C(1) << 30 | 0x07ffffff));
    lose_line(&s, 31); /* 512 + 1024: 16 others take 1600, the next crosses */
    assert_true(can_load_of(&s) == (UINT32_C(3) << 30 | 0x1ffff));
    for (unsigned n = 0; n < 5; n++) {
        lose_line(&s, 31); /* 512 + 3200 at last */
    }
    assert_true(can_load_of(&s) == UINT32_C(1) << 31);
    pass_ccws_time(&s, 1 + 2 * ccws_round_cycles(&s.p), true); /* below the cutoff again */
    assert_true(can_load_of(&s) == UINT32_C(3) << 30);
}

TEST(of_equal_scores_the_older_comes_first_and_of_one_launch_the_lower_slot) {
    struct ccws s = live_ccws(32);
    tick_ccws(&s, (struct ccws_in){.live = s.live, .launch = 0x3}); /* the youngest now */
    pass_ccws_time(&s, 12, false);
    issue_two(&s, 25);
    lose_line(&s, 30);
    /* 26 of the others and one that crosses: not 29, 0 and 1 with their 3. */
    assert_true(can_load_of(&s) == (0x5ffffffc & ~(UINT32_C(1) << 29)));
}

TEST(a_new_warp_may_load_and_has_lost_nothing) {
    struct ccws s = live_ccws(32);
    for (unsigned n = 0; n < 8; n++) {
        lose_line(&s, 31);
    }
    assert_true(can_load_of(&s) == UINT32_C(1) << 31);
    tick_ccws(&s, (struct ccws_in){.live = s.live, .launch = 0x80000001});
    pass_ccws_time(&s, 10, false); /* slot 0 is taken first */
    assert_true(can_load_of(&s) == 0x80000001);
    pass_ccws_time(&s, 2 * ccws_round_cycles(&s.p), false);
    assert_true(can_load_of(&s) == 0xffffffff);
}

TEST(a_warp_that_has_ended_counts_neither_for_the_cutoff_nor_before_others) {
    struct ccws s = live_ccws(4);
    lose_line(&s, 3);
    assert_true((can_load_of(&s) & 0xf) == 0x8);
    s.live = 0x7;
    pass_ccws_time(&s, 4 + 2 * ccws_round_cycles(&s.p), false);
    assert_int_equal(s.cutoff, 300);
    assert_true((can_load_of(&s) & 0x7) == 0x7);
}

/* --- cycles --- */

TEST(a_lost_line_holds_others_after_the_divider_and_the_sorter) {
    struct ccws s = live_ccws(32);
    unsigned cycles = 1;
    tick_ccws(&s, (struct ccws_in){.live = s.live, .lost_valid = true, .lost_warp = 7});
    for (; can_load_of(&s) == 0xffffffff; cycles++) {
        pass_ccws_time(&s, 1, false);
    }
    /* The bit; the divider begins; its cycles; the sorter's. */
    assert_int_equal(cycles, 1 + 1 + (9 * 15 + 9) + 1 + (2 * 21 + 32 + 4));
    assert_true(can_load_of(&s) == UINT32_C(1) << 7);
}

/* --- against the plain model --- */

static struct ccws_params random_ccws_params(struct rng *rng) {
    struct ccws_params p = {.WARPS = 2 + rng_below(rng, 63),
                            .BASE = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 5 : 120),
                            .K = 1 + rng_below(rng, 20),
                            .COUNT_BITS = 11 + rng_below(rng, 4),
                            .ISSUES = 1 + rng_below(rng, 4),
                            .CUTOFFS = 1u << rng_below(rng, 5)};
    p.SCORE_BITS = clog2(p.WARPS * p.BASE * p.CUTOFFS + 1);
    p.SCORE_BITS = p.SCORE_BITS > 2 ? p.SCORE_BITS : 2;
    return p;
}

/* Warps come and go, and phases have few or many events. */
static struct ccws_in random_ccws_input(struct rng *rng, const struct ccws_params *p, uint64_t live,
                                        unsigned often) {
    const uint64_t all = ~UINT64_C(0) >> (64 - p->WARPS);
    struct ccws_in in = {.live = live, .ticks = !rng_chance(rng, 1, 4)};
    in.rst = rng_chance(rng, 1, 2000);
    in.lost_valid = rng_chance(rng, often, 64);
    in.lost_warp = (uint8_t)rng_below(rng, p->WARPS);
    in.issued = (uint8_t)(rng_chance(rng, often, 16) ? rng_below(rng, p->ISSUES + 1) : 0);
    if (rng_chance(rng, often, 200)) {
        in.launch = rng_next(rng) & rng_next(rng) & all;
        in.live |= in.launch;
    }
    if (rng_chance(rng, often, 200)) {
        in.live &= rng_next(rng);
    }
    return in;
}

TEST(any_stream_holds_the_warps_that_the_plain_model_holds) {
    struct rng rng = seeded_rng(1);
    for (unsigned runs = 40; runs; runs--) {
        const struct ccws_params p = random_ccws_params(&rng);
        struct ccws s;
        struct plain_ccws plain;
        struct ccws_in in = {0};
        unsigned often = 1;
        assert_true(ccws_init(&s, &p));
        plain_ccws_init(&plain, &p);
        for (unsigned cycle = 0; cycle < 4000; cycle++) {
            often = cycle % 500 ? often : rng_below(&rng, 12);
            in = random_ccws_input(&rng, &p, in.live, often);
            tick_ccws(&s, in);
            plain_ccws_step(&plain, &in);
            assert_true((~can_load_of(&s) & ~UINT64_C(0) >> (64 - p.WARPS)) == plain.held);
        }
    }
}

/* --- time that is skipped --- */

static void check_skip(const struct ccws *from, const struct ccws_in *in, uint64_t cycles) {
    struct ccws skipped = *from, stepped = *from;
    ccws_skip(&skipped, in, cycles);
    for (uint64_t n = 0; n < cycles; n++) {
        tick_ccws(&stepped, *in);
    }
    assert_memory_equal(&skipped, &stepped, sizeof skipped);
}

TEST(so_many_skipped_cycles_leave_what_so_many_steps_leave) {
    struct rng rng = seeded_rng(2);
    for (unsigned runs = 40; runs; runs--) {
        const struct ccws_params p = random_ccws_params(&rng);
        struct ccws s;
        struct ccws_in in = {0};
        assert_true(ccws_init(&s, &p));
        for (unsigned cycle = 0; cycle < 1500; cycle++) {
            in = random_ccws_input(&rng, &p, in.live, 6);
            tick_ccws(&s, in);
            if (rng_chance(&rng, 1, 4)) {
                struct ccws_in idle = {.live = in.live, .ticks = rng_chance(&rng, 3, 4)};
                check_skip(&s, &idle, rng_below(&rng, 300));
                check_skip(&s, &in, rng_below(&rng, 4));
            }
        }
    }
}

/* A round takes the scores while time stands; then it passes, and all are back before the end. */
TEST(scores_that_fall_to_base_in_skipped_cycles_make_a_round_due) {
    struct ccws s = live_ccws(32);
    struct ccws_in in = {.live = s.live, .issued = 2};
    for (unsigned cycle = 0; cycle < 116; cycle++) {
        tick_ccws(&s, in);
    }
    in = (struct ccws_in){.live = s.live, .lost_valid = true};
    tick_ccws(&s, in);
    in = (struct ccws_in){.live = s.live};
    for (unsigned cycle = 0; s.last_end == 0 || s.round < 2 || s.stale; cycle++) {
        assert_true(cycle < 1000);
        tick_ccws(&s, in);
    }
    assert_true(s.last_end - s.ticks < ccws_round_cycles(&s.p) - s.round);
    in.ticks = true;
    for (unsigned cycles = 1; cycles < 3 * ccws_round_cycles(&s.p); cycles++) {
        check_skip(&s, &in, cycles);
    }
}

TEST(whatever_changes_a_slot_may_change_the_mask_at_once) {
    struct ccws s = live_ccws(32);
    const struct ccws_in idle = {.live = s.live, .ticks = true};
    struct ccws_in resets = idle, launches = idle, ends = idle;
    assert_true(ccws_steady(&s, &idle) == UINT64_MAX);
    resets.rst = true;
    launches.launch = 1;
    ends.live = 1;
    assert_int_equal(ccws_steady(&s, &resets), 1);
    assert_int_equal(ccws_steady(&s, &launches), 1);
    assert_int_equal(ccws_steady(&s, &ends), 1);
    tick_ccws(&s, launches);
    for (unsigned cycle = 0; cycle < 5; cycle++) { /* it waits, and is changed four cycles later */
        assert_int_equal(ccws_steady(&s, &idle), 1);
        tick_ccws(&s, idle);
    }
    assert_true(ccws_steady(&s, &idle) > 1);
}

TEST(the_mask_stays_for_the_cycles_that_are_steady) {
    struct rng rng = seeded_rng(3);
    for (unsigned runs = 40; runs; runs--) {
        const struct ccws_params p = random_ccws_params(&rng);
        struct ccws s;
        struct ccws_in in = {0};
        unsigned longest = 0;
        assert_true(ccws_init(&s, &p));
        for (unsigned cycle = 0; cycle < 1500; cycle++) {
            in = random_ccws_input(&rng, &p, in.live, cycle % 750 < 250 ? 6 : 0);
            tick_ccws(&s, in);
            struct ccws_in idle = {.live = s.live, .ticks = true};
            struct ccws copy = s;
            uint64_t steady = ccws_steady(&s, &idle), mask = can_load_of(&s);
            assert_true(steady > 0);
            for (unsigned n = 1; n < steady && n < 200; n++) {
                tick_ccws(&copy, idle);
                assert_true(can_load_of(&copy) == mask);
                longest = n > longest ? n : longest;
            }
        }
        assert_true(longest > ccws_round_cycles(&p));
    }
}

TEST(quiet_when_no_warp_comes_or_goes_and_every_score_is_back) {
    struct ccws s = live_bounded_ccws(32);
    struct ccws_in in = {.live = s.live, .ticks = true};
    assert_true(ccws_quiet(&s, &in));
    in.issued = 1;
    assert_false(ccws_quiet(&s, &in));
    in.issued = 0;
    in.live = 1;
    assert_false(ccws_quiet(&s, &in));
    in.live = s.live;
    in.launch = 1;
    assert_false(ccws_quiet(&s, &in));
    in.launch = 0;
    lose_line(&s, 3);
    assert_false(ccws_quiet(&s, &in));
    in.ticks = false;
    assert_true(ccws_quiet(&s, &in));
    pass_ccws_time(&s, 3100 + ccws_round_cycles(&s.p) + 2, true);
    in.ticks = true;
    pass_ccws_time(&s, ccws_round_cycles(&s.p), true);
    assert_true(ccws_quiet(&s, &in));
}

/* --- cycles, on both sides --- */

static struct ccws_in *ccws_in_of(const struct bench *b) {
    return b->pair.in;
}

static const struct ccws_params *ccws_params_of(const struct bench *b) {
    return (const struct ccws_params *)b->pair.ports.params;
}

static uint64_t every_ccws_slot(const struct bench *b) {
    return ~UINT64_C(0) >> (64 - ccws_params_of(b)->WARPS);
}

static uint64_t shown_mask(struct bench *b) {
    bench_comb(b);
    b->settled = false; /* inputs of this cycle may come */
    return ((const struct ccws_out *)b->pair.c_out)->can_load;
}

/* Cycles with these slots live. */
static void pass_with_live(struct bench *b, uint64_t live, unsigned cycles, bool ticks) {
    while (cycles--) {
        ccws_in_of(b)->live = live;
        ccws_in_of(b)->ticks = ticks;
        bench_edge(b);
    }
}

static void launch_all_slots(struct bench *b) {
    const struct ccws_params *p = ccws_params_of(b);
    ccws_in_of(b)->launch = every_ccws_slot(b);
    pass_with_live(b, every_ccws_slot(b), 5 * p->WARPS + 2 + 2 * ccws_round_cycles(p), false);
}

static void lose_line_of(struct bench *b, unsigned warp, uint64_t live) {
    ccws_in_of(b)->lost_valid = true;
    ccws_in_of(b)->lost_warp = (uint8_t)warp;
    pass_with_live(b, live, 1, false);
}

/* With no instruction issued the score is the highest. */
SET_TEST(test_daws_4_the_warp_at_the_cutoff_is_alone_until_its_score_falls) {
    const struct ccws_params *p = ccws_params_of(b);
    const unsigned cutoff = p->WARPS * p->BASE;
    const uint64_t all = every_ccws_slot(b);
    const unsigned until_held = ccws_divider_cycles(p) + 1 + ccws_round_cycles(p);
    for (unsigned warp = 0; warp < p->WARPS; warp += p->WARPS - 1) {
        launch_all_slots(b);
        lose_line_of(b, warp, all);
        pass_with_live(b, all, until_held, false);
        assert_true(shown_mask(b) == all); /* not in the cycle before */
        pass_with_live(b, all, 1, false);
        assert_true(shown_mask(b) == UINT64_C(1) << warp);
        pass_with_live(b, all, (p->CUTOFFS - 1) * cutoff, true);
        pass_with_live(b, all, 2 * ccws_round_cycles(p), false);
        assert_true(shown_mask(b) == UINT64_C(1) << warp);
        pass_with_live(b, all, 1, true); /* one more crosses the cutoff: the oldest of the others */
        pass_with_live(b, all, 1 + ccws_round_cycles(p), false);
        assert_true(shown_mask(b) == (UINT64_C(1) << warp | UINT64_C(1) << (warp == 0)));
        pass_with_live(b, all, cutoff, true);
        pass_with_live(b, all, 2 * ccws_round_cycles(p), true);
        assert_true(shown_mask(b) == all);
    }
}

SET_TEST(test_a_slot_is_taken_every_five_cycles_the_lowest_first) {
    const struct ccws_params *p = ccws_params_of(b);
    const uint64_t all = every_ccws_slot(b);
    launch_all_slots(b);
    lose_line_of(b, 0, all);
    pass_with_live(b, all, 4 + ccws_divider_cycles(p) + ccws_round_cycles(p), false);
    assert_true(shown_mask(b) == 1);
    ccws_in_of(b)->launch = all & ~UINT64_C(1);
    pass_with_live(b, all, 1, false);
    for (unsigned warp = 1; warp < p->WARPS; warp++) {
        const bool in_a_round = 5 * warp < ccws_round_cycles(p); /* of the first change */
        pass_with_live(b, all, 4, false);
        assert_true(!in_a_round || shown_mask(b) == all >> (p->WARPS - warp));
        pass_with_live(b, all, 1, false);
        assert_true(!in_a_round || shown_mask(b) == all >> (p->WARPS - 1 - warp));
    }
}

SET_TEST(test_a_reset_frees_all_warps_and_forgets_scores) {
    const struct ccws_params *p = ccws_params_of(b);
    const uint64_t all = every_ccws_slot(b);
    launch_all_slots(b);
    lose_line_of(b, 0, all);
    pass_with_live(b, all, 4 + ccws_divider_cycles(p) + ccws_round_cycles(p), false);
    assert_true(shown_mask(b) == 1);
    ccws_in_of(b)->rst = true;
    pass_with_live(b, all, 1, false);
    assert_true(shown_mask(b) == all);
    pass_with_live(b, all, 5 * p->WARPS + 2 + 2 * ccws_round_cycles(p), false);
    assert_true(shown_mask(b) == all);
}
