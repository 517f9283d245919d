// SPDX-License-Identifier: Apache-2.0
// Launches whose CTAs wait for each other: results, and what such a launch may not be.
#include <cooperative_groups.h>
#include <cuda_fp16.h> // beside it, and on the host

#include <cstdio>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

static int wrong;
#define CHECK(good) \
    do { \
        if (!(good)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #good); \
            wrong = 1; \
        } \
    } while (0)

// Each round a thread adds what a thread of the next CTA had. Its rank, its rows in shared memory and its own array last over barriers.
extern __shared__ int more[];
__global__ void rounds(int *a, int *b, int rounds, int *sum) {
    __shared__ int own[64];
    cg::grid_group grid = cg::this_grid();
    int t = (int)grid.thread_rank(), n = (int)grid.size(), seen[4] = {0, 0, 0, 0};
    own[threadIdx.x] = 3 * t;
    more[threadIdx.x] = 5 * t;
    a[t] = t;
    for (int i = 0; i < rounds; i++) {
        grid.sync();
        b[t] = a[t] + a[(t + (int)blockDim.x) % n];
        seen[(t + i) % 4] += i;
        grid.sync();
        int *c = a;
        a = b;
        b = c;
    }
    cg::thread_group any = grid;
    any.sync();
    atomicAdd(sum, own[threadIdx.x] + more[threadIdx.x] + 100 * seen[(t + 1) % 4] + (int)any.size());
    if (t == n - 1) {
        a[0] = (int)(grid.num_blocks() + 10 * grid.block_rank() + 100 * grid.group_dim().y + 1000 * grid.is_valid() + 10000 * grid.block_index().y +
                     100000 * (grid.num_threads() == any.num_threads()));
    }
}

/* @by_attribute: with cudaLaunchKernelEx(). */
static void try_rounds(dim3 grid, bool by_attribute) {
    const int ctas = grid.x * grid.y, n = ctas * 64;
    int *a, *b, *sum, count = 5, got_sum, want_sum = 0;
    std::vector<int> now(n), next(n), got(n);
    CHECK(cudaMalloc(&a, n * sizeof(int)) == cudaSuccess && cudaMalloc(&b, n * sizeof(int)) == cudaSuccess);
    CHECK(cudaMalloc(&sum, sizeof(int)) == cudaSuccess && cudaMemset(sum, 0, sizeof(int)) == cudaSuccess);
    void *arguments[] = {&a, &b, &count, &sum};
    cudaLaunchAttribute whole = {};
    whole.id = cudaLaunchAttributeCooperative;
    whole.val.cooperative = 1;
    cudaLaunchConfig_t config = {grid, dim3(64), 64 * sizeof(int), 0, &whole, 1};
    CHECK((by_attribute ? cudaLaunchKernelEx(&config, rounds, a, b, count, sum)
                        : cudaLaunchCooperativeKernel(rounds, grid, dim3(64), arguments, 64 * sizeof(int))) == cudaSuccess);
    for (int t = 0; t < n; t++) {
        now[t] = t;
        want_sum += 8 * t + n;
        for (int i = 0; i < count; i++) {
            want_sum += (t + i) % 4 == (t + 1) % 4 ? 100 * i : 0;
        }
    }
    for (int i = 0; i < count; i++) {
        for (int t = 0; t < n; t++) {
            next[t] = now[t] + now[(t + 64) % n];
        }
        now = next;
    }
    now[0] = ctas + 10 * (ctas - 1) + 100 * grid.y + 1000 + 10000 * (grid.y - 1) + 100000;
    cudaMemcpy(got.data(), count % 2 ? b : a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&got_sum, sum, sizeof(int), cudaMemcpyDeviceToHost);
    CHECK(got == now && got_sum == want_sum);
}

// The device has 16 multiprocessors with 2048 threads, 32 CTAs, 96 KB of shared memory each.
__global__ void none(int *p) {
    __shared__ int half[48 << 8];
    half[threadIdx.x] = *p;
    cg::this_grid().sync();
    *p = half[0];
}
__global__ void small(int *const __grid_constant__ p) {
    cg::this_grid().sync();
    *p = cg::this_grid().is_valid();
}

static void try_limits() {
    int *p;
    cudaMalloc(&p, sizeof *p);
    void *arguments[] = {&p};
    CHECK(cudaLaunchCooperativeKernel(none, 32, 32, arguments) == cudaSuccess);
    CHECK(cudaLaunchCooperativeKernel(none, 33, 32, arguments) == cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaLaunchCooperativeKernel((void *)small, 16 * 32, 32, arguments) == cudaSuccess);
    CHECK(cudaLaunchCooperativeKernel((void *)small, 16 * 32 + 1, 32, arguments) == cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaLaunchCooperativeKernel(small, 33, 1024, arguments) == cudaErrorCooperativeLaunchTooLarge);
    CHECK(cudaLaunchCooperativeKernel(small, 1, 1025, arguments) == cudaErrorInvalidConfiguration);
    CHECK(!strcmp(cudaGetErrorName(cudaErrorCooperativeLaunchTooLarge), "cudaErrorCooperativeLaunchTooLarge"));
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
}

int main() {
    try_rounds(dim3(5), false);
    try_rounds(dim3(3, 4), true);
    CHECK(__low2float(__floats2half2_rn(7.5f, 1)) == 7.5f);
    try_limits();
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
