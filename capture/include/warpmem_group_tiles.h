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
template <unsigned SIZE> class any_tile : public thread_group {
    static_assert(SIZE && !(SIZE & (SIZE - 1)) && SIZE <= 1024,
                  "a tile's size must be a power of 2 up to 1024");

  public:
    static WARPMEM_MEMBER constexpr unsigned size() {
        return SIZE;
    }
    static WARPMEM_MEMBER constexpr unsigned num_threads() {
        return SIZE;
    }
    WARPMEM_MEMBER unsigned meta_group_rank() const {
        return meta_rank_;
    }
    WARPMEM_MEMBER unsigned meta_group_size() const {
        return meta_size_;
    }

  protected:
    using thread_group::thread_group;
};

/* Within a warp. */
template <unsigned SIZE, bool LARGE = (SIZE > 32)> class tile : public any_tile<SIZE> {
  public:
    WARPMEM_MEMBER void sync() const {
        if (SIZE > 1) {
            __syncwarp(lanes());
        }
    }
    static WARPMEM_MEMBER unsigned thread_rank() {
        return lane() & (SIZE - 1);
    }
    template <class T> WARPMEM_MEMBER T shfl(const T &value, int rank) const {
        return shuffle_index<SIZE>(lanes(), value, (unsigned)rank);
    }
    template <class T> WARPMEM_MEMBER T shfl_up(const T &value, unsigned by) const {
        return shuffle_up<SIZE>(lanes(), value, by);
    }
    template <class T> WARPMEM_MEMBER T shfl_down(const T &value, unsigned by) const {
        return shuffle_down<SIZE>(lanes(), value, by);
    }
    template <class T> WARPMEM_MEMBER T shfl_xor(const T &value, unsigned by) const {
        return shuffle_xor<SIZE>(lanes(), value, by);
    }
    WARPMEM_MEMBER int any(int vote) const {
        return __any_sync(lanes(), vote);
    }
    WARPMEM_MEMBER int all(int vote) const {
        return __all_sync(lanes(), vote);
    }
    WARPMEM_MEMBER unsigned ballot(int vote) const {
        return of_tile(__ballot_sync(lanes(), vote));
    }
    template <class T> WARPMEM_MEMBER unsigned match_any(const T &value) const {
        return of_tile(__wm_meet_match_any(lanes(), bits_of(value)));
    }
    template <class T> WARPMEM_MEMBER unsigned match_all(const T &value, int &all) const {
        const unsigned found = __wm_meet_match_all(lanes(), bits_of(value));
        all = found != 0;
        return of_tile(found);
    }

    /* For these headers. */
    WARPMEM_MEMBER tile(unsigned rank, unsigned count, char *)
        : any_tile<SIZE>(thread_group::LANES, lanes(), rank, count) {}
    static WARPMEM_MEMBER char *memory() {
        return nullptr;
    }
    static WARPMEM_MEMBER unsigned lanes() {
        return SIZE == 32 ? +ALL_LANES : ((1u << (SIZE & 31)) - 1) << first();
    }
    template <class T, class F> WARPMEM_MEMBER T over_warps(const T &of_warp, F &&) const {
        return of_warp; /* there is one */
    }

  private:
    static WARPMEM_MEMBER unsigned first() {
        return lane() & ~(SIZE - 1);
    }
    static WARPMEM_MEMBER unsigned of_tile(unsigned found) {
        return SIZE == 32 ? found : found >> first();
    }
};

/* Of several warps, which meet at barriers and exchange values in shared memory. */
template <unsigned SIZE> class tile<SIZE, true> : public any_tile<SIZE> {
  public:
    static WARPMEM_MEMBER void sync() {
        __wm_tile_barrier(first(), SIZE);
    }
    static WARPMEM_MEMBER unsigned thread_rank() {
        return thread_block::thread_rank() & (SIZE - 1);
    }
    template <class T> WARPMEM_MEMBER T shfl(const T &value, unsigned rank) const {
        T *place = place_of<T>(first() / 32);
        if (thread_rank() == rank) {
            *place = value;
        }
        sync();
        const T result = *place;
        sync();
        return result;
    }
    WARPMEM_MEMBER int any(int vote) const {
        return over_warps(__any_sync(ALL_LANES, vote), [](int a, int b) { return a | b; });
    }
    WARPMEM_MEMBER int all(int vote) const {
        return over_warps(__all_sync(ALL_LANES, vote), [](int a, int b) { return a & b; });
    }

    /* For these headers. */
    WARPMEM_MEMBER tile(unsigned rank, unsigned count, char *memory)
        : any_tile<SIZE>(thread_group::WARPS, SIZE, rank, count), memory_(memory) {
        if (!memory) {
            __assert_fail("a tile of more than 32 threads needs block_tile_memory", __FILE__,
                          __LINE__, __func__);
        }
    }
    WARPMEM_MEMBER char *memory() const {
        return memory_;
    }
    /* @of_warp: the same in each lane of a warp. Lanes read the warps' values, and combine them. */
    template <class T, class F> WARPMEM_MEMBER T over_warps(const T &of_warp, F &&combine) const {
        if (lane() == 0) {
            *place_of<T>(thread_block::thread_rank() / 32) = of_warp;
        }
        sync();
        const T of_other = *place_of<T>(first() / 32 + lane() % (SIZE / 32));
        const T of_all = combined_lanes<SIZE / 64>::of(ALL_LANES, of_other, combine);
        sync();
        return of_all;
    }

  private:
    static WARPMEM_MEMBER unsigned first() {
        return thread_block::thread_rank() & ~(SIZE - 1);
    }
    template <class T> WARPMEM_MEMBER T *place_of(unsigned warp) const {
        static_assert(sizeof(T) <= TILE_BYTES_OF_WARP, "must be of at most 32 bytes");
        return (T *)(memory_ + warp * TILE_BYTES_OF_WARP);
    }
    char *memory_;
};

} // namespace warpmem

template <unsigned SIZE, class PARENT = void> class thread_block_tile : public warpmem::tile<SIZE> {
  public:
    using warpmem::tile<SIZE>::tile;
    /* Of another parent, which is forgotten. */
    template <class OTHER>
    WARPMEM_MEMBER thread_block_tile(const thread_block_tile<SIZE, OTHER> &other)
        : warpmem::tile<SIZE>(other) {}
    thread_block_tile(const thread_block_tile &) = default;
    thread_block_tile &operator=(const thread_block_tile &) = default;
};

/* --- parts of groups --- */

template <unsigned SIZE>
WARPMEM_FRIEND thread_block_tile<SIZE, thread_block> tiled_partition(const thread_block &block) {
    return thread_block_tile<SIZE, thread_block>(block.thread_rank() / SIZE,
                                                 (block.size() + SIZE - 1) / SIZE, block.memory());
}
template <unsigned SIZE, unsigned WHOLE, class PARENT>
WARPMEM_FRIEND thread_block_tile<SIZE, thread_block_tile<WHOLE, PARENT>> tiled_partition(
    const thread_block_tile<WHOLE, PARENT> &whole) {
    static_assert(SIZE <= WHOLE, "a tile cannot be larger than its parent");
    return thread_block_tile<SIZE, thread_block_tile<WHOLE, PARENT>>(whole.thread_rank() / SIZE,
                                                                     WHOLE / SIZE, whole.memory());
}

/* Of a size that is known when the kernel runs. */
WARPMEM_FRIEND thread_group tiled_partition(const thread_group &parent, unsigned size) {
    if (!size || size > 32 || (size & (size - 1))) {
        __assert_fail("a tile's size must be a power of 2 up to 32", __FILE__, __LINE__, __func__);
    }
    const unsigned rank = (unsigned)parent.thread_rank(), all = (unsigned)parent.size(),
                   first = rank / size * size;
    const unsigned mask =
        parent.kind_ == thread_group::BLOCK
            ? (size == 32 ? +warpmem::ALL_LANES : ((1u << (size & 31)) - 1) << (first & 31))
            : warpmem::lanes_of_ranks(parent.mask_, first, size);
    return thread_group(thread_group::LANES, mask, rank / size, (all + size - 1) / size);
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
WARPMEM_FRIEND auto invoke_one_broadcast(const G &group, F &&function, A &&...arguments) {
    decltype(function(static_cast<A &&>(arguments)...)) result{};
    if (group.thread_rank() == 0) {
        result = function(static_cast<A &&>(arguments)...);
    }
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
