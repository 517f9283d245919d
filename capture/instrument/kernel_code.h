/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's code as a GPU would issue it, from LLVM's: the table of capture/kernel_table.h, and
 * the places at which the compiled kernel must report a block or an access.
 *
 * An LLVM instruction becomes one instruction, with these exceptions: casts, constant offsets of
 * pointers, phis and parts of vectors become none; a product whose only use is an addition becomes
 * a multiply-add; an access wider than 16 bytes becomes several; an access through a pointer of
 * unknown space becomes one for each possible space. A phi and its incoming values are one value,
 * as a compiler coalesces them.
 */
#ifndef WARPMEM_CAPTURE_KERNEL_CODE_H
#define WARPMEM_CAPTURE_KERNEL_CODE_H

#include "capture/kernel_table.h"
#include "instrument/functions.h"
#include "instrument/llvm.h"
#include "instrument/spaces.h"

/* A call to insert before an instruction. */
enum report_kind {
    REPORT_BLOCK,          /* the block's number */
    REPORT_FUNCTION_BLOCK, /* of a function: the number among those of all functions */
    REPORT_CALL,           /* through @pointer */
    REPORT_GLOBAL,         /* an address whose space is known */
    REPORT_LOCAL,
    REPORT_SHARED,
    REPORT_CONSTANT,
    REPORT_TEXTURE,
    REPORT_ARGUMENT, /* of the parameter @base */
    REPORT_GENERIC,
    REPORT_KINDS
};

struct report {
    enum report_kind kind;
    llvm_value before;
    uint32_t block;
    llvm_value pointer, base;
    unsigned bytes; /* of the access's parts, for REPORT_LOCAL and REPORT_GENERIC */
};

/* Options of all kernels: warpmem-cc's --ldg and --fmad, and its file. */
struct code_options {
    enum code_space read_only; /* as for code_space_of() */
    bool fuses;                /* a product of floats and its sum become one instruction */
    const char *source;        /* the program's file; NULL: the one that the bitcode names */
};

struct kernel_code_maker;

/** kernel_code_make() - from a kernel's function, with the functions that it calls. @called: all
 * of the module's; NULL: the kernel calls none. NULL: kernel_code_error() has the reason. */
struct kernel_code_maker *kernel_code_make(const struct llvm *l, llvm_module module,
                                           llvm_value kernel, const struct functions *called,
                                           const char *name, const struct code_options *options);
/** kernel_code_error() - the message of the last failure: "FILE:LINE: fault". */
const char *kernel_code_error(void);

/** kernel_code_meets() - true if lanes exchange values or wait for each other. */
bool kernel_code_meets(const struct kernel_code_maker *k);
const struct kernel_table *kernel_code_table(const struct kernel_code_maker *k);
/** kernel_code_reports() - in the order of the code. kernel_code_function_reports(): of the called
 * functions, which are the same for all kernels. */
const struct report *kernel_code_reports(const struct kernel_code_maker *k, unsigned *count);
const struct report *kernel_code_function_reports(const struct kernel_code_maker *k,
                                                  unsigned *count);
void kernel_code_free(struct kernel_code_maker *k);

#endif
