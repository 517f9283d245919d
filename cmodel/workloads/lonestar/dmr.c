/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU 2.0 dmr: Delaunay mesh refinement. While a triangle has an angle below 30 degrees,
 * the middle of its circle becomes a node, and the triangles whose circles hold the node, its
 * cavity, become others around it. A middle that comes too near to the border splits a segment of
 * it instead, and from an obtuse triangle the way first goes across the obtuse angle. Many bad
 * triangles are refined at once, a thread each; cavities that touch exclude each other, and the
 * lower thread number wins.
 *
 * Every lane has its own cavity, so that almost every load touches a line a lane: nodes of two
 * doubles, elements and neighbours of 12 bytes, found through each other. The lists of the cavity
 * (256 words) and its boundary (1024) are in local memory: a line where the lanes' searches are in
 * step. Two launches a round: check_triangles over the new elements, refine over the list of the
 * bad ones, with three barriers across the grid an item; at each of them the launch is cut
 * (kernel/simt_grid.h).
 *
 * The grids are those of a machine of 15 cores: a CTA of check_triangles each, and eight of refine,
 * for which there is room. The smaller sizes have one and two, because a small mesh has room for
 * few cavities at once: with eight, nearly all work would be cavities that lose.
 *
 * Choices where the published description is silent: neighbours are in no order, so that a new link
 * searches a free place; the search of the boundary compares both nodes; a thread that has lost a
 * cavity still reads all owners. The input is a triangulation of random points with half of its
 * triangles bad, instead of the suite's files (250k.2, r1M, r5M); MeDiC does not say which it used.
 * Its size here has the number of elements in the name of the smallest file.
 */
#include "workloads/lonestar/dmr.h"

#include "workloads/workloads.h"

static const struct {
    uint32_t side_points, points;
    unsigned ctas; /* of refine, a core */
} sizes[] = {
    [SIZE_TINY] = {6, 40, 1},
    [SIZE_SMALL] = {64, 4800, 2},
    [SIZE_PAPER_MEDIC] = {350, 123600, 8},
};

/* Steps of the host are check, refine, check, refine, ... Each refines at least one triangle, and
 * there is room for so many. */
static bool dmr_step(void *self, unsigned step, struct host_launch *out) {
    struct dmr *k = self;
    if (step == 0) {
        k->first = 0;
        k->in = 1; /* neither has items yet */
        k->out = 0;
    } else if (step % 2) {
        if (!dmr_count(&k->index[k->out])) {
            return false;
        }
        k->in = k->out;
        k->out = 1 - k->in;
        k->first = dmr_count(&k->elements);
        *(int32_t *)k->index[k->out].data = 0;
        *(int32_t *)k->bad.data = 0;
    }
    *out = step % 2 ? dmr_refine(k) : dmr_check_triangles();
    return true;
}

static bool allocate(struct dmr *k) {
    struct device_memory *m = &k->host.memory;
    const uint64_t elements =
        (uint64_t)DMR_MAX_FACTOR * dmr_input_elements(k->side_points, k->points);
    const uint64_t nodes = (uint64_t)DMR_MAX_FACTOR * dmr_input_nodes(k->side_points, k->points);
    bool good = HOST_ALLOC(m, {&k->node_x, nodes, 8}, {&k->node_y, nodes, 8},
                           {&k->element, 3 * elements, 4}, {&k->is_deleted, elements, 1},
                           {&k->is_bad, elements, 1}, {&k->neighbour, 3 * elements, 4},
                           {&k->owner, elements, 4}, {&k->nodes, 1, 4}, {&k->elements, 1, 4},
                           {&k->bad, 1, 4}, {&k->flag, k->refine_ctas, 4});
    for (unsigned i = 0; good && i < 2; i++) {
        good = HOST_ALLOC(m, {&k->list[i], elements, 4}, {&k->index[i], 1, 4}, {&k->room[i], 1, 4});
        if (good) {
            *(int32_t *)k->room[i].data = (int32_t)elements;
        }
    }
    return good;
}

static bool dmr_open(void *self, enum workload_size size, uint64_t seed) {
    struct dmr *k = self;
    k->seed = seed;
    k->side_points = sizes[size].side_points;
    k->points = sizes[size].points;
    k->refine_ctas = DMR_CORES * sizes[size].ctas;
    if (!allocate(k) || !dmr_generate(k->side_points, k->points, seed, k->node_x.data,
                                      k->node_y.data, k->element.data, k->neighbour.data)) {
        return false;
    }
    *(int32_t *)k->nodes.data = (int32_t)dmr_input_nodes(k->side_points, k->points);
    *(int32_t *)k->elements.data = (int32_t)dmr_input_elements(k->side_points, k->points);
    host_set_step(&k->host, dmr_step);
    return true;
}

static const char *dmr_check(void *self) {
    return dmr_check_mesh(self);
}

const struct workload workload_dmr = {
    .name = "dmr",
    .suite = "lonestar",
    .about = "Delaunay mesh refinement: a cavity a lane, its lists in local memory",
    .size_text = {[SIZE_TINY] = "134 elements",
                  [SIZE_SMALL] = "10118 elements",
                  [SIZE_PAPER_MEDIC] = "250006 elements"},
    .bytes = sizeof(struct dmr),
    .open = dmr_open,
    .check = dmr_check,
    /* .expect: each round's work depends on the mesh so far, which only the kernels know. */
};
