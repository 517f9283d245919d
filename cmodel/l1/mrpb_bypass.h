/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_MRPB_BYPASS_H
#define WARPMEM_L1_MRPB_BYPASS_H

#include "l1/data_cache.h"

#define L1_CAUSE(result) (UINT32_C(1) << (result))

/**
 * MRPB_ALL_STALLS - the refusals that mrpb.bypass = all names, one bit each of enum l1_result.
 *
 * Source: MRPB 3.4, 5.4. A bypass needs no line in the set, no free MSHR (its reply has warp and
 * register itself), and no place in its line's MSHR: "all stalls" excludes no resource, and the L2
 * has the line's data. (The cache refuses the last while a write waits in that MSHR.) It does need
 * the miss queue, through which it leaves.
 */
#define MRPB_ALL_STALLS \
    (L1_CAUSE(L1_FAIL_ASSOCIATIVITY) | L1_CAUSE(L1_FAIL_MSHR_FULL) | L1_CAUSE(L1_FAIL_MSHR_MERGE))

/** mrpb_bypass_causes() - the refusals for which mrpb.bypass lets a read bypass. */
static inline uint32_t mrpb_bypass_causes(const struct config *config) {
    return config->mrpb.bypass == MRPB_BYPASS_ALL             ? MRPB_ALL_STALLS
           : config->mrpb.bypass == MRPB_BYPASS_ASSOCIATIVITY ? L1_CAUSE(L1_FAIL_ASSOCIATIVITY)
                                                              : 0;
}

#endif
