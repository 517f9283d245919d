// SPDX-License-Identifier: Apache-2.0
// The workload backprop: sums of 16 inputs a CTA by a tree in shared memory, then new weights. Its addresses do not depend on data, so
// the host between both launches does nothing.
#include "arrays.h"

enum { INPUT, HIDDEN_UNITS, WEIGHT, PARTIAL, DELTA, OLD_WEIGHT };
enum { HIDDEN = 16, ROWS = 16 };

__global__ void backprop_forward(const float *input, float *weight, float *partial, int hidden, int steps) {
    __shared__ float node[ROWS];
    __shared__ float tree[ROWS][HIDDEN];
    int by = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
    int at = (hidden + 1) * ROWS * by + (hidden + 1) * y + x + 1 + (hidden + 1);
    if (x == 0) {
        node[y] = input[ROWS * by + y + 1];
    }
    __syncthreads();
    tree[y][x] = weight[at];
    __syncthreads();
    tree[y][x] = tree[y][x] * node[y];
    __syncthreads();
    for (int i = 1; i <= steps; i++) {
        int power = 1 << i;
        if (y % power == 0) {
            tree[y][x] = tree[y][x] + tree[y + power / 2][x];
        }
        __syncthreads();
    }
    weight[at] = tree[y][x];
    __syncthreads();
    if (x == 0) {
        partial[by * hidden + y] = tree[x][y];
    }
}

__global__ void backprop_adjust(const float *delta, int hidden, const float *input, float *weight, float *old) {
    const double eta = 0.3, momentum = 0.3;
    int by = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
    int at = (hidden + 1) * ROWS * by + (hidden + 1) * y + x + 1 + (hidden + 1), row = ROWS * by + y + 1, column = x + 1;
    weight[at] += (float)(eta * delta[column] * input[row] + momentum * old[at]);
    old[at] = (float)(eta * delta[column] * input[row] + momentum * old[at]);
    __syncthreads();
    if (y == 0 && by == 0) {
        weight[column] += (float)(eta * delta[column] + momentum * old[column]);
        old[column] = (float)(eta * delta[column] + momentum * old[column]);
    }
}

int main(int, char **argv) {
    load_arrays(argv[1]);
    dim3 ctas(1, (unsigned)(arrays[INPUT].bytes / 4 - 1) / ROWS), threads(HIDDEN, ROWS);
    backprop_forward<<<ctas, threads>>>(arrays[INPUT].of<float>(), arrays[WEIGHT].of<float>(), arrays[PARTIAL].of<float>(), HIDDEN, 4);
    backprop_adjust<<<ctas, threads>>>(arrays[DELTA].of<float>(), HIDDEN, arrays[INPUT].of<float>(), arrays[WEIGHT].of<float>(),
                                       arrays[OLD_WEIGHT].of<float>());
    return cudaDeviceSynchronize();
}
