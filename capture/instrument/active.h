/* SPDX-License-Identifier: Apache-2.0
 *
 * Places at which a kernel asks which lanes are active: __activemask(), coalesced_threads(). Lanes
 * are active together if they are at one place in the same iteration of each loop around it.
 */
#ifndef WARPMEM_CAPTURE_ACTIVE_H
#define WARPMEM_CAPTURE_ACTIVE_H

#include "instrument/llvm.h"

/**
 * active_number_places() - make each __wm_activemask() of a kernel
 * __wm_meet_active(COUNT, HEAD, ITERATION, HEAD, ITERATION, ..., BLOCK): from outside to inside,
 * each loop's first block and the lane's iteration of it, and the call's own place. Blocks have
 * numbers as in capture/block_graph.h, so that lanes with the smallest row go on first.
 * Return: false: out of memory.
 */
bool active_number_places(const struct llvm *l, llvm_module module, llvm_builder builder,
                          llvm_value kernel);

#endif
