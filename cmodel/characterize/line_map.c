/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/line_map.h"

#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 256 };

void line_map_destroy(struct line_map *m) {
    free(m->entry);
    *m = (struct line_map){0};
}

void line_map_clear(struct line_map *m) {
    m->count = 0;
    if (++m->era == 0) { /* the era wrapped round: old entries must not match a later one */
        if (m->entry) {
            memset(m->entry, 0, m->capacity * sizeof *m->entry);
        }
        m->era = 1;
    }
}

/* Fibonacci hashing spreads lines that follow each other. */
static uint32_t first_place(const struct line_map *m, uint64_t key) {
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->capacity - 1);
}

/* Returns the key's entry, or the free entry where it would be. */
static struct line_map_entry *find_map_entry(const struct line_map *m, uint64_t key) {
    uint32_t at = first_place(m, key);
    while (m->entry[at].era == m->era && m->entry[at].key != key) {
        at = (at + 1) & (m->capacity - 1);
    }
    return &m->entry[at];
}

static bool grow_line_map(struct line_map *m) {
    uint32_t capacity = m->capacity ? 2 * m->capacity : CAPACITY_FIRST;
    struct line_map bigger = {.capacity = capacity, .count = m->count, .era = 1};
    bigger.entry = capacity ? calloc(capacity, sizeof *bigger.entry) : NULL;
    if (!bigger.entry) {
        return false;
    }
    for (uint32_t i = 0; i < m->capacity; i++) {
        if (m->entry[i].era == m->era) {
            struct line_map_entry *e = find_map_entry(&bigger, m->entry[i].key);
            *e = m->entry[i];
            e->era = bigger.era;
        }
    }
    free(m->entry);
    *m = bigger;
    return true;
}

bool line_map_find(const struct line_map *m, uint64_t key, uint32_t *number) {
    if (!m->capacity) {
        return false;
    }
    const struct line_map_entry *e = find_map_entry(m, key);
    *number = e->number;
    return e->era == m->era;
}

bool line_map_put(struct line_map *m, uint64_t key, uint32_t *number, bool *fresh) {
    if (m->count >= m->capacity / 2 && !grow_line_map(m)) {
        return false;
    }
    struct line_map_entry *e = find_map_entry(m, key);
    *fresh = e->era != m->era;
    if (*fresh) {
        *e = (struct line_map_entry){.key = key, .number = m->count++, .era = m->era};
    }
    *number = e->number;
    return true;
}

bool line_map_room(const struct line_map *m, void *array, uint32_t *room, unsigned size) {
    if (*room >= m->count) {
        return true;
    }
    uint32_t more = *room ? *room : CAPACITY_FIRST;
    while (more < m->count) {
        more *= 2;
    }
    void *old, *grown;
    memcpy(&old, array, sizeof old); /* any element type */
    grown = realloc(old, (size_t)more * size);
    if (!grown) {
        return false;
    }
    memset((uint8_t *)grown + (size_t)*room * size, 0, (size_t)(more - *room) * size);
    memcpy(array, &grown, sizeof grown);
    *room = more;
    return true;
}
