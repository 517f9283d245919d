// SPDX-License-Identifier: Apache-2.0
// Sparse matrix times vector in OpenCL, a row a work-item, for warpmem capture, which needs no
// change of an OpenCL program:
//
//     gcc spmv_opencl.c -lOpenCL -o spmv_opencl
//     warpmem capture -o spmv.wtr -- ./spmv_opencl 4096
//     warpmem compare spmv.wtr --preset quadro-daws --schemes gto,ccws,swl:2
//
// Without an installed OpenCL, use warpmem-cc instead of gcc.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "__kernel void spmv(int rows, __global const int *first, __global const int *column,\n"
    "                   __global const float *value, __global const float *x,\n"
    "                   __global float *y) {\n"
    "    int row = get_global_id(0);\n"
    "    if (row < rows) {\n"
    "        float sum = 0;\n"
    "        for (int i = first[row]; i < first[row + 1]; i++) {\n"
    "            sum += value[i] * x[column[i]];\n"
    "        }\n"
    "        y[row] = sum;\n"
    "    }\n"
    "}\n";

static void check(cl_int error, const char *what) {
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", what, error);
        exit(1);
    }
}

static cl_mem on_device(cl_context context, size_t bytes, void *host) {
    cl_int error;
    cl_mem buffer = clCreateBuffer(context, host ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, bytes,
                                   host, &error);
    check(error, "clCreateBuffer");
    return buffer;
}

int main(int argc, char **argv) {
    const int rows = argc > 1 ? atoi(argv[1]) : 4096;
    int *first = calloc(rows + 1, sizeof *first), *column = calloc(rows * 32, sizeof *column);
    float *value = calloc(rows * 32, sizeof *value), *x = calloc(rows, sizeof *x),
          *y = calloc(rows, sizeof *y);
    unsigned random = 1;
    for (int row = 0; row < rows; row++) {
        first[row + 1] = first[row] + 4 + row * 7 % 29;
        for (int i = first[row]; i < first[row + 1]; i++) {
            random = random * 1664525 + 1013904223;
            column[i] = random / 256 % rows;
            value[i] = random % 16;
        }
        x[row] = row % 7;
    }

    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel spmv = clCreateKernel(program, "spmv", &error);
    check(error, "clCreateKernel");

    cl_mem result = on_device(context, rows * sizeof(float), NULL);
    const cl_mem buffers[] = {on_device(context, (rows + 1) * sizeof(int), first),
                              on_device(context, rows * 32 * sizeof(int), column),
                              on_device(context, rows * 32 * sizeof(float), value),
                              on_device(context, rows * sizeof(float), x), result};
    check(clSetKernelArg(spmv, 0, sizeof rows, &rows), "clSetKernelArg");
    for (cl_uint i = 0; i < 5; i++) {
        check(clSetKernelArg(spmv, i + 1, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    }
    const size_t local = 256, items = (rows + local - 1) / local * local;
    check(clEnqueueNDRangeKernel(queue, spmv, 1, NULL, &items, &local, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, rows * sizeof(float), y, 0, NULL, NULL),
          "clEnqueueReadBuffer");
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
