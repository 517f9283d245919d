// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels: each with the right arguments and shape, in the order of the launches, when its parent has ended.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

static int wrong;
#define CHECK(good) \
    do { \
        if (!(good)) { \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #good); \
            wrong = 1; \
        } \
    } while (0)

__device__ int log_[256], logged, errors[8];

struct Shape {
    int x[3];
    double scale;
    __host__ __device__ Shape(int a, double s) : x{a, a + 1, a + 2}, scale(s) {}
};

namespace inner {
template <class T, int n> __global__ void add(T *out, Shape s, T by) {
    extern __shared__ double room[];
    T *shared = (T *)room;
    shared[threadIdx.x] = by;
    __syncthreads();
    out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] += shared[blockDim.x - 1 - threadIdx.x] * n + s.x[threadIdx.x % 3] + (T)s.scale;
}
}

// Overloaded, and without arguments.
__global__ void note(int what) { log_[logged++] = what; }
__global__ void note() { log_[logged++] = -1; }

__global__ void parent(int *out, int rounds) {
    out[threadIdx.x + 64 * blockIdx.x] += 100; // before each child
    if (threadIdx.x % 32 == 0) {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        for (int i = 0; i < rounds; i++) {
            inner::add<int, 2><<<dim3(2, 1), 16, 16 * sizeof(int), s>>>(
                out + 64 * blockIdx.x + threadIdx.x, Shape(i, threadIdx.x + 0.5), (int)blockIdx.x);
        }
        cudaStreamDestroy(s);
    }
}

// Depth first: each child with its own children, and tails behind all.
__global__ void tree(int depth, int number) {
    log_[logged++] = number;
    if (depth) {
        note<<<1, 1, 0, cudaStreamTailLaunch>>>(1000 + number);
        tree<<<1, 1>>>(depth - 1, 2 * number);
        tree<<<1, 1, 0, cudaStreamFireAndForget>>>(depth - 1, 2 * number + 1);
    }
}

__global__ void deep(int depth) {
    log_[0] = depth;
    deep<<<1, 1>>>(depth + 1);
    errors[0] = cudaPeekAtLastError();
}

static __device__ void launched_by_a_function(int n) {
    if (n > 0)
        note<<<1, 1>>>(n);
    else
        note<<<1, 1>>>();
}

__global__ void memory(int **kept) {
    int *p;
    if (cudaMalloc(&p, 64 * sizeof(int)) == cudaSuccess) {
        *kept = p;
        cudaMemsetAsync(p, 0, 64 * sizeof(int));
        inner::add<int, 1><<<1, 32, 128>>>(p, Shape(0, 0), 5);
        cudaMemcpyAsync(p + 32, p, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
        inner::add<int, 1><<<1, 32, 128>>>(p, Shape(0, 0), 5);
        p[0] = 77; // before all of them
    }
    note<<<1, 2000>>>(1);
    errors[1] = cudaGetLastError();
    errors[2] = cudaGetLastError();
    note<<<1, 1, 65536>>>(1);
    errors[3] = cudaGetLastError();
    errors[4] = cudaMemcpyAsync((void *)8, p, 4);
    launched_by_a_function(4);
    launched_by_a_function(0);
    const char *text = "<<<1, 1>>>(no launch)";
    errors[5] = text[0] == '<' && cudaGetErrorString(cudaErrorInvalidConfiguration)[0] == 'i';
}
__global__ void use(int *out, int **kept) {
    out[threadIdx.x] = (*kept)[threadIdx.x];
    if (!threadIdx.x) {
        cudaFree(*kept);
    }
}

static std::vector<int> logs() {
    int count, all[256];
    cudaMemcpyFromSymbol(&count, logged, sizeof count);
    cudaMemcpyFromSymbol(all, log_, sizeof all);
    int none = 0;
    cudaMemcpyToSymbol(logged, &none, sizeof none);
    return std::vector<int>(all, all + count);
}

int main() {
    int *out, **kept, got[128], e[8];
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&kept, sizeof *kept);
    cudaMemset(out, 0, sizeof got);
    parent<<<2, 64>>>(out, 3);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 128; t++) {
        int want = 100;
        for (int i = 0; i < 3; i++) {
            want += t / 64 * 2 + i + t % 32 % 16 % 3 + (int)(t % 64 / 32 * 32 + 0.5);
        }
        CHECK(got[t] == want);
    }
    inner::add<float, 1><<<1, 32, 128>>>((float *)out, Shape(1, 2), 1.0f); // from the host too
    tree<<<1, 1>>>(2, 1);
    CHECK((logs() == std::vector<int>{1, 2, 4, 5, 1002, 3, 6, 7, 1003, 1001}));
    deep<<<1, 1>>>(0);
    cudaMemcpyFromSymbol(got, log_, sizeof got);
    cudaMemcpyFromSymbol(e, errors, sizeof e);
    CHECK(got[0] == 23 && e[0] == cudaErrorLaunchMaxDepthExceeded);
    memory<<<1, 1>>>(kept);
    use<<<1, 64>>>(out, kept);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; t++) {
        CHECK(got[t] == 2 * (5 + t % 3) && got[t + 32] == 5 + t % 3);
    }
    CHECK((logs() == std::vector<int>{4, -1}));
    cudaMemcpyFromSymbol(e, errors, sizeof e);
    CHECK(e[1] == cudaErrorInvalidConfiguration && e[2] == cudaSuccess && e[3] == cudaErrorInvalidValue && e[4] == cudaErrorInvalidValue && e[5]);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    printf(wrong ? "wrong\n" : "right\n");
    return wrong;
}
