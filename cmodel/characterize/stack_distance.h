/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact LRU stack distance: the number of other lines touched since the line was touched last. A
 * fully associative LRU cache of n lines hits where the distance is below n.
 */
#ifndef WARPMEM_CHARACTERIZE_STACK_DISTANCE_H
#define WARPMEM_CHARACTERIZE_STACK_DISTANCE_H

#include "characterize/line_map.h"

/* Distances from this limit on are one class: lines farther down are dropped, which bounds the
 * memory. 8 MB of 128-byte lines are the largest L1 in a paper. */
#define STACK_DISTANCE_LIMIT 65536

struct stack_line {
    uint64_t line;
    uint32_t time, owner;
};

/* Zeroed: nothing touched yet. */
struct stack_distance {
    struct line_map map;
    struct stack_line *line; /* by the map's number */
    uint32_t line_room;
    /* Times 0 .. window-1. A bit marks the time of some line's last touch; at[time] is that
     * line. */
    uint64_t *last;
    uint32_t *at, *tree; /* tree: Fenwick's, of the bits set in each word of last */
    uint32_t window, now, live;
};

/**
 * struct stack_touch - the state of a line when it was touched.
 * @near:     it was touched before, at a distance below the limit; otherwise the rest is undefined
 * @distance: 0: no other line was touched in between
 * @owner:    warp that touched it last
 */
struct stack_touch {
    bool near;
    uint32_t distance, owner;
};

void stack_distance_destroy(struct stack_distance *s);
/** stack_distance_clear() - remove everything, keep the memory. */
void stack_distance_clear(struct stack_distance *s);
/** stack_distance_touch() - false: out of memory. */
bool stack_distance_touch(struct stack_distance *s, uint64_t line, uint32_t owner,
                          struct stack_touch *before);

#endif
