/* SPDX-License-Identifier: Apache-2.0
 *
 * The lanes of a warp, and the threads of a CTA, meet in these.
 */
#ifndef WARPMEM_WARP_H
#define WARPMEM_WARP_H

extern "C" {
__device__ void __wm_barrier(void);
__device__ int __wm_barrier_count(int);
/* Until bits of a word, @mask, no longer have a value. */
__device__ void __wm_barrier_await(const volatile unsigned *, unsigned mask, unsigned value);
__device__ void __wm_syncwarp(unsigned);
__device__ unsigned __wm_activemask(void);
__device__ unsigned __wm_meet_match_any(unsigned, unsigned long long);
__device__ unsigned __wm_meet_match_all(unsigned, unsigned long long);
}

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
WARPMEM_DEVICE int __uni_sync(unsigned mask, int v) {
    return __nvvm_vote_uni_sync(mask, v);
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

/* Values of up to 4 bytes whole, of 8 bytes in halves. */
template <class T, unsigned BYTES = sizeof(T)> struct __wm_words {
    static_assert(BYTES == 4, "must have 1, 2, 4 or 8 bytes");
    int low;
    __device__ __forceinline__ explicit __wm_words(T value) : low(__builtin_bit_cast(int, value)) {}
    __device__ __forceinline__ int &high() {
        return low;
    }
    __device__ __forceinline__ T value() const {
        return __builtin_bit_cast(T, low);
    }
};
template <class T> struct __wm_words<T, 1> { /* a number, which CUDA makes an int */
    int low;
    __device__ __forceinline__ explicit __wm_words(T value) : low(static_cast<int>(value)) {}
    __device__ __forceinline__ int &high() {
        return low;
    }
    __device__ __forceinline__ T value() const {
        return static_cast<T>(low);
    }
};
template <class T> struct __wm_words<T, 2> {
    int low;
    __device__ __forceinline__ explicit __wm_words(T value)
        : low(__builtin_bit_cast(unsigned short, value)) {}
    __device__ __forceinline__ int &high() {
        return low;
    }
    __device__ __forceinline__ T value() const {
        return __builtin_bit_cast(T, (unsigned short)low);
    }
};
template <class T> struct __wm_words<T, 8> { /* a vector: its halves are registers of their own */
    int low, upper;
    __device__ __forceinline__ explicit __wm_words(T value)
        : low(__builtin_bit_cast(__wm_int2, value).x),
          upper(__builtin_bit_cast(__wm_int2, value).y) {}
    __device__ __forceinline__ int &high() {
        return upper;
    }
    __device__ __forceinline__ T value() const {
        __wm_int2 v = {low, upper};
        return __builtin_bit_cast(T, v);
    }
};
#define WARPMEM_SHUFFLE(name, builtin, argument, bound) \
    template <class T> \
    WARPMEM_DEVICE T name##_sync(unsigned mask, T value, argument lane, int width = 32) { \
        __wm_words<T> w(value); \
        const int clamp = ((32 - width) << 8) | (bound); \
        w.low = builtin((int)mask, w.low, (int)lane, clamp); \
        if (sizeof(T) == 8) { \
            w.high() = builtin((int)mask, w.high(), (int)lane, clamp); \
        } \
        return w.value(); \
    } \
    template <class T> WARPMEM_DEVICE T name(T value, argument lane, int width = 32) { \
        return name##_sync(0xffffffffu, value, lane, width); \
    }
WARPMEM_SHUFFLE(__shfl, __nvvm_shfl_sync_idx_i32, int, 31)
WARPMEM_SHUFFLE(__shfl_up, __nvvm_shfl_sync_up_i32, unsigned, 0)
WARPMEM_SHUFFLE(__shfl_down, __nvvm_shfl_sync_down_i32, unsigned, 31)
WARPMEM_SHUFFLE(__shfl_xor, __nvvm_shfl_sync_bfly_i32, int, 31)

WARPMEM_DEVICE unsigned long long __wm_bits_of(float x) {
    return __float_as_uint(x);
}
WARPMEM_DEVICE unsigned long long __wm_bits_of(double x) {
    return (unsigned long long)__double_as_longlong(x);
}
template <class T> WARPMEM_DEVICE unsigned long long __wm_bits_of(T x) {
    return (unsigned long long)x;
}
template <class T> WARPMEM_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
    return __wm_meet_match_any(mask, __wm_bits_of(value));
}
template <class T> WARPMEM_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *all) {
    const unsigned found = __wm_meet_match_all(mask, __wm_bits_of(value));
    *all = found != 0;
    return found;
}

#define WARPMEM_REDUCE(name, type, kind) \
    extern "C" __device__ type __wm_meet_reduce_##kind(unsigned, type); \
    WARPMEM_DEVICE type __reduce_##name##_sync(unsigned mask, type value) { \
        return __wm_meet_reduce_##kind(mask, value); \
    }
WARPMEM_REDUCE(add, unsigned, add)
WARPMEM_REDUCE(min, unsigned, umin)
WARPMEM_REDUCE(max, unsigned, umax)
WARPMEM_REDUCE(min, int, min)
WARPMEM_REDUCE(max, int, max)
WARPMEM_REDUCE(and, unsigned, and)
WARPMEM_REDUCE(or, unsigned, or)
WARPMEM_REDUCE(xor, unsigned, xor)
WARPMEM_DEVICE int __reduce_add_sync(unsigned mask, int value) {
    return (int)__reduce_add_sync(mask, (unsigned)value);
}

#endif
