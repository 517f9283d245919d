// SPDX-License-Identifier: Apache-2.0
// Product of two square matrices by tiles in shared memory: bound by shared memory and arithmetic.
//     multiply [ROWS, a multiple of 32, default 512]
#include "example.cuh"

enum { TILE = 16, EACH = 2 };  // a thread computes EACH rows of a tile of TILE * EACH by TILE elements

__global__ void multiply_tiles(const float *a, const float *b, float *c, unsigned n) {
    __shared__ float of_a[TILE * EACH][TILE], of_b[TILE][TILE];
    const unsigned x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE * EACH + y;
    float sum[EACH] = {0};
    for (unsigned k = 0; k < n; k += TILE) {
        for (unsigned i = 0; i < EACH; i++) {
            of_a[y + i * TILE][x] = a[(size_t)(row + i * TILE) * n + k + x];
        }
        of_b[y][x] = b[(size_t)(k + y) * n + column];
        __syncthreads();
        for (unsigned j = 0; j < TILE; j++) {
            for (unsigned i = 0; i < EACH; i++) {
                sum[i] += of_a[y + i * TILE][j] * of_b[j][x];
            }
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < EACH; i++) {
        c[(size_t)(row + i * TILE) * n + column] = sum[i];
    }
}

int main(int argc, char **argv) {
    const unsigned n = argument(argc, argv, 1, 512, TILE * EACH, 8192);
    if (n % (TILE * EACH)) {
        fprintf(stderr, "multiply: %u rows: must be a multiple of %d\n", n, TILE * EACH);
        return 2;
    }
    const size_t size = (size_t)n * n;
    float *a = (float *)malloc(size * sizeof *a), *b = (float *)malloc(size * sizeof *b), *c = (float *)malloc(size * sizeof *c);
    unsigned state = 2;
    unsigned long wrong = 0;
    for (size_t i = 0; i < size; i++) {
        a[i] = draw_unit(&state);
        b[i] = draw_unit(&state);
    }
    float *out = device_array<float>(size);
    multiply_tiles<<<dim3(n / TILE, n / TILE / EACH), dim3(TILE, TILE)>>>(device_copy(a, size), device_copy(b, size), out, n);
    CHECK_LAUNCH();
    host_copy(c, out, size);
    for (unsigned i = 0; i < 1024; i++) {  // elements that are drawn, not all of them
        const unsigned row = draw(&state) % n, column = draw(&state) % n;
        double sum = 0;
        for (unsigned k = 0; k < n; k++) {
            sum += (double)a[(size_t)row * n + k] * b[(size_t)k * n + column];
        }
        wrong += !near(c[(size_t)row * n + column], sum, 1e-4);
    }
    free(a);
    free(b);
    free(c);
    return verdict("multiply", wrong);
}
