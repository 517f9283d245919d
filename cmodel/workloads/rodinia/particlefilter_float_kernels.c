/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of Rodinia particlefilter, float version, except the last one, which both share.
 */
#include <math.h>

#include "workloads/rodinia/particlefilter_float.h"

enum { R_I, R_A, R_P, R_X, R_Y, R_V, R_W, R_O, R_N, R_S };

#define LIKELIHOOD(I) \
    I(ALU, ID, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, COMPARE, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, GUARD, R_P) \
    I(LOAD, LOAD_XJ, SPACE_GLOBAL, 8, R_X, R_I) \
    I(STORE, STORE_X, SPACE_GLOBAL, 8, R_X, R_I) \
    I(LOAD, LOAD_YJ, SPACE_GLOBAL, 8, R_Y, R_I) \
    I(STORE, STORE_Y, SPACE_GLOBAL, 8, R_Y, R_I) \
    I(ALU, FIRST_WEIGHT, OP_DP_DIV, R_W, REG_NONE) \
    I(STORE, STORE_FIRST_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(LOAD, LOAD_SEED, SPACE_GLOBAL, 4, R_S, R_I) \
    I(ALU, GENERATE, OP_INT_MAD, R_S, R_S, R_S) \
    I(STORE, STORE_SEED, SPACE_GLOBAL, 4, R_S, R_I) \
    I(ALU, NORMAL, OP_DP_MAD, R_V, R_V, R_S) \
    I(ALU, NORMAL_FUNCTION, OP_SFU, R_V, R_V) \
    I(LOAD, LOAD_X, SPACE_GLOBAL, 8, R_X, R_I) \
    I(ALU, MOVE, OP_DP_ADD, R_X, R_X, R_V) \
    I(STORE, STORE_MOVED, SPACE_GLOBAL, 8, R_X, R_I) \
    I(BARRIER, MOVED) \
    I(ALU, COMPARE_2, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, GUARD_2, R_P) \
    I(LOOP, OFFSET) \
    I(LOAD, OFFSET_X, SPACE_GLOBAL, 8, R_X, R_I) \
    I(LOAD, OFFSET_DX, SPACE_GLOBAL, 4, R_O, R_A) \
    I(LOAD, OFFSET_Y, SPACE_GLOBAL, 8, R_Y, R_I) \
    I(LOAD, OFFSET_DY, SPACE_GLOBAL, 4, R_N, R_A) \
    I(ALU, OFFSET_ROUND, OP_DP_ADD, R_V, R_X, R_Y) \
    I(ALU, OFFSET_INDEX, OP_INT_MAD, R_V, R_V, R_O, R_N) \
    I(STORE, STORE_INDEX, SPACE_GLOBAL, 4, R_V, R_A) \
    I(ALU, OFFSET_NEXT, OP_INT_ADD, R_A, R_A) \
    I(BRANCH, OFFSET_AGAIN, R_A) \
    I(LOOP, PIXEL) \
    I(LOAD, LOAD_INDEX, SPACE_GLOBAL, 4, R_N, R_A) \
    I(LOAD, LOAD_PIXEL, SPACE_GLOBAL, 1, R_O, R_N) \
    I(ALU, PIXEL_SQUARE, OP_DP_MAD, R_V, R_O, R_V) \
    I(ALU, PIXEL_NEXT, OP_INT_ADD, R_A, R_A) \
    I(BRANCH, PIXEL_AGAIN, R_A) \
    I(ALU, DIVIDE, OP_DP_DIV, R_V, R_V) \
    I(STORE, STORE_LIKELIHOOD, SPACE_GLOBAL, 8, R_V, R_I) \
    I(LOAD, LOAD_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(ALU, EXPONENTIAL, OP_SFU, R_V, R_V) \
    I(ALU, WEIGH, OP_DP_MUL, R_W, R_W, R_V) \
    I(STORE, STORE_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(ALU, ZERO, OP_DP_ADD, R_V, REG_NONE) \
    I(STORE, PUT_ZERO, SPACE_SHARED, 8, R_V, R_I) \
    I(BARRIER, ZEROED) \
    I(ALU, COMPARE_3, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, GUARD_3, R_P) \
    I(LOAD, LOAD_WEIGHT_AGAIN, SPACE_GLOBAL, 8, R_W, R_I) \
    I(STORE, PUT_WEIGHT, SPACE_SHARED, 8, R_W, R_I) \
    I(BARRIER, TAKEN) \
    I(LOOP, ROUND) \
    I(ALU, ROUND_COMPARE, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, ROUND_MINE, R_P) \
    I(LOAD, ROUND_A, SPACE_SHARED, 8, R_W, R_I) \
    I(LOAD, ROUND_B, SPACE_SHARED, 8, R_V, R_I) \
    I(ALU, ROUND_ADD, OP_DP_ADD, R_W, R_W, R_V) \
    I(STORE, ROUND_PUT, SPACE_SHARED, 8, R_W, R_I) \
    I(BARRIER, ROUND_DONE) \
    I(ALU, ROUND_NEXT, OP_INT_ADD, R_N, R_N) \
    I(BRANCH, ROUND_AGAIN, R_N) \
    I(ALU, IS_FIRST, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, IF_FIRST, R_P) \
    I(LOAD, GET_SUM, SPACE_SHARED, 8, R_W, R_I) \
    I(STORE, STORE_SUM, SPACE_GLOBAL, 8, R_W, R_I)
SIMT_CODE(likelihood, LIKELIHOOD, .registers = 45, .shared_bytes = BLOCK * 8);

/* One normal number a thread, through its seed in memory, and the coordinate that it moves. */
static void move(struct simt *s, const struct particlefilter *k, const struct buffer *coordinate,
                 struct element here, double step, double spread) {
    double moved[SIMT_THREADS], random[SIMT_THREADS], other[SIMT_THREADS];
    int32_t seed[SIMT_THREADS];
    double *const uniform[2] = {random, other};
    for (unsigned i = 0; i < 2; i++) {
        simt_load(s, LOAD_SEED, seed, &k->seeds, here);
        simt_work(s, GENERATE, 8);
        SIMT_EACH(s, t) {
            uniform[i][t] = pf_uniform(&seed[t]);
        }
        simt_store(s, STORE_SEED, seed, &k->seeds, here);
    }
    simt_work(s, NORMAL, 130);
    simt_work(s, NORMAL_FUNCTION, 2);
    simt_load(s, LOAD_X, moved, coordinate, here);
    simt_work(s, MOVE, 2);
    SIMT_EACH(s, t) {
        moved[t] += step + spread * pf_normal_of(random[t], other[t]);
    }
    simt_store(s, STORE_MOVED, moved, coordinate, here);
}

/* The 69 indices of each particle, and then the pixels that they lead to. */
static void look(struct simt *s, const struct particlefilter *k, int64_t first, double *sum) {
    const struct element here = element_x(first, 1);
    double x[SIMT_THREADS], y[SIMT_THREADS];
    int32_t dx[SIMT_THREADS], dy[SIMT_THREADS], index[SIMT_THREADS];
    uint8_t pixel[SIMT_THREADS];
    SIMT_FOR(s, OFFSET, o, PF_OFFSETS) {
        simt_load(s, OFFSET_X, x, &k->x, here);
        simt_load(s, OFFSET_DX, dx, &k->offsets, element_at(2 * o + 1));
        simt_load(s, OFFSET_Y, y, &k->y, here);
        simt_load(s, OFFSET_DY, dy, &k->offsets, element_at(2 * o));
        simt_work(s, OFFSET_ROUND, 6);
        simt_work(s, OFFSET_INDEX, 8);
        SIMT_EACH(s, t) {
            index[t] = pf_pixel(x[t], y[t], (int32_t[]){dy[t], dx[t]}, k->frame, k->frames);
        }
        simt_store(s, STORE_INDEX, index, &k->indices,
                   element_x(first * PF_OFFSETS + o, PF_OFFSETS));
        simt_alus(s, OFFSET_NEXT, OFFSET_AGAIN);
    }
    SIMT_EACH(s, t) {
        sum[t] = 0.0;
    }
    SIMT_FOR(s, PIXEL, o, PF_OFFSETS) {
        simt_load(s, LOAD_INDEX, index, &k->indices, element_x(first * PF_OFFSETS + o, PF_OFFSETS));
        simt_load(s, LOAD_PIXEL, pixel, &k->pixels, element_lane(index));
        simt_work(s, PIXEL_SQUARE, 40);
        simt_alus(s, PIXEL_NEXT, PIXEL_AGAIN);
        SIMT_EACH(s, t) {
            sum[t] = pf_add_likelihood(sum[t], pixel[t]);
        }
    }
}

static void kernel_likelihood(struct simt *s, const void *arguments) {
    const struct particlefilter *k = arguments;
    const int64_t first = (int64_t)s->cta[0] * s->block[0];
    const struct element here = element_x(first, 1), mine = element_x(0, 1);
    const struct buffer sums = simt_shared(s, 0, BLOCK, 8);
    double v[SIMT_THREADS], w[SIMT_THREADS];
    struct simt_mask inside, half;

    SIMT_WHERE(s, inside, t, first + t < k->particles);
    simt_alus(s, ID, COMPARE);
    SIMT_IF(s, GUARD, &inside) {
        simt_load(s, LOAD_XJ, v, &k->xj, here);
        simt_store(s, STORE_X, v, &k->x, here);
        simt_load(s, LOAD_YJ, v, &k->yj, here);
        simt_store(s, STORE_Y, v, &k->y, here);
        SIMT_ALU(s, FIRST_WEIGHT, t) {
            w[t] = 1.0 / k->particles;
        }
        simt_store(s, STORE_FIRST_WEIGHT, w, &k->weights, here);
        move(s, k, &k->x, here, 1.0, 5.0);
        move(s, k, &k->y, here, -2.0, 2.0);
    }
    simt_barrier(s, MOVED);
    simt_alu(s, COMPARE_2);
    SIMT_IF(s, GUARD_2, &inside) {
        look(s, k, first, v);
        SIMT_ALU(s, DIVIDE, t) {
            v[t] /= PF_OFFSETS;
        }
        simt_store(s, STORE_LIKELIHOOD, v, &k->likelihood, here);
        simt_load(s, LOAD_WEIGHT, w, &k->weights, here);
        simt_work(s, EXPONENTIAL, 2);
        SIMT_ALU(s, WEIGH, t) {
            w[t] *= exp(v[t]);
        }
        simt_store(s, STORE_WEIGHT, w, &k->weights, here);
    }
    SIMT_ALU(s, ZERO, t) {
        v[t] = 0.0;
    }
    simt_store(s, PUT_ZERO, v, &sums, mine);
    simt_barrier(s, ZEROED);
    simt_alu(s, COMPARE_3);
    SIMT_IF(s, GUARD_3, &inside) {
        simt_load(s, LOAD_WEIGHT_AGAIN, w, &k->weights, here);
        simt_store(s, PUT_WEIGHT, w, &sums, mine);
    }
    simt_barrier(s, TAKEN);
    SIMT_FOR(s, ROUND, r, 9) {
        const unsigned count = BLOCK / 2 >> r;
        simt_alu(s, ROUND_COMPARE);
        SIMT_WHERE(s, half, t, t < count);
        SIMT_IF(s, ROUND_MINE, &half) {
            simt_load(s, ROUND_A, w, &sums, mine);
            simt_load(s, ROUND_B, v, &sums, element_x(count, 1));
            SIMT_ALU(s, ROUND_ADD, t) {
                w[t] += v[t];
            }
            simt_store(s, ROUND_PUT, w, &sums, mine);
        }
        simt_barrier(s, ROUND_DONE);
        simt_alus(s, ROUND_NEXT, ROUND_AGAIN);
    }
    simt_alu(s, IS_FIRST);
    SIMT_WHERE(s, half, t, t == 0);
    SIMT_IF(s, IF_FIRST, &half) {
        simt_load(s, GET_SUM, w, &sums, mine);
        simt_store(s, STORE_SUM, w, &k->partial_sums, element_at(s->cta[0]));
    }
}

#define SUM(I) \
    I(ALU, SUM_ID, OP_INT_MAD, R_I, REG_NONE) \
    I(BRANCH, SUM_GUARD, R_I) \
    I(LOOP, SUM_EACH) \
    I(LOAD, SUM_LOAD, SPACE_GLOBAL, 8, R_X, R_I) \
    I(ALU, SUM_ADD, OP_DP_ADD, R_V, R_V, R_X) \
    I(ALU, SUM_NEXT, OP_INT_ADD, R_I, R_I) \
    I(BRANCH, SUM_AGAIN, R_I) \
    I(STORE, SUM_STORE, SPACE_GLOBAL, 8, R_V, R_I)
SIMT_CODE(sum, SUM, .registers = 16);

/* Thread 0: partial_sums[0] = the sum of all. */
static void kernel_sum(struct simt *s, const void *arguments) {
    const struct particlefilter *k = arguments;
    double v[SIMT_THREADS], sum[SIMT_THREADS];
    struct simt_mask one;
    simt_alu(s, SUM_ID);
    SIMT_WHERE(s, one, t, s->cta[0] == 0 && t == 0);
    SIMT_IF(s, SUM_GUARD, &one) {
        sum[0] = 0.0;
        SIMT_FOR(s, SUM_EACH, i, CTAS) {
            simt_load(s, SUM_LOAD, v, &k->partial_sums, element_at(i));
            simt_alus(s, SUM_ADD, SUM_AGAIN);
            sum[0] += v[0];
        }
        simt_store(s, SUM_STORE, sum, &k->partial_sums, element_at(0));
    }
}

#define NORMALIZE(I) \
    I(ALU, N_ID, OP_INT_MAD, R_I, REG_NONE) \
    I(BRANCH, N_FIRST, R_I) \
    I(LOAD, N_SUM, SPACE_GLOBAL, 8, R_V, R_I) \
    I(STORE, N_PUT_SUM, SPACE_SHARED, 8, R_V, R_I) \
    I(BARRIER, N_SUM_TAKEN) \
    I(ALU, N_COMPARE, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, N_GUARD, R_P) \
    I(LOAD, N_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(LOAD, N_GET_SUM, SPACE_SHARED, 8, R_V, R_I) \
    I(ALU, N_DIVIDE, OP_DP_DIV, R_W, R_W, R_V) \
    I(STORE, N_STORE_WEIGHT, SPACE_GLOBAL, 8, R_W, R_I) \
    I(BARRIER, N_DIVIDED) \
    I(ALU, N_IS_ZERO, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, N_ZERO, R_P) \
    I(LOOP, N_EACH) \
    I(LOAD, N_LOAD, SPACE_GLOBAL, 8, R_X, R_A) \
    I(ALU, N_ADD, OP_DP_ADD, R_Y, R_Y, R_X) \
    I(STORE, N_CDF, SPACE_GLOBAL, 8, R_Y, R_A) \
    I(ALU, N_NEXT, OP_INT_ADD, R_A, R_A) \
    I(BRANCH, N_AGAIN, R_A) \
    I(LOAD, N_SEED, SPACE_GLOBAL, 4, R_S, R_I) \
    I(ALU, N_GENERATE, OP_INT_MAD, R_S, R_S, R_S) \
    I(STORE, N_STORE_SEED, SPACE_GLOBAL, 4, R_S, R_I) \
    I(STORE, N_U0, SPACE_GLOBAL, 8, R_V, R_I) \
    I(BARRIER, N_CUMULATED) \
    I(BRANCH, N_FIRST_AGAIN, R_I) \
    I(LOAD, N_LOAD_U0, SPACE_GLOBAL, 8, R_V, R_A) \
    I(STORE, N_PUT_U0, SPACE_SHARED, 8, R_V, R_I) \
    I(BARRIER, N_U0_TAKEN) \
    I(ALU, N_COMPARE_2, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, N_GUARD_2, R_P) \
    I(LOAD, N_GET_U0, SPACE_SHARED, 8, R_V, R_I) \
    I(ALU, N_U, OP_DP_ADD, R_V, R_V, R_I) \
    I(STORE, N_STORE_U, SPACE_GLOBAL, 8, R_V, R_I)
SIMT_CODE(normalize, NORMALIZE, .registers = 20, .shared_bytes = 2 * 8);

/* Weights to a sum of 1; thread 0 cumulates them all and draws the first threshold; thresholds. */
static void kernel_normalize(struct simt *s, const void *arguments) {
    const struct particlefilter *k = arguments;
    const int64_t first = (int64_t)s->cta[0] * s->block[0];
    const struct element here = element_x(first, 1);
    const struct buffer sum_shared = simt_shared(s, 0, 1, 8), u_shared = simt_shared(s, 8, 1, 8);
    double v[SIMT_THREADS], w[SIMT_THREADS], x[SIMT_THREADS], cdf[1] = {0.0};
    int32_t seed[1];
    struct simt_mask inside, one, zero;

    SIMT_WHERE(s, inside, t, first + t < k->particles);
    SIMT_WHERE(s, one, t, t == 0);
    SIMT_WHERE(s, zero, t, first + t == 0);
    simt_alu(s, N_ID);
    SIMT_IF(s, N_FIRST, &one) {
        simt_load(s, N_SUM, v, &k->partial_sums, element_at(0));
        simt_store(s, N_PUT_SUM, v, &sum_shared, element_at(0));
    }
    simt_barrier(s, N_SUM_TAKEN);
    simt_alu(s, N_COMPARE);
    SIMT_IF(s, N_GUARD, &inside) {
        simt_load(s, N_WEIGHT, w, &k->weights, here);
        simt_load(s, N_GET_SUM, v, &sum_shared, element_at(0));
        SIMT_ALU(s, N_DIVIDE, t) {
            w[t] /= v[t];
        }
        simt_store(s, N_STORE_WEIGHT, w, &k->weights, here);
    }
    simt_barrier(s, N_DIVIDED);
    simt_alu(s, N_IS_ZERO);
    SIMT_IF(s, N_ZERO, &zero) {
        SIMT_FOR(s, N_EACH, i, k->particles) {
            simt_load(s, N_LOAD, x, &k->weights, element_at(i));
            simt_alu(s, N_ADD);
            cdf[0] += i < s->block[0] ? x[0] : x[0] / v[0];
            simt_store(s, N_CDF, cdf, &k->cdf, element_at(i));
            simt_alus(s, N_NEXT, N_AGAIN);
        }
        simt_load(s, N_SEED, seed, &k->seeds, element_at(0));
        simt_work(s, N_GENERATE, 8);
        x[0] = 1.0 / k->particles * pf_uniform(seed);
        simt_store(s, N_STORE_SEED, seed, &k->seeds, element_at(0));
        simt_store(s, N_U0, x, &k->u, element_at(0));
    }
    simt_barrier(s, N_CUMULATED);
    SIMT_IF(s, N_FIRST_AGAIN, &one) {
        simt_load(s, N_LOAD_U0, x, &k->u, element_at(0));
        simt_store(s, N_PUT_U0, x, &u_shared, element_at(0));
    }
    simt_barrier(s, N_U0_TAKEN);
    simt_alu(s, N_COMPARE_2);
    SIMT_IF(s, N_GUARD_2, &inside) {
        simt_load(s, N_GET_U0, x, &u_shared, element_at(0));
        simt_work(s, N_U, 3);
        SIMT_EACH(s, t) {
            x[t] += (double)(first + t) / k->particles;
        }
        simt_store(s, N_STORE_U, x, &k->u, here);
    }
}

#define LAUNCH(of, function) \
    { .launch = {of, {CTAS, 1, 1}, {BLOCK, 1, 1}}, .kernel = (function) }

const struct host_launch pf_float_launches[LAUNCHES] = {
    LAUNCH(&likelihood_code, kernel_likelihood),
    LAUNCH(&sum_code, kernel_sum),
    LAUNCH(&normalize_code, kernel_normalize),
    LAUNCH(&pf_find_index_code, pf_find_index),
};
