/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/heap.h"

#include <stdbool.h>
#include <string.h>

/* The linker gives these names. NOLINTBEGIN(bugprone-reserved-identifier) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static struct heap_part watched[HEAP_PARTS_MAX];
static unsigned count;
static bool watching;

static void *note_part(void *at, size_t size) {
    if (watching && at) {
        if (count < HEAP_PARTS_MAX) {
            watched[count] = (struct heap_part){at, size};
        }
        count++;
    }
    return at;
}

void *__wrap_malloc(size_t size) {
    return note_part(__real_malloc(size), size);
}

void *__wrap_calloc(size_t n, size_t size) {
    return note_part(__real_calloc(n, size), n * size);
}
/* NOLINTEND(bugprone-reserved-identifier) */

void heap_watch_begin(void) {
    count = 0;
    watching = true;
}

unsigned heap_watch_end(struct heap_part parts[HEAP_PARTS_MAX]) {
    watching = false;
    memcpy(parts, watched, sizeof watched);
    return count;
}
