/* SPDX-License-Identifier: Apache-2.0
 *
 * Half precision: __half, __half2 and their functions, on host and device.
 */
#ifndef WARPMEM_FP16_H
#define WARPMEM_FP16_H

#include "warpmem_cuda.h"
#include "warpmem_functions.h"

extern "C" WARPMEM_ON_BOTH unsigned __wm_int1___byte_perm(unsigned, unsigned, unsigned);

#define WARPMEM_NARROW __half
#define WARPMEM_NARROW2 __half2
#define WARPMEM_NARROW_RAW __half_raw
#define WARPMEM_NARROW2_RAW __half2_raw
#define WARPMEM_NARROW_WORD half
#define WARPMEM_NARROW2_WORD half2
#define WARPMEM_NARROW_2_WORD 2half2
#define WARPMEM_NARROW_S h
#include "warpmem_narrow.h"

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)

#endif
