/* SPDX-License-Identifier: Apache-2.0
 *
 * A number for each distinct line (or any other 64-bit key): 0, 1, 2, ... in order of arrival.
 * Users keep their data about lines in arrays indexed by that number.
 */
#ifndef WARPMEM_CHARACTERIZE_LINE_MAP_H
#define WARPMEM_CHARACTERIZE_LINE_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct line_map_entry {
    uint64_t key;
    uint32_t number, era;
};

/* Zeroed: an empty map without memory. */
struct line_map {
    struct line_map_entry *entry;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t count;    /* keys in it, and the next number */
    uint32_t era;      /* entries of another era are free: clearing costs nothing */
};

void line_map_destroy(struct line_map *m);
/** line_map_clear() - remove the keys, keep the memory. */
void line_map_clear(struct line_map *m);
/** line_map_find() - true if the key is there. *number: its number. */
bool line_map_find(const struct line_map *m, uint64_t key, uint32_t *number);
/** line_map_put() - find the key or add it. *fresh: it was added. False: out of memory, and nothing
 * has changed. */
bool line_map_put(struct line_map *m, uint64_t key, uint32_t *number, bool *fresh);

/**
 * line_map_room() - grow an array indexed by number so that it has an element for each key.
 * @array: of *room elements of @size bytes; new ones are zeroed
 * Return: false: out of memory, and nothing has changed.
 */
bool line_map_room(const struct line_map *m, void *array, uint32_t *room, unsigned size);

#endif
