/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of cooperative groups: tiles of a fixed size, and lanes that are chosen by a value.
 */
#ifndef WARPMEM_GROUP_TILES_H
#define WARPMEM_GROUP_TILES_H

#include "warpmem_group_coalesced.h"

namespace cooperative_groups {

/* --- tiles --- */

namespace warpmem {

/* Tiles of any size have it. */
template <unsigned wm_size> class any_tile : public thread_group {
    static_assert(wm_size && !(wm_size & (wm_size - 1)) && wm_size <= 1024,
                  "a tile's size must be a power of 2 up to 1024");

  public:
    static WARPMEM_METHOD constexpr unsigned size() {
        return wm_size;
    }
    static WARPMEM_METHOD constexpr unsigned num_threads() {
        return wm_size;
    }
    WARPMEM_METHOD unsigned meta_group_rank() const {
        return meta_rank_;
    }
    WARPMEM_METHOD unsigned meta_group_size() const {
        return meta_size_;
    }

  protected:
    using thread_group::thread_group;
};

/* Within a warp. */
template <unsigned wm_size, bool wm_large = (wm_size > 32)> class tile : public any_tile<wm_size> {
  public:
    WARPMEM_METHOD void sync() const {
        if (wm_size > 1) {
            __syncwarp(lanes());
        }
    }
    static WARPMEM_METHOD unsigned thread_rank() {
        return lane() & (wm_size - 1);
    }
    template <class T> WARPMEM_METHOD T shfl(const T &value, int rank) const {
        return shuffle_index<wm_size>(lanes(), value, (unsigned)rank);
    }
    template <class T> WARPMEM_METHOD T shfl_up(const T &value, unsigned by) const {
        return shuffle_up<wm_size>(lanes(), value, by);
    }
    template <class T> WARPMEM_METHOD T shfl_down(const T &value, unsigned by) const {
        return shuffle_down<wm_size>(lanes(), value, by);
    }
    template <class T> WARPMEM_METHOD T shfl_xor(const T &value, unsigned by) const {
        return shuffle_xor<wm_size>(lanes(), value, by);
    }
    WARPMEM_METHOD int any(int vote) const {
        return __any_sync(lanes(), vote);
    }
    WARPMEM_METHOD int all(int vote) const {
        return __all_sync(lanes(), vote);
    }
    WARPMEM_METHOD unsigned ballot(int vote) const {
        return of_tile(__ballot_sync(lanes(), vote));
    }
    template <class T> WARPMEM_METHOD unsigned match_any(const T &value) const {
        return of_tile(__wm_meet_match_any(lanes(), bits_of(value)));
    }
    template <class T> WARPMEM_METHOD unsigned match_all(const T &value, int &all) const {
        const unsigned found = __wm_meet_match_all(lanes(), bits_of(value));
        all = found != 0;
        return of_tile(found);
    }

    /* For these headers. */
    WARPMEM_METHOD tile(unsigned rank, unsigned count, char *)
        : any_tile<wm_size>(thread_group::kind_lanes, lanes(), rank, count) {}
    static WARPMEM_METHOD char *memory() {
        return nullptr;
    }
    static WARPMEM_METHOD unsigned lanes() {
        return wm_size == 32 ? +all_lanes : ((1u << (wm_size & 31)) - 1) << first();
    }
    template <class T, class F> WARPMEM_METHOD T over_warps(const T &of_warp, F &&) const {
        return of_warp; /* there is one */
    }

  private:
    static WARPMEM_METHOD unsigned first() {
        return lane() & ~(wm_size - 1);
    }
    static WARPMEM_METHOD unsigned of_tile(unsigned found) {
        return wm_size == 32 ? found : found >> first();
    }
};

/* A tile of several warps, which meet at barriers and exchange values in shared memory. */
template <unsigned wm_size> class tile<wm_size, true> : public any_tile<wm_size> {
  public:
    static WARPMEM_METHOD void sync() {
        __wm_tile_barrier(first(), wm_size);
    }
    static WARPMEM_METHOD unsigned thread_rank() {
        return thread_block::thread_rank() & (wm_size - 1);
    }
    template <class T> WARPMEM_METHOD T shfl(const T &value, unsigned rank) const {
        T *place = place_of<T>(first() / 32);
        if (thread_rank() == rank) {
            *place = value;
        }
        sync();
        const T result = *place;
        sync();
        return result;
    }
    WARPMEM_METHOD int any(int vote) const {
        return over_warps(__any_sync(all_lanes, vote), [](int a, int b) { return a | b; });
    }
    WARPMEM_METHOD int all(int vote) const {
        return over_warps(__all_sync(all_lanes, vote), [](int a, int b) { return a & b; });
    }

    /* For these headers. */
    WARPMEM_METHOD tile(unsigned rank, unsigned count, char *memory)
        : any_tile<wm_size>(thread_group::kind_warps, wm_size, rank, count), memory_(memory) {
        if (!memory) {
            __wm_misused("a tile of more than 32 threads needs block_tile_memory", __FILE__,
                         __LINE__, __func__);
        }
    }
    WARPMEM_METHOD char *memory() const {
        return memory_;
    }
    /* @of_warp: the same in each lane of a warp. Lanes read the warps' values, and combine them. */
    template <class T, class F> WARPMEM_METHOD T over_warps(const T &of_warp, F &&combine) const {
        if (lane() == 0) {
            *place_of<T>(thread_block::thread_rank() / 32) = of_warp;
        }
        sync();
        const T of_other = *place_of<T>(first() / 32 + lane() % (wm_size / 32));
        const T of_all = combined_lanes<wm_size / 64>::of(all_lanes, of_other, combine);
        sync();
        return of_all;
    }

  private:
    static WARPMEM_METHOD unsigned first() {
        return thread_block::thread_rank() & ~(wm_size - 1);
    }
    template <class T> WARPMEM_METHOD T *place_of(unsigned warp) const {
        static_assert(sizeof(T) <= tile_bytes_of_warp, "must be of at most 32 bytes");
        return (T *)(memory_ + warp * tile_bytes_of_warp);
    }
    char *memory_;
};

} // namespace warpmem

template <unsigned wm_size, class wm_parent = void>
class thread_block_tile : public warpmem::tile<wm_size> {
  public:
    using warpmem::tile<wm_size>::tile;
    /* A tile of another parent, which is forgotten. */
    template <class wm_other>
    WARPMEM_METHOD thread_block_tile(const thread_block_tile<wm_size, wm_other> &other)
        : warpmem::tile<wm_size>(other) {}
    thread_block_tile(const thread_block_tile &) = default;
    thread_block_tile &operator=(const thread_block_tile &) = default;
};

/* --- parts of groups --- */

template <unsigned wm_size>
WARPMEM_FRIEND thread_block_tile<wm_size, thread_block> tiled_partition(const thread_block &block) {
    return thread_block_tile<wm_size, thread_block>(
        block.thread_rank() / wm_size, (block.size() + wm_size - 1) / wm_size, block.memory());
}
template <unsigned wm_size, unsigned wm_whole, class wm_parent>
WARPMEM_FRIEND thread_block_tile<wm_size, thread_block_tile<wm_whole, wm_parent>> tiled_partition(
    const thread_block_tile<wm_whole, wm_parent> &whole) {
    static_assert(wm_size <= wm_whole, "a tile cannot be larger than its parent");
    return thread_block_tile<wm_size, thread_block_tile<wm_whole, wm_parent>>(
        whole.thread_rank() / wm_size, wm_whole / wm_size, whole.memory());
}

/* A tile whose size is known when the kernel runs. */
WARPMEM_FRIEND thread_group tiled_partition(const thread_group &parent, unsigned size) {
    if (!size || size > 32 || (size & (size - 1))) {
        __wm_misused("a tile's size must be a power of 2 up to 32", __FILE__, __LINE__, __func__);
    }
    const unsigned rank = (unsigned)parent.thread_rank(), all = (unsigned)parent.size(),
                   first = rank / size * size;
    const unsigned mask =
        parent.kind_ == thread_group::kind_block
            ? (size == 32 ? +warpmem::all_lanes : ((1u << (size & 31)) - 1) << (first & 31))
            : warpmem::lanes_of_ranks(parent.mask_, first, size);
    return thread_group(thread_group::kind_lanes, mask, rank / size, (all + size - 1) / size);
}
WARPMEM_FRIEND coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
    const unsigned rank = parent.thread_rank();
    return coalesced_group(warpmem::lanes_of_ranks(parent.lanes(), rank / size * size, size),
                           rank / size, (parent.size() + size - 1) / size);
}

/* Lanes with the same value. */
template <class G, class T>
WARPMEM_FRIEND coalesced_group labeled_partition(const G &group, T label) {
    return coalesced_group(__wm_meet_match_any(group.lanes(), warpmem::bits_of(label)));
}
template <class G> WARPMEM_FRIEND coalesced_group binary_partition(const G &group, bool label) {
    const unsigned yes = __ballot_sync(group.lanes(), label);
    return coalesced_group(label ? yes : group.lanes() & ~yes, label, 2);
}

/* One thread of a group calls a function; the others may get its result. */
template <class G, class F, class... A>
WARPMEM_FRIEND void invoke_one(const G &group, F &&function, A &&...arguments) {
    if (group.thread_rank() == 0) {
        function(static_cast<A &&>(arguments)...);
    }
}
template <class G, class F, class... A>
WARPMEM_FRIEND auto invoke_one_broadcast(const G &group, F &&function, A &&...arguments)
    -> decltype(function(static_cast<A &&>(arguments)...)) {
    decltype(function(static_cast<A &&>(arguments)...)) result{};
    if (group.thread_rank() == 0) {
        result = function(static_cast<A &&>(arguments)...);
    }
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
