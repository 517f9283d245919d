/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory space of a pointer, as far as the code determines it.
 */
#ifndef WARPMEM_CAPTURE_SPACES_H
#define WARPMEM_CAPTURE_SPACES_H

#include "instrument/llvm.h"

/* The language that a module was compiled from: CUDA for NVPTX, OpenCL C for SPIR. */
enum code_language { CODE_CUDA, CODE_OPENCL };

enum code_space {
    CODE_SPACE_GLOBAL,
    CODE_SPACE_LOCAL,
    CODE_SPACE_SHARED,
    CODE_SPACE_CONSTANT,
    CODE_SPACE_TEXTURE,
    CODE_SPACE_ARGUMENT, /* a struct that is a parameter: constant memory */
    CODE_SPACE_GENERIC,  /* known by the address, at run time */
};

enum code_language code_language_of(const struct llvm *l, llvm_module m);
/** code_space_of_number() - of an address space; CODE_SPACE_GENERIC: undetermined. */
enum code_space code_space_of_number(enum code_language language, unsigned space);
/** code_space_of_variable() - of a global variable. */
enum code_space code_space_of_variable(const struct llvm *l, llvm_module m, llvm_value variable);

/**
 * code_space_of() - the space of a pointer, found from the variable, allocation or parameter that
 * it derives from. A pointer parameter points to global memory, the only one that a host can
 * address. In OpenCL C the type determines the space, except whether a private address is a
 * parameter's.
 * @read_only: space of parameters that the kernel only reads, and through no other pointer (`const
 * __restrict__`): CODE_SPACE_GLOBAL or CODE_SPACE_TEXTURE
 * @function: the kernel or function with the pointer
 * @is_kernel: another function's parameter may point anywhere, and its structs are in local memory
 * @base: with CODE_SPACE_ARGUMENT: the parameter
 * @constant_offset: becomes false if the offset is not constant
 */
enum code_space code_space_of(const struct llvm *l, enum code_language language,
                              enum code_space read_only, llvm_value function, bool is_kernel,
                              llvm_value pointer, llvm_value *base, bool *constant_offset);

/** code_is_texture() - true if the value is a pointer to an element of a texture. Its index is
 * operand 1. */
bool code_is_texture(const struct llvm *l, llvm_value value);
/** code_is_same() - true if the value is a pointer that operand 0 has in another form. */
bool code_is_same(const struct llvm *l, llvm_value value);

/** code_shared_bytes() - static shared memory that any of the functions uses. */
uint32_t code_shared_bytes(const struct llvm *l, llvm_module m, llvm_layout layout,
                           const llvm_value *functions, unsigned count);

#endif
