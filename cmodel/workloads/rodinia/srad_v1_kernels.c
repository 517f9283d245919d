/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of Rodinia srad_v1. A thread is a pixel.
 */
#include <math.h>

#include "workloads/rodinia/srad_v1.h"

enum { R_I, R_A, R_P, R_ROW, R_JC, R_N, R_S, R_W, R_E, R_V, R_G, R_L };

/* The number of the thread, and is it one of the image? */
#define GUARDED(I, name) \
    I(ALU, name##_ID, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, name##_ADDRESS, OP_INT_MAD, R_A, R_I) \
    I(ALU, name##_COMPARE, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, name##_GUARD, R_P)
/* row and column by division, 20 instructions, and the addresses that follow. */
#define ROW(I, name) \
    I(ALU, name##_DIVIDE, OP_INT_MAD, R_ROW, R_I, R_ROW) \
    I(ALU, name##_ROW, OP_INT_MAD, R_ROW, R_ROW, R_I)

static int64_t first_pixel(const struct simt *s) {
    return (int64_t)s->cta[0] * s->block[0];
}

static struct simt_mask inside(struct simt *s, const struct srad_v1 *k, unsigned id) {
    struct simt_mask mask;
    simt_alus(s, id, id + 2);
    SIMT_WHERE(s, mask, t, first_pixel(s) + t < k->pixels);
    return mask;
}

#define EXTRACT(I) \
    GUARDED(I, EXTRACT) \
    I(LOAD, EXTRACT_LOAD, SPACE_GLOBAL, 4, R_JC, R_A) \
    I(ALU, EXTRACT_SCALE, OP_FP_MAD, R_JC, R_JC) \
    I(ALU, EXTRACT_FUNCTION, OP_SFU, R_JC, R_JC) \
    I(STORE, EXTRACT_STORE, SPACE_GLOBAL, 4, R_JC, R_A)
SIMT_CODE(extract, EXTRACT, .registers = 14);

/* I = exp(I / 255), at the end I = log(I) * 255. */
static void extract(struct simt *s, const void *arguments) {
    const struct srad_v1 *k = arguments;
    const struct simt_mask mask = inside(s, k, EXTRACT_ID);
    float v[SIMT_THREADS];
    SIMT_IF(s, EXTRACT_GUARD, &mask) {
        simt_load(s, EXTRACT_LOAD, v, &k->image, element_x(first_pixel(s), 1));
        simt_work(s, EXTRACT_SCALE, 32);
        simt_work(s, EXTRACT_FUNCTION, 2);
        SIMT_EACH(s, t) {
            v[t] = k->compress ? logf(v[t]) * 255.0f : expf(v[t] / 255.0f);
        }
        simt_store(s, EXTRACT_STORE, v, &k->image, element_x(first_pixel(s), 1));
    }
}

#define PREPARE(I) \
    GUARDED(I, PREPARE) \
    I(LOAD, PREPARE_LOAD, SPACE_GLOBAL, 4, R_JC, R_A) \
    I(ALU, PREPARE_WORK, OP_INT_ADD, R_A, R_A) \
    I(STORE, PREPARE_SUM, SPACE_GLOBAL, 4, R_JC, R_A) \
    I(LOAD, PREPARE_LOAD_AGAIN, SPACE_GLOBAL, 4, R_JC, R_A) \
    I(ALU, PREPARE_SQUARE, OP_FP_MUL, R_JC, R_JC, R_JC) \
    I(STORE, PREPARE_SUM2, SPACE_GLOBAL, 4, R_JC, R_A)
SIMT_CODE(prepare, PREPARE, .registers = 10);

static void prepare(struct simt *s, const void *arguments) {
    const struct srad_v1 *k = arguments;
    const struct simt_mask mask = inside(s, k, PREPARE_ID);
    const struct element here = element_x(first_pixel(s), 1);
    float v[SIMT_THREADS];
    SIMT_IF(s, PREPARE_GUARD, &mask) {
        simt_load(s, PREPARE_LOAD, v, &k->image, here);
        simt_work(s, PREPARE_WORK, 6);
        simt_store(s, PREPARE_SUM, v, &k->sums, here);
        simt_load(s, PREPARE_LOAD_AGAIN, v, &k->image, here);
        SIMT_ALU(s, PREPARE_SQUARE, t) {
            v[t] *= v[t];
        }
        simt_store(s, PREPARE_SUM2, v, &k->sums2, here);
    }
}

#define REDUCE(I) \
    GUARDED(I, REDUCE) \
    I(LOAD, REDUCE_SUM, SPACE_GLOBAL, 4, R_JC, R_A) \
    I(STORE, REDUCE_PUT, SPACE_SHARED, 4, R_JC, R_I) \
    I(LOAD, REDUCE_SUM2, SPACE_GLOBAL, 4, R_V, R_A) \
    I(STORE, REDUCE_PUT2, SPACE_SHARED, 4, R_V, R_I) \
    I(ALU, REDUCE_SHAPE, OP_INT_ADD, R_L, R_I) \
    I(BARRIER, REDUCE_TAKEN) \
    I(LOOP, ROUND) \
    I(ALU, ROUND_MODULO, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, ROUND_MINE, R_P) \
    I(LOAD, ROUND_A, SPACE_SHARED, 4, R_N, R_I) \
    I(LOAD, ROUND_B, SPACE_SHARED, 4, R_S, R_I) \
    I(ALU, ROUND_SUM, OP_FP_ADD, R_N, R_N, R_S) \
    I(STORE, ROUND_PUT, SPACE_SHARED, 4, R_N, R_I) \
    I(LOAD, ROUND_A2, SPACE_SHARED, 4, R_W, R_I) \
    I(LOAD, ROUND_B2, SPACE_SHARED, 4, R_E, R_I) \
    I(ALU, ROUND_SUM2, OP_FP_ADD, R_W, R_W, R_E) \
    I(STORE, ROUND_PUT2, SPACE_SHARED, 4, R_W, R_I) \
    I(BARRIER, ROUND_DONE) \
    I(ALU, ROUND_NEXT, OP_INT_ADD, R_L, R_L) \
    I(BRANCH, ROUND_AGAIN, R_L) \
    I(ALU, IS_LAST, OP_INT_ADD, R_P, R_I) \
    I(BRANCH, IF_LAST, R_P) \
    I(LOOP, REST) \
    I(LOAD, REST_SUM, SPACE_GLOBAL, 4, R_S, R_A) \
    I(LOAD, REST_SUM2, SPACE_GLOBAL, 4, R_E, R_A) \
    I(ALU, REST_ADD, OP_FP_ADD, R_N, R_N, R_S) \
    I(ALU, REST_ADD2, OP_FP_ADD, R_W, R_W, R_E) \
    I(ALU, REST_NEXT, OP_INT_ADD, R_A, R_A) \
    I(BRANCH, REST_AGAIN, R_A) \
    I(STORE, STORE_SUM, SPACE_GLOBAL, 4, R_N, R_A) \
    I(STORE, STORE_SUM2, SPACE_GLOBAL, 4, R_W, R_A)
SIMT_CODE(reduce, REDUCE, .registers = 20, .shared_bytes = 2 * SRAD_V1_BLOCK * 4);

/* The thread that has the sum adds the rest of the CTA's elements to it, in registers. */
static void add_rest(struct simt *s, const struct srad_v1 *k, unsigned from, unsigned count,
                     float *sum, float *sum2) {
    float v[SIMT_THREADS], v2[SIMT_THREADS];
    SIMT_FOR(s, REST, i, count) {
        simt_load(s, REST_SUM, v, &k->sums, element_at(from + i));
        simt_load(s, REST_SUM2, v2, &k->sums2, element_at(from + i));
        simt_alus(s, REST_ADD, REST_AGAIN);
        SIMT_EACH(s, t) {
            sum[t] += v[t];
            sum2[t] += v2[t];
        }
    }
}

static void reduce(struct simt *s, const void *arguments) {
    const struct srad_v1 *k = arguments;
    const unsigned first = s->cta[0] * SRAD_V1_BLOCK, left = k->reduce_elements - first;
    const int64_t stride = k->reduce_stride;
    const struct buffer psum = simt_shared(s, 0, SRAD_V1_BLOCK, 4);
    const struct buffer psum2 = simt_shared(s, SRAD_V1_BLOCK * 4, SRAD_V1_BLOCK, 4);
    unsigned whole = SRAD_V1_BLOCK, rounds = 0;
    float a[SIMT_THREADS], b[SIMT_THREADS], a2[SIMT_THREADS], b2[SIMT_THREADS];
    struct simt_mask mask;
    while (whole > left) {
        whole /= 2;
    }
    while (2u << rounds <= whole) {
        rounds++;
    }

    simt_alus(s, REDUCE_ID, REDUCE_COMPARE);
    SIMT_WHERE(s, mask, t, t < left);
    SIMT_IF(s, REDUCE_GUARD, &mask) {
        simt_load(s, REDUCE_SUM, a, &k->sums, element_x(first * stride, stride));
        simt_store(s, REDUCE_PUT, a, &psum, element_x(0, 1));
        simt_load(s, REDUCE_SUM2, a, &k->sums2, element_x(first * stride, stride));
        simt_store(s, REDUCE_PUT2, a, &psum2, element_x(0, 1));
    }
    simt_work(s, REDUCE_SHAPE, 12);
    simt_barrier(s, REDUCE_TAKEN);
    SIMT_FOR(s, ROUND, r, rounds) {
        const unsigned i = 2u << r;
        simt_alu(s, ROUND_MODULO);
        SIMT_WHERE(s, mask, t, (t + 1) % i == 0 && t < whole);
        SIMT_IF(s, ROUND_MINE, &mask) {
            simt_load(s, ROUND_A, a, &psum, element_x(0, 1));
            simt_load(s, ROUND_B, b, &psum, element_x(-(int64_t)(i / 2), 1));
            SIMT_ALU(s, ROUND_SUM, t) {
                a[t] += b[t];
            }
            simt_store(s, ROUND_PUT, a, &psum, element_x(0, 1));
            simt_load(s, ROUND_A2, a2, &psum2, element_x(0, 1));
            simt_load(s, ROUND_B2, b2, &psum2, element_x(-(int64_t)(i / 2), 1));
            SIMT_ALU(s, ROUND_SUM2, t) {
                a2[t] += b2[t];
            }
            simt_store(s, ROUND_PUT2, a2, &psum2, element_x(0, 1));
        }
        simt_barrier(s, ROUND_DONE);
        simt_alus(s, ROUND_NEXT, ROUND_AGAIN);
    }
    simt_alu(s, IS_LAST);
    SIMT_WHERE(s, mask, t, t == whole - 1);
    SIMT_IF(s, IF_LAST, &mask) {
        add_rest(s, k, first + whole, left < SRAD_V1_BLOCK ? left - whole : 0, a, a2);
        simt_store(s, STORE_SUM, a, &k->sums, element_at(first * stride));
        simt_store(s, STORE_SUM2, a2, &k->sums2, element_at(first * stride));
    }
}

/* An index and the pixel it leads to. */
#define NEXT_TO(I, name, space, to) \
    I(LOAD, name##_INDEX, space, 4, R_G, R_ROW) \
    I(ALU, name##_ADDRESS, OP_INT_MAD, R_G, R_G, R_ROW) \
    I(LOAD, name, space, 4, to, R_G)
#define SRAD(I) \
    GUARDED(I, SRAD) \
    ROW(I, SRAD) \
    I(LOAD, SRAD_N_INDEX, SPACE_GLOBAL, 4, R_G, R_ROW) \
    I(LOAD, SRAD_LOAD, SPACE_GLOBAL, 4, R_JC, R_A) \
    I(ALU, SRAD_N_ADDRESS, OP_INT_MAD, R_G, R_G, R_ROW) \
    I(LOAD, SRAD_N, SPACE_GLOBAL, 4, R_N, R_G) \
    NEXT_TO(I, SRAD_S, SPACE_GLOBAL, R_S) \
    NEXT_TO(I, SRAD_W, SPACE_GLOBAL, R_W) \
    NEXT_TO(I, SRAD_E, SPACE_GLOBAL, R_E) \
    I(ALU, SRAD_DN, OP_FP_ADD, R_N, R_N, R_JC) \
    I(ALU, SRAD_DS, OP_FP_ADD, R_S, R_S, R_JC) \
    I(ALU, SRAD_DW, OP_FP_ADD, R_W, R_W, R_JC) \
    I(ALU, SRAD_DE, OP_FP_ADD, R_E, R_E, R_JC) \
    SRAD_COEFFICIENT(I) \
    I(ALU, SRAD_ADDRESSES, OP_INT_ADD, R_A, R_A) \
    I(STORE, SRAD_STORE_N, SPACE_GLOBAL, 4, R_N, R_A) \
    I(STORE, SRAD_STORE_S, SPACE_GLOBAL, 4, R_S, R_A) \
    I(STORE, SRAD_STORE_W, SPACE_GLOBAL, 4, R_W, R_A) \
    I(STORE, SRAD_STORE_E, SPACE_GLOBAL, 4, R_E, R_A) \
    I(STORE, SRAD_STORE_C, SPACE_GLOBAL, 4, R_V, R_A)
SIMT_CODE(srad, SRAD, .registers = 22);

/* Each thread's row and column. */
static void rows_and_columns(const struct simt *s, int32_t *row, int32_t *column) {
    for (unsigned t = 0; t < s->threads; t++) {
        row[t] = (int32_t)((first_pixel(s) + t) % SRAD_V1_ROWS);
        column[t] = (int32_t)((first_pixel(s) + t) / SRAD_V1_ROWS);
    }
}

/* Value of the pixel with the row, or the column, that an array of indices gives. */
static void next_to(struct simt *s, unsigned load_index, unsigned load, const struct buffer *index,
                    const int32_t *by, const int32_t *other, bool is_row, const struct buffer *from,
                    float *to) {
    int32_t at[SIMT_THREADS];
    simt_load(s, load_index, at, index, element_lane(by));
    simt_alu(s, load - 1);
    SIMT_EACH(s, t) {
        at[t] = is_row ? at[t] + SRAD_V1_ROWS * other[t] : other[t] + SRAD_V1_ROWS * at[t];
    }
    simt_load(s, load, to, from, element_lane(at));
}

static void srad(struct simt *s, const void *arguments) {
    const struct srad_v1 *k = arguments;
    const struct element here = element_x(first_pixel(s), 1);
    const struct simt_mask mask = inside(s, k, SRAD_ID);
    float jc[SIMT_THREADS], d[4][SIMT_THREADS], c[SIMT_THREADS];
    int32_t row[SIMT_THREADS], column[SIMT_THREADS], at[SIMT_THREADS];
    rows_and_columns(s, row, column);
    SIMT_IF(s, SRAD_GUARD, &mask) {
        simt_work(s, SRAD_ROW, 2);
        simt_work(s, SRAD_DIVIDE, 22);
        simt_load(s, SRAD_N_INDEX, at, &k->north, element_lane(row));
        simt_load(s, SRAD_LOAD, jc, &k->image, here);
        simt_alu(s, SRAD_N_ADDRESS);
        SIMT_EACH(s, t) {
            at[t] += SRAD_V1_ROWS * column[t];
        }
        simt_load(s, SRAD_N, d[0], &k->image, element_lane(at));
        next_to(s, SRAD_S_INDEX, SRAD_S, &k->south, row, column, true, &k->image, d[1]);
        next_to(s, SRAD_W_INDEX, SRAD_W, &k->west, column, row, false, &k->image, d[2]);
        next_to(s, SRAD_E_INDEX, SRAD_E, &k->east, column, row, false, &k->image, d[3]);
        for (unsigned i = 0; i < 4; i++) {
            SIMT_ALU(s, SRAD_DN + i, t) {
                d[i][t] -= jc[t];
            }
        }
        simt_alus(s, COEFFICIENT, COEFFICIENT_LAST);
        simt_work(s, SRAD_ADDRESSES, 11);
        SIMT_EACH(s, t) {
            c[t] = srad_coefficient(jc[t], d[0][t], d[1][t], d[2][t], d[3][t], k->q0sqr);
        }
        for (unsigned i = 0; i < 4; i++) {
            simt_store(s, SRAD_STORE_N + i, d[i], &k->d[i], here);
        }
        simt_store(s, SRAD_STORE_C, c, &k->c, here);
    }
}

#define SRAD2(I) \
    GUARDED(I, SRAD2) \
    ROW(I, SRAD2) \
    I(LOAD, SRAD2_S_INDEX, SPACE_GLOBAL, 4, R_G, R_ROW) \
    I(LOAD, SRAD2_E_INDEX, SPACE_GLOBAL, 4, R_JC, R_ROW) \
    I(LOAD, SRAD2_C, SPACE_GLOBAL, 4, R_V, R_A) \
    I(ALU, SRAD2_S_ADDRESS, OP_INT_MAD, R_G, R_G, R_ROW) \
    I(LOAD, SRAD2_C_SOUTH, SPACE_GLOBAL, 4, R_L, R_G) \
    I(ALU, SRAD2_E_ADDRESS, OP_INT_MAD, R_G, R_JC, R_ROW) \
    I(LOAD, SRAD2_C_EAST, SPACE_GLOBAL, 4, R_G, R_G) \
    I(LOAD, SRAD2_N, SPACE_GLOBAL, 4, R_N, R_A) \
    I(LOAD, SRAD2_S, SPACE_GLOBAL, 4, R_S, R_A) \
    I(LOAD, SRAD2_W, SPACE_GLOBAL, 4, R_W, R_A) \
    I(LOAD, SRAD2_E, SPACE_GLOBAL, 4, R_E, R_A) \
    I(LOAD, SRAD2_LOAD, SPACE_GLOBAL, 4, R_JC, R_A) \
    SRAD_UPDATE(I) \
    I(ALU, SRAD2_WORK, OP_INT_ADD, R_A, R_A) \
    I(STORE, SRAD2_STORE, SPACE_GLOBAL, 4, R_JC, R_A)
SIMT_CODE(srad2, SRAD2, .registers = 17);

static void srad2(struct simt *s, const void *arguments) {
    const struct srad_v1 *k = arguments;
    const struct element here = element_x(first_pixel(s), 1);
    const struct simt_mask mask = inside(s, k, SRAD2_ID);
    float v[SIMT_THREADS], c[SIMT_THREADS], cs[SIMT_THREADS], ce[SIMT_THREADS];
    float d[4][SIMT_THREADS];
    int32_t row[SIMT_THREADS], column[SIMT_THREADS], south[SIMT_THREADS], east[SIMT_THREADS];
    rows_and_columns(s, row, column);
    SIMT_IF(s, SRAD2_GUARD, &mask) {
        simt_work(s, SRAD2_ROW, 2);
        simt_work(s, SRAD2_DIVIDE, 22);
        simt_load(s, SRAD2_S_INDEX, south, &k->south, element_lane(row));
        simt_load(s, SRAD2_E_INDEX, east, &k->east, element_lane(column));
        simt_load(s, SRAD2_C, c, &k->c, here);
        SIMT_EACH(s, t) {
            south[t] += SRAD_V1_ROWS * column[t];
            east[t] = row[t] + SRAD_V1_ROWS * east[t];
        }
        simt_alu(s, SRAD2_S_ADDRESS);
        simt_load(s, SRAD2_C_SOUTH, cs, &k->c, element_lane(south));
        simt_alu(s, SRAD2_E_ADDRESS);
        simt_load(s, SRAD2_C_EAST, ce, &k->c, element_lane(east));
        for (unsigned i = 0; i < 4; i++) {
            simt_load(s, SRAD2_N + i, d[i], &k->d[i], here);
        }
        simt_load(s, SRAD2_LOAD, v, &k->image, here);
        simt_alus(s, UPDATE, UPDATE_LAST);
        simt_work(s, SRAD2_WORK, 3);
        SIMT_EACH(s, t) {
            v[t] = srad_update(v[t], c[t], cs[t], ce[t],
                               (float[]){d[0][t], d[1][t], d[2][t], d[3][t]});
        }
        simt_store(s, SRAD2_STORE, v, &k->image, here);
    }
}

#define LAUNCH(name) \
    { .launch = {&name##_code, {1, 1, 1}, {SRAD_V1_BLOCK, 1, 1}}, .kernel = (name) }
const struct host_launch srad_v1_launches[SRAD_V1_KERNELS] = {
    [SRAD_V1_EXTRACT] = LAUNCH(extract), [SRAD_V1_PREPARE] = LAUNCH(prepare),
    [SRAD_V1_REDUCE] = LAUNCH(reduce),   [SRAD_V1_SRAD] = LAUNCH(srad),
    [SRAD_V1_SRAD2] = LAUNCH(srad2),
};
