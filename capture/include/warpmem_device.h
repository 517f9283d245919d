/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that a kernel calls, by kind.
 */
#ifndef WARPMEM_DEVICE_H
#define WARPMEM_DEVICE_H

#include "warpmem_math.h"
#include "warpmem_integer.h"
#include "warpmem_memory.h"
#include "warpmem_atomics.h"
#include "warpmem_warp.h"

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...); /* the compiler turns it into vprintf() */
__device__ void __assert_fail(const char *, const char *, unsigned, const char *)
    __attribute__((noreturn));
/* CUDA leaves such a use undefined, so it ends the launch, and the program under capture. */
__device__ void __wm_misused(const char *, const char *, unsigned, const char *)
    __attribute__((noreturn));
__device__ long long __wm_clock(void);
}

WARPMEM_DEVICE long long clock64(void) {
    return __wm_clock();
}
WARPMEM_DEVICE clock_t clock(void) {
    return (clock_t)__wm_clock();
}
__device__ void __trap(void) __asm__("__wm_int1_trap") __attribute__((noreturn));
__device__ void __brkpt(void) __asm__("__wm_int1_brkpt");
__device__ void __nanosleep(unsigned) __asm__("__wm_int1_nanosleep");
__device__ void __prof_trigger(int) __asm__("__wm_int1_prof_trigger");
#define __assume __builtin_assume

#endif
