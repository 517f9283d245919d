/* SPDX-License-Identifier: Apache-2.0
 *
 * bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions, on host and device.
 */
#ifndef WARPMEM_BF16_H
#define WARPMEM_BF16_H

#include "warpmem_cuda.h"
#include "warpmem_functions.h"

extern "C" WARPMEM_ON_BOTH unsigned __wm_int1___byte_perm(unsigned, unsigned, unsigned);

#define WARPMEM_NARROW __nv_bfloat16
#define WARPMEM_NARROW2 __nv_bfloat162
#define WARPMEM_NARROW_RAW __nv_bfloat16_raw
#define WARPMEM_NARROW2_RAW __nv_bfloat162_raw
#define WARPMEM_NARROW_WORD bfloat16
#define WARPMEM_NARROW2_WORD bfloat162
#define WARPMEM_NARROW_2_WORD 2bfloat162
#define WARPMEM_NARROW_S b
#include "warpmem_narrow.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)

#endif
