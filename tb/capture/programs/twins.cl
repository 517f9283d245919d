// SPDX-License-Identifier: Apache-2.0
// The kernels of twins.cu in OpenCL C.
__kernel void spmv(__global const int *first, __global const int *column, __global const float *value,
                   __global const float *x, __global float *y, int rows) {
    int row = get_global_id(0);
    if (row < rows) {
        float sum = 0;
        for (int i = first[row]; i < first[row + 1]; i++) {
            sum += value[i] * x[column[i]];
        }
        y[row] = sum;
    }
}
__kernel void histogram(__global const int *number, __global int *bins, int count) {
    __local int own[BINS];
    int t = get_local_id(0);
    if (t < BINS) {
        own[t] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
        atomic_add(&own[number[i] % BINS], 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < BINS) {
        atomic_add(&bins[t], own[t]);
    }
}
__kernel void stencil(__global const float *in, __global float *out, __constant float *weights, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    int at = y * width + x;
    if (x < width && y < height) {
        float v = in[at];
        if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
            v = weights[0] * v - weights[1] * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
        }
        out[at] = v;
    }
}
__kernel void reduce(__global const int *in, __global int *out, __local int *part, int count) {
    int t = get_local_id(0), i = get_global_id(0);
    part[t] = i < count ? in[i] : 0;
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < step) {
            part[t] += part[t + step];
        }
    }
    if (t == 0) {
        out[get_group_id(0)] = part[0];
    }
}
__kernel void expand(__global const int *first, __global const int *column, __global int *level, __global int *more,
                     int now, int rows) {
    int row = get_global_id(0);
    if (row < rows && level[row] == now) {
        for (int i = first[row]; i < first[row + 1]; i++) {
            if (level[column[i]] < 0) {
                level[column[i]] = now + 1;
                *more = 1;
            }
        }
    }
}
__kernel void turn(__global const float *in, __global float *out) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(x * SIDE + z) * SIDE + y] = in[(z * SIDE + y) * SIDE + x];
}
__kernel void smallest(__global const int *in, __global int *out, int count) {
    int i = get_global_id(0);
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
