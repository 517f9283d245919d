/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l2/insertion.h"

/* The Verilog has a flip-flop a set; the C model of a huge L2 need not end there. */
static bool insertion_takes_in_c(unsigned param, unsigned value) {
    return param == offsetof(struct insertion_params, SETS) / sizeof(unsigned) && value <= 65536;
}

BLOCK_DEFINE_WITH(l2, insertion, INSERTION, insertion_takes_in_c)
