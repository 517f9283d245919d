/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches whose CTAs are live together, for the host (capture/cuda/cooperative_api.c).
 */
#ifndef WARPMEM_COOPERATIVE_H
#define WARPMEM_COOPERATIVE_H

extern "C" cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t,
                                                   cudaStream_t);
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, shared,
                                       stream);
}

#endif
