/* SPDX-License-Identifier: Apache-2.0
 *
 * The API of arrays: of one, two and three dimensions, of layers and of a cube's faces, stored in
 * rows, because a GPU's order of texels is not known.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/errors.h"
#include "cuda/texture.h"
#include "runtime/capture.h"
#include "runtime/memory.h"

#define ROW_ALIGN 512 /* bytes, of an array's rows */

size_t texture_texel_bytes(const struct channel_description *d) {
    return (size_t)(d->bits[0] + d->bits[1] + d->bits[2] + d->bits[3]) / 8;
}

/* @slices: depth, layers or faces; 0: neither. */
static int make_array(struct warpmem_array **array, const struct channel_description *channels,
                      size_t width, size_t height, size_t slices, unsigned flags) {
    const size_t texel = channels ? texture_texel_bytes(channels) : 0;
    const bool cube = flags & ARRAY_CUBEMAP;
    if (!array || !texel || !width || width > DEVICE_BYTES / texel ||
        (cube && (width != height || !slices || slices % 6)) ||
        (cube && !(flags & ARRAY_LAYERED) && slices != 6)) {
        return note_error(cudaErrorInvalidValue);
    }
    struct warpmem_array *a = calloc(1, sizeof *a);
    const size_t pitch = (width * texel + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
    const size_t rows = height ? height : 1, most = DEVICE_BYTES / pitch / rows;
    const size_t all = slices ? slices : 1;
    char *at =
        a && rows <= DEVICE_BYTES / pitch && all <= most ? memory_take(pitch * rows * all) : NULL;
    if (!at) {
        free(a);
        return note_error(cudaErrorMemoryAllocation);
    }
    *a = (struct warpmem_array){.image = {.at = at,
                                          .width = width,
                                          .height = rows,
                                          .depth = slices,
                                          .pitch = pitch,
                                          .layered = cube || flags & ARRAY_LAYERED,
                                          .cube = cube},
                                .channels = *channels,
                                .texel_bytes = texel,
                                .rows = height,
                                .flags = flags};
    *array = a;
    return cudaSuccess;
}

API(cudaMallocArray, struct warpmem_array **array, const struct channel_description *channels,
    size_t width, size_t height, unsigned flags) {
    return make_array(array, channels, width, height, 0, flags);
}

API(cudaMalloc3DArray, struct warpmem_array **array, const struct channel_description *channels,
    struct array_extent extent, unsigned flags) {
    return make_array(array, channels, extent.width, extent.height, extent.depth, flags);
}

API(cudaArrayGetInfo, struct channel_description *channels, struct array_extent *extent,
    unsigned *flags, const struct warpmem_array *a) {
    if (!a) {
        return note_error(cudaErrorInvalidValue);
    }
    if (channels) {
        *channels = a->channels;
    }
    if (extent) {
        *extent = (struct array_extent){a->image.width, a->rows, a->image.depth};
    }
    if (flags) {
        *flags = a->flags;
    }
    return cudaSuccess;
}

API(cudaGetChannelDesc, struct channel_description *channels, const struct warpmem_array *a) {
    if (!channels || !a) {
        return note_error(cudaErrorInvalidValue);
    }
    *channels = a->channels;
    return cudaSuccess;
}

API(cudaFreeArray, struct warpmem_array *a) {
    if (a && !memory_give((void *)(uintptr_t)a->image.at)) {
        return note_error(cudaErrorInvalidValue);
    }
    free(a);
    return cudaSuccess;
}

bool array_has(const struct warpmem_array *a, size_t x, size_t y, size_t width, size_t height) {
    const size_t row = a ? a->image.width * a->texel_bytes : 0;
    return a && x <= row && width <= row - x && y <= a->image.height &&
           height <= a->image.height - y;
}

char *array_place(const struct warpmem_array *a, size_t x, size_t y, size_t z) {
    const size_t row = z * a->image.height + y;
    return (char *)(uintptr_t)a->image.at + row * a->image.pitch + x;
}

API(cudaMemcpy2DToArray, struct warpmem_array *a, size_t x, size_t y, const char *from,
    size_t pitch, size_t width, size_t height, int kind) {
    (void)kind;
    if (!from || !array_has(a, x, y, width, height)) {
        return note_error(cudaErrorInvalidValue);
    }
    for (size_t row = 0; row < height; row++) {
        memmove(array_place(a, x, y + row, 0), from + row * pitch, width);
    }
    if (width && height && !memory_is_device(from)) {
        recording_copy(array_place(a, x, y, 0), (height - 1) * a->image.pitch + width);
    }
    return cudaSuccess;
}

API(cudaMemcpy2DFromArray, char *to, size_t pitch, const struct warpmem_array *a, size_t x,
    size_t y, size_t width, size_t height, int kind) {
    (void)kind;
    if (!to || !array_has(a, x, y, width, height)) {
        return note_error(cudaErrorInvalidValue);
    }
    for (size_t row = 0; row < height; row++) {
        memmove(to + row * pitch, array_place(a, x, y + row, 0), width);
    }
    return cudaSuccess;
}

/* Bytes that go on in the next row. */
static int copy_through_rows(const struct warpmem_array *a, size_t x, size_t y, char *host,
                             size_t bytes, bool into) {
    const size_t row = a ? a->image.width * a->texel_bytes : 0;
    while (bytes) {
        const size_t part = x < row && bytes < row - x ? bytes : x < row ? row - x : 0;
        if (!host || !part || !array_has(a, x, y, part, 1)) {
            return note_error(cudaErrorInvalidValue);
        }
        char *at = array_place(a, x, y, 0);
        memmove(into ? at : host, into ? host : at, part);
        if (into && !memory_is_device(host)) {
            recording_copy(at, part);
        }
        host += part;
        bytes -= part;
        x = 0;
        y++;
    }
    return cudaSuccess;
}

API(cudaMemcpyToArray, struct warpmem_array *a, size_t x, size_t y, const char *from, size_t bytes,
    int kind) {
    (void)kind;
    return copy_through_rows(a, x, y, (char *)(uintptr_t)from, bytes, true);
}

API(cudaMemcpyFromArray, char *to, const struct warpmem_array *a, size_t x, size_t y, size_t bytes,
    int kind) {
    (void)kind;
    return copy_through_rows(a, x, y, to, bytes, false);
}
