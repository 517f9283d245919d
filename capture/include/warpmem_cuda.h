/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's language and runtime, as far as capture/cuda supports it, for programs that warpmem-cc
 * compiles. warpmem-cc includes it before each file; it replaces the CUDA headers that the file
 * includes.
 */
#ifndef WARPMEM_CUDA_H
#define WARPMEM_CUDA_H

#ifdef __CUDA__
#if defined(WARPMEM_CHILDREN) && defined(__CUDA_ARCH__) /* kernels that kernels may call */
#define __global__ __attribute__((host, device, used, noinline, section("wm_kernel")))
#else
#define __global__ __attribute__((global))
#endif
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* The compiler reports a missing feature where a program uses it, not where it is declared. */
#define WARPMEM_ABSENT(what) __attribute__((unavailable(what " not supported")))
/* Its section: instrument/managed.h. Used: one of an unnamed namespace changes as well. */
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device, used, section("wm_managed")))
#else
#define __managed__ __attribute__((device, section("wm_managed")))
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ /* a parameter that the kernel does not change */
#define __align__(n) __attribute__((aligned(n)))
/* Nothing, because the C++ library has it as the name of an attribute, and because kernels are
 * inlined anyway. */
#define __noinline__

#define WARPMEM_BOTH static inline __attribute__((host, device, always_inline))
#define WARPMEM_DEVICE static inline __attribute__((device, always_inline))
#define WARPMEM_METHOD inline __attribute__((device, always_inline))
#else /* a file of C++ without kernels */
#define WARPMEM_ABSENT(what) __attribute__((unavailable(what " not supported")))
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define WARPMEM_BOTH static inline
#define WARPMEM_METHOD inline
#endif
#ifdef __cplusplus
#define WARPMEM_C_BEGIN extern "C" {
#define WARPMEM_C_END }
#define WARPMEM_OR(value) = value
#else /* a file of C: the same functions without default arguments and templates */
#define WARPMEM_C_BEGIN
#define WARPMEM_C_END
#define WARPMEM_OR(value)
#include <stdbool.h>
#endif
#define CUDART_VERSION 12040 /* warpmem-cc defines nvcc's macros of this release */
#define CUDART_API_VERSION CUDART_VERSION

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __CUDA__
/* The heap of the device, runtime/heap.c; the compiler's operator new calls it. */
__attribute__((device)) void *malloc(size_t) __asm__("__wm_int1_malloc");
__attribute__((device)) void free(void *) __asm__("__wm_int1_free");
#endif

#ifdef __cplusplus
#include <algorithm>
#include <cmath>
#include <new>
#include <utility>
#endif

#include "warpmem_vectors.h"

typedef struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
        : x(a), y(b), z(c) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#endif
} dim3;

#ifdef __CUDA__

#include <__clang_cuda_builtin_vars.h>

/* Its place in the kernel counts, so two of its calls must not become one. */
extern "C" __device__ unsigned __wm_activemask(void) __attribute__((nomerge));

#include "warpmem_device.h"
#endif
/* In this order. */
/* clang-format off */
#include "warpmem_runtime.h"
#include "warpmem_properties.h"
#include "warpmem_texture.h"
#include "warpmem_execution.h"
#include "warpmem_graph.h"
#include "warpmem_refused.h"
#ifdef WARPMEM_CHILDREN
#include "warpmem_children.h"
#endif
#if defined(__CUDA__) && !defined(__CUDA_ARCH__) && WARPMEM_CAPABILITY > 70 /* warpmem-cc -arch */
static __attribute__((constructor)) void warpmem_begin_file(void) {
    warpmem_see_capability(WARPMEM_CAPABILITY);
}
#endif
/* clang-format on */

#endif
