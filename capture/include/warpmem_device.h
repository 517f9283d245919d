/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a kernel calls: arithmetic, atomics, fences, printf.
 */
#ifndef WARPMEM_DEVICE_H
#define WARPMEM_DEVICE_H

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...); /* the compiler turns it into vprintf() */
__device__ void __assert_fail(const char *, const char *, unsigned, const char *)
    __attribute__((noreturn));
__device__ void __wm_barrier(void);
__device__ int __wm_barrier_count(int);
__device__ void __wm_fence(void);
__device__ void __wm_syncwarp(unsigned);
__device__ long long __wm_clock(void);
__device__ unsigned __wm_mulhi(unsigned, unsigned);
__device__ unsigned long long __wm_mulhi64(unsigned long long, unsigned long long);
/* Functions of one value: names begin with the number of special functions that they take. */
/* clang-format off */
#define WARPMEM_MATH_1(F) \
    F(sfu, sqrt) F(sfu, sin) F(sfu, cos) F(sfu2, tan) F(sfu, exp) F(sfu, exp2) \
    F(sfu2, exp10) F(sfu2, expm1) F(sfu, log) F(sfu, log2) F(sfu, log10) F(sfu2, log1p) \
    F(sfu2, asin) F(sfu2, acos) F(sfu2, atan) F(sfu2, sinh) F(sfu2, cosh) F(sfu2, tanh) \
    F(sfu2, asinh) F(sfu2, acosh) F(sfu2, atanh) F(sfu2, cbrt) F(sfu2, erf) F(sfu2, erfc) \
    F(sfu2, lgamma) F(sfu2, tgamma)
#define WARPMEM_MATH_2(F) F(sfu2, pow) F(sfu2, atan2) F(sfu2, hypot) F(div, fmod)
/* clang-format on */
#define WARPMEM_DECLARE_1(unit, name) \
    __device__ double __wm_##unit##_##name(double); \
    __device__ float __wm_##unit##_##name##f(float);
#define WARPMEM_DECLARE_2(unit, name) \
    __device__ double __wm_##unit##_##name(double, double); \
    __device__ float __wm_##unit##_##name##f(float, float);
WARPMEM_MATH_1(WARPMEM_DECLARE_1)
WARPMEM_MATH_2(WARPMEM_DECLARE_2)
}

/* --- arithmetic --- */

#define WARPMEM_DEFINE_1(unit, name) \
    WARPMEM_DEVICE double name(double x) { \
        return __wm_##unit##_##name(x); \
    } \
    WARPMEM_DEVICE float name(float x) { \
        return __wm_##unit##_##name##f(x); \
    } \
    WARPMEM_DEVICE float name##f(float x) { \
        return __wm_##unit##_##name##f(x); \
    }
#define WARPMEM_DEFINE_2(unit, name) \
    WARPMEM_DEVICE double name(double x, double y) { \
        return __wm_##unit##_##name(x, y); \
    } \
    WARPMEM_DEVICE float name(float x, float y) { \
        return __wm_##unit##_##name##f(x, y); \
    } \
    WARPMEM_DEVICE float name##f(float x, float y) { \
        return __wm_##unit##_##name##f(x, y); \
    }
WARPMEM_MATH_1(WARPMEM_DEFINE_1)
WARPMEM_MATH_2(WARPMEM_DEFINE_2)
#define WARPMEM_BUILTIN_1(name) \
    WARPMEM_DEVICE double name(double x) { \
        return __builtin_##name(x); \
    } \
    WARPMEM_DEVICE float name(float x) { \
        return __builtin_##name##f(x); \
    } \
    WARPMEM_DEVICE float name##f(float x) { \
        return __builtin_##name##f(x); \
    }
#define WARPMEM_BUILTIN_2(name) \
    WARPMEM_DEVICE double name(double x, double y) { \
        return __builtin_##name(x, y); \
    } \
    WARPMEM_DEVICE float name(float x, float y) { \
        return __builtin_##name##f(x, y); \
    } \
    WARPMEM_DEVICE float name##f(float x, float y) { \
        return __builtin_##name##f(x, y); \
    }
WARPMEM_BUILTIN_1(fabs)
WARPMEM_BUILTIN_1(floor)
WARPMEM_BUILTIN_1(ceil)
WARPMEM_BUILTIN_1(trunc)
WARPMEM_BUILTIN_1(round)
WARPMEM_BUILTIN_1(rint)
WARPMEM_BUILTIN_1(nearbyint)
WARPMEM_BUILTIN_2(fmin)
WARPMEM_BUILTIN_2(fmax)
WARPMEM_BUILTIN_2(copysign)
WARPMEM_DEVICE double fma(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
WARPMEM_DEVICE float fma(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
WARPMEM_DEVICE float fmaf(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
WARPMEM_DEVICE double rsqrt(double x) {
    return 1 / __wm_sfu_sqrt(x);
}
WARPMEM_DEVICE float rsqrtf(float x) {
    return 1 / __wm_sfu_sqrtf(x);
}
WARPMEM_DEVICE float rsqrt(float x) {
    return rsqrtf(x);
}
WARPMEM_DEVICE bool isnan(double x) {
    return x != x;
}
WARPMEM_DEVICE bool isnan(float x) {
    return x != x;
}
WARPMEM_DEVICE bool isinf(double x) {
    return __builtin_fabs(x) == __builtin_inf();
}
WARPMEM_DEVICE bool isinf(float x) {
    return __builtin_fabsf(x) == __builtin_inff();
}
WARPMEM_DEVICE int abs(int x) {
    return x < 0 ? -x : x;
}
WARPMEM_DEVICE long labs(long x) {
    return x < 0 ? -x : x;
}
WARPMEM_DEVICE long long llabs(long long x) {
    return x < 0 ? -x : x;
}
WARPMEM_DEVICE float abs(float x) {
    return __builtin_fabsf(x);
}
WARPMEM_DEVICE double abs(double x) {
    return __builtin_fabs(x);
}
WARPMEM_DEVICE double pow(double x, int n) {
    return __wm_sfu2_pow(x, (double)n);
}
WARPMEM_DEVICE float pow(float x, int n) {
    return __wm_sfu2_powf(x, (float)n);
}

/* On host and device, as in CUDA. */
#define WARPMEM_ORDER(type) \
    WARPMEM_BOTH type min(type a, type b) { \
        return b < a ? b : a; \
    } \
    WARPMEM_BOTH type max(type a, type b) { \
        return a < b ? b : a; \
    }
WARPMEM_ORDER(int)
WARPMEM_ORDER(unsigned)
WARPMEM_ORDER(long)
WARPMEM_ORDER(unsigned long)
WARPMEM_ORDER(long long)
WARPMEM_ORDER(unsigned long long)
WARPMEM_ORDER(float)
WARPMEM_ORDER(double)
#define WARPMEM_ORDER_MIXED(type, a_type, b_type) \
    WARPMEM_BOTH type min(a_type a, b_type b) { \
        return min((type)a, (type)b); \
    } \
    WARPMEM_BOTH type max(a_type a, b_type b) { \
        return max((type)a, (type)b); \
    }
WARPMEM_ORDER_MIXED(unsigned, unsigned, int)
WARPMEM_ORDER_MIXED(unsigned, int, unsigned)
WARPMEM_ORDER_MIXED(unsigned long long, unsigned long long, long long)
WARPMEM_ORDER_MIXED(unsigned long long, long long, unsigned long long)
WARPMEM_ORDER_MIXED(double, double, float)
WARPMEM_ORDER_MIXED(double, float, double)

#define WARPMEM_SAME(name, type, f, parameters, expression) \
    WARPMEM_DEVICE type name parameters { \
        return expression; \
    }
WARPMEM_SAME(__sinf, float, , (float x), __wm_sfu_sinf(x))
WARPMEM_SAME(__cosf, float, , (float x), __wm_sfu_cosf(x))
WARPMEM_SAME(__tanf, float, , (float x), __wm_sfu2_tanf(x))
WARPMEM_SAME(__expf, float, , (float x), __wm_sfu_expf(x))
WARPMEM_SAME(__exp10f, float, , (float x), __wm_sfu2_exp10f(x))
WARPMEM_SAME(__logf, float, , (float x), __wm_sfu_logf(x))
WARPMEM_SAME(__log2f, float, , (float x), __wm_sfu_log2f(x))
WARPMEM_SAME(__log10f, float, , (float x), __wm_sfu_log10f(x))
WARPMEM_SAME(__powf, float, , (float x, float y), __wm_sfu2_powf(x, y))
WARPMEM_SAME(__fdividef, float, , (float x, float y), x / y)
WARPMEM_SAME(__fsqrt_rn, float, , (float x), __wm_sfu_sqrtf(x))
WARPMEM_SAME(__fadd_rn, float, , (float x, float y), x + y)
WARPMEM_SAME(__fmul_rn, float, , (float x, float y), x *y)
WARPMEM_SAME(__fmaf_rn, float, , (float x, float y, float z), __builtin_fmaf(x, y, z))
WARPMEM_SAME(__saturatef, float, , (float x), x<0 ? 0 : x> 1 ? 1 : x)
WARPMEM_SAME(__mul24, int, , (int x, int y), x *y)
WARPMEM_SAME(__umul24, unsigned, , (unsigned x, unsigned y), x *y)
WARPMEM_SAME(__umulhi, unsigned, , (unsigned x, unsigned y), __wm_mulhi(x, y))
WARPMEM_SAME(__umul64hi, unsigned long long, , (unsigned long long x, unsigned long long y),
             __wm_mulhi64(x, y))
WARPMEM_SAME(__popc, int, , (unsigned x), __builtin_popcount(x))
WARPMEM_SAME(__popcll, int, , (unsigned long long x), __builtin_popcountll(x))
WARPMEM_SAME(__clz, int, , (int x), x ? __builtin_clz((unsigned)x) : 32)
WARPMEM_SAME(__clzll, int, , (long long x), x ? __builtin_clzll((unsigned long long)x) : 64)
WARPMEM_SAME(__ffs, int, , (int x), __builtin_ffs(x))
WARPMEM_SAME(__brev, unsigned, , (unsigned x), __builtin_bitreverse32(x))
WARPMEM_SAME(__float2int_rn, int, , (float x), (int)__builtin_rintf(x))
WARPMEM_SAME(__float2int_rz, int, , (float x), (int)x)
WARPMEM_SAME(__float2int_rd, int, , (float x), (int)__builtin_floorf(x))
WARPMEM_SAME(__float2uint_rz, unsigned, , (float x), (unsigned)x)
WARPMEM_SAME(__int2float_rn, float, , (int x), (float)x)
WARPMEM_SAME(__uint2float_rn, float, , (unsigned x), (float)x)
WARPMEM_SAME(clock64, long long, , (void), __wm_clock())
WARPMEM_SAME(clock, clock_t, , (void), (clock_t)__wm_clock())
#undef WARPMEM_SAME
WARPMEM_DEVICE float __int_as_float(int x) {
    return __builtin_bit_cast(float, x);
}
WARPMEM_DEVICE int __float_as_int(float x) {
    return __builtin_bit_cast(int, x);
}
WARPMEM_DEVICE float __uint_as_float(unsigned x) {
    return __builtin_bit_cast(float, x);
}
WARPMEM_DEVICE unsigned __float_as_uint(float x) {
    return __builtin_bit_cast(unsigned, x);
}
WARPMEM_DEVICE double __longlong_as_double(long long x) {
    return __builtin_bit_cast(double, x);
}
WARPMEM_DEVICE long long __double_as_longlong(double x) {
    return __builtin_bit_cast(long long, x);
}

namespace std {
#define WARPMEM_STD_1(unit, name) using ::name;
WARPMEM_MATH_1(WARPMEM_STD_1)
#undef WARPMEM_STD_1
} // namespace std

/* --- barriers --- */

#define __syncthreads __wm_barrier /* the compiler's own is an intrinsic: instrument/calls.c */
WARPMEM_DEVICE int __syncthreads_count(int v) {
    return __wm_barrier_count(v != 0);
}
WARPMEM_DEVICE int __syncthreads_and(int v) {
    return __wm_barrier_count(v == 0) == 0;
}
WARPMEM_DEVICE int __syncthreads_or(int v) {
    return __wm_barrier_count(v != 0) != 0;
}

/* --- memory --- */

WARPMEM_DEVICE void *memcpy(void *to, const void *from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}
WARPMEM_DEVICE void *memset(void *p, int value, size_t bytes) {
    return __builtin_memset(p, value, bytes);
}
#ifdef WARPMEM_LDG_TEXTURE /* warpmem-cc --ldg=texture */
extern "C" __device__ const void *__wm_read_only(int, const void *);
template <class T> WARPMEM_DEVICE T __ldg(const T *p) {
    return *(const T *)__wm_read_only(0, p);
}
#else
template <class T> WARPMEM_DEVICE T __ldg(const T *p) {
    return *p;
}
#endif
template <class T> WARPMEM_DEVICE T __ldcg(const T *p) {
    return *(const volatile T *)p;
}
WARPMEM_DEVICE void __threadfence(void) {
    __wm_fence();
}
WARPMEM_DEVICE void __threadfence_block(void) {
    __wm_fence();
}
WARPMEM_DEVICE void __threadfence_system(void) {
    __wm_fence();
}

#define WARPMEM_ATOMIC(name, type, operation) \
    WARPMEM_DEVICE type name(type *p, type v) { \
        return operation(p, v, __ATOMIC_RELAXED); \
    }
#define WARPMEM_ATOMIC_INTEGER(type) \
    WARPMEM_ATOMIC(atomicAdd, type, __atomic_fetch_add) \
    WARPMEM_ATOMIC(atomicSub, type, __atomic_fetch_sub) \
    WARPMEM_ATOMIC(atomicAnd, type, __atomic_fetch_and) \
    WARPMEM_ATOMIC(atomicOr, type, __atomic_fetch_or) \
    WARPMEM_ATOMIC(atomicXor, type, __atomic_fetch_xor) \
    WARPMEM_ATOMIC(atomicMin, type, __atomic_fetch_min) \
    WARPMEM_ATOMIC(atomicMax, type, __atomic_fetch_max) \
    WARPMEM_DEVICE type atomicExch(type *p, type v) { \
        return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); \
    } \
    WARPMEM_DEVICE type atomicCAS(type *p, type expected, type v) { \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    }
WARPMEM_ATOMIC_INTEGER(int)
WARPMEM_ATOMIC_INTEGER(unsigned)
WARPMEM_ATOMIC_INTEGER(unsigned long long)
WARPMEM_DEVICE float atomicAdd(float *p, float v) {
    return __nvvm_atom_add_gen_f(p, v);
}
WARPMEM_DEVICE float atomicExch(float *p, float v) {
    return __int_as_float(atomicExch((int *)p, __float_as_int(v)));
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
WARPMEM_DEVICE double atomicAdd(double *p, double v) {
    return __nvvm_atom_add_gen_d(p, v);
}
#endif
WARPMEM_DEVICE unsigned atomicInc(unsigned *p, unsigned v) {
    unsigned old = *p;
    for (;;) {
        unsigned seen = atomicCAS(p, old, old >= v ? 0u : old + 1);
        if (seen == old) {
            return old;
        }
        old = seen;
    }
}

/* --- lanes of a warp --- */

extern "C" __device__ unsigned __wm_activemask(void);
WARPMEM_DEVICE unsigned __activemask(void) {
    return __wm_activemask();
}
WARPMEM_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
    __wm_syncwarp(mask);
}
WARPMEM_DEVICE int __all_sync(unsigned mask, int v) {
    return __nvvm_vote_all_sync(mask, v);
}
WARPMEM_DEVICE int __any_sync(unsigned mask, int v) {
    return __nvvm_vote_any_sync(mask, v);
}
WARPMEM_DEVICE unsigned __ballot_sync(unsigned mask, int v) {
    return (unsigned)__nvvm_vote_ballot_sync(mask, v);
}
WARPMEM_DEVICE int __all(int v) {
    return __all_sync(0xffffffffu, v);
}
WARPMEM_DEVICE int __any(int v) {
    return __any_sync(0xffffffffu, v);
}
WARPMEM_DEVICE unsigned __ballot(int v) {
    return __ballot_sync(0xffffffffu, v);
}
/* Values of 4 bytes whole, of 8 bytes in halves. */
#define WARPMEM_SHUFFLE(name, builtin, argument, bound) \
    template <class T> \
    WARPMEM_DEVICE T name##_sync(unsigned mask, T value, argument lane, int width = 32) { \
        static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle takes 4 or 8 bytes"); \
        struct words { \
            int at[sizeof(T) / 4]; \
        } w = __builtin_bit_cast(words, value); \
        for (unsigned i = 0; i < sizeof(T) / 4; i++) { \
            w.at[i] = builtin((int)mask, w.at[i], (int)lane, ((32 - width) << 8) | (bound)); \
        } \
        return __builtin_bit_cast(T, w); \
    } \
    template <class T> WARPMEM_DEVICE T name(T value, argument lane, int width = 32) { \
        return name##_sync(0xffffffffu, value, lane, width); \
    }
WARPMEM_SHUFFLE(__shfl, __nvvm_shfl_sync_idx_i32, int, 31)
WARPMEM_SHUFFLE(__shfl_up, __nvvm_shfl_sync_up_i32, unsigned, 0)
WARPMEM_SHUFFLE(__shfl_down, __nvvm_shfl_sync_down_i32, unsigned, 31)
WARPMEM_SHUFFLE(__shfl_xor, __nvvm_shfl_sync_bfly_i32, int, 31)

#endif
