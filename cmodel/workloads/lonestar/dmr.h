/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of Lonestar dmr: the mesh on the device, and the geometry that its kernels and
 * its check agree on.
 *
 * An element is a triangle of three nodes, counterclockwise, or a segment of the square's border:
 * two nodes and DMR_NONE. Its neighbours are in no order: of a triangle three, of a segment one.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_DMR_H
#define WARPMEM_WORKLOADS_LONESTAR_DMR_H

#include <math.h>

#include "workloads/host.h"

#define DMR_NONE (-1)
#define DMR_CORES 15        /* of the machine that the grids are made for (MeDiC, table I) */
#define DMR_CHECK_BLOCK 512 /* threads; a CTA a core */
#define DMR_REFINE_BLOCK 64 /* threads */
#define DMR_REFINE_CTAS 8   /* a core holds: what 63 registers a thread leave room for */
#define DMR_CAVITY 256      /* elements of a cavity, at most */
#define DMR_BOUNDARY 1024   /* words of its boundary: four an edge */
#define DMR_MAX_FACTOR 20   /* capacity, in multiples of the input's elements */
#define DMR_COSINE_LIMIT 0.8660254037844386 /* of 30 degrees: an angle below is bad */

struct dmr {
    struct host host;
    uint64_t seed;
    uint32_t side_points, points; /* of the input: between two corners, inside */
    unsigned refine_ctas;         /* of a launch of refine */
    int32_t first;                /* element from which on check_triangles looks */
    unsigned in, out; /* work lists: refine reads one, both kernels append to the other */
    /* Doubles, a node. */
    struct buffer node_x, node_y;
    /* Three words of 4 bytes an element. */
    struct buffer element, neighbour;
    /* A byte an element, but 4 bytes for the owner. */
    struct buffer is_deleted, is_bad, owner;
    /* Work lists; how many items each has, and has room for. */
    struct buffer list[2], index[2], room[2];
    /* One of 4 bytes each: nodes, elements, bad triangles. */
    struct buffer nodes, elements, bad;
    struct buffer flag; /* of the barrier across the grid, a CTA */
};

/* The value of a counter, a buffer of one element. */
static inline int32_t dmr_count(const struct buffer *b) {
    return *(const int32_t *)b->data;
}

/** dmr_input_nodes(), dmr_input_elements() - of a square with its points: corners, sides, inside;
 * triangles and segments. */
static inline uint32_t dmr_input_nodes(uint32_t side_points, uint32_t points) {
    return 4 + 4 * side_points + points;
}

static inline uint32_t dmr_input_elements(uint32_t side_points, uint32_t points) {
    return 2 * dmr_input_nodes(side_points, points) - 2;
}

/**
 * dmr_generate() - a Delaunay triangulation of random points in the unit square; its elements are
 * numbered at random, so that neighbours in the first work list lie far apart, as the threads'
 * shares of a large list do.
 * @x, @y: dmr_input_nodes(), numbered at random inside the square
 * @element, @neighbour: three times dmr_input_elements()
 * Return: false when out of memory.
 */
bool dmr_generate(uint32_t side_points, uint32_t points, uint64_t seed, double *x, double *y,
                  int32_t *element, int32_t *neighbour);
/** dmr_points() - its points alone. */
void dmr_points(uint32_t side_points, uint32_t points, uint64_t seed, double *x, double *y);

/** dmr_check_mesh() - NULL, or the fault of the refined mesh. */
const char *dmr_check_mesh(struct dmr *k);

/** dmr_check_triangles(), dmr_refine() - the launches of the two kernels. */
struct host_launch dmr_check_triangles(void);
struct host_launch dmr_refine(const struct dmr *k);

/** dmr_word() - of the three of each thread's element. */
static inline struct element dmr_word(const int32_t *element, unsigned word) {
    return (struct element){.base = word, .scale = 3, .lane = element};
}

/** dmr_load_node() - the place of a node a thread. @first: of two instructions for the addresses
 * and two loads. */
static inline void dmr_load_node(struct simt *s, const struct dmr *k, unsigned first,
                                 const int32_t *node, double *x, double *y) {
    simt_alus(s, first, first + 1);
    simt_load(s, first + 2, x, &k->node_x, element_lane(node));
    simt_load(s, first + 3, y, &k->node_y, element_lane(node));
}

struct dmr_point {
    double x, y;
};

/** dmr_turn() - twice the area of a triangle; positive when counterclockwise. */
static inline double dmr_turn(struct dmr_point a, struct dmr_point b, struct dmr_point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** dmr_dot() - of the sides at @b; negative: the angle there is obtuse. */
static inline double dmr_dot(struct dmr_point a, struct dmr_point b, struct dmr_point c) {
    return (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y);
}

static inline double dmr_distance(struct dmr_point a, struct dmr_point b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/** dmr_is_small() - the angle at @b is below the limit. */
static inline bool dmr_is_small(struct dmr_point a, struct dmr_point b, struct dmr_point c) {
    const double dot = dmr_dot(a, b, c);
    return dot >= 0.0 && dot / (dmr_distance(a, b) * dmr_distance(c, b)) > DMR_COSINE_LIMIT;
}

/** dmr_in_circle() - positive: @p is inside the circle through a, b and c (counterclockwise). */
static inline double dmr_in_circle(struct dmr_point a, struct dmr_point b, struct dmr_point c,
                                   struct dmr_point p) {
    const double ax = a.x - p.x, ay = a.y - p.y, bx = b.x - p.x, by = b.y - p.y, cx = c.x - p.x,
                 cy = c.y - p.y;
    return (ax * ax + ay * ay) * (bx * cy - by * cx) + (bx * bx + by * by) * (cx * ay - cy * ax) +
           (cx * cx + cy * cy) * (ax * by - ay * bx);
}

/** dmr_circumcentre() - of a triangle. */
static inline struct dmr_point dmr_circumcentre(struct dmr_point a, struct dmr_point b,
                                                struct dmr_point c) {
    const double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
    const double bb = bx * bx + by * by, cc = cx * cx + cy * cy, d = 2.0 * (bx * cy - by * cx);
    return (struct dmr_point){a.x + (cy * bb - by * cc) / d, a.y + (bx * cc - cx * bb) / d};
}

static inline struct dmr_point dmr_middle(struct dmr_point a, struct dmr_point b) {
    return (struct dmr_point){(a.x + b.x) * 0.5, (a.y + b.y) * 0.5};
}

#endif
