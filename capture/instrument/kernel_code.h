/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's code as a GPU would issue it, from LLVM's: the table of capture/kernel_table.h, and
 * the places at which the compiled kernel has to report a block or an access.
 *
 * An instruction of LLVM becomes one instruction, but: casts, constant offsets of pointers, phis
 * and parts of vectors are none; a product with one use that is added to something is a
 * multiply-add; an access wider than 16 bytes is several; a pointer whose space the code does not
 * tell has an instruction for each space it may lead to. A phi and the values that come into it are
 * one value, as a compiler coalesces them.
 */
#ifndef WARPMEM_CAPTURE_KERNEL_CODE_H
#define WARPMEM_CAPTURE_KERNEL_CODE_H

#include "capture/kernel_table.h"
#include "instrument/llvm.h"
#include "instrument/spaces.h"

/* A call to insert before an instruction. */
enum report_kind {
    REPORT_BLOCK,  /* the block's number */
    REPORT_GLOBAL, /* an address that is known to be of a space */
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

struct kernel_code_maker;

/** kernel_code_make() - from a kernel's function, in which every call of a function that has a
 * definition was inlined. @read_only: as code_space_of() takes it. NULL: kernel_code_error() says
 * why. */
struct kernel_code_maker *kernel_code_make(const struct llvm *l, llvm_module module,
                                           llvm_value function, const char *name,
                                           enum code_space read_only);
/** kernel_code_error() - the message of the last one that failed: "FILE:LINE: what". */
const char *kernel_code_error(void);

/** kernel_code_meets() - do lanes exchange values, or wait for each other? */
bool kernel_code_meets(const struct kernel_code_maker *k);
const struct kernel_table *kernel_code_table(const struct kernel_code_maker *k);
/** kernel_code_reports() - in the order of the code. */
const struct report *kernel_code_reports(const struct kernel_code_maker *k, unsigned *count);
void kernel_code_free(struct kernel_code_maker *k);

#endif
