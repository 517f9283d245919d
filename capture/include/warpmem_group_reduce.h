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

/* A tile: the lanes of each warp, then the warps. */
template <unsigned SIZE, class P, class T, class F>
WARPMEM_FRIEND T reduced(const thread_block_tile<SIZE, P> &group, const T &value, F &&combine) {
    const unsigned width = SIZE < 32 ? SIZE : 32;
    return group.over_warps(combined_lanes<width / 2>::of(tile<width>::lanes(), value, combine),
                            combine);
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
