/* SPDX-License-Identifier: Apache-2.0
 *
 * On the device the address of a variable identifies a reference, and an object is an address
 * itself.
 */
#define _GNU_SOURCE
#include "cuda/texture.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

#include "runtime/capture.h"
#include "runtime/memory.h"

struct texture {
    const void *host, *device; /* of an object: NULL, itself */
    const struct texture_modes *modes;
    struct texture_modes own_modes; /* of an object */
    struct texture_image image;
};

static struct texture **textures;
static size_t texture_count;

static bool add_to_list(struct texture *t) {
    struct texture **grown = realloc(textures, (texture_count + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    textures = grown;
    textures[texture_count++] = t;
    return true;
}

void texture_add(struct module *m, const void *host, const char *device_name) {
    struct texture *t = calloc(1, sizeof *t);
    if (!t || !add_to_list(t)) {
        capture_fail("out of memory");
    }
    *t = (struct texture){.host = host, .device = dlsym(m->handle, device_name), .modes = host};
}

bool texture_bind(const void *host, struct texture_image image) {
    for (size_t i = 0; i < texture_count; i++) {
        if (textures[i]->host == host) {
            textures[i]->image = image;
            return true;
        }
    }
    return false;
}

unsigned long long texture_make_object(struct texture_image image, struct texture_modes modes) {
    struct texture *t = calloc(1, sizeof *t);
    if (!t || !add_to_list(t)) {
        free(t);
        return 0;
    }
    *t = (struct texture){.device = t, .modes = &t->own_modes, .own_modes = modes, .image = image};
    return (unsigned long long)(uintptr_t)t;
}

bool texture_drop_object(unsigned long long object) {
    for (size_t i = 0; i < texture_count; i++) {
        if (!textures[i]->host && textures[i]->device == (const void *)(uintptr_t)object) {
            free(textures[i]);
            textures[i] = textures[--texture_count];
            return true;
        }
    }
    return false;
}

static const struct texture *find_texture(const void *device) {
    for (size_t i = 0; i < texture_count; i++) {
        if (textures[i]->device == device && textures[i]->image.at) {
            return textures[i];
        }
    }
    capture_fail("kernel %s: reads a texture that is bound to no memory", running_kernel->name);
}

/* Outside of the image a GPU reads 0: so does the guard before the device's memory, which no kernel
 * writes. */
static const void *outside_image(void) {
    return (const void *)(DEVICE_BASE - DEVICE_GUARD);
}

/* The element of linear memory. */
const void *__wm_texture(const void *device, int index, int size);
const void *__wm_texture(const void *device, int index, int size) {
    const struct texture *t = find_texture(device);
    const bool inside = index >= 0 && ((size_t)index + 1) * (size_t)size <= t->image.bytes;
    return inside ? t->image.at + (size_t)index * (size_t)size : outside_image();
}

/* A coordinate in texels: of the texel that has the point, or with a linear filter of the first of
 * the two around it. */
static double place_of(const struct texture *t, float coordinate, size_t texels) {
    const double place =
        t->modes->normalized ? (double)coordinate * (double)texels : (double)coordinate;
    return t->modes->filter == FILTER_LINEAR ? place - 0.5 : place;
}

/* By the address mode; wrap and mirror are for normalized coordinates alone. False: outside. */
static bool settle_coordinate(const struct texture *t, int dimension, double *texel,
                              size_t texels) {
    const double n = (double)texels;
    int mode = t->modes->address[dimension];
    mode = !t->modes->normalized && mode != ADDRESS_BORDER ? ADDRESS_CLAMP : mode;
    if (*texel >= 0 && *texel < n) {
        return true;
    }
    switch (mode) {
    case ADDRESS_BORDER: return false;
    case ADDRESS_WRAP: *texel -= n * floor(*texel / n); return true;
    case ADDRESS_MIRROR:
        *texel -= 2 * n * floor(*texel / (2 * n));
        *texel = *texel < n ? *texel : 2 * n - 1 - *texel;
        return true;
    default: *texel = *texel < 0 ? 0 : n - 1; return true;
    }
}

/* A texel of an array or of rows. @corner: of the four around the point, + 1: the next in x, + 2:
 * in y. */
const void *__wm_texel(const void *device, float x, float y, int corner, int size);
const void *__wm_texel(const void *device, float x, float y, int corner, int size) {
    const struct texture *t = find_texture(device);
    const size_t height = t->image.height ? t->image.height : 1;
    double column = floor(place_of(t, x, t->image.width)) + (corner & 1), row = 0;
    bool inside = settle_coordinate(t, 0, &column, t->image.width);
    if (height > 1) {
        row = floor(place_of(t, y, height)) + (corner >> 1);
        inside &= settle_coordinate(t, 1, &row, height);
    }
    return inside && t->image.width
               ? t->image.at + (size_t)row * t->image.pitch + (size_t)column * (size_t)size
               : outside_image();
}

/* The distance of the point from the first of the two texels around it, in the 1/256 that a GPU's
 * filter distinguishes; negative: the filter is none. */
float __wm_texture_fraction(const void *device, float coordinate, int dimension);
float __wm_texture_fraction(const void *device, float coordinate, int dimension) {
    const struct texture *t = find_texture(device);
    if (t->modes->filter != FILTER_LINEAR) {
        return -1;
    }
    const double place = place_of(t, coordinate, dimension ? t->image.height : t->image.width);
    return (float)(rint((place - floor(place)) * 256) / 256);
}
