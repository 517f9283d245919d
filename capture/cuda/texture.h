/* SPDX-License-Identifier: Apache-2.0
 *
 * Texture references of a CUDA program.
 */
#ifndef WARPMEM_CUDA_TEXTURE_H
#define WARPMEM_CUDA_TEXTURE_H

#include <stdbool.h>
#include <stddef.h>

struct module;

void texture_add(struct module *m, const void *host, const char *device_name);
/** texture_bind() - to memory of the device, NULL: to none. False: there is no such reference. */
bool texture_bind(const void *host, const void *p, size_t bytes);

#endif
