/* SPDX-License-Identifier: Apache-2.0 */
#include "base/block_define.h"
#include "issue/daws_footprint.h"

/* AT_ONCE and FIT are models to compare with, in C alone: no cycles, and a comparison between any
 * two adders of the sum. */
static bool daws_footprint_takes_in_c(unsigned param, unsigned value) {
    return value == 1 &&
           param >= offsetof(struct daws_footprint_params, AT_ONCE) / sizeof(unsigned);
}

static void daws_footprint_block_skip(void *state, const void *in, uint64_t cycles) {
    daws_footprint_skip(state, in, cycles);
}

static uint64_t daws_footprint_block_steady(void *state, const void *in) {
    return daws_footprint_steady(state, in);
}

BLOCK_DEFINE_ALL(issue, daws_footprint, DAWS_FOOTPRINT, daws_footprint_takes_in_c,
                 daws_footprint_block_skip, daws_footprint_block_steady)
