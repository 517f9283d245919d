// SPDX-License-Identifier: Apache-2.0
// The OpenCL twin of twins.cu: tb/scripts/capture_opencl_test.py compares them. usage: twins FILE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "source.h"
#include "twins.h"

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_uint arguments;

static void must_succeed(cl_int error) {
    if (error) {
        printf("error %d\n", error);
        exit(2);
    }
}

static void build_kernels(const char *source) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    char options[96];
    const char *more = getenv("BUILD_OPTIONS");
    must_succeed(clGetPlatformIDs(1, &platform, NULL));
    must_succeed(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must_succeed(error);
    queue = clCreateCommandQueue(context, device, 0, &error);
    must_succeed(error);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    must_succeed(error);
    snprintf(options, sizeof options, "-D BINS=%d -DSIDE=%d %s", BINS, SIDE, more ? more : "");
    must_succeed(clBuildProgram(program, 1, &device, options, NULL, NULL));
}

static cl_mem on_device(const void *from, size_t bytes) {
    cl_int error;
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    must_succeed(error);
    must_succeed(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, bytes, from, 0, NULL, NULL));
    return m;
}

static const void *from_device(cl_mem m, size_t bytes) {
    static char got[1 << 16];
    must_succeed(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, got, 0, NULL, NULL));
    return got;
}

static void select_kernel(const char *name) {
    cl_int error;
    kernel = clCreateKernel(program, name, &error);
    must_succeed(error);
    arguments = 0;
}

static void pass_bytes(const void *value, size_t bytes) {
    must_succeed(clSetKernelArg(kernel, arguments++, bytes, value));
}

static void pass_buffer(cl_mem m) {
    pass_bytes(&m, sizeof m);
}

static void pass_int(int value) {
    pass_bytes(&value, sizeof value);
}

static void run_kernel(cl_uint dimensions, const size_t *global, const size_t *local) {
    must_succeed(
        clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL));
}

static void run_line(size_t global, size_t local) {
    run_kernel(1, &global, &local);
}

static float nothing[WIDTH * HEIGHT];
static int none[ITEMS], level[ROWS];

int main(int argc, char **argv) {
    make_data();
    build_kernels(read_source(argc, argv));
    cl_mem f = on_device(first, sizeof first), c = on_device(column, sizeof column);
    cl_mem v = on_device(value, sizeof value), x = on_device(vector, sizeof vector),
           y = on_device(nothing, sizeof vector);
    select_kernel("spmv");
    pass_buffer(f), pass_buffer(c), pass_buffer(v), pass_buffer(x), pass_buffer(y), pass_int(ROWS);
    run_line(512, 128);
    check_spmv(from_device(y, sizeof vector));
    cl_mem n = on_device(number, sizeof number), bins = on_device(none, BINS * sizeof(int));
    select_kernel("histogram");
    pass_buffer(n), pass_buffer(bins), pass_int(ITEMS);
    run_line(288, 96);
    check_histogram(from_device(bins, BINS * sizeof(int)));
    cl_mem in = on_device(image, sizeof image), out = on_device(nothing, sizeof image);
    select_kernel("stencil");
    cl_mem weights = on_device((float[]){4, 1}, 2 * sizeof(float));
    pass_buffer(in), pass_buffer(out), pass_buffer(weights), pass_int(WIDTH), pass_int(HEIGHT);
    run_kernel(2, (size_t[]){WIDTH, HEIGHT}, (size_t[]){16, 8});
    check_stencil(from_device(out, sizeof image));
    cl_mem sums = on_device(none, 24 * sizeof(int));
    select_kernel("reduce");
    pass_buffer(n), pass_buffer(sums), pass_bytes(NULL, 128 * sizeof(int)), pass_int(ITEMS);
    run_line(24 * 128, 128);
    check_reduce(from_device(sums, 24 * sizeof(int)), 24, 128);
    memset(level, -1, sizeof level);
    level[0] = 0;
    cl_mem l = on_device(level, sizeof level), more = on_device(none, sizeof(int));
    select_kernel("expand");
    for (int now = 0, again = 1; again; now++) {
        must_succeed(
            clEnqueueWriteBuffer(queue, more, CL_TRUE, 0, sizeof(int), none, 0, NULL, NULL));
        arguments = 0;
        pass_buffer(f), pass_buffer(c), pass_buffer(l), pass_buffer(more), pass_int(now),
            pass_int(ROWS);
        run_line(512, 128);
        again = *(const int *)from_device(more, sizeof(int));
    }
    check_levels(from_device(l, sizeof level));
    cl_mem from = on_device(cube, sizeof cube), to = on_device(nothing, sizeof cube);
    select_kernel("turn");
    pass_buffer(from), pass_buffer(to);
    run_kernel(3, (size_t[]){SIDE, SIDE, SIDE}, (size_t[]){4, 4, 6});
    check_turned(from_device(to, sizeof cube));
    cl_mem small = on_device(none, sizeof none);
    select_kernel("smallest");
    pass_buffer(n), pass_buffer(small), pass_int(ITEMS);
    run_line((ITEMS / 128 + 1) * 128, 128);
    check_smallest(from_device(small, sizeof none));
    puts(wrong ? "wrong" : "right");
    return wrong;
}
