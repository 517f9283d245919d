// SPDX-License-Identifier: Apache-2.0
// Sectors of 32 bytes a cycle that all multiprocessors read from the DRAM: lanes 4 to 128 bytes apart, and each lane's sector drawn.
//     sectors [MULTIPROCESSORS, default the device's]
#include "measure.cuh"

enum { THREADS = 256, CTAS_EACH = 8, NEAR = 4, FAR = 12, WORDS = 1 << 24 };  // of 64 MB

__global__ void read_strided(const unsigned *in, unsigned stride, unsigned times, unsigned *out) {
    const unsigned thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    unsigned sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < times; i++) {
        sum += __ldcg(in + (size_t)(i * threads + thread) * stride % WORDS);
    }
    if (sum) {
        *out = sum;
    }
}

// A multiplication by an odd number permutes the sectors.
__global__ void read_drawn(const unsigned *in, unsigned times, unsigned *out) {
    const unsigned thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    unsigned sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < times; i++) {
        const unsigned sector = (i * threads + thread) * 2654435761u >> 11;  // of 2^21
        sum += __ldcg(in + (size_t)sector * 8);
    }
    if (sum) {
        *out = sum;
    }
}

int main(int argc, char **argv) {
    const unsigned all = multiprocessors(argc, argv), ctas = CTAS_EACH * all;
    unsigned *in = device_array<unsigned>(WORDS), *out = device_array<unsigned>(1), first;
    char name[64];
    CHECK(cudaMemset(in, 0, WORDS * sizeof *in));
    for (unsigned stride = 1; stride <= 32; stride *= 2) {
        const double lanes = (double)ctas * THREADS * (FAR - NEAR);
        read_strided<<<ctas, THREADS>>>(in, stride, NEAR, out);
        first = launch_number();
        read_strided<<<ctas, THREADS>>>(in, stride, FAR, out);
        snprintf(name, sizeof name, "sectors_stride_%u", 4 * stride);
        measure(name, "a cycle", stride < 8 ? lanes * stride / 8 : lanes, first, launch_number());
    }
    read_drawn<<<ctas, THREADS>>>(in, NEAR, out);
    first = launch_number();
    read_drawn<<<ctas, THREADS>>>(in, FAR, out);
    measure("sectors_drawn", "a cycle", (double)ctas * THREADS * (FAR - NEAR), first, launch_number());
    return 0;
}
