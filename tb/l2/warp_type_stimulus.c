/* SPDX-License-Identifier: Apache-2.0
 * Table of warp types: random traffic in phases, and what it must reach. */
#include "l2/warp_type_cases.h"

enum { LOWERED_MAX = 6 };

/* clang-format off */
#define WARP_TYPE_POINTS(P) \
    P(EMPTY,                       "nothing queued, nothing in the stages") \
    P(QUEUE_FULL,                  "a queue full") \
    P(LOST,                        "update lost") \
    /* one of several full queues gives an update each cycle, but in a sweep */ \
    P(ALL_QUEUES_FULL,             "all queues full", p->UPDATES > 1 && warp_type_words(p) < p->QUEUE) \
    /* of one port: common/fifo gives an update in two of three cycles */ \
    P(ONE_LANE_FOR_TWO,            "two ports ask one lane", p->UPDATES == 1 && p->QUEUE == 2) \
    P(ALL_LANES_AT_WORK,           "all lanes take an update", p->LANES > p->UPDATES) \
    P(TURN_PASSES_THE_LOWEST,      "turn passes the lowest", p->UPDATES == 1 && p->QUEUE == 2) \
    P(TURN_WRAPS,                  "turn wraps", p->UPDATES == 1 && p->QUEUE == 2) \
    P(ONE_WARP_AT_PORTS,           "one warp at several ports", p->UPDATES == 1 && p->QUEUE == 2) \
    P(ONE_WARP_LOOKED_UP_TWICE,    "one warp looked up at several ports", p->LOOKUPS == 1) \
    P(FORWARD,                     "counters of the update just before") \
    P(FORWARD_THROUGH_THREE,       "three updates of a warp in a row", p->UPDATES == 1 && p->QUEUE == 2) \
    P(TWO_CYCLES_APART,            "two updates of a warp with another between") \
    P(HALVED,                      "counters halved") \
    P(HALVED_WITH_A_HIT,           "counters halved with a hit") \
    P(HALVED_ODD_HITS,             "odd hits halved") \
    P(HALVED_ALL_HITS,             "all hits halved") \
    P(PROFILED,                    "profile ends") \
    P(ONE_BEFORE_PROFILED,         "one access before the profile ends", p->PROFILE == 1) \
    P(ALL_MISS,                    "all-miss", !is_possible_point(p, point)) \
    P(MOSTLY_MISS,                 "mostly-miss", !is_possible_point(p, point)) \
    P(BALANCED,                    "balanced", !is_possible_point(p, point)) \
    P(MOSTLY_HIT,                  "mostly-hit", !is_possible_point(p, point)) \
    P(ALL_HIT,                     "all-hit", !is_possible_point(p, point)) \
    P(EXACTLY_THE_HIT_BOUNDARY,    "exactly at the mostly-hit boundary", !is_possible_point(p, point)) \
    P(EXACTLY_THE_MISS_BOUNDARY,   "exactly at the mostly-miss boundary", !is_possible_point(p, point)) \
    P(TYPE_AGAINST_COUNTERS,       "type kept against the counters", p->FOLLOW) \
    P(TYPE_FOLLOWS,                "type follows the counters", !p->FOLLOW) \
    P(LOOKED_UP_AS_WRITTEN,        "looked up as the type is written") \
    P(LOOKED_UP_BESIDE_A_WRITE,    "looked up as another type is written") \
    P(FOUND,                       "known") \
    P(FOUND_AT_ALL_PORTS,          "known at all ports") \
    P(NOT_KNOWN,                   "not known") \
    P(LAST_WARP,                   "the last warp known") \
    P(RESTART,                     "another generation begins", !p->GENERATION_BITS) \
    P(RESTART_FORGETS,             "another generation forgets the type", !p->GENERATION_BITS) \
    P(RESTART_FORWARDED,           "another generation right behind", !p->GENERATION_BITS) \
    P(OTHER_GENERATION_LOOKED_UP,  "looked up by another generation", !p->GENERATION_BITS) \
    P(UPDATE_IN_SWEEP,             "update in the sweep") \
    P(LOST_IN_SWEEP,               "update lost in the sweep", warp_type_words(p) <= p->QUEUE) /* it begins with empty queues */ \
    P(LOOKED_UP_IN_SWEEP,          "looked up in the sweep") \
    P(CLEAR_AT_WORK,               "clear at work") \
    P(CLEAR_IN_SWEEP,              "clear in the sweep") \
    P(CLEAR_AS_A_WINDOW_ENDS,      "clear as a window ends", !p->MOVES) \
    P(CLEAR_WITH_REQUESTS,         "clear with requests in its cycle and in those before", !p->MOVES) \
    P(CLEAR_OF_A_LOWERED_BOUNDARY, "clear with the boundary lowered", !p->MOVES) \
    P(WINDOW_OVER_A_CLEAR,         "window ends that a clear was in", p->MOVES < 2) \
    P(MEAN_OF_ONE,                 "mean of one window", p->MOVES != 3) \
    P(MEAN_OF_SEVERAL,             "mean of several windows, not a whole number", p->MOVES != 3) \
    P(MEAN_RISES,                  "mean above the one before", p->MOVES != 3) \
    P(CLEAR_WITHOUT_WINDOWS,       "clear in a period without a window", p->MOVES != 3) \
    P(MEAN_BEGUN_ANEW,             "clear before the mean is known", !windows_end_often(p)) \
    P(WINDOW_ENDS_WITH_THE_MEAN,   "window ends as the mean is known", !windows_end_often(p)) \
    P(TALLY_HALVED,                "number of a period's windows halved", p->MOVES != 3 || p->WINDOW > 5) \
    P(RESET_AT_WORK,               "reset at work") \
    P(WINDOW_ENDS,                 "window ends", !p->MOVES) \
    P(WINDOW_ENDS_WITH_EXCESS,     "window ends with requests for the next", !p->MOVES) \
    P(LEAST_FALLS,                 "fewest misses so far", !p->MOVES || p->MOVES == 3) \
    P(BOUNDARY_FALLS,              "boundary falls", !p->MOVES) \
    P(BOUNDARY_RISES,              "boundary rises", !p->MOVES) \
    P(BYPASS_AND_ACCESS,           "bypass and access in one cycle") \
    P(LOWERED_0,                   "boundary where it began") \
    P(LOWERED_1,                   "boundary lowered by 1", !p->MOVES || p->MISS_20THS < 1) \
    P(LOWERED_2,                   "boundary lowered by 2", !p->MOVES || p->MISS_20THS < 2) \
    P(LOWERED_3,                   "boundary lowered by 3", !p->MOVES || p->MISS_20THS < 3) \
    P(LOWERED_4,                   "boundary lowered by 4", !p->MOVES || p->MISS_20THS < 4) \
    P(LOWERED_5,                   "boundary lowered by 5", !p->MOVES || p->MISS_20THS < 5) \
    P(LOWERED_6,                   "boundary lowered by 6", !p->MOVES || p->MISS_20THS < 6) \
    P(QUIET,                       "quiet")
/* clang-format on */

static bool is_possible_point(const struct warp_type_params *p, unsigned point);

/* Do windows that count for a mean end often enough to meet the few cycles in which one is worked
 * out? Meetings by chance are not looked at. */
static bool windows_end_often(const struct warp_type_params *p) {
    return p->MOVES == 3 && 1u << p->WINDOW <= 128 * p->UPDATES;
}

COVERAGE_POINTS(WARP_TYPE_POINTS, struct warp_type_params)

/* The types and boundary cases as points. */
static unsigned point_of(const struct warp_type_params *p, unsigned hits, unsigned accesses,
                         unsigned boundary) {
    return hits == accesses                       ? ALL_HIT
           : 20 * hits >= p->HIT_20THS * accesses ? MOSTLY_HIT
           : hits == 0                            ? ALL_MISS
           : 20 * hits <= boundary * accesses     ? MOSTLY_MISS
                                                  : BALANCED;
}

static bool is_exactly_boundary(const struct warp_type_params *p, unsigned hits, unsigned accesses,
                                unsigned boundary, unsigned point) {
    if (hits == 0 || hits == accesses) {
        return false;
    }
    return 20 * hits == (point == EXACTLY_THE_HIT_BOUNDARY ? p->HIT_20THS : boundary) * accesses;
}

/* Can counters of these sizes be in such a case? As boundaries are twentieths, any 40 numbers of
 * accesses in a row have every case that later ones have. */
static bool is_possible_point(const struct warp_type_params *p, unsigned point) {
    unsigned most = p->FOLLOW ? (1u << (p->COUNTER_BITS - 1)) - 1 : p->PROFILE;
    most = most < p->PROFILE + 40 ? most : p->PROFILE + 40;
    for (unsigned accesses = p->PROFILE; accesses <= most; accesses++) {
        for (unsigned hits = 0; hits <= accesses; hits++) {
            for (unsigned low = 0; low <= (p->MOVES ? p->MISS_20THS : 0); low++) {
                unsigned boundary = p->MISS_20THS - low;
                if (point_of(p, hits, accesses, boundary) == point ||
                    (point >= EXACTLY_THE_HIT_BOUNDARY &&
                     is_exactly_boundary(p, hits, accesses, boundary, point))) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Phases with traffic of their own, so that rare states come often in some of them. */
struct random_traffic {
    unsigned left;       /* cycles of this phase */
    unsigned base, span; /* warps that ports name */
    unsigned updates;    /* in 16, a port */
    unsigned looks;      /* in 16, a port */
    unsigned bypasses;   /* in 64, a port */
    unsigned hits;       /* in 20; 21: each warp has a ratio of its own */
    unsigned generation; /* of all warps */
    unsigned strangers;  /* in 64: of another generation */
    unsigned clears;     /* in 65536 */
    bool cleared;        /* since the last window ended */
    bool patient;        /* no reset, until counters have been halved and windows have ended */
    bool begins;         /* with a reset */
    bool ends_windows;   /* a clear now and then as a window ends */
};

/* Two warps at most, one access a cycle and more: counters halve and windows end also where that
 * takes long. */
static void new_patient_phase(struct random_traffic *st, const struct warp_type_params *p,
                              struct rng *rng) {
    bool many = p->MOVES == 3 && p->WINDOW <= 5 && rng_chance(rng, 1, 8); /* are halved */
    unsigned windows = p->MOVES ? (many ? 1600 : 8) * ((1u << p->WINDOW) / p->UPDATES + 1) : 0;
    st->left = 100 + (4u << (p->COUNTER_BITS - 1)) + windows;
    st->span = 1 + rng_below(rng, 2);
    st->base = rng_below(rng, p->WARPS - st->span + 1);
    st->updates = 12 + rng_below(rng, 5);
    st->looks = 8;
    st->bypasses = 0;
    st->hits = rng_chance(rng, 1, 2) ? 20 : rng_below(rng, 22);
    st->strangers = st->clears = 0;
    st->begins = true;
    st->ends_windows = p->MOVES && !many && st->hits != 20 && rng_chance(rng, 1, 2);
}

static void new_warp_type_phase(struct random_traffic *st, const struct warp_type_params *p,
                                struct rng *rng) {
    static const unsigned often[] = {0, 1, 4, 8, 12, 16, 16, 16};
    st->patient = rng_chance(rng, 1, 32);
    st->ends_windows = false;
    if (st->patient) {
        new_patient_phase(st, p, rng);
        return;
    }
    st->left = 1 + rng_below(rng, rng_chance(rng, 1, 3) ? 1500 : 100);
    st->span = rng_chance(rng, 1, 4) ? p->WARPS : 1 + rng_below(rng, 6);
    st->span = st->span > p->WARPS ? p->WARPS : st->span;
    st->base =
        rng_chance(rng, 1, 4) ? p->WARPS - st->span : rng_below(rng, p->WARPS - st->span + 1);
    st->updates = often[rng_below(rng, 8)];
    st->looks = often[rng_below(rng, 8)];
    st->bypasses = rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 32);
    st->hits = rng_below(rng, 22);
    st->generation = rng_chance(rng, 1, 2) ? st->generation : rng_below(rng, 16);
    st->strangers = (unsigned[]){0, 0, 1, 32}[rng_below(rng, 4)];
    st->clears = (unsigned[]){0, 0, 8, 16, 16, 32, 64, 1000}[rng_below(rng, 8)];
}

static bool draw_hit(const struct random_traffic *st, struct rng *rng, unsigned warp) {
    static const unsigned ratio[] = {0, 1, 4, 6, 10, 14, 14, 16, 19, 20, 20};
    return rng_chance(rng, st->hits <= 20 ? st->hits : ratio[warp % 11], 20);
}

static unsigned generation_of(const struct random_traffic *st, const struct warp_type_params *p,
                              struct rng *rng) {
    unsigned g = rng_chance(rng, st->strangers, 64) ? rng_below(rng, 16) : st->generation;
    return g & ((1u << WARP_TYPE_GENERATION_PORT(p)) - 1);
}

static void warp_type_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_traffic *st = self;
    const struct warp_type_params *p = now->params;
    const struct warp_type *s = now->state;
    struct warp_type_in *in = input;
    if (st->left-- == 0) {
        new_warp_type_phase(st, p, now->rng);
    }
    in->rst = st->patient ? st->begins : rng_chance(now->rng, 1, 8000);
    in->clear = rng_chance(now->rng, st->clears, 65536);
    if (st->ends_windows && (s->has_ended || s->has_excess)) {
        in->clear = rng_chance(now->rng, 1, 16);
        st->hits = 13 + rng_below(now->rng, 8); /* a 20th more misses, or a few */
    }
    st->begins = false;
    in->upd_valid = in->upd_hit = in->look_valid = in->bypassed = 0;
    for (unsigned port = 0; port < p->UPDATES; port++) {
        if (rng_chance(now->rng, st->updates, 16)) {
            unsigned warp = st->base + rng_below(now->rng, st->span);
            set_access(in, port, warp, draw_hit(st, now->rng, warp));
            in->upd_generation[port] = (uint8_t)generation_of(st, p, now->rng);
        }
    }
    for (unsigned port = 0; port < p->LOOKUPS; port++) {
        if (rng_chance(now->rng, st->looks, 16)) {
            in->look_valid |= UINT64_C(1) << port;
            in->look_warp[port] = (uint16_t)(st->base + rng_below(now->rng, st->span));
            in->look_generation[port] = (uint8_t)generation_of(st, p, now->rng);
        }
        in->bypassed |= (uint64_t)rng_chance(now->rng, st->bypasses, 64) << port;
    }
}

/* The update of a lane in a stage (1: read, 2: count, 3: multiply, 4: compare), or NULL. */
static const struct warp_type_flight *flight_of(const struct warp_type *s, unsigned stage,
                                                unsigned lane) {
    unsigned place = (s->turn + 1 - stage) % WARP_TYPE_STAGES;
    return s->flying[place] >> lane & 1 ? &s->flight[place][lane] : NULL;
}

static unsigned has_repeated_warp(uint64_t ports, const uint16_t *warp) {
    for (uint64_t left = ports; left; left &= left - 1) {
        for (uint64_t other = left & (left - 1); other; other &= other - 1) {
            if (warp[__builtin_ctzll(left)] == warp[__builtin_ctzll(other)]) {
                return 1;
            }
        }
    }
    return 0;
}

static void warp_type_count_queue_points(const struct warp_type *s, const struct warp_type_in *in,
                                         const struct warp_type_out *out, uint64_t *counts) {
    const struct warp_type_params *p = &s->params;
    uint64_t lost = in->upd_valid & ~out->upd_ready;
    counts[QUEUE_FULL] += s->full != 0;
    counts[ALL_QUEUES_FULL] += s->full == s->ports;
    counts[LOST] += lost != 0;
    counts[ONE_WARP_AT_PORTS] += has_repeated_warp(in->upd_valid & out->upd_ready, in->upd_warp);
    counts[UPDATE_IN_SWEEP] += s->sweep && (in->upd_valid & out->upd_ready);
    counts[LOST_IN_SWEEP] += s->sweep && lost;
    if (s->sweep) {
        return;
    }
    uint64_t asks[WARP_TYPE_LANES_MAX] = {0};
    unsigned lanes = 0;
    for (uint64_t left = s->offered; left; left &= left - 1) {
        unsigned port = (unsigned)__builtin_ctzll(left);
        unsigned lane = s->queue[port][s->head[port]].warp % p->LANES;
        lanes += asks[lane] == 0;
        asks[lane] |= UINT64_C(1) << port;
    }
    counts[ALL_LANES_AT_WORK] += lanes == p->LANES;
    for (unsigned lane = 0; lane < p->LANES; lane++) {
        bool two = asks[lane] & (asks[lane] - 1);
        uint64_t below = (UINT64_C(1) << s->first[lane]) - 1;
        counts[ONE_LANE_FOR_TWO] += two;
        counts[TURN_PASSES_THE_LOWEST] += (asks[lane] & below) && (asks[lane] & ~below);
        counts[TURN_WRAPS] += asks[lane] && below && !(asks[lane] & ~below);
    }
}

static void cover_count(const struct warp_type *s, const struct warp_type_flight *f,
                        const struct warp_type_flight *next, const struct warp_type_flight *last,
                        uint64_t *counts) {
    const struct warp_type_params *p = &s->params;
    const struct warp_type_entry *e = &s->entry[f->warp];
    bool restarts = e->generation != f->generation && e->accesses;
    bool forward = last && last->warp == f->warp;
    unsigned accesses = restarts ? 1 : e->accesses + 1u;
    unsigned hits = (restarts ? 0 : e->hits) + f->hit;
    counts[FORWARD] += forward;
    counts[FORWARD_THROUGH_THREE] += forward && next && next->warp == f->warp;
    counts[RESTART] += restarts;
    counts[RESTART_FORGETS] += restarts && e->known;
    counts[RESTART_FORWARDED] += restarts && forward;
    counts[PROFILED] += accesses == p->PROFILE && !e->known;
    counts[ONE_BEFORE_PROFILED] += accesses + 1 == p->PROFILE && !e->known;
    if (accesses == s->top) {
        counts[HALVED]++;
        counts[HALVED_WITH_A_HIT] += f->hit;
        counts[HALVED_ODD_HITS] += hits % 2;
        counts[HALVED_ALL_HITS] += hits == accesses;
    }
    if (e->known && !restarts && !p->FOLLOW && s->type[f->warp].known) {
        unsigned point = point_of(p, hits, accesses, s->boundary);
        counts[TYPE_AGAINST_COUNTERS] +=
            (point == ALL_HIT) != (s->type[f->warp].l2_class == L2_CLASS_ALL_HIT);
    }
}

static void cover_stages(const struct warp_type *s, const struct warp_type_in *in,
                         uint64_t *counts) {
    const struct warp_type_params *p = &s->params;
    for (unsigned lane = 0; lane < p->LANES; lane++) {
        const struct warp_type_flight *f[WARP_TYPE_STAGES + 1];
        for (unsigned stage = 1; stage <= WARP_TYPE_STAGES; stage++) {
            f[stage] = flight_of(s, stage, lane);
        }
        counts[TWO_CYCLES_APART] +=
            f[1] && f[3] && f[1]->warp == f[3]->warp && (!f[2] || f[2]->warp != f[1]->warp);
        if (f[2]) {
            cover_count(s, f[2], f[1], f[3], counts);
        }
        if (f[3] && f[3]->writes && f[3]->known) {
            const struct warp_type_flight *m = f[3];
            counts[point_of(p, m->hits, m->accesses, s->boundary)]++;
            for (unsigned i = EXACTLY_THE_HIT_BOUNDARY; i <= EXACTLY_THE_MISS_BOUNDARY; i++) {
                counts[i] += is_exactly_boundary(p, m->hits, m->accesses, s->boundary, i);
            }
        }
        if (!f[4] || !f[4]->writes) {
            continue;
        }
        const struct warp_type_type *t = &s->type[f[4]->warp];
        counts[TYPE_FOLLOWS] += t->known && f[4]->known && t->generation == f[4]->generation &&
                                t->l2_class != f[4]->l2_class;
        for (uint64_t left = in->look_valid; left; left &= left - 1) {
            bool same = in->look_warp[__builtin_ctzll(left)] == f[4]->warp;
            counts[LOOKED_UP_AS_WRITTEN] += same;
            counts[LOOKED_UP_BESIDE_A_WRITE] += !same;
        }
    }
}

static void cover_lookups(const struct warp_type *s, const struct warp_type_in *in,
                          const struct warp_type_out *out, uint64_t *counts) {
    const struct warp_type_params *p = &s->params;
    uint64_t all = ~UINT64_C(0) >> (64 - p->LOOKUPS);
    counts[FOUND] += out->look_known != 0;
    counts[FOUND_AT_ALL_PORTS] += out->look_known == all;
    counts[ONE_WARP_LOOKED_UP_TWICE] += has_repeated_warp(in->look_valid, in->look_warp);
    counts[LOOKED_UP_IN_SWEEP] += s->sweep && in->look_valid;
    for (uint64_t left = in->look_valid; left; left &= left - 1) {
        unsigned port = (unsigned)__builtin_ctzll(left);
        const struct warp_type_type *t = &s->type[in->look_warp[port]];
        counts[NOT_KNOWN] += !t->known;
        counts[LAST_WARP] += t->known && in->look_warp[port] == p->WARPS - 1;
        counts[OTHER_GENERATION_LOOKED_UP] +=
            p->GENERATION_BITS && t->known && t->generation != in->look_generation[port];
    }
}

/* A clear, or a reset. */
static void cover_clear(const struct warp_type *s, const struct warp_type_in *in, bool at_work,
                        uint64_t *counts) {
    if (in->rst) {
        counts[RESET_AT_WORK] += at_work;
        return;
    }
    counts[CLEAR_AT_WORK] += at_work;
    counts[CLEAR_IN_SWEEP] += s->sweep != 0;
    counts[CLEAR_AS_A_WINDOW_ENDS] += s->has_ended || s->has_excess;
    counts[CLEAR_WITH_REQUESTS] += s->older[0] && s->fresh[0] && (in->upd_valid | in->bypassed);
    counts[CLEAR_OF_A_LOWERED_BOUNDARY] += s->boundary < s->params.MISS_20THS;
    if (s->params.MOVES == 3) {
        unsigned windows = s->tally + s->has_ended;
        counts[CLEAR_WITHOUT_WINDOWS] += windows == 0;
        counts[MEAN_OF_ONE] += windows == 1;
        counts[MEAN_OF_SEVERAL] += s->tally > 1 && s->tally_misses % s->tally;
        counts[MEAN_BEGUN_ANEW] += windows_end_often(&s->params) && windows && s->divides;
    }
}

static void cover_boundary(const struct warp_type *s, const struct warp_type_in *in,
                           uint64_t *counts) {
    const struct warp_type_params *p = &s->params;
    unsigned lowered = p->MISS_20THS - s->boundary;
    counts[BYPASS_AND_ACCESS] += in->bypassed && in->upd_valid;
    counts[LOWERED_0 + (lowered < LOWERED_MAX ? lowered : LOWERED_MAX)]++;
    counts[WINDOW_ENDS] += s->has_ended;
    counts[WINDOW_ENDS_WITH_EXCESS] += s->has_ended && s->requests;
    counts[WINDOW_ENDS_WITH_THE_MEAN] +=
        windows_end_often(&s->params) && s->has_ended && s->divides == 1;
    counts[MEAN_RISES] += s->divides == 1 && s->least != UINT32_MAX && s->mean > s->least;
    counts[TALLY_HALVED] += s->has_ended && s->tally + 1 == 1u << WARP_TYPE_TALLY_BITS;
    counts[LEAST_FALLS] +=
        p->MOVES != 3 && s->has_ended && s->least != UINT32_MAX && s->ended < s->least;
    if (s->has_excess) {
        uint64_t steps = (uint64_t)20 * s->excess >> p->WINDOW;
        unsigned next = steps < p->MISS_20THS ? p->MISS_20THS - (unsigned)steps : 0;
        counts[BOUNDARY_FALLS] += next < s->boundary;
        counts[BOUNDARY_RISES] += next > s->boundary;
    }
}

static void warp_type_count_points(void *self, const struct lockstep_now *now, const void *input,
                                   const void *output, uint64_t *counts) {
    const struct warp_type *s = now->state;
    const struct warp_type_in *in = input;
    const struct warp_type_out *out = output;
    struct random_traffic *st = self;
    unsigned flying = 0;
    for (unsigned place = 0; place < WARP_TYPE_STAGES; place++) {
        flying += s->flying[place] != 0;
    }
    bool at_work = flying >= 2 && s->offered && in->upd_valid && in->look_valid;
    counts[WINDOW_OVER_A_CLEAR] += s->has_ended && st->cleared && s->params.MOVES >= 2;
    st->cleared = in->clear || (st->cleared && !s->has_ended);
    if (in->rst || in->clear) {
        st->cleared &= !in->rst;
        cover_clear(s, in, at_work, counts);
        return;
    }
    counts[EMPTY] += !flying && !s->waiting;
    warp_type_count_queue_points(s, in, out, counts);
    cover_stages(s, in, counts);
    cover_lookups(s, in, out, counts);
    cover_boundary(s, in, counts);
    counts[QUIET] += warp_type_quiet(s, in);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_traffic),
    .points = points,
    .early = warp_type_early_inputs,
    .cover = warp_type_count_points,
    .unreachable = point_unreachable,
};
