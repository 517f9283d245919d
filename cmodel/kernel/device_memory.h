/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU's global memory, with contents: a workload's host side allocates buffers and fills them,
 * and its kernels read and write them through kernel/simt.h.
 */
#ifndef WARPMEM_KERNEL_DEVICE_MEMORY_H
#define WARPMEM_KERNEL_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_MEMORY_BASE 0x80000000u /* address of the first allocation */
#define DEVICE_MEMORY_ALIGN 256        /* each allocation is rounded up to this */

/**
 * struct buffer - an array that a kernel can name.
 * @address: of element 0, as the GPU sees it
 * @data: element 0, as the host sees it
 * @count: elements; an access outside 0 .. count-1 is a bug of the kernel and stops the program
 * @width: bytes an element: 1, 2, 4, 8, 16
 * @shared: in the shared memory of a CTA (simt_shared()), else in device memory
 * @local: for an array that each thread has for itself (simt_local()): bytes from one thread's
 *         elements to the next thread's; else 0
 */
struct buffer {
    uint64_t address;
    void *data;
    uint64_t count;
    unsigned width;
    bool shared;
    unsigned local;
};

struct device_memory {
    uint64_t used; /* bytes, rounded */
    void **block;
    uint64_t *block_bytes;
    unsigned block_count;
};

/**
 * device_memory_alloc() - allocate zeroed elements after the previous allocation.
 * @m: zero-initialised before the first call
 * Return: false when out of memory; *b is then untouched.
 */
bool device_memory_alloc(struct device_memory *m, struct buffer *b, uint64_t count, unsigned width);
/** device_memory_free() - free all allocations. */
void device_memory_free(struct device_memory *m);

#endif
