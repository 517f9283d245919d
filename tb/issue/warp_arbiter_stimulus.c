/* SPDX-License-Identifier: Apache-2.0
 * A scheduler's warps at random around the arbiter: groups, who is ready and who stalled, and what
 * it must reach. */
#include "cosim/lockstep.h"
#include "issue/warp_arbiter.h"

/* clang-format off */
#define WARP_ARBITER_POINTS(P) \
    P(NOBODY_READY,               "no warp ready") \
    P(ALL_READY,                  "all warps ready") \
    P(READY_IN_NO_GROUP,          "ready warps in no group alone") \
    P(FIRST_PLACE,                "first place") \
    P(LAST_PLACE,                 "last place") \
    P(EMPTY_PLACE_PASSED,         "empty place passed over", p->GROUPS < 2) \
    P(GROUP_PASSED,               "group without a holder passed over", p->GROUPS < 2) \
    P(STALLED_GROUP_READY,        "strict: ready warp in a stalled group that is passed over", !p->STRICT || p->GROUPS < 2) \
    P(GROUP_KEEPS_UNREADY,        "strict: no grant though another group is ready", !p->STRICT || p->GROUPS < 2) \
    P(BETTER_GROUP_BACK,          "better group takes over again", p->ROTATE || p->GROUPS < 2) \
    P(PLACE_KEPT,                 "rotate: place kept against a better one", !p->ROTATE || p->GROUPS < 2) \
    P(PLACE_LEFT,                 "rotate: next place", !p->ROTATE || p->GROUPS < 2) \
    P(CIRCLE_WRAPS,               "rotate: circle goes round the end", !p->ROTATE || p->GROUPS < 2) \
    P(LAST_PLACE_EMPTIED,         "rotate: place that was taken last is empty", !p->ROTATE || p->GROUPS < 2) \
    P(TURN_GOES_ON,               "next warp in turn", p->WITHIN != WARP_ARBITER_ROUND_ROBIN) \
    P(TURN_WRAPS,                 "turn goes round the end", p->WITHIN != WARP_ARBITER_ROUND_ROBIN) \
    P(TURN_IN_ANOTHER_GROUP,      "turn of another group's warp counts", p->GROUPS < 2) \
    P(LOWER_THAN_LAST,            "lowest warp though a later one is ready", p->WITHIN == WARP_ARBITER_ROUND_ROBIN) \
    P(SAME_WARP_ALONE,            "warp that was taken last, alone") \
    P(FIRST_WARP,                 "first warp") \
    P(LAST_WARP,                  "last warp") \
    P(GREEDY_GOES_ON,             "greedy warp goes on", !p->GREEDY) \
    P(GREEDY_BEFORE_BETTER_GROUP, "greedy warp before one of a better group", !p->GREEDY || p->GROUPS < 2) \
    P(GREEDY_WITHOUT_HOLDER,      "greedy warp of a group that is not chosen", !p->GREEDY || (p->GROUPS < 2 && !p->STRICT && !p->PIPELINE)) \
    P(GREEDY_IN_NO_GROUP,         "greedy warp in no group", !p->GREEDY) \
    P(GREEDY_STALLS,              "greedy warp not ready", !p->GREEDY) \
    P(NOT_TAKEN,                  "grant not taken") \
    P(REFUSED_CHANGES,            "grant that was not taken changes") \
    P(TAKEN_WITHOUT_GRANT,        "taken without grant") \
    P(CHOICE_NOT_READY,           "pipeline: no warp of the chosen group ready any more", !p->PIPELINE) \
    P(CHOICE_MISSED,              "pipeline: better group ready too late", !p->PIPELINE || p->GROUPS < 2) \
    P(CHOICE_OF_OTHER_WARPS,      "pipeline: other group in the chosen place", !p->PIPELINE || p->GROUPS < 2) \
    P(CHOICE_BY_TAKEN,            "pipeline: what was taken moves the choice", !p->PIPELINE || !p->ROTATE || p->GROUPS < 2) \
    P(RESET_MOVED,                "reset after warps were taken") \
    P(RESET_TAKEN,                "reset as a warp is taken") \
    P(QUIET_IDLE,                 "quiet without a grant") \
    P(QUIET_REFUSED,              "quiet with a grant that is not taken") \
    P(QUIET_TAKEN,                "quiet though the same warp is taken")
/* clang-format on */

COVERAGE_POINTS(WARP_ARBITER_POINTS, struct warp_arbiter_params)

/* Phases with groups and warps of their own, so that rare states come often in some of them. */
struct random_warps {
    unsigned left;                           /* cycles of this phase */
    unsigned wakes, issues, stalls, returns; /* chances in 16 */
    unsigned takes, moves;                   /* chances in 16 */
    unsigned few;                            /* warps that may be ready, 0: all */
    bool all;                                /* every warp is ready */
    uint64_t base;                           /* warps of this phase */
    uint64_t group[WARP_ARBITER_GROUPS_MAX]; /* as the last cycle had them */
    bool refused;                            /* the last cycle's grant was not taken */
    uint8_t warp;                            /* which one */
    uint64_t of_choice;                      /* warps whose place the last cycle chose */
};

static uint64_t all_warps(const struct warp_arbiter_params *p) {
    return UINT64_MAX >> (64 - p->WARPS);
}

/* Groups of neighbours or of any warps, with holes, and warps in no group. */
static void draw_groups(struct random_warps *w, struct rng *rng,
                        const struct warp_arbiter_params *p) {
    const unsigned kind = rng_below(rng, 4), size = 1 + rng_below(rng, p->WARPS),
                   first = rng_below(rng, p->GROUPS),
                   span = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? p->GROUPS : 2);
    for (unsigned place = 0; place < p->GROUPS; place++) {
        w->group[place] = 0;
    }
    for (unsigned warp = 0; warp < p->WARPS; warp++) {
        unsigned place = kind < 2 ? warp / size : rng_below(rng, span);
        bool left_out = kind == 1 || kind == 3 ? rng_chance(rng, 1, 4) : false;
        if (!left_out) {
            w->group[(first + place) % p->GROUPS] |= UINT64_C(1) << warp;
        }
    }
}

static void begin_warp_phase(struct random_warps *w, struct rng *rng,
                             const struct warp_arbiter_params *p) {
    static const unsigned often[] = {0, 1, 2, 5, 8, 12, 16, 16};
    w->left = rng_below(rng, 120);
    w->wakes = often[rng_below(rng, 8)];
    w->issues = often[rng_below(rng, 8)];
    w->stalls = often[rng_below(rng, 6)];
    w->returns = often[rng_below(rng, 8)];
    w->takes = often[1 + rng_below(rng, 7)];
    w->moves = rng_chance(rng, 1, 4) ? 4 : 0;
    w->all = rng_chance(rng, 1, 10);
    w->base = all_warps(p);
    if (rng_chance(rng, 1, 3)) {
        w->base = UINT64_C(1) << rng_below(rng, p->WARPS);
        for (unsigned more = rng_below(rng, 4); more; more--) {
            w->base |= UINT64_C(1) << rng_below(rng, p->WARPS);
        }
    }
    draw_groups(w, rng, p);
}

/* Bits that are set with a chance in 16. */
static uint64_t random_bits(struct rng *rng, unsigned chance) {
    uint64_t bits = chance >= 16 ? UINT64_MAX : 0;
    for (unsigned bit = 1; bit < 16 && chance < 16; bit *= 2) {
        uint64_t more = rng_next(rng);
        bits = chance & bit ? bits | more : bits & more;
    }
    return bits;
}

static void warp_arbiter_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_warps *w = self;
    const struct warp_arbiter_params *p = now->params;
    struct warp_arbiter_in *in = input;
    struct rng *rng = now->rng;
    if (w->left-- == 0) {
        begin_warp_phase(w, rng, p);
    }
    if (rng_chance(rng, w->moves, 16)) {
        draw_groups(w, rng, p);
    }
    in->rst = rng_chance(rng, 1, 2000);
    /* Warps become ready and cease to be; a stall takes both away, mostly. */
    in->ready = (in->ready | random_bits(rng, w->wakes)) & ~random_bits(rng, w->issues);
    in->unstalled = (in->unstalled | random_bits(rng, w->returns)) & ~random_bits(rng, w->stalls);
    if (!rng_chance(rng, 1, 8)) {
        in->unstalled |= in->ready;
    }
    in->ready = w->all ? UINT64_MAX : in->ready & w->base;
    in->unstalled &= rng_chance(rng, 1, 2) ? w->base : UINT64_MAX;
    in->ready &= all_warps(p);
    in->unstalled &= all_warps(p);
    for (unsigned place = 0; place < p->GROUPS; place++) {
        in->group_warps[place] = w->group[place];
    }
}

static void warp_arbiter_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                                     void *input) {
    const struct random_warps *w = self;
    (void)output;
    ((struct warp_arbiter_in *)input)->grant_taken = rng_chance(now->rng, w->takes, 16);
}

/* The place in which a warp's group stands; as many as there are: none. */
static unsigned place_of_warp(const struct warp_arbiter_params *p, const struct warp_arbiter_in *in,
                              unsigned warp) {
    unsigned place = 0;
    while (place < p->GROUPS && !(in->group_warps[place] >> warp & 1)) {
        place++;
    }
    return place;
}

/* The places before the granted one in the circle. */
static void count_places_passed(const struct warp_arbiter *s, const struct warp_arbiter_params *p,
                                const struct warp_arbiter_in *in, unsigned granted,
                                uint64_t *counts) {
    unsigned from = p->ROTATE ? s->place : 0;
    const uint64_t holders = p->STRICT ? in->unstalled : in->ready;
    for (unsigned place = from; place != granted; place = (place + 1) % p->GROUPS) {
        counts[EMPTY_PLACE_PASSED] += !in->group_warps[place];
        counts[GROUP_PASSED] += in->group_warps[place] && !(in->group_warps[place] & holders);
        counts[STALLED_GROUP_READY] +=
            (in->group_warps[place] & in->ready) && !(in->group_warps[place] & holders);
        counts[CHOICE_MISSED] += p->PIPELINE && in->group_warps[place] & holders;
    }
    if (p->ROTATE && s->started) {
        counts[PLACE_KEPT] += granted == from && granted > 0 && in->group_warps[0] & holders;
        counts[PLACE_LEFT] += granted != from;
        counts[CIRCLE_WRAPS] += granted < from;
        counts[LAST_PLACE_EMPTIED] += !in->group_warps[from];
    }
    counts[BETTER_GROUP_BACK] += !p->ROTATE && s->started && granted < s->place;
}

static void count_grant(const struct warp_arbiter *s, const struct warp_arbiter_params *p,
                        const struct warp_arbiter_in *in, const struct warp_arbiter_out *out,
                        uint64_t *counts) {
    const unsigned warp = out->grant_warp;
    const uint64_t mine = in->ready & in->group_warps[out->grant_group];
    bool greedy = p->GREEDY && s->started && warp == s->last;
    counts[FIRST_PLACE] += out->grant_group == 0;
    counts[LAST_PLACE] += out->grant_group == p->GROUPS - 1;
    counts[FIRST_WARP] += warp == 0;
    counts[LAST_WARP] += warp == p->WARPS - 1;
    counts[SAME_WARP_ALONE] += s->started && warp == s->last && in->ready == out->grant_oh;
    if (greedy) {
        struct warp_arbiter plain = *s;
        struct warp_arbiter_out without;
        plain.p.GREEDY = 0;
        warp_arbiter_comb(&plain, in, &without);
        counts[GREEDY_GOES_ON] += mine != out->grant_oh;
        counts[GREEDY_BEFORE_BETTER_GROUP] +=
            without.grant_valid && without.grant_group < out->grant_group;
        counts[GREEDY_WITHOUT_HOLDER] +=
            !without.grant_valid || without.grant_group != out->grant_group;
        return;
    }
    count_places_passed(s, p, in, out->grant_group, counts);
    if (!s->started) {
        return;
    }
    if (p->WITHIN == WARP_ARBITER_ROUND_ROBIN) {
        counts[TURN_GOES_ON] += warp > s->last;
        counts[TURN_WRAPS] += warp < s->last;
    } else {
        counts[LOWER_THAN_LAST] += warp < s->last && mine & ~UINT64_C(1) << s->last;
    }
    counts[TURN_IN_ANOTHER_GROUP] += out->grant_group != s->place && mine != out->grant_oh;
}

static void count_choice(const struct random_warps *w, const struct warp_arbiter *s,
                         const struct warp_arbiter_params *p, const struct warp_arbiter_in *in,
                         const struct warp_arbiter_out *out, uint64_t *counts) {
    uint64_t warps = in->group_warps[s->chosen];
    counts[CHOICE_NOT_READY] += s->chosen_valid && !out->grant_valid && in->ready;
    counts[CHOICE_OF_OTHER_WARPS] +=
        p->GROUPS > 1 && s->chosen_valid && out->grant_valid && !(warps & w->of_choice);
    if (p->ROTATE && out->grant_valid && in->grant_taken) {
        struct warp_arbiter taken = *s, refused = *s;
        struct warp_arbiter_in refusing = *in;
        refusing.grant_taken = false;
        warp_arbiter_step(&taken, in, out);
        warp_arbiter_step(&refused, &refusing, out);
        counts[CHOICE_BY_TAKEN] += taken.chosen_valid && taken.chosen != refused.chosen;
    }
}

static void warp_arbiter_count_points(void *self, const struct lockstep_now *now, const void *input,
                                      const void *output, uint64_t *counts) {
    struct random_warps *w = self;
    const struct warp_arbiter_params *p = now->params;
    const struct warp_arbiter *s = now->state;
    const struct warp_arbiter_in *in = input;
    const struct warp_arbiter_out *out = output;
    uint64_t grouped = 0;
    for (unsigned place = 0; place < p->GROUPS; place++) {
        grouped |= in->group_warps[place];
    }
    if (in->rst) {
        counts[RESET_MOVED] += s->started;
        counts[RESET_TAKEN] += out->grant_valid && in->grant_taken;
        w->refused = false;
        w->of_choice = 0;
        return;
    }
    counts[NOBODY_READY] += !in->ready;
    counts[ALL_READY] += in->ready == all_warps(p) && out->grant_valid;
    counts[READY_IN_NO_GROUP] += in->ready && !(in->ready & grouped);
    counts[GROUP_KEEPS_UNREADY] +=
        p->STRICT && !p->PIPELINE && !out->grant_valid && (in->ready & in->unstalled & grouped);
    counts[GROUP_KEEPS_UNREADY] += p->STRICT && p->PIPELINE && s->chosen_valid &&
                                   !out->grant_valid && in->ready & in->unstalled & grouped &&
                                   in->group_warps[s->chosen] & in->unstalled;
    if (p->GREEDY && s->started) {
        bool ready = in->ready >> s->last & 1;
        counts[GREEDY_IN_NO_GROUP] += ready && place_of_warp(p, in, s->last) == p->GROUPS;
        counts[GREEDY_STALLS] += !ready && out->grant_valid;
    }
    if (out->grant_valid) {
        count_grant(s, p, in, out, counts);
    }
    if (p->PIPELINE) {
        count_choice(w, s, p, in, out, counts);
    }
    counts[NOT_TAKEN] += out->grant_valid && !in->grant_taken;
    counts[TAKEN_WITHOUT_GRANT] += !out->grant_valid && in->grant_taken;
    counts[REFUSED_CHANGES] += w->refused && out->grant_valid && out->grant_warp != w->warp;
    if (warp_arbiter_quiet(s, in)) {
        counts[QUIET_IDLE] += !out->grant_valid;
        counts[QUIET_REFUSED] += out->grant_valid && !in->grant_taken;
        counts[QUIET_TAKEN] += out->grant_valid && in->grant_taken;
    }
    w->refused = out->grant_valid && !in->grant_taken;
    w->warp = out->grant_warp;
    struct warp_arbiter next = *s;
    warp_arbiter_step(&next, in, out);
    w->of_choice = next.chosen_valid ? in->group_warps[next.chosen] : 0;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_warps),
    .points = points,
    .early = warp_arbiter_early_inputs,
    .late = warp_arbiter_late_inputs,
    .cover = warp_arbiter_count_points,
    .unreachable = point_unreachable,
};
