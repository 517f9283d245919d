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

// PTX's own instructions: A and B^T from shared memory by ldmatrix, two products of 16 x 8.
__global__ void by_ptx(const __half *a, const __half *b, float *d, double *wide) {
    __shared__ __align__(16) __half sa[256], sb[256];
    const int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) {
        sa[i] = a[i], sb[i] = b[i];
    }
    __syncwarp();
    unsigned fa[4], fb[4];
    const unsigned row = (unsigned)__cvta_generic_to_shared(sa + t % 16 * 16 + t / 16 * 8), line = (unsigned)__cvta_generic_to_shared(sb + t % 16 * 16 + t / 16 * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3]) : "r"(line));
    unsigned first = 0;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(first) : "r"(row));
    for (int half = 0; half < 2; half++) {
        float c[4] = {1, 2, 3, 4};
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(half ? fb[2] : fb[0]), "r"(half ? fb[3] : fb[1]));
        for (int i = 0; i < 4; i++) {
            d[(t / 4 + i / 2 * 8) * 16 + half * 8 + t % 4 * 2 + i % 2] = c[i] - (i + 1) + (first != fa[0]);
        }
    }
    double w[2];
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};" : "=d"(w[0]), "=d"(w[1]) : "d"(1.0 * (t / 4) + t % 4), "d"(t / 4 * 0.5), "d"(1.0), "d"(2.0));
    wide[t / 4 * 8 + t % 4 * 2] = w[0], wide[t / 4 * 8 + t % 4 * 2 + 1] = w[1];
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
    double wide[64], *device_wide = on_device(wide, 64);
    by_ptx<<<1, 32>>>(on_device(a, 256), on_device(b, 256), device_sums, device_wide);
    cudaMemcpy(sums, device_sums, 1024, cudaMemcpyDeviceToHost);
    cudaMemcpy(wide, device_wide, sizeof wide, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++) {
        float want = 0;
        for (int k = 0; k < 16; k++) {
            want += __half2float(a[i / 16 * 16 + k]) * __half2float(b[k * 16 + i % 16]);
        }
        wrong += sums[i] != want;
    }
    for (int i = 0; i < 64; i++) { // A has i + k, B has j / 2
        wrong += wide[i] != (4 * (i / 8) + 6) * (i % 8 * 0.5) + 1 + i % 2;
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
