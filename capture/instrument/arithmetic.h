/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic in which a GPU differs from this computer: a shift by the width or more moves all bits
 * out, and a float beyond the integer's range becomes the nearest integer. A NaN becomes 0 between
 * float and 32 bits; otherwise only the highest bit is set (PTX ISA: shl, shr, cvt).
 */
#ifndef WARPMEM_CAPTURE_ARITHMETIC_H
#define WARPMEM_CAPTURE_ARITHMETIC_H

#include "instrument/llvm.h"

/** arithmetic_of_gpu() - rewrite the shifts and conversions of a CUDA kernel. */
void arithmetic_of_gpu(const struct llvm *l, llvm_module module, llvm_builder builder,
                       llvm_value kernel);

#endif
