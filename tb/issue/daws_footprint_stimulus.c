/* SPDX-License-Identifier: Apache-2.0
 * A core's warps at random around DAWS's table of footprints: they come, enter loops, load, wait at
 * barriers and end; and what that must reach. */
#include "cosim/lockstep.h"
#include "issue/daws_footprint.h"

/* clang-format off */
#define DAWS_FOOTPRINT_POINTS(P) \
    P(NOBODY_HELD,                  "a round that holds nobody") \
    P(SOME_HELD,                    "a round that holds some") \
    P(ALL_BUT_ONE_HELD,             "a round that holds all warps with footprints but one, of several") \
    P(FIRST_SLOT_HELD,              "first slot held") \
    P(LAST_SLOT_HELD,               "last slot held") \
    P(OLDEST_IS_BEYOND,             "oldest footprint greater than the effective size", p->PERCENT == 100) \
    P(EQUAL_FITS,                   "sum that equals the effective size") \
    P(SUM_SATURATES,                "sum beyond its bits") \
    P(AGES_AGAINST_SLOTS,           "younger warp held in a lower slot than an older one that counts") \
    P(NEAR_IS_HELD,                 "warp outside loops held") \
    P(NEAR_ALONE,                   "footprints of warps outside loops while no warp is in one") \
    P(TRIP_OF_AN_INNER_TARGET,      "trip of the loop around the target") \
    P(TRIP_OF_AN_OUTER_TARGET,      "trip of a loop inside the target, or of the target") \
    P(TRIP_WITHOUT_TARGET,          "trip of a warp without target") \
    P(TARGET_AS_IT_IS_READ,         "target found as a mark of its warp comes") \
    P(DEEPER_THAN_NAMED,            "loop deeper than an entry names") \
    P(DEEPEST,                      "loop deeper than is counted") \
    P(END_OF_INNER,                 "inner loop ends") \
    P(END_OF_OUTERMOST,             "outermost loop ends") \
    P(END_OF_NOTHING,               "end of a warp outside loops") \
    P(LOAD_IN_LOOP,                 "load in a loop") \
    P(LOAD_DEEPER_THAN_NAMED,       "load in a loop deeper than an entry names") \
    P(LOAD_OUTSIDE,                 "load outside loops") \
    P(LOAD_BEHIND_ITS_BEGIN,        "load in the cycle after its loop began") \
    P(BEGIN_ENDS_NEAR,              "loop without locality ends a footprint outside loops") \
    P(BEGIN_OVER_NEAR,              "loop with locality follows a footprint outside loops") \
    P(BEGIN_LEAVES_ENTRY,           "loop without locality leaves the entry") \
    P(MARK_BEHIND_MARK_OF_ITS_WARP, "two marks of a warp in two cycles") \
    P(UNKNOWN,                      "question without an answer") \
    P(OVER,                         "footprint greater than the L1") \
    P(MOST_LINES,                   "footprint of the whole L1") \
    P(NEAR_ANSWER,                  "footprint of a warp outside loops") \
    P(ANSWER_AT_BARRIER,            "answer for a warp at a barrier") \
    P(NEAR_WAITS_FOR_MARK,          "load outside loops waits for a mark") \
    P(NEAR_WITHDRAWN,               "load outside loops issues while it is chosen") \
    P(NEAR_OF_LAST_SLOT,            "load outside loops in the last slot") \
    P(NEAR_BEHIND_NEAR,             "two loads outside loops in two cycles") \
    P(BARRIER_CLEARS,               "footprint ends at a barrier") \
    P(EXIT_CLEARS,                  "footprint ends with its warp") \
    P(EXIT_OF_SEVERAL,              "several warps end at once") \
    P(EXIT_WITH_ITS_MARK,           "warp ends with its mark") \
    P(EXIT_DROPS_MARK,              "warp ends in the cycle after its mark") \
    P(EXIT_DROPS_QUESTION,          "warp ends while a question waits for its answer") \
    P(EXIT_AS_ITS_ANSWER_COMES,     "warp ends as its answer comes") \
    P(EXIT_OF_CHOSEN,               "warp ends whose load outside loops is chosen") \
    P(LAUNCH_OF_SEVERAL,            "several warps come at once") \
    P(LAUNCH_WITH_ITS_MARK,         "warp comes with its mark") \
    P(LAUNCH_OF_HELD,               "warp comes into a slot that is held") \
    P(LAUNCH_AS_THE_ROUND_ENDS,     "warp comes as the round that holds its slot ends") \
    P(LAUNCH_ENDS_ROUND,            "launch ends a round") \
    P(LAUNCH_AGAIN_AS_IT_MOVES,     "warp comes again as its slot becomes the youngest") \
    P(MOVES_WITH_LINES,             "slot with a footprint becomes the youngest", p->WARPS == 2) /* five cycles at most; a footprint comes in six */ \
    P(MOVES_AS_ITS_ANSWER_COMES,    "slot becomes the youngest as its answer comes") \
    P(ROUND_BEHIND_ROUND,           "round at the end of another one") \
    P(ROUND_ALONE,                  "round that begins from rest") \
    P(STALE_WAITS,                  "change in the middle of a round") \
    P(RESET_IN_A_ROUND,             "reset in a round") \
    P(RESET_WITH_HELD_WARPS,        "reset with held warps") \
    P(RESET_WITH_A_QUESTION,        "reset while a question waits for its answer") \
    P(RESET_WITH_A_MARK,            "reset in the cycle after a mark") \
    P(QUIET,                        "quiet")
/* clang-format on */

COVERAGE_POINTS(DAWS_FOOTPRINT_POINTS, struct daws_footprint_params)

/* Phases: few or many warps, shallow or deep loops, small or large footprints. */
struct random_loops {
    unsigned left;
    unsigned marks, nears, waits, comes, ends; /* chances: 16, 16, 64, 256, 256 */
    unsigned begins, trips;                    /* of 16 marks; the others are ends and loads */
    unsigned warps, first;                     /* that do something */
    unsigned pcs;                              /* so many different ones */
    unsigned known, over;                      /* chances: 16 */
    unsigned lines;                            /* of footprints, at most */
    bool together;                             /* several come, end or wait at once */
};

static void begin_footprint_phase(struct random_loops *st, struct rng *rng,
                                  const struct daws_footprint_params *p) {
    static const unsigned often[] = {0, 1, 2, 4, 8, 16};
    const unsigned share = p->LINES / p->WARPS;
    st->left = 50 + rng_below(rng, rng_chance(rng, 1, 4) ? 3000 : 400);
    st->marks = rng_chance(rng, 1, 2) ? 16 : often[rng_below(rng, 6)];
    st->nears = often[rng_below(rng, 6)];
    st->waits = rng_chance(rng, 1, 2) ? 0 : often[rng_below(rng, 5)];
    st->comes = rng_chance(rng, 1, 4) ? 64 : often[rng_below(rng, 5)];
    st->ends = rng_chance(rng, 1, 8) ? 64 : often[rng_below(rng, 4)];
    st->begins = 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 15 : 6);
    st->trips = rng_below(rng, 16);
    st->warps = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? p->WARPS : 2);
    st->first = rng_below(rng, p->WARPS);
    st->pcs = 1 + rng_below(rng, 6);
    st->known = rng_chance(rng, 1, 2) ? 15 : often[rng_below(rng, 6)];
    st->over = rng_chance(rng, 1, 2) ? 0 : often[rng_below(rng, 4)];
    st->lines = rng_chance(rng, 1, 3) ? p->LINES : 1 + (share * (1 + rng_below(rng, 4))) % p->LINES;
    st->together = rng_chance(rng, 1, 2);
}

static unsigned some_warp(const struct random_loops *st, struct rng *rng,
                          const struct daws_footprint_params *p) {
    return (st->first + rng_below(rng, st->warps)) % p->WARPS;
}

static uint64_t some_warps(const struct random_loops *st, struct rng *rng,
                           const struct daws_footprint_params *p) {
    const uint64_t all = ~UINT64_C(0) >> (64 - p->WARPS);
    uint64_t one = UINT64_C(1) << some_warp(st, rng, p);
    return st->together ? (one | (rng_next(rng) & rng_next(rng))) & all : one;
}

/* Low PCs differ in one bit, others anywhere. */
static uint32_t some_pc(const struct random_loops *st, struct rng *rng,
                        const struct daws_footprint_params *p) {
    uint32_t pc = 1 + rng_below(rng, st->pcs);
    pc ^= rng_chance(rng, 1, 8) ? UINT32_C(1) << rng_below(rng, p->PC_BITS) : 0;
    return p->PC_BITS < 32 ? pc & ((UINT32_C(1) << p->PC_BITS) - 1) : pc;
}

static unsigned some_mark(const struct random_loops *st, struct rng *rng) {
    const unsigned draw = rng_below(rng, 16);
    return draw < st->begins               ? DAWS_BEGIN
           : draw < st->begins + st->trips ? DAWS_TRIP
           : rng_chance(rng, 1, 2)         ? DAWS_END
                                           : DAWS_LOAD;
}

static void daws_footprint_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_loops *st = self;
    const struct daws_footprint_params *p = now->params;
    struct daws_footprint_in *in = input;
    struct rng *rng = now->rng;
    const uint64_t near = in->near, waits = in->waits;
    const unsigned last_warp = in->mark_warp;
    if (st->left-- == 0) {
        begin_footprint_phase(st, rng, p);
    }
    *in = (struct daws_footprint_in){.rst = rng_chance(rng, 1, 4000)};
    in->mark_valid = rng_chance(rng, st->marks, 16);
    in->mark_kind = (uint8_t)some_mark(st, rng);
    in->mark_warp = (uint8_t)(rng_chance(rng, 1, 3) ? last_warp : some_warp(st, rng, p));
    in->mark_pc = some_pc(st, rng, p);
    in->mark_lanes = (uint8_t)rng_below(rng, p->LANES + 1);
    in->near = rng_chance(rng, st->nears, 16) ? near ^ some_warps(st, rng, p) : near;
    in->waits = rng_chance(rng, st->waits, 64)      ? waits | some_warps(st, rng, p)
                : rng_chance(rng, 1, 1 + st->waits) ? 0
                                                    : waits;
    in->exit = rng_chance(rng, st->ends, 256) ? some_warps(st, rng, p) : 0;
    in->launch = rng_chance(rng, st->comes, 256) ? some_warps(st, rng, p) : 0;
    if (in->mark_valid && rng_chance(rng, 1, 16)) {
        in->exit |= rng_chance(rng, st->ends, 16) ? UINT64_C(1) << in->mark_warp : 0;
        in->launch |= rng_chance(rng, st->comes, 16) ? UINT64_C(1) << in->mark_warp : 0;
    }
}

static void daws_footprint_answers(void *self, const struct lockstep_now *now, const void *output,
                                   void *input) {
    const struct random_loops *st = self;
    const struct daws_footprint_params *p = now->params;
    struct daws_footprint_in *in = input;
    struct rng *rng = now->rng;
    (void)output;
    in->near_pc = some_pc(st, rng, p);
    in->near_lanes = (uint8_t)rng_below(rng, p->LANES + 1);
    in->ans_known = rng_chance(rng, st->known, 16);
    in->ans_loop = some_pc(st, rng, p);
    in->ans_over = rng_chance(rng, st->over, 16);
    in->ans_lines = rng_chance(rng, 1, 16) ? p->LINES : rng_below(rng, st->lines + 1);
}

/* The last stage, in which the answer is there: its warp, or -1. */
static int answered_warp(const struct daws_footprint *s) {
    const unsigned stage = s->pipe >> 48 & 0xffff;
    return stage ? (int)(stage & 0x3f) : -1;
}

static void count_loop_marks(const struct daws_footprint *s, const struct daws_footprint_in *in,
                             uint64_t *counts) {
    const unsigned w = s->mark_warp;
    counts[TARGET_AS_IT_IS_READ] += in->mark_valid && in->ans_known && answered_warp(s) >= 0 &&
                                    answered_warp(s) == in->mark_warp &&
                                    (s->pipe >> 48 & 0x180) == 0x80;
    if (!s->marked || (in->exit | in->launch) >> w & 1) {
        return;
    }
    const unsigned depth = s->depth[w];
    const bool has = s->targets >> w & 1;
    counts[TRIP_OF_AN_INNER_TARGET] +=
        s->mark_kind == DAWS_TRIP && has && s->target[w] > s->mark_pc;
    counts[TRIP_OF_AN_OUTER_TARGET] +=
        s->mark_kind == DAWS_TRIP && has && s->target[w] <= s->mark_pc;
    counts[TRIP_WITHOUT_TARGET] += s->mark_kind == DAWS_TRIP && !has;
    counts[DEEPER_THAN_NAMED] += s->mark_kind == DAWS_BEGIN && depth >= s->p.DEPTH;
    counts[DEEPEST] += s->mark_kind == DAWS_BEGIN && depth == DAWS_NESTING_MAX;
    counts[END_OF_INNER] += s->mark_kind == DAWS_END && depth > 1;
    counts[END_OF_OUTERMOST] += s->mark_kind == DAWS_END && depth == 1;
    counts[END_OF_NOTHING] += s->mark_kind == DAWS_END && !depth;
    counts[LOAD_IN_LOOP] += s->mark_kind == DAWS_LOAD && depth && depth <= s->p.DEPTH;
    counts[LOAD_DEEPER_THAN_NAMED] += s->mark_kind == DAWS_LOAD && depth > s->p.DEPTH;
    counts[LOAD_OUTSIDE] += s->mark_kind == DAWS_LOAD && !depth;
    counts[LOAD_BEHIND_ITS_BEGIN] += s->mark_kind == DAWS_BEGIN && in->mark_valid &&
                                     in->mark_kind == DAWS_LOAD && in->mark_warp == w;
    counts[MARK_BEHIND_MARK_OF_ITS_WARP] += in->mark_valid && in->mark_warp == w;
}

static void count_answers(const struct daws_footprint *s, const struct daws_footprint_in *in,
                          uint64_t *counts) {
    const unsigned stage = s->pipe >> 48 & 0xffff;
    const int w = answered_warp(s);
    if (w < 0) {
        return;
    }
    const uint64_t its = UINT64_C(1) << w;
    const bool asks = stage & 0x80, near = stage & 0x100, begins = stage & 0x200;
    counts[EXIT_AS_ITS_ANSWER_COMES] += asks && in->ans_known && (in->exit & its);
    counts[MOVES_AS_ITS_ANSWER_COMES] +=
        asks && in->ans_known && s->moves && s->moves_warp == (unsigned)w;
    if (!asks || (in->exit | in->launch) & its) {
        return;
    }
    counts[UNKNOWN] += !in->ans_known;
    counts[BEGIN_ENDS_NEAR] += begins && !in->ans_known && (s->nearby & its);
    counts[BEGIN_LEAVES_ENTRY] += begins && !in->ans_known && (s->inside & its);
    counts[BEGIN_OVER_NEAR] += begins && in->ans_known && (s->nearby & its);
    counts[OVER] += in->ans_known && in->ans_over;
    counts[MOST_LINES] += in->ans_known && !in->ans_over && in->ans_lines == s->p.LINES;
    counts[NEAR_ANSWER] += near && in->ans_known;
    counts[ANSWER_AT_BARRIER] +=
        in->ans_known && !in->ans_over && in->ans_lines && (in->waits & its);
}

static void count_nears(const struct daws_footprint *s, const struct daws_footprint_in *in,
                        uint64_t *counts) {
    const bool wanted = (s->chosen & in->near & ~s->asked) != 0;
    counts[NEAR_WAITS_FOR_MARK] += wanted && s->marked;
    counts[NEAR_WITHDRAWN] += s->chosen && !(s->chosen & in->near);
    counts[NEAR_OF_LAST_SLOT] += wanted && s->chosen >> (s->p.WARPS - 1);
    counts[NEAR_BEHIND_NEAR] += wanted && !s->marked && (s->pipe & 0x100);
    counts[EXIT_OF_CHOSEN] += wanted && !s->marked && (s->chosen & in->exit);
}

static void count_footprint_slots(const struct daws_footprint *s,
                                  const struct daws_footprint_in *in, uint64_t *counts) {
    const uint64_t has = s->inside | s->nearby;
    const bool ends = s->round == daws_round_cycles(&s->p) && !daws_slots_move(s);
    counts[BARRIER_CLEARS] += (in->waits & has) != 0;
    counts[EXIT_CLEARS] += (in->exit & has) != 0;
    counts[EXIT_OF_SEVERAL] += (in->exit & has & ((in->exit & has) - 1)) != 0;
    counts[EXIT_WITH_ITS_MARK] += in->mark_valid && in->exit >> in->mark_warp & 1;
    counts[EXIT_DROPS_MARK] += s->marked && in->exit >> s->mark_warp & 1;
    counts[LAUNCH_WITH_ITS_MARK] +=
        in->mark_valid && in->launch >> in->mark_warp & ~(in->exit >> in->mark_warp) & 1;
    for (unsigned i = 0; i < 3; i++) {
        const unsigned stage = s->pipe >> 16 * i & 0xffff;
        counts[EXIT_DROPS_QUESTION] += stage & 0x80 && in->exit >> (stage & 0x3f) & 1;
    }
    counts[LAUNCH_OF_SEVERAL] += (in->launch & (in->launch - 1)) != 0;
    counts[LAUNCH_OF_HELD] += (in->launch & s->held) != 0;
    counts[LAUNCH_AS_THE_ROUND_ENDS] += ends && (in->launch & s->sums);
    counts[LAUNCH_ENDS_ROUND] += s->round && daws_slots_move(s);
    counts[LAUNCH_AGAIN_AS_IT_MOVES] += s->moves && in->launch >> s->moves_warp & 1;
    counts[MOVES_WITH_LINES] += s->moves && has >> s->moves_warp & 1;
}

/* The sum that a round takes in this cycle. */
static void count_sum(const struct daws_footprint *s, uint64_t *counts) {
    const uint64_t limit = (uint64_t)s->p.LINES * s->p.PERCENT / 100;
    uint64_t sum = 0;
    unsigned highest = 0;
    counts[NEAR_ALONE] += s->nearby && !s->inside;
    for (unsigned i = 0; i < s->p.WARPS; i++) {
        const unsigned w = s->order[i], lines = daws_footprint_of(s, w);
        if (!lines) {
            continue;
        }
        counts[OLDEST_IS_BEYOND] += !sum && lines > limit;
        counts[NEAR_IS_HELD] += sum && sum + lines > limit && s->nearby >> w & 1;
        counts[AGES_AGAINST_SLOTS] += sum && sum + lines > limit && w < highest;
        sum += lines;
        counts[EQUAL_FITS] += sum == limit;
        highest = w > highest ? w : highest;
    }
    counts[SUM_SATURATES] += sum >> clog2(s->p.LINES + 2) != 0;
}

static void count_footprint_round(const struct daws_footprint *s, uint64_t *counts) {
    const bool ends = s->round == daws_round_cycles(&s->p);
    if (daws_slots_move(s)) {
        return;
    }
    if (s->stale && (!s->round || ends)) {
        counts[ROUND_BEHIND_ROUND] += ends;
        counts[ROUND_ALONE] += !ends;
        count_sum(s, counts);
    }
    counts[STALE_WAITS] += s->stale && s->round && !ends;
    if (!ends) {
        return;
    }
    const unsigned held = (unsigned)__builtin_popcountll(s->sums);
    counts[NOBODY_HELD] += !held;
    counts[SOME_HELD] += held != 0;
    counts[ALL_BUT_ONE_HELD] +=
        held && held + 1 == (unsigned)__builtin_popcountll(s->inside | s->nearby);
    counts[FIRST_SLOT_HELD] += s->sums & 1;
    counts[LAST_SLOT_HELD] += s->sums >> (s->p.WARPS - 1) & 1;
}

static void daws_footprint_count_points(void *self, const struct lockstep_now *now,
                                        const void *input, const void *output, uint64_t *counts) {
    const struct daws_footprint *s = now->state;
    const struct daws_footprint_in *in = input;
    (void)self, (void)output;
    if (in->rst) {
        counts[RESET_IN_A_ROUND] += s->round > 0;
        counts[RESET_WITH_HELD_WARPS] += s->held != 0;
        counts[RESET_WITH_A_QUESTION] += s->pipe != 0;
        counts[RESET_WITH_A_MARK] += s->marked;
        return;
    }
    count_loop_marks(s, in, counts);
    count_answers(s, in, counts);
    count_nears(s, in, counts);
    count_footprint_slots(s, in, counts);
    count_footprint_round(s, counts);
    counts[QUIET] += daws_footprint_quiet(s, in);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_loops),
    .points = points,
    .early = daws_footprint_inputs,
    .late = daws_footprint_answers,
    .cover = daws_footprint_count_points,
    .unreachable = point_unreachable,
};
