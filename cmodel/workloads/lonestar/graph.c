/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/lonestar/graph.h"

#include <stdlib.h>

#include "workloads/host.h"

struct edge {
    uint32_t from, to, weight;
};

struct edges {
    struct edge *edge;
    uint64_t *random;
    uint32_t count;
};

/* Uniform in 0 .. n-1 for all that matters here: n is far below 2^32. */
static uint32_t below(uint64_t *random, uint32_t n) {
    return (uint32_t)((host_random(random) >> 32) * n >> 32);
}

static void add(struct edges *e, uint32_t from, uint32_t to) {
    e->edge[e->count++] = (struct edge){from, to, 1 + below(e->random, LONESTAR_WEIGHT_MAX)};
}

static void draw_uniform(struct edges *e, uint32_t nodes, uint32_t degree) {
    for (uint32_t u = 0; u < nodes; u++) {
        for (uint32_t i = 0; i < degree; i++) {
            add(e, u, (u + 1 + below(e->random, nodes - 1)) % nodes);
        }
    }
}

/* Each bit of the two ends by a draw of one of four quadrants; not from a node to itself. */
static void draw_rmat(struct edges *e, uint32_t nodes, uint32_t degree) {
    while (e->count < nodes * degree) {
        uint32_t from = 0, to = 0;
        for (uint32_t bit = nodes / 2; bit; bit /= 2) {
            uint32_t quadrant = below(e->random, 100);
            bool right = quadrant >= LONESTAR_RMAT_A &&
                         (quadrant < LONESTAR_RMAT_A + LONESTAR_RMAT_B ||
                          quadrant >= LONESTAR_RMAT_A + LONESTAR_RMAT_B + LONESTAR_RMAT_C);
            from |= quadrant >= LONESTAR_RMAT_A + LONESTAR_RMAT_B ? bit : 0;
            to |= right ? bit : 0;
        }
        if (from != to) {
            add(e, from, to);
        }
    }
}

static uint32_t side_of(uint32_t nodes) {
    uint32_t side = 1;
    while (side * side < nodes) {
        side++;
    }
    return side;
}

static void draw_grid(struct edges *e, uint32_t nodes) {
    const uint32_t side = side_of(nodes);
    for (uint32_t u = 0; u < nodes; u++) {
        if (u % side) {
            add(e, u, u - 1);
        }
        if (u >= side) {
            add(e, u, u - side);
        }
    }
}

/* Each crossing has a road to the left or up, which makes a tree; two fifths have both, as the
 * roads of New York have 1.39 n edges where a tree has n - 1. */
static void draw_road(struct edges *e, uint32_t nodes) {
    const uint32_t side = side_of(nodes);
    for (uint32_t u = 1; u < nodes; u++) {
        uint32_t draw = below(e->random, 10);
        bool left = u < side || (u % side && draw < 7), up = u >= side && (!left || draw >= 3);
        if (left) {
            add(e, u, u - 1);
        }
        if (up) {
            add(e, u, u - side);
        }
    }
}

static void append(struct lonestar_graph *g, uint32_t from, uint32_t to, uint32_t weight) {
    uint32_t *degree = g->noutgoing.data;
    const uint32_t at = ((const uint32_t *)g->psrc.data)[from] + degree[from]++;
    ((uint32_t *)g->edgessrcdst.data)[at] = to;
    ((uint32_t *)g->edgessrcwt.data)[at] = weight;
}

/* A node's edges stay in the order in which they were drawn. */
static void make_lists(struct lonestar_graph *g, const struct edges *e, bool symmetric) {
    uint32_t *degree = g->noutgoing.data, *psrc = g->psrc.data, *srcsrc = g->srcsrc.data;
    for (uint32_t i = 0; i < e->count; i++) {
        degree[e->edge[i].from]++;
        degree[e->edge[i].to] += symmetric;
    }
    for (uint32_t u = 0, first = 1; u < g->nodes; u++) {
        psrc[u] = first;
        srcsrc[u] = u;
        first += degree[u];
        degree[u] = 0;
    }
    psrc[g->nodes] = g->edges;
    for (uint32_t i = 0; i < e->count; i++) {
        append(g, e->edge[i].from, e->edge[i].to, e->edge[i].weight);
        if (symmetric) {
            append(g, e->edge[i].to, e->edge[i].from, e->edge[i].weight);
        }
    }
}

bool lonestar_graph_open(struct lonestar_graph *g, struct device_memory *m,
                         const struct lonestar_input *input, uint64_t seed) {
    const uint32_t n = input->nodes;
    const bool mesh = input->shape == LONESTAR_GRID || input->shape == LONESTAR_ROAD;
    const bool symmetric = mesh || input->symmetric;
    const uint32_t degree = mesh ? 2 : input->degree; /* at most, of a grid's edges drawn */
    struct edges e = {.edge = malloc((uint64_t)n * degree * sizeof *e.edge), .random = &seed};
    if (!e.edge) {
        return false;
    }
    switch (input->shape) {
    case LONESTAR_UNIFORM: draw_uniform(&e, n, degree); break;
    case LONESTAR_RMAT: draw_rmat(&e, n, degree); break;
    case LONESTAR_GRID: draw_grid(&e, n); break;
    case LONESTAR_ROAD: draw_road(&e, n); break;
    }
    g->nodes = n;
    g->edges = symmetric ? 2 * e.count : e.count;
    bool good = HOST_ALLOC(
        m, {&g->noutgoing, n, 4}, {&g->srcsrc, n, 4}, {&g->psrc, (uint64_t)n + 1, 4},
        {&g->edgessrcdst, (uint64_t)g->edges + 1, 4}, {&g->edgessrcwt, (uint64_t)g->edges + 1, 4});
    if (good) {
        make_lists(g, &e, symmetric);
    }
    free(e.edge);
    return good;
}
