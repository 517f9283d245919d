/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of LonestarGPU sp's kernels: registers, the loop over elements in strides of the
 * grid, the list of a clause's or variable's edges.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_SP_CODE_H
#define WARPMEM_WORKLOADS_LONESTAR_SP_CODE_H

#include "workloads/lonestar/sp.h"

enum {
    R_I,
    R_PREDICATE,
    R_J,
    R_A,
    R_FLAG,
    R_FLAG_2,
    R_ADDRESS,
    R_ADDRESS_2,
    R_START,
    R_LENGTH,
    R_AT,
    R_EB,
    R_B,
    R_ETA,
    R_TERM,
    R_PI_0,
    R_PI_S,
    R_PI_U,
    R_SUM,
    R_MAX,
};

/* A kernel's threads take elements in strides of the grid. Its code begins with these: where it
 * starts, and the head of the loop; and ends with the step. */
#define EACH(I, P) \
    I(ALU, P##_INDEX, OP_INT_MAD, R_I, REG_NONE) \
    I(LOOP, P##_EACH) \
    I(ALU, P##_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, P##_GUARD, R_PREDICATE)
#define EACH_HEAD(s, P, mask, first, count) \
    simt_alu(s, P##_COMPARE); \
    SIMT_WHERE(s, mask, t, (first) + t < (count)); \
    simt_while(s, P##_GUARD, &(mask))

/* The list of a clause's or variable's edges: start, start, end. */
#define ROW(I, P) \
    I(ALU, P##_ROW_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(LOAD, P##_LOAD_START, SPACE_GLOBAL, 4, R_START, R_ADDRESS) \
    I(LOAD, P##_LOAD_START_2, SPACE_GLOBAL, 4, R_AT, R_ADDRESS) \
    I(LOAD, P##_LOAD_END, SPACE_GLOBAL, 4, R_LENGTH, R_ADDRESS) \
    I(ALU, P##_LENGTH, OP_INT_ADD, R_LENGTH, R_LENGTH, R_AT) \
    I(ALU, P##_ZERO, OP_INT_ADD, R_AT, REG_NONE)
#define LOAD_ROW(s, P, start, length, row, node) \
    do { \
        int32_t again_[SIMT_THREADS], node_[SIMT_THREADS]; \
        simt_alu(s, P##_ROW_ADDRESS); \
        simt_load(s, P##_LOAD_START, start, row, element_lane(node)); \
        simt_load(s, P##_LOAD_START_2, again_, row, element_lane(node)); \
        SIMT_EACH(s, t) { \
            node_[t] = (node)[t] + 1; \
        } \
        simt_load(s, P##_LOAD_END, length, row, element_lane(node_)); \
        SIMT_ALU(s, P##_LENGTH, t) { \
            (length)[t] -= again_[t]; \
        } \
        simt_alu(s, P##_ZERO); \
    } while (0)

/* The head of the loop over that list, and its next edge. */
#define NEXT_EDGE(I, P) \
    I(LOOP, P##_LITERAL) \
    I(ALU, P##_AT_COMPARE, OP_INT_ADD, R_PREDICATE, R_AT, R_LENGTH) \
    I(BRANCH, P##_AT_BRANCH, R_PREDICATE) \
    I(ALU, P##_EDGE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_START, R_AT) \
    I(ALU, P##_AT_NEXT, OP_INT_ADD, R_AT, R_AT) \
    I(LOAD, P##_LOAD_EDGE, SPACE_GLOBAL, 4, R_EB, R_ADDRESS) \
    I(ALU, P##_EB_ADDRESS, OP_INT_MAD, R_ADDRESS, R_EB)
#define LOAD_NEXT_EDGE(s, P, i, start, length, edges, eb) \
    do { \
        struct simt_mask left_; \
        int32_t at_[SIMT_THREADS]; \
        simt_alu(s, P##_AT_COMPARE); \
        SIMT_WHERE(s, left_, t, (i) < (length)[t]); \
        simt_while(s, P##_AT_BRANCH, &left_); \
        SIMT_ALU(s, P##_EDGE_ADDRESS, t) { \
            at_[t] = (start)[t] + (i); \
        } \
        simt_alu(s, P##_AT_NEXT); \
        simt_load(s, P##_LOAD_EDGE, eb, edges, element_lane(at_)); \
        simt_alu(s, P##_EB_ADDRESS); \
    } while (0)

#endif
