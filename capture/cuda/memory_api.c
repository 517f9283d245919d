/* SPDX-License-Identifier: Apache-2.0
 *
 * The API of memory. The device is the host: pinned and managed memory lies with the device's.
 */
#include <stdint.h>
#include <string.h>

#include "cuda/copy.h"
#include "cuda/errors.h"
#include "cuda/graph_memory.h"
#include "runtime/capture.h"
#include "runtime/memory.h"

#define PITCH_ALIGN 512
#define HOST_FLAGS 7 /* portable, mapped, write-combined */

/* Numbers of warpmem_runtime.h. */
enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2 };

static int allocate(void **p, size_t bytes, enum memory_kind kind) {
    if (!p || device_is_lost()) {
        return note_error(cudaErrorInvalidValue);
    }
    *p = bytes ? memory_take(bytes) : NULL;
    if (*p) {
        memory_set_kind(*p, kind);
    }
    return note_error(*p || !bytes ? cudaSuccess : cudaErrorMemoryAllocation);
}

static int release(void *p, bool of_host, int error) {
    const enum memory_kind kind = memory_kind_of(p);
    const bool fits = kind != MEMORY_NONE && (kind == MEMORY_HOST) == of_host;
    return note_error(!p || (fits && memory_give(p)) ? cudaSuccess : error);
}

API(cudaMalloc, void **p, size_t bytes) {
    return allocate(p, bytes, MEMORY_DEVICE);
}

API(cudaMallocPitch, void **p, size_t *pitch, size_t width, size_t height) {
    if (!p || !pitch || width > DEVICE_BYTES) {
        return note_error(cudaErrorInvalidValue);
    }
    *pitch = (width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
    const bool fits = !*pitch || height <= DEVICE_BYTES / *pitch;
    return fits ? cudaMalloc(p, *pitch * height) : note_error(cudaErrorMemoryAllocation);
}

API(cudaMalloc3D, struct pitched_pointer *to, struct box_extent e) {
    if (!to || (e.depth && e.height > DEVICE_BYTES / e.depth)) {
        return note_error(cudaErrorInvalidValue);
    }
    to->width = e.width;
    to->height = e.height;
    return cudaMallocPitch((void **)&to->at, &to->pitch, e.width, e.height * e.depth);
}

API(cudaHostAlloc, void **p, size_t bytes, unsigned flags) {
    return flags & ~(unsigned)HOST_FLAGS ? note_error(cudaErrorInvalidValue)
                                         : allocate(p, bytes, MEMORY_HOST);
}

API(cudaMallocHost, void **p, size_t bytes) {
    return cudaHostAlloc(p, bytes, 0);
}

API(cudaMallocManaged, void **p, size_t bytes, unsigned flags) {
    if (!bytes || (flags != ATTACH_GLOBAL && flags != ATTACH_HOST)) {
        return note_error(cudaErrorInvalidValue);
    }
    int error = allocate(p, bytes, MEMORY_MANAGED);
    if (!error) {
        memset(*p, 0, bytes);
    }
    return error;
}

API(cudaFree, void *p) {
    if (graph_memory_has(p)) {
        return note_error(graph_memory_end(p) ? cudaSuccess : cudaErrorInvalidValue);
    }
    return release(p, false, cudaErrorInvalidValue);
}

API(cudaFreeHost, void *p) {
    return release(p, true, cudaErrorInvalidValue);
}

API(cudaHostRegister, char *p, size_t bytes, unsigned flags) {
    if (!p || !bytes || flags > 15) {
        return note_error(cudaErrorInvalidValue);
    }
    const bool good = !memory_is_device(p) && memory_register(p, bytes);
    return note_error(good ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}

API(cudaHostUnregister, const char *p) {
    return note_error(memory_unregister(p) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

/* Memory of the host that the device reaches, by the same address. */
API(cudaHostGetDevicePointer, void **device, void *host, unsigned flags) {
    const enum memory_kind kind = memory_kind_of(host);
    const bool reached = kind == MEMORY_HOST || kind == MEMORY_MANAGED || memory_registered(host);
    if (!device || flags || !reached) {
        return note_error(cudaErrorInvalidValue);
    }
    *device = host;
    return note_error(cudaSuccess);
}

API(cudaHostGetFlags, unsigned *flags, void *host) {
    if (!flags || (memory_kind_of(host) != MEMORY_HOST && !memory_registered(host))) {
        return note_error(cudaErrorInvalidValue);
    }
    *flags = 2; /* all memory is mapped */
    return note_error(cudaSuccess);
}

API(cudaMemGetInfo, size_t *left, size_t *total) {
    *left = memory_left();
    *total = DEVICE_BYTES;
    return note_error(cudaSuccess);
}

/* As struct cudaPointerAttributes; types are unregistered, host, device, managed. */
struct pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
};

API(cudaPointerGetAttributes, struct pointer_attributes *a, void *p) {
    static const int types[] = {[MEMORY_DEVICE] = 2, [MEMORY_HOST] = 1, [MEMORY_MANAGED] = 3};
    if (!a) {
        return note_error(cudaErrorInvalidValue);
    }
    size_t left;
    const enum memory_kind kind = memory_registered(p)      ? MEMORY_HOST
                                  : variable_twin(p, &left) ? MEMORY_MANAGED
                                  : variable_at(p)          ? MEMORY_DEVICE
                                                            : memory_kind_of(p);
    if (kind == MEMORY_NONE) {
        *a = (struct pointer_attributes){.device = -2, .host_pointer = p};
    } else {
        *a = (struct pointer_attributes){types[kind], 0, p, kind == MEMORY_DEVICE ? NULL : p};
    }
    return note_error(cudaSuccess);
}

static bool is_device_number(int device) {
    return device == 0 || device == -1; /* or the host */
}

static bool is_managed(const char *p, size_t bytes) {
    size_t left;
    return variable_twin(p, &left) ? bytes <= left
                                   : memory_kind_of(p) == MEMORY_MANAGED && memory_has(p, bytes);
}

API(cudaMemPrefetchAsync, const void *p, size_t bytes, int device, void *stream) {
    (void)stream;
    const bool good = is_managed(p, bytes);
    return note_error(!is_device_number(device) ? cudaErrorInvalidDevice
                      : good                    ? cudaSuccess
                                                : cudaErrorInvalidValue);
}

API(cudaMemAdvise, const void *p, size_t bytes, int advice, int device) {
    const bool good = is_managed(p, bytes);
    /* The first two advices have no place. */
    const bool placed = advice <= 2 || is_device_number(device);
    return note_error(!placed                                     ? cudaErrorInvalidDevice
                      : good && bytes && advice > 0 && advice < 7 ? cudaSuccess
                                                                  : cudaErrorInvalidValue);
}
