/* SPDX-License-Identifier: Apache-2.0
 *
 * The sampling warp table of Detected-DAWS (MICRO 2013, 5.2, 5.2.1): of each loop the warp whose
 * loads are looked at, and a counter of what they say of the loop's locality.
 *
 * The first warp that enters a loop with more than two active lanes samples it; when it leaves the
 * loop, the next that enters with two or more does. A warp samples as many loops as it is in, and
 * a loop has one sampling warp. A load of it moves the counter: up if it had intra-warp locality,
 * captured or lost, else down; the counter saturates. A loop whose counter is above 0 has
 * locality.
 *
 * Loops and their counters stay: a kernel's second launch begins with what the first one found. A
 * full table refuses a new loop, and counts it.
 */
#ifndef WARPMEM_ISSUE_DAWS_SAMPLING_H
#define WARPMEM_ISSUE_DAWS_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#define DAWS_SAMPLED_MAX 16

struct daws_sampled_loop {
    uint32_t pc;
    bool sampled; /* by @warp */
    bool before;  /* a warp has sampled it */
    uint8_t warp;
    int counter;
};

struct daws_sampling {
    unsigned loops; /* room */
    int most;       /* of a counter; the least is one further from 0 */
    struct daws_sampled_loop loop[DAWS_SAMPLED_MAX];
    unsigned count;
    uint64_t refused;
};

/** daws_sampling_init() - no loop. @bits: of a counter. */
void daws_sampling_init(struct daws_sampling *s, unsigned loops, unsigned bits);

/** daws_sampling_enter(), daws_sampling_leave() - the warp enters the loop with so many active
 * lanes, leaves it; daws_sampling_exit() - it has ended. */
void daws_sampling_enter(struct daws_sampling *s, uint32_t pc, unsigned warp, unsigned lanes);
void daws_sampling_leave(struct daws_sampling *s, uint32_t pc, unsigned warp);
void daws_sampling_exit(struct daws_sampling *s, unsigned warp);

/** daws_sampling_samples() - is it the loop's sampling warp? */
bool daws_sampling_samples(const struct daws_sampling *s, uint32_t pc, unsigned warp);
/** daws_sampling_feed() - a load of the loop's sampling warp, with locality or without. */
void daws_sampling_feed(struct daws_sampling *s, uint32_t pc, bool local);
/** daws_sampling_positive() - has the loop locality? */
bool daws_sampling_positive(const struct daws_sampling *s, uint32_t pc);

#endif
