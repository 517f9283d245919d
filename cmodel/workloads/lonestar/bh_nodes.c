/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh: the kernels that go through the arrays in order: the two that clear, and
 * integration.
 */
#include "workloads/lonestar/bh.h"

enum {
    R_I,
    R_PREDICATE,
    R_ADDRESS,
    R_VALUE,
    R_BOTTOM,
    R_X,
    R_Y,
    R_Z,
    R_VEL,
    R_VEL_Y,
    R_VEL_Z,
    R_POS,
    R_POS_Y,
    R_POS_Z,
};

/* --- Clear: the children of all cells but the root; mass and start of those in use. --- */

#define CLEAR_HEAD(I, P) \
    I(ALU, P##_INDEX, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, P##_ALIGN, OP_INT_ADD, R_I, R_I) \
    I(ALU, P##_VALUE, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(LOOP, P##_EACH) \
    I(ALU, P##_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, P##_BRANCH, R_PREDICATE) \
    I(ALU, P##_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I)
#define CLEAR_1(I) \
    CLEAR_HEAD(I, CLEAR_1) \
    I(STORE, CLEAR_1_STORE, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, CLEAR_1_NEXT, OP_INT_ADD, R_I, R_I)
SIMT_CODE(bh_clear_1, CLEAR_1, .registers = 16);
#define CLEAR_2(I) \
    I(ALU, CLEAR_2_BOTTOM_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD, CLEAR_2_LOAD_BOTTOM, SPACE_GLOBAL, 4, R_BOTTOM, R_ADDRESS) \
    CLEAR_HEAD(I, CLEAR_2) \
    I(STORE, CLEAR_2_STORE_MASS, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(STORE, CLEAR_2_STORE_START, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, CLEAR_2_NEXT, OP_INT_ADD, R_I, R_I)
SIMT_CODE(bh_clear_2, CLEAR_2, .registers = 16);

/* Elements of thread 0 to 31, of their first strides: warps begin where a line does. */
static void first_of(struct simt *s, int32_t from, int32_t *i) {
    SIMT_EACH(s, t) {
        i[t] = from / WARP_SIZE * WARP_SIZE + (int32_t)(s->cta[0] * BH_CLEAR_BLOCK + t);
        i[t] += i[t] < from ? BH_CLEAR_CTAS * BH_CLEAR_BLOCK : 0;
    }
}

static void clear_1(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    int32_t i[SIMT_THREADS];
    struct simt_mask inside;

    simt_alus(s, CLEAR_1_INDEX, CLEAR_1_VALUE);
    first_of(s, 8 * k->bodies, i);
    SIMT_LOOP(s, CLEAR_1_EACH) {
        simt_alu(s, CLEAR_1_COMPARE);
        SIMT_WHERE(s, inside, t, i[t] < 8 * k->nodes);
        simt_while(s, CLEAR_1_BRANCH, &inside);
        simt_alu(s, CLEAR_1_ADDRESS);
        bh_store_all(s, CLEAR_1_STORE, BH_EMPTY, &k->child, element_lane(i));
        SIMT_ALU(s, CLEAR_1_NEXT, t) {
            i[t] += BH_CLEAR_CTAS * BH_CLEAR_BLOCK;
        }
    }
}

static void clear_2(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    int32_t i[SIMT_THREADS], bottom[SIMT_THREADS];
    float mass[SIMT_THREADS];
    struct simt_mask inside;

    simt_alu(s, CLEAR_2_BOTTOM_ADDRESS);
    simt_load(s, CLEAR_2_LOAD_BOTTOM, bottom, &k->bottom, element_at(0));
    simt_alus(s, CLEAR_2_INDEX, CLEAR_2_VALUE);
    first_of(s, bottom[0], i);
    SIMT_EACH(s, t) {
        mass[t] = -1;
    }
    SIMT_LOOP(s, CLEAR_2_EACH) {
        simt_alu(s, CLEAR_2_COMPARE);
        SIMT_WHERE(s, inside, t, i[t] < k->nodes);
        simt_while(s, CLEAR_2_BRANCH, &inside);
        simt_alu(s, CLEAR_2_ADDRESS);
        simt_store(s, CLEAR_2_STORE_MASS, mass, &k->mass, element_lane(i));
        bh_store_all(s, CLEAR_2_STORE_START, -1, &k->start, element_lane(i));
        SIMT_ALU(s, CLEAR_2_NEXT, t) {
            i[t] += BH_CLEAR_CTAS * BH_CLEAR_BLOCK;
        }
    }
}

const struct host_launch bh_clear_1 = {
    .launch = {&bh_clear_1_code, {BH_CLEAR_CTAS, 1, 1}, {BH_CLEAR_BLOCK, 1, 1}}, .kernel = clear_1};
const struct host_launch bh_clear_2 = {
    .launch = {&bh_clear_2_code, {BH_CLEAR_CTAS, 1, 1}, {BH_CLEAR_BLOCK, 1, 1}}, .kernel = clear_2};

/* --- Integration: half a step of velocity, a step of the place, half a step again. --- */

#define MOVE(I) \
    I(ALU, MOVE_INDEX, OP_INT_MAD, R_I, REG_NONE) \
    I(LOOP, MOVE_EACH) \
    I(ALU, MOVE_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, MOVE_BRANCH, R_PREDICATE) \
    I(ALU, MOVE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, MOVE_LOAD_ACC_X, SPACE_GLOBAL, 4, R_X, R_ADDRESS) \
    I(LOAD, MOVE_LOAD_ACC_Y, SPACE_GLOBAL, 4, R_Y, R_ADDRESS) \
    I(LOAD, MOVE_LOAD_ACC_Z, SPACE_GLOBAL, 4, R_Z, R_ADDRESS) \
    I(ALU, MOVE_TIMES_X, OP_FP_MUL, R_X, R_X) \
    I(ALU, MOVE_TIMES_Y, OP_FP_MUL, R_Y, R_Y) \
    I(ALU, MOVE_TIMES_Z, OP_FP_MUL, R_Z, R_Z) \
    I(LOAD, MOVE_LOAD_VEL_X, SPACE_GLOBAL, 4, R_VEL, R_ADDRESS) \
    I(LOAD, MOVE_LOAD_VEL_Y, SPACE_GLOBAL, 4, R_VEL_Y, R_ADDRESS) \
    I(LOAD, MOVE_LOAD_VEL_Z, SPACE_GLOBAL, 4, R_VEL_Z, R_ADDRESS) \
    I(ALU, MOVE_HALF_X, OP_FP_ADD, R_VEL, R_VEL, R_X) \
    I(ALU, MOVE_HALF_Y, OP_FP_ADD, R_VEL_Y, R_VEL_Y, R_Y) \
    I(ALU, MOVE_HALF_Z, OP_FP_ADD, R_VEL_Z, R_VEL_Z, R_Z) \
    I(LOAD, MOVE_LOAD_POS_X, SPACE_GLOBAL, 4, R_POS, R_ADDRESS) \
    I(LOAD, MOVE_LOAD_POS_Y, SPACE_GLOBAL, 4, R_POS_Y, R_ADDRESS) \
    I(LOAD, MOVE_LOAD_POS_Z, SPACE_GLOBAL, 4, R_POS_Z, R_ADDRESS) \
    I(ALU, MOVE_X, OP_FP_MAD, R_POS, R_POS, R_VEL) \
    I(ALU, MOVE_Y, OP_FP_MAD, R_POS_Y, R_POS_Y, R_VEL_Y) \
    I(ALU, MOVE_Z, OP_FP_MAD, R_POS_Z, R_POS_Z, R_VEL_Z) \
    I(STORE, MOVE_STORE_POS_X, SPACE_GLOBAL, 4, R_POS, R_ADDRESS) \
    I(STORE, MOVE_STORE_POS_Y, SPACE_GLOBAL, 4, R_POS_Y, R_ADDRESS) \
    I(STORE, MOVE_STORE_POS_Z, SPACE_GLOBAL, 4, R_POS_Z, R_ADDRESS) \
    I(ALU, MOVE_WHOLE_X, OP_FP_ADD, R_VEL, R_VEL, R_X) \
    I(ALU, MOVE_WHOLE_Y, OP_FP_ADD, R_VEL_Y, R_VEL_Y, R_Y) \
    I(ALU, MOVE_WHOLE_Z, OP_FP_ADD, R_VEL_Z, R_VEL_Z, R_Z) \
    I(STORE, MOVE_STORE_VEL_X, SPACE_GLOBAL, 4, R_VEL, R_ADDRESS) \
    I(STORE, MOVE_STORE_VEL_Y, SPACE_GLOBAL, 4, R_VEL_Y, R_ADDRESS) \
    I(STORE, MOVE_STORE_VEL_Z, SPACE_GLOBAL, 4, R_VEL_Z, R_ADDRESS) \
    I(ALU, MOVE_NEXT, OP_INT_ADD, R_I, R_I)
SIMT_CODE(bh_integrate, MOVE, .registers = 20);

static void move(struct simt *s, const struct bh *k, int64_t first) {
    float by[3][SIMT_THREADS], vel[3][SIMT_THREADS], pos[3][SIMT_THREADS];
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_load(s, MOVE_LOAD_ACC_X + axis, by[axis], &k->acc[axis], element_x(first, 1));
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        SIMT_ALU(s, MOVE_TIMES_X + axis, t) {
            by[axis][t] *= BH_HALF_DT;
        }
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_load(s, MOVE_LOAD_VEL_X + axis, vel[axis], &k->vel[axis], element_x(first, 1));
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        SIMT_ALU(s, MOVE_HALF_X + axis, t) {
            vel[axis][t] += by[axis][t];
        }
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_load(s, MOVE_LOAD_POS_X + axis, pos[axis], &k->pos[axis], element_x(first, 1));
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        SIMT_ALU(s, MOVE_X + axis, t) {
            pos[axis][t] += vel[axis][t] * BH_DT;
        }
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_store(s, MOVE_STORE_POS_X + axis, pos[axis], &k->pos[axis], element_x(first, 1));
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        SIMT_ALU(s, MOVE_WHOLE_X + axis, t) {
            vel[axis][t] += by[axis][t];
        }
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_store(s, MOVE_STORE_VEL_X + axis, vel[axis], &k->vel[axis], element_x(first, 1));
    }
}

static void integrate(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    int64_t first = (int64_t)s->cta[0] * BH_MOVE_BLOCK; /* body of thread 0 */
    struct simt_mask inside;

    simt_alu(s, MOVE_INDEX);
    SIMT_LOOP(s, MOVE_EACH) {
        simt_alu(s, MOVE_COMPARE);
        SIMT_WHERE(s, inside, t, first + t < k->bodies);
        simt_while(s, MOVE_BRANCH, &inside);
        simt_alu(s, MOVE_ADDRESS);
        move(s, k, first);
        simt_alu(s, MOVE_NEXT);
        first += BH_MOVE_CTAS * BH_MOVE_BLOCK;
    }
}

const struct host_launch bh_integrate = {
    .launch = {&bh_integrate_code, {BH_MOVE_CTAS, 1, 1}, {BH_MOVE_BLOCK, 1, 1}},
    .kernel = integrate};
