/* SPDX-License-Identifier: Apache-2.0
 *
 * Before the compiler optimizes: which functions lanes must call together.
 */
#ifndef WARPMEM_INSTRUMENT_CONVERGENT_H
#define WARPMEM_INSTRUMENT_CONVERGENT_H

#include "instrument/llvm.h"

/** convergent_where_lanes_meet() - clang takes each function that has no body for one that lanes
 * call together, and then unrolls no loop around it whose trips are not constant. Functions of the
 * headers that compute, address or access memory are none; barriers and those of warps stay. */
void convergent_where_lanes_meet(const struct llvm *l, llvm_module module);

#endif
