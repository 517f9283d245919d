/* SPDX-License-Identifier: Apache-2.0
 * Victim tags, one behaviour a test. Sections in the names of the cases are those of DAWS, MICRO
 * 2013. */
#include "l1/victim_tags_cases.h"

#include "base/seeded.h"
#include "common/bench.h"
#include "cosim/block_test.h"

/* A cycle of a C block alone. Return: whether it is a hit in the next one. */
static bool tick_victims(struct victim_tags *s, struct victim_tags_in in) {
    struct victim_tags_out out;
    victim_tags_comb(s, &in, &out);
    victim_tags_step(s, &in, &out);
    victim_tags_comb(s, &(struct victim_tags_in){0}, &out);
    return out.hit_valid;
}

static struct victim_tags make_victims(unsigned warps, unsigned sets, unsigned ways, bool frees) {
    struct victim_tags s;
    const struct victim_tags_params p = {
        .WARPS = warps, .SETS = sets, .WAYS = ways, .LINE_BITS = 32, .FREES = frees};
    assert_true(victim_tags_init(&s, &p));
    return s;
}

static void evict_of(struct victim_tags *s, unsigned warp, uint32_t line) {
    tick_victims(s, (struct victim_tags_in){
                        .evict_valid = true, .evict_warp = (uint8_t)warp, .evict_line = line});
}

static bool look_for(struct victim_tags *s, unsigned warp, uint32_t line) {
    return tick_victims(s, (struct victim_tags_in){
                               .look_valid = true, .look_warp = (uint8_t)warp, .look_line = line});
}

TEST(daws_4_a_miss_on_a_line_that_its_warp_has_lost_is_found) {
    struct victim_tags s = make_victims(32, 2, 8, true);
    assert_false(look_for(&s, 3, 77));
    evict_of(&s, 3, 77);
    assert_false(look_for(&s, 4, 77)); /* another warp's */
    assert_false(look_for(&s, 3, 79));
    assert_true(look_for(&s, 3, 77));
    assert_false(look_for(&s, 3, 77)); /* it is in the L1 again */
}

TEST(a_hit_that_frees_nothing_is_found_again_until_later_lines_replace_it) {
    struct victim_tags s = make_victims(32, 2, 2, false);
    evict_of(&s, 3, 70);
    evict_of(&s, 3, 72);
    for (unsigned twice = 0; twice < 2; twice++) {
        assert_true(look_for(&s, 3, 70));
    }
    evict_of(&s, 3, 72); /* enters again, in place of the oldest */
    assert_false(look_for(&s, 3, 70));
    evict_of(&s, 3, 74);
    assert_true(look_for(&s, 3, 72));
    evict_of(&s, 3, 76);
    assert_false(look_for(&s, 3, 72));
}

/* DAWS table 3: 16 entries a warp, 8-way. */
TEST(daws_table_3_a_warp_has_its_last_eight_lines_of_each_set) {
    struct victim_tags s = make_victims(32, 2, 8, false);
    for (uint32_t line = 0; line < 20; line++) {
        evict_of(&s, 31, line);
    }
    for (uint32_t line = 0; line < 20; line++) {
        assert_true(look_for(&s, 31, line) == (line >= 4));
    }
}

TEST(a_slots_lines_are_forgotten_when_a_warp_comes) {
    struct victim_tags s = make_victims(4, 2, 2, true);
    for (unsigned warp = 0; warp < 4; warp++) {
        evict_of(&s, warp, 10);
        evict_of(&s, warp, 11);
    }
    tick_victims(&s, (struct victim_tags_in){.clear_valid = true, .clear_warp = 2});
    for (unsigned warp = 0; warp < 4; warp++) {
        assert_true(look_for(&s, warp, 10) == (warp != 2));
        assert_true(look_for(&s, warp, 11) == (warp != 2));
    }
}

TEST(a_look_comes_before_an_eviction_and_that_before_a_clear) {
    struct victim_tags s = make_victims(2, 1, 1, true);
    struct victim_tags_in in = {
        .evict_valid = true, .evict_line = 6, .look_valid = true, .look_line = 5};
    evict_of(&s, 0, 5);
    assert_true(tick_victims(&s, in)); /* 6 takes the place of 5, after the look */
    in.look_line = 6;
    in.evict_line = 7;
    in.clear_valid = true;
    assert_true(tick_victims(&s, in));
    assert_false(look_for(&s, 0, 7));
}

/* Few lines, so that they come again, on any shape. */
static void compare_with_lists(struct rng *rng, unsigned cycles) {
    struct victim_tags s =
        make_victims(2 + rng_below(rng, 6), 1u << rng_below(rng, 4),
                     1 + rng_below(rng, VICTIM_TAGS_WAYS_MAX), rng_chance(rng, 1, 2));
    struct lost_lines l = {.sets = s.p.SETS, .ways = s.p.WAYS, .frees = s.p.FREES};
    const unsigned lines = 2 + rng_below(rng, 2 * s.p.SETS * s.p.WAYS);
    for (; cycles; cycles--) {
        struct victim_tags_in in = {
            .evict_valid = rng_chance(rng, 1, 2),
            .evict_warp = (uint8_t)rng_below(rng, s.p.WARPS),
            .evict_line = rng_below(rng, lines),
            .look_valid = rng_chance(rng, 1, 2),
            .look_warp = (uint8_t)rng_below(rng, s.p.WARPS),
            .look_line = rng_below(rng, lines),
            .clear_valid = rng_chance(rng, 1, 50),
            .clear_warp = (uint8_t)rng_below(rng, s.p.WARPS),
        };
        bool hit = in.look_valid && lost_lines_look(&l, in.look_warp, in.look_line);
        if (in.evict_valid) {
            lost_lines_evict(&l, in.evict_warp, in.evict_line);
        }
        if (in.clear_valid) {
            lost_lines_clear(&l, in.clear_warp);
        }
        assert_true(tick_victims(&s, in) == hit);
        assert_true(!hit || s.hit_warp == in.look_warp);
    }
}

TEST(any_stream_finds_what_lists_of_the_last_lines_find) {
    struct rng rng;
    rng_seed(&rng, 5);
    for (unsigned shapes = 60; shapes; shapes--) {
        compare_with_lists(&rng, 2000);
    }
}

/* --- cycles, on both sides --- */

static struct victim_tags_in *victims_in_of(const struct bench *b) {
    return b->pair.in;
}

static const struct victim_tags_params *victims_params_of(const struct bench *b) {
    return (const struct victim_tags_params *)b->pair.ports.params;
}

static void put_eviction(struct bench *b, unsigned warp, uint32_t line) {
    victims_in_of(b)->evict_valid = true;
    victims_in_of(b)->evict_warp = (uint8_t)warp;
    victims_in_of(b)->evict_line = line;
}

static void put_look(struct bench *b, unsigned warp, uint32_t line) {
    victims_in_of(b)->look_valid = true;
    victims_in_of(b)->look_warp = (uint8_t)warp;
    victims_in_of(b)->look_line = line;
}

static void put_clear(struct bench *b, unsigned warp) {
    victims_in_of(b)->clear_valid = true;
    victims_in_of(b)->clear_warp = (uint8_t)warp;
}

/* Was the look of the last cycle a hit, of that warp? */
static void assert_shown(struct bench *b, bool hit, unsigned warp) {
    const struct victim_tags_out *out = b->pair.c_out;
    bench_comb(b);
    assert_int_equal(out->hit_valid, hit);
    assert_true(!hit || out->hit_warp == warp);
    b->settled = false; /* inputs of this cycle may come */
}

SET_TEST(test_a_hit_is_shown_in_the_cycle_after_its_look_alone) {
    unsigned last = victims_params_of(b)->WARPS - 1;
    put_eviction(b, last, 5);
    bench_edge(b);
    put_look(b, last, 5);
    assert_shown(b, false, 0);
    bench_edge(b);
    assert_shown(b, true, last);
    bench_edge(b);
    assert_shown(b, false, 0);
}

/* So many cycles between an eviction and the look for its line. */
SET_TEST(test_a_look_finds_the_eviction_of_any_cycle_before) {
    for (unsigned idle = 0; idle < 4; idle++) {
        put_eviction(b, 1, 6);
        bench_edge(b);
        bench_idle(b, idle);
        put_look(b, 1, 6);
        bench_edge(b);
        assert_shown(b, true, 1);
        put_look(b, 1, 6);
        bench_edge(b);
        assert_shown(b, !victims_params_of(b)->FREES, 1);
    }
}

SET_TEST(test_a_look_does_not_find_the_eviction_of_its_own_cycle) {
    put_eviction(b, 1, 6);
    put_look(b, 1, 6);
    bench_edge(b);
    assert_shown(b, false, 0);
    put_look(b, 1, 6);
    bench_edge(b);
    assert_shown(b, true, 1);
}

/* The line goes into the very way that the look of its cycle hits. */
SET_TEST(test_an_eviction_into_the_way_of_a_hit_stays) {
    unsigned ways = victims_params_of(b)->WAYS;
    for (uint32_t i = 0; i < ways; i++) { /* of one set, whatever the sets */
        put_eviction(b, 0, 8);
        bench_edge(b);
    }
    put_look(b, 0, 8);
    put_eviction(b, 0, 0);
    bench_edge(b);
    assert_shown(b, true, 0);
    put_look(b, 0, 0);
    bench_edge(b);
    assert_shown(b, true, 0);
    put_look(b, 0, 8); /* freed are all copies */
    bench_edge(b);
    assert_shown(b, !victims_params_of(b)->FREES && ways > 1, 0);
}

SET_TEST(test_daws_table_3_a_set_holds_the_last_lines_in_their_order) {
    unsigned ways = victims_params_of(b)->WAYS, sets = victims_params_of(b)->SETS;
    unsigned lines = (1u << victims_params_of(b)->LINE_BITS % 32) / sets;
    if (lines && lines <= ways) {
        return;
    }
    for (uint32_t i = 0; i <= ways; i++) {
        put_eviction(b, 0, i * sets);
        bench_edge(b);
    }
    for (uint32_t i = 0; i <= ways; i++) {
        put_look(b, 0, i * sets);
        bench_edge(b);
        assert_shown(b, i > 0, 0);
    }
}

SET_TEST(test_a_clear_is_the_last_of_its_cycle) {
    put_eviction(b, 1, 6);
    bench_edge(b);
    put_look(b, 1, 6);
    put_eviction(b, 1, 7);
    put_clear(b, 1);
    bench_edge(b);
    assert_shown(b, true, 1);
    put_look(b, 1, 7);
    put_eviction(b, 1, 6); /* of the new warp */
    bench_edge(b);
    assert_shown(b, false, 0);
    put_look(b, 1, 6);
    bench_edge(b);
    assert_shown(b, true, 1);
}

SET_TEST(test_every_bit_of_a_line_and_every_warp_counts) {
    for (unsigned bit = 0; bit < victims_params_of(b)->LINE_BITS; bit++) {
        unsigned warp = bit % victims_params_of(b)->WARPS;
        put_eviction(b, warp, 0);
        bench_edge(b);
        put_look(b, warp, UINT32_C(1) << bit);
        bench_edge(b);
        assert_shown(b, false, 0);
        put_look(b, (warp + 1) % victims_params_of(b)->WARPS, 0);
        bench_edge(b);
        assert_shown(b, false, 0);
        put_look(b, warp, 0);
        put_clear(b, warp);
        bench_edge(b);
        assert_shown(b, true, warp);
    }
}

SET_TEST(test_a_reset_forgets_lines_and_what_comes_with_it) {
    put_eviction(b, 1, 6);
    bench_edge(b);
    put_look(b, 1, 6);
    put_eviction(b, 0, 6);
    victims_in_of(b)->rst = true;
    bench_edge(b);
    for (unsigned warp = 0; warp < 2; warp++) {
        assert_shown(b, false, 0);
        put_look(b, warp, 6);
        bench_edge(b);
    }
    assert_shown(b, false, 0);
}

SET_TEST(test_quiet_when_nothing_comes_and_no_hit_is_shown) {
    assert_true(bench_quiet(b));
    put_clear(b, 1);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b));
    put_eviction(b, 1, 6);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b));
    put_look(b, 1, 6);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_false(bench_quiet(b)); /* its hit goes */
    bench_edge(b);
    assert_true(bench_quiet(b));
    victims_in_of(b)->rst = true;
    assert_false(bench_quiet(b));
}
