/* SPDX-License-Identifier: Apache-2.0
 *
 * The refine kernel of dmr in its parts: its code, and what its threads hold.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_DMR_REFINE_H
#define WARPMEM_WORKLOADS_LONESTAR_DMR_REFINE_H

#include "workloads/lonestar/dmr.h"

#define DMR_THREADS DMR_REFINE_BLOCK
#define DMR_LOCAL_BYTES ((DMR_CAVITY + DMR_BOUNDARY) * 4)

enum {
    R_ID,
    R_ROUND,
    R_ROUNDS,
    R_ITEM,
    R_ITEMS,
    R_P,
    R_ADDRESS,
    R_ELEMENT,
    R_FLAG,
    R_KIND,
    R_CENTRE,
    R_N0, /* nodes of an element */
    R_N1,
    R_N2,
    R_M0, /* of another */
    R_M1,
    R_M2,
    R_B0, /* neighbours */
    R_B1,
    R_B2,
    R_XA,
    R_YA,
    R_X0,
    R_Y0 = R_X0 + 2,
    R_X1 = R_Y0 + 2,
    R_Y1 = R_X1 + 2,
    R_X2 = R_Y1 + 2,
    R_Y2 = R_X2 + 2,
    R_CX = R_Y2 + 2,
    R_CY = R_CX + 2,
    R_D = R_CY + 2,
    R_E = R_D + 2,
    R_CELLS = R_E + 2,
    R_EDGES,
    R_AT,
    R_SIDE,
    R_CELL,
    R_OTHER,
    R_J,
    R_W0, /* words out of local memory */
    R_W1,
    R_W2,
    R_W3,
    R_OWNER,
    R_ONE,
    R_NODE,
    R_NEW,
    R_LAST,
    R_REGISTERS
};

#define DMR_WORDS(I, P, A, B, C) \
    I(LOAD, P##_0, SPACE_GLOBAL, 4, A, R_ADDRESS) \
    I(LOAD, P##_1, SPACE_GLOBAL, 4, B, R_ADDRESS) \
    I(LOAD, P##_2, SPACE_GLOBAL, 4, C, R_ADDRESS)

/* The 12 bytes of an element, or of its neighbours. dmr_load_words() */
#define DMR_TRIPLE(I, P, E, A, B, C) \
    I(ALU, P##_ADDRESS, OP_INT_MAD, R_ADDRESS, E) DMR_WORDS(I, P, A, B, C)
#define DMR_TRIPLE_UNCACHED(I, P, E, A, B, C) \
    I(ALU, P##_ADDRESS, OP_INT_MAD, R_ADDRESS, E) \
    I(LOAD_UNCACHED, P##_0, 4, A, R_ADDRESS) \
    I(LOAD_UNCACHED, P##_1, 4, B, R_ADDRESS) \
    I(LOAD_UNCACHED, P##_2, 4, C, R_ADDRESS)
#define DMR_STORE_TRIPLE(I, P, A, B, C) \
    I(ALU, P##_ADDRESS, OP_INT_MAD, R_ADDRESS, R_NEW) \
    I(STORE, P##_0, SPACE_GLOBAL, 4, A, R_ADDRESS) \
    I(STORE, P##_1, SPACE_GLOBAL, 4, B, R_ADDRESS) \
    I(STORE, P##_2, SPACE_GLOBAL, 4, C, R_ADDRESS)

/* The place of a node, two doubles. dmr_load_node() */
#define DMR_NODE(I, P, N, X, Y) \
    I(ALU, P##_X_ADDRESS, OP_INT_MAD, R_XA, N) \
    I(ALU, P##_Y_ADDRESS, OP_INT_MAD, R_YA, N) \
    I(LOAD, P##_X, SPACE_GLOBAL, 8, X, R_XA) \
    I(LOAD, P##_Y, SPACE_GLOBAL, 8, Y, R_YA)
#define DMR_NODES(I, P, A, B, C) \
    DMR_NODE(I, P##_A, A, R_X0, R_Y0) \
    DMR_NODE(I, P##_B, B, R_X1, R_Y1) \
    DMR_NODE(I, P##_C, C, R_X2, R_Y2)
#define DMR_NODE_INSNS 4

/* For each of a list in local memory: the member. dmr_each() */
#define DMR_EACH(I, P, LENGTH) \
    I(LOOP, P) \
    I(ALU, P##_COMPARE, OP_INT_ADD, R_P, R_J, LENGTH) \
    I(BRANCH, P##_BRANCH, R_P) \
    I(ALU, P##_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(LOAD, P##_MEMBER, SPACE_LOCAL, 4, R_OTHER, R_ADDRESS) \
    I(ALU, P##_NEXT, OP_INT_ADD, R_J, R_J)
enum { DMR_EACH_COMPARE = 3, DMR_EACH_BRANCH, DMR_EACH_ADDRESS, DMR_EACH_MEMBER, DMR_EACH_NEXT };

/* One of the three flags of an element, and a loop's head. */
#define DMR_LOOP(I, P, R, LENGTH) \
    I(LOOP, P) \
    I(ALU, P##_COMPARE, OP_INT_ADD, R_P, R, LENGTH) \
    I(BRANCH, P##_BRANCH, R_P)
#define DMR_BYTE(I, P, TO, E) \
    I(ALU, P##_ADDRESS, OP_INT_ADD, R_ADDRESS, E) \
    I(LOAD, P##_LOAD, SPACE_GLOBAL, 1, TO, R_ADDRESS)

#define DMR_FETCH(I) \
    I(ALU, ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, ONE, OP_INT_ADD, R_ONE, REG_NONE) \
    I(ALU, ITEMS_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD, LOAD_ITEMS, SPACE_GLOBAL, 4, R_ITEMS, R_ADDRESS) \
    I(ALU, ROUNDS, OP_INT_DIV, R_ROUNDS, R_ITEMS) \
    I(ALU, ROUND_FIRST, OP_INT_ADD, R_ROUND, REG_NONE) \
    DMR_LOOP(I, ROUND, R_ROUND, R_ROUNDS) \
    I(ALU, ITEM, OP_INT_MAD, R_ITEM, R_ID, R_ROUNDS, R_ROUND) \
    I(ALU, INDEX_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(LOAD, LOAD_INDEX, SPACE_GLOBAL, 4, R_ITEMS, R_ADDRESS) \
    I(ALU, ITEM_COMPARE, OP_INT_ADD, R_P, R_ITEM, R_ITEMS) \
    I(BRANCH, ITEM_BRANCH, R_P) \
    I(ALU, LIST_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ITEM) \
    I(LOAD_UNCACHED, LOAD_LIST, 4, R_ELEMENT, R_ADDRESS) \
    DMR_BYTE(I, FETCH_BAD, R_FLAG, R_ELEMENT) \
    DMR_BYTE(I, FETCH_DELETED, R_KIND, R_ELEMENT) \
    I(ALU, WORK_COMPARE, OP_INT_ADD, R_P, R_FLAG, R_KIND) \
    I(BRANCH, WORK_BRANCH, R_P)

/* Is the angle at B obtuse? */
#define DMR_OBTUSE(I, P, A, B, C) \
    DMR_NODES(I, P, A, B, C) \
    I(ALU, P##_SIDE, OP_DP_ADD, R_D, R_X0, R_X1, R_X2) \
    I(ALU, P##_DOT, OP_DP_MAD, R_E, R_D, R_Y0, R_Y1, R_Y2) \
    I(ALU, P##_COMPARE, OP_DP_ADD, R_P, R_E) \
    I(BRANCH, P##_BRANCH, R_P)

#define DMR_WALK(I) \
    I(ALU, WALK_FROM, OP_INT_ADD, R_CENTRE, R_ELEMENT) \
    I(LOOP, WALK) \
    DMR_TRIPLE(I, WALK_ELEMENT, R_CENTRE, R_N0, R_N1, R_N2) \
    I(ALU, WALK_KIND, OP_INT_ADD, R_P, R_N2) \
    I(BRANCH, WALK_SEGMENT, R_P) \
    DMR_OBTUSE(I, OBTUSE_0, R_N2, R_N0, R_N1) \
    DMR_OBTUSE(I, OBTUSE_1, R_N0, R_N1, R_N2) \
    DMR_OBTUSE(I, OBTUSE_2, R_N1, R_N2, R_N0) \
    I(BRANCH, WALK_BRANCH, R_P) \
    DMR_TRIPLE(I, WALK_NEIGHBOURS, R_CENTRE, R_B0, R_B1, R_B2) \
    DMR_TRIPLE(I, WALK_FIRST, R_B0, R_M0, R_M1, R_M2) \
    I(ALU, WALK_FIRST_COMPARE, OP_INT_ADD, R_P, R_M0, R_M1, R_M2) \
    I(BRANCH, WALK_FIRST_BRANCH, R_P) \
    DMR_TRIPLE(I, WALK_SECOND, R_B1, R_M0, R_M1, R_M2) \
    I(ALU, WALK_SECOND_COMPARE, OP_INT_ADD, R_P, R_M0, R_M1, R_M2) \
    I(ALU, WALK_STEP, OP_INT_ADD, R_CENTRE, R_B0, R_B1, R_B2)

/* From the centre on: its place, then the elements around whose circles hold it. */
#define DMR_GROW(I) \
    I(LOOP, RESTART) \
    I(ALU, START_CELLS, OP_INT_ADD, R_CELLS, REG_NONE) \
    I(ALU, START_EDGES, OP_INT_ADD, R_EDGES, REG_NONE) \
    I(ALU, START_STORE_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(STORE, START_STORE, SPACE_LOCAL, 4, R_CENTRE, R_ADDRESS) \
    DMR_TRIPLE_UNCACHED(I, START, R_CENTRE, R_N0, R_N1, R_N2) \
    I(ALU, START_KIND, OP_INT_ADD, R_KIND, R_N2) \
    I(BRANCH, START_SEGMENT, R_KIND) \
    DMR_NODE(I, ENDS_A, R_N0, R_X0, R_Y0) \
    DMR_NODE(I, ENDS_B, R_N1, R_X1, R_Y1) \
    I(ALU, MIDDLE_X, OP_DP_MAD, R_CX, R_X0, R_X1) \
    I(ALU, MIDDLE_Y, OP_DP_MAD, R_CY, R_Y0, R_Y1) \
    DMR_NODES(I, CENTRE, R_N0, R_N1, R_N2) \
    I(ALU, CENTRE_SIDE, OP_DP_ADD, R_D, R_X0, R_X1) \
    I(ALU, CENTRE_SQUARE, OP_DP_MAD, R_E, R_D, R_X2, R_Y2) \
    I(ALU, CENTRE_CHAIN, OP_DP_MAD, R_E, R_E, R_Y0, R_Y1) \
    I(ALU, CENTRE_X, OP_DP_DIV, R_CX, R_E, R_D) \
    I(ALU, CENTRE_Y, OP_DP_DIV, R_CY, R_E, R_D) \
    I(ALU, AT_FIRST, OP_INT_ADD, R_AT, REG_NONE) \
    DMR_LOOP(I, GROW, R_AT, R_CELLS) \
    I(ALU, CELL_ADDRESS, OP_INT_MAD, R_ADDRESS, R_AT) \
    I(LOAD, LOAD_CELL, SPACE_LOCAL, 4, R_CELL, R_ADDRESS) \
    DMR_BYTE(I, CELL_DELETED, R_FLAG, R_CELL) \
    DMR_TRIPLE_UNCACHED(I, CELL_NEIGHBOURS, R_CELL, R_B0, R_B1, R_B2) \
    I(ALU, SIDE_FIRST, OP_INT_ADD, R_SIDE, R_FLAG) \
    DMR_LOOP(I, SIDE, R_SIDE, REG_NONE) \
    I(ALU, OTHER, OP_INT_ADD, R_OTHER, R_SIDE, R_B0, R_B1, R_B2) \
    I(ALU, OTHER_COMPARE, OP_INT_ADD, R_P, R_OTHER) \
    I(BRANCH, OTHER_BRANCH, R_P) \
    DMR_VISIT(I) \
    I(ALU, SIDE_NEXT, OP_INT_ADD, R_SIDE, R_SIDE) \
    I(BRANCH, GROW_AGAIN, R_P) \
    I(ALU, AT_NEXT, OP_INT_ADD, R_AT, R_AT) \
    I(BRANCH, RESTART_BRANCH, R_P)

/* A neighbour: into the cavity, or the edge to it into the boundary. */
#define DMR_VISIT(I) \
    DMR_BYTE(I, OTHER_DELETED, R_FLAG, R_OTHER) \
    DMR_TRIPLE_UNCACHED(I, OTHER_ELEMENT, R_OTHER, R_M0, R_M1, R_M2) \
    I(ALU, OTHER_KIND, OP_INT_ADD, R_P, R_M2, R_FLAG) \
    I(BRANCH, OTHER_SEGMENT, R_P) \
    DMR_NODE(I, REACH_A, R_M0, R_X0, R_Y0) \
    DMR_NODE(I, REACH_B, R_M1, R_X1, R_Y1) \
    I(ALU, REACH_SIDE, OP_DP_ADD, R_D, R_X0, R_X1, R_CX) \
    I(ALU, REACH_DOT, OP_DP_MAD, R_E, R_D, R_Y0, R_Y1, R_CY) \
    DMR_NODES(I, CIRCLE, R_M0, R_M1, R_M2) \
    I(ALU, CIRCLE_SIDE, OP_DP_ADD, R_D, R_X0, R_X2, R_CX) \
    I(ALU, CIRCLE_SQUARE, OP_DP_MAD, R_E, R_D, R_Y0, R_Y2, R_CY) \
    I(ALU, CIRCLE_CHAIN, OP_DP_MAD, R_E, R_E, R_X1, R_Y1) \
    I(ALU, INSIDE_COMPARE, OP_DP_ADD, R_P, R_E) \
    I(BRANCH, INSIDE_BRANCH, R_P) \
    I(ALU, MEETS_SEGMENT, OP_INT_ADD, R_P, R_M2, R_KIND) \
    I(BRANCH, MEETS_BRANCH, R_P) \
    I(ALU, NEW_CENTRE, OP_INT_ADD, R_CENTRE, R_OTHER) \
    I(ALU, KNOWN_FIRST, OP_INT_ADD, R_J, REG_NONE) \
    DMR_LOOP(I, KNOWN, R_J, R_CELLS) \
    I(ALU, KNOWN_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(LOAD, KNOWN_LOAD, SPACE_LOCAL, 4, R_W0, R_ADDRESS) \
    I(ALU, KNOWN_SAME, OP_INT_ADD, R_P, R_W0, R_OTHER) \
    I(BRANCH, KNOWN_LEAVE, R_P) \
    I(ALU, KNOWN_NEXT, OP_INT_ADD, R_J, R_J) \
    I(BRANCH, UNKNOWN_BRANCH, R_P) \
    I(ALU, MEMBER_ADDRESS, OP_INT_MAD, R_ADDRESS, R_CELLS) \
    I(STORE, MEMBER_STORE, SPACE_LOCAL, 4, R_OTHER, R_ADDRESS) \
    I(ALU, MEMBER_COUNT, OP_INT_ADD, R_CELLS, R_CELLS) \
    DMR_TRIPLE(I, EDGE_CELL, R_CELL, R_N0, R_N1, R_N2) \
    DMR_TRIPLE(I, EDGE_OTHER, R_OTHER, R_M0, R_M1, R_M2) \
    I(ALU, SHARED_A, OP_INT_ADD, R_W0, R_N0, R_N1, R_M0, R_M1) \
    I(ALU, SHARED_B, OP_INT_ADD, R_W1, R_N1, R_N2, R_M1, R_M2) \
    I(ALU, LISTED_FIRST, OP_INT_ADD, R_J, REG_NONE) \
    DMR_LOOP(I, LISTED, R_J, R_EDGES) \
    I(ALU, LISTED_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(LOAD, LISTED_A, SPACE_LOCAL, 4, R_W2, R_ADDRESS) \
    I(LOAD, LISTED_B, SPACE_LOCAL, 4, R_W3, R_ADDRESS) \
    I(ALU, LISTED_SAME_A, OP_INT_ADD, R_P, R_W0, R_W2) \
    I(ALU, LISTED_SAME_B, OP_INT_ADD, R_P, R_P, R_W1, R_W3) \
    I(BRANCH, LISTED_LEAVE, R_P) \
    I(ALU, LISTED_NEXT, OP_INT_ADD, R_J, R_J) \
    I(BRANCH, UNLISTED_BRANCH, R_P) \
    I(ALU, EDGE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_EDGES) \
    I(STORE, EDGE_STORE_0, SPACE_LOCAL, 4, R_W0, R_ADDRESS) \
    I(STORE, EDGE_STORE_1, SPACE_LOCAL, 4, R_W1, R_ADDRESS) \
    I(STORE, EDGE_STORE_2, SPACE_LOCAL, 4, R_OTHER, R_ADDRESS) \
    I(STORE, EDGE_STORE_3, SPACE_LOCAL, 4, R_CELL, R_ADDRESS) \
    I(ALU, EDGE_COUNT, OP_INT_ADD, R_EDGES, R_EDGES)

/* The barrier across the grid: each CTA raises its flag and waits until the first one, which waits
 * for all flags, takes it back. */
#define DMR_SYNC(I, P) \
    I(FENCE, P##_FENCE) \
    I(BARRIER, P##_ARRIVE) \
    I(BRANCH, P##_RAISE_BRANCH, R_ID) \
    I(ALU, P##_RAISE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_ID) \
    I(STORE, P##_RAISE, SPACE_GLOBAL, 4, R_ONE, R_ADDRESS) \
    I(BRANCH, P##_FIRST_BRANCH, R_ID) \
    I(ALU, P##_FIRST_PEER, OP_INT_ADD, R_J, R_ID) \
    DMR_LOOP(I, P##_PEERS, R_J, REG_NONE) \
    I(ALU, P##_PEER_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(LOOP, P##_SPIN) \
    I(LOAD_UNCACHED, P##_SPIN_LOAD, 4, R_W0, R_ADDRESS) \
    I(ALU, P##_SPIN_COMPARE, OP_INT_ADD, R_P, R_W0) \
    I(BRANCH, P##_SPIN_BRANCH, R_P) \
    I(ALU, P##_PEERS_NEXT, OP_INT_ADD, R_J, R_J) \
    I(BARRIER, P##_ALL) \
    I(ALU, P##_LOWER_PEER, OP_INT_ADD, R_J, R_ID) \
    I(ALU, P##_ZERO, OP_INT_ADD, R_W0, REG_NONE) \
    DMR_LOOP(I, P##_LOWER, R_J, REG_NONE) \
    I(ALU, P##_LOWER_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(STORE, P##_LOWER_STORE, SPACE_GLOBAL, 4, R_W0, R_ADDRESS) \
    I(ALU, P##_LOWER_NEXT, OP_INT_ADD, R_J, R_J) \
    I(BRANCH, P##_WAIT_BRANCH, R_ID) \
    I(LOOP, P##_WAIT) \
    I(LOAD_UNCACHED, P##_WAIT_LOAD, 4, R_W0, R_ADDRESS) \
    I(ALU, P##_WAIT_COMPARE, OP_INT_ADD, R_P, R_W0) \
    I(BRANCH, P##_WAIT_AGAIN, R_P) \
    I(BARRIER, P##_LEAVE)

/* Claim every element that the new triangles touch; the claim with the lowest number wins. */
#define DMR_CLAIM(I) \
    I(BRANCH, CLAIM_IF, R_P) \
    DMR_EACH(I, CLAIM_CELLS, R_CELLS) \
    I(ALU, CLAIM_CELL_ADDRESS, OP_INT_MAD, R_ADDRESS, R_OTHER) \
    I(STORE, CLAIM_CELL, SPACE_GLOBAL, 4, R_ID, R_ADDRESS) \
    DMR_EACH(I, CLAIM_EDGES, R_EDGES) \
    I(ALU, CLAIM_EDGE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_OTHER) \
    I(STORE, CLAIM_EDGE, SPACE_GLOBAL, 4, R_ID, R_ADDRESS) \
    DMR_SYNC(I, SYNC_1) \
    I(BRANCH, CONTEST_IF, R_P) \
    DMR_EACH(I, CONTEST_CELLS, R_CELLS) \
    DMR_CONTEST(I, CONTEST_CELL) \
    DMR_EACH(I, CONTEST_EDGES, R_EDGES) \
    DMR_CONTEST(I, CONTEST_EDGE) \
    DMR_SYNC(I, SYNC_2) \
    I(BRANCH, VERIFY_IF, R_P) \
    DMR_EACH(I, VERIFY_CELLS, R_CELLS) \
    DMR_OWNER(I, VERIFY_CELL) \
    DMR_EACH(I, VERIFY_EDGES, R_EDGES) \
    DMR_OWNER(I, VERIFY_EDGE)
#define DMR_OWNER(I, P) \
    I(ALU, P##_ADDRESS, OP_INT_MAD, R_ADDRESS, R_OTHER) \
    I(LOAD_UNCACHED, P##_OWNER, 4, R_OWNER, R_ADDRESS) \
    I(ALU, P##_OWNER_COMPARE, OP_INT_ADD, R_P, R_OWNER, R_ID)
#define DMR_CONTEST(I, P) \
    DMR_OWNER(I, P) \
    I(BRANCH, P##_BRANCH, R_P) \
    I(ATOMIC, P##_MIN, REG_NONE, R_ADDRESS, R_ID)

/* A new element. dmr_add() */
#define DMR_ADD(I, P, A, B, C, N) \
    I(ALU, P##_STATE_ADDRESS, OP_INT_ADD, R_ADDRESS, R_NEW) \
    I(STORE, P##_BAD, SPACE_GLOBAL, 1, R_W3, R_ADDRESS) \
    I(STORE, P##_DELETED, SPACE_GLOBAL, 1, R_W3, R_ADDRESS) \
    DMR_STORE_TRIPLE(I, P##_ELEMENT, A, B, C) \
    DMR_STORE_TRIPLE(I, P##_NEIGHBOURS, N, R_M1, R_M2)
/* The first place of an element's neighbours that holds a certain number takes another. */
#define DMR_REPLACE(I, P, E, BY) \
    DMR_TRIPLE(I, P, E, R_B0, R_B1, R_B2) \
    I(ALU, P##_PLACE, OP_INT_ADD, R_P, R_B0, R_B1, R_B2) \
    I(ALU, P##_STORE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_P, E) \
    I(STORE, P##_STORE, SPACE_GLOBAL, 4, BY, R_ADDRESS)

#define DMR_UPDATE(I) \
    I(BRANCH, UPDATE_IF, R_P) \
    I(ALU, NODES_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(ATOMIC, TAKE_NODE, R_NODE, R_ADDRESS, R_ONE) \
    I(ALU, NODE_X_ADDRESS, OP_INT_MAD, R_XA, R_NODE) \
    I(ALU, NODE_Y_ADDRESS, OP_INT_MAD, R_YA, R_NODE) \
    I(STORE, STORE_NODE_X, SPACE_GLOBAL, 8, R_CX, R_XA) \
    I(STORE, STORE_NODE_Y, SPACE_GLOBAL, 8, R_CY, R_YA) \
    I(ALU, NEW_COUNT, OP_INT_ADD, R_LAST, R_EDGES, R_KIND) \
    I(ALU, ELEMENTS_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(ATOMIC, TAKE_ELEMENTS, R_NEW, R_ADDRESS, R_LAST) \
    I(ALU, NEW_LAST, OP_INT_ADD, R_LAST, R_NEW, R_LAST) \
    I(BRANCH, SPLIT_BRANCH, R_KIND) \
    DMR_TRIPLE(I, SPLIT, R_CENTRE, R_N0, R_N1, R_N2) \
    DMR_ADD(I, HALF_0, R_N0, R_NODE, R_M2, R_M0) \
    DMR_ADD(I, HALF_1, R_NODE, R_N1, R_M2, R_M0) \
    I(ALU, FILL_FIRST, OP_INT_ADD, R_J, REG_NONE) \
    DMR_LOOP(I, FILL, R_J, R_EDGES) \
    I(ALU, FILL_ADDRESS, OP_INT_MAD, R_ADDRESS, R_J) \
    I(LOAD, FILL_LOAD_0, SPACE_LOCAL, 4, R_W0, R_ADDRESS) \
    I(LOAD, FILL_LOAD_1, SPACE_LOCAL, 4, R_W1, R_ADDRESS) \
    I(LOAD, FILL_LOAD_2, SPACE_LOCAL, 4, R_W2, R_ADDRESS) \
    I(LOAD, FILL_LOAD_3, SPACE_LOCAL, 4, R_W3, R_ADDRESS) \
    DMR_NODES(I, FILL_NODES, R_W0, R_W1, R_NODE) \
    I(ALU, TURN_SIDE, OP_DP_ADD, R_D, R_X0, R_X1, R_X2) \
    I(ALU, TURN, OP_DP_MAD, R_E, R_D, R_Y0, R_Y1, R_Y2) \
    I(ALU, TURN_COMPARE, OP_DP_ADD, R_P, R_E) \
    I(ALU, TURN_A, OP_INT_ADD, R_W0, R_P, R_W0, R_W1) \
    I(ALU, TURN_B, OP_INT_ADD, R_W1, R_P, R_W0, R_W1) \
    DMR_ADD(I, FILL, R_W0, R_W1, R_NODE, R_W2) \
    DMR_REPLACE(I, OUTER, R_W2, R_NEW) \
    I(ALU, FILL_NEXT, OP_INT_ADD, R_NEW, R_NEW) \
    I(ALU, LEFT_FIRST, OP_INT_ADD, R_AT, R_NEW) \
    DMR_LOOP(I, LEFT, R_AT, R_LAST) \
    I(ALU, RIGHT_FIRST, OP_INT_ADD, R_J, R_AT) \
    DMR_LOOP(I, RIGHT, R_J, R_LAST) \
    DMR_TRIPLE(I, LEFT_ELEMENT, R_AT, R_N0, R_N1, R_N2) \
    DMR_TRIPLE(I, RIGHT_ELEMENT, R_J, R_M0, R_M1, R_M2) \
    I(ALU, COMMON, OP_INT_ADD, R_P, R_N0, R_M0, R_M1, R_M2) \
    I(ALU, COMMON_COMPARE, OP_INT_ADD, R_P, R_P, R_N1, R_N2) \
    I(BRANCH, COMMON_BRANCH, R_P) \
    DMR_REPLACE(I, LINK_LEFT, R_AT, R_J) \
    DMR_REPLACE(I, LINK_RIGHT, R_J, R_AT) \
    I(ALU, RIGHT_NEXT, OP_INT_ADD, R_J, R_J) \
    I(ALU, LEFT_NEXT, OP_INT_ADD, R_AT, R_AT) \
    DMR_EACH(I, DELETE, R_CELLS) \
    I(ALU, DELETE_ADDRESS_2, OP_INT_ADD, R_ADDRESS, R_OTHER) \
    I(STORE, DELETE_STORE, SPACE_GLOBAL, 1, R_ONE, R_ADDRESS) \
    DMR_BYTE(I, LEFT_OVER, R_FLAG, R_ELEMENT) \
    I(ALU, LEFT_OVER_COMPARE, OP_INT_ADD, R_P, R_FLAG) \
    I(BRANCH, AGAIN_IF, R_P) \
    I(ALU, AGAIN_ADDRESS, OP_INT_ADD, R_ADDRESS, REG_NONE) \
    I(ATOMIC, AGAIN_PLACE, R_W0, R_ADDRESS, R_ONE) \
    I(LOAD, AGAIN_ROOM, SPACE_GLOBAL, 4, R_W1, R_ADDRESS) \
    I(ALU, AGAIN_COMPARE, OP_INT_ADD, R_P, R_W0, R_W1) \
    I(ALU, AGAIN_STORE_ADDRESS, OP_INT_MAD, R_ADDRESS, R_W0) \
    I(STORE, AGAIN_STORE, SPACE_GLOBAL, 4, R_ELEMENT, R_ADDRESS) \
    DMR_SYNC(I, SYNC_3) \
    I(ALU, ROUND_NEXT, OP_INT_ADD, R_ROUND, R_ROUND)

#define DMR_REFINE(I) DMR_FETCH(I) DMR_WALK(I) DMR_GROW(I) DMR_CLAIM(I) DMR_UPDATE(I)
enum { DMR_REFINE(INSN_INDEX) DMR_REFINE_INSNS };

/* The threads of a CTA. */
struct refine {
    const struct dmr *k;
    struct buffer cavity, boundary; /* in local memory */
    int32_t element[DMR_THREADS];   /* of the work list */
    int32_t centre[DMR_THREADS];    /* the element in which the new node will be */
    uint8_t has[DMR_THREADS];       /* there is an element, and it is to be refined */
    uint8_t again[DMR_THREADS];     /* it comes back to the list */
    uint8_t segment[DMR_THREADS];   /* the centre is one */
    int32_t cells[DMR_THREADS], edges[DMR_THREADS]; /* of the cavity, of its boundary */
    double x[DMR_THREADS], y[DMR_THREADS];          /* the new node */
};

/* An element of each thread, and the places of its nodes. */
struct corners {
    int32_t node[3][DMR_THREADS];
    double x[3][DMR_THREADS], y[3][DMR_THREADS];
};

static inline struct dmr_point corner(const struct corners *c, unsigned i, unsigned t) {
    return (struct dmr_point){c->x[i][t], c->y[i][t]};
}

/** dmr_load_words() - the three of each thread's element. @first: of the three loads. */
static inline void dmr_load_words(struct simt *s, unsigned first, const struct buffer *b,
                                  const int32_t *element, int32_t word[3][DMR_THREADS]) {
    for (unsigned i = 0; i < 3; i++) {
        simt_load(s, first + i, word[i], b, dmr_word(element, i));
    }
}

static inline void dmr_load_triple(struct simt *s, unsigned first, const struct buffer *b,
                                   const int32_t *element, int32_t word[3][DMR_THREADS]) {
    simt_alu(s, first);
    dmr_load_words(s, first + 1, b, element, word);
}

static inline void dmr_store_triple(struct simt *s, unsigned first, const struct buffer *b,
                                    const int32_t *element, int32_t word[3][DMR_THREADS]) {
    simt_alu(s, first);
    for (unsigned i = 0; i < 3; i++) {
        simt_store(s, first + 1 + i, word[i], b, dmr_word(element, i));
    }
}

/** dmr_load_corners() - the places of the first @count nodes of each thread's element. */
static inline void dmr_load_corners(struct simt *s, const struct dmr *k, unsigned first,
                                    unsigned count, struct corners *c) {
    for (unsigned i = 0; i < count; i++) {
        dmr_load_node(s, k, first + i * DMR_NODE_INSNS, c->node[i], c->x[i], c->y[i]);
    }
}

/** dmr_find_centre() - from each thread's element across obtuse angles to one without, or to a
 * segment. */
void dmr_find_centre(struct simt *s, struct refine *r);
/** dmr_find_cavity() - the elements whose circles hold the centre's, and their boundary. */
void dmr_find_cavity(struct simt *s, struct refine *r);
/** dmr_update() - the cavities become new triangles. */
void dmr_update(struct simt *s, struct refine *r);
/** dmr_each() - for the @count members of a list in local memory, every @step words from @base on:
 * @visit, whose first instruction is @then. @first: of DMR_EACH */
typedef void dmr_visit(struct simt *s, struct refine *r, const int32_t *member, unsigned then);
void dmr_each(struct simt *s, struct refine *r, unsigned first, const struct buffer *list,
              unsigned base, unsigned step, const int32_t *count, dmr_visit *visit, unsigned then);

#endif
