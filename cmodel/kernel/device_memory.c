/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/device_memory.h"

#include <stdlib.h>

bool device_memory_alloc(struct device_memory *m, struct buffer *b, uint64_t count,
                         unsigned width) {
    if (count > SIZE_MAX / 2 / width) {
        return false;
    }
    void **block = realloc(m->block, (m->block_count + 1) * sizeof *block);
    if (!block) {
        return false;
    }
    m->block = block;
    uint64_t *sizes = realloc(m->block_bytes, (m->block_count + 1) * sizeof *sizes);
    if (!sizes) {
        return false;
    }
    m->block_bytes = sizes;
    /* calloc: untouched pages cost nothing. Each allocation has its own block, so that the address
     * sanitizer finds a host access past its end. */
    void *data = calloc(count ? count : 1, width);
    if (!data) {
        return false;
    }
    m->block_bytes[m->block_count] = count * width;
    m->block[m->block_count++] = data;
    *b = (struct buffer){
        .address = DEVICE_MEMORY_BASE + m->used, .data = data, .count = count, .width = width};
    uint64_t bytes = count * width;
    m->used += (bytes + DEVICE_MEMORY_ALIGN - 1) / DEVICE_MEMORY_ALIGN * DEVICE_MEMORY_ALIGN;
    return true;
}

void device_memory_free(struct device_memory *m) {
    for (unsigned i = 0; i < m->block_count; i++) {
        free(m->block[i]);
    }
    free(m->block);
    free(m->block_bytes);
    *m = (struct device_memory){0};
}
