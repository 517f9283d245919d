/* SPDX-License-Identifier: Apache-2.0
 *
 * Protecting distances (PDP: Duong et al., MICRO 2012, with bypassing), in CBWT's form for an L1
 * (MDB 7.1): a line is protected from eviction for a number of accesses to its set after its last
 * use, the distance; a read that finds every line of its set protected bypasses. The distance is
 * fixed, or the one with the most hits in a model of the sampled accesses.
 */
#ifndef WARPMEM_L1_PDP_H
#define WARPMEM_L1_PDP_H

#include "l1/policy.h"

#define PDP_DISTANCE_MAX 256 /* the largest distance (MICRO 2012, section 3) */
#define PDP_SAMPLED 8        /* one set in this many is sampled, as in MDB 6 */

struct pdp_stats {
    uint64_t accesses, reads_refused_a_line; /* reads that bypassed, as every line was protected */
    uint64_t distances, distance_sum;        /* computed distances */
};

/**
 * struct pdp - the policy l1_policy_pdp (l1/policy.h) of one L1.
 * @left: [set][way] accesses to the set, with the current one, until the line may be evicted; 1 and
 *        0: it may. A line that is being filled cannot, and counts as protected
 * @last: [sampled set][PDP_DISTANCE_MAX] lines of the last accesses, a ring
 * @reuses: by distance; [0] is not used
 */
struct pdp {
    const struct config *config;
    unsigned ways;
    unsigned distance;
    uint16_t *left;
    uint64_t *last;
    uint16_t *head, *filled; /* of each ring */
    uint32_t accesses;       /* of this interval */
    uint32_t sampled;        /* of them, in the sampled sets */
    uint32_t reuses[PDP_DISTANCE_MAX + 1];
    struct pdp_stats stats;
};

/**
 * pdp_best_distance() - the distance with the most hits for the time that lines are kept (MICRO
 * 2012, equation 1): for d, hits = reuses[1 .. d], over the sum of those distances and of
 * (@accesses - hits) * (d + @ways). The smallest of equals; 0: no reuse at all.
 */
unsigned pdp_best_distance(const uint32_t *reuses, uint64_t accesses, unsigned ways);

#endif
