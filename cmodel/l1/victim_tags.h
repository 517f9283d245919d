/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_VICTIM_TAGS_H
#define WARPMEM_L1_VICTIM_TAGS_H

#include "l1/victim_tags_ports.h"

/**
 * struct victim_tags - tags of the lines that each warp has lost to evictions.
 *
 * Source: Rogers et al., MICRO 2012 (CCWS), and DAWS (MICRO 2013), sections 4 and 5.2 and table 3:
 * a line that leaves the L1 goes into the victim tags of the warp that had fetched it. A miss of
 * that warp to a line in its tags would have been a hit if the warp had had more of the L1.
 *
 * Cycle behaviour, the same in both:
 *
 * - A set holds the last WAYS lines that were evicted into it (FIFO). A line that is evicted again
 *   enters again (chosen: an eviction then needs no look-up of its own, where the simulator of
 *   MICRO 2012 leaves the older entry in its place).
 * - With FREES a set is without those that have been hit: a hit frees its way, because the line is
 *   in the L1 again. The free way stays free until its turn comes (chosen: so the order of the ways
 *   is that of the evictions, without an age each). Else hits change nothing, as in that simulator.
 * - A look-up of cycle n includes the evictions and clears of cycles before n; its hit is at the
 *   outputs in n + 1.
 * - In the same cycle a look-up comes first, then an eviction, then a clear: an access looks up
 *   before it evicts, and no line stays of a warp that has ended.
 *
 * Verilog twin: rtl/l1/victim_tags.v.
 */
struct victim_tags {
    struct victim_tags_params p;
    bool hit;
    uint8_t hit_warp;
    struct victim_set {
        uint16_t valid; /* a bit a way */
        uint8_t next;   /* way of the next line */
        uint32_t line[VICTIM_TAGS_WAYS_MAX];
    } set[VICTIM_TAGS_WARPS_MAX][VICTIM_TAGS_SETS_MAX];
};

bool victim_tags_init(struct victim_tags *s, const struct victim_tags_params *p);
void victim_tags_destroy(struct victim_tags *s);
void victim_tags_comb(const struct victim_tags *s, const struct victim_tags_in *in,
                      struct victim_tags_out *out);
void victim_tags_step(struct victim_tags *s, const struct victim_tags_in *in,
                      const struct victim_tags_out *out);
bool victim_tags_quiet(const struct victim_tags *s, const struct victim_tags_in *in);

#endif
