/* SPDX-License-Identifier: Apache-2.0
 *
 * A cooperative group of any lanes of a warp: those that run together.
 */
#ifndef WARPMEM_GROUP_COALESCED_H
#define WARPMEM_GROUP_COALESCED_H

namespace cooperative_groups {

class coalesced_group : public thread_group {
  public:
    WARPMEM_METHOD void sync() const {
        __syncwarp(mask_);
    }
    WARPMEM_METHOD unsigned size() const {
        return (unsigned)__popc(mask_);
    }
    WARPMEM_METHOD unsigned num_threads() const {
        return size();
    }
    WARPMEM_METHOD unsigned thread_rank() const {
        return warpmem::rank_in(mask_);
    }
    WARPMEM_METHOD unsigned meta_group_rank() const {
        return meta_rank_;
    }
    WARPMEM_METHOD unsigned meta_group_size() const {
        return meta_size_;
    }

    template <class T> WARPMEM_METHOD T shfl(const T &value, unsigned rank) const {
        return from_lane(value, warpmem::lane_of_rank(mask_, rank));
    }
    template <class T> WARPMEM_METHOD T shfl_up(const T &value, unsigned by) const {
        const unsigned rank = thread_rank();
        return from_lane(value, warpmem::lane_of_rank(mask_, rank < by ? rank : rank - by));
    }
    template <class T> WARPMEM_METHOD T shfl_down(const T &value, unsigned by) const {
        const unsigned rank = thread_rank();
        return from_lane(value,
                         warpmem::lane_of_rank(mask_, by < size() - rank ? rank + by : rank));
    }
    WARPMEM_METHOD int any(int vote) const {
        return __any_sync(mask_, vote);
    }
    WARPMEM_METHOD int all(int vote) const {
        return __all_sync(mask_, vote);
    }
    WARPMEM_METHOD unsigned ballot(int vote) const {
        return warpmem::packed(mask_, __ballot_sync(mask_, vote));
    }
    template <class T> WARPMEM_METHOD unsigned match_any(const T &value) const {
        return warpmem::packed(mask_, __wm_meet_match_any(mask_, warpmem::bits_of(value)));
    }
    template <class T> WARPMEM_METHOD unsigned match_all(const T &value, int &all) const {
        const unsigned found = __wm_meet_match_all(mask_, warpmem::bits_of(value));
        all = found != 0;
        return warpmem::packed(mask_, found);
    }

    /* For these headers. */
    WARPMEM_METHOD coalesced_group(unsigned mask, unsigned rank = 0, unsigned size = 1)
        : thread_group(kind_lanes, mask, rank, size) {}
    WARPMEM_METHOD unsigned lanes() const {
        return mask_;
    }

  private:
    template <class T> WARPMEM_METHOD T from_lane(const T &value, unsigned lane) const {
        return warpmem::shuffle_index<32>(mask_, value, lane);
    }
};

/* The lanes that are here with this one. */
WARPMEM_FRIEND coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

} // namespace cooperative_groups

#endif
