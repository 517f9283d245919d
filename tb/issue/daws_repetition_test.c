/* SPDX-License-Identifier: Apache-2.0
 * The intra-loop repetition detector, one behaviour a test. Sections in the names of the cases are
 * those of DAWS, MICRO 2013. */
#include "issue/daws_repetition.h"

#include "base/seeded.h"
#include "common/bench.h"
#include "cosim/block_test.h"

static struct daws_repetition make_detector(unsigned sets, unsigned ways) {
    struct daws_repetition s;
    const struct daws_repetition_params p = {
        .WARPS = 32, .SETS = sets, .WAYS = ways, .LINE_BITS = 32, .PC_BITS = 24};
    assert_true(daws_repetition_init(&s, &p));
    return s;
}

/* A cycle of a C block alone. */
static void tick_repetition(struct daws_repetition *s, struct daws_repetition_in in) {
    struct daws_repetition_out out;
    daws_repetition_comb(s, &in, &out);
    daws_repetition_step(s, &in, &out);
}

/* An access, and its pair five cycles later: with load *other. */
static bool probe_for_pair(struct daws_repetition *s, unsigned warp, uint32_t line, uint32_t pc,
                           uint32_t *other) {
    struct daws_repetition_out out;
    tick_repetition(s, (struct daws_repetition_in){.probe_valid = true,
                                                   .probe_warp = (uint8_t)warp,
                                                   .probe_line = line,
                                                   .probe_pc = pc});
    for (unsigned i = 1; i < DAWS_REPETITION_LATENCY; i++) {
        daws_repetition_comb(s, &(struct daws_repetition_in){0}, &out);
        assert_false(out.pair_valid);
        tick_repetition(s, (struct daws_repetition_in){0});
    }
    daws_repetition_comb(s, &(struct daws_repetition_in){0}, &out);
    assert_true(!out.pair_valid || out.pair_a == pc);
    *other = out.pair_b;
    return out.pair_valid;
}

static void begin_trip_of(struct daws_repetition *s, unsigned warp) {
    tick_repetition(s,
                    (struct daws_repetition_in){.clear_valid = true, .clear_warp = (uint8_t)warp});
}

TEST(daws_5_2_2_two_loads_of_one_line_in_a_trip_are_a_pair) {
    struct daws_repetition s = make_detector(8, 8);
    uint32_t other = 0;
    assert_false(probe_for_pair(&s, 0, 77, 10, &other));
    assert_true(probe_for_pair(&s, 0, 77, 11, &other));
    assert_int_equal(other, 10);
    assert_true(probe_for_pair(&s, 0, 77, 12, &other));
    assert_int_equal(other, 10); /* the entry keeps its load */
}

TEST(daws_5_2_2_a_load_makes_no_pair_with_itself) {
    struct daws_repetition s = make_detector(8, 8);
    uint32_t other;
    assert_false(probe_for_pair(&s, 0, 77, 10, &other));
    assert_false(probe_for_pair(&s, 0, 77, 10, &other));
}

TEST(daws_5_2_2_the_next_trip_forgets) {
    struct daws_repetition s = make_detector(8, 8);
    uint32_t other;
    probe_for_pair(&s, 0, 77, 10, &other);
    probe_for_pair(&s, 1, 88, 20, &other);
    begin_trip_of(&s, 0);
    assert_false(probe_for_pair(&s, 0, 77, 11, &other));
    assert_true(probe_for_pair(&s, 1, 88, 21, &other)); /* another warp's stay */
}

TEST(daws_5_2_2_lines_of_two_warps_do_not_meet) {
    struct daws_repetition s = make_detector(8, 8);
    uint32_t other;
    probe_for_pair(&s, 0, 77, 10, &other);
    assert_false(probe_for_pair(&s, 1, 77, 11, &other));
    assert_true(probe_for_pair(&s, 0, 77, 11, &other));
}

TEST(daws_table_4_the_least_recently_used_of_eight_lines_of_a_set_leaves) {
    struct daws_repetition s = make_detector(8, 8);
    uint32_t other;
    for (unsigned i = 0; i < 8; i++) {
        probe_for_pair(&s, 0, 8 * i, 10, &other); /* all of set 0 */
    }
    assert_true(probe_for_pair(&s, 0, 0, 11, &other)); /* line 0 is the last used */
    probe_for_pair(&s, 0, 8 * 8, 10, &other);          /* line 8 leaves */
    probe_for_pair(&s, 0, 1, 10, &other);              /* of another set: nothing */
    assert_true(probe_for_pair(&s, 0, 0, 11, &other));
    assert_true(probe_for_pair(&s, 0, 8 * 2, 11, &other));
    assert_false(probe_for_pair(&s, 0, 8, 11, &other));
}

/* The definition, of a detector that is never full: the trip's first load of the line. */
TEST(random_accesses_make_the_pairs_of_the_definition) {
    static uint32_t first[4][16]; /* [warp][line] */
    struct daws_repetition s = make_detector(8, 8);
    struct rng rng = seeded_rng(0);
    unsigned pairs = 0;
    memset(first, 0, sizeof first);
    for (unsigned i = 0; i < 20000; i++) {
        unsigned warp = rng_below(&rng, 4), line = rng_below(&rng, 16);
        uint32_t pc = 1 + rng_below(&rng, 3), other = 0;
        if (rng_chance(&rng, 1, 10)) {
            begin_trip_of(&s, warp);
            memset(first[warp], 0, sizeof first[warp]);
        }
        bool pair = probe_for_pair(&s, warp, line, pc, &other);
        assert_true(pair == (first[warp][line] && first[warp][line] != pc));
        assert_true(!pair || other == first[warp][line]);
        first[warp][line] = first[warp][line] ? first[warp][line] : pc;
        pairs += pair;
    }
    assert_true(pairs > 1000);
}

/* --- cycles, on both sides --- */

static struct daws_repetition_in *repetition_in_of(const struct bench *b) {
    return b->pair.in;
}

static const struct daws_repetition_params *repetition_params_of(const struct bench *b) {
    return (const struct daws_repetition_params *)b->pair.ports.params;
}

static void put_probe(struct bench *b, unsigned warp, uint32_t line, uint32_t pc) {
    repetition_in_of(b)->probe_valid = true;
    repetition_in_of(b)->probe_warp = (uint8_t)warp;
    repetition_in_of(b)->probe_line = line;
    repetition_in_of(b)->probe_pc = pc;
    repetition_in_of(b)->probe_last = true; /* a load of one access, so any is most of them */
}

/* The access of a load of several. */
static void put_part(struct bench *b, uint32_t line, uint32_t pc, bool last) {
    put_probe(b, 1, line, pc);
    repetition_in_of(b)->probe_last = last;
    bench_edge(b);
}

static void put_trip(struct bench *b, unsigned warp) {
    repetition_in_of(b)->clear_valid = true;
    repetition_in_of(b)->clear_warp = (uint8_t)warp;
}

/* Is the access of five cycles ago, of load @a, a pair with load @b? */
static void assert_pair(struct bench *bench, bool pair, uint32_t a, uint32_t b) {
    const struct daws_repetition_out *out = bench->pair.c_out;
    bench_comb(bench);
    assert_int_equal(out->pair_valid, pair);
    assert_true(!pair || (out->pair_a == a && out->pair_b == b));
    bench->settled = false; /* inputs of this cycle may come */
}

/* The last cycle's access, alone. */
static void assert_pair_later(struct bench *bench, bool pair, uint32_t a, uint32_t b) {
    bench_idle(bench, DAWS_REPETITION_LATENCY - 1);
    assert_pair(bench, pair, a, b);
}

SET_TEST(test_a_pair_is_shown_five_cycles_after_its_access_alone) {
    unsigned last = repetition_params_of(b)->WARPS - 1;
    put_probe(b, last, 5, 0);
    bench_edge(b);
    put_probe(b, last, 5, 1);
    bench_edge(b);
    for (unsigned i = 1; i < DAWS_REPETITION_LATENCY; i++) {
        assert_pair(b, false, 0, 0);
        bench_edge(b);
    }
    assert_pair(b, true, 1, 0);
    bench_edge(b);
    assert_pair(b, false, 0, 0);
}

/* So many cycles between the accesses. */
SET_TEST(test_an_access_finds_the_line_of_any_cycle_before) {
    for (unsigned idle = 0; idle < 6; idle++) {
        put_trip(b, 1);
        put_probe(b, 1, 6, 1);
        bench_edge(b);
        bench_idle(b, idle);
        put_probe(b, 1, 6, 0);
        bench_edge(b);
        assert_pair_later(b, true, 0, 1);
    }
}

/* A set of lines one after another, and then again: a full pipeline. */
SET_TEST(test_accesses_in_every_cycle_have_their_pairs) {
    const unsigned ways = repetition_params_of(b)->WAYS, sets = repetition_params_of(b)->SETS;
    for (unsigned i = 0; i < 2 * ways + DAWS_REPETITION_LATENCY; i++) {
        if (i >= ways + DAWS_REPETITION_LATENCY) {
            assert_pair(b, true, 0, 1);
        } else if (i >= DAWS_REPETITION_LATENCY) {
            assert_pair(b, false, 0, 0);
        }
        if (i < 2 * ways) {
            put_probe(b, 0, i % ways * sets, i < ways);
        }
        bench_edge(b);
    }
}

SET_TEST(test_daws_table_4_the_least_recently_used_line_of_a_full_set_leaves) {
    const unsigned ways = repetition_params_of(b)->WAYS, sets = repetition_params_of(b)->SETS;
    for (uint32_t i = 0; i < ways; i++) {
        put_probe(b, 0, i * sets, 1);
        bench_edge(b);
    }
    put_probe(b, 0, 0, 0); /* is used again */
    bench_edge(b);
    put_probe(b, 0, ways * sets, 1); /* over line 1 */
    bench_edge(b);
    put_probe(b, 0, 0, 0);
    bench_edge(b);
    assert_pair_later(b, true, 0, 1);
    put_probe(b, 0, ways * sets, 0);
    bench_edge(b);
    assert_pair_later(b, true, 0, 1);
    put_probe(b, 0, sets, 0);
    bench_edge(b);
    assert_pair_later(b, false, 0, 0);
}

SET_TEST(test_daws_5_2_2_a_trip_that_begins_in_the_cycle_of_an_access_begins_before_it) {
    put_probe(b, 1, 6, 0);
    bench_edge(b);
    put_probe(b, 1, 6, 1); /* puts its line there anew */
    put_trip(b, 1);
    bench_edge(b);
    put_probe(b, 1, 6, 0);
    bench_edge(b);
    bench_idle(b, DAWS_REPETITION_LATENCY - 2);
    assert_pair(b, false, 0, 0);
    bench_edge(b);
    assert_pair(b, true, 0, 1);
}

/* So many cycles between a line and the trip that forgets it. */
SET_TEST(test_daws_5_2_2_the_trip_of_any_cycle_after_forgets) {
    for (unsigned idle = 0; idle < 4; idle++) {
        put_probe(b, 0, 6, 0); /* another warp's stays */
        bench_edge(b);
        put_probe(b, 1, 6, 1);
        bench_edge(b);
        bench_idle(b, idle);
        put_trip(b, 1);
        bench_edge(b);
        put_probe(b, 1, 6, 0);
        bench_edge(b);
        put_probe(b, 0, 6, 1);
        bench_edge(b);
        bench_idle(b, DAWS_REPETITION_LATENCY - 2);
        assert_pair(b, false, 0, 0);
        bench_edge(b);
        assert_pair(b, true, 1, 0);
        put_trip(b, 0);
        bench_edge(b);
        put_trip(b, 1);
        bench_edge(b);
    }
}

SET_TEST(test_every_bit_of_a_line_a_load_and_a_warp_counts) {
    const struct daws_repetition_params *p = repetition_params_of(b);
    for (unsigned bit = 0; bit < p->LINE_BITS; bit++) {
        const unsigned warp = bit % p->WARPS;
        const uint32_t pc = UINT32_C(1) << bit % p->PC_BITS;
        put_probe(b, warp, 0, 0);
        bench_edge(b);
        put_probe(b, warp, UINT32_C(1) << bit, pc);
        bench_edge(b);
        assert_pair_later(b, false, 0, 0);
        put_probe(b, warp, 0, pc);
        bench_edge(b);
        assert_pair_later(b, true, pc, 0);
        put_trip(b, warp);
        bench_edge(b);
        put_probe(b, warp, 0, pc);
        bench_edge(b);
        put_probe(b, (warp + 1) % p->WARPS, 0, 0);
        bench_edge(b);
        assert_pair_later(b, false, 0, 0);
        put_trip(b, warp);
        bench_edge(b);
        put_trip(b, (warp + 1) % p->WARPS);
        bench_edge(b);
    }
}

SET_TEST(test_a_reset_forgets_lines_and_pairs_on_their_way) {
    for (unsigned idle = 0; idle < DAWS_REPETITION_LATENCY; idle++) {
        put_probe(b, 1, 6, 0);
        bench_edge(b);
        put_probe(b, 1, 6, 1); /* its pair is never shown */
        bench_edge(b);
        bench_idle(b, idle);
        put_probe(b, 1, 6, 1);
        repetition_in_of(b)->rst = true;
        bench_edge(b);
        for (unsigned i = 0; i <= DAWS_REPETITION_LATENCY; i++) {
            assert_pair(b, false, 0, 0);
            bench_edge(b);
        }
        put_probe(b, 1, 6, 1);
        bench_edge(b);
        assert_pair_later(b, false, 0, 0);
        put_trip(b, 1);
        bench_edge(b);
    }
}

/* Lines 0 and 1 of load 0; then load 1 with so many of them, and one of its own, in any order. */
SET_TEST(test_by_majority_most_accesses_of_a_load_make_its_pair_with_the_last) {
    static const struct {
        uint32_t line[3];
        unsigned accesses;
        bool pair;
    } loads[] = {{{0, 1, 2}, 3, true},
                 {{2, 0, 1}, 3, true},
                 {{0, 2}, 2, false},
                 {{0, 2, 2}, 3, false},
                 {{1}, 1, true}};
    for (unsigned i = 0; i < 5 && repetition_params_of(b)->MAJORITY; i++) {
        put_trip(b, 1);
        put_part(b, 0, 0, false);
        put_part(b, 1, 0, true);
        for (unsigned k = 0; k < loads[i].accesses; k++) {
            put_part(b, loads[i].line[k], 1, k == loads[i].accesses - 1);
        }
        for (unsigned k = 1; k < DAWS_REPETITION_LATENCY; k++) {
            assert_pair(b, false, 0, 0);
            bench_edge(b);
        }
        assert_pair(b, loads[i].pair, 1, 0);
        bench_edge(b);
    }
}

SET_TEST(test_by_majority_the_counter_saturates) {
    for (unsigned highest = 0; highest < 2 && repetition_params_of(b)->MAJORITY; highest++) {
        put_trip(b, 1);
        put_part(b, 0, 0, true);
        for (unsigned k = 0; k < 100; k++) { /* to the one end, and less than its width back */
            put_part(b, 0, highest, false);
        }
        for (unsigned k = 0; k < 64; k++) {
            put_part(b, 0, !highest, k == 63);
        }
        /* 63 - 64, and -64 + 64. */
        assert_pair_later(b, false, 0, 0);
        bench_edge(b);
    }
}

SET_TEST(test_quiet_when_nothing_comes_and_no_pair_is_to_be_shown) {
    assert_true(bench_quiet(b));
    put_trip(b, 1);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b));
    put_probe(b, 1, 6, 0);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b)); /* no pair */
    put_probe(b, 1, 6, 1);
    bench_edge(b);
    for (unsigned i = 0; i < DAWS_REPETITION_LATENCY; i++) {
        assert_false(bench_quiet(b));
        bench_edge(b);
    }
    assert_true(bench_quiet(b));
    repetition_in_of(b)->rst = true;
    assert_false(bench_quiet(b));
}
