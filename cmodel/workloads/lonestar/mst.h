/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of LonestarGPU mst.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_MST_H
#define WARPMEM_WORKLOADS_LONESTAR_MST_H

#include "workloads/host.h"
#include "workloads/lonestar/graph.h"

#define MST_BLOCK 1024 /* of a launch with a thread a node: the largest CTA */

struct mst {
    struct host host;
    struct lonestar_graph graph;
    uint32_t before; /* components, before the round */
    unsigned phase;  /* of the round: the next launch */
    /* Components: parent of an element, size of a boss', how many there are. */
    struct buffer ele2comp, complen, ncomponents;
    /* A node: the weight of its least edge out of its component, and the component that it leads
     * to. */
    struct buffer eleminwts, partners;
    /* A boss: the least weight out of its component, and the node that has it. */
    struct buffer minwtcomponent, goahead;
    struct buffer phores;      /* a node; the suite clears it, nothing else */
    struct buffer processnext; /* a node, 1: its least edge is its component's, and to be added */
    struct buffer mstwt, count, repeat;
    struct buffer flag; /* of the barrier across the grid, a CTA */
};

/** mst_initcs(), mst_init(), mst_elemin(), mst_elemin2(), mst_verify(), mst_unify() - the launches:
 * once, each node a component; and in each round: nothing known; each node's least edge; the node
 * that has its component's; that node's edge found again; components made one along these edges. */
struct host_launch mst_initcs(const struct mst *k);
struct host_launch mst_init(const struct mst *k);
struct host_launch mst_elemin(const struct mst *k);
struct host_launch mst_elemin2(const struct mst *k);
struct host_launch mst_verify(const struct mst *k);
struct host_launch mst_unify(const struct mst *k);

/* CTAs of the last: all that the machine holds at once. */
#define MST_UNIFY_BLOCK 384
#define MST_UNIFY_RESIDENT 4 /* of 1536 threads a core */

#endif
