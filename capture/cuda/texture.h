/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures of a CUDA program: references, which are variables, and objects, which may be surfaces
 * as well; and the images that they show.
 */
#ifndef WARPMEM_CUDA_TEXTURE_H
#define WARPMEM_CUDA_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>

struct module;

/* Numbers of warpmem_texture.h. */
enum { CHANNEL_SIGNED, CHANNEL_UNSIGNED };
enum { ARRAY_LAYERED = 1, ARRAY_SURFACE = 2, ARRAY_CUBEMAP = 4 };

/* As there. */
struct channel_description {
    int bits[4], kind;
};

/* Texels in rows of memory of the device; a slice is height rows, of which each takes pitch bytes.
 */
struct texture_image {
    const char *at; /* NULL: none */
    size_t bytes;   /* of linear memory; 0: an array or rows */
    size_t width, height, depth, pitch;
    bool layered; /* slices are layers, of a cubemap six each */
    bool cube;    /* six slices are a cube's faces: +x, -x, +y, -y, +z, -z */
};

/* cudaArray_t */
struct warpmem_array {
    struct texture_image image;
    struct channel_description channels;
    size_t texel_bytes, rows; /* rows: as the program gave them; 0: of one dimension */
    unsigned flags;           /* cudaArray..., of warpmem_texture.h */
};

struct array_extent {
    size_t width, height, depth;
};
int cudaMalloc3DArray(struct warpmem_array **array, const struct channel_description *channels,
                      struct array_extent extent, unsigned flags);
int cudaFreeArray(struct warpmem_array *array);

#define LEVELS_MAX 32

/* cudaMipmappedArray_t: each level is half as wide, high and deep as the one before. */
struct warpmem_mipmapped_array {
    struct warpmem_array *level[LEVELS_MAX];
    unsigned levels;
};

/* A texture's choice of its level. */
struct level_modes {
    int filter;
    float bias, least, most;
};

/* Numbers of warpmem_texture.h. */
enum texture_address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER };
enum texture_filter { FILTER_POINT, FILTER_LINEAR };

/* Like struct textureReference there; a program may change it at any time. */
struct texture_modes {
    int normalized, filter, address[3];
    struct channel_description channels;
};

/** texture_texel_bytes() - bytes of a texel with these channels. */
size_t texture_texel_bytes(const struct channel_description *d);
/** texture_rows() - rows of an image, at least one. */
size_t texture_rows(const struct texture_image *image);

/** array_has() - do @height rows of @width bytes lie in a slice of the array, from byte @x and row
 * @y on? */
bool array_has(const struct warpmem_array *a, size_t x, size_t y, size_t width, size_t height);
/** array_place() - the byte at byte @x, row @y, slice @z of an array. */
char *array_place(const struct warpmem_array *a, size_t x, size_t y, size_t z);

/** texture_add() - a reference. */
void texture_add(struct module *m, const void *host, const char *device_name);
/** texture_bind() - bind a reference to an image. False: there is no such reference. */
bool texture_bind(const void *host, struct texture_image image);
/**
 * texture_make_object() - an object for kernels.
 * @fractions: reads give integers of @modes' channels as fractions of 1
 * Return: 0: out of memory.
 */
unsigned long long texture_make_object(struct texture_image image, struct texture_modes modes,
                                       bool fractions);
/** texture_add_levels() - @levels: objects, of the largest image first; they go with the object. */
bool texture_add_levels(unsigned long long object, const unsigned long long *levels, unsigned count,
                        struct level_modes modes);
/** texture_drop_object() - false: not an object. */
bool texture_drop_object(unsigned long long object);

#endif
