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

// Each atomic at a place of 16 bytes of its own; `before` is what the places have, and the old values are stored from place 16 on.
struct alignas(16) Place {
    union {
        unsigned u;
        int i;
        float f;
        double d;
        unsigned long long l;
        long long s;
        unsigned short h;
    };
};
__global__ void atomics(Place *at) {
    unsigned u;
    unsigned long long l;
    float f;
    double d;
    unsigned short h;
    asm volatile("atom.global.add.u32 %0, [%1], 5;" : "=r"(u) : "l"(at)); at[16].u = u;
    asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1+16], %2;" : "=r"(u) : "l"(at), "r"(9)); at[17].u = u;
    asm volatile("atom.inc.u32 %0, [%1], %2;" : "=r"(u) : "l"(at + 2), "r"(7)); at[18].u = u;
    asm volatile("atom.dec.u32 %0, [%1], %2;" : "=r"(u) : "l"(at + 3), "r"(7)); at[19].u = u;
    asm volatile("atom.global.add.f32 %0, [%1], 0f3FC00000;" : "=f"(f) : "l"(at + 4)); at[20].f = f;
    asm volatile("atom.global.add.f64 %0, [%1], %2;" : "=d"(d) : "l"(at + 5), "d"(0.25)); at[21].d = d;
    asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;" : "=l"(l) : "l"(at + 6), "l"(60ull), "l"(1ull << 40)); at[22].l = l;
    asm volatile("atom.global.min.s64 %0, [%1], -3;" : "=l"(l) : "l"(at + 7)); at[23].l = l;
    asm volatile("atom.global.max.s32 %0, [%1], -3;" : "=r"(u) : "l"(at + 8)); at[24].u = u;
    asm volatile("atom.global.and.b32 %0, [%1], 12;" : "=r"(u) : "l"(at + 9)); at[25].u = u;
    asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;" : "=h"(h) : "l"(at + 10), "h"((unsigned short)100), "h"((unsigned short)7)); at[26].h = h;
    asm volatile("red.global.or.b32 [%0], 3; red.global.xor.b64 [%0+16], %1; red.add.noftz.f16x2 [%0+32], %2;" ::"l"(at + 11), "l"(5ull), "r"(0x3c003c00));
    unsigned short a, b;
    asm("ld.global.v2.u16 {%0, %1}, [%2];" : "=h"(a), "=h"(b) : "l"(at + 13)); at[29].u = a | b << 16;
    asm volatile("st.volatile.global.v2.f64 [%0], {%1, 0d3FF0000000000000};" ::"l"(at + 14), "d"(d));
    unsigned is, is_not;
    asm("{ .reg .pred p, q; isspacep.global p, %2; isspacep.shared q, %2; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }" : "=r"(is), "=r"(is_not) : "l"(at));
    at[30].u = is * 10 + is_not;
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

static unsigned second_one(unsigned x) { return (x & (x - 1)) ? __builtin_ctz(x & (x - 1)) : ~0u; }
static unsigned long long bits_of(double x) {
    unsigned long long bits;
    memcpy(&bits, &x, 8);
    return bits;
}
static double upper(double x) {
    const unsigned long long bits = bits_of(x) >> 32 << 32;
    memcpy(&x, &bits, 8);
    return x;
}
static int down(unsigned bits) {
    float x;
    memcpy(&x, &bits, 4);
    x = std::floor(x);
    return x != x ? 0 : x >= 2147483648.0f ? 0x7fffffff : x < -2147483648.0f ? (int)0x80000000 : (int)x;
}
static unsigned saturated_bytes(unsigned a, unsigned b) {
    unsigned result = 0;
    for (int i = 0; i < 32; i += 8) {
        result |= (std::min(std::max((signed char)(a >> i) - (signed char)(b >> i), -128), 127) & 255u) << i;
    }
    return result;
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

static void run_atomics() {
    Place host[32] = {}, *at;
    for (int i = 0; i < 11; i++) {
        host[i].l = 10 * i;
    }
    host[4].f = 4, host[5].d = 5, host[8].i = -8, host[13].u = 0x40003c00;
    cudaMalloc(&at, sizeof host);
    cudaMemcpy(at, host, sizeof host, cudaMemcpyHostToDevice);
    atomics<<<1, 1>>>(at);
    Place now[32];
    cudaMemcpy(now, at, sizeof now, cudaMemcpyDeviceToHost);
    const bool news = now[0].u == 5 && now[1].u == 9 && now[2].u == 0 && now[3].u == 7 && now[4].f == 5.5f && now[6].l == 1ull << 40 && now[7].s == -3 &&
                      now[8].i == -3 && now[9].u == (90 & 12) && now[10].h == 7 && now[11].u == 3 && now[12].l == 5 && now[13].u == 0x42004000;
    for (int i = 0; i < 11; i++) {
        if (now[16 + i].l != host[i].l) {
            printf("atomics: place %d: had %llx, must have had %llx\n", i, now[16 + i].l, host[i].l);
            wrong++;
        }
    }
    const double *pair = (const double *)&now[14];
    if (!news || now[5].d != 5.25 || now[29].u != 0x42004000 || pair[0] != 5 || pair[1] != 1 || now[30].u != 10) {
        printf("atomics: wrong\n");
        wrong++;
    }
}

int main() {
    run_atomics();
    run_rows();
    run_accesses();
    printf(wrong ? "wrong\n" : "right\n");
    return wrong != 0;
}
#endif
