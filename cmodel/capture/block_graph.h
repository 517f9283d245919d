/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of a kernel's basic blocks, and the order in which diverged lanes meet again.
 *
 * Blocks get numbers in a weak topological order (F. Bourdoncle, "Efficient chaotic iteration
 * strategies with widenings", 1993): an edge leads to a larger number unless it leads back to the
 * head of a component that contains its source. All blocks of a loop have smaller numbers than the
 * blocks after it, so the lanes with the smallest number can always go first. A head has a second
 * number, larger than those of its component: lanes that return to it wait there for the lanes that
 * are still in the body, as at the point of a `continue`.
 */
#ifndef WARPMEM_CAPTURE_BLOCK_GRAPH_H
#define WARPMEM_CAPTURE_BLOCK_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_NONE UINT32_MAX
#define LOOP_NONE UINT32_MAX

/* Block 0 is the entry. Successors of block b: target[first[b]] .. target[first[b + 1] - 1]. */
struct block_graph {
    uint32_t count;
    const uint32_t *first; /* count + 1 */
    const uint32_t *target;
};

/* A natural loop, which is entered only through its head. */
struct block_loop {
    uint32_t head;
    uint32_t parent;      /* the loop around it, LOOP_NONE */
    uint32_t first, last; /* numbers of its head and of its back edge */
};

struct block_order {
    uint32_t count;     /* blocks */
    uint32_t *number;   /* of each block */
    uint32_t *back;     /* the second number of a head; 0: not a head */
    uint32_t *loop;     /* innermost natural loop of each block, LOOP_NONE */
    uint32_t *sequence; /* blocks by ascending number */
    struct block_loop *loops;
    uint32_t loop_count;
    uint32_t irreducible; /* components with several entries, which are not natural loops */
};

/** block_order_create() - NULL: out of memory. */
struct block_order *block_order_create(const struct block_graph *g);
void block_order_destroy(struct block_order *o);

/** block_order_is_back() - true if the edge leads back to the head of a component with @from. */
static inline bool block_order_is_back(const struct block_order *o, uint32_t from, uint32_t to) {
    return o->number[to] <= o->number[from] && o->number[from] < o->back[to];
}

/** block_order_key() - number with which a lane that comes from @from (BLOCK_NONE: begins) waits
 * before @to. */
static inline uint32_t block_order_key(const struct block_order *o, uint32_t from, uint32_t to) {
    return from != BLOCK_NONE && block_order_is_back(o, from, to) ? o->back[to] : o->number[to];
}

/** block_loop_has() - true if the block is in the loop, or in a loop inside it. */
static inline bool block_loop_has(const struct block_order *o, uint32_t loop, uint32_t block) {
    return o->loops[loop].first <= o->number[block] && o->number[block] < o->loops[loop].last;
}

/**
 * block_post_dominators() - for each block its immediate post-dominator: the first later block that
 * is on every path to an exit. BLOCK_NONE: the block is an exit, or has no path to one.
 * Return: an array for the caller to free; NULL: out of memory.
 */
uint32_t *block_post_dominators(const struct block_graph *g);

#endif
