/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the C++ that warpmem-cc writes for inline PTX (compiler/ptx_instructions.py). It
 * includes this file before a source that has some.
 */
#ifndef WARPMEM_PTX_H
#define WARPMEM_PTX_H

#include "warpmem_functions.h"
#include "warpmem_matrix_products.h"

#ifdef __CUDA__
#define WARPMEM_CARRY(cost, type, name, parameters, value) \
    extern "C" __device__ type name parameters __asm__("__wm_" #cost "_" #name);
#include "warpmem_ptx_list.h"
#undef WARPMEM_CARRY
extern "C" {
__device__ unsigned __wm_sreg_of_ptx(unsigned);
__device__ unsigned long long __wm_clock_global(void);
/* An address of an access in its space, which the compiler can compare with no other: a statement's
 * accesses are made. No instruction (instrument/calls.c). */
__device__ char *__wm_same_shared(unsigned);
__device__ char *__wm_same_generic(const void *);
__device__ char *__wm_same_global(unsigned long long);
__device__ char *__wm_same_const(unsigned long long);
__device__ char *__wm_same_local(unsigned long long);
__device__ unsigned __wm_ptx_shuffle_inside(unsigned, unsigned, unsigned) __attribute__((const));
__device__ void __wm_barrier_numbered(unsigned, unsigned);
}

/* A word of memory, whatever the program keeps there. */
#define WARPMEM_PTX_WORD(bits, type) \
    typedef type __attribute__((may_alias)) __wm_ptx_b##bits; \
    typedef type __attribute__((ext_vector_type(2), may_alias)) __wm_ptx_b##bits##x2; \
    typedef type __attribute__((ext_vector_type(4), may_alias)) __wm_ptx_b##bits##x4;
WARPMEM_PTX_WORD(8, unsigned char)
WARPMEM_PTX_WORD(16, unsigned short)
WARPMEM_PTX_WORD(32, unsigned)
WARPMEM_PTX_WORD(64, unsigned long long)
#undef WARPMEM_PTX_WORD

/* The same bits as another type; an integer becomes a wider or narrower one as C++ converts it. */
template <unsigned BYTES> struct __wm_ptx_bits;
template <> struct __wm_ptx_bits<1> { typedef unsigned char type; };
template <> struct __wm_ptx_bits<2> { typedef unsigned short type; };
template <> struct __wm_ptx_bits<4> { typedef unsigned type; };
template <> struct __wm_ptx_bits<8> { typedef unsigned long long type; };
template <class T> struct __wm_ptx_is_bool { static const bool value = false; };
template <> struct __wm_ptx_is_bool<bool> { static const bool value = true; };
template <class TO, class FROM> WARPMEM_DEVICE TO __wm_ptx_as(FROM from) {
    if constexpr (__is_integral(TO) && __is_integral(FROM)) {
        return (TO)from;
    } else if constexpr (__wm_ptx_is_bool<TO>::value) {
        return from != FROM();
    } else if constexpr (sizeof(TO) == sizeof(FROM)) {
        return __builtin_bit_cast(TO, from);
    } else if constexpr (__is_enum(FROM)) {
        return (TO)from;
    } else {
        typedef typename __wm_ptx_bits<sizeof(FROM)>::type whole;
        typedef typename __wm_ptx_bits<sizeof(TO)>::type part;
        return __builtin_bit_cast(TO, (part) __builtin_bit_cast(whole, from));
    }
}

/* Halves of a pair of registers. */
WARPMEM_DEVICE unsigned long long __wm_ptx_pair(unsigned low, unsigned high) {
    __wm_int2 halves = {(int)low, (int)high};
    return __builtin_bit_cast(unsigned long long, halves);
}

/* cp.async: a load and a store, as before compute capability 8.0. Bytes from @part on become 0. */
template <unsigned BYTES, class WORD>
WARPMEM_DEVICE void __wm_ptx_copy_words(char *to, const char *from, unsigned part) {
    WORD word = (WORD)0;
    if (part >= BYTES) {
        word = *(const WORD *)from;
    } else {
        for (unsigned i = 0; i < part; i++) {
            ((unsigned char *)&word)[i] = ((const unsigned char *)from)[i];
        }
    }
    *(WORD *)to = word;
}
template <unsigned BYTES>
WARPMEM_DEVICE void __wm_ptx_copy(char *to, const char *from, unsigned part = BYTES) {
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "cp.async: copies 4, 8 or 16 bytes");
    if constexpr (BYTES == 4) {
        __wm_ptx_copy_words<BYTES, __wm_ptx_b32>(to, from, part);
    } else if constexpr (BYTES == 8) {
        __wm_ptx_copy_words<BYTES, __wm_ptx_b64>(to, from, part);
    } else {
        __wm_ptx_copy_words<BYTES, __wm_ptx_b32x4>(to, from, part);
    }
}
#endif

#endif
