/* SPDX-License-Identifier: Apache-2.0
 *
 * __managed__ variables: kernels use the host's variable. Its address is known when the program
 * runs, so the module has a pointer to it.
 */
#ifndef WARPMEM_CAPTURE_MANAGED_H
#define WARPMEM_CAPTURE_MANAGED_H

#include "instrument/llvm.h"

/** managed_is() - true for a variable of that kind: its section has the name. */
bool managed_is(const struct llvm *l, llvm_value variable);

/**
 * managed_replace() - replace all of the module's __managed__ variables by what the pointers
 * wm_managed_NAME point to. The variables stay, with their initial values.
 * @plain: the pointers are those of another module
 * Return: NULL, or the name of a variable whose address something else than a function has.
 */
const char *managed_replace(const struct llvm *l, llvm_module m, llvm_builder builder, bool plain);

#endif
