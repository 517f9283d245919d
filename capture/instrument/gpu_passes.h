/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes of a GPU's code generator over optimized code: those whose work shows in the accesses.
 */
#ifndef WARPMEM_INSTRUMENT_GPU_PASSES_H
#define WARPMEM_INSTRUMENT_GPU_PASSES_H

#include "instrument/llvm.h"

/** gpu_align_shared() - shared arrays begin at 16 bytes, as a kernel's arrays of whole 16 bytes do
 * on a GPU, so that accesses of known places merge. Before the optimizer, which then finds the
 * alignment of each access. */
void gpu_align_shared(const struct llvm *l, llvm_module module);

struct gpu_passes {
    const struct llvm *l;
    llvm_module module;
    llvm_builder builder;
    llvm_machine gpu;
};

/** gpu_passes_open() - Return: NULL, or why not, as those below. */
const char *gpu_passes_open(struct gpu_passes *g, const struct llvm *l, llvm_module module,
                            llvm_builder builder);

/** gpu_passes_addresses() - pointers to one memory get its address space, constant parts of
 * addresses become offsets of the accesses, and sums and products of neighbours become one of them
 * and a difference. */
const char *gpu_passes_addresses(const struct gpu_passes *g);

/** gpu_passes_merge() - neighbouring accesses of a thread become one of 8 or 16 bytes where their
 * alignment is known (a float4 is one load). */
const char *gpu_passes_merge(const struct gpu_passes *g);

#endif
