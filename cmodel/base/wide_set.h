/* SPDX-License-Identifier: Apache-2.0
 *
 * Order and look-up of the ways of wide sets (base/tag_array.h): a list of the ways with a line in
 * the order of their last use, a list of those without, and a hash of all lines. Every operation
 * takes the same time for 65 ways and for half a million.
 */
#ifndef WARPMEM_BASE_WIDE_SET_H
#define WARPMEM_BASE_WIDE_SET_H

#include <stdbool.h>
#include <stdint.h>

#define WIDE_NONE UINT32_MAX

/* A list of ways of one set; its links are in struct wide_set. */
struct wide_list {
    uint32_t oldest, newest;
};

struct wide_set {
    unsigned ways;
    unsigned hash_shift;
    struct wide_list *used, *unused; /* [set] */
    uint32_t *older, *newer;         /* [set][way] neighbours in the list that the way is in */
    uint32_t *bucket;                /* [hash] first place (set * ways + way) */
    uint32_t *next;                  /* [set][way] the next place of the same hash */
};

/** wide_set_create() - every way without a line. NULL: out of memory. */
struct wide_set *wide_set_create(unsigned sets, unsigned ways);
void wide_set_destroy(struct wide_set *w);

/** wide_set_find() - way of a line of the set, or WIDE_NONE. @lines: [set][way], line numbers. */
uint32_t wide_set_find(const struct wide_set *w, const uint64_t *lines, unsigned set,
                       uint64_t line);
/** wide_set_add() - give a line to a way without one; it becomes the most recently used. */
void wide_set_add(struct wide_set *w, unsigned set, uint32_t way, uint64_t line);
/** wide_set_remove() - the way loses its line. */
void wide_set_remove(struct wide_set *w, unsigned set, uint32_t way, uint64_t line);
/** wide_set_touch() - the way's line becomes the most recently used. */
void wide_set_touch(struct wide_set *w, unsigned set, uint32_t way);

/** wide_set_unused() - a way without a line, or WIDE_NONE. */
static inline uint32_t wide_set_unused(const struct wide_set *w, unsigned set) {
    return w->unused[set].oldest;
}

#endif
