/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that a block allocates. Programs that use this are linked with HEAP_WRAP
 * (tb/rules.mk), so that it intercepts malloc() and calloc().
 */
#ifndef WARPMEM_COSIM_HEAP_H
#define WARPMEM_COSIM_HEAP_H

#include <stddef.h>

enum { HEAP_PARTS_MAX = 64 };

struct heap_part {
    void *at;
    size_t size; /* bytes */
};

/** heap_watch_begin() - record allocations from now on. */
void heap_watch_begin(void);

/** heap_watch_end() - the first HEAP_PARTS_MAX allocations since then. Return: their number, which
 * may be larger. */
unsigned heap_watch_end(struct heap_part parts[HEAP_PARTS_MAX]);

#endif
