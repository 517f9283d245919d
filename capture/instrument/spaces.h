/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory space of a pointer, as far as the code tells it.
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
    CODE_SPACE_GENERIC,  /* the address tells, at run time */
};

enum code_language code_language_of(const struct llvm *l, llvm_module m);
/** code_space_of_number() - of an address space; CODE_SPACE_GENERIC: it says nothing. */
enum code_space code_space_of_number(enum code_language language, unsigned space);
/** code_space_of_variable() - of one that is no function's. */
enum code_space code_space_of_variable(const struct llvm *l, llvm_module m, llvm_value variable);

/**
 * code_space_of() - where a pointer leads: from the variable, allocation or parameter that it is
 * made of. A pointer that is a parameter leads to global memory, since a host knows no other one.
 * In OpenCL C the type tells all but whether a private address is a parameter's.
 * @read_only: where parameters lead that the kernel only reads, and by no other pointer (`const
 * __restrict__`): CODE_SPACE_GLOBAL or CODE_SPACE_TEXTURE
 * @function: the kernel that has it
 * @base: of CODE_SPACE_ARGUMENT: the parameter
 * @constant_offset: becomes false where it is not constant
 */
enum code_space code_space_of(const struct llvm *l, enum code_language language,
                              enum code_space read_only, llvm_value function, llvm_value pointer,
                              llvm_value *base, bool *constant_offset);

/** code_is_texture() - is the value an element of a texture, as a pointer? Its index is the
 * operand 1. */
bool code_is_texture(const struct llvm *l, llvm_value value);

/** code_shared_bytes() - static shared memory that a function uses. */
uint32_t code_shared_bytes(const struct llvm *l, llvm_module m, llvm_layout layout,
                           llvm_value function);

#endif
