/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bfs, the suite's default: breadth-first search without a frontier. Each launch
 * relaxes all edges, a thread a node; a word of a node's list comes with three loads of the
 * container's accessor, the same for each word, and leads to the distance of a neighbour anywhere;
 * popular ones are read by all warps. Lists differ in length by three orders, so that most lanes
 * are idle most of the time, and the longest list, one lane's, decides the time of a launch.
 *
 * Which form and graph MeDiC ran is not known: the suite has rmat, r4 and road files. The form
 * with work-lists on rmat20 agrees with its figures (bfs_worklist.c) and represents it; this one
 * does not. All, most, some, few or none of the accesses of a load hit in the L2 for 59, 3,
 * 11, 2 and 25 % of lonestar-bfs's loads (rmat20) and for 11, 1, 5, 14 and 70 % of
 * lonestar-bfs-r4's (sssp's graph), where table II has 40, 1, 20, 13 and 26 % of the warps; with
 * a lookup of one cycle a request waits 1.4 and 31 cycles before an L2 bank of gtx480 (figure 8:
 * 34.8). rmat20's node arrays of 4 MB are five times the L2; those of the small graph, four of
 * 512 KB that each launch streams through beside 4 MB of edges, exceed it together.
 * lonestar-bfs-road is of New York's kind: many launches, each over all nodes for a few that
 * change.
 */
#include "workloads/lonestar/relax.h"
#include "workloads/workloads.h"

static const uint32_t nodes[] = {
    [SIZE_TINY] = 1 << 12, [SIZE_SMALL] = 1 << 17, [SIZE_PAPER_MEDIC] = 1 << 20};

static bool bfs_open(void *self, enum workload_size size, uint64_t seed) {
    const struct lonestar_input input = {.shape = LONESTAR_RMAT, .nodes = nodes[size], .degree = 8};
    return lonestar_relax_open(self, &input, false, seed);
}

static bool bfs_r4_open(void *self, enum workload_size size, uint64_t seed) {
    const struct lonestar_input input = {
        .shape = LONESTAR_UNIFORM, .nodes = nodes[size], .degree = 4};
    return lonestar_relax_open(self, &input, false, seed);
}

static bool bfs_road_open(void *self, enum workload_size size, uint64_t seed) {
    static const uint32_t side[] = {[SIZE_TINY] = 48, [SIZE_SMALL] = 176, [SIZE_PAPER_MEDIC] = 514};
    const struct lonestar_input input = {.shape = LONESTAR_ROAD, .nodes = side[size] * side[size]};
    return lonestar_relax_open(self, &input, false, seed);
}

const struct workload workload_lonestar_bfs = {
    .name = "lonestar-bfs",
    .suite = "lonestar",
    .about = "breadth-first search, all nodes in each launch: lists, scattered distances, atomics",
    .size_text = {[SIZE_TINY] = "rmat12: 4 Ki nodes, 32 Ki edges",
                  [SIZE_SMALL] = "rmat17: 128 Ki nodes, 1 Mi edges",
                  [SIZE_PAPER_MEDIC] = "rmat20: 1 Mi nodes, 8 Mi edges"},
    .bytes = sizeof(struct lonestar_relax),
    .open = bfs_open,
    .results = lonestar_distances_results,
    .plain = lonestar_levels_plain,
    .expect = lonestar_relax_expect,
};

const struct workload workload_lonestar_bfs_r4 = {
    .name = "lonestar-bfs-r4",
    .suite = "lonestar",
    .about = "breadth-first search, all nodes in each launch: four edges a node, to anywhere",
    .size_text = {[SIZE_TINY] = "r4: 4 Ki nodes, 16 Ki edges",
                  [SIZE_SMALL] = "r4: 128 Ki nodes, 512 Ki edges",
                  [SIZE_PAPER_MEDIC] = "r4-2e20: 1 Mi nodes, 4 Mi edges"},
    .bytes = sizeof(struct lonestar_relax),
    .open = bfs_r4_open,
    .results = lonestar_distances_results,
    .plain = lonestar_levels_plain,
    .expect = lonestar_relax_expect,
};

const struct workload workload_lonestar_bfs_road = {
    .name = "lonestar-bfs-road",
    .suite = "lonestar",
    .about = "breadth-first search, all nodes in each launch: short lists, near ends",
    .size_text = {[SIZE_TINY] = "2304 crossings",
                  [SIZE_SMALL] = "30976 crossings",
                  [SIZE_PAPER_MEDIC] = "264196 crossings, as New York has"},
    .bytes = sizeof(struct lonestar_relax),
    .open = bfs_road_open,
    .results = lonestar_distances_results,
    .plain = lonestar_levels_plain,
    .expect = lonestar_relax_expect,
};
