/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in the order of a stream, from pools, which differ by their attributes alone.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/errors.h"
#include "cuda/graph.h"

int cudaMalloc(void **p, size_t bytes);
int cudaFree(void *p);

struct pool {
    uint64_t attribute[9];
};
static struct pool default_pool;
static struct pool *current_pool = &default_pool;

API(cudaMallocAsync, void **p, size_t bytes, void *stream) {
    struct graph *g = stream_graph(stream);
    return g ? graph_add_allocation(g, p, bytes) : cudaMalloc(p, bytes);
}

API(cudaFreeAsync, void *p, void *stream) {
    struct graph *g = stream_graph(stream);
    return g ? graph_add_release(g, p) : cudaFree(p);
}

API(cudaMallocFromPoolAsync, void **p, size_t bytes, const struct pool *pool, void *stream) {
    return pool ? cudaMallocAsync(p, bytes, stream) : note_error(cudaErrorInvalidValue);
}

API(cudaDeviceGetDefaultMemPool, struct pool **pool, int device) {
    if (!pool || device) {
        return note_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    }
    *pool = &default_pool;
    return note_error(cudaSuccess);
}

API(cudaDeviceGetMemPool, struct pool **pool, int device) {
    const int error = cudaDeviceGetDefaultMemPool(pool, device);
    if (!error) {
        *pool = current_pool;
    }
    return error;
}

API(cudaDeviceSetMemPool, int device, struct pool *pool) {
    if (device || !pool) {
        return note_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    }
    current_pool = pool;
    return note_error(cudaSuccess);
}

/* Numbers of warpmem_runtime.h. */
struct place {
    int type, id;
};
struct pool_properties {
    int type, handles; /* pinned memory; 0: not for other processes */
    struct place at;
    void *security;
    unsigned char reserved[64];
};
static bool is_possible(const struct pool_properties *p) {
    return p->type == 1 && !p->handles && p->at.type == 1 && !p->at.id;
}

API(cudaMemPoolCreate, struct pool **pool, const struct pool_properties *properties) {
    if (!pool || !properties || !is_possible(properties)) {
        return note_error(pool && properties && properties->handles ? cudaErrorNotSupported
                                                                    : cudaErrorInvalidValue);
    }
    *pool = calloc(1, sizeof **pool);
    return note_error(*pool ? cudaSuccess : cudaErrorMemoryAllocation);
}

API(cudaMemPoolDestroy, struct pool *pool) {
    if (!pool || pool == &default_pool) {
        return note_error(cudaErrorInvalidValue);
    }
    current_pool = current_pool == pool ? &default_pool : current_pool;
    free(pool);
    return note_error(cudaSuccess);
}

API(cudaMemPoolSetAccess, const struct pool *pool, const void *accesses, size_t count) {
    return note_error(pool && (accesses || !count) ? cudaSuccess : cudaErrorInvalidValue);
}

/* The first three are of 4 bytes, the others of 8. */
static size_t bytes_of_pool_attribute(int attribute) {
    return attribute < 1 || attribute > 8 ? 0 : attribute <= 3 ? sizeof(int) : sizeof(uint64_t);
}

API(cudaMemPoolSetAttribute, struct pool *pool, int attribute, const void *value) {
    const size_t bytes = bytes_of_pool_attribute(attribute);
    if (!pool || !value || !bytes) {
        return note_error(cudaErrorInvalidValue);
    }
    memcpy(&pool->attribute[attribute], value, bytes);
    return note_error(cudaSuccess);
}

API(cudaMemPoolGetAttribute, const struct pool *pool, int attribute, void *value) {
    const size_t bytes = bytes_of_pool_attribute(attribute);
    if (!pool || !value || !bytes) {
        return note_error(cudaErrorInvalidValue);
    }
    memcpy(value, &pool->attribute[attribute], bytes);
    return note_error(cudaSuccess);
}

API(cudaMemPoolTrimTo, const struct pool *pool, size_t bytes) {
    (void)bytes;
    return note_error(pool ? cudaSuccess : cudaErrorInvalidValue);
}
