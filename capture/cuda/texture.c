/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture references. On the device a reference is a variable, whose address names it.
 */
#define _GNU_SOURCE
#include "cuda/texture.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "runtime/capture.h"
#include "runtime/memory.h"

static struct texture {
    const void *host, *device;
    const char *bound; /* NULL: to nothing */
    size_t bytes;
} * textures;
static size_t texture_count;

void texture_add(struct module *m, const void *host, const char *device_name) {
    struct texture *grown = realloc(textures, (texture_count + 1) * sizeof *grown);
    if (!grown) {
        capture_fail("out of memory");
    }
    textures = grown;
    textures[texture_count++] =
        (struct texture){.host = host, .device = dlsym(m->handle, device_name)};
}

bool texture_bind(const void *host, const void *p, size_t bytes) {
    for (size_t i = 0; i < texture_count; i++) {
        if (textures[i].host == host) {
            textures[i].bound = p;
            textures[i].bytes = bytes;
            return true;
        }
    }
    return false;
}

/* The element of a texture. Beyond the bound memory a GPU reads 0: so does the guard in front of
 * the device's memory, to which nobody writes. */
const void *__wm_texture(const void *device, int index, int size);
const void *__wm_texture(const void *device, int index, int size) {
    const struct texture *t = NULL;
    for (size_t i = 0; !t && i < texture_count; i++) {
        t = textures[i].device == device ? &textures[i] : NULL;
    }
    if (!t || !t->bound) {
        capture_fail("kernel %s: reads a texture reference that is bound to no memory",
                     running_kernel->name);
    }
    const bool inside = index >= 0 && ((size_t)index + 1) * (size_t)size <= t->bytes;
    return inside ? t->bound + (size_t)index * (size_t)size
                  : (const void *)(DEVICE_BASE - DEVICE_GUARD);
}
