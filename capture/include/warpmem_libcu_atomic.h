/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda::atomic, cuda::atomic_ref and their fences, as libcu++ has them. Threads run one after
 * another, so that an order and a scope only decide which instructions a kernel has: releases and
 * sequentially consistent accesses follow a fence, loads go around the L1.
 */
#ifndef WARPMEM_LIBCU_ATOMIC_H
#define WARPMEM_LIBCU_ATOMIC_H

#include "warpmem_cuda.h"

#include <atomic>
#include <cstddef>
#include <type_traits>

namespace cuda {

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

namespace std {
using namespace ::std;
}
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace warpmem {

#define WARPMEM_LIBCU __host__ __device__ __forceinline__

WARPMEM_LIBCU void fence() {
#ifdef __CUDA_ARCH__
    __wm_fence();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
WARPMEM_LIBCU void fence_before(memory_order order) {
    if (order == memory_order_release || order == memory_order_acq_rel ||
        order == memory_order_seq_cst) {
        fence();
    }
}

/* An integer of an object's bytes. */
template <unsigned BYTES> struct word;
#define WARPMEM_WORD(bytes, integer) \
    template <> struct word<bytes> { typedef integer type __attribute__((may_alias)); };
WARPMEM_WORD(1, unsigned char)
WARPMEM_WORD(2, unsigned short)
WARPMEM_WORD(4, unsigned)
WARPMEM_WORD(8, unsigned long long)
#undef WARPMEM_WORD

/* The accesses to one object: of an atomic, or of what an atomic_ref refers to. */
template <class T> struct atomic_access {
    typedef typename word<sizeof(T)>::type bits;
    static constexpr bool whole = ::std::is_integral<T>::value && !::std::is_same<T, bool>::value;

    static WARPMEM_LIBCU T load(const T *p, memory_order order) {
        if (order == memory_order_seq_cst) {
            fence();
        }
#ifdef __CUDA_ARCH__
        return __ldcg(p);
#else
        return __builtin_bit_cast(T, (bits)__atomic_load_n((const bits *)p, __ATOMIC_SEQ_CST));
#endif
    }
    static WARPMEM_LIBCU void store(T *p, T value, memory_order order) {
        fence_before(order);
#ifdef __CUDA_ARCH__
        *(volatile bits *)p = __builtin_bit_cast(bits, value);
#else
        __atomic_store_n((bits *)p, __builtin_bit_cast(bits, value), __ATOMIC_SEQ_CST);
#endif
    }
    static WARPMEM_LIBCU T exchange(T *p, T value, memory_order order) {
        fence_before(order);
        return __builtin_bit_cast(T, (bits)__atomic_exchange_n((bits *)p,
                                                               __builtin_bit_cast(bits, value),
                                                               __ATOMIC_RELAXED));
    }
    static WARPMEM_LIBCU bool compare(T *p, T &expected, T value, memory_order order) {
        bits old = __builtin_bit_cast(bits, expected);
        fence_before(order);
        const bool same =
            __atomic_compare_exchange_n((bits *)p, &old, __builtin_bit_cast(bits, value), false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        expected = __builtin_bit_cast(T, old);
        return same;
    }
    /* @change: of the old value, where the hardware has no such atomic. */
    template <class F> static WARPMEM_LIBCU T change(T *p, memory_order order, F change) {
        T old = load(p, memory_order_relaxed);
        while (!compare(p, old, change(old), order)) {}
        return old;
    }
#define WARPMEM_FETCH(name, operation) \
    static WARPMEM_LIBCU T fetch_##name(T *p, T value, memory_order order) { \
        if constexpr (whole) { \
            fence_before(order); \
            return __atomic_fetch_##name(p, value, __ATOMIC_RELAXED); \
        } else { \
            return change(p, order, [=](T old) { return operation; }); \
        } \
    }
    WARPMEM_FETCH(and, T(old &value))
    WARPMEM_FETCH(or, T(old | value))
    WARPMEM_FETCH(xor, T(old ^ value))
    WARPMEM_FETCH(min, value < old ? value : old)
    WARPMEM_FETCH(max, old < value ? value : old)
#undef WARPMEM_FETCH
    template <class D> static WARPMEM_LIBCU T add(T *p, D value, memory_order order) {
        if constexpr (whole) {
            fence_before(order);
            return __atomic_fetch_add(p, (T)value, __ATOMIC_RELAXED);
        } else if constexpr (::std::is_pointer<T>::value) {
            fence_before(order);
            typedef typename ::std::remove_pointer<T>::type element;
            return (T)__atomic_fetch_add((ptrdiff_t *)p, value * (ptrdiff_t)sizeof(element),
                                         __ATOMIC_RELAXED);
        } else {
#ifdef __CUDA_ARCH__
            if constexpr (::std::is_same<T, float>::value || ::std::is_same<T, double>::value) {
                fence_before(order);
                return atomicAdd(p, (T)value);
            }
#endif
            return change(p, order, [=](T old) { return T(old + value); });
        }
    }
};

/* The operations of atomic and atomic_ref; SELF: has at(), the object. */
template <class T, class SELF> struct atomic_operations {
    typedef T value_type;
    typedef typename ::std::conditional<::std::is_pointer<T>::value, ptrdiff_t, T>::type
        difference_type;
    typedef atomic_access<T> access;
    static constexpr bool is_always_lock_free = sizeof(T) <= 8;

    WARPMEM_LIBCU T *object() const {
        return static_cast<const SELF *>(this)->at();
    }
    WARPMEM_LIBCU bool is_lock_free() const {
        return is_always_lock_free;
    }
    WARPMEM_LIBCU T load(memory_order order = memory_order_seq_cst) const {
        return access::load(object(), order);
    }
    WARPMEM_LIBCU void store(T value, memory_order order = memory_order_seq_cst) const {
        access::store(object(), value, order);
    }
    WARPMEM_LIBCU operator T() const {
        return load();
    }
    WARPMEM_LIBCU T exchange(T value, memory_order order = memory_order_seq_cst) const {
        return access::exchange(object(), value, order);
    }
    WARPMEM_LIBCU bool compare_exchange_strong(T &expected, T value,
                                               memory_order order = memory_order_seq_cst) const {
        return access::compare(object(), expected, value, order);
    }
    WARPMEM_LIBCU bool compare_exchange_weak(T &expected, T value,
                                             memory_order order = memory_order_seq_cst) const {
        return access::compare(object(), expected, value, order);
    }
    WARPMEM_LIBCU bool compare_exchange_strong(T &expected, T value, memory_order order,
                                               memory_order) const {
        return access::compare(object(), expected, value, order);
    }
    WARPMEM_LIBCU bool compare_exchange_weak(T &expected, T value, memory_order order,
                                             memory_order) const {
        return access::compare(object(), expected, value, order);
    }
#define WARPMEM_FETCH(name) \
    WARPMEM_LIBCU T fetch_##name(T value, memory_order order = memory_order_seq_cst) const { \
        return access::fetch_##name(object(), value, order); \
    }
    WARPMEM_FETCH(and)
    WARPMEM_FETCH(or)
    WARPMEM_FETCH(xor)
    WARPMEM_FETCH(min)
    WARPMEM_FETCH(max)
#undef WARPMEM_FETCH
    WARPMEM_LIBCU T fetch_add(difference_type value,
                              memory_order order = memory_order_seq_cst) const {
        return access::add(object(), value, order);
    }
    WARPMEM_LIBCU T fetch_sub(difference_type value,
                              memory_order order = memory_order_seq_cst) const {
        return access::add(object(), (difference_type)-value, order);
    }
    WARPMEM_LIBCU T operator++() const {
        return fetch_add(1) + 1;
    }
    WARPMEM_LIBCU T operator--() const {
        return fetch_sub(1) - 1;
    }
    WARPMEM_LIBCU T operator++(int) const {
        return fetch_add(1);
    }
    WARPMEM_LIBCU T operator--(int) const {
        return fetch_sub(1);
    }
    WARPMEM_LIBCU T operator+=(difference_type value) const {
        return fetch_add(value) + value;
    }
    WARPMEM_LIBCU T operator-=(difference_type value) const {
        return fetch_sub(value) - value;
    }
    WARPMEM_LIBCU T operator&=(T value) const {
        return fetch_and(value) & value;
    }
    WARPMEM_LIBCU T operator|=(T value) const {
        return fetch_or(value) | value;
    }
    WARPMEM_LIBCU T operator^=(T value) const {
        return fetch_xor(value) ^ value;
    }
    /* Until the object has another value. */
    WARPMEM_LIBCU void wait(T old, memory_order order = memory_order_seq_cst) const {
#ifdef __CUDA_ARCH__
        static_assert(sizeof(T) == 4, "wait(): of words only");
        __wm_barrier_await((const volatile unsigned *)object(), ~0u,
                           __builtin_bit_cast(unsigned, old));
        (void)order;
#else
        while (load(order) == old) {}
#endif
    }
    WARPMEM_LIBCU void notify_one() const {}
    WARPMEM_LIBCU void notify_all() const {}
};

} // namespace warpmem

template <class T, thread_scope SCOPE = thread_scope_system>
struct atomic : warpmem::atomic_operations<T, atomic<T, SCOPE>> {
    atomic() = default;
    WARPMEM_LIBCU constexpr atomic(T v) : value(v) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    WARPMEM_LIBCU T operator=(T v) {
        this->store(v);
        return v;
    }
    WARPMEM_LIBCU T *at() const {
        return const_cast<T *>(&value);
    }

  private:
    alignas(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 ? sizeof(T) : alignof(T)) T value;
};

template <class T, thread_scope SCOPE = thread_scope_system>
struct atomic_ref : warpmem::atomic_operations<T, atomic_ref<T, SCOPE>> {
    static constexpr size_t required_alignment = sizeof(T);
    WARPMEM_LIBCU explicit atomic_ref(T &v) : object(&v) {}
    WARPMEM_LIBCU T operator=(T v) const {
        this->store(v);
        return v;
    }
    WARPMEM_LIBCU T *at() const {
        return object;
    }

  private:
    T *object;
};

template <thread_scope SCOPE = thread_scope_system> struct atomic_flag_in {
    WARPMEM_LIBCU bool test_and_set(memory_order order = memory_order_seq_cst) {
        return is.exchange(1, order);
    }
    WARPMEM_LIBCU void clear(memory_order order = memory_order_seq_cst) {
        is.store(0, order);
    }
    WARPMEM_LIBCU bool test(memory_order order = memory_order_seq_cst) const {
        return is.load(order);
    }

  private:
    atomic<int, SCOPE> is;
};

WARPMEM_LIBCU void atomic_thread_fence(memory_order order, thread_scope = thread_scope_system) {
    if (order != memory_order_relaxed) {
        warpmem::fence();
    }
}

namespace std {
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
typedef ::cuda::atomic_flag_in<> atomic_flag;
WARPMEM_LIBCU void atomic_thread_fence(memory_order order) {
    ::cuda::atomic_thread_fence(order);
}
} // namespace std

} // namespace cuda

#endif
