/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_DAWS_SAMPLING_H
#define WARPMEM_ISSUE_DAWS_SAMPLING_H

#include "issue/daws_sampling_ports.h"

/**
 * struct daws_sampling - the sampling warp table of Detected-DAWS: for each loop the warp whose
 * loads are sampled, and a counter of the loop's locality.
 *
 * Source: DAWS (MICRO 2013), 5.2, 5.2.1. The first warp that enters a loop with more than two
 * active lanes samples it; when it leaves the loop, the next one that enters with two or more takes
 * over. A warp samples all loops that it is in, and a loop has one sampling warp. Each of its loads
 * moves the counter: up if the load had intra-warp locality, captured or lost, else down; the
 * counter saturates, below 0 or, without NEGATIVE, at 0. A loop whose counter is above 0 has
 * locality.
 *
 * Loops, their places and their counters stay until a reset: a kernel's second launch begins with
 * the results of the first one. A full table refuses a new loop.
 *
 * Cycle behaviour, the same in both:
 *
 * - A mark and a feed are possible in every cycle; each sees the effects of earlier cycles. They
 *   are independent: marks change sampling warps, a feed changes a counter.
 * - The outputs have the answer to the mark of cycle n in n + 1: whether the warp samples the loop
 *   after the mark, the loop's place, and whether it had locality in n. A leave and an exit get no
 *   answer.
 * - Marks come one a cycle, in order: several marks of a cycle wait in a queue in front, one for
 *   all blocks that need them (issue/daws/daws.c).
 * - A feed names the place (chosen: a loop keeps its place, so only marks need a comparison of
 *   PCs).
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
