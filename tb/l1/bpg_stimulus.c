/* SPDX-License-Identifier: Apache-2.0
 * Bypassing parameter generator: random accesses in phases, and what they must reach. */
#include "l1/bpg_cases.h"

/* clang-format off */
#define BPG_POINTS(P) \
    P(LIMIT_1,                         "limit 1", p->CALCULATORS < 1) \
    P(LIMIT_2,                         "limit 2", p->CALCULATORS < 2) \
    P(LIMIT_3,                         "limit 3", p->CALCULATORS < 3) \
    P(LIMIT_4,                         "limit 4", p->CALCULATORS < 4) \
    P(LIMIT_5,                         "limit 5", p->CALCULATORS < 5) \
    P(LIMIT_6,                         "limit 6", p->CALCULATORS < 6) \
    P(LIMIT_7,                         "limit 7", p->CALCULATORS < 7) \
    P(LIMIT_8,                         "limit 8", p->CALCULATORS < 8) \
    P(INTERVAL_WITHOUT_A_PAUSE,        "interval of an access a cycle, behind another") \
    P(INTERVAL_WITH_PAUSES,            "interval with pauses") \
    P(LIMIT_FELL,                      "limit fell") \
    P(LIMIT_ROSE,                      "limit rose") \
    P(LIMIT_STAYED,                    "limit stayed") \
    P(TIE,                             "two are best") \
    P(NEAR_TIE,                        "two differ by less than an eighth of a hit, one of them is best") \
    P(BEST_IS_NEGATIVE,                "best value is negative") \
    P(SOME_ARE_NEGATIVE,               "some values are negative") \
    P(NONE_IS_NEGATIVE,                "no value is negative") \
    P(NO_FAILURES,                     "no failures") \
    P(RESIDENT_NONE,                   "none resident") \
    P(RESIDENT_ALL,                    "all resident") \
    P(RESIDENT_FEW,                    "few resident") \
    P(RESIDENT_CHANGES_INSIDE,         "resident changes inside an interval") \
    P(NOBODY_AS_ALL_RESIDENT_ARE_BEST, "all of few resident use the cache") \
    P(LIMIT_BELOW_RESIDENT,            "fewer than the few resident", p->CALCULATORS == 2) \
    P(FAILURES_AT_MOST,                "failures at their most") \
    P(FAILURES_BEYOND,                 "failures beyond it", p->COUNT_BITS == 1) /* one at a time just reaches it */ \
    P(FAILURES_WITH_THE_END,           "failures with an interval's end") \
    P(FAILURES_WITHOUT_ACCESS,         "failures without an access") \
    P(HITS_OF_THE_FIRST_AT_MOST,       "hits of the first calculator at their most", !hits_can_saturate(p)) \
    P(HITS_OF_THE_LAST_AT_MOST,        "hits of the last at their most", !hits_can_saturate(p)) \
    P(HIT_BEYOND,                      "hit beyond it", !hits_can_saturate(p)) \
    P(HIT_WITH_THE_COPY,               "hit with the copy of the hits") \
    P(HIT_BEHIND_THE_COPY,             "hit in the cycle behind the copy") \
    P(UNWATCHED,                       "access that no calculator watches") \
    P(UNSAMPLED,                       "access to a set that is not sampled") \
    P(SAMPLED,                         "access to a set that is sampled") \
    P(CLEAR_IDLE,                      "clear at rest") \
    P(CLEAR_WITH_ACCESS,               "clear with an access") \
    P(CLEAR_WITH_THE_END,              "clear with an interval's end") \
    P(CLEAR_IN_THE_TAGS,               "clear with an interval's last access in the tags") \
    P(CLEAR_WITH_THE_COPY,             "clear with the copy of the hits") \
    P(CLEAR_AT_WORK,                   "clear while a limit is worked out") \
    P(CLEAR_WITH_THE_LIMIT,            "clear in the cycle before a limit") \
    P(CLEAR_AND_RESET,                 "clear and reset") \
    P(RESET_AT_WORK,                   "reset while a limit is worked out") \
    P(QUIET,                           "quiet")
/* clang-format on */

/* Hits that an interval can bring at most: counters are halved at its end. */
static bool hits_can_saturate(const struct bpg_params *p) {
    return 2 * p->INTERVAL - 2 > 1u << p->HIT_BITS;
}

COVERAGE_POINTS(BPG_POINTS, struct bpg_params)

enum { POOL = 8 };

struct random_interval {
    unsigned left;             /* cycles of this phase */
    unsigned busy;             /* in 16 */
    unsigned lowest, span;     /* warps */
    unsigned skew;             /* in 8: the lowest warp */
    unsigned lines;            /* of the pool */
    uint64_t pool[POOL];       /* tags */
    unsigned sets;             /* sampled ones; 0: any set */
    unsigned fails, most;      /* in 64; at most so many in a cycle */
    unsigned resident, change; /* in 64 */
    unsigned clears;           /* in 16384 */
    bool near_ties;            /* failures bring the two best values next to each other */
    unsigned aim;              /* failures of this interval for that; 0: not yet known */
    bool barren;               /* no line comes twice */
    bool cleared;              /* in the last cycle */
    bool paused, behind;       /* in this interval; the last one had no pause either */
    unsigned seen_resident, last_limit;
    bool copied; /* in the last cycle */
};

static unsigned skewed_below(struct rng *rng, unsigned n) {
    return rng_below(rng, 1 + rng_below(rng, n));
}

static void new_bpg_phase(struct random_interval *st, const struct bpg_params *p, struct rng *rng) {
    unsigned scale = p->INTERVAL < 100 ? 1 : 8;
    uint64_t most = (UINT64_C(1) << p->COUNT_BITS) - 1;
    st->left = scale * (1 + rng_below(rng, rng_chance(rng, 1, 2) ? 400 : 60));
    st->busy = (unsigned[]){0, 3, 14, 16, 16, 16, 16, 16}[rng_below(rng, 8)];
    st->lowest = skewed_below(rng, p->CALCULATORS);
    st->span = 1 + rng_below(rng, p->CALCULATORS + 1 - st->lowest);
    st->skew = rng_below(rng, 8);
    st->lines = 1 + skewed_below(rng, POOL);
    st->sets = rng_chance(rng, 1, 8) ? 0 : 1 + rng_below(rng, 1u << (p->SET_BITS - 3));
    /* Failures of an interval are about as much worth as its hits, or much more, or none. */
    st->fails = (unsigned[]){0, 1, 2, 4, 16, 64}[rng_below(rng, 6)];
    st->most = 1 + skewed_below(rng, (unsigned)most);
    st->most = rng_chance(rng, 1, 2) && st->most > 3 ? 1 + rng_below(rng, 3) : st->most;
    st->resident = rng_chance(rng, 1, 3) ? p->CALCULATORS : rng_below(rng, p->CALCULATORS + 1);
    st->change = rng_chance(rng, 1, 4) ? 8 : 0;
    st->near_ties = rng_chance(rng, 1, p->INTERVAL < 100 ? 3 : 8);
    st->aim = 0;
    st->clears = rng_chance(rng, 1, 6) ? 16 : p->INTERVAL < 100 ? 4 : 1;
    /* Hits fade slowly: an interval without any comes behind a clear alone. */
    st->barren = rng_chance(rng, 1, st->cleared ? 3 : 12);
    st->left += st->barren ? p->INTERVAL : 0;
    for (unsigned i = rng_chance(rng, 1, 3) ? 0 : POOL; i < POOL; i++) {
        st->pool[i] = rng_next(rng);
        if (i && rng_chance(rng, 1, 3)) {
            st->pool[i] = st->pool[rng_below(rng, i)] ^ UINT64_C(1) << rng_below(rng, 40);
        }
    }
}

/* Cycles in which few stimuli would clear: an interval's end and behind it. */
static bool at_interesting_cycle(const struct bpg *s) {
    return s->left || s->end[0] || s->end[1] || s->end[2] || s->accesses == s->params.INTERVAL - 1;
}

/* MDB 5.3, of a limit of @l with so many hits and failures; a hit is 2^(HITS_SHIFT + 15). */
static int64_t adjusted_hits(const struct bpg *s, unsigned among, unsigned l, unsigned hits,
                             unsigned fails) {
    const struct bpg_params *p = &s->params;
    unsigned whole = p->RESCALE && s->limit < among ? s->limit : among;
    uint64_t weight = (uint64_t)bpg_weight(l < among ? l : among, whole) * p->E_64THS;
    return ((int64_t)hits << (p->HITS_SHIFT + 15)) - (int64_t)(fails * weight);
}

/* Does a limit of @one or @other have the most adjusted hits of all? */
static bool one_of_two_is_best(const struct bpg *s, unsigned one, unsigned other, unsigned fails) {
    int64_t most = INT64_MIN, of_two = INT64_MIN;
    for (unsigned l = 1; l <= s->params.CALCULATORS; l++) {
        int64_t value = adjusted_hits(s, s->resident, l, s->hits[l - 1], fails);
        most = value > most ? value : most;
        of_two = (l == one || l == other) && value > of_two ? value : of_two;
    }
    return of_two == most;
}

/* Failures, @least to @most, with which the two best limits have nearly the same adjusted hits: a
 * wrong bit of a weight or a sum shows in no other interval. Return: 0 where there are none. */
static unsigned failures_of_a_near_tie(const struct bpg *s, struct rng *rng, unsigned least,
                                       unsigned most) {
    unsigned among = s->resident, found = 0, chosen = 0;
    for (unsigned other = 2; other <= among; other++) {
        for (unsigned one = 1; one < other; one++) {
            int64_t more = adjusted_hits(s, among, other, s->hits[other - 1], 0) -
                           adjusted_hits(s, among, one, s->hits[one - 1], 0);
            int64_t each =
                adjusted_hits(s, among, one, 0, 1) - adjusted_hits(s, among, other, 0, 1);
            int64_t below = more > 0 && each ? more / each : 0; /* failures at which they cross */
            for (int64_t fails = below; fails <= below + 1; fails++) {
                if (fails && fails >= least && fails <= most &&
                    one_of_two_is_best(s, one, other, (unsigned)fails) &&
                    rng_chance(rng, 1, ++found)) {
                    chosen = (unsigned)fails;
                }
            }
        }
    }
    return chosen;
}

/* The second half of an interval brings no hits, so that its failures can be chosen. */
static void bring_a_near_tie(struct random_interval *st, const struct bpg *s, struct rng *rng,
                             struct bpg_in *in) {
    const struct bpg_params *p = &s->params;
    unsigned left = p->INTERVAL - s->accesses, most = (1u << p->COUNT_BITS) - 1;
    if (left > p->INTERVAL / 2) {
        st->aim = 0;
        return;
    }
    in->acc_number = (uint8_t)p->CALCULATORS;
    if (!st->aim && !s->left && shadow_tags_quiet(&s->tags, &(struct shadow_tags_in){0})) {
        uint64_t reach = s->fails + (uint64_t)left * most, all = (1u << p->FAIL_BITS) - 1;
        st->aim = failures_of_a_near_tie(s, rng, s->fails, (unsigned)(reach < all ? reach : all));
    }
    if (st->aim) {
        unsigned missing = st->aim > s->fails ? st->aim - s->fails : 0;
        in->fail_count = (uint16_t)(missing < most ? missing : most);
    }
}

static void bpg_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_interval *st = self;
    const struct bpg_params *p = now->params;
    const struct bpg *s = now->state;
    struct bpg_in *in = input;
    struct rng *rng = now->rng;
    if (st->left-- == 0 || st->cleared) {
        new_bpg_phase(st, p, rng);
    }
    unsigned often = !at_interesting_cycle(s) ? 1 : p->INTERVAL < 100 ? 8 : 64;
    in->rst = rng_chance(rng, often, 16384);
    in->clear = rng_chance(rng, often * st->clears, 16384) || (in->rst && rng_chance(rng, 1, 4));
    in->acc_valid = rng_chance(rng, st->busy, 16);
    bool low = rng_chance(rng, st->skew, 8);
    in->acc_number = (uint8_t)(st->lowest + (low ? 0 : rng_below(rng, st->span)));
    in->acc_set = (uint16_t)(st->sets ? rng_below(rng, st->sets) << BPG_SAMPLED_BITS
                                      : rng_below(rng, 1u << p->SET_BITS));
    uint64_t tag = st->barren ? rng_next(rng) : st->pool[rng_below(rng, st->lines)];
    in->acc_line = tag << p->SET_BITS | in->acc_set;
    in->fail_count = (uint16_t)(rng_chance(rng, st->fails, 64) ? 1 + rng_below(rng, st->most) : 0);
    in->resident = (uint8_t)st->resident;
    if (rng_chance(rng, st->change, 64)) {
        in->resident = (uint8_t)rng_below(rng, p->CALCULATORS + 1);
    }
    if (st->near_ties) {
        bring_a_near_tie(st, s, rng, in);
    }
}

/* In the cycle of the copy, whose hits count. */
static unsigned hits_with_now(const struct bpg *s, unsigned i) {
    bool hit = s->tags.flight_valid[0] && s->tags.flight_hit[0] >> i & 1;
    return s->hits[i] + (hit && s->hits[i] < (1u << s->params.HIT_BITS) - 1);
}

static void cover_values(const struct bpg *s, uint64_t *counts) {
    const struct bpg_params *p = &s->params;
    unsigned among = s->base_resident, best = 0, negative = 0;
    int64_t most = INT64_MIN, second = INT64_MIN, near = INT64_C(1) << (p->HITS_SHIFT + 12);
    bool tie = false;
    for (unsigned l = 1; l <= p->CALCULATORS; l++) {
        int64_t value = adjusted_hits(s, among, l, hits_with_now(s, l - 1), s->base_fails);
        tie = value > most ? false : tie || value == most;
        best = value >= most ? l : best;
        second = value > most ? most : value < most && value > second ? value : second;
        most = value > most ? value : most;
        negative += value < 0;
    }
    counts[TIE] += tie;
    counts[NEAR_TIE] += second > most - near;
    counts[BEST_IS_NEGATIVE] += most < 0;
    counts[SOME_ARE_NEGATIVE] += negative && most >= 0;
    counts[NONE_IS_NEGATIVE] += !negative;
    counts[NO_FAILURES] += !s->base_fails;
    counts[NOBODY_AS_ALL_RESIDENT_ARE_BEST] += best >= among && among < p->CALCULATORS;
    counts[LIMIT_BELOW_RESIDENT] += best < among && among < p->CALCULATORS;
}

static void cover_interval(struct random_interval *st, const struct bpg *s, const struct bpg_in *in,
                           uint64_t *counts) {
    const struct bpg_params *p = &s->params;
    bool ends = in->acc_valid && s->accesses == p->INTERVAL - 1;
    unsigned most = (1u << p->FAIL_BITS) - 1;
    counts[FAILURES_AT_MOST] += s->fails == most;
    counts[FAILURES_BEYOND] += s->fails < most && s->fails + in->fail_count > most;
    counts[FAILURES_WITHOUT_ACCESS] += in->fail_count && !in->acc_valid;
    counts[FAILURES_WITH_THE_END] += in->fail_count && ends;
    if (!in->acc_valid) {
        st->paused |= s->accesses > 0;
        st->behind &= s->accesses > 0;
        return;
    }
    bool sampled = !(in->acc_set & ((1u << BPG_SAMPLED_BITS) - 1));
    counts[UNWATCHED] += in->acc_number == p->CALCULATORS && sampled;
    counts[UNSAMPLED] += in->acc_number < p->CALCULATORS && !sampled;
    counts[SAMPLED] += in->acc_number < p->CALCULATORS && sampled;
    if (!s->accesses) {
        counts[RESIDENT_NONE] += !in->resident;
        counts[RESIDENT_ALL] += in->resident == p->CALCULATORS;
        counts[RESIDENT_FEW] += in->resident && in->resident < p->CALCULATORS;
        st->seen_resident = in->resident;
    }
    counts[RESIDENT_CHANGES_INSIDE] += in->resident != st->seen_resident;
    if (ends) {
        counts[INTERVAL_WITHOUT_A_PAUSE] += !st->paused && st->behind;
        counts[INTERVAL_WITH_PAUSES] += st->paused;
        st->behind = !st->paused;
        st->paused = false;
    }
}

static void cover_hits(const struct random_interval *st, const struct bpg *s, uint64_t *counts) {
    const struct bpg_params *p = &s->params;
    unsigned most = (1u << p->HIT_BITS) - 1, last = p->CALCULATORS - 1;
    bool valid = s->tags.flight_valid[0];
    unsigned hit = valid ? s->tags.flight_hit[0] : 0;
    counts[HITS_OF_THE_FIRST_AT_MOST] += s->hits[0] == most;
    counts[HITS_OF_THE_LAST_AT_MOST] += s->hits[last] == most;
    counts[HIT_BEYOND] += s->hits[last] == most && hit >> last & 1;
    counts[HIT_WITH_THE_COPY] += s->end[0] && hit;
    counts[HIT_BEHIND_THE_COPY] += st->copied && hit;
}

static void cover_bpg_clear(const struct bpg *s, const struct bpg_in *in, uint64_t *counts) {
    bool in_tags = s->end[1] || s->end[2];
    if (in->rst) {
        counts[CLEAR_AND_RESET] += in->clear;
        counts[RESET_AT_WORK] += s->left > 1;
        return;
    }
    counts[CLEAR_WITH_ACCESS] += in->acc_valid;
    counts[CLEAR_WITH_THE_END] += in->acc_valid && s->accesses == s->params.INTERVAL - 1;
    counts[CLEAR_IN_THE_TAGS] += in_tags;
    counts[CLEAR_WITH_THE_COPY] += s->end[0];
    counts[CLEAR_AT_WORK] += s->left > 1;
    counts[CLEAR_WITH_THE_LIMIT] += s->left == 1;
    counts[CLEAR_IDLE] += !in->acc_valid && !in_tags && !s->end[0] && !s->left;
}

static void bpg_count_points(void *self, const struct lockstep_now *now, const void *input,
                             const void *output, uint64_t *counts) {
    struct random_interval *st = self;
    const struct bpg *s = now->state;
    const struct bpg_in *in = input;
    const struct bpg_out *out = output;
    counts[QUIET] += bpg_quiet(s, in);
    if (out->limit_new && s->params.CALCULATORS >= out->limit) {
        counts[LIMIT_1 + out->limit - 1]++;
        counts[LIMIT_FELL] += out->limit < st->last_limit;
        counts[LIMIT_ROSE] += out->limit > st->last_limit && st->last_limit;
        counts[LIMIT_STAYED] += out->limit == st->last_limit;
        st->last_limit = out->limit;
    }
    cover_hits(st, s, counts);
    st->cleared = in->rst || in->clear;
    if (in->rst || in->clear) {
        cover_bpg_clear(s, in, counts);
        st->paused = st->behind = st->copied = false;
        return;
    }
    if (s->end[0]) {
        cover_values(s, counts);
    }
    cover_interval(st, s, in, counts);
    st->copied = s->end[0];
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_interval),
    .points = points,
    .early = bpg_early_inputs,
    .cover = bpg_count_points,
    .unreachable = point_unreachable,
};
