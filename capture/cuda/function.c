/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels: launches, and the limits that warpmem_attributes.h gives them.
 */
#include <stdint.h>

#include "cuda/errors.h"
#include "cuda/graph.h"
#include "cuda/stream.h"
#include "include/warpmem_attributes.h"
#include "runtime/hold.h"
#include "runtime/occupancy.h"

static size_t static_shared(struct kernel *k) {
    kernel_prepare(k);
    return k->shared_bytes;
}

/* Dynamic shared memory beyond the usual limit must be asked for. */
static size_t dynamic_shared_limit(struct kernel *k) {
    const size_t own = static_shared(k);
    const size_t usual = own < WARPMEM_SHARED_PER_BLOCK ? WARPMEM_SHARED_PER_BLOCK - own : 0;
    return k->dynamic_shared_max ? k->dynamic_shared_max : usual;
}

static bool fits_at_once(const struct launch_call *c) {
    const uint64_t blocks = (uint64_t)c->grid.x * c->grid.y * c->grid.z;
    const unsigned threads = c->block.x * c->block.y * c->block.z;
    return blocks <= (uint64_t)recording_cores(WARPMEM_CORES) *
                         occupancy_of_core(c->kernel, threads, c->shared);
}

int launch_call_run(const struct launch_call *c) {
    HOLD_DEVICE;
    const struct size3 g = c->grid, b = c->block;
    if (device_is_lost()) {
        return note_error(cudaSuccess);
    }
    if (g.y > WARPMEM_GRID_YZ || g.z > WARPMEM_GRID_YZ || g.x > WARPMEM_GRID_X ||
        !launch_is_possible(g, b, 0)) {
        return note_error(cudaErrorInvalidConfiguration);
    }
    if (c->shared > dynamic_shared_limit(c->kernel)) {
        return note_error(cudaErrorInvalidValue);
    }
    if (c->whole && !fits_at_once(c)) {
        return note_error(cudaErrorCooperativeLaunchTooLarge);
    }
    launch_errors_return = true;
    if (c->whole) {
        return note_error(launch_run_whole(c->kernel, g, b, c->arguments, c->shared)
                              ? cudaSuccess
                              : cudaErrorMemoryAllocation);
    }
    return note_error(launch_run(c->kernel, g, b, c->arguments, c->shared)
                          ? cudaSuccess
                          : cudaErrorInvalidConfiguration);
}

static int launch_in_stream(const void *stub, struct launch_call c, const void *stream) {
    c.kernel = kernel_find(stub);
    if (!c.kernel) {
        return note_error(cudaErrorInvalidDeviceFunction);
    }
    struct graph *g = stream_graph(stream);
    return g ? graph_add_launch(g, &c) : launch_call_run(&c);
}

API(cudaLaunchKernel, const void *stub, struct size3 grid, struct size3 block, void **arguments,
    size_t shared, void *stream) {
    return launch_in_stream(stub, (struct launch_call){NULL, grid, block, shared, arguments, false},
                            stream);
}

API(cudaLaunchCooperativeKernel, const void *stub, struct size3 grid, struct size3 block,
    void **arguments, size_t shared, void *stream) {
    return launch_in_stream(stub, (struct launch_call){NULL, grid, block, shared, arguments, true},
                            stream);
}

/* As in warpmem_execution.h. */
struct launch_attribute {
    int id;
    union {
        char room[64];
        void *window; /* of accesses; sets the alignment */
        int cooperative;
        struct size3 cluster;
    } value;
};
struct launch_configuration {
    struct size3 grid, block;
    size_t shared;
    void *stream;
    const struct launch_attribute *attributes;
    unsigned count;
};
enum { COOPERATIVE = 2, CLUSTER = 4 };

API(cudaLaunchKernelExC, const struct launch_configuration *l, const void *stub, void **arguments) {
    if (!l) {
        return note_error(cudaErrorInvalidValue);
    }
    bool whole = false;
    for (unsigned i = 0; i < l->count; i++) {
        const struct launch_attribute *a = &l->attributes[i];
        const struct size3 s = a->value.cluster;
        if (a->id == CLUSTER && (s.x > 1 || s.y > 1 || s.z > 1)) {
            return note_error(cudaErrorNotSupported);
        }
        whole |= a->id == COOPERATIVE && a->value.cooperative;
    }
    return launch_in_stream(
        stub, (struct launch_call){NULL, l->grid, l->block, l->shared, arguments, whole},
        l->stream);
}

static _Thread_local struct launch_call pushed;
static _Thread_local void *pushed_stream;

unsigned __cudaPushCallConfiguration(struct size3 grid, struct size3 block, size_t shared,
                                     void *stream);
unsigned __cudaPushCallConfiguration(struct size3 grid, struct size3 block, size_t shared,
                                     void *stream) {
    pushed = (struct launch_call){.grid = grid, .block = block, .shared = shared};
    pushed_stream = stream;
    return 0;
}

unsigned __cudaPopCallConfiguration(struct size3 *grid, struct size3 *block, size_t *shared,
                                    void **stream);
unsigned __cudaPopCallConfiguration(struct size3 *grid, struct size3 *block, size_t *shared,
                                    void **stream) {
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    *stream = pushed_stream;
    return 0;
}

/* --- attributes --- */

/* As struct cudaFuncAttributes. */
struct function_attributes {
    size_t shared, constant, local;
    int threads, registers, ptx, binary, caches;
    int dynamic_shared, carveout;
};

API(cudaFuncGetAttributes, struct function_attributes *a, const void *stub) {
    struct kernel *k = kernel_find(stub);
    if (!k || !a) {
        return note_error(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    }
    *a = (struct function_attributes){.shared = static_shared(k),
                                      .threads = THREADS_MAX,
                                      .registers = (int)kernel_registers(k),
                                      .ptx = 70,
                                      .binary = 70,
                                      .dynamic_shared = (int)dynamic_shared_limit(k),
                                      .carveout = -1};
    return note_error(cudaSuccess);
}

enum { ATTRIBUTE_DYNAMIC_SHARED = 8, ATTRIBUTE_CARVEOUT = 9 };

API(cudaFuncSetAttribute, const void *stub, int attribute, int value) {
    struct kernel *k = kernel_find(stub);
    if (!k) {
        return note_error(cudaErrorInvalidDeviceFunction);
    }
    if (attribute == ATTRIBUTE_CARVEOUT) {
        return note_error(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
    }
    if (attribute != ATTRIBUTE_DYNAMIC_SHARED || value < 0 ||
        (size_t)value + static_shared(k) >
            (size_t)device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) {
        return note_error(cudaErrorInvalidValue);
    }
    k->dynamic_shared_max = (size_t)value;
    return note_error(cudaSuccess);
}

API(cudaFuncSetCacheConfig, const void *stub, int config) {
    (void)config;
    return note_error(kernel_find(stub) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

API(cudaFuncSetSharedMemConfig, const void *stub, int config) {
    (void)config;
    return note_error(kernel_find(stub) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

API(cudaFuncGetName, const char **name, const void *stub) {
    const struct kernel *k = kernel_find(stub);
    if (!k || !name) {
        return note_error(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    }
    *name = k->name;
    return note_error(cudaSuccess);
}

/* --- occupancy --- */

API(cudaOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, const void *stub, int threads,
    size_t shared) {
    struct kernel *k = kernel_find(stub);
    if (!k || !blocks || threads <= 0) {
        return note_error(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    }
    *blocks = (int)occupancy_of_core(k, (unsigned)threads, shared);
    return note_error(cudaSuccess);
}

API(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int *blocks, const void *stub,
    int threads, size_t shared, unsigned flags) {
    return flags > 1 ? note_error(cudaErrorInvalidValue)
                     : cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, threads, shared);
}

API(cudaOccupancyAvailableDynamicSMemPerBlock, size_t *bytes, const void *stub, int blocks,
    int threads) {
    struct kernel *k = kernel_find(stub);
    if (!k || !bytes || blocks <= 0 || threads <= 0 ||
        (unsigned)blocks > occupancy_by_threads(k, (unsigned)threads)) {
        return note_error(k ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    }
    const size_t each =
        occupancy_shared_bytes / (unsigned)blocks / OCCUPANCY_SHARED_UNIT * OCCUPANCY_SHARED_UNIT;
    const size_t own = static_shared(k);
    *bytes = each > own ? each - own : 0;
    return note_error(cudaSuccess);
}
