/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic parallelism, as CUDA 12 has it: what a kernel calls to launch kernels. warpmem-cc
 * includes it where it compiles the kernels of a file that does so (compiler/child_launches.py);
 * runtime/children.c has the rest.
 */
#ifndef WARPMEM_CHILDREN_H
#define WARPMEM_CHILDREN_H

extern "C" {
__device__ void __wm_child_launch(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  size_t, cudaStream_t);
__device__ int __wm_child_copy(void *to, const void *from, size_t bytes);
__device__ int __wm_child_fill(void *to, int value, size_t bytes);
__device__ int __wm_child_error(int forget);
}

/* Behind a call of the kernel. Host functions have it in their text too, and are not compiled. */
WARPMEM_BOTH void wm_child_launch(dim3 grid, dim3 block, size_t shared = 0,
                                  cudaStream_t stream = 0) {
    __wm_child_launch(grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, stream);
}

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

/* A child runs when the kernel that launched it has ended, so its streams and events have no other
 * effect than the order of the launches. */
WARPMEM_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    *stream = 0;
    return flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorInvalidValue;
}
WARPMEM_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
WARPMEM_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) {
    return cudaSuccess;
}
WARPMEM_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    *event = 0;
    return flags == cudaEventDisableTiming ? cudaSuccess : cudaErrorInvalidValue;
}
WARPMEM_DEVICE cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0) {
    return cudaSuccess;
}
WARPMEM_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t) {
    return cudaSuccess;
}
WARPMEM_DEVICE cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                           cudaMemcpyKind = cudaMemcpyDeviceToDevice,
                                           cudaStream_t = 0) {
    return (cudaError_t)__wm_child_copy(to, from, bytes);
}
WARPMEM_DEVICE cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t = 0) {
    return (cudaError_t)__wm_child_fill(to, value, bytes);
}

WARPMEM_DEVICE cudaError_t cudaMalloc(void **p, size_t bytes) {
    *p = malloc(bytes);
    return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <class T> WARPMEM_DEVICE cudaError_t cudaMalloc(T **p, size_t bytes) {
    return cudaMalloc((void **)p, bytes);
}
WARPMEM_DEVICE cudaError_t cudaFree(void *p) {
    free(p);
    return cudaSuccess;
}

WARPMEM_DEVICE cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
WARPMEM_DEVICE cudaError_t cudaGetLastError() {
    return (cudaError_t)__wm_child_error(1);
}
WARPMEM_DEVICE cudaError_t cudaPeekAtLastError() {
    return (cudaError_t)__wm_child_error(0);
}
WARPMEM_DEVICE const char *cudaGetErrorString(cudaError_t error) {
    switch ((int)error) {
#define WARPMEM_TEXT(name, number, text) \
    case number: return text;
        WARPMEM_ERRORS(WARPMEM_TEXT)
#undef WARPMEM_TEXT
    default: return "unrecognized error code";
    }
}
WARPMEM_DEVICE const char *cudaGetErrorName(cudaError_t error) {
    switch ((int)error) {
#define WARPMEM_NAME(name, number, text) \
    case number: return #name;
        WARPMEM_ERRORS(WARPMEM_NAME)
#undef WARPMEM_NAME
    default: return "unrecognized error code";
    }
}
__device__ cudaError_t cudaDeviceSynchronize()
    WARPMEM_ABSENT("cudaDeviceSynchronize() in a kernel, which CUDA 12 has no more:");

#endif
