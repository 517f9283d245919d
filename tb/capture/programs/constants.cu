// SPDX-License-Identifier: Apache-2.0
// Constants that a compiler places in memory; each kernel's result is checked.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

static int wrong;

// A kernel of one warp: out[t] from t.
static std::vector<int> run(void (*kernel)(int *, int), int n) {
    int *p;
    std::vector<int> got(32);
    cudaMalloc(&p, 32 * sizeof(int));
    cudaMemset(p, 0, 32 * sizeof(int));
    kernel<<<1, 32>>>(p, n);
    cudaMemcpy(got.data(), p, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    return got;
}

template <class F> static void expect(const char *name, void (*kernel)(int *, int), F want, int n = 5) {
    std::vector<int> got = run(kernel, n);
    for (int t = 0; t < 32; t++) {
        if (got[t] != want(t, n)) {
            printf("%s: thread %d: %d, and not %d\n", name, t, got[t], want(t, n));
            wrong = 1;
            return;
        }
    }
}

// Read only: a table of the module for clang.
__global__ void array(int *out, int n) {
    const int a[4] = {3, 1, 4, 15};
    out[threadIdx.x] = a[(threadIdx.x + n) % 4];
}

struct Mixed {
    int whole;
    float part;
    char letter;
};
__global__ void structs(int *out, int n) {
    const Mixed a[3] = {{1, 2.5f, 'x'}, {4, 5.5f, 'y'}, {7, 8.5f, 'z'}};
    const Mixed &m = a[(threadIdx.x + n) % 3];
    out[threadIdx.x] = m.whole + (int)(2 * m.part) + m.letter;
}

// Changed: a copy of the table in local memory, also for clang.
__global__ void changed(int *out, int n) {
    int a[6] = {10, 20, 30, 40, 50, 60};
    a[n] += threadIdx.x;
    out[threadIdx.x] = a[threadIdx.x % 6];
}

// Two tables, and a pointer into the one or the other.
__global__ void either(int *out, int n) {
    const int a[5] = {1, 2, 3, 4, 6}, b[5] = {50, 60, 70, 80, 95};
    const int *p = (int)threadIdx.x % 2 ? a + 1 : b;
    int sum = 0;
    for (int i = 0; i < n - 1; i++) {
        sum = 3 * sum + p[i];
    }
    out[threadIdx.x] = sum;
}

// More than local memory would get: a table in global memory.
#define TEN(i) i, 3 * i, 5, 7 * i, i, 1, i, 4, i *i, 2
#define HUNDRED(i) TEN(i), TEN(i + 1), TEN(i + 2), TEN(i + 3), TEN(i + 4), TEN(i), TEN(i + 6), TEN(i + 7), TEN(i), TEN(i + 9)
#define LARGE HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4), HUNDRED(5), HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9), HUNDRED(10), HUNDRED(11)
static const int large_want[] = {LARGE};
__global__ void large(int *out, int n) {
    const int a[] = {LARGE};
    out[threadIdx.x] = a[(threadIdx.x * 37 + n) % 1100];
}

// A string; two of them, chosen at run time, also as printf's argument.
__global__ void text(int *out, int n) {
    const char *word = n > (int)threadIdx.x ? "hello" : "warps";
    out[threadIdx.x] = word[threadIdx.x % 5];
    if (threadIdx.x == 9) {
        printf("a string: %s\n", word);
    }
}

// A pointer to a string that stays in memory.
__device__ const char *kept[32];
__global__ void keep(int *out, int n) {
    kept[threadIdx.x] = threadIdx.x % 2 ? "odd" : "even";
    out[threadIdx.x] = kept[threadIdx.x][n - 4];
}

// A table that a switch may become.
__global__ void choice(int *out, int n) {
    int r;
    switch ((threadIdx.x + n) % 8) {
    case 0: r = 17; break;
    case 1: r = 23; break;
    case 2: r = 99; break;
    case 3: r = -34; break;
    case 4: r = 3; break;
    case 5: r = 1; break;
    default: r = 40;
    }
    out[threadIdx.x] = r;
}

// Tables of the program's own: constant memory.
__global__ void statics(int *out, int n) {
    static const Mixed a[2] = {{1, 2.5f, 'x'}, {4, 5.5f, 'y'}};
    static constexpr short b[4] = {9, 8, 7, 6};
    out[threadIdx.x] = a[(threadIdx.x + n) % 2].whole + b[threadIdx.x % 4];
}

int main() {
    const int a[4] = {3, 1, 4, 15}, r[8] = {17, 23, 99, -34, 3, 1, 40, 40};
    expect("array", array, [&](int t, int n) { return a[(t + n) % 4]; });
    expect("structs", structs, [](int t, int n) { return 1 + 3 * ((t + n) % 3) + 5 + 6 * ((t + n) % 3) + 'x' + (t + n) % 3; });
    expect("changed", changed, [](int t, int n) { return 10 + t % 6 * 10 + (t % 6 == n ? t : 0); });
    expect("either", either, [](int t, int) { return t % 2 ? ((2 * 3 + 3) * 3 + 4) * 3 + 6 : ((50 * 3 + 60) * 3 + 70) * 3 + 80; });
    expect("large", large, [](int t, int n) { return large_want[(t * 37 + n) % 1100]; });
    expect("text", text, [](int t, int n) { return (int)(n > t ? "hello" : "warps")[t % 5]; });
    expect("keep", keep, [](int t, int) { return t % 2 ? 'd' : 'v'; });
    expect("choice", choice, [&](int t, int n) { return r[(t + n) % 8]; });
    expect("statics", statics, [](int t, int n) { return 1 + 3 * ((t + n) % 2) + 9 - t % 4; });
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
