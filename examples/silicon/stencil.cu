// SPDX-License-Identifier: Apache-2.0
// A stencil of five points in two dimensions, with a border of a tile in shared memory, STEPS times: bound by the DRAM and the L1.
//     stencil [SIDE, a multiple of 16, default 1024] [STEPS, default 2]
#include "example.cuh"

enum { TILE = 16 };

__device__ __host__ static float mix(float centre, float north, float south, float west, float east) {
    return 0.6f * centre + 0.1f * (north + south + west + east);
}

__device__ static unsigned clamped(int at, unsigned side) {
    return at < 0 ? 0 : at >= (int)side ? side - 1 : (unsigned)at;
}

__global__ void mix_neighbours(const float *in, float *out, unsigned side) {
    __shared__ float tile[TILE + 2][TILE + 2];
    const int x = (int)(blockIdx.x * TILE + threadIdx.x), y = (int)(blockIdx.y * TILE + threadIdx.y);
    for (unsigned i = threadIdx.y * TILE + threadIdx.x; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
        const unsigned row = clamped((int)(blockIdx.y * TILE + i / (TILE + 2)) - 1, side), column = clamped((int)(blockIdx.x * TILE + i % (TILE + 2)) - 1, side);
        tile[i / (TILE + 2)][i % (TILE + 2)] = in[(size_t)row * side + column];
    }
    __syncthreads();
    const unsigned i = threadIdx.y + 1, j = threadIdx.x + 1;
    out[(size_t)y * side + x] = mix(tile[i][j], tile[i - 1][j], tile[i + 1][j], tile[i][j - 1], tile[i][j + 1]);
}

static float at(const float *grid, int y, int x, int side) {
    y = y < 0 ? 0 : y >= side ? side - 1 : y;
    x = x < 0 ? 0 : x >= side ? side - 1 : x;
    return grid[(size_t)y * side + x];
}

int main(int argc, char **argv) {
    const unsigned side = argument(argc, argv, 1, 1024, TILE, 16384) / TILE * TILE, steps = argument(argc, argv, 2, 2, 1, 100);
    const size_t size = (size_t)side * side;
    float *now = (float *)malloc(size * sizeof *now), *next = (float *)malloc(size * sizeof *next), *got = (float *)malloc(size * sizeof *got);
    unsigned state = 5;
    unsigned long wrong = 0;
    for (size_t i = 0; i < size; i++) {
        now[i] = draw_unit(&state);
    }
    float *in = device_copy(now, size), *out = device_array<float>(size);
    for (unsigned step = 0; step < steps; step++) {
        mix_neighbours<<<dim3(side / TILE, side / TILE), dim3(TILE, TILE)>>>(in, out, side);
        CHECK_LAUNCH();
        float *swap = in;
        in = out;
        out = swap;
        for (int y = 0; y < (int)side; y++) {
            for (int x = 0; x < (int)side; x++) {
                next[(size_t)y * side + x] = mix(at(now, y, x, side), at(now, y - 1, x, side), at(now, y + 1, x, side), at(now, y, x - 1, side), at(now, y, x + 1, side));
            }
        }
        swap = now;
        now = next;
        next = swap;
    }
    host_copy(got, in, size);
    for (size_t i = 0; i < size; i++) {
        wrong += !near(got[i], now[i], 1e-5);
    }
    free(now);
    free(next);
    free(got);
    return verdict("stencil", wrong);
}
