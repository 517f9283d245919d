/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh: Sort, from the root to the leaves: bodies in the order of the tree. A cell whose
 * start is known gives its children theirs, and moves them to the front of the eight. A thread's
 * cells lie a grid apart; it waits for the start of each. CTAs take turns after they have read
 * and after they have written, so that in each round all read, then all write: cells of one depth
 * at a time.
 */
#include "workloads/lonestar/bh.h"

enum {
    R_K,
    R_PREDICATE,
    R_ADDRESS,
    R_START,
    R_I,
    R_J,
    R_CHILD,
    R_BOTTOM,
    R_VALUE,
};

#define SORT(I) \
    I(ALU, SORT_BOTTOM_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD_UNCACHED, SORT_LOAD_BOTTOM, 4, R_BOTTOM, R_ADDRESS) \
    I(ALU, SORT_INDEX, OP_INT_MAD, R_K, REG_NONE) \
    I(LOOP, SORT_EACH) \
    I(ALU, SORT_COMPARE, OP_INT_ADD, R_PREDICATE, R_K, R_BOTTOM) \
    I(BRANCH, SORT_BRANCH, R_PREDICATE) \
    I(ALU, SORT_START_ADDRESS, OP_INT_MAD, R_ADDRESS, R_K) \
    I(LOAD_UNCACHED, SORT_LOAD_START, 4, R_START, R_ADDRESS) \
    I(ALU, SORT_KNOWN_COMPARE, OP_INT_ADD, R_PREDICATE, R_START) \
    I(BRANCH, SORT_KNOWN_BRANCH, R_PREDICATE) \
    I(ALU, SORT_I_ZERO, OP_INT_ADD, R_I, REG_NONE) \
    I(ALU, SORT_J_ZERO, OP_INT_ADD, R_J, REG_NONE) \
    I(LOOP, SORT_CHILDREN) \
    I(ALU, SORT_CHILD_ADDRESS, OP_INT_MAD, R_ADDRESS, R_K, R_I) \
    I(LOAD, SORT_LOAD_CHILD, SPACE_GLOBAL, 4, R_CHILD, R_ADDRESS) \
    I(ALU, SORT_SOME_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHILD) \
    I(BRANCH, SORT_SOME_BRANCH, R_PREDICATE) \
    I(ALU, SORT_MOVE_COMPARE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, SORT_MOVE_BRANCH, R_PREDICATE) \
    I(ALU, SORT_EMPTY, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(STORE, SORT_STORE_EMPTY, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, SORT_FRONT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_K, R_J) \
    I(STORE, SORT_STORE_CHILD, SPACE_GLOBAL, 4, R_CHILD, R_ADDRESS) \
    I(ALU, SORT_J_NEXT, OP_INT_ADD, R_J, R_J) \
    I(ALU, SORT_CELL_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHILD) \
    I(BRANCH, SORT_CELL_BRANCH, R_PREDICATE) \
    I(ALU, SORT_CELL_ADDRESS, OP_INT_MAD, R_ADDRESS, R_CHILD) \
    I(STORE, SORT_STORE_START, SPACE_GLOBAL, 4, R_START, R_ADDRESS) \
    I(LOAD, SORT_LOAD_COUNT, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, SORT_ADD_COUNT, OP_INT_ADD, R_START, R_START, R_VALUE) \
    I(ALU, SORT_PLACE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_START) \
    I(STORE, SORT_STORE_BODY, SPACE_GLOBAL, 4, R_CHILD, R_ADDRESS) \
    I(ALU, SORT_ADD_ONE, OP_INT_ADD, R_START, R_START) \
    I(ALU, SORT_I_NEXT, OP_INT_ADD, R_I, R_I) \
    I(BRANCH, SORT_CHILDREN_BRANCH, R_I) \
    I(ALU, SORT_NEXT, OP_INT_ADD, R_K, R_K)
SIMT_CODE(bh_sort, SORT, .registers = 20, .together = true);

#define STRIDE (BH_SORT_CTAS * BH_SORT_BLOCK)

/* Child @i of each thread's cell, which goes to the @front-th of its children. */
static void place_child(struct simt *s, const struct bh *k, const int32_t *cell, unsigned i,
                        int32_t *front, int32_t *start) {
    int32_t at[SIMT_THREADS], child[SIMT_THREADS], count[SIMT_THREADS];
    struct simt_mask some, other;

    SIMT_ALU(s, SORT_CHILD_ADDRESS, t) {
        at[t] = cell[t] * 8 + (int32_t)i;
    }
    simt_load(s, SORT_LOAD_CHILD, child, &k->child, element_lane(at));
    simt_alu(s, SORT_SOME_COMPARE);
    SIMT_WHERE(s, some, t, child[t] >= 0);
    SIMT_IF(s, SORT_SOME_BRANCH, &some) {
        simt_alu(s, SORT_MOVE_COMPARE);
        SIMT_WHERE(s, other, t, front[t] != (int32_t)i);
        SIMT_IF(s, SORT_MOVE_BRANCH, &other) {
            simt_alu(s, SORT_EMPTY);
            bh_store_all(s, SORT_STORE_EMPTY, BH_EMPTY, &k->child, element_lane(at));
            SIMT_ALU(s, SORT_FRONT_ADDRESS, t) {
                at[t] = cell[t] * 8 + front[t];
            }
            simt_store(s, SORT_STORE_CHILD, child, &k->child, element_lane(at));
        }
        SIMT_ALU(s, SORT_J_NEXT, t) {
            front[t]++;
        }
        simt_alu(s, SORT_CELL_COMPARE);
        SIMT_WHERE(s, other, t, child[t] >= k->bodies);
        SIMT_IF(s, SORT_CELL_BRANCH, &other) {
            simt_alu(s, SORT_CELL_ADDRESS);
            simt_store(s, SORT_STORE_START, start, &k->start, element_lane(child));
            simt_load(s, SORT_LOAD_COUNT, count, &k->count, element_lane(child));
            SIMT_ALU(s, SORT_ADD_COUNT, t) {
                start[t] += count[t];
            }
        }
        SIMT_ELSE(s) {
            simt_alu(s, SORT_PLACE_ADDRESS);
            simt_store(s, SORT_STORE_BODY, child, &k->sort, element_lane(start));
            SIMT_ALU(s, SORT_ADD_ONE, t) {
                start[t]++;
            }
        }
    }
}

static void sort(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    int32_t bottom[SIMT_THREADS], cell[SIMT_THREADS], start[SIMT_THREADS], front[SIMT_THREADS];
    struct simt_mask some;

    simt_alu(s, SORT_BOTTOM_ADDRESS);
    simt_load(s, SORT_LOAD_BOTTOM, bottom, &k->bottom, element_at(0));
    SIMT_ALU(s, SORT_INDEX, t) {
        cell[t] = k->nodes + 1 - STRIDE + (int32_t)(s->cta[0] * BH_SORT_BLOCK + t);
    }
    SIMT_LOOP(s, SORT_EACH) {
        simt_alu(s, SORT_COMPARE);
        SIMT_WHERE(s, some, t, cell[t] >= bottom[t]);
        simt_while(s, SORT_BRANCH, &some);
        simt_alu(s, SORT_START_ADDRESS);
        simt_load(s, SORT_LOAD_START, start, &k->start, element_lane(cell));
        simt_turn(s);
        simt_alu(s, SORT_KNOWN_COMPARE);
        SIMT_WHERE(s, some, t, start[t] >= 0);
        SIMT_IF(s, SORT_KNOWN_BRANCH, &some) {
            simt_alus(s, SORT_I_ZERO, SORT_J_ZERO);
            SIMT_EACH(s, t) {
                front[t] = 0;
            }
            SIMT_FOR(s, SORT_CHILDREN, i, 8) {
                place_child(s, k, cell, i, front, start);
                simt_alus(s, SORT_I_NEXT, SORT_CHILDREN_BRANCH);
            }
            SIMT_ALU(s, SORT_NEXT, t) {
                cell[t] -= STRIDE;
            }
        }
        simt_turn(s);
    }
}

const struct host_launch bh_sort = {
    .launch = {&bh_sort_code, {BH_SORT_CTAS, 1, 1}, {BH_SORT_BLOCK, 1, 1}}, .kernel = sort};
