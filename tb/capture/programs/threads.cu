// SPDX-License-Identifier: Apache-2.0
// Threads of the host that use the device together: each has its stream and its errors. Prints the launches in their order.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static int wrong;
static std::mutex guard;
static std::string order;
#define CHECK(good) \
    do { \
        if (!(good)) { \
            std::lock_guard<std::mutex> lock(guard); \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #good); \
            wrong = 1; \
        } \
    } while (0)

static const int THREADS = 6, STEPS = 5, N = 256;

template <int step> __global__ void add(int *p, int thread) {
    __shared__ int s[64];
    s[threadIdx.x] = p[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    p[blockIdx.x * 64 + threadIdx.x] = 2 * s[63 - threadIdx.x] + thread + step;
}

// Each launch and its line in the list are one, so that the order is known.
template <int step> static void launch(int *p, int thread, cudaStream_t stream) {
    std::lock_guard<std::mutex> lock(guard);
    add<step><<<N / 64, 64, 0, stream>>>(p, thread);
    order += "add<" + std::to_string(step) + "> ";
}

// A callback that another thread must continue.
struct Signal {
    std::mutex m;
    std::condition_variable c;
    bool on = false;
    void set() {
        std::lock_guard<std::mutex> lock(m);
        on = true;
        c.notify_all();
    }
    void wait() {
        std::unique_lock<std::mutex> lock(m);
        c.wait(lock, [&] { return on; });
    }
};
static Signal called, go_on;
static void wait_for_another(void *) {
    called.set();
    go_on.wait();
}
static void CUDART_CB count(cudaStream_t, cudaError_t error, void *data) { *(int *)data += error == cudaSuccess; }

static void work(int thread) {
    std::vector<int> host(N), want(N);
    cudaStream_t stream;
    int *p, device = -1, callbacks = 0;
    CHECK(!cudaSetDevice(0) && !cudaGetDevice(&device) && device == 0);
    CHECK(!cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int round = 0; round < 20; round++) {
        CHECK(!cudaMalloc(&p, N * sizeof(int)));
        for (int i = 0; i < N; i++) {
            host[i] = want[i] = i * thread;
        }
        CHECK(!cudaMemcpyAsync(p, host.data(), N * sizeof(int), cudaMemcpyHostToDevice, stream));
        if (round == 0) {
            launch<0>(p, thread, stream);
            launch<1>(p, thread, stream);
            launch<2>(p, thread, stream);
            launch<3>(p, thread, stream);
            launch<4>(p, thread, stream);
        } else {
            launch<0>(p, thread, cudaStreamPerThread);
        }
        CHECK(!cudaStreamAddCallback(stream, count, &callbacks, 0));
        CHECK(!cudaMemcpyAsync(host.data(), p, N * sizeof(int), cudaMemcpyDeviceToHost, stream));
        CHECK(!cudaStreamSynchronize(stream));
        for (int step = 0; step < (round ? 1 : STEPS); step++) {
            std::vector<int> before = want;
            for (int i = 0; i < N; i++) {
                want[i] = 2 * before[i / 64 * 64 + 63 - i % 64] + thread + step;
            }
        }
        CHECK(host == want);
        CHECK(!cudaFree(p));
        // An error is that thread's.
        if (thread % 2) {
            add<0><<<1, 2000>>>(p, thread);
        }
        CHECK(cudaGetLastError() == (thread % 2 ? cudaErrorInvalidConfiguration : cudaSuccess));
    }
    CHECK(callbacks == 20);
    CHECK(!cudaStreamDestroy(stream));
}

int main() {
    std::vector<std::thread> threads;
    for (int t = 0; t < THREADS; t++) {
        threads.emplace_back(work, t);
    }
    for (std::thread &t : threads) {
        t.join();
    }
    // The device is free while a callback waits.
    std::thread waits([] { CHECK(!cudaLaunchHostFunc(0, wait_for_another, nullptr)); });
    called.wait();
    int *p;
    CHECK(!cudaMalloc(&p, N * sizeof(int)) && !cudaMemset(p, 0, N * sizeof(int)));
    launch<3>(p, 0, 0);
    CHECK(!cudaDeviceSynchronize());
    go_on.set();
    waits.join();
    printf("%s\n%s\n", order.c_str(), wrong ? "wrong" : "right");
    return wrong;
}
