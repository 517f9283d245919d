/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh: initialization, and the bounding box with the root cell.
 */
#include "workloads/lonestar/bh.h"

enum {
    R_I,
    R_PREDICATE,
    R_ADDRESS,
    R_X,
    R_Y,
    R_Z,
    R_LOW,
    R_LOW_Y,
    R_LOW_Z,
    R_HIGH,
    R_HIGH_Y,
    R_HIGH_Z,
    R_VALUE,
    R_COUNT,
    R_OTHER,
};

/* --- Initialization, one thread. --- */

#define INITIALIZE(I) \
    I(ALU, INIT_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(ALU, INIT_VALUE, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(STORE, INIT_ERROR, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, INIT_STEP, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, INIT_MAX_DEPTH, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, INIT_ARRIVED, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS)
SIMT_CODE(bh_initialize, INITIALIZE, .registers = 16);

static void initialize(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    simt_alus(s, INIT_ADDRESS, INIT_VALUE);
    bh_store_all(s, INIT_ERROR, 0, &k->error, element_at(0));
    bh_store_all(s, INIT_STEP, -1, &k->step, element_at(0));
    bh_store_all(s, INIT_MAX_DEPTH, 1, &k->max_depth, element_at(0));
    bh_store_all(s, INIT_ARRIVED, 0, &k->arrived, element_at(0));
}

const struct host_launch bh_initialize = {.launch = {&bh_initialize_code, {1, 1, 1}, {1, 1, 1}},
                                          .kernel = initialize};

/* --- BoundingBox: each CTA its bodies', and the last CTA that arrives all of them. --- */

#define MIN_MAX(I, P) \
    I(ALU, P##_MIN, OP_FP_MAX, R_LOW, R_LOW, R_X) \
    I(ALU, P##_MAX, OP_FP_MAX, R_HIGH, R_HIGH, R_X) \
    I(ALU, P##_MIN_Y, OP_FP_MAX, R_LOW_Y, R_LOW_Y, R_Y) \
    I(ALU, P##_MAX_Y, OP_FP_MAX, R_HIGH_Y, R_HIGH_Y, R_Y) \
    I(ALU, P##_MIN_Z, OP_FP_MAX, R_LOW_Z, R_LOW_Z, R_Z) \
    I(ALU, P##_MAX_Z, OP_FP_MAX, R_HIGH_Z, R_HIGH_Z, R_Z)
/* Six shared arrays or six of a CTA's results: low and high of x, of y, of z. */
#define SIX(I, P, space) \
    I(STORE, P##_LOW_X, space, 4, R_LOW, R_ADDRESS) \
    I(STORE, P##_HIGH_X, space, 4, R_HIGH, R_ADDRESS) \
    I(STORE, P##_LOW_Y, space, 4, R_LOW_Y, R_ADDRESS) \
    I(STORE, P##_HIGH_Y, space, 4, R_HIGH_Y, R_ADDRESS) \
    I(STORE, P##_LOW_Z, space, 4, R_LOW_Z, R_ADDRESS) \
    I(STORE, P##_HIGH_Z, space, 4, R_HIGH_Z, R_ADDRESS)
#define TREE_PAIR(I, axis, low, high) \
    I(LOAD, BOX_OTHER_LOW_##axis, SPACE_SHARED, 4, R_OTHER, R_COUNT) \
    I(ALU, BOX_LOW_##axis, OP_FP_MAX, low, low, R_OTHER) \
    I(STORE, BOX_BOTH_LOW_##axis, SPACE_SHARED, 4, low, R_ADDRESS) \
    I(LOAD, BOX_OTHER_HIGH_##axis, SPACE_SHARED, 4, R_OTHER, R_COUNT) \
    I(ALU, BOX_HIGH_##axis, OP_FP_MAX, high, high, R_OTHER) \
    I(STORE, BOX_BOTH_HIGH_##axis, SPACE_SHARED, 4, high, R_ADDRESS)
#define LAST_PAIR(I, axis, low, high) \
    I(LOAD, BOX_CTA_LOW_##axis, SPACE_GLOBAL, 4, R_OTHER, R_ADDRESS) \
    I(LOAD, BOX_CTA_HIGH_##axis, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, BOX_CTA_MIN_##axis, OP_FP_MAX, low, low, R_OTHER) \
    I(ALU, BOX_CTA_MAX_##axis, OP_FP_MAX, high, high, R_VALUE)

#define BOUNDING_BOX(I) \
    I(ALU, BOX_INDEX, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, BOX_FIRST_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD, BOX_FIRST_X, SPACE_GLOBAL, 4, R_X, R_ADDRESS) \
    I(LOAD, BOX_FIRST_Y, SPACE_GLOBAL, 4, R_Y, R_ADDRESS) \
    I(LOAD, BOX_FIRST_Z, SPACE_GLOBAL, 4, R_Z, R_ADDRESS) \
    MIN_MAX(I, BOX_FIRST) \
    I(LOOP, BOX_EACH) \
    I(ALU, BOX_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, BOX_BRANCH, R_PREDICATE) \
    I(ALU, BOX_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, BOX_LOAD_X, SPACE_GLOBAL, 4, R_X, R_ADDRESS) \
    I(LOAD, BOX_LOAD_Y, SPACE_GLOBAL, 4, R_Y, R_ADDRESS) \
    I(LOAD, BOX_LOAD_Z, SPACE_GLOBAL, 4, R_Z, R_ADDRESS) \
    MIN_MAX(I, BOX) \
    I(ALU, BOX_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, BOX_SHARED_ADDRESS, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    SIX(I, BOX_SHARE, SPACE_SHARED) \
    I(ALU, BOX_HALF_BLOCK, OP_INT_ADD, R_COUNT, REG_NONE) \
    I(LOOP, BOX_TREE) \
    I(BARRIER, BOX_ALL_SHARED) \
    I(ALU, BOX_TREE_COMPARE, OP_INT_ADD, R_PREDICATE, R_COUNT) \
    I(BRANCH, BOX_TREE_BRANCH, R_PREDICATE) \
    TREE_PAIR(I, X, R_LOW, R_HIGH) \
    TREE_PAIR(I, Y, R_LOW_Y, R_HIGH_Y) \
    TREE_PAIR(I, Z, R_LOW_Z, R_HIGH_Z) \
    I(ALU, BOX_HALF, OP_INT_ADD, R_COUNT, R_COUNT) \
    I(BRANCH, BOX_TREE_NEXT, R_COUNT) \
    I(ALU, BOX_LEADER_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, BOX_LEADER_BRANCH, R_PREDICATE) \
    I(ALU, BOX_CTA_ADDRESS, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    SIX(I, BOX_STORE, SPACE_GLOBAL) \
    I(FENCE, BOX_FENCE) \
    I(ATOMIC, BOX_ARRIVE, R_COUNT, R_ADDRESS, R_VALUE) \
    I(ALU, BOX_LAST_COMPARE, OP_INT_ADD, R_PREDICATE, R_COUNT) \
    I(BRANCH, BOX_LAST_BRANCH, R_PREDICATE) \
    I(LOOP, BOX_CTAS) \
    LAST_PAIR(I, X, R_LOW, R_HIGH) \
    LAST_PAIR(I, Y, R_LOW_Y, R_HIGH_Y) \
    LAST_PAIR(I, Z, R_LOW_Z, R_HIGH_Z) \
    I(ALU, BOX_CTAS_NEXT, OP_INT_ADD, R_I, R_I) \
    I(BRANCH, BOX_CTAS_BRANCH, R_I) \
    I(ALU, BOX_SIZE, OP_FP_ADD, R_VALUE, R_HIGH, R_LOW) \
    I(ALU, BOX_SIZE_Y, OP_FP_ADD, R_OTHER, R_HIGH_Y, R_LOW_Y) \
    I(ALU, BOX_GREATER, OP_FP_MAX, R_VALUE, R_VALUE, R_OTHER) \
    I(ALU, BOX_SIZE_Z, OP_FP_ADD, R_OTHER, R_HIGH_Z, R_LOW_Z) \
    I(ALU, BOX_GREATEST, OP_FP_MAX, R_VALUE, R_VALUE, R_OTHER) \
    I(ALU, BOX_RADIUS, OP_FP_MUL, R_VALUE, R_VALUE) \
    I(STORE, BOX_STORE_RADIUS, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, BOX_STORE_BOTTOM, SPACE_GLOBAL, 4, R_I, R_ADDRESS) \
    I(STORE, BOX_STORE_MASS, SPACE_GLOBAL, 4, R_OTHER, R_ADDRESS) \
    I(STORE, BOX_STORE_START, SPACE_GLOBAL, 4, R_COUNT, R_ADDRESS) \
    I(ALU, BOX_CENTRE, OP_FP_ADD, R_X, R_LOW, R_HIGH) \
    I(ALU, BOX_CENTRE_Y, OP_FP_ADD, R_Y, R_LOW_Y, R_HIGH_Y) \
    I(ALU, BOX_CENTRE_Z, OP_FP_ADD, R_Z, R_LOW_Z, R_HIGH_Z) \
    I(STORE, BOX_STORE_X, SPACE_GLOBAL, 4, R_X, R_ADDRESS) \
    I(STORE, BOX_STORE_Y, SPACE_GLOBAL, 4, R_Y, R_ADDRESS) \
    I(STORE, BOX_STORE_Z, SPACE_GLOBAL, 4, R_Z, R_ADDRESS) \
    I(LOOP, BOX_CHILDREN) \
    I(STORE, BOX_STORE_CHILD, SPACE_GLOBAL, 4, R_COUNT, R_ADDRESS) \
    I(ALU, BOX_CHILDREN_NEXT, OP_INT_ADD, R_I, R_I) \
    I(BRANCH, BOX_CHILDREN_BRANCH, R_I) \
    I(LOAD, BOX_LOAD_STEP, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, BOX_STEP, OP_INT_ADD, R_VALUE, R_VALUE) \
    I(STORE, BOX_STORE_STEP, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS)
SIMT_CODE(bh_bounding_box, BOUNDING_BOX, .registers = 20,
          .shared_bytes = 6 * BH_BOX_BLOCK * sizeof(float));

struct box {
    float low[3][SIMT_THREADS], high[3][SIMT_THREADS];
};

static void widen(struct simt *s, struct box *b, unsigned axis, const float *low,
                  const float *high) {
    SIMT_EACH(s, t) {
        b->low[axis][t] = low[t] < b->low[axis][t] ? low[t] : b->low[axis][t];
        b->high[axis][t] = high[t] > b->high[axis][t] ? high[t] : b->high[axis][t];
    }
}

static void box_of_bodies(struct simt *s, const struct bh *k, struct box *b) {
    int64_t first = (int64_t)s->cta[0] * BH_BOX_BLOCK; /* body of thread 0 */
    float x[SIMT_THREADS];
    struct simt_mask inside;

    simt_alus(s, BOX_INDEX, BOX_FIRST_ADDRESS);
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_load(s, BOX_FIRST_X + axis, b->low[axis], &k->pos[axis], element_at(0));
        SIMT_EACH(s, t) {
            b->high[axis][t] = b->low[axis][t];
        }
    }
    simt_alus(s, BOX_FIRST_MIN, BOX_FIRST_MAX_Z);
    SIMT_LOOP(s, BOX_EACH) {
        simt_alu(s, BOX_COMPARE);
        SIMT_WHERE(s, inside, t, first + t < k->bodies);
        simt_while(s, BOX_BRANCH, &inside);
        simt_alu(s, BOX_ADDRESS);
        for (unsigned axis = 0; axis < 3; axis++) {
            simt_load(s, BOX_LOAD_X + axis, x, &k->pos[axis], element_x(first, 1));
            widen(s, b, axis, x, x);
        }
        simt_alus(s, BOX_MIN, BOX_NEXT);
        first += BH_BOX_CTAS * BH_BOX_BLOCK;
    }
}

/* Reduces the threads' boxes to the CTA's, in thread 0. */
static void box_of_threads(struct simt *s, struct box *b) {
    struct buffer low[3], high[3];
    float other[SIMT_THREADS];
    struct simt_mask mine;

    simt_alu(s, BOX_SHARED_ADDRESS);
    for (unsigned axis = 0; axis < 3; axis++) {
        const unsigned bytes = BH_BOX_BLOCK * sizeof(float);
        low[axis] = simt_shared(s, 2 * axis * bytes, BH_BOX_BLOCK, sizeof(float));
        high[axis] = simt_shared(s, (2 * axis + 1) * bytes, BH_BOX_BLOCK, sizeof(float));
        simt_store(s, BOX_SHARE_LOW_X + 2 * axis, b->low[axis], &low[axis], element_x(0, 1));
        simt_store(s, BOX_SHARE_HIGH_X + 2 * axis, b->high[axis], &high[axis], element_x(0, 1));
    }
    simt_alu(s, BOX_HALF_BLOCK);
    SIMT_FOR(s, BOX_TREE, i, 9) {
        const unsigned apart = BH_BOX_BLOCK / 2 >> i;
        simt_barrier(s, BOX_ALL_SHARED);
        simt_alu(s, BOX_TREE_COMPARE);
        SIMT_WHERE(s, mine, t, t < apart);
        SIMT_IF(s, BOX_TREE_BRANCH, &mine) {
            for (unsigned axis = 0; axis < 3; axis++) {
                const unsigned at = axis * (BOX_OTHER_LOW_Y - BOX_OTHER_LOW_X);
                simt_load(s, BOX_OTHER_LOW_X + at, other, &low[axis], element_x(apart, 1));
                simt_alu(s, BOX_LOW_X + at);
                widen(s, b, axis, other, b->high[axis]);
                simt_store(s, BOX_BOTH_LOW_X + at, b->low[axis], &low[axis], element_x(0, 1));
                simt_load(s, BOX_OTHER_HIGH_X + at, other, &high[axis], element_x(apart, 1));
                simt_alu(s, BOX_HIGH_X + at);
                widen(s, b, axis, b->low[axis], other);
                simt_store(s, BOX_BOTH_HIGH_X + at, b->high[axis], &high[axis], element_x(0, 1));
            }
        }
        simt_alus(s, BOX_HALF, BOX_TREE_NEXT);
    }
}

/* The root, by one thread: a cube around all. */
static void make_root(struct simt *s, const struct bh *k, struct box *b) {
    float low[SIMT_THREADS], high[SIMT_THREADS], value[SIMT_THREADS];
    int32_t step[SIMT_THREADS];

    SIMT_FOR(s, BOX_CTAS, cta, BH_BOX_CTAS) {
        for (unsigned axis = 0; axis < 3; axis++) {
            const unsigned at = axis * (BOX_CTA_LOW_Y - BOX_CTA_LOW_X);
            simt_load(s, BOX_CTA_LOW_X + at, low, &k->low[axis], element_at(cta));
            simt_load(s, BOX_CTA_HIGH_X + at, high, &k->high[axis], element_at(cta));
            simt_alus(s, BOX_CTA_MIN_X + at, BOX_CTA_MAX_X + at);
            widen(s, b, axis, low, high);
        }
        simt_alus(s, BOX_CTAS_NEXT, BOX_CTAS_BRANCH);
    }
    simt_alus(s, BOX_SIZE, BOX_GREATEST);
    SIMT_ALU(s, BOX_RADIUS, t) {
        value[t] = b->high[0][t] - b->low[0][t];
        for (unsigned axis = 1; axis < 3; axis++) {
            const float size = b->high[axis][t] - b->low[axis][t];
            value[t] = size > value[t] ? size : value[t];
        }
        value[t] *= 0.5f;
    }
    simt_store(s, BOX_STORE_RADIUS, value, &k->radius, element_at(0));
    bh_store_all(s, BOX_STORE_BOTTOM, k->nodes, &k->bottom, element_at(0));
    SIMT_EACH(s, t) {
        value[t] = -1;
    }
    simt_store(s, BOX_STORE_MASS, value, &k->mass, element_at(k->nodes));
    bh_store_all(s, BOX_STORE_START, 0, &k->start, element_at(k->nodes));
    for (unsigned axis = 0; axis < 3; axis++) {
        SIMT_ALU(s, BOX_CENTRE + axis, t) {
            value[t] = (b->low[axis][t] + b->high[axis][t]) * 0.5f;
        }
        simt_store(s, BOX_STORE_X + axis, value, &k->pos[axis], element_at(k->nodes));
    }
    SIMT_FOR(s, BOX_CHILDREN, i, 8) {
        bh_store_all(s, BOX_STORE_CHILD, BH_EMPTY, &k->child,
                     element_at((int64_t)k->nodes * 8 + i));
        simt_alus(s, BOX_CHILDREN_NEXT, BOX_CHILDREN_BRANCH);
    }
    simt_load(s, BOX_LOAD_STEP, step, &k->step, element_at(0));
    SIMT_ALU(s, BOX_STEP, t) {
        step[t]++;
    }
    simt_store(s, BOX_STORE_STEP, step, &k->step, element_at(0));
}

static void bounding_box(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    struct box b;
    int32_t old[SIMT_THREADS], arrived[SIMT_THREADS];
    struct simt_mask leader, last;

    box_of_bodies(s, k, &b);
    box_of_threads(s, &b);
    simt_alu(s, BOX_LEADER_COMPARE);
    SIMT_WHERE(s, leader, t, t == 0);
    SIMT_IF(s, BOX_LEADER_BRANCH, &leader) {
        simt_alu(s, BOX_CTA_ADDRESS);
        for (unsigned axis = 0; axis < 3; axis++) {
            simt_store(s, BOX_STORE_LOW_X + 2 * axis, b.low[axis], &k->low[axis],
                       element_at(s->cta[0]));
            simt_store(s, BOX_STORE_HIGH_X + 2 * axis, b.high[axis], &k->high[axis],
                       element_at(s->cta[0]));
        }
        simt_alu(s, BOX_FENCE);
        /* atomicInc, which begins anew behind the last CTA: an exchange with what it makes, as one
         * lane does it and one CTA at a time. */
        SIMT_EACH(s, t) {
            arrived[t] = (*(const int32_t *)k->arrived.data + 1) % BH_BOX_CTAS;
        }
        simt_atomic(s, BOX_ARRIVE, SIMT_EXCHANGE, old, arrived, NULL, &k->arrived, element_at(0));
        simt_alu(s, BOX_LAST_COMPARE);
        SIMT_WHERE(s, last, t, old[t] == BH_BOX_CTAS - 1);
        SIMT_IF(s, BOX_LAST_BRANCH, &last) {
            make_root(s, k, &b);
        }
    }
}

const struct host_launch bh_bounding_box = {
    .launch = {&bh_bounding_box_code, {BH_BOX_CTAS, 1, 1}, {BH_BOX_BLOCK, 1, 1}},
    .kernel = bounding_box};
