// SPDX-License-Identifier: Apache-2.0
// One kernel for each part of CUDA that capture supports; each checks its own result.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <cstring>
#include <vector>

static int wrong;
#define CHECK(good) \
    do { \
        if (!(good)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #good); \
            wrong = 1; \
        } \
    } while (0)

template <class T> static T *device_of(const std::vector<T> &v) {
    T *p = nullptr;
    CHECK(cudaMalloc(&p, v.size() * sizeof(T)) == cudaSuccess);
    CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
    return p;
}

template <class T> static std::vector<T> host_of(const T *p, size_t count) {
    std::vector<T> v(count);
    CHECK(cudaMemcpy(v.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return v;
}

// A template, a struct by value with a dynamic index, constants, static shared memory, a barrier in a loop.
struct Parameters {
    float scale;
    int count;
    float offset[3];
};
__constant__ float coefficient[4];
template <class T, int BLOCK> __global__ void reduce(const T *__restrict__ in, T *out, Parameters p) {
    __shared__ T part[BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < p.count ? in[i] * p.scale + p.offset[i % 3] * coefficient[i & 3] : 0;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d) {
            part[threadIdx.x] += part[threadIdx.x + d];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = part[0];
    }
}

static void try_reduce() {
    const int n = 1000;
    std::vector<float> in(n, 1.5f), out(8);
    const float c[4] = {1, 2, 3, 4};
    Parameters p = {2, n, {1, 2, 3}};
    CHECK(cudaMemcpyToSymbol(coefficient, c, sizeof c) == cudaSuccess);
    float *device_out = device_of(out);
    reduce<float, 128><<<8, 128>>>(device_of(in), device_out, p);
    double sum = 0, want = 0;
    for (float f : host_of(device_out, 8)) {
        sum += f;
    }
    for (int i = 0; i < n; i++) {
        want += 1.5 * 2 + p.offset[i % 3] * c[i & 3];
    }
    CHECK(sum == want);
}

// Dynamic shared memory, atomics on shared and global memory, a device array.
__device__ int total[4];
extern __shared__ int bins[];
__global__ void histogram(const unsigned char *in, int n, int *out, int bin_count) {
    for (int i = threadIdx.x; i < bin_count; i += blockDim.x) {
        bins[i] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        atomicAdd(&bins[in[i] % bin_count], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < bin_count; i += blockDim.x) {
        atomicAdd(&out[i], bins[i]);
        atomicMax(&total[0], bins[i]);
        atomicCAS(&total[1], 0, 7);
    }
}

static void try_histogram() {
    const int n = 3000, count = 40;
    std::vector<unsigned char> in(n);
    std::vector<int> want(count);
    for (int i = 0; i < n; i++) {
        in[i] = (unsigned char)(i * i / 3);
        want[in[i] % count]++;
    }
    int *out = device_of(std::vector<int>(count)), from_symbol[4];
    histogram<<<3, 96, count * sizeof(int)>>>(device_of(in), n, out, count);
    CHECK(host_of(out, count) == want);
    CHECK(cudaMemcpyFromSymbol(from_symbol, total, sizeof from_symbol) == cudaSuccess);
    CHECK(from_symbol[0] > 0 && from_symbol[1] == 7 && from_symbol[2] == 0);
}

// Pitched memory, CTAs of two dimensions, early return.
__global__ void stencil(const char *in, char *out, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) {
        return;
    }
    const float *row = (const float *)(in + y * pitch);
    float sum = row[x];
    if (x > 0) {
        sum += row[x - 1];
    }
    if (y + 1 < height) {
        sum += ((const float *)(in + (y + 1) * pitch))[x];
    }
    ((float *)(out + y * pitch))[x] = sum;
}

static void try_stencil() {
    const int width = 37, height = 21;
    std::vector<float> in(width * height), got(width * height);
    for (int i = 0; i < width * height; i++) {
        in[i] = (float)(i % 11);
    }
    char *a, *b;
    size_t pitch;
    CHECK(cudaMallocPitch(&a, &pitch, width * 4, height) == cudaSuccess && pitch >= width * 4);
    CHECK(cudaMallocPitch(&b, &pitch, width * 4, height) == cudaSuccess);
    CHECK(cudaMemcpy2D(a, pitch, in.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice) == cudaSuccess);
    stencil<<<dim3(3, 3), dim3(16, 8)>>>(a, b, pitch, width, height);
    CHECK(cudaMemcpy2D(got.data(), width * 4, b, pitch, width * 4, height, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float want = in[y * width + x] + (x ? in[y * width + x - 1] : 0) + (y + 1 < height ? in[(y + 1) * width + x] : 0);
            CHECK(got[y * width + x] == want);
        }
    }
}

// Vectors, structs of 12 bytes, doubles, arrays of a thread, math, a CTA of three dimensions.
struct Point {
    float x, y, z;
};
__global__ void mixed(const float4 *v, const Point *p, double *d, float *f) {
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    float own[8];
    for (int i = 0; i < 8; i++) {
        own[(i * 3 + t) % 8] = (float)i;
    }
    float4 a = v[t];
    Point b = p[t];
    d[t] = (double)a.x + a.y * b.x + sqrt((double)t);
    f[t] = own[t % 8] + fmaxf(a.z, b.y) + expf(0.0f) + (float)min(t, 5) + powf(2, 3) + __fdividef(b.z, 2) + fabsf(-1.0f);
}

static void try_mixed() {
    const int n = 4 * 3 * 5;
    std::vector<float4> v(n);
    std::vector<Point> p(n);
    for (int t = 0; t < n; t++) {
        v[t] = make_float4(t, 2, 3, 4);
        p[t] = Point{1, (float)(t % 7), 6};
    }
    double *d = device_of(std::vector<double>(n));
    float *f = device_of(std::vector<float>(n));
    mixed<<<1, dim3(4, 3, 5)>>>(device_of(v), device_of(p), d, f);
    std::vector<double> got_d = host_of(d, n);
    std::vector<float> got_f = host_of(f, n);
    for (int t = 0; t < n; t++) {
        float own[8];
        for (int i = 0; i < 8; i++) {
            own[(i * 3 + t) % 8] = (float)i;
        }
        CHECK(got_d[t] == t + 2.0 + std::sqrt((double)t));
        CHECK(got_f[t] == own[t % 8] + std::fmax(3.0f, (float)(t % 7)) + 1 + (t < 5 ? t : 5) + 8 + 3 + 1);
    }
}

// A pointer whose space the code does not tell; printf; a switch; break and continue.
__global__ void generic(const int *in, int *out, int from_shared) {
    __shared__ int copy[64];
    copy[threadIdx.x] = 2 * in[threadIdx.x];
    __syncthreads();
    const int *p = from_shared ? copy : in;
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        if (p[i] % 5 == 1) {
            continue;
        }
        if (p[i] > 100 + (int)threadIdx.x) {
            break;
        }
        switch (p[i] % 4) {
        case 0: sum += 1;
        case 1: sum += p[i]; break;
        case 2: sum -= 3; break;
        default: sum ^= 5;
        }
    }
    out[threadIdx.x] = sum;
    if (threadIdx.x == 3 && from_shared) {
        printf("thread %d of %s: %.2f, %5ld, %c%%\n", (int)threadIdx.x, "generic", 1.25f, 70000000000L, 'x');
    }
}

static int generic_want(const std::vector<int> &p, int t) {
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        if (p[i] % 5 == 1) {
            continue;
        }
        if (p[i] > 100 + t) {
            break;
        }
        switch (p[i] % 4) {
        case 0: sum += 1; // falls through
        case 1: sum += p[i]; break;
        case 2: sum -= 3; break;
        default: sum ^= 5;
        }
    }
    return sum;
}

static void try_generic() {
    std::vector<int> in(64), twice(64);
    for (int i = 0; i < 64; i++) {
        in[i] = (i * 37 + 5) % 90;
        twice[i] = 2 * in[i];
    }
    int *device = device_of(in), *out = device_of(std::vector<int>(64));
    for (int shared = 0; shared < 2; shared++) {
        generic<<<1, 64>>>(device, out, shared);
        std::vector<int> got = host_of(out, 64);
        for (int t = 0; t < 64; t++) {
            CHECK(got[t] == generic_want(shared ? twice : in, t));
        }
    }
}

// Shuffles and votes: a sum by halves, a scan, a broadcast within 8 lanes, ballots of lanes that differ.
__global__ void lanes(const int *in, int *sum, int *scan, int *first, unsigned *odd, double *wide) {
    int t = threadIdx.x, lane = t % 32, v = in[t], s = v, p = v;
    for (int d = 16; d > 0; d /= 2) {
        s += __shfl_down_sync(0xffffffff, s, d);
    }
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, p, d);
        if (lane >= d) {
            p += other;
        }
    }
    sum[t] = __shfl_sync(0xffffffff, s, 0);
    scan[t] = p;
    first[t] = __shfl_sync(0xffffffff, v, 0, 8);
    odd[t] = __ballot_sync(0xffffffff, v & 1);
    if (lane < 16) { // one half of the warp
        odd[t] += __any_sync(0xffff, v > 1000) + 2 * __all_sync(0xffff, v >= 0);
    }
    wide[t] = __shfl_xor_sync(0xffffffff, v + 0.5, 1);
    __syncwarp();
}

static void try_lanes() {
    std::vector<int> in(64);
    for (int t = 0; t < 64; t++) {
        in[t] = t * t % 37;
    }
    int *sum = device_of(std::vector<int>(64)), *scan = device_of(std::vector<int>(64)), *first = device_of(std::vector<int>(64));
    unsigned *odd = device_of(std::vector<unsigned>(64));
    double *wide = device_of(std::vector<double>(64));
    lanes<<<1, 64>>>(device_of(in), sum, scan, first, odd, wide);
    std::vector<int> got_sum = host_of(sum, 64), got_scan = host_of(scan, 64), got_first = host_of(first, 64);
    std::vector<unsigned> got_odd = host_of(odd, 64);
    std::vector<double> got_wide = host_of(wide, 64);
    for (int t = 0; t < 64; t++) {
        int from = t / 32 * 32, whole = 0, part = 0;
        unsigned ballot = 0;
        for (int i = from; i < from + 32; i++) {
            whole += in[i];
            part += i <= t ? in[i] : 0;
            ballot |= (unsigned)(in[i] & 1) << (i - from);
        }
        CHECK(got_sum[t] == whole && got_scan[t] == part && got_first[t] == in[t / 8 * 8]);
        CHECK(got_odd[t] == ballot + (t % 32 < 16 ? 2 : 0));
        CHECK(got_wide[t] == in[t ^ 1] + 0.5);
    }
}

// A texture reference on linear memory; beyond its end it reads 0.
texture<float, 1, cudaReadModeElementType> table;
__global__ void fetch(float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = tex1Dfetch(table, t * 3 % n) + tex1Dfetch(table, n + t);
}

static void try_texture() {
    std::vector<float> in(50);
    for (int i = 0; i < 50; i++) {
        in[i] = (float)(i * i);
    }
    float *p = device_of(in), *out = device_of(std::vector<float>(64));
    size_t offset = 1;
    CHECK(cudaBindTexture(&offset, table, p, 50 * sizeof(float)) == cudaSuccess && offset == 0);
    fetch<<<2, 32>>>(out, 50);
    std::vector<float> got = host_of(out, 64);
    for (int t = 0; t < 64; t++) {
        CHECK(got[t] == in[t * 3 % 50]);
    }
    CHECK(cudaUnbindTexture(table) == cudaSuccess);

    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaBindTexture(NULL, &table, p + 1, &floats, 49 * sizeof(float)) == cudaSuccess);
    fetch<<<1, 32>>>(out, 49);
    CHECK(host_of(out, 64)[1] == in[4]);
    CHECK(cudaUnbindTexture(&table) == cudaSuccess);
}

// The API: errors, streams, events, properties, managed memory.
static void try_api() {
    CHECK(!strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    CHECK(!strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
    void *p;
    int *managed, count;
    float ms = -1;
    size_t left, all;
    cudaDeviceProp prop;
    cudaEvent_t begin, end;
    cudaStream_t stream;
    CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
    CHECK(cudaGetDeviceProperties(&prop, 0) == cudaSuccess && prop.warpSize == 32 && prop.maxThreadsPerBlock == 1024);
    CHECK(prop.maxGridSize[2] == 65535 && prop.major == 7 && prop.l2CacheSize == 2 << 20 && prop.regsPerMultiprocessor == 65536);
    CHECK(cudaMemGetInfo(&left, &all) == cudaSuccess && left <= all);
    CHECK(cudaMalloc(&p, (size_t)1 << 40) == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
    CHECK(cudaFree((void *)16) != cudaSuccess);
    CHECK(!strcmp(cudaGetErrorString(cudaSuccess), "no error"));
    cudaGetLastError();
    generic<<<1, 2000>>>(nullptr, nullptr, 0);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    CHECK(cudaMallocManaged(&managed, 256) == cudaSuccess);
    CHECK(cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess);
    cudaEventRecord(begin, stream);
    std::vector<int> in(64, 1);
    generic<<<1, 64, 0, stream>>>(device_of(in), managed, 0);
    cudaEventRecord(end, stream);
    CHECK(cudaEventSynchronize(end) == cudaSuccess && cudaEventElapsedTime(&ms, begin, end) == cudaSuccess && ms >= 0);
    CHECK(managed[5] == generic_want(in, 5));
    CHECK(cudaStreamDestroy(stream) == cudaSuccess && cudaEventDestroy(begin) == cudaSuccess && cudaFree(managed) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

// Barriers that count, of two warps and a part of one; what they are told is a new one at each.
__global__ void votes(const int *in, int *out) {
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 3; i++) {
        sum = sum * 100 + __syncthreads_count(in[t] > i);
    }
    out[t] = sum + 10000000 * __syncthreads_and(in[t] < 4) + 20000000 * __syncthreads_or(in[t] == 4) + 40000000 * __syncthreads_or(t == 69);
}

static void try_votes() {
    std::vector<int> in(70);
    int count[3] = {0};
    for (int t = 0; t < 70; t++) {
        in[t] = t * 5 % 4;
        for (int i = 0; i < 3; i++) {
            count[i] += in[t] > i;
        }
    }
    int *out = device_of(std::vector<int>(70));
    votes<<<1, 70>>>(device_of(in), out);
    for (int got : host_of(out, 70)) {
        CHECK(got == count[0] * 10000 + count[1] * 100 + count[2] + 50000000);
    }
}

// Arithmetic that C++ leaves open and a GPU defines: shifts by the width and more, floats that no integer has.
__global__ void extremes(const unsigned *amount, const float *f, const double *d, unsigned *shifted, int *whole) {
    int t = threadIdx.x;
    unsigned n = amount[t], *s = shifted + 5 * t;
    s[0] = 0x80000001u << n;
    s[1] = 0x80000001u >> n;
    s[2] = (unsigned)((int)0x80000001 >> n);
    s[3] = (unsigned)(0x8000000000000001ull << n >> 32);
    s[4] = (unsigned)((long long)0x8000000000000001ll >> n);
    whole[3 * t] = (int)f[t];
    whole[3 * t + 1] = (int)(unsigned)f[t];
    whole[3 * t + 2] = (int)((long long)d[t] >> 32);
}

template <class T> static T left_by(T v, unsigned n) { return n < 8 * sizeof v ? v << n : 0; }
template <class T> static T right_by(T v, unsigned n) { return n < 8 * sizeof v ? v >> n : v < 0 ? (T)-1 : 0; }

static void try_extremes() {
    const int most = 0x7fffffff, least = -most - 1;
    const std::vector<unsigned> amount = {0, 31, 32, 33, 64, 4000000000u};
    const std::vector<float> f = {-1.5f, 3e9f, 1e20f, -1e20f, NAN, 4e9f};
    const std::vector<double> d = {-1.5, 1e10, 1e30, -1e30, (double)NAN, 3e18};
    const std::vector<int> want = {-1, 0, -1,        most, (int)3000000000u, 2,   most, -1,                most,
                                   least, 0, least,  0,    0,                least, most, (int)4000000000u, 698491930};
    unsigned *shifted = device_of(std::vector<unsigned>(30));
    int *whole = device_of(std::vector<int>(18));
    extremes<<<1, 6>>>(device_of(amount), device_of(f), device_of(d), shifted, whole);
    std::vector<unsigned> got = host_of(shifted, 30);
    for (int i = 0; i < 6; i++) {
        unsigned n = amount[i], *s = &got[5 * i];
        CHECK(s[0] == left_by(0x80000001u, n) && s[1] == right_by(0x80000001u, n) && s[2] == (unsigned)right_by(least + 1, n));
        CHECK(s[3] == (unsigned)(left_by(0x8000000000000001ull, n) >> 32));
        CHECK(s[4] == (unsigned)right_by((long long)0x8000000000000001ull, n));
    }
    CHECK(host_of(whole, 18) == want);
}

int main() {
    try_reduce();
    try_histogram();
    try_stencil();
    try_mixed();
    try_generic();
    try_lanes();
    try_votes();
    try_extremes();
    try_texture();
    try_api();
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
