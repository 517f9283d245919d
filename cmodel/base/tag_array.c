/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tag_array.h"

#include <stdlib.h>

bool tag_array_init(struct tag_array *t, unsigned sets, unsigned ways, enum tag_index index) {
    *t = (struct tag_array){.sets = sets, .ways = ways, .index = index};
    while ((1u << t->set_bits) < sets) {
        t->set_bits++;
    }
    t->sketch_words = (ways + 7) / 8;
    t->sketch = calloc((size_t)sets * t->sketch_words, sizeof *t->sketch);
    t->set = calloc(sets, sizeof *t->set);
    t->line = calloc((size_t)sets * ways, sizeof *t->line);
    t->used = calloc((size_t)sets * ways, sizeof *t->used);
    t->mshr = calloc((size_t)sets * ways, sizeof *t->mshr);
    return t->sketch && t->set && t->line && t->used && t->mshr;
}

void tag_array_destroy(struct tag_array *t) {
    free(t->sketch);
    free(t->set);
    free(t->line);
    free(t->used);
    free(t->mshr);
    *t = (struct tag_array){0};
}

/* The byte of a line number that its set's sketch holds: from the bits above the index, where
 * lines of a set differ. */
static unsigned sketch_byte(const struct tag_array *t, uint64_t line) {
    uint64_t above = line >> t->set_bits;
    return (unsigned)((above ^ above >> 8) & 0xff);
}

int tag_find(const struct tag_array *t, unsigned set, uint64_t line) {
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    uint64_t wanted = sketch_byte(t, line) * ones;
    uint64_t live = t->set[set].valid | t->set[set].reserved;
    const uint64_t *lines = &t->line[set * t->ways], *sketch = &t->sketch[set * t->sketch_words];
    for (unsigned word = 0; word < t->sketch_words; word++) {
        uint64_t differ = sketch[word] ^ wanted;
        /* A zero byte has its top bit set here; so may the byte above one: each is compared
         * whole below. */
        for (uint64_t same = (differ - ones) & ~differ & tops; same; same &= same - 1) {
            int way = (int)(word * 8) + __builtin_ctzll(same) / 8;
            if (live >> way & 1 && lines[way] == line) {
                return way;
            }
        }
    }
    return TAG_NO_WAY;
}

int tag_victim(const struct tag_array *t, unsigned set) {
    const struct tag_set *s = &t->set[set];
    uint64_t ways = t->ways == 64 ? ~UINT64_C(0) : (UINT64_C(1) << t->ways) - 1;
    uint64_t free_ways = ways & ~(s->valid | s->reserved);
    if (free_ways) {
        return __builtin_ctzll(free_ways);
    }
    const uint64_t *used = &t->used[set * t->ways];
    int oldest = TAG_NO_WAY;
    for (uint64_t left = s->valid; left; left &= left - 1) {
        int way = __builtin_ctzll(left);
        if (oldest == TAG_NO_WAY || used[way] < used[oldest]) {
            oldest = way;
        }
    }
    return oldest;
}

static void take(struct tag_array *t, unsigned set, int way, uint64_t line) {
    unsigned shift = (unsigned)way % 8 * 8;
    uint64_t *sketch = &t->sketch[set * t->sketch_words + (unsigned)way / 8];
    *sketch = (*sketch & ~(UINT64_C(0xff) << shift)) | (uint64_t)sketch_byte(t, line) << shift;
    t->line[set * t->ways + (unsigned)way] = line;
    t->set[set].dirty &= ~(UINT64_C(1) << way);
    tag_touch(t, set, way);
}

void tag_reserve(struct tag_array *t, unsigned set, int way, uint64_t line, unsigned mshr) {
    take(t, set, way, line);
    t->mshr[set * t->ways + (unsigned)way] = (uint16_t)mshr;
    t->set[set].valid &= ~(UINT64_C(1) << way);
    t->set[set].reserved |= UINT64_C(1) << way;
}

void tag_insert(struct tag_array *t, unsigned set, int way, uint64_t line) {
    take(t, set, way, line);
    t->set[set].valid |= UINT64_C(1) << way;
}

void tag_fill(struct tag_array *t, unsigned set, int way) {
    t->set[set].reserved &= ~(UINT64_C(1) << way);
    t->set[set].valid |= UINT64_C(1) << way;
}

unsigned tag_reserved_count(const struct tag_array *t) {
    unsigned count = 0;
    for (unsigned i = 0; i < t->sets; i++) {
        count += (unsigned)__builtin_popcountll(t->set[i].reserved);
    }
    return count;
}
