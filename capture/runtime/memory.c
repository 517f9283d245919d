/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/hold.h"
#include "runtime/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define UNIT 256

/* Allocated pieces, by ascending address. */
static struct piece {
    uint64_t at, bytes; /* at: from the base */
    enum memory_kind kind;
} * pieces;
static size_t piece_count, piece_room;
static bool reserved;

static bool reserve_memory(void) {
    if (!reserved) {
        void *wanted = (void *)(DEVICE_BASE - DEVICE_GUARD);
        reserved = mmap(wanted, DEVICE_GUARD + DEVICE_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
                        0) == wanted;
        if (!reserved) {
            fprintf(stderr, "warpmem capture: the device's memory cannot be reserved\n");
        }
    }
    return reserved;
}

void *memory_take(size_t bytes) {
    HOLD_DEVICE;
    uint64_t at = 0, wanted = ((bytes ? bytes : 1) + UNIT - 1) / UNIT * UNIT;
    size_t i = 0;
    if (!reserve_memory() || wanted > DEVICE_BYTES) {
        return NULL;
    }
    while (i < piece_count && pieces[i].at - at < wanted) {
        at = pieces[i].at + pieces[i].bytes;
        i++;
    }
    if (DEVICE_BYTES - at < wanted) {
        return NULL;
    }
    if (piece_count == piece_room) {
        size_t room = piece_room ? 2 * piece_room : 64;
        struct piece *grown = realloc(pieces, room * sizeof *grown);
        if (!grown) {
            return NULL;
        }
        pieces = grown;
        piece_room = room;
    }
    memmove(&pieces[i + 1], &pieces[i], (piece_count - i) * sizeof *pieces);
    pieces[i] = (struct piece){.at = at, .bytes = wanted};
    piece_count++;
    return (void *)(uintptr_t)(DEVICE_BASE + at);
}

static struct piece *piece_with(const void *p) {
    uint64_t at = (uintptr_t)p - DEVICE_BASE;
    for (size_t i = 0; i < piece_count && pieces[i].at <= at; i++) {
        if (at - pieces[i].at < pieces[i].bytes) {
            return &pieces[i];
        }
    }
    return NULL;
}

bool memory_give(void *p) {
    HOLD_DEVICE;
    struct piece *found = piece_with(p);
    if (!found || (uintptr_t)p != DEVICE_BASE + found->at) {
        return false;
    }
    memmove(found, found + 1, (size_t)(pieces + piece_count - (found + 1)) * sizeof *found);
    piece_count--;
    return true;
}

bool memory_has(const void *p, size_t bytes) {
    HOLD_DEVICE;
    const struct piece *found = piece_with(p);
    return found && (uintptr_t)p - DEVICE_BASE + bytes <= found->at + found->bytes;
}

char *memory_piece(size_t i, size_t *bytes) {
    HOLD_DEVICE;
    if (i >= piece_count) {
        return NULL;
    }
    *bytes = (size_t)pieces[i].bytes;
    return (char *)(uintptr_t)(DEVICE_BASE + pieces[i].at);
}

size_t memory_left(void) {
    HOLD_DEVICE;
    uint64_t used = 0;
    for (size_t i = 0; i < piece_count; i++) {
        used += pieces[i].bytes;
    }
    return (size_t)(DEVICE_BYTES - used);
}

void memory_set_kind(void *p, enum memory_kind kind) {
    HOLD_DEVICE;
    struct piece *found = piece_with(p);
    if (found) {
        found->kind = kind;
    }
}

enum memory_kind memory_kind_of(const void *p) {
    HOLD_DEVICE;
    const struct piece *found = piece_with(p);
    return found ? found->kind : MEMORY_NONE;
}

/* --- memory of the host --- */

static struct registered {
    const char *at;
    size_t bytes;
    char *shadow; /* the piece whose addresses it has in a trace */
} * registered;
static size_t registered_count;

bool memory_register(const char *p, size_t bytes) {
    HOLD_DEVICE;
    for (size_t i = 0; i < registered_count; i++) {
        if (p < registered[i].at + registered[i].bytes && registered[i].at < p + bytes) {
            return false;
        }
    }
    struct registered *grown = realloc(registered, (registered_count + 1) * sizeof *grown);
    registered = grown ? grown : registered;
    char *shadow = grown ? memory_take(bytes) : NULL;
    if (shadow) {
        registered[registered_count++] = (struct registered){p, bytes, shadow};
    }
    return shadow;
}

bool memory_unregister(const char *p) {
    HOLD_DEVICE;
    for (size_t i = 0; i < registered_count; i++) {
        if (registered[i].at == p) {
            memory_give(registered[i].shadow);
            registered[i] = registered[--registered_count];
            return true;
        }
    }
    return false;
}

uint64_t memory_registered(const char *p) {
    HOLD_DEVICE;
    for (size_t i = 0; i < registered_count; i++) {
        const size_t offset = (size_t)(p - registered[i].at);
        if (offset < registered[i].bytes) {
            return (uintptr_t)registered[i].shadow + offset - DEVICE_BASE + TRACE_DEVICE;
        }
    }
    return 0;
}

char *memory_registered_piece(size_t i, size_t *bytes) {
    HOLD_DEVICE;
    if (i >= registered_count) {
        return NULL;
    }
    *bytes = registered[i].bytes;
    return (char *)(uintptr_t)registered[i].at;
}
