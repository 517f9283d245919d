/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of loads as the paper has it, without cycles: DAWS (MICRO 2013), 5.1.1, 5.1.2, 5.2.2.
 */
#ifndef WARPMEM_TB_ISSUE_DAWS_LOADS_CASES_H
#define WARPMEM_TB_ISSUE_DAWS_LOADS_CASES_H

#include <stdbool.h>

#include "issue/daws_loads.h"

struct plain_loads {
    unsigned entries, loops, code_shift;
    unsigned count, loop_count;
    struct plain_load {
        uint32_t loop, pc;
        int counter;
        unsigned group;
    } load[DAWS_LOADS_ENTRIES_MAX];
    struct {
        uint32_t pc;
        bool positive;
    } loop[DAWS_LOADS_LOOPS_MAX];
};

static inline unsigned plain_loop_at(const struct plain_loads *t, uint32_t pc) {
    unsigned i = 0;
    while (i < t->loop_count && t->loop[i].pc != pc) {
        i++;
    }
    return i;
}

static inline struct plain_load *plain_load_named(struct plain_loads *t, uint32_t loop,
                                                  uint32_t pc) {
    for (unsigned i = 0; i < t->count; i++) {
        if (t->load[i].loop == loop && t->load[i].pc == pc) {
            return &t->load[i];
        }
    }
    return NULL;
}

/* The entry of a load, a new one if it has none; NULL: refused. */
static inline struct plain_load *plain_load_entry(struct plain_loads *t, uint32_t loop,
                                                  uint32_t pc) {
    struct plain_load *l = plain_load_named(t, loop, pc);
    const unsigned at = plain_loop_at(t, loop);
    if (!l) {
        if (t->count == t->entries || at == t->loops) {
            return NULL;
        }
        t->loop_count += at == t->loop_count;
        l = &t->load[t->count];
        *l = (struct plain_load){.loop = loop, .pc = pc, .group = t->count++};
    }
    t->loop[at].pc = loop;
    t->loop[at].positive = true;
    return l;
}

/* Return: false: refused. */
static inline bool plain_loads_write(struct plain_loads *t, uint32_t loop, uint32_t pc,
                                     bool diverged, unsigned group) {
    struct plain_load *l = plain_load_entry(t, loop, pc);
    if (l) {
        l->counter = diverged ? 7 : -8;
        l->group = group;
    }
    return l;
}

static inline bool plain_loads_class(struct plain_loads *t, uint32_t loop, uint32_t pc,
                                     unsigned lanes, unsigned accesses) {
    struct plain_load *l = plain_load_entry(t, loop, pc);
    if (l && lanes > 2) {
        const int moved = l->counter + (accesses > 2 ? 1 : -1);
        l->counter = moved > 7 ? 7 : moved < -8 ? -8 : moved;
    }
    return l;
}

static inline void plain_loads_pair(struct plain_loads *t, uint32_t loop, uint32_t a, uint32_t b) {
    const struct plain_load *first = plain_load_named(t, loop, a),
                            *second = plain_load_named(t, loop, b);
    if (first && second) {
        const unsigned one = first->group, other = second->group;
        for (unsigned i = 0; i < t->count; i++) {
            if (t->load[i].loop == loop && t->load[i].group == (one > other ? one : other)) {
                t->load[i].group = one > other ? other : one;
            }
        }
    }
}

static inline void plain_loads_sign(struct plain_loads *t, uint32_t loop, bool positive) {
    const unsigned at = plain_loop_at(t, loop);
    if (at < t->loop_count) {
        t->loop[at].positive = positive;
    }
}

/* Each group of the loop once, diverged if one of its loads is. */
static inline unsigned plain_loads_lines(const struct plain_loads *t, uint32_t loop,
                                         unsigned lanes) {
    unsigned lines = 0;
    for (unsigned group = 0; group < t->entries; group++) {
        bool there = false, diverged = false;
        for (unsigned i = 0; i < t->count; i++) {
            if (t->load[i].loop == loop && t->load[i].group == group) {
                there = true;
                diverged |= t->load[i].counter > 1;
            }
        }
        lines += diverged ? lanes : there && lanes > 1 ? 2 : there && lanes == 1 ? 1 : 0;
    }
    return lines;
}

/* The loop that answers; *known: there is one. */
static inline uint32_t plain_answering_loop(const struct plain_loads *t, uint32_t pc, bool near,
                                            bool *known) {
    uint32_t lowest = 0;
    *known = false;
    for (unsigned i = 0; i < t->loop_count; i++) {
        const uint32_t loop = t->loop[i].pc;
        const bool fits =
            near ? loop >= pc && loop >> t->code_shift == pc >> t->code_shift : loop == pc;
        if (fits && t->loop[i].positive && (!*known || loop < lowest)) {
            *known = true;
            lowest = loop;
        }
    }
    return lowest;
}

#endif
