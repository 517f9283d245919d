/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_DAWS_FOOTPRINT_H
#define WARPMEM_ISSUE_DAWS_FOOTPRINT_H

#include "issue/daws_footprint_ports.h"

#define DAWS_NESTING_MAX \
    15                    /* loops in each other that are counted; deeper ones count as the last */
#define DAWS_ASK_CYCLES 3 /* from a question to its answer: issue/daws_loads */

/**
 * struct daws_footprint - DAWS's table of predicted cache footprints, its prefix sum, and the warps
 * that may load.
 *
 * Source: DAWS (MICRO 2013), 5.1, 5.1.2 and 5.1.3. For each warp the table has the loops that it is
 * in, the loop whose loads predict its footprint (its target), and the footprint in lines of the
 * L1. The footprints are summed, the oldest warps first; a warp whose sum is greater than PERCENT
 * of LINES may not load.
 *
 *   begin  The warp enters a loop and takes its prediction. A loop without prediction (its loads
 *          have no locality) leaves the entry unchanged, so that it does not hide the loop around
 *          it; it only ends a footprint from outside loops.
 *   trip   The same for the lanes of this trip. A trip of the loop around the target, which has a
 *          lower PC, predicts the target's loads anew (5.1.3).
 *   end    The end of the outermost loop clears the entry, that of an inner one leaves it (5.1.3).
 *   near   A warp outside loops whose next instruction is a load takes the footprint of its nearest
 *          loop, while some warp has a footprint of a loop that it is in, until it enters a loop or
 *          ends (5.1.2). The block asks for it once a load. PC and lanes of each warp's next
 *          instruction come from the instruction buffer and the divergence stack, so the block does
 *          not store them.
 *   load   The innermost loop that its warp is in, which classifies the load (5.2.2).
 *
 * A footprint of more lines than the L1 has counts as none, and its warp is not held (5.1). The
 * oldest warp with a footprint is never held; otherwise a footprint between the effective size and
 * the L1's would hold every warp. A warp at a barrier has no footprint, and gets one with its next
 * trip (5.1). With these rules the oldest warp that waits for nothing may always load; a warp that
 * spins until another one has loaded is outside that argument.
 *
 * Cycle behaviour, the same in both:
 *
 * - Mark: the block examines a mark of n in n + 1: it changes the warp's loops, and a begin or trip
 *   asks in n + 2. The answer arrives in n + 5, in which the end of an outermost loop clears; the
 *   entry has changed from n + 6 on. A trip sees the target as of n + 1. A load's loop is known in
 *   n + 2.
 * - Near: among the warps that want a footprint in n, the lowest is chosen in n + 1; near_warp has
 *   it in n + 2, and it asks in n + 3, if it still wants one. A mark examined in n + 2 goes first,
 *   because its warp has issued already, and the chosen warp waits.
 * - Exit and launch clear the warp's entry from n + 1 on, and drop its operations under way; an
 *   exit also drops a mark of n, while a mark that comes with a launch is the new warp's. A
 *   launched warp may load. Launched slots are taken one a cycle, the lowest first, from n + 1 on,
 *   and become the youngest four cycles later.
 * - Sum: the round that begins in n + 1 sees a change of an entry in n. It takes the footprints,
 *   oldest first, adds in log2(WARPS) levels, compares and scatters: can_load follows
 *   log2(WARPS) + 2 cycles after the beginning. The next round may begin in the last cycle of a
 *   round. No round begins or ends while a launched slot has not yet become the youngest.
 *
 * So can_load follows a mark after 13 cycles at 32 warps, if no round is under way: 2 to ask, 3 for
 * the answer, 1 for the entry, 7 for the sum.
 *
 * The sum is modelled by its result.
 *
 * Verilog twin: rtl/issue/daws_footprint.v.
 */
struct daws_footprint {
    struct daws_footprint_params p;
    unsigned limit; /* lines that fit */
    /* Entries. */
    uint32_t lines[DAWS_FOOTPRINT_WARPS_MAX];
    uint32_t target[DAWS_FOOTPRINT_WARPS_MAX];
    uint32_t loop[DAWS_FOOTPRINT_WARPS_MAX][DAWS_FOOTPRINT_DEPTH_MAX];
    uint8_t depth[DAWS_FOOTPRINT_WARPS_MAX];
    uint8_t order[DAWS_FOOTPRINT_WARPS_MAX]; /* slots, the oldest warp's first */
    /* Warps, one bit each: */
    uint64_t targets; /* have a target */
    uint64_t inside;  /* have a footprint of a loop that they are in */
    uint64_t nearby;  /* have one of the next loop */
    uint64_t asked;   /* have asked for their next load, outside loops */
    uint64_t in_loop;
    uint64_t launching; /* have not yet become the youngest */
    /* Under way. */
    bool taken, found, moves; /* a slot that was taken from these, one cycle later, and two, when it
                                 becomes the youngest */
    uint8_t taken_warp, found_warp, moves_warp;
    bool marked; /* the mark of the last cycle */
    uint8_t mark_kind, mark_warp, mark_lanes;
    uint32_t mark_pc;
    uint64_t want;   /* wanted a footprint outside loops in the last cycle */
    uint64_t chosen; /* one of them, a bit */
    uint64_t pipe;   /* 16 bits a stage: the question, 1, 2, 3 cycles later */
    uint32_t ask_pc;
    uint8_t ask_lanes;
    bool load_valid, load_found;
    uint32_t load_loop;
    /* The sum. */
    unsigned round; /* cycles since it took the footprints; 0: idle */
    bool stale;     /* an entry has changed since */
    bool summed;    /* `sums` matches the present entries */
    uint64_t sums;  /* held by the round under way, or the last one */
    uint64_t held;
};

/** daws_round_cycles() - log2(WARPS) + 1. */
unsigned daws_round_cycles(const struct daws_footprint_params *p);
/** daws_mark_cycles() - from a mark to the mask that follows it, if no round is under way. */
unsigned daws_mark_cycles(const struct daws_footprint_params *p);

bool daws_footprint_init(struct daws_footprint *s, const struct daws_footprint_params *p);
void daws_footprint_destroy(struct daws_footprint *s);
void daws_footprint_comb(const struct daws_footprint *s, const struct daws_footprint_in *in,
                         struct daws_footprint_out *out);
void daws_footprint_step(struct daws_footprint *s, const struct daws_footprint_in *in,
                         const struct daws_footprint_out *out);
bool daws_footprint_quiet(const struct daws_footprint *s, const struct daws_footprint_in *in);
/** daws_footprint_skip() - the same as @cycles calls of daws_footprint_step(), inputs held. */
void daws_footprint_skip(struct daws_footprint *s, const struct daws_footprint_in *in,
                         uint64_t cycles);
/** daws_footprint_steady() - see struct block. */
uint64_t daws_footprint_steady(const struct daws_footprint *s, const struct daws_footprint_in *in);
/** daws_slots_move() - true while a launched slot has not yet become the youngest, so that no round
 * begins or ends. */
bool daws_slots_move(const struct daws_footprint *s);
/** daws_footprint_of() - lines of the warp in the sum. */
unsigned daws_footprint_of(const struct daws_footprint *s, unsigned warp);

#endif
