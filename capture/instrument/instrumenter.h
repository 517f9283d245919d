/* SPDX-License-Identifier: Apache-2.0
 *
 * A module while it is rewritten, for the files that rewrite its parts.
 */
#ifndef WARPMEM_CAPTURE_INSTRUMENTER_H
#define WARPMEM_CAPTURE_INSTRUMENTER_H

#include <stdint.h>

#include "instrument/functions.h"
#include "instrument/kernel_code.h"
#include "instrument/llvm.h"

#define KERNELS_MAX 4096
#define NAME_MAX_ 4096

struct instrumenter {
    struct llvm l;
    llvm_module module;
    llvm_context context;
    enum code_language language;
    llvm_builder builder;
    llvm_type i8, i32, pointer, nothing;
    llvm_value kernel[KERNELS_MAX];
    unsigned kernels;
    struct functions functions;               /* that kernels call */
    struct kernel_code_maker *with_functions; /* a kernel's, of those that call them */
    llvm_value report[REPORT_KINDS];
    llvm_type report_type[REPORT_KINDS];
    llvm_value dynamic_shared; /* all extern __shared__ arrays; NULL: none so far */
    const char *input;
    struct code_options options;
    bool plain; /* kernels do not report, and variables are those of the other module */
};

/** refuse_input() - print the fault of the module; refuse_kernel(): of a kernel, @wrong is
 * "FILE:LINE: what". Both are false. */
__attribute__((format(printf, 2, 3))) bool refuse_input(const struct instrumenter *m,
                                                        const char *format, ...);
bool refuse_kernel(const char *name, const char *wrong);
const char *name_of(const struct instrumenter *m, llvm_value v);
void rename_value(const struct instrumenter *m, llvm_value v, const char *name);

/* --- symbols that the runtime looks up (symbols.c) --- */

bool add_numbers(struct instrumenter *m, const char *prefix, const char *name,
                 const uint32_t *numbers, size_t count);
bool add_table(struct instrumenter *m, const struct kernel_table *t, const char *name);
bool add_parameters(struct instrumenter *m, llvm_value kernel, const char *name);
bool add_sizes(struct instrumenter *m, llvm_value kernel, const char *name);
bool add_kernel_name(struct instrumenter *m, unsigned n);
void add_mark(struct instrumenter *m, const char *name);
void add_caller(struct instrumenter *m, llvm_value kernel, const char *name);

/* --- variables (variables.c) --- */

/** place_variables() - move the module's variables to the sections of their spaces. */
void place_variables(struct instrumenter *m);

#endif
