/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared part of the bank arbiter's test cases. Sections in the names of the cases are those of
 * Ausavarungnirun et al., PACT 2015 (MeDiC).
 */
#ifndef WARPMEM_TB_L2_BANK_ARBITER_CASES_H
#define WARPMEM_TB_L2_BANK_ARBITER_CASES_H

#include "common/bench.h"
#include "cosim/block_test.h"
#include "l2/bank_arbiter.h"

#endif
