/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh: ForceCalculation. The 32 bodies of a warp, neighbours in the tree, go through the
 * tree together, depth first: one child after another of the cell on top of a stack that the warp
 * has in shared memory. If the child is a body, or far enough away for all of them, it pulls them;
 * otherwise it goes on the stack. So a warp's load from the tree is one word for all its lanes.
 */
#include <math.h>

#include "workloads/lonestar/bh.h"

enum {
    R_K,
    R_PREDICATE,
    R_ADDRESS,
    R_X,
    R_Y,
    R_Z,
    R_ACC,
    R_ACC_Y,
    R_ACC_Z,
    R_DX,
    R_DY,
    R_DZ,
    R_DISTANCE,
    R_DQ,
    R_N,
    R_ND,
    R_PD,
    R_DEPTH,
    R_VALUE,
    R_VALUE_2,
    R_BODY,
    R_STEP,
};

#define FORCE(I) \
    I(ALU, FORCE_LANE, OP_INT_ADD, R_K, REG_NONE) \
    I(BRANCH, FORCE_FIRST_BRANCH, R_K) \
    I(ALU, DQ_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD_UNCACHED, DQ_LOAD_RADIUS, 4, R_VALUE, R_ADDRESS) \
    I(LOAD_UNCACHED, DQ_LOAD_DEPTH, 4, R_DEPTH, R_ADDRESS) \
    I(ALU, DQ_SIZE, OP_FP_MUL, R_VALUE, R_VALUE) \
    I(ALU, DQ_SQUARE, OP_FP_MUL, R_VALUE, R_VALUE) \
    I(LOOP, DQ_LEVELS) \
    I(ALU, DQ_PLUS, OP_FP_ADD, R_DQ, R_VALUE) \
    I(STORE, DQ_STORE, SPACE_SHARED, 4, R_DQ, R_ADDRESS) \
    I(ALU, DQ_QUARTER, OP_FP_MUL, R_VALUE, R_VALUE) \
    I(ALU, DQ_NEXT, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(BRANCH, DQ_BRANCH, R_ADDRESS) \
    I(ALU, DQ_DEEP_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEPTH) \
    I(BRANCH, DQ_DEEP_BRANCH, R_PREDICATE) \
    I(STORE, DQ_STORE_ERROR, SPACE_GLOBAL, 4, R_DEPTH, R_ADDRESS) \
    I(BARRIER, DQ_MADE) \
    I(ALU, FORCE_DEPTH_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD_UNCACHED, FORCE_LOAD_DEPTH, 4, R_DEPTH, R_ADDRESS) \
    I(ALU, FORCE_DEPTH_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEPTH) \
    I(BRANCH, FORCE_DEPTH_BRANCH, R_PREDICATE) \
    I(ALU, DQ_COPY_ADDRESS, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    I(LOAD, DQ_LOAD, SPACE_SHARED, 4, R_DQ, R_ADDRESS) \
    I(STORE, DQ_COPY, SPACE_SHARED, 4, R_DQ, R_ADDRESS) \
    I(BARRIER, DQ_COPIED) \
    I(ALU, FORCE_INDEX, OP_INT_MAD, R_K, REG_NONE) \
    I(LOOP, FORCE_EACH) \
    I(ALU, FORCE_COMPARE, OP_INT_ADD, R_PREDICATE, R_K) \
    I(BRANCH, FORCE_BRANCH, R_PREDICATE) \
    I(ALU, FORCE_SORT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_K) \
    I(LOAD, FORCE_LOAD_BODY, SPACE_GLOBAL, 4, R_BODY, R_ADDRESS) \
    I(ALU, FORCE_BODY_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BODY) \
    I(LOAD, FORCE_LOAD_X, SPACE_GLOBAL, 4, R_X, R_ADDRESS) \
    I(LOAD, FORCE_LOAD_Y, SPACE_GLOBAL, 4, R_Y, R_ADDRESS) \
    I(LOAD, FORCE_LOAD_Z, SPACE_GLOBAL, 4, R_Z, R_ADDRESS) \
    I(ALU, FORCE_ZERO_X, OP_FP_ADD, R_ACC, REG_NONE) \
    I(ALU, FORCE_ZERO_Y, OP_FP_ADD, R_ACC_Y, REG_NONE) \
    I(ALU, FORCE_ZERO_Z, OP_FP_ADD, R_ACC_Z, REG_NONE) \
    I(ALU, FORCE_STACK, OP_INT_ADD, R_DEPTH, REG_NONE) \
    I(BRANCH, FORCE_ROOT_BRANCH, R_DEPTH) \
    I(ALU, FORCE_ROOT, OP_INT_ADD, R_ND, REG_NONE) \
    I(STORE, FORCE_STORE_PD, SPACE_SHARED, 4, R_ND, R_DEPTH) \
    I(STORE, FORCE_STORE_ND, SPACE_SHARED, 4, R_ND, R_DEPTH) \
    I(LOOP, WALK) \
    I(LOAD, WALK_LOAD_PD, SPACE_SHARED, 4, R_PD, R_DEPTH) \
    I(LOAD, WALK_LOAD_ND, SPACE_SHARED, 4, R_ND, R_DEPTH) \
    I(LOOP, VISIT) \
    I(ALU, VISIT_COMPARE, OP_INT_ADD, R_PREDICATE, R_PD) \
    I(BRANCH, VISIT_BRANCH, R_PREDICATE) \
    I(ALU, VISIT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ND, R_PD) \
    I(LOAD, VISIT_LOAD_CHILD, SPACE_GLOBAL, 4, R_N, R_ADDRESS) \
    I(ALU, VISIT_NEXT, OP_INT_ADD, R_PD, R_PD) \
    I(ALU, VISIT_SOME_COMPARE, OP_INT_ADD, R_PREDICATE, R_N) \
    I(BRANCH, VISIT_SOME_BRANCH, R_PREDICATE) \
    I(ALU, VISIT_NODE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_N) \
    I(LOAD, VISIT_LOAD_X, SPACE_GLOBAL, 4, R_DX, R_ADDRESS) \
    I(LOAD, VISIT_LOAD_Y, SPACE_GLOBAL, 4, R_DY, R_ADDRESS) \
    I(LOAD, VISIT_LOAD_Z, SPACE_GLOBAL, 4, R_DZ, R_ADDRESS) \
    I(ALU, VISIT_DX, OP_FP_ADD, R_DX, R_DX, R_X) \
    I(ALU, VISIT_DY, OP_FP_ADD, R_DY, R_DY, R_Y) \
    I(ALU, VISIT_DZ, OP_FP_ADD, R_DZ, R_DZ, R_Z) \
    I(ALU, VISIT_SQUARE_Z, OP_FP_MAD, R_DISTANCE, R_DZ) \
    I(ALU, VISIT_SQUARE_Y, OP_FP_MAD, R_DISTANCE, R_DY, R_DISTANCE) \
    I(ALU, VISIT_SQUARE_X, OP_FP_MAD, R_DISTANCE, R_DX, R_DISTANCE) \
    I(ALU, VISIT_BODY_COMPARE, OP_INT_ADD, R_PREDICATE, R_N) \
    I(LOAD, VISIT_LOAD_DQ, SPACE_SHARED, 4, R_DQ, R_DEPTH) \
    I(ALU, VISIT_FAR, OP_FP_ADD, R_VALUE, R_DISTANCE, R_DQ) \
    I(ALU, VISIT_VOTE, OP_INT_ADD, R_PREDICATE, R_VALUE, R_PREDICATE) \
    I(BRANCH, VISIT_TAKE_BRANCH, R_PREDICATE) \
    I(ALU, TAKE_ROOT, OP_SFU, R_DISTANCE, R_DISTANCE) \
    I(LOAD, TAKE_LOAD_MASS, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, TAKE_TIMES, OP_FP_MUL, R_VALUE, R_VALUE, R_DISTANCE) \
    I(ALU, TAKE_TIMES_2, OP_FP_MUL, R_VALUE, R_VALUE, R_DISTANCE) \
    I(ALU, TAKE_TIMES_3, OP_FP_MUL, R_VALUE, R_VALUE, R_DISTANCE) \
    I(ALU, TAKE_X, OP_FP_MAD, R_ACC, R_DX, R_VALUE, R_ACC) \
    I(ALU, TAKE_Y, OP_FP_MAD, R_ACC_Y, R_DY, R_VALUE, R_ACC_Y) \
    I(ALU, TAKE_Z, OP_FP_MAD, R_ACC_Z, R_DZ, R_VALUE, R_ACC_Z) \
    I(ALU, PUSH_LANE, OP_INT_ADD, R_PREDICATE, R_K) \
    I(BRANCH, PUSH_BRANCH, R_PREDICATE) \
    I(STORE, PUSH_PD, SPACE_SHARED, 4, R_PD, R_DEPTH) \
    I(STORE, PUSH_ND, SPACE_SHARED, 4, R_ND, R_DEPTH) \
    I(ALU, PUSH_DEPTH, OP_INT_ADD, R_DEPTH, R_DEPTH) \
    I(ALU, PUSH_FIRST, OP_INT_ADD, R_PD, REG_NONE) \
    I(ALU, PUSH_CELL, OP_INT_MUL, R_ND, R_N) \
    I(ALU, VISIT_NONE_LEFT, OP_INT_ADD, R_PD, REG_NONE) \
    I(ALU, WALK_POP, OP_INT_ADD, R_DEPTH, R_DEPTH) \
    I(ALU, WALK_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEPTH) \
    I(BRANCH, WALK_BRANCH, R_PREDICATE) \
    I(ALU, FORCE_RESULT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BODY) \
    I(LOAD_UNCACHED, FORCE_LOAD_STEP, 4, R_STEP, R_ADDRESS) \
    I(ALU, FORCE_STEP_COMPARE, OP_INT_ADD, R_PREDICATE, R_STEP) \
    I(BRANCH, FORCE_STEP_BRANCH, R_PREDICATE) \
    I(LOAD, CORRECT_LOAD_ACC_X, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(LOAD, CORRECT_LOAD_VEL_X, SPACE_GLOBAL, 4, R_VALUE_2, R_ADDRESS) \
    I(ALU, CORRECT_DIFFERENCE_X, OP_FP_ADD, R_VALUE, R_ACC, R_VALUE) \
    I(ALU, CORRECT_X, OP_FP_MAD, R_VALUE_2, R_VALUE, R_VALUE_2) \
    I(STORE, CORRECT_STORE_X, SPACE_GLOBAL, 4, R_VALUE_2, R_ADDRESS) \
    I(LOAD, CORRECT_LOAD_ACC_Y, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(LOAD, CORRECT_LOAD_VEL_Y, SPACE_GLOBAL, 4, R_VALUE_2, R_ADDRESS) \
    I(ALU, CORRECT_DIFFERENCE_Y, OP_FP_ADD, R_VALUE, R_ACC_Y, R_VALUE) \
    I(ALU, CORRECT_Y, OP_FP_MAD, R_VALUE_2, R_VALUE, R_VALUE_2) \
    I(STORE, CORRECT_STORE_Y, SPACE_GLOBAL, 4, R_VALUE_2, R_ADDRESS) \
    I(LOAD, CORRECT_LOAD_ACC_Z, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(LOAD, CORRECT_LOAD_VEL_Z, SPACE_GLOBAL, 4, R_VALUE_2, R_ADDRESS) \
    I(ALU, CORRECT_DIFFERENCE_Z, OP_FP_ADD, R_VALUE, R_ACC_Z, R_VALUE) \
    I(ALU, CORRECT_Z, OP_FP_MAD, R_VALUE_2, R_VALUE, R_VALUE_2) \
    I(STORE, CORRECT_STORE_Z, SPACE_GLOBAL, 4, R_VALUE_2, R_ADDRESS) \
    I(STORE, FORCE_STORE_X, SPACE_GLOBAL, 4, R_ACC, R_ADDRESS) \
    I(STORE, FORCE_STORE_Y, SPACE_GLOBAL, 4, R_ACC_Y, R_ADDRESS) \
    I(STORE, FORCE_STORE_Z, SPACE_GLOBAL, 4, R_ACC_Z, R_ADDRESS) \
    I(ALU, FORCE_NEXT, OP_INT_ADD, R_K, R_K)
#define STACK (BH_DEPTH_MAX * BH_FORCE_BLOCK / WARP_SIZE) /* of all warps */
SIMT_CODE(bh_force, FORCE, .registers = 24, .shared_bytes = 3 * STACK * sizeof(float));

/* Bodies of the CTA's threads; and of each thread's warp, at each thread, the cell that it is in
 * (the number of its first child), the next child of it, and the place on the stack. */
struct walker {
    int32_t body[SIMT_THREADS];
    float p[3][SIMT_THREADS], acc[3][SIMT_THREADS];
    int32_t nd[SIMT_THREADS], pd[SIMT_THREADS], depth[SIMT_THREADS];
    struct simt_mask first;               /* lane 0 of each warp */
    struct buffer stack_pd, stack_nd, dq; /* shared */
};

static int32_t stack_of(unsigned t) {
    return (int32_t)(t / WARP_SIZE * BH_DEPTH_MAX);
}

/* The squared distance from which a cell of each level pulls as one: by one thread. */
static void make_dq(struct simt *s, const struct bh *k, const struct walker *a) {
    float radius[SIMT_THREADS], dq[SIMT_THREADS];
    int32_t depth[SIMT_THREADS];
    struct simt_mask leader, deep;
    simt_alu(s, FORCE_LANE);
    SIMT_WHERE(s, leader, t, t == 0);
    SIMT_IF(s, FORCE_FIRST_BRANCH, &leader) {
        simt_alu(s, DQ_ADDRESS);
        simt_load(s, DQ_LOAD_RADIUS, radius, &k->radius, element_at(0));
        simt_load(s, DQ_LOAD_DEPTH, depth, &k->max_depth, element_at(0));
        simt_alus(s, DQ_SIZE, DQ_SQUARE);
        const unsigned levels =
            (unsigned)depth[0] < BH_DEPTH_MAX ? (unsigned)depth[0] : BH_DEPTH_MAX;
        float square = 2 * radius[0] * (2 * radius[0]) * BH_INVERSE_THETA_SQUARED;
        SIMT_FOR(s, DQ_LEVELS, i, levels) {
            SIMT_ALU(s, DQ_PLUS, t) {
                dq[t] = square + BH_EPS_SQUARED;
            }
            simt_store(s, DQ_STORE, dq, &a->dq, element_at(i));
            simt_alus(s, DQ_QUARTER, DQ_BRANCH);
            square *= 0.25f;
        }
        simt_alu(s, DQ_DEEP_COMPARE);
        SIMT_WHERE(s, deep, t, depth[t] > BH_DEPTH_MAX);
        SIMT_IF(s, DQ_DEEP_BRANCH, &deep) {
            simt_store(s, DQ_STORE_ERROR, depth, &k->error, element_at(0));
        }
    }
}

/* A copy for each warp. */
static void copy_dq(struct simt *s, const struct walker *a) {
    float dq[SIMT_THREADS];
    int32_t at[SIMT_THREADS];
    SIMT_ALU(s, DQ_COPY_ADDRESS, t) {
        at[t] = (int32_t)(t % WARP_SIZE);
    }
    simt_load(s, DQ_LOAD, dq, &a->dq, element_lane(at));
    SIMT_EACH(s, t) {
        at[t] += stack_of(t);
    }
    simt_store(s, DQ_COPY, dq, &a->dq, element_lane(at));
    simt_barrier(s, DQ_COPIED);
}

/* The lanes' nodes pull them. */
static void take(struct simt *s, const struct bh *k, struct walker *a, const int32_t *n,
                 float d[3][SIMT_THREADS], float *distance) {
    float mass[SIMT_THREADS];
    SIMT_ALU(s, TAKE_ROOT, t) {
        distance[t] = 1 / sqrtf(distance[t]);
    }
    simt_load(s, TAKE_LOAD_MASS, mass, &k->mass, element_lane(n));
    simt_alus(s, TAKE_TIMES, TAKE_TIMES_2);
    SIMT_ALU(s, TAKE_TIMES_3, t) {
        mass[t] = mass[t] * distance[t] * distance[t] * distance[t];
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        SIMT_ALU(s, TAKE_X + axis, t) {
            a->acc[axis][t] += d[axis][t] * mass[t];
        }
    }
}

static void push(struct simt *s, struct walker *a, const int32_t *n) {
    simt_alu(s, PUSH_LANE);
    SIMT_IF(s, PUSH_BRANCH, &a->first) {
        simt_store(s, PUSH_PD, a->pd, &a->stack_pd, element_lane(a->depth));
        simt_store(s, PUSH_ND, a->nd, &a->stack_nd, element_lane(a->depth));
    }
    SIMT_ALU(s, PUSH_DEPTH, t) {
        a->depth[t]++;
    }
    SIMT_ALU(s, PUSH_FIRST, t) {
        a->pd[t] = 0;
    }
    SIMT_ALU(s, PUSH_CELL, t) {
        a->nd[t] = n[t] * 8;
    }
}

/* __all() of each warp's active lanes. */
static void vote(struct simt *s, const struct simt_mask *yes, struct simt_mask *all) {
    for (unsigned w = 0; w < s->warps; w++) {
        all->warp[w] = (s->active.warp[w] & ~yes->warp[w]) == 0 ? s->active.warp[w] : 0;
    }
}

/* A child that is not empty, the same of all lanes of a warp. */
static void visit_node(struct simt *s, const struct bh *k, struct walker *a, const int32_t *n) {
    float d[3][SIMT_THREADS], distance[SIMT_THREADS], dq[SIMT_THREADS];
    struct simt_mask body, far, taken;

    simt_alu(s, VISIT_NODE_ADDRESS);
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_load(s, VISIT_LOAD_X + axis, d[axis], &k->pos[axis], element_lane(n));
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        SIMT_ALU(s, VISIT_DX + axis, t) {
            d[axis][t] -= a->p[axis][t];
        }
    }
    simt_alus(s, VISIT_SQUARE_Z, VISIT_BODY_COMPARE);
    SIMT_EACH(s, t) {
        distance[t] =
            d[0][t] * d[0][t] + (d[1][t] * d[1][t] + (d[2][t] * d[2][t] + BH_EPS_SQUARED));
    }
    simt_load(s, VISIT_LOAD_DQ, dq, &a->dq, element_lane(a->depth));
    simt_alus(s, VISIT_FAR, VISIT_VOTE);
    SIMT_WHERE(s, body, t, n[t] < k->bodies);
    SIMT_WHERE(s, far, t, distance[t] >= dq[t]);
    vote(s, &far, &taken);
    for (unsigned w = 0; w < s->warps; w++) {
        taken.warp[w] |= body.warp[w];
    }
    SIMT_IF(s, VISIT_TAKE_BRANCH, &taken) {
        take(s, k, a, n, d, distance);
    }
    SIMT_ELSE(s) {
        push(s, a, n);
    }
}

/* The children of the cell on top of the stack. */
static void visit(struct simt *s, const struct bh *k, struct walker *a) {
    int32_t at[SIMT_THREADS], n[SIMT_THREADS];
    struct simt_mask some;

    SIMT_LOOP(s, VISIT) {
        simt_alu(s, VISIT_COMPARE);
        SIMT_WHERE(s, some, t, a->pd[t] < 8);
        simt_while(s, VISIT_BRANCH, &some);
        SIMT_ALU(s, VISIT_ADDRESS, t) {
            at[t] = a->nd[t] + a->pd[t];
        }
        simt_load(s, VISIT_LOAD_CHILD, n, &k->child, element_lane(at));
        SIMT_ALU(s, VISIT_NEXT, t) {
            a->pd[t]++;
        }
        simt_alu(s, VISIT_SOME_COMPARE);
        SIMT_WHERE(s, some, t, n[t] >= 0);
        SIMT_IF(s, VISIT_SOME_BRANCH, &some) {
            visit_node(s, k, a, n);
        }
        SIMT_ELSE(s) { /* nor are there others: Sort has moved them to the front */
            SIMT_ALU(s, VISIT_NONE_LEFT, t) {
                a->pd[t] = 8;
            }
        }
    }
}

static void walk(struct simt *s, const struct bh *k, struct walker *a) {
    struct simt_mask left;
    SIMT_ALU(s, FORCE_STACK, t) {
        a->depth[t] = stack_of(t);
        a->pd[t] = 0;
        a->nd[t] = k->nodes * 8;
    }
    SIMT_IF(s, FORCE_ROOT_BRANCH, &a->first) {
        simt_alu(s, FORCE_ROOT);
        simt_store(s, FORCE_STORE_PD, a->pd, &a->stack_pd, element_lane(a->depth));
        simt_store(s, FORCE_STORE_ND, a->nd, &a->stack_nd, element_lane(a->depth));
    }
    SIMT_LOOP(s, WALK) {
        simt_load(s, WALK_LOAD_PD, a->pd, &a->stack_pd, element_lane(a->depth));
        simt_load(s, WALK_LOAD_ND, a->nd, &a->stack_nd, element_lane(a->depth));
        visit(s, k, a);
        SIMT_ALU(s, WALK_POP, t) {
            a->depth[t]--;
        }
        simt_alu(s, WALK_COMPARE);
        SIMT_WHERE(s, left, t, a->depth[t] >= stack_of(t));
        simt_while(s, WALK_BRANCH, &left);
    }
}

/* Integration took the acceleration to be that of the step before; then acc becomes what it is. */
static void store_acc(struct simt *s, const struct bh *k, const struct walker *a) {
    int32_t step[SIMT_THREADS];
    float acc[SIMT_THREADS], vel[SIMT_THREADS];
    struct simt_mask later;

    simt_alu(s, FORCE_RESULT_ADDRESS);
    simt_load(s, FORCE_LOAD_STEP, step, &k->step, element_at(0));
    simt_alu(s, FORCE_STEP_COMPARE);
    SIMT_WHERE(s, later, t, step[t] > 0);
    SIMT_IF(s, FORCE_STEP_BRANCH, &later) {
        for (unsigned axis = 0; axis < 3; axis++) {
            const unsigned at = axis * (CORRECT_LOAD_ACC_Y - CORRECT_LOAD_ACC_X);
            simt_load(s, CORRECT_LOAD_ACC_X + at, acc, &k->acc[axis], element_lane(a->body));
            simt_load(s, CORRECT_LOAD_VEL_X + at, vel, &k->vel[axis], element_lane(a->body));
            simt_alu(s, CORRECT_DIFFERENCE_X + at);
            SIMT_ALU(s, CORRECT_X + at, t) {
                vel[t] += (a->acc[axis][t] - acc[t]) * BH_HALF_DT;
            }
            simt_store(s, CORRECT_STORE_X + at, vel, &k->vel[axis], element_lane(a->body));
        }
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_store(s, FORCE_STORE_X + axis, a->acc[axis], &k->acc[axis], element_lane(a->body));
    }
}

static void all_bodies(struct simt *s, const struct bh *k, struct walker *a) {
    int64_t first = (int64_t)s->cta[0] * BH_FORCE_BLOCK; /* place in sort of thread 0 */
    struct simt_mask inside;
    simt_alu(s, FORCE_INDEX);
    SIMT_LOOP(s, FORCE_EACH) {
        simt_alu(s, FORCE_COMPARE);
        SIMT_WHERE(s, inside, t, first + t < k->bodies);
        simt_while(s, FORCE_BRANCH, &inside);
        simt_alu(s, FORCE_SORT_ADDRESS);
        simt_load(s, FORCE_LOAD_BODY, a->body, &k->sort, element_x(first, 1));
        simt_alu(s, FORCE_BODY_ADDRESS);
        for (unsigned axis = 0; axis < 3; axis++) {
            simt_load(s, FORCE_LOAD_X + axis, a->p[axis], &k->pos[axis], element_lane(a->body));
            SIMT_ALU(s, FORCE_ZERO_X + axis, t) {
                a->acc[axis][t] = 0;
            }
        }
        walk(s, k, a);
        store_acc(s, k, a);
        simt_alu(s, FORCE_NEXT);
        first += BH_FORCE_CTAS * BH_FORCE_BLOCK;
    }
}

static void force(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    struct simt_mask inside;
    struct walker a;
    a.stack_pd = simt_shared(s, 0, STACK, sizeof(int32_t));
    a.stack_nd = simt_shared(s, STACK * sizeof(int32_t), STACK, sizeof(int32_t));
    a.dq = simt_shared(s, 2 * STACK * sizeof(int32_t), STACK, sizeof(float));
    SIMT_WHERE(s, a.first, t, t % WARP_SIZE == 0);

    make_dq(s, k, &a);
    simt_barrier(s, DQ_MADE);
    simt_alu(s, FORCE_DEPTH_ADDRESS);
    simt_load(s, FORCE_LOAD_DEPTH, a.depth, &k->max_depth, element_at(0));
    simt_alu(s, FORCE_DEPTH_COMPARE);
    SIMT_WHERE(s, inside, t, a.depth[t] <= BH_DEPTH_MAX);
    SIMT_IF(s, FORCE_DEPTH_BRANCH, &inside) {
        copy_dq(s, &a);
        all_bodies(s, k, &a);
    }
}

const struct host_launch bh_force = {
    .launch = {&bh_force_code, {BH_FORCE_CTAS, 1, 1}, {BH_FORCE_BLOCK, 1, 1}}, .kernel = force};
