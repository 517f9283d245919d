/* SPDX-License-Identifier: Apache-2.0
 * The checks of CUDA's samples. */
#ifndef WARPMEM_HELPER_CUDA_H
#define WARPMEM_HELPER_CUDA_H

#include "warpmem_cuda.h"

#define checkCudaErrors(call) \
    do { \
        cudaError_t warpmem_error = (cudaError_t)(call); \
        if (warpmem_error != cudaSuccess) { \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                    cudaGetErrorString(warpmem_error)); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)
#define getLastCudaError(text) checkCudaErrors(cudaGetLastError())

static inline int findCudaDevice(int, const char **) {
    return 0;
}

#endif
