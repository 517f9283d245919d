/* SPDX-License-Identifier: Apache-2.0
 *
 * Short branches: a GPU's compiler makes no branch of a short `if`; its instructions get a
 * predicate.
 */
#ifndef WARPMEM_INSTRUMENT_PREDICATES_H
#define WARPMEM_INSTRUMENT_PREDICATES_H

#include <stdbool.h>

#include "instrument/llvm.h"

/** predicates_replace() - the branch has no instruction: a conditional one around one or two short
 * blocks that meet behind them, or the end of such a block. */
bool predicates_replace(const struct llvm *l, llvm_value branch);

#endif
