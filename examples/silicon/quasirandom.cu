// SPDX-License-Identifier: Apache-2.0
// Quasi-random numbers: point n of a dimension is the exclusive or of the direction numbers of n's bits, which constant memory holds. Integer
// arithmetic and constants, and one store of a number.
//     quasirandom [POINTS, default 1048576]
#include "example.cuh"

enum { DIMENSIONS = 3, BITS = 31, THREADS = 128 };
static __constant__ unsigned directions[DIMENSIONS][BITS];

__device__ __host__ static float point_of(const unsigned *direction, unsigned n) {
    unsigned bits = 0;
    for (unsigned i = 0; i < BITS; i++, n >>= 1) {
        bits ^= n & 1 ? direction[i] : 0;
    }
    return (float)(bits + 1) * (1.0f / 2147483648.0f);
}

__global__ void make_points(float *out, unsigned points) {
    for (unsigned n = blockIdx.x * THREADS + threadIdx.x; n < points; n += gridDim.x * THREADS) {
        out[(size_t)blockIdx.y * points + n] = point_of(directions[blockIdx.y], n);
    }
}

int main(int argc, char **argv) {
    const unsigned points = argument(argc, argv, 1, 1u << 20, 1, 1u << 26);
    unsigned table[DIMENSIONS][BITS], state = 6;
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        for (unsigned bit = 0; bit < BITS; bit++) {  // bit by bit lower, and below it what is drawn
            table[i][bit] = 1u << (BITS - 1 - bit) | (i ? draw(&state) & ((1u << (BITS - 1 - bit)) - 1) : 0);
        }
    }
    CHECK(cudaMemcpyToSymbol(directions, table, sizeof table));
    const size_t size = (size_t)points * DIMENSIONS;
    float *out = device_array<float>(size), *got = (float *)malloc(size * sizeof *got);
    make_points<<<dim3(128, DIMENSIONS), THREADS>>>(out, points);
    CHECK_LAUNCH();
    host_copy(got, out, size);
    unsigned long wrong = 0;
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        for (unsigned n = 0; n < points; n++) {
            wrong += got[(size_t)i * points + n] != point_of(table[i], n);
        }
    }
    free(got);
    return verdict("quasirandom", wrong);
}
