/* SPDX-License-Identifier: Apache-2.0
 *
 * The input of dmr: points are inserted one by one (Bowyer and Watson), neighbours in the square
 * one after another, so that the walk to each is short.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/lonestar/dmr.h"

#define CAVITY_MAX 4096

static double uniform(uint64_t *state) {
    return (double)(host_random(state) >> 11) * 0x1p-53;
}

/* Corners, then the sides at uneven steps, then at random. */
void dmr_points(uint32_t side_points, uint32_t points, uint64_t seed, double *x, double *y) {
    uint32_t n = 0;
    for (unsigned corner = 0; corner < 4; corner++, n++) {
        x[n] = corner == 1 || corner == 2;
        y[n] = corner >= 2;
    }
    for (unsigned side = 0; side < 4; side++) {
        for (uint32_t i = 0; i < side_points; i++, n++) {
            double along = (i + 0.75 + 0.5 * uniform(&seed)) / (side_points + 1);
            x[n] = side % 2 ? side == 1 : along;
            y[n] = side % 2 ? along : side == 2;
        }
    }
    for (uint32_t i = 0; i < points; i++, n++) {
        x[n] = uniform(&seed);
        y[n] = uniform(&seed);
    }
}

struct order {
    uint32_t cell, node;
};

static int compare(const void *a, const void *b) {
    const struct order *l = a, *r = b;
    return l->cell != r->cell ? (l->cell < r->cell ? -1 : 1) : l->node < r->node ? -1 : 1;
}

/* Rows of cells with some points each, to and fro. */
static struct order *insertion_order(uint32_t nodes, const double *x, const double *y) {
    struct order *order = malloc(nodes * sizeof *order);
    const uint32_t cells = (uint32_t)sqrt(nodes / 4.0) + 1;
    for (uint32_t i = 0; order && i < nodes; i++) {
        uint32_t row = (uint32_t)(y[i] * cells), column = (uint32_t)(x[i] * cells);
        row = row < cells ? row : cells - 1;
        column = column < cells ? column : cells - 1;
        order[i] = (struct order){row * cells + (row % 2 ? cells - 1 - column : column), i};
    }
    if (order) {
        qsort(order, nodes, sizeof *order, compare);
    }
    return order;
}

/* While it grows: neighbour i is that across the edge from node i to the next, DMR_NONE: none. */
struct growth {
    const double *x, *y;
    int32_t *node, *across; /* three a triangle */
    int32_t *from;          /* of a node: the new triangle whose first it is */
    uint8_t *gone;
    int32_t triangles, last;
    int32_t cavity[CAVITY_MAX], edge[CAVITY_MAX]; /* edge: 3 * triangle + edge, inside the cavity */
    unsigned cells, edges;
};

static struct dmr_point point(const struct growth *g, int32_t node) {
    return (struct dmr_point){g->x[node], g->y[node]};
}

/* The triangle in which the point lies: across each edge that has it on the other side. */
static int32_t locate(const struct growth *g, struct dmr_point p) {
    int32_t t = g->last, next = t;
    while (next != DMR_NONE) {
        t = next;
        next = DMR_NONE;
        for (unsigned i = 0; i < 3 && next == DMR_NONE; i++) {
            struct dmr_point a = point(g, g->node[3 * t + i]);
            struct dmr_point b = point(g, g->node[3 * t + (i + 1) % 3]);
            next = dmr_turn(a, b, p) < 0.0 ? g->across[3 * t + i] : DMR_NONE;
        }
    }
    return t;
}

static bool holds(const struct growth *g, int32_t t, struct dmr_point p) {
    const int32_t *n = &g->node[3 * t];
    return dmr_in_circle(point(g, n[0]), point(g, n[1]), point(g, n[2]), p) > 0.0;
}

static void find_cavity(struct growth *g, struct dmr_point p) {
    g->cells = g->edges = 0;
    g->cavity[g->cells++] = locate(g, p);
    g->gone[g->cavity[0]] = 1;
    for (unsigned c = 0; c < g->cells; c++) {
        for (int32_t i = 0; i < 3; i++) {
            int32_t other = g->across[3 * g->cavity[c] + i];
            if (other != DMR_NONE && !g->gone[other] && holds(g, other, p)) {
                assert(g->cells < CAVITY_MAX);
                g->gone[other] = 1;
                g->cavity[g->cells++] = other;
            }
        }
    }
    for (unsigned c = 0; c < g->cells; c++) {
        for (int32_t i = 0; i < 3; i++) {
            int32_t other = g->across[3 * g->cavity[c] + i];
            if (other == DMR_NONE || !g->gone[other]) {
                assert(g->edges < CAVITY_MAX);
                g->edge[g->edges++] = 3 * g->cavity[c] + i;
            }
        }
    }
}

/* Triangles from the boundary of the cavity to the new node; the edge of the square on which it
 * lies falls into two. */
static void fill_cavity(struct growth *g, int32_t node) {
    int32_t made[CAVITY_MAX], from[CAVITY_MAX], to[CAVITY_MAX], outside[CAVITY_MAX];
    unsigned count = 0, reused = 0;
    for (unsigned e = 0; e < g->edges; e++) {
        int32_t at = g->edge[e], other = g->across[at];
        int32_t a = g->node[at], b = g->node[at % 3 == 2 ? at - 2 : at + 1];
        double turn = dmr_turn(point(g, a), point(g, b), point(g, node));
        assert(turn > 0.0 || (turn == 0.0 && other == DMR_NONE));
        if (turn > 0.0) {
            from[count] = a;
            to[count] = b;
            outside[count++] = other;
        }
    }
    for (unsigned e = 0; e < count; e++) {
        made[e] = reused < g->cells ? g->cavity[reused++] : g->triangles++;
        g->from[to[e]] = DMR_NONE; /* of the last of a chain it remains so */
    }
    for (unsigned e = 0; e < count; e++) {
        const int32_t t = made[e], nodes[3] = {from[e], to[e], node};
        g->from[from[e]] = t;
        g->gone[t] = 0;
        for (unsigned i = 0; i < 3; i++) {
            g->node[3 * t + (int32_t)i] = nodes[i];
            g->across[3 * t + (int32_t)i] = i == 0 ? outside[e] : DMR_NONE;
        }
        for (int32_t i = 0; i < 3 && outside[e] != DMR_NONE; i++) {
            if (g->node[3 * outside[e] + i] == to[e]) {
                g->across[3 * outside[e] + i] = t;
            }
        }
    }
    for (unsigned e = 0; e < count; e++) {
        const int32_t next = g->from[to[e]];
        if (next != DMR_NONE) {
            g->across[3 * made[e] + 1] = next;
            g->across[3 * next + 2] = made[e];
        }
    }
    assert(reused == g->cells);
    g->last = made[0];
}

/* The square's edges become elements. */
static void add_segments(struct growth *g) {
    int32_t elements = g->triangles;
    for (int32_t at = 0; at < 3 * g->triangles; at++) {
        if (g->across[at] == DMR_NONE) {
            g->across[at] = elements;
            g->node[3 * elements] = g->node[at];
            g->node[3 * elements + 1] = g->node[at % 3 == 2 ? at - 2 : at + 1];
            g->node[3 * elements + 2] = DMR_NONE;
            g->across[3 * elements] = at / 3;
            g->across[3 * elements + 1] = g->across[3 * elements + 2] = DMR_NONE;
            elements++;
        }
    }
}

/* Elements get random numbers: what stands side by side in a list lies far apart. */
static bool shuffle(uint32_t elements, uint64_t *state, int32_t *node, int32_t *across) {
    const size_t bytes = 3 * elements * sizeof *node;
    uint32_t *number = malloc(elements * sizeof *number);
    int32_t *old_node = malloc(bytes), *old_across = malloc(bytes);
    const bool good = number && old_node && old_across;
    for (uint32_t i = 0; good && i < elements; i++) { /* Fisher and Yates, from the front */
        uint32_t j = (uint32_t)(host_random(state) % (i + 1));
        number[i] = number[j];
        number[j] = i;
    }
    if (good) {
        memcpy(old_node, node, bytes);
        memcpy(old_across, across, bytes);
    }
    for (uint32_t i = 0; good && i < 3 * elements; i++) {
        const uint32_t to = 3 * number[i / 3] + i % 3;
        node[to] = old_node[i];
        across[to] = old_across[i] == DMR_NONE ? DMR_NONE : (int32_t)number[old_across[i]];
    }
    free(number);
    free(old_node);
    free(old_across);
    return good;
}

bool dmr_generate(uint32_t side_points, uint32_t points, uint64_t seed, double *x, double *y,
                  int32_t *element, int32_t *neighbour) {
    static const int32_t first[6] = {0, 1, 2, 0, 2, 3};
    static const int32_t first_across[6] = {DMR_NONE, DMR_NONE, 1, 0, DMR_NONE, DMR_NONE};
    const uint32_t nodes = dmr_input_nodes(side_points, points);
    struct growth *g = calloc(1, sizeof *g);
    struct order *order = NULL;
    dmr_points(side_points, points, seed, x, y);
    if (g) {
        order = insertion_order(nodes, x, y);
        g->from = malloc(nodes * sizeof *g->from);
        g->gone = calloc(dmr_input_elements(side_points, points), 1);
    }
    bool good = g && order && g->from && g->gone;
    if (good) {
        g->x = x;
        g->y = y;
        g->node = element;
        g->across = neighbour;
        g->triangles = 2;
        for (unsigned i = 0; i < 6; i++) {
            element[i] = first[i];
            neighbour[i] = first_across[i];
        }
        for (uint32_t i = 0; i < nodes; i++) {
            if (order[i].node >= 4) {
                find_cavity(g, (struct dmr_point){x[order[i].node], y[order[i].node]});
                fill_cavity(g, (int32_t)order[i].node);
            }
        }
        add_segments(g);
        good = shuffle(dmr_input_elements(side_points, points), &seed, element, neighbour);
    }
    if (g) {
        free(g->from);
        free(g->gone);
    }
    free(order);
    free(g);
    return good;
}
