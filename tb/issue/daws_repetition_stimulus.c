/* SPDX-License-Identifier: Apache-2.0
 * Accesses and new trips at random around the repetition detector, and what they must reach. */
#include "cosim/lockstep.h"
#include "issue/daws_repetition.h"

/* clang-format off */
#define DAWS_REPETITION_POINTS(P) \
    P(PAIR,                               "two loads of one line") \
    P(SAME_LOAD_AGAIN,                    "the same load again") \
    P(PAIR_A_CYCLE_AFTER_ITS_LINE,        "pair with the line of the last cycle") \
    P(PAIR_TWO_CYCLES_AFTER_ITS_LINE,     "pair with the line of two cycles ago") \
    P(PAIR_THREE_CYCLES_AFTER_ITS_LINE,   "pair with the line of three cycles ago") \
    P(PAIR_OF_A_LINE_BESIDE_A_NEW_ONE,    "pair with an older line, a new one in its set a cycle ago") \
    P(PAIR_WITH_THE_NEXT_NEW_ONE_BETWEEN, "pair with the line of two cycles ago, a new one since") \
    P(PAIRS_IN_SUCCESSION,                "four pairs in succession") \
    P(LINE_OF_ANOTHER_WARP,               "line that only another warp has") \
    P(OLDEST_LEAVES,                      "least recently used line leaves") \
    P(OLDEST_IS_USED_AGAIN,               "least recently used line of a full set is used") \
    P(NEWEST_IS_USED_AGAIN,               "last used line of a full set is used") \
    P(LINE_LEAVES_SOON,                   "line leaves that was used three cycles ago at most", p->WAYS > 3) \
    P(LINE_THAT_HAS_JUST_LEFT,            "access to the line that left in the last cycle") \
    P(FREE_WAY_BETWEEN_OTHERS,            "line into a free way between others") \
    P(FULL_SET_IN_FIRST_SET,              "line leaves the first set") \
    P(PAIR_IN_LAST_SET,                   "pair in the last set") \
    P(PAIR_IN_FIRST_WAY,                  "pair in the first way") \
    P(PAIR_IN_LAST_WAY,                   "pair in the last way") \
    P(CLEAR_OF_LINES,                     "clear of a warp with lines") \
    P(CLEAR_OF_NO_LINES,                  "clear of a warp without lines") \
    P(CLEAR_KEEPS_OTHERS,                 "clear while another warp has lines") \
    P(CLEAR_BEFORE_ITS_PROBE,             "clear with an access to a line of the warp") \
    P(CLEAR_A_CYCLE_AFTER_NEW_LINE,       "clear a cycle after a new line") \
    P(CLEAR_TWO_CYCLES_AFTER_NEW_LINE,    "clear two cycles after a new line") \
    P(CLEAR_A_CYCLE_AFTER_A_PAIR,         "clear a cycle after a pair") \
    P(CLEAR_OF_ANOTHER_AFTER_NEW_LINE,    "clear of another warp a cycle after a new line") \
    P(PROBE_BEHIND_ITS_CLEAR,             "access to a line that was cleared in the last cycle") \
    P(RESET_OF_LINES,                     "reset of sets with lines") \
    P(RESET_WITH_ALL,                     "reset with an access and a clear") \
    P(RESET_BEHIND_A_PROBE,               "reset a cycle after an access") \
    P(RESET_BEFORE_A_PAIR,                "reset before a pair is shown") \
    P(VOTE_FOR_A_PAIR,                    "most accesses of a load are pairs", !p->MAJORITY) \
    P(VOTE_IS_EVEN,                       "half of a load's accesses are pairs", !p->MAJORITY) \
    P(VOTE_OF_ONE,                        "load of one access, a pair", !p->MAJORITY) \
    P(VOTE_ENDS_WITHOUT_A_PAIR,           "most are pairs, the last access is none", !p->MAJORITY) \
    P(VOTE_IS_HIGHEST,                    "pair at the counter's highest value", !p->MAJORITY) \
    P(VOTE_IS_LOWEST,                     "no pair at the counter's lowest value", !p->MAJORITY) \
    P(RESET_OF_VOTES,                     "reset of a counter that is not 0", !p->MAJORITY) \
    P(QUIET,                              "quiet")
/* clang-format on */

COVERAGE_POINTS(DAWS_REPETITION_POINTS, struct daws_repetition_params)

enum { LINES = 40, HISTORY = 3 };

/* A phase has few warps and loads, and lines of a pool that fills a set or a few. */
struct random_repetitions {
    unsigned left;
    unsigned probes, clears, again; /* chances in 16, in 64, in 8 */
    unsigned lasts;                 /* in 16 */
    unsigned first_warp, warps, lines, pcs;
    uint32_t pool[LINES], first_pc;
    /* The last cycles, the last one first. */
    struct past {
        struct daws_repetition_in in;
        bool fresh; /* a new line */
        bool left;  /* over this one: */
        struct daws_repetition_entry lost;
    } past[HISTORY];
    unsigned pairs; /* in succession */
};

static void begin_repetition_phase(struct random_repetitions *st, struct rng *rng,
                                   const struct daws_repetition_params *p) {
    static const unsigned often[] = {1, 4, 8, 12, 16, 16};
    const bool one_set = rng_chance(rng, 1, 3);
    const uint32_t set = rng_below(rng, p->SETS);
    st->left = 1 + rng_below(rng, 300);
    st->probes = often[rng_below(rng, 6)];
    st->clears = rng_chance(rng, 1, 3) ? 0 : 1 + rng_below(rng, 8);
    st->again = rng_below(rng, 7);
    st->lasts = rng_chance(rng, 1, 4) ? 0 : 1 + rng_below(rng, 12);
    st->warps = 1 + rng_below(rng, 3);
    st->first_warp = rng_chance(rng, 1, 2) ? 0 : rng_below(rng, p->WARPS);
    st->lines = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 4 : LINES);
    st->pcs = 1 + rng_below(rng, 4);
    st->first_pc = (uint32_t)rng_next(rng);
    for (unsigned i = 0; i < LINES; i++) {
        /* Neighbours, and lines that differ in one bit. */
        uint32_t line = i && rng_chance(rng, 1, 2)
                            ? st->pool[i - 1] ^ UINT32_C(1) << rng_below(rng, p->LINE_BITS)
                            : (uint32_t)rng_next(rng);
        if (one_set) {
            line = (line & ~(p->SETS - 1)) | set;
        }
        st->pool[i] = line & UINT32_MAX >> (32 - p->LINE_BITS);
    }
}

static unsigned draw_repetition_warp(const struct random_repetitions *st, struct rng *rng,
                                     const struct daws_repetition_params *p) {
    return rng_chance(rng, 1, 32) ? p->WARPS - 1
                                  : (st->first_warp + rng_below(rng, st->warps)) % p->WARPS;
}

static void daws_repetition_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_repetitions *st = self;
    const struct daws_repetition_params *p = now->params;
    struct daws_repetition_in *in = input;
    struct rng *rng = now->rng;
    if (st->left-- == 0) {
        begin_repetition_phase(st, rng, p);
    }
    *in = (struct daws_repetition_in){.rst = rng_chance(rng, 1, 3000)};
    in->probe_valid = rng_chance(rng, st->probes, 16);
    in->probe_warp = (uint8_t)draw_repetition_warp(st, rng, p);
    in->probe_line = st->pool[rng_below(rng, st->lines)];
    in->probe_pc = (rng_chance(rng, 1, 2) ? st->first_pc ^ UINT32_C(1) << rng_below(rng, p->PC_BITS)
                                          : st->first_pc + rng_below(rng, st->pcs)) &
                   ((UINT32_C(1) << p->PC_BITS) - 1);
    in->probe_last = rng_chance(rng, st->lasts, 16);
    const struct past *last = &st->past[rng_below(rng, HISTORY)];
    if (rng_chance(rng, st->again, 8) && last->left && rng_chance(rng, 1, 8)) {
        in->probe_warp = last->lost.warp;
        in->probe_line = last->lost.line;
    } else if (rng_chance(rng, st->again, 8)) {
        in->probe_warp = last->in.probe_warp;
        in->probe_line = last->in.probe_line;
    }
    in->clear_valid = rng_chance(rng, st->clears, 64);
    in->clear_warp =
        (uint8_t)(rng_chance(rng, 1, 4) ? last->in.probe_warp : draw_repetition_warp(st, rng, p));
    if (rng_chance(rng, 1, 8) && st->past[0].in.clear_valid) {
        in->probe_warp = st->past[0].in.clear_warp;
    }
}

static unsigned lines_of_warp(const struct daws_repetition *s, unsigned warp) {
    unsigned lines = 0;
    for (unsigned set = 0; set < s->p.SETS; set++) {
        for (unsigned way = 0; way < s->p.WAYS; way++) {
            lines += s->entry[set][way].valid && s->entry[set][way].warp == warp;
        }
    }
    return lines;
}

static unsigned lines_of_warps(const struct daws_repetition *s) {
    unsigned lines = 0;
    for (unsigned warp = 0; warp < s->p.WARPS; warp++) {
        lines += lines_of_warp(s, warp);
    }
    return lines;
}

/* Predicts the access of the cycle, after the clear. */
struct found {
    bool set_near; /* the access of the last cycle was of its set */
    unsigned valid, first_free, oldest, newest;
    int way; /* -1: none */
    bool other_warp;
};

static struct found look_at_set(const struct random_repetitions *st,
                                const struct daws_repetition *s,
                                const struct daws_repetition_in *in) {
    const struct daws_repetition_entry *set = s->entry[in->probe_line & (s->p.SETS - 1)];
    struct found f = {.way = -1, .first_free = s->p.WAYS};
    f.set_near = st->past[0].in.probe_valid &&
                 !((st->past[0].in.probe_line ^ in->probe_line) & (s->p.SETS - 1));
    for (unsigned way = 0; way < s->p.WAYS; way++) {
        const bool valid = set[way].valid && !(in->clear_valid && set[way].warp == in->clear_warp);
        if (!valid) {
            f.first_free = f.first_free < way ? f.first_free : way;
            continue;
        }
        f.valid++;
        f.oldest = set[way].used < set[f.oldest].used || !set[f.oldest].valid ? way : f.oldest;
        f.newest = set[way].used > set[f.newest].used || !set[f.newest].valid ? way : f.newest;
        f.way =
            set[way].warp == in->probe_warp && set[way].line == in->probe_line ? (int)way : f.way;
        f.other_warp |= set[way].warp != in->probe_warp && set[way].line == in->probe_line;
    }
    return f;
}

static bool put_it_there(const struct past *past, const struct daws_repetition_in *in) {
    return past->fresh && past->in.probe_warp == in->probe_warp &&
           past->in.probe_line == in->probe_line;
}

static void count_found_line(struct random_repetitions *st, const struct daws_repetition *s,
                             const struct daws_repetition_in *in, const struct found *f,
                             uint64_t *counts) {
    const unsigned set = in->probe_line & (s->p.SETS - 1);
    const bool pair = s->entry[set][f->way].pc != in->probe_pc, full = f->valid == s->p.WAYS;
    counts[PAIR] += pair;
    counts[SAME_LOAD_AGAIN] += !pair;
    counts[PAIR_A_CYCLE_AFTER_ITS_LINE] += pair && put_it_there(&st->past[0], in);
    counts[PAIR_TWO_CYCLES_AFTER_ITS_LINE] += pair && put_it_there(&st->past[1], in);
    counts[PAIR_THREE_CYCLES_AFTER_ITS_LINE] += pair && put_it_there(&st->past[2], in);
    counts[PAIR_OF_A_LINE_BESIDE_A_NEW_ONE] +=
        pair && f->set_near && st->past[0].fresh && !put_it_there(&st->past[0], in);
    counts[PAIR_WITH_THE_NEXT_NEW_ONE_BETWEEN] +=
        pair && f->set_near && st->past[0].fresh && put_it_there(&st->past[1], in);
    st->pairs = pair ? st->pairs + 1 : 0;
    counts[PAIRS_IN_SUCCESSION] += st->pairs >= 4;
    counts[OLDEST_IS_USED_AGAIN] += full && f->way == (int)f->oldest;
    counts[NEWEST_IS_USED_AGAIN] += full && f->way == (int)f->newest;
    counts[PAIR_IN_LAST_SET] += pair && set == s->p.SETS - 1;
    counts[PAIR_IN_FIRST_WAY] += pair && f->way == 0;
    counts[PAIR_IN_LAST_WAY] += pair && f->way == (int)s->p.WAYS - 1;
}

/* @pair: the access itself is one. */
static void count_vote_points(const struct daws_repetition *s, const struct daws_repetition_in *in,
                              bool pair, uint64_t *counts) {
    const int votes = s->votes + (pair ? 1 : -1);
    counts[VOTE_FOR_A_PAIR] += in->probe_last && pair && votes > 1;
    counts[VOTE_IS_EVEN] += in->probe_last && votes == 0;
    counts[VOTE_OF_ONE] += in->probe_last && pair && votes == 1;
    counts[VOTE_ENDS_WITHOUT_A_PAIR] += in->probe_last && !pair && votes > 0;
    counts[VOTE_IS_HIGHEST] += pair && s->votes == DAWS_REPETITION_VOTES_MAX;
    counts[VOTE_IS_LOWEST] += !pair && s->votes == -DAWS_REPETITION_VOTES_MAX - 1;
}

static void count_probe(struct random_repetitions *st, const struct daws_repetition *s,
                        const struct daws_repetition_in *in, struct past *now, uint64_t *counts) {
    const struct daws_repetition_entry *set = s->entry[in->probe_line & (s->p.SETS - 1)];
    const struct found f = look_at_set(st, s, in);
    if (s->p.MAJORITY) {
        count_vote_points(s, in, f.way >= 0 && set[f.way].pc != in->probe_pc, counts);
    }
    if (f.way >= 0) {
        count_found_line(st, s, in, &f, counts);
        return;
    }
    const struct past *last = &st->past[0];
    st->pairs = 0;
    now->fresh = true;
    counts[LINE_OF_ANOTHER_WARP] += f.other_warp;
    counts[FREE_WAY_BETWEEN_OTHERS] += f.first_free < f.valid;
    if (f.valid == s->p.WAYS) {
        now->left = true;
        now->lost = set[f.oldest];
        counts[OLDEST_LEAVES]++;
        counts[LINE_LEAVES_SOON] += s->probes - now->lost.used < 3;
        counts[FULL_SET_IN_FIRST_SET] += set == s->entry[0];
    }
    counts[LINE_THAT_HAS_JUST_LEFT] +=
        last->left && last->lost.warp == in->probe_warp && last->lost.line == in->probe_line;
    counts[PROBE_BEHIND_ITS_CLEAR] +=
        last->in.clear_valid && last->in.clear_warp == in->probe_warp && f.valid < s->p.WAYS;
}

static void count_clear(const struct random_repetitions *st, const struct daws_repetition *s,
                        const struct daws_repetition_in *in, uint64_t *counts) {
    const unsigned own = lines_of_warp(s, in->clear_warp);
    const struct past *last = &st->past[0];
    const struct daws_repetition_pair *shown = &s->pair[DAWS_REPETITION_LATENCY - 1];
    counts[CLEAR_OF_LINES] += own > 0;
    counts[CLEAR_OF_NO_LINES] += own == 0;
    counts[CLEAR_KEEPS_OTHERS] += own > 0 && lines_of_warps(s) > own;
    counts[CLEAR_BEFORE_ITS_PROBE] += in->probe_valid && in->clear_warp == in->probe_warp && own;
    counts[CLEAR_A_CYCLE_AFTER_NEW_LINE] += last->fresh && last->in.probe_warp == in->clear_warp;
    counts[CLEAR_TWO_CYCLES_AFTER_NEW_LINE] +=
        st->past[1].fresh && st->past[1].in.probe_warp == in->clear_warp;
    counts[CLEAR_A_CYCLE_AFTER_A_PAIR] += shown->valid && last->in.probe_warp == in->clear_warp;
    counts[CLEAR_OF_ANOTHER_AFTER_NEW_LINE] += last->fresh && last->in.probe_warp != in->clear_warp;
}

static void daws_repetition_count_points(void *self, const struct lockstep_now *now,
                                         const void *input, const void *output, uint64_t *counts) {
    struct random_repetitions *st = self;
    const struct daws_repetition *s = now->state;
    const struct daws_repetition_in *in = input;
    struct past past = {.in = *in};
    (void)output;
    counts[RESET_OF_LINES] += in->rst && lines_of_warps(s);
    counts[RESET_WITH_ALL] += in->rst && in->probe_valid && in->clear_valid;
    counts[RESET_BEHIND_A_PROBE] += in->rst && st->past[0].in.probe_valid;
    for (unsigned i = 1; in->rst && i < DAWS_REPETITION_LATENCY; i++) {
        counts[RESET_BEFORE_A_PAIR] += s->pair[i].valid;
    }
    counts[RESET_OF_VOTES] += in->rst && s->votes;
    counts[QUIET] += daws_repetition_quiet(s, in);
    if (in->rst) {
        past.in = (struct daws_repetition_in){0};
    } else if (in->probe_valid) {
        count_probe(st, s, in, &past, counts);
    } else {
        st->pairs = 0;
    }
    if (!in->rst && in->clear_valid) {
        count_clear(st, s, in, counts);
    }
    st->past[2] = st->past[1];
    st->past[1] = st->past[0];
    st->past[0] = past;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_repetitions),
    .points = points,
    .early = daws_repetition_inputs,
    .cover = daws_repetition_count_points,
    .unreachable = point_unreachable,
};
