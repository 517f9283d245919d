/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/lonestar/relax.h"

#include "workloads/lonestar/accessor.h"
#include "workloads/common/lines.h"

enum {
    R_CHANGED = LONESTAR_REGISTERS,
    R_DST,
    R_WEIGHT,
    R_DIST,
    R_NEW,
    R_DST_ADDRESS,
    R_OLD,
};

/* The weight's accessor is sssp's alone. */
#define RELAX(I) \
    LONESTAR_THREAD(I, RELAX) \
    I(ALU, CHANGED_ZERO, OP_INT_ADD, R_CHANGED, REG_NONE) \
    I(ALU, DEGREE_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, LOAD_DEGREE, SPACE_GLOBAL, 4, R_DEGREE, R_NODE_ADDRESS) \
    I(ALU, K_ZERO, OP_INT_ADD, R_K, REG_NONE) \
    I(ALU, EMPTY_COMPARE, OP_INT_ADD, R_PREDICATE, R_DEGREE) \
    I(BRANCH, EMPTY_BRANCH, R_PREDICATE) \
    I(LOOP, EDGES) \
    LONESTAR_ACCESSOR(I, DST, R_DST) \
    I(ALU, DST_COMPARE, OP_INT_ADD, R_PREDICATE, R_DST) \
    I(BRANCH, DST_BRANCH, R_PREDICATE) \
    LONESTAR_ACCESSOR(I, WEIGHT, R_WEIGHT) \
    I(ALU, DIST_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, LOAD_DIST, SPACE_GLOBAL, 4, R_DIST, R_NODE_ADDRESS) \
    I(ALU, DST_ADDRESS, OP_INT_MAD, R_DST_ADDRESS, R_DST) \
    I(LOAD, LOAD_DST_DIST, SPACE_GLOBAL, 4, R_OLD, R_DST_ADDRESS) \
    I(ALU, NEW_DIST, OP_INT_ADD, R_NEW, R_DIST, R_WEIGHT) \
    I(ALU, LOWER_COMPARE, OP_INT_ADD, R_PREDICATE, R_NEW, R_OLD) \
    I(BRANCH, LOWER_BRANCH, R_PREDICATE) \
    I(ATOMIC, ATOMIC_MIN, R_OLD, R_DST_ADDRESS, R_NEW) \
    I(ALU, LOWERED_COMPARE, OP_INT_ADD, R_PREDICATE, R_OLD, R_NEW) \
    I(ALU, LOWERED, OP_INT_ADD, R_CHANGED, R_CHANGED, R_PREDICATE) \
    I(ALU, NEXT_K, OP_INT_ADD, R_K, R_K) \
    I(ALU, EDGES_COMPARE, OP_INT_ADD, R_PREDICATE, R_K, R_DEGREE) \
    I(BRANCH, EDGES_BRANCH, R_PREDICATE) \
    I(ALU, CHANGED_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHANGED) \
    I(BRANCH, CHANGED_BRANCH, R_PREDICATE) \
    I(ALU, CHANGED_ADDRESS, OP_INT_ADD, R_NODE_ADDRESS, REG_NONE) \
    I(STORE, STORE_CHANGED, SPACE_GLOBAL, 1, R_CHANGED, R_NODE_ADDRESS)
SIMT_CODE(lonestar_bfs_relax, RELAX, .registers = 20);

static const struct kernel_code lonestar_sssp_relax_code = {
    .name = "lonestar_sssp_relax",
    .insns = lonestar_bfs_relax_insns,
    .insn_count = sizeof lonestar_bfs_relax_insns / sizeof *lonestar_bfs_relax_insns,
    .registers = 22,
};

/* dist[dst] = min(dist[dst], dist[node] + weight), by an atomic where that is less. */
static void relax_edge(struct simt *s, const struct lonestar_relax *k,
                       const struct lonestar_walk *w, const int32_t *dst, const int32_t *weight,
                       uint8_t *changed) {
    const struct buffer *dist = &k->distances.dist;
    int32_t from[SIMT_THREADS], was[SIMT_THREADS], new[SIMT_THREADS];
    struct simt_mask lower;
    simt_alu(s, DIST_ADDRESS);
    simt_load(s, LOAD_DIST, from, dist, element_lane(w->node));
    simt_alu(s, DST_ADDRESS);
    simt_load(s, LOAD_DST_DIST, was, dist, element_lane(dst));
    SIMT_ALU(s, NEW_DIST, t) {
        new[t] = from[t] + weight[t];
    }
    simt_alu(s, LOWER_COMPARE);
    SIMT_WHERE(s, lower, t, new[t] < was[t]);
    SIMT_IF(s, LOWER_BRANCH, &lower) {
        simt_atomic(s, ATOMIC_MIN, SIMT_MIN, was, new, NULL, dist, element_lane(dst));
        simt_alu(s, LOWERED_COMPARE);
        SIMT_ALU(s, LOWERED, t) {
            changed[t] |= new[t] < was[t];
        }
    }
}

static void relax_node(struct simt *s, const struct lonestar_relax *k, struct lonestar_walk *w,
                       uint8_t *changed) {
    const struct lonestar_graph *g = &k->distances.graph;
    int32_t dst[SIMT_THREADS], weight[SIMT_THREADS];
    struct simt_mask left;
    w->held = false;
    SIMT_EACH(s, t) {
        weight[t] = 1;
    }
    SIMT_LOOP(s, EDGES) {
        lonestar_access(s, DST_NODE_COMPARE, g, &g->edgessrcdst, w, dst);
        simt_alus(s, DST_COMPARE, DST_BRANCH);
        if (k->distances.weighted) {
            lonestar_access(s, WEIGHT_NODE_COMPARE, g, &g->edgessrcwt, w, weight);
        }
        relax_edge(s, k, w, dst, weight, changed);
        SIMT_ALU(s, NEXT_K, t) {
            w->k[t]++;
        }
        simt_alu(s, EDGES_COMPARE);
        SIMT_WHERE(s, left, t, w->k[t] < w->degree[t]);
        simt_while(s, EDGES_BRANCH, &left);
    }
}

static void relax(struct simt *s, const void *arguments) {
    const struct lonestar_relax *k = arguments;
    const struct lonestar_graph *g = &k->distances.graph;
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    struct lonestar_walk w;
    uint8_t changed[SIMT_THREADS] = {0};
    struct simt_mask inside, some, lowered;

    simt_alus(s, RELAX_CTA, RELAX_COMPARE);
    SIMT_WHERE(s, inside, t, id + t < g->nodes);
    SIMT_IF(s, RELAX_GUARD, &inside) {
        simt_alus(s, CHANGED_ZERO, DEGREE_ADDRESS);
        simt_load(s, LOAD_DEGREE, w.degree, &g->noutgoing, element_x(id, 1));
        SIMT_ALU(s, K_ZERO, t) {
            w.node[t] = (int32_t)(id + t);
            w.k[t] = 0;
        }
        simt_alu(s, EMPTY_COMPARE);
        SIMT_WHERE(s, some, t, w.degree[t] > 0);
        SIMT_IF(s, EMPTY_BRANCH, &some) {
            relax_node(s, k, &w, changed);
        }
        simt_alu(s, CHANGED_COMPARE);
        SIMT_WHERE(s, lowered, t, changed[t]);
        SIMT_IF(s, CHANGED_BRANCH, &lowered) {
            simt_alu(s, CHANGED_ADDRESS);
            simt_store(s, STORE_CHANGED, changed, &k->changed, element_at(0));
        }
    }
}

/* initialize; do { changed = 0; relax; } while (changed); verify; */
static bool relax_step(void *self, unsigned step, struct host_launch *out) {
    struct lonestar_relax *k = self;
    uint8_t *changed = k->changed.data;
    if (step == 0) {
        *out = lonestar_initialize_launch(&k->distances);
        return true;
    }
    if (step == 1) {
        lonestar_set_source(&k->distances);
    } else if (!*changed) {
        return lonestar_verify_step(&k->distances, out);
    }
    *changed = 0;
    *out = (struct host_launch){
        .launch = {k->distances.weighted ? &lonestar_sssp_relax_code : &lonestar_bfs_relax_code,
                   {lonestar_grid(&k->distances.graph), 1, 1},
                   {LONESTAR_BLOCK, 1, 1}},
        .kernel = relax,
    };
    return true;
}

bool lonestar_relax_open(struct lonestar_relax *k, const struct lonestar_input *input,
                         bool weighted, uint64_t seed) {
    if (!lonestar_distances_open(&k->distances, input, seed) ||
        !device_memory_alloc(&k->distances.host.memory, &k->changed, 1, 1)) {
        return false;
    }
    k->distances.weighted = weighted;
    host_set_step(&k->distances.host, relax_step);
    return true;
}

/* Lines of edge @i of the nodes @first .. @last - 1, a warp, that have so many. */
static uint64_t lines_of_edge(const struct lonestar_relax *k, uint32_t first, uint32_t last,
                              uint32_t i, unsigned line_bytes) {
    const struct lonestar_graph *g = &k->distances.graph;
    const unsigned words = k->distances.weighted ? 2 : 1; /* of an edge, each with its accessor */
    const unsigned reloads = g->hoist ? i == 0 : words;
    struct line_set own = {.count = 0}, edges = own, ends = own;
    for (uint32_t u = first; u < last; u++) {
        if (i < lonestar_degree(g, u)) {
            const uint32_t e = lonestar_first(g, u) + i;
            line_set_add(&own, u, 4, line_bytes);
            line_set_add(&edges, e, 4, line_bytes);
            line_set_add(&ends, lonestar_end(g, e), 4, line_bytes);
        }
    }
    /* Degree, number, first edge, and the node's own distance. The last launch, which verifies,
     * loads the same. */
    return (3 * reloads + 1) * own.count + words * edges.count + ends.count;
}

void lonestar_relax_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct lonestar_relax *k = self;
    const struct lonestar_graph *g = &k->distances.graph;
    uint64_t lines = 0;
    for (uint32_t first = 0; first < g->nodes; first += WARP_SIZE) {
        const uint32_t last = first + WARP_SIZE < g->nodes ? first + WARP_SIZE : g->nodes;
        uint32_t longest = 0;
        for (uint32_t u = first; u < last; u++) {
            longest = lonestar_degree(g, u) > longest ? lonestar_degree(g, u) : longest;
        }
        lines += lines_of_run(first, last - first, 4, line_bytes);
        for (uint32_t i = 0; i < longest; i++) {
            lines += lines_of_edge(k, first, last, i, line_bytes);
        }
    }
    *e = (struct workload_expectation){WORKLOAD_UNKNOWN, WORKLOAD_UNKNOWN,
                                       lines * (k->distances.host.launched - 1), WORKLOAD_UNKNOWN};
}
