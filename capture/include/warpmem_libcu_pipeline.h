/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda::pipeline, as libcu++ has it. One of a thread has nothing to wait for, because copies have
 * ended when the call returns (warpmem_libcu_copy.h); one of a CTA has two barriers for each stage.
 */
#ifndef WARPMEM_LIBCU_PIPELINE_H
#define WARPMEM_LIBCU_PIPELINE_H

#include "warpmem_libcu_barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope SCOPE, unsigned char STAGES> struct pipeline_shared_state {
    struct stage {
        barrier<SCOPE> produced, consumed;
    } stages[STAGES];
    unsigned producers;
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
};

#ifdef __CUDA__
template <thread_scope SCOPE> class pipeline {
    struct stage {
        barrier<SCOPE> produced, consumed;
    };
    stage *stages;
    unsigned count, head, tail;
    bool head_parity, tail_parity;

  public:
    __device__ __forceinline__ pipeline(void *s, unsigned c)
        : stages((stage *)s), count(c), head(0), tail(0), head_parity(true), tail_parity(false) {}
    pipeline(const pipeline &) = delete;
    __device__ __forceinline__ pipeline(pipeline &&other)
        : stages(other.stages), count(other.count), head(other.head), tail(other.tail),
          head_parity(other.head_parity), tail_parity(other.tail_parity) {}
    __device__ __forceinline__ void producer_acquire() {
        stages[head].consumed.wait_parity(head_parity);
    }
    __device__ __forceinline__ void producer_commit() {
        (void)stages[head].produced.arrive();
        head = head + 1 == count ? 0 : head + 1;
        head_parity ^= head == 0;
    }
    __device__ __forceinline__ void consumer_wait() {
        stages[tail].produced.wait_parity(tail_parity);
    }
    __device__ __forceinline__ void consumer_release() {
        (void)stages[tail].consumed.arrive();
        tail = tail + 1 == count ? 0 : tail + 1;
        tail_parity ^= tail == 0;
    }
    __device__ __forceinline__ bool quit() {
        return true;
    }
};
template <> class pipeline<thread_scope_thread> {
  public:
    __device__ __forceinline__ void producer_acquire() {}
    __device__ __forceinline__ void producer_commit() {}
    __device__ __forceinline__ void consumer_wait() {}
    __device__ __forceinline__ void consumer_release() {}
    template <class R, class P> __device__ __forceinline__ bool consumer_wait_for(const R &) {
        return true;
    }
    __device__ __forceinline__ bool quit() {
        return true;
    }
};

namespace warpmem {
template <class G, thread_scope SCOPE, unsigned char STAGES>
__device__ __forceinline__ pipeline<SCOPE> start_pipeline(
    const G &group, pipeline_shared_state<SCOPE, STAGES> *state, unsigned producers,
    unsigned consumers) {
    if (group.thread_rank() == 0) {
        for (unsigned i = 0; i < STAGES; i++) {
            init(&state->stages[i].produced, producers);
            init(&state->stages[i].consumed, consumers);
        }
    }
    group.sync();
    return pipeline<SCOPE>(state->stages, STAGES);
}
} // namespace warpmem

__device__ __forceinline__ pipeline<thread_scope_thread> make_pipeline() {
    return pipeline<thread_scope_thread>();
}
/* Each thread produces and consumes. */
template <class G, thread_scope SCOPE, unsigned char STAGES>
__device__ __forceinline__ pipeline<SCOPE> make_pipeline(
    const G &group, pipeline_shared_state<SCOPE, STAGES> *state) {
    const unsigned all = (unsigned)group.size();
    return warpmem::start_pipeline(group, state, all, all);
}
/* The first threads produce, the others consume. */
template <class G, thread_scope SCOPE, unsigned char STAGES>
__device__ __forceinline__ pipeline<SCOPE> make_pipeline(
    const G &group, pipeline_shared_state<SCOPE, STAGES> *state, size_t producers) {
    return warpmem::start_pipeline(group, state, (unsigned)producers,
                                   (unsigned)(group.size() - producers));
}
template <class G, thread_scope SCOPE, unsigned char STAGES>
__device__ __forceinline__ pipeline<SCOPE> make_pipeline(
    const G &group, pipeline_shared_state<SCOPE, STAGES> *state, pipeline_role role) {
    if (group.thread_rank() == 0) {
        state->producers = 0;
    }
    group.sync();
    if (role == pipeline_role::producer) {
        atomicAdd(&state->producers, 1u);
    }
    group.sync();
    const unsigned producers = state->producers;
    return warpmem::start_pipeline(group, state, producers, (unsigned)group.size() - producers);
}

template <unsigned char PRIOR, thread_scope SCOPE>
__device__ __forceinline__ void pipeline_consumer_wait_prior(pipeline<SCOPE> &p) {
    p.consumer_wait();
}
template <thread_scope SCOPE, class B>
__device__ __forceinline__ void pipeline_producer_commit(pipeline<SCOPE> &, B &) {}
#endif

} // namespace cuda

#endif
