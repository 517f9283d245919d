/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/rodinia/hotspot.h"

#define SIDE HOTSPOT_SIDE
#define STEPS HOTSPOT_STEPS
#define TILE HOTSPOT_TILE

enum {
    R_INDEX,
    R_CONSTANT,
    R_PREDICATE,
    R_ADDRESS,
    R_T,
    R_P,
    R_NEIGHBOUR,
    R_S,
    R_N,
    R_E,
    R_W,
    R_DP_T,
    R_DP_P,
    R_DP_NS,
    R_DP_EW,
    R_DP_X,
    R_DP_Y,
    R_DP_Z
};

/* T + c (P + (S + N - 2 T) / Ry + (E + W - 2 T) / Rx + (ambient - T) / Rz), of floats but for the
 * constant 2. A conversion is timed as an OP_FP_ADD. */
#define HEAT(I, X) \
    I(ALU, X##_NS, OP_FP_ADD, R_S, R_S, R_N) \
    I(ALU, X##_NS_TO_DP, OP_FP_ADD, R_DP_NS, R_S) \
    I(ALU, X##_T_TO_DP, OP_FP_ADD, R_DP_T, R_T) \
    I(ALU, X##_NS_LESS, OP_DP_MAD, R_DP_NS, R_DP_NS, R_DP_T) \
    I(ALU, X##_EW, OP_FP_ADD, R_E, R_E, R_W) \
    I(ALU, X##_EW_TO_DP, OP_FP_ADD, R_DP_EW, R_E) \
    I(ALU, X##_EW_LESS, OP_DP_MAD, R_DP_EW, R_DP_EW, R_DP_T) \
    I(ALU, X##_RY_TO_DP, OP_FP_ADD, R_DP_Y, R_CONSTANT) \
    I(ALU, X##_RX_TO_DP, OP_FP_ADD, R_DP_X, R_CONSTANT) \
    I(ALU, X##_P_TO_DP, OP_FP_ADD, R_DP_P, R_P) \
    I(ALU, X##_Y, OP_DP_MAD, R_DP_P, R_DP_NS, R_DP_Y, R_DP_P) \
    I(ALU, X##_X, OP_DP_MAD, R_DP_P, R_DP_EW, R_DP_X, R_DP_P) \
    I(ALU, X##_AMBIENT, OP_FP_ADD, R_T, R_T) \
    I(ALU, X##_RZ, OP_FP_MUL, R_T, R_T, R_CONSTANT) \
    I(ALU, X##_Z_TO_DP, OP_FP_ADD, R_DP_Z, R_T) \
    I(ALU, X##_Z, OP_DP_ADD, R_DP_P, R_DP_P, R_DP_Z) \
    I(ALU, X##_C_TO_DP, OP_FP_ADD, R_DP_Z, R_CONSTANT) \
    I(ALU, X##_STEP, OP_DP_MAD, R_DP_T, R_DP_P, R_DP_Z, R_DP_T) \
    I(ALU, X##_TO_FP, OP_FP_ADD, R_T, R_DP_T)

/* The values that go into a cell's step, one a thread. */
struct cells {
    float t[SIMT_THREADS], s[SIMT_THREADS], n[SIMT_THREADS], e[SIMT_THREADS], w[SIMT_THREADS];
    float p[SIMT_THREADS];
};

static void heat(struct simt *s, const struct hotspot_chip *c, struct cells *v) {
    SIMT_EACH(s, t) {
        const float here = v->t[t];
        v->t[t] = (float)(here + c->step_by_capacity *
                                     (v->p[t] + (v->s[t] + v->n[t] - 2.0 * here) * c->y_inverse +
                                      (v->e[t] + v->w[t] - 2.0 * here) * c->x_inverse +
                                      (HOTSPOT_AMBIENT - here) * c->z_inverse));
    }
}

/* --- With shared memory. --- */

#define TILED(I) \
    I(ALU, T_CONSTANT, OP_FP_DIV, R_CONSTANT, R_CONSTANT) \
    I(ALU, T_INDEX, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(ALU, T_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_INDEX) \
    I(BRANCH, T_GUARD, R_PREDICATE) \
    I(LOAD, T_LOAD_T, SPACE_GLOBAL, 4, R_T, R_INDEX) \
    I(STORE, T_PUT_T, SPACE_SHARED, 4, R_T, R_INDEX) \
    I(LOAD, T_LOAD_P, SPACE_GLOBAL, 4, R_P, R_INDEX) \
    I(STORE, T_PUT_P, SPACE_SHARED, 4, R_P, R_INDEX) \
    I(BARRIER, T_LOADED) \
    I(ALU, T_NEIGHBOUR, OP_INT_ADD, R_NEIGHBOUR, R_NEIGHBOUR, R_INDEX) \
    I(ALU, T_CLAMP, OP_INT_MAX, R_NEIGHBOUR, R_NEIGHBOUR) \
    I(LOOP, T_LOOP) \
    I(ALU, T_RANGE, OP_INT_ADD, R_PREDICATE, R_PREDICATE, R_INDEX) \
    I(BRANCH, T_COMPUTE, R_PREDICATE) \
    I(ALU, T_ADDRESS, OP_INT_MAD, R_ADDRESS, R_NEIGHBOUR) \
    I(LOAD, T_GET_T, SPACE_SHARED, 4, R_T, R_ADDRESS) \
    I(LOAD, T_GET_S, SPACE_SHARED, 4, R_S, R_ADDRESS) \
    I(LOAD, T_GET_N, SPACE_SHARED, 4, R_N, R_ADDRESS) \
    I(LOAD, T_GET_E, SPACE_SHARED, 4, R_E, R_ADDRESS) \
    I(LOAD, T_GET_W, SPACE_SHARED, 4, R_W, R_ADDRESS) \
    I(LOAD, T_GET_P, SPACE_SHARED, 4, R_P, R_ADDRESS) \
    HEAT(I, T_HEAT) \
    I(STORE, T_PUT_R, SPACE_SHARED, 4, R_T, R_ADDRESS) \
    I(BARRIER, T_COMPUTED) \
    I(ALU, T_LAST_COMPARE, OP_INT_ADD, R_CONSTANT, R_CONSTANT) \
    I(BRANCH, T_LAST, R_CONSTANT) \
    I(BRANCH, T_COPY, R_PREDICATE) \
    I(LOAD, T_COPY_R, SPACE_SHARED, 4, R_T, R_ADDRESS) \
    I(STORE, T_COPY_T, SPACE_SHARED, 4, R_T, R_ADDRESS) \
    I(BARRIER, T_COPIED) \
    I(BRANCH, T_STORE, R_PREDICATE) \
    I(LOAD, T_GET_R, SPACE_SHARED, 4, R_T, R_ADDRESS) \
    I(STORE, T_STORE_T, SPACE_GLOBAL, 4, R_T, R_INDEX)
SIMT_CODE(hotspot_tiled, TILED, .registers = 35, .shared_bytes = 3 * SIDE * SIDE * sizeof(float));

struct tile {
    struct buffer t, p, r;
    int32_t s[SIMT_THREADS], n[SIMT_THREADS], e[SIMT_THREADS], w[SIMT_THREADS]; /* neighbours */
};

/* Lanes whose cell has all that it depends on in the tile, @step rings from its edge. */
static void step_of_tile(struct simt *s, const struct hotspot *k, const struct tile *tile,
                         const struct simt_mask *computed, struct cells *v) {
    const struct element here = element_xy(0, 1, SIDE);
    SIMT_IF(s, T_COMPUTE, computed) {
        simt_work(s, T_ADDRESS, 3);
        simt_load(s, T_GET_T, v->t, &tile->t, here);
        simt_load(s, T_GET_S, v->s, &tile->t, element_lane(tile->s));
        simt_load(s, T_GET_N, v->n, &tile->t, element_lane(tile->n));
        simt_load(s, T_GET_E, v->e, &tile->t, element_lane(tile->e));
        simt_load(s, T_GET_W, v->w, &tile->t, element_lane(tile->w));
        simt_load(s, T_GET_P, v->p, &tile->p, here);
        simt_alus(s, T_HEAT_NS, T_HEAT_TO_FP);
        heat(s, &k->chip, v);
        simt_store(s, T_PUT_R, v->t, &tile->r, here);
    }
}

static void tiled(struct simt *s, const void *arguments) {
    const struct hotspot *k = arguments;
    const int n = (int)k->n, x0 = (int)s->cta[0] * TILE - STEPS, y0 = (int)s->cta[1] * TILE - STEPS;
    const struct element here = element_xy(0, 1, SIDE), cell = element_xy(y0 * n + x0, 1, n);
    struct tile tile = {
        .t = simt_shared(s, 0, SIDE * SIDE, sizeof(float)),
        .p = simt_shared(s, SIDE * SIDE * sizeof(float), SIDE * SIDE, sizeof(float)),
        .r = simt_shared(s, 2 * SIDE * SIDE * sizeof(float), SIDE * SIDE, sizeof(float))};
    struct cells v;
    struct simt_mask inside, computed;

    simt_work(s, T_CONSTANT, 4);
    simt_work(s, T_INDEX, 27);
    simt_alu(s, T_GUARD_COMPARE);
    SIMT_WHERE(s, inside, t,
               x0 + s->x[t] >= 0 && x0 + s->x[t] < n && y0 + s->y[t] >= 0 && y0 + s->y[t] < n);
    SIMT_IF(s, T_GUARD, &inside) {
        simt_load(s, T_LOAD_T, v.t, &k->temperature[k->from], cell);
        simt_store(s, T_PUT_T, v.t, &tile.t, here);
        simt_load(s, T_LOAD_P, v.p, &k->power, cell);
        simt_store(s, T_PUT_P, v.p, &tile.p, here);
    }
    simt_barrier(s, T_LOADED);
    simt_work(s, T_NEIGHBOUR, 28);
    simt_work(s, T_CLAMP, 28);
    SIMT_EACH(s, t) { /* beyond the chip's edge is as warm as at it */
        const int x = s->x[t], y = s->y[t], at = y * SIDE + x;
        tile.s[t] = y0 + y == n - 1 ? at : at + SIDE;
        tile.n[t] = y0 + y == 0 ? at : at - SIDE;
        tile.e[t] = x0 + x == n - 1 ? at : at + 1;
        tile.w[t] = x0 + x == 0 ? at : at - 1;
    }
    SIMT_FOR(s, T_LOOP, i, STEPS) {
        const unsigned low = i + 1, high = SIDE - 2 - i;
        simt_work(s, T_RANGE, 5);
        SIMT_WHERE(s, computed, t,
                   s->x[t] >= low && s->x[t] <= high && s->y[t] >= low && s->y[t] <= high &&
                       inside.warp[t / WARP_SIZE] >> t % WARP_SIZE & 1);
        step_of_tile(s, k, &tile, &computed, &v);
        simt_barrier(s, T_COMPUTED);
        simt_alus(s, T_LAST_COMPARE, T_LAST);
        if (i + 1 < STEPS) {
            SIMT_IF(s, T_COPY, &computed) {
                simt_load(s, T_COPY_R, v.t, &tile.r, here);
                simt_store(s, T_COPY_T, v.t, &tile.t, here);
            }
            simt_barrier(s, T_COPIED);
        }
    }
    SIMT_IF(s, T_STORE, &computed) {
        simt_load(s, T_GET_R, v.t, &tile.r, here);
        simt_store(s, T_STORE_T, v.t, &k->temperature[!k->from], cell);
    }
}

/* --- Without. --- */

#define DIRECT(I) \
    I(ALU, D_CONSTANT, OP_FP_DIV, R_CONSTANT, R_CONSTANT) \
    I(ALU, D_INDEX, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(ALU, D_GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_INDEX) \
    I(BRANCH, D_GUARD, R_PREDICATE) \
    I(ALU, D_CLAMP, OP_INT_MAX, R_NEIGHBOUR, R_INDEX) \
    I(ALU, D_ADDRESS, OP_INT_MAD, R_ADDRESS, R_NEIGHBOUR) \
    I(LOAD, D_LOAD_T, SPACE_GLOBAL, 4, R_T, R_INDEX) \
    I(LOAD, D_LOAD_S, SPACE_GLOBAL, 4, R_S, R_ADDRESS) \
    I(LOAD, D_LOAD_N, SPACE_GLOBAL, 4, R_N, R_ADDRESS) \
    I(LOAD, D_LOAD_E, SPACE_GLOBAL, 4, R_E, R_ADDRESS) \
    I(LOAD, D_LOAD_W, SPACE_GLOBAL, 4, R_W, R_ADDRESS) \
    I(LOAD, D_LOAD_P, SPACE_GLOBAL, 4, R_P, R_INDEX) \
    HEAT(I, D_HEAT) \
    I(STORE, D_STORE_T, SPACE_GLOBAL, 4, R_T, R_INDEX)
SIMT_CODE(hotspot_direct, DIRECT, .registers = 35);

static void direct(struct simt *s, const void *arguments) {
    const struct hotspot *k = arguments;
    const struct buffer *from = &k->temperature[k->from];
    const int32_t n = (int32_t)k->n;
    const int32_t x0 = (int32_t)s->cta[0] * SIDE, y0 = (int32_t)s->cta[1] * SIDE;
    const struct element cell = element_xy(y0 * n + x0, 1, n);
    int32_t south[SIMT_THREADS], north[SIMT_THREADS], east[SIMT_THREADS], west[SIMT_THREADS];
    struct cells v;

    simt_work(s, D_CONSTANT, 4);
    simt_work(s, D_INDEX, 6);
    simt_alus(s, D_GUARD_COMPARE, D_GUARD); /* x < n && y < n, always */
    for (unsigned i = 0; i < 4; i++) {
        simt_alus(s, D_CLAMP, D_ADDRESS);
    }
    SIMT_EACH(s, t) {
        const int32_t x = x0 + s->x[t], y = y0 + s->y[t];
        south[t] = (y < n - 1 ? y + 1 : y) * n + x;
        north[t] = (y > 0 ? y - 1 : y) * n + x;
        east[t] = y * n + (x < n - 1 ? x + 1 : x);
        west[t] = y * n + (x > 0 ? x - 1 : x);
    }
    simt_load(s, D_LOAD_T, v.t, from, cell);
    simt_load(s, D_LOAD_S, v.s, from, element_lane(south));
    simt_load(s, D_LOAD_N, v.n, from, element_lane(north));
    simt_load(s, D_LOAD_E, v.e, from, element_lane(east));
    simt_load(s, D_LOAD_W, v.w, from, element_lane(west));
    simt_load(s, D_LOAD_P, v.p, &k->power, cell);
    simt_alus(s, D_HEAT_NS, D_HEAT_TO_FP);
    heat(s, &k->chip, &v);
    simt_store(s, D_STORE_T, v.t, &k->temperature[!k->from], cell);
}

struct host_launch hotspot_tiled(const struct hotspot *k) {
    const unsigned ctas = hotspot_tiles(k->n);
    return (struct host_launch){.launch = {&hotspot_tiled_code, {ctas, ctas, 1}, {SIDE, SIDE, 1}},
                                .kernel = tiled};
}

struct host_launch hotspot_direct(const struct hotspot *k) {
    const unsigned ctas = k->n / SIDE;
    return (struct host_launch){.launch = {&hotspot_direct_code, {ctas, ctas, 1}, {SIDE, SIDE, 1}},
                                .kernel = direct};
}
