/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/capture.h"
#include "runtime/hold.h"
#include "runtime/memory.h"

#define UNIT 16

/* Allocated parts of the heap, by ascending place. */
struct heap_part {
    size_t at, bytes;
};

struct heap_parts {
    struct heap_part *part;
    size_t count, room;
};

static char *heap;
static size_t limit = HEAP_BYTES_DEFAULT;
static struct heap_parts parts, remembered;

bool heap_set_limit(size_t bytes) {
    HOLD_DEVICE;
    if (heap) {
        return bytes == limit;
    }
    limit = bytes;
    return true;
}

static void make_room(struct heap_parts *p, size_t count) {
    if (count > p->room) {
        p->room = 2 * count + 64;
        p->part = realloc(p->part, p->room * sizeof *p->part);
        if (!p->part) {
            capture_fail("out of memory");
        }
    }
}

static void copy_parts(struct heap_parts *to, const struct heap_parts *from) {
    make_room(to, from->count + 1);
    if (from->count) {
        memcpy(to->part, from->part, from->count * sizeof *from->part);
    }
    to->count = from->count;
}

void heap_remember(void) {
    copy_parts(&remembered, &parts);
}

void heap_return(void) {
    copy_parts(&parts, &remembered);
}

/* First fit. NULL: no room, as a GPU's malloc() says. */
void *__wm_int1_malloc(size_t bytes);
void *__wm_int1_malloc(size_t bytes) {
    size_t at = 0, i = 0;
    if (!heap && !(heap = memory_take(limit))) {
        return NULL;
    }
    if (bytes > limit) {
        return NULL;
    }
    const size_t wanted = ((bytes ? bytes : 1) + UNIT - 1) / UNIT * UNIT;
    while (i < parts.count && parts.part[i].at - at < wanted) {
        at = parts.part[i].at + parts.part[i].bytes;
        i++;
    }
    if (limit - at < wanted) {
        return NULL;
    }
    make_room(&parts, parts.count + 1);
    memmove(&parts.part[i + 1], &parts.part[i], (parts.count - i) * sizeof *parts.part);
    parts.part[i] = (struct heap_part){at, wanted};
    parts.count++;
    return heap + at;
}

void __wm_int1_free(void *p);
void __wm_int1_free(void *p) {
    if (!p) {
        return;
    }
    for (size_t i = 0; i < parts.count; i++) {
        if (heap + parts.part[i].at == p) {
            parts.count--;
            memmove(&parts.part[i], &parts.part[i + 1], (parts.count - i) * sizeof *parts.part);
            return;
        }
    }
    capture_fail("kernel %s: free() of an address that malloc() has not returned",
                 running_kernel->name);
}
