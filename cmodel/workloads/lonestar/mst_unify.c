/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch of LonestarGPU mst that makes components one along the edges chosen (the suite's
 * dfindcompmintwo): CTAs that all fit on the machine, with barriers across the grid between the
 * finds, which need the trees as they are, and the unions, which change them. Some of the unions
 * that meet are refused and left to the next launch: the lower boss becomes the higher one's child
 * by a compare and swap, so that no circle closes.
 *
 * A barrier across the grid in software: each CTA raises a flag; the first CTA waits for the flags
 * of all and lowers them; the others wait for theirs to fall. The launch is cut there (see
 * simt_grid_barrier()); a waiting loop records only its last read.
 */
#include <string.h>

#include "workloads/lonestar/cores.h"
#include "workloads/lonestar/find.h"
#include "workloads/lonestar/mst.h"

#define GRID (LONESTAR_CORES * MST_UNIFY_RESIDENT)

enum {
    R_BOSS = FIND_REGISTERS,
    R_DST_BOSS,
    R_PARTNER,
    R_PROCESS,
    R_ADDRESS,
    R_LOW,
    R_HIGH,
    R_VALUE,
    R_FLAG,
};

#define GRID_BARRIER(I, P) \
    I(FENCE, P##_FENCE) \
    I(BARRIER, P##_ARRIVE) \
    I(ALU, P##_THREAD_COMPARE, OP_INT_ADD, R_PREDICATE, REG_NONE) \
    I(BRANCH, P##_FIRST_BRANCH, R_PREDICATE) \
    I(ALU, P##_UP, OP_INT_ADD, R_FLAG, REG_NONE) \
    I(STORE, P##_STORE_UP, SPACE_GLOBAL, 4, R_FLAG, R_ADDRESS) \
    I(ALU, P##_CTA_COMPARE, OP_INT_ADD, R_PREDICATE, REG_NONE) \
    I(BRANCH, P##_CTA_BRANCH, R_PREDICATE) \
    I(LOAD_UNCACHED, P##_LOAD_FLAG, 4, R_FLAG, R_ADDRESS) \
    I(ALU, P##_FLAG_COMPARE, OP_INT_ADD, R_PREDICATE, R_FLAG) \
    I(BRANCH, P##_FLAG_BRANCH, R_PREDICATE) \
    I(BARRIER, P##_ALL) \
    I(ALU, P##_DOWN, OP_INT_ADD, R_FLAG, REG_NONE) \
    I(STORE, P##_STORE_DOWN, SPACE_GLOBAL, 4, R_FLAG, R_ADDRESS) \
    I(BARRIER, P##_LEAVE)
enum { GRID_BARRIER(INSN_INDEX, GB) };

static struct simt_mask first_threads(const struct simt *s, unsigned count) {
    struct simt_mask m;
    SIMT_WHERE(s, m, t, t < count);
    return m;
}

/* The first thread of a CTA raises its flag; in the first CTA a thread a CTA waits. */
static void grid_barrier(struct simt *s, unsigned first, const struct buffer *flag) {
    const int64_t cta = s->cta[0];
    const struct simt_mask one = first_threads(s, 1);
    const struct simt_mask peers = first_threads(s, cta == 0 ? GRID : 1);
    int32_t value[SIMT_THREADS];
    simt_alu(s, first + GB_FENCE);
    simt_barrier(s, first + GB_ARRIVE);
    simt_alu(s, first + GB_THREAD_COMPARE);
    SIMT_IF(s, first + GB_FIRST_BRANCH, &one) {
        SIMT_ALU(s, first + GB_UP, t) {
            value[t] = 1;
        }
        simt_store(s, first + GB_STORE_UP, value, flag, element_x(cta, 1));
    }
    simt_grid_barrier(s);
    simt_alu(s, first + GB_CTA_COMPARE);
    SIMT_IF(s, first + GB_CTA_BRANCH, &peers) {
        simt_load(s, first + GB_LOAD_FLAG, value, flag, element_x(cta, 1));
        simt_alus(s, first + GB_FLAG_COMPARE, first + GB_FLAG_BRANCH);
    }
    if (cta == 0) {
        simt_barrier(s, first + GB_ALL);
        SIMT_IF(s, first + GB_CTA_BRANCH, &peers) {
            SIMT_ALU(s, first + GB_DOWN, t) {
                value[t] = 0;
            }
            simt_store(s, first + GB_STORE_DOWN, value, flag, element_x(0, 1));
        }
    }
    simt_barrier(s, first + GB_LEAVE);
}

#define UNIFY(I) \
    LONESTAR_THREAD(I, UNI) \
    I(LOOP, UNI_ROUNDS) \
    I(ALU, UNI_INSIDE_COMPARE, OP_INT_ADD, R_PREDICATE, R_NODE) \
    I(BRANCH, UNI_INSIDE_BRANCH, R_PREDICATE) \
    I(ALU, UNI_ADDRESS, OP_INT_ADD, R_ADDRESS, R_NODE) \
    I(LOAD, UNI_LOAD_PROCESSNEXT, SPACE_GLOBAL, 1, R_PROCESS, R_ADDRESS) \
    I(ALU, UNI_PROCESS_COMPARE, OP_INT_ADD, R_PREDICATE, R_PROCESS) \
    I(BRANCH, UNI_PROCESS_BRANCH, R_PREDICATE) \
    LONESTAR_FIND(I, UNI_SRC, R_NODE, R_BOSS) \
    I(ALU, UNI_PARTNER_ADDRESS, OP_INT_MAD, R_ADDRESS, R_NODE) \
    I(LOAD, UNI_LOAD_PARTNERS, SPACE_GLOBAL, 4, R_PARTNER, R_ADDRESS) \
    LONESTAR_FIND(I, UNI_DST, R_PARTNER, R_DST_BOSS) \
    GRID_BARRIER(I, FOUND) \
    I(ALU, UNI_AGAIN_COMPARE, OP_INT_ADD, R_PREDICATE, R_NODE) \
    I(BRANCH, UNI_AGAIN_BRANCH, R_PREDICATE) \
    I(ALU, UNI_AGAIN_ADDRESS, OP_INT_ADD, R_ADDRESS, R_NODE) \
    I(LOAD, UNI_RELOAD_PROCESSNEXT, SPACE_GLOBAL, 1, R_PROCESS, R_ADDRESS) \
    I(ALU, UNI_SET_COMPARE, OP_INT_ADD, R_PREDICATE, R_PROCESS) \
    I(ALU, UNI_DIFFER_COMPARE, OP_INT_ADD, R_PREDICATE, R_BOSS, R_DST_BOSS, R_PREDICATE) \
    I(BRANCH, UNI_DIFFER_BRANCH, R_PREDICATE) \
    LONESTAR_IS_BOSS(I, UNI_ONE, R_BOSS) \
    I(BRANCH, UNI_ONE_BRANCH, R_PREDICATE) \
    LONESTAR_IS_BOSS(I, UNI_TWO, R_DST_BOSS) \
    I(BRANCH, UNI_TWO_BRANCH, R_PREDICATE) \
    I(ALU, UNI_LOW, OP_INT_MAX, R_LOW, R_BOSS, R_DST_BOSS) \
    I(ALU, UNI_HIGH, OP_INT_MAX, R_HIGH, R_BOSS, R_DST_BOSS) \
    I(ALU, UNI_LOW_ADDRESS, OP_INT_MAD, R_ADDRESS, R_LOW) \
    I(ATOMIC, UNI_CAS_PARENT, R_PARENT, R_ADDRESS, R_LOW, R_HIGH) \
    I(ALU, UNI_WON_COMPARE, OP_INT_ADD, R_PREDICATE, R_PARENT, R_LOW) \
    I(BRANCH, UNI_WON_BRANCH, R_PREDICATE) \
    I(LOAD, UNI_LOAD_COMPLEN, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, UNI_HIGH_ADDRESS, OP_INT_MAD, R_ADDRESS, R_HIGH) \
    I(ATOMIC, UNI_ADD_COMPLEN, REG_NONE, R_ADDRESS, R_VALUE) \
    I(ALU, UNI_MINUS_ONE, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(ATOMIC, UNI_ADD_NCOMPONENTS, REG_NONE, R_ADDRESS, R_VALUE) \
    I(BRANCH, UNI_DONE_BRANCH, R_PREDICATE) \
    I(ALU, UNI_NODE_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, UNI_LOAD_ELEMINWTS, SPACE_GLOBAL, 4, R_VALUE, R_NODE_ADDRESS) \
    I(ATOMIC, UNI_ADD_MSTWT, REG_NONE, R_ADDRESS, R_VALUE) \
    I(ALU, UNI_PLUS_ONE, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(ATOMIC, UNI_ADD_COUNT, REG_NONE, R_ADDRESS, R_VALUE) \
    I(ALU, UNI_NO, OP_INT_ADD, R_PROCESS, REG_NONE) \
    I(STORE, UNI_STORE_PROCESSNEXT, SPACE_GLOBAL, 1, R_PROCESS, R_ADDRESS) \
    I(ALU, UNI_INFINITY, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(STORE, UNI_STORE_ELEMINWTS, SPACE_GLOBAL, 4, R_VALUE, R_NODE_ADDRESS) \
    I(ALU, UNI_YES, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(STORE, UNI_STORE_REPEAT, SPACE_GLOBAL, 1, R_VALUE, R_ADDRESS) \
    GRID_BARRIER(I, CHANGED) \
    I(ALU, UNI_NEXT, OP_INT_ADD, R_NODE, R_NODE) \
    I(ALU, UNI_ROUNDS_COMPARE, OP_INT_ADD, R_PREDICATE, R_NODE) \
    I(BRANCH, UNI_ROUNDS_BRANCH, R_PREDICATE)
SIMT_CODE(mst_unify, UNIFY, .registers = 21, .together = true);

/* A thread's view of its node. */
struct unions {
    int32_t node[SIMT_THREADS], boss[SIMT_THREADS], dst_boss[SIMT_THREADS];
    uint8_t process[SIMT_THREADS];
};

static void find_both(struct simt *s, const struct mst *k, struct unions *u) {
    int32_t partner[SIMT_THREADS];
    struct simt_mask in, set;
    simt_alu(s, UNI_INSIDE_COMPARE);
    SIMT_WHERE(s, in, t, (uint32_t)u->node[t] < k->graph.nodes);
    SIMT_IF(s, UNI_INSIDE_BRANCH, &in) {
        simt_alu(s, UNI_ADDRESS);
        simt_load(s, UNI_LOAD_PROCESSNEXT, u->process, &k->processnext, element_lane(u->node));
        simt_alu(s, UNI_PROCESS_COMPARE);
        SIMT_WHERE(s, set, t, u->process[t]);
        SIMT_IF(s, UNI_PROCESS_BRANCH, &set) {
            lonestar_find(s, UNI_SRC_FIRST, &k->ele2comp, u->node, u->boss);
            simt_alu(s, UNI_PARTNER_ADDRESS);
            simt_load(s, UNI_LOAD_PARTNERS, partner, &k->partners, element_lane(u->node));
            lonestar_find(s, UNI_DST_FIRST, &k->ele2comp, partner, u->dst_boss);
        }
    }
}

static void make_child(struct simt *s, const struct mst *k, const struct unions *u,
                       struct simt_mask *won) {
    int32_t low[SIMT_THREADS], high[SIMT_THREADS], parent[SIMT_THREADS], value[SIMT_THREADS];
    SIMT_ALU(s, UNI_LOW, t) {
        low[t] = u->boss[t] < u->dst_boss[t] ? u->boss[t] : u->dst_boss[t];
    }
    SIMT_ALU(s, UNI_HIGH, t) {
        high[t] = u->boss[t] < u->dst_boss[t] ? u->dst_boss[t] : u->boss[t];
    }
    simt_alu(s, UNI_LOW_ADDRESS);
    simt_atomic(s, UNI_CAS_PARENT, SIMT_CAS, parent, high, low, &k->ele2comp, element_lane(low));
    simt_alu(s, UNI_WON_COMPARE);
    SIMT_WHERE(s, *won, t, parent[t] == low[t]);
    SIMT_IF(s, UNI_WON_BRANCH, won) {
        simt_load(s, UNI_LOAD_COMPLEN, value, &k->complen, element_lane(low));
        simt_alu(s, UNI_HIGH_ADDRESS);
        simt_atomic(s, UNI_ADD_COMPLEN, SIMT_ADD, NULL, value, NULL, &k->complen,
                    element_lane(high));
        SIMT_ALU(s, UNI_MINUS_ONE, t) {
            value[t] = -1;
        }
        simt_atomic(s, UNI_ADD_NCOMPONENTS, SIMT_ADD, NULL, value, NULL, &k->ncomponents,
                    element_at(0));
    }
}

/* Only bosses are made one, and what was a boss before the barrier may have lost that. */
static struct simt_mask unite(struct simt *s, const struct mst *k, const struct unions *u) {
    struct simt_mask won = {{0}};
    const struct simt_mask one = lonestar_is_boss(s, UNI_ONE_ADDRESS, &k->ele2comp, u->boss);
    SIMT_IF(s, UNI_ONE_BRANCH, &one) {
        const struct simt_mask two =
            lonestar_is_boss(s, UNI_TWO_ADDRESS, &k->ele2comp, u->dst_boss);
        SIMT_IF(s, UNI_TWO_BRANCH, &two) {
            make_child(s, k, u, &won);
        }
    }
    return won;
}

static void add_edge(struct simt *s, const struct mst *k, struct unions *u) {
    int32_t value[SIMT_THREADS];
    simt_alu(s, UNI_NODE_ADDRESS);
    simt_load(s, UNI_LOAD_ELEMINWTS, value, &k->eleminwts, element_lane(u->node));
    simt_atomic(s, UNI_ADD_MSTWT, SIMT_ADD, NULL, value, NULL, &k->mstwt, element_at(0));
    SIMT_ALU(s, UNI_PLUS_ONE, t) {
        value[t] = 1;
    }
    simt_atomic(s, UNI_ADD_COUNT, SIMT_ADD, NULL, value, NULL, &k->count, element_at(0));
    SIMT_ALU(s, UNI_NO, t) {
        u->process[t] = 0;
    }
    simt_store(s, UNI_STORE_PROCESSNEXT, u->process, &k->processnext, element_lane(u->node));
    SIMT_ALU(s, UNI_INFINITY, t) {
        value[t] = LONESTAR_INFINITY;
    }
    simt_store(s, UNI_STORE_ELEMINWTS, value, &k->eleminwts, element_lane(u->node));
}

static void unite_both(struct simt *s, const struct mst *k, struct unions *u) {
    struct simt_mask in, differ;
    uint8_t yes[SIMT_THREADS];
    memset(yes, 1, sizeof yes);
    simt_alu(s, UNI_AGAIN_COMPARE);
    SIMT_WHERE(s, in, t, (uint32_t)u->node[t] < k->graph.nodes);
    SIMT_IF(s, UNI_AGAIN_BRANCH, &in) {
        simt_alu(s, UNI_AGAIN_ADDRESS);
        simt_load(s, UNI_RELOAD_PROCESSNEXT, u->process, &k->processnext, element_lane(u->node));
        simt_alus(s, UNI_SET_COMPARE, UNI_DIFFER_COMPARE);
        SIMT_WHERE(s, differ, t, u->process[t] && u->boss[t] != u->dst_boss[t]);
        SIMT_IF(s, UNI_DIFFER_BRANCH, &differ) {
            const struct simt_mask won = unite(s, k, u);
            SIMT_IF(s, UNI_DONE_BRANCH, &won) {
                add_edge(s, k, u);
            }
            SIMT_ELSE(s) {
                simt_alu(s, UNI_YES);
                simt_store(s, UNI_STORE_REPEAT, yes, &k->repeat, element_at(0));
            }
        }
    }
}

/* All CTAs go the same number of rounds: the barriers are for all. */
static void unify(struct simt *s, const void *arguments) {
    const struct mst *k = arguments;
    const unsigned threads = GRID * MST_UNIFY_BLOCK;
    const unsigned rounds = (k->graph.nodes + threads - 1) / threads;
    struct unions u;
    simt_alus(s, UNI_CTA, UNI_GUARD);
    SIMT_EACH(s, t) {
        u.node[t] = (int32_t)(s->cta[0] * s->block[0] + t);
    }
    SIMT_FOR(s, UNI_ROUNDS, i, rounds) {
        find_both(s, k, &u);
        grid_barrier(s, FOUND_FENCE, &k->flag);
        unite_both(s, k, &u);
        grid_barrier(s, CHANGED_FENCE, &k->flag);
        SIMT_ALU(s, UNI_NEXT, t) {
            u.node[t] += (int32_t)threads;
        }
        simt_alus(s, UNI_ROUNDS_COMPARE, UNI_ROUNDS_BRANCH);
    }
}

struct host_launch mst_unify(const struct mst *k) {
    (void)k;
    return (struct host_launch){
        .launch = {&mst_unify_code, {GRID, 1, 1}, {MST_UNIFY_BLOCK, 1, 1}},
        .kernel = unify,
    };
}
