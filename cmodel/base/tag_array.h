/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags of a set-associative cache with LRU replacement and allocation on miss: a line is invalid,
 * reserved (allocated, its fill under way) or valid; a reserved line is never evicted. Shared by
 * the L1 and the L2.
 */
#ifndef WARPMEM_BASE_TAG_ARRAY_H
#define WARPMEM_BASE_TAG_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#define TAG_WAYS_MAX 64
#define TAG_NO_WAY (-1)

enum tag_index {
    TAG_INDEX_MODULO, /* the low bits of the line number */
    TAG_INDEX_XOR,    /* the low bits XOR the bits above them */
};

struct tag_set {
    uint64_t valid, reserved, dirty; /* one bit a way */
};

struct tag_array {
    unsigned sets, ways, set_bits;
    enum tag_index index;
    struct tag_set *set;
    uint64_t *line; /* [set][way] line number */
    /* [set][sketch_words]: a byte of each way's line number, to find it eight ways at a time. */
    uint64_t *sketch;
    unsigned sketch_words;
    uint64_t *used;     /* [set][way] time of the last use, for LRU */
    uint16_t *mshr;     /* [set][way] MSHR of a reserved line */
    uint64_t use_count; /* stamps */
};

/** tag_array_init() - all lines invalid. @sets: a power of two; @ways: 1 .. TAG_WAYS_MAX. False:
 * out of memory. */
bool tag_array_init(struct tag_array *t, unsigned sets, unsigned ways, enum tag_index index);
void tag_array_destroy(struct tag_array *t);

static inline unsigned tag_set_of(const struct tag_array *t, uint64_t line) {
    uint64_t hash = t->index == TAG_INDEX_XOR ? line ^ (line >> t->set_bits) : line;
    return (unsigned)(hash & (t->sets - 1));
}

/** tag_find() - way of a valid or reserved line in its set, or TAG_NO_WAY. */
int tag_find(const struct tag_array *t, unsigned set, uint64_t line);
/** tag_victim() - way to allocate: an invalid one, else the least recently used valid one, else
 * TAG_NO_WAY. */
int tag_victim(const struct tag_array *t, unsigned set);
/** tag_reserve() - give the way to a line whose fill is under way. */
void tag_reserve(struct tag_array *t, unsigned set, int way, uint64_t line, unsigned mshr);
/** tag_insert() - give the way to a line that is whole at once (an L2 write of a full line). */
void tag_insert(struct tag_array *t, unsigned set, int way, uint64_t line);
/** tag_fill() - the reserved line has arrived. Filling does not count as a use. */
void tag_fill(struct tag_array *t, unsigned set, int way);

static inline bool tag_is_valid(const struct tag_array *t, unsigned set, int way) {
    return t->set[set].valid >> way & 1;
}

static inline bool tag_is_dirty(const struct tag_array *t, unsigned set, int way) {
    return t->set[set].dirty >> way & 1;
}

static inline uint64_t tag_line(const struct tag_array *t, unsigned set, int way) {
    return t->line[set * t->ways + (unsigned)way];
}

static inline unsigned tag_mshr(const struct tag_array *t, unsigned set, int way) {
    return t->mshr[set * t->ways + (unsigned)way];
}

static inline void tag_touch(struct tag_array *t, unsigned set, int way) {
    t->used[set * t->ways + (unsigned)way] = ++t->use_count;
}

static inline void tag_set_dirty(struct tag_array *t, unsigned set, int way) {
    t->set[set].dirty |= UINT64_C(1) << way;
}

static inline void tag_invalidate(struct tag_array *t, unsigned set, int way) {
    t->set[set].valid &= ~(UINT64_C(1) << way);
    t->set[set].dirty &= ~(UINT64_C(1) << way);
}

/** tag_reserved_count() - reserved lines in the whole array; zero when nothing is under way. */
unsigned tag_reserved_count(const struct tag_array *t);

#endif
