// SPDX-License-Identifier: Apache-2.0
// The workload spmv-scalar: a thread a row, the vector through a texture.
#include "arrays.h"

enum { VALUE, COLUMN, FIRST, X, Y };

texture<float, 1, cudaReadModeElementType> x;

__global__ void spmv_scalar(const float *value, const int *column, const int *first, float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        int end = first[row + 1];
        for (int i = first[row]; i < end; i++) {
            sum += value[i] * tex1Dfetch(x, column[i]);
        }
        y[row] = sum;
    }
}

int main(int, char **argv) {
    load_arrays(argv[1]);
    int rows = (int)(arrays[Y].bytes / 4);
    cudaBindTexture(0, x, arrays[X].at, arrays[X].bytes);
    spmv_scalar<<<rows / 128, 128>>>(arrays[VALUE].of<float>(), arrays[COLUMN].of<int>(), arrays[FIRST].of<int>(), arrays[Y].of<float>(),
                                     rows);
    return cudaDeviceSynchronize();
}
