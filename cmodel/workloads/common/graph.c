/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/common/graph.h"

#include <stdlib.h>

#include "workloads/host.h"

struct edge {
    uint32_t u, v;
};

/* Uniform in 0 .. n-1 for all that matters here: n is far below 2^32. */
static uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)((host_random(state) >> 32) * n >> 32);
}

/* Edges met so far, open addressing; a key is never 0, because the ends of an edge differ. */
struct edge_set {
    uint64_t *slot, mask;
};

static bool edge_set_open(struct edge_set *s, uint64_t edges) {
    uint64_t slots = 1;
    while (slots < edges * 2) {
        slots *= 2;
    }
    s->mask = slots - 1;
    s->slot = calloc(slots, sizeof *s->slot);
    return s->slot != NULL;
}

/* False: it is there already. */
static bool edge_set_add(struct edge_set *s, struct edge e) {
    uint64_t key = e.u < e.v ? (uint64_t)e.u << 32 | e.v : (uint64_t)e.v << 32 | e.u;
    uint64_t at = key, i;
    for (i = host_random(&at) & s->mask; s->slot[i]; i = (i + 1) & s->mask) {
        if (s->slot[i] == key) {
            return false;
        }
    }
    s->slot[i] = key;
    return true;
}

static void generate_edges(uint32_t nodes, uint64_t *seed, struct edge_set *met, uint32_t *label,
                           struct edge *edge, uint32_t edges) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t j = below(seed, i + 1);
        label[i] = label[j];
        label[j] = i;
    }
    for (uint32_t i = 1; i < nodes; i++) {
        struct edge e = {label[i], label[below(seed, i)]};
        edge_set_add(met, e);
        edge[count++] = e;
    }
    while (count < edges) {
        struct edge e = {below(seed, nodes), below(seed, nodes)};
        if (e.u != e.v && edge_set_add(met, e)) {
            edge[count++] = e;
        }
    }
    for (uint32_t i = edges - 1; i > 0; i--) {
        uint32_t j = below(seed, i + 1);
        struct edge e = edge[i];
        edge[i] = edge[j];
        edge[j] = e;
    }
}

static void append(int32_t *index, int32_t *neighbour, uint32_t from, uint32_t to) {
    neighbour[index[2 * from] + index[2 * from + 1]++] = (int32_t)to;
}

static void make_lists(uint32_t nodes, const struct edge *edge, uint32_t edges, int32_t *index,
                       int32_t *neighbour) {
    for (uint32_t i = 0; i < 2 * nodes; i++) {
        index[i] = 0;
    }
    for (uint32_t i = 0; i < edges; i++) {
        index[2 * edge[i].u + 1]++;
        index[2 * edge[i].v + 1]++;
    }
    for (int32_t i = 0, start = 0; i < (int32_t)nodes; i++) {
        index[2 * i] = start;
        start += index[2 * i + 1];
        index[2 * i + 1] = 0;
    }
    for (uint32_t i = 0; i < edges; i++) {
        append(index, neighbour, edge[i].u, edge[i].v);
        append(index, neighbour, edge[i].v, edge[i].u);
    }
}

bool graph_generate(uint32_t nodes, uint32_t edges_a_node, uint64_t seed, int32_t *index,
                    int32_t *neighbour) {
    const uint32_t edges = edges_a_node * nodes;
    struct edge_set met;
    uint32_t *label = malloc(nodes * sizeof *label);
    struct edge *edge = malloc(edges * sizeof *edge);
    bool good = edge_set_open(&met, edges) && label && edge;
    if (good) {
        generate_edges(nodes, &seed, &met, label, edge, edges);
        make_lists(nodes, edge, edges, index, neighbour);
    }
    free(met.slot);
    free(label);
    free(edge);
    return good;
}
