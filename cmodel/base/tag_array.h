/* SPDX-License-Identifier: Apache-2.0
 *
 * Tags of a set-associative cache with LRU replacement and allocation on miss: a line is invalid,
 * reserved (allocated, its fill under way) or valid; a reserved line is never evicted. Shared by
 * the L1 and the L2.
 */
#ifndef WARPMEM_BASE_TAG_ARRAY_H
#define WARPMEM_BASE_TAG_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAG_WAYS_SMALL 64 /* a set of more ways is kept in lists: see base/wide_set.h */
#define TAG_NO_WAY (-1)

enum tag_index {
    TAG_INDEX_MODULO,  /* the low bits of the line number */
    TAG_INDEX_XOR,     /* the low bits XOR as many above them */
    TAG_INDEX_XOR_ALL, /* the low bits XOR all groups of as many above them */
    /* Fermi's hash for 32 or 64 sets: the low five bits XOR bits 6, 7, 8, 10 and 12; of 64 sets the
     * top bit is bit 5 (Nugteren et al., HPCA 2014, as GPGPU-Sim states it for 128-byte lines). */
    TAG_INDEX_FERMI,
};

struct tag_set {
    uint64_t valid, reserved, dirty; /* one bit a way */
};

struct wide_set;

struct tag_array {
    unsigned sets, ways, set_bits;
    enum tag_index index;
    unsigned words;        /* of struct tag_set in a set: 64 ways each */
    struct tag_set *set;   /* [set][words] */
    uint64_t *line;        /* [set][way] line number */
    struct wide_set *wide; /* with more than TAG_WAYS_SMALL ways: order and look-up; else NULL */
    /* [set][sketch_words]: a byte of each way's line number, so that a search covers eight ways at
     * a time. */
    uint64_t *sketch;
    unsigned sketch_words;
    /* [set][way] time of the last use, for LRU, in units of TAG_WAYS_SMALL, plus the way (not in
     * the wide form). */
    uint64_t *used;
    uint16_t *mshr;     /* [set][way] MSHR of a reserved line */
    uint64_t use_count; /* the last time */
    uint64_t low_count; /* the last time given to a line that became the least recently used */
};

/** tag_array_init() - all lines invalid. @sets: a power of two (32 or 64 for TAG_INDEX_FERMI);
 * @ways: 1 or more. False: out of memory. */
bool tag_array_init(struct tag_array *t, unsigned sets, unsigned ways, enum tag_index index);
/** tag_array_init_wide() - the same in the wide form for any number of ways; both forms give equal
 * results. */
bool tag_array_init_wide(struct tag_array *t, unsigned sets, unsigned ways, enum tag_index index);
void tag_array_destroy(struct tag_array *t);

static inline uint64_t tag_fermi_hash(uint64_t line) {
    return line ^ ((line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4);
}

/* XOR of all groups of @bits bits, in the low bits; each step joins twice as many groups. */
static inline uint64_t tag_fold(uint64_t line, unsigned bits) {
    for (unsigned shift = bits; shift - 1 < 63; shift *= 2) {
        line ^= line >> shift;
    }
    return line;
}

static inline unsigned tag_set_of(const struct tag_array *t, uint64_t line) {
    uint64_t hash = t->index == TAG_INDEX_MODULO    ? line
                    : t->index == TAG_INDEX_XOR     ? line ^ (line >> t->set_bits)
                    : t->index == TAG_INDEX_XOR_ALL ? tag_fold(line, t->set_bits)
                                                    : tag_fermi_hash(line);
    return (unsigned)(hash & (t->sets - 1));
}

/** tag_find() - way of a valid or reserved line in its set, or TAG_NO_WAY. */
int tag_find(const struct tag_array *t, unsigned set, uint64_t line);
/** tag_victim() - way to allocate: an invalid one, else the least recently used valid one, else
 * TAG_NO_WAY. */
int tag_victim(const struct tag_array *t, unsigned set);
/** tag_victim_but() - the same where these ways, one bit each, cannot be evicted either; not in the
 * wide form. */
int tag_victim_but(const struct tag_array *t, unsigned set, uint64_t held);
/** tag_oldest_dirty() - way of the least recently used valid line that is dirty, but @except, or
 * TAG_NO_WAY. */
int tag_oldest_dirty(const struct tag_array *t, unsigned set, int except);
/** tag_reserve() - give the way to a line whose fill is under way. */
void tag_reserve(struct tag_array *t, unsigned set, int way, uint64_t line, unsigned mshr);
/** tag_insert() - give the way to a line that is valid at once (an L2 write of a full line). */
void tag_insert(struct tag_array *t, unsigned set, int way, uint64_t line);
/** tag_hold() - reserve a valid line, with its tag and dirty bit, for a fill of a part of it
 * (base/sectors.h). */
void tag_hold(struct tag_array *t, unsigned set, int way);
/** tag_fill() - the reserved line has arrived. Filling does not count as a use. */
void tag_fill(struct tag_array *t, unsigned set, int way);

/* The word with the way's bits. The wide form is rare and must not slow the other one down. */
static inline struct tag_set *tag_word(const struct tag_array *t, unsigned set, int way) {
    return __builtin_expect(t->wide != NULL, false) ? &t->set[set * t->words + (unsigned)way / 64]
                                                    : &t->set[set];
}

static inline uint64_t tag_bit(int way) {
    return UINT64_C(1) << (unsigned)way % 64;
}

static inline bool tag_is_valid(const struct tag_array *t, unsigned set, int way) {
    return tag_word(t, set, way)->valid & tag_bit(way);
}

static inline bool tag_is_dirty(const struct tag_array *t, unsigned set, int way) {
    return tag_word(t, set, way)->dirty & tag_bit(way);
}

static inline uint64_t tag_line(const struct tag_array *t, unsigned set, int way) {
    return t->line[set * t->ways + (unsigned)way];
}

static inline unsigned tag_mshr(const struct tag_array *t, unsigned set, int way) {
    return t->mshr[set * t->ways + (unsigned)way];
}

static inline void tag_stamp(struct tag_array *t, unsigned set, int way) {
    t->use_count += TAG_WAYS_SMALL;
    t->used[set * t->ways + (unsigned)way] = t->use_count + (unsigned)way;
}

void tag_touch_wide(struct tag_array *t, unsigned set, int way);

static inline void tag_touch(struct tag_array *t, unsigned set, int way) {
    if (__builtin_expect(t->wide != NULL, false)) {
        tag_touch_wide(t, set, way);
        return;
    }
    tag_stamp(t, set, way);
}

/** tag_demote() - the line becomes the least recently used of its set; not in the wide form. */
static inline void tag_demote(struct tag_array *t, unsigned set, int way) {
    t->low_count -= TAG_WAYS_SMALL;
    t->used[set * t->ways + (unsigned)way] = t->low_count + (unsigned)way;
}

static inline void tag_set_dirty(struct tag_array *t, unsigned set, int way) {
    tag_word(t, set, way)->dirty |= tag_bit(way);
}

/** tag_clean() - the line's data has been written back; the line stays. */
static inline void tag_clean(struct tag_array *t, unsigned set, int way) {
    tag_word(t, set, way)->dirty &= ~tag_bit(way);
}

/** tag_invalidate() - drop a valid line. */
void tag_invalidate(struct tag_array *t, unsigned set, int way);
/** tag_invalidate_valid() - drop all valid lines; reserved ones stay. */
void tag_invalidate_valid(struct tag_array *t);

/** tag_reserved_count() - reserved lines in the whole array; zero when nothing is under way. */
unsigned tag_reserved_count(const struct tag_array *t);

#endif
