// SPDX-License-Identifier: Apache-2.0
// libcu++: atomics with orders and scopes, barriers, pipelines, copies, and the C++ library on the device. capture_libcu_test.py
// reads the trace of `copies` and `phases`.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;
#define THREADS 96
static int wrong;

struct Pair {
    int low, high;
};
__device__ cuda::atomic<int, cuda::thread_scope_device> total;
__device__ cuda::atomic<unsigned long long> wide;
__device__ cuda::atomic<Pair> pair;
__device__ cuda::std::atomic<double> real;
__device__ int plain;

__global__ void atomics(int *out) {
    const int t = threadIdx.x;
    total.fetch_add(t, cuda::memory_order_relaxed);
    total += 1;
    wide.fetch_max(1ull << (t % 40), cuda::std::memory_order_acq_rel);
    real.fetch_add(0.5);
    cuda::atomic_ref<int, cuda::thread_scope_block> ref(plain);
    ref.fetch_xor(t + 1);
    ref--;
    ref++;
    Pair old = pair.load();
    while (!pair.compare_exchange_weak(old, Pair{old.low + t, old.high - 1})) {
    }
    if (t == 0) {
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        __shared__ cuda::atomic<float, cuda::thread_scope_block> f;
        f.store(1.5f, cuda::memory_order_release);
        out[0] = (int)(f.exchange(4.0f) * 2) + (int)(f.fetch_min(3.0f) * 10) + (int)f.load() * 1000;
    }
}

// A line for each copy, so that its instructions are known.
template <class P> __device__ void copy_16(float *to, const float *from, P &pipe) {
    cuda::memcpy_async(to, from, cuda::aligned_size_t<16>(16), pipe);
}
template <class P> __device__ void copy_4(float *to, const float *from, P &pipe) {
    cuda::memcpy_async(to, from, sizeof(float), pipe);
}
__global__ void copies(float *out, const float *in) {
    __shared__ __align__(16) float a[4 * THREADS];
    __shared__ alignas(64) float b[THREADS];
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    copy_16(a + 4 * t, in + 4 * t, pipe);
    copy_4(b + t, in + t, pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    out[t] = a[4 * (THREADS - 1 - t) + 3] + b[(t + 1) % THREADS];
}

struct Count {
    int *at;
    __device__ void operator()() { ++*at; }
};
__device__ int completions;
struct CountGlobal {
    __device__ void operator()() { completions++; }
};
__global__ void phases(int *out, int rounds) {
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    __shared__ cuda::barrier<cuda::thread_scope_block, CountGlobal> counted;
    __shared__ int values[THREADS];
    const int t = threadIdx.x;
    if (t == 0) {
        init(&all, THREADS);
        init(&counted, THREADS);
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        values[t] = t * 100 + i;
        auto token = all.arrive();
        all.wait(cuda::std::move(token));
        sum += values[(t + 33) % THREADS];
        counted.arrive_and_wait();
    }
    out[t] = sum;
}
__global__ void drops(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> shrinking;
    __shared__ cuda::latch<cuda::thread_scope_block> ready;
    __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 4> items;
    __shared__ int count;
    const int t = threadIdx.x;
    if (t == 0) {
        new (&shrinking) cuda::barrier<cuda::thread_scope_block>(THREADS);
        new (&ready) cuda::latch<cuda::thread_scope_block>(THREADS);
        new (&items) cuda::counting_semaphore<cuda::thread_scope_block, 4>(0);
        count = 0;
    }
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        if (t / 32 == i) {
            shrinking.arrive_and_drop();
            break;
        }
        shrinking.arrive_and_wait();
        atomicAdd(&count, 1);
    }
    ready.arrive_and_wait();
    if (t < 32) {
        items.acquire(); // of what the last warp releases
        atomicAdd(&count, 100);
    } else if (t >= 64) {
        items.release();
    }
    __syncthreads();
    out[t] = count;
}

// Warp 0 produces, the others consume; then all do both.
__global__ void stages(int *out, const int *in) {
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> split_state, joint_state;
    __shared__ int ring[2][32];
    __shared__ int4 tiles[2][2 * THREADS];
    const int t = threadIdx.x;
    auto block = cg::this_thread_block();
    auto split = cuda::make_pipeline(block, &split_state, t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        if (t < 32) {
            split.producer_acquire();
            cuda::memcpy_async(&ring[i % 2][t], &in[32 * i + t], sizeof(int), split);
            split.producer_commit();
        } else {
            split.consumer_wait();
            sum = sum * 3 + ring[i % 2][(t * 7 + i) % 32];
            split.consumer_release();
        }
    }
    auto joint = cuda::make_pipeline(block, &joint_state);
    for (int i = 0; i < 3; i++) {
        joint.producer_acquire();
        cuda::memcpy_async(block, tiles[i % 2], (const int4 *)in + i * THREADS, cuda::aligned_size_t<16>(sizeof tiles[0]), joint);
        joint.producer_commit();
        joint.consumer_wait();
        sum += tiles[i % 2][(t + 50) % (2 * THREADS)].z + 3 * tiles[i % 2][(t + 50 + THREADS) % (2 * THREADS)].z;
        joint.consumer_release();
    }
    out[t] = sum;
}

__global__ void library(double *out) {
    using C = cuda::std::complex<double>;
    cuda::std::array<int, 3> a{{4, 5, 6}};
    auto both = cuda::std::make_tuple(3, 2.5);
    static_assert(cuda::std::is_same<cuda::std::conditional<true, int, char>::type, int>::value, "");
    const C z = C(1, 2) * C(3, -1) / C(0, 1);
    out[0] = z.real(), out[1] = z.imag(), out[2] = cuda::std::numeric_limits<float>::max();
    out[3] = a[1] + cuda::std::get<0>(both) * cuda::std::get<1>(both);
}

#ifndef __CUDA_ARCH__
template <class T> static void compare(const char *what, int t, T got, T want) {
    if (got != want && wrong++ < 20) {
        printf("%s: %d: is %g, must be %g\n", what, t, (double)got, (double)want);
    }
}
static int input(int i) { return i * i * 7 + 3; }

int main() {
    static int in[16 * THREADS], out[THREADS];
    static float floats[4 * THREADS], sums[THREADS];
    int *device_in, *device_out;
    for (int i = 0; i < 16 * THREADS; i++) {
        in[i] = input(i);
    }
    for (int i = 0; i < 4 * THREADS; i++) {
        floats[i] = i * 0.25f;
    }
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, 4096);
    auto take = [&](void *to, size_t bytes) { cudaMemcpy(to, device_out, bytes, cudaMemcpyDeviceToHost); };

    atomics<<<1, THREADS>>>(device_out);
    take(out, 4);
    int sum = 0, bits = 0;
    for (int t = 0; t < THREADS; t++) {
        sum += t, bits ^= t + 1;
    }
    struct { int total; unsigned long long wide; Pair pair; double real; int plain; } now;
    cudaMemcpyFromSymbol(&now.total, total, sizeof now.total);
    cudaMemcpyFromSymbol(&now.wide, wide, sizeof now.wide);
    cudaMemcpyFromSymbol(&now.pair, pair, sizeof now.pair);
    cudaMemcpyFromSymbol(&now.real, real, sizeof now.real);
    cudaMemcpyFromSymbol(&now.plain, plain, sizeof now.plain);
    compare("atomics", 0, out[0], 3 + 40 + 3000);
    compare("atomics", 1, now.total, sum + THREADS);
    compare("atomics", 2, now.wide, 1ull << 39);
    compare("atomics", 3, now.pair.low * 1000 + now.pair.high, sum * 1000 - THREADS);
    compare("atomics", 4, now.real, 0.5 * THREADS);
    compare("atomics", 5, now.plain, bits);

    cudaMemcpy(device_in, floats, sizeof floats, cudaMemcpyHostToDevice);
    copies<<<1, THREADS>>>((float *)device_out, (const float *)device_in);
    take(sums, sizeof sums);
    for (int t = 0; t < THREADS; t++) {
        compare("copies", t, sums[t], floats[4 * (THREADS - 1 - t) + 3] + floats[(t + 1) % THREADS]);
    }

    phases<<<1, THREADS>>>(device_out, 5);
    take(out, sizeof out);
    int count;
    cudaMemcpyFromSymbol(&count, completions, sizeof count);
    compare("phases", -1, count, 5);
    for (int t = 0; t < THREADS; t++) {
        compare("phases", t, out[t], 5 * 100 * ((t + 33) % THREADS) + 10);
    }

    drops<<<1, THREADS>>>(device_out);
    take(out, sizeof out);
    for (int t = 0; t < THREADS; t++) {
        compare("drops", t, out[t], 32 * (0 + 1 + 2) + 3200);
    }

    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    stages<<<1, THREADS>>>(device_out, device_in);
    take(out, sizeof out);
    for (int t = 0; t < THREADS; t++) {
        int want = 0;
        for (int i = 0; t >= 32 && i < 5; i++) {
            want = want * 3 + input(32 * i + (t * 7 + i) % 32);
        }
        for (int i = 0; i < 3; i++) {
            auto at = [&](int tile) { return input(4 * (i * THREADS + tile % (2 * THREADS)) + 2); };
            want += at(t + 50) + 3 * at(t + 50 + THREADS);
        }
        compare("stages", t, out[t], want);
    }

    double values[4];
    library<<<1, 1>>>((double *)device_out);
    take(values, sizeof values);
    compare("library", 0, values[0], 5.0);
    compare("library", 1, values[1], -5.0);
    compare("library", 2, values[2], (double)std::numeric_limits<float>::max());
    compare("library", 3, values[3], 12.5);

    cuda::std::atomic<int> host(3); // on the host as well
    host += 4;
    compare("host", 0, host.load(), 7);
    printf(wrong ? "wrong\n" : "right\n");
    return wrong != 0;
}
#endif
