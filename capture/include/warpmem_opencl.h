/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of OpenCL C 1.2, for kernels that warpmem-cc compiles: everything is defined here,
 * element by element, and ends in the same few functions as CUDA's (warpmem_device.h). Types and
 * constants are the compiler's own. Images are not supported.
 */
#ifndef WARPMEM_OPENCL_H
#define WARPMEM_OPENCL_H

#define WARPMEM __attribute__((overloadable, always_inline)) static
#define WARPMEM_PURE __attribute__((const)) /* a call may move and merge */

/* --- work-items --- */

#define WARPMEM_PER_DIMENSION(name) \
    uint name##_x(void) WARPMEM_PURE; \
    uint name##_y(void) WARPMEM_PURE; \
    uint name##_z(void) WARPMEM_PURE; \
    WARPMEM uint name(uint d, uint otherwise) { \
        return d == 0 ? name##_x() : d == 1 ? name##_y() : d == 2 ? name##_z() : otherwise; \
    }
WARPMEM_PER_DIMENSION(__wm_sreg_tid)
WARPMEM_PER_DIMENSION(__wm_sreg_ntid)
WARPMEM_PER_DIMENSION(__wm_sreg_ctaid)
WARPMEM_PER_DIMENSION(__wm_sreg_nctaid)
WARPMEM_PER_DIMENSION(__wm_ndrange_offset)
uint __wm_ndrange_dimensions(void) WARPMEM_PURE;
WARPMEM uint get_work_dim(void) {
    return __wm_ndrange_dimensions();
}
WARPMEM size_t get_local_id(uint d) {
    return __wm_sreg_tid(d, 0);
}
WARPMEM size_t get_local_size(uint d) {
    return __wm_sreg_ntid(d, 1);
}
WARPMEM size_t get_group_id(uint d) {
    return __wm_sreg_ctaid(d, 0);
}
WARPMEM size_t get_num_groups(uint d) {
    return __wm_sreg_nctaid(d, 1);
}
WARPMEM size_t get_global_offset(uint d) {
    return __wm_ndrange_offset(d, 0);
}
WARPMEM size_t get_global_size(uint d) {
    return __wm_sreg_nctaid(d, 1) * __wm_sreg_ntid(d, 1);
}
WARPMEM size_t get_global_id(uint d) {
    return __wm_sreg_ctaid(d, 0) * __wm_sreg_ntid(d, 1) + __wm_sreg_tid(d, 0) +
           __wm_ndrange_offset(d, 0);
}

/* --- synchronization --- */

void __wm_barrier(void);
void __wm_fence(void);
WARPMEM void barrier(cl_mem_fence_flags flags) {
    __wm_barrier();
}
WARPMEM void mem_fence(cl_mem_fence_flags flags) {
    __wm_fence();
}
WARPMEM void read_mem_fence(cl_mem_fence_flags flags) {
    __wm_fence();
}
WARPMEM void write_mem_fence(cl_mem_fence_flags flags) {
    __wm_fence();
}

/* --- types: F(type), or F(type, type of a comparison's result, unsigned type) --- */

#define WARPMEM_SIZES(F, type, result, plain) \
    F(type, result, plain) \
    WARPMEM_VECTORS(F, type, result, plain)
#define WARPMEM_VECTORS(F, type, result, plain) \
    F(type##2, result##2, plain##2) \
    F(type##3, result##3, plain##3) \
    F(type##4, result##4, plain##4) \
    F(type##8, result##8, plain##8) \
    F(type##16, result##16, plain##16)
#define WARPMEM_INTEGERS(F) \
    WARPMEM_SIZES(F, char, char, uchar) \
    WARPMEM_SIZES(F, uchar, char, uchar) \
    WARPMEM_SIZES(F, short, short, ushort) \
    WARPMEM_SIZES(F, ushort, short, ushort) \
    WARPMEM_SIZES(F, int, int, uint) \
    WARPMEM_SIZES(F, uint, int, uint) \
    WARPMEM_SIZES(F, long, long, ulong) \
    WARPMEM_SIZES(F, ulong, long, ulong)
#define WARPMEM_FLOATS(F) \
    WARPMEM_SIZES(F, float, int, uint) \
    WARPMEM_SIZES(F, double, long, ulong)
/* clang-format off */
#define WARPMEM_FLOAT_VECTORS(F) \
    F(float, float2) F(float, float3) F(float, float4) F(float, float8) F(float, float16) \
    F(double, double2) F(double, double3) F(double, double4) F(double, double8) F(double, double16)
#define WARPMEM_INTEGER_VECTORS_OF(F, type) \
    F(type, type##2) F(type, type##3) F(type, type##4) F(type, type##8) F(type, type##16)
#define WARPMEM_INTEGER_VECTORS(F) \
    WARPMEM_INTEGER_VECTORS_OF(F, char) \
    WARPMEM_INTEGER_VECTORS_OF(F, uchar) \
    WARPMEM_INTEGER_VECTORS_OF(F, short) \
    WARPMEM_INTEGER_VECTORS_OF(F, ushort) \
    WARPMEM_INTEGER_VECTORS_OF(F, int) \
    WARPMEM_INTEGER_VECTORS_OF(F, uint) \
    WARPMEM_INTEGER_VECTORS_OF(F, long) \
    WARPMEM_INTEGER_VECTORS_OF(F, ulong)
/* clang-format on */

/* A function of vectors, from one of elements. */
#define WARPMEM_VECTORS_1(name, f, type, to) \
    WARPMEM to##2 name(type##2 x) { \
        return (to##2)(f(x.s0), f(x.s1)); \
    } \
    WARPMEM to##3 name(type##3 x) { \
        return (to##3)(f(x.s0), f(x.s1), f(x.s2)); \
    } \
    WARPMEM to##4 name(type##4 x) { \
        return (to##4)(name(x.lo), name(x.hi)); \
    } \
    WARPMEM to##8 name(type##8 x) { \
        return (to##8)(name(x.lo), name(x.hi)); \
    } \
    WARPMEM to##16 name(type##16 x) { \
        return (to##16)(name(x.lo), name(x.hi)); \
    }
#define WARPMEM_VECTORS_2(name, f, type, second) \
    WARPMEM type##2 name(type##2 x, second##2 y) { \
        return (type##2)(f(x.s0, y.s0), f(x.s1, y.s1)); \
    } \
    WARPMEM type##3 name(type##3 x, second##3 y) { \
        return (type##3)(f(x.s0, y.s0), f(x.s1, y.s1), f(x.s2, y.s2)); \
    } \
    WARPMEM type##4 name(type##4 x, second##4 y) { \
        return (type##4)(name(x.lo, y.lo), name(x.hi, y.hi)); \
    } \
    WARPMEM type##8 name(type##8 x, second##8 y) { \
        return (type##8)(name(x.lo, y.lo), name(x.hi, y.hi)); \
    } \
    WARPMEM type##16 name(type##16 x, second##16 y) { \
        return (type##16)(name(x.lo, y.lo), name(x.hi, y.hi)); \
    }

/* --- arithmetic of floats --- */

/* clang-format off */
#define WARPMEM_MATH_1(F) \
    F(sfu, sqrt) F(sfu, sin) F(sfu, cos) F(sfu2, tan) F(sfu, exp) F(sfu, exp2) \
    F(sfu2, exp10) F(sfu2, expm1) F(sfu, log) F(sfu, log2) F(sfu, log10) F(sfu2, log1p) \
    F(sfu2, asin) F(sfu2, acos) F(sfu2, atan) F(sfu2, sinh) F(sfu2, cosh) F(sfu2, tanh) \
    F(sfu2, asinh) F(sfu2, acosh) F(sfu2, atanh) F(sfu2, cbrt) F(sfu2, erf) F(sfu2, erfc) \
    F(sfu2, lgamma) F(sfu2, tgamma) F(bits, logb)
#define WARPMEM_MATH_2(F) \
    F(sfu2, pow) F(sfu2, atan2) F(sfu2, hypot) F(div, fmod) F(div, remainder) F(bits, nextafter)
/* clang-format on */
#define WARPMEM_DEFINE_1(unit, name) \
    double __wm_##unit##_##name(double) WARPMEM_PURE; \
    float __wm_##unit##_##name##f(float) WARPMEM_PURE; \
    WARPMEM double name(double x) { \
        return __wm_##unit##_##name(x); \
    } \
    WARPMEM float name(float x) { \
        return __wm_##unit##_##name##f(x); \
    } \
    WARPMEM_VECTORS_1(name, name, double, double) \
    WARPMEM_VECTORS_1(name, name, float, float)
#define WARPMEM_DEFINE_2(unit, name) \
    double __wm_##unit##_##name(double, double) WARPMEM_PURE; \
    float __wm_##unit##_##name##f(float, float) WARPMEM_PURE; \
    WARPMEM double name(double x, double y) { \
        return __wm_##unit##_##name(x, y); \
    } \
    WARPMEM float name(float x, float y) { \
        return __wm_##unit##_##name##f(x, y); \
    } \
    WARPMEM_VECTORS_2(name, name, double, double) \
    WARPMEM_VECTORS_2(name, name, float, float)
#define WARPMEM_BUILTIN_1(name) \
    WARPMEM double name(double x) { \
        return __builtin_##name(x); \
    } \
    WARPMEM float name(float x) { \
        return __builtin_##name##f(x); \
    } \
    WARPMEM_VECTORS_1(name, name, double, double) \
    WARPMEM_VECTORS_1(name, name, float, float)
#define WARPMEM_BUILTIN_2(name) \
    WARPMEM double name(double x, double y) { \
        return __builtin_##name(x, y); \
    } \
    WARPMEM float name(float x, float y) { \
        return __builtin_##name##f(x, y); \
    } \
    WARPMEM_VECTORS_2(name, name, double, double) \
    WARPMEM_VECTORS_2(name, name, float, float)
WARPMEM_MATH_1(WARPMEM_DEFINE_1)
WARPMEM_MATH_2(WARPMEM_DEFINE_2)
WARPMEM_BUILTIN_1(fabs)
WARPMEM_BUILTIN_1(floor)
WARPMEM_BUILTIN_1(ceil)
WARPMEM_BUILTIN_1(trunc)
WARPMEM_BUILTIN_1(round)
WARPMEM_BUILTIN_1(rint)
WARPMEM_BUILTIN_2(fmin)
WARPMEM_BUILTIN_2(fmax)
WARPMEM_BUILTIN_2(copysign)
double __wm_bits_ldexp(double, int) WARPMEM_PURE;
float __wm_bits_ldexpf(float, int) WARPMEM_PURE;
WARPMEM double ldexp(double x, int n) {
    return __wm_bits_ldexp(x, n);
}
WARPMEM float ldexp(float x, int n) {
    return __wm_bits_ldexpf(x, n);
}
WARPMEM_VECTORS_2(ldexp, ldexp, double, int)
WARPMEM_VECTORS_2(ldexp, ldexp, float, int)
WARPMEM double pown(double x, int n) {
    return pow(x, (double)n);
}
WARPMEM float pown(float x, int n) {
    return pow(x, (float)n);
}
WARPMEM_VECTORS_2(pown, pown, double, int)
WARPMEM_VECTORS_2(pown, pown, float, int)
WARPMEM double rootn(double x, int n) {
    return n & 1 && x < 0 ? -pow(-x, 1.0 / n) : pow(x, 1.0 / n);
}
WARPMEM float rootn(float x, int n) {
    return n & 1 && x < 0 ? -pow(-x, 1.0f / n) : pow(x, 1.0f / n);
}
WARPMEM_VECTORS_2(rootn, rootn, double, int)
WARPMEM_VECTORS_2(rootn, rootn, float, int)
WARPMEM double fma(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
WARPMEM float fma(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
#define WARPMEM_FMA(T) \
    WARPMEM T##2 fma(T##2 x, T##2 y, T##2 z) { \
        return (T##2)(fma(x.s0, y.s0, z.s0), fma(x.s1, y.s1, z.s1)); \
    } \
    WARPMEM T##3 fma(T##3 x, T##3 y, T##3 z) { \
        return (T##3)(fma(x.s01, y.s01, z.s01), fma(x.s2, y.s2, z.s2)); \
    } \
    WARPMEM T##4 fma(T##4 x, T##4 y, T##4 z) { \
        return (T##4)(fma(x.lo, y.lo, z.lo), fma(x.hi, y.hi, z.hi)); \
    } \
    WARPMEM T##8 fma(T##8 x, T##8 y, T##8 z) { \
        return (T##8)(fma(x.lo, y.lo, z.lo), fma(x.hi, y.hi, z.hi)); \
    } \
    WARPMEM T##16 fma(T##16 x, T##16 y, T##16 z) { \
        return (T##16)(fma(x.lo, y.lo, z.lo), fma(x.hi, y.hi, z.hi)); \
    }
WARPMEM_FMA(float)
WARPMEM_FMA(double)

/* Comparisons: of scalars an int, of vectors a mask an element. */
#define WARPMEM_RELATIONS(T, R, U) \
    WARPMEM R isequal(T x, T y) { \
        return x == y; \
    } \
    WARPMEM R isnotequal(T x, T y) { \
        return x != y; \
    } \
    WARPMEM R isgreater(T x, T y) { \
        return x > y; \
    } \
    WARPMEM R isgreaterequal(T x, T y) { \
        return x >= y; \
    } \
    WARPMEM R isless(T x, T y) { \
        return x < y; \
    } \
    WARPMEM R islessequal(T x, T y) { \
        return x <= y; \
    } \
    WARPMEM R islessgreater(T x, T y) { \
        return x < y || x > y; \
    } \
    WARPMEM R isordered(T x, T y) { \
        return x == x && y == y; \
    } \
    WARPMEM R isunordered(T x, T y) { \
        return x != x || y != y; \
    } \
    WARPMEM R isnan(T x) { \
        return x != x; \
    } \
    WARPMEM R isinf(T x) { \
        return fabs(x) == (T)INFINITY; \
    } \
    WARPMEM R isfinite(T x) { \
        return fabs(x) < (T)INFINITY; \
    } \
    WARPMEM R signbit(T x) { \
        return copysign((T)1, x) < (T)0; \
    }
WARPMEM_SIZES(WARPMEM_RELATIONS, float, int, uint)
WARPMEM_RELATIONS(double, int, ulong)
WARPMEM_VECTORS(WARPMEM_RELATIONS, double, long, ulong)

/* Expressions that scalars and vectors share. */
#define WARPMEM_FLOAT_FUNCTIONS(T, R, U) \
    WARPMEM T mad(T x, T y, T z) { \
        return x * y + z; \
    } \
    WARPMEM T rsqrt(T x) { \
        return (T)1 / sqrt(x); \
    } \
    WARPMEM T powr(T x, T y) { \
        return pow(x, y); \
    } \
    WARPMEM T sinpi(T x) { \
        return sin(x * (T)M_PI); \
    } \
    WARPMEM T cospi(T x) { \
        return cos(x * (T)M_PI); \
    } \
    WARPMEM T tanpi(T x) { \
        return tan(x * (T)M_PI); \
    } \
    WARPMEM T asinpi(T x) { \
        return asin(x) / (T)M_PI; \
    } \
    WARPMEM T acospi(T x) { \
        return acos(x) / (T)M_PI; \
    } \
    WARPMEM T atanpi(T x) { \
        return atan(x) / (T)M_PI; \
    } \
    WARPMEM T atan2pi(T y, T x) { \
        return atan2(y, x) / (T)M_PI; \
    } \
    WARPMEM T fdim(T x, T y) { \
        return fmax(x - y, (T)0); \
    } \
    WARPMEM T max(T x, T y) { \
        return x < y ? y : x; \
    } \
    WARPMEM T min(T x, T y) { \
        return y < x ? y : x; \
    } \
    WARPMEM T clamp(T x, T low, T high) { \
        return fmin(fmax(x, low), high); \
    } \
    WARPMEM T degrees(T x) { \
        return x * (T)(180 / M_PI); \
    } \
    WARPMEM T radians(T x) { \
        return x * (T)(M_PI / 180); \
    } \
    WARPMEM T mix(T x, T y, T a) { \
        return x + (y - x) * a; \
    } \
    WARPMEM T step(T edge, T x) { \
        return x < edge ? (T)0 : (T)1; \
    } \
    WARPMEM T smoothstep(T low, T high, T x) { \
        T t = clamp((x - low) / (high - low), (T)0, (T)1); \
        return t * t * ((T)3 - (T)2 * t); \
    } \
    WARPMEM T sign(T x) { \
        return x > (T)0 ? (T)1 : x < (T)0 ? (T)-1 : x == (T)0 ? x : (T)0; \
    } \
    WARPMEM T maxmag(T x, T y) { \
        return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y); \
    } \
    WARPMEM T minmag(T x, T y) { \
        return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y); \
    } \
    WARPMEM_WITH_POINTER(T, __private) \
    WARPMEM_WITH_POINTER(T, __global) \
    WARPMEM_WITH_POINTER(T, __local)
#define WARPMEM_WITH_POINTER(T, space) \
    WARPMEM T sincos(T x, space T *c) { \
        *c = cos(x); \
        return sin(x); \
    } \
    WARPMEM T modf(T x, space T *whole) { \
        T w = trunc(x); \
        *whole = w; \
        return copysign(isinf(x) ? (T)0 : x - w, x); \
    } \
    WARPMEM T fract(T x, space T *whole) { \
        T w = floor(x); \
        *whole = w; \
        return fmin(x - w, (T)0x1.fffffep-1f); \
    }
WARPMEM_FLOATS(WARPMEM_FLOAT_FUNCTIONS)
#define WARPMEM_MIXED_FLOATS(S, V) \
    WARPMEM V fmax(V x, S y) { \
        return fmax(x, (V)y); \
    } \
    WARPMEM V fmin(V x, S y) { \
        return fmin(x, (V)y); \
    } \
    WARPMEM V max(V x, S y) { \
        return max(x, (V)y); \
    } \
    WARPMEM V min(V x, S y) { \
        return min(x, (V)y); \
    } \
    WARPMEM V clamp(V x, S low, S high) { \
        return clamp(x, (V)low, (V)high); \
    } \
    WARPMEM V mix(V x, V y, S a) { \
        return mix(x, y, (V)a); \
    } \
    WARPMEM V step(S edge, V x) { \
        return step((V)edge, x); \
    } \
    WARPMEM V smoothstep(S low, S high, V x) { \
        return smoothstep((V)low, (V)high, x); \
    }
WARPMEM_FLOAT_VECTORS(WARPMEM_MIXED_FLOATS)
WARPMEM int ilogb(float x) {
    return (int)logb(x);
}
WARPMEM int ilogb(double x) {
    return (int)logb(x);
}
WARPMEM int isnormal(float x) {
    return fabs(x) >= FLT_MIN && isfinite(x);
}
WARPMEM int isnormal(double x) {
    return fabs(x) >= DBL_MIN && isfinite(x);
}
WARPMEM float nan(uint code) {
    return as_float(code | 0x7fc00000u);
}

/* The fast functions of a GPU are the same special functions. */
#define WARPMEM_NATIVE(T, R, U) \
    WARPMEM_NATIVE_1(T, cos) \
    WARPMEM_NATIVE_1(T, exp) \
    WARPMEM_NATIVE_1(T, exp2) \
    WARPMEM_NATIVE_1(T, exp10) \
    WARPMEM_NATIVE_1(T, log) \
    WARPMEM_NATIVE_1(T, log2) \
    WARPMEM_NATIVE_1(T, log10) \
    WARPMEM_NATIVE_1(T, rsqrt) \
    WARPMEM_NATIVE_1(T, sin) \
    WARPMEM_NATIVE_1(T, sqrt) \
    WARPMEM_NATIVE_1(T, tan) \
    WARPMEM_NATIVE_2(native_, T) \
    WARPMEM_NATIVE_2(half_, T)
#define WARPMEM_NATIVE_1(T, name) \
    WARPMEM T native_##name(T x) { \
        return name(x); \
    } \
    WARPMEM T half_##name(T x) { \
        return name(x); \
    }
#define WARPMEM_NATIVE_2(prefix, T) \
    WARPMEM T prefix##divide(T x, T y) { \
        return x / y; \
    } \
    WARPMEM T prefix##recip(T x) { \
        return (T)1 / x; \
    } \
    WARPMEM T prefix##powr(T x, T y) { \
        return pow(x, y); \
    }
WARPMEM_SIZES(WARPMEM_NATIVE, float, int, uint)

/* --- geometry --- */

#define WARPMEM_DOT(S) \
    WARPMEM S dot(S x, S y) { \
        return x * y; \
    } \
    WARPMEM S dot(S##2 x, S##2 y) { \
        return x.s0 * y.s0 + x.s1 * y.s1; \
    } \
    WARPMEM S dot(S##3 x, S##3 y) { \
        return x.s0 * y.s0 + x.s1 * y.s1 + x.s2 * y.s2; \
    } \
    WARPMEM S dot(S##4 x, S##4 y) { \
        return x.s0 * y.s0 + x.s1 * y.s1 + x.s2 * y.s2 + x.s3 * y.s3; \
    } \
    WARPMEM S##3 cross(S##3 x, S##3 y) { \
        return x.s120 * y.s201 - x.s201 * y.s120; \
    } \
    WARPMEM S##4 cross(S##4 x, S##4 y) { \
        return (S##4)(cross(x.s012, y.s012), 0); \
    } \
    WARPMEM_LENGTH(S, S) \
    WARPMEM_LENGTH(S, S##2) \
    WARPMEM_LENGTH(S, S##3) \
    WARPMEM_LENGTH(S, S##4)
#define WARPMEM_LENGTH(S, T) \
    WARPMEM S length(T x) { \
        return sqrt(dot(x, x)); \
    } \
    WARPMEM S distance(T x, T y) { \
        return length(x - y); \
    } \
    WARPMEM T normalize(T x) { \
        return x * rsqrt(dot(x, x)); \
    } \
    WARPMEM S fast_length(T x) { \
        return length(x); \
    } \
    WARPMEM S fast_distance(T x, T y) { \
        return length(x - y); \
    } \
    WARPMEM T fast_normalize(T x) { \
        return normalize(x); \
    }
WARPMEM_DOT(float)
WARPMEM_DOT(double)

/* --- arithmetic of integers --- */

#define WARPMEM_ALL_BITS(U) ((U)((U)0 - (U)1))
#define WARPMEM_INTEGER_FUNCTIONS(T, R, U) \
    WARPMEM T max(T x, T y) { \
        return x < y ? y : x; \
    } \
    WARPMEM T min(T x, T y) { \
        return y < x ? y : x; \
    } \
    WARPMEM T clamp(T x, T low, T high) { \
        return min(max(x, low), high); \
    } \
    WARPMEM U abs(T x) { \
        return __builtin_astype((T)(x < (T)0 ? (T)-x : x), U); \
    } \
    WARPMEM U abs_diff(T x, T y) { \
        U a = __builtin_astype(x, U), b = __builtin_astype(y, U); \
        return x < y ? (U)(b - a) : (U)(a - b); \
    } \
    WARPMEM T hadd(T x, T y) { \
        return (x >> (T)1) + (y >> (T)1) + (x & y & (T)1); \
    } \
    WARPMEM T rhadd(T x, T y) { \
        return (x >> (T)1) + (y >> (T)1) + ((x | y) & (T)1); \
    } \
    WARPMEM T mad_hi(T x, T y, T z) { \
        return mul_hi(x, y) + z; \
    }
#define WARPMEM_SIGNED_FUNCTIONS(T, R, U) \
    WARPMEM T __wm_saturated(T x, T sum, T over) { \
        T most = __builtin_astype((U)(WARPMEM_ALL_BITS(U) >> (U)1), T); \
        return over < (T)0 ? (x < (T)0 ? (T)~most : most) : sum; \
    } \
    WARPMEM T add_sat(T x, T y) { \
        T s = __builtin_astype((U)(__builtin_astype(x, U) + __builtin_astype(y, U)), T); \
        return __wm_saturated(x, s, (x ^ s) & (y ^ s)); \
    } \
    WARPMEM T sub_sat(T x, T y) { \
        T s = __builtin_astype((U)(__builtin_astype(x, U) - __builtin_astype(y, U)), T); \
        return __wm_saturated(x, s, (x ^ y) & (x ^ s)); \
    }
#define WARPMEM_UNSIGNED_FUNCTIONS(T, R, U) \
    WARPMEM T add_sat(T x, T y) { \
        T s = x + y; \
        return s < x ? (T)WARPMEM_ALL_BITS(T) : s; \
    } \
    WARPMEM T sub_sat(T x, T y) { \
        return x < y ? (T)0 : (T)(x - y); \
    }
/* Functions of one element, for all sizes: of @bits, with a product in @wide. */
#define WARPMEM_SCALAR_INTEGER(T, U, bits) \
    WARPMEM T popcount(T x) { \
        return (T)__builtin_popcountl((ulong)(U)x); \
    } \
    WARPMEM T clz(T x) { \
        return x ? (T)(__builtin_clzl((ulong)(U)x) - (64 - (bits))) : (T)(bits); \
    } \
    WARPMEM T rotate(T x, T n) { \
        U by = (U)n & (bits - 1); \
        return (T)(U)((U)x << by | (U)x >> ((bits - by) & (bits - 1))); \
    } \
    WARPMEM_VECTORS_1(popcount, popcount, T, T) \
    WARPMEM_VECTORS_1(clz, clz, T, T) \
    WARPMEM_VECTORS_2(rotate, rotate, T, T)
#define WARPMEM_NARROW_INTEGER(T, U, bits, wide) \
    WARPMEM_SCALAR_INTEGER(T, U, bits) \
    WARPMEM T mul_hi(T x, T y) { \
        return (T)((wide)x * y >> bits); \
    } \
    WARPMEM_VECTORS_2(mul_hi, mul_hi, T, T)
ulong __wm_mulhi64(ulong, ulong) WARPMEM_PURE;
WARPMEM ulong mul_hi(ulong x, ulong y) {
    return __wm_mulhi64(x, y);
}
WARPMEM long mul_hi(long x, long y) {
    return (long)__wm_mulhi64((ulong)x, (ulong)y) - (x < 0 ? y : 0) - (y < 0 ? x : 0);
}
WARPMEM_VECTORS_2(mul_hi, mul_hi, long, long)
WARPMEM_VECTORS_2(mul_hi, mul_hi, ulong, ulong)
WARPMEM_NARROW_INTEGER(char, uchar, 8, int)
WARPMEM_NARROW_INTEGER(uchar, uchar, 8, uint)
WARPMEM_NARROW_INTEGER(short, ushort, 16, int)
WARPMEM_NARROW_INTEGER(ushort, ushort, 16, uint)
WARPMEM_NARROW_INTEGER(int, uint, 32, long)
WARPMEM_NARROW_INTEGER(uint, uint, 32, ulong)
WARPMEM_SCALAR_INTEGER(long, ulong, 64)
WARPMEM_SCALAR_INTEGER(ulong, ulong, 64)
WARPMEM_INTEGERS(WARPMEM_INTEGER_FUNCTIONS)
WARPMEM_SIZES(WARPMEM_SIGNED_FUNCTIONS, char, char, uchar)
WARPMEM_SIZES(WARPMEM_SIGNED_FUNCTIONS, short, short, ushort)
WARPMEM_SIZES(WARPMEM_SIGNED_FUNCTIONS, int, int, uint)
WARPMEM_SIZES(WARPMEM_SIGNED_FUNCTIONS, long, long, ulong)
WARPMEM_SIZES(WARPMEM_UNSIGNED_FUNCTIONS, uchar, char, uchar)
WARPMEM_SIZES(WARPMEM_UNSIGNED_FUNCTIONS, ushort, short, ushort)
WARPMEM_SIZES(WARPMEM_UNSIGNED_FUNCTIONS, uint, int, uint)
WARPMEM_SIZES(WARPMEM_UNSIGNED_FUNCTIONS, ulong, long, ulong)
#define WARPMEM_MIXED_INTEGERS(S, V) \
    WARPMEM V max(V x, S y) { \
        return max(x, (V)y); \
    } \
    WARPMEM V min(V x, S y) { \
        return min(x, (V)y); \
    } \
    WARPMEM V clamp(V x, S low, S high) { \
        return clamp(x, (V)low, (V)high); \
    }
WARPMEM_INTEGER_VECTORS(WARPMEM_MIXED_INTEGERS)
#define WARPMEM_24_BITS(T, R, U) \
    WARPMEM T mul24(T x, T y) { \
        return x * y; \
    } \
    WARPMEM T mad24(T x, T y, T z) { \
        return x * y + z; \
    }
WARPMEM_SIZES(WARPMEM_24_BITS, int, int, uint)
WARPMEM_SIZES(WARPMEM_24_BITS, uint, int, uint)
#define WARPMEM_UPSAMPLE(T, low, to, bits) \
    WARPMEM to upsample(T x, low y) { \
        return (to)((ulong)x << bits | y); \
    }
WARPMEM_UPSAMPLE(char, uchar, short, 8)
WARPMEM_UPSAMPLE(uchar, uchar, ushort, 8)
WARPMEM_UPSAMPLE(short, ushort, int, 16)
WARPMEM_UPSAMPLE(ushort, ushort, uint, 16)
WARPMEM_UPSAMPLE(int, uint, long, 32)
WARPMEM_UPSAMPLE(uint, uint, ulong, 32)

/* --- choice --- */

#define WARPMEM_BIT_CHOICE(T, R, U) \
    WARPMEM T bitselect(T a, T b, T c) { \
        U x = __builtin_astype(a, U), y = __builtin_astype(b, U), which = __builtin_astype(c, U); \
        return __builtin_astype((U)((x & ~which) | (y & which)), T); \
    }
WARPMEM_INTEGERS(WARPMEM_BIT_CHOICE)
WARPMEM_FLOATS(WARPMEM_BIT_CHOICE)
/* By the sign of each element, but of a scalar by all of it. */
#define WARPMEM_CHOICE(T, R, U) \
    WARPMEM T select(T a, T b, R c) { \
        return c ? b : a; \
    } \
    WARPMEM T select(T a, T b, U c) { \
        return c ? b : a; \
    }
WARPMEM_INTEGERS(WARPMEM_CHOICE)
WARPMEM_FLOATS(WARPMEM_CHOICE)
#define WARPMEM_ANY(T) \
    WARPMEM int any(T x) { \
        return x < 0; \
    } \
    WARPMEM int all(T x) { \
        return x < 0; \
    } \
    WARPMEM int any(T##2 x) { \
        return x.s0 < 0 || x.s1 < 0; \
    } \
    WARPMEM int all(T##2 x) { \
        return x.s0 < 0 && x.s1 < 0; \
    } \
    WARPMEM int any(T##3 x) { \
        return any(x.s01) || x.s2 < 0; \
    } \
    WARPMEM int all(T##3 x) { \
        return all(x.s01) && x.s2 < 0; \
    } \
    WARPMEM_ANY_OF_HALVES(T##4) \
    WARPMEM_ANY_OF_HALVES(T##8) \
    WARPMEM_ANY_OF_HALVES(T##16)
#define WARPMEM_ANY_OF_HALVES(V) \
    WARPMEM int any(V x) { \
        return any(x.lo) || any(x.hi); \
    } \
    WARPMEM int all(V x) { \
        return all(x.lo) && all(x.hi); \
    }
WARPMEM_ANY(char)
WARPMEM_ANY(short)
WARPMEM_ANY(int)
WARPMEM_ANY(long)

/* --- conversions --- */

#include "warpmem_opencl_conversions.h"
/* The rounding of a conversion to integers; without one it cuts off. */
#define WARPMEM_ROUND_INTEGERS(T, R, U) \
    WARPMEM T __wm_rte(T x) { \
        return x; \
    } \
    WARPMEM T __wm_rtp(T x) { \
        return x; \
    } \
    WARPMEM T __wm_rtn(T x) { \
        return x; \
    }
#define WARPMEM_ROUND_FLOATS(T, R, U) \
    WARPMEM T __wm_rte(T x) { \
        return rint(x); \
    } \
    WARPMEM T __wm_rtp(T x) { \
        return ceil(x); \
    } \
    WARPMEM T __wm_rtn(T x) { \
        return floor(x); \
    }
WARPMEM_INTEGERS(WARPMEM_ROUND_INTEGERS)
WARPMEM_FLOATS(WARPMEM_ROUND_FLOATS)
#define WARPMEM_SATURATE(to, from, wide, least, most) \
    WARPMEM to convert_##to##_sat(from x) { \
        wide v = (wide)x; \
        return v <= (wide)least ? (to)least : v >= (wide)most ? (to)most : v == v ? (to)v : (to)0; \
    } \
    WARPMEM to##2 convert_##to##2_sat(from##2 x) { \
        return (to##2)(convert_##to##_sat(x.s0), convert_##to##_sat(x.s1)); \
    } \
    WARPMEM to##3 convert_##to##3_sat(from##3 x) { \
        return (to##3)(convert_##to##2_sat(x.s01), convert_##to##_sat(x.s2)); \
    } \
    WARPMEM to##4 convert_##to##4_sat(from##4 x) { \
        return (to##4)(convert_##to##2_sat(x.lo), convert_##to##2_sat(x.hi)); \
    } \
    WARPMEM to##8 convert_##to##8_sat(from##8 x) { \
        return (to##8)(convert_##to##4_sat(x.lo), convert_##to##4_sat(x.hi)); \
    } \
    WARPMEM to##16 convert_##to##16_sat(from##16 x) { \
        return (to##16)(convert_##to##8_sat(x.lo), convert_##to##8_sat(x.hi)); \
    }
/* Compared where both the source and the limits fit. */
#define WARPMEM_SATURATE_ALL(to, least, most) \
    WARPMEM_SATURATE(to, char, long, least, most) \
    WARPMEM_SATURATE(to, uchar, long, least, most) \
    WARPMEM_SATURATE(to, short, long, least, most) \
    WARPMEM_SATURATE(to, ushort, long, least, most) \
    WARPMEM_SATURATE(to, int, long, least, most) \
    WARPMEM_SATURATE(to, uint, long, least, most) \
    WARPMEM_SATURATE(to, long, long, least, most) \
    WARPMEM_SATURATE(to, ulong, ulong, 0, most) \
    WARPMEM_SATURATE(to, float, double, least, most) \
    WARPMEM_SATURATE(to, double, double, least, most)
WARPMEM_SATURATE_ALL(char, CHAR_MIN, CHAR_MAX)
WARPMEM_SATURATE_ALL(uchar, 0, UCHAR_MAX)
WARPMEM_SATURATE_ALL(short, SHRT_MIN, SHRT_MAX)
WARPMEM_SATURATE_ALL(ushort, 0, USHRT_MAX)
WARPMEM_SATURATE_ALL(int, INT_MIN, INT_MAX)
WARPMEM_SATURATE_ALL(uint, 0, UINT_MAX)
WARPMEM_SATURATE_ALL(long, LONG_MIN, LONG_MAX)

/* --- vectors in memory --- */

#define WARPMEM_LOAD(S, space) \
    WARPMEM S##2 vload2(size_t i, const space S *p) { \
        p += 2 * i; \
        return (S##2)(p[0], p[1]); \
    } \
    WARPMEM S##3 vload3(size_t i, const space S *p) { \
        p += 3 * i; \
        return (S##3)(p[0], p[1], p[2]); \
    } \
    WARPMEM S##4 vload4(size_t i, const space S *p) { \
        p += 4 * i; \
        return (S##4)(p[0], p[1], p[2], p[3]); \
    } \
    WARPMEM S##8 vload8(size_t i, const space S *p) { \
        return (S##8)(vload4(2 * i, p), vload4(2 * i + 1, p)); \
    } \
    WARPMEM S##16 vload16(size_t i, const space S *p) { \
        return (S##16)(vload8(2 * i, p), vload8(2 * i + 1, p)); \
    }
#define WARPMEM_STORE(S, space) \
    WARPMEM void vstore2(S##2 x, size_t i, space S *p) { \
        p += 2 * i; \
        p[0] = x.s0, p[1] = x.s1; \
    } \
    WARPMEM void vstore3(S##3 x, size_t i, space S *p) { \
        p += 3 * i; \
        p[0] = x.s0, p[1] = x.s1, p[2] = x.s2; \
    } \
    WARPMEM void vstore4(S##4 x, size_t i, space S *p) { \
        p += 4 * i; \
        p[0] = x.s0, p[1] = x.s1, p[2] = x.s2, p[3] = x.s3; \
    } \
    WARPMEM void vstore8(S##8 x, size_t i, space S *p) { \
        vstore4(x.lo, 2 * i, p); \
        vstore4(x.hi, 2 * i + 1, p); \
    } \
    WARPMEM void vstore16(S##16 x, size_t i, space S *p) { \
        vstore8(x.lo, 2 * i, p); \
        vstore8(x.hi, 2 * i + 1, p); \
    }
#define WARPMEM_MEMORY(S) \
    WARPMEM_LOAD(S, __global) \
    WARPMEM_LOAD(S, __local) \
    WARPMEM_LOAD(S, __constant) \
    WARPMEM_LOAD(S, __private) \
    WARPMEM_STORE(S, __global) \
    WARPMEM_STORE(S, __local) \
    WARPMEM_STORE(S, __private)
WARPMEM_MEMORY(char)
WARPMEM_MEMORY(uchar)
WARPMEM_MEMORY(short)
WARPMEM_MEMORY(ushort)
WARPMEM_MEMORY(int)
WARPMEM_MEMORY(uint)
WARPMEM_MEMORY(long)
WARPMEM_MEMORY(ulong)
WARPMEM_MEMORY(float)
WARPMEM_MEMORY(double)

/* A work-group's items share the copy; all have it behind wait_group_events(). */
#define WARPMEM_COPY(T, R, U) \
    WARPMEM_COPY_BETWEEN(T, __local, __global) \
    WARPMEM_COPY_BETWEEN(T, __global, __local) \
    WARPMEM void prefetch(const __global T *p, size_t count) {}
#define WARPMEM_COPY_BETWEEN(T, to_space, from_space) \
    WARPMEM event_t async_work_group_copy(to_space T *to, const from_space T *from, size_t count, \
                                          event_t event) { \
        uint items = __wm_sreg_ntid(0, 1) * __wm_sreg_ntid(1, 1) * __wm_sreg_ntid(2, 1); \
        for (size_t i = __wm_item(); i < count; i += items) { \
            to[i] = from[i]; \
        } \
        return event; \
    }
WARPMEM uint __wm_item(void) {
    return __wm_sreg_tid(0, 0) +
           __wm_sreg_ntid(0, 1) *
               (__wm_sreg_tid(1, 0) + __wm_sreg_ntid(1, 1) * __wm_sreg_tid(2, 0));
}
WARPMEM_INTEGERS(WARPMEM_COPY)
WARPMEM_FLOATS(WARPMEM_COPY)
WARPMEM void wait_group_events(int count, event_t *events) {
    __wm_barrier();
}

/* --- atomics: atomic_... of 32 bits, atom_... of 32 and 64 --- */

#define WARPMEM_ATOMIC(prefix, T, space, lesser, greater) \
    WARPMEM T prefix##add(volatile space T *p, T v) { \
        return __sync_fetch_and_add(p, v); \
    } \
    WARPMEM T prefix##sub(volatile space T *p, T v) { \
        return __sync_fetch_and_sub(p, v); \
    } \
    WARPMEM T prefix## and (volatile space T * p, T v) { \
        return __sync_fetch_and_and(p, v); \
    } \
    WARPMEM T prefix## or (volatile space T * p, T v) { \
        return __sync_fetch_and_or(p, v); \
    } \
    WARPMEM T prefix## xor (volatile space T * p, T v) { \
        return __sync_fetch_and_xor(p, v); \
    } WARPMEM T prefix##min(volatile space T *p, T v) { \
        return lesser(p, v); \
    } \
    WARPMEM T prefix##max(volatile space T *p, T v) { \
        return greater(p, v); \
    } \
    WARPMEM T prefix##inc(volatile space T *p) { \
        return __sync_fetch_and_add(p, (T)1); \
    } \
    WARPMEM T prefix##dec(volatile space T *p) { \
        return __sync_fetch_and_sub(p, (T)1); \
    } \
    WARPMEM T prefix##xchg(volatile space T *p, T v) { \
        return __sync_swap(p, v); \
    } \
    WARPMEM T prefix##cmpxchg(volatile space T *p, T expected, T v) { \
        return __sync_val_compare_and_swap(p, expected, v); \
    }
#define WARPMEM_ATOMICS(space) \
    WARPMEM_ATOMIC(atomic_, int, space, __sync_fetch_and_min, __sync_fetch_and_max) \
    WARPMEM_ATOMIC(atomic_, uint, space, __sync_fetch_and_umin, __sync_fetch_and_umax) \
    WARPMEM_ATOMIC(atom_, int, space, __sync_fetch_and_min, __sync_fetch_and_max) \
    WARPMEM_ATOMIC(atom_, uint, space, __sync_fetch_and_umin, __sync_fetch_and_umax) \
    WARPMEM_ATOMIC(atom_, long, space, __wm_least, __wm_greatest) \
    WARPMEM_ATOMIC(atom_, ulong, space, __wm_least, __wm_greatest) \
    WARPMEM float atomic_xchg(volatile space float *p, float v) { \
        return as_float(__sync_swap((volatile space int *)p, as_int(v))); \
    }
/* The compiler has these for 32 bits alone. */
#define WARPMEM_ATOMIC_ORDER(T, space) \
    WARPMEM T __wm_least(volatile space T *p, T v) { \
        T old = *p; \
        for (T seen; v < old && (seen = __sync_val_compare_and_swap(p, old, v)) != old;) { \
            old = seen; \
        } \
        return old; \
    } \
    WARPMEM T __wm_greatest(volatile space T *p, T v) { \
        T old = *p; \
        for (T seen; old < v && (seen = __sync_val_compare_and_swap(p, old, v)) != old;) { \
            old = seen; \
        } \
        return old; \
    }
WARPMEM_ATOMIC_ORDER(long, __global)
WARPMEM_ATOMIC_ORDER(long, __local)
WARPMEM_ATOMIC_ORDER(ulong, __global)
WARPMEM_ATOMIC_ORDER(ulong, __local)
WARPMEM_ATOMICS(__global)
WARPMEM_ATOMICS(__local)

#endif
