/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the parameters of an OpenCL kernel, for the row of numbers of opencl/kernel_parameters.h.
 */
#ifndef WARPMEM_CAPTURE_PARAMETERS_H
#define WARPMEM_CAPTURE_PARAMETERS_H

#include "instrument/llvm.h"

/**
 * parameters_read() - the numbers, for the caller to free.
 * @wrong: the parameter whose type is not supported
 * Return: NULL: @wrong has the reason.
 */
uint32_t *parameters_read(const struct llvm *l, llvm_context context, llvm_module module,
                          llvm_value kernel, unsigned *count, char wrong[static 256]);

#endif
