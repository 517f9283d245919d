/* SPDX-License-Identifier: Apache-2.0
 *
 * The API of textures and surfaces. A texture binds to linear memory, to rows or to an array
 * (array.c), a surface to an array.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/errors.h"
#include "cuda/texture.h"
#include "runtime/capture.h"
#include "runtime/memory.h"

enum resource_type { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_ROWS };

struct resource_description {
    enum resource_type type;
    union {
        const struct warpmem_array *array;
        const struct warpmem_mipmapped_array *mipmapped;
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
    struct level_modes levels;
};

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
    return bind_image(
        texture, (struct texture_image){.at = p, .width = width, .height = height, .pitch = pitch});
}

API(warpmem_bind_array, const void *texture, const struct warpmem_array *a) {
    return a ? bind_image(texture, a->image) : note_error(cudaErrorInvalidValue);
}

/* --- objects --- */

/* The image of a resource, and its channels. */
static struct texture_image image_of(const struct resource_description *r,
                                     struct channel_description *channels) {
    switch (r->type) {
    case RESOURCE_ARRAY:
        if (!r->of.array) {
            break;
        }
        *channels = r->of.array->channels;
        return r->of.array->image;
    case RESOURCE_LINEAR:
        *channels = r->of.linear.channels;
        return (struct texture_image){.at = r->of.linear.at, .bytes = r->of.linear.bytes};
    case RESOURCE_ROWS:
        *channels = r->of.rows.channels;
        return (struct texture_image){.at = r->of.rows.at,
                                      .width = r->of.rows.width,
                                      .height = r->of.rows.height,
                                      .pitch = r->of.rows.pitch};
    case RESOURCE_MIPMAPPED:
        if (!r->of.mipmapped) {
            break;
        }
        *channels = r->of.mipmapped->level[0]->channels;
        return r->of.mipmapped->level[0]->image;
    }
    return (struct texture_image){0};
}

/* Integers of 8 or 16 bits. */
static bool reads_as_fractions(const struct channel_description *d) {
    return (d->bits[0] == 8 || d->bits[0] == 16) && d->kind <= CHANNEL_UNSIGNED;
}

/* An object for each level, of which the texture chooses. */
static bool add_levels(unsigned long long object, const struct warpmem_mipmapped_array *a,
                       struct texture_modes modes, const struct texture_description *d) {
    unsigned long long level[LEVELS_MAX];
    for (unsigned i = 0; i < a->levels; i++) {
        level[i] = texture_make_object(a->level[i]->image, modes, d->read_mode);
        if (!level[i]) {
            return false;
        }
    }
    return texture_add_levels(object, level, a->levels, d->levels);
}

API(cudaCreateTextureObject, unsigned long long *object, const struct resource_description *r,
    const struct texture_description *d, const void *view) {
    struct texture_modes modes = {0};
    if (!object || !r || !d || view) {
        return note_error(cudaErrorInvalidValue);
    }
    const struct texture_image image = image_of(r, &modes.channels);
    if (!image.at || !memory_is_device(image.at) ||
        (d->read_mode && !reads_as_fractions(&modes.channels))) {
        return note_error(cudaErrorInvalidValue);
    }
    modes.normalized = d->normalized;
    modes.filter = d->filter;
    memcpy(modes.address, d->address, sizeof modes.address);
    *object = texture_make_object(image, modes, d->read_mode);
    const bool good = *object && (r->type != RESOURCE_MIPMAPPED ||
                                  add_levels(*object, r->of.mipmapped, modes, d));
    return note_error(good ? cudaSuccess : cudaErrorMemoryAllocation);
}

API(cudaCreateSurfaceObject, unsigned long long *object, const struct resource_description *r) {
    const struct warpmem_array *a = r && r->type == RESOURCE_ARRAY ? r->of.array : NULL;
    if (!object || !a || !(a->flags & ARRAY_SURFACE)) {
        return note_error(cudaErrorInvalidValue);
    }
    *object = texture_make_object(a->image, (struct texture_modes){.channels = a->channels}, false);
    return note_error(*object ? cudaSuccess : cudaErrorMemoryAllocation);
}

API(cudaDestroySurfaceObject, unsigned long long object) {
    return note_error(texture_drop_object(object) ? cudaSuccess : cudaErrorInvalidValue);
}

API(cudaDestroyTextureObject, unsigned long long object) {
    return note_error(texture_drop_object(object) ? cudaSuccess : cudaErrorInvalidValue);
}
