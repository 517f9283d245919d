// SPDX-License-Identifier: Apache-2.0
// OpenCL 1.2 as programs use it: what each call gives back, and what the functions of OpenCL C
// compute. usage: features features.cl
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

static int wrong;
static cl_context context;
static cl_command_queue queue;
static cl_device_id device;
static cl_program program;

#define EXPECT(condition) note_unless(condition, #condition, __LINE__)
static void note_unless(int good, const char *what, int line) {
    if (!good) {
        printf("line %d: %s\n", line, what);
        wrong = 1;
    }
}

static int is_close_to(double a, double b) {
    return fabs(a - b) <= 1e-5 * (fabs(b) + 1);
}

static cl_mem buffer_of(size_t bytes, void *from) {
    cl_int error;
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0), bytes,
                              from, &error);
    EXPECT(error == CL_SUCCESS);
    return m;
}

static cl_kernel named_kernel(const char *name) {
    cl_int error;
    cl_kernel k = clCreateKernel(program, name, &error);
    EXPECT(error == CL_SUCCESS);
    return k;
}

static void open_device(void) {
    cl_platform_id platform;
    cl_uint count;
    cl_int error;
    char text[64];
    size_t needed;
    EXPECT(!clGetPlatformIDs(0, NULL, &count) && count == 1);
    EXPECT(!clGetPlatformIDs(1, &platform, NULL));
    EXPECT(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_DEVICE_NOT_FOUND);
    EXPECT(!clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &count) && count == 1);
    EXPECT(!clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, &needed) &&
           !strncmp(text, "OpenCL 1.2 ", 11) && needed == strlen(text) + 1);
    EXPECT(clGetDeviceInfo(device, CL_DEVICE_NAME, 3, text, NULL) == CL_INVALID_VALUE);
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    context = clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &error);
    EXPECT(context && !error);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    EXPECT(queue && !error);
}

static void build_programs(const char *source) {
    const char *bad = "__kernel void k(__global int *p) {\n    p[0] = absent;\n}\n",
               *image = "__kernel void k(read_only image2d_t i) {}\n";
    const char *parts[] = {source, "// the end"};
    const size_t lengths[] = {0, 2};
    char log[2048];
    cl_int error;
    size_t count;
    program = clCreateProgramWithSource(context, 1, &bad, NULL, &error);
    EXPECT(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    EXPECT(!clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL) &&
           strstr(log, "program1.cl:2:12: error: use of undeclared identifier 'absent'") == log);
    EXPECT(!clCreateKernel(program, "k", &error) && error == CL_INVALID_PROGRAM_EXECUTABLE);
    EXPECT(!clReleaseProgram(program));
    program = clCreateProgramWithSource(context, 1, &image, NULL, &error);
    EXPECT(clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    EXPECT(!clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL) &&
           strstr(log, "parameter 0, image2d_t: images"));
    EXPECT(clBuildProgram(program, 0, NULL, "--absent", NULL, NULL) == CL_INVALID_BUILD_OPTIONS);
    program = clCreateProgramWithSource(context, 2, parts, lengths, &error);
    EXPECT(!clBuildProgram(program, 1, &device,
                           " -D SCALE=\"(1 + 2)\" -cl-mad-enable -cl-nv-verbose -w", NULL, NULL));
    EXPECT(!clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof log, log, NULL) &&
           !strcmp(log, "arithmetic;whole;moves"));
    EXPECT(!clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL) &&
           count == 3);
    EXPECT(!clCreateKernel(program, "absent", &error) && error == CL_INVALID_KERNEL_NAME);
    EXPECT(!clCreateBuffer(context, CL_MEM_READ_ONLY, 0, NULL, &error) &&
           error == CL_INVALID_BUFFER_SIZE);
    EXPECT(!clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 8, NULL, &error) &&
           error == CL_INVALID_HOST_PTR);
}

static void check_arithmetic(void) {
    float in[2] = {1.25f, 0.5f}, o[2][32];
    const size_t items = 2;
    const int n = 2;
    cl_kernel k = named_kernel("arithmetic");
    cl_mem from = buffer_of(sizeof in, in), to = buffer_of(sizeof o, NULL);
    EXPECT(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL) ==
           CL_INVALID_KERNEL_ARGS);
    EXPECT(!clSetKernelArg(k, 0, sizeof from, &from) && !clSetKernelArg(k, 1, sizeof to, &to) &&
           !clSetKernelArg(k, 2, sizeof n, &n));
    EXPECT(clSetKernelArg(k, 3, sizeof n, &n) == CL_INVALID_ARG_INDEX &&
           clSetKernelArg(k, 2, 8, &n) == CL_INVALID_ARG_SIZE);
    EXPECT(!clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT(!clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof o, o, 0, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        const double x = in[i], v[] = {x, x + 1, x + 2, x + 3},
                     square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3], t = x / 2;
        const double wanted[32] = {sqrt(x),
                                   sin(x),
                                   pow(x, 2.5),
                                   fmod(x, 0.7),
                                   2 * x + 1,
                                   fmin(fmax(x, 0.5), 1.5),
                                   1 + 2 * x,
                                   rint(x),
                                   x - floor(x),
                                   floor(x),
                                   square,
                                   hypot(v[0], v[1]),
                                   v[2],
                                   v[3] / sqrt(square),
                                   exp(v[1]),
                                   v[2] * v[2] + v[2],
                                   fmax(x, 1),
                                   1,
                                   0,
                                   2,
                                   x < 1.5 ? x : -x,
                                   3 * x,
                                   t * t * (3 - 2 * t),
                                   x >= 1,
                                   -1,
                                   8 * x,
                                   3,
                                   5,
                                   x / 2,
                                   0.5,
                                   -x,
                                   3};
        for (int f = 0; f < 32; f++) {
            if (!is_close_to(o[i][f], wanted[f])) {
                printf("arithmetic %d of %g: %.8g, must be %.8g\n", f, x, o[i][f], wanted[f]);
                wrong = 1;
            }
        }
    }
}

static void check_whole(void) {
    int in[6] = {9, 9, -7, 1000, 0, 12345678}, o[6][32];
    struct {
        int a;
        float b[3];
    } p = {100, {1, 2, 3}};
    const size_t offset[] = {2, 0}, items[] = {4, 1}, local[] = {2, 1};
    cl_kernel k = named_kernel("whole");
    cl_mem from = buffer_of(sizeof in, in), to = buffer_of(sizeof o, NULL);
    EXPECT(!clSetKernelArg(k, 0, sizeof from, &from) && !clSetKernelArg(k, 1, sizeof to, &to) &&
           !clSetKernelArg(k, 2, sizeof p, &p));
    EXPECT(clEnqueueNDRangeKernel(queue, k, 2, offset, items, (size_t[]){3, 1}, 0, NULL, NULL) ==
           CL_INVALID_WORK_GROUP_SIZE);
    EXPECT(clEnqueueNDRangeKernel(queue, k, 4, offset, items, local, 0, NULL, NULL) ==
           CL_INVALID_WORK_DIMENSION);
    EXPECT(!clEnqueueNDRangeKernel(queue, k, 2, offset, items, local, 0, NULL, NULL));
    EXPECT(!clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof o, o, 0, NULL, NULL));
    for (int i = 2; i < 6; i++) {
        const int x = in[i];
        const unsigned u = (unsigned)x;
        const int wanted[32] = {abs(x),
                                abs(x - 7),
                                x > 0 ? 0x7fffffff : x + 0x7fffffff,
                                0,
                                (x + 5) >> 1,
                                (x + 6) >> 1,
                                (int)(u << 8 | u >> 24),
                                __builtin_popcount(u),
                                x ? __builtin_clz(u) : 32,
                                (int)((long)x * 0x12345678 >> 32),
                                x * 3,
                                (int)(u << 16 | 9),
                                x > 127 ? 127 : x,
                                127,
                                -128,
                                x > 3 ? x : 3,
                                2,
                                3,
                                0,
                                0x7fffffff,
                                3,
                                15,
                                100 + (x & 1 ? 2 : 1),
                                1,
                                -128,
                                2,
                                2,
                                (i - 2) / 2,
                                2,
                                1,
                                -2,
                                1};
        for (int f = 0; f < 32; f++) {
            if (o[i][f] != wanted[f]) {
                printf("whole %d of %d: %d, must be %d\n", f, x, o[i][f], wanted[f]);
                wrong = 1;
            }
        }
    }
}

static void check_moves(void) {
    float in[256], o[256];
    int bins[5] = {0};
    cl_long wide[2];
    size_t group, size[3];
    const size_t items = 64;
    cl_ulong begin, end;
    cl_event event;
    cl_kernel k = named_kernel("moves");
    for (int i = 0; i < 256; i++) {
        in[i] = (float)i;
    }
    cl_mem from = buffer_of(sizeof in, in), to = buffer_of(sizeof o, NULL),
           b = buffer_of(sizeof bins, bins), w = buffer_of(sizeof wide, NULL);
    const cl_long none = 0;
    EXPECT(!clEnqueueFillBuffer(queue, w, &none, sizeof none, 0, sizeof wide, 0, NULL, NULL));
    EXPECT(!clSetKernelArg(k, 0, sizeof from, &from) && !clSetKernelArg(k, 1, sizeof to, &to) &&
           !clSetKernelArg(k, 2, sizeof in, NULL));
    EXPECT(!clSetKernelArg(k, 3, sizeof b, &b) && !clSetKernelArg(k, 4, sizeof w, &w));
    EXPECT(clSetKernelArg(k, 2, sizeof in, in) == CL_INVALID_ARG_VALUE &&
           clSetKernelArg(k, 3, sizeof b, &context) == CL_INVALID_MEM_OBJECT);
    EXPECT(!clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group,
                                     NULL) &&
           group == 64);
    EXPECT(!clGetKernelWorkGroupInfo(k, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size,
                                     size, NULL) &&
           size[0] == 64 && size[2] == 1);
    EXPECT(!clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, &event));
    EXPECT(!clWaitForEvents(1, &event));
    EXPECT(!clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    EXPECT(!clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) &&
           end > begin);
    EXPECT(!clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof o, o, 1, &event, NULL) &&
           !clReleaseEvent(event));
    EXPECT(!clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof bins, bins, 0, NULL, NULL));
    EXPECT(!clEnqueueReadBuffer(queue, w, CL_TRUE, 0, sizeof wide, wide, 0, NULL, NULL));
    for (int i = 0; i < 256; i++) {
        EXPECT(o[i] == 2 * in[(63 - i / 4) * 4 + i % 4]);
    }
    EXPECT(bins[0] == 16 && bins[3] == 16 && bins[4] == 63 && wide[0] == 64L << 33 &&
           wide[1] == 63);
}

static void check_buffers(void) {
    int host[64], got[64];
    cl_int error;
    for (int i = 0; i < 64; i++) {
        host[i] = i;
    }
    cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof host, host, &error);
    cl_buffer_region region = {32, 64};
    cl_mem part = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    EXPECT(part && !error);
    EXPECT(!clEnqueueReadBuffer(queue, part, CL_TRUE, 4, 8, got, 0, NULL, NULL) && got[0] == 9 &&
           got[1] == 10);
    EXPECT(clEnqueueReadBuffer(queue, part, CL_TRUE, 60, 8, got, 0, NULL, NULL) ==
           CL_INVALID_VALUE);
    int *mapped = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 16, 16, 0, NULL,
                                     NULL, &error);
    EXPECT(mapped == host + 4 && !error);
    mapped[1] = 500;
    EXPECT(!clEnqueueUnmapMemObject(queue, m, mapped, 0, NULL, NULL));
    EXPECT(clEnqueueUnmapMemObject(queue, m, mapped, 0, NULL, NULL) == CL_INVALID_VALUE);
    EXPECT(!clEnqueueReadBuffer(queue, m, CL_TRUE, 20, 4, got, 0, NULL, NULL) && got[0] == 500);
    cl_mem other = buffer_of(sizeof host, NULL);
    EXPECT(!clEnqueueCopyBuffer(queue, m, other, 0, 128, 64, 0, NULL, NULL));
    EXPECT(clEnqueueCopyBuffer(queue, m, m, 0, 8, 64, 0, NULL, NULL) == CL_MEM_COPY_OVERLAP);
    EXPECT(!clEnqueueReadBuffer(queue, other, CL_TRUE, 128, 64, got, 0, NULL, NULL) &&
           got[15] == 15 && got[5] == 500);
    // Two rows of 8 bytes, from a square of 8 x 8 numbers.
    const size_t at[] = {8, 2, 0}, zero[] = {0, 0, 0}, box[] = {8, 2, 1};
    EXPECT(!clEnqueueReadBufferRect(queue, m, CL_TRUE, at, zero, box, 32, 0, 8, 0, got, 0, NULL,
                                    NULL) &&
           got[0] == 18 && got[3] == 27);
    EXPECT(clEnqueueReadBufferRect(queue, m, CL_TRUE, at, zero, box, 4, 0, 8, 0, got, 0, NULL,
                                   NULL) == CL_INVALID_VALUE);
    const int four[] = {70, 71, 72, 73};
    EXPECT(!clEnqueueWriteBufferRect(queue, other, CL_TRUE, at, zero, box, 32, 0, 8, 0, four, 0,
                                     NULL, NULL));
    EXPECT(!clEnqueueCopyBufferRect(queue, other, m, at, zero, box, 32, 0, 8, 0, 0, NULL, NULL));
    EXPECT(!clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 16, got, 0, NULL, NULL) &&
           !memcmp(got, four, sizeof four));
    cl_event user = clCreateUserEvent(context, &error);
    EXPECT(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 16, got, 1, &user, NULL) ==
           CL_INVALID_OPERATION);
    EXPECT(!clSetUserEventStatus(user, CL_COMPLETE) &&
           !clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 16, got, 1, &user, NULL));
    cl_uint count;
    EXPECT(!clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL) &&
           count == 2);
    EXPECT(!clReleaseMemObject(part) && !clReleaseMemObject(m) &&
           clReleaseMemObject(NULL) == CL_INVALID_MEM_OBJECT);
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    EXPECT(!clCreateImage2D(context, CL_MEM_READ_ONLY, &format, 4, 4, 0, NULL, &error) &&
           error == CL_INVALID_OPERATION);
}

int main(int argc, char **argv) {
    open_device();
    build_programs(read_source(argc, argv));
    check_arithmetic();
    check_whole();
    check_moves();
    check_buffers();
    EXPECT(!clFinish(queue) && !clReleaseProgram(program) && !clReleaseCommandQueue(queue) &&
           !clReleaseContext(context));
    puts(wrong ? "wrong" : "right");
    return wrong;
}
