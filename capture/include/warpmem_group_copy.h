/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy_async(): the threads of a group copy an array together. As on GPUs before compute
 * capability 8.0 it is loads and stores, in the widest pieces that both addresses and the size
 * allow, and has ended after wait().
 */
#ifndef WARPMEM_GROUP_COPY_H
#define WARPMEM_GROUP_COPY_H

#include "warpmem_groups.h"

#ifdef __CUDA__
namespace cooperative_groups {
namespace warpmem {

template <class PIECE, class G>
WARPMEM_FRIEND void copy_pieces(const G &group, void *to, const void *from, size_t bytes) {
    for (size_t i = group.thread_rank(); i < bytes / sizeof(PIECE); i += group.size()) {
        ((PIECE *)to)[i] = ((const PIECE *)from)[i];
    }
}

template <class G>
WARPMEM_FRIEND void copy_together(const G &group, void *to, const void *from, size_t bytes) {
    const size_t bits = (size_t)to | (size_t)from | bytes;
    if (bits % 16 == 0) {
        copy_pieces<uint4>(group, to, from, bytes);
    } else if (bits % 4 == 0) {
        copy_pieces<unsigned>(group, to, from, bytes);
    } else {
        copy_pieces<char>(group, to, from, bytes);
    }
}

} // namespace warpmem

/* @bytes of an array. */
template <class G, class T, class S>
WARPMEM_FRIEND void memcpy_async(const G &group, T *to, const T *from, const S &bytes) {
    warpmem::copy_together(group, to, from, (size_t)bytes);
}
template <class G, class S>
WARPMEM_FRIEND void memcpy_async(const G &group, void *to, const void *from, const S &bytes) {
    warpmem::copy_together(group, to, from, (size_t)bytes);
}
/* Elements: as many as both arrays have. */
template <class G, class T, class D, class S>
WARPMEM_FRIEND void memcpy_async(const G &group, T *to, const D &to_count, const T *from,
                                 const S &from_count) {
    const size_t to_all = (size_t)to_count, from_all = (size_t)from_count;
    warpmem::copy_together(group, to, from, (to_all < from_all ? to_all : from_all) * sizeof(T));
}

template <class G> WARPMEM_FRIEND void wait(const G &group) {
    group.sync();
}
template <unsigned PENDING, class G> WARPMEM_FRIEND void wait_prior(const G &group) {
    group.sync();
}

} // namespace cooperative_groups
#endif

#endif
