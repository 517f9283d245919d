/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU mst: a minimum spanning forest by Boruvka's algorithm. In each round every node looks
 * for its least edge into another component, each component takes the least of its nodes', and
 * components are made one along these edges, until a round makes none. A node's component is found
 * by walking up a tree with an atomic a hop (find.h): scattered in the first rounds, on a few hot
 * words in the last; the edges are walked by one thread a node, two launches more than once.
 *
 * Among edges of the same weight a component takes the first, which depends on the order; the
 * checked properties do not: the forest's weight, the number of its edges and of the components,
 * and the boss of each node, which is the highest of its component. Each edge added is the least of
 * a component as it was when the round began, one for each, and closes no circle: in any order that
 * is a forest of least weight.
 *
 * Two programs for two of the suite's three inputs; which one MeDiC ran is not known. mst:
 * rmat12.sym's kind, 4096 nodes and 40 edges a node, small already the suite's own size; of its
 * loads 95 % hit the L2 with all their accesses. mst-grid: a square of four neighbours,
 * 2d-2e20.sym's kind: 75 %. 53 % of MeDiC's warps of mst do.
 */
#include "workloads/lonestar/mst.h"

#include "workloads/lonestar/cores.h"
#include "workloads/workloads.h"

static uint32_t word(const struct buffer *b) {
    return *(const uint32_t *)b->data;
}

/* initcs; do { init; elemin; elemin2; verify; do { unify; } while (repeat); } while (components got
 * fewer); */
static bool mst_step(void *self, unsigned step, struct host_launch *out) {
    struct mst *k = self;
    uint8_t *repeat = k->repeat.data;
    if (step == 0) {
        *out = mst_initcs(k);
        return true;
    }
    if (k->phase == 5 && !*repeat) {
        if (word(&k->ncomponents) == k->before) {
            return false;
        }
        k->before = word(&k->ncomponents);
        k->phase = 0;
    }
    switch (k->phase) {
    case 0: *out = mst_init(k); break;
    case 1: *out = mst_elemin(k); break;
    case 2: *out = mst_elemin2(k); break;
    case 3: *out = mst_verify(k); break;
    default: *repeat = 0; *out = mst_unify(k);
    }
    k->phase += k->phase < 5;
    return true;
}

static bool alloc_nodes(struct mst *k) {
    struct device_memory *m = &k->host.memory;
    const uint64_t n = k->graph.nodes;
    return HOST_ALLOC(m, {&k->ele2comp, n, 4}, {&k->complen, n, 4}, {&k->eleminwts, n, 4},
                      {&k->partners, n, 4}, {&k->minwtcomponent, n, 4}, {&k->goahead, n, 4},
                      {&k->phores, n, 4}, {&k->processnext, n, 1});
}

static bool mst_open(struct mst *k, const struct lonestar_input *input, uint64_t seed) {
    struct device_memory *m = &k->host.memory;
    if (!lonestar_graph_open(&k->graph, m, input, seed) || !alloc_nodes(k) ||
        !HOST_ALLOC(&k->host.memory, {&k->ncomponents, 1, 4}, {&k->mstwt, 1, 4}, {&k->count, 1, 4},
                    {&k->repeat, 1, 1}, {&k->flag, LONESTAR_CORES * MST_UNIFY_RESIDENT, 4})) {
        return false;
    }
    *(uint32_t *)k->ncomponents.data = k->before = k->graph.nodes;
    host_set_step(&k->host, mst_step);
    return true;
}

/* --- Kruskal's algorithm. --- */

struct forest {
    uint32_t *parent;
    uint32_t weight, edges;
};

static uint32_t root(uint32_t *parent, uint32_t u) {
    while (parent[u] != u) {
        u = parent[u] = parent[parent[u]];
    }
    return u;
}

/* Weights are few and small: a pass over all edges for each. */
static void kruskal(const struct lonestar_graph *g, struct forest *f) {
    for (uint32_t u = 0; u < g->nodes; u++) {
        f->parent[u] = u;
    }
    for (uint32_t weight = 1; weight <= LONESTAR_WEIGHT_MAX; weight++) {
        for (uint32_t u = 0; u < g->nodes; u++) {
            for (uint32_t e = lonestar_first(g, u); e < lonestar_first(g, u + 1); e++) {
                if (lonestar_weight(g, e) != weight) {
                    continue;
                }
                const uint32_t a = root(f->parent, u), b = root(f->parent, lonestar_end(g, e));
                if (a != b) {
                    f->parent[a] = b;
                    f->weight += weight;
                    f->edges++;
                }
            }
        }
    }
}

/* A union keeps the higher boss, and the last round's finds leave each element with its boss as its
 * parent: the highest node of its component. */
static void highest(const struct lonestar_graph *g, uint32_t *parent, uint32_t *boss) {
    for (uint32_t u = 0; u < g->nodes; u++) {
        boss[root(parent, u)] = u;
    }
    for (uint32_t u = 0; u < g->nodes; u++) {
        boss[u] = boss[root(parent, u)];
    }
}

static const struct workload_result results[] = {INTEGERS("mstwt", mst, mstwt),
                                                 INTEGERS("count", mst, count),
                                                 INTEGERS("ncomponents", mst, ncomponents),
                                                 INTEGERS("ele2comp", mst, ele2comp),
                                                 {0}};

static bool mst_plain(void *self, void *const expected[]) {
    struct mst *k = self;
    const uint32_t n = k->graph.nodes;
    uint32_t *weight = expected[0], *edges = expected[1], *components = expected[2];
    struct forest f = {.parent = host_array(&k->host, n, sizeof *f.parent)};
    if (!f.parent) {
        return false;
    }
    kruskal(&k->graph, &f);
    highest(&k->graph, f.parent, expected[3]);
    *weight = f.weight;
    *edges = f.edges;
    *components = n - f.edges;
    return true;
}

static bool mst_rmat_open(void *self, enum workload_size size, uint64_t seed) {
    const struct lonestar_input input = {.shape = LONESTAR_RMAT,
                                         .nodes = size == SIZE_TINY ? 1 << 11 : 1 << 12,
                                         .degree = size == SIZE_TINY ? 4 : 20,
                                         .symmetric = true};
    return mst_open(self, &input, seed);
}

static bool mst_grid_open(void *self, enum workload_size size, uint64_t seed) {
    static const uint32_t side[] = {
        [SIZE_TINY] = 56, [SIZE_SMALL] = 256, [SIZE_PAPER_MEDIC] = 1024};
    const struct lonestar_input input = {.shape = LONESTAR_GRID, .nodes = side[size] * side[size]};
    return mst_open(self, &input, seed);
}

const struct workload workload_mst = {
    .name = "mst",
    .suite = "lonestar",
    .about = "minimum spanning forest: lists, an atomic a hop to a component's boss, hot words",
    .size_text = {[SIZE_TINY] = "rmat11.sym: 2 Ki nodes, 16 Ki edges",
                  [SIZE_SMALL] = "rmat12.sym: 4 Ki nodes, 160 Ki edges",
                  [SIZE_PAPER_MEDIC] = "rmat12.sym: 4 Ki nodes, 160 Ki edges"},
    .bytes = sizeof(struct mst),
    .open = mst_rmat_open,
    .results = results,
    .plain = mst_plain,
    /* .expect: the order of the unions decides the trees, and with them the hops of a find. */
};

const struct workload workload_mst_grid = {
    .name = "mst-grid",
    .suite = "lonestar",
    .about = "minimum spanning tree of a grid: short lists, an atomic a hop, no hubs",
    .size_text = {[SIZE_TINY] = "56 x 56 nodes",
                  [SIZE_SMALL] = "256 x 256 nodes",
                  [SIZE_PAPER_MEDIC] = "2d-2e20.sym: 1024 x 1024 nodes"},
    .bytes = sizeof(struct mst),
    .open = mst_grid_open,
    .results = results,
    .plain = mst_plain,
    /* .expect: Who is first decides the trees, and these how many hops a find takes. */
};
