/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of LonestarGPU's programs that look for distances: the first launch, which makes
 * them infinite, the last, which verifies them on the GPU, and the breadth-first search that they
 * are checked against. MeDiC speaks of three kernels of BFS (3.2).
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_DISTANCES_H
#define WARPMEM_WORKLOADS_LONESTAR_DISTANCES_H

#include "workloads/host.h"
#include "workloads/lonestar/graph.h"
#include "workloads/workload.h"

#define LONESTAR_SOURCE 0
#define LONESTAR_BLOCK 1024 /* the largest CTA; the suite queries the device */

/* The first member of such a program's structure. */
struct lonestar_distances {
    struct host host;
    struct lonestar_graph graph;
    struct buffer dist;   /* from the source */
    struct buffer errors; /* edges that would shorten a distance, as the last launch counts them */
    bool weighted;        /* else each edge counts 1, and weights are not read */
    bool verified;        /* the last launch has been made */
};

/** lonestar_distances_open() - graph and distances. Return: false when out of memory. */
bool lonestar_distances_open(struct lonestar_distances *d, const struct lonestar_input *input,
                             uint64_t seed);

/** lonestar_initialize_launch() - dist[i] = infinity. */
struct host_launch lonestar_initialize_launch(const struct lonestar_distances *d);

/** lonestar_verify_step() - the last launch: a thread a node tests that none of its edges would
 * shorten the distance of its end. Return: false when it has been made before. */
bool lonestar_verify_step(struct lonestar_distances *d, struct host_launch *out);

/** lonestar_set_source() - the host's part of it. */
void lonestar_set_source(struct lonestar_distances *d);

/** lonestar_levels_plain() - of struct workload: the levels of a search with a queue. */
bool lonestar_levels_plain(void *self, void *const expected[]);
extern const struct workload_result lonestar_distances_results[];

/** lonestar_grid() - CTAs of LONESTAR_BLOCK threads, a thread a node. */
static inline unsigned lonestar_grid(const struct lonestar_graph *g) {
    return (g->nodes + LONESTAR_BLOCK - 1) / LONESTAR_BLOCK;
}

#endif
