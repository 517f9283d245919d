// SPDX-License-Identifier: Apache-2.0
// Load-to-use latencies: a thread follows pointers, each load of which waits for the one before.
//     chase
#include "measure.cuh"

enum { WAY = 128 };  // bytes from one pointer to the next place: a line

__global__ void chase_l1(void **at, unsigned steps, void **end) {
#pragma unroll 4
    for (unsigned i = 0; i < steps; i++) {
        at = (void **)*at;
    }
    *end = at;
}

// Around the L1.
__global__ void chase_beyond_l1(void **at, unsigned steps, void **end) {
#pragma unroll 4
    for (unsigned i = 0; i < steps; i++) {
        at = (void **)__ldcg((const unsigned long long *)at);
    }
    *end = at;
}

// Offsets in bytes, in one CTA's shared memory. A compiler that does not know where the array is adds its address in between.
__global__ void chase_shared(unsigned steps, unsigned *end) {
    __shared__ unsigned next[256];
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
        next[i] = (i + 33) % 256 * (unsigned)sizeof *next;
    }
    __syncthreads();
    unsigned at = threadIdx.x * (unsigned)sizeof *next;
#pragma unroll 4
    for (unsigned i = 0; i < steps; i++) {
        at = *(const unsigned *)((const char *)next + at);
    }
    *end = at;
}

// A ring through all places in an order that is drawn.
static void **make_ring(unsigned places) {
    char *ring = device_array<char>((size_t)places * WAY), *host = (char *)calloc(places, WAY);
    unsigned *order = (unsigned *)malloc(places * sizeof *order), state = 9;
    for (unsigned i = 0; i < places; i++) {
        order[i] = i;
    }
    for (unsigned i = places - 1; i > 0; i--) {
        const unsigned other = draw(&state) % (i + 1), swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    for (unsigned i = 0; i < places; i++) {
        *(void **)(host + (size_t)order[i] * WAY) = ring + (size_t)order[(i + 1) % places] * WAY;
    }
    CHECK(cudaMemcpy(ring, host, (size_t)places * WAY, cudaMemcpyHostToDevice));
    free(order);
    free(host);
    return (void **)ring;
}

int main(void) {
    void **small = make_ring(64), **middle = make_ring(2048), **large = make_ring(1u << 19), **end = device_array<void *>(1);
    unsigned *place = device_array<unsigned>(1), first;
    chase_l1<<<1, 1>>>(small, 128, end);
    first = launch_number();
    chase_l1<<<1, 1>>>(small, 128 + 2048, end);
    measure("l1_latency", "cycles", 2048, first, launch_number());
    chase_beyond_l1<<<1, 1>>>(middle, 2048, end);
    first = launch_number();
    chase_beyond_l1<<<1, 1>>>(middle, 2048 + 2048, end);
    measure("l2_latency", "cycles", 2048, first, launch_number());
    chase_beyond_l1<<<1, 1>>>(large, 256, end);
    first = launch_number();
    chase_beyond_l1<<<1, 1>>>(large, 256 + 2048, end);
    measure("dram_latency", "cycles", 2048, first, launch_number());
    chase_shared<<<1, 1>>>(128, place);
    first = launch_number();
    chase_shared<<<1, 1>>>(128 + 2048, place);
    measure("shared_latency", "cycles", 2048, first, launch_number());
    return 0;
}
