// SPDX-License-Identifier: Apache-2.0
// Functions of all programs of this folder, which compile with warpmem-cc and with nvcc.
#ifndef WARPMEM_EXAMPLE_H
#define WARPMEM_EXAMPLE_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check_call(call, #call, __FILE__, __LINE__)
#define CHECK_LAUNCH() check_call(cudaGetLastError(), "the launch", __FILE__, __LINE__)

static inline void check_call(cudaError_t error, const char *what, const char *file, int line) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
        exit(1);
    }
}

// Number @which of the command line, or @otherwise. Ends the program if it is not in low..high.
static inline unsigned argument(int argc, char **argv, int which, unsigned otherwise, unsigned low, unsigned high) {
    char *end = NULL;
    unsigned long value = argc > which ? strtoul(argv[which], &end, 10) : otherwise;
    if (argc > which && (*end || value < low || value > high)) {
        fprintf(stderr, "%s: argument %d: must be %u..%u\n", argv[0], which, low, high);
        exit(2);
    }
    return (unsigned)value;
}

// The same for a power of two.
static inline unsigned power_of_two(int argc, char **argv, int which, unsigned otherwise, unsigned low, unsigned high) {
    unsigned value = argument(argc, argv, which, otherwise, low, high);
    if (value & (value - 1)) {
        fprintf(stderr, "%s: argument %d: must be a power of two\n", argv[0], which);
        exit(2);
    }
    return value;
}

template <typename T>
static T *device_array(size_t count) {
    T *array;
    CHECK(cudaMalloc((void **)&array, count * sizeof(T)));
    return array;
}

template <typename T>
static T *device_copy(const T *from, size_t count) {
    T *array = device_array<T>(count);
    CHECK(cudaMemcpy(array, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return array;
}

template <typename T>
static void host_copy(T *to, const T *from, size_t count) {
    CHECK(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost));
}

// A small generator, so that all compilers give the same inputs.
static inline unsigned draw(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline float draw_unit(unsigned *state) {
    return (float)draw(state) / (1 << 24);
}

static inline bool near(double a, double b, double relative) {
    return fabs(a - b) <= relative * fmax(1, fmax(fabs(a), fabs(b)));
}

// The program's last words, and its exit status.
static inline int verdict(const char *name, unsigned long wrong) {
    printf("%s: %s, %lu wrong\n", name, wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}

#endif
