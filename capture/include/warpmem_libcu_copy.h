/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda::memcpy_async(): loads and stores, as before compute capability 8.0, in pieces of the known
 * alignment. They have ended when the call returns, so that barriers and pipelines have no more to
 * wait for than other threads.
 */
#ifndef WARPMEM_LIBCU_COPY_H
#define WARPMEM_LIBCU_COPY_H

#include "warpmem_libcu_atomic.h"

namespace cuda {

template <size_t ALIGNMENT> struct aligned_size_t {
    static constexpr size_t align = ALIGNMENT;
    size_t value;
    WARPMEM_LIBCU constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
    WARPMEM_LIBCU constexpr operator size_t() const {
        return value;
    }
};

#ifdef __CUDA__
namespace warpmem {
template <class S> struct alignment_of_size { static constexpr size_t value = 1; };
template <size_t ALIGNMENT> struct alignment_of_size<aligned_size_t<ALIGNMENT>> {
    static constexpr size_t value = ALIGNMENT;
};
struct one_thread {
    __device__ __forceinline__ size_t thread_rank() const {
        return 0;
    }
    __device__ __forceinline__ size_t size() const {
        return 1;
    }
};

template <size_t ALIGNMENT, class G>
__device__ __forceinline__ void copy_aligned(const G &group, void *to, const void *from,
                                             size_t bytes) {
    constexpr size_t piece = ALIGNMENT >= 16 ? 16 : ALIGNMENT;
    typedef typename __wm_word<piece>::type word;
    const size_t threads = group.size();
    for (size_t i = group.thread_rank(); i < bytes / piece; i += threads) {
        ((word *)to)[i] = ((const word *)from)[i];
    }
    for (size_t i = bytes / piece * piece + group.thread_rank(); i < bytes; i += threads) {
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
}
template <class T, class S> constexpr size_t known_alignment() {
    constexpr size_t of_size = alignment_of_size<S>::value, of_type = alignof(T);
    return of_size > of_type ? of_size : of_type;
}
} // namespace warpmem

template <class T, class S, class SYNC>
__device__ __forceinline__ void memcpy_async(T *to, const T *from, S bytes, SYNC &) {
    warpmem::copy_aligned<warpmem::known_alignment<T, S>()>(warpmem::one_thread(), to, from,
                                                            (size_t)bytes);
}
template <class S, class SYNC>
__device__ __forceinline__ void memcpy_async(void *to, const void *from, S bytes, SYNC &) {
    warpmem::copy_aligned<warpmem::known_alignment<char, S>()>(warpmem::one_thread(), to, from,
                                                               (size_t)bytes);
}
template <class G, class T, class S, class SYNC>
__device__ __forceinline__ void memcpy_async(const G &group, T *to, const T *from, S bytes,
                                             SYNC &) {
    warpmem::copy_aligned<warpmem::known_alignment<T, S>()>(group, to, from, (size_t)bytes);
}
template <class G, class S, class SYNC>
__device__ __forceinline__ void memcpy_async(const G &group, void *to, const void *from, S bytes,
                                             SYNC &) {
    warpmem::copy_aligned<warpmem::known_alignment<char, S>()>(group, to, from, (size_t)bytes);
}
#endif

} // namespace cuda

#endif
