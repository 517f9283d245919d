/* SPDX-License-Identifier: Apache-2.0
 *
 * How LonestarGPU's kernels read a graph: edge number k of node s goes through an accessor that
 * tests its arguments, and for that loads the node's degree, number (srcsrc) and first edge (psrc)
 * before the word of the edge itself.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_ACCESSOR_H
#define WARPMEM_WORKLOADS_LONESTAR_ACCESSOR_H

#include "kernel/simt.h"
#include "workloads/lonestar/graph.h"

/* Registers, the first of each kernel's. */
enum {
    R_NODE, /* s */
    R_K,
    R_PREDICATE,
    R_NODE_ADDRESS,
    R_DEGREE,
    R_ACCESSOR_DEGREE,
    R_SRCSRC,
    R_EDGE,
    R_EDGE_ADDRESS,
    LONESTAR_REGISTERS
};

/* The thread's number and the guard of those past the end. @P: prefix of the labels. */
#define LONESTAR_THREAD(I, P) \
    I(ALU, P##_CTA, OP_INT_MUL, R_NODE, REG_NONE) \
    I(ALU, P##_THREAD, OP_INT_ADD, R_NODE, R_NODE) \
    I(ALU, P##_COMPARE, OP_INT_ADD, R_PREDICATE, R_NODE) \
    I(BRANCH, P##_GUARD, R_PREDICATE)

/* The accessor: 13 arithmetic instructions and 4 loads. @P: prefix of the labels. @TO: register of
 * the edge's word. */
#define LONESTAR_ACCESSOR(I, P, TO) \
    I(ALU, P##_NODE_COMPARE, OP_INT_ADD, R_PREDICATE, R_NODE) \
    I(BRANCH, P##_NODE_BRANCH, R_PREDICATE) \
    I(ALU, P##_NODE_ADDRESS, OP_INT_MAD, R_NODE_ADDRESS, R_NODE) \
    I(LOAD, P##_LOAD_DEGREE, SPACE_GLOBAL, 4, R_ACCESSOR_DEGREE, R_NODE_ADDRESS) \
    I(ALU, P##_K_COMPARE, OP_INT_ADD, R_PREDICATE, R_K, R_ACCESSOR_DEGREE) \
    I(BRANCH, P##_K_BRANCH, R_PREDICATE) \
    I(ALU, P##_DEGREE_COMPARE, OP_INT_ADD, R_PREDICATE, R_ACCESSOR_DEGREE) \
    I(LOAD, P##_LOAD_SRCSRC, SPACE_GLOBAL, 4, R_SRCSRC, R_NODE_ADDRESS) \
    I(ALU, P##_SRCSRC_COMPARE, OP_INT_ADD, R_PREDICATE, R_SRCSRC, R_PREDICATE) \
    I(BRANCH, P##_SRCSRC_BRANCH, R_PREDICATE) \
    I(ALU, P##_PSRC_ADDRESS, OP_INT_MAD, R_EDGE_ADDRESS, R_SRCSRC) \
    I(LOAD, P##_LOAD_PSRC, SPACE_GLOBAL, 4, R_EDGE, R_EDGE_ADDRESS) \
    I(ALU, P##_EDGE, OP_INT_ADD, R_EDGE, R_EDGE, R_K) \
    I(ALU, P##_EDGE_COMPARE, OP_INT_ADD, R_PREDICATE, R_EDGE) \
    I(BRANCH, P##_EDGE_BRANCH, R_PREDICATE) \
    I(ALU, P##_EDGE_ADDRESS, OP_INT_MAD, R_EDGE_ADDRESS, R_EDGE) \
    I(LOAD, P##_LOAD_EDGE, SPACE_GLOBAL, 4, TO, R_EDGE_ADDRESS)

/* The instructions of an accessor counted from its first one, P_NODE_COMPARE. */
enum { LONESTAR_ACCESSOR(INSN_INDEX, ACCESSOR, REG_NONE) ACCESSOR_LENGTH };

/**
 * struct lonestar_walk - a walk over the edges of a node a thread.
 * @node, @degree: of the thread
 * @k: the edge at hand, from 0
 * @psrc: number of the node's first edge; the accessor loads it
 * @held: the accessors' loads have been done before, and are not done again where the graph says
 *        hoist
 */
struct lonestar_walk {
    int32_t node[SIMT_THREADS], degree[SIMT_THREADS], k[SIMT_THREADS], psrc[SIMT_THREADS];
    bool held;
};

/**
 * lonestar_access() - the word of edge k of each active thread's node.
 * @first: index of the accessor's first instruction
 * @array: g->edgessrcdst or g->edgessrcwt
 */
void lonestar_access(struct simt *s, unsigned first, const struct lonestar_graph *g,
                     const struct buffer *array, struct lonestar_walk *w, int32_t *to);

#endif
