/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that clang's host code calls before main().
 */
#include "cuda/texture.h"
#include "runtime/capture.h"

struct fat_binary {
    int magic, version;
    const void *data;
    void *unused;
};

void **__cudaRegisterFatBinary(const struct fat_binary *binary);
void **__cudaRegisterFatBinary(const struct fat_binary *binary) {
    return (void **)module_add(binary->data);
}

void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle);
void __cudaUnregisterFatBinary(void **handle) {
    (void)handle;
}

int __cudaRegisterFunction(void **handle, const void *stub, char *device, const char *name,
                           int limit, void *thread, void *block, void *block_size, void *grid_size,
                           int *warp_size);
int __cudaRegisterFunction(void **handle, const void *stub, char *device, const char *name,
                           int limit, void *thread, void *block, void *block_size, void *grid_size,
                           int *warp_size) {
    (void)device, (void)limit, (void)thread, (void)block, (void)block_size, (void)grid_size,
        (void)warp_size;
    kernel_add((struct module *)handle, stub, name);
    return 0;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global) {
    (void)device, (void)external, (void)constant, (void)global;
    variable_add((struct module *)handle, host, name, bytes);
}

void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dimensions, int normalized, int external);
void __cudaRegisterTexture(void **handle, const void *host, const void **device, const char *name,
                           int dimensions, int normalized, int external) {
    (void)device, (void)dimensions, (void)normalized, (void)external;
    texture_add((struct module *)handle, host, name);
}

/* An object with relocatable device code calls this; warpmem-cc links it with the joined module. */
void wm_register_joined(const void *bytes, void (*globals)(void **));
void wm_register_joined(const void *bytes, void (*globals)(void **)) {
    globals((void **)module_add_joined(bytes));
}
