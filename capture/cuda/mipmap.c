/* SPDX-License-Identifier: Apache-2.0
 *
 * The API of mipmapped arrays: each level is an array of its own (array.c).
 */
#include <stdlib.h>

#include "cuda/errors.h"
#include "cuda/texture.h"

static size_t half_extent(size_t extent, unsigned level) {
    return extent && !(extent >> level) ? 1 : extent >> level;
}

/* 1 and the logarithm of the largest side; layers and faces are no side. */
static unsigned levels_of(struct array_extent e, bool layered) {
    size_t most = e.width > e.height ? e.width : e.height;
    unsigned levels = 0;
    most = !layered && e.depth > most ? e.depth : most;
    for (; most && levels < LEVELS_MAX; most >>= 1) {
        levels++;
    }
    return levels;
}

static void free_levels(struct warpmem_mipmapped_array *m) {
    for (unsigned i = 0; i < m->levels; i++) {
        cudaFreeArray(m->level[i]);
    }
    free(m);
}

API(cudaMallocMipmappedArray, struct warpmem_mipmapped_array **array,
    const struct channel_description *channels, struct array_extent extent, unsigned levels,
    unsigned flags) {
    const bool layered = flags & (ARRAY_LAYERED | ARRAY_CUBEMAP);
    const unsigned most = levels_of(extent, layered);
    if (!array || !most) {
        return note_error(cudaErrorInvalidValue);
    }
    struct warpmem_mipmapped_array *m = calloc(1, sizeof *m);
    levels = levels < most ? levels : most;
    int error = m ? cudaSuccess : cudaErrorMemoryAllocation;
    for (unsigned i = 0; !error && i < (levels ? levels : 1); i++) {
        const struct array_extent e = {half_extent(extent.width, i), half_extent(extent.height, i),
                                       layered ? extent.depth : half_extent(extent.depth, i)};
        error = cudaMalloc3DArray(&m->level[i], channels, e, flags);
        m->levels += !error;
    }
    if (error && m) {
        free_levels(m);
    }
    *array = error ? NULL : m;
    return note_error(error);
}

API(cudaGetMipmappedArrayLevel, struct warpmem_array **array,
    const struct warpmem_mipmapped_array *m, unsigned level) {
    if (!array || !m || level >= m->levels) {
        return note_error(cudaErrorInvalidValue);
    }
    *array = m->level[level];
    return cudaSuccess;
}

API(cudaFreeMipmappedArray, struct warpmem_mipmapped_array *m) {
    if (m) {
        free_levels(m);
    }
    return cudaSuccess;
}
