/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/rodinia/backprop.h"

#define HIDDEN BACKPROP_HIDDEN
#define ROW BACKPROP_ROW
#define ROWS BACKPROP_ROWS

enum {
    R_INDEX,
    R_IS_FIRST,
    R_INPUT,
    R_W_ADDRESS,
    R_W,
    R_ADDRESS,
    R_A,
    R_B,
    R_POWER,
    R_PREDICATE,
    R_DELTA,
    R_OLD,
    R_DP_DELTA, /* and the others' doubles */
    R_DP_INPUT,
    R_DP_OLD,
    R_DP_W,
    R_DP_STEP
};

/* --- Forward. --- */

#define FORWARD(I) \
    I(ALU, F_INDEX, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(ALU, F_IS_FIRST, OP_INT_ADD, R_IS_FIRST, R_INDEX) \
    I(BRANCH, F_FIRST, R_IS_FIRST) \
    I(LOAD, F_LOAD_INPUT, SPACE_GLOBAL, 4, R_INPUT, R_INDEX) \
    I(STORE, F_STORE_NODE, SPACE_SHARED, 4, R_INPUT, R_INDEX) \
    I(BARRIER, F_INPUT_READY) \
    I(ALU, F_W_ADDRESS, OP_INT_MAD, R_W_ADDRESS, R_W_ADDRESS, R_INDEX) \
    I(LOAD, F_LOAD_W, SPACE_GLOBAL, 4, R_W, R_W_ADDRESS) \
    I(ALU, F_M_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ADDRESS, R_INDEX) \
    I(STORE, F_STORE_M, SPACE_SHARED, 4, R_W, R_ADDRESS) \
    I(BARRIER, F_M_READY) \
    I(ALU, F_NODE_ADDRESS, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(LOAD, F_LOAD_M, SPACE_SHARED, 4, R_A, R_ADDRESS) \
    I(LOAD, F_LOAD_NODE, SPACE_SHARED, 4, R_B, R_INDEX) \
    I(ALU, F_MUL, OP_FP_MUL, R_A, R_A, R_B) \
    I(STORE, F_STORE_PRODUCT, SPACE_SHARED, 4, R_A, R_ADDRESS) \
    I(BARRIER, F_PRODUCT_READY) \
    I(LOOP, F_LOOP) \
    I(ALU, F_POWER, OP_INT_MAD, R_POWER, R_POWER) \
    I(ALU, F_COMPARE, OP_INT_ADD, R_PREDICATE, R_POWER) \
    I(BRANCH, F_BRANCH, R_PREDICATE) \
    I(LOAD, F_LOAD_A, SPACE_SHARED, 4, R_A, R_ADDRESS) \
    I(LOAD, F_LOAD_B, SPACE_SHARED, 4, R_B, R_POWER) \
    I(ALU, F_ADD, OP_FP_ADD, R_A, R_A, R_B) \
    I(STORE, F_STORE_SUM, SPACE_SHARED, 4, R_A, R_ADDRESS) \
    I(BARRIER, F_SUM_READY) \
    I(ALU, F_LOOP_COMPARE, OP_INT_ADD, R_PREDICATE, R_POWER) \
    I(BRANCH, F_LOOP_BRANCH, R_PREDICATE) \
    I(LOAD, F_LOAD_LAST, SPACE_SHARED, 4, R_A, R_ADDRESS) \
    I(STORE, F_STORE_W, SPACE_GLOBAL, 4, R_A, R_W_ADDRESS) \
    I(BARRIER, F_W_STORED) \
    I(BRANCH, F_PARTIAL, R_IS_FIRST) \
    I(LOAD, F_LOAD_PARTIAL, SPACE_SHARED, 4, R_A, R_INDEX) \
    I(STORE, F_STORE_PARTIAL, SPACE_GLOBAL, 4, R_A, R_INDEX)
SIMT_CODE(backprop_forward, FORWARD, .registers = 20,
          .shared_bytes = (ROWS + ROWS * HIDDEN) * sizeof(float));

static void forward(struct simt *s, const void *arguments) {
    const struct backprop *k = arguments;
    const int64_t cta = s->cta[1];
    const struct element w = element_xy(BACKPROP_FIRST(cta), 1, ROW);
    const struct element m = element_xy(0, 1, HIDDEN);
    const struct buffer node = simt_shared(s, 0, ROWS, sizeof(float));
    const struct buffer tree = simt_shared(s, ROWS * sizeof(float), ROWS * HIDDEN, sizeof(float));
    float a[SIMT_THREADS], b[SIMT_THREADS];
    struct simt_mask first, even;

    simt_work(s, F_INDEX, 5);
    simt_alu(s, F_IS_FIRST);
    SIMT_WHERE(s, first, t, s->x[t] == 0);
    SIMT_IF(s, F_FIRST, &first) {
        simt_load(s, F_LOAD_INPUT, a, &k->input, element_xy(ROWS * cta + 1, 0, 1));
        simt_store(s, F_STORE_NODE, a, &node, element_xy(0, 0, 1));
    }
    simt_barrier(s, F_INPUT_READY);
    simt_work(s, F_W_ADDRESS, 4);
    simt_load(s, F_LOAD_W, a, &k->w, w);
    simt_work(s, F_M_ADDRESS, 4);
    simt_store(s, F_STORE_M, a, &tree, m);
    simt_barrier(s, F_M_READY);
    simt_work(s, F_NODE_ADDRESS, 4);
    simt_load(s, F_LOAD_M, a, &tree, m);
    simt_load(s, F_LOAD_NODE, b, &node, element_xy(0, 0, 1));
    SIMT_ALU(s, F_MUL, t) {
        a[t] *= b[t];
    }
    simt_store(s, F_STORE_PRODUCT, a, &tree, m);
    simt_barrier(s, F_PRODUCT_READY);
    SIMT_FOR(s, F_LOOP, i, 4) {
        const unsigned power = 2u << i;
        simt_work(s, F_POWER, 4);
        simt_alu(s, F_COMPARE);
        SIMT_WHERE(s, even, t, s->y[t] % power == 0);
        SIMT_IF(s, F_BRANCH, &even) {
            simt_load(s, F_LOAD_A, a, &tree, m);
            simt_load(s, F_LOAD_B, b, &tree, element_xy(HIDDEN * power / 2, 1, HIDDEN));
            SIMT_ALU(s, F_ADD, t) {
                a[t] += b[t];
            }
            simt_store(s, F_STORE_SUM, a, &tree, m);
        }
        simt_barrier(s, F_SUM_READY);
        simt_alus(s, F_LOOP_COMPARE, F_LOOP_BRANCH);
    }
    simt_load(s, F_LOAD_LAST, a, &tree, m);
    simt_store(s, F_STORE_W, a, &k->w, w);
    simt_barrier(s, F_W_STORED);
    SIMT_IF(s, F_PARTIAL, &first) {
        simt_load(s, F_LOAD_PARTIAL, a, &tree, element_xy(0, 0, 1));
        simt_store(s, F_STORE_PARTIAL, a, &k->partial, element_xy(HIDDEN * cta, 0, 1));
    }
}

#define UNSHARED(I) \
    I(ALU, U_INDEX, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(ALU, U_W_ADDRESS, OP_INT_MAD, R_W_ADDRESS, R_W_ADDRESS, R_INDEX) \
    I(LOAD, U_LOAD_W, SPACE_GLOBAL, 4, R_A, R_W_ADDRESS) \
    I(LOAD, U_LOAD_INPUT, SPACE_GLOBAL, 4, R_B, R_INDEX) \
    I(ALU, U_MUL, OP_FP_MUL, R_A, R_A, R_B) \
    I(STORE, U_STORE_PRODUCT, SPACE_GLOBAL, 4, R_A, R_W_ADDRESS) \
    I(BARRIER, U_PRODUCT_READY) \
    I(LOOP, U_LOOP) \
    I(ALU, U_POWER, OP_INT_MAD, R_POWER, R_POWER) \
    I(ALU, U_COMPARE, OP_INT_ADD, R_PREDICATE, R_POWER) \
    I(BRANCH, U_BRANCH, R_PREDICATE) \
    I(LOAD, U_LOAD_A, SPACE_GLOBAL, 4, R_A, R_W_ADDRESS) \
    I(LOAD, U_LOAD_B, SPACE_GLOBAL, 4, R_B, R_POWER) \
    I(ALU, U_ADD, OP_FP_ADD, R_A, R_A, R_B) \
    I(STORE, U_STORE_SUM, SPACE_GLOBAL, 4, R_A, R_W_ADDRESS) \
    I(BARRIER, U_SUM_READY) \
    I(ALU, U_LOOP_COMPARE, OP_INT_ADD, R_PREDICATE, R_POWER) \
    I(BRANCH, U_LOOP_BRANCH, R_PREDICATE) \
    I(ALU, U_IS_FIRST, OP_INT_ADD, R_IS_FIRST, R_INDEX) \
    I(BRANCH, U_PARTIAL, R_IS_FIRST) \
    I(LOAD, U_LOAD_PARTIAL, SPACE_GLOBAL, 4, R_A, R_INDEX) \
    I(STORE, U_STORE_PARTIAL, SPACE_GLOBAL, 4, R_A, R_INDEX)
SIMT_CODE(backprop_forward_unshared, UNSHARED, .registers = 20);

static void forward_unshared(struct simt *s, const void *arguments) {
    const struct backprop *k = arguments;
    const int64_t cta = s->cta[1], corner = BACKPROP_FIRST(cta);
    const struct element w = element_xy(corner, 1, ROW);
    float a[SIMT_THREADS], b[SIMT_THREADS];
    struct simt_mask first, even;

    simt_work(s, U_INDEX, 5);
    simt_work(s, U_W_ADDRESS, 4);
    simt_load(s, U_LOAD_W, a, &k->w, w);
    simt_load(s, U_LOAD_INPUT, b, &k->input, element_xy(ROWS * cta + 1, 0, 1));
    SIMT_ALU(s, U_MUL, t) {
        a[t] *= b[t];
    }
    simt_store(s, U_STORE_PRODUCT, a, &k->w, w);
    simt_barrier(s, U_PRODUCT_READY);
    SIMT_FOR(s, U_LOOP, i, 4) {
        const unsigned power = 2u << i;
        simt_work(s, U_POWER, 4);
        simt_alu(s, U_COMPARE);
        SIMT_WHERE(s, even, t, s->y[t] % power == 0);
        SIMT_IF(s, U_BRANCH, &even) {
            simt_load(s, U_LOAD_A, a, &k->w, w);
            simt_load(s, U_LOAD_B, b, &k->w, element_xy(corner + ROW * power / 2, 1, ROW));
            SIMT_ALU(s, U_ADD, t) {
                a[t] += b[t];
            }
            simt_store(s, U_STORE_SUM, a, &k->w, w);
        }
        simt_barrier(s, U_SUM_READY);
        simt_alus(s, U_LOOP_COMPARE, U_LOOP_BRANCH);
    }
    simt_alu(s, U_IS_FIRST);
    SIMT_WHERE(s, first, t, s->x[t] == 0);
    SIMT_IF(s, U_PARTIAL, &first) {
        simt_load(s, U_LOAD_PARTIAL, a, &k->w, element_xy(corner, 0, 1));
        simt_store(s, U_STORE_PARTIAL, a, &k->partial, element_xy(HIDDEN * cta, 0, 1));
    }
}

/* --- Adjust. A conversion between float and double is timed as an OP_FP_ADD. --- */

/* new = w + (0.3 * delta * input + 0.3 * old), in double: conversions and arithmetic. */
#define ADJUST(I) \
    I(ALU, A_INDEX, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(LOAD, A_LOAD_DELTA, SPACE_GLOBAL, 4, R_DELTA, R_INDEX) \
    I(LOAD, A_LOAD_INPUT, SPACE_GLOBAL, 4, R_INPUT, R_INDEX) \
    I(LOAD, A_LOAD_OLD, SPACE_GLOBAL, 4, R_OLD, R_INDEX) \
    I(LOAD, A_LOAD_W, SPACE_GLOBAL, 4, R_W, R_INDEX) \
    I(ALU, A_DELTA_TO_DP, OP_FP_ADD, R_DP_DELTA, R_DELTA) \
    I(ALU, A_INPUT_TO_DP, OP_FP_ADD, R_DP_INPUT, R_INPUT) \
    I(ALU, A_OLD_TO_DP, OP_FP_ADD, R_DP_OLD, R_OLD) \
    I(ALU, A_W_TO_DP, OP_FP_ADD, R_DP_W, R_W) \
    I(ALU, A_ETA, OP_DP_MUL, R_DP_STEP, R_DP_DELTA) \
    I(ALU, A_TIMES_INPUT, OP_DP_MUL, R_DP_STEP, R_DP_STEP, R_DP_INPUT) \
    I(ALU, A_MOMENTUM, OP_DP_MAD, R_DP_STEP, R_DP_OLD, R_DP_STEP) \
    I(ALU, A_ADD_W, OP_DP_ADD, R_DP_W, R_DP_W, R_DP_STEP) \
    I(ALU, A_W_TO_FP, OP_FP_ADD, R_W, R_DP_W) \
    I(STORE, A_STORE_W, SPACE_GLOBAL, 4, R_W, R_INDEX) \
    I(LOAD, A_RELOAD_DELTA, SPACE_GLOBAL, 4, R_DELTA, R_INDEX) \
    I(LOAD, A_RELOAD_INPUT, SPACE_GLOBAL, 4, R_INPUT, R_INDEX) \
    I(LOAD, A_RELOAD_OLD, SPACE_GLOBAL, 4, R_OLD, R_INDEX) \
    I(ALU, A_DELTA_TO_DP_2, OP_FP_ADD, R_DP_DELTA, R_DELTA) \
    I(ALU, A_INPUT_TO_DP_2, OP_FP_ADD, R_DP_INPUT, R_INPUT) \
    I(ALU, A_OLD_TO_DP_2, OP_FP_ADD, R_DP_OLD, R_OLD) \
    I(ALU, A_ETA_2, OP_DP_MUL, R_DP_STEP, R_DP_DELTA) \
    I(ALU, A_TIMES_INPUT_2, OP_DP_MUL, R_DP_STEP, R_DP_STEP, R_DP_INPUT) \
    I(ALU, A_MOMENTUM_2, OP_DP_MAD, R_DP_STEP, R_DP_OLD, R_DP_STEP) \
    I(ALU, A_OLD_TO_FP, OP_FP_ADD, R_OLD, R_DP_STEP) \
    I(STORE, A_STORE_OLD, SPACE_GLOBAL, 4, R_OLD, R_INDEX) \
    I(BARRIER, A_BARRIER) \
    I(ALU, A_COMPARE, OP_INT_ADD, R_PREDICATE, R_INDEX) \
    I(BRANCH, A_BRANCH, R_PREDICATE) \
    I(LOAD, B_LOAD_DELTA, SPACE_GLOBAL, 4, R_DELTA, R_INDEX) \
    I(LOAD, B_LOAD_OLD, SPACE_GLOBAL, 4, R_OLD, R_INDEX) \
    I(LOAD, B_LOAD_W, SPACE_GLOBAL, 4, R_W, R_INDEX) \
    I(ALU, B_DELTA_TO_DP, OP_FP_ADD, R_DP_DELTA, R_DELTA) \
    I(ALU, B_OLD_TO_DP, OP_FP_ADD, R_DP_OLD, R_OLD) \
    I(ALU, B_W_TO_DP, OP_FP_ADD, R_DP_W, R_W) \
    I(ALU, B_ETA, OP_DP_MUL, R_DP_STEP, R_DP_DELTA) \
    I(ALU, B_MOMENTUM, OP_DP_MAD, R_DP_STEP, R_DP_OLD, R_DP_STEP) \
    I(ALU, B_ADD_W, OP_DP_ADD, R_DP_W, R_DP_W, R_DP_STEP) \
    I(ALU, B_W_TO_FP, OP_FP_ADD, R_W, R_DP_W) \
    I(STORE, B_STORE_W, SPACE_GLOBAL, 4, R_W, R_INDEX) \
    I(LOAD, B_RELOAD_DELTA, SPACE_GLOBAL, 4, R_DELTA, R_INDEX) \
    I(LOAD, B_RELOAD_OLD, SPACE_GLOBAL, 4, R_OLD, R_INDEX) \
    I(ALU, B_DELTA_TO_DP_2, OP_FP_ADD, R_DP_DELTA, R_DELTA) \
    I(ALU, B_OLD_TO_DP_2, OP_FP_ADD, R_DP_OLD, R_OLD) \
    I(ALU, B_ETA_2, OP_DP_MUL, R_DP_STEP, R_DP_DELTA) \
    I(ALU, B_MOMENTUM_2, OP_DP_MAD, R_DP_STEP, R_DP_OLD, R_DP_STEP) \
    I(ALU, B_OLD_TO_FP, OP_FP_ADD, R_OLD, R_DP_STEP) \
    I(STORE, B_STORE_OLD, SPACE_GLOBAL, 4, R_OLD, R_INDEX)
SIMT_CODE(backprop_adjust, ADJUST, .registers = 28);

/* The weights of the bias, by the first row of the first CTA. */
static void adjust_bias(struct simt *s, const struct backprop *k) {
    const struct element column = element_x(1, 1);
    float delta[SIMT_THREADS], w[SIMT_THREADS], old_w[SIMT_THREADS];

    simt_load(s, B_LOAD_DELTA, delta, &k->delta, column);
    simt_load(s, B_LOAD_OLD, old_w, &k->old_w, column);
    simt_load(s, B_LOAD_W, w, &k->w, column);
    simt_alus(s, B_DELTA_TO_DP, B_W_TO_FP);
    SIMT_EACH(s, t) {
        w[t] = (float)(w[t] + (BACKPROP_ETA * delta[t] + BACKPROP_MOMENTUM * old_w[t]));
    }
    simt_store(s, B_STORE_W, w, &k->w, column);
    simt_load(s, B_RELOAD_DELTA, delta, &k->delta, column);
    simt_load(s, B_RELOAD_OLD, old_w, &k->old_w, column);
    simt_alus(s, B_DELTA_TO_DP_2, B_OLD_TO_FP);
    SIMT_EACH(s, t) {
        old_w[t] = (float)(BACKPROP_ETA * delta[t] + BACKPROP_MOMENTUM * old_w[t]);
    }
    simt_store(s, B_STORE_OLD, old_w, &k->old_w, column);
}

static void adjust(struct simt *s, const void *arguments) {
    const struct backprop *k = arguments;
    const int64_t cta = s->cta[1];
    const struct element cell = element_xy(BACKPROP_FIRST(cta), 1, ROW);
    const struct element row = element_xy(ROWS * cta + 1, 0, 1), column = element_x(1, 1);
    float delta[SIMT_THREADS], input[SIMT_THREADS], w[SIMT_THREADS], old_w[SIMT_THREADS];
    struct simt_mask bias;

    simt_work(s, A_INDEX, 4);
    simt_load(s, A_LOAD_DELTA, delta, &k->delta, column);
    simt_load(s, A_LOAD_INPUT, input, &k->input, row);
    simt_load(s, A_LOAD_OLD, old_w, &k->old_w, cell);
    simt_load(s, A_LOAD_W, w, &k->w, cell);
    simt_alus(s, A_DELTA_TO_DP, A_W_TO_FP);
    SIMT_EACH(s, t) {
        w[t] = (float)(w[t] + (BACKPROP_ETA * delta[t] * input[t] + BACKPROP_MOMENTUM * old_w[t]));
    }
    simt_store(s, A_STORE_W, w, &k->w, cell);
    simt_load(s, A_RELOAD_DELTA, delta, &k->delta, column);
    simt_load(s, A_RELOAD_INPUT, input, &k->input, row);
    simt_load(s, A_RELOAD_OLD, old_w, &k->old_w, cell);
    simt_alus(s, A_DELTA_TO_DP_2, A_OLD_TO_FP);
    SIMT_EACH(s, t) {
        old_w[t] = (float)(BACKPROP_ETA * delta[t] * input[t] + BACKPROP_MOMENTUM * old_w[t]);
    }
    simt_store(s, A_STORE_OLD, old_w, &k->old_w, cell);
    simt_barrier(s, A_BARRIER);
    simt_alu(s, A_COMPARE);
    SIMT_WHERE(s, bias, t, cta == 0 && s->y[t] == 0);
    SIMT_IF(s, A_BRANCH, &bias) {
        adjust_bias(s, k);
    }
}

static struct host_launch launch(const struct backprop *k, const struct kernel_code *code,
                                 simt_kernel *kernel) {
    return (struct host_launch){.launch = {code, {1, k->n / ROWS, 1}, {HIDDEN, ROWS, 1}},
                                .kernel = kernel};
}

struct host_launch backprop_forward(const struct backprop *k) {
    return k->unshared ? launch(k, &backprop_forward_unshared_code, forward_unshared)
                       : launch(k, &backprop_forward_code, forward);
}

struct host_launch backprop_adjust(const struct backprop *k) {
    return launch(k, &backprop_adjust_code, adjust);
}
