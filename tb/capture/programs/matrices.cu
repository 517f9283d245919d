// SPDX-License-Identifier: Apache-2.0
// Matrices of a warp: each shape, type and layout of mma.h against the host's product. Values are small whole numbers, so that
// every sum is exact.
#include <mma.h>
#include <climits>
#include <cstdio>
#include <cstring>

using namespace nvcuda;
enum { STEP = 40 }; // elements from line to line in memory
static int wrong;

template <class T> struct MemoryOf { typedef T type; };
template <> struct MemoryOf<wmma::precision::tf32> { typedef float type; };

template <int M, int N, int K, class T, class D, class LA, class LB, wmma::layout_t LC>
__global__ void product(const typename MemoryOf<T>::type *a, const typename MemoryOf<T>::type *b, const D *c, D *d, int scale) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, D> fc, zero;
    wmma::load_matrix_sync(fa, a, STEP);
    wmma::load_matrix_sync(fb, b, STEP);
    wmma::load_matrix_sync(fc, c, STEP, LC);
    wmma::fill_fragment(zero, 0);
#pragma unroll
    for (int i = 0; i < fa.num_elements; i++) {
        fa.x[i] = fa.x[i] * (typename decltype(fa)::element_type)scale;
    }
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::mma_sync(zero, fa, fb, zero);
#pragma unroll
    for (int i = 0; i < fc.num_elements; i++) {
        fc.x[i] = fc.x[i] + zero.x[i];
    }
    wmma::store_matrix_sync(d, fc, STEP, LC);
}

__global__ void through_shared(const __half *a, const __half *b, float *d) {
    __shared__ __align__(16) __half sa[2][16 * 16], sb[2][16 * 16];
    const int w = threadIdx.x / 32;
    for (int i = threadIdx.x % 32; i < 256; i += 32) {
        sa[w][i] = a[i + w], sb[w][i] = b[i];
    }
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.0f);
    wmma::load_matrix_sync(fa, sa[w], 16);
    wmma::load_matrix_sync(fb, sb[w], 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(d + 256 * w, fc, 16, wmma::mem_row_major);
}

__global__ void clamped(const signed char *a, int *d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc, wraps;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, a, 16);
    wmma::fill_fragment(fc, INT_MAX - 5);
    wmma::mma_sync(wraps, fa, fb, fc);
    wmma::mma_sync(fc, fa, fb, fc, true);
    wmma::store_matrix_sync(d, fc, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(d + 256, wraps, 16, wmma::mem_row_major);
}

static double number(__half x) { return __half2float(x); }
static double number(__nv_bfloat16 x) { return __bfloat162float(x); }
template <class T> static double number(T x) { return (double)x; }

template <class T> static T *on_device(const T *host, int count) {
    T *p;
    cudaMalloc(&p, count * sizeof(T));
    cudaMemcpy(p, host, count * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

template <int M, int N, int K, class T, class D, class LA, class LB, wmma::layout_t LC> static void check(const char *name) {
    typedef typename MemoryOf<T>::type E;
    static E a[STEP * 32], b[STEP * 32];
    static D c[STEP * 32], d[STEP * 32];
    const bool row_a = __is_same(LA, wmma::row_major), row_b = __is_same(LB, wmma::row_major), row_c = LC == wmma::mem_row_major;
    for (int i = 0; i < STEP * 32; i++) {
        a[i] = (E)(float)(i * 7 % 5 + (i % 3 == 0)), b[i] = (E)(float)(i * 11 % 4), c[i] = (D)(float)(i % 13);
    }
    E *da = on_device(a, STEP * 32), *db = on_device(b, STEP * 32);
    D *dc = on_device(c, STEP * 32), *dd = on_device(c, STEP * 32);
    product<M, N, K, T, D, LA, LB, LC><<<1, 32>>>(da, db, dc, dd, 2);
    cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++) {
                sum += number(a[row_a ? i * STEP + k : k * STEP + i]) * number(b[row_b ? k * STEP + j : j * STEP + k]);
            }
            const int at = row_c ? i * STEP + j : j * STEP + i;
            const double want = number(c[at]) + 4 * sum, got = number(d[at]);
            if (got != want && wrong++ < 20) {
                printf("%s: row %d, column %d: is %g, must be %g\n", name, i, j, got, want);
            }
        }
    }
    for (void *p : {(void *)da, (void *)db, (void *)dc, (void *)dd}) {
        cudaFree(p);
    }
}
#define LAYOUTS(M, N, K, T, D) \
    check<M, N, K, T, D, wmma::row_major, wmma::col_major, wmma::mem_row_major>(#M "x" #N "x" #K " " #T " row col row"); \
    check<M, N, K, T, D, wmma::col_major, wmma::row_major, wmma::mem_col_major>(#M "x" #N "x" #K " " #T " col row col");
#define SHAPES(T, D) LAYOUTS(16, 16, 16, T, D) LAYOUTS(32, 8, 16, T, D) LAYOUTS(8, 32, 16, T, D)

int main() {
    SHAPES(__half, float)
    LAYOUTS(16, 16, 16, __half, __half)
    LAYOUTS(8, 32, 16, __half, __half)
    SHAPES(__nv_bfloat16, float)
    SHAPES(signed char, int)
    LAYOUTS(16, 16, 16, unsigned char, int)
    LAYOUTS(16, 16, 8, wmma::precision::tf32, float)
    LAYOUTS(8, 8, 4, double, double)

    __half a[257], b[256];
    float sums[512];
    for (int i = 0; i < 257; i++) {
        a[i] = (float)(i % 9);
        b[i % 256] = (float)(i % 7);
    }
    float *device_sums = on_device(sums, 512);
    through_shared<<<1, 64>>>(on_device(a, 257), on_device(b, 256), device_sums);
    cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; i++) {
        float want = 1;
        for (int k = 0; k < 16; k++) {
            want += __half2float(a[i % 256 / 16 * 16 + k + i / 256]) * __half2float(b[i % 16 * 16 + k]);
        }
        wrong += sums[i] != want;
    }
    signed char ones[256];
    int whole[512];
    memset(ones, 1, sizeof ones);
    int *device_whole = on_device(whole, 512);
    clamped<<<1, 32>>>(on_device(ones, 256), device_whole);
    cudaMemcpy(whole, device_whole, sizeof whole, cudaMemcpyDeviceToHost);
    wrong += whole[17] != INT_MAX || whole[256 + 17] != INT_MIN + 10;
    printf(wrong ? "wrong\n" : "right\n");
    return wrong != 0;
}
