/* SPDX-License-Identifier: Apache-2.0
 *
 * The graphs of LonestarGPU's bfs, sssp and mst: the suite's arrays in device memory, filled by
 * seeded generators in the place of its downloaded files.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_GRAPH_H
#define WARPMEM_WORKLOADS_LONESTAR_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/device_memory.h"

#define LONESTAR_INFINITY 1000000000

/* Weights are uniform in 1 .. this. */
#define LONESTAR_WEIGHT_MAX 100

/*
 * The probabilities of RMAT's quadrants, in percent. The suite does not say which made its files,
 * but what came of them: rmat12.sym, of 4096 nodes and some 165000 edges, has 154 components, and
 * rmat20 nodes of thousands of edges. Both follow from the probability of the upper half alone:
 * with 0.7, 163 components are to be expected and 6700 edges; with the usual 0.57 + 0.19, 646
 * and 35000.
 */
#define LONESTAR_RMAT_A 50
#define LONESTAR_RMAT_B 20
#define LONESTAR_RMAT_C 20

enum lonestar_shape {
    LONESTAR_UNIFORM, /* r4: each node has the same number of edges, to anywhere */
    LONESTAR_RMAT,    /* power law: node 0 has most edges */
    LONESTAR_GRID,    /* a square of four neighbours, symmetric */
    LONESTAR_ROAD,    /* a connected part of such a square, symmetric, some 2.8 edges a node */
};

/**
 * struct lonestar_input - which graph.
 * @nodes: RMAT: a power of two; grid and road: a square
 * @degree: edges a node, drawn; grid and road: not used
 * @symmetric: each edge exists in both directions, with the same weight
 */
struct lonestar_input {
    enum lonestar_shape shape;
    uint32_t nodes, degree;
    bool symmetric;
};

/**
 * struct lonestar_graph - the suite's container. Its array of in-degrees is left out: no kernel
 * reads it.
 * @psrc: first edge of a node, counted from 1; of a node without edges too, as of the next one
 * @edgessrcdst, @edgessrcwt: of an edge, number 0 unused
 * @hoist: the accessors' loads of a node's degree, number and first edge are done once a node, not
 *         for each edge again. Nothing in the suite's source forbids a compiler to keep them in
 *         registers while no store comes between, and nothing (no restrict) makes it see that
 *         the stores and atomics of these loops do not touch them: an nvcc of that time reloads.
 *         False unless a test or an experiment sets it before the first launch.
 */
struct lonestar_graph {
    uint32_t nodes, edges;
    struct buffer noutgoing, srcsrc, psrc, edgessrcdst, edgessrcwt;
    bool hoist;
};

/** lonestar_graph_open() - generate. Return: false when out of memory. */
bool lonestar_graph_open(struct lonestar_graph *g, struct device_memory *m,
                         const struct lonestar_input *input, uint64_t seed);

/* For the host: edges lonestar_first(g, u) .. lonestar_first(g, u + 1) - 1 are those of node u. */
static inline uint32_t lonestar_first(const struct lonestar_graph *g, uint32_t u) {
    return u < g->nodes ? ((const uint32_t *)g->psrc.data)[u] : g->edges + 1;
}

static inline uint32_t lonestar_degree(const struct lonestar_graph *g, uint32_t u) {
    return ((const uint32_t *)g->noutgoing.data)[u];
}

static inline uint32_t lonestar_end(const struct lonestar_graph *g, uint32_t edge) {
    return ((const uint32_t *)g->edgessrcdst.data)[edge];
}

static inline uint32_t lonestar_weight(const struct lonestar_graph *g, uint32_t edge) {
    return ((const uint32_t *)g->edgessrcwt.data)[edge];
}

#endif
