/* SPDX-License-Identifier: Apache-2.0
 *
 * The device, whose description is in warpmem_attributes.h.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cuda/errors.h"
#include "include/warpmem_attributes.h"
#include "runtime/occupancy.h"
#include "runtime/capture.h"
#include "runtime/heap.h"
#include "runtime/memory.h"

#define ALWAYS_GOOD(name, ...) \
    API(name, __VA_ARGS__) { \
        return note_error(cudaSuccess); \
    }
ALWAYS_GOOD(cudaDeviceSynchronize, void)
ALWAYS_GOOD(cudaThreadSynchronize, void)
ALWAYS_GOOD(cudaDeviceReset, void)
ALWAYS_GOOD(cudaThreadExit, void)
ALWAYS_GOOD(cudaProfilerStart, void)
ALWAYS_GOOD(cudaProfilerStop, void)

static unsigned device_flags;

API(cudaSetDevice, int device) {
    return note_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}

API(cudaInitDevice, int device, unsigned flags, unsigned kept) {
    (void)flags, (void)kept;
    return cudaSetDevice(device);
}

API(cudaSetValidDevices, const int *devices, int count) {
    return count < 0 || (count && !devices) ? note_error(cudaErrorInvalidValue)
                                            : cudaSetDevice(count ? devices[0] : 0);
}

API(cudaGetDevice, int *device) {
    *device = 0;
    return note_error(cudaSuccess);
}

API(cudaGetDeviceCount, int *count) {
    *count = 1;
    return note_error(cudaSuccess);
}

API(cudaSetDeviceFlags, unsigned flags) {
    device_flags = flags;
    return note_error(flags < 32 ? cudaSuccess : cudaErrorInvalidValue);
}

API(cudaGetDeviceFlags, unsigned *flags) {
    *flags = device_flags;
    return note_error(cudaSuccess);
}

API(cudaDriverGetVersion, int *version) {
    *version = CUDA_RELEASE;
    return note_error(cudaSuccess);
}

API(cudaRuntimeGetVersion, int *version) {
    *version = CUDA_RELEASE;
    return note_error(cudaSuccess);
}

static unsigned capability = 70;

void warpmem_see_capability(unsigned number);
/* Each file of the program that is compiled for more than 7.0 calls this before main(). */
void warpmem_see_capability(unsigned number) {
    capability = number > capability ? number : capability;
    occupancy_shared_bytes =
        (unsigned)device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
}

int device_attribute(int attribute) {
    static const struct attribute {
        int number, value;
    } attributes[] = {
#define ATTRIBUTE(name, number, value) {number, value},
        WARPMEM_ATTRIBUTES_80(ATTRIBUTE) WARPMEM_ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
    };
#define ONE(name, number, value) +1
    for (size_t i = capability < 80 ? 0 WARPMEM_ATTRIBUTES_80(ONE) : 0;
         i < sizeof attributes / sizeof *attributes; i++) {
#undef ONE
        if (attributes[i].number == attribute) {
            return attributes[i].value;
        }
    }
    return -1;
}

API(cudaDeviceGetAttribute, int *value, int attribute, int device) {
    const int found = device_attribute(attribute);
    if (device || !value || found < 0) {
        return note_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    }
    *value =
        attribute == cudaDevAttrMultiProcessorCount ? (int)recording_cores((unsigned)found) : found;
    return note_error(cudaSuccess);
}

API(warpmem_describe_device, int device, char *name, size_t *bytes) {
    strcpy(name, "warpmem capture");
    *bytes = DEVICE_BYTES;
    return note_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}

API(cudaDeviceGetPCIBusId, char *text, int length, int device) {
    if (device || !text || length < 13) {
        return note_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    }
    snprintf(text, (size_t)length, "0000:00:00.0");
    return note_error(cudaSuccess);
}

API(cudaDeviceGetByPCIBusId, int *device, const char *text) {
    if (!device || !text) {
        return note_error(cudaErrorInvalidValue);
    }
    *device = 0;
    return note_error(strcmp(text, "0000:00:00.0") ? cudaErrorInvalidDevice : cudaSuccess);
}

API(cudaDeviceCanAccessPeer, int *can, int device, int peer) {
    if (device || peer || !can) {
        return note_error(can ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    }
    *can = 0; /* itself */
    return note_error(cudaSuccess);
}

/* These calls concern two devices; there is one. */
API(cudaDeviceGetP2PAttribute, int *value, int attribute, int from, int to) {
    (void)value, (void)attribute, (void)from, (void)to;
    return note_error(cudaErrorInvalidDevice);
}

API(cudaDeviceEnablePeerAccess, int peer, unsigned flags) {
    (void)peer, (void)flags;
    return note_error(cudaErrorInvalidDevice);
}

API(cudaDeviceDisablePeerAccess, int peer) {
    (void)peer;
    return note_error(cudaErrorPeerAccessNotEnabled);
}

/* --- limits: kept, and without effect but for the heap's --- */

static size_t limits[] = {1024, 1 << 20, HEAP_BYTES_DEFAULT, 2, 2048, 64, 0};
#define LIMIT_HEAP 2
#define LIMITS ((int)(sizeof limits / sizeof *limits))

API(cudaDeviceSetLimit, int limit, size_t value) {
    if (limit < 0 || limit >= LIMITS) {
        return note_error(cudaErrorUnsupportedLimit);
    }
    if (limit == LIMIT_HEAP && !heap_set_limit(value)) {
        return note_error(cudaErrorInvalidValue); /* a kernel has allocated */
    }
    limits[limit] = value;
    return note_error(cudaSuccess);
}

API(cudaDeviceGetLimit, size_t *value, int limit) {
    if (!value || limit < 0 || limit >= LIMITS) {
        return note_error(value ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue);
    }
    *value = limits[limit];
    return note_error(cudaSuccess);
}

/* Banks of shared memory have four bytes. */
API(cudaDeviceGetSharedMemConfig, int *config) {
    *config = 1;
    return note_error(cudaSuccess);
}

API(cudaDeviceSetSharedMemConfig, int config) {
    return note_error(config >= 0 && config <= 2 ? cudaSuccess : cudaErrorInvalidValue);
}

static int cache_config;

API(cudaDeviceSetCacheConfig, int config) {
    cache_config = config;
    return note_error(config >= 0 && config <= 3 ? cudaSuccess : cudaErrorInvalidValue);
}

API(cudaThreadSetCacheConfig, int config) {
    return cudaDeviceSetCacheConfig(config);
}

API(cudaDeviceGetCacheConfig, int *config) {
    *config = cache_config;
    return note_error(cudaSuccess);
}
