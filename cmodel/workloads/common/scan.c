/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/common/scan.h"

#include <assert.h>

enum {
    R_ID,
    R_IN_ADDRESS,
    R_OUT_ADDRESS,
    R_A,
    R_B,
    R_A_INDEX,
    R_B_INDEX,
    R_STRIDE,
    R_LEFT,
    R_PREDICATE,
    R_SUM_ADDRESS,
    R_ZERO,
};

/* clang-format off */

/* The shared array has a word unused behind every 16, so that strides of powers of two do not meet
 * in few banks. PLACE: an index i becomes i + (i >> 4), a shift and an addition. */
#define PLACE(I, NAME, index) \
    I(ALU, NAME##_SHIFT, OP_INT_ADD, index, index) \
    I(ALU, NAME##_ADD, OP_INT_ADD, index, index)
/* The two nodes of a thread on a level of the tree: stride * (2 * thread + 1) - 1, one stride on. */
#define NODES(I, NAME) \
    I(ALU, NAME##_A, OP_INT_MAD, R_A_INDEX, R_ID, R_STRIDE) \
    I(ALU, NAME##_B, OP_INT_ADD, R_B_INDEX, R_A_INDEX, R_STRIDE) \
    PLACE(I, NAME##_A_PLACE, R_A_INDEX) \
    PLACE(I, NAME##_B_PLACE, R_B_INDEX)

#define PRESCAN(I) \
    I(ALU, ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, IN_ADDRESS, OP_INT_MAD, R_IN_ADDRESS, R_ID) \
    I(ALU, OUT_ADDRESS, OP_INT_MAD, R_OUT_ADDRESS, R_ID) \
    I(ALU, A_INDEX, OP_INT_ADD, R_A_INDEX, R_ID) \
    PLACE(I, A_PLACE, R_A_INDEX) \
    I(ALU, B_INDEX, OP_INT_ADD, R_B_INDEX, R_ID) \
    PLACE(I, B_PLACE, R_B_INDEX) \
    I(LOAD, LOAD_A, SPACE_GLOBAL, 4, R_A, R_IN_ADDRESS) \
    I(ALU, B_ZERO, OP_INT_ADD, R_B, REG_NONE) \
    I(ALU, IN_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, IN_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_B, SPACE_GLOBAL, 4, R_B, R_IN_ADDRESS) \
    I(STORE, SHARE_A, SPACE_SHARED, 4, R_A, R_A_INDEX) \
    I(STORE, SHARE_B, SPACE_SHARED, 4, R_B, R_B_INDEX) \
    I(ALU, FIRST_STRIDE, OP_INT_ADD, R_STRIDE, REG_NONE) \
    I(ALU, ALL_LEFT, OP_INT_ADD, R_LEFT, REG_NONE) \
    I(LOOP, UP) \
    I(BARRIER, UP_BARRIER) \
    I(ALU, UP_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID, R_LEFT) \
    I(BRANCH, UP_BRANCH, R_PREDICATE) \
    NODES(I, UP_NODES) \
    I(LOAD, UP_LOAD_A, SPACE_SHARED, 4, R_A, R_A_INDEX) \
    I(LOAD, UP_LOAD_B, SPACE_SHARED, 4, R_B, R_B_INDEX) \
    I(ALU, UP_ADD, OP_INT_ADD, R_B, R_A, R_B) \
    I(STORE, UP_STORE_B, SPACE_SHARED, 4, R_B, R_B_INDEX) \
    I(ALU, UP_STRIDE, OP_INT_ADD, R_STRIDE, R_STRIDE) \
    I(ALU, UP_LEFT, OP_INT_ADD, R_LEFT, R_LEFT) \
    I(ALU, UP_AGAIN_COMPARE, OP_INT_ADD, R_PREDICATE, R_LEFT) \
    I(BRANCH, UP_AGAIN, R_PREDICATE) \
    I(ALU, ROOT_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, ROOT_BRANCH, R_PREDICATE) \
    I(ALU, ROOT_INDEX, OP_INT_ADD, R_B_INDEX, REG_NONE) \
    PLACE(I, ROOT_PLACE, R_B_INDEX) \
    I(LOAD, ROOT_LOAD, SPACE_SHARED, 4, R_B, R_B_INDEX) \
    I(ALU, ROOT_ADDRESS, OP_INT_MAD, R_SUM_ADDRESS, REG_NONE) \
    I(STORE, ROOT_STORE, SPACE_GLOBAL, 4, R_B, R_SUM_ADDRESS) \
    I(ALU, ROOT_ZERO, OP_INT_ADD, R_ZERO, REG_NONE) \
    I(STORE, ROOT_CLEAR, SPACE_SHARED, 4, R_ZERO, R_B_INDEX) \
    I(ALU, ONE_LEFT, OP_INT_ADD, R_LEFT, REG_NONE) \
    I(LOOP, DOWN) \
    I(ALU, DOWN_STRIDE, OP_INT_ADD, R_STRIDE, R_STRIDE) \
    I(BARRIER, DOWN_BARRIER) \
    I(ALU, DOWN_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID, R_LEFT) \
    I(BRANCH, DOWN_BRANCH, R_PREDICATE) \
    NODES(I, DOWN_NODES) \
    I(LOAD, DOWN_LOAD_A, SPACE_SHARED, 4, R_A, R_A_INDEX) \
    I(LOAD, DOWN_LOAD_B, SPACE_SHARED, 4, R_B, R_B_INDEX) \
    I(STORE, DOWN_STORE_A, SPACE_SHARED, 4, R_B, R_A_INDEX) \
    I(ALU, DOWN_ADD, OP_INT_ADD, R_B, R_A, R_B) \
    I(STORE, DOWN_STORE_B, SPACE_SHARED, 4, R_B, R_B_INDEX) \
    I(ALU, DOWN_LEFT, OP_INT_ADD, R_LEFT, R_LEFT) \
    I(ALU, DOWN_AGAIN_COMPARE, OP_INT_ADD, R_PREDICATE, R_LEFT) \
    I(BRANCH, DOWN_AGAIN, R_PREDICATE) \
    I(BARRIER, OUT_BARRIER) \
    I(LOAD, UNSHARE_A, SPACE_SHARED, 4, R_A, R_A_INDEX) \
    I(STORE, STORE_A, SPACE_GLOBAL, 4, R_A, R_OUT_ADDRESS) \
    I(ALU, OUT_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, OUT_BRANCH, R_PREDICATE) \
    I(LOAD, UNSHARE_B, SPACE_SHARED, 4, R_B, R_B_INDEX) \
    I(STORE, STORE_B, SPACE_GLOBAL, 4, R_B, R_OUT_ADDRESS)
SIMT_CODE(scan_prescan, PRESCAN, .registers = 14, .shared_bytes = (SCAN_ELEMENTS + 32) * 4);

#define ADD(I) \
    I(ALU, ADD_ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, ADD_FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, ADD_FIRST_BRANCH, R_PREDICATE) \
    I(ALU, ADD_SUM_ADDRESS, OP_INT_MAD, R_SUM_ADDRESS, REG_NONE) \
    I(LOAD, ADD_LOAD_SUM, SPACE_GLOBAL, 4, R_A, R_SUM_ADDRESS) \
    I(STORE, ADD_SHARE_SUM, SPACE_SHARED, 4, R_A, R_SUM_ADDRESS) \
    I(ALU, ADD_ADDRESS, OP_INT_MAD, R_OUT_ADDRESS, R_ID) \
    I(BARRIER, ADD_BARRIER) \
    I(LOAD, ADD_UNSHARE_SUM, SPACE_SHARED, 4, R_B, R_OUT_ADDRESS) \
    I(LOAD, ADD_LOAD_A, SPACE_GLOBAL, 4, R_A, R_OUT_ADDRESS) \
    I(ALU, ADD_A, OP_INT_ADD, R_A, R_A, R_B) \
    I(STORE, ADD_STORE_A, SPACE_GLOBAL, 4, R_A, R_OUT_ADDRESS) \
    I(ALU, ADD_IN_COMPARE, OP_INT_ADD, R_PREDICATE, R_ID) \
    I(BRANCH, ADD_IN_BRANCH, R_PREDICATE) \
    I(LOAD, ADD_LOAD_B, SPACE_GLOBAL, 4, R_A, R_OUT_ADDRESS) \
    I(ALU, ADD_B, OP_INT_ADD, R_A, R_A, R_B) \
    I(STORE, ADD_STORE_B, SPACE_GLOBAL, 4, R_A, R_OUT_ADDRESS)
SIMT_CODE(scan_add, ADD, .registers = 11, .shared_bytes = 4);

/* clang-format on */

struct tree {
    int32_t at_a[SIMT_THREADS], at_b[SIMT_THREADS], a[SIMT_THREADS], b[SIMT_THREADS];
};

/* Places of the instructions of one level of the tree, up or down. */
struct nodes {
    unsigned first, last, load_a, load_b;
};

static int32_t place(unsigned index) {
    return (int32_t)(index + index / 16);
}

static unsigned log2_of(unsigned power) {
    return (unsigned)__builtin_ctz(power);
}

/* The two nodes of each thread, which are @stride apart. */
static void load_nodes(struct simt *s, const struct nodes *n, unsigned stride,
                       const struct buffer *shared, struct tree *tree) {
    simt_alus(s, n->first, n->last);
    SIMT_EACH(s, t) {
        tree->at_a[t] = place(stride * (2 * t + 1) - 1);
        tree->at_b[t] = place(stride * (2 * t + 2) - 1);
    }
    simt_load(s, n->load_a, tree->a, shared, element_lane(tree->at_a));
    simt_load(s, n->load_b, tree->b, shared, element_lane(tree->at_b));
}

/* Node b of each pair becomes the sum of both: half as many pairs on each level. */
static void sweep_up(struct simt *s, const struct buffer *shared) {
    static const struct nodes nodes = {UP_NODES_A, UP_NODES_B_PLACE_ADD, UP_LOAD_A, UP_LOAD_B};
    struct tree tree;
    struct simt_mask inner;
    simt_alus(s, FIRST_STRIDE, ALL_LEFT);
    SIMT_FOR(s, UP, level, log2_of(s->threads) + 1) {
        simt_barrier(s, UP_BARRIER);
        simt_alu(s, UP_COMPARE);
        SIMT_WHERE(s, inner, t, t < s->threads >> level);
        SIMT_IF(s, UP_BRANCH, &inner) {
            load_nodes(s, &nodes, 1u << level, shared, &tree);
            SIMT_ALU(s, UP_ADD, t) {
                tree.b[t] += tree.a[t];
            }
            simt_store(s, UP_STORE_B, tree.b, shared, element_lane(tree.at_b));
        }
        simt_alus(s, UP_STRIDE, UP_AGAIN);
    }
}

/* Node a gets what came from above, node b that and the old a. */
static void sweep_down(struct simt *s, const struct buffer *shared) {
    static const struct nodes nodes = {DOWN_NODES_A, DOWN_NODES_B_PLACE_ADD, DOWN_LOAD_A,
                                       DOWN_LOAD_B};
    struct tree tree;
    struct simt_mask inner;
    simt_alu(s, ONE_LEFT);
    SIMT_FOR(s, DOWN, level, log2_of(s->threads) + 1) {
        simt_alu(s, DOWN_STRIDE);
        simt_barrier(s, DOWN_BARRIER);
        simt_alu(s, DOWN_COMPARE);
        SIMT_WHERE(s, inner, t, t < 1u << level);
        SIMT_IF(s, DOWN_BRANCH, &inner) {
            load_nodes(s, &nodes, s->threads >> level, shared, &tree);
            simt_store(s, DOWN_STORE_A, tree.b, shared, element_lane(tree.at_a));
            SIMT_ALU(s, DOWN_ADD, t) {
                tree.b[t] += tree.a[t];
            }
            simt_store(s, DOWN_STORE_B, tree.b, shared, element_lane(tree.at_b));
        }
        simt_alus(s, DOWN_LEFT, DOWN_AGAIN);
    }
}

/* Thread 0: the sum of all goes to the level above, and the root becomes 0. */
static void take_root(struct simt *s, const struct scan *k, const struct buffer *shared,
                      unsigned block) {
    const struct element root = element_at(place(2 * s->threads - 1));
    int32_t sum[SIMT_THREADS], zero[SIMT_THREADS] = {0};
    struct simt_mask first;
    simt_alu(s, ROOT_COMPARE);
    SIMT_WHERE(s, first, t, t == 0);
    SIMT_IF(s, ROOT_BRANCH, &first) {
        simt_alus(s, ROOT_INDEX, ROOT_PLACE_ADD);
        if (k->level + 1 < k->levels) {
            simt_load(s, ROOT_LOAD, sum, shared, root);
            simt_alu(s, ROOT_ADDRESS);
            simt_store(s, ROOT_STORE, sum, &k->in[k->level + 1], element_at(block));
        }
        simt_alu(s, ROOT_ZERO);
        simt_store(s, ROOT_CLEAR, zero, shared, root);
    }
}

/* Blocks without the rest. */
static unsigned whole(const struct scan *k) {
    return k->count[k->level] / SCAN_ELEMENTS;
}

/* The second element of a thread: behind a bounds check in the CTA of the rest, which is a kernel
 * of its own in the suite; 0 where there is none. */
static void load_second(struct simt *s, const struct scan *k, unsigned first, int32_t *b) {
    const struct element second = element_x(first + s->threads, 1);
    struct simt_mask there;
    if (!k->last) {
        simt_load(s, LOAD_B, b, &k->in[k->level], second);
        return;
    }
    simt_alus(s, B_ZERO, IN_COMPARE);
    SIMT_WHERE(s, there, t, first + t + s->threads < k->count[k->level]);
    SIMT_IF(s, IN_BRANCH, &there) {
        simt_load(s, LOAD_B, b, &k->in[k->level], second);
    }
}

static void store_second(struct simt *s, const struct scan *k, unsigned first,
                         const struct buffer *shared, const int32_t *at) {
    const struct element second = element_x(first + s->threads, 1);
    int32_t b[SIMT_THREADS];
    struct simt_mask there;
    if (k->last) {
        simt_alu(s, OUT_COMPARE);
        SIMT_WHERE(s, there, t, first + t + s->threads < k->count[k->level]);
        SIMT_IF(s, OUT_BRANCH, &there) {
            simt_load(s, UNSHARE_B, b, shared, element_lane(at));
            simt_store(s, STORE_B, b, &k->out[k->level], second);
        }
        return;
    }
    simt_load(s, UNSHARE_B, b, shared, element_lane(at));
    simt_store(s, STORE_B, b, &k->out[k->level], second);
}

static void prescan(struct simt *s, const struct scan *k, unsigned block) {
    const unsigned threads = s->threads, first = block * SCAN_ELEMENTS;
    const struct buffer shared = simt_shared(s, 0, SCAN_ELEMENTS + 32, 4);
    int32_t at_a[SIMT_THREADS], at_b[SIMT_THREADS], a[SIMT_THREADS], b[SIMT_THREADS] = {0};

    simt_alus(s, ID, B_PLACE_ADD);
    SIMT_EACH(s, t) {
        at_a[t] = place(t);
        at_b[t] = place(t + threads);
    }
    simt_load(s, LOAD_A, a, &k->in[k->level], element_x(first, 1));
    load_second(s, k, first, b);
    simt_store(s, SHARE_A, a, &shared, element_lane(at_a));
    simt_store(s, SHARE_B, b, &shared, element_lane(at_b));
    sweep_up(s, &shared);
    take_root(s, k, &shared, block);
    sweep_down(s, &shared);
    simt_barrier(s, OUT_BARRIER);
    simt_load(s, UNSHARE_A, a, &shared, element_lane(at_a));
    simt_store(s, STORE_A, a, &k->out[k->level], element_x(first, 1));
    store_second(s, k, first, &shared, at_b);
}

/* out[i] += the sum of all that is before this block. */
static void add(struct simt *s, const struct scan *k, unsigned block) {
    const unsigned threads = s->threads, first = block * SCAN_ELEMENTS;
    const unsigned count = k->count[k->level] - first;
    const struct buffer shared = simt_shared(s, 0, 1, 4), *out = &k->out[k->level];
    int32_t sum[SIMT_THREADS], a[SIMT_THREADS];
    struct simt_mask one, there;

    simt_alus(s, ADD_ID, ADD_FIRST_COMPARE);
    SIMT_WHERE(s, one, t, t == 0);
    SIMT_IF(s, ADD_FIRST_BRANCH, &one) {
        simt_alu(s, ADD_SUM_ADDRESS);
        simt_load(s, ADD_LOAD_SUM, sum, &k->out[k->level + 1], element_at(block));
        simt_store(s, ADD_SHARE_SUM, sum, &shared, element_at(0));
    }
    simt_alu(s, ADD_ADDRESS);
    simt_barrier(s, ADD_BARRIER);
    simt_load(s, ADD_UNSHARE_SUM, sum, &shared, element_at(0));
    simt_load(s, ADD_LOAD_A, a, out, element_x(first, 1));
    SIMT_ALU(s, ADD_A, t) {
        a[t] += sum[t];
    }
    simt_store(s, ADD_STORE_A, a, out, element_x(first, 1));
    simt_alu(s, ADD_IN_COMPARE);
    SIMT_WHERE(s, there, t, t + threads < count);
    SIMT_IF(s, ADD_IN_BRANCH, &there) {
        simt_load(s, ADD_LOAD_B, a, out, element_x(first + threads, 1));
        SIMT_ALU(s, ADD_B, t) {
            a[t] += sum[t];
        }
        simt_store(s, ADD_STORE_B, a, out, element_x(first + threads, 1));
    }
}

void scan_run(struct simt *s, const struct scan *k) {
    const unsigned block = s->cta[0] + (k->last ? whole(k) : 0);
    if (k->add) {
        add(s, k, block);
    } else {
        prescan(s, k, block);
    }
}

bool scan_open(struct scan *k, struct device_memory *m, const struct buffer *in,
               const struct buffer *out, unsigned n) {
    *k = (struct scan){.in = {*in}, .out = {*out}, .count = {n}, .levels = 1};
    while (n > SCAN_ELEMENTS) {
        n = (n + SCAN_ELEMENTS - 1) / SCAN_ELEMENTS;
        assert(k->levels < SCAN_LEVELS_MAX);
        struct buffer *sums = &k->in[k->levels];
        if (!device_memory_alloc(m, sums, n, 4)) {
            return false;
        }
        k->out[k->levels] = *sums;
        k->count[k->levels++] = n;
    }
    return true;
}

/* The largest power of two that is not above the rest, halved where that is all of it. */
static unsigned threads_of(unsigned rest) {
    unsigned power = 1u << (31 - __builtin_clz(rest));
    return power == rest && rest > 1 ? rest / 2 : power;
}

/* Up the levels with the first kernel, down with the second, the top left out. */
bool scan_launch(struct scan *k, unsigned i, struct launch *out) {
    for (unsigned pass = 0; pass < 2 * k->levels - 1; pass++) {
        k->add = pass >= k->levels;
        k->level = k->add ? 2 * k->levels - 2 - pass : pass;
        const unsigned rest = k->count[k->level] % SCAN_ELEMENTS;
        for (unsigned last = 0; last < 2; last++) {
            const unsigned ctas = last ? rest > 0 : whole(k);
            if (ctas > 0 && i-- == 0) {
                k->last = last;
                *out = (struct launch){k->add ? &scan_add_code : &scan_prescan_code,
                                       {ctas, 1, 1},
                                       {last ? threads_of(rest) : SCAN_BLOCK, 1, 1}};
                return true;
            }
        }
    }
    return false;
}
