/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices that the lanes of a warp hold together: nvcuda::wmma of mma.h. CUDA leaves open which
 * lane has which element; here the fragments are those of PTX's mma of 16 x 8 elements (PTX ISA
 * 8.4, section 9.7.13.4), as on compute capability 8.0. So a load reads 4 bytes where a register's
 * elements are neighbours in memory, and single elements elsewhere, and a product of 16 x 16 is two
 * instructions.
 */
#ifndef WARPMEM_MATRIX_H
#define WARPMEM_MATRIX_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "warpmem_matrix_products.h"

#ifdef __CUDA__
WARPMEM_DEVICE float __wm_rounded_to_tf32(float x) {
    const unsigned bits = __float_as_uint(x);
    return (bits >> 23 & 255) == 255 ? x : __uint_as_float((bits + 0x1000) & ~0x1fffu);
}

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct WARPMEM_ABSENT("tensor operations of 4 bits and of 1 bit:") u4;
struct WARPMEM_ABSENT("tensor operations of 4 bits and of 1 bit:") s4;
struct WARPMEM_ABSENT("tensor operations of 4 bits and of 1 bit:") b1;
} // namespace precision
} // namespace experimental

WARPMEM_DEVICE float __float_to_tf32(float x) {
    return __wm_rounded_to_tf32(x);
}

namespace warpmem {

/* code: of runtime/matrix.c; element: in a fragment and in memory. */
template <class T> struct type_of;
#define WARPMEM_MATRIX_TYPE(T, number, name, in_memory) \
    template <> struct type_of<T> { \
        enum { code = number, bytes = sizeof(name) }; \
        typedef name element; \
        typedef in_memory memory; \
    };
WARPMEM_MATRIX_TYPE(__half, 0, __half, __half)
WARPMEM_MATRIX_TYPE(__nv_bfloat16, 1, __nv_bfloat16, __nv_bfloat16)
WARPMEM_MATRIX_TYPE(precision::tf32, 2, float, float)
WARPMEM_MATRIX_TYPE(signed char, 3, signed char, signed char)
WARPMEM_MATRIX_TYPE(char, 3, signed char, signed char)
WARPMEM_MATRIX_TYPE(unsigned char, 4, unsigned char, unsigned char)
WARPMEM_MATRIX_TYPE(double, 5, double, double)
WARPMEM_MATRIX_TYPE(float, 6, float, float)
WARPMEM_MATRIX_TYPE(int, 7, int, int)
#undef WARPMEM_MATRIX_TYPE

/* Elements of a register as one word. */
template <unsigned BYTES> struct packed;
template <> struct packed<1> {
    typedef unsigned char part;
    typedef part type __attribute__((ext_vector_type(4)));
    enum { count = 4 };
};
template <> struct packed<2> {
    typedef unsigned short part;
    typedef part type __attribute__((ext_vector_type(2)));
    enum { count = 2 };
};
template <> struct packed<4> {
    typedef unsigned part;
    typedef part type __attribute__((ext_vector_type(1)));
    enum { count = 1 };
};
template <> struct packed<8> { /* two words */
    typedef unsigned long long part;
    typedef part type __attribute__((ext_vector_type(1)));
    enum { count = 1 };
};

/* A fragment's place in the hardware's product: an M of 8 is computed transposed, so that
 * A and B change places. */
template <class USE, int M> struct role {
    enum { first = M != 8 || __is_same(USE, accumulator) };
};
template <> struct role<matrix_b, 8> {
    enum { first = true };
};
template <int M> struct role<matrix_b, M> {
    enum { first = false };
};

/* Shape of an operand along its outer side (rows of A, columns of B) and along k. */
template <class USE, int M, int N, int K> struct sides;
template <int M, int N, int K> struct sides<matrix_a, M, N, K> {
    enum { outer = M, inner = K };
};
template <int M, int N, int K> struct sides<matrix_b, M, N, K> {
    enum { outer = N, inner = K };
};

} // namespace warpmem

/* x: the elements of this lane. */
template <class USE, int M, int N, int K, class T, class LAYOUT = void> struct fragment {
    typedef warpmem::type_of<T> type;
    typedef typename type::element element_type;
    typedef element_type storage_element_type;
    enum { bytes = type::bytes, each = warpmem::packed<bytes>::count };
    enum {
        outer = warpmem::sides<USE, M, N, K>::outer,
        inner = warpmem::sides<USE, M, N, K>::inner
    };
    /* Halves are there twice, as in CUDA. */
    enum {
        own = outer * inner / 32,
        copies = __is_same(T, __half) ? (own < 16 ? 16 / own : 1) : 1
    };
    enum { num_elements = own * copies, num_storage_elements = num_elements };
    element_type x[num_elements];
    static_assert(M * N == 256 || (M == 8 && N == 8), "wmma: no such shape");
    static_assert(type::code < 6, "wmma: no such type");
};
template <int M, int N, int K, class T> struct fragment<accumulator, M, N, K, T, void> {
    typedef warpmem::type_of<T> type;
    typedef typename type::element element_type;
    typedef element_type storage_element_type;
    enum { num_elements = M * N / 32, num_storage_elements = num_elements };
    element_type x[num_elements];
};

namespace warpmem {

/* The @i-th element of a lane in an operand: eight outer lines beside four lanes' registers; a
 * register has neighbours in k. Sixteen lines come first, then the next registers in k. */
template <int OUTER, int EACH, bool WIDE> struct place {
    /* tiles of 16 (or 8) outer lines; in each, registers of 8 lines, then of the next k */
    enum { lines = WIDE ? (OUTER < 16 ? OUTER : 16) : 8, halves = lines / 8 };
    static WARPMEM_METHOD constexpr int outer(int i, int lane, int per_tile) {
        return i / per_tile * lines + i % per_tile / EACH % halves * 8 + lane / 4;
    }
    static WARPMEM_METHOD constexpr int inner(int i, int lane, int per_tile) {
        return i % per_tile / EACH / halves * 4 * EACH + lane % 4 * EACH + i % EACH;
    }
};

WARPMEM_DEVICE int lane() {
    return (int)__nvvm_read_ptx_sreg_laneid();
}

template <class F> struct operand;
template <class USE, int M, int N, int K, class T, class LAYOUT>
struct operand<fragment<USE, M, N, K, T, LAYOUT>> {
    typedef fragment<USE, M, N, K, T, LAYOUT> F;
    enum { wide = role<USE, M>::first && M * N != 64 };
    typedef place<F::outer, F::each, wide> at;
    enum {
        tiles = F::outer / at::lines,
        per_tile = F::own / tiles,
        registers = per_tile / F::each
    };
    /* Neighbours in k are neighbours in memory: rows of A, columns of B. */
    enum { along_k = __is_same(LAYOUT, row_major) == __is_same(USE, matrix_a) };

    static WARPMEM_METHOD void load(F &f, const typename F::type::memory *from, unsigned step) {
        typedef typename packed<F::bytes>::type word;
        typedef typename __wm_word<sizeof(word)>::type loaded;
#pragma unroll
        for (int r = 0; r < F::own; r += F::each) {
            const int l = lane(), o = at::outer(r, l, per_tile), k = at::inner(r, l, per_tile);
            if (along_k) {
                const loaded got = *(const loaded *)(from + (size_t)o * step + k);
                const word parts = __builtin_bit_cast(word, got);
#pragma unroll
                for (int i = 0; i < F::each; i++) {
                    const auto part = parts[i];
                    f.x[r + i] = __builtin_bit_cast(typename F::element_type, part);
                }
            } else {
#pragma unroll
                for (int i = 0; i < F::each; i++) {
                    f.x[r + i] = from[(size_t)(k + i) * step + o];
                }
            }
        }
#pragma unroll
        for (int i = F::own; i < F::num_elements; i++) {
            f.x[i] = f.x[i % F::own];
        }
    }

    /* Register @r of a tile; 0: there is none. */
    static WARPMEM_METHOD unsigned word(const F &f, int tile, int r) {
        if (F::bytes == 8) {
            const unsigned long long whole =
                __builtin_bit_cast(unsigned long long, (double)f.x[tile * per_tile]);
            return (unsigned)(whole >> 32 * r);
        }
        if (r >= registers) {
            return 0;
        }
        typename packed<F::bytes>::type parts;
#pragma unroll
        for (int i = 0; i < F::each; i++) {
            const auto x = f.x[tile * per_tile + r * F::each + i];
            parts[i] = __builtin_bit_cast(typename packed<F::bytes>::part, x);
        }
        return __builtin_bit_cast(unsigned, (typename packed<F::bytes>::type)parts);
    }
};
/* A double is no word: the compiler need not look into it. */
template <int M, int N, int K, class USE, class LAYOUT>
WARPMEM_DEVICE unsigned word_of(const fragment<USE, M, N, K, double, LAYOUT> &f, int, int r) {
    return (unsigned)(__builtin_bit_cast(unsigned long long, f.x[0]) >> 32 * r);
}
template <int M, int N, int K, class USE, class T, class LAYOUT>
WARPMEM_DEVICE unsigned word_of(const fragment<USE, M, N, K, T, LAYOUT> &f, int tile, int r) {
    return operand<fragment<USE, M, N, K, T, LAYOUT>>::word(f, tile, r);
}

/* Element @i of a sum: tiles of 16 x 8; an M of 8 is transposed. */
template <int M, int N> struct sum_place {
    enum {
        turned = M == 8 && N == 32,
        wide = turned ? N : M,
        tiles_down = wide / 16 ? wide / 16 : 1
    };
    enum { in_tile = M * N == 64 ? 2 : 4 };
    static WARPMEM_METHOD int down(int i, int l) {
        return i / in_tile % tiles_down * 16 + i % in_tile / 2 * 8 + l / 4;
    }
    static WARPMEM_METHOD int across(int i, int l) {
        return i / in_tile / tiles_down * 8 + l % 4 * 2 + i % 2;
    }
    static WARPMEM_METHOD int row(int i, int l) {
        return turned ? across(i, l) : down(i, l);
    }
    static WARPMEM_METHOD int column(int i, int l) {
        return turned ? down(i, l) : across(i, l);
    }
};

/* Two neighbours in a row are one access where they are neighbours in memory. */
template <class T> struct two { T x, y; };
} // namespace warpmem

template <class USE, int M, int N, int K, class T, class LAYOUT>
WARPMEM_DEVICE void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT> &f,
                                     const typename warpmem::type_of<T>::memory *from,
                                     unsigned step) {
    __wm_syncwarp(~0u);
    warpmem::operand<fragment<USE, M, N, K, T, LAYOUT>>::load(f, from, step);
}
template <int M, int N, int K, class T>
WARPMEM_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f,
                                     const typename warpmem::type_of<T>::memory *from,
                                     unsigned step, layout_t layout) {
    typedef warpmem::sum_place<M, N> at;
    typedef typename __wm_word<2 * sizeof(T)>::type pair;
    const int l = warpmem::lane();
    __wm_syncwarp(~0u);
#pragma unroll
    for (int i = 0; i < M * N / 32; i += 2) {
        const int row = at::row(i, l), column = at::column(i, l);
        if (!at::turned == (layout == mem_row_major)) {
            const pair got = *(const pair *)(from + (at::turned ? (size_t)column * step + row
                                                                : (size_t)row * step + column));
            const auto both = __builtin_bit_cast(warpmem::two<T>, got);
            f.x[i] = both.x;
            f.x[i + 1] = both.y;
        } else {
            f.x[i] = from[at::turned ? (size_t)row * step + column : (size_t)column * step + row];
            f.x[i + 1] = from[at::turned ? (size_t)at::row(i + 1, l) * step + column
                                         : (size_t)at::column(i + 1, l) * step + row];
        }
    }
}
template <int M, int N, int K, class T>
WARPMEM_DEVICE void store_matrix_sync(typename warpmem::type_of<T>::memory *to,
                                      const fragment<accumulator, M, N, K, T> &f, unsigned step,
                                      layout_t layout) {
    typedef warpmem::sum_place<M, N> at;
    typedef typename __wm_word<2 * sizeof(T)>::type pair;
    const int l = warpmem::lane();
    __wm_syncwarp(~0u);
#pragma unroll
    for (int i = 0; i < M * N / 32; i += 2) {
        const int row = at::row(i, l), column = at::column(i, l);
        if (!at::turned == (layout == mem_row_major)) {
            const warpmem::two<T> both = {f.x[i], f.x[i + 1]};
            *(pair *)(to +
                      (at::turned ? (size_t)column * step + row : (size_t)row * step + column)) =
                __builtin_bit_cast(pair, both);
        } else {
            to[at::turned ? (size_t)row * step + column : (size_t)column * step + row] = f.x[i];
            to[at::turned ? (size_t)at::row(i + 1, l) * step + column
                          : (size_t)at::column(i + 1, l) * step + row] = f.x[i + 1];
        }
    }
}
template <class USE, int M, int N, int K, class T, class LAYOUT, class V>
WARPMEM_DEVICE void fill_fragment(fragment<USE, M, N, K, T, LAYOUT> &f, V value) {
#pragma unroll
    for (int i = 0; i < (int)f.num_elements; i++) {
        f.x[i] = (typename warpmem::type_of<T>::element)value;
    }
}

namespace warpmem {
/* Four words of a sum's tile: floats or integers, two doubles, or four halves in two words. */
template <class T> WARPMEM_DEVICE __wm_words4 sum_words(const T *x) {
    if constexpr (sizeof(T) == 8) {
        const double2 both = {x[0], x[1]};
        return __builtin_bit_cast(__wm_words4, both);
    } else if constexpr (sizeof(T) == 4) {
        return (__wm_words4){__builtin_bit_cast(int, x[0]), __builtin_bit_cast(int, x[1]),
                             __builtin_bit_cast(int, x[2]), __builtin_bit_cast(int, x[3])};
    } else {
        const two<T> low = {x[0], x[1]}, high = {x[2], x[3]};
        return (__wm_words4){__builtin_bit_cast(int, low), __builtin_bit_cast(int, high), 0, 0};
    }
}
template <class T> WARPMEM_DEVICE void take_sum(T *x, __wm_words4 words) {
    if constexpr (sizeof(T) == 8) {
        const double2 both = __builtin_bit_cast(double2, words);
        x[0] = both.x;
        x[1] = both.y;
    } else if constexpr (sizeof(T) == 4) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int word = words[i];
            x[i] = __builtin_bit_cast(T, word);
        }
    } else {
        const int first = words[0], second = words[1];
        const auto low = __builtin_bit_cast(two<T>, first),
                   high = __builtin_bit_cast(two<T>, second);
        x[0] = low.x, x[1] = low.y, x[2] = high.x, x[3] = high.y;
    }
}

/* @A has the 16 lines of a tile, @B the 8. */
template <class A, class B, class D, class C>
WARPMEM_DEVICE void multiply(D *d, const A &a, const B &b, const C *c, bool saturates) {
    typedef operand<A> of_a;
    typedef operand<B> of_b;
    const unsigned code = A::type::code | B::type::code << 4 | A::inner << 8 |
                          (sizeof(D) == 2 ? 1u << 16 : 0) | (saturates ? 1u << 17 : 0);
    constexpr int in_tile = A::bytes == 8 ? 2 : 4;
#pragma unroll
    for (int t = 0; t < (int)of_a::tiles * (int)of_b::tiles; t++) {
        const int ta = t % of_a::tiles, tb = t / of_a::tiles;
        D sum[4];
#pragma unroll
        for (int i = 0; i < in_tile; i++) {
            sum[i] = (D)c[t * in_tile + i];
        }
        const unsigned a0 = word_of(a, ta, 0), a1 = word_of(a, ta, 1),
                       a2 = A::bytes == 8 ? 0 : word_of(a, ta, 2),
                       a3 = A::bytes == 8 ? 0 : word_of(a, ta, 3), b0 = word_of(b, tb, 0),
                       b1 = word_of(b, tb, 1);
        if constexpr (A::bytes == 8) {
            take_sum(sum, __wm_meet_matrix_double(code, a0, a1, a2, a3, b0, b1, sum_words(sum)));
        } else if constexpr (__is_same(D, int)) {
            take_sum(sum, __wm_meet_matrix_integer(code, a0, a1, a2, a3, b0, b1, sum_words(sum)));
        } else {
            take_sum(sum, __wm_meet_matrix_real(code, a0, a1, a2, a3, b0, b1, sum_words(sum)));
        }
#pragma unroll
        for (int i = 0; i < in_tile; i++) {
            d[t * in_tile + i] = sum[i];
        }
    }
}
} // namespace warpmem

template <int M, int N, int K, class A, class LA, class B, class LB, class D, class C>
WARPMEM_DEVICE void mma_sync(fragment<accumulator, M, N, K, D> &d,
                             const fragment<matrix_a, M, N, K, A, LA> &a,
                             const fragment<matrix_b, M, N, K, B, LB> &b,
                             const fragment<accumulator, M, N, K, C> &c, bool saturates = false) {
    if constexpr (M == 8 && N == 32) {
        warpmem::multiply(d.x, b, a, c.x, saturates);
    } else {
        warpmem::multiply(d.x, a, b, c.x, saturates);
    }
}

} // namespace wmma
} // namespace nvcuda
#endif

#endif
