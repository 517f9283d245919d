/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures of a CUDA program: references, which are variables, and objects; and arrays.
 */
#ifndef WARPMEM_CUDA_TEXTURE_H
#define WARPMEM_CUDA_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>

struct module;

/* Texels in rows of memory of the device. */
struct texture_image {
    const char *at; /* NULL: none */
    size_t bytes;   /* of linear memory; 0: an array or rows */
    size_t width, height, pitch;
};

/* cudaArray_t */
struct warpmem_array {
    struct texture_image image;
    size_t texel_bytes;
};

/* Numbers of warpmem_texture.h. */
enum texture_address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER };
enum texture_filter { FILTER_POINT, FILTER_LINEAR };

/* Like struct textureReference there; a program may change it at any time. */
struct texture_modes {
    int normalized, filter, address[3];
};

/** texture_add() - a reference. */
void texture_add(struct module *m, const void *host, const char *device_name);
/** texture_bind() - bind a reference to an image. False: there is no such reference. */
bool texture_bind(const void *host, struct texture_image image);
/** texture_make_object() - 0: out of memory. texture_drop_object(): false: not an object. */
unsigned long long texture_make_object(struct texture_image image, struct texture_modes modes);
bool texture_drop_object(unsigned long long object);

#endif
