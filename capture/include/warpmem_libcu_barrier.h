/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda::barrier, cuda::latch and semaphores, as libcu++ has them. A barrier is a word of 64 bits:
 * the threads that it expects, those that came, and the phase. An arrival is an atomic on it. A
 * wait lets other threads run until the phase has changed, and is recorded as a barrier of the CTA.
 */
#ifndef WARPMEM_LIBCU_BARRIER_H
#define WARPMEM_LIBCU_BARRIER_H

#include "warpmem_libcu_atomic.h"

#include <utility>

namespace cuda {

namespace warpmem {
struct nothing_to_complete {
    WARPMEM_LIBCU void operator()() const {}
};

/* Until the bits @mask of a word are no longer @value. */
WARPMEM_LIBCU void await(const void *word, unsigned mask, unsigned value) {
#ifdef __CUDA_ARCH__
    __wm_barrier_await((const volatile unsigned *)word, mask, value);
#else
    while ((__atomic_load_n((const unsigned *)word, __ATOMIC_ACQUIRE) & mask) == value) {}
#endif
}
} // namespace warpmem

template <thread_scope SCOPE, class COMPLETION = warpmem::nothing_to_complete> class barrier {
    static constexpr unsigned phase_bit = 0x80000000u;
    struct empty {};
    unsigned long long state; /* low half: expected; high half: the phase, and how many came */

    WARPMEM_LIBCU const unsigned *high_half() const {
        return (const unsigned *)&state + 1;
    }

  public:
    class arrival_token {
        friend class barrier;
        unsigned phase;
        WARPMEM_LIBCU explicit arrival_token(unsigned p) : phase(p) {}

      public:
        arrival_token() = default;
    };

    barrier() = default;
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;
    WARPMEM_LIBCU explicit barrier(ptrdiff_t expected, COMPLETION = COMPLETION()) {
        start(expected);
    }
    WARPMEM_LIBCU void start(ptrdiff_t expected) {
        state = (unsigned)expected;
    }
    WARPMEM_LIBCU arrival_token arrive(ptrdiff_t count = 1) {
        const unsigned long long old =
            __atomic_fetch_add(&state, (unsigned long long)count << 32, __ATOMIC_RELAXED);
        const unsigned high = (unsigned)(old >> 32), expected = (unsigned)old;
        if ((high & ~phase_bit) + (unsigned)count == expected) {
            COMPLETION()();
            __atomic_fetch_add(&state, (unsigned long long)(phase_bit - expected) << 32,
                               __ATOMIC_RELAXED);
        }
        return arrival_token(high & phase_bit);
    }
    WARPMEM_LIBCU void wait(arrival_token token) const {
        warpmem::await(high_half(), phase_bit, token.phase);
    }
    WARPMEM_LIBCU void wait_parity(bool parity) const {
        warpmem::await(high_half(), phase_bit, parity ? phase_bit : 0);
    }
    WARPMEM_LIBCU bool try_wait(arrival_token token) const {
        wait(token);
        return true;
    }
    WARPMEM_LIBCU bool try_wait_parity(bool parity) const {
        wait_parity(parity);
        return true;
    }
    WARPMEM_LIBCU void arrive_and_wait() {
        wait(arrive());
    }
    /* One thread fewer from the next phase on. */
    WARPMEM_LIBCU void arrive_and_drop() {
        const unsigned long long old = __atomic_fetch_sub(&state, 1, __ATOMIC_RELAXED);
        const unsigned high = (unsigned)(old >> 32), expected = (unsigned)old - 1;
        if ((high & ~phase_bit) == expected) {
            COMPLETION()();
            __atomic_fetch_add(&state, (unsigned long long)(phase_bit - expected) << 32,
                               __ATOMIC_RELAXED);
        }
    }
    static WARPMEM_LIBCU constexpr ptrdiff_t max() {
        return (1 << 20) - 1;
    }
};
template <thread_scope SCOPE, class COMPLETION>
WARPMEM_LIBCU void init(barrier<SCOPE, COMPLETION> *b, ptrdiff_t expected,
                        COMPLETION = COMPLETION()) {
    b->start(expected);
}

template <thread_scope SCOPE = thread_scope_system> class latch {
    unsigned left;
    unsigned is_open;

  public:
    latch() = default;
    WARPMEM_LIBCU explicit latch(ptrdiff_t count) : left((unsigned)count), is_open(!count) {}
    WARPMEM_LIBCU void count_down(ptrdiff_t count = 1) {
        if (__atomic_fetch_sub(&left, (unsigned)count, __ATOMIC_RELAXED) == (unsigned)count) {
            __atomic_store_n(&is_open, 1u, __ATOMIC_RELAXED);
        }
    }
    WARPMEM_LIBCU bool try_wait() const {
        return __atomic_load_n(&is_open, __ATOMIC_RELAXED);
    }
    WARPMEM_LIBCU void wait() const {
        warpmem::await(&is_open, ~0u, 0);
    }
    WARPMEM_LIBCU void arrive_and_wait(ptrdiff_t count = 1) {
        count_down(count);
        wait();
    }
};
template <thread_scope SCOPE> WARPMEM_LIBCU void init(latch<SCOPE> *l, ptrdiff_t count) {
    new (l) latch<SCOPE>(count);
}

template <thread_scope SCOPE = thread_scope_system, ptrdiff_t MOST = 0x7fffffff>
class counting_semaphore {
    unsigned count;

  public:
    counting_semaphore() = default;
    WARPMEM_LIBCU explicit counting_semaphore(ptrdiff_t c) : count((unsigned)c) {}
    WARPMEM_LIBCU void release(ptrdiff_t more = 1) {
        __atomic_fetch_add(&count, (unsigned)more, __ATOMIC_RELAXED);
    }
    WARPMEM_LIBCU bool try_acquire() {
        unsigned old = __atomic_load_n(&count, __ATOMIC_RELAXED);
        return old && __atomic_compare_exchange_n(&count, &old, old - 1, false, __ATOMIC_RELAXED,
                                                  __ATOMIC_RELAXED);
    }
    WARPMEM_LIBCU void acquire() {
        while (!try_acquire()) {
            warpmem::await(&count, ~0u, 0);
        }
    }
    static WARPMEM_LIBCU constexpr ptrdiff_t max() {
        return MOST;
    }
};
template <thread_scope SCOPE = thread_scope_system>
using binary_semaphore = counting_semaphore<SCOPE, 1>;

namespace std {
template <class COMPLETION = ::cuda::warpmem::nothing_to_complete>
using barrier = ::cuda::barrier<thread_scope_system, COMPLETION>;
typedef ::cuda::latch<thread_scope_system> latch;
template <ptrdiff_t MOST = 0x7fffffff>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, MOST>;
typedef ::cuda::binary_semaphore<thread_scope_system> binary_semaphore;
} // namespace std

} // namespace cuda

#include "warpmem_libcu_copy.h"

#endif
