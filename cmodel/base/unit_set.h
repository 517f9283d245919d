/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of units, as many as UNITS_MAX: a bit each in words of 64. Who has at most 64 of them looks
 * at one word: its number of words is unit_words().
 */
#ifndef WARPMEM_BASE_UNIT_SET_H
#define WARPMEM_BASE_UNIT_SET_H

#include <stdbool.h>
#include <stdint.h>

#define UNIT_WORDS 2
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
    return !(s->word[0] | s->word[1]);
}

/** unit_set_first() - the lowest unit of a set that is not empty. */
static inline unsigned unit_set_first(const struct unit_set *s) {
    return s->word[0] ? (unsigned)__builtin_ctzll(s->word[0])
                      : 64 + (unsigned)__builtin_ctzll(s->word[1]);
}

/** unit_set_after() - the first unit behind @unit, or the lowest where there is none; the set is
 * not empty. */
static inline unsigned unit_set_after(const struct unit_set *s, unsigned unit) {
    unsigned word = unit / 64;
    uint64_t after = s->word[word] & ~UINT64_C(1) << unit % 64;
    if (after) {
        return word * 64 + (unsigned)__builtin_ctzll(after);
    }
    return word == 0 && s->word[1] ? 64 + (unsigned)__builtin_ctzll(s->word[1]) : unit_set_first(s);
}

#endif
