// SPDX-License-Identifier: Apache-2.0
// The CUDA twin of twins.c: tb/scripts/capture_opencl_test.py compares the traces of both.
#include <cuda_runtime.h>

#include "twins.h"

__constant__ float weights[2];

__global__ void spmv(const int *first, const int *column, const float *value, const float *x, float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        for (int i = first[row]; i < first[row + 1]; i++) {
            sum += value[i] * x[column[i]];
        }
        y[row] = sum;
    }
}

__global__ void histogram(const int *number, int *bins, int count) {
    __shared__ int own[BINS];
    int t = threadIdx.x;
    if (t < BINS) {
        own[t] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < count; i += gridDim.x * blockDim.x) {
        atomicAdd(&own[number[i] % BINS], 1);
    }
    __syncthreads();
    if (t < BINS) {
        atomicAdd(&bins[t], own[t]);
    }
}

__global__ void stencil(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int at = y * width + x;
    if (x < width && y < height) {
        float v = in[at];
        if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
            v = weights[0] * v - weights[1] * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
        }
        out[at] = v;
    }
}

__global__ void reduce(const int *in, int *out, int count) {
    extern __shared__ int part[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < count ? in[i] : 0;
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (t < step) {
            part[t] += part[t + step];
        }
    }
    if (t == 0) {
        out[blockIdx.x] = part[0];
    }
}

__global__ void expand(const int *first, const int *column, int *level, int *more, int now, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && level[row] == now) {
        for (int i = first[row]; i < first[row + 1]; i++) {
            if (level[column[i]] < 0) {
                level[column[i]] = now + 1;
                *more = 1;
            }
        }
    }
}

__global__ void turn(const float *in, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    out[(x * SIDE + z) * SIDE + y] = in[(z * SIDE + y) * SIDE + x];
}

__global__ void smallest(const int *in, int *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int seven[7];
    if (i >= count) {
        return;
    }
    for (int k = 0; k < 7; k++) {
        seven[k] = in[(i + k * 11) % count];
    }
    int sum = 0;
    for (int a = 0; a < 3; a++) {
        for (int b = a + 1; b < 7; b++) {
            if (seven[b] < seven[a]) {
                int t = seven[a];
                seven[a] = seven[b];
                seven[b] = t;
            }
        }
        sum += seven[a];
    }
    out[i] = sum + seven[3 + i % 4];
}

template <class T> static T *on_device(const T *from, size_t count) {
    T *p;
    if (cudaMalloc(&p, count * sizeof(T)) != cudaSuccess) {
        exit(2);
    }
    cudaMemcpy(p, from, count * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

template <class T> static const T *from_device(const T *p, size_t count) {
    static char got[1 << 16];
    cudaMemcpy(got, p, count * sizeof(T), cudaMemcpyDeviceToHost);
    return (const T *)got;
}

static const float host_weights[2] = {4, 1};
static float nothing[WIDTH * HEIGHT];
static int none[ITEMS], level[ROWS];

int main() {
    make_data();
    int *f = on_device(first, ROWS + 1), *c = on_device(column, ROWS * NONZEROS_MAX);
    float *v = on_device(value, ROWS * NONZEROS_MAX), *x = on_device(vector, ROWS), *y = on_device(nothing, ROWS);
    spmv<<<4, 128>>>(f, c, v, x, y, ROWS);
    check_spmv(from_device(y, ROWS));
    int *n = on_device(number, ITEMS), *bins = on_device(none, BINS);
    histogram<<<3, 96>>>(n, bins, ITEMS);
    check_histogram(from_device(bins, BINS));
    float *in = on_device(image, WIDTH * HEIGHT), *out = on_device(nothing, WIDTH * HEIGHT);
    on_device(host_weights, 2); // which OpenCL has as a buffer
    cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights);
    stencil<<<dim3(WIDTH / 16, HEIGHT / 8), dim3(16, 8)>>>(in, out, WIDTH, HEIGHT);
    check_stencil(from_device(out, WIDTH * HEIGHT));
    int *sums = on_device(none, 24);
    reduce<<<24, 128, 128 * sizeof(int)>>>(n, sums, ITEMS);
    check_reduce(from_device(sums, 24), 24, 128);
    memset(level, -1, sizeof level);
    level[0] = 0;
    int *l = on_device(level, ROWS), *more = on_device(none, 1);
    for (int now = 0, again = 1; again; now++) {
        cudaMemcpy(more, none, sizeof(int), cudaMemcpyHostToDevice);
        expand<<<4, 128>>>(f, c, l, more, now, ROWS);
        again = *from_device(more, 1);
    }
    check_levels(from_device(l, ROWS));
    float *from = on_device(cube, SIDE * SIDE * SIDE), *to = on_device(nothing, SIDE * SIDE * SIDE);
    turn<<<dim3(3, 3, 2), dim3(4, 4, 6)>>>(from, to);
    check_turned(from_device(to, SIDE * SIDE * SIDE));
    int *small = on_device(none, ITEMS);
    smallest<<<ITEMS / 128 + 1, 128>>>(n, small, ITEMS);
    check_smallest(from_device(small, ITEMS));
    puts(wrong ? "wrong" : "right");
    return wrong;
}
