/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tag_array.h"

#include <assert.h>
#include <stdlib.h>

#include "base/wide_set.h"

#define USE_BEGIN (UINT64_C(1) << 62) /* use times count up from here, low ones down */

/* Parts that both forms share. */
static bool init_tags(struct tag_array *t, unsigned sets, unsigned ways, enum tag_index index) {
    assert(index != TAG_INDEX_FERMI || sets == 32 || sets == 64);
    *t = (struct tag_array){.sets = sets,
                            .ways = ways,
                            .index = index,
                            .words = (ways + 63) / 64,
                            .use_count = USE_BEGIN,
                            .low_count = USE_BEGIN};
    while ((1u << t->set_bits) < sets) {
        t->set_bits++;
    }
    t->set = calloc((size_t)sets * t->words, sizeof *t->set);
    t->line = calloc((size_t)sets * ways, sizeof *t->line);
    t->mshr = calloc((size_t)sets * ways, sizeof *t->mshr);
    return t->set && t->line && t->mshr;
}

bool tag_array_init_wide(struct tag_array *t, unsigned sets, unsigned ways, enum tag_index index) {
    if (!init_tags(t, sets, ways, index)) {
        return false;
    }
    t->wide = wide_set_create(sets, ways);
    return t->wide != NULL;
}

bool tag_array_init(struct tag_array *t, unsigned sets, unsigned ways, enum tag_index index) {
    if (ways > TAG_WAYS_SMALL) {
        return tag_array_init_wide(t, sets, ways, index);
    }
    if (!init_tags(t, sets, ways, index)) {
        return false;
    }
    t->sketch_words = (ways + 7) / 8;
    t->sketch = calloc((size_t)sets * t->sketch_words, sizeof *t->sketch);
    t->used = calloc((size_t)sets * ways, sizeof *t->used);
    return t->sketch && t->used;
}

void tag_array_destroy(struct tag_array *t) {
    wide_set_destroy(t->wide);
    free(t->sketch);
    free(t->set);
    free(t->line);
    free(t->used);
    free(t->mshr);
    *t = (struct tag_array){0};
}

/* The byte of a line number that its set's sketch holds comes from the bits above the index, where
 * lines of a set differ. */
static unsigned sketch_byte(const struct tag_array *t, uint64_t line) {
    uint64_t above = line >> t->set_bits;
    return (unsigned)((above ^ above >> 8) & 0xff);
}

__attribute__((noinline)) static int find_wide(const struct tag_array *t, unsigned set,
                                               uint64_t line) {
    return (int)wide_set_find(t->wide, t->line, set, line); /* WIDE_NONE becomes TAG_NO_WAY */
}

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* The top bits of the bytes of a sketch's word that equal @wanted's. The byte above an equal one
 * may match falsely: each way is compared whole after that. */
static inline uint64_t equal_bytes(uint64_t sketch, uint64_t wanted) {
    uint64_t differ = sketch ^ wanted;
    return (differ - EACH_BYTE) & ~differ & EACH_BYTE << 7;
}

/* A line whose sketch is in its set; few misses come here. */
__attribute__((noinline)) static int find_sketched(const struct tag_array *t, unsigned set,
                                                   uint64_t line, uint64_t wanted) {
    uint64_t live = t->set[set].valid | t->set[set].reserved;
    const uint64_t *lines = &t->line[set * t->ways], *sketch = &t->sketch[set * t->sketch_words];
    for (unsigned word = 0; word < t->sketch_words; word++) {
        for (uint64_t same = equal_bytes(sketch[word], wanted); same; same &= same - 1) {
            int way = (int)(word * 8) + __builtin_ctzll(same) / 8;
            if (live >> way & 1 && lines[way] == line) {
                return way;
            }
        }
    }
    return TAG_NO_WAY;
}

int tag_find(const struct tag_array *t, unsigned set, uint64_t line) {
    if (__builtin_expect(t->wide != NULL, false)) {
        return find_wide(t, set, line);
    }
    const uint64_t *sketch = &t->sketch[set * t->sketch_words];
    const uint64_t *end = sketch + t->sketch_words;
    uint64_t wanted = sketch_byte(t, line) * EACH_BYTE;
    do {
        if (equal_bytes(*sketch, wanted)) {
            return find_sketched(t, set, line, wanted);
        }
    } while (++sketch < end);
    return TAG_NO_WAY;
}

/* Finds the oldest line that is not reserved; at most as many lines are reserved as there are
 * MSHRs. */
__attribute__((noinline)) static int wide_victim(const struct tag_array *t, unsigned set) {
    uint32_t way = wide_set_unused(t->wide, set);
    if (way != WIDE_NONE) {
        return (int)way;
    }
    way = t->wide->used[set].oldest;
    while (way != WIDE_NONE && !tag_is_valid(t, set, (int)way)) {
        way = t->wide->newer[(size_t)set * t->ways + way];
    }
    return (int)way;
}

/* The lowest way without a line, else the least recently used of the valid ones. */
static inline int narrow_victim(const struct tag_array *t, unsigned set, uint64_t live,
                                uint64_t valid) {
    uint64_t ways = t->ways == 64 ? ~UINT64_C(0) : (UINT64_C(1) << t->ways) - 1;
    uint64_t free_ways = ways & ~live;
    if (free_ways) {
        return __builtin_ctzll(free_ways);
    }
    /* The smallest stamp names its way, so no jump depends on the comparison. */
    const uint64_t *used = &t->used[set * t->ways];
    uint64_t oldest = UINT64_MAX;
    if (valid == ways) {
        /* Two ways a trip; the last of an odd number comes first. */
        const uint64_t *end = used + t->ways;
        if (t->ways & 1) {
            oldest = *used++;
        }
        for (; used < end; used += 2) {
            oldest = used[0] < oldest ? used[0] : oldest;
            oldest = used[1] < oldest ? used[1] : oldest;
        }
        return (int)(oldest % TAG_WAYS_SMALL);
    }
    for (uint64_t left = valid; left; left &= left - 1) {
        uint64_t stamp = used[__builtin_ctzll(left)];
        oldest = stamp < oldest ? stamp : oldest;
    }
    return oldest == UINT64_MAX ? TAG_NO_WAY : (int)(oldest % TAG_WAYS_SMALL);
}

int tag_victim(const struct tag_array *t, unsigned set) {
    if (__builtin_expect(t->wide != NULL, false)) {
        return wide_victim(t, set);
    }
    const struct tag_set *s = &t->set[set];
    return narrow_victim(t, set, s->valid | s->reserved, s->valid);
}

int tag_victim_but(const struct tag_array *t, unsigned set, uint64_t held) {
    assert(!t->wide);
    const struct tag_set *s = &t->set[set];
    return narrow_victim(t, set, s->valid | s->reserved, s->valid & ~held);
}

void tag_touch_wide(struct tag_array *t, unsigned set, int way) {
    wide_set_touch(t->wide, set, (uint32_t)way);
}

static void take_wide(struct tag_array *t, unsigned set, int way, uint64_t line) {
    if (tag_is_valid(t, set, way)) {
        wide_set_remove(t->wide, set, (uint32_t)way, tag_line(t, set, way));
    }
    wide_set_add(t->wide, set, (uint32_t)way, line);
}

/* The narrow form's part of giving the way to the line. */
static inline void take_narrow(struct tag_array *t, unsigned set, int way, uint64_t line) {
    unsigned shift = (unsigned)way % 8 * 8;
    uint64_t *sketch = &t->sketch[set * t->sketch_words + (unsigned)way / 8];
    *sketch = (*sketch & ~(UINT64_C(0xff) << shift)) | (uint64_t)sketch_byte(t, line) << shift;
    tag_stamp(t, set, way);
}

int tag_oldest_dirty(const struct tag_array *t, unsigned set, int except) {
    if (t->wide) {
        uint32_t way = t->wide->used[set].oldest;
        while (way != WIDE_NONE && ((int)way == except || !tag_is_valid(t, set, (int)way) ||
                                    !tag_is_dirty(t, set, (int)way))) {
            way = t->wide->newer[set * t->ways + way];
        }
        return way == WIDE_NONE ? TAG_NO_WAY : (int)way;
    }
    const struct tag_set *s = &t->set[set];
    uint64_t oldest = UINT64_MAX;
    for (uint64_t left = s->valid & s->dirty & ~tag_bit(except); left; left &= left - 1) {
        const uint64_t used = t->used[set * t->ways + (unsigned)__builtin_ctzll(left)];
        oldest = used < oldest ? used : oldest;
    }
    return oldest == UINT64_MAX ? TAG_NO_WAY : (int)(oldest % TAG_WAYS_SMALL);
}

static inline void reserve_taken(struct tag_array *t, struct tag_set *word, unsigned set, int way,
                                 uint64_t line, unsigned mshr) {
    unsigned place = set * t->ways + (unsigned)way;
    t->line[place] = line;
    t->mshr[place] = (uint16_t)mshr;
    word->dirty &= ~tag_bit(way);
    word->valid &= ~tag_bit(way);
    word->reserved |= tag_bit(way);
}

/* Apart, because a call in tag_reserve() would cost the narrow form a stack frame. */
__attribute__((noinline)) static void reserve_wide(struct tag_array *t, unsigned set, int way,
                                                   uint64_t line, unsigned mshr) {
    take_wide(t, set, way, line);
    reserve_taken(t, tag_word(t, set, way), set, way, line, mshr);
}

void tag_reserve(struct tag_array *t, unsigned set, int way, uint64_t line, unsigned mshr) {
    if (__builtin_expect(t->wide != NULL, false)) {
        reserve_wide(t, set, way, line, mshr);
        return;
    }
    take_narrow(t, set, way, line);
    reserve_taken(t, &t->set[set], set, way, line, mshr);
}

void tag_insert(struct tag_array *t, unsigned set, int way, uint64_t line) {
    if (__builtin_expect(t->wide != NULL, false)) {
        take_wide(t, set, way, line);
    } else {
        take_narrow(t, set, way, line);
    }
    struct tag_set *word = tag_word(t, set, way);
    t->line[set * t->ways + (unsigned)way] = line;
    word->dirty &= ~tag_bit(way);
    word->valid |= tag_bit(way);
}

void tag_hold(struct tag_array *t, unsigned set, int way) {
    struct tag_set *word = tag_word(t, set, way);
    word->valid &= ~tag_bit(way);
    word->reserved |= tag_bit(way);
}

void tag_fill(struct tag_array *t, unsigned set, int way) {
    struct tag_set *word = tag_word(t, set, way);
    word->reserved &= ~tag_bit(way);
    word->valid |= tag_bit(way);
}

void tag_invalidate(struct tag_array *t, unsigned set, int way) {
    struct tag_set *word = tag_word(t, set, way);
    assert(word->valid & tag_bit(way));
    if (t->wide) {
        wide_set_remove(t->wide, set, (uint32_t)way, tag_line(t, set, way));
    }
    word->valid &= ~tag_bit(way);
    word->dirty &= ~tag_bit(way);
}

void tag_invalidate_valid(struct tag_array *t) {
    for (unsigned set = 0; set < t->sets; set++) {
        for (unsigned word = 0; word < t->words; word++) {
            uint64_t valid = t->set[set * t->words + word].valid;
            for (; valid; valid &= valid - 1) {
                tag_invalidate(t, set, (int)(64 * word) + __builtin_ctzll(valid));
            }
        }
    }
}

unsigned tag_reserved_count(const struct tag_array *t) {
    unsigned count = 0;
    for (unsigned i = 0; i < t->sets * t->words; i++) {
        count += (unsigned)__builtin_popcountll(t->set[i].reserved);
    }
    return count;
}
