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
#include "runtime/hold.h"
#include "runtime/memory.h"

struct texture {
    const void *host, *device; /* of an object: NULL, itself */
    const struct texture_modes *modes;
    struct texture_modes own_modes; /* of an object */
    struct texture_image image;
    bool fractions;  /* an object that reads integers as fractions of 1 */
    unsigned levels; /* of a mipmapped array; 0: none */
    unsigned long long level[LEVELS_MAX];
    struct level_modes level_modes;
};

static struct texture **textures;
static size_t texture_count;

static bool add_to_list(struct texture *t) {
    HOLD_DEVICE;
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
    HOLD_DEVICE;
    for (size_t i = 0; i < texture_count; i++) {
        if (textures[i]->host == host) {
            textures[i]->image = image;
            return true;
        }
    }
    return false;
}

unsigned long long texture_make_object(struct texture_image image, struct texture_modes modes,
                                       bool fractions) {
    struct texture *t = calloc(1, sizeof *t);
    if (!t || !add_to_list(t)) {
        free(t);
        return 0;
    }
    *t = (struct texture){.device = t,
                          .modes = &t->own_modes,
                          .own_modes = modes,
                          .image = image,
                          .fractions = fractions};
    return (unsigned long long)(uintptr_t)t;
}

static struct texture **find_object(unsigned long long object) {
    for (size_t i = 0; i < texture_count; i++) {
        if (!textures[i]->host && textures[i]->device == (const void *)(uintptr_t)object) {
            return &textures[i];
        }
    }
    return NULL;
}

bool texture_add_levels(unsigned long long object, const unsigned long long *levels, unsigned count,
                        struct level_modes modes) {
    HOLD_DEVICE;
    struct texture **t = find_object(object);
    for (unsigned i = 0; t && i < count; i++) {
        (*t)->level[i] = levels[i];
    }
    if (t) {
        (*t)->levels = count;
        (*t)->level_modes = modes;
    }
    return t;
}

bool texture_drop_object(unsigned long long object) {
    HOLD_DEVICE;
    struct texture **at = find_object(object), *t = at ? *at : NULL;
    if (!t) {
        return false;
    }
    *at = textures[--texture_count];
    for (unsigned i = 0; i < t->levels; i++) {
        texture_drop_object(t->level[i]);
    }
    free(t);
    return true;
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

size_t texture_rows(const struct texture_image *image) {
    return image->height ? image->height : 1;
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

/* A slice of a layered image, or nothing of the others' third coordinate. */
static double layer_of(const struct texture *t, float z) {
    const double last = (double)t->image.depth - 1, layer = rint((double)z);
    return layer < 0 ? 0 : layer < last ? layer : last;
}

static const void *texel_at(const struct texture *t, double column, double row, double slice,
                            int size) {
    const size_t line = (size_t)slice * texture_rows(&t->image) + (size_t)row;
    return t->image.at + line * t->image.pitch + (size_t)column * (size_t)size;
}

/* A texel of an array or of rows. @z: third coordinate, or the number of a layer. @corner: of those
 * around the point, + 1: the next in x, + 2: in y, + 4: in z. */
const void *__wm_texel(const void *device, float x, float y, float z, int corner, int size);
const void *__wm_texel(const void *device, float x, float y, float z, int corner, int size) {
    const struct texture *t = find_texture(device);
    const struct texture_image *image = &t->image;
    const size_t height = texture_rows(image), depth = image->depth ? image->depth : 1;
    double column = floor(place_of(t, x, image->width)) + (corner & 1), row = 0, slice = 0;
    bool inside = settle_coordinate(t, 0, &column, image->width);
    if (height > 1) {
        row = floor(place_of(t, y, height)) + (corner >> 1 & 1);
        inside &= settle_coordinate(t, 1, &row, height);
    }
    if (image->layered) {
        slice = layer_of(t, z);
    } else if (depth > 1) {
        slice = floor(place_of(t, z, depth)) + (corner >> 2);
        inside &= settle_coordinate(t, 2, &slice, depth);
    }
    return inside && image->width ? texel_at(t, column, row, slice, size) : outside_image();
}

/* The point of a cube's face that the vector from its centre meets: CUDA C++ Programming Guide,
 * cubemap textures. Return: the face; s and t from 0 to 1. */
static unsigned cube_face(const float v[3], double at[2]) {
    const double x = (double)v[0], y = (double)v[1], z = (double)v[2];
    const double ax = fabs(x), ay = fabs(y), az = fabs(z);
    unsigned face;
    double s, t, m;
    if (ax >= ay && ax >= az) {
        face = x < 0;
        s = x < 0 ? z : -z, t = -y, m = ax;
    } else if (ay >= az) {
        face = 2 + (y < 0);
        s = x, t = y < 0 ? -z : z, m = ay;
    } else {
        face = 4 + (z < 0);
        s = z < 0 ? -x : x, t = -y, m = az;
    }
    at[0] = (s / m + 1) / 2;
    at[1] = (t / m + 1) / 2;
    return face;
}

/* The same of a cubemap, by a vector. A filter stays on the face. */
const void *__wm_texel_cube(const void *device, float x, float y, float z, int layer, int corner,
                            int size);
const void *__wm_texel_cube(const void *device, float x, float y, float z, int layer, int corner,
                            int size) {
    const struct texture *t = find_texture(device);
    const size_t n = t->image.width, cubes = t->image.depth / 6;
    const size_t cube = layer < 0 ? 0 : (size_t)layer < cubes ? (size_t)layer : cubes - 1;
    double at[2], place[2];
    if (!t->image.cube) {
        capture_fail("kernel %s: reads a texture as a cubemap, whose array is none",
                     running_kernel->name);
    }
    const unsigned face = cube_face((const float[]){x, y, z}, at);
    for (int i = 0; i < 2; i++) {
        place[i] = at[i] * (double)n - (t->modes->filter == FILTER_LINEAR ? 0.5 : 0);
        place[i] = floor(place[i]) + (corner >> i & 1);
        place[i] = place[i] < 0 ? 0 : place[i] < (double)n ? place[i] : (double)n - 1;
    }
    return texel_at(t, place[0], place[1], (double)(6 * cube + face), size);
}

/* In the 1/256 that a GPU's filter distinguishes. */
static float fraction_of(double place) {
    return (float)(rint((place - floor(place)) * 256) / 256);
}

/* The distance of the point from the first of the two texels around it; negative: the filter is
 * none. */
float __wm_texture_fraction(const void *device, float coordinate, int dimension);
float __wm_texture_fraction(const void *device, float coordinate, int dimension) {
    const struct texture *t = find_texture(device);
    const size_t texels = dimension == 0   ? t->image.width
                          : dimension == 1 ? t->image.height
                                           : t->image.depth;
    return t->modes->filter != FILTER_LINEAR ? -1 : fraction_of(place_of(t, coordinate, texels));
}

float __wm_texture_cube_fraction(const void *device, float x, float y, float z, int dimension);
float __wm_texture_cube_fraction(const void *device, float x, float y, float z, int dimension) {
    const struct texture *t = find_texture(device);
    double at[2];
    cube_face((const float[]){x, y, z}, at);
    return t->modes->filter != FILTER_LINEAR
               ? -1
               : fraction_of(at[dimension] * (double)t->image.width - 0.5);
}

/* Levels count from 0, the largest image. By the mode nearest, or as a place between two. */
static double level_of(const struct texture *t, float lod) {
    const struct level_modes *m = &t->level_modes;
    const double last = t->levels ? (double)t->levels - 1 : 0;
    double level = fmin(fmax((double)lod + (double)m->bias, (double)m->least), (double)m->most);
    level = level > 0 ? fmin(level, last) : 0; /* also of a NaN */
    return m->filter == FILTER_LINEAR ? level : floor(level + 0.5);
}

/* The texture of a level, or of the next one. */
const void *__wm_texture_level(const void *device, float lod, int next);
const void *__wm_texture_level(const void *device, float lod, int next) {
    const struct texture *t = find_texture(device);
    const unsigned level = (unsigned)level_of(t, lod) + (unsigned)next;
    return t->levels ? (const void *)(uintptr_t)t->level[level < t->levels ? level : t->levels - 1]
                     : device;
}

/* The distance of the place between two levels from the first; negative: there is one alone. */
float __wm_texture_level_fraction(const void *device, float lod);
float __wm_texture_level_fraction(const void *device, float lod) {
    const struct texture *t = find_texture(device);
    const float fraction = fraction_of(level_of(t, lod));
    return t->levels && fraction > 0 ? fraction : -1;
}

/* The level whose texels are as large as a step of the coordinates: OpenGL 4.6, section 8.14.1, to
 * which CUDA's guide leads for texture gradients. */
float __wm_texture_lod(const void *device, float xx, float xy, float xz, float yx, float yy,
                       float yz);
float __wm_texture_lod(const void *device, float xx, float xy, float xz, float yx, float yy,
                       float yz) {
    const struct texture_image *i = &find_texture(device)->image;
    const double width = (double)i->width, height = (double)texture_rows(i),
                 depth = i->layered ? 0 : (double)i->depth;
    const double x = hypot(hypot((double)xx * width, (double)xy * height), (double)xz * depth),
                 y = hypot(hypot((double)yx * width, (double)yy * height), (double)yz * depth);
    return (float)log2(fmax(x, y));
}

/* The channels of an object that reads fractions: 16 times their number and the bytes of one,
 * negative where they are signed; 0: it reads texels as they are. */
int __wm_texture_channels(const void *device);
int __wm_texture_channels(const void *device) {
    const struct texture *t = find_texture(device);
    int channels = 0;
    while (channels < 4 && t->modes->channels.bits[channels]) {
        channels++;
    }
    const int code = 16 * channels + t->modes->channels.bits[0] / 8;
    return !t->fractions ? 0 : t->modes->channels.kind == CHANNEL_SIGNED ? -code : code;
}

/* A surface answers an access outside of it with one of these: numbers of
 * warpmem_texture_device.h. */
enum surface_boundary { BOUNDARY_ZERO, BOUNDARY_CLAMP, BOUNDARY_TRAP };

static bool settle_surface(long *at, size_t size, int boundary) {
    if (*at >= 0 && (size_t)*at < size) {
        return true;
    }
    *at = *at < 0 ? 0 : (long)size - 1;
    return boundary == BOUNDARY_CLAMP;
}

/* The element at byte @x of a row of a surface. NULL: there is none, and it is not written. */
void *__wm_surface(const void *device, int x, int y, int z, int size, int boundary);
void *__wm_surface(const void *device, int x, int y, int z, int size, int boundary) {
    const struct texture *t = find_texture(device);
    const struct texture_image *image = &t->image;
    long column = x / size - (x % size < 0), row = y, slice = z;
    bool inside = settle_surface(&column, image->width, boundary);
    inside &= settle_surface(&row, texture_rows(image), boundary);
    inside &= settle_surface(&slice, image->depth ? image->depth : 1, boundary);
    if (!inside && boundary == BOUNDARY_TRAP) {
        capture_fail("kernel %s: accesses a surface outside of its array, at byte %d of row %d",
                     running_kernel->name, x, y);
    }
    return inside ? (void *)(uintptr_t)texel_at(t, (double)column, (double)row, (double)slice, size)
                  : NULL;
}
