/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory as a kernel's functions see it: copies, cache hints, fences, spaces.
 */
#ifndef WARPMEM_MEMORY_H
#define WARPMEM_MEMORY_H

/* The compiler makes wide accesses of a copy whose size it knows; others go by bytes. */
WARPMEM_DEVICE void *memcpy(void *to, const void *from, size_t bytes) {
    if (__builtin_constant_p(bytes) && bytes <= 4096) {
        return __builtin_memcpy(to, from, bytes);
    }
    for (size_t i = 0; i < bytes; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
    }
    return to;
}
WARPMEM_DEVICE void *memset(void *p, int value, size_t bytes) {
    if (__builtin_constant_p(bytes) && bytes <= 4096) {
        return __builtin_memset(p, value, bytes);
    }
    for (size_t i = 0; i < bytes; i++) {
        ((char *)p)[i] = (char)value;
    }
    return p;
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
/* A load around the L1. */
template <unsigned BYTES> struct __wm_word;
#define WARPMEM_WORD(bytes, word) \
    template <> struct __wm_word<bytes> { typedef word type __attribute__((may_alias)); };
typedef int __wm_int4 __attribute__((ext_vector_type(4)));
WARPMEM_WORD(1, unsigned char)
WARPMEM_WORD(2, unsigned short)
WARPMEM_WORD(4, unsigned)
WARPMEM_WORD(8, __wm_int2)
WARPMEM_WORD(16, __wm_int4)
#undef WARPMEM_WORD
template <class T> WARPMEM_DEVICE T __ldcg(const T *p) {
    typename __wm_word<sizeof(T)>::type word =
        *(const volatile typename __wm_word<sizeof(T)>::type *)p;
    return __builtin_bit_cast(T, word);
}
template <class T> WARPMEM_DEVICE T __ldcv(const T *p) {
    return __ldcg(p);
}
#define WARPMEM_LOAD(name) \
    template <class T> WARPMEM_DEVICE T name(const T *p) { \
        return *p; \
    }
WARPMEM_LOAD(__ldca)
WARPMEM_LOAD(__ldcs)
WARPMEM_LOAD(__ldlu)
#undef WARPMEM_LOAD
#define WARPMEM_STORE(name) \
    template <class T> WARPMEM_DEVICE void name(T *p, typename __wm_if<true, T>::type value) { \
        *p = value; \
    }
WARPMEM_STORE(__stwb)
WARPMEM_STORE(__stcg)
WARPMEM_STORE(__stcs)
WARPMEM_STORE(__stwt)
#undef WARPMEM_STORE

extern "C" __device__ void __wm_fence(void);
WARPMEM_DEVICE void __threadfence(void) {
    __wm_fence();
}
WARPMEM_DEVICE void __threadfence_block(void) {
    __wm_fence();
}
WARPMEM_DEVICE void __threadfence_system(void) {
    __wm_fence();
}

/* The memory space of an address, and the address in it. */
#define WARPMEM_IN_SPACE(Name, name) \
    __device__ unsigned __is##Name(const void *) __asm__("__wm_int1_is_" #name); \
    __device__ size_t __cvta_generic_to_##name(const void *) __asm__("__wm_int1_to_" #name); \
    __device__ void *__cvta_##name##_to_generic(size_t) __asm__("__wm_int1_from_" #name);
WARPMEM_IN_SPACE(Global, global)
WARPMEM_IN_SPACE(Shared, shared)
WARPMEM_IN_SPACE(Constant, constant)
WARPMEM_IN_SPACE(Local, local)
#undef WARPMEM_IN_SPACE

#endif
