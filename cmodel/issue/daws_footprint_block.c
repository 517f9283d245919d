/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "issue/daws_footprint.h"

static void daws_footprint_block_skip(void *state, const void *in, uint64_t cycles) {
    daws_footprint_skip(state, in, cycles);
}

static uint64_t daws_footprint_block_steady(void *state, const void *in) {
    return daws_footprint_steady(state, in);
}

BLOCK_DEFINE_ALL(issue, daws_footprint, DAWS_FOOTPRINT, DAWS_FOOTPRINT_C_PARAMS, NULL,
                 daws_footprint_block_skip, daws_footprint_block_steady)
