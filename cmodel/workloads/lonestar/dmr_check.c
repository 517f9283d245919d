/* SPDX-License-Identifier: Apache-2.0
 *
 * dmr's first kernel finds the triangles with an angle that is too small: a thread an element, in
 * steps of the grid.
 */
#include "workloads/lonestar/dmr.h"

#define BLOCK DMR_CHECK_BLOCK

enum {
    R_ID,
    R_ELEMENT,
    R_ELEMENTS,
    R_P,
    R_ADDRESS,
    R_DELETED,
    R_N0,
    R_N1,
    R_N2,
    R_BAD,
    R_BAD_ADDRESS,
    R_XA,
    R_YA,
    R_X0,
    R_Y0,
    R_X1 = R_Y0 + 2,
    R_Y1 = R_X1 + 2,
    R_X2 = R_Y1 + 2,
    R_Y2 = R_X2 + 2,
    R_D = R_Y2 + 2,
    R_DOT = R_D + 2,
    R_COUNT = R_DOT + 2,
    R_ONE,
    R_PLACE,
    R_ROOM,
    R_LIMIT,
};

/* The place of a node, two doubles. */
#define NODE(I, P, N, X, Y) \
    I(ALU, P##_X_ADDRESS, OP_INT_MAD, R_XA, N) \
    I(ALU, P##_Y_ADDRESS, OP_INT_MAD, R_YA, N) \
    I(LOAD, P##_X, SPACE_GLOBAL, 8, X, R_XA) \
    I(LOAD, P##_Y, SPACE_GLOBAL, 8, Y, R_YA)

/* The angle at B, between the sides to A and C: three nodes; if it is acute, both sides' lengths,
 * for which the nodes are loaded again. */
#define ANGLE(I, P, A, B, C) \
    NODE(I, P##_A, A, R_X0, R_Y0) \
    NODE(I, P##_B, B, R_X1, R_Y1) \
    NODE(I, P##_C, C, R_X2, R_Y2) \
    I(ALU, P##_SIDES, OP_DP_ADD, R_D, R_X0, R_X1, R_X2) \
    I(ALU, P##_DOT, OP_DP_MAD, R_DOT, R_D, R_Y0, R_Y1, R_Y2) \
    I(ALU, P##_DOT_COMPARE, OP_DP_ADD, R_P, R_DOT) \
    I(BRANCH, P##_ACUTE, R_P) \
    NODE(I, P##_FROM, A, R_X0, R_Y0) \
    NODE(I, P##_MIDDLE, B, R_X1, R_Y1) \
    I(ALU, P##_DIFFERENCE, OP_DP_ADD, R_D, R_X0, R_X1) \
    I(ALU, P##_SQUARE, OP_DP_MAD, R_D, R_D, R_Y0, R_Y1) \
    I(ALU, P##_ROOT, OP_DP_DIV, R_D, R_D) \
    NODE(I, P##_TO, C, R_X0, R_Y0) \
    NODE(I, P##_AGAIN, B, R_X1, R_Y1) \
    I(ALU, P##_DIFFERENCE_2, OP_DP_ADD, R_X2, R_X0, R_X1) \
    I(ALU, P##_SQUARE_2, OP_DP_MAD, R_X2, R_X2, R_Y0, R_Y1) \
    I(ALU, P##_ROOT_2, OP_DP_DIV, R_X2, R_X2) \
    I(ALU, P##_PRODUCT, OP_DP_MUL, R_D, R_D, R_X2) \
    I(ALU, P##_COSINE, OP_DP_DIV, R_DOT, R_DOT, R_D) \
    I(ALU, P##_COMPARE, OP_DP_ADD, R_P, R_DOT, R_LIMIT)

#define CHECK(I) \
    I(ALU, ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, FIRST, OP_INT_ADD, R_ELEMENT, R_ID) \
    I(ALU, LIMIT, OP_INT_ADD, R_LIMIT, REG_NONE) \
    I(ALU, ZERO, OP_INT_ADD, R_COUNT, REG_NONE) \
    I(ALU, ELEMENTS_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD, LOAD_ELEMENTS, SPACE_GLOBAL, 4, R_ELEMENTS, R_ADDRESS) \
    I(LOOP, EACH) \
    I(ALU, EACH_COMPARE, OP_INT_ADD, R_P, R_ELEMENT, R_ELEMENTS) \
    I(BRANCH, EACH_BRANCH, R_P) \
    I(ALU, DELETED_ADDRESS, OP_INT_ADD, R_ADDRESS, R_ELEMENT) \
    I(LOAD, LOAD_DELETED, SPACE_GLOBAL, 1, R_DELETED, R_ADDRESS) \
    I(BRANCH, DELETED_BRANCH, R_DELETED) \
    I(ALU, KIND_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ELEMENT) \
    I(LOAD, LOAD_KIND, SPACE_GLOBAL, 4, R_N2, R_ADDRESS) \
    I(ALU, KIND_COMPARE, OP_INT_ADD, R_P, R_N2) \
    I(BRANCH, KIND_BRANCH, R_P) \
    I(ALU, BAD_ADDRESS, OP_INT_ADD, R_BAD_ADDRESS, R_ELEMENT) \
    I(LOAD, LOAD_BAD, SPACE_GLOBAL, 1, R_BAD, R_BAD_ADDRESS) \
    I(BRANCH, BAD_BRANCH, R_BAD) \
    I(LOAD, LOAD_NODE_0, SPACE_GLOBAL, 4, R_N0, R_ADDRESS) \
    I(LOAD, LOAD_NODE_1, SPACE_GLOBAL, 4, R_N1, R_ADDRESS) \
    ANGLE(I, ANGLE_0, R_N0, R_N1, R_N2) \
    I(BRANCH, SMALL_0, R_P) \
    ANGLE(I, ANGLE_1, R_N1, R_N2, R_N0) \
    I(BRANCH, SMALL_1, R_P) \
    ANGLE(I, ANGLE_2, R_N2, R_N0, R_N1) \
    I(ALU, SET, OP_INT_ADD, R_BAD, R_P) \
    I(STORE, STORE_BAD, SPACE_GLOBAL, 1, R_BAD, R_BAD_ADDRESS) \
    I(BRANCH, PUSH_BRANCH, R_BAD) \
    I(ALU, ONE, OP_INT_ADD, R_ONE, REG_NONE) \
    I(ATOMIC, PUSH, R_PLACE, R_ADDRESS, R_ONE) \
    I(LOAD, LOAD_ROOM, SPACE_GLOBAL, 4, R_ROOM, R_ADDRESS) \
    I(ALU, ROOM_COMPARE, OP_INT_ADD, R_P, R_PLACE, R_ROOM) \
    I(ALU, PLACE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_PLACE) \
    I(STORE, STORE_ITEM, SPACE_GLOBAL, 4, R_ELEMENT, R_ADDRESS) \
    I(ALU, COUNT, OP_INT_ADD, R_COUNT, R_COUNT) \
    I(ALU, NEXT, OP_INT_ADD, R_ELEMENT, R_ELEMENT) \
    I(ALU, TOTAL_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(ATOMIC, ADD_COUNT, REG_NONE, R_ADDRESS, R_COUNT)
SIMT_CODE(check_triangles, CHECK, .registers = 40);

struct angle {
    int32_t node[3][BLOCK]; /* of the element */
    double x[3][BLOCK], y[3][BLOCK];
    uint8_t bad[BLOCK];
};

static struct dmr_point point(const struct angle *v, unsigned i, unsigned t) {
    return (struct dmr_point){v->x[i][t], v->y[i][t]};
}

/* bad = the angle at node @b of the element is too small. */
static void angle(struct simt *s, const struct dmr *k, unsigned first, struct angle *v,
                  unsigned b) {
    const unsigned a = (b + 2) % 3, c = (b + 1) % 3;
    struct simt_mask acute;
    dmr_load_node(s, k, first, v->node[a], v->x[a], v->y[a]);
    dmr_load_node(s, k, first + (ANGLE_0_B_X_ADDRESS - ANGLE_0_A_X_ADDRESS), v->node[b], v->x[b],
                  v->y[b]);
    dmr_load_node(s, k, first + (ANGLE_0_C_X_ADDRESS - ANGLE_0_A_X_ADDRESS), v->node[c], v->x[c],
                  v->y[c]);
    simt_work(s, first + (ANGLE_0_SIDES - ANGLE_0_A_X_ADDRESS), 4);
    simt_work(s, first + (ANGLE_0_DOT - ANGLE_0_A_X_ADDRESS), 2);
    simt_alu(s, first + (ANGLE_0_DOT_COMPARE - ANGLE_0_A_X_ADDRESS));
    SIMT_EACH(s, t) {
        v->bad[t] = 0;
    }
    SIMT_WHERE(s, acute, t, dmr_dot(point(v, a, t), point(v, b, t), point(v, c, t)) >= 0.0);
    SIMT_IF(s, first + (ANGLE_0_ACUTE - ANGLE_0_A_X_ADDRESS), &acute) {
        dmr_load_node(s, k, first + (ANGLE_0_FROM_X_ADDRESS - ANGLE_0_A_X_ADDRESS), v->node[a],
                      v->x[a], v->y[a]);
        dmr_load_node(s, k, first + (ANGLE_0_MIDDLE_X_ADDRESS - ANGLE_0_A_X_ADDRESS), v->node[b],
                      v->x[b], v->y[b]);
        simt_work(s, first + (ANGLE_0_DIFFERENCE - ANGLE_0_A_X_ADDRESS), 2);
        simt_work(s, first + (ANGLE_0_SQUARE - ANGLE_0_A_X_ADDRESS), 2);
        simt_alu(s, first + (ANGLE_0_ROOT - ANGLE_0_A_X_ADDRESS));
        dmr_load_node(s, k, first + (ANGLE_0_TO_X_ADDRESS - ANGLE_0_A_X_ADDRESS), v->node[c],
                      v->x[c], v->y[c]);
        dmr_load_node(s, k, first + (ANGLE_0_AGAIN_X_ADDRESS - ANGLE_0_A_X_ADDRESS), v->node[b],
                      v->x[b], v->y[b]);
        simt_work(s, first + (ANGLE_0_DIFFERENCE_2 - ANGLE_0_A_X_ADDRESS), 2);
        simt_work(s, first + (ANGLE_0_SQUARE_2 - ANGLE_0_A_X_ADDRESS), 2);
        simt_alus(s, first + (ANGLE_0_ROOT_2 - ANGLE_0_A_X_ADDRESS),
                  first + (ANGLE_0_COMPARE - ANGLE_0_A_X_ADDRESS));
        SIMT_EACH(s, t) {
            v->bad[t] = dmr_is_small(point(v, a, t), point(v, b, t), point(v, c, t));
        }
    }
}

/* bad[e] = angle(0, 1, 2) || angle(1, 2, 0) || angle(2, 0, 1); */
static void judge(struct simt *s, const struct dmr *k, const int32_t *element, struct angle *v) {
    struct simt_mask wide;
    simt_load(s, LOAD_NODE_0, v->node[0], &k->element, dmr_word(element, 0));
    simt_load(s, LOAD_NODE_1, v->node[1], &k->element, dmr_word(element, 1));
    angle(s, k, ANGLE_0_A_X_ADDRESS, v, 1);
    SIMT_WHERE(s, wide, t, !v->bad[t]);
    SIMT_IF(s, SMALL_0, &wide) {
        angle(s, k, ANGLE_1_A_X_ADDRESS, v, 2);
        SIMT_WHERE(s, wide, t, !v->bad[t]);
        SIMT_IF(s, SMALL_1, &wide) {
            angle(s, k, ANGLE_2_A_X_ADDRESS, v, 0);
        }
    }
    simt_alu(s, SET);
    simt_store(s, STORE_BAD, v->bad, &k->is_bad, element_lane(element));
}

/* A triangle that is there: judge it unless it was found bad before, and list it. */
static void check(struct simt *s, const struct dmr *k, const int32_t *element, struct angle *v,
                  int32_t *count) {
    int32_t one[BLOCK], place[BLOCK], room[BLOCK];
    struct simt_mask some;
    simt_alu(s, BAD_ADDRESS);
    simt_load(s, LOAD_BAD, v->bad, &k->is_bad, element_lane(element));
    SIMT_WHERE(s, some, t, !v->bad[t]);
    SIMT_IF(s, BAD_BRANCH, &some) {
        judge(s, k, element, v);
    }
    SIMT_WHERE(s, some, t, v->bad[t]);
    SIMT_IF(s, PUSH_BRANCH, &some) {
        SIMT_ALU(s, ONE, t) {
            one[t] = 1;
        }
        simt_atomic(s, PUSH, SIMT_ADD, place, one, NULL, &k->index[k->out], element_at(0));
        simt_load(s, LOAD_ROOM, room, &k->room[k->out], element_at(0));
        simt_alus(s, ROOM_COMPARE, PLACE_ADDRESS);
        simt_store(s, STORE_ITEM, element, &k->list[k->out], element_lane(place));
        SIMT_ALU(s, COUNT, t) {
            count[t]++;
        }
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct dmr *k = arguments;
    const unsigned step = DMR_CORES * BLOCK;
    int32_t element[BLOCK], elements[BLOCK], count[BLOCK] = {0};
    uint8_t deleted[BLOCK];
    struct angle v;
    struct simt_mask some;

    SIMT_EACH(s, t) {
        element[t] = k->first + (int32_t)(s->cta[0] * BLOCK + t);
    }
    simt_alus(s, ID, ELEMENTS_ADDRESS);
    simt_load(s, LOAD_ELEMENTS, elements, &k->elements, element_at(0));
    SIMT_LOOP(s, EACH) {
        simt_alu(s, EACH_COMPARE);
        SIMT_WHERE(s, some, t, element[t] < elements[t]);
        simt_while(s, EACH_BRANCH, &some);
        simt_alu(s, DELETED_ADDRESS);
        simt_load(s, LOAD_DELETED, deleted, &k->is_deleted, element_lane(element));
        SIMT_WHERE(s, some, t, !deleted[t]);
        SIMT_IF(s, DELETED_BRANCH, &some) {
            simt_alu(s, KIND_ADDRESS);
            simt_load(s, LOAD_KIND, v.node[2], &k->element, dmr_word(element, 2));
            simt_alu(s, KIND_COMPARE);
            SIMT_WHERE(s, some, t, v.node[2][t] != DMR_NONE);
            SIMT_IF(s, KIND_BRANCH, &some) {
                check(s, k, element, &v, count);
            }
        }
        SIMT_ALU(s, NEXT, t) {
            element[t] += (int32_t)step;
        }
    }
    simt_alu(s, TOTAL_ADDRESS);
    simt_atomic(s, ADD_COUNT, SIMT_ADD, NULL, count, NULL, &k->bad, element_at(0));
}

struct host_launch dmr_check_triangles(void) {
    return (struct host_launch){.launch = {&check_triangles_code, {DMR_CORES, 1, 1}, {BLOCK, 1, 1}},
                                .kernel = kernel};
}
