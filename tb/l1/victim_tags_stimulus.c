/* SPDX-License-Identifier: Apache-2.0
 * Evictions, misses and new warps at random around the victim tags, and what they must reach. */
#include "cosim/lockstep.h"
#include "l1/victim_tags.h"

/* clang-format off */
#define VICTIM_TAGS_POINTS(P) \
    P(HIT,                            "hit") \
    P(NO_HIT_IN_FULL_SET,             "no hit in a full set") \
    P(NO_HIT_IN_EMPTY_SET,            "no hit in an empty set") \
    P(HIT_OF_THE_OLDEST,              "hit of the oldest line of a full set") \
    P(HIT_OF_THE_NEWEST,              "hit of the newest line") \
    P(HIT_OF_LAST_CYCLES_LINE,        "hit of a line that was evicted in the last cycle") \
    P(NO_HIT_BESIDE_LAST_CYCLES_LINE, "no hit in a set that got a line in the last cycle") \
    P(HIT_TWO_CYCLES_AFTER_EVICTION,  "hit two cycles after an eviction into the set") \
    P(HIT_OF_TWO_WAYS,                "hit of two ways with the same line", p->WAYS == 1) \
    P(SAME_LINE_TWICE,                "look for a line that was hit in the last cycle") \
    P(ANOTHER_LINE_OF_THE_SET_NEXT,   "hit of another line of the set in the next cycle") \
    P(EVICTION_OF_WHAT_IS_LOOKED_FOR, "line evicted and looked for in one cycle") \
    P(EVICTION_REPLACES_THE_HIT,      "eviction into the very way that is hit") \
    P(EVICTION_INTO_ANOTHER_SET,      "hit and an eviction into another set") \
    P(EVICTION_AFTER_THE_HIT,         "eviction into the way that was hit a cycle ago") \
    P(LINES_OF_ANOTHER_WARP,          "line that only another warp has lost") \
    P(HIT_IN_FIRST_ROW,               "hit of the first warp, first set") \
    P(HIT_IN_LAST_ROW,                "hit of the last warp, last set") \
    P(FREE_WAY_TAKEN,                 "eviction into a free way") \
    P(FREE_WAY_PASSED_OVER,           "eviction over a line while another way is free", p->WAYS == 1 || !p->FREES) \
    P(WAYS_WRAP,                      "eviction into the last way") \
    P(CLEAR_OF_LINES,                 "clear of a warp with lines") \
    P(CLEAR_WITH_ITS_HIT,             "clear as a line of the warp is hit") \
    P(CLEAR_WITH_ITS_EVICTION,        "clear as a line of the warp is evicted") \
    P(CLEAR_OF_ANOTHER_WARP_BETWEEN,  "hit behind the clear of another warp") \
    P(LOOK_BEHIND_A_CLEAR,            "look for a line that was cleared in the last cycle") \
    P(EVICTION_BEHIND_A_CLEAR,        "eviction for a warp that was cleared in the last cycle") \
    P(ALL_AT_ONCE,                    "look, eviction and clear of one warp") \
    P(RESET_OF_LINES,                 "reset of sets with lines") \
    P(RESET_WITH_ALL,                 "reset with a look, an eviction and a clear") \
    P(RESET_BEHIND_A_LOOK,            "reset as a hit is shown") \
    P(QUIET,                          "quiet")
/* clang-format on */

COVERAGE_POINTS(VICTIM_TAGS_POINTS, struct victim_tags_params)

enum { POOL = 24 };

/* A phase has few warps, and lines of a pool that is somewhat larger than the sets or smaller. */
struct random_victims {
    unsigned left;
    unsigned evicts, looks, clears; /* chances in 16, the last in 64 */
    unsigned first_warp, warps;
    unsigned lines;
    uint32_t pool[POOL];
    bool follows;                 /* what was evicted is looked for at once */
    struct victim_tags_in before; /* of the last cycle */
    bool hit_before;
    unsigned hit_way_before;
    uint32_t evicted_lately; /* two cycles ago */
    unsigned evicted_lately_by;
    bool evicted_lately_valid;
};

static uint32_t mask_of_line(const struct victim_tags_params *p) {
    return UINT32_MAX >> (32 - p->LINE_BITS);
}

static void begin_victim_phase(struct random_victims *st, struct rng *rng,
                               const struct victim_tags_params *p) {
    static const unsigned often[] = {1, 4, 8, 12, 16, 16};
    st->left = 1 + rng_below(rng, 300);
    st->evicts = often[rng_below(rng, 6)];
    st->looks = often[rng_below(rng, 6)];
    st->clears = rng_chance(rng, 1, 3) ? 0 : 1 + rng_below(rng, 8);
    st->warps = 1 + rng_below(rng, 3);
    st->first_warp = rng_chance(rng, 1, 2) ? 0 : rng_below(rng, p->WARPS);
    st->lines = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 4 : POOL);
    st->follows = rng_chance(rng, 1, 3);
    for (unsigned i = 0; i < POOL; i++) {
        /* Neighbours, and lines that differ in one bit. */
        uint32_t line = i && rng_chance(rng, 1, 2)
                            ? st->pool[i - 1] ^ 1u << rng_below(rng, p->LINE_BITS)
                            : (uint32_t)rng_next(rng);
        st->pool[i] = line & mask_of_line(p);
    }
}

static unsigned draw_victim_warp(const struct random_victims *st, struct rng *rng,
                                 const struct victim_tags_params *p) {
    return rng_chance(rng, 1, 32) ? p->WARPS - 1
                                  : (st->first_warp + rng_below(rng, st->warps)) % p->WARPS;
}

static void victim_tags_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_victims *st = self;
    const struct victim_tags_params *p = now->params;
    struct victim_tags_in *in = input, last = *in;
    struct rng *rng = now->rng;
    if (st->left-- == 0) {
        begin_victim_phase(st, rng, p);
    }
    *in = (struct victim_tags_in){.rst = rng_chance(rng, 1, 3000)};
    in->evict_valid = rng_chance(rng, st->evicts, 16);
    in->evict_warp = (uint8_t)draw_victim_warp(st, rng, p);
    in->evict_line = st->pool[rng_below(rng, st->lines)];
    in->look_valid = rng_chance(rng, st->looks, 16);
    in->look_warp = (uint8_t)draw_victim_warp(st, rng, p);
    in->look_line = st->pool[rng_below(rng, st->lines)];
    if (st->follows && rng_chance(rng, 1, 2)) {
        in->look_warp = last.evict_warp;
        in->look_line = last.evict_line;
    } else if (st->follows && rng_chance(rng, 1, 8)) {
        in->look_warp = in->evict_warp;
        in->look_line = in->evict_line;
    }
    in->clear_valid = rng_chance(rng, st->clears, 64);
    in->clear_warp = (uint8_t)draw_victim_warp(st, rng, p);
    if (rng_chance(rng, 1, 4)) {
        in->look_warp = last.clear_valid ? last.clear_warp : in->look_warp;
    }
}

/* Ways of the set with the line. */
static unsigned matching_ways(const struct victim_tags *s, unsigned warp, uint32_t line) {
    const struct victim_set *set = &s->set[warp][line & (s->p.SETS - 1)];
    unsigned match = 0;
    for (unsigned way = 0; way < s->p.WAYS; way++) {
        match |= (unsigned)(set->line[way] == line) << way;
    }
    return match & set->valid;
}

static bool has_lines(const struct victim_tags *s, unsigned warp) {
    unsigned valid = 0;
    for (unsigned i = 0; i < s->p.SETS; i++) {
        valid |= s->set[warp][i].valid;
    }
    return valid;
}

static bool is_of_set(const struct victim_tags *s, unsigned warp, uint32_t line, unsigned other,
                      uint32_t other_line) {
    return warp == other && ((line ^ other_line) & (s->p.SETS - 1)) == 0;
}

static void count_look(const struct random_victims *st, const struct victim_tags *s,
                       const struct victim_tags_in *in, uint64_t *counts) {
    const struct victim_set *set = &s->set[in->look_warp][in->look_line & (s->p.SETS - 1)];
    const struct victim_tags_in *before = &st->before;
    const unsigned match = matching_ways(s, in->look_warp, in->look_line);
    const unsigned full = (1u << s->p.WAYS) - 1, newest = (set->next + s->p.WAYS - 1) % s->p.WAYS;
    const bool near_evict =
        before->evict_valid &&
        is_of_set(s, in->look_warp, in->look_line, before->evict_warp, before->evict_line);
    counts[HIT] += match != 0;
    counts[NO_HIT_IN_FULL_SET] += !match && set->valid == full;
    counts[NO_HIT_IN_EMPTY_SET] += !set->valid;
    counts[HIT_OF_THE_OLDEST] += set->valid == full && (match >> set->next & 1);
    counts[HIT_OF_THE_NEWEST] += match >> newest & 1;
    counts[HIT_OF_LAST_CYCLES_LINE] += near_evict && before->evict_line == in->look_line && match;
    counts[NO_HIT_BESIDE_LAST_CYCLES_LINE] += near_evict && !match;
    counts[HIT_TWO_CYCLES_AFTER_EVICTION] += st->evicted_lately_valid && match &&
                                             st->evicted_lately_by == in->look_warp &&
                                             st->evicted_lately == in->look_line;
    counts[HIT_OF_TWO_WAYS] += (match & (match - 1)) != 0;
    counts[SAME_LINE_TWICE] +=
        st->hit_before && before->look_warp == in->look_warp && before->look_line == in->look_line;
    counts[ANOTHER_LINE_OF_THE_SET_NEXT] +=
        st->hit_before && match && before->look_line != in->look_line &&
        is_of_set(s, in->look_warp, in->look_line, before->look_warp, before->look_line);
    counts[HIT_IN_FIRST_ROW] += match && !in->look_warp && !(in->look_line & (s->p.SETS - 1));
    counts[HIT_IN_LAST_ROW] += match && in->look_warp == s->p.WARPS - 1 &&
                               (in->look_line & (s->p.SETS - 1)) == s->p.SETS - 1;
    for (unsigned w = 0; !match && w < s->p.WARPS; w++) {
        if (matching_ways(s, w, in->look_line)) {
            counts[LINES_OF_ANOTHER_WARP]++;
            break;
        }
    }
    counts[CLEAR_OF_ANOTHER_WARP_BETWEEN] += match && before->clear_valid;
    counts[LOOK_BEHIND_A_CLEAR] += before->clear_valid && before->clear_warp == in->look_warp;
}

static void count_eviction(const struct random_victims *st, const struct victim_tags *s,
                           const struct victim_tags_in *in, uint64_t *counts) {
    const struct victim_set *set = &s->set[in->evict_warp][in->evict_line & (s->p.SETS - 1)];
    const unsigned full = (1u << s->p.WAYS) - 1;
    const bool free = !(set->valid >> set->next & 1);
    const unsigned match = in->look_valid ? matching_ways(s, in->look_warp, in->look_line) : 0;
    const bool same = is_of_set(s, in->evict_warp, in->evict_line, in->look_warp, in->look_line);
    counts[EVICTION_OF_WHAT_IS_LOOKED_FOR] +=
        in->look_valid && in->evict_line == in->look_line && in->evict_warp == in->look_warp;
    counts[EVICTION_REPLACES_THE_HIT] += same && (match >> set->next & 1);
    counts[EVICTION_INTO_ANOTHER_SET] += match && !same;
    counts[EVICTION_AFTER_THE_HIT] +=
        st->hit_before && set->next == st->hit_way_before &&
        is_of_set(s, in->evict_warp, in->evict_line, st->before.look_warp, st->before.look_line);
    counts[FREE_WAY_TAKEN] += free && set->valid;
    counts[FREE_WAY_TAKEN] += free && s->p.WAYS == 1;
    counts[FREE_WAY_PASSED_OVER] += !free && set->valid != full;
    counts[WAYS_WRAP] += set->next == s->p.WAYS - 1;
    counts[EVICTION_BEHIND_A_CLEAR] +=
        st->before.clear_valid && st->before.clear_warp == in->evict_warp;
}

static void victim_tags_count_points(void *self, const struct lockstep_now *now, const void *input,
                                     const void *output, uint64_t *counts) {
    struct random_victims *st = self;
    const struct victim_tags *s = now->state;
    const struct victim_tags_in *in = input;
    const struct victim_tags_out *out = output;
    bool lines = false;
    for (unsigned w = 0; in->rst && w < s->p.WARPS; w++) {
        lines |= has_lines(s, w);
    }
    counts[RESET_OF_LINES] += lines;
    counts[RESET_WITH_ALL] += in->rst && in->look_valid && in->evict_valid && in->clear_valid;
    counts[RESET_BEHIND_A_LOOK] += in->rst && out->hit_valid;
    counts[QUIET] += victim_tags_quiet(s, in);
    const unsigned match =
        in->look_valid && !in->rst ? matching_ways(s, in->look_warp, in->look_line) : 0;
    if (!in->rst) {
        if (in->look_valid) {
            count_look(st, s, in, counts);
        }
        if (in->evict_valid) {
            count_eviction(st, s, in, counts);
        }
        if (in->clear_valid) {
            counts[CLEAR_OF_LINES] += has_lines(s, in->clear_warp);
            counts[CLEAR_WITH_ITS_HIT] += match && in->clear_warp == in->look_warp;
            counts[CLEAR_WITH_ITS_EVICTION] += in->evict_valid && in->clear_warp == in->evict_warp;
            counts[ALL_AT_ONCE] += in->look_valid && in->evict_valid &&
                                   in->clear_warp == in->evict_warp &&
                                   in->clear_warp == in->look_warp;
        }
    }
    st->evicted_lately = st->before.evict_line;
    st->evicted_lately_by = st->before.evict_warp;
    st->evicted_lately_valid = st->before.evict_valid;
    st->before = in->rst ? (struct victim_tags_in){0} : *in;
    st->hit_before = match != 0;
    st->hit_way_before = match ? (unsigned)__builtin_ctz(match) : 0;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_victims),
    .points = points,
    .early = victim_tags_inputs,
    .cover = victim_tags_count_points,
    .unreachable = point_unreachable,
};
