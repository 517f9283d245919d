/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU sssp, the suite's default: shortest paths by relaxing all edges, a thread a node,
 * until nothing gets shorter. It is bfs with the weight of each edge, from an array beside that of
 * the ends: twice the streams, each with the accessor's loads. A node is lowered many times.
 *
 * The graph is r4-2e20's kind: four edges a node, to anywhere, so that a warp's lanes stay
 * together, its lists lie in four lines and its distances in 32. As of bfs, the small graph's node
 * arrays and edges exceed the L2 together (1.5 MB and 3 MB), the paper's each alone.
 */
#include "workloads/lonestar/relax.h"
#include "workloads/workloads.h"

static const uint32_t nodes[] = {
    [SIZE_TINY] = 1 << 12, [SIZE_SMALL] = 96 << 10, [SIZE_PAPER_MEDIC] = 1 << 20};

static bool sssp_open(void *self, enum workload_size size, uint64_t seed) {
    const struct lonestar_input input = {
        .shape = LONESTAR_UNIFORM, .nodes = nodes[size], .degree = 4};
    return lonestar_relax_open(self, &input, true, seed);
}

/* Dijkstra's algorithm: a binary heap of nodes, nearest first, older entries of a node left in. */
struct heap {
    uint64_t *entry; /* distance << 32 | node */
    uint32_t count;
};

static void push(struct heap *h, uint64_t entry) {
    uint32_t i = h->count++;
    for (; i > 0 && h->entry[(i - 1) / 2] > entry; i = (i - 1) / 2) {
        h->entry[i] = h->entry[(i - 1) / 2];
    }
    h->entry[i] = entry;
}

static uint64_t pop(struct heap *h) {
    const uint64_t least = h->entry[0], last = h->entry[--h->count];
    uint32_t i = 0;
    for (uint32_t child = 1; child < h->count; child = 2 * i + 1) {
        child += child + 1 < h->count && h->entry[child + 1] < h->entry[child];
        if (h->entry[child] >= last) {
            break;
        }
        h->entry[i] = h->entry[child];
        i = child;
    }
    h->entry[i] = last;
    return least;
}

static void dijkstra(const struct lonestar_graph *g, struct heap *h, int32_t *distance) {
    for (uint32_t u = 0; u < g->nodes; u++) {
        distance[u] = LONESTAR_INFINITY;
    }
    distance[LONESTAR_SOURCE] = 0;
    push(h, LONESTAR_SOURCE);
    while (h->count) {
        const uint64_t entry = pop(h);
        const uint32_t u = (uint32_t)entry;
        const int32_t at = (int32_t)(entry >> 32);
        for (uint32_t e = lonestar_first(g, u); at == distance[u] && e < lonestar_first(g, u + 1);
             e++) {
            const uint32_t v = lonestar_end(g, e);
            const int32_t further = at + (int32_t)lonestar_weight(g, e);
            if (further < distance[v]) {
                distance[v] = further;
                push(h, (uint64_t)further << 32 | v);
            }
        }
    }
}

static bool sssp_plain(void *self, void *const expected[]) {
    struct lonestar_relax *k = self;
    const struct lonestar_graph *g = &k->distances.graph;
    struct heap h = {
        .entry = host_array(&k->distances.host, g->edges + 1, sizeof *h.entry)}; /* one an edge */
    if (!h.entry) {
        return false;
    }
    dijkstra(g, &h, expected[0]);
    *(int32_t *)expected[1] = 0;
    return true;
}

const struct workload workload_sssp = {
    .name = "sssp",
    .suite = "lonestar",
    .about = "shortest paths, all nodes in each launch: two lists, scattered distances, atomics",
    .size_text = {[SIZE_TINY] = "r4: 4 Ki nodes, 16 Ki edges",
                  [SIZE_SMALL] = "r4: 96 Ki nodes, 384 Ki edges",
                  [SIZE_PAPER_MEDIC] = "r4-2e20: 1 Mi nodes, 4 Mi edges"},
    .bytes = sizeof(struct lonestar_relax),
    .open = sssp_open,
    .results = lonestar_distances_results,
    .plain = sssp_plain,
    .expect = lonestar_relax_expect,
};
