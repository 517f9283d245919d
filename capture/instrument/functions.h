/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the device that stay functions: those that kernels call through pointers, virtual
 * ones among them, and those that LLVM could not inline, because they call themselves or say so.
 */
#ifndef WARPMEM_CAPTURE_FUNCTIONS_H
#define WARPMEM_CAPTURE_FUNCTIONS_H

#include "instrument/llvm.h"

struct functions {
    llvm_value *at; /* in the module's order */
    unsigned count;
};

/** functions_find() - those that @kernels may call, directly or not. A call through a pointer may
 * lead to each function whose address is taken. False: out of memory. */
bool functions_find(struct functions *f, const struct llvm *l, llvm_module m,
                    const llvm_value *kernels, unsigned kernel_count);
void functions_free(struct functions *f);

/** functions_called() - the function with code, but no kernel, that an instruction calls; NULL:
 * none. functions_through_pointer(): true if it calls what a pointer says. */
llvm_value functions_called(const struct llvm *l, llvm_value i);
bool functions_through_pointer(const struct llvm *l, llvm_value i);
/** functions_calls_any() - true if a kernel has a call of either kind. */
bool functions_calls_any(const struct llvm *l, llvm_value kernel);

#endif
