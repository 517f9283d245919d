/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_ISSUE_CCWS_H
#define WARPMEM_ISSUE_CCWS_H

#include "issue/ccws_ports.h"

/**
 * struct ccws - cache-conscious warp scheduling: scores of lost locality, a cutoff, and the warps
 * that may load.
 *
 * Source: Rogers et al., MICRO 2012, as DAWS (MICRO 2013) describes it in section 4 and table 3.
 * The warps are sorted by their scores, equal ones by their age. From the highest on they may load
 * until their scores add up to the cutoff, BASE for each live warp; the one that crosses it still
 * may. Without lost lines all scores are BASE, and all warps may load.
 *
 *   score = lost K cutoff / issued, BASE at least and the cutoff at most,
 *
 * where lost and issued are the core's lost lines and issued instructions since the core was empty.
 * A warp gets that score when it loses a line. A score above BASE falls by 1 a cycle.
 *
 * Cycle behaviour, the same in both:
 *
 * - Live: a slot that launch or a change of live names in cycle n is waiting from n + 1. From the
 *   waiting ones the lowest is taken, one every five cycles; what follows is there five cycles
 *   later: the cutoff, and for a launch the score BASE, the youngest age, no line lost, free to
 *   load. Slots of one launch are so the older the lower they are.
 * - Counts: a line lost adds K, an instruction 1. When one has its top bit, both halve two cycles
 *   after, before they add; both are 0 while no warp is counted.
 * - Lost in n: a bit from n + 1. The divider begins in the first cycle that has such a bit, with
 *   the counts and the cutoff of that cycle, and the score is there 9 SCORE_BITS + 10 cycles after
 *   its beginning: three differences or sums of three cycles a bit. All warps that have the bit in
 *   the cycle before get it, and the bits fall.
 *   A launch takes priority over a new score, and that over a tick.
 * - Round: a change of a score, a count or an age begins one in the next cycle, which takes all
 *   scores, ages and the cutoff. can_load follows 2 T + WARPS + 4 cycles after: T = L (L - 1) + 1
 *   turns of a bitonic sort, L = log2 of WARPS rounded up, two cycles each; then a warp a cycle,
 *   the highest score first, whose score is added up and compared. A change in the meantime begins
 *   the next round when this one ends.
 *
 * The sorter is modelled by its result. A score is kept as it was set, with the number of ticks
 * until then, so that time costs nothing.
 *
 * Verilog twin: rtl/issue/ccws.v.
 */
struct ccws {
    struct ccws_params p;
    /* Warps, one bit each: */
    uint64_t live;      /* the input of the last cycle */
    uint64_t launching; /* a launch that waits */
    uint64_t counted;   /* in the cutoff */
    uint64_t lost;      /* lines, since the last score */
    uint64_t held;
    enum {
        SLOT_WAITS,
        SLOT_PICKED,
        SLOT_READ,
        SLOT_COMPARED,
        SLOT_CHANGES
    } slot; /* what is done with one */
    bool taken_live, taken_launch;
    unsigned taken_warp;
    uint8_t rank[CCWS_WARPS_MAX]; /* by age, the oldest 0 */
    /* Scores. */
    uint64_t ticks;                     /* so far, while a score was above BASE */
    uint64_t score_end[CCWS_WARPS_MAX]; /* the tick with which it is back at BASE */
    uint64_t last_end;                  /* the latest of them */
    unsigned cutoff;
    uint32_t lost_count, issued_count;
    bool was_half_full; /* one count, in the last cycle */
    bool halves;        /* it was before that: both halve in this cycle */
    /* The divider. */
    unsigned dividing; /* cycles until the score is set; 0: it waits */
    unsigned new_score;
    /* The sorter. */
    unsigned round; /* its cycles; in the first the scores are taken; 0: it waits */
    bool stale;     /* its inputs have changed since */
    uint64_t sorted_held;
    uint8_t order[CCWS_WARPS_MAX]; /* as sorted last */
};

/** ccws_round_cycles() - 2 T + WARPS + 4. */
unsigned ccws_round_cycles(const struct ccws_params *p);
/** ccws_divider_cycles() - 9 SCORE_BITS + 9: from its beginning to the cycle in which the score is
 * set. */
unsigned ccws_divider_cycles(const struct ccws_params *p);

bool ccws_init(struct ccws *s, const struct ccws_params *p);
void ccws_destroy(struct ccws *s);
void ccws_comb(const struct ccws *s, const struct ccws_in *in, struct ccws_out *out);
void ccws_step(struct ccws *s, const struct ccws_in *in, const struct ccws_out *out);
bool ccws_quiet(const struct ccws *s, const struct ccws_in *in);
/** ccws_skip() - the same as @cycles calls of ccws_step() with these inputs held. */
void ccws_skip(struct ccws *s, const struct ccws_in *in, uint64_t cycles);
/** ccws_steady() - as struct block says. */
uint64_t ccws_steady(const struct ccws *s, const struct ccws_in *in);

#endif
