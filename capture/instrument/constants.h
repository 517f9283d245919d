/* SPDX-License-Identifier: Apache-2.0
 *
 * Constants that the compiler has placed in memory: values of initialised local arrays and structs.
 *
 * nvcc keeps such an array in local memory and stores its values as immediates. clang reads one
 * that the kernel does not change from a table of the module instead; here each thread gets a copy
 * again.
 */
#ifndef WARPMEM_CAPTURE_CONSTANTS_H
#define WARPMEM_CAPTURE_CONSTANTS_H

#include "instrument/llvm.h"

#define CONSTANTS_LOCAL_MAX 4096 /* bytes; a larger one stays a table in global memory */

/** constants_make_local() - give a kernel its own copies of the initialised local arrays that it
 * reads, filled where it begins. */
void constants_make_local(const struct llvm *l, llvm_builder builder, llvm_value kernel);

/** constants_has_values() - true if the pointer's bytes are such values: a copy of them is stores
 * of immediates. */
bool constants_has_values(const struct llvm *l, llvm_value pointer);

#endif
