/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that launch kernels: calls of a kernel, from the text that compiler/child_launches.py
 * makes.
 */
#ifndef WARPMEM_CAPTURE_CHILDREN_H
#define WARPMEM_CAPTURE_CHILDREN_H

#include "instrument/llvm.h"

/** children_is_kernel() - true for a kernel of such a file: its section has the name. */
bool children_is_kernel(const struct llvm *l, llvm_value function);

/** children_mark() - of two modules before they are joined: kernels of the one that kernels of the
 * other launch, so that both know it. */
void children_mark(const struct llvm *l, llvm_module launched, llvm_module launches);
/** children_replace() - in each function of the module, a call of a kernel becomes a copy of its
 * arguments by the runtime. */
void children_replace(const struct llvm *l, llvm_module m, llvm_builder builder);

#endif
