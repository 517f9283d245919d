/* SPDX-License-Identifier: Apache-2.0
 * Shadow tag arrays: random accesses in phases, and what they must reach. */
#include "l1/shadow_tags_cases.h"

/* clang-format off */
#define SHADOW_TAGS_POINTS(P) \
    P(ALL_HIT,                     "all arrays hit") \
    P(NONE_HIT,                    "none hits") \
    P(UPPER_HIT,                   "a higher array hits alone", p->ARRAYS == 1) \
    P(LOWER_HIT,                   "a lower array hits alone", p->ARRAYS == 1 || few_tags(p)) \
    P(SEEN_BY_ALL,                 "seen by all arrays") \
    P(SEEN_BY_THE_LAST,            "seen by the last array alone") \
    P(SEEN_BETWEEN,                "seen by some arrays", p->ARRAYS < 3) \
    P(HIT_OF_THE_YOUNGEST,         "hit of the youngest line") \
    P(HIT_BETWEEN,                 "hit between", p->WAYS < 3) \
    P(HIT_OF_THE_OLDEST,           "hit of the oldest line of a full set", UINT64_C(1) << p->TAG_BITS < p->WAYS) \
    P(FIRST_FILL,                  "first line of a set") \
    P(LATER_FILL,                  "further line of a set", p->WAYS < 3) \
    P(LAST_FILL,                   "line that fills a set", UINT64_C(1) << p->TAG_BITS < p->WAYS) \
    P(WAY_0_IS_VICTIM,             "way 0 of the last array is a victim", p->WAYS < 1 || few_tags(p)) \
    P(WAY_1_IS_VICTIM,             "way 1 of the last array is a victim", p->WAYS < 2 || few_tags(p)) \
    P(WAY_2_IS_VICTIM,             "way 2 of the last array is a victim", p->WAYS < 3 || few_tags(p)) \
    P(WAY_3_IS_VICTIM,             "way 3 of the last array is a victim", p->WAYS < 4 || few_tags(p)) \
    P(WAY_4_IS_VICTIM,             "way 4 of the last array is a victim", p->WAYS < 5 || few_tags(p)) \
    P(WAY_5_IS_VICTIM,             "way 5 of the last array is a victim", p->WAYS < 6 || few_tags(p)) \
    P(WAY_6_IS_VICTIM,             "way 6 of the last array is a victim", p->WAYS < 7 || few_tags(p)) \
    P(WAY_7_IS_VICTIM,             "way 7 of the last array is a victim", p->WAYS < 8 || few_tags(p)) \
    P(DISTANCE_1,                  "same set, distance 1") \
    P(DISTANCE_2,                  "same set, distance 2") \
    P(DISTANCE_3,                  "same set, distance 3") \
    P(DISTANCE_1_AND_2,            "same set, distances 1 and 2") \
    P(ONLY_DISTANCE_2_AND_3,       "same set, distances 2 and 3") \
    P(HIT_AT_DISTANCE_1,           "line of the last cycle") \
    P(HIT_AT_DISTANCE_2,           "line of two cycles ago") \
    P(HIT_AT_DISTANCE_3,           "line of three cycles ago") \
    P(MISS_AT_DISTANCE_1,          "miss behind a miss") \
    P(MISS_AT_DISTANCE_2,          "miss two cycles behind a miss") \
    P(NEVER_WRITTEN_SET,           "set that was never written") \
    P(NEVER_WRITTEN_AT_DISTANCE_1, "second access to a set, at once") \
    P(NEVER_WRITTEN_AT_DISTANCE_2, "second access to a set, two cycles later") \
    P(TAG_OF_ONE_OTHER_BIT,        "tag that differs in one bit from the youngest line's") \
    P(ACCESSES_IN_A_ROW,           "eight accesses in a row") \
    P(RESET_WITH_ACCESS,           "reset with an access") \
    P(RESET_1_BEHIND,              "reset one cycle behind an access") \
    P(RESET_2_BEHIND,              "reset two cycles behind an access") \
    P(FORGOTTEN_LINE,              "line that a reset has taken") \
    P(QUIET,                       "quiet")
/* clang-format on */

/* A full set has every tag there is. */
static bool few_tags(const struct shadow_tags_params *p) {
    return UINT64_C(1) << p->TAG_BITS <= p->WAYS;
}

COVERAGE_POINTS(SHADOW_TAGS_POINTS, struct shadow_tags_params)

enum { PAST = 4, POOL = 12 };

/* Sets and tags of the last cycles; [1] is the last one. */
struct past_access {
    bool valid, missed, was_first;
    unsigned set;
    uint32_t tag;
};

struct random_tags {
    unsigned left;       /* cycles of this phase */
    unsigned busy;       /* in 16 */
    unsigned base, span; /* of sets */
    unsigned tags;       /* of the pool */
    uint32_t pool[POOL];
    unsigned first, firsts; /* arrays that see an access: from one of these on */
    unsigned in_a_row;
    struct past_access past[PAST];
    bool written[SHADOW_TAGS_SETS_MAX];
    /* The last reset forgot these lines: the youngest of the last array in each set. */
    bool forgot[SHADOW_TAGS_SETS_MAX];
    uint32_t forgotten[SHADOW_TAGS_SETS_MAX];
    /* The last array has the ways of a set in this order, the youngest first. */
    uint8_t way[SHADOW_TAGS_SETS_MAX][SHADOW_TAGS_WAYS_MAX];
};

static void forget_ways(struct random_tags *st) {
    for (unsigned set = 0; set < SHADOW_TAGS_SETS_MAX; set++) {
        for (unsigned way = 0; way < SHADOW_TAGS_WAYS_MAX; way++) {
            st->way[set][way] = (uint8_t)way;
        }
    }
}

static void shadow_start_run(void *self, const struct lockstep_now *now) {
    (void)now;
    forget_ways(self);
}

static void new_shadow_phase(struct random_tags *st, const struct shadow_tags_params *p,
                             struct rng *rng) {
    static const unsigned often[] = {1, 5, 10, 14, 16, 16};
    st->left = 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 500 : 50);
    st->busy = often[rng_below(rng, 6)];
    st->span = rng_chance(rng, 1, 4) ? p->SETS : 1 + rng_below(rng, 3);
    st->span = st->span > p->SETS ? p->SETS : st->span;
    st->base = rng_below(rng, p->SETS - st->span + 1);
    st->first = rng_chance(rng, 1, 2) ? 0 : rng_below(rng, p->ARRAYS);
    st->firsts = rng_chance(rng, 1, 3) ? 1 : 1 + rng_below(rng, p->ARRAYS - st->first);
    st->tags = 1 + rng_below(rng, POOL);
    for (unsigned i = rng_chance(rng, 1, 2) ? 0 : POOL; i < POOL; i++) {
        st->pool[i] = (uint32_t)rng_next(rng);
        if (i && rng_chance(rng, 1, 2)) {
            st->pool[i] = st->pool[rng_below(rng, i)] ^ 1u << rng_below(rng, p->TAG_BITS);
        }
    }
}

static void shadow_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_tags *st = self;
    const struct shadow_tags_params *p = now->params;
    struct shadow_tags_in *in = input;
    if (st->left-- == 0) {
        new_shadow_phase(st, p, now->rng);
    }
    in->rst = rng_chance(now->rng, 1, 800);
    in->acc_valid = rng_chance(now->rng, st->busy, 16);
    in->acc_set = (uint8_t)(st->base + rng_below(now->rng, st->span));
    in->acc_first = (uint8_t)(st->first + rng_below(now->rng, st->firsts));
    in->acc_tag = st->pool[rng_below(now->rng, st->tags)];
    unsigned back = 1 + rng_below(now->rng, PAST - 1);
    if (rng_chance(now->rng, 1, 8) && st->past[back].valid) {
        in->acc_set = (uint8_t)st->past[back].set;
        in->acc_tag = rng_chance(now->rng, 1, 2) ? st->past[back].tag : in->acc_tag;
    }
    if (rng_chance(now->rng, 1, 16) && st->forgot[in->acc_set]) {
        in->acc_tag = st->forgotten[in->acc_set];
    }
}

/* Returns the place of a line among those of the last array, or their number if it is not there. */
static unsigned place_in_last(const struct shadow_tags *s, unsigned set, uint32_t tag) {
    unsigned last = s->params.ARRAYS - 1, place = 0;
    while (place < s->lines[last][set] && s->tag[last][set][place] != tag) {
        place++;
    }
    return place;
}

static void cover_last_array(struct random_tags *st, const struct shadow_tags *s,
                             const struct shadow_tags_in *in, uint64_t *counts) {
    unsigned last = s->params.ARRAYS - 1, ways = s->params.WAYS, set = in->acc_set;
    unsigned place = place_in_last(s, set, in->acc_tag), lines = s->lines[last][set];
    bool hit = place < lines;
    counts[HIT_OF_THE_YOUNGEST] += hit && place == 0;
    counts[HIT_BETWEEN] += hit && place > 0 && place < ways - 1;
    counts[HIT_OF_THE_OLDEST] += hit && place == ways - 1;
    counts[FIRST_FILL] += !hit && !lines;
    counts[LATER_FILL] += !hit && lines && lines < ways - 1;
    counts[LAST_FILL] += !hit && lines == ways - 1;
    uint32_t differs = lines ? s->tag[last][set][0] ^ in->acc_tag : 0;
    counts[TAG_OF_ONE_OTHER_BIT] += differs && !(differs & (differs - 1));
    counts[FORGOTTEN_LINE] +=
        !hit && !lines && st->forgot[set] && st->forgotten[set] == in->acc_tag;
    unsigned at = hit ? place : ways - 1;
    uint8_t way = st->way[set][at];
    counts[WAY_0_IS_VICTIM + way] += !hit && lines == ways;
    memmove(st->way[set] + 1, st->way[set], at);
    st->way[set][0] = way;
    st->past[0].missed = !hit;
}

static void cover_distances(struct random_tags *st, const struct shadow_tags_in *in,
                            uint64_t *counts) {
    bool same[PAST], line[PAST];
    for (unsigned i = 1; i < PAST; i++) {
        same[i] = st->past[i].valid && st->past[i].set == in->acc_set;
        line[i] = same[i] && st->past[i].tag == in->acc_tag;
    }
    counts[DISTANCE_1] += same[1];
    counts[DISTANCE_2] += same[2];
    counts[DISTANCE_3] += same[3];
    counts[DISTANCE_1_AND_2] += same[1] && same[2];
    counts[ONLY_DISTANCE_2_AND_3] += !same[1] && same[2] && same[3];
    counts[HIT_AT_DISTANCE_1] += line[1];
    counts[HIT_AT_DISTANCE_2] += line[2] && !same[1];
    counts[HIT_AT_DISTANCE_3] += line[3] && !same[1] && !same[2];
    counts[MISS_AT_DISTANCE_1] += same[1] && st->past[1].missed && st->past[0].missed;
    counts[MISS_AT_DISTANCE_2] += same[2] && !same[1] && st->past[2].missed && st->past[0].missed;
    counts[NEVER_WRITTEN_AT_DISTANCE_1] += same[1] && st->past[1].was_first;
    counts[NEVER_WRITTEN_AT_DISTANCE_2] += same[2] && !same[1] && st->past[2].was_first;
    counts[NEVER_WRITTEN_SET] += !st->written[in->acc_set];
    counts[SEEN_BY_ALL] += !in->acc_first;
}

static void forget_lines(struct random_tags *st, const struct shadow_tags *s) {
    unsigned last = s->params.ARRAYS - 1;
    for (unsigned set = 0; set < s->params.SETS; set++) {
        st->forgot[set] |= s->lines[last][set];
        if (s->lines[last][set]) {
            st->forgotten[set] = s->tag[last][set][0];
        }
    }
    memset(st->written, 0, sizeof st->written);
    memset(st->past, 0, sizeof st->past);
    forget_ways(st);
}

static void shadow_count_points(void *self, const struct lockstep_now *now, const void *input,
                                const void *output, uint64_t *counts) {
    struct random_tags *st = self;
    const struct shadow_tags_params *p = now->params;
    const struct shadow_tags *s = now->state;
    const struct shadow_tags_in *in = input;
    const struct shadow_tags_out *out = output;
    unsigned all = (1u << p->ARRAYS) - 1;
    counts[ALL_HIT] += out->hit_valid && out->hit == all;
    counts[NONE_HIT] += out->hit_valid && !out->hit;
    counts[UPPER_HIT] += out->hit_valid && (out->hit & (all - 1)) && !(out->hit & 1);
    counts[LOWER_HIT] += out->hit_valid && (out->hit & ~(out->hit >> 1) & all >> 1);
    counts[QUIET] += shadow_tags_quiet(s, in);
    if (in->rst) {
        counts[RESET_WITH_ACCESS] += in->acc_valid;
        counts[RESET_1_BEHIND] += st->past[1].valid;
        counts[RESET_2_BEHIND] += st->past[2].valid;
        forget_lines(st, s);
        st->in_a_row = 0;
        return;
    }
    st->past[0] =
        (struct past_access){.valid = in->acc_valid, .set = in->acc_set, .tag = in->acc_tag};
    st->in_a_row = in->acc_valid ? st->in_a_row + 1 : 0;
    counts[ACCESSES_IN_A_ROW] += st->in_a_row == 8;
    if (in->acc_valid) {
        cover_last_array(st, s, in, counts);
        cover_distances(st, in, counts);
        counts[SEEN_BY_THE_LAST] += in->acc_first == p->ARRAYS - 1;
        counts[SEEN_BETWEEN] += in->acc_first && in->acc_first < p->ARRAYS - 1;
        st->past[0].was_first = !st->written[in->acc_set];
        st->written[in->acc_set] = true;
    }
    memmove(st->past + 1, st->past, (PAST - 1) * sizeof *st->past);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_tags),
    .points = points,
    .start = shadow_start_run,
    .early = shadow_early_inputs,
    .cover = shadow_count_points,
    .unreachable = point_unreachable,
};
