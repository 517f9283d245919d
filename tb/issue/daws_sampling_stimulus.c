/* SPDX-License-Identifier: Apache-2.0
 * Marks and judgements at random around the table of sampling warps, and what they must reach. */
#include "cosim/lockstep.h"
#include "issue/daws_sampling.h"

/* clang-format off */
#define DAWS_SAMPLING_POINTS(P) \
    P(NEW_LOOP,                    "new loop with three lanes") \
    P(NEW_LOOP_WITH_TWO_LANES,     "new loop with two lanes") \
    P(NEW_LOOP_WITH_ONE_LANE,      "new loop with one lane") \
    P(LAST_PLACE,                  "last place taken", 1u << p->PC_BITS < p->LOOPS) \
    P(REFUSED,                     "new loop refused", 1u << p->PC_BITS <= p->LOOPS) \
    P(FULL_AND_TWO_LANES,          "new loop with two lanes and no place", 1u << p->PC_BITS <= p->LOOPS) \
    P(NEXT_WARP_WITH_TWO_LANES,    "next sampling warp with two lanes") \
    P(NEXT_WARP_WITH_ONE_LANE,     "no next sampling warp with one lane") \
    P(SAMPLED_BY_ANOTHER,          "begin of a loop that another warp samples") \
    P(BEGINS_AGAIN_ITSELF,         "begin of a loop that the warp samples") \
    P(TRIP_OF_SAMPLING_WARP,       "trip of the sampling warp") \
    P(TRIP_OF_ANOTHER,             "trip of another warp") \
    P(TRIP_OF_NO_LOOP,             "trip of a loop that has no place") \
    P(TRIP_OF_FREE_LOOP,           "trip of the last sampling warp of a loop that none samples") \
    P(LOAD_WITH_LOCALITY,          "load of the sampling warp, loop with locality") \
    P(LOAD_WITHOUT_LOCALITY,       "load of the sampling warp, loop without locality") \
    P(LOAD_OF_ANOTHER,             "load of another warp") \
    P(ASKED_RIGHT_BEHIND_NEW_LOOP, "mark of a loop that got its place in the last cycle") \
    P(BEGIN_RIGHT_BEHIND_LEAVE,    "begin of a loop that was left in the last cycle") \
    P(BEGIN_RIGHT_BEHIND_EXIT,     "begin of a loop whose warp ended in the last cycle") \
    P(LEAVES,                      "sampling warp leaves") \
    P(ANOTHER_LEAVES,              "another warp leaves") \
    P(LEAVES_ONE_OF_TWO,           "leaves one of two loops that it samples") \
    P(EXIT_OF_SAMPLING_WARP,       "sampling warp ends") \
    P(EXIT_OF_TWO_LOOPS,           "sampling warp of two loops ends") \
    P(EXIT_OF_ANOTHER,             "another warp ends while a loop is sampled") \
    P(UNKNOWN_KIND,                "mark of no kind") \
    P(ALL_SAMPLED,                 "all places sampled at once", 1u << p->PC_BITS < p->LOOPS) \
    P(COUNTS_UP,                   "counter up") \
    P(COUNTS_DOWN,                 "counter down") \
    P(BECOMES_POSITIVE,            "loop becomes positive") \
    P(BECOMES_ZERO,                "loop is no longer positive") \
    P(STAYS_AT_MOST,               "counter stays at its most", p->COUNTER_BITS > REACHED_BITS) \
    P(STAYS_AT_LEAST,              "counter stays at its least", p->NEGATIVE && p->COUNTER_BITS > REACHED_BITS) \
    P(FEED_WITHOUT_LOOP,           "judgement for a place without a loop") \
    P(FEED_AS_ITS_PLACE_IS_TAKEN,  "judgement for a place that is taken in its cycle") \
    P(FEED_AND_LOAD_OF_ONE_LOOP,   "load and a judgement of one loop") \
    P(FEED_OF_LAST_PLACE,          "judgement for the last place", 1u << p->PC_BITS < p->LOOPS) \
    P(RESET_OF_LOOPS,              "reset with sampled loops") \
    P(RESET_WITH_ALL,              "reset with a mark and a judgement") \
    P(RESET_BEHIND_A_MARK,         "reset as an answer is shown") \
    P(QUIET,                       "quiet")
/* clang-format on */

enum { REACHED_BITS = 10 }; /* counters of more do not reach their ends soon */

COVERAGE_POINTS(DAWS_SAMPLING_POINTS, struct daws_sampling_params)

/* A phase has its loops and warps, and a taste for some marks and judgements. */
struct random_samples {
    unsigned left;
    unsigned marks, feeds, locals; /* chances in 16 */
    unsigned leaves;               /* in 16, of the marks */
    unsigned loops, warps;
    uint32_t first_loop, loop_step;
    unsigned place; /* that is fed most */
    struct daws_sampling_in before;
    bool was_new, left_before, exited_before;
};

static uint32_t mask_of_pc(const struct daws_sampling_params *p) {
    return (UINT32_C(1) << p->PC_BITS) - 1;
}

static void begin_sampling_phase(struct random_samples *st, struct rng *rng,
                                 const struct daws_sampling_params *p) {
    static const unsigned often[] = {0, 1, 4, 8, 14, 16};
    st->left = 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 4u << p->COUNTER_BITS % 11 : 300);
    st->marks = often[rng_below(rng, 6)];
    st->feeds = often[rng_below(rng, 6)];
    st->locals = often[rng_below(rng, 6)];
    st->leaves = often[rng_below(rng, 4)];
    st->loops = 1 + rng_below(rng, p->LOOPS + 3);
    st->warps = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 3 : p->WARPS);
    st->place = rng_below(rng, p->LOOPS);
    if (rng_chance(rng, 1, 4)) {
        st->first_loop = (uint32_t)rng_next(rng);
        /* Neighbours, or names that differ in one bit. */
        st->loop_step = rng_chance(rng, 1, 2) ? 1 : UINT32_C(1) << rng_below(rng, p->PC_BITS);
    }
}

static uint32_t draw_loop(const struct random_samples *st, struct rng *rng,
                          const struct daws_sampling *s) {
    if (s->count && rng_chance(rng, 1, 3)) {
        return s->loop[rng_below(rng, s->count)].pc;
    }
    return (st->first_loop + rng_below(rng, st->loops) * st->loop_step) & mask_of_pc(&s->p);
}

static unsigned draw_sampling_warp(const struct random_samples *st, struct rng *rng,
                                   const struct daws_sampling *s, uint32_t loop) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->loop[i].pc == loop && rng_chance(rng, 1, 2)) {
            return s->loop[i].warp;
        }
    }
    return rng_chance(rng, 1, 16) ? s->p.WARPS - 1 : rng_below(rng, st->warps) % s->p.WARPS;
}

static void daws_sampling_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_samples *st = self;
    const struct daws_sampling_params *p = now->params;
    const struct daws_sampling *s = now->state;
    struct daws_sampling_in *in = input;
    struct rng *rng = now->rng;
    static const unsigned kinds[] = {DAWS_SAMPLING_BEGIN, DAWS_SAMPLING_BEGIN, DAWS_SAMPLING_TRIP,
                                     DAWS_SAMPLING_LOAD};
    bool reset = false;
    if (st->left-- == 0) {
        begin_sampling_phase(st, rng, p);
        reset = rng_chance(rng, 1, 3);
    }
    *in = (struct daws_sampling_in){.rst = reset || rng_chance(rng, 1, 5000)};
    in->mark_valid = rng_chance(rng, st->marks, 16);
    in->mark_kind = (uint8_t)kinds[rng_below(rng, 4)];
    if (rng_chance(rng, st->leaves, 16)) {
        in->mark_kind = rng_chance(rng, 3, 4) ? DAWS_SAMPLING_END : DAWS_SAMPLING_EXIT;
    } else if (rng_chance(rng, 1, 64)) {
        in->mark_kind = (uint8_t)rng_below(rng, 8);
    }
    in->mark_pc = rng_chance(rng, 1, 8) ? st->before.mark_pc : draw_loop(st, rng, s);
    in->mark_warp = (uint8_t)draw_sampling_warp(st, rng, s, in->mark_pc);
    in->mark_lanes = (uint8_t)(rng_chance(rng, 1, 2) ? rng_below(rng, 5) : rng_below(rng, 33));
    in->feed_valid = rng_chance(rng, st->feeds, 16);
    in->feed_loop =
        (uint8_t)(rng_chance(rng, 3, 4) ? st->place : rng_below(rng, 1u << clog2(p->LOOPS)));
    in->feed_local = rng_chance(rng, st->locals, 16);
}

static const struct daws_sampled_loop *loop_of_mark(const struct daws_sampling *s, uint32_t pc) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->loop[i].pc == pc) {
            return &s->loop[i];
        }
    }
    return NULL;
}

static unsigned loops_of_warp(const struct daws_sampling *s, unsigned warp) {
    unsigned loops = 0;
    for (unsigned i = 0; i < s->count; i++) {
        loops += s->loop[i].sampled && s->loop[i].warp == warp;
    }
    return loops;
}

static void count_begin(struct random_samples *st, const struct daws_sampling *s,
                        const struct daws_sampling_in *in, uint64_t *counts) {
    const struct daws_sampled_loop *l = loop_of_mark(s, in->mark_pc);
    const unsigned lanes = in->mark_lanes;
    const bool full = s->count == s->p.LOOPS;
    counts[NEW_LOOP] += !l && !full && lanes == 3;
    counts[NEW_LOOP_WITH_TWO_LANES] += !l && !full && lanes == 2;
    counts[NEW_LOOP_WITH_ONE_LANE] += !l && lanes == 1;
    counts[LAST_PLACE] += !l && s->count == s->p.LOOPS - 1 && lanes > 2;
    counts[REFUSED] += !l && full && lanes > 2;
    counts[FULL_AND_TWO_LANES] += !l && full && lanes == 2;
    counts[NEXT_WARP_WITH_TWO_LANES] += l && !l->sampled && lanes == 2;
    counts[NEXT_WARP_WITH_ONE_LANE] += l && !l->sampled && lanes == 1;
    counts[SAMPLED_BY_ANOTHER] += l && l->sampled && l->warp != in->mark_warp && lanes > 2;
    counts[BEGINS_AGAIN_ITSELF] += l && l->sampled && l->warp == in->mark_warp && lanes > 2;
    counts[BEGIN_RIGHT_BEHIND_LEAVE] +=
        l && st->left_before && st->before.mark_pc == in->mark_pc && lanes > 1;
    counts[BEGIN_RIGHT_BEHIND_EXIT] +=
        l && st->exited_before && l->warp == st->before.mark_warp && lanes > 1;
    st->was_new = !l && !full && lanes > 2;
}

static void count_mark(struct random_samples *st, const struct daws_sampling *s,
                       const struct daws_sampling_in *in, uint64_t *counts) {
    const struct daws_sampled_loop *l = loop_of_mark(s, in->mark_pc);
    const unsigned loops = loops_of_warp(s, in->mark_warp);
    const bool own = l && l->sampled && l->warp == in->mark_warp, was_new = st->was_new;
    unsigned sampled = 0;
    for (unsigned i = 0; i < s->count; i++) {
        sampled += s->loop[i].sampled;
    }
    st->was_new = false;
    counts[ASKED_RIGHT_BEHIND_NEW_LOOP] += was_new && l && in->mark_pc == st->before.mark_pc;
    counts[ALL_SAMPLED] += sampled == s->p.LOOPS;
    switch (in->mark_kind) {
    case DAWS_SAMPLING_BEGIN: count_begin(st, s, in, counts); break;
    case DAWS_SAMPLING_TRIP:
        counts[TRIP_OF_SAMPLING_WARP] += own;
        counts[TRIP_OF_ANOTHER] += l && l->sampled && !own;
        counts[TRIP_OF_NO_LOOP] += !l;
        counts[TRIP_OF_FREE_LOOP] += l && !l->sampled && l->warp == in->mark_warp;
        break;
    case DAWS_SAMPLING_LOAD:
        counts[LOAD_WITH_LOCALITY] += own && l->counter > 0;
        counts[LOAD_WITHOUT_LOCALITY] += own && l->counter <= 0;
        counts[LOAD_OF_ANOTHER] += l && l->sampled && !own;
        counts[FEED_AND_LOAD_OF_ONE_LOOP] += own && in->feed_valid && in->feed_loop == l - s->loop;
        break;
    case DAWS_SAMPLING_END:
        counts[LEAVES] += own;
        counts[ANOTHER_LEAVES] += l && l->sampled && !own;
        counts[LEAVES_ONE_OF_TWO] += own && loops > 1;
        break;
    case DAWS_SAMPLING_EXIT:
        counts[EXIT_OF_SAMPLING_WARP] += loops == 1;
        counts[EXIT_OF_TWO_LOOPS] += loops > 1;
        counts[EXIT_OF_ANOTHER] += !loops && sampled;
        break;
    default: counts[UNKNOWN_KIND] += own;
    }
    st->left_before = in->mark_kind == DAWS_SAMPLING_END && own;
    st->exited_before = in->mark_kind == DAWS_SAMPLING_EXIT && loops;
}

static void count_feed(const struct random_samples *st, const struct daws_sampling *s,
                       const struct daws_sampling_in *in, uint64_t *counts) {
    const int most = (1 << (s->p.COUNTER_BITS - 1)) - 1, least = s->p.NEGATIVE ? -most - 1 : 0;
    if (in->feed_loop >= s->count) {
        counts[FEED_WITHOUT_LOOP]++;
        counts[FEED_AS_ITS_PLACE_IS_TAKEN] += st->was_new && in->feed_loop == s->count;
        return;
    }
    const int counter = s->loop[in->feed_loop].counter;
    counts[COUNTS_UP] += in->feed_local && counter < most;
    counts[COUNTS_DOWN] += !in->feed_local && counter > least;
    counts[BECOMES_POSITIVE] += in->feed_local && counter == 0;
    counts[BECOMES_ZERO] += !in->feed_local && counter == 1;
    counts[STAYS_AT_MOST] += in->feed_local && counter == most;
    counts[STAYS_AT_LEAST] += !in->feed_local && counter == least;
    counts[FEED_OF_LAST_PLACE] += in->feed_loop == s->p.LOOPS - 1;
}

static void daws_sampling_count_points(void *self, const struct lockstep_now *now,
                                       const void *input, const void *output, uint64_t *counts) {
    struct random_samples *st = self;
    const struct daws_sampling *s = now->state;
    const struct daws_sampling_in *in = input;
    const struct daws_sampling_out *out = output;
    counts[RESET_OF_LOOPS] += in->rst && s->count;
    counts[RESET_WITH_ALL] += in->rst && in->mark_valid && in->feed_valid;
    counts[RESET_BEHIND_A_MARK] += in->rst && out->ans_samples;
    counts[QUIET] += daws_sampling_quiet(s, in);
    if (in->rst || !in->mark_valid) {
        st->was_new = st->left_before = st->exited_before = false;
    }
    if (!in->rst && in->mark_valid) {
        count_mark(st, s, in, counts);
    }
    if (!in->rst && in->feed_valid) {
        count_feed(st, s, in, counts);
    }
    st->before = *in;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_samples),
    .points = points,
    .early = daws_sampling_inputs,
    .cover = daws_sampling_count_points,
    .unreachable = point_unreachable,
};
