// SPDX-License-Identifier: Apache-2.0
// Inline PTX: inline_ptx.cuh has a row for each statement. Then the accesses, of which capture_ptx_test.py reads the trace.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#define THREADS 32
static int wrong;

struct Arguments {
    unsigned u, v, w;
    int n;
    unsigned long long p, q;
    float f, g, h;
    double x, y, z;
};
static Arguments arguments_of(int t) {
    auto word = [=](int i) {
        unsigned long long x = (t * 16ull + i + 1) * 0x9e3779b97f4a7c15ull;
        return (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull ^ x >> 32;
    };
    auto real = [=](int i) { return (float)((int)(word(i) % 24000001) - 12000000) / 1e6f; };
    Arguments k = {(unsigned)word(0) | 1, (unsigned)word(1) | 1, 1 + (unsigned)(t % 3 ? word(2) % 70 : word(2) >> 34), t % 7 - 3, word(3), word(4)};
    k.f = t ? real(5) : NAN, k.g = real(6), k.h = real(7);
    k.x = real(8) * (1 + 1e-9), k.y = real(9) * (1 + 1e-10), k.z = real(10) * (1 - 1e-11);
    return k;
}
#define ARGUMENTS(k) \
    const unsigned u = (k).u, v = (k).v, w = (k).w; \
    const int n = (k).n; \
    const unsigned long long p = (k).p, q = (k).q; \
    const float f = (k).f, g = (k).g, h = (k).h; \
    const double x = (k).x, y = (k).y, z = (k).z; \
    (void)u, (void)v, (void)w, (void)n, (void)p, (void)q, (void)f, (void)g, (void)h, (void)x, (void)y, (void)z

struct Store {
    unsigned long long *at;
    template <class T> __device__ __forceinline__ void put(T value) {
        unsigned long long word = 0;
        memcpy(&word, &value, sizeof value);
        *at = word;
        at += THREADS;
    }
};
#define WORD(cost, text, ...) { unsigned r; asm volatile(text : "=r"(r) : "r"(u), "r"(v), "r"(w), "r"(n)); out.put(r); }
#define LONG(cost, text, ...) { unsigned long long r; asm(text : "=l"(r) : "l"(p), "l"(q), "r"(w), "r"(v)); out.put(r); }
#define REAL(cost, text, ...) { float r; asm(text : "=f"(r) : "f"(f), "f"(g), "f"(h), "r"(u)); out.put(r); }
#define DOUBLE(cost, text, ...) { double r; asm(text : "=d"(r) : "d"(x), "d"(y), "d"(z), "r"(w), "f"(g)); out.put(r); }
#define JOINED(cost, one, two, ...) { unsigned r; asm volatile(one : "=r"(r) : "r"(u), "r"(v)); asm volatile(two : "=r"(r) : "r"(v)); out.put(r); }
__global__ void rows(const Arguments *k, unsigned long long *results) {
    if (blockIdx.x != 3) {
        return;
    }
    ARGUMENTS(k[threadIdx.x]);
    Store out = {results + threadIdx.x};
#include "inline_ptx.cuh"
}
#undef WORD
#undef LONG
#undef REAL
#undef DOUBLE
#undef JOINED

// --- accesses: each statement has a line of its own ---

__constant__ int table[4] = {1, 2, 3, 4};
template <int BYTES> __device__ void copy_async(unsigned to, const void *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
}
__global__ void accesses(int *to, const int4 *from, int *counter) {
    __shared__ int4 buffer[THREADS];
    const int t = threadIdx.x;
    const unsigned own = (unsigned)__cvta_generic_to_shared(&buffer[t]);
    int a, b, c, d, e, f, g, h;
    short i;
    unsigned j;
    copy_async<16>(own, from + t);
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0; // all");
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2+8];" : "=r"(a), "=r"(b) : "r"(own));
    asm volatile("ld.global.cg.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(c), "=r"(d), "=r"(e), "=r"(f) : "l"(from + t));
    asm volatile("ld.global.nc.b32 %0, [%1 + 4];" : "=r"(g) : "l"(from + t));
    asm volatile("ld.u32 %0, [%1];" : "=r"(h) : "l"(from + t));
    asm volatile("ld.global.s16 %0, [%1+-2];" : "=h"(i) : "l"(from + t + 1));
    asm volatile("{\n\t.reg .u64 a;\n\tcvta.to.global.u64 a, %1;\n\tld.volatile.global.u8 %0, [a];\n}" : "=r"(j) : "l"(from + t));
    int sum = a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19 + i * 23 + j * 29;
    asm volatile("red.global.add.s32 [%0], %1;" ::"l"(counter), "r"(t) : "memory");
    asm volatile("atom.shared.cas.b32 %0, [%1], %2, 77;" : "=r"(a) : "r"(own), "r"(buffer[t].x));
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 8;\n\t@p st.shared.u32 [%0], 5; }" ::"r"(own), "r"(t));
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("" ::: "memory");
    asm volatile("barrier.sync 1, 32;");
    sum += a * 31 + buffer[31 - t].x;
    asm("st.global.wt.b32 [%[to]], %[sum];" ::[to] "l"(to + t), [sum] "r"(sum));
}

#ifndef __CUDA_ARCH__
static Arguments other(int lane) { return arguments_of(lane); }
template <class T, class F> static T over(T sum, F f) {
    for (int t = 0; t < THREADS; t++) {
        sum = f(sum, other(t));
    }
    return sum;
}
template <class F> static unsigned lanes(F which) {
    unsigned result = 0;
    for (int t = 0; t < THREADS; t++) {
        result |= (unsigned)(which(other(t)) != 0) << t;
    }
    return result;
}
template <class A, class B> static unsigned dot(unsigned a, unsigned b) {
    int sum = 0;
    for (int i = 0; i < 32; i += 8) {
        sum += (A)(a >> i) * (B)(b >> i);
    }
    return sum;
}
static unsigned distance(unsigned a, unsigned b) {
    unsigned sum = 0;
    for (int i = 0; i < 32; i += 8) {
        sum += std::abs((int)(a >> i & 255) - (int)(b >> i & 255));
    }
    return sum;
}
static unsigned looped(unsigned x) {
    for (unsigned i = 0; i < 5; i++) {
        x = (x ^ i) * 77;
    }
    return x;
}
static float towards_0(double x) {
    const float near = (float)x;
    return std::fabs((double)near) > std::fabs(x) ? std::nextafter(near, 0.0f) : near;
}
static float half_of(float x) {
    const float unit = std::ldexp(1.0f, std::max(std::ilogb(x), -14) - 10);
    return std::nearbyint(x / unit) * unit;
}
static unsigned tf32(unsigned bits) {
    float x, unit;
    memcpy(&x, &bits, 4);
    if (!std::isfinite(x)) {
        return bits;
    }
    unit = std::ldexp(1.0f, std::max(std::ilogb(x), -126) - 10);
    x = std::copysign(std::floor(std::fabs(x) / unit + 0.5f) * unit, x);
    memcpy(&bits, &x, 4);
    return bits;
}

template <class T> static void compare(int line, const char *text, int t, const unsigned long long *&at, T want) {
    T got;
    memcpy(&got, at, sizeof got);
    at += THREADS;
    if (got != want && (got == got || want == want) && wrong++ < 20) {
        printf("inline_ptx.cuh:%d: %s: thread %d: is %.17g (%llx), must be %.17g\n", line, text, t, (double)got, at[-THREADS], (double)want);
    }
}
#define WORD(cost, text, ...) compare<unsigned>(__LINE__, text, t, at, (unsigned)(__VA_ARGS__));
#define LONG(cost, text, ...) compare<unsigned long long>(__LINE__, text, t, at, (unsigned long long)(__VA_ARGS__));
#define REAL(cost, text, ...) compare<float>(__LINE__, text, t, at, (float)(__VA_ARGS__));
#define DOUBLE(cost, text, ...) compare<double>(__LINE__, text, t, at, __VA_ARGS__);
#define JOINED(cost, one, two, ...) compare<unsigned>(__LINE__, one two, t, at, (unsigned)(__VA_ARGS__));
static void check_rows(int t, const unsigned long long *at) {
    ARGUMENTS(arguments_of(t));
#include "inline_ptx.cuh"
}

static void run_rows() {
    static unsigned long long got[1 << 16];
    Arguments host[THREADS], *device;
    unsigned long long *results;
    for (int t = 0; t < THREADS; t++) {
        host[t] = arguments_of(t);
    }
    cudaMalloc(&device, sizeof host);
    cudaMalloc(&results, sizeof got);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    rows<<<4, THREADS>>>(device, results);
    cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++) {
        check_rows(t, got + t);
    }
}

static void run_accesses() {
    int4 host[THREADS + 1], *from;
    int sums[THREADS], count = 3, *to, *counter;
    for (int t = 0; t <= THREADS; t++) {
        host[t] = make_int4(t * 1000 - 7, t * 77, -t, t * 70001);
    }
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof sums);
    cudaMalloc(&counter, 4);
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(counter, &count, 4, cudaMemcpyHostToDevice);
    accesses<<<1, THREADS>>>(to, from, counter);
    cudaMemcpy(sums, to, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, counter, 4, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++) {
        const int4 k = host[t];
        const int now = 31 - t < 8 ? 5 : 77;
        const int want = k.z + k.w * 3 + k.x * 5 + k.y * 7 + k.z * 11 + k.w * 13 + k.y * 17 + k.x * 19 + (short)(k.w >> 16) * 23 + (k.x & 255) * 29 + k.x * 31 + now;
        if (sums[t] != want) {
            printf("accesses: thread %d: is %d, must be %d\n", t, sums[t], want);
            wrong++;
        }
    }
    wrong += count != 3 + 31 * 16;
}

int main() {
    run_rows();
    run_accesses();
    printf(wrong ? "wrong\n" : "right\n");
    return wrong != 0;
}
#endif
