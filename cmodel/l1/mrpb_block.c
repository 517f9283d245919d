/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "l1/mrpb.h"

/* Queues without bound: a model for comparison that no hardware can have. */
static bool mrpb_takes_in_c(unsigned param, unsigned value) {
    return param == offsetof(struct mrpb_params, DEPTH) / sizeof(unsigned) && value == 0;
}

BLOCK_DEFINE_WITH(l1, mrpb, MRPB, mrpb_takes_in_c)
