/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of LonestarGPU's bfs and sssp: all edges of all nodes are relaxed, a thread a
 * node, launch after launch until none has lowered a distance. So each launch loads the whole
 * graph, whoever has been reached; of the edges that lower a distance, what a thread stores others
 * see in the same launch. The last launch verifies the distances.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_RELAX_H
#define WARPMEM_WORKLOADS_LONESTAR_RELAX_H

#include "workloads/lonestar/distances.h"
#include "workloads/workload.h"

struct lonestar_relax {
    struct lonestar_distances distances;
    struct buffer changed; /* 1: a distance was lowered in this launch */
};

/** lonestar_relax_open() - of struct workload's open(). */
bool lonestar_relax_open(struct lonestar_relax *k, const struct lonestar_input *input,
                         bool weighted, uint64_t seed);

/** lonestar_relax_expect() - of struct workload's expect(): the loads, which are the same in each
 * launch. The number of launches depends on which CTA sees the stores of others, and is taken from
 * the run. */
void lonestar_relax_expect(const void *self, unsigned line_bytes, struct workload_expectation *e);

#endif
