/* SPDX-License-Identifier: Apache-2.0
 *
 * The first part of dmr's refine: the place of the new node of each thread's element, and the
 * cavity, which is the set of elements whose circles hold it. Each lane has its own cavity, so only
 * the code is in step.
 */
#include "workloads/lonestar/dmr_refine.h"

#define OBTUSE_BRANCH (OBTUSE_0_BRANCH - OBTUSE_0_A_X_ADDRESS)

/* For a triangle that has none yet: node @b if the angle there is obtuse. @first: of DMR_OBTUSE */
static void obtuse(struct simt *s, const struct dmr *k, unsigned first, struct corners *c,
                   unsigned b, int32_t *found) {
    const unsigned side[3] = {(b + 2) % 3, b, (b + 1) % 3};
    for (unsigned i = 0; i < 3; i++) {
        dmr_load_node(s, k, first + i * DMR_NODE_INSNS, c->node[side[i]], c->x[side[i]],
                      c->y[side[i]]);
    }
    simt_work(s, first + (OBTUSE_0_SIDE - OBTUSE_0_A_X_ADDRESS), 4);
    simt_work(s, first + (OBTUSE_0_DOT - OBTUSE_0_A_X_ADDRESS), 2);
    simt_alu(s, first + (OBTUSE_0_COMPARE - OBTUSE_0_A_X_ADDRESS));
    SIMT_EACH(s, t) {
        if (dmr_dot(corner(c, side[0], t), corner(c, b, t), corner(c, side[2], t)) < 0.0) {
            found[t] = c->node[b][t];
        }
    }
}

static bool has_node(int32_t node[3][DMR_THREADS], unsigned t, int32_t which) {
    return node[0][t] == which || node[1][t] == which || node[2][t] == which;
}

/* The neighbour that does not have the obtuse node: if neither of the first two, the third. */
static void step(struct simt *s, struct refine *r, const int32_t *node) {
    const struct dmr *k = r->k;
    int32_t neighbour[3][DMR_THREADS], first[3][DMR_THREADS], second[3][DMR_THREADS];
    int32_t next[DMR_THREADS];
    struct simt_mask near;
    dmr_load_triple(s, WALK_NEIGHBOURS_ADDRESS, &k->neighbour, r->centre, neighbour);
    dmr_load_triple(s, WALK_FIRST_ADDRESS, &k->element, neighbour[0], first);
    simt_work(s, WALK_FIRST_COMPARE, 3);
    SIMT_EACH(s, t) {
        next[t] = neighbour[0][t];
    }
    SIMT_WHERE(s, near, t, has_node(first, t, node[t]));
    SIMT_IF(s, WALK_FIRST_BRANCH, &near) {
        dmr_load_triple(s, WALK_SECOND_ADDRESS, &k->element, neighbour[1], second);
        simt_work(s, WALK_SECOND_COMPARE, 3);
        SIMT_EACH(s, t) {
            next[t] = neighbour[has_node(second, t, node[t]) ? 2 : 1][t];
        }
    }
    SIMT_ALU(s, WALK_STEP, t) {
        r->centre[t] = next[t];
    }
}

void dmr_find_centre(struct simt *s, struct refine *r) {
    struct corners c;
    int32_t node[DMR_THREADS];
    struct simt_mask some;
    SIMT_ALU(s, WALK_FROM, t) {
        r->centre[t] = r->element[t];
    }
    SIMT_LOOP(s, WALK) {
        dmr_load_triple(s, WALK_ELEMENT_ADDRESS, &r->k->element, r->centre, c.node);
        simt_alu(s, WALK_KIND);
        SIMT_WHERE(s, some, t, c.node[2][t] != DMR_NONE);
        simt_while(s, WALK_SEGMENT, &some);
        SIMT_EACH(s, t) {
            node[t] = DMR_NONE;
        }
        obtuse(s, r->k, OBTUSE_0_A_X_ADDRESS, &c, 0, node);
        SIMT_WHERE(s, some, t, node[t] == DMR_NONE);
        SIMT_IF(s, OBTUSE_0_BRANCH, &some) {
            obtuse(s, r->k, OBTUSE_1_A_X_ADDRESS, &c, 1, node);
            SIMT_WHERE(s, some, t, node[t] == DMR_NONE);
            SIMT_IF(s, OBTUSE_1_BRANCH, &some) {
                obtuse(s, r->k, OBTUSE_2_A_X_ADDRESS, &c, 2, node);
                simt_alu(s, OBTUSE_2_BRANCH);
            }
        }
        SIMT_WHERE(s, some, t, node[t] != DMR_NONE);
        simt_while(s, WALK_BRANCH, &some);
        step(s, r, node);
    }
}

/* The new node: the middle of a segment, or of a triangle's circle. */
static void place(struct simt *s, struct refine *r, struct corners *c) {
    struct simt_mask segment;
    dmr_load_triple(s, START_ADDRESS, &r->k->element, r->centre, c->node);
    SIMT_ALU(s, START_KIND, t) {
        r->segment[t] = c->node[2][t] == DMR_NONE;
    }
    SIMT_WHERE(s, segment, t, r->segment[t]);
    SIMT_IF(s, START_SEGMENT, &segment) {
        dmr_load_corners(s, r->k, ENDS_A_X_ADDRESS, 2, c);
        simt_alus(s, MIDDLE_X, MIDDLE_Y);
        SIMT_EACH(s, t) {
            struct dmr_point p = dmr_middle(corner(c, 0, t), corner(c, 1, t));
            r->x[t] = p.x;
            r->y[t] = p.y;
        }
    }
    SIMT_ELSE(s) {
        dmr_load_corners(s, r->k, CENTRE_A_X_ADDRESS, 3, c);
        simt_work(s, CENTRE_SIDE, 4);
        simt_work(s, CENTRE_SQUARE, 6);
        simt_work(s, CENTRE_CHAIN, 5);
        simt_alus(s, CENTRE_X, CENTRE_Y);
        SIMT_EACH(s, t) {
            struct dmr_point p =
                dmr_circumcentre(corner(c, 0, t), corner(c, 1, t), corner(c, 2, t));
            r->x[t] = p.x;
            r->y[t] = p.y;
        }
    }
}

/* inside = the neighbour's circle holds the new node; of a segment, the circle around it. Two
 * segments have nothing to do with each other. */
static void reach(struct simt *s, const struct refine *r, const int32_t *other, struct corners *c,
                  uint8_t *inside) {
    struct simt_mask segment;
    simt_alu(s, OTHER_KIND);
    SIMT_WHERE(s, segment, t, c->node[2][t] == DMR_NONE);
    SIMT_IF(s, OTHER_SEGMENT, &segment) {
        dmr_load_corners(s, r->k, REACH_A_X_ADDRESS, 2, c);
        simt_work(s, REACH_SIDE, 4);
        simt_work(s, REACH_DOT, 2);
        SIMT_EACH(s, t) {
            struct dmr_point p = {r->x[t], r->y[t]};
            inside[t] = r->segment[t] ? other[t] == r->centre[t]
                                      : dmr_dot(corner(c, 0, t), p, corner(c, 1, t)) < 0.0;
        }
    }
    SIMT_ELSE(s) {
        dmr_load_corners(s, r->k, CIRCLE_A_X_ADDRESS, 3, c);
        simt_work(s, CIRCLE_SIDE, 6);
        simt_work(s, CIRCLE_SQUARE, 20);
        simt_work(s, CIRCLE_CHAIN, 14);
        SIMT_EACH(s, t) {
            struct dmr_point p = {r->x[t], r->y[t]};
            inside[t] = dmr_in_circle(corner(c, 0, t), corner(c, 1, t), corner(c, 2, t), p) > 0.0;
        }
    }
    simt_alu(s, INSIDE_COMPARE);
}

/* Into the cavity, unless it is there already. */
static void add_cell(struct simt *s, struct refine *r, const int32_t *other) {
    int32_t at[DMR_THREADS], member[DMR_THREADS];
    struct simt_mask some;
    SIMT_ALU(s, KNOWN_FIRST, t) {
        at[t] = 0;
    }
    SIMT_LOOP(s, KNOWN) {
        simt_alu(s, KNOWN_COMPARE);
        SIMT_WHERE(s, some, t, at[t] < r->cells[t]);
        simt_while(s, KNOWN_BRANCH, &some);
        simt_alu(s, KNOWN_ADDRESS);
        simt_load(s, KNOWN_LOAD, member, &r->cavity, element_lane(at));
        simt_alu(s, KNOWN_SAME);
        SIMT_WHERE(s, some, t, member[t] != other[t]);
        simt_while(s, KNOWN_LEAVE, &some);
        SIMT_ALU(s, KNOWN_NEXT, t) {
            at[t]++;
        }
    }
    SIMT_WHERE(s, some, t, at[t] == r->cells[t]);
    SIMT_IF(s, UNKNOWN_BRANCH, &some) {
        simt_alu(s, MEMBER_ADDRESS);
        simt_store(s, MEMBER_STORE, other, &r->cavity, element_lane(at));
        SIMT_ALU(s, MEMBER_COUNT, t) {
            r->cells[t]++;
        }
    }
}

static struct element entry(const int32_t *edge, unsigned word) {
    return (struct element){.base = word, .scale = 4, .lane = edge};
}

/* The edge to a neighbour that stays, into the boundary, unless it is there already. */
static void add_edge(struct simt *s, struct refine *r, const int32_t *cell, const int32_t *other) {
    int32_t mine[3][DMR_THREADS], its[3][DMR_THREADS], a[DMR_THREADS], b[DMR_THREADS];
    int32_t at[DMR_THREADS], listed_a[DMR_THREADS], listed_b[DMR_THREADS];
    struct simt_mask some;
    dmr_load_triple(s, EDGE_CELL_ADDRESS, &r->k->element, cell, mine);
    dmr_load_triple(s, EDGE_OTHER_ADDRESS, &r->k->element, other, its);
    simt_work(s, SHARED_A, 7);
    simt_work(s, SHARED_B, 7);
    SIMT_EACH(s, t) {
        const unsigned last = mine[2][t] == DMR_NONE ? 2 : 3; /* nodes of a segment */
        for (unsigned i = 0; i < 3; i++) {
            int32_t from = mine[i][t], to = mine[i + 1 < last ? i + 1 : 0][t];
            if (i < last && has_node(its, t, from) && has_node(its, t, to)) {
                a[t] = from;
                b[t] = to;
            }
        }
    }
    SIMT_ALU(s, LISTED_FIRST, t) {
        at[t] = 0;
    }
    SIMT_LOOP(s, LISTED) {
        simt_alu(s, LISTED_COMPARE);
        SIMT_WHERE(s, some, t, at[t] < r->edges[t]);
        simt_while(s, LISTED_BRANCH, &some);
        simt_alu(s, LISTED_ADDRESS);
        simt_load(s, LISTED_A, listed_a, &r->boundary, entry(at, 0));
        simt_load(s, LISTED_B, listed_b, &r->boundary, entry(at, 1));
        simt_alus(s, LISTED_SAME_A, LISTED_SAME_B);
        SIMT_WHERE(s, some, t, listed_a[t] != a[t] || listed_b[t] != b[t]);
        simt_while(s, LISTED_LEAVE, &some);
        SIMT_ALU(s, LISTED_NEXT, t) {
            at[t]++;
        }
    }
    SIMT_WHERE(s, some, t, at[t] == r->edges[t]);
    SIMT_IF(s, UNLISTED_BRANCH, &some) {
        simt_alu(s, EDGE_ADDRESS);
        simt_store(s, EDGE_STORE_0, a, &r->boundary, entry(at, 0));
        simt_store(s, EDGE_STORE_1, b, &r->boundary, entry(at, 1));
        simt_store(s, EDGE_STORE_2, other, &r->boundary, entry(at, 2));
        simt_store(s, EDGE_STORE_3, cell, &r->boundary, entry(at, 3));
        SIMT_ALU(s, EDGE_COUNT, t) {
            r->edges[t]++;
        }
    }
}

/* A neighbour of a member of the cavity. again = it is a segment that the new node comes too near
 * to: the segment is the new centre, and the search starts anew. In the loop over the sides. */
static void visit(struct simt *s, struct refine *r, const int32_t *cell, const int32_t *other,
                  uint8_t *again) {
    uint8_t deleted[DMR_THREADS], inside[DMR_THREADS];
    struct corners c;
    struct simt_mask some;
    simt_alu(s, OTHER_DELETED_ADDRESS);
    simt_load(s, OTHER_DELETED_LOAD, deleted, &r->k->is_deleted, element_lane(other));
    dmr_load_triple(s, OTHER_ELEMENT_ADDRESS, &r->k->element, other, c.node);
    reach(s, r, other, &c, inside);
    SIMT_WHERE(s, some, t, inside[t]);
    SIMT_IF(s, INSIDE_BRANCH, &some) {
        simt_alu(s, MEETS_SEGMENT);
        SIMT_WHERE(s, some, t, c.node[2][t] == DMR_NONE && !r->segment[t]);
        SIMT_IF(s, MEETS_BRANCH, &some) {
            SIMT_ALU(s, NEW_CENTRE, t) {
                r->centre[t] = other[t];
                again[t] = 1;
            }
            simt_break(s);
        }
        SIMT_ELSE(s) {
            add_cell(s, r, other);
        }
    }
    SIMT_ELSE(s) {
        add_edge(s, r, cell, other);
    }
}

/* The three neighbours of a member. */
static void visit_sides(struct simt *s, struct refine *r, const int32_t *cell, uint8_t *again) {
    int32_t neighbour[3][DMR_THREADS];
    uint8_t deleted[DMR_THREADS];
    struct simt_mask some;
    simt_alu(s, CELL_DELETED_ADDRESS);
    simt_load(s, CELL_DELETED_LOAD, deleted, &r->k->is_deleted, element_lane(cell));
    dmr_load_triple(s, CELL_NEIGHBOURS_ADDRESS, &r->k->neighbour, cell, neighbour);
    simt_alu(s, SIDE_FIRST);
    SIMT_FOR(s, SIDE, side, 3) {
        simt_alus(s, SIDE_COMPARE, SIDE_BRANCH);
        simt_alus(s, OTHER, OTHER_COMPARE);
        SIMT_WHERE(s, some, t, neighbour[side][t] != DMR_NONE);
        SIMT_IF(s, OTHER_BRANCH, &some) {
            visit(s, r, cell, neighbour[side], again);
        }
        simt_alu(s, SIDE_NEXT);
    }
}

void dmr_find_cavity(struct simt *s, struct refine *r) {
    struct corners c;
    int32_t at[DMR_THREADS], cell[DMR_THREADS];
    uint8_t again[DMR_THREADS];
    struct simt_mask some;
    SIMT_LOOP(s, RESTART) {
        simt_alus(s, START_CELLS, START_STORE_ADDRESS);
        simt_store(s, START_STORE, r->centre, &r->cavity, element_at(0));
        place(s, r, &c);
        SIMT_ALU(s, AT_FIRST, t) {
            at[t] = 0;
            again[t] = 0;
            r->cells[t] = 1;
            r->edges[t] = 0;
        }
        SIMT_LOOP(s, GROW) {
            simt_alu(s, GROW_COMPARE);
            SIMT_WHERE(s, some, t, at[t] < r->cells[t]);
            simt_while(s, GROW_BRANCH, &some);
            simt_alu(s, CELL_ADDRESS);
            simt_load(s, LOAD_CELL, cell, &r->cavity, element_lane(at));
            visit_sides(s, r, cell, again);
            SIMT_WHERE(s, some, t, !again[t]);
            simt_while(s, GROW_AGAIN, &some);
            SIMT_ALU(s, AT_NEXT, t) {
                at[t]++;
            }
        }
        SIMT_WHERE(s, some, t, again[t]);
        simt_while(s, RESTART_BRANCH, &some);
    }
}
