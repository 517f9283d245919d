/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_DAWS_SAMPLING_H
#define WARPMEM_ISSUE_DAWS_SAMPLING_H

#include "issue/daws_sampling_ports.h"

/**
 * struct daws_sampling - the sampling warp table of Detected-DAWS: of each loop the warp whose
 * loads are looked at, and a counter of what they say of the loop's locality.
 *
 * Source: DAWS (MICRO 2013), 5.2, 5.2.1. The first warp that enters a loop with more than two
 * active lanes samples it; when it leaves the loop, the next that enters with two or more does. A
 * warp samples as many loops as it is in, and a loop has one sampling warp. A load of it moves the
 * counter: up if it had intra-warp locality, captured or lost, else down; the counter saturates. A
 * loop whose counter is above 0 has locality.
 *
 * Loops, their places and their counters stay until a reset: a kernel's second launch begins with
 * what the first one found. A full table refuses a new loop.
 *
 * Cycle behaviour, the same in both:
 *
 * - A mark and a feed in every cycle; each finds what those of the cycles before have left. They do
 *   not meet: marks move sampling warps, a feed moves a counter.
 * - The answer to the mark of cycle n is at the outputs in n + 1: whether the warp samples the loop
 *   after the mark, the loop's place, and whether it had locality in n. A leave and an exit are not
 *   answered.
 * - Marks come one a cycle, in order: several of a cycle wait in a queue in front, one for all
 *   blocks that need them (issue/daws/daws.c).
 * - A feed names the place (chosen: a loop keeps it, so that PCs are compared for marks alone).
 *
 * Verilog twin: rtl/issue/daws_sampling.v.
 */
struct daws_sampling {
    struct daws_sampling_params p;
    struct daws_sampled_loop {
        uint32_t pc;
        bool sampled; /* by @warp */
        uint8_t warp;
        int counter;
    } loop[DAWS_SAMPLING_LOOPS_MAX];
    unsigned count;
    /* The answer to the last cycle's mark. */
    bool samples, was_positive, refused;
    uint8_t place;
};

bool daws_sampling_init(struct daws_sampling *s, const struct daws_sampling_params *p);
void daws_sampling_destroy(struct daws_sampling *s);
void daws_sampling_comb(const struct daws_sampling *s, const struct daws_sampling_in *in,
                        struct daws_sampling_out *out);
void daws_sampling_step(struct daws_sampling *s, const struct daws_sampling_in *in,
                        const struct daws_sampling_out *out);
bool daws_sampling_quiet(const struct daws_sampling *s, const struct daws_sampling_in *in);

#endif
