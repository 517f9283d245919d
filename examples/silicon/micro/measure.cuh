// SPDX-License-Identifier: Apache-2.0
// Microbenchmarks give no times: under warpmem a program's clock means nothing. They say which two launches differ by what, and cycles of
// launches come from `warpmem run --launch N` or from a profiler. What both launches have in common, such as their start, cancels.
#ifndef WARPMEM_MEASURE_H
#define WARPMEM_MEASURE_H

#include "../example.cuh"

static unsigned launches_begun;

// After a kernel's launch: its number, from 1.
static inline unsigned launch_number(void) {
    CHECK_LAUNCH();
    return ++launches_begun;
}

// The second launch does @amount more than the first, or the one launch does it all if @first is 0. @unit: "cycles" each, or what is
// done "a cycle".
static inline void measure(const char *name, const char *unit, double amount, unsigned first, unsigned second) {
    printf("measure\t%s\t%s\t%.0f\t%u\t%u\n", name, unit, amount, first, second);
}

static inline unsigned multiprocessors(int argc, char **argv) {
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    return argument(argc, argv, 1, (unsigned)p.multiProcessorCount, 1, 1024);
}

#endif
