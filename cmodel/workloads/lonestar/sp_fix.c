/* SPDX-License-Identifier: Apache-2.0
 *
 * The second half of a round of LonestarGPU sp: computes the variables' biases, and fixes the
 * variables with the highest.
 */
#include <math.h>
#include <string.h>

#include "workloads/lonestar/sp_code.h"

/* --- update_bias. --- */

#define UPDATE_BIAS(I) \
    I(ALU, BIAS_SUM_ZERO, OP_FP_ADD, R_MAX, REG_NONE) \
    EACH(I, BIAS) \
    I(ALU, BIAS_SAT_ADDRESS, OP_INT_ADD, R_ADDRESS, R_I) \
    I(LOAD, BIAS_LOAD_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS) \
    I(ALU, BIAS_OPEN_COMPARE, OP_INT_ADD, R_PREDICATE, R_FLAG) \
    I(BRANCH, BIAS_OPEN_BRANCH, R_PREDICATE) \
    I(ALU, BIAS_VARIABLE, OP_INT_ADD, R_J, R_I) \
    ROW(I, BIAS) \
    I(ALU, BIAS_ONE_0, OP_FP_ADD, R_PI_0, REG_NONE) \
    I(ALU, BIAS_ONE_P, OP_FP_ADD, R_PI_S, REG_NONE) \
    I(ALU, BIAS_ONE_N, OP_FP_ADD, R_PI_U, REG_NONE) \
    NEXT_EDGE(I, BIAS) \
    I(LOAD, BIAS_LOAD_B, SPACE_GLOBAL, 4, R_B, R_ADDRESS) \
    I(ALU, BIAS_B_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_B) \
    I(LOAD, BIAS_LOAD_B_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS_2) \
    I(ALU, BIAS_COUNTS, OP_INT_ADD, R_PREDICATE, R_FLAG) \
    I(BRANCH, BIAS_COUNTS_BRANCH, R_PREDICATE) \
    I(LOAD, BIAS_LOAD_ETA, SPACE_GLOBAL, 4, R_ETA, R_ADDRESS) \
    I(ALU, BIAS_BAR_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_EB) \
    I(LOAD, BIAS_LOAD_BAR, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS_2) \
    I(LOAD, BIAS_LOAD_ETA_2, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS) \
    I(ALU, BIAS_NOT_ETA, OP_FP_ADD, R_TERM, R_ETA) \
    I(ALU, BIAS_TIMES_0, OP_FP_MUL, R_PI_0, R_PI_0, R_TERM) \
    I(ALU, BIAS_BAR_COMPARE, OP_INT_ADD, R_PREDICATE, R_FLAG) \
    I(ALU, BIAS_NOT_ETA_2, OP_FP_ADD, R_TERM, R_SUM) \
    I(ALU, BIAS_TIMES_P, OP_FP_MUL, R_PI_S, R_PI_S, R_TERM, R_PREDICATE) \
    I(ALU, BIAS_TIMES_N, OP_FP_MUL, R_PI_U, R_PI_U, R_TERM, R_PREDICATE) \
    I(ALU, BIAS_NOT_P, OP_FP_ADD, R_TERM, R_PI_S) \
    I(ALU, BIAS_NOT_N, OP_FP_ADD, R_SUM, R_PI_U) \
    I(ALU, BIAS_PLUS, OP_FP_MUL, R_PI_U, R_TERM, R_PI_U) \
    I(ALU, BIAS_MINUS, OP_FP_MUL, R_PI_S, R_SUM, R_PI_S) \
    I(ALU, BIAS_TOTAL, OP_FP_ADD, R_SUM, R_PI_S, R_PI_U) \
    I(ALU, BIAS_TOTAL_2, OP_FP_ADD, R_SUM, R_SUM, R_PI_0) \
    I(ALU, BIAS_DIVIDE_P, OP_FP_DIV, R_PI_U, R_PI_U, R_SUM) \
    I(ALU, BIAS_DIVIDE_N, OP_FP_DIV, R_PI_S, R_PI_S, R_SUM) \
    I(ALU, BIAS_DIFFERENCE, OP_FP_ADD, R_TERM, R_PI_U, R_PI_S) \
    I(ALU, BIAS_VALUE, OP_FP_ADD, R_FLAG, R_PI_U, R_PI_S) \
    I(ALU, BIAS_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(STORE, BIAS_STORE, SPACE_GLOBAL, 4, R_TERM, R_ADDRESS) \
    I(STORE, BIAS_STORE_VALUE, SPACE_GLOBAL, 1, R_FLAG, R_I) \
    I(ALU, BIAS_ONE, OP_INT_ADD, R_AT, REG_NONE) \
    I(ATOMIC, BIAS_ATOMIC_LENGTH, R_START, R_AT, R_AT) \
    I(ALU, BIAS_PLACE, OP_INT_MAD, R_ADDRESS_2, R_START) \
    I(LOAD, BIAS_LOAD, SPACE_GLOBAL, 4, R_TERM, R_ADDRESS) \
    I(STORE, BIAS_STORE_LIST, SPACE_GLOBAL, 4, R_TERM, R_ADDRESS_2) \
    I(STORE, BIAS_STORE_VAR, SPACE_GLOBAL, 4, R_I, R_ADDRESS_2) \
    I(ALU, BIAS_ADD, OP_FP_ADD, R_MAX, R_MAX, R_TERM) \
    I(ALU, BIAS_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, BIAS_SHARED_ADDRESS, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    I(STORE, BIAS_STORE_SUM, SPACE_SHARED, 4, R_MAX, R_ADDRESS) \
    I(BARRIER, BIAS_ALL_STORED) \
    I(LOOP, BIAS_TREE) \
    I(ALU, BIAS_TREE_COMPARE, OP_INT_ADD, R_PREDICATE, R_ADDRESS) \
    I(BRANCH, BIAS_TREE_BRANCH, R_PREDICATE) \
    I(LOAD, BIAS_LOAD_OTHER, SPACE_SHARED, 4, R_TERM, R_ADDRESS) \
    I(ALU, BIAS_ADD_OTHER, OP_FP_ADD, R_MAX, R_MAX, R_TERM) \
    I(STORE, BIAS_STORE_BOTH, SPACE_SHARED, 4, R_MAX, R_ADDRESS) \
    I(BARRIER, BIAS_ALL_ADDED) \
    I(ALU, BIAS_HALF, OP_INT_ADD, R_AT, R_AT) \
    I(BRANCH, BIAS_TREE_NEXT, R_AT) \
    I(ALU, BIAS_FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_ADDRESS) \
    I(BRANCH, BIAS_FIRST_BRANCH, R_PREDICATE) \
    I(ATOMIC, BIAS_ATOMIC_SUM, REG_NONE, R_ADDRESS, R_MAX)
SIMT_CODE(sp_update_bias, UPDATE_BIAS, .registers = 20, .shared_bytes = SP_BLOCK * sizeof(float));

/* The products over the variable's clauses that are not satisfied. */
static void weigh(struct simt *s, const struct sp *k, const int32_t *v, float *all, float *plus,
                  float *minus) {
    int32_t start[SIMT_THREADS], length[SIMT_THREADS], e[SIMT_THREADS], b[SIMT_THREADS];
    float eta[SIMT_THREADS], again[SIMT_THREADS];
    uint8_t sat[SIMT_THREADS], bar[SIMT_THREADS];
    struct simt_mask counts;
    int32_t i = 0;

    LOAD_ROW(s, BIAS, start, length, &k->var_row, v);
    simt_alus(s, BIAS_ONE_0, BIAS_ONE_N);
    SIMT_EACH(s, t) {
        all[t] = plus[t] = minus[t] = 1;
    }
    SIMT_LOOP(s, BIAS_LITERAL) {
        LOAD_NEXT_EDGE(s, BIAS, i, start, length, &k->var_edge, e);
        simt_load(s, BIAS_LOAD_B, b, &k->clause_of, element_lane(e));
        simt_alu(s, BIAS_B_ADDRESS);
        simt_load(s, BIAS_LOAD_B_SAT, sat, &k->clause_sat, element_lane(b));
        simt_alu(s, BIAS_COUNTS);
        SIMT_WHERE(s, counts, t, !sat[t]);
        SIMT_IF(s, BIAS_COUNTS_BRANCH, &counts) {
            simt_load(s, BIAS_LOAD_ETA, eta, &k->eta, element_lane(e));
            simt_alu(s, BIAS_BAR_ADDRESS);
            simt_load(s, BIAS_LOAD_BAR, bar, &k->bar, element_lane(e));
            simt_load(s, BIAS_LOAD_ETA_2, again, &k->eta, element_lane(e));
            simt_alu(s, BIAS_NOT_ETA);
            SIMT_ALU(s, BIAS_TIMES_0, t) {
                all[t] *= 1 - eta[t];
            }
            simt_alus(s, BIAS_BAR_COMPARE, BIAS_NOT_ETA_2);
            SIMT_ALU(s, BIAS_TIMES_P, t) {
                plus[t] = bar[t] ? plus[t] : plus[t] * (1 - again[t]);
            }
            SIMT_ALU(s, BIAS_TIMES_N, t) {
                minus[t] = bar[t] ? minus[t] * (1 - again[t]) : minus[t];
            }
        }
        i++;
    }
}

/* One float more in a sum: atomicAdd of a float, which is an exchange with what the sum becomes as
 * long as one lane does it, and one CTA at a time. */
static void add_to_sum(struct simt *s, const struct sp *k, const float *value) {
    int32_t sum[SIMT_THREADS];
    SIMT_EACH(s, t) {
        const float total = *(const float *)k->bias_sum.data + value[t];
        memcpy(&sum[t], &total, sizeof total);
    }
    simt_atomic(s, BIAS_ATOMIC_SUM, SIMT_EXCHANGE, NULL, sum, NULL, &k->bias_sum, element_at(0));
}

/* The CTA's sum, pairs of threads that are 256, 128, ... 1 apart. */
static void add_up(struct simt *s, const struct sp *k, float *sum) {
    struct buffer shared = simt_shared(s, 0, SP_BLOCK, sizeof(float));
    float other[SIMT_THREADS];
    struct simt_mask mine;

    simt_alu(s, BIAS_SHARED_ADDRESS);
    simt_store(s, BIAS_STORE_SUM, sum, &shared, element_x(0, 1));
    simt_barrier(s, BIAS_ALL_STORED);
    SIMT_FOR(s, BIAS_TREE, i, 9) {
        const unsigned apart = 256u >> i;
        simt_alu(s, BIAS_TREE_COMPARE);
        SIMT_WHERE(s, mine, t, t < apart && t + apart < SP_BLOCK);
        SIMT_IF(s, BIAS_TREE_BRANCH, &mine) {
            simt_load(s, BIAS_LOAD_OTHER, other, &shared, element_x(apart, 1));
            SIMT_ALU(s, BIAS_ADD_OTHER, t) {
                sum[t] += other[t];
            }
            simt_store(s, BIAS_STORE_BOTH, sum, &shared, element_x(0, 1));
        }
        simt_barrier(s, BIAS_ALL_ADDED);
        simt_alus(s, BIAS_HALF, BIAS_TREE_NEXT);
    }
    simt_alu(s, BIAS_FIRST_COMPARE);
    SIMT_WHERE(s, mine, t, t == 0);
    SIMT_IF(s, BIAS_FIRST_BRANCH, &mine) {
        add_to_sum(s, k, sum);
    }
}

static void update_bias(struct simt *s, const void *arguments) {
    const struct sp *k = arguments;
    int64_t first = (int64_t)s->cta[0] * SP_BLOCK; /* variable of thread 0 */
    int32_t v[SIMT_THREADS], one[SIMT_THREADS], place[SIMT_THREADS];
    uint8_t sat[SIMT_THREADS], value[SIMT_THREADS];
    float all[SIMT_THREADS], plus[SIMT_THREADS], minus[SIMT_THREADS], bias[SIMT_THREADS],
        sum[SIMT_THREADS] = {0};
    struct simt_mask inside, open;

    simt_alus(s, BIAS_SUM_ZERO, BIAS_INDEX);
    SIMT_LOOP(s, BIAS_EACH) {
        EACH_HEAD(s, BIAS, inside, first, k->variables);
        simt_alu(s, BIAS_SAT_ADDRESS);
        simt_load(s, BIAS_LOAD_SAT, sat, &k->var_sat, element_x(first, 1));
        simt_alu(s, BIAS_OPEN_COMPARE);
        SIMT_WHERE(s, open, t, !sat[t]);
        SIMT_IF(s, BIAS_OPEN_BRANCH, &open) {
            SIMT_ALU(s, BIAS_VARIABLE, t) {
                v[t] = (int32_t)(first + t);
                one[t] = 1;
            }
            weigh(s, k, v, all, plus, minus);
            simt_alus(s, BIAS_NOT_P, BIAS_DIVIDE_N);
            SIMT_ALU(s, BIAS_DIFFERENCE, t) {
                const float p = (1 - plus[t]) * minus[t], n = (1 - minus[t]) * plus[t];
                const float total = p + n + all[t];
                bias[t] = fabsf(p / total - n / total);
                value[t] = p / total > n / total;
            }
            simt_alus(s, BIAS_VALUE, BIAS_ADDRESS);
            simt_store(s, BIAS_STORE, bias, &k->bias, element_x(first, 1));
            simt_store(s, BIAS_STORE_VALUE, value, &k->value, element_x(first, 1));
            simt_alu(s, BIAS_ONE);
            simt_atomic(s, BIAS_ATOMIC_LENGTH, SIMT_ADD, place, one, NULL, &k->bias_length,
                        element_at(0));
            simt_alu(s, BIAS_PLACE);
            simt_load(s, BIAS_LOAD, bias, &k->bias, element_x(first, 1));
            simt_store(s, BIAS_STORE_LIST, bias, &k->list_bias, element_lane(place));
            simt_store(s, BIAS_STORE_VAR, v, &k->list_var, element_lane(place));
            SIMT_ALU(s, BIAS_ADD, t) {
                sum[t] += bias[t];
            }
        }
        simt_alu(s, BIAS_NEXT);
        first += SP_THREADS;
    }
    add_up(s, k, sum);
}

const struct host_launch sp_bias = {
    .launch = {&sp_update_bias_code, {SP_CTAS, 1, 1}, {SP_BLOCK, 1, 1}}, .kernel = update_bias};

/* --- decimate: a variable of the list gets its value, clauses that it satisfies are done. --- */

#define DECIMATE(I) \
    EACH(I, FIX) \
    I(ALU, FIX_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, FIX_LOAD_VAR, SPACE_GLOBAL, 4, R_J, R_ADDRESS) \
    I(ALU, FIX_ONE, OP_INT_ADD, R_FLAG, REG_NONE) \
    I(ALU, FIX_SAT_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_J) \
    I(STORE, FIX_STORE_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS_2) \
    ROW(I, FIX) \
    NEXT_EDGE(I, FIX) \
    I(LOAD, FIX_LOAD_B, SPACE_GLOBAL, 4, R_B, R_ADDRESS) \
    I(ALU, FIX_B_ADDRESS, OP_INT_ADD, R_ADDRESS_2, R_B) \
    I(LOAD, FIX_LOAD_B_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS_2) \
    I(ALU, FIX_COUNTS, OP_INT_ADD, R_PREDICATE, R_FLAG) \
    I(BRANCH, FIX_COUNTS_BRANCH, R_PREDICATE) \
    I(LOAD, FIX_LOAD_BAR, SPACE_GLOBAL, 1, R_FLAG, R_EB) \
    I(LOAD, FIX_LOAD_VALUE, SPACE_GLOBAL, 1, R_FLAG_2, R_J) \
    I(ALU, FIX_TRUE, OP_INT_ADD, R_PREDICATE, R_FLAG, R_FLAG_2) \
    I(BRANCH, FIX_TRUE_BRANCH, R_PREDICATE) \
    I(ALU, FIX_B_ONE, OP_INT_ADD, R_FLAG, REG_NONE) \
    I(STORE, FIX_STORE_B_SAT, SPACE_GLOBAL, 1, R_FLAG, R_ADDRESS_2) \
    I(ALU, FIX_NEXT, OP_INT_ADD, R_I, R_I)
SIMT_CODE(sp_decimate, DECIMATE, .registers = 20);

static void satisfy(struct simt *s, const struct sp *k, const int32_t *v) {
    int32_t start[SIMT_THREADS], length[SIMT_THREADS], e[SIMT_THREADS], b[SIMT_THREADS];
    uint8_t sat[SIMT_THREADS], bar[SIMT_THREADS], value[SIMT_THREADS], one[SIMT_THREADS];
    struct simt_mask counts, is_true;
    int32_t i = 0;
    memset(one, 1, sizeof one);

    LOAD_ROW(s, FIX, start, length, &k->var_row, v);
    SIMT_LOOP(s, FIX_LITERAL) {
        LOAD_NEXT_EDGE(s, FIX, i, start, length, &k->var_edge, e);
        simt_load(s, FIX_LOAD_B, b, &k->clause_of, element_lane(e));
        simt_alu(s, FIX_B_ADDRESS);
        simt_load(s, FIX_LOAD_B_SAT, sat, &k->clause_sat, element_lane(b));
        simt_alu(s, FIX_COUNTS);
        SIMT_WHERE(s, counts, t, !sat[t]);
        SIMT_IF(s, FIX_COUNTS_BRANCH, &counts) {
            simt_load(s, FIX_LOAD_BAR, bar, &k->bar, element_lane(e));
            simt_load(s, FIX_LOAD_VALUE, value, &k->value, element_lane(v));
            simt_alu(s, FIX_TRUE);
            SIMT_WHERE(s, is_true, t, bar[t] != value[t]);
            SIMT_IF(s, FIX_TRUE_BRANCH, &is_true) {
                simt_alu(s, FIX_B_ONE);
                simt_store(s, FIX_STORE_B_SAT, one, &k->clause_sat, element_lane(b));
            }
        }
        i++;
    }
}

static void decimate(struct simt *s, const void *arguments) {
    const struct sp *k = arguments;
    int64_t first = (int64_t)s->cta[0] * SP_BLOCK; /* place of thread 0 */
    int32_t v[SIMT_THREADS];
    uint8_t one[SIMT_THREADS];
    struct simt_mask inside;
    memset(one, 1, sizeof one);

    simt_alu(s, FIX_INDEX);
    SIMT_LOOP(s, FIX_EACH) {
        EACH_HEAD(s, FIX, inside, first, k->fix_count);
        simt_alu(s, FIX_ADDRESS);
        simt_load(s, FIX_LOAD_VAR, v, &k->list_var, element_x(k->fix_first + first, 1));
        simt_alus(s, FIX_ONE, FIX_SAT_ADDRESS);
        simt_store(s, FIX_STORE_SAT, one, &k->var_sat, element_lane(v));
        satisfy(s, k, v);
        simt_alu(s, FIX_NEXT);
        first += SP_THREADS;
    }
}

const struct host_launch sp_decimate = {
    .launch = {&sp_decimate_code, {SP_CTAS, 1, 1}, {SP_BLOCK, 1, 1}}, .kernel = decimate};
