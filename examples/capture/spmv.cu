// SPDX-License-Identifier: Apache-2.0
// Sparse matrix times vector, a row a thread, for warpmem capture:
//
//     warpmem-cc spmv.cu -o spmv
//     warpmem capture -o spmv.wtr -- ./spmv 4096
//     warpmem compare spmv.wtr --preset quadro-daws --schemes gto,ccws,swl:2
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void spmv(int rows, const int *first, const int *column, const float *value, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int i = first[row]; i < first[row + 1]; i++) {
            sum += value[i] * x[column[i]];
        }
        y[row] = sum;
    }
}

template <class T> static T *on_device(const std::vector<T> &host) {
    T *device;
    if (cudaMalloc(&device, host.size() * sizeof(T)) != cudaSuccess) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main(int argc, char **argv) {
    const int rows = argc > 1 ? atoi(argv[1]) : 4096;
    std::vector<int> first(1), column;
    std::vector<float> value, x(rows), y(rows);
    unsigned random = 1;
    for (int row = 0; row < rows; row++) {
        for (int left = 4 + row * 7 % 29; left; left--) {
            random = random * 1664525 + 1013904223;
            column.push_back(random / 256 % rows);
            value.push_back(random % 16);
        }
        first.push_back((int)column.size());
        x[row] = row % 7;
    }
    float *device_y = on_device(y);
    spmv<<<(rows + 255) / 256, 256>>>(rows, on_device(first), on_device(column), on_device(value), on_device(x), device_y);
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) {
        fprintf(stderr, "the launch failed\n");
        return 1;
    }
    cudaMemcpy(y.data(), device_y, rows * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < rows; row++) {
        float sum = 0;
        for (int i = first[row]; i < first[row + 1]; i++) {
            sum += value[i] * x[column[i]];
        }
        if (sum != y[row]) {
            printf("row %d: %g, not %g\n", row, y[row], sum);
            return 1;
        }
    }
    printf("%d rows, %d elements: right\n", rows, first[rows]);
    return 0;
}
