// SPDX-License-Identifier: Apache-2.0
// Bytes a core cycle that 1, 2, 4 ... and all multiprocessors read from DRAM, L2, L1 and shared memory, and write to the DRAM.
//     bandwidth [MULTIPROCESSORS, default the device's]
#include "measure.cuh"

enum { THREADS = 1024, BLOCK = THREADS * 16 };  // a CTA's access: 16 bytes a thread

__device__ static float sum_of(float4 v) {
    return v.x + v.y + v.z + v.w;
}

// The stores that follow never happen: all data are 0.
__device__ static void use(float sum, float *out) {
    if (sum != 0) {
        *out = sum;
    }
}

// Each CTA reads a part of its own.
__global__ void read_dram(const float4 *in, unsigned blocks, float *out) {
    const float4 *own = in + (size_t)blockIdx.x * blocks * THREADS + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < blocks; i++) {
        sum += sum_of(__ldcg(own + (size_t)i * THREADS));
    }
    use(sum, out);
}

__global__ void write_dram(float4 *to, unsigned blocks) {
    float4 *own = to + (size_t)blockIdx.x * blocks * THREADS + threadIdx.x;
#pragma unroll 4
    for (unsigned i = 0; i < blocks; i++) {
        own[(size_t)i * THREADS] = make_float4(1, 2, 3, 4);
    }
}

// All CTAs read the same @mask + 1 blocks, each from another one on.
__global__ void read_l2(const float4 *in, unsigned blocks, unsigned mask, float *out) {
    float sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < blocks; i++) {
        sum += sum_of(__ldcg(in + (size_t)((blockIdx.x * 5 + i) & mask) * THREADS + threadIdx.x));
    }
    use(sum, out);
}

// Each warp reads half a kilobyte of its own again and again.
__global__ void read_l1(const float4 *in, unsigned blocks, float *out) {
    const float4 *own = in + threadIdx.x;
    float sum = 0;
    for (unsigned i = 0; i < blocks; i++) {
        sum += sum_of(__ldca(own));
        __syncwarp();  // keeps the load in the loop
    }
    use(sum, out);
}

// The same of shared memory, of 4 bytes a thread.
__global__ void read_shared(unsigned blocks, float *out) {
    __shared__ float data[4 * THREADS];
    for (unsigned i = threadIdx.x; i < 4 * THREADS; i += THREADS) {
        data[i] = 0;
    }
    __syncthreads();
    float sum = 0;
    for (unsigned i = 0; i < blocks; i++) {
#pragma unroll
        for (unsigned j = 0; j < 4; j++) {
            sum += data[threadIdx.x + j * THREADS];
        }
        __syncwarp();
    }
    use(sum, out);
}

int main(int argc, char **argv) {
    const unsigned all = multiprocessors(argc, argv), far = 96, near = 32;  // blocks of a CTA's longer launch, and of its shorter one
    const size_t bytes = (size_t)all * far * BLOCK;
    float4 *data = device_array<float4>(bytes / sizeof *data);
    float *out = device_array<float>(1);
    char name[64];
    unsigned first;
    CHECK(cudaMemset(data, 0, bytes));
    for (unsigned ctas = 1;; ctas = 2 * ctas < all ? 2 * ctas : all) {
        const double more = (double)ctas * (far - near) * BLOCK;
        read_dram<<<ctas, THREADS>>>(data, near, out);
        first = launch_number();
        read_dram<<<ctas, THREADS>>>(data, far, out);
        snprintf(name, sizeof name, "dram_read_%u", ctas);
        measure(ctas == all ? "dram_read_all" : name, "a cycle", more, first, launch_number());
        if (ctas == all) {
            break;
        }
    }
    write_dram<<<all, THREADS>>>(data, near);
    first = launch_number();
    write_dram<<<all, THREADS>>>(data, far);
    measure("dram_write_all", "a cycle", (double)all * (far - near) * BLOCK, first, launch_number());
    CHECK(cudaMemset(data, 0, bytes));
    for (unsigned ctas = 1;; ctas = 4 * ctas < all ? 4 * ctas : all) {  // of one megabyte
        read_l2<<<ctas, THREADS>>>(data, 2 * near, 63, out);
        first = launch_number();
        read_l2<<<ctas, THREADS>>>(data, 2 * far, 63, out);
        snprintf(name, sizeof name, "l2_read_%u", ctas);
        measure(ctas == all ? "l2_read_all" : name, "a cycle", 2.0 * ctas * (far - near) * BLOCK, first, launch_number());
        if (ctas == all) {
            break;
        }
    }
    read_l1<<<1, THREADS>>>(data, near, out);
    first = launch_number();
    read_l1<<<1, THREADS>>>(data, far, out);
    measure("l1_read_1", "a cycle", (double)(far - near) * BLOCK, first, launch_number());
    read_shared<<<1, THREADS>>>(near, out);
    first = launch_number();
    read_shared<<<1, THREADS>>>(far, out);
    measure("shared_read_1", "a cycle", (double)(far - near) * BLOCK, first, launch_number());
    return 0;
}
