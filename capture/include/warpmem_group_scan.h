/* SPDX-License-Identifier: Apache-2.0
 *
 * Scans over a tile or coalesced group: each thread gets the value of the threads up to it.
 */
#ifndef WARPMEM_GROUP_SCAN_H
#define WARPMEM_GROUP_SCAN_H

#include "warpmem_groups.h"

#ifdef __CUDA__
#include "warpmem_group_operations.h"

namespace cooperative_groups {
namespace warpmem {

template <class G, class T, class F>
WARPMEM_FRIEND T scan_step(const G &group, const T &value, unsigned step, F &&combine) {
    const T other = group.shfl_up(value, step);
    return group.thread_rank() >= step ? (T)combine(other, value) : value;
}

template <unsigned wm_step, unsigned wm_size, bool wm_more = (wm_step < wm_size)> struct scan {
    template <class G, class T, class F>
    static WARPMEM_METHOD T of(const G &group, const T &value, F &&combine) {
        return scan<wm_step * 2, wm_size>::of(group, scan_step(group, value, wm_step, combine),
                                              combine);
    }
};
template <unsigned wm_step, unsigned wm_size> struct scan<wm_step, wm_size, false> {
    template <class G, class T, class F>
    static WARPMEM_METHOD T of(const G &, const T &value, F &&) {
        return value;
    }
};

template <unsigned wm_size, class P, class T, class F>
WARPMEM_FRIEND T scanned(const thread_block_tile<wm_size, P> &group, const T &value, F &&combine) {
    return scan<1, wm_size>::of(group, value, combine);
}
template <class T, class F>
WARPMEM_FRIEND T scanned(const coalesced_group &group, T value, F &&combine) {
    for (unsigned step = 1; step < group.size(); step *= 2) {
        value = scan_step(group, value, step, combine);
    }
    return value;
}

} // namespace warpmem

template <class G, class T, class F>
WARPMEM_FRIEND auto inclusive_scan(const G &group, const T &value, F &&combine)
    -> decltype(combine(value, value)) {
    return warpmem::scanned(group, (decltype(combine(value, value)))value, combine);
}
template <class G, class T> WARPMEM_FRIEND T inclusive_scan(const G &group, const T &value) {
    return inclusive_scan(group, value, plus<T>());
}
template <class G, class T, class F>
WARPMEM_FRIEND auto exclusive_scan(const G &group, const T &value, F &&combine)
    -> decltype(combine(value, value)) {
    typedef decltype(combine(value, value)) result;
    const result before = group.shfl_up(inclusive_scan(group, value, combine), 1);
    return group.thread_rank()
               ? before
               : warpmem::neutral<result, typename warpmem::plain_type<F>::type>::value();
}
template <class G, class T> WARPMEM_FRIEND T exclusive_scan(const G &group, const T &value) {
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif

#endif
