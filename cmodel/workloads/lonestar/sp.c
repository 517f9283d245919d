/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU sp: survey propagation, which looks for a solution of a random formula of clauses of
 * three literals. An edge is a literal. Two launches, calc_pi_values and update_eta, are repeated
 * until no edge's eta changes by more than 0.01, or a bounded number of times. update_bias computes
 * each variable's bias to its value; the host sorts the variables by bias, and the hundredth with
 * the highest bias gets its value (decimate), which ends the round.
 *
 * The arrays of edges are accessed in order. The work is in calc_pi: for each of the other literals
 * of the edge's variable, a dozen on average and as many as the longest list of a warp, it gathers
 * from src, clauses.sat, eta (twice) and bar, 17 to 200 KB each: nearly a line a lane, which the L2
 * has and the L1 seldom.
 *
 * Formulas have the shape that the suite's generator gives its own: three different variables a
 * clause, each negated or not by a coin. Read as: 20 registers, so four CTAs of 384 threads a core;
 * the row's start is loaded twice (as the place of the list and for its length); both products are
 * taken under predicates, without a branch; the sum of a CTA goes through shared memory in pairs.
 * The suite sorts with a library's radix sort in launches of its own; here the host does, between
 * launches: 4000 pairs once a round are little beside the four million accesses of one pair of
 * launches.
 *
 * To converge takes about 80 pairs of launches in the first round and about 10 in a later one, to
 * the end some hundred rounds: hours, and no paper says how far it ran. So rounds are bounded, and
 * at the sizes tiny and small the pairs in a round as well; rounds repeat each other, with a
 * hundredth less to do.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/lonestar/sp_plain.h"
#include "workloads/workloads.h"

static const struct size {
    int32_t clauses, variables;
    unsigned first_pairs, pairs; /* of launches, at most: in the first round, in each later one */
    unsigned rounds;
} sizes[] = {
    [SIZE_TINY] = {1260, 300, 2, 1, 2},
    [SIZE_SMALL] = {16800, 4000, 1, 1, 2},
    [SIZE_PAPER_MEDIC] = {16800, 4000, 1000, 1000, 8},
};

/* The surest hundredth of the list that update_bias made is to get its values. */
static bool sort_list(struct sp *k) {
    const int32_t length = *(const int32_t *)k->bias_length.data;
    float *bias = k->list_bias.data;
    int32_t *variable = k->list_var.data;
    struct sp_candidate *list = calloc((size_t)k->variables, sizeof *list);
    if (!list) {
        return false;
    }
    for (int32_t i = 0; i < length; i++) {
        list[i] = (struct sp_candidate){bias[i], variable[i]};
    }
    sp_sort(list, length);
    for (int32_t i = 0; i < length; i++) {
        bias[i] = list[i].bias;
        variable[i] = list[i].variable;
    }
    free(list);
    k->fix_count = sp_share(length);
    k->fix_first = length - k->fix_count;
    return true;
}

static bool converged(const struct sp *k) {
    return !(*(const float *)k->max_eps.data > SP_EPSILON);
}

/* After update_bias. */
static bool paramagnetic(const struct sp *k) {
    const int32_t length = *(const int32_t *)k->bias_length.data;
    return length == 0 || *(const float *)k->bias_sum.data / (float)length < SP_PARAMAGNETIC;
}

enum { NEXT_PI, NEXT_ETA, NEXT_AFTER_ETA, NEXT_AFTER_BIAS, NEXT_ROUND, NEXT_NONE };

static bool sp_step(void *self, unsigned step, struct host_launch *out) {
    struct sp *k = self;
    (void)step;
    if (k->next == NEXT_AFTER_ETA) {
        k->pairs++;
        if (!converged(k) && k->pairs < sp_pairs_max(k, k->rounds)) {
            k->next = NEXT_PI;
        }
    }
    if (k->next == NEXT_ROUND) {
        k->pairs = 0;
        k->next = ++k->rounds < k->rounds_max ? NEXT_PI : NEXT_NONE;
    }
    if (k->next == NEXT_AFTER_BIAS && (paramagnetic(k) || !sort_list(k))) {
        k->next = NEXT_NONE;
    }
    switch (k->next) {
    case NEXT_PI:
        *(float *)k->max_eps.data = 0;
        *out = sp_pi;
        k->next = NEXT_ETA;
        return true;
    case NEXT_ETA:
        *out = sp_eta;
        k->next = NEXT_AFTER_ETA;
        return true;
    case NEXT_AFTER_ETA:
        *(int32_t *)k->bias_length.data = 0;
        *(float *)k->bias_sum.data = 0;
        *out = sp_bias;
        k->next = NEXT_AFTER_BIAS;
        return true;
    case NEXT_AFTER_BIAS:
        *out = sp_decimate;
        k->next = NEXT_ROUND;
        return true;
    default: return false;
    }
}

/* Clauses of three different variables, in the order of the edges; then, for each variable, its
 * edges in ascending order. */
static void generate(struct sp *k, uint64_t seed) {
    int32_t *clause_row = k->clause_row.data, *clause_edge = k->clause_edge.data;
    int32_t *row = k->var_row.data, *edge = k->var_edge.data;
    int32_t *clause = k->clause_of.data, *variable = k->var_of.data;
    uint8_t *bar = k->bar.data;
    for (int32_t e = 0; e < k->edges; e++) {
        const int32_t a = e / SP_LITERALS;
        bool again;
        do {
            variable[e] = (int32_t)(host_random(&seed) % (uint32_t)k->variables);
            again = false;
            for (int32_t o = a * SP_LITERALS; o < e; o++) {
                again = again || variable[o] == variable[e];
            }
        } while (again);
        bar[e] = host_random(&seed) & 1;
        clause[e] = a;
        clause_edge[e] = e;
        clause_row[a + 1] = e + 1;
        row[variable[e] + 1]++;
    }
    for (int32_t v = 0; v < k->variables; v++) {
        row[v + 1] += row[v];
    }
    /* Each edge to the place behind those of its variable that have one: row[v] runs from the start
     * of v's list to the start of the next one's, and is set back. */
    for (int32_t e = 0; e < k->edges; e++) {
        edge[row[variable[e]]++] = e;
    }
    memmove(row + 1, row, (size_t)k->variables * sizeof *row);
    row[0] = 0;
    float *eta = k->eta.data;
    for (int32_t e = 0; e < k->edges; e++) {
        eta[e] = k->first_eta[e] = host_uniform(&seed);
    }
}

static bool allocate(struct sp *k) {
    struct device_memory *m = &k->host.memory;
    const uint64_t clauses = (uint64_t)k->clauses, variables = (uint64_t)k->variables,
                   edges = (uint64_t)k->edges;
    k->first_eta = host_array(&k->host, edges, sizeof *k->first_eta);
    return k->first_eta &&
           HOST_ALLOC(
               m, {&k->clause_row, clauses + 1, 4}, {&k->clause_edge, edges, 4},
               {&k->clause_sat, clauses, 1}, {&k->var_row, variables + 1, 4},
               {&k->var_edge, edges, 4}, {&k->var_sat, variables, 1}, {&k->bias, variables, 4},
               {&k->value, variables, 1}, {&k->clause_of, edges, 4}, {&k->var_of, edges, 4},
               {&k->bar, edges, 1}, {&k->eta, edges, 4}, {&k->pi_0, edges, 4}, {&k->pi_s, edges, 4},
               {&k->pi_u, edges, 4}, {&k->max_eps, 1, 4}, {&k->bias_length, 1, 4},
               {&k->bias_sum, 1, 4}, {&k->list_bias, variables, 4}, {&k->list_var, variables, 4});
}

static bool sp_open(void *self, enum workload_size size, uint64_t seed) {
    struct sp *k = self;
    k->clauses = sizes[size].clauses;
    k->variables = sizes[size].variables;
    k->edges = k->clauses * SP_LITERALS;
    k->pairs_max[0] = sizes[size].first_pairs;
    k->pairs_max[1] = sizes[size].pairs;
    k->rounds_max = sizes[size].rounds;
    if (!allocate(k)) {
        return false;
    }
    generate(k, seed);
    host_set_step(&k->host, sp_step);
    return true;
}

static const char *compare(struct sp *k, const struct sp_plain *p) {
    struct host *h = &k->host;
    const char *error = host_compare(h, "eta", &k->eta, p->eta);
    error = error ? error : host_compare(h, "pi_0", &k->pi_0, p->pi_0);
    error = error ? error : host_compare(h, "pi_S", &k->pi_s, p->pi_s);
    error = error ? error : host_compare(h, "pi_U", &k->pi_u, p->pi_u);
    error = error ? error : host_compare(h, "max_eps", &k->max_eps, &p->max_eps);
    error = error ? error : host_compare(h, "bias", &k->bias, p->bias);
    error = error ? error : host_compare_int(h, "value", &k->value, p->value);
    error = error ? error : host_compare(h, "bias_sum", &k->bias_sum, &p->sum);
    error = error ? error : host_compare_int(h, "bias_len", &k->bias_length, &p->length);
    error = error ? error : host_compare_int(h, "vars.sat", &k->var_sat, p->var_sat);
    return error ? error : host_compare_int(h, "clauses.sat", &k->clause_sat, p->clause_sat);
}

/* The list in the last round; what is behind it is left from rounds before. */
static const char *compare_list(struct sp *k, const struct sp_plain *p) {
    struct buffer variable = k->list_var, bias = k->list_bias;
    float *expected = calloc((size_t)k->variables, sizeof *expected);
    if (!expected) {
        return "out of memory";
    }
    for (int32_t i = 0; i < p->length; i++) {
        expected[i] = p->bias[p->list[i]];
    }
    variable.count = bias.count = (uint64_t)p->length;
    const char *error = host_compare_int(&k->host, "bias_list_vars", &variable, p->list);
    error = error ? error : host_compare(&k->host, "bias_list", &bias, expected);
    free(expected);
    return error;
}

static const char *sp_check(void *self) {
    struct sp *k = self;
    struct sp_plain p;
    const char *error = "out of memory";
    if (sp_plain_run(k, &p, NULL, NULL)) {
        error = compare(k, &p);
        error = error ? error : compare_list(k, &p);
    }
    sp_plain_free(&p);
    return error;
}

const struct workload workload_sp = {
    .name = "sp",
    .suite = "lonestar",
    .about = "survey propagation on a random formula: five arrays gathered for each literal",
    .size_text = {[SIZE_TINY] = "1260 clauses, 300 variables, 2 rounds: 2 and 1 pairs of launches",
                  [SIZE_SMALL] = "16800 clauses, 4000 variables, 2 rounds of a pair of launches",
                  [SIZE_PAPER_MEDIC] =
                      "16800 clauses, 4000 variables, 8 rounds, pairs until converged"},
    .bytes = sizeof(struct sp),
    .open = sp_open,
    .check = sp_check,
    .expect = sp_expect,
};
