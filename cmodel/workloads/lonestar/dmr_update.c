/* SPDX-License-Identifier: Apache-2.0
 *
 * The last part of dmr's refine: the new node, a triangle from it to each edge of the cavity's
 * boundary, and the links between neighbours.
 */
#include "workloads/lonestar/dmr_refine.h"

/* A new element of each thread. @first: of DMR_ADD */
static void add(struct simt *s, const struct dmr *k, unsigned first, const int32_t *element,
                int32_t node[3][DMR_THREADS], const int32_t *neighbour) {
    int32_t around[3][DMR_THREADS];
    uint8_t zero[DMR_THREADS] = {0};
    SIMT_EACH(s, t) {
        around[0][t] = neighbour[t];
        around[1][t] = around[2][t] = DMR_NONE;
    }
    simt_alu(s, first);
    simt_store(s, first + 1, zero, &k->is_bad, element_lane(element));
    simt_store(s, first + 2, zero, &k->is_deleted, element_lane(element));
    dmr_store_triple(s, first + (HALF_0_ELEMENT_ADDRESS - HALF_0_STATE_ADDRESS), &k->element,
                     element, node);
    dmr_store_triple(s, first + (HALF_0_NEIGHBOURS_ADDRESS - HALF_0_STATE_ADDRESS), &k->neighbour,
                     element, around);
}

/* The first neighbour of each thread's element that is @was is now @is. @first: of DMR_REPLACE */
static void replace(struct simt *s, const struct dmr *k, unsigned first, const int32_t *element,
                    const int32_t *was, const int32_t *is) {
    int32_t around[3][DMR_THREADS], at[DMR_THREADS];
    dmr_load_triple(s, first, &k->neighbour, element, around);
    simt_work(s, first + (OUTER_PLACE - OUTER_ADDRESS), 3);
    simt_alu(s, first + (OUTER_STORE_ADDRESS - OUTER_ADDRESS));
    SIMT_EACH(s, t) {
        at[t] = 3 * element[t] + (around[0][t] == was[t] ? 0 : around[1][t] == was[t] ? 1 : 2);
    }
    simt_store(s, first + (OUTER_STORE - OUTER_ADDRESS), is, &k->neighbour, element_lane(at));
}

/* A segment becomes two. */
static void split(struct simt *s, const struct refine *r, const int32_t *node, int32_t *element) {
    int32_t ends[3][DMR_THREADS], half[3][DMR_THREADS], none[DMR_THREADS];
    struct simt_mask segment;
    SIMT_WHERE(s, segment, t, r->segment[t]);
    SIMT_IF(s, SPLIT_BRANCH, &segment) {
        dmr_load_triple(s, SPLIT_ADDRESS, &r->k->element, r->centre, ends);
        for (unsigned i = 0; i < 2; i++) {
            SIMT_EACH(s, t) {
                half[0][t] = i ? node[t] : ends[0][t];
                half[1][t] = i ? ends[1][t] : node[t];
                half[2][t] = none[t] = DMR_NONE;
            }
            add(s, r->k, i ? HALF_1_STATE_ADDRESS : HALF_0_STATE_ADDRESS, element, half, none);
            SIMT_EACH(s, t) {
                element[t]++;
            }
        }
    }
}

/* The triangle over an edge of the boundary. */
static void fill_one(struct simt *s, const struct refine *r, const int32_t *edge,
                     const int32_t *node, const int32_t *element) {
    const struct dmr *k = r->k;
    int32_t outer[DMR_THREADS], cell[DMR_THREADS];
    struct corners c;
    struct element word = {.scale = 4, .lane = edge};
    int32_t *to[4] = {c.node[0], c.node[1], outer, cell};
    simt_alu(s, FILL_ADDRESS);
    for (unsigned i = 0; i < 4; i++) {
        word.base = i;
        simt_load(s, FILL_LOAD_0 + i, to[i], &r->boundary, word);
    }
    SIMT_EACH(s, t) {
        c.node[2][t] = node[t];
    }
    dmr_load_corners(s, k, FILL_NODES_A_X_ADDRESS, 3, &c);
    simt_work(s, TURN_SIDE, 4);
    simt_work(s, TURN, 2);
    simt_alus(s, TURN_COMPARE, TURN_B);
    SIMT_EACH(s, t) {
        if (dmr_turn(corner(&c, 0, t), corner(&c, 1, t), corner(&c, 2, t)) < 0.0) {
            int32_t a = c.node[0][t];
            c.node[0][t] = c.node[1][t];
            c.node[1][t] = a;
        }
    }
    add(s, k, FILL_STATE_ADDRESS, element, c.node, outer);
    replace(s, k, OUTER_ADDRESS, outer, cell, element);
}

static void fill(struct simt *s, const struct refine *r, const int32_t *node,
                 const int32_t *first) {
    int32_t edge[DMR_THREADS], element[DMR_THREADS];
    struct simt_mask some;
    SIMT_ALU(s, FILL_FIRST, t) {
        edge[t] = 0;
        element[t] = first[t];
    }
    SIMT_LOOP(s, FILL) {
        simt_alu(s, FILL_COMPARE);
        SIMT_WHERE(s, some, t, edge[t] < r->edges[t]);
        simt_while(s, FILL_BRANCH, &some);
        fill_one(s, r, edge, node, element);
        SIMT_ALU(s, FILL_NEXT, t) {
            edge[t]++;
            element[t]++;
        }
    }
}

/* Makes two new elements neighbours if they have two nodes in common. */
static void link(struct simt *s, const struct dmr *k, const int32_t *left, const int32_t *right) {
    int32_t a[3][DMR_THREADS], b[3][DMR_THREADS], none[DMR_THREADS];
    uint8_t common[DMR_THREADS];
    struct simt_mask some;
    dmr_load_triple(s, LEFT_ELEMENT_ADDRESS, &k->element, left, a);
    dmr_load_triple(s, RIGHT_ELEMENT_ADDRESS, &k->element, right, b);
    simt_work(s, COMMON, 9);
    SIMT_ALU(s, COMMON_COMPARE, t) {
        common[t] = 0;
        none[t] = DMR_NONE;
        for (unsigned i = 0; i < 9; i++) {
            common[t] += a[i / 3][t] == b[i % 3][t] && a[i / 3][t] != DMR_NONE;
        }
    }
    SIMT_WHERE(s, some, t, common[t] == 2);
    SIMT_IF(s, COMMON_BRANCH, &some) {
        replace(s, k, LINK_LEFT_ADDRESS, left, none, right);
        replace(s, k, LINK_RIGHT_ADDRESS, right, none, left);
    }
}

/* All pairs of new elements, from @first to before @last. */
static void link_all(struct simt *s, const struct dmr *k, const int32_t *first,
                     const int32_t *last) {
    int32_t left[DMR_THREADS], right[DMR_THREADS];
    struct simt_mask some;
    SIMT_ALU(s, LEFT_FIRST, t) {
        left[t] = first[t];
    }
    SIMT_LOOP(s, LEFT) {
        simt_alu(s, LEFT_COMPARE);
        SIMT_WHERE(s, some, t, left[t] < last[t]);
        simt_while(s, LEFT_BRANCH, &some);
        SIMT_ALU(s, RIGHT_FIRST, t) {
            right[t] = left[t] + 1;
        }
        SIMT_LOOP(s, RIGHT) {
            simt_alu(s, RIGHT_COMPARE);
            SIMT_WHERE(s, some, t, right[t] < last[t]);
            simt_while(s, RIGHT_BRANCH, &some);
            link(s, k, left, right);
            SIMT_ALU(s, RIGHT_NEXT, t) {
                right[t]++;
            }
        }
        SIMT_ALU(s, LEFT_NEXT, t) {
            left[t]++;
        }
    }
}

static void delete (struct simt *s, struct refine *r, const int32_t *member, unsigned then) {
    uint8_t one[DMR_THREADS];
    SIMT_ALU(s, then, t) {
        one[t] = 1;
    }
    simt_store(s, then + 1, one, &r->k->is_deleted, element_lane(member));
}

void dmr_update(struct simt *s, struct refine *r) {
    const struct dmr *k = r->k;
    int32_t count[DMR_THREADS], node[DMR_THREADS], first[DMR_THREADS], last[DMR_THREADS];
    int32_t segments_end[DMR_THREADS];
    uint8_t deleted[DMR_THREADS];
    SIMT_ALU(s, NODES_ADDRESS, t) {
        count[t] = 1;
    }
    simt_atomic(s, TAKE_NODE, SIMT_ADD, node, count, NULL, &k->nodes, element_at(0));
    simt_alus(s, NODE_X_ADDRESS, NODE_Y_ADDRESS);
    simt_store(s, STORE_NODE_X, r->x, &k->node_x, element_lane(node));
    simt_store(s, STORE_NODE_Y, r->y, &k->node_y, element_lane(node));
    SIMT_ALU(s, NEW_COUNT, t) {
        count[t] = r->edges[t] + (r->segment[t] ? 2 : 0);
    }
    simt_alu(s, ELEMENTS_ADDRESS);
    simt_atomic(s, TAKE_ELEMENTS, SIMT_ADD, first, count, NULL, &k->elements, element_at(0));
    SIMT_ALU(s, NEW_LAST, t) {
        last[t] = first[t] + count[t];
        segments_end[t] = first[t];
    }
    split(s, r, node, segments_end);
    fill(s, r, node, segments_end);
    link_all(s, k, first, last);
    dmr_each(s, r, DELETE, &r->cavity, 0, 1, r->cells, delete, DELETE_ADDRESS_2);
    simt_alu(s, LEFT_OVER_ADDRESS);
    simt_load(s, LEFT_OVER_LOAD, deleted, &k->is_deleted, element_lane(r->element));
    SIMT_ALU(s, LEFT_OVER_COMPARE, t) {
        r->again[t] = !deleted[t];
    }
}
