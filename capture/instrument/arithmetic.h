/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of a GPU where this computer's is another: a shift by the width and more moves all
 * bits out, and a float that no integer has becomes the nearest one. A NaN becomes 0 between float
 * and 32 bits, else the highest bit alone (PTX ISA: shl, shr, cvt).
 */
#ifndef WARPMEM_CAPTURE_ARITHMETIC_H
#define WARPMEM_CAPTURE_ARITHMETIC_H

#include "instrument/llvm.h"

/** arithmetic_of_gpu() - rewrites the shifts and conversions of a kernel of CUDA. */
void arithmetic_of_gpu(const struct llvm *l, llvm_module module, llvm_builder builder,
                       llvm_value kernel);

#endif
