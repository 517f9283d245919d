/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory that a block allocates: programs that use this are linked with HEAP_WRAP
 * (tb/rules.mk), so that malloc() and calloc() come here first.
 */
#ifndef WARPMEM_COSIM_HEAP_H
#define WARPMEM_COSIM_HEAP_H

#include <stddef.h>

enum { HEAP_PARTS_MAX = 64 };

struct heap_part {
    void *at;
    size_t size; /* bytes */
};

/** heap_watch_begin() - remember what is allocated from now on. */
void heap_watch_begin(void);

/** heap_watch_end() - the parts since then, at most HEAP_PARTS_MAX, the first ones. Return: how
 * many there were, which may be more. */
unsigned heap_watch_end(struct heap_part parts[HEAP_PARTS_MAX]);

#endif
