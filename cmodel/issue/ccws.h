/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_CCWS_H
#define WARPMEM_ISSUE_CCWS_H

#include "issue/ccws_ports.h"

/**
 * struct ccws - cache-conscious warp scheduling: scores of lost locality, a cutoff, and the warps
 * that may load.
 *
 * Source: Rogers et al., MICRO 2012, as DAWS (MICRO 2013) describes it in section 4 and table 3.
 * The warps are sorted by their scores, equal ones by age. From the highest score on, warps may
 * load until the sum of their scores reaches the cutoff, BASE for each live warp; the warp that
 * crosses the cutoff may still load. Without lost lines all scores are BASE, and all warps may
 * load.
 *
 *   score = lost K cutoff / issued, BASE at least and CUTOFFS cutoffs at most,
 *
 * where lost and issued count the core's lost lines and issued instructions since the core was
 * empty. A warp gets this score when it loses a line. A score above BASE falls by 1 a cycle.
 * A score above the cutoff holds the others for longer, until it has fallen below. The simulator of
 * MICRO 2012 bounds no score by the cutoff.
 *
 * Cycle behaviour, the same in both:
 *
 * - Live: a slot that launch or a change of live names in cycle n waits from n + 1. Every five
 *   cycles the lowest waiting slot is taken. Five cycles later the cutoff has changed, and a
 *   launched slot has the score BASE, the youngest age, no lost line, and may load. Among slots of
 *   one launch, lower slots are therefore older.
 * - Counts: a lost line adds K, an instruction 1. When a count has its top bit, both halve two
 *   cycles later, before they add; both are 0 while no warp is counted.
 * - Lost in n: a bit from n + 1. The divider begins in the first cycle with such a bit, with the
 *   counts and the cutoff of that cycle. The score is ready 9 SCORE_BITS + 10 cycles after the
 *   beginning: three sums or differences of three cycles each a bit. All warps whose bit is set in
 *   the cycle before get the score, and their bits are cleared.
 *   A launch takes priority over a new score, and a new score over a tick.
 * - Round: a change of a score, a count or an age begins a round in the next cycle, with the
 *   scores, ages and cutoff of that cycle. can_load follows 2 T + WARPS + 4 cycles later. A bitonic
 *   sort takes T = L (L - 1) + 1 steps of two cycles each, L = log2 of WARPS rounded up. Then one
 *   warp a cycle, the highest score first, has its score added and compared. A change during a
 *   round begins the next round when this one ends.
 *
 * The sorter is modelled by its result. A score is stored as it was set, with the number of ticks
 * at that time, so that ticks cost no work.
 *
 * Verilog twin: rtl/issue/ccws.v.
 */
struct ccws {
    struct ccws_params p;
    /* Warps, one bit each: */
    uint64_t live;      /* the input of the last cycle */
    uint64_t launching; /* wait for their launch */
    uint64_t counted;   /* are in the cutoff */
    uint64_t lost;      /* have lost a line since their last score */
    uint64_t held;
    enum {
        SLOT_WAITS,
        SLOT_PICKED,
        SLOT_READ,
        SLOT_COMPARED,
        SLOT_CHANGES
    } slot; /* progress of the slot that was taken */
    bool taken_live, taken_launch;
    unsigned taken_warp;
    uint8_t rank[CCWS_WARPS_MAX]; /* by age, the oldest 0 */
    /* Scores. */
    uint64_t ticks;                     /* cycles so far in which a score was above BASE */
    uint64_t score_end[CCWS_WARPS_MAX]; /* the tick that takes the score back to BASE */
    uint64_t last_end;                  /* the latest of them */
    unsigned cutoff;
    uint32_t lost_count, issued_count;
    bool was_half_full; /* a count had its top bit in the last cycle */
    bool halves;        /* and the cycle before: both halve in this cycle */
    /* The divider. */
    unsigned dividing; /* cycles until the score is set; 0: idle */
    unsigned new_score;
    /* The sorter. */
    unsigned round; /* cycle of the round, which takes the scores in its first; 0: idle */
    bool stale;     /* its inputs have changed since */
    uint64_t sorted_held;
    uint8_t order[CCWS_WARPS_MAX]; /* result of the last sort */
};

/** ccws_round_cycles() - 2 T + WARPS + 4. */
unsigned ccws_round_cycles(const struct ccws_params *p);
/** ccws_divider_cycles() - 9 SCORE_BITS + 9: from the divider's beginning to the cycle that sets
 * the score. */
unsigned ccws_divider_cycles(const struct ccws_params *p);

bool ccws_init(struct ccws *s, const struct ccws_params *p);
void ccws_destroy(struct ccws *s);
void ccws_comb(const struct ccws *s, const struct ccws_in *in, struct ccws_out *out);
void ccws_step(struct ccws *s, const struct ccws_in *in, const struct ccws_out *out);
bool ccws_quiet(const struct ccws *s, const struct ccws_in *in);
/** ccws_skip() - the same as @cycles calls of ccws_step() with these inputs held. */
void ccws_skip(struct ccws *s, const struct ccws_in *in, uint64_t cycles);
/** ccws_steady() - see struct block. */
uint64_t ccws_steady(const struct ccws *s, const struct ccws_in *in);

#endif
