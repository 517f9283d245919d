/* SPDX-License-Identifier: Apache-2.0
 * The warp arbiter, one behaviour a test, on both sides. Sections in the names are those of OWL,
 * ASPLOS 2013. Each test has what it expects for every set of parameters. */
#include "common/bench.h"
#include "cosim/block_test.h"
#include "issue/scheduler.h"
#include "issue/warp_arbiter.h"

#define NOBODY (-1)

static const struct warp_arbiter_params *arbiter_params_of(const struct bench *b) {
    return (const struct warp_arbiter_params *)b->pair.ports.params;
}

static uint64_t all_warps_of(const struct bench *b) {
    return UINT64_MAX >> (64 - arbiter_params_of(b)->WARPS);
}

/* Groups, ready and unstalled warps of a cycle. */
struct warps_now {
    uint64_t ready, unstalled;
    uint64_t group[WARP_ARBITER_GROUPS_MAX];
};

/* Looks at the grant of a cycle, before its edge. Return: the warp; NOBODY: none. */
static int winner_now(struct bench *b, const struct warps_now *now) {
    struct warp_arbiter_in *in = b->pair.in;
    const struct warp_arbiter_out *out = b->pair.c_out;
    in->ready = now->ready;
    in->unstalled = now->unstalled;
    memcpy(in->group_warps, now->group, arbiter_params_of(b)->GROUPS * sizeof now->group[0]);
    bench_comb(b);
    if (!out->grant_valid) {
        return NOBODY;
    }
    assert_true(out->grant_oh == UINT64_C(1) << out->grant_warp);
    assert_true(now->group[out->grant_group] & now->ready & out->grant_oh);
    return out->grant_warp;
}

/* The edge. With PIPELINE a cycle in which nothing is taken comes before the looked-at one, so that
 * the place is chosen by the same warps. */
static void chosen_by(struct bench *b, const struct warps_now *now) {
    if (arbiter_params_of(b)->PIPELINE) {
        winner_now(b, now);
        bench_edge(b);
    }
}

static int winner_of(struct bench *b, const struct warps_now *now, bool taken) {
    chosen_by(b, now);
    int winner = winner_now(b, now);
    ((struct warp_arbiter_in *)b->pair.in)->grant_taken = taken;
    bench_edge(b);
    return winner;
}

/* All warps in the last place, these ready. */
static int winner_in_last_place(struct bench *b, uint64_t ready, bool taken) {
    struct warps_now now = {.ready = ready, .unstalled = ready};
    now.group[arbiter_params_of(b)->GROUPS - 1] = all_warps_of(b);
    return winner_of(b, &now, taken);
}

/* --- the warp --- */

SET_TEST(test_after_reset_the_lowest_warp_is_first) {
    if (arbiter_params_of(b)->PIPELINE) {
        struct warps_now now = {.ready = all_warps_of(b), .unstalled = all_warps_of(b)};
        now.group[0] = all_warps_of(b);
        assert_int_equal(winner_now(b, &now), NOBODY); /* no place is chosen yet */
    }
    assert_int_equal(winner_in_last_place(b, all_warps_of(b), false), 0);
}

/* Round-robin comes to each warp in turn, and round the end; the others stay at one. */
SET_TEST(test_all_ready_are_taken_in_turn_or_one_for_ever) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    const bool stays = p->GREEDY || p->WITHIN == WARP_ARBITER_LOWEST;
    for (unsigned i = 0; i < 2 * p->WARPS + 1; i++) {
        assert_int_equal(winner_in_last_place(b, all_warps_of(b), true), stays ? 0 : i % p->WARPS);
    }
}

/* Only the warps of a few are ready: 0, the last and, where there are three, 1. */
SET_TEST(test_a_turn_skips_warps_that_are_not_ready) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    const int last = (int)p->WARPS - 1;
    const uint64_t ends = 1 | UINT64_C(1) << last;
    const bool turns = p->WITHIN == WARP_ARBITER_ROUND_ROBIN && !p->GREEDY;
    assert_int_equal(winner_in_last_place(b, ends, true), 0);
    assert_int_equal(winner_in_last_place(b, ends, true), turns ? last : 0);
    assert_int_equal(winner_in_last_place(b, ends, true), 0);
    assert_int_equal(winner_in_last_place(b, UINT64_C(1) << last, true), last);
    assert_int_equal(winner_in_last_place(b, UINT64_C(1) << last, true), last); /* alone again */
    assert_int_equal(winner_in_last_place(b, ends, true), p->GREEDY ? last : 0);
}

SET_TEST(test_a_grant_that_is_not_taken_moves_nothing) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    const bool stays = p->GREEDY || p->WITHIN == WARP_ARBITER_LOWEST;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(winner_in_last_place(b, all_warps_of(b), false), 0);
    }
    assert_int_equal(winner_in_last_place(b, all_warps_of(b), true), 0);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(winner_in_last_place(b, all_warps_of(b), false), stays ? 0 : 1);
    }
}

SET_TEST(test_taken_without_a_ready_warp_moves_nothing) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    const bool stays = p->GREEDY || p->WITHIN == WARP_ARBITER_LOWEST;
    assert_int_equal(winner_in_last_place(b, all_warps_of(b), true), 0);
    assert_int_equal(winner_in_last_place(b, 0, true), NOBODY);
    assert_int_equal(winner_in_last_place(b, all_warps_of(b), true), stays ? 0 : 1);
}

SET_TEST(test_greedy_goes_on_until_its_warp_stalls) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    const int last = (int)p->WARPS - 1;
    const uint64_t both = 1 | UINT64_C(1) << last;
    assert_int_equal(winner_in_last_place(b, UINT64_C(1) << last, true), last);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(winner_in_last_place(b, both, false), p->GREEDY ? last : 0);
    }
    assert_int_equal(winner_in_last_place(b, 1, true), 0);
    bool turns = p->WITHIN == WARP_ARBITER_ROUND_ROBIN && !p->GREEDY;
    assert_int_equal(winner_in_last_place(b, both, false), turns ? last : 0);
}

/* The greedy warp issues though a better group has a ready warp; in no group it does not. */
SET_TEST(test_greedy_warp_passes_better_groups_but_needs_one) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    const uint64_t last_warp = UINT64_C(1) << (p->WARPS - 1);
    struct warps_now now = {.ready = last_warp, .unstalled = last_warp};
    now.group[p->GROUPS - 1] = last_warp;
    assert_int_equal(winner_of(b, &now, true), p->WARPS - 1);
    now.ready = now.unstalled = 1 | last_warp;
    now.group[0] |= 1;
    if (p->GREEDY) {
        assert_int_equal(winner_of(b, &now, false), p->WARPS - 1);
        now.group[p->GROUPS - 1] &= ~last_warp;
        assert_int_equal(winner_of(b, &now, false), 0);
    } else if (!p->ROTATE || p->GROUPS == 1) {
        assert_int_equal(winner_of(b, &now, false), 0);
    } else {
        assert_int_equal(winner_of(b, &now, false), p->WARPS - 1);
    }
}

SET_TEST(test_a_warp_in_no_group_is_never_granted) {
    struct warps_now now = {.ready = all_warps_of(b), .unstalled = all_warps_of(b)};
    assert_int_equal(winner_of(b, &now, true), NOBODY);
    now.group[0] = 2;
    assert_int_equal(winner_of(b, &now, true), 1);
    assert_int_equal(winner_of(b, &now, true), 1);
}

/* --- the group --- */

/* Warp 0 in the first place, warp 1 in the last one; places between are empty. */
static struct warps_now two_groups(const struct bench *b, uint64_t ready, uint64_t unstalled) {
    struct warps_now now = {.ready = ready, .unstalled = unstalled};
    now.group[0] = 1;
    now.group[arbiter_params_of(b)->GROUPS - 1] |= 2;
    return now;
}

SET_TEST(test_owl_4_2_first_place_wins_and_empty_places_cost_nothing) {
    struct warps_now now = two_groups(b, 3, 3);
    assert_int_equal(winner_of(b, &now, false), 0);
    now = two_groups(b, 2, 2);
    assert_int_equal(winner_of(b, &now, false), 1);
    for (unsigned place = 0; place < arbiter_params_of(b)->GROUPS; place++) {
        struct warps_now alone = {.ready = 1, .unstalled = 1};
        alone.group[place] = 1;
        assert_int_equal(winner_of(b, &alone, false), 0);
        assert_int_equal(((const struct warp_arbiter_out *)b->pair.c_out)->grant_group, place);
    }
}

/* Figure 4: with turns the second group keeps the scheduler though the first one is ready again,
 * with priorities the first one has it back in the cycle of its data. */
SET_TEST(test_owl_figure_4_a_ready_first_group_waits_with_turns_alone) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    if (p->GROUPS == 1 || p->GREEDY) {
        return;
    }
    struct warps_now first = two_groups(b, 1, 1), second = two_groups(b, 2, 2),
                     both = two_groups(b, 3, 3);
    assert_int_equal(winner_of(b, &first, true), 0);
    assert_int_equal(winner_of(b, &second, true), 1);
    assert_int_equal(winner_of(b, &both, true), p->ROTATE ? 1 : 0);
    assert_int_equal(winner_of(b, &first, true), 0); /* the circle goes round the end */
}

SET_TEST(test_owl_4_1_a_strict_group_keeps_the_scheduler_with_an_unstalled_warp) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    struct warps_now waits = two_groups(b, 2, 3), stalls = two_groups(b, 3, 2),
                     nobody = two_groups(b, 3, 0);
    if (p->GROUPS == 1) {
        return;
    }
    assert_int_equal(winner_of(b, &waits, false), p->STRICT ? NOBODY : 1);
    assert_int_equal(winner_of(b, &stalls, false), p->STRICT ? 1 : 0);
    assert_int_equal(winner_of(b, &nobody, false), p->STRICT ? NOBODY : 0);
}

/* A grant that is not taken gives its group no turn. */
SET_TEST(test_a_place_counts_as_taken_last_when_its_warp_was) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    struct warps_now second = two_groups(b, 2, 2), both = two_groups(b, 3, 3);
    if (p->GROUPS == 1 || p->GREEDY) {
        return;
    }
    assert_int_equal(winner_of(b, &second, false), 1);
    assert_int_equal(winner_of(b, &both, false), 0);
    assert_int_equal(winner_of(b, &second, true), 1);
    assert_int_equal(winner_of(b, &both, false), p->ROTATE ? 1 : 0);
}

/* One turn for all groups: after warp 1 of the last place, warp 2 comes before warp 0 of the
 * first one. */
SET_TEST(test_one_turn_pointer_for_all_groups) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    struct warps_now now = two_groups(b, 2, 2);
    assert_int_equal(winner_of(b, &now, true), 1);
    now.ready = now.unstalled = 5;
    now.group[0] = 5;
    assert_int_equal(winner_of(b, &now, false), p->WITHIN == WARP_ARBITER_ROUND_ROBIN ? 2 : 0);
}

/* --- PIPELINE, reset, quiet --- */

SET_TEST(test_pipeline_the_place_is_of_the_cycle_before_the_warps_are_of_this_one) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    if (!p->PIPELINE || p->GROUPS == 1) {
        return;
    }
    struct warps_now first = two_groups(b, 1, 1), second = two_groups(b, 2, 2), none = {0};
    assert_int_equal(winner_now(b, &second), NOBODY);
    bench_edge(b);
    assert_int_equal(winner_now(b, &first), NOBODY); /* the last place was chosen */
    bench_edge(b);
    assert_int_equal(winner_now(b, &second), NOBODY); /* the first one was */
    bench_edge(b);
    struct warps_now swapped = two_groups(b, 1, 1);
    swapped.group[0] = 2;
    swapped.group[p->GROUPS - 1] = 1;
    assert_int_equal(winner_now(b, &swapped), 0); /* whoever stands in the chosen place now */
    bench_edge(b);
    winner_now(b, &none);
    bench_edge(b);
    assert_int_equal(winner_now(b, &first), NOBODY); /* none was chosen */
}

/* The choice of cycle n counts what is taken in n. */
SET_TEST(test_pipeline_what_is_taken_moves_the_choice_of_the_same_cycle) {
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    if (!p->PIPELINE || p->GROUPS == 1 || p->GREEDY) {
        return;
    }
    struct warps_now second = two_groups(b, 2, 2), both = two_groups(b, 3, 3);
    winner_now(b, &second);
    bench_edge(b);
    assert_int_equal(winner_now(b, &both), 1);
    ((struct warp_arbiter_in *)b->pair.in)->grant_taken = true;
    bench_edge(b);
    assert_int_equal(winner_now(b, &both), p->ROTATE ? 1 : 0);
}

SET_TEST(test_a_reset_forgets_what_was_taken_also_in_its_own_cycle) {
    struct warp_arbiter_in *in = b->pair.in;
    const uint64_t all = all_warps_of(b);
    for (unsigned during = 0; during < 2; during++) {
        assert_int_equal(winner_in_last_place(b, UINT64_C(1) << 1, true), 1);
        struct warps_now now = {.ready = all, .unstalled = all};
        now.group[arbiter_params_of(b)->GROUPS - 1] = all;
        winner_now(b, &now);
        in->rst = true;
        in->grant_taken = during;
        bench_edge(b);
        assert_int_equal(winner_in_last_place(b, all, false), 0);
        struct warps_now both = two_groups(b, 3, 3);
        assert_int_equal(winner_of(b, &both, false), 0);
    }
}

SET_TEST(test_quiet_while_nothing_that_is_kept_changes) {
    struct warp_arbiter_in *in = b->pair.in;
    const struct warp_arbiter_params *p = arbiter_params_of(b);
    struct warps_now now = {.ready = 2, .unstalled = 2};
    now.group[0] = 2;
    assert_true(bench_quiet(b));
    winner_now(b, &now);
    assert_int_equal(bench_quiet(b), !p->PIPELINE); /* a place is being chosen */
    bench_edge(b);
    winner_now(b, &now);
    assert_true(bench_quiet(b)); /* granted, not taken */
    in->grant_taken = true;
    assert_int_equal(bench_quiet(b), p->WITHIN == WARP_ARBITER_LOWEST && !p->GREEDY && !p->ROTATE);
    bench_edge(b);
    winner_now(b, &now);
    in->grant_taken = true;
    assert_true(bench_quiet(b)); /* the same warp again */
}

/* --- the schedulers of the core --- */

enum { SLOTS = 32, SLOTS_OF_CTA = 4, PLACES = SLOTS / SLOTS_OF_CTA };

/* In the core: the candidates that its policy leaves, then a plain function. */
enum plain_scheduler { PLAIN_LRR, PLAIN_OLDEST, PLAIN_GTO };

struct scheduler_case {
    enum plain_scheduler plain;
    struct warp_arbiter_params p;
    bool one_group;
};

/* The candidates of the first place with a holder, from the one that was taken last if places
 * rotate. Return: 0: no warp is granted. */
static uint64_t plain_candidates(const struct warp_arbiter_params *p,
                                 const struct warp_arbiter_in *in, unsigned taken_place,
                                 unsigned *place) {
    for (unsigned i = 0; i < p->GROUPS; i++) {
        *place = ((p->ROTATE ? taken_place : 0) + i) % p->GROUPS;
        if (in->group_warps[*place] & (p->STRICT ? in->unstalled : in->ready)) {
            return in->group_warps[*place] & in->ready;
        }
    }
    return 0;
}

/* CTAs of four slots, in random order of age; the places of the groups are in that order. */
static void compare_with_plain_scheduler(const struct scheduler_case *c) {
    struct rng rng;
    struct warp_arbiter block;
    struct warp_scheduler plain = {.last = -1};
    uint64_t age[SLOTS];
    unsigned order[PLACES], taken_place = 0, place = 0, grants = 0;
    struct warp_arbiter_in in = {0};
    rng_seed(&rng, 25);
    assert_true(warp_arbiter_init(&block, &c->p));
    for (unsigned i = 0; i < PLACES; i++) {
        order[i] = (5 * i + 3) % PLACES;
        uint64_t slots = UINT64_C(15) << (order[i] * SLOTS_OF_CTA);
        in.group_warps[c->one_group ? 0 : i] |= slots;
        for (unsigned slot = 0; slot < SLOTS_OF_CTA; slot++) {
            age[order[i] * SLOTS_OF_CTA + slot] = i;
        }
    }
    for (unsigned cycle = 0; cycle < 5000; cycle++) {
        struct warp_arbiter_out out;
        in.ready = rng_next(&rng) & rng_next(&rng) & (cycle & 64 ? rng_next(&rng) : UINT64_MAX) &
                   UINT32_MAX;
        in.unstalled = in.ready | (rng_next(&rng) & rng_next(&rng) & rng_next(&rng) & UINT32_MAX);
        in.grant_taken = rng_chance(&rng, 3, 4);
        warp_arbiter_comb(&block, &in, &out);
        uint64_t among =
            c->plain == PLAIN_LRR ? plain_candidates(&c->p, &in, taken_place, &place) : in.ready;
        assert_int_equal(out.grant_valid, among != 0);
        if (among) {
            int slot = c->plain == PLAIN_LRR      ? scheduler_lrr(&plain, among)
                       : c->plain == PLAIN_OLDEST ? scheduler_oldest(among, age)
                                                  : scheduler_gto(&plain, among, age);
            assert_int_equal(out.grant_warp, slot);
            if (in.grant_taken) {
                plain.last = slot;
                taken_place = place;
            }
            grants++;
        }
        warp_arbiter_step(&block, &in, &out);
    }
    assert_true(grants > 2000);
}

/* Round-robin, turns of groups, priorities, oldest first, GTO. */
TEST(test_one_arbiter_is_each_scheduler_of_the_core) {
    static const struct scheduler_case cases[] = {
        {PLAIN_LRR, {.WARPS = SLOTS, .GROUPS = 1}, true}, /* rr */
        {PLAIN_LRR, {.WARPS = SLOTS, .GROUPS = PLACES, .STRICT = 1, .ROTATE = 1}, 0},
        {PLAIN_LRR, {.WARPS = SLOTS, .GROUPS = PLACES}, 0}, /* locality */
        {PLAIN_OLDEST, {.WARPS = SLOTS, .GROUPS = PLACES, .WITHIN = WARP_ARBITER_LOWEST}, 0},
        {PLAIN_GTO,
         {.WARPS = SLOTS, .GROUPS = PLACES, .WITHIN = WARP_ARBITER_LOWEST, .GREEDY = 1},
         0}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        compare_with_plain_scheduler(&cases[i]);
    }
}
