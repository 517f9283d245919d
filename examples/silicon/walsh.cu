// SPDX-License-Identifier: Apache-2.0
// Walsh-Hadamard transform in place: butterflies of four elements over global memory, and the last ones in shared memory. Each
// launch reads and writes the whole array once. The transform of the transform is the input times its length.
//     walsh [ELEMENTS, a power of two, default 4194304]
#include "example.cuh"

enum { THREADS = 256, TILE = 1024 };  // elements of a CTA's shared memory

__device__ static void butterfly(float *a, float *b) {
    const float sum = *a + *b;
    *b = *a - *b;
    *a = sum;
}

// Two levels: elements @stride apart, then 2 * @stride.
__global__ void transform_far(float *data, unsigned stride) {
    const unsigned thread = blockIdx.x * THREADS + threadIdx.x, low = thread & (stride - 1);
    float *first = data + 4 * (size_t)(thread - low) + low;
    float a = first[0], b = first[stride], c = first[2 * stride], d = first[3 * stride];
    butterfly(&a, &b);
    butterfly(&c, &d);
    butterfly(&a, &c);
    butterfly(&b, &d);
    first[0] = a;
    first[stride] = b;
    first[2 * stride] = c;
    first[3 * stride] = d;
}

// All levels of a tile.
__global__ void transform_tile(float *data) {
    __shared__ float tile[TILE];
    float *here = data + (size_t)blockIdx.x * TILE;
    for (unsigned i = threadIdx.x; i < TILE; i += THREADS) {
        tile[i] = here[i];
    }
    for (unsigned stride = 1; stride < TILE; stride *= 2) {
        __syncthreads();
        for (unsigned pair = threadIdx.x; pair < TILE / 2; pair += THREADS) {
            const unsigned low = pair & (stride - 1), at = 2 * (pair - low) + low;
            butterfly(&tile[at], &tile[at + stride]);
        }
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < TILE; i += THREADS) {
        here[i] = tile[i];
    }
}

// One level, where their number is odd.
__global__ void transform_level(float *data, unsigned stride) {
    const unsigned pair = blockIdx.x * THREADS + threadIdx.x, low = pair & (stride - 1);
    float *first = data + 2 * (size_t)(pair - low) + low, a = first[0], b = first[stride];
    butterfly(&a, &b);
    first[0] = a;
    first[stride] = b;
}

static void transform(float *data, unsigned elements) {
    transform_tile<<<elements / TILE, THREADS>>>(data);
    for (unsigned stride = TILE; stride < elements;) {
        if (4 * (size_t)stride <= elements) {
            transform_far<<<elements / 4 / THREADS, THREADS>>>(data, stride);
            stride *= 4;
        } else {
            transform_level<<<elements / 2 / THREADS, THREADS>>>(data, stride);
            stride *= 2;
        }
    }
    CHECK_LAUNCH();
}

int main(int argc, char **argv) {
    const unsigned elements = power_of_two(argc, argv, 1, 1u << 22, 1u << 12, 1u << 26);
    float *in = (float *)malloc(elements * sizeof *in), *out = (float *)malloc(elements * sizeof *out);
    unsigned state = 1;
    unsigned long wrong = 0;
    double sum = 0;
    for (unsigned i = 0; i < elements; i++) {
        in[i] = (float)(draw(&state) % 16);  // whole numbers: sums are exact below 2^24
        sum += in[i];
    }
    float *data = device_copy(in, elements);
    transform(data, elements);
    host_copy(out, data, elements);
    wrong += !near(out[0], sum, 1e-6);
    transform(data, elements);
    host_copy(out, data, elements);
    for (unsigned i = 0; i < elements; i++) {
        wrong += !near(out[i] / elements, in[i], 1e-3);
    }
    free(in);
    free(out);
    return verdict("walsh", wrong);
}
