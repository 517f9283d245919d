/* SPDX-License-Identifier: Apache-2.0
 * The checks of CUDA's samples. */
#ifndef WARPMEM_HELPER_CUDA_H
#define WARPMEM_HELPER_CUDA_H

#include "helper_string.h"
#include "warpmem_cuda.h"

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#define DEVICE_RESET cudaDeviceReset();

static inline const char *_cudaGetErrorEnum(cudaError_t error) {
    return cudaGetErrorName(error);
}

static inline void warpmem_check_call(cudaError_t error, const char *call, const char *file,
                                      int line) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s:%d: CUDA error %d (%s) of %s: %s\n", file, line, (int)error,
                cudaGetErrorName(error), call, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}
#define checkCudaErrors(call) warpmem_check_call((cudaError_t)(call), #call, __FILE__, __LINE__)
#define getLastCudaError(text) warpmem_check_call(cudaGetLastError(), text, __FILE__, __LINE__)
#define printLastCudaError(text) \
    do { \
        cudaError_t warpmem_last = cudaGetLastError(); \
        if (warpmem_last != cudaSuccess) { \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, text, \
                    cudaGetErrorString(warpmem_last)); \
        } \
    } while (0)

static inline int ftoi(float value) {
    return (int)(value >= 0 ? value + 0.5 : value - 0.5);
}

/* Lanes of a core for floats, by compute capability. */
static inline int _ConvertSMVer2Cores(int major, int minor) {
    return major == 3                             ? 192
           : major == 6 && !minor                 ? 64
           : major == 7 || (major == 8 && !minor) ? 64
                                                  : 128;
}

static inline const char *_ConvertSMVer2ArchName(int, int) {
    return "warpmem";
}

/* There is one device. */
static inline int findCudaDevice(int, const char **) {
    return 0;
}
static inline int gpuDeviceInit(int) {
    return 0;
}
static inline int gpuGetMaxGflopsDeviceId(void) {
    return 0;
}
static inline int findIntegratedGPU(void) {
    return -1;
}
static inline bool checkCudaCapabilities(int major, int minor) {
    int own_major = 0, own_minor = 0;
    cudaDeviceGetAttribute(&own_major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&own_minor, cudaDevAttrComputeCapabilityMinor, 0);
    return own_major > major || (own_major == major && own_minor >= minor);
}

#endif
