/* SPDX-License-Identifier: Apache-2.0
 * A core with random launches and CTAs around its groups, and what it must reach. */
#include "cosim/lockstep.h"
#include "issue/cta_groups.h"

/* clang-format off */
#define CTA_GROUPS_POINTS(P) \
    P(LAUNCH_WITHOUT_CTA,            "launch that gives the core no CTA") \
    P(LAUNCH_FILLS_CORE,             "launch that gives it as many as there are places") \
    P(LAUNCH_AS_CTAS_END,            "launch as the last CTAs end") \
    P(LAUNCH_OVER_LAUNCH,            "launch while one is worked out") \
    P(ONE_GROUP,                     "one group") \
    P(GROUP_A_CTA,                   "a group a CTA", 2 * p->MIN_WARPS > p->WARPS) \
    P(REST_JOINS_LAST,               "last group has the rest", !last_group_has_rest(p)) \
    P(FEWER_CTAS_THAN_A_GROUP_WANTS, "all CTAs have too few warps for a group", p->MIN_WARPS < 2) \
    P(FIRST_GROUP_IS_ANOTHER,        "another group than number 0 is first", p->PRIORITY != CTA_GROUPS_BLP || most_groups(p) < 2) \
    P(START_WAITS,                   "start waits for a launch") \
    P(START_WITHDRAWN,               "start is withdrawn") \
    P(JOINS_GROUP,                   "CTA joins a group", p->MIN_WARPS < 2 && p->LIFE != CTA_GROUPS_SLOT) \
    P(JOINS_AS_OTHERS_END,           "CTA joins as the others of its group end", p->MIN_WARPS < 2 && p->LIFE != CTA_GROUPS_SLOT) \
    P(NEW_BEFORE_ALL,                "new group before all others", !ranks_fall(p)) \
    P(NEW_BETWEEN,                   "new group between others", !ranks_fall(p) || places_in_use(p) < 3) \
    P(NEW_BEHIND_ALL,                "new group behind all others", places_in_use(p) < 2) \
    P(MOVES_UP,                      "groups move up", !ranks_fall(p)) \
    P(MOVES_DOWN,                    "groups move down", p->PRIORITY == CTA_GROUPS_RR || (p->LIFE == CTA_GROUPS_SLOT && most_groups(p) < 3)) \
    P(TAKES_LAST_PLACE,              "new group in the last place", places_in_use(p) < p->CTAS) \
    P(LAST_PLACE_IN_USE,             "all places have a group", places_in_use(p) < p->CTAS) \
    P(GROUP_ENDS,                    "group ends") \
    P(SEVERAL_GROUPS_END,            "several groups end in a cycle", places_in_use(p) < 2) \
    P(PLACE_TAKEN_AT_ONCE,           "place taken in the cycle after its group ended") \
    P(ENDS_BESIDE_START,             "a CTA ends as another goes into its place") \
    P(ENDS_AT_ONCE,                  "a CTA ends in the cycle after its start") \
    P(STARTS_EVERY_OTHER_CYCLE,      "start as another goes into its place") \
    P(GENERATION_BEGINS,             "generation begins", p->LIFE == CTA_GROUPS_SLOT) \
    P(GENERATION_BEGINS_AMONG_OLD,   "generation begins behind two groups", p->LIFE == CTA_GROUPS_SLOT || p->CTAS < 3) \
    P(SLOT_BEYOND_FIRST_CTAS,        "slot beyond the first CTAs", p->LIFE != CTA_GROUPS_SLOT) \
    P(RESET_WITH_GROUPS,             "reset with groups") \
    P(RESET_IN_LAUNCH,               "reset while a launch is worked out") \
    P(RESET_WITH_START,              "reset as a start is taken") \
    P(QUIET_EMPTY,                   "quiet without a group") \
    P(QUIET_WITH_GROUPS,             "quiet with groups")
/* clang-format on */

/* The first groups of the launches that a core has room for: how many there can be, and whether the
 * last of several can have a rest. */
static unsigned find_most_groups(const struct cta_groups_params *p, bool *rest) {
    unsigned most = 1;
    *rest = false;
    for (unsigned k = 1; k <= p->WARPS; k++) {
        unsigned slots = p->WARPS / k < p->CTAS ? p->WARPS / k : p->CTAS;
        for (unsigned n = 1; n <= slots; n++) {
            unsigned size = (p->MIN_WARPS + k - 1) / k;
            size = size < n ? size : n;
            most = n / size > most ? n / size : most;
            *rest |= n / size > 1 && n % size;
        }
    }
    return most;
}

static unsigned most_groups(const struct cta_groups_params *p) {
    bool rest;
    return find_most_groups(p, &rest);
}

static bool last_group_has_rest(const struct cta_groups_params *p) {
    bool rest;
    find_most_groups(p, &rest);
    return rest;
}

/* Ranks fall as CTAs start: with locality and generations they never do. */
static bool ranks_fall(const struct cta_groups_params *p) {
    return most_groups(p) > 1 &&
           (p->PRIORITY == CTA_GROUPS_BLP ||
            (p->PRIORITY == CTA_GROUPS_LOCALITY && p->LIFE == CTA_GROUPS_SLOT));
}

/* At once. */
static unsigned places_in_use(const struct cta_groups_params *p) {
    return p->LIFE == CTA_GROUPS_SLOT ? most_groups(p) : p->CTAS;
}

COVERAGE_POINTS(CTA_GROUPS_POINTS, struct cta_groups_params)

/* Phases with traffic of their own, so that rare states come often in some of them. */
struct random_core {
    unsigned left;                              /* cycles of this phase */
    unsigned launches, starts, ends, withdraws; /* chances in 16 */
    bool ends_together;
    bool launched;
    unsigned cta_warps, ctas, slots; /* k, N, slots that CTAs of k warps have room for */
    uint32_t grouped, used;          /* slots whose CTA is grouped; has started */
    bool taken, withdrawn;           /* the start of this cycle; that of the last one */
    unsigned waiting;                /* CTAs that have started and are not grouped, oldest first */
    uint8_t started[CTA_GROUPS_MAX];
};

static void begin_core_phase(struct random_core *c, struct rng *rng) {
    static const unsigned often[] = {0, 1, 2, 5, 8, 12, 16, 16};
    c->left = rng_below(rng, 200);
    c->launches = often[rng_below(rng, 8)];
    c->starts = often[1 + rng_below(rng, 7)];
    c->ends = often[rng_below(rng, 6)];
    c->ends_together = rng_chance(rng, 1, 4);
    c->withdraws = rng_chance(rng, 1, 4);
}

static uint64_t warps_of_slot(const struct random_core *c, unsigned slot) {
    return ~UINT64_C(0) >> (64 - c->cta_warps) << slot * c->cta_warps;
}

static void launch_at_random(struct random_core *c, struct rng *rng,
                             const struct cta_groups_params *p, struct cta_groups_in *in) {
    unsigned most = p->WARPS / (rng_chance(rng, 1, 2) ? p->CTAS : 1);
    most = most ? most : 1;
    c->cta_warps = 1 + rng_below(rng, most);
    c->slots = p->WARPS / c->cta_warps;
    c->slots = c->slots < p->CTAS ? c->slots : p->CTAS;
    c->ctas = rng_chance(rng, 1, 2) ? c->slots : rng_below(rng, c->slots + 1);
    c->launched = true;
    c->waiting = 0;
    c->used = 0;
    in->launch_valid = true;
    in->launch_warps = (uint8_t)c->cta_warps;
    in->launch_ctas = (uint8_t)c->ctas;
    in->core = (uint8_t)rng_below(rng, 1u << CTA_GROUPS_CORE_BITS);
}

/* Return: slots whose CTAs end. */
static uint32_t end_at_random(struct random_core *c, struct rng *rng, struct cta_groups_in *in) {
    uint32_t ended = 0;
    bool all = c->ends_together && rng_chance(rng, c->ends, 64);
    for (uint32_t left = c->grouped; left; left &= left - 1) {
        if (all || (!c->ends_together && rng_chance(rng, c->ends, 64))) {
            in->end_warps |= warps_of_slot(c, (unsigned)__builtin_ctz(left));
            ended |= left & -left;
        }
    }
    c->grouped &= ~ended;
    return ended;
}

/* A slot is used again from the cycle after that in which its CTA ended. */
static void start_at_random(struct random_core *c, struct rng *rng, uint32_t ended) {
    unsigned slot = rng_below(rng, c->slots);
    if (rng_chance(rng, c->starts, 16) && !((c->used | ended) >> slot & 1)) {
        c->used |= UINT32_C(1) << slot;
        c->started[c->waiting++] = (uint8_t)slot;
    }
    c->used &= ~ended;
}

static void forget_first_start(struct random_core *c) {
    c->waiting--;
    for (unsigned i = 0; i < c->waiting; i++) {
        c->started[i] = c->started[i + 1];
    }
}

/* Counts the effects of the last cycle's inputs. The framework may have added a reset. */
static void look_back(struct random_core *c, struct rng *rng, const struct cta_groups_in *in) {
    if (in->rst) {
        c->launched = false;
        c->grouped = c->used = 0;
        c->waiting = 0;
    } else if (c->taken) {
        c->grouped |= UINT32_C(1) << c->started[0];
        forget_first_start(c);
    } else if (c->waiting && rng_chance(rng, c->withdraws, 16)) {
        c->used &= ~(UINT32_C(1) << c->started[0]);
        forget_first_start(c);
        c->withdrawn = true;
    }
}

static void cta_groups_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_core *c = self;
    struct cta_groups_in *in = input;
    struct cta_groups_out out;
    struct rng *rng = now->rng;
    if (c->left-- == 0) {
        begin_core_phase(c, rng);
    }
    c->withdrawn = false;
    look_back(c, rng, in);
    *in = (struct cta_groups_in){.core = (uint8_t)rng_below(rng, 1u << CTA_GROUPS_CORE_BITS),
                                 .rst = rng_chance(rng, 1, 3000)};
    uint32_t ended = end_at_random(c, rng, in);
    if (!c->grouped && rng_chance(rng, c->launched ? c->launches : 8, c->launched ? 512 : 16)) {
        launch_at_random(c, rng, now->params, in);
    }
    if (c->launched) {
        start_at_random(c, rng, ended);
    }
    if (c->waiting) {
        in->start_valid = true;
        in->start_slot = c->started[0];
        in->start_warps = warps_of_slot(c, c->started[0]);
    }
    cta_groups_comb(now->state, in, &out);
    c->taken = in->start_valid && out.start_ready;
}

static void count_group_launch(const struct cta_groups *s, const struct cta_groups_in *in,
                               uint64_t *counts) {
    counts[LAUNCH_WITHOUT_CTA] += in->launch_ctas == 0;
    counts[LAUNCH_FILLS_CORE] += in->launch_ctas == s->p.CTAS;
    counts[LAUNCH_AS_CTAS_END] += in->end_warps != 0;
    counts[LAUNCH_OVER_LAUNCH] += s->phase != CTA_GROUPS_FORMED;
}

/* The last cycle of a launch that is worked out. */
static void count_groups(const struct cta_groups *s, uint64_t *counts) {
    counts[ONE_GROUP] += s->groups == 1;
    counts[GROUP_A_CTA] += s->groups == s->ctas && s->ctas > 1;
    counts[REST_JOINS_LAST] += s->ctas % s->size && s->groups > 1;
    counts[FEWER_CTAS_THAN_A_GROUP_WANTS] += s->size * s->cta_warps < s->p.MIN_WARPS;
    counts[FIRST_GROUP_IS_ANOTHER] += s->groups > 1 && s->rest;
}

/* The CTA that was taken goes into its place. @next: the state after this cycle. */
static void count_start(const struct cta_groups *s, const struct cta_groups *next,
                        uint64_t *counts) {
    unsigned before = 0, after = 0, used = 0, at = 0;
    const uint64_t starts = s->start_warps & ~s->end_warps;
    counts[ENDS_AT_ONCE] += !starts;
    counts[ENDS_BESIDE_START] += starts && s->end_warps;
    if (!starts) {
        return;
    }
    while (!(next->group[at].warps & starts)) {
        at++;
    }
    for (unsigned i = 0; i < s->p.CTAS; i++) {
        const struct cta_group *g = &s->group[i];
        used += g->warps != 0;
        before += i < at && next->group[i].warps;
        after += i > at && next->group[i].warps;
        counts[MOVES_UP] += i + 1 < s->p.CTAS && g->warps & next->group[i + 1].warps;
        counts[MOVES_DOWN] += i && g->warps & next->group[i - 1].warps;
    }
    if (s->joins) {
        counts[JOINS_GROUP]++;
        counts[JOINS_AS_OTHERS_END] += !(s->group[at].warps & ~s->end_warps);
        return;
    }
    bool ordered = s->p.PRIORITY != CTA_GROUPS_RR;
    counts[NEW_BEFORE_ALL] += ordered && !before && after;
    counts[NEW_BETWEEN] += ordered && before && after;
    counts[NEW_BEHIND_ALL] += before && !after;
    counts[TAKES_LAST_PLACE] += at == s->p.CTAS - 1;
    counts[LAST_PLACE_IN_USE] += used == s->p.CTAS - 1;
    counts[GENERATION_BEGINS] += s->start_begins && used;
    counts[GENERATION_BEGINS_AMONG_OLD] += s->start_begins && used > 1;
}

static void cta_groups_count_points(void *self, const struct lockstep_now *now, const void *input,
                                    const void *output, uint64_t *counts) {
    const struct random_core *c = self;
    const struct cta_groups *s = now->state;
    const struct cta_groups_in *in = input;
    const struct cta_groups_out *out = output;
    unsigned groups = 0, ended = 0;
    for (unsigned i = 0; i < s->p.CTAS; i++) {
        groups += s->group[i].warps != 0;
        ended += s->group[i].warps && !(s->group[i].warps & ~s->end_warps);
    }
    if (in->rst) {
        counts[RESET_WITH_GROUPS] += groups != 0;
        counts[RESET_IN_LAUNCH] += s->phase != CTA_GROUPS_FORMED;
        counts[RESET_WITH_START] += in->start_valid && out->start_ready;
        return;
    }
    if (in->launch_valid) {
        count_group_launch(s, in, counts);
        return;
    }
    struct cta_groups next = *s;
    cta_groups_step(&next, in, out);
    if (s->phase != CTA_GROUPS_FORMED && next.phase == CTA_GROUPS_FORMED) {
        count_groups(&next, counts);
    }
    if (s->start == CTA_GROUPS_START_PLACED) {
        count_start(s, &next, counts);
    }
    counts[GROUP_ENDS] += ended == 1;
    counts[SEVERAL_GROUPS_END] += ended > 1;
    counts[PLACE_TAKEN_AT_ONCE] += ended == 1 && in->start_valid && out->start_ready;
    counts[STARTS_EVERY_OTHER_CYCLE] +=
        s->start == CTA_GROUPS_START_PLACED && in->start_valid && out->start_ready;
    counts[START_WAITS] += in->start_valid && !out->start_ready;
    counts[START_WITHDRAWN] += c->withdrawn;
    counts[SLOT_BEYOND_FIRST_CTAS] += s->p.LIFE == CTA_GROUPS_SLOT && in->start_valid &&
                                      out->start_ready && in->start_slot >= s->ctas;
    if (cta_groups_quiet(s, in)) {
        counts[QUIET_EMPTY] += !groups;
        counts[QUIET_WITH_GROUPS] += groups != 0;
    }
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_core),
    .points = points,
    .early = cta_groups_early_inputs,
    .cover = cta_groups_count_points,
    .unreachable = point_unreachable,
};
