/* SPDX-License-Identifier: Apache-2.0
 * Replacement state with warp types: random accesses in phases, and what they must reach. */
#include "l2/insertion_cases.h"

#define END_OF_RANGE(name, def, min, max, meaning) name##_MAX = max,
enum { INSERTION_PARAMS(END_OF_RANGE) };

/* clang-format off */
#define INSERTION_POINTS(P) \
    P(LOWEST_WAY_FREE,        "lowest way free") \
    P(HIGHER_WAY_FREE,        "only higher ways free", p->WAYS == 1) \
    P(FREE_WHILE_ALL_HELD,    "a way free, all held") \
    P(ALL_HELD,               "all held") \
    P(NOTHING_HELD,           "no way free, none held") \
    P(HELD_LINE_SKIPPED,      "the first to go is held", p->WAYS == 1) \
    P(CLASS_BEFORE_RECENCY,   "an older line of a higher class stays", p->WAYS == 1 || p->PLACE) \
    P(VICTIM_OF_CLASS_0,      "victim mostly-miss") \
    P(VICTIM_OF_CLASS_1,      "victim balanced", p->PLACE) \
    P(VICTIM_OF_CLASS_2,      "victim mostly-hit", p->PLACE) \
    P(VICTIM_OF_CLASS_3,      "victim all-hit", p->PLACE) \
    P(VICTIM_IS_MOST_RECENT,  "victim is the youngest") \
    P(TOUCHED_VICTIM,         "hit of the victim") \
    P(TOUCHED_MOST_RECENT,    "hit of the youngest") \
    P(TOUCHED_BETWEEN,        "hit between", p->WAYS < 3) \
    P(TOUCH_OF_HIGHER_CLASS,  "hit by a higher class") \
    P(TOUCH_OF_LOWER_CLASS,   "hit by a lower class", p->PLACE) \
    P(INSERT_RAISES,          "insert of a higher class") \
    P(INSERT_LOWERS,          "insert of a lower class", p->PLACE) \
    P(INSERT_AND_TOUCH,       "insert and touch") \
    P(PLACED_FIRST,           "the youngest way inserted as the oldest", !p->PLACE) \
    P(PLACED_BETWEEN,         "the oldest way inserted in the middle", !p->PLACE) \
    P(PLACED_LAST,            "the oldest way inserted as the youngest", !p->PLACE) \
    P(READ_SAME,              "current set read") \
    P(READ_SAME_WITH_ACCESS,  "current set read with an access") \
    P(READ_OTHER,             "other set read", p->SETS == 1) \
    P(READ_OTHER_WITH_ACCESS, "other set read with an access", p->SETS == 1) \
    P(READ_UNWRITTEN,         "set read that was never written", p->SETS == 1) \
    P(READ_BACK_AT_ONCE,      "set read that was written in the last cycle", p->SETS == 1) \
    P(ACCESSES_IN_A_ROW,      "accesses to one set in a row") \
    P(RESET_AT_WORK,          "reset at work") \
    P(QUIET,                  "quiet")
/* clang-format on */

COVERAGE_POINTS(INSERTION_POINTS, struct insertion_params)

struct random_accesses {
    unsigned left;                 /* cycles of this phase */
    unsigned base, span;           /* sets that are read */
    unsigned busy, inserts, reads; /* in 16 */
    unsigned free, held;           /* densities: see random_mask() */
    unsigned lowest, highest;      /* classes */
    bool fifo;                     /* inserts take the victim */
    bool used;                     /* an access in the last cycle, of this set */
    uint32_t current, last_used;   /* sets */
    bool written[SETS_MAX];        /* since the reset */
};

static void new_insertion_phase(struct random_accesses *st, const struct insertion_params *p,
                                struct rng *rng) {
    static const unsigned often[] = {1, 4, 8, 14, 16, 16};
    st->left = 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 600 : 60);
    st->span = rng_chance(rng, 1, 3) ? p->SETS : 1 + rng_below(rng, 3);
    st->span = st->span > p->SETS ? p->SETS : st->span;
    st->base = rng_below(rng, p->SETS - st->span + 1);
    st->busy = often[rng_below(rng, 6)];
    st->inserts = (unsigned[]){0, 2, 8, 16}[rng_below(rng, 4)];
    st->reads = often[rng_below(rng, 6)];
    st->free = rng_below(rng, 5);
    st->held = rng_below(rng, 5);
    st->lowest = rng_below(rng, 4);
    st->highest = st->lowest + rng_below(rng, 4 - st->lowest);
    st->fifo = rng_chance(rng, 1, 2);
}

/* 0: none; 1: few; 2: half; 3: nearly all; 4: all. */
static uint64_t random_mask(unsigned density, struct rng *rng) {
    uint64_t a = rng_next(rng), b = rng_next(rng), c = rng_next(rng);
    return (uint64_t[]){0, a & b & c, a, a | b | c, UINT64_MAX}[density];
}

static void insertion_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_accesses *st = self;
    const struct insertion_params *p = now->params;
    struct insertion_in *in = input;
    if (st->left-- == 0) {
        new_insertion_phase(st, p, now->rng);
    }
    in->rst = rng_chance(now->rng, 1, 3000);
    in->free = rng_chance(now->rng, 1, 2) ? 0 : random_mask(st->free, now->rng);
    in->held = random_mask(st->held, now->rng);
}

static void insertion_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                                  void *input) {
    const struct random_accesses *st = self;
    const struct insertion_params *p = now->params;
    const struct insertion_out *out = output;
    struct insertion_in *in = input;
    if (rng_chance(now->rng, st->busy, 16)) {
        in->insert = rng_chance(now->rng, st->inserts, 16);
        in->touch = !in->insert || rng_chance(now->rng, 1, 64);
    }
    in->way = (uint8_t)rng_below(now->rng, p->WAYS);
    if (st->fifo && out->victim_valid && rng_chance(now->rng, 7, 8)) {
        in->way = out->victim;
    }
    in->line_class = (uint8_t)(st->lowest + rng_below(now->rng, st->highest - st->lowest + 1));
    in->read = rng_chance(now->rng, st->reads, 16);
    in->set = st->base + rng_below(now->rng, st->span);
    if (rng_chance(now->rng, 1, 8)) {
        in->set = rng_chance(now->rng, 1, 2) ? st->current : st->last_used;
    }
}

static unsigned place_of_way(const struct insertion *s, unsigned set, unsigned way) {
    unsigned place = 0;
    while (insertion_way_at(s, set, place) != way) {
        place++;
    }
    return place;
}

static void cover_victim(const struct insertion *s, unsigned set, const struct insertion_params *p,
                         const struct insertion_in *in, const struct insertion_out *out,
                         uint64_t *counts) {
    uint64_t all = UINT64_MAX >> (64 - p->WAYS);
    counts[LOWEST_WAY_FREE] += in->free & 1;
    counts[HIGHER_WAY_FREE] += in->free && !(in->free & 1);
    counts[FREE_WHILE_ALL_HELD] += in->free && in->held == all;
    counts[ALL_HELD] += !in->free && in->held == all;
    counts[NOTHING_HELD] += !in->free && !in->held;
    if (in->free || !out->victim_valid) {
        return;
    }
    unsigned class = insertion_class(s, set, out->victim),
             place = place_of_way(s, set, out->victim);
    counts[VICTIM_OF_CLASS_0 + class]++;
    counts[VICTIM_IS_MOST_RECENT] += place == p->WAYS - 1;
    bool skipped = false, older = false;
    for (unsigned i = 0; i < p->WAYS; i++) {
        unsigned way = insertion_way_at(s, set, i), other = insertion_class(s, set, way);
        bool held = in->held >> way & 1;
        skipped |= held && (other < class || (other == class && i < place));
        older |= !held && other > class && i < place;
    }
    counts[HELD_LINE_SKIPPED] += skipped;
    counts[CLASS_BEFORE_RECENCY] += older;
}

static void cover_access(const struct insertion *s, unsigned set, const struct insertion_params *p,
                         const struct insertion_in *in, const struct insertion_out *out,
                         uint64_t *counts) {
    unsigned class = insertion_class(s, set, in->way), place = place_of_way(s, set, in->way);
    if (in->insert) {
        counts[INSERT_AND_TOUCH] += in->touch;
        counts[INSERT_RAISES] += in->line_class > class;
        counts[INSERT_LOWERS] += in->line_class < class;
        if (p->PLACE) {
            unsigned last = p->WAYS - 1;
            counts[PLACED_FIRST] += in->line_class == L2_CLASS_MISS && place == last;
            counts[PLACED_BETWEEN] += in->line_class == L2_CLASS_BALANCED && place == 0;
            counts[PLACED_LAST] += in->line_class >= L2_CLASS_HIT && place == 0;
        }
        return;
    }
    counts[TOUCHED_VICTIM] += out->victim_valid && out->victim == in->way;
    counts[TOUCHED_MOST_RECENT] += place == p->WAYS - 1;
    counts[TOUCHED_BETWEEN] += place > 0 && place < p->WAYS - 1;
    counts[TOUCH_OF_HIGHER_CLASS] += in->line_class > class;
    counts[TOUCH_OF_LOWER_CLASS] += in->line_class < class;
}

static void insertion_count_points(void *self, const struct lockstep_now *now, const void *input,
                                   const void *output, uint64_t *counts) {
    struct random_accesses *st = self;
    const struct insertion_params *p = now->params;
    const struct insertion *s = now->state;
    const struct insertion_in *in = input;
    const struct insertion_out *out = output;
    bool uses = in->insert || in->touch, other = in->read && in->set != st->current;
    if (in->rst) {
        counts[RESET_AT_WORK] += uses && (other || p->SETS == 1);
        memset(st->written, 0, sizeof st->written);
        st->current = 0;
        st->used = false;
        return;
    }
    cover_victim(s, st->current, p, in, out, counts);
    if (uses) {
        cover_access(s, st->current, p, in, out, counts);
        counts[ACCESSES_IN_A_ROW] += st->used && st->last_used == st->current;
    }
    counts[READ_SAME] += in->read && !other;
    counts[READ_SAME_WITH_ACCESS] += in->read && !other && uses;
    counts[READ_OTHER] += other;
    counts[READ_OTHER_WITH_ACCESS] += other && uses;
    counts[READ_UNWRITTEN] += other && !st->written[in->set];
    counts[READ_BACK_AT_ONCE] += other && st->used && st->last_used == in->set;
    counts[QUIET] += insertion_quiet(s, in);
    st->used = uses;
    if (uses) {
        st->written[st->current] = true;
        st->last_used = st->current;
    }
    if (in->read) {
        st->current = in->set;
    }
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_accesses),
    .points = points,
    .early = insertion_early_inputs,
    .late = insertion_late_inputs,
    .cover = insertion_count_points,
    .unreachable = point_unreachable,
};
