/* SPDX-License-Identifier: Apache-2.0
 *
 * reduce(): a value of all threads of a tile or coalesced group, which each of them gets.
 */
#ifndef WARPMEM_GROUP_REDUCE_H
#define WARPMEM_GROUP_REDUCE_H

#include "warpmem_groups.h"

#ifdef __CUDA__
#include "warpmem_group_operations.h"

namespace cooperative_groups {
namespace warpmem {

/* A tile: each lane combines with the one whose rank differs in a bit. */
template <unsigned STEP> struct reduction {
    template <class G, class T, class F>
    static WARPMEM_MEMBER T of(const G &group, T value, F &&combine) {
        value = combine(value, group.shfl_xor(value, STEP));
        return reduction<STEP / 2>::of(group, value, combine);
    }
};
template <> struct reduction<0> {
    template <class G, class T, class F> static WARPMEM_MEMBER T of(const G &, T value, F &&) {
        return value;
    }
};

template <unsigned SIZE, class P, class T, class F>
WARPMEM_FRIEND T reduced(const thread_block_tile<SIZE, P> &group, const T &value, F &&combine) {
    return reduction<SIZE / 2>::of(group, value, combine);
}

/* Lanes of any mask: each has the value of 2, 4, ... ranks from its own, as far as there are; the
 * first has that of all. */
template <class T, class F>
WARPMEM_FRIEND T reduced(const coalesced_group &group, T value, F &&combine) {
    const unsigned size = group.size(), rank = group.thread_rank();
    for (unsigned step = 1; step < size; step *= 2) {
        const T other = group.shfl_down(value, step);
        if (rank + step < size) {
            value = combine(value, other);
        }
    }
    return group.shfl(value, 0);
}

} // namespace warpmem

template <class G, class T, class F>
WARPMEM_FRIEND auto reduce(const G &group, const T &value, F &&combine)
    -> decltype(combine(value, value)) {
    return warpmem::reduced(group, (decltype(combine(value, value)))value, combine);
}

} // namespace cooperative_groups
#endif

#endif
