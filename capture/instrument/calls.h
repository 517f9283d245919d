/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that remain in a kernel after every defined function was inlined: intrinsics of the
 * compiler, and functions of the headers in capture/include.
 */
#ifndef WARPMEM_CAPTURE_CALLS_H
#define WARPMEM_CAPTURE_CALLS_H

#include "kernel/insn.h"

enum call_what {
    CALL_NOTHING, /* no instruction */
    CALL_OPS,     /* @count instructions of @op; OP_FP_... stands for OP_DP_... of doubles */
    CALL_COPY,    /* llvm.memcpy */
    CALL_SET,     /* llvm.memset */
    CALL_BARRIER,
    CALL_FENCE,
    CALL_PRINT,  /* the C library's: no instruction */
    CALL_ATOMIC, /* on the first argument's memory, of @count bytes; 0: the last one's */
    CALL_MEET,   /* the lanes of a warp meet: one instruction of @op */
};

struct call_kind {
    const char *begins; /* of the function's name */
    enum call_what what;
    uint8_t op, count;
};

/** call_kind_of() - the row with the longest match; NULL: a kernel cannot call it. */
const struct call_kind *call_kind_of(const char *name);

/** call_next_cost() - read a part of a cost, such as fma3_sfu1_: the lists in capture/include name
 * functions by what they cost. Return: what follows it; NULL: no cost is there. */
const char *call_next_cost(const char *at, unsigned *op, unsigned *count);

#endif
