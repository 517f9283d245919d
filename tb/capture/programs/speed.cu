// SPDX-License-Identifier: Apache-2.0
// A matrix product twice, for `make capture-speed`: each thread reads its row and column, without a
// barrier; then a CTA keeps tiles in shared memory, with two barriers a tile.
#include <cstdio>
#include <vector>

#define N 384
#define TILE 16

__global__ void without_barriers(const float *a, const float *b, float *c) {
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < N; i++) {
        sum += a[row * N + i] * b[i * N + column];
    }
    c[row * N + column] = sum;
}

__global__ void with_barriers(const float *a, const float *b, float *c) {
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < N; first += TILE) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * N + first + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * N + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        }
        __syncthreads();
    }
    c[row * N + column] = sum;
}

int main() {
    const size_t bytes = N * N * sizeof(float);
    std::vector<float> in(N * N), out(N * N), again(N * N);
    for (int i = 0; i < N * N; i++) {
        in[i] = (float)(i % 7);
    }
    float *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemcpy(a, in.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, in.data(), bytes, cudaMemcpyHostToDevice);
    without_barriers<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(a, b, c);
    cudaMemcpy(out.data(), c, bytes, cudaMemcpyDeviceToHost);
    with_barriers<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(a, b, c);
    cudaMemcpy(again.data(), c, bytes, cudaMemcpyDeviceToHost);
    if (out != again) { // sums of small whole numbers: exact in any order
        fprintf(stderr, "the products differ\n");
        return 1;
    }
    return 0;
}
