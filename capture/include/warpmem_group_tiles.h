/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative groups of a warp's lanes: tiles of a fixed size, and the lanes that run together or
 * are chosen by a value.
 */
#ifndef WARPMEM_GROUP_TILES_H
#define WARPMEM_GROUP_TILES_H

namespace cooperative_groups {

/* --- lanes of any mask --- */

class coalesced_group : public thread_group {
  public:
    WARPMEM_MEMBER void sync() const {
        __syncwarp(mask_);
    }
    WARPMEM_MEMBER unsigned size() const {
        return (unsigned)__popc(mask_);
    }
    WARPMEM_MEMBER unsigned num_threads() const {
        return size();
    }
    WARPMEM_MEMBER unsigned thread_rank() const {
        return warpmem::rank_in(mask_);
    }
    WARPMEM_MEMBER unsigned meta_group_rank() const {
        return meta_rank_;
    }
    WARPMEM_MEMBER unsigned meta_group_size() const {
        return meta_size_;
    }

    template <class T> WARPMEM_MEMBER T shfl(const T &value, unsigned rank) const {
        return from_lane(value, warpmem::lane_of_rank(mask_, rank));
    }
    template <class T> WARPMEM_MEMBER T shfl_up(const T &value, unsigned by) const {
        const unsigned rank = thread_rank();
        return from_lane(value, warpmem::lane_of_rank(mask_, rank < by ? rank : rank - by));
    }
    template <class T> WARPMEM_MEMBER T shfl_down(const T &value, unsigned by) const {
        const unsigned rank = thread_rank();
        return from_lane(value,
                         warpmem::lane_of_rank(mask_, by < size() - rank ? rank + by : rank));
    }
    WARPMEM_MEMBER int any(int vote) const {
        return __any_sync(mask_, vote);
    }
    WARPMEM_MEMBER int all(int vote) const {
        return __all_sync(mask_, vote);
    }
    WARPMEM_MEMBER unsigned ballot(int vote) const {
        return warpmem::packed(mask_, __ballot_sync(mask_, vote));
    }
    template <class T> WARPMEM_MEMBER unsigned match_any(const T &value) const {
        return warpmem::packed(mask_, __wm_meet_match_any(mask_, warpmem::bits_of(value)));
    }
    template <class T> WARPMEM_MEMBER unsigned match_all(const T &value, int &all) const {
        const unsigned found = __wm_meet_match_all(mask_, warpmem::bits_of(value));
        all = found != 0;
        return warpmem::packed(mask_, found);
    }

    /* For this header. */
    WARPMEM_MEMBER coalesced_group(unsigned mask, unsigned rank = 0, unsigned size = 1)
        : thread_group(LANES, mask, rank, size) {}
    WARPMEM_MEMBER unsigned lanes() const {
        return mask_;
    }

  private:
    template <class T> WARPMEM_MEMBER T from_lane(const T &value, unsigned lane) const {
        return warpmem::shuffle_index<32>(mask_, value, lane);
    }
};

/* The lanes that are here with this one. */
WARPMEM_FRIEND coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

/* --- tiles --- */

template <unsigned SIZE, class PARENT = void> class thread_block_tile : public thread_group {
    static_assert(SIZE && !(SIZE & (SIZE - 1)), "a tile's size must be a power of 2");
    static_assert(SIZE <= 32, "tiles of more than 32 threads: not supported");

  public:
    /* Of another parent, which is forgotten. */
    template <class OTHER>
    WARPMEM_MEMBER thread_block_tile(const thread_block_tile<SIZE, OTHER> &other)
        : thread_group(other) {}
    thread_block_tile(const thread_block_tile &) = default;
    thread_block_tile &operator=(const thread_block_tile &) = default;

    WARPMEM_MEMBER void sync() const {
        if (SIZE > 1) {
            __syncwarp(lanes());
        }
    }
    static WARPMEM_MEMBER constexpr unsigned size() {
        return SIZE;
    }
    static WARPMEM_MEMBER constexpr unsigned num_threads() {
        return SIZE;
    }
    static WARPMEM_MEMBER unsigned thread_rank() {
        return warpmem::lane() & (SIZE - 1);
    }
    WARPMEM_MEMBER unsigned meta_group_rank() const {
        return meta_rank_;
    }
    WARPMEM_MEMBER unsigned meta_group_size() const {
        return meta_size_;
    }

    template <class T> WARPMEM_MEMBER T shfl(const T &value, int rank) const {
        return warpmem::shuffle_index<SIZE>(lanes(), value, (unsigned)rank);
    }
    template <class T> WARPMEM_MEMBER T shfl_up(const T &value, unsigned by) const {
        return warpmem::shuffle_up<SIZE>(lanes(), value, by);
    }
    template <class T> WARPMEM_MEMBER T shfl_down(const T &value, unsigned by) const {
        return warpmem::shuffle_down<SIZE>(lanes(), value, by);
    }
    template <class T> WARPMEM_MEMBER T shfl_xor(const T &value, unsigned by) const {
        return warpmem::shuffle_xor<SIZE>(lanes(), value, by);
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
        return of_tile(__wm_meet_match_any(lanes(), warpmem::bits_of(value)));
    }
    template <class T> WARPMEM_MEMBER unsigned match_all(const T &value, int &all) const {
        const unsigned found = __wm_meet_match_all(lanes(), warpmem::bits_of(value));
        all = found != 0;
        return of_tile(found);
    }

    /* For this header. */
    WARPMEM_MEMBER thread_block_tile(unsigned rank, unsigned size)
        : thread_group(LANES, lanes(), rank, size) {}
    static WARPMEM_MEMBER unsigned lanes() {
        return SIZE == 32 ? +warpmem::ALL_LANES : ((1u << (SIZE & 31)) - 1) << first();
    }

  private:
    static WARPMEM_MEMBER unsigned first() {
        return warpmem::lane() & ~(SIZE - 1);
    }
    static WARPMEM_MEMBER unsigned of_tile(unsigned lanes) {
        return SIZE == 32 ? lanes : lanes >> first();
    }
};

/* --- parts of groups --- */

template <unsigned SIZE>
WARPMEM_FRIEND thread_block_tile<SIZE, thread_block> tiled_partition(const thread_block &block) {
    return thread_block_tile<SIZE, thread_block>(block.thread_rank() / SIZE,
                                                 (block.size() + SIZE - 1) / SIZE);
}
template <unsigned SIZE, unsigned WHOLE, class PARENT>
WARPMEM_FRIEND thread_block_tile<SIZE, thread_block_tile<WHOLE, PARENT>> tiled_partition(
    const thread_block_tile<WHOLE, PARENT> &whole) {
    static_assert(SIZE <= WHOLE, "a tile cannot be larger than its parent");
    return thread_block_tile<SIZE, thread_block_tile<WHOLE, PARENT>>(whole.thread_rank() / SIZE,
                                                                     WHOLE / SIZE);
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
