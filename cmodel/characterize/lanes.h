/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of each kind, active lanes, and branches after which a warp has fewer of them.
 */
#ifndef WARPMEM_CHARACTERIZE_LANES_H
#define WARPMEM_CHARACTERIZE_LANES_H

#include "kernel/warp_stream.h"

struct lane_counts {
    uint64_t warp_instructions, thread_instructions; /* without loop markers */
    uint64_t lanes[WARP_SIZE + 1];                   /* warp instructions by active lanes */
    uint64_t arithmetic;                             /* without branches */
    uint64_t branches, divergent_branches, barriers, fences;
};

/* A warp, between two of its records. */
struct lane_watch {
    uint32_t branch; /* lanes of the branch that was the previous record; 0: it was no branch */
};

/**
 * lanes_see() - count the next record of a warp. A branch is divergent if the next record, which
 * may be a loop marker, has fewer active lanes, all of them among the branch's. So a uniform branch
 * does not count, nor does the last branch of a loop, after which lanes that left earlier rejoin.
 */
void lanes_see(struct lane_counts *c, struct lane_watch *w, const struct warp_op *op);
void lanes_add(struct lane_counts *to, const struct lane_counts *c);

#endif
