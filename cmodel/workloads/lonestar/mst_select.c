/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of LonestarGPU mst with a thread a node: one clears the arrays, others choose each
 * component's edge.
 */
#include "workloads/lonestar/find.h"
#include "workloads/lonestar/mst.h"

enum {
    R_BOSS = FIND_REGISTERS,
    R_DST_BOSS,
    R_DST,
    R_WEIGHT,
    R_MIN_WEIGHT,
    R_PARTNER,
    R_COMPONENT_WEIGHT,
    R_ADDRESS,
    R_VALUE,
    R_ID,
};

static struct host_launch launch_of(const struct mst *k, const struct kernel_code *code,
                                    simt_kernel *kernel) {
    return (struct host_launch){
        .launch = {code, {(k->graph.nodes + MST_BLOCK - 1) / MST_BLOCK, 1, 1}, {MST_BLOCK, 1, 1}},
        .kernel = kernel,
    };
}

static struct simt_mask inside(const struct simt *s, const struct mst *k) {
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    struct simt_mask m;
    SIMT_WHERE(s, m, t, id + t < k->graph.nodes);
    return m;
}

/* An array of one value for all. */
static void fill(struct simt *s, unsigned index, int32_t *to, int32_t value) {
    SIMT_ALU(s, index, t) {
        to[t] = value;
    }
}

/* --- Clearing. --- */

#define INITCS(I) \
    LONESTAR_THREAD(I, CS) \
    I(ALU, CS_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(ALU, CS_ONE, OP_INT_ADD, R_DEGREE, REG_NONE) \
    I(STORE, CS_STORE_COMPLEN, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(STORE, CS_STORE_ELE2COMP, SPACE_GLOBAL, 4, R_NODE, R_NODE_ADDRESS)
SIMT_CODE(mst_initcs, INITCS, .registers = 10);

static void initcs(struct simt *s, const void *arguments) {
    const struct mst *k = arguments;
    const int32_t id = (int32_t)(s->cta[0] * s->block[0]); /* of thread 0 */
    int32_t one[SIMT_THREADS], own[SIMT_THREADS];
    simt_alus(s, CS_CTA, CS_COMPARE);
    const struct simt_mask in = inside(s, k);
    SIMT_IF(s, CS_GUARD, &in) {
        SIMT_ALU(s, CS_ADDRESS, t) {
            own[t] = id + (int32_t)t;
        }
        fill(s, CS_ONE, one, 1);
        simt_store(s, CS_STORE_COMPLEN, one, &k->complen, element_x(id, 1));
        simt_store(s, CS_STORE_ELE2COMP, own, &k->ele2comp, element_x(id, 1));
    }
}

#define INIT(I) \
    LONESTAR_THREAD(I, INIT) \
    I(ALU, INIT_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(ALU, INIT_INFINITY, OP_INT_ADD, R_DEGREE, REG_NONE) \
    I(STORE, INIT_STORE_ELEMINWTS, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(STORE, INIT_STORE_MINWTCOMPONENT, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, INIT_NODES, OP_INT_ADD, R_DEGREE, REG_NONE) \
    I(STORE, INIT_STORE_GOAHEAD, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, INIT_ZERO, OP_INT_ADD, R_EDGE, REG_NONE) \
    I(STORE, INIT_STORE_PHORES, SPACE_GLOBAL, 4, R_EDGE, R_NODE_ADDRESS) \
    I(STORE, INIT_STORE_PARTNERS, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(STORE, INIT_STORE_PROCESSNEXT, SPACE_GLOBAL, 1, R_EDGE, R_NODE_ADDRESS)
SIMT_CODE(mst_init, INIT, .registers = 12);

static void init(struct simt *s, const void *arguments) {
    const struct mst *k = arguments;
    const struct element own = element_x((int64_t)s->cta[0] * s->block[0], 1);
    int32_t value[SIMT_THREADS], zero[SIMT_THREADS];
    uint8_t no[SIMT_THREADS] = {0};
    simt_alus(s, INIT_CTA, INIT_COMPARE);
    const struct simt_mask in = inside(s, k);
    SIMT_IF(s, INIT_GUARD, &in) {
        simt_alu(s, INIT_ADDRESS);
        fill(s, INIT_INFINITY, value, LONESTAR_INFINITY);
        simt_store(s, INIT_STORE_ELEMINWTS, value, &k->eleminwts, own);
        simt_store(s, INIT_STORE_MINWTCOMPONENT, value, &k->minwtcomponent, own);
        fill(s, INIT_NODES, value, (int32_t)k->graph.nodes);
        simt_store(s, INIT_STORE_GOAHEAD, value, &k->goahead, own);
        fill(s, INIT_ZERO, zero, 0);
        simt_store(s, INIT_STORE_PHORES, zero, &k->phores, own);
        simt_store(s, INIT_STORE_PARTNERS, value, &k->partners, own);
        simt_store(s, INIT_STORE_PROCESSNEXT, no, &k->processnext, own);
    }
}

/* --- A walk over the edges of a node a thread, as all three have it. --- */

#define WALK_BEGIN(I, P) \
    I(ALU, P##_DEGREE_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, P##_LOAD_DEGREE, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, P##_K_ZERO, OP_INT_ADD, R_K, REG_NONE) \
    I(ALU, P##_EMPTY_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEGREE)
enum { WALK_BEGIN(INSN_INDEX, WALK) };

#define WALK_NEXT(I, P) \
    I(ALU, P##_NEXT_K, OP_INT_ADD, R_K, R_K) \
    I(ALU, P##_EDGES_COMPARE, OP_INT_ADD, R_PREDICATE, R_K, R_DEGREE) \
    I(BRANCH, P##_EDGES_BRANCH, R_PREDICATE)
enum { WALK_NEXT(INSN_INDEX, WALK) };

/* @first: index of P_DEGREE_ADDRESS. Return: threads whose node has edges. */
static struct simt_mask begin_walk(struct simt *s, unsigned first, const struct lonestar_graph *g,
                                   struct lonestar_walk *w) {
    struct simt_mask some;
    simt_alu(s, first + WALK_DEGREE_ADDRESS);
    simt_load(s, first + WALK_LOAD_DEGREE, w->degree, &g->noutgoing, element_lane(w->node));
    fill(s, first + WALK_K_ZERO, w->k, 0);
    w->held = false;
    simt_alu(s, first + WALK_EMPTY_COMPARE);
    SIMT_WHERE(s, some, t, w->degree[t] > 0);
    return some;
}

/* @first: index of P_NEXT_K. The last thing in the loop. */
static void next_edge(struct simt *s, unsigned first, struct lonestar_walk *w) {
    struct simt_mask left;
    SIMT_ALU(s, first + WALK_NEXT_K, t) {
        w->k[t]++;
    }
    simt_alu(s, first + WALK_EDGES_COMPARE);
    SIMT_WHERE(s, left, t, w->k[t] < w->degree[t]);
    simt_while(s, first + WALK_EDGES_BRANCH, &left);
}

static void set_node(const struct simt *s, struct lonestar_walk *w) {
    const int32_t id = (int32_t)(s->cta[0] * s->block[0]); /* of thread 0 */
    SIMT_EACH(s, t) {
        w->node[t] = id + (int32_t)t;
    }
}

/* --- Each node's least edge out of its component. --- */

#define ELEMIN(I) \
    LONESTAR_THREAD(I, MIN) \
    LONESTAR_FIND(I, MIN_SRC, R_NODE, R_BOSS) \
    I(ALU, MIN_INFINITY, OP_INT_ADD, R_MIN_WEIGHT, REG_NONE) \
    I(ALU, MIN_NODES, OP_INT_ADD, R_PARTNER, REG_NONE) \
    WALK_BEGIN(I, MIN) \
    I(BRANCH, MIN_EMPTY_BRANCH, R_PREDICATE) \
    I(LOOP, MIN_EDGES) \
    LONESTAR_ACCESSOR(I, MIN_WEIGHT, R_WEIGHT) \
    I(ALU, MIN_LESS_COMPARE, OP_INT_ADD, R_PREDICATE, R_WEIGHT, R_MIN_WEIGHT) \
    I(BRANCH, MIN_LESS_BRANCH, R_PREDICATE) \
    LONESTAR_ACCESSOR(I, MIN_DST, R_DST) \
    LONESTAR_FIND(I, MIN_END, R_DST, R_DST_BOSS) \
    I(ALU, MIN_OTHER_COMPARE, OP_INT_ADD, R_PREDICATE, R_BOSS, R_DST_BOSS) \
    I(BRANCH, MIN_OTHER_BRANCH, R_PREDICATE) \
    I(ALU, MIN_KEEP_WEIGHT, OP_INT_ADD, R_MIN_WEIGHT, R_WEIGHT) \
    I(ALU, MIN_KEEP_PARTNER, OP_INT_ADD, R_PARTNER, R_DST_BOSS) \
    WALK_NEXT(I, MIN) \
    I(ALU, MIN_ADDRESS, OP_INT_MAD, R_ADDRESS, R_NODE) \
    I(STORE, MIN_STORE_ELEMINWTS, SPACE_GLOBAL, 4, R_MIN_WEIGHT, R_ADDRESS) \
    I(STORE, MIN_STORE_PARTNERS, SPACE_GLOBAL, 4, R_PARTNER, R_ADDRESS) \
    I(ALU, MIN_BOSS_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BOSS) \
    I(LOAD, MIN_LOAD_MINWTCOMPONENT, SPACE_GLOBAL, 4, R_COMPONENT_WEIGHT, R_ADDRESS) \
    I(ALU, MIN_COMPONENT_COMPARE, OP_INT_ADD, R_PREDICATE, R_MIN_WEIGHT, R_COMPONENT_WEIGHT) \
    I(BRANCH, MIN_COMPONENT_BRANCH, R_PREDICATE) \
    I(ATOMIC, MIN_ATOMIC_MIN, REG_NONE, R_ADDRESS, R_MIN_WEIGHT)
SIMT_CODE(mst_elemin, ELEMIN, .registers = 26);

static void elemin_edge(struct simt *s, const struct mst *k, struct lonestar_walk *w,
                        const int32_t *boss, int32_t *min, int32_t *partner) {
    const struct lonestar_graph *g = &k->graph;
    int32_t weight[SIMT_THREADS], dst[SIMT_THREADS], dst_boss[SIMT_THREADS];
    struct simt_mask less, other;
    lonestar_access(s, MIN_WEIGHT_NODE_COMPARE, g, &g->edgessrcwt, w, weight);
    simt_alu(s, MIN_LESS_COMPARE);
    SIMT_WHERE(s, less, t, weight[t] < min[t]);
    SIMT_IF(s, MIN_LESS_BRANCH, &less) {
        lonestar_access(s, MIN_DST_NODE_COMPARE, g, &g->edgessrcdst, w, dst);
        lonestar_find(s, MIN_END_FIRST, &k->ele2comp, dst, dst_boss);
        simt_alu(s, MIN_OTHER_COMPARE);
        SIMT_WHERE(s, other, t, dst_boss[t] != boss[t]);
        SIMT_IF(s, MIN_OTHER_BRANCH, &other) {
            simt_alu(s, MIN_KEEP_WEIGHT);
            SIMT_ALU(s, MIN_KEEP_PARTNER, t) {
                min[t] = weight[t];
                partner[t] = dst_boss[t];
            }
        }
    }
}

static void elemin(struct simt *s, const void *arguments) {
    const struct mst *k = arguments;
    const struct element own = element_x((int64_t)s->cta[0] * s->block[0], 1);
    int32_t boss[SIMT_THREADS], min[SIMT_THREADS], partner[SIMT_THREADS], least[SIMT_THREADS];
    struct lonestar_walk w;
    struct simt_mask less;
    simt_alus(s, MIN_CTA, MIN_COMPARE);
    const struct simt_mask in = inside(s, k);
    SIMT_IF(s, MIN_GUARD, &in) {
        set_node(s, &w);
        lonestar_find(s, MIN_SRC_FIRST, &k->ele2comp, w.node, boss);
        fill(s, MIN_INFINITY, min, LONESTAR_INFINITY);
        fill(s, MIN_NODES, partner, (int32_t)k->graph.nodes);
        const struct simt_mask some = begin_walk(s, MIN_DEGREE_ADDRESS, &k->graph, &w);
        SIMT_IF(s, MIN_EMPTY_BRANCH, &some) {
            SIMT_LOOP(s, MIN_EDGES) {
                elemin_edge(s, k, &w, boss, min, partner);
                next_edge(s, MIN_NEXT_K, &w);
            }
        }
        simt_alu(s, MIN_ADDRESS);
        simt_store(s, MIN_STORE_ELEMINWTS, min, &k->eleminwts, own);
        simt_store(s, MIN_STORE_PARTNERS, partner, &k->partners, own);
        simt_alu(s, MIN_BOSS_ADDRESS);
        simt_load(s, MIN_LOAD_MINWTCOMPONENT, least, &k->minwtcomponent, element_lane(boss));
        simt_alu(s, MIN_COMPONENT_COMPARE);
        SIMT_WHERE(s, less, t, min[t] < least[t]);
        SIMT_IF(s, MIN_COMPONENT_BRANCH, &less) {
            simt_atomic(s, MIN_ATOMIC_MIN, SIMT_MIN, NULL, min, NULL, &k->minwtcomponent,
                        element_lane(boss));
        }
    }
}

/* --- The node that has its component's least edge: the first to say so. --- */

#define ELEMIN2(I) \
    LONESTAR_THREAD(I, OWN) \
    LONESTAR_FIND(I, OWN_SRC, R_NODE, R_BOSS) \
    I(ALU, OWN_ADDRESS, OP_INT_MAD, R_ADDRESS, R_NODE) \
    I(LOAD, OWN_LOAD_ELEMINWTS, SPACE_GLOBAL, 4, R_MIN_WEIGHT, R_ADDRESS) \
    I(ALU, OWN_BOSS_ADDRESS, OP_INT_MAD, R_ELEMENT_ADDRESS, R_BOSS) \
    I(LOAD, OWN_LOAD_MINWTCOMPONENT, SPACE_GLOBAL, 4, R_COMPONENT_WEIGHT, R_ELEMENT_ADDRESS) \
    I(ALU, OWN_LEAST_COMPARE, OP_INT_ADD, R_PREDICATE, R_MIN_WEIGHT, R_COMPONENT_WEIGHT) \
    I(BRANCH, OWN_LEAST_BRANCH, R_PREDICATE) \
    I(LOAD, OWN_LOAD_PARTNERS, SPACE_GLOBAL, 4, R_PARTNER, R_ADDRESS) \
    I(ALU, OWN_BOSS_COMPARE, OP_INT_ADD, R_PREDICATE, R_PARTNER, R_BOSS) \
    I(BRANCH, OWN_BOSS_BRANCH, R_PREDICATE) \
    I(LOAD, OWN_RELOAD_PARTNERS, SPACE_GLOBAL, 4, R_PARTNER, R_ADDRESS) \
    I(ALU, OWN_NONE_COMPARE, OP_INT_ADD, R_PREDICATE, R_PARTNER) \
    I(BRANCH, OWN_NONE_BRANCH, R_PREDICATE) \
    WALK_BEGIN(I, OWN) \
    I(BRANCH, OWN_EMPTY_BRANCH, R_PREDICATE) \
    I(LOOP, OWN_EDGES) \
    LONESTAR_ACCESSOR(I, OWN_WEIGHT, R_WEIGHT) \
    I(LOAD, OWN_EDGE_LOAD_ELEMINWTS, SPACE_GLOBAL, 4, R_MIN_WEIGHT, R_ADDRESS) \
    I(ALU, OWN_EQUAL_COMPARE, OP_INT_ADD, R_PREDICATE, R_WEIGHT, R_MIN_WEIGHT) \
    I(BRANCH, OWN_EQUAL_BRANCH, R_PREDICATE) \
    LONESTAR_ACCESSOR(I, OWN_DST, R_DST) \
    LONESTAR_FIND(I, OWN_END, R_DST, R_DST_BOSS) \
    I(LOAD, OWN_EDGE_LOAD_PARTNERS, SPACE_GLOBAL, 4, R_PARTNER, R_ADDRESS) \
    I(ALU, OWN_PARTNER_COMPARE, OP_INT_ADD, R_PREDICATE, R_PARTNER, R_DST_BOSS) \
    I(BRANCH, OWN_PARTNER_BRANCH, R_PREDICATE) \
    I(ALU, OWN_GOAHEAD_ADDRESS, OP_INT_MAD, R_ELEMENT_ADDRESS, R_BOSS) \
    I(ALU, OWN_NODES, OP_INT_ADD, R_VALUE, REG_NONE) \
    I(ATOMIC, OWN_CAS_GOAHEAD, REG_NONE, R_ELEMENT_ADDRESS, R_VALUE, R_NODE) \
    WALK_NEXT(I, OWN)
SIMT_CODE(mst_elemin2, ELEMIN2, .registers = 26);

static void elemin2_edge(struct simt *s, const struct mst *k, struct lonestar_walk *w,
                         const int32_t *boss) {
    const struct lonestar_graph *g = &k->graph;
    int32_t weight[SIMT_THREADS], min[SIMT_THREADS], dst[SIMT_THREADS], dst_boss[SIMT_THREADS],
        partner[SIMT_THREADS], nodes[SIMT_THREADS];
    struct simt_mask equal, match;
    lonestar_access(s, OWN_WEIGHT_NODE_COMPARE, g, &g->edgessrcwt, w, weight);
    simt_load(s, OWN_EDGE_LOAD_ELEMINWTS, min, &k->eleminwts, element_lane(w->node));
    simt_alu(s, OWN_EQUAL_COMPARE);
    SIMT_WHERE(s, equal, t, weight[t] == min[t]);
    SIMT_IF(s, OWN_EQUAL_BRANCH, &equal) {
        lonestar_access(s, OWN_DST_NODE_COMPARE, g, &g->edgessrcdst, w, dst);
        lonestar_find(s, OWN_END_FIRST, &k->ele2comp, dst, dst_boss);
        simt_load(s, OWN_EDGE_LOAD_PARTNERS, partner, &k->partners, element_lane(w->node));
        simt_alu(s, OWN_PARTNER_COMPARE);
        SIMT_WHERE(s, match, t, partner[t] == dst_boss[t]);
        SIMT_IF(s, OWN_PARTNER_BRANCH, &match) {
            simt_alu(s, OWN_GOAHEAD_ADDRESS);
            fill(s, OWN_NODES, nodes, (int32_t)g->nodes);
            simt_atomic(s, OWN_CAS_GOAHEAD, SIMT_CAS, NULL, w->node, nodes, &k->goahead,
                        element_lane(boss));
        }
    }
}

static void elemin2(struct simt *s, const void *arguments) {
    const struct mst *k = arguments;
    const struct element own = element_x((int64_t)s->cta[0] * s->block[0], 1);
    int32_t boss[SIMT_THREADS], min[SIMT_THREADS], least[SIMT_THREADS], partner[SIMT_THREADS];
    struct lonestar_walk w;
    struct simt_mask mine;
    simt_alus(s, OWN_CTA, OWN_COMPARE);
    const struct simt_mask in = inside(s, k);
    SIMT_IF(s, OWN_GUARD, &in) {
        set_node(s, &w);
        lonestar_find(s, OWN_SRC_FIRST, &k->ele2comp, w.node, boss);
        simt_alu(s, OWN_ADDRESS);
        simt_load(s, OWN_LOAD_ELEMINWTS, min, &k->eleminwts, own);
        simt_alu(s, OWN_BOSS_ADDRESS);
        simt_load(s, OWN_LOAD_MINWTCOMPONENT, least, &k->minwtcomponent, element_lane(boss));
        simt_alu(s, OWN_LEAST_COMPARE);
        SIMT_WHERE(s, mine, t, min[t] == least[t]);
        SIMT_IF(s, OWN_LEAST_BRANCH, &mine) {
            simt_load(s, OWN_LOAD_PARTNERS, partner, &k->partners, own);
            simt_alus(s, OWN_BOSS_COMPARE, OWN_BOSS_BRANCH); /* never the node's own component */
            simt_load(s, OWN_RELOAD_PARTNERS, partner, &k->partners, own);
            simt_alu(s, OWN_NONE_COMPARE);
            SIMT_WHERE(s, mine, t, partner[t] != (int32_t)k->graph.nodes);
            SIMT_IF(s, OWN_NONE_BRANCH, &mine) {
                const struct simt_mask some = begin_walk(s, OWN_DEGREE_ADDRESS, &k->graph, &w);
                SIMT_IF(s, OWN_EMPTY_BRANCH, &some) {
                    SIMT_LOOP(s, OWN_EDGES) {
                        elemin2_edge(s, k, &w, boss);
                        next_edge(s, OWN_NEXT_K, &w);
                    }
                }
            }
        }
    }
}

/* --- That node's edge: again by its weight. --- */

#define VERIFY(I) \
    LONESTAR_THREAD(I, VER) \
    LONESTAR_IS_BOSS(I, VER_ROOT, R_NODE) \
    I(BRANCH, VER_ROOT_BRANCH, R_PREDICATE) \
    I(ALU, VER_ID, OP_INT_ADD, R_ID, R_NODE) \
    I(LOAD, VER_LOAD_GOAHEAD, SPACE_GLOBAL, 4, R_NODE, R_ELEMENT_ADDRESS) \
    I(ALU, VER_NONE_COMPARE, OP_INT_ADD, R_PREDICATE, R_NODE) \
    I(BRANCH, VER_NONE_BRANCH, R_PREDICATE) \
    WALK_BEGIN(I, VER) \
    I(LOAD, VER_LOAD_MINWTCOMPONENT, SPACE_GLOBAL, 4, R_MIN_WEIGHT, R_ELEMENT_ADDRESS) \
    I(ALU, VER_INFINITY_COMPARE, OP_INT_ADD, R_PREDICATE, R_MIN_WEIGHT, R_PREDICATE) \
    I(BRANCH, VER_EMPTY_BRANCH, R_PREDICATE) \
    I(LOOP, VER_EDGES) \
    LONESTAR_ACCESSOR(I, VER_WEIGHT, R_WEIGHT) \
    I(ALU, VER_EQUAL_COMPARE, OP_INT_ADD, R_PREDICATE, R_WEIGHT, R_MIN_WEIGHT) \
    I(BRANCH, VER_EQUAL_BRANCH, R_PREDICATE) \
    LONESTAR_ACCESSOR(I, VER_DST, R_DST) \
    LONESTAR_FIND(I, VER_END, R_DST, R_DST_BOSS) \
    I(ALU, VER_PARTNER_ADDRESS, OP_INT_MAD, R_ADDRESS, R_NODE) \
    I(LOAD, VER_LOAD_PARTNERS, SPACE_GLOBAL, 4, R_PARTNER, R_ADDRESS) \
    I(ALU, VER_PARTNER_COMPARE, OP_INT_ADD, R_PREDICATE, R_PARTNER, R_DST_BOSS) \
    I(BRANCH, VER_PARTNER_BRANCH, R_PREDICATE) \
    I(ALU, VER_NEXT_ADDRESS, OP_INT_ADD, R_ADDRESS, R_NODE) \
    I(ALU, VER_ONE, OP_INT_ADD, R_VALUE, R_ID) \
    I(STORE, VER_STORE_PROCESSNEXT, SPACE_GLOBAL, 1, R_VALUE, R_ADDRESS) \
    WALK_NEXT(I, VER)
SIMT_CODE(mst_verify, VERIFY, .registers = 26);

static void verify_edge(struct simt *s, const struct mst *k, struct lonestar_walk *w,
                        const int32_t *min) {
    const struct lonestar_graph *g = &k->graph;
    int32_t weight[SIMT_THREADS], dst[SIMT_THREADS], dst_boss[SIMT_THREADS], partner[SIMT_THREADS];
    uint8_t yes[SIMT_THREADS];
    struct simt_mask equal, match;
    lonestar_access(s, VER_WEIGHT_NODE_COMPARE, g, &g->edgessrcwt, w, weight);
    simt_alu(s, VER_EQUAL_COMPARE);
    SIMT_WHERE(s, equal, t, weight[t] == min[t]);
    SIMT_IF(s, VER_EQUAL_BRANCH, &equal) {
        lonestar_access(s, VER_DST_NODE_COMPARE, g, &g->edgessrcdst, w, dst);
        lonestar_find(s, VER_END_FIRST, &k->ele2comp, dst, dst_boss);
        simt_alu(s, VER_PARTNER_ADDRESS);
        simt_load(s, VER_LOAD_PARTNERS, partner, &k->partners, element_lane(w->node));
        simt_alu(s, VER_PARTNER_COMPARE);
        SIMT_WHERE(s, match, t, partner[t] == dst_boss[t]);
        SIMT_IF(s, VER_PARTNER_BRANCH, &match) {
            simt_alu(s, VER_NEXT_ADDRESS);
            SIMT_ALU(s, VER_ONE, t) {
                yes[t] = 1;
            }
            simt_store(s, VER_STORE_PROCESSNEXT, yes, &k->processnext, element_lane(w->node));
            simt_break(s);
        }
    }
}

static void verify(struct simt *s, const void *arguments) {
    const struct mst *k = arguments;
    const struct element own = element_x((int64_t)s->cta[0] * s->block[0], 1);
    int32_t min[SIMT_THREADS];
    struct lonestar_walk w;
    struct simt_mask mine;
    simt_alus(s, VER_CTA, VER_COMPARE);
    const struct simt_mask in = inside(s, k);
    SIMT_IF(s, VER_GUARD, &in) {
        set_node(s, &w);
        mine = lonestar_is_boss(s, VER_ROOT_ADDRESS, &k->ele2comp, w.node);
        SIMT_IF(s, VER_ROOT_BRANCH, &mine) {
            simt_alu(s, VER_ID);
            simt_load(s, VER_LOAD_GOAHEAD, w.node, &k->goahead, own);
            simt_alu(s, VER_NONE_COMPARE);
            SIMT_WHERE(s, mine, t, w.node[t] != (int32_t)k->graph.nodes);
            SIMT_IF(s, VER_NONE_BRANCH, &mine) {
                const struct simt_mask some = begin_walk(s, VER_DEGREE_ADDRESS, &k->graph, &w);
                simt_load(s, VER_LOAD_MINWTCOMPONENT, min, &k->minwtcomponent, own);
                simt_alu(s, VER_INFINITY_COMPARE); /* a node that goes ahead has an edge */
                SIMT_IF(s, VER_EMPTY_BRANCH, &some) {
                    SIMT_LOOP(s, VER_EDGES) {
                        verify_edge(s, k, &w, min);
                        next_edge(s, VER_NEXT_K, &w);
                    }
                }
            }
        }
    }
}

struct host_launch mst_initcs(const struct mst *k) {
    return launch_of(k, &mst_initcs_code, initcs);
}

struct host_launch mst_init(const struct mst *k) {
    return launch_of(k, &mst_init_code, init);
}

struct host_launch mst_elemin(const struct mst *k) {
    return launch_of(k, &mst_elemin_code, elemin);
}

struct host_launch mst_elemin2(const struct mst *k) {
    return launch_of(k, &mst_elemin2_code, elemin2);
}

struct host_launch mst_verify(const struct mst *k) {
    return launch_of(k, &mst_verify_code, verify);
}
