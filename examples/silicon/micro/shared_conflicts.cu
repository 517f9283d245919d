// SPDX-License-Identifier: Apache-2.0
// Cycles that a warp's load from shared memory occupies it, by its lanes' stride in words, and of 8 and 16 bytes a lane.
//     shared_conflicts
#include "measure.cuh"

enum { THREADS = 512, WARPS = THREADS / 32, EACH = 32, WORDS = 32 * 32 + EACH * 32 + 32, NEAR = 4, FAR = 12 };

__device__ static unsigned sum_of(uint1 v) {
    return v.x;
}
__device__ static unsigned sum_of(uint2 v) {
    return v.x + v.y;
}
__device__ static unsigned sum_of(uint4 v) {
    return v.x + v.y + v.z + v.w;
}

// EACH loads in a turn, 32 words apart: in the same banks. @odd is 1: only the launch knows that two turns load other words, so that
// the loads stay in the loop. A barrier there would add its wait to each turn.
template <typename T>
__global__ void load_strided(unsigned stride, unsigned times, unsigned odd, unsigned *out) {
    __shared__ __align__(16) unsigned data[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += THREADS) {
        data[i] = i;
    }
    __syncthreads();
    unsigned sum = 0;
    for (unsigned i = 0; i < times; i++) {
        const unsigned *own = data + threadIdx.x % 32 * stride + (i & odd) * 32;
#pragma unroll
        for (unsigned j = 0; j < EACH; j++) {
            sum += sum_of(*(const T *)(own + j * 32));
        }
    }
    if (sum == 1) {
        *out = sum;
    }
}

template <typename T>
static void measure_stride(const char *name, unsigned stride, unsigned *out) {
    load_strided<T><<<1, THREADS>>>(stride, NEAR, 1, out);
    const unsigned first = launch_number();
    load_strided<T><<<1, THREADS>>>(stride, FAR, 1, out);
    measure(name, "cycles", (double)WARPS * EACH * (FAR - NEAR), first, launch_number());
}

int main(void) {
    unsigned *out = device_array<unsigned>(1);
    char name[64];
    for (unsigned stride = 1; stride <= 32; stride *= 2) {
        snprintf(name, sizeof name, "shared_stride_%u", stride);
        measure_stride<uint1>(name, stride, out);
    }
    measure_stride<uint1>("shared_stride_0", 0, out);
    measure_stride<uint2>("shared_8_bytes", 2, out);
    measure_stride<uint4>("shared_16_bytes", 4, out);
    return 0;
}
