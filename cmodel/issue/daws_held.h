/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache footprint prediction table of DAWS (MICRO 2013, 5.1): for each warp the loops that it
 * is in, the loop whose loads predict its footprint, and the footprint in lines of the L1. The
 * footprints are summed, the oldest warps first; a warp whose sum is greater than the effective
 * cache size may not issue loads.
 *
 * A marker counts in the cycle in which its instruction issues:
 *   begin  the warp enters a loop and takes its prediction. A loop that has none (its loads have no
 *          locality) leaves the entry as it is, so that it does not hide the loop around it.
 *   trip   the same for the lanes of this trip. A trip of the loop around the one of the prediction
 *          predicts the inner loop's loads anew (5.1.3).
 *   end    of the outermost loop clears the entry; of an inner one leaves it (5.1.3).
 * A warp outside loops whose next instruction is a load has, while some warp has a footprint of a
 * loop that it is in, that of its nearest loop, until it enters a loop or ends (5.1.2).
 *
 * A footprint of more lines than the L1 has counts as none, and its warp is not held (5.1). The
 * oldest warp with a footprint is never held, or one between the effective size and the L1's would
 * hold every warp. A warp at a barrier has no footprint, and gets one with its next trip (5.1).
 * With these the oldest warp that waits for nothing may always load; a warp that spins until
 * another one has loaded is outside that.
 *
 * Time: a footprint follows its marker after 3 cycles, and the mask a footprint after 7: five
 * levels of adders, one a cycle, compare and scatter.
 */
#ifndef WARPMEM_ISSUE_DAWS_HELD_H
#define WARPMEM_ISSUE_DAWS_HELD_H

#include "issue/daws_classes.h"

#define DAWS_WARPS_MAX 64
#define DAWS_DEPTH 4        /* loops in each other that an entry names; deeper ones are the last */
#define DAWS_ASK_LATENCY 3  /* cycles from a marker to its footprint */
#define DAWS_MASK_LATENCY 7 /* and from that to the mask */
#define DAWS_ASKS_MAX 512   /* under way: markers of three cycles */
#define DAWS_MASKS_MAX 16

enum daws_mark { DAWS_BEGIN, DAWS_TRIP, DAWS_END };

/**
 * struct daws_held_params
 * @lines: of the L1
 * @percent: of them, the effective cache size: kAssocFactor, equation 1
 * @latency: cycles from marker to mask, of which the last 7 are the sum's; 10 in hardware
 * @fit: a held warp does not count in the sum
 */
struct daws_held_params {
    unsigned warps, lines, percent, latency;
    bool fit;
};

/**
 * struct daws_entry - of a warp.
 * @stack, @depth: the loops that it is in
 * @targets: its last marker had a prediction, for @target, and none has ended it since
 * @known: its footprint is a prediction, @near: for the loop that it will enter
 */
struct daws_entry {
    uint32_t stack[DAWS_DEPTH];
    unsigned depth;
    bool targets, known, near;
    uint32_t target;
    unsigned lines;
};

/* What becomes of an entry in cycle @due. */
struct daws_ask {
    uint64_t due;
    uint8_t warp;
    bool clears, near, begins;
    struct daws_answer answer;
};

struct daws_mask {
    uint64_t due, can_load;
};

struct daws_held {
    struct daws_held_params params;
    const struct daws_classes *loads;
    uint64_t cycle;
    struct daws_entry entry[DAWS_WARPS_MAX];
    uint8_t order[DAWS_WARPS_MAX]; /* live warps, the oldest first */
    unsigned live;
    uint64_t waits;           /* warps at a barrier */
    uint64_t in_loop, nearby; /* warps with a footprint of a loop that they are in; of the next */
    uint64_t near_wanted;     /* warps outside loops whose next instruction is a load */
    uint32_t near_pc[DAWS_WARPS_MAX];
    uint8_t near_lanes[DAWS_WARPS_MAX];
    struct daws_ask ask[DAWS_ASKS_MAX]; /* rings */
    unsigned ask_head, asks;
    struct daws_mask mask[DAWS_MASKS_MAX];
    unsigned mask_head, masks;
    uint64_t can_load; /* in this cycle */
    uint64_t held;     /* warps that have been held since their outermost loop began */
};

/** daws_held_init() - no warp. @loads: what predicts; must stay. */
void daws_held_init(struct daws_held *f, const struct daws_held_params *params,
                    const struct daws_classes *loads);

/** daws_held_run() - the table and its mask as they are in @cycle; nothing has happened up to
 * then. */
void daws_held_run(struct daws_held *f, uint64_t cycle);

/** daws_held_launch() - warps begin, younger than all others, the lower slot the older one;
 * daws_held_exit() - a warp has issued all its instructions. */
void daws_held_launch(struct daws_held *f, uint64_t warps);
void daws_held_exit(struct daws_held *f, unsigned warp);

/** daws_held_mark() - the warp has issued an instruction that bears a marker of loop @pc.
 * Return: the prediction that it gets. */
struct daws_answer daws_held_mark(struct daws_held *f, enum daws_mark kind, unsigned warp,
                                  uint32_t pc, unsigned lanes);

/** daws_held_near() - the next instruction of a warp outside loops is a load, at @pc with
 * @lanes; daws_held_near_issued() - it has issued. */
void daws_held_near(struct daws_held *f, unsigned warp, uint32_t pc, unsigned lanes);
void daws_held_near_issued(struct daws_held *f, unsigned warp);

/** daws_held_wait() - the warps at barriers from now on. */
void daws_held_wait(struct daws_held *f, uint64_t waits);

/** daws_held_next() - the first cycle after this one in which the mask may be another though
 * nothing happens; UINT64_MAX: none. */
uint64_t daws_held_next(const struct daws_held *f);

/** daws_load_loop() - the innermost loop that the warp is in. False: none. */
static inline bool daws_load_loop(const struct daws_held *f, unsigned warp, uint32_t *loop) {
    const struct daws_entry *e = &f->entry[warp];
    if (!e->depth) {
        return false;
    }
    *loop = e->stack[(e->depth < DAWS_DEPTH ? e->depth : DAWS_DEPTH) - 1];
    return true;
}

/** daws_held_of() - lines that the warp counts in the sum now. */
unsigned daws_held_of(const struct daws_held *f, unsigned warp);

#endif
