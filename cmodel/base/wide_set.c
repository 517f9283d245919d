/* SPDX-License-Identifier: Apache-2.0 */
#include "base/wide_set.h"

#include <assert.h>
#include <stdlib.h>

static void append_newest_way(struct wide_set *w, struct wide_list *list, unsigned set,
                              uint32_t way) {
    uint32_t *older = &w->older[(size_t)set * w->ways], *newer = &w->newer[(size_t)set * w->ways];
    older[way] = list->newest;
    newer[way] = WIDE_NONE;
    *(list->newest == WIDE_NONE ? &list->oldest : &newer[list->newest]) = way;
    list->newest = way;
}

static void unlink_way(struct wide_set *w, struct wide_list *list, unsigned set, uint32_t way) {
    uint32_t *older = &w->older[(size_t)set * w->ways], *newer = &w->newer[(size_t)set * w->ways];
    *(older[way] == WIDE_NONE ? &list->oldest : &newer[older[way]]) = newer[way];
    *(newer[way] == WIDE_NONE ? &list->newest : &older[newer[way]]) = older[way];
}

struct wide_set *wide_set_create(unsigned sets, unsigned ways) {
    struct wide_set *w = calloc(1, sizeof *w);
    size_t places = (size_t)sets * ways;
    unsigned bits = 1;
    if (!w) {
        return NULL;
    }
    while (UINT64_C(1) << bits < places) {
        bits++;
    }
    w->ways = ways;
    w->hash_shift = 64 - bits;
    w->used = calloc(sets, sizeof *w->used);
    w->unused = calloc(sets, sizeof *w->unused);
    w->older = calloc(places, sizeof *w->older);
    w->newer = calloc(places, sizeof *w->newer);
    w->next = calloc(places, sizeof *w->next);
    w->bucket = calloc((size_t)1 << bits, sizeof *w->bucket);
    if (!w->used || !w->unused || !w->older || !w->newer || !w->next || !w->bucket) {
        wide_set_destroy(w);
        return NULL;
    }
    for (size_t i = 0; i < (size_t)1 << bits; i++) {
        w->bucket[i] = WIDE_NONE;
    }
    for (unsigned set = 0; set < sets; set++) {
        w->used[set] = w->unused[set] = (struct wide_list){WIDE_NONE, WIDE_NONE};
        for (uint32_t way = 0; way < ways; way++) {
            append_newest_way(w, &w->unused[set], set, way);
        }
    }
    return w;
}

void wide_set_destroy(struct wide_set *w) {
    if (!w) {
        return;
    }
    free(w->used);
    free(w->unused);
    free(w->older);
    free(w->newer);
    free(w->next);
    free(w->bucket);
    free(w);
}

static uint32_t *bucket_of(const struct wide_set *w, uint64_t line) {
    /* Multiplicative hashing: 2^64 over the golden ratio. */
    return &w->bucket[line * UINT64_C(0x9e3779b97f4a7c15) >> w->hash_shift];
}

uint32_t wide_set_find(const struct wide_set *w, const uint64_t *lines, unsigned set,
                       uint64_t line) {
    for (uint32_t place = *bucket_of(w, line); place != WIDE_NONE; place = w->next[place]) {
        if (lines[place] == line) { /* a line is in its set only */
            return place - set * w->ways;
        }
    }
    return WIDE_NONE;
}

void wide_set_add(struct wide_set *w, unsigned set, uint32_t way, uint64_t line) {
    uint32_t *bucket = bucket_of(w, line), place = set * w->ways + way;
    unlink_way(w, &w->unused[set], set, way);
    append_newest_way(w, &w->used[set], set, way);
    w->next[place] = *bucket;
    *bucket = place;
}

void wide_set_remove(struct wide_set *w, unsigned set, uint32_t way, uint64_t line) {
    uint32_t *link = bucket_of(w, line), place = set * w->ways + way;
    while (*link != place) {
        assert(*link != WIDE_NONE);
        link = &w->next[*link];
    }
    *link = w->next[place];
    unlink_way(w, &w->used[set], set, way);
    append_newest_way(w, &w->unused[set], set, way);
}

void wide_set_touch(struct wide_set *w, unsigned set, uint32_t way) {
    unlink_way(w, &w->used[set], set, way);
    append_newest_way(w, &w->used[set], set, way);
}
