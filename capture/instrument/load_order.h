/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of a block's instructions: a GPU issues them in order, so its compiler puts loads
 * before the instructions that wait for others.
 */
#ifndef WARPMEM_INSTRUMENT_LOAD_ORDER_H
#define WARPMEM_INSTRUMENT_LOAD_ORDER_H

#include <stdbool.h>

#include "instrument/spaces.h"

/** load_order_improve() - in each block of the function, a load moves up behind what its address
 * needs, the loads before it and stores that it may read. Accesses keep their order but for stores
 * to shared memory, which loads of other memories pass. False: out of memory. */
bool load_order_improve(const struct llvm *l, llvm_builder builder, enum code_language language,
                        llvm_value function, bool is_kernel);

#endif
