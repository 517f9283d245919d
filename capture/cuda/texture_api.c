/* SPDX-License-Identifier: Apache-2.0
 *
 * The API of textures and arrays. A texture binds to linear memory, to rows or to an array, which
 * is stored in rows as well, because a GPU's order of texels is not known.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/errors.h"
#include "cuda/texture.h"
#include "runtime/capture.h"
#include "runtime/memory.h"

#define ROW_ALIGN 512 /* bytes, of an array's rows */

/* As in warpmem_texture.h. */
struct channel_description {
    int bits[4], kind;
};

enum resource_type { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_ROWS };

struct resource_description {
    enum resource_type type;
    union {
        const struct warpmem_array *array;
        struct {
            const char *at;
            struct channel_description channels;
            size_t bytes;
        } linear;
        struct {
            const char *at;
            struct channel_description channels;
            size_t width, height, pitch;
        } rows;
    } of;
};

struct texture_description {
    int address[3], filter, read_mode, srgb;
    float border[4];
    int normalized;
    unsigned anisotropy;
};

static size_t bytes_of_texel(const struct channel_description *d) {
    return (size_t)(d->bits[0] + d->bits[1] + d->bits[2] + d->bits[3]) / 8;
}

/* --- arrays --- */

API(cudaMallocArray, struct warpmem_array **array, const struct channel_description *channels,
    size_t width, size_t height, unsigned flags) {
    (void)flags;
    const size_t texel = channels ? bytes_of_texel(channels) : 0;
    if (!array || !texel || !width || width > DEVICE_BYTES / texel) {
        return note_error(cudaErrorInvalidValue);
    }
    struct warpmem_array *a = calloc(1, sizeof *a);
    const size_t pitch = (width * texel + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
    const size_t rows = height ? height : 1;
    char *at = a && rows <= DEVICE_BYTES / pitch ? memory_take(pitch * rows) : NULL;
    if (!at) {
        free(a);
        return note_error(cudaErrorMemoryAllocation);
    }
    *a = (struct warpmem_array){{at, 0, width, rows, pitch}, texel};
    *array = a;
    return cudaSuccess;
}

API(cudaFreeArray, struct warpmem_array *a) {
    if (a && !memory_give((void *)(uintptr_t)a->image.at)) {
        return note_error(cudaErrorInvalidValue);
    }
    free(a);
    return cudaSuccess;
}

/* @x: in bytes. Do @height rows of @width bytes from there lie in the array? */
static bool array_has(const struct warpmem_array *a, size_t x, size_t y, size_t width,
                      size_t height) {
    const size_t row = a ? a->image.width * a->texel_bytes : 0;
    return a && x <= row && width <= row - x && y <= a->image.height &&
           height <= a->image.height - y;
}

static char *place_in_array(const struct warpmem_array *a, size_t x, size_t y) {
    return (char *)(uintptr_t)a->image.at + y * a->image.pitch + x;
}

API(cudaMemcpy2DToArray, struct warpmem_array *a, size_t x, size_t y, const char *from,
    size_t pitch, size_t width, size_t height, int kind) {
    (void)kind;
    if (!from || !array_has(a, x, y, width, height)) {
        return note_error(cudaErrorInvalidValue);
    }
    for (size_t row = 0; row < height; row++) {
        memmove(place_in_array(a, x, y + row), from + row * pitch, width);
    }
    if (width && height && !memory_is_device(from)) {
        recording_copy(place_in_array(a, x, y), (height - 1) * a->image.pitch + width);
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
        memmove(to + row * pitch, place_in_array(a, x, y + row), width);
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
        char *at = place_in_array(a, x, y);
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

/* --- references --- */

static int bind_image(const void *texture, struct texture_image image) {
    const bool good = (!image.at || memory_is_device(image.at)) && texture_bind(texture, image);
    return note_error(good ? cudaSuccess : cudaErrorInvalidValue);
}

API(warpmem_bind_texture, const void *texture, const char *p, size_t bytes) {
    return bind_image(texture, (struct texture_image){.at = p, .bytes = bytes});
}

API(warpmem_bind_texture_2d, const void *texture, const char *p, size_t width, size_t height,
    size_t pitch) {
    return bind_image(texture, (struct texture_image){p, 0, width, height, pitch});
}

API(warpmem_bind_array, const void *texture, const struct warpmem_array *a) {
    return a ? bind_image(texture, a->image) : note_error(cudaErrorInvalidValue);
}

/* --- objects --- */

API(cudaCreateTextureObject, unsigned long long *object, const struct resource_description *r,
    const struct texture_description *d, const void *view) {
    struct texture_image image = {0};
    if (!object || !r || !d || view || d->read_mode) { /* normalized reads need the texels' type */
        return note_error(cudaErrorInvalidValue);
    }
    switch (r->type) {
    case RESOURCE_ARRAY: image = r->of.array ? r->of.array->image : image; break;
    case RESOURCE_LINEAR:
        image = (struct texture_image){.at = r->of.linear.at, .bytes = r->of.linear.bytes};
        break;
    case RESOURCE_ROWS:
        image = (struct texture_image){r->of.rows.at, 0, r->of.rows.width, r->of.rows.height,
                                       r->of.rows.pitch};
        break;
    case RESOURCE_MIPMAPPED: break;
    }
    if (!image.at || !memory_is_device(image.at)) {
        return note_error(cudaErrorInvalidValue);
    }
    *object = texture_make_object(
        image, (struct texture_modes){
                   d->normalized, d->filter, {d->address[0], d->address[1], d->address[2]}});
    return note_error(*object ? cudaSuccess : cudaErrorMemoryAllocation);
}

API(cudaDestroyTextureObject, unsigned long long object) {
    return note_error(texture_drop_object(object) ? cudaSuccess : cudaErrorInvalidValue);
}
