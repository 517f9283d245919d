/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's cooperative groups: the threads of a CTA, tiles of a warp, the lanes that run together,
 * the grid. Each group is a value of a thread; functions are inlined, so that a group costs what is
 * used of it.
 */
#ifndef WARPMEM_GROUPS_H
#define WARPMEM_GROUPS_H

#include "warpmem_cuda.h"

#ifdef __CUDA__
#include "warpmem_group_lanes.h"

namespace cooperative_groups {

class grid_group;

/* Any group. It also has what is common to those of a warp's lanes. */
class thread_group {
  public:
    WARPMEM_METHOD void sync() const;
    WARPMEM_METHOD unsigned long long size() const;
    WARPMEM_METHOD unsigned long long num_threads() const {
        return size();
    }
    WARPMEM_METHOD unsigned long long thread_rank() const;
    WARPMEM_METHOD bool is_valid() const {
        return true;
    }

  protected:
    enum kind { kind_block, kind_warps, kind_lanes, kind_grid };
    kind kind_;
    unsigned mask_; /* of lanes; the number of threads of a tile of several warps */
    unsigned meta_rank_, meta_size_;
    WARPMEM_METHOD thread_group(kind k, unsigned mask = 0, unsigned rank = 0, unsigned size = 1)
        : kind_(k), mask_(mask), meta_rank_(rank), meta_size_(size) {}

    friend WARPMEM_FRIEND thread_group tiled_partition(const thread_group &, unsigned);
};

/* --- a CTA --- */

/* Shared memory in which tiles of several warps exchange values. */
template <unsigned wm_threads = 1024> struct block_tile_memory {
    __align__(16) char bytes[(wm_threads + 31) / 32 * warpmem::tile_bytes_of_warp];
};

class thread_block : public thread_group {
  public:
    struct arrival_token {};

    static WARPMEM_METHOD void sync() {
        __syncthreads();
    }
    static WARPMEM_METHOD arrival_token barrier_arrive() {
        return arrival_token();
    }
    static WARPMEM_METHOD void barrier_wait(arrival_token &&) {
        __syncthreads();
    }
    static WARPMEM_METHOD unsigned thread_rank() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static WARPMEM_METHOD unsigned size() {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static WARPMEM_METHOD unsigned num_threads() {
        return size();
    }
    static WARPMEM_METHOD dim3 group_index() {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static WARPMEM_METHOD dim3 thread_index() {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static WARPMEM_METHOD dim3 group_dim() {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static WARPMEM_METHOD dim3 dim_threads() {
        return group_dim();
    }

    /* For these headers. */
    WARPMEM_METHOD explicit thread_block(char *memory)
        : thread_group(kind_block), memory_(memory) {}
    WARPMEM_METHOD char *memory() const {
        return memory_;
    }

  private:
    char *memory_;
};

WARPMEM_FRIEND thread_block this_thread_block() {
    return thread_block(nullptr);
}
template <unsigned wm_threads>
WARPMEM_FRIEND thread_block this_thread_block(block_tile_memory<wm_threads> &memory) {
    return thread_block(memory.bytes);
}

/* --- the grid of a cooperative launch --- */

class grid_group : public thread_group {
  public:
    struct arrival_token {};

    WARPMEM_METHOD void sync() const;
    static WARPMEM_METHOD arrival_token barrier_arrive() {
        return arrival_token();
    }
    WARPMEM_METHOD void barrier_wait(arrival_token &&) const {
        sync();
    }
    WARPMEM_METHOD bool is_valid() const {
        return __wm_grid_is_whole();
    }
    static WARPMEM_METHOD unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static WARPMEM_METHOD unsigned long long block_rank() {
        return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static WARPMEM_METHOD unsigned long long size() {
        return num_blocks() * thread_block::size();
    }
    static WARPMEM_METHOD unsigned long long num_threads() {
        return size();
    }
    static WARPMEM_METHOD unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static WARPMEM_METHOD dim3 group_dim() {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static WARPMEM_METHOD dim3 dim_blocks() {
        return group_dim();
    }
    static WARPMEM_METHOD dim3 block_index() {
        return thread_block::group_index();
    }

  private:
    WARPMEM_METHOD grid_group() : thread_group(kind_grid) {}
    friend WARPMEM_FRIEND grid_group this_grid();
    friend class thread_group;
};

WARPMEM_FRIEND grid_group this_grid() {
    return grid_group();
}

/* As CUDA's: the CTA's first thread adds to a counter in global memory and reads it until its
 * highest bit changes, which the last CTA's addition causes. The runtime holds the CTA at the
 * second barrier until all have come; a polling thread reads the counter once. */
WARPMEM_METHOD void grid_group::sync() const {
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
        volatile unsigned *counter = (unsigned *)__wm_grid_counter();
        const unsigned last = 0x80000000u - ((unsigned)num_blocks() - 1);
        __threadfence();
        const unsigned before = atomicAdd((unsigned *)counter, block_rank() == 0 ? last : 1);
        while (__wm_grid_waits(before, *counter)) {}
        __threadfence();
    }
    __wm_grid_barrier();
}

/* --- any group --- */

WARPMEM_METHOD void thread_group::sync() const {
    if (kind_ == kind_block) {
        __syncthreads();
    } else if (kind_ == kind_warps) {
        __wm_tile_barrier(thread_block::thread_rank() & ~(mask_ - 1), mask_);
    } else if (kind_ == kind_lanes) {
        __syncwarp(mask_);
    } else {
        grid_group().sync();
    }
}

WARPMEM_METHOD unsigned long long thread_group::size() const {
    return kind_ == kind_block   ? thread_block::size()
           : kind_ == kind_warps ? mask_
           : kind_ == kind_lanes ? (unsigned long long)__popc(mask_)
                                 : grid_group::size();
}

WARPMEM_METHOD unsigned long long thread_group::thread_rank() const {
    return kind_ == kind_block   ? thread_block::thread_rank()
           : kind_ == kind_warps ? thread_block::thread_rank() & (mask_ - 1)
           : kind_ == kind_lanes ? warpmem::rank_in(mask_)
                                 : grid_group::thread_rank();
}

template <class G> WARPMEM_FRIEND void sync(const G &group) {
    group.sync();
}
template <class G>
WARPMEM_FRIEND auto thread_rank(const G &group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <class G> WARPMEM_FRIEND auto group_size(const G &group) -> decltype(group.size()) {
    return group.size();
}
template <class G> WARPMEM_FRIEND bool is_valid(const G &group) {
    return group.is_valid();
}

/* --- groups that are missing --- */

class WARPMEM_ABSENT("grids of several devices (multi_grid_group):") multi_grid_group;
WARPMEM_FRIEND int this_multi_grid()
    WARPMEM_ABSENT("grids of several devices (this_multi_grid()):");
class WARPMEM_ABSENT("clusters of CTAs (cluster_group):") cluster_group;
WARPMEM_FRIEND int this_cluster() WARPMEM_ABSENT("clusters of CTAs (this_cluster()):");

} // namespace cooperative_groups

#include "warpmem_group_tiles.h"
#endif

#endif
