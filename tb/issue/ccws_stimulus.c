/* SPDX-License-Identifier: Apache-2.0
 * A core's warps at random around CCWS: they come, lose lines, issue and end; and what it must
 * reach. */
#include "cosim/lockstep.h"
#include "issue/ccws.h"

/* clang-format off */
#define CCWS_POINTS(P) \
    P(NOBODY_HELD,                     "a round that holds nobody") \
    P(SOME_HELD,                       "a round that holds some") \
    P(ALL_BUT_ONE_HELD,                "a round that holds all warps but one, of several") \
    P(FIRST_SLOT_HELD,                 "first slot held") \
    P(LAST_SLOT_HELD,                  "last slot held") \
    P(SCORE_IS_BOUNDED,                "score at its bound") \
    P(SCORE_IS_BASE,                   "score that BASE bounds") \
    P(SCORE_BETWEEN,                   "score between") \
    P(SCORE_ABOVE_THE_CUTOFF,          "score above the cutoff, below its bound", p->CUTOFFS == 1) \
    P(NO_INSTRUCTION_YET,              "line lost before an instruction issued") \
    P(SCORE_FALLS_BY_A_NEW_ONE,        "new score below the old one") \
    P(SCORE_OF_SEVERAL,                "score of several warps at once") \
    P(SCORE_OF_A_DEAD_WARP,            "score of a slot without a warp") \
    P(LOST_WHILE_DIVIDING,             "line lost while the divider works") \
    P(LOST_AS_THE_SCORE_IS_SET,        "line lost in the cycle in which a score is set") \
    P(LAUNCH_AS_THE_SCORE_IS_SET,      "warp comes in the cycle in which its slot's score is set") \
    P(LAUNCH_OF_A_WARP_THAT_HAS_LOST,  "warp comes into a slot that has lost a line") \
    P(LAUNCH_OF_SEVERAL,               "several warps come at once") \
    P(LAUNCH_INTO_A_LIVE_SLOT,         "warp comes into a slot that is counted") \
    P(LAUNCH_OF_A_HELD_WARP,           "warp comes into a slot that is held") \
    P(LAUNCH_AS_THE_ROUND_ENDS,        "warp comes as the round that holds its slot ends") \
    P(LAUNCH_AGAIN_AS_IT_IS_TAKEN,     "warp comes again as the slot is taken") \
    P(LAUNCH_AGAIN_AS_IT_IS_LOOKED_UP, "warp comes again as the slot is looked up") \
    P(END_OF_A_WARP,                   "warp ends") \
    P(END_OF_SEVERAL,                  "several warps end at once") \
    P(END_BEFORE_IT_WAS_COUNTED,       "warp ends before it was counted") \
    P(ALL_ENDED,                       "counts end with the last warp") \
    P(EQUAL_SCORES_ABOVE_BASE,         "equal scores above BASE in a round") \
    P(AGES_AGAINST_SLOTS,              "younger warp in a lower slot, in a round with held warps") \
    P(LOST_COUNT_HALVES,               "counts halve for lost lines", !halves_soon(p, p->K)) \
    P(ISSUED_COUNT_HALVES,             "counts halve for instructions", !halves_soon(p, p->ISSUES)) \
    P(HALVES_AND_ADDS,                 "counts halve and both add", !counts_halve_soon(p)) \
    P(ADDS_BEFORE_IT_HALVES,           "counts add once more before they halve", !counts_halve_soon(p)) \
    P(CARRIES_AS_IT_HALVES,            "a count halves as a carry comes into its middle part", !carries_as_it_halves(p)) \
    P(MOST_ISSUED,                     "most instructions in a cycle") \
    P(ROUND_BEHIND_ROUND,              "round at the end of another one") \
    P(ROUND_ALONE,                     "round that begins from rest") \
    P(CHANGE_AS_SCORES_ARE_TAKEN,      "change in the cycle in which the scores are taken") \
    P(STALE_WAITS,                     "change in the middle of a round") \
    P(SUM_SATURATES,                   "sum of scores beyond SCORE_BITS", p->WARPS * ((1u << p->SCORE_BITS) - 1) < 1u << p->SCORE_BITS) \
    P(TICKS_STOP,                      "score above BASE while time stands still") \
    P(RESET_IN_A_ROUND,                "reset in a round") \
    P(RESET_IN_A_DIVISION,             "reset while the divider works") \
    P(RESET_WITH_HELD_WARPS,           "reset with held warps") \
    P(QUIET,                           "quiet") \
    P(QUIET_WITH_TICKS,                "quiet while time passes")
/* clang-format on */

/* Is a count that grows by up to @adds a cycle half full often? One that fills seldom may never do
 * so in a run, and is not looked at. */
static bool halves_soon(const struct ccws_params *p, unsigned adds) {
    return 1u << (p->COUNT_BITS - 1) <= 1024 * adds;
}

static bool counts_halve_soon(const struct ccws_params *p) {
    return halves_soon(p, p->K) || halves_soon(p, p->ISSUES);
}

/* A count halves three cycles after it has come to half. With lines of this weight it carries
 * within three cycles. */
static bool carries_as_it_halves(const struct ccws_params *p) {
    return 3 * p->K > 1u << 9 && halves_soon(p, p->K);
}

COVERAGE_POINTS(CCWS_POINTS, struct ccws_params)

/* Phases: few or many warps, rare or many lost lines, short ones so that all ends. */
struct random_core {
    unsigned left;
    unsigned loses, issues, comes, ends, stops; /* chances: 64, 16, 256, 256, 16 */
    unsigned losers;                            /* warps that lose lines */
    unsigned first;
    bool together; /* several come or end at once */
    bool carried;  /* the last cycle's addition carried out of a count's low nine bits */
};

static void begin_ccws_phase(struct random_core *st, struct rng *rng, const struct ccws_params *p) {
    static const unsigned often[] = {0, 1, 2, 4, 8, 16};
    st->left = 50 + rng_below(rng, rng_chance(rng, 1, 4) ? 3000 : 400);
    st->loses = often[rng_below(rng, 6)] * (rng_chance(rng, 1, 3) ? 4 : 1);
    st->issues = often[rng_below(rng, 6)];
    st->comes = rng_chance(rng, 1, 4) ? 64 : often[rng_below(rng, 5)];
    st->ends = rng_chance(rng, 1, 8) ? 128 : often[rng_below(rng, 4)];
    st->stops = rng_chance(rng, 1, 3) ? often[rng_below(rng, 6)] : 0;
    st->losers = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? p->WARPS : 2);
    st->first = rng_below(rng, p->WARPS);
    st->together = rng_chance(rng, 1, 2);
}

static uint64_t some_ccws_slots(const struct random_core *st, struct rng *rng,
                                const struct ccws_params *p) {
    const uint64_t all = ~UINT64_C(0) >> (64 - p->WARPS);
    uint64_t one = UINT64_C(1) << rng_below(rng, p->WARPS);
    return st->together
               ? (one | (rng_next(rng) & (rng_chance(rng, 1, 2) ? all : rng_next(rng)))) & all
               : one;
}

static void ccws_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_core *st = self;
    const struct ccws_params *p = now->params;
    struct ccws_in *in = input;
    struct rng *rng = now->rng;
    uint64_t live = in->live;
    if (st->left-- == 0) {
        begin_ccws_phase(st, rng, p);
    }
    *in =
        (struct ccws_in){.rst = rng_chance(rng, 1, 4000), .ticks = !rng_chance(rng, st->stops, 16)};
    in->lost_valid = rng_chance(rng, st->loses, 64);
    in->lost_warp = (uint8_t)((st->first + rng_below(rng, st->losers)) % p->WARPS);
    in->issued = rng_chance(rng, st->issues, 16)
                     ? (uint8_t)(rng_chance(rng, 1, 4) ? p->ISSUES : rng_below(rng, p->ISSUES + 1))
                     : 0;
    if (rng_chance(rng, st->ends, 256)) {
        live &= ~some_ccws_slots(st, rng, p);
        live = rng_chance(rng, 1, 16) ? 0 : live;
    }
    if (rng_chance(rng, st->comes, 256)) {
        in->launch = some_ccws_slots(st, rng, p);
        live |= in->launch;
    }
    in->live = live;
}

static void count_slots(const struct ccws *s, const struct ccws_in *in, uint64_t *counts) {
    const uint64_t waiting = s->launching | (s->live ^ s->counted);
    const uint64_t taken = s->slot ? UINT64_C(1) << s->taken_warp : 0;
    const bool ends = s->round == ccws_round_cycles(&s->p), sets = s->dividing == 1;
    counts[LAUNCH_OF_SEVERAL] += (in->launch & (in->launch - 1)) != 0;
    counts[LAUNCH_AGAIN_AS_IT_IS_TAKEN] += !s->slot && (waiting & -waiting & in->launch);
    counts[LAUNCH_AGAIN_AS_IT_IS_LOOKED_UP] += s->slot == SLOT_READ && (taken & in->launch);
    if (s->slot == SLOT_CHANGES && s->taken_launch) {
        counts[LAUNCH_INTO_A_LIVE_SLOT] += (s->counted & taken) != 0;
        counts[LAUNCH_OF_A_HELD_WARP] += (s->held & taken) != 0;
        counts[LAUNCH_AS_THE_ROUND_ENDS] += ends && (s->sorted_held & taken);
        counts[LAUNCH_AS_THE_SCORE_IS_SET] += sets && (s->lost & taken);
        counts[LAUNCH_OF_A_WARP_THAT_HAS_LOST] += !sets && (s->lost & taken);
    }
    counts[END_OF_A_WARP] += s->slot == SLOT_CHANGES && !s->taken_live && (s->counted & taken);
    counts[END_OF_SEVERAL] += __builtin_popcountll(s->live & ~in->live) > 1;
    counts[END_BEFORE_IT_WAS_COUNTED] +=
        s->slot == SLOT_CHANGES && s->taken_launch && !s->taken_live;
    counts[ALL_ENDED] += !s->counted && (s->lost_count | s->issued_count);
}

static unsigned score_in_ccws(const struct ccws *s, unsigned warp) {
    uint64_t end = s->score_end[warp];
    return s->p.BASE + (end > s->ticks ? (unsigned)(end - s->ticks) : 0);
}

/* Halving of the counts, where they are sure to fill. */
static void count_halving(struct random_core *st, const struct ccws *s, const struct ccws_in *in,
                          uint64_t *counts) {
    const uint32_t half = UINT32_C(1) << (s->p.COUNT_BITS - 1), low = (1u << 9) - 1;
    const bool both_add = in->issued && in->lost_valid;
    if (!s->counted || !counts_halve_soon(&s->p)) {
        return;
    }
    counts[LOST_COUNT_HALVES] += halves_soon(&s->p, s->p.K) && s->halves && s->lost_count >= half;
    counts[ISSUED_COUNT_HALVES] +=
        halves_soon(&s->p, s->p.ISSUES) && s->halves && s->issued_count >= half;
    counts[HALVES_AND_ADDS] += s->halves && both_add;
    counts[ADDS_BEFORE_IT_HALVES] +=
        !s->halves && (s->lost_count | s->issued_count) >= half && both_add;
    counts[CARRIES_AS_IT_HALVES] += carries_as_it_halves(&s->p) && s->halves && st->carried;
    st->carried = !s->halves && ((s->lost_count & low) + (in->lost_valid ? s->p.K : 0) > low ||
                                 (s->issued_count & low) + in->issued > low);
}

static void count_scores(const struct ccws *s, const struct ccws_in *in, uint64_t *counts) {
    if (!s->dividing && s->lost) {
        bool full = s->lost_count >= (uint64_t)s->issued_count * s->p.CUTOFFS;
        uint64_t score = full ? s->cutoff : (uint64_t)s->lost_count * s->cutoff / s->issued_count;
        counts[SCORE_IS_BOUNDED] += full && s->cutoff > s->p.BASE;
        counts[SCORE_IS_BASE] += score < s->p.BASE;
        counts[SCORE_BETWEEN] += !full && score > s->p.BASE;
        counts[SCORE_ABOVE_THE_CUTOFF] += !full && score > s->cutoff;
        counts[NO_INSTRUCTION_YET] += !s->issued_count && s->cutoff;
    }
    counts[LOST_WHILE_DIVIDING] += s->dividing > 1 && in->lost_valid;
    if (s->dividing == 1) {
        counts[SCORE_OF_SEVERAL] += (s->lost & (s->lost - 1)) != 0;
        counts[SCORE_OF_A_DEAD_WARP] += (s->lost & ~s->counted) != 0;
        counts[LOST_AS_THE_SCORE_IS_SET] += in->lost_valid;
        for (uint64_t left = s->lost; left; left &= left - 1) {
            counts[SCORE_FALLS_BY_A_NEW_ONE] +=
                score_in_ccws(s, (unsigned)__builtin_ctzll(left)) > s->new_score;
        }
    }
    counts[MOST_ISSUED] += in->issued == s->p.ISSUES;
    counts[TICKS_STOP] += !in->ticks && s->last_end > s->ticks;
}

/* The scores that are taken in this cycle. */
static void count_taken_scores(const struct ccws *s, uint64_t *counts) {
    uint64_t sum = 0;
    bool equal = false;
    for (unsigned w = 0; w < s->p.WARPS; w++) {
        sum += s->counted >> w & 1 ? score_in_ccws(s, w) : 0;
        for (unsigned v = 0; v < w; v++) {
            equal |= (s->counted >> w & s->counted >> v & 1) && score_in_ccws(s, w) > s->p.BASE &&
                     score_in_ccws(s, w) == score_in_ccws(s, v);
        }
    }
    counts[EQUAL_SCORES_ABOVE_BASE] += equal;
    counts[SUM_SATURATES] += sum >> s->p.SCORE_BITS != 0;
}

static void count_round(const struct ccws *s, const struct ccws_in *in, uint64_t *counts) {
    const bool ends = s->round == ccws_round_cycles(&s->p);
    if (s->stale && (!s->round || ends)) {
        counts[ROUND_BEHIND_ROUND] += ends;
        counts[ROUND_ALONE] += !ends;
    }
    if (s->round == 1) {
        counts[CHANGE_AS_SCORES_ARE_TAKEN] +=
            s->slot == SLOT_CHANGES || s->dividing == 1 || (in->ticks && s->last_end > s->ticks);
        count_taken_scores(s, counts);
    }
    counts[STALE_WAITS] += s->stale && s->round && !ends;
    if (!ends) {
        return;
    }
    unsigned held = (unsigned)__builtin_popcountll(s->sorted_held);
    counts[NOBODY_HELD] += !held;
    counts[SOME_HELD] += held != 0;
    counts[ALL_BUT_ONE_HELD] += held && held + 1 == (unsigned)__builtin_popcountll(s->counted);
    counts[FIRST_SLOT_HELD] += s->sorted_held & 1;
    counts[LAST_SLOT_HELD] += s->sorted_held >> (s->p.WARPS - 1) & 1;
    for (unsigned w = 1; held && w < s->p.WARPS; w++) {
        if (s->rank[w] < s->rank[w - 1]) {
            counts[AGES_AGAINST_SLOTS]++;
            break;
        }
    }
}

static void ccws_count_points(void *self, const struct lockstep_now *now, const void *input,
                              const void *output, uint64_t *counts) {
    const struct ccws *s = now->state;
    const struct ccws_in *in = input;
    (void)output;
    if (in->rst) {
        counts[RESET_IN_A_ROUND] += s->round > 1;
        counts[RESET_IN_A_DIVISION] += s->dividing > 1;
        counts[RESET_WITH_HELD_WARPS] += s->held != 0;
        return;
    }
    count_slots(s, in, counts);
    count_scores(s, in, counts);
    count_halving(self, s, in, counts);
    count_round(s, in, counts);
    counts[QUIET] += ccws_quiet(s, in);
    counts[QUIET_WITH_TICKS] += ccws_quiet(s, in) && in->ticks;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_core),
    .points = points,
    .early = ccws_inputs,
    .cover = ccws_count_points,
    .unreachable = point_unreachable,
};
