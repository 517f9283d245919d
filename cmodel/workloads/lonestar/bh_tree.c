/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh: TreeBuilding. A thread takes a body down the tree. An empty child it fills with
 * an atomicCAS; a child that is a body it locks, and puts new cells in its place until the two are
 * apart; a locked child it tries again, after all threads of the CTA have met. The CTAs take turns
 * there, so that each sees the locks of the others.
 */
#include "workloads/lonestar/bh.h"

enum {
    R_I,
    R_PREDICATE,
    R_ADDRESS,
    R_ADDRESS_2,
    R_X,
    R_Y,
    R_Z,
    R_CENTRE,
    R_CENTRE_Y,
    R_CENTRE_Z,
    R_RADIUS,
    R_N,
    R_OCTANT,
    R_DEPTH,
    R_MAX_DEPTH,
    R_CHILD,
    R_LOCKED,
    R_PATCH,
    R_SKIP,
    R_CELL,
};

/* Half the radius, the octant of a body around a centre, and the centre of that octant. */
#define OCTANT(I, P) \
    I(ALU, P##_RADIUS, OP_FP_MUL, R_RADIUS, R_RADIUS) \
    I(ALU, P##_OCTANT, OP_FP_ADD, R_OCTANT, R_X, R_CENTRE, R_OCTANT) \
    I(ALU, P##_CENTRE_X, OP_FP_ADD, R_CENTRE, R_CENTRE, R_RADIUS, R_OCTANT) \
    I(ALU, P##_CENTRE_Y, OP_FP_ADD, R_CENTRE_Y, R_CENTRE_Y, R_RADIUS, R_OCTANT) \
    I(ALU, P##_CENTRE_Z, OP_FP_ADD, R_CENTRE_Z, R_CENTRE_Z, R_RADIUS, R_OCTANT) \
    I(ALU, P##_ADDRESS, OP_INT_MAD, R_ADDRESS, R_N, R_OCTANT)
#define OCTANT_COMPARES 6 /* a comparison and a selection for each axis */

#define BUILD(I) \
    I(ALU, TREE_INDEX, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, TREE_SCALARS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD_UNCACHED, TREE_LOAD_RADIUS, 4, R_RADIUS, R_ADDRESS) \
    I(LOAD_UNCACHED, TREE_LOAD_ROOT_X, 4, R_CENTRE, R_ADDRESS) \
    I(LOAD_UNCACHED, TREE_LOAD_ROOT_Y, 4, R_CENTRE_Y, R_ADDRESS) \
    I(LOAD_UNCACHED, TREE_LOAD_ROOT_Z, 4, R_CENTRE_Z, R_ADDRESS) \
    I(ALU, TREE_ONE, OP_INT_ADD, R_MAX_DEPTH, REG_NONE) \
    I(ALU, TREE_SKIP_ONE, OP_INT_ADD, R_SKIP, REG_NONE) \
    I(LOOP, TREE_EACH) \
    I(ALU, TREE_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, TREE_BRANCH, R_PREDICATE) \
    I(ALU, TREE_NEW_COMPARE, OP_INT_ADD, R_PREDICATE, R_SKIP) \
    I(BRANCH, TREE_NEW_BRANCH, R_PREDICATE) \
    I(ALU, TREE_BODY_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD_UNCACHED, TREE_LOAD_X, 4, R_X, R_ADDRESS) \
    I(LOAD_UNCACHED, TREE_LOAD_Y, 4, R_Y, R_ADDRESS) \
    I(LOAD_UNCACHED, TREE_LOAD_Z, 4, R_Z, R_ADDRESS) \
    I(ALU, TREE_ROOT, OP_INT_ADD, R_N, REG_NONE) \
    I(ALU, TREE_DEPTH, OP_INT_ADD, R_DEPTH, REG_NONE) \
    I(ALU, TREE_NO_OCTANT, OP_INT_ADD, R_OCTANT, REG_NONE) \
    OCTANT(I, NEW) \
    I(LOAD_UNCACHED, TREE_LOAD_CHILD, 4, R_CHILD, R_ADDRESS) \
    I(LOOP, TREE_DESCEND) \
    I(ALU, DESCEND_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHILD) \
    I(BRANCH, DESCEND_BRANCH, R_PREDICATE) \
    I(ALU, DESCEND_CELL, OP_INT_ADD, R_N, R_CHILD) \
    I(ALU, DESCEND_DEPTH, OP_INT_ADD, R_DEPTH, R_DEPTH) \
    OCTANT(I, DOWN) \
    I(LOAD_UNCACHED, DESCEND_LOAD_CHILD, 4, R_CHILD, R_ADDRESS) \
    I(ALU, TREE_FREE_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHILD) \
    I(BRANCH, TREE_FREE_BRANCH, R_PREDICATE) \
    I(ALU, TREE_LOCKED, OP_INT_ADD, R_LOCKED, R_ADDRESS) \
    I(ALU, TREE_EMPTY_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHILD) \
    I(BRANCH, TREE_EMPTY_BRANCH, R_PREDICATE) \
    I(ATOMIC, FILL_CAS, R_CELL, R_LOCKED, R_CHILD, R_I) \
    I(ALU, FILL_COMPARE, OP_INT_ADD, R_PREDICATE, R_CELL, R_CHILD) \
    I(BRANCH, FILL_BRANCH, R_PREDICATE) \
    I(ALU, FILL_MAX, OP_INT_MAX, R_MAX_DEPTH, R_MAX_DEPTH, R_DEPTH) \
    I(ALU, FILL_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, FILL_SKIP, OP_INT_ADD, R_SKIP, REG_NONE) \
    I(ATOMIC, LOCK_CAS, R_CELL, R_LOCKED, R_CHILD, R_SKIP) \
    I(ALU, LOCK_COMPARE, OP_INT_ADD, R_PREDICATE, R_CELL, R_CHILD) \
    I(BRANCH, LOCK_BRANCH, R_PREDICATE) \
    I(ALU, SPLIT_NO_PATCH, OP_INT_ADD, R_PATCH, REG_NONE) \
    I(LOOP, TREE_SPLIT) \
    I(ALU, SPLIT_DEPTH, OP_INT_ADD, R_DEPTH, R_DEPTH) \
    I(ATOMIC, SPLIT_BOTTOM, R_CELL, R_ADDRESS_2, R_PATCH) \
    I(ALU, SPLIT_CELL, OP_INT_ADD, R_CELL, R_CELL) \
    I(ALU, SPLIT_FULL_COMPARE, OP_INT_ADD, R_PREDICATE, R_CELL) \
    I(BRANCH, SPLIT_FULL_BRANCH, R_PREDICATE) \
    I(ALU, SPLIT_PATCH_COMPARE, OP_INT_ADD, R_PREDICATE, R_PATCH) \
    I(BRANCH, SPLIT_PATCH_BRANCH, R_PREDICATE) \
    I(STORE, SPLIT_STORE_CELL, SPACE_GLOBAL, 4, R_CELL, R_ADDRESS) \
    I(ALU, SPLIT_PATCH, OP_INT_MAX, R_PATCH, R_PATCH, R_CELL) \
    I(ALU, SPLIT_OLD_ADDRESS, OP_INT_MAD, R_ADDRESS_2, R_CHILD) \
    I(LOAD_UNCACHED, SPLIT_LOAD_X, 4, R_N, R_ADDRESS_2) \
    I(LOAD_UNCACHED, SPLIT_LOAD_Y, 4, R_OCTANT, R_ADDRESS_2) \
    I(LOAD_UNCACHED, SPLIT_LOAD_Z, 4, R_ADDRESS, R_ADDRESS_2) \
    I(ALU, SPLIT_OLD_X, OP_FP_ADD, R_N, R_N, R_CENTRE) \
    I(ALU, SPLIT_OLD_Y, OP_FP_ADD, R_N, R_N, R_OCTANT, R_CENTRE_Y) \
    I(ALU, SPLIT_OLD_Z, OP_FP_ADD, R_N, R_N, R_ADDRESS, R_CENTRE_Z) \
    I(ALU, SPLIT_OLD_PLACE, OP_INT_MAD, R_ADDRESS_2, R_CELL, R_N) \
    I(STORE, SPLIT_STORE_OLD, SPACE_GLOBAL, 4, R_CHILD, R_ADDRESS_2) \
    I(ALU, SPLIT_INTO, OP_INT_ADD, R_N, R_CELL) \
    OCTANT(I, SPLIT) \
    I(LOAD_UNCACHED, SPLIT_LOAD_CHILD, 4, R_CHILD, R_ADDRESS) \
    I(ALU, SPLIT_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHILD) \
    I(BRANCH, SPLIT_BRANCH, R_PREDICATE) \
    I(STORE, SPLIT_STORE_NEW, SPACE_GLOBAL, 4, R_I, R_ADDRESS) \
    I(ALU, SPLIT_MAX, OP_INT_MAX, R_MAX_DEPTH, R_MAX_DEPTH, R_DEPTH) \
    I(ALU, SPLIT_NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, SPLIT_SKIP, OP_INT_ADD, R_SKIP, REG_NONE) \
    I(BARRIER, TREE_MEET) \
    I(ALU, UNLOCK_COMPARE, OP_INT_ADD, R_PREDICATE, R_SKIP) \
    I(BRANCH, UNLOCK_BRANCH, R_PREDICATE) \
    I(STORE, UNLOCK_STORE, SPACE_GLOBAL, 4, R_PATCH, R_LOCKED) \
    I(ALU, TREE_MAX_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(ATOMIC, TREE_ATOMIC_MAX, REG_NONE, R_ADDRESS, R_MAX_DEPTH)
SIMT_CODE(bh_build_tree, BUILD, .registers = 20, .together = true);

/* Each thread's body and where it is in the tree: child @octant of @cell, a cube of @radius (half
 * its edge, as the root's) around @centre. */
struct seat {
    int32_t body[SIMT_THREADS], cell[SIMT_THREADS], octant[SIMT_THREADS];
    int32_t depth[SIMT_THREADS], max_depth[SIMT_THREADS];
    int32_t child[SIMT_THREADS]; /* what was found there */
    int32_t locked[SIMT_THREADS], patch[SIMT_THREADS];
    int32_t skip[SIMT_THREADS]; /* 0: try again, 1: the body has its place, 2: and a lock is held */
    float p[3][SIMT_THREADS], centre[3][SIMT_THREADS], radius[SIMT_THREADS];
};

/* The seat's child of @cell. */
static const int32_t *place(struct simt *s, const struct seat *a, int32_t *at) {
    SIMT_EACH(s, t) {
        at[t] = a->cell[t] * 8 + a->octant[t];
    }
    return at;
}

/* From the seat's cube, whose cell is known, to the octant of it in which the body is. */
static void step_down(struct simt *s, struct seat *a, unsigned first) {
    simt_alu(s, first);
    simt_work(s, first + 1, OCTANT_COMPARES);
    simt_alus(s, first + 2, first + 5);
    SIMT_EACH(s, t) {
        a->radius[t] *= 0.5f;
        a->octant[t] = 0;
        for (unsigned axis = 0; axis < 3; axis++) {
            const bool above = a->centre[axis][t] < a->p[axis][t];
            a->octant[t] |= (int32_t)above << axis;
            a->centre[axis][t] += above ? a->radius[t] : -a->radius[t];
        }
    }
}

struct root {
    float radius[SIMT_THREADS], centre[3][SIMT_THREADS];
};

static void begin_body(struct simt *s, const struct bh *k, struct seat *a, const struct root *r) {
    simt_alu(s, TREE_BODY_ADDRESS);
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_load(s, TREE_LOAD_X + axis, a->p[axis], &k->pos[axis], element_lane(a->body));
    }
    simt_alus(s, TREE_ROOT, TREE_NO_OCTANT);
    SIMT_EACH(s, t) {
        a->skip[t] = 0;
        a->cell[t] = k->nodes;
        a->depth[t] = 1;
        a->radius[t] = r->radius[t];
        for (unsigned axis = 0; axis < 3; axis++) {
            a->centre[axis][t] = r->centre[axis][t];
        }
    }
    step_down(s, a, NEW_RADIUS);
}

/* To a child that is no cell. */
static void descend(struct simt *s, const struct bh *k, struct seat *a) {
    int32_t at[SIMT_THREADS];
    struct simt_mask cell;

    simt_load(s, TREE_LOAD_CHILD, a->child, &k->child, element_lane(place(s, a, at)));
    SIMT_LOOP(s, TREE_DESCEND) {
        simt_alu(s, DESCEND_COMPARE);
        SIMT_WHERE(s, cell, t, a->child[t] >= k->bodies);
        simt_while(s, DESCEND_BRANCH, &cell);
        SIMT_ALU(s, DESCEND_CELL, t) {
            a->cell[t] = a->child[t];
        }
        SIMT_ALU(s, DESCEND_DEPTH, t) {
            a->depth[t]++;
        }
        step_down(s, a, DOWN_RADIUS);
        simt_load(s, DESCEND_LOAD_CHILD, a->child, &k->child, element_lane(place(s, a, at)));
    }
}

/* The body has its place: on to the thread's next one. */
static void seated(struct simt *s, struct seat *a, unsigned first, int32_t skip) {
    simt_alus(s, first, first + 2);
    SIMT_EACH(s, t) {
        a->max_depth[t] = a->depth[t] > a->max_depth[t] ? a->depth[t] : a->max_depth[t];
        a->body[t] += BH_TREE_CTAS * BH_TREE_BLOCK;
        a->skip[t] = skip;
    }
}

static void fill(struct simt *s, const struct bh *k, struct seat *a) {
    int32_t old[SIMT_THREADS];
    struct simt_mask won;
    simt_atomic(s, FILL_CAS, SIMT_CAS, old, a->body, a->child, &k->child, element_lane(a->locked));
    simt_alu(s, FILL_COMPARE);
    SIMT_WHERE(s, won, t, old[t] == a->child[t]);
    SIMT_IF(s, FILL_BRANCH, &won) {
        seated(s, a, FILL_MAX, 1);
    }
}

/* A new cell in the place of the seat's child, which is a body and goes into it; and into which of
 * its octants the new body would go. The code asks whether cells run out, but they do not: there
 * are at least as many as bodies. */
static void split_once(struct simt *s, const struct bh *k, struct seat *a) {
    int32_t minus[SIMT_THREADS], cell[SIMT_THREADS], at[SIMT_THREADS], octant[SIMT_THREADS];
    float old[SIMT_THREADS];
    struct simt_mask patched;

    SIMT_ALU(s, SPLIT_DEPTH, t) {
        a->depth[t]++;
        minus[t] = -1;
        octant[t] = 0;
    }
    simt_atomic(s, SPLIT_BOTTOM, SIMT_ADD, cell, minus, NULL, &k->bottom, element_at(0));
    SIMT_ALU(s, SPLIT_CELL, t) {
        cell[t]--;
    }
    simt_alus(s, SPLIT_FULL_COMPARE, SPLIT_PATCH_COMPARE);
    SIMT_WHERE(s, patched, t, a->patch[t] >= 0);
    SIMT_IF(s, SPLIT_PATCH_BRANCH, &patched) {
        simt_store(s, SPLIT_STORE_CELL, cell, &k->child, element_lane(place(s, a, at)));
    }
    SIMT_ALU(s, SPLIT_PATCH, t) {
        a->patch[t] = cell[t] > a->patch[t] ? cell[t] : a->patch[t];
    }
    simt_alu(s, SPLIT_OLD_ADDRESS);
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_load(s, SPLIT_LOAD_X + axis, old, &k->pos[axis], element_lane(a->child));
        SIMT_EACH(s, t) {
            octant[t] |= (int32_t)(a->centre[axis][t] < old[t]) << axis;
        }
    }
    simt_alus(s, SPLIT_OLD_X, SPLIT_OLD_Z);
    SIMT_ALU(s, SPLIT_OLD_PLACE, t) {
        at[t] = cell[t] * 8 + octant[t];
    }
    simt_store(s, SPLIT_STORE_OLD, a->child, &k->child, element_lane(at));
    SIMT_ALU(s, SPLIT_INTO, t) {
        a->cell[t] = cell[t];
    }
    step_down(s, a, SPLIT_RADIUS);
    simt_load(s, SPLIT_LOAD_CHILD, a->child, &k->child, element_lane(place(s, a, at)));
}

static void split(struct simt *s, const struct bh *k, struct seat *a) {
    int32_t lock[SIMT_THREADS], old[SIMT_THREADS], at[SIMT_THREADS];
    struct simt_mask won, again;
    SIMT_EACH(s, t) {
        lock[t] = BH_LOCKED;
    }
    simt_atomic(s, LOCK_CAS, SIMT_CAS, old, lock, a->child, &k->child, element_lane(a->locked));
    simt_alu(s, LOCK_COMPARE);
    SIMT_WHERE(s, won, t, old[t] == a->child[t]);
    SIMT_IF(s, LOCK_BRANCH, &won) {
        SIMT_ALU(s, SPLIT_NO_PATCH, t) {
            a->patch[t] = -1;
        }
        SIMT_LOOP(s, TREE_SPLIT) {
            split_once(s, k, a);
            simt_alu(s, SPLIT_COMPARE);
            SIMT_WHERE(s, again, t, a->child[t] >= 0);
            simt_while(s, SPLIT_BRANCH, &again);
        }
        simt_store(s, SPLIT_STORE_NEW, a->body, &k->child, element_lane(place(s, a, at)));
        seated(s, a, SPLIT_MAX, 2);
    }
}

/* One round of a CTA: each thread's body goes down as far as it can, and there it gets its place or
 * does not. */
static void try_bodies(struct simt *s, const struct bh *k, struct seat *a, const struct root *r) {
    int32_t at[SIMT_THREADS];
    struct simt_mask some;

    simt_alu(s, TREE_NEW_COMPARE);
    SIMT_WHERE(s, some, t, a->skip[t] != 0);
    SIMT_IF(s, TREE_NEW_BRANCH, &some) {
        begin_body(s, k, a, r);
    }
    descend(s, k, a);
    simt_alu(s, TREE_FREE_COMPARE);
    SIMT_WHERE(s, some, t, a->child[t] != BH_LOCKED);
    SIMT_IF(s, TREE_FREE_BRANCH, &some) {
        simt_alu(s, TREE_LOCKED);
        place(s, a, at);
        SIMT_ALU(s, TREE_EMPTY_COMPARE, t) {
            a->locked[t] = at[t];
        }
        SIMT_WHERE(s, some, t, a->child[t] == BH_EMPTY);
        SIMT_IF(s, TREE_EMPTY_BRANCH, &some) {
            fill(s, k, a);
        }
        SIMT_ELSE(s) {
            split(s, k, a);
        }
    }
}

static void build_tree(struct simt *s, const void *arguments) {
    const struct bh *k = arguments;
    const int32_t first = (int32_t)(s->cta[0] * BH_TREE_BLOCK); /* body of thread 0 */
    struct seat a;
    struct root r;
    struct simt_mask some;

    simt_alus(s, TREE_INDEX, TREE_SCALARS);
    simt_load(s, TREE_LOAD_RADIUS, r.radius, &k->radius, element_at(0));
    for (unsigned axis = 0; axis < 3; axis++) {
        simt_load(s, TREE_LOAD_ROOT_X + axis, r.centre[axis], &k->pos[axis], element_at(k->nodes));
    }
    simt_alus(s, TREE_ONE, TREE_SKIP_ONE);
    SIMT_EACH(s, t) {
        a.body[t] = first + (int32_t)t;
        a.max_depth[t] = a.skip[t] = 1;
    }
    SIMT_LOOP(s, TREE_EACH) {
        simt_alu(s, TREE_COMPARE);
        SIMT_WHERE(s, some, t, a.body[t] < k->bodies);
        simt_while(s, TREE_BRANCH, &some);
        try_bodies(s, k, &a, &r);
        simt_barrier(s, TREE_MEET);
        simt_turn(s);
        simt_alu(s, UNLOCK_COMPARE);
        SIMT_WHERE(s, some, t, a.skip[t] == 2);
        SIMT_IF(s, UNLOCK_BRANCH, &some) {
            simt_store(s, UNLOCK_STORE, a.patch, &k->child, element_lane(a.locked));
        }
    }
    simt_alu(s, TREE_MAX_ADDRESS);
    simt_atomic(s, TREE_ATOMIC_MAX, SIMT_MAX, NULL, a.max_depth, NULL, &k->max_depth,
                element_at(0));
}

const struct host_launch bh_build_tree = {
    .launch = {&bh_build_tree_code, {BH_TREE_CTAS, 1, 1}, {BH_TREE_BLOCK, 1, 1}},
    .kernel = build_tree};
