// SPDX-License-Identifier: Apache-2.0
// A sum: each CTA adds its part in shared memory by halves and in its last warp by shuffles, and adds it to the whole by an atomic. Reads the DRAM.
//     reduction [ELEMENTS, default 4194304]
#include "example.cuh"

enum { THREADS = 256, CTAS = 320 };

__global__ void add_all(const unsigned *in, unsigned count, unsigned *sum) {
    __shared__ unsigned part[THREADS];
    unsigned own = 0;
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
        own += in[i];
    }
    part[threadIdx.x] = own;
    for (unsigned half = THREADS / 2; half >= 32; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            part[threadIdx.x] += part[threadIdx.x + half];
        }
    }
    if (threadIdx.x < 32) {
        own = part[threadIdx.x];
        for (unsigned lanes = 16; lanes; lanes /= 2) {
            own += __shfl_down_sync(0xffffffffu, own, lanes);
        }
        if (threadIdx.x == 0) {
            atomicAdd(sum, own);
        }
    }
}

int main(int argc, char **argv) {
    const unsigned count = argument(argc, argv, 1, 1u << 22, 1, 1u << 28);
    unsigned *in = (unsigned *)malloc(count * sizeof *in), want = 0, got, zero = 0, state = 7;
    for (unsigned i = 0; i < count; i++) {
        want += in[i] = draw(&state);
    }
    unsigned *sum = device_copy(&zero, 1);
    add_all<<<CTAS, THREADS>>>(device_copy(in, count), count, sum);
    CHECK_LAUNCH();
    host_copy(&got, sum, 1);
    free(in);
    return verdict("reduction", got != want);
}
