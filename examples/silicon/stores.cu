// SPDX-License-Identifier: Apache-2.0
// A stream of stores: each thread writes every stride-th word of its row, and nothing is read. Bound by writes of the DRAM.
//     stores [WORDS, default 4194304]
#include "example.cuh"

enum { THREADS = 256, ROWS = 64 };

__device__ __host__ static unsigned value_at(unsigned row, unsigned column) {
    return row * 2654435761u ^ column;
}

// A CTA of x writes a part of row y.
__global__ void fill_rows(unsigned *out, unsigned columns) {
    unsigned *row = out + (size_t)blockIdx.y * columns;
    for (unsigned column = blockIdx.x * THREADS + threadIdx.x; column < columns; column += gridDim.x * THREADS) {
        row[column] = value_at(blockIdx.y, column);
    }
}

int main(int argc, char **argv) {
    const unsigned words = argument(argc, argv, 1, 1u << 22, ROWS * THREADS, 1u << 28), columns = words / ROWS;
    unsigned *out = device_array<unsigned>((size_t)columns * ROWS), *got = (unsigned *)malloc((size_t)columns * ROWS * sizeof *got);
    unsigned long wrong = 0;
    fill_rows<<<dim3(columns / (4 * THREADS) + 1, ROWS), THREADS>>>(out, columns);
    CHECK_LAUNCH();
    host_copy(got, out, (size_t)columns * ROWS);
    for (unsigned row = 0; row < ROWS; row++) {
        for (unsigned column = 0; column < columns; column++) {
            wrong += got[(size_t)row * columns + column] != value_at(row, column);
        }
    }
    free(got);
    return verdict("stores", wrong);
}
