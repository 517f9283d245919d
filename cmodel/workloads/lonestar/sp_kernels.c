/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "workloads/lonestar/sp_code.h"

/* --- calc_pi_values: what the other clauses of its variable tell an edge. --- */

#define CALC_PI(I) \
    EACH(I, PI) \
    I(ALU, PI_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, PI_LOAD_VAR, SPACE_GLOBAL, 4, R_J, R_ADDRESS) \
    I(LOAD, PI_LOAD_CLAUSE, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(ALU, PI_CLAUSE_SAT_ADDRESS, OP_INT_ADD, R_ADDRESS, R_A) \
    I(LOAD, PI_LOAD_CLAUSE_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS) \
    I(ALU, PI_VAR_SAT_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_J) \
    I(LOAD, PI_LOAD_VAR_SAT, SPACE_GLOBAL, 1, R_FLAG_2, R_ADDRESS_2) \
    I(ALU, PI_OPEN_COMPARE, OP_INT_ADD, R_PREDICATE, R_FLAG, R_FLAG_2) \
    I(BRANCH, PI_OPEN_BRANCH, R_PREDICATE) \
    ROW(I, PI) \
    I(ALU, PI_ONE_0, OP_FP_ADD, R_PI_0, REG_NONE) \
    I(ALU, PI_ONE_S, OP_FP_ADD, R_PI_S, REG_NONE) \
    I(ALU, PI_ONE_U, OP_FP_ADD, R_PI_U, REG_NONE) \
    NEXT_EDGE(I, PI) \
    I(LOAD, PI_LOAD_B, SPACE_GLOBAL, 4, R_B, R_ADDRESS) \
    I(ALU, PI_B_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_B) \
    I(LOAD, PI_LOAD_B_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS_2) \
    I(ALU, PI_OTHER, OP_INT_ADD, R_PREDICATE, R_B, R_A) \
    I(ALU, PI_COUNTS, OP_INT_ADD, R_PREDICATE, R_PREDICATE, R_FLAG) \
    I(BRANCH, PI_COUNTS_BRANCH, R_PREDICATE) \
    I(LOAD, PI_LOAD_ETA, SPACE_GLOBAL, 4, R_ETA, R_ADDRESS) \
    I(ALU, PI_BAR_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_EB) \
    I(LOAD, PI_LOAD_BAR, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS_2) \
    I(LOAD, PI_LOAD_OWN_BAR, SPACE_GLOBAL, 1, R_FLAG_2, R_I) \
    I(LOAD, PI_LOAD_ETA_2, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS) \
    I(ALU, PI_NOT_ETA, OP_FP_ADD, R_TERM, R_ETA) \
    I(ALU, PI_TIMES_0, OP_FP_MUL, R_PI_0, R_PI_0, R_TERM) \
    I(ALU, PI_BAR_COMPARE, OP_INT_ADD, R_PREDICATE, R_FLAG, R_FLAG_2) \
    I(ALU, PI_NOT_ETA_2, OP_FP_ADD, R_TERM, R_SUM) \
    I(ALU, PI_TIMES_S, OP_FP_MUL, R_PI_S, R_PI_S, R_TERM, R_PREDICATE) \
    I(ALU, PI_TIMES_U, OP_FP_MUL, R_PI_U, R_PI_U, R_TERM, R_PREDICATE) \
    I(ALU, PI_NOT_U, OP_FP_ADD, R_TERM, R_PI_U) \
    I(ALU, PI_NOT_S, OP_FP_ADD, R_SUM, R_PI_S) \
    I(ALU, PI_U, OP_FP_MUL, R_TERM, R_TERM, R_PI_S) \
    I(ALU, PI_S, OP_FP_MUL, R_SUM, R_SUM, R_PI_U) \
    I(ALU, PI_RESULT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(STORE, PI_STORE_0, SPACE_GLOBAL, 4, R_PI_0, R_ADDRESS) \
    I(STORE, PI_STORE_U, SPACE_GLOBAL, 4, R_TERM, R_ADDRESS) \
    I(STORE, PI_STORE_S, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS) \
    I(ALU, PI_NEXT, OP_INT_ADD, R_I, R_I)
SIMT_CODE(sp_calc_pi, CALC_PI, .registers = 20);

/* The products over the variable's other clauses that are not satisfied. */
static void multiply(struct simt *s, const struct sp *k, int64_t first, const int32_t *j,
                     const int32_t *a, float *all, float *same, float *opposite) {
    int32_t start[SIMT_THREADS], length[SIMT_THREADS], eb[SIMT_THREADS], b[SIMT_THREADS];
    float eta[SIMT_THREADS], again[SIMT_THREADS];
    uint8_t sat[SIMT_THREADS], bar[SIMT_THREADS], own[SIMT_THREADS];
    struct simt_mask counts;
    int32_t i = 0;

    LOAD_ROW(s, PI, start, length, &k->var_row, j);
    simt_alus(s, PI_ONE_0, PI_ONE_U);
    SIMT_EACH(s, t) {
        all[t] = same[t] = opposite[t] = 1;
    }
    SIMT_LOOP(s, PI_LITERAL) {
        LOAD_NEXT_EDGE(s, PI, i, start, length, &k->var_edge, eb);
        simt_load(s, PI_LOAD_B, b, &k->clause_of, element_lane(eb));
        simt_alu(s, PI_B_ADDRESS);
        simt_load(s, PI_LOAD_B_SAT, sat, &k->clause_sat, element_lane(b));
        simt_alus(s, PI_OTHER, PI_COUNTS);
        SIMT_WHERE(s, counts, t, !sat[t] && b[t] != a[t]);
        SIMT_IF(s, PI_COUNTS_BRANCH, &counts) {
            simt_load(s, PI_LOAD_ETA, eta, &k->eta, element_lane(eb));
            simt_alu(s, PI_BAR_ADDRESS);
            simt_load(s, PI_LOAD_BAR, bar, &k->bar, element_lane(eb));
            simt_load(s, PI_LOAD_OWN_BAR, own, &k->bar, element_x(first, 1));
            simt_load(s, PI_LOAD_ETA_2, again, &k->eta, element_lane(eb));
            simt_alu(s, PI_NOT_ETA);
            SIMT_ALU(s, PI_TIMES_0, t) {
                all[t] *= 1 - eta[t];
            }
            simt_alus(s, PI_BAR_COMPARE, PI_NOT_ETA_2);
            SIMT_ALU(s, PI_TIMES_S, t) {
                same[t] = bar[t] == own[t] ? same[t] * (1 - again[t]) : same[t];
            }
            SIMT_ALU(s, PI_TIMES_U, t) {
                opposite[t] = bar[t] != own[t] ? opposite[t] * (1 - again[t]) : opposite[t];
            }
        }
        i++;
    }
}

static void calc_pi(struct simt *s, const void *arguments) {
    const struct sp *k = arguments;
    int64_t first = (int64_t)s->cta[0] * SP_BLOCK; /* edge of thread 0 */
    int32_t j[SIMT_THREADS], a[SIMT_THREADS];
    uint8_t clause_sat[SIMT_THREADS], var_sat[SIMT_THREADS];
    float all[SIMT_THREADS], same[SIMT_THREADS], opposite[SIMT_THREADS], u[SIMT_THREADS],
        v[SIMT_THREADS];
    struct simt_mask inside, open;

    simt_alu(s, PI_INDEX);
    SIMT_LOOP(s, PI_EACH) {
        EACH_HEAD(s, PI, inside, first, k->edges);
        simt_alu(s, PI_ADDRESS);
        simt_load(s, PI_LOAD_VAR, j, &k->var_of, element_x(first, 1));
        simt_load(s, PI_LOAD_CLAUSE, a, &k->clause_of, element_x(first, 1));
        simt_alu(s, PI_CLAUSE_SAT_ADDRESS);
        simt_load(s, PI_LOAD_CLAUSE_SAT, clause_sat, &k->clause_sat, element_lane(a));
        simt_alu(s, PI_VAR_SAT_ADDRESS);
        simt_load(s, PI_LOAD_VAR_SAT, var_sat, &k->var_sat, element_lane(j));
        simt_alu(s, PI_OPEN_COMPARE);
        SIMT_WHERE(s, open, t, !clause_sat[t] && !var_sat[t]);
        SIMT_IF(s, PI_OPEN_BRANCH, &open) {
            multiply(s, k, first, j, a, all, same, opposite);
            simt_alus(s, PI_NOT_U, PI_NOT_S);
            SIMT_ALU(s, PI_U, t) {
                u[t] = (1 - opposite[t]) * same[t];
            }
            SIMT_ALU(s, PI_S, t) {
                v[t] = (1 - same[t]) * opposite[t];
            }
            simt_alu(s, PI_RESULT_ADDRESS);
            simt_store(s, PI_STORE_0, all, &k->pi_0, element_x(first, 1));
            simt_store(s, PI_STORE_U, u, &k->pi_u, element_x(first, 1));
            simt_store(s, PI_STORE_S, v, &k->pi_s, element_x(first, 1));
        }
        simt_alu(s, PI_NEXT);
        first += SP_THREADS;
    }
}

/* --- update_eta: how strongly a clause warns its variable. --- */

#define UPDATE_ETA(I) \
    I(ALU, ETA_MAX_ZERO, OP_FP_ADD, R_MAX, REG_NONE) \
    EACH(I, ETA) \
    I(ALU, ETA_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, ETA_LOAD_CLAUSE, SPACE_GLOBAL, 4, R_J, R_ADDRESS) \
    I(LOAD, ETA_LOAD_VAR, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(ALU, ETA_CLAUSE_SAT_ADDRESS, OP_INT_ADD, R_ADDRESS, R_J) \
    I(LOAD, ETA_LOAD_CLAUSE_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS) \
    I(ALU, ETA_VAR_SAT_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_A) \
    I(LOAD, ETA_LOAD_VAR_SAT, SPACE_GLOBAL, 1, R_FLAG_2, R_ADDRESS_2) \
    I(ALU, ETA_OPEN_COMPARE, OP_INT_ADD, R_PREDICATE, R_FLAG, R_FLAG_2) \
    I(BRANCH, ETA_OPEN_BRANCH, R_PREDICATE) \
    ROW(I, ETA) \
    I(ALU, ETA_ONE, OP_FP_ADD, R_ETA, REG_NONE) \
    NEXT_EDGE(I, ETA) \
    I(LOAD, ETA_LOAD_OTHER, SPACE_GLOBAL, 4, R_B, R_ADDRESS) \
    I(ALU, ETA_OTHER_COMPARE, OP_INT_ADD, R_PREDICATE, R_B, R_A) \
    I(BRANCH, ETA_OTHER_BRANCH, R_PREDICATE) \
    I(ALU, ETA_OTHER_SAT_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_B) \
    I(LOAD, ETA_LOAD_OTHER_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS_2) \
    I(ALU, ETA_OTHER_SAT_COMPARE, OP_INT_ADD, R_PREDICATE, R_FLAG) \
    I(BRANCH, ETA_OTHER_SAT_BRANCH, R_PREDICATE) \
    I(LOAD, ETA_LOAD_0, SPACE_GLOBAL, 4, R_PI_0, R_ADDRESS) \
    I(LOAD, ETA_LOAD_S, SPACE_GLOBAL, 4, R_PI_S, R_ADDRESS) \
    I(LOAD, ETA_LOAD_U, SPACE_GLOBAL, 4, R_PI_U, R_ADDRESS) \
    I(ALU, ETA_SUM, OP_FP_ADD, R_SUM, R_PI_0, R_PI_S) \
    I(ALU, ETA_SUM_2, OP_FP_ADD, R_SUM, R_SUM, R_PI_U) \
    I(ALU, ETA_DIVIDE, OP_FP_DIV, R_TERM, R_PI_U, R_SUM) \
    I(ALU, ETA_TIMES, OP_FP_MUL, R_ETA, R_ETA, R_TERM) \
    I(ALU, ETA_OLD_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, ETA_LOAD_OLD, SPACE_GLOBAL, 4, R_TERM, R_ADDRESS) \
    I(ALU, ETA_DIFFERENCE, OP_FP_ADD, R_TERM, R_TERM, R_ETA) \
    I(ALU, ETA_MAX, OP_FP_MAX, R_MAX, R_MAX, R_TERM) \
    I(STORE, ETA_STORE, SPACE_GLOBAL, 4, R_ETA, R_ADDRESS) \
    I(ALU, ETA_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, ETA_CHANGED_COMPARE, OP_FP_ADD, R_PREDICATE, R_MAX) \
    I(BRANCH, ETA_CHANGED_BRANCH, R_PREDICATE) \
    I(ALU, ETA_MAX_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(ATOMIC, ETA_ATOMIC_MAX, REG_NONE, R_ADDRESS, R_MAX)
SIMT_CODE(sp_update_eta, UPDATE_ETA, .registers = 20);

/* The product over the clause's other variables that have no value. */
static void warn(struct simt *s, const struct sp *k, const int32_t *a, const int32_t *i,
                 float *eta) {
    int32_t start[SIMT_THREADS], length[SIMT_THREADS], je[SIMT_THREADS], j[SIMT_THREADS];
    float p0[SIMT_THREADS], ps[SIMT_THREADS], pu[SIMT_THREADS];
    uint8_t sat[SIMT_THREADS];
    struct simt_mask other, open;
    int32_t n = 0;

    LOAD_ROW(s, ETA, start, length, &k->clause_row, a);
    SIMT_ALU(s, ETA_ONE, t) {
        eta[t] = 1;
    }
    SIMT_LOOP(s, ETA_LITERAL) {
        LOAD_NEXT_EDGE(s, ETA, n, start, length, &k->clause_edge, je);
        simt_load(s, ETA_LOAD_OTHER, j, &k->var_of, element_lane(je));
        simt_alu(s, ETA_OTHER_COMPARE);
        SIMT_WHERE(s, other, t, j[t] != i[t]);
        SIMT_IF(s, ETA_OTHER_BRANCH, &other) {
            simt_alu(s, ETA_OTHER_SAT_ADDRESS);
            simt_load(s, ETA_LOAD_OTHER_SAT, sat, &k->var_sat, element_lane(j));
            simt_alu(s, ETA_OTHER_SAT_COMPARE);
            SIMT_WHERE(s, open, t, !sat[t]);
            SIMT_IF(s, ETA_OTHER_SAT_BRANCH, &open) {
                simt_load(s, ETA_LOAD_0, p0, &k->pi_0, element_lane(je));
                simt_load(s, ETA_LOAD_S, ps, &k->pi_s, element_lane(je));
                simt_load(s, ETA_LOAD_U, pu, &k->pi_u, element_lane(je));
                simt_alus(s, ETA_SUM, ETA_DIVIDE);
                SIMT_ALU(s, ETA_TIMES, t) {
                    eta[t] *= pu[t] / (p0[t] + ps[t] + pu[t]);
                }
            }
        }
        n++;
    }
}

static void update_eta(struct simt *s, const void *arguments) {
    const struct sp *k = arguments;
    int64_t first = (int64_t)s->cta[0] * SP_BLOCK; /* edge of thread 0 */
    int32_t a[SIMT_THREADS], i[SIMT_THREADS], bits[SIMT_THREADS];
    uint8_t clause_sat[SIMT_THREADS], var_sat[SIMT_THREADS];
    float eta[SIMT_THREADS], old[SIMT_THREADS], max[SIMT_THREADS] = {0};
    struct simt_mask inside, open, changed;

    simt_alus(s, ETA_MAX_ZERO, ETA_INDEX);
    SIMT_LOOP(s, ETA_EACH) {
        EACH_HEAD(s, ETA, inside, first, k->edges);
        simt_alu(s, ETA_ADDRESS);
        simt_load(s, ETA_LOAD_CLAUSE, a, &k->clause_of, element_x(first, 1));
        simt_load(s, ETA_LOAD_VAR, i, &k->var_of, element_x(first, 1));
        simt_alu(s, ETA_CLAUSE_SAT_ADDRESS);
        simt_load(s, ETA_LOAD_CLAUSE_SAT, clause_sat, &k->clause_sat, element_lane(a));
        simt_alu(s, ETA_VAR_SAT_ADDRESS);
        simt_load(s, ETA_LOAD_VAR_SAT, var_sat, &k->var_sat, element_lane(i));
        simt_alu(s, ETA_OPEN_COMPARE);
        SIMT_WHERE(s, open, t, !clause_sat[t] && !var_sat[t]);
        SIMT_IF(s, ETA_OPEN_BRANCH, &open) {
            warn(s, k, a, i, eta);
            simt_alu(s, ETA_OLD_ADDRESS);
            simt_load(s, ETA_LOAD_OLD, old, &k->eta, element_x(first, 1));
            simt_alu(s, ETA_DIFFERENCE);
            SIMT_ALU(s, ETA_MAX, t) {
                const float difference = fabsf(eta[t] - old[t]);
                max[t] = difference > max[t] ? difference : max[t];
            }
            simt_store(s, ETA_STORE, eta, &k->eta, element_x(first, 1));
        }
        simt_alu(s, ETA_NEXT);
        first += SP_THREADS;
    }
    simt_alu(s, ETA_CHANGED_COMPARE);
    SIMT_WHERE(s, changed, t, max[t] > 0);
    SIMT_IF(s, ETA_CHANGED_BRANCH, &changed) {
        simt_alu(s, ETA_MAX_ADDRESS);
        memcpy(bits, max, sizeof bits); /* of positive floats, in the same order */
        simt_atomic(s, ETA_ATOMIC_MAX, SIMT_MAX, NULL, bits, NULL, &k->max_eps, element_at(0));
    }
}

const struct host_launch sp_pi = {.launch = {&sp_calc_pi_code, {SP_CTAS, 1, 1}, {SP_BLOCK, 1, 1}},
                                  .kernel = calc_pi};
const struct host_launch sp_eta = {
    .launch = {&sp_update_eta_code, {SP_CTAS, 1, 1}, {SP_BLOCK, 1, 1}}, .kernel = update_eta};
