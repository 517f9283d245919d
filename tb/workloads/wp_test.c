/* SPDX-License-Identifier: Apache-2.0
 *
 * ISPASS wp without a machine: its arithmetic, what a level loads and stores, its lines, and that
 * the check sees what is wrong.
 */
#include "rodinia_records.h"

#include "workloads/ispass/wp_code.h"

/* --- Arithmetic. --- */

static bool close_to(double a, double b, double relative) {
    return fabs(a - b) <= relative * fabs(b);
}

TEST(exponential_and_logarithm_are_right_to_float_precision) {
    for (float x = -80.0f; x < 80.0f; x += 0.37f) {
        assert_true(close_to((double)wp_exp(x), exp((double)x), 1e-5));
    }
    for (float x = 1e-20f; x < 1e20f; x *= 1.7f) {
        assert_true(fabs((double)wp_log(x) - log((double)x)) < 1e-5);
        assert_true(close_to((double)wp_pow(x, 0.41f), pow((double)x, 0.41), 2e-5));
    }
}

/* Pressures of saturated vapour, from tables: 2339 Pa at 20 degrees Celsius, 611.2 at 0; over water
 * 125.6 and over ice 103.3 at -20. */
TEST(saturation_is_that_of_the_tables) {
    const double p = 9e4;
    const struct wp_saturation warm = wp_saturate(293.15f, 9e4f, 0.01f);
    const struct wp_saturation cold = wp_saturate(253.15f, 9e4f, 0.001f);
    assert_true(close_to((double)warm.water, 0.622 * 2339 / (p - 2339), 0.01));
    assert_true(warm.ice == warm.water);
    assert_true(close_to((double)cold.water, 0.622 * 125.6 / (p - 125.6), 0.02));
    assert_true(close_to((double)cold.ice, 0.622 * 103.3 / (p - 103.3), 0.02));
    assert_true(close_to((double)cold.rh_ice, 0.001 / (double)cold.ice, 1e-6));
}

static struct wp_air air_at(float t, float q, float qr, float qs) {
    const struct wp_slopes s = wp_slopes_of(qr, qs, 1.0f, t, 100.0f);
    return (struct wp_air){.p = 8e4f,
                           .den = 1.0f,
                           .heat = wp_cell_heat(q),
                           .evaporation = wp_evaporation_heat(t),
                           .saturation = wp_saturate(t, 8e4f, q),
                           .rain = s.rain,
                           .snow = s.snow,
                           .density_factor = s.density_factor,
                           .snow_factor = s.snow_factor,
                           .ice_number = wp_ice_number(1e-5f, 1.0f)};
}

static double water_of_cell(const struct wp_cell *c) {
    return (double)c->q + (double)c->qc + (double)c->qi + (double)c->qr + (double)c->qs;
}

TEST(clouds_become_rain_and_snow_melts) {
    const struct {
        struct wp_cell before;
        int more, less; /* which of the cell's six numbers */
    } cases[] = {
        {{290.0f, 0.015f, 2e-3f, 0.0f, 1e-3f, 0.0f}, 4, 2}, /* rain out of cloud water */
        {{290.0f, 0.005f, 0.0f, 0.0f, 1e-3f, 0.0f}, 1, 4},  /* rain evaporates in dry air */
        {{280.0f, 0.006f, 0.0f, 0.0f, 0.0f, 1e-3f}, 4, 5},  /* snow melts */
        {{260.0f, 0.002f, 1e-3f, 0.0f, 0.0f, 1e-3f}, 5, 2}, /* snow takes cloud water */
        {{260.0f, 0.002f, 0.0f, 5e-4f, 0.0f, 1e-3f}, 5, 3}, /* and ice */
        {{230.0f, 0.0002f, 1e-3f, 0.0f, 0.0f, 0.0f}, 3, 2}, /* cloud water freezes */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct wp_cell *b = &cases[i].before;
        const struct wp_air air = air_at(b->t, b->q, b->qr, b->qs);
        struct wp_cell c = *b;
        float was[6], is[6];
        wp_microphysics(&c, &air);
        memcpy(was, b, sizeof was);
        memcpy(is, &c, sizeof is);
        assert_true(is[cases[i].more] > was[cases[i].more]);
        assert_true(is[cases[i].less] < was[cases[i].less]);
        assert_true(close_to(water_of_cell(&c), water_of_cell(b), 1e-4)); /* none is lost */
    }
}

/* --- Accesses. --- */

struct counts {
    unsigned ops, lines, lanes;
};

struct tally {
    struct counts of[WP_INSNS];
    unsigned most, least; /* substeps of a warp */
    unsigned substeps;
};

static bool first_warp(const struct place *at) {
    return at->cta == 0 && at->warp == 0;
}

static void tally_first(void *self, const struct place *at) {
    struct tally *t = self;
    const unsigned index = (unsigned)(at->op->insn - at->what->code->insns);
    if (first_warp(at)) {
        t->of[index].ops++;
        t->of[index].lanes += record_lanes(at);
        t->of[index].lines += insn_is_memory(at->op->insn) ? record_lines(at) : 0;
    }
    if (index == CTA_X && !first_warp(at)) { /* the warp before is complete */
        t->most = t->substeps > t->most ? t->substeps : t->most;
        t->least = t->substeps < t->least ? t->substeps : t->least;
        t->substeps = 0;
    }
    t->substeps += index == FALL_N + 2; /* iterations of the loop of substeps */
}

static int tally_small_wp(void **state) {
    static struct tally t = {.least = 1000};
    struct program p;
    records_open("wp", &p, SIZE_SMALL);
    records_run(&p, (struct run_order){.skipped = -1}, tally_first, &t);
    assert_null(workload_check(workload_find("wp"), &p));
    workload_close(workload_find("wp"), &p);
    *state = &t;
    return 0;
}

/* Accesses of the kind among the instructions from @first to @last, a level. */
static unsigned a_level(const struct tally *t, unsigned first, unsigned last, unsigned op,
                        unsigned space) {
    unsigned sum = 0;
    for (unsigned i = first; i <= last; i++) {
        const struct insn *in = &wp_kernel_code.insns[i];
        sum += in->op == op && in->space == space ? t->of[i].ops : 0;
    }
    assert_int_equal(sum % WP_LEVELS, 0);
    return sum / WP_LEVELS;
}

/* Facts of the original: 4 loads and conditional stores in the first loop; 2 loads and a local
 * store for the temperature; some 10 local accesses for the slopes; some 15 of the grid's arrays in
 * the microphysics. */
TEST(each_level_loads_and_stores_what_the_loops_need) {
    const struct tally *t = *state;
    static const struct {
        unsigned first, last, loads, stores, local_loads, local_stores;
    } loops[] = {{HEAT, HEAT_NEXT, 2, 0, 0, 1},    {SATURATE, SATURATE_NEXT, 2, 0, 1, 6},
                 {SLOPE, SLOPE_NEXT, 4, 0, 1, 12}, {ICE, ICE_NEXT, 3, 0, 0, 2},
                 {MICRO, MICRO_NEXT, 7, 5, 10, 9}, {LAST, LAST_NEXT, 1, 1, 1, 0}};
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++) {
        const unsigned first = loops[i].first, last = loops[i].last;
        assert_int_equal(a_level(t, first, last, OP_LOAD, SPACE_GLOBAL), loops[i].loads);
        assert_int_equal(a_level(t, first, last, OP_STORE, SPACE_GLOBAL), loops[i].stores);
        assert_int_equal(a_level(t, first, last, OP_LOAD, SPACE_LOCAL), loops[i].local_loads);
        assert_int_equal(a_level(t, first, last, OP_STORE, SPACE_LOCAL), loops[i].local_stores);
    }
    assert_int_equal(a_level(t, CLAMP, CLAMP_NEXT, OP_LOAD, SPACE_GLOBAL), 4);
    const unsigned stores = t->of[CLAMP_QC_STORE].lanes + t->of[CLAMP_QS_STORE].lanes;
    assert_true(stores > 0 && stores < 2 * WP_LEVELS * 8); /* few lanes are below zero */
    unsigned arithmetic = 0;
    for (unsigned i = MICRO_TAKE_0; i <= MICRO_WORK_SFU; i++) {
        arithmetic += t->of[i].ops;
    }
    assert_int_equal(arithmetic / WP_LEVELS, 263); /* 200 to 300 */
}

/* Falling water stays in registers from level to level, and so does the height of the level
 * above. */
TEST(sedimentation_keeps_nothing_in_local_memory) {
    const struct tally *t = *state;
    static const unsigned loops[][2] = {{FALL, FALL_NEXT}, {SINK, SINK_NEXT}};
    static const unsigned grid[] = {FALL_DEN, SINK_DEN}, loads[][2] = {{4, 2}, {3, 1}};
    for (unsigned i = 0; i < 2; i++) {
        const unsigned levels = t->of[grid[i]].ops;
        const unsigned first = loops[i][0], last = loops[i][1];
        assert_true(levels > 0);
        assert_int_equal(a_level(t, first, last, OP_LOAD, SPACE_GLOBAL),
                         loads[i][0] * levels / WP_LEVELS);
        assert_int_equal(a_level(t, first, last, OP_LOAD, SPACE_LOCAL),
                         loads[i][1] * levels / WP_LEVELS);
        assert_int_equal(a_level(t, first, last, OP_STORE, SPACE_LOCAL), 0);
    }
}

TEST(an_access_to_the_grid_is_four_lines_and_a_local_one_is_one) {
    const struct tally *t = *state;
    for (unsigned i = 0; i < wp_kernel_code.insn_count; i++) {
        const struct insn *in = &wp_kernel_code.insns[i];
        if (insn_is_memory(in) && t->of[i].ops) {
            if (in->space == SPACE_LOCAL) {
                assert_int_equal(t->of[i].lines, t->of[i].ops);
            } else if (t->of[i].lanes == t->of[i].ops * WARP_SIZE) {
                assert_int_equal(t->of[i].lines, 4 * t->of[i].ops);
            }
        }
    }
}

/* Four CTAs side by side use up a line: 32 bytes each of the same. */
static void note_load(void *self, const struct place *at) {
    uint64_t address[WARP_SIZE], *line = self;
    if (at->op->insn == &at->what->code->insns[HEAT_TH] && at->warp == 0 && at->cta < 6 &&
        !line[at->cta]) {
        warp_op_addresses(at->op, address);
        line[at->cta] = address[0] / LINE_BYTES;
        assert_int_equal(address[7] - address[0], 28);
        assert_int_equal(address[8] - address[0], 72 * WP_LEVELS * 4); /* the next row */
    }
}

TEST(four_ctas_side_by_side_share_lines) {
    struct program p;
    uint64_t line[6] = {0};
    records_open("wp", &p, SIZE_SMALL);
    records_run(&p, (struct run_order){.skipped = -1}, note_load, line);
    for (unsigned i = 1; i < 4; i++) {
        assert_int_equal(line[i], line[0]);
    }
    assert_int_equal(line[4], line[0] + 1);
    workload_close(workload_find("wp"), &p);
}

TEST(columns_differ_in_their_substeps) {
    const struct tally *t = *state;
    print_message("%u to %u substeps of rain and snow\n", t->least, t->most);
    assert_true(t->least >= 1 && t->most >= t->least + 3);
}

TEST(three_ctas_fit_on_a_core_of_owl) {
    struct program p;
    const struct launch *l;
    records_open("wp", &p, SIZE_PAPER_OWL);
    assert_true(p.next_launch(p.self, &l));
    assert_int_equal(l->grid[0], 9);
    assert_int_equal(l->grid[1], 8);
    assert_int_equal(l->block[0], 8);
    assert_int_equal(l->block[1], 8);
    assert_int_equal(32768 / (l->code->registers * 64) * 2, 6); /* warps */
    assert_int_equal(l->code->local_bytes, 21 * WP_LEVELS * 4);
    assert_false(p.next_launch(p.self, &l));
    workload_close(workload_find("wp"), &p);
}

/* --- The check. --- */

TEST(a_wrong_bit_in_each_array_fails_the_check) {
    static const char *const says[] = {"th[1",   "pii[1",     "q[1",   "qc[1",   "qi[1",
                                       "qr[1",   "qs[1",      "den[1", "p[1",    "delz[1",
                                       "rain[1", "rainncv[1", "sr[1",  "snow[1", "snowncv[1"};
    for (unsigned i = 0; i < WP_VOLUMES + WP_AREAS; i++) {
        expect_wrong_bit_seen("wp", i, 4, says[i]);
    }
}

TEST_GROUP(tally_small_wp, NULL)
