/* SPDX-License-Identifier: Apache-2.0
 *
 * Places at which a kernel asks which lanes are active: __activemask(), coalesced_threads(). Lanes
 * that are at one place are active together, so each call gets the number of its place.
 */
#ifndef WARPMEM_CAPTURE_ACTIVE_H
#define WARPMEM_CAPTURE_ACTIVE_H

#include "instrument/llvm.h"

/** active_number_places() - make __wm_activemask() of a kernel __wm_meet_active(N). Numbers ascend
 * in the order in which diverged lanes continue (capture/block_graph.h): lanes at the head of a
 * loop come behind those in its body. False: out of memory. */
bool active_number_places(const struct llvm *l, llvm_module module, llvm_builder builder,
                          llvm_value kernel);

#endif
