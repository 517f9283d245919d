// SPDX-License-Identifier: Apache-2.0
// CUDA's device functions by name: functions/*.cuh has a row for each with the instructions that it costs, its call, and its value,
// which the host computes in another way. capture_functions_test.py counts the instructions of each row's line.
#include <alloca.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>
#include <bitset>
#include <complex>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

#define THREADS 32
#define HEAP (1 << 14)
#define PI 3.14159265358979323846264338327950288L

static int wrong;

// --- arguments of thread t ---

struct Arguments {
    int a, b, c, n, t;
    unsigned u, v, w;
    long long l, m;
    unsigned long long p, q;
    alignas(16) float f;
    float g, h, e;
    double x, y, z, d;
    unsigned short half[3];
};

static unsigned long long scrambled(unsigned long long x) {
    x = (x + 1) * 0x9e3779b97f4a7c15ull;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull ^ x >> 32;
}

static Arguments arguments_of(int t) {
    static const float special[] = {0, INFINITY, NAN, 1e-30f, 3e9f, -1e20f, 2.5f, -0.5f, 0.5f, 1, -1, 4294967296.0f};
    const int specials = sizeof special / sizeof *special;
    auto word = [=](int i) { return scrambled(t * 16 + i); };
    auto real = [=](int i) { return (float)((int)(word(i) % 24000001) - 12000000) / 1e6f; };
    Arguments k;
    k.t = t;
    k.a = t ? (int)word(0) : INT_MIN;
    k.b = t % 5 ? (int)word(1) : t ? (int)(word(1) % 100) : INT_MAX;
    k.c = (int)word(2);
    k.n = t % 9 - 4;
    k.u = t ? (unsigned)word(3) : 0x80007fff;
    k.v = t % 3 ? (unsigned)word(4) : t ? k.u ^ (unsigned)(word(4) & 0xff0000ff) : 0xffff8000;
    k.w = t % 2 ? (unsigned)word(5) : (unsigned)(word(5) % 40);
    k.l = t ? (long long)word(6) : LLONG_MIN;
    k.m = t % 2 ? (long long)word(7) : (long long)word(7) >> 40;
    k.p = word(8);
    k.q = t % 2 ? word(9) : word(9) >> 40;
    k.f = t < specials ? special[t] : real(10);
    k.g = real(11);
    k.h = real(12);
    k.e = real(13);
    k.x = t < specials ? special[t] : k.f * (1 + 1e-9 * t);
    k.y = k.g * (1 + 1e-10 * t);
    k.z = k.h * (1 - 1e-11 * t);
    k.d = k.e * (1 - 1e-12 * t);
    static const unsigned short narrow[] = {0, 0x8000, 0x7c00, 0xff80, 0x7fff, 1, 0x7bff, 0x3c00, 0x3f80};
    for (int i = 0; i < 3; i++) {
        k.half[i] = (unsigned short)(t < 9 && i < 2 ? narrow[(t + 4 * i) % 9] : word(14 + i));
    }
    return k;
}
#define ARGUMENTS(k) \
    const int a = (k).a, b = (k).b, c = (k).c, n = (k).n; \
    const unsigned u = (k).u, v = (k).v, w = (k).w; \
    const long long l = (k).l, m = (k).m; \
    const unsigned long long p = (k).p, q = (k).q; \
    const float f = (k).f, g = (k).g, h = (k).h, e = (k).e; \
    const double x = (k).x, y = (k).y, z = (k).z, d = (k).d; \
    (void)a, (void)b, (void)c, (void)n, (void)u, (void)v, (void)w, (void)l, (void)m, (void)p, (void)q; \
    (void)f, (void)g, (void)h, (void)e, (void)x, (void)y, (void)z, (void)d

// Within -1 and 1, and above 0; the same bits as another type.
template <class T> static __host__ __device__ __forceinline__ T small(T r) { return r / (1 + (r < 0 ? -r : r)); }
template <class T> static __host__ __device__ __forceinline__ T magnitude(T r) { return r < 0 ? -r : r; }
template <class To, class From> static __host__ __device__ __forceinline__ To bits(From from) { return __builtin_bit_cast(To, from); }

// --- the device's half: what each row's call gives ---

struct Store {
    unsigned long long *at;
    template <class T> __device__ __forceinline__ void put(T value) {
        unsigned long long word = 0;
        memcpy(&word, &value, sizeof value);
        *at = word;
        at += THREADS;
    }
};
#define EXACT(cost, call, ...) out.put(call);
#define ULP(cost, ulp, call, want) out.put(call);
#define PAIR(cost, name, lane, arguments, value) out.put(name##2 arguments), out.put(name##4 arguments);
#define FLAGGED(count, call, want, is_high, is_low) { bool high = false, low = false; out.put(call); out.put(high); out.put(low); }
#define DIRECTED(cost, name, arguments, value, type) out.put(name##_rn arguments), out.put(name##_rz arguments), out.put(name##_ru arguments), out.put(name##_rd arguments);
#define WHOLE(cost, name, argument, type, nan) DIRECTED(cost, name, (argument), , type)
#define REAL(cost, ulp_f, ulp_d, name, arguments, want) \
    { const float r = f, s = g, t = h, o = e; (void)r, (void)s, (void)t, (void)o; out.put(name##f arguments), out.put(name arguments); } \
    { const double r = x, s = y, t = z, o = d; (void)r, (void)s, (void)t, (void)o; out.put(name arguments); }
#define PARTS(cost, ulp, type1, type2, call, want1, want2) { type1 one; type2 two; call; out.put(one), out.put(two); }

__global__ void run_integer(const Arguments *k, unsigned long long *results) {
    ARGUMENTS(k[threadIdx.x]);
    Store out = {results + threadIdx.x};
#include "functions/integer.cuh"
#include "functions/simd.cuh"
}

__constant__ float three_f[3] = {1, 2, 3};
__constant__ double three_d[3] = {1, 2, 3};
__global__ void run_real(const Arguments *k, unsigned long long *results) {
    ARGUMENTS(k[threadIdx.x]);
    Store out = {results + threadIdx.x};
#include "functions/rounding.cuh"
#include "functions/math.cuh"
}
#define ATOMIC(cost, type, before, after, name, ...) \
    out.put(name((type *)at, __VA_ARGS__)), out.put(name##_block((type *)(at + 2), __VA_ARGS__)), out.put(name##_system((type *)(at + 4), __VA_ARGS__)); \
    at += 6;
__global__ void run_atomics(unsigned long long *at, unsigned long long *results) {
    Store out = {results};
#include "functions/atomics.cuh"
}

#define MATCHED(call, want, want_all) { int all; out.put(call); out.put(all); }
#define STORED(cost, name, value) name((double *)out.at, value), out.at += THREADS;
__constant__ int constant[4];
__device__ int global[4];
__device__ float2 twos[THREADS];
__device__ float4 fours[THREADS];

// Bytes of no known size: what is set stays behind them.
static __device__ __forceinline__ int copied(int *to, const int *from, int bytes) {
    memset(to, 1, 16 + (bytes & 0));
    memcpy(to, from, bytes);
    return to[0] == 0x01010101 && bytes == 0 ? 900 : to[bytes / 4 - 1] * 1000 + 900 + (to[bytes / 4] != 0x01010101);
}

// A list, one more element a thread, which its successor frees; an object in new memory.
struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
};
static __device__ __forceinline__ int from_the_heap(int t) {
    int *p = (int *)malloc(t * sizeof(int) + 4), *q = (int *)malloc(64);
    Node *last = new Node(2, nullptr), *first = new Node(t, last);
    p[t] = t, q[0] = t;
    const int sum = p[t] + q[0] + first->value + first->next->value;
    free(p);
    free(q);
    delete last;
    delete first;
    free(nullptr);
    return malloc(HEAP + 1) ? 0 : sum;
}
static __device__ __forceinline__ int from_the_stack(int t) {
    int *p = (int *)alloca(4 * (t + 1));
    for (int i = 0; i <= t; i++) {
        p[i] = i * 3;
    }
    return p[t];
}

#define NARROW(cost, name, name2, arguments, value) \
    { const __half x = hx, y = hy, z = hz; (void)x, (void)y, (void)z; out.put(name arguments); } \
    { const __half2 x = hv, y = hw, z = hu; (void)x, (void)y, (void)z; out.put(name2 arguments); } \
    { const __nv_bfloat16 x = bx, y = by, z = bz; (void)x, (void)y, (void)z; out.put(name arguments); } \
    { const __nv_bfloat162 x = bv, y = bw, z = bu; (void)x, (void)y, (void)z; out.put(name2 arguments); }
#define COMPARE_OF(name, x, y, v, w) \
    out.put(__h##name(x, y)), out.put(__h##name##2(v, w)), out.put(__h##name##2_mask(v, w)), out.put(__hb##name##2(v, w));
#define COMPARE(cost, name, relation) \
    COMPARE_OF(name, hx, hy, hv, hw) COMPARE_OF(name##u, hx, hy, hv, hw) COMPARE_OF(name, bx, by, bv, bw) COMPARE_OF(name##u, bx, by, bv, bw)
#define CAST_TO(cost, name, type, nan) \
    out.put(__half2##name##_rn(hx)), out.put(__half2##name##_rz(hx)), out.put(__half2##name##_ru(hx)), out.put(__half2##name##_rd(hx)); \
    out.put(__bfloat162##name##_rn(bx)), out.put(__bfloat162##name##_rz(bx)), out.put(__bfloat162##name##_ru(bx)), out.put(__bfloat162##name##_rd(bx));
#define CAST_FROM(cost, name, value) \
    out.put(__##name##2half_rn(value)), out.put(__##name##2half_rz(value)), out.put(__##name##2half_ru(value)), out.put(__##name##2half_rd(value)); \
    out.put(__##name##2bfloat16_rn(value)), out.put(__##name##2bfloat16_rz(value)), out.put(__##name##2bfloat16_ru(value)), out.put(__##name##2bfloat16_rd(value));
#define BITS(cost, call, ...) out.put(call);
#define COMPLEX(type, ulp, call, want) { const auto two = call; out.put(two.x), out.put(two.y); }
#define ULP(cost, ulp, call, want) out.put(call);
__global__ void run_complex(const Arguments *k, unsigned long long *results) {
    ARGUMENTS(k[threadIdx.x]);
    Store out = {results + threadIdx.x};
    const cuFloatComplex c1 = make_cuFloatComplex(g, h), c2 = make_cuComplex(e, g);
    const cuDoubleComplex d1 = make_cuDoubleComplex(y, z), d2 = make_cuDoubleComplex(d, y);
#include "functions/complex.cuh"
}
#undef COMPLEX
#undef ULP

__global__ void run_narrow(const Arguments *k, unsigned long long *results) {
    ARGUMENTS(k[threadIdx.x]);
    Store out = {results + threadIdx.x};
    const unsigned short i = k[threadIdx.x].half[0], j = k[threadIdx.x].half[1], m16 = k[threadIdx.x].half[2];
    const __half hx = __ushort_as_half(i), hy = __ushort_as_half(j), hz = __ushort_as_half(m16);
    const __nv_bfloat16 bx = __ushort_as_bfloat16(j), by = __ushort_as_bfloat16(i), bz = __ushort_as_bfloat16(m16);
    const __half2 hu = bits<__half2>(u), hv = bits<__half2>(v), hw = bits<__half2>(w);
    const __nv_bfloat162 bu = bits<__nv_bfloat162>(u), bv = bits<__nv_bfloat162>(v), bw = bits<__nv_bfloat162>(w);
#include "functions/narrow.cuh"
}

__global__ void run_memory(const Arguments *k, unsigned long long *results) {
    __shared__ int shared[THREADS];
    int local[8], t = threadIdx.x;
    const Arguments *mine = k + t;
    ARGUMENTS(*mine);
    Store out = {results + t};
    shared[t] = t;
    local[t % 8] = t;
    __syncthreads();
#include "functions/warp.cuh"
#include "functions/memory.cuh"
}
#undef EXACT
#undef ULP
#undef PAIR
#undef FLAGGED
#undef DIRECTED
#undef WHOLE
#undef REAL
#undef PARTS
#undef ATOMIC
#undef MATCHED
#undef STORED
#undef NARROW
#undef COMPARE_OF
#undef COMPARE
#undef CAST_TO
#undef CAST_FROM
#undef BITS

// --- the host's half: what it should be ---

#ifndef __CUDA_ARCH__ /* a GPU has no __float128 */

template <class T> static long double number(T v) { return v; }
static long double number(__half v) { return (float)v; }
static long double number(__half2 v) { return (float)v.x; }
static long double number(__nv_bfloat16 v) { return (float)v; }
static long double number(__nv_bfloat162 v) { return (float)v.x; }

struct Results {
    const unsigned long long *at;
    const char *file;
    template <class T> T take() {
        T value;
        memcpy(&value, at, sizeof value);
        at += THREADS;
        return value;
    }
    template <class T> void fail(int line, const char *call, T got, long double want) {
        if (wrong++ < 20) {
            printf("%s:%d: %s: is %.20Lg (%llx), must be %.20Lg\n", file, line, call, number(got), at[-THREADS], want);
        }
    }
    template <class Got, class T> void exact(int line, const char *call, T want) {
        const Got got = take<Got>();
        if (got != (Got)want && (got == got || want == want)) {
            fail(line, call, got, number(want));
        }
    }
    template <class T> void same(int line, const char *call, T want) { exact<T>(line, call, want); }
    template <class Got> void close(int line, const char *call, double ulp, long double want) {
        const Got got = take<Got>(), rounded = (Got)want;
        const long double unit = std::fabs((long double)std::nextafter(rounded, (Got)INFINITY) - rounded);
        const bool same = got == rounded || (got != got && rounded != rounded);
        if (!same && !(std::fabs(got - want) <= ulp * unit)) {
            fail(line, call, got, want);
        }
    }
};

struct signed_lane {
    static int of(unsigned word, int i, int bits) { return (int)(word << (32 - bits - bits * i)) >> (32 - bits); }
    static int most(int bits) { return (1 << (bits - 1)) - 1; }
};
struct unsigned_lane {
    static int of(unsigned word, int i, int bits) { return (int)(word >> bits * i & ((1u << bits) - 1)); }
    static int most(int bits) { return (1 << bits) - 1; }
};
static int least(int x, int y) { return x < y ? x : y; }
static int greatest(int x, int y) { return x < y ? y : x; }
#define EACH(bits, lane, arguments, value) \
    ([](unsigned A, unsigned B = 0, unsigned C = 0) { \
        unsigned result = 0; \
        for (int i = 0; i < 32 / (bits); i++) { \
            const int x = lane::of(A, i, bits), y = lane::of(B, i, bits), z = lane::of(C, i, bits), most = lane::most(bits); \
            (void)x, (void)y, (void)z, (void)most; \
            result |= ((unsigned)(value) & ((1u << (bits)) - 1)) << (bits) * i; \
        } \
        return result; \
    } arguments)
template <int BITS, class T> static unsigned summed(unsigned u, unsigned v) {
    unsigned sum = 0;
    for (int i = 0; i < 32; i += BITS) {
        sum += std::abs((int)(T)(u >> i) - (int)(T)(v >> i));
    }
    return sum;
}
template <class A, class B> static int dot(unsigned x, unsigned y, int count, int from) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += (A)(x >> 32 / count * i) * (B)(y >> (from + 8 * i));
    }
    return sum;
}
static unsigned long long turned(unsigned long long x, int bits) {
    unsigned long long result = 0;
    for (int i = 0; i < bits; i++, x /= 2) {
        result = 2 * result + x % 2;
    }
    return result;
}
static unsigned long long turned_bytes(unsigned long long x) {
    unsigned long long result = 0;
    for (int i = 0; i < 8; i++, x /= 256) {
        result = 256 * result + x % 256;
    }
    return result;
}
static int first_one(unsigned long long x) {
    int i = 1;
    for (; x && x % 2 == 0; x /= 2) {
        i++;
    }
    return x ? i : 0;
}
static int leading_zeros(unsigned long long x, int bits) {
    for (; x; x /= 2) {
        bits--;
    }
    return bits;
}
static unsigned permuted(unsigned u, unsigned v, unsigned by) {
    unsigned char from[8], to[4];
    memcpy(from, &u, 4);
    memcpy(from + 4, &v, 4);
    for (int i = 0; i < 4; i++, by /= 16) {
        const unsigned char byte = from[by % 8];
        to[i] = by % 16 < 8 ? byte : byte < 128 ? 0 : 255;
    }
    memcpy(&u, to, 4);
    return u;
}
static unsigned nth_one(unsigned mask, unsigned base, int offset) {
    int at = (int)base, left = offset ? std::abs(offset) : 1;
    for (; at >= 0 && at < 32; at += offset < 0 ? -1 : 1) {
        left -= mask >> at & 1;
        if (!left) {
            return at;
        }
        if (!offset) {
            break;
        }
    }
    return UINT_MAX;
}

static __float128 root(double x) {
    if (!(x > 0 && x < INFINITY)) {
        return std::sqrt(x);
    }
    __float128 y = std::sqrt((long double)x);
    for (int i = 0; i < 3; i++) {
        y = (y + x / y) / 2;
    }
    return y;
}
template <class T> static void directed(T (&to)[4], __float128 value) {
    const T near = (T)value;
    const bool above = near > value, below = near < value;
    const T down = above ? std::nextafter(near, -(T)INFINITY) : near, up = below ? std::nextafter(near, (T)INFINITY) : near;
    to[0] = near, to[1] = value < 0 ? up : down, to[2] = up, to[3] = down;
}
template <class To, class From> static To nearest_integer(From x, To of_nan) {
    const To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
    return x != x ? of_nan : x <= (From)least ? least : x >= (From)most ? most : (To)x;
}
template <class From> static long long whole_of(From, From rounded) { return nearest_integer<long long>(rounded, LLONG_MIN); }

static long double inverse_of_erfc(long double value) {
    long double low = -6, high = 30;
    if (!(value > 0 && value < 2)) {
        return value == 0 ? INFINITY : value == 2 ? -INFINITY : NAN;
    }
    for (int i = 0; i < 300; i++) {
        const long double middle = (low + high) / 2;
        (erfcl(middle) > value ? low : high) = middle;
    }
    return value == 1 ? 0 : low;
}
static long double inverse_of_erf(long double value) {
    long double low = -1, high = 1;
    for (int i = 0; i < 300; i++) {
        const long double middle = (low + high) / 2;
        (erfl(middle) < value ? low : high) = middle;
    }
    return value == 0 ? 0 : std::fabs(value) < 0.5L ? low : copysignl(inverse_of_erfc(1 - std::fabs(value)), value);
}
// sin(pi r) of whole and half numbers is exact.
static long double sine_of_turns(long double r) {
    static const int exact[] = {0, 1, 0, -1};
    const long double quarters = fmodl(2 * r, 4);
    return quarters == floorl(quarters) ? exact[((int)quarters + 4) % 4] : sinl(PI * quarters / 2);
}
static long double cosine_of_turns(long double r) { return sine_of_turns(fmodl(r, 2) + 0.5L); }
static long double scaled_erfc(long double r) { return r > 100 ? 1 / (r * sqrtl(PI)) : expl(r * r) * erfcl(r); }
static long double bessel_integral(long double r, int order) {
    if (std::fabs(r) < 1e-9L) {
        return order ? r / 2 : 1;
    }
    const int steps = 200;
    long double sum = (expl(r) + expl(-r) * (order ? -1 : 1)) / 2;
    for (int i = 1; i < steps; i++) {
        sum += expl(r * cosl(PI * i / steps)) * cosl(order * PI * i / steps);
    }
    return sum / steps;
}

#define EXACT(cost, call, ...) results.exact<decltype(call)>(__LINE__, #call, __VA_ARGS__);
#define ULP(cost, ulp, call, want) results.close<decltype(call)>(__LINE__, #call, ulp, want);
#define PAIR(cost, name, lane, arguments, value) \
    results.exact<unsigned>(__LINE__, #name "2", EACH(16, lane, arguments, value)); \
    results.exact<unsigned>(__LINE__, #name "4", EACH(8, lane, arguments, value));
#define FLAGGED(count, call, want, is_high, is_low) \
    results.exact<unsigned>(__LINE__, #call, (unsigned)(want)); \
    results.exact<unsigned>(__LINE__, #call, (unsigned)(is_high)); \
    results.exact<unsigned>(__LINE__, #call, (unsigned)(is_low));
#define DIRECTED(cost, name, arguments, value, type) { \
        type four[4]; \
        directed(four, value); \
        for (type want : four) results.exact<type>(__LINE__, #name, want); \
    }
#define WHOLE(cost, name, argument, type, nan) \
    results.exact<type>(__LINE__, #name, nearest_integer<type>(std::rint(argument), nan)); \
    results.exact<type>(__LINE__, #name, nearest_integer<type>(std::trunc(argument), nan)); \
    results.exact<type>(__LINE__, #name, nearest_integer<type>(std::ceil(argument), nan)); \
    results.exact<type>(__LINE__, #name, nearest_integer<type>(std::floor(argument), nan));
#define REAL(cost, ulp_f, ulp_d, name, arguments, want) { \
        const float r = f, s = g, t = h, o = e; \
        const long double R = r, S = s, T = t, O = o; \
        (void)r, (void)s, (void)t, (void)o, (void)R, (void)S, (void)T, (void)O; \
        results.close<float>(__LINE__, #name "f", ulp_f, want); \
        results.close<float>(__LINE__, #name, ulp_f, want); \
    } { \
        const double r = x, s = y, t = z, o = d; \
        const long double R = r, S = s, T = t, O = o; \
        (void)r, (void)s, (void)t, (void)o, (void)R, (void)S, (void)T, (void)O; \
        results.close<double>(__LINE__, #name, ulp_d, want); \
    }
#define PARTS(cost, ulp, type1, type2, call, want1, want2) \
    results.close<type1>(__LINE__, #call, ulp, want1); \
    results.close<type2>(__LINE__, #call, ulp, want2);

// A number of 16 bits, and the bits of a number: @f: bits of the fraction, @least: the least exponent.
static long double value_of(unsigned code, int f, int least) {
    const int exponent = code >> f & (0x7fff >> f), most = 0x7fff >> f, rest = code & ((1 << f) - 1);
    const long double magnitude = exponent == most ? (rest ? NAN : INFINITY) : ldexpl(rest + (exponent ? 1 << f : 0), least - f + (exponent ? exponent - 1 : 0));
    return code >> 15 ? -magnitude : magnitude;
}
static long double value_h(unsigned code) { return value_of(code & 0xffff, 10, -14); }
static long double value_b(unsigned code) { return value_of(code & 0xffff, 7, -126); }
// The codes below and above a magnitude, by halving; then the nearer one, or the one that the mode says: 0 to nearest, 1 to 0, 2 up, 3 down.
static unsigned code_of(__float128 value, int f, int least, int mode) {
    const unsigned sign = value < 0 || (value == 0 && std::signbit((double)value)) ? 0x8000 : 0, infinity = 0x7fffu >> f << f;
    const __float128 magnitude = value < 0 ? -value : value;
    if (value != value) {
        return 0x7fff;
    }
    unsigned low = 0, high = infinity; /* of finite numbers, and what may be infinity */
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (value_of(middle, f, least) <= magnitude ? low : high) = middle;
    }
    const __float128 below = value_of(low, f, least), above = high == infinity ? 2 * below - value_of(low - 1, f, least) : value_of(high, f, least);
    const bool up = mode == (sign ? 3 : 2), infinite = magnitude == (__float128)INFINITY;
    if (magnitude == below || infinite) {
        return sign | (infinite ? infinity : low);
    }
    if (mode) {
        return sign | (up ? high : low);
    }
    const __float128 to_low = magnitude - below, to_high = above - magnitude;
    return sign | (to_low < to_high || (to_low == to_high && low % 2 == 0) ? low : high);
}
static unsigned code_h(__float128 value, int mode = 0) { return code_of(value, 10, -14, mode); }
static unsigned code_b(__float128 value, int mode = 0) { return code_of(value, 7, -126, mode); }
static __float128 within_1(__float128 v) { return v > 0 ? (v < 1 ? v : 1) : 0; }

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

static void check_integer(const Arguments &k, Results results) {
    ARGUMENTS(k);
    results.file = "integer.cuh";
#include "functions/integer.cuh"
    results.file = "simd.cuh";
#include "functions/simd.cuh"
}

static void check_real(const Arguments &k, Results results) {
    ARGUMENTS(k);
    results.file = "rounding.cuh";
#include "functions/rounding.cuh"
    results.file = "math.cuh";
#include "functions/math.cuh"
}

#define MATCHED(call, want, want_all) \
    results.exact<unsigned>(__LINE__, #call, want); \
    results.exact<int>(__LINE__, #call, want_all);
#define STORED(cost, name, value) results.exact<double>(__LINE__, #name, value);
#undef EXACT
#define EXACT(cost, call, ...) results.same(__LINE__, #call, __VA_ARGS__); /* the host has no such functions to ask for their types */
static void check_memory(const Arguments &k, Results results) {
    ARGUMENTS(k);
    const int t = k.t;
    results.file = "warp.cuh";
#include "functions/warp.cuh"
    results.file = "memory.cuh";
#include "functions/memory.cuh"
}

// The value for one, and for the two of a word; -0 is 0 where the value is one of a choice.
template <class F> static void narrow(Results &results, int line, const char *name, bool half, const unsigned (&code)[9], F value) {
    const unsigned got = results.take<unsigned short>(), two = results.take<unsigned>();
    for (int i = 0; i < 3; i++) {
        __float128 v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = half ? value_h(code[3 * i + k]) : value_b(code[3 * i + k]);
        }
        const __float128 wide = value(v[0], v[1], v[2]);
        const unsigned want = half ? code_h(wide) : code_b(wide), is = i == 0 ? got : two >> 16 * (i - 1) & 0xffff;
        if (is != want && ((is | want) & 0x7fff)) {
            results.fail(line, name, is, want);
        }
    }
}
#define CODES(x, y, z, v, w, u) {x, y, z, v & 0xffff, w & 0xffff, u & 0xffff, v >> 16, w >> 16, u >> 16}
#define NARROW(cost, name, name2, arguments, value) { \
        auto of = [](__float128 x, __float128 y, __float128 z) -> __float128 { (void)x, (void)y, (void)z; return value; }; \
        narrow(results, __LINE__, #name, true, CODES(i, j, m16, v, w, u), of); \
        narrow(results, __LINE__, #name, false, CODES(j, i, m16, v, w, u), of); \
    }
#define COMPARE_OF(name, one, value, i, j, ...) { \
        auto is = [](long double x, long double y) -> unsigned { return __VA_ARGS__; }; \
        const unsigned low = is(value(v), value(w)), high = is(value(v >> 16), value(w >> 16)); \
        results.same(__LINE__, #name, (bool)is(value(i), value(j))); \
        results.same(__LINE__, #name, (high << 16 | low) * one); \
        results.same(__LINE__, #name, (high << 16 | low) * 0xffff); \
        results.same(__LINE__, #name, high && low); \
    }
#define COMPARE(cost, name, relation) \
    COMPARE_OF(name, 0x3c00u, value_h, i, j, relation) COMPARE_OF(name##u, 0x3c00u, value_h, i, j, (relation) || x != x || y != y) \
    COMPARE_OF(name, 0x3f80u, value_b, j, i, relation) COMPARE_OF(name##u, 0x3f80u, value_b, j, i, (relation) || x != x || y != y)
#define CAST_TO(cost, name, type, nan) { \
        const double of_half = value_h(i), of_bfloat16 = value_b(j); \
        WHOLE(cost, name, of_half, type, nan) WHOLE(cost, name, of_bfloat16, type, nan) \
    }
#define CAST_FROM(cost, name, value) \
    for (int mode = 0; mode < 4; mode++) results.same(__LINE__, #name, (unsigned short)code_h(value, mode)); \
    for (int mode = 0; mode < 4; mode++) results.same(__LINE__, #name, (unsigned short)code_b(value, mode));
#define BITS(cost, call, ...) results.same(__LINE__, #call, (unsigned)(__VA_ARGS__));
static void check_narrow(const Arguments &k, Results results) {
    ARGUMENTS(k);
    const unsigned short i = k.half[0], j = k.half[1], m16 = k.half[2];
    results.file = "narrow.cuh";
#include "functions/narrow.cuh"
}

typedef std::complex<long double> LongComplex;
// Within @ulp of the magnitude.
#define COMPLEX(type, ulp, call, want) { \
        const LongComplex value = want; \
        const type x = results.take<type>(), y = results.take<type>(); \
        if (std::abs(LongComplex(x, y) - value) > ulp * std::numeric_limits<type>::epsilon() * std::abs(value)) results.fail(__LINE__, #call, x, value.real()); \
    }
static void check_complex(const Arguments &k, Results results) {
    ARGUMENTS(k);
    results.file = "complex.cuh";
    const LongComplex c1(g, h), c2(e, g), d1(y, z), d2(d, y);
#include "functions/complex.cuh"
}

#define ATOMIC(cost, type, before, after, name, ...) \
    for (int i = 0; i < 3; i++, at += 2) { \
        const type old = before; \
        memcpy(at, &old, sizeof old); \
    }
static void set_atomics(unsigned long long *at) {
#include "functions/atomics.cuh"
}
#undef ATOMIC
#define ATOMIC(cost, type, before, after, name, ...) \
    for (int i = 0; i < 3; i++, at += 2) { \
        type now; \
        memcpy(&now, at, sizeof now); \
        if (now != (type)(after)) results.fail(__LINE__, #name, now, number((type)(after))); \
        results.exact<type>(__LINE__, #name, before); \
    }
static void check_atomics(const unsigned long long *at, Results results) {
#include "functions/atomics.cuh"
}

#define ROOM (1 << 20)
static void run_rows(void (*kernel)(const Arguments *, unsigned long long *), void (*check)(const Arguments &, Results)) {
    static unsigned long long got[ROOM / 8];
    Arguments host[THREADS], *device;
    unsigned long long *results;
    for (int t = 0; t < THREADS; t++) {
        host[t] = arguments_of(t);
    }
    cudaMalloc(&device, sizeof host);
    cudaMalloc(&results, ROOM);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    kernel<<<1, THREADS>>>(device, results);
    cudaMemcpy(got, results, ROOM, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++) {
        check(host[t], Results{got + t, ""});
    }
}

static void run_all_atomics() {
    static unsigned long long host[1024], got[ROOM / 8];
    unsigned long long *device, *results;
    set_atomics(host);
    cudaMalloc(&device, sizeof host);
    cudaMalloc(&results, ROOM);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    run_atomics<<<1, 1>>>(device, results);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(got, results, ROOM, cudaMemcpyDeviceToHost);
    check_atomics(host, Results{got, "atomics.cuh"});
}

int main() {
    wrong += cudaDeviceSetLimit(cudaLimitMallocHeapSize, HEAP) != cudaSuccess;
    run_all_atomics();
    run_rows(run_integer, check_integer);
    run_rows(run_real, check_real);
    run_rows(run_complex, check_complex);
    run_rows(run_memory, check_memory);
    run_rows(run_narrow, check_narrow);
    wrong += cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * HEAP) != cudaErrorInvalidValue;
    printf(wrong ? "wrong\n" : "right\n");
    return wrong != 0;
}
#endif
