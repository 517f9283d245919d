/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative groups work on the lanes of a warp with these: masks of lanes, and shuffles of any
 * type.
 */
#ifndef WARPMEM_GROUP_LANES_H
#define WARPMEM_GROUP_LANES_H

#define WARPMEM_FRIEND __device__ __attribute__((always_inline)) inline

extern "C" {
__device__ unsigned __wm_meet_match_any(unsigned, unsigned long long);
__device__ unsigned __wm_meet_match_all(unsigned, unsigned long long);
__device__ void __wm_tile_barrier(unsigned, unsigned);
/* A cooperative launch has these: capture/runtime/cooperative.h. */
__device__ int __wm_grid_is_whole(void);
__device__ unsigned __attribute__((address_space(1))) * __wm_grid_counter(void);
__device__ int __wm_grid_waits(unsigned, unsigned);
__device__ void __wm_grid_barrier(void);
}

namespace cooperative_groups {
namespace warpmem {

enum { all_lanes = 0xffffffffu, tile_bytes_of_warp = 32 };

WARPMEM_FRIEND unsigned lane() {
    return (unsigned)__nvvm_read_ptx_sreg_laneid();
}
WARPMEM_FRIEND unsigned lanes_below() {
    return (unsigned)__nvvm_read_ptx_sreg_lanemask_lt();
}
WARPMEM_FRIEND unsigned rank_in(unsigned mask) {
    return (unsigned)__popc(mask & lanes_below());
}

/* The lane of a rank, by halves: the ranks below a half's end are counted. */
template <unsigned wm_width> struct search {
    static WARPMEM_METHOD unsigned lane_of(unsigned mask, unsigned rank) {
        const unsigned low = mask & ((1u << wm_width) - 1), count = (unsigned)__popc(low);
        const bool upper = rank >= count;
        return (upper ? wm_width : 0) +
               search<wm_width / 2>::lane_of(upper ? mask >> wm_width : low,
                                             upper ? rank - count : rank);
    }
};
template <> struct search<0> {
    static WARPMEM_METHOD unsigned lane_of(unsigned, unsigned) {
        return 0;
    }
};
/* @rank must be below the number of lanes. */
WARPMEM_FRIEND unsigned lane_of_rank(unsigned mask, unsigned rank) {
    return search<16>::lane_of(mask, rank);
}

/* The lanes of @chosen by their ranks in the mask. */
WARPMEM_FRIEND unsigned packed(unsigned mask, unsigned chosen) {
    unsigned by_rank = 0, rank = 0;
    for (unsigned left = mask; left; left &= left - 1, rank++) {
        by_rank |= (unsigned)((chosen & (left & -left)) != 0) << rank;
    }
    return by_rank;
}
/* Lanes with ranks @from to @from + @count - 1. */
WARPMEM_FRIEND unsigned lanes_of_ranks(unsigned mask, unsigned from, unsigned count) {
    const unsigned all = (unsigned)__popc(mask);
    const unsigned low = mask & ~((1u << lane_of_rank(mask, from)) - 1);
    return from + count < all ? low & ((1u << lane_of_rank(mask, from + count)) - 1) : low;
}

/* The bits of a value, for a comparison. */
template <class T> WARPMEM_FRIEND unsigned long long bits_of(T value) {
    static_assert(__is_trivially_copyable(T) && sizeof(T) <= 8, "a match takes up to 8 bytes");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}

/* A shuffle of each word of a value; no loop, as in code for a GPU. */
template <class F, unsigned wm_count> struct shuffled_words {
    static WARPMEM_METHOD void run(unsigned *word, const F &shuffle) {
        *word = (unsigned)shuffle((int)*word);
        shuffled_words<F, wm_count - 1>::run(word + 1, shuffle);
    }
};
template <class F> struct shuffled_words<F, 0> {
    static WARPMEM_METHOD void run(unsigned *, const F &) {}
};
/* The halves of 8 bytes are two registers: a vector's elements, which take no shifts. */
typedef int halves __attribute__((ext_vector_type(2)));
template <class T, unsigned wm_bytes = sizeof(T)> struct shuffled_value {
    template <class F> static WARPMEM_METHOD T of(const T &value, const F &shuffle) {
        const unsigned count = (wm_bytes + 3) / 4;
        unsigned words[count] = {};
        T result = value;
        __builtin_memcpy(words, &value, wm_bytes);
        shuffled_words<F, count>::run(words, shuffle);
        __builtin_memcpy(&result, words, wm_bytes);
        return result;
    }
};
template <class T> struct shuffled_value<T, 8> {
    template <class F> static WARPMEM_METHOD T of(const T &value, const F &shuffle) {
        halves both = __builtin_bit_cast(halves, value);
        both.x = shuffle(both.x);
        both.y = shuffle(both.y);
        return __builtin_bit_cast(T, both);
    }
};
template <class T, class F> WARPMEM_FRIEND T shuffled(const T &value, const F &shuffle) {
    static_assert(__is_trivially_copyable(T) && sizeof(T) <= 32,
                  "a shuffle takes up to 32 bytes that can be copied");
    return shuffled_value<T>::of(value, shuffle);
}

/* Within segments of @wm_width lanes, as PTX's c has it. */
#define WARPMEM_GROUP_SHUFFLE(name, kind, bound) \
    template <unsigned wm_width, class T> \
    WARPMEM_FRIEND T name(unsigned mask, const T &value, unsigned by) { \
        return shuffled(value, [=](int word) { \
            return __nvvm_shfl_sync_##kind##_i32((int)mask, word, (int)by, \
                                                 ((32 - wm_width) << 8) | (bound)); \
        }); \
    }
WARPMEM_GROUP_SHUFFLE(shuffle_index, idx, 31)
WARPMEM_GROUP_SHUFFLE(shuffle_up, up, 0)
WARPMEM_GROUP_SHUFFLE(shuffle_down, down, 31)
WARPMEM_GROUP_SHUFFLE(shuffle_xor, bfly, 31)
#undef WARPMEM_GROUP_SHUFFLE

/* Each lane of a segment of 2 * @wm_step combines with those whose number differs in a bit. */
template <unsigned wm_step> struct combined_lanes {
    template <class T, class F>
    static WARPMEM_METHOD T of(unsigned mask, const T &value, F &&combine) {
        return combined_lanes<wm_step / 2>::of(
            mask, (T)combine(value, shuffle_xor<32>(mask, value, wm_step)), combine);
    }
};
template <> struct combined_lanes<0> {
    template <class T, class F> static WARPMEM_METHOD T of(unsigned, const T &value, F &&) {
        return value;
    }
};

} // namespace warpmem
} // namespace cooperative_groups

#endif
