/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap from which kernels allocate, a piece of the device's memory.
 */
#ifndef WARPMEM_RUNTIME_HEAP_H
#define WARPMEM_RUNTIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#define HEAP_BYTES_DEFAULT ((size_t)8 << 20)

/** heap_set_limit() - its bytes, before the first malloc() of a kernel. False: it is later. */
bool heap_set_limit(size_t bytes);

/** heap_remember() - keep what is allocated; heap_return(): go back to it. */
void heap_remember(void);
void heap_return(void);

#endif
