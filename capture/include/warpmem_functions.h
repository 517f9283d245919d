/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions whose value the runtime computes (capture/runtime), so that each costs a kernel the
 * instructions that a GPU's code would have, and no others. The lists, warpmem_*_list.h, give each
 * one's cost, type, name, parameters and value. A cost is a row of units with counts, such as
 * fma2_sfu1: int, imax, imul, imad, fadd, fmax, fmul, fma, fdiv, sfu (instrument/calls.c). Counts
 * are those of sm_70's code where they are known, and else estimates.
 */
#ifndef WARPMEM_FUNCTIONS_H
#define WARPMEM_FUNCTIONS_H

#ifdef __CUDA__
#define WARPMEM_ON_DEVICE __attribute__((device, const, nothrow))
#define WARPMEM_ON_BOTH __attribute__((host, device, const, nothrow))
#define WARPMEM_MEMBER __attribute__((host, device, always_inline))
#else /* a file of C++ without kernels */
#define WARPMEM_ON_BOTH __attribute__((const, nothrow))
#define WARPMEM_MEMBER
#endif

#define WARPMEM_FUNCTION(cost, type, name, parameters, value) \
    WARPMEM_ON_BOTH type name parameters __asm__("__wm_" #cost "_" #name);
/* The host has its own, of the C library. */
#define WARPMEM_DEVICE_FUNCTION(cost, type, name, parameters, value) \
    WARPMEM_ON_DEVICE type name parameters __asm__("__wm_" #cost "_" #name);
#define WARPMEM_OVERLOAD(cost, type, name, tag, parameters, value) \
    WARPMEM_ON_BOTH type name parameters __asm__("__wm_" #cost "_" #name "_" #tag);

#endif
