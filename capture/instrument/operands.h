/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant operands of a function's instructions, replaced by values that the function computes.
 */
#ifndef WARPMEM_CAPTURE_OPERANDS_H
#define WARPMEM_CAPTURE_OPERANDS_H

#include "instrument/llvm.h"

/** operands_variable() - the global variable that a constant pointer points into;
 * NULL: none. */
llvm_value operands_variable(const struct llvm *l, llvm_value operand);

/* The value that replaces a variable in operand @n of @user; NULL: it stays. The builder is where
 * the operand is needed. */
typedef llvm_value operands_replacement(void *context, llvm_value variable, llvm_value user, int n);

/** operands_replace() - in all operands of the function: also inside of
 * constant pointers, and of sums and other operations on their numbers. */
void operands_replace(const struct llvm *l, llvm_builder builder, llvm_value function,
                      operands_replacement *replacement, void *context);

#endif
