/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of 8 bits: __nv_fp8_e4m3, __nv_fp8_e5m2, their vectors of two and four, and their
 * conversions, on host and device. A GPU of capability 7.0 converts by integer instructions: 16 to
 * 8 bits and 6 from them, which is an estimate.
 */
#ifndef WARPMEM_FP8_H
#define WARPMEM_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

extern "C" {
WARPMEM_ON_BOTH unsigned __wm_int16_fp8_code(double, int);
WARPMEM_ON_BOTH unsigned __wm_int6_fp8_half(unsigned, int);
}

WARPMEM_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s,
                                                       __nv_fp8_interpretation_t f) {
    return (__nv_fp8_storage_t)__wm_int16_fp8_code(x, (int)f | (int)s << 1);
}
WARPMEM_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s,
                                                      __nv_fp8_interpretation_t f) {
    return __nv_cvt_double_to_fp8(x, s, f);
}
WARPMEM_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s,
                                                        __nv_fp8_interpretation_t f) {
    return __nv_cvt_float_to_fp8(__half2float(__half(x)), s, f);
}
WARPMEM_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                            __nv_saturation_t s,
                                                            __nv_fp8_interpretation_t f) {
    return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), s, f);
}
WARPMEM_BOTH __nv_fp8x2_storage_t __wm_fp8_pair(__nv_fp8_storage_t low, __nv_fp8_storage_t high) {
    return (__nv_fp8x2_storage_t)(low | high << 8);
}
WARPMEM_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t s,
                                                            __nv_fp8_interpretation_t f) {
    return __wm_fp8_pair(__nv_cvt_double_to_fp8(x.x, s, f), __nv_cvt_double_to_fp8(x.y, s, f));
}
WARPMEM_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s,
                                                           __nv_fp8_interpretation_t f) {
    return __wm_fp8_pair(__nv_cvt_float_to_fp8(x.x, s, f), __nv_cvt_float_to_fp8(x.y, s, f));
}
WARPMEM_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t s,
                                                             __nv_fp8_interpretation_t f) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(x)), s, f);
}
WARPMEM_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                                 __nv_saturation_t s,
                                                                 __nv_fp8_interpretation_t f) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(x)), s, f);
}
WARPMEM_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t f) {
    return __half_raw{(unsigned short)__wm_int6_fp8_half(x, (int)f)};
}
WARPMEM_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                    __nv_fp8_interpretation_t f) {
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, f).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), f).x};
}

/* Constructors saturate, as CUDA's do. */
#define WARPMEM_FP8(name, name2, name4, format) \
    struct name { \
        __nv_fp8_storage_t __x; \
        name() = default; \
        template <class T> \
        WARPMEM_MEMBER explicit name(T v) \
            : __x(__nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, format)) {} \
        WARPMEM_MEMBER explicit name(__half v) \
            : __x(__nv_cvt_float_to_fp8(__half2float(v), __NV_SATFINITE, format)) {} \
        WARPMEM_MEMBER explicit name(__nv_bfloat16 v) \
            : __x(__nv_cvt_float_to_fp8(__bfloat162float(v), __NV_SATFINITE, format)) {} \
        WARPMEM_MEMBER explicit operator __half() const { \
            return __half(__nv_cvt_fp8_to_halfraw(__x, format)); \
        } \
        WARPMEM_MEMBER explicit operator float() const { \
            return __half2float(__half(*this)); \
        } \
        WARPMEM_MEMBER explicit operator double() const { \
            return (double)float(*this); \
        } \
        WARPMEM_MEMBER explicit operator __nv_bfloat16() const { \
            return __float2bfloat16(float(*this)); \
        } \
        WARPMEM_MEMBER explicit operator bool() const { \
            return (__x & 0x7f) != 0; \
        } \
        WARPMEM_MEMBER explicit operator int() const { \
            return __half2int_rz(__half(*this)); \
        } \
        WARPMEM_MEMBER explicit operator unsigned() const { \
            return __half2uint_rz(__half(*this)); \
        } \
    }; \
    struct __align__(2) name2 { \
        __nv_fp8x2_storage_t __x; \
        name2() = default; \
        WARPMEM_MEMBER explicit name2(float2 v) \
            : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, format)) {} \
        WARPMEM_MEMBER explicit name2(double2 v) \
            : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, format)) {} \
        WARPMEM_MEMBER explicit name2(__half2 v) \
            : __x(__nv_cvt_float2_to_fp8x2(__half22float2(v), __NV_SATFINITE, format)) {} \
        WARPMEM_MEMBER explicit name2(__nv_bfloat162 v) \
            : __x(__nv_cvt_float2_to_fp8x2(__bfloat1622float2(v), __NV_SATFINITE, format)) {} \
        WARPMEM_MEMBER explicit operator __half2() const { \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format)); \
        } \
        WARPMEM_MEMBER explicit operator float2() const { \
            return __half22float2(__half2(*this)); \
        } \
    }; \
    struct __align__(4) name4 { \
        __nv_fp8x4_storage_t __x; \
        name4() = default; \
        WARPMEM_MEMBER explicit name4(float4 v) \
            : __x(__nv_cvt_float2_to_fp8x2(float2{v.x, v.y}, __NV_SATFINITE, format) | \
                  (unsigned)__nv_cvt_float2_to_fp8x2(float2{v.z, v.w}, __NV_SATFINITE, format) \
                      << 16) {} \
        WARPMEM_MEMBER explicit name4(__half2 low, __half2 high) \
            : __x(name2(low).__x | (unsigned)name2(high).__x << 16) {} \
        WARPMEM_MEMBER explicit name4(__nv_bfloat162 low, __nv_bfloat162 high) \
            : __x(name2(low).__x | (unsigned)name2(high).__x << 16) {} \
        WARPMEM_MEMBER explicit operator float4() const { \
            const float2 low = __half22float2( \
                             __half2(__nv_cvt_fp8x2_to_halfraw2((unsigned short)__x, format))), \
                         high = __half22float2(__half2( \
                             __nv_cvt_fp8x2_to_halfraw2((unsigned short)(__x >> 16), format))); \
            return float4{low.x, low.y, high.x, high.y}; \
        } \
    };
WARPMEM_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
WARPMEM_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef WARPMEM_FP8

#endif
