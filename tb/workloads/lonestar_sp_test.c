/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU sp: the formula beside the suite's, launches, and what its records say of the
 * accesses.
 */
#include <math.h>

#include "workloads/lonestar/sp_plain.h"
#include "workloads/rodinia_records.h"

#define CLAUSES 16800
#define VARIABLES 4000
#define EDGES 50400

/* --- The formula: small has the size that the suite names first. --- */

TEST(the_formula_has_the_shape_of_the_suites) {
    struct program p;
    records_open("sp", &p, SIZE_SMALL);
    const struct sp *k = p.self;
    const int32_t *clause = k->clause_of.data, *variable = k->var_of.data;
    const int32_t *clause_row = k->clause_row.data, *clause_edge = k->clause_edge.data;
    const uint8_t *bar = k->bar.data;
    unsigned negated = 0;
    assert_int_equal(k->clauses, CLAUSES);
    assert_int_equal(k->variables, VARIABLES);
    assert_int_equal(k->edges, EDGES);
    for (int32_t e = 0; e < EDGES; e++) {
        assert_int_equal(clause[e], e / 3);
        assert_int_equal(clause_edge[e], e);
        assert_true(variable[e] >= 0 && variable[e] < VARIABLES);
        negated += bar[e];
    }
    for (int32_t a = 0; a < CLAUSES; a++) {
        const int32_t *v = &variable[3 * a];
        assert_int_equal(clause_row[a], 3 * a);
        assert_true(v[0] != v[1] && v[0] != v[2] && v[1] != v[2]);
    }
    assert_int_equal(clause_row[CLAUSES], EDGES);
    /* A coin: four standard deviations of sqrt(E) / 2. */
    assert_true(fabs(negated - EDGES / 2.0) < 4 * sqrt(EDGES) / 2);
    workload_close(workload_find("sp"), &p);
}

/* Each edge is once in the list of its variable, in ascending order; 12.6 on average, spread as by
 * chance: the variance is that of E throws at V, E / V (1 - 1 / V). */
TEST(a_variable_has_a_dozen_edges) {
    struct program p;
    records_open("sp", &p, SIZE_SMALL);
    const struct sp *k = p.self;
    const int32_t *row = k->var_row.data, *edge = k->var_edge.data, *variable = k->var_of.data;
    const double mean = (double)EDGES / VARIABLES;
    double square = 0;
    assert_int_equal(row[0], 0);
    assert_int_equal(row[VARIABLES], EDGES);
    for (int32_t v = 0; v < VARIABLES; v++) {
        for (int32_t i = row[v]; i < row[v + 1]; i++) {
            assert_int_equal(variable[edge[i]], v);
            assert_true(i == row[v] || edge[i] > edge[i - 1]);
        }
        square += (row[v + 1] - row[v] - mean) * (row[v + 1] - row[v] - mean);
    }
    print_message("mean degree %.1f, variance %.2f\n", mean, square / VARIABLES);
    assert_true(fabs(square / VARIABLES - mean) < 4 * mean * sqrt(2.0 / VARIABLES));
    workload_close(workload_find("sp"), &p);
}

/* --- Launches. --- */

TEST(a_round_is_pairs_then_bias_then_decimate) {
    static const char *const names[] = {
        "sp_calc_pi",  "sp_update_eta", "sp_calc_pi",    "sp_update_eta",  "sp_update_bias",
        "sp_decimate", "sp_calc_pi",    "sp_update_eta", "sp_update_bias", "sp_decimate",
    };
    struct program p;
    const struct launch *l;
    struct cta_trace *t = cta_trace_create();
    unsigned count = 0;
    records_open("sp", &p, SIZE_TINY);
    for (; p.next_launch(p.self, &l); count++) {
        assert_true(count < sizeof names / sizeof *names);
        assert_string_equal(l->code->name, names[count]);
        assert_int_equal(launch_ctas(l), 15 * 4);
        assert_int_equal(launch_threads(l), 384);
        for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
            assert_true(p.run_cta(p.self, cta, t));
        }
    }
    assert_int_equal(count, sizeof names / sizeof *names);
    cta_trace_destroy(t);
    workload_close(workload_find("sp"), &p);
}

TEST(a_hundredth_of_the_variables_gets_its_value_in_each_round) {
    struct program p;
    unsigned fixed = 0, satisfied = 0;
    records_open("sp", &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    const struct sp *k = p.self;
    const int32_t *variable = k->var_of.data;
    const uint8_t *sat = k->var_sat.data, *done = k->clause_sat.data, *bar = k->bar.data,
                  *value = k->value.data;
    for (int32_t v = 0; v < k->variables; v++) {
        fixed += sat[v];
    }
    assert_int_equal(fixed, 300 / 100 + 297 / 100);
    /* A clause is done when, and only when, one of its literals is true for good. */
    for (int32_t a = 0; a < k->clauses; a++) {
        bool is_true = false;
        for (int32_t e = 3 * a; e < 3 * a + 3; e++) {
            is_true |= sat[variable[e]] && bar[e] != value[variable[e]];
        }
        assert_int_equal(done[a], is_true);
        satisfied += done[a];
    }
    assert_true(satisfied > fixed);
    workload_close(workload_find("sp"), &p);
}

struct pairs {
    unsigned round, count[16];
    float last[16];
};

static void count_pairs(void *self, const struct sp_plain *plain,
                        const struct host_launch *launch) {
    struct pairs *c = self;
    c->count[c->round] += launch == &sp_eta;
    c->last[c->round] = plain->max_eps;
    c->round += launch == &sp_decimate;
}

/* The paper's size runs until the surveys converge: tens of pairs at first, then a few. */
TEST(surveys_converge_in_tens_of_pairs) {
    struct program p;
    struct sp_plain plain;
    struct pairs pairs = {.round = 0};
    records_open("sp", &p, SIZE_PAPER_MEDIC);
    assert_true(sp_plain_run(p.self, &plain, count_pairs, &pairs));
    assert_int_equal(pairs.round, 8);
    for (unsigned i = 0; i < pairs.round; i++) {
        print_message("round %u: %u pairs, eta changes by %.4f\n", i, pairs.count[i],
                      (double)pairs.last[i]);
        assert_true(pairs.last[i] <= SP_EPSILON);
        assert_true(i == 0 ? pairs.count[i] >= 30 && pairs.count[i] < 300 : pairs.count[i] < 30);
    }
    sp_plain_free(&plain);
    workload_close(workload_find("sp"), &p);
}

/* --- Accesses of calc_pi, the first launch. --- */

enum {
    LOAD_VAR,
    LOAD_CLAUSE,
    LOAD_CLAUSE_SAT,
    LOAD_VAR_SAT,
    LOAD_START,
    LOAD_START_2,
    LOAD_END,
    LOAD_EDGE,
    LOAD_B,
    LOAD_B_SAT,
    LOAD_ETA,
    LOAD_BAR,
    LOAD_OWN_BAR,
    LOAD_ETA_2,
    LOADS
};

struct gathers {
    double lines[LOADS], lanes[LOADS], chance[LOADS], records[LOADS];
    unsigned most[LOADS], stores;
};

/* Lines that so many lanes touch which point anywhere among all of them. */
static double lines_by_chance(double all, unsigned lanes) {
    return all * (1 - pow(1 - 1 / all, lanes));
}

static void count_gathers(void *self, const struct place *at) {
    static const unsigned width[LOADS] = {4, 4, 1, 1, 4, 4, 4, 4, 4, 1, 4, 1, 1, 4};
    static const unsigned count[LOADS] = {EDGES,     EDGES,     CLAUSES, VARIABLES, VARIABLES,
                                          VARIABLES, VARIABLES, EDGES,   EDGES,     CLAUSES,
                                          EDGES,     EDGES,     EDGES,   EDGES};
    struct gathers *g = self;
    if (at->launch > 0) {
        return;
    }
    for (unsigned i = 0; i < LOADS; i++) {
        if (record_is(at, OP_LOAD, SPACE_GLOBAL, i)) {
            const unsigned lines = record_lines(at);
            g->records[i]++;
            g->lines[i] += lines;
            g->lanes[i] += record_lanes(at);
            g->chance[i] +=
                lines_by_chance(ceil(count[i] * (double)width[i] / LINE_BYTES), record_lanes(at));
            g->most[i] = lines > g->most[i] ? lines : g->most[i];
        }
    }
    if (at->op->insn->op == OP_STORE) {
        assert_int_equal(record_lines(at), 1);
        g->stores++;
    }
}

TEST(own_arrays_are_coalesced_and_the_others_are_gathered) {
    static struct gathers g;
    struct program p;
    records_open("sp", &p, SIZE_SMALL);
    records_run(&p, (struct run_order){.skipped = -1}, count_gathers, &g);
    workload_close(workload_find("sp"), &p);
    for (unsigned i = 0; i < LOADS; i++) {
        print_message("load %2u: %6.0f, %4.1f lanes, %5.2f lines, by chance %5.2f\n", i,
                      g.records[i], g.lanes[i] / g.records[i], g.lines[i] / g.records[i],
                      g.chance[i] / g.records[i]);
    }
    /* Its own arrays: a line. Clauses that share a line have 3 * 128 edges, whole warps. */
    assert_int_equal(g.records[LOAD_VAR], EDGES / WARP_SIZE);
    assert_true(g.most[LOAD_VAR] == 1 && g.most[LOAD_CLAUSE] == 1 && g.most[LOAD_OWN_BAR] == 1);
    assert_true(g.most[LOAD_CLAUSE_SAT] == 1);
    assert_int_equal(g.stores, 3 * EDGES / WARP_SIZE);
    /* Nothing is satisfied yet: all of a variable's edges are gone through by each of them, and all
     * but one count. */
    double squares = 0;
    records_open("sp", &p, SIZE_SMALL);
    const int32_t *row = ((const struct sp *)p.self)->var_row.data;
    for (int32_t v = 0; v < VARIABLES; v++) {
        squares += (double)(row[v + 1] - row[v]) * (row[v + 1] - row[v]);
    }
    workload_close(workload_find("sp"), &p);
    assert_true(g.lanes[LOAD_EDGE] == squares && g.lanes[LOAD_B] == squares);
    assert_true(g.lanes[LOAD_ETA] == squares - EDGES && g.lanes[LOAD_BAR] == squares - EDGES);
    /* A variable's flag and row: as scattered as by chance. The gathers through its list: a little
     * less, as lists ascend and lanes are at the same place of theirs. */
    for (unsigned i = LOAD_VAR_SAT; i < LOADS; i++) {
        const double part = g.lines[i] / g.chance[i];
        assert_true(i == LOAD_OWN_BAR || (part < 1.01 && part > (i <= LOAD_EDGE ? 0.99 : 0.8)));
    }
    assert_true(g.lines[LOAD_ETA] / g.lanes[LOAD_ETA] > 0.95); /* a line a lane, nearly */
}

/* --- The check is checked. --- */

TEST(the_order_of_ctas_changes_the_rounding_of_the_sum_only) {
    struct program p[2];
    for (unsigned i = 0; i < 2; i++) {
        records_open("sp", &p[i], SIZE_TINY);
        records_run(&p[i], (struct run_order){-1, i == 1}, NULL, NULL);
    }
    const struct sp *a = p[0].self, *b = p[1].self;
    const struct host *h[] = {p[0].self, p[1].self};
    const size_t blocks = a->host.memory.block_count;
    assert_int_equal(blocks, 20);
    for (size_t i = 0; i < blocks; i++) {
        if (h[0]->memory.block[i] != a->bias_sum.data) {
            const struct buffer *buffers[] = {
                &a->clause_row, &a->clause_edge, &a->clause_sat, &a->var_row,   &a->var_edge,
                &a->var_sat,    &a->bias,        &a->value,      &a->clause_of, &a->var_of,
                &a->bar,        &a->eta,         &a->pi_0,       &a->pi_s,      &a->pi_u,
                &a->max_eps,    &a->bias_length, &a->bias_sum,   &a->list_bias, &a->list_var};
            assert_ptr_equal(buffers[i]->data, h[0]->memory.block[i]);
            assert_memory_equal(h[0]->memory.block[i], h[1]->memory.block[i],
                                buffers[i]->count * buffers[i]->width);
        }
    }
    const float one = *(const float *)a->bias_sum.data, two = *(const float *)b->bias_sum.data;
    assert_true(one > 0 && fabsf(one / two - 1) < 1e-5f);
    workload_close(workload_find("sp"), &p[0]);
    workload_close(workload_find("sp"), &p[1]);
}

TEST(wrong_sp_results_are_seen) {
    static const struct {
        unsigned block, byte;
        const char *says;
    } wrong[] = {{2, 17, "clauses.sat[17]"},    {5, 17, "vars.sat[17]"},  {6, 4 * 17, "bias[17]"},
                 {7, 17, "value[17]"},          {11, 4 * 17, "eta[17]"},  {12, 4 * 17, "pi_0[17]"},
                 {13, 4 * 17, "pi_S[17]"},      {14, 4 * 17, "pi_U[17]"}, {15, 0, "max_eps[0]"},
                 {16, 0, "bias_len[0]"},        {17, 0, "bias_sum[0]"},   {18, 68, "bias_list[17]"},
                 {19, 68, "bias_list_vars[17]"}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect_wrong_bit_seen("sp", wrong[i].block, wrong[i].byte, wrong[i].says);
    }
    for (int launch = 0; launch < 10; launch++) {
        expect_left_out_seen("sp", launch);
    }
}
