// SPDX-License-Identifier: Apache-2.0
// Threads that wait for others in a loop. Those that are waited for come later in the order of threads, warps and CTAs.
#include <cstdio>
#include <cuda/semaphore>
#include <cuda_runtime.h>
#include <vector>

static int wrong;
#define CHECK(good) \
    do { \
        if (!(good)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #good); \
            wrong = 1; \
        } \
    } while (0)

static __device__ int load(const int *p) { return *(const volatile int *)p; }

__global__ void lane_waits_for_lane(int *flag, int *out) {
    if (threadIdx.x == 0) {
        while (load(flag) == 0) {}
        out[0] = load(flag) + 1;
    }
    if (threadIdx.x == 31) {
        *flag = 41;
    }
}

__global__ void thread_waits_for_warp(int *, int *out) {
    __shared__ int flag;
    if (threadIdx.x == 0) {
        flag = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        while (load(&flag) == 0) {}
        out[0] = flag;
    }
    if (threadIdx.x == 255) {
        *(volatile int *)&flag = 7;
    }
    __syncthreads();
    out[threadIdx.x] += 1;
}

// Its own values survive while other CTAs run: in shared memory of both kinds, on its stack, in registers.
extern __shared__ int more[];
__global__ void cta_waits_for_cta(int *flag, int *out) {
    __shared__ int own[64];
    int seen[4] = {0, 0, 0, 0}, t = (int)threadIdx.x, n = 3 * (int)blockIdx.x + t;
    own[t] = n;
    more[t] = 5 * n;
    seen[n % 4] = n;
    __syncthreads();
    if (blockIdx.x + 1 < gridDim.x) {
        while (atomicAdd(&flag[blockIdx.x + 1], 0) == 0) {}
    }
    out[blockIdx.x * 64 + t] = own[63 - t] + more[t] + seen[n % 4];
    __syncthreads();
    if (t == 63) {
        atomicExch(&flag[blockIdx.x], 1);
    }
}

// Lane 0 holds the lock until all others of the warp want it.
__global__ void lock_in_a_warp(int *p, int *out) {
    const bool first = threadIdx.x % 32 == 0;
    int *lock = p + threadIdx.x / 32, *want = lock + 8;
    if (!first) {
        atomicAdd(want, 1);
    }
    for (bool done = false; !done;) {
        if ((first || load(want) > 31) && atomicCAS(lock, 0, 1) == 0) {
            if (first) {
                atomicAdd(want, 1);
                while (load(want) < 32) {}
            }
            out[threadIdx.x / 32] = load(&out[threadIdx.x / 32]) + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// All threads of the grid take one lock, in the order that they like; each holder waits once for the last thread.
__global__ void lock_of_the_grid(int *p, int *out) {
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1) {
        atomicExch(&p[1], 1);
    }
    while (atomicExch(&p[0], 1) != 0) {}
    while (load(&p[1]) == 0) {}
    *out = load(out) + 1;
    __threadfence();
    atomicExch(&p[0], 0);
}

// A node's thread adds its two children when they are done, which other CTAs have. Nodes of a thread are far apart.
__global__ void tree(int nodes, int *sum) {
    __shared__ int left[64];
    const int all = blockDim.x * gridDim.x;
    for (int k = (nodes - 1) / all * all + threadIdx.x + blockIdx.x * blockDim.x; k >= 0;) {
        if (k >= nodes) {
            k -= all;
        } else if (2 * k + 2 >= nodes) {
            *(volatile int *)&sum[k] = 1;
            k -= all;
        } else {
            left[threadIdx.x] = load(&sum[2 * k + 1]);
            const int right = load(&sum[2 * k + 2]);
            if (left[threadIdx.x] && right) {
                *(volatile int *)&sum[k] = left[threadIdx.x] + right + 1;
                k -= all;
            }
        }
    }
}

// From the root down, with a barrier in each iteration, which all threads pass. The first CTAs have the deepest nodes.
__global__ void depths(int nodes, int *depth) {
    const int all = blockDim.x * gridDim.x;
    for (int k = all - 1 - (threadIdx.x + blockIdx.x * blockDim.x); __syncthreads_or(k < nodes);) {
        if (k < nodes) {
            const int above = k ? load(&depth[(k - 1) / 2]) : 1;
            if (above) {
                *(volatile int *)&depth[k] = above + 1;
                k += all;
            }
        }
    }
}

// A barrier of the grid, as programs wrote it before CUDA had one.
__global__ void barrier_of_the_grid(int *count, int *out) {
    for (int round = 1; round <= 3; round++) {
        out[blockIdx.x * blockDim.x + threadIdx.x] += load(&out[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x + gridDim.x * blockDim.x]);
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count, 1);
            while (load(count) < round * (int)gridDim.x) {}
        }
        __syncthreads();
        if (round < 3) {
            out[(gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] += round;
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(count + 1, 1);
            while (load(count + 1) < round * (int)gridDim.x) {}
        }
        __syncthreads();
    }
}

// An iteration that reads much, and whose addresses are other ones when a part is done.
__global__ void rounds_over_many(int n, int *done) {
    for (bool missing = true; missing;) {
        missing = false;
        for (int k = threadIdx.x + blockIdx.x * blockDim.x; k < n; k += blockDim.x * gridDim.x) {
            if (!load(&done[k])) {
                if (k == n - 1 || load(&done[k + 1])) {
                    *(volatile int *)&done[k] = 1;
                } else {
                    missing = true;
                }
            }
        }
    }
}

// One lane polls for its warp, which votes in each iteration.
__global__ void warp_votes(int *flag, int *out) {
    if (blockIdx.x == 1) {
        atomicExch(flag, 1 + threadIdx.x);
        return;
    }
    const int lane = threadIdx.x % 32;
    while (!__any_sync(~0u, lane == 0 && load(flag) != 0)) {
        __nanosleep(20);
    }
    out[threadIdx.x] = __shfl_sync(~0u, lane, 31 - lane);
}

// Loops that count: one gives up, one is helped after many iterations of another one.
__global__ void counted(int *flag, int *out) {
    int n = 0;
    if (threadIdx.x == 0) {
        while (load(flag) == 0 && n < 50000) {
            n++;
        }
        *(volatile int *)flag = 1;
    } else {
        while (load(flag) == 0) {
            n++;
        }
    }
    out[threadIdx.x] = threadIdx.x == 0 ? n : 1;
}

// libcu++'s semaphore, whose count is 0 in memory that is 0.
__global__ void semaphore_of_the_device(int *p, int *out) {
    auto *doors = reinterpret_cast<cuda::counting_semaphore<cuda::thread_scope_device, 1024> *>(p);
    if (blockIdx.x == 0) {
        doors->acquire();
    } else {
        doors->release();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

static std::vector<int> ran(int words, void (*launch)(int *p, int *out)) {
    int *p, *out;
    std::vector<int> got(words);
    CHECK(cudaMalloc(&p, 4096) == cudaSuccess && cudaMalloc(&out, words * sizeof(int)) == cudaSuccess);
    cudaMemset(p, 0, 4096);
    cudaMemset(out, 0, words * sizeof(int));
    launch(p, out);
    CHECK(cudaMemcpy(got.data(), out, words * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaFree(p);
    cudaFree(out);
    return got;
}

static void check_flags() {
    CHECK(ran(1, [](int *p, int *out) { lane_waits_for_lane<<<1, 32>>>(p, out); })[0] == 42);
    std::vector<int> got = ran(256, [](int *p, int *out) { thread_waits_for_warp<<<1, 256>>>(p, out); });
    CHECK(got[0] == 8 && got[1] == 1 && got[255] == 1);
    got = ran(5 * 64, [](int *p, int *out) { cta_waits_for_cta<<<5, 64, 64 * sizeof(int)>>>(p, out); });
    for (int i = 0; i < 5 * 64; i++) {
        const int t = i % 64, n = 3 * (i / 64) + t;
        CHECK(got[i] == 3 * (i / 64) + 63 - t + 6 * n);
    }
    got = ran(128, [](int *p, int *out) { warp_votes<<<2, 128>>>(p, out); });
    CHECK(got[0] == 31 && got[127] == 0);
    got = ran(64, [](int *p, int *out) { semaphore_of_the_device<<<2, 32>>>(p, out); });
    CHECK(got[0] == 1 && got[63] == 1);
}

static void check_locks() {
    const std::vector<int> got = ran(8, [](int *p, int *out) { lock_in_a_warp<<<1, 256>>>(p, out); });
    CHECK(got[0] == 32 && got[7] == 32);
    CHECK(ran(1, [](int *p, int *out) { lock_of_the_grid<<<6, 96>>>(p, out); })[0] == 6 * 96);
}

static void check_trees() {
    std::vector<int> got = ran(4095, [](int *, int *out) { tree<<<8, 64>>>(4095, out); });
    CHECK(got[0] == 4095 && got[1] == 2047 && got[4094] == 1);
    got = ran(1023, [](int *, int *out) { depths<<<4, 64>>>(1023, out); });
    CHECK(got[0] == 2 && got[1] == 3 && got[1022] == 11);
    got = ran(3000, [](int *, int *out) { rounds_over_many<<<4, 64>>>(3000, out); });
    CHECK(got[0] == 1 && got[1500] == 1);
}

int main() {
    check_flags();
    check_locks();
    check_trees();
    std::vector<int> got = ran(2 * 4 * 64, [](int *p, int *out) { barrier_of_the_grid<<<4, 64>>>(p, out); });
    CHECK(got[0] == 0 + 1 + 3 && got[4 * 64 - 1] == 4 && got[4 * 64] == 3);
    got = ran(64, [](int *p, int *out) { counted<<<1, 64>>>(p, out); });
    CHECK(got[0] == 50000 && got[63] == 1);
    printf("%s\n", wrong ? "wrong" : "right");
    return wrong;
}
