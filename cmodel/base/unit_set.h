/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of up to UNITS_MAX units: a bit each, in words of 64. A user with at most 64 units needs
 * only one word; unit_words() is the number of words. UNITS_MAX is the limit of core.count and
 * l2.partitions.
 */
#ifndef WARPMEM_BASE_UNIT_SET_H
#define WARPMEM_BASE_UNIT_SET_H

#include <stdbool.h>
#include <stdint.h>

#define UNIT_WORDS 3
#define UNITS_MAX (64 * UNIT_WORDS)

struct unit_set {
    uint64_t word[UNIT_WORDS];
};

static inline unsigned unit_words(unsigned units) {
    return (units + 63) / 64;
}

static inline void unit_set_add(struct unit_set *s, unsigned unit) {
    s->word[unit / 64] |= UINT64_C(1) << unit % 64;
}

static inline void unit_set_remove(struct unit_set *s, unsigned unit) {
    s->word[unit / 64] &= ~(UINT64_C(1) << unit % 64);
}

static inline bool unit_set_has(const struct unit_set *s, unsigned unit) {
    return s->word[unit / 64] >> unit % 64 & 1;
}

static inline bool unit_set_is_empty(const struct unit_set *s) {
    return !(s->word[0] | s->word[1] | s->word[2]);
}

/** unit_set_first() - the lowest unit of a set that is not empty. */
static inline unsigned unit_set_first(const struct unit_set *s) {
    return s->word[0]   ? (unsigned)__builtin_ctzll(s->word[0])
           : s->word[1] ? 64 + (unsigned)__builtin_ctzll(s->word[1])
                        : 128 + (unsigned)__builtin_ctzll(s->word[2]);
}

/** unit_set_after() - the first unit after @unit, or the lowest if there is none; the set must not
 * be empty. */
static inline unsigned unit_set_after(const struct unit_set *s, unsigned unit) {
    unsigned word = unit / 64;
    uint64_t after = s->word[word] & ~UINT64_C(1) << unit % 64;
    if (after) {
        return word * 64 + (unsigned)__builtin_ctzll(after);
    }
    while (++word < UNIT_WORDS) {
        if (s->word[word]) {
            return word * 64 + (unsigned)__builtin_ctzll(s->word[word]);
        }
    }
    return unit_set_first(s);
}

#endif
