/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of a block's instructions: a GPU issues them in order, so its compiler puts loads
 * before the instructions that wait for others.
 */
#ifndef WARPMEM_INSTRUMENT_LOAD_ORDER_H
#define WARPMEM_INSTRUMENT_LOAD_ORDER_H

#include <stdbool.h>

#include "instrument/spaces.h"

enum load_order_step {
    LOAD_ORDER_FAR_FIRST,   /* loads of other memories before those of shared memory */
    LOAD_ORDER_SHARED_AHEAD /* loads of shared memory before what waits for earlier ones */
};

/** load_order_improve() - in each block of the function, a load moves up behind what its address
 * needs, the loads before it and stores that it may read. Accesses to one memory keep their order;
 * loads of other memories pass stores to shared memory, and in the first step its loads. The second
 * step comes when accesses are merged, which stores with a load between them are not.
 * False: out of memory. */
bool load_order_improve(const struct llvm *l, llvm_builder builder, enum code_language language,
                        llvm_value function, bool is_kernel, enum load_order_step step);

#endif
