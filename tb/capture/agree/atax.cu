// SPDX-License-Identifier: Apache-2.0
// The workload atax: y = A^T (A x). Sums stay in memory, as in the suite's source.
#include "arrays.h"

enum { A, X, Y, TMP };

__global__ void atax_kernel1(const float *a, const float *x, float *tmp, int rows, int columns, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        for (int j = 0; j < columns; j++) {
            tmp[i] += a[i * stride + j] * x[j];
        }
    }
}

__global__ void atax_kernel2(const float *a, float *y, const float *tmp, int rows, int columns, int stride) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns) {
        for (int i = 0; i < rows; i++) {
            y[j] += a[i * stride + j] * tmp[i];
        }
    }
}

int main(int, char **argv) {
    load_arrays(argv[1]);
    int columns = (int)(arrays[X].bytes / 4), rows = (int)(arrays[TMP].bytes / 4), stride = (int)(arrays[A].bytes / 4) / rows;
    atax_kernel1<<<rows / 256, 256>>>(arrays[A].of<float>(), arrays[X].of<float>(), arrays[TMP].of<float>(), rows, columns, stride);
    atax_kernel2<<<columns / 256, 256>>>(arrays[A].of<float>(), arrays[Y].of<float>(), arrays[TMP].of<float>(), rows, columns, stride);
    return cudaDeviceSynchronize();
}
