/* SPDX-License-Identifier: Apache-2.0
 *
 * The CUDA runtime API of capture/include/warpmem_runtime.h, and the functions that clang's host
 * code calls. The device is the host, so a copy is a memcpy(), and each call has ended when it
 * returns.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda/errors.h"
#include "cuda/texture.h"
#include "runtime/capture.h"
#include "runtime/memory.h"

static int last_error;

int note_error(int error) {
    last_error = error ? error : last_error;
    return error;
}

/* --- memory --- */

API(cudaMalloc, void **p, size_t bytes) {
    if (!p) {
        return note_error(INVALID_VALUE);
    }
    *p = bytes ? memory_take(bytes) : NULL;
    return note_error(*p || !bytes ? SUCCESS : NO_MEMORY);
}

API(cudaMallocPitch, void **p, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(p, *pitch * height);
}

/* Memory of the host that the device reaches lies with the device's. */
API(cudaMallocHost, void **p, size_t bytes) {
    return cudaMalloc(p, bytes);
}

API(cudaHostAlloc, void **p, size_t bytes, unsigned flags) {
    (void)flags;
    return cudaMalloc(p, bytes);
}

API(cudaMallocManaged, void **p, size_t bytes, unsigned flags) {
    (void)flags;
    int error = cudaMalloc(p, bytes);
    if (!error && *p) {
        memset(*p, 0, bytes);
    }
    return error;
}

API(cudaHostGetDevicePointer, void **device, void *host, unsigned flags) {
    (void)flags;
    *device = host;
    return note_error(memory_is_device(host) ? SUCCESS : INVALID_VALUE);
}

API(cudaFree, void *p) {
    return note_error(!p || memory_give(p) ? SUCCESS : INVALID_POINTER);
}

API(cudaFreeHost, void *p) {
    return cudaFree(p);
}

/* A pointer of the device must lie in what was allocated, or be a variable. */
static bool is_good_end(const void *p, size_t bytes) {
    return !memory_is_device(p) || memory_has(p, bytes);
}

API(cudaMemcpy, void *to, const void *from, size_t bytes, int kind) {
    (void)kind;
    if (bytes && (!to || !from || !is_good_end(to, bytes) || !is_good_end(from, bytes))) {
        return note_error(INVALID_VALUE);
    }
    memmove(to, from, bytes);
    if (bytes && !memory_is_device(from)) {
        recording_copy(to, bytes);
    }
    return SUCCESS;
}

API(cudaMemcpyAsync, void *to, const void *from, size_t bytes, int kind, void *stream) {
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

/* One record, of the rows with the gaps between them. */
API(cudaMemcpy2D, char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
    size_t height, int kind) {
    (void)kind;
    if (!width || !height) {
        return SUCCESS;
    }
    const size_t to_bytes = (height - 1) * to_pitch + width;
    if (!to || !from || width > to_pitch || width > from_pitch || !is_good_end(to, to_bytes) ||
        !is_good_end(from, (height - 1) * from_pitch + width)) {
        return note_error(INVALID_VALUE);
    }
    for (size_t y = 0; y < height; y++) {
        memmove(to + y * to_pitch, from + y * from_pitch, width);
    }
    if (!memory_is_device(from)) {
        recording_copy(to, to_bytes);
    }
    return SUCCESS;
}

API(cudaMemset, void *p, int value, size_t bytes) {
    if (bytes && (!p || !is_good_end(p, bytes))) {
        return note_error(INVALID_VALUE);
    }
    memset(p, value, bytes);
    return SUCCESS;
}

API(cudaMemsetAsync, void *p, int value, size_t bytes, void *stream) {
    (void)stream;
    return cudaMemset(p, value, bytes);
}

API(cudaMemset2D, void *p, size_t pitch, int value, size_t width, size_t height) {
    int error = SUCCESS;
    for (size_t y = 0; !error && y < height; y++) {
        error = cudaMemset((char *)p + y * pitch, value, width);
    }
    return error;
}

API(cudaMemGetInfo, size_t *left, size_t *total) {
    *left = memory_left();
    *total = DEVICE_BYTES;
    return SUCCESS;
}

API(warpmem_symbol, const void *host, void **device, size_t *bytes) {
    *device = variable_find(host, bytes);
    return note_error(*device ? SUCCESS : INVALID_SYMBOL);
}

/* --- device, streams, events: an order of calls, and the host's clock --- */

#define ALWAYS_GOOD(name, ...) \
    API(name, __VA_ARGS__) { \
        return SUCCESS; \
    }
ALWAYS_GOOD(cudaDeviceSynchronize, void)
ALWAYS_GOOD(cudaThreadSynchronize, void)
ALWAYS_GOOD(cudaDeviceReset, void)
ALWAYS_GOOD(cudaThreadExit, void)

API(cudaSetDevice, int device) {
    return note_error(device ? INVALID_DEVICE : SUCCESS);
}

API(cudaGetDevice, int *device) {
    *device = 0;
    return SUCCESS;
}

API(cudaGetDeviceCount, int *count) {
    *count = 1;
    return SUCCESS;
}

API(cudaSetDeviceFlags, unsigned flags) {
    (void)flags;
    return SUCCESS;
}

API(warpmem_function_cache, const void *function) {
    return note_error(kernel_find(function) ? SUCCESS : INVALID_FUNCTION);
}

API(cudaDriverGetVersion, int *version) {
    *version = CUDA_RELEASE;
    return SUCCESS;
}

API(cudaRuntimeGetVersion, int *version) {
    *version = CUDA_RELEASE;
    return SUCCESS;
}

/* As struct cudaDeviceProp of warpmem_runtime.h. */
struct device_properties {
    char name[256];
    size_t total_global, shared_per_block;
    int registers_per_block, warp_size;
    size_t pitch;
    int threads_per_block, threads_dim[3], grid_size[3], clock_rate;
    size_t total_constant;
    int major, minor;
    size_t texture_alignment;
    int device_overlap, multiprocessors, timeout, integrated;
    int maps_host, compute_mode, concurrent_kernels, ecc, bus, device;
    int memory_clock, memory_width, l2_bytes, threads_per_multiprocessor;
    int unified, managed;
    size_t shared_per_multiprocessor;
    int registers_per_multiprocessor;
};

API(cudaGetDeviceProperties, struct device_properties *p, int device) {
    if (device) {
        return note_error(INVALID_DEVICE);
    }
    *p = (struct device_properties){.name = "warpmem capture",
                                    .total_global = DEVICE_BYTES,
                                    .shared_per_block = 48 << 10,
                                    .registers_per_block = 65536,
                                    .warp_size = 32,
                                    .pitch = INT32_MAX,
                                    .threads_per_block = THREADS_MAX,
                                    .threads_dim = {THREADS_MAX, THREADS_MAX, 64},
                                    .grid_size = {INT32_MAX, 65535, 65535},
                                    .clock_rate = 1000000,
                                    .total_constant = 64 << 10,
                                    .major = 7,
                                    .texture_alignment = 512,
                                    .device_overlap = 1,
                                    .multiprocessors = 16,
                                    .maps_host = 1,
                                    .concurrent_kernels = 1,
                                    .memory_clock = 1000000,
                                    .memory_width = 256,
                                    .l2_bytes = 2 << 20,
                                    .threads_per_multiprocessor = 2048,
                                    .unified = 1,
                                    .managed = 1,
                                    .shared_per_multiprocessor = 96 << 10,
                                    .registers_per_multiprocessor = 65536};
    return SUCCESS;
}

API(cudaGetLastError, void) {
    int error = last_error;
    last_error = SUCCESS;
    return error;
}

API(cudaPeekAtLastError, void) {
    return last_error;
}

static const struct error_text {
    int error;
    const char *name, *text;
} error_texts[] = {
    {SUCCESS, "cudaSuccess", "no error"},
    {INVALID_VALUE, "cudaErrorInvalidValue", "invalid argument"},
    {NO_MEMORY, "cudaErrorMemoryAllocation", "out of memory"},
    {INVALID_CONFIGURATION, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {INVALID_SYMBOL, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {INVALID_POINTER, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {INVALID_FUNCTION, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {INVALID_DEVICE, "cudaErrorInvalidDevice", "invalid device ordinal"},
};

static const struct error_text *text_of_error(int error) {
    static const struct error_text unknown = {0, "cudaErrorUnknown", "unknown error"};
    for (size_t i = 0; i < sizeof error_texts / sizeof *error_texts; i++) {
        if (error_texts[i].error == error) {
            return &error_texts[i];
        }
    }
    return &unknown;
}

const char *cudaGetErrorString(int error);
const char *cudaGetErrorString(int error) {
    return text_of_error(error)->text;
}

const char *cudaGetErrorName(int error);
const char *cudaGetErrorName(int error) {
    return text_of_error(error)->name;
}

/* A stream and an event are a piece of memory each; an event keeps a time. */
API(cudaStreamCreate, void **stream) {
    *stream = malloc(1);
    return note_error(*stream ? SUCCESS : NO_MEMORY);
}

API(cudaStreamCreateWithFlags, void **stream, unsigned flags) {
    (void)flags;
    return cudaStreamCreate(stream);
}

API(cudaStreamDestroy, void *stream) {
    free(stream);
    return SUCCESS;
}

API(cudaStreamSynchronize, void *stream) {
    (void)stream;
    return SUCCESS;
}

API(cudaStreamQuery, void *stream) {
    (void)stream;
    return SUCCESS;
}

API(cudaStreamWaitEvent, void *stream, void *event, unsigned flags) {
    (void)stream, (void)event, (void)flags;
    return SUCCESS;
}

API(cudaEventCreate, struct timespec **event) {
    *event = calloc(1, sizeof **event);
    return note_error(*event ? SUCCESS : NO_MEMORY);
}

API(cudaEventCreateWithFlags, struct timespec **event, unsigned flags) {
    (void)flags;
    return cudaEventCreate(event);
}

API(cudaEventDestroy, struct timespec *event) {
    free(event);
    return SUCCESS;
}

API(cudaEventRecord, struct timespec *event, void *stream) {
    (void)stream;
    clock_gettime(CLOCK_MONOTONIC, event);
    return SUCCESS;
}

API(cudaEventSynchronize, struct timespec *event) {
    (void)event;
    return SUCCESS;
}

API(cudaEventQuery, struct timespec *event) {
    (void)event;
    return SUCCESS;
}

API(cudaEventElapsedTime, float *milliseconds, struct timespec *from, struct timespec *to) {
    *milliseconds = (float)((double)(to->tv_sec - from->tv_sec) * 1e3 +
                            (double)(to->tv_nsec - from->tv_nsec) / 1e6);
    return SUCCESS;
}

/* --- launches --- */

static struct {
    struct size3 grid, block;
    size_t shared;
    void *stream;
} pushed;

unsigned __cudaPushCallConfiguration(struct size3 grid, struct size3 block, size_t shared,
                                     void *stream);
unsigned __cudaPushCallConfiguration(struct size3 grid, struct size3 block, size_t shared,
                                     void *stream) {
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared = shared;
    pushed.stream = stream;
    return 0;
}

unsigned __cudaPopCallConfiguration(struct size3 *grid, struct size3 *block, size_t *shared,
                                    void **stream);
unsigned __cudaPopCallConfiguration(struct size3 *grid, struct size3 *block, size_t *shared,
                                    void **stream) {
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    *stream = pushed.stream;
    return 0;
}

API(cudaLaunchKernel, const void *stub, struct size3 grid, struct size3 block, void **arguments,
    size_t shared, void *stream) {
    struct kernel *k = kernel_find(stub);
    (void)stream;
    if (!k) {
        return note_error(INVALID_FUNCTION);
    }
    return note_error(launch_run(k, grid, block, arguments, shared) ? SUCCESS
                                                                    : INVALID_CONFIGURATION);
}
