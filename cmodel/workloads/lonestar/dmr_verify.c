/* SPDX-License-Identifier: Apache-2.0
 *
 * The properties of a refined mesh, for every order in which threads may have refined it:
 *   - its triangles and segments cover the square once: two triangles, or a triangle and a segment,
 *     at each edge, linked as neighbours; the segments on the border; Euler's formula;
 *     the area;
 *   - it has the input's points, and every other node is, bit for bit, the middle of a
 *     deleted triangle's circle or of a deleted segment;
 *   - no circle of a triangle holds a neighbour's node (Delaunay), no angle is too small, none is
 *     marked as bad.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/lonestar/dmr.h"

#define TOLERANCE 1e-9 /* of the area, and relative of a circle */

struct mesh {
    struct dmr *k;
    const double *x, *y;
    const int32_t *element, *neighbour;
    const uint8_t *is_deleted, *is_bad;
    int32_t nodes, elements;
};

static const char *wrong(const struct mesh *m, const char *what, int32_t which) {
    snprintf(m->k->host.message, sizeof m->k->host.message, "%s %d %s",
             what[0] == '(' ? "node" : "element", which, what);
    return m->k->host.message;
}

static bool is_segment(const struct mesh *m, int32_t e) {
    return m->element[3 * e + 2] == DMR_NONE;
}

static struct dmr_point at(const struct mesh *m, int32_t e, unsigned i) {
    int32_t node = m->element[3 * e + (int32_t)i];
    return (struct dmr_point){m->x[node], m->y[node]};
}

static bool sound(const struct mesh *m, int32_t e) {
    const int32_t *n = &m->element[3 * e];
    const unsigned corners = is_segment(m, e) ? 2 : 3;
    for (unsigned i = 0; i < 3; i++) {
        int32_t other = m->neighbour[3 * e + (int32_t)i];
        if (i < corners && (n[i] < 0 || n[i] >= m->nodes)) {
            return false;
        }
        if (other < DMR_NONE || other >= m->elements) {
            return false;
        }
    }
    return n[0] != n[1] && n[1] != n[2] && n[2] != n[0];
}

/* Times that @b says that @a is its neighbour. */
static unsigned times(const struct mesh *m, int32_t b, int32_t a) {
    const int32_t *n = &m->neighbour[3 * b];
    return (n[0] == a) + (n[1] == a) + (n[2] == a);
}

static bool has(const struct mesh *m, int32_t e, int32_t node) {
    const int32_t *n = &m->element[3 * e];
    return n[0] == node || n[1] == node || n[2] == node;
}

/* Exactly one neighbour has the nodes of each edge: a triangle to the other side of it. */
static const char *check_neighbours(const struct mesh *m, int32_t e) {
    const unsigned sides = is_segment(m, e) ? 1 : 3;
    for (unsigned i = 0; i < sides; i++) {
        int32_t a = m->element[3 * e + (int32_t)i], b = m->element[3 * e + (int32_t)(i + 1) % 3];
        unsigned found = 0;
        for (unsigned j = 0; j < 3; j++) {
            int32_t other = m->neighbour[3 * e + (int32_t)j];
            if (other == DMR_NONE || !has(m, other, a) || !has(m, other, b)) {
                continue;
            }
            found++;
            if (m->is_deleted[other] || times(m, other, e) != 1) {
                return wrong(m, "has a neighbour that does not know it", e);
            }
            if (is_segment(m, other) && is_segment(m, e)) {
                return wrong(m, "is a segment beside a segment", e);
            }
        }
        if (found != 1) {
            return wrong(m, "has not one neighbour at each edge", e);
        }
    }
    if (sides == 1 && times(m, e, DMR_NONE) != 2) {
        return wrong(m, "is a segment with more than one neighbour", e);
    }
    return NULL;
}

static const char *check_segment(const struct mesh *m, int32_t e) {
    struct dmr_point a = at(m, e, 0), b = at(m, e, 1);
    bool on_border =
        (a.x == b.x && (a.x == 0.0 || a.x == 1.0)) || (a.y == b.y && (a.y == 0.0 || a.y == 1.0));
    return on_border ? NULL : wrong(m, "is a segment inside", e);
}

/* The square of the distance from the middle of @e's circle, over that of its radius. */
static double depth(const struct mesh *m, int32_t e, struct dmr_point p) {
    struct dmr_point o = dmr_circumcentre(at(m, e, 0), at(m, e, 1), at(m, e, 2));
    double radius = dmr_distance(o, at(m, e, 0)), distance = dmr_distance(o, p);
    return distance * distance / (radius * radius);
}

static const char *check_triangle(const struct mesh *m, int32_t e) {
    if (dmr_turn(at(m, e, 0), at(m, e, 1), at(m, e, 2)) <= 0.0) {
        return wrong(m, "is not counterclockwise", e);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (dmr_is_small(at(m, e, i), at(m, e, (i + 1) % 3), at(m, e, (i + 2) % 3))) {
            return wrong(m, "has an angle that is too small", e);
        }
        int32_t other = m->neighbour[3 * e + (int32_t)i];
        for (unsigned j = 0; j < 3 && !is_segment(m, other); j++) {
            if (depth(m, e, at(m, other, j)) < 1.0 - TOLERANCE) {
                return wrong(m, "has a neighbour's node in its circle", e);
            }
        }
    }
    return m->is_bad[e] ? wrong(m, "is marked as bad", e) : NULL;
}

static const char *check_elements(const struct mesh *m) {
    int32_t triangles = 0, segments = 0;
    double area = 0.0;
    const char *error = NULL;
    for (int32_t e = 0; e < m->elements && !error; e++) {
        error = sound(m, e) ? NULL : wrong(m, "is no element", e);
    }
    for (int32_t e = 0; e < m->elements && !error; e++) {
        if (m->is_deleted[e]) {
            error = m->is_deleted[e] == 1 ? NULL : wrong(m, "is neither there nor deleted", e);
            continue;
        }
        error = check_neighbours(m, e);
        error = error ? error : is_segment(m, e) ? check_segment(m, e) : check_triangle(m, e);
        segments += is_segment(m, e);
        triangles += !is_segment(m, e);
        area += is_segment(m, e) ? 0.0 : 0.5 * dmr_turn(at(m, e, 0), at(m, e, 1), at(m, e, 2));
    }
    /* Edges: three a triangle, those inside twice; nodes - edges + triangles = 1. */
    if (!error && 2 * m->nodes - segments - triangles != 2) {
        error = "nodes, edges and triangles do not fit together";
    }
    if (!error && fabs(area - 1.0) > TOLERANCE) {
        error = "the triangles are not as large as the square";
    }
    return error;
}

/* --- The nodes. --- */

static int compare(const void *a, const void *b) {
    return memcmp(a, b, sizeof(struct dmr_point));
}

/* Centres of what has been deleted, in order. Return: how many. */
static size_t deleted_centres(const struct mesh *m, struct dmr_point *centre) {
    size_t count = 0;
    for (int32_t e = 0; e < m->elements; e++) {
        if (m->is_deleted[e]) {
            centre[count++] = is_segment(m, e)
                                  ? dmr_middle(at(m, e, 0), at(m, e, 1))
                                  : dmr_circumcentre(at(m, e, 0), at(m, e, 1), at(m, e, 2));
        }
    }
    qsort(centre, count, sizeof *centre, compare);
    return count;
}

static const char *check_nodes(const struct mesh *m) {
    const int32_t given = (int32_t)dmr_input_nodes(m->k->side_points, m->k->points);
    double *x = calloc((size_t)given, sizeof *x), *y = calloc((size_t)given, sizeof *y);
    struct dmr_point *centre = calloc((size_t)m->elements, sizeof *centre);
    const char *error = x && y && centre ? NULL : "out of memory";
    if (!error) {
        const size_t centres = deleted_centres(m, centre);
        dmr_points(m->k->side_points, m->k->points, m->k->seed, x, y);
        for (int32_t n = 0; n < m->nodes && !error; n++) {
            struct dmr_point here = {m->x[n], m->y[n]};
            bool right = n < given ? !memcmp(&x[n], &here.x, 8) && !memcmp(&y[n], &here.y, 8)
                                   : bsearch(&here, centre, centres, sizeof here, compare) != NULL;
            error = right ? NULL : wrong(m, "(of the input or a centre) is elsewhere", n);
        }
    }
    free(x);
    free(y);
    free(centre);
    return error;
}

const char *dmr_check_mesh(struct dmr *k) {
    const struct mesh m = {.k = k,
                           .x = k->node_x.data,
                           .y = k->node_y.data,
                           .element = k->element.data,
                           .neighbour = k->neighbour.data,
                           .is_deleted = k->is_deleted.data,
                           .is_bad = k->is_bad.data,
                           .nodes = dmr_count(&k->nodes),
                           .elements = dmr_count(&k->elements)};
    const char *error = NULL;
    if (m.nodes < 4 || (uint64_t)m.nodes > k->node_x.count || m.elements < 1 ||
        3 * (uint64_t)m.elements > k->element.count) {
        error = "more nodes or elements than there is room for";
    }
    error = error ? error : check_elements(&m);
    error = error ? error : check_nodes(&m);
    error = error || !dmr_count(&k->bad) ? error : "bad triangles are counted";
    return error;
}
