/* SPDX-License-Identifier: Apache-2.0
 * A DRAM channel with random demands around the prefetcher of open rows, and what it must reach. */
#include "cosim/lockstep.h"
#include "dram/row_prefetch.h"

/* clang-format off */
#define ROW_PREFETCH_POINTS(P) \
    P(OFFER_WAITS,              "offer waits") \
    P(SAME_BANK_NEXT,           "next line of the same bank") \
    P(OTHER_BANK_NEXT,          "next line of another bank") \
    P(TURN_WRAPS,               "turn goes round the end") \
    P(FIRST_LINE,               "first line") \
    P(LAST_LINE,                "last line") \
    P(LAST_BANK,                "last bank") \
    P(LINE_SKIPPED,             "line skipped that a demand took") \
    P(WHOLE_ROW,                "each line of a row prefetched") \
    P(WANTED_ROW_KEEPS_LINES,   "lines left in a wanted row") \
    P(OTHER_STOPS,              "demand for another row stops", p->RULE == 2 && p->START && p->LOWER >= p->LINES && p->HIGHER >= p->LINES) \
    P(OTHER_DOES_NOT_STOP,      "demand for another row does not stop", p->RULE == 1 || (p->LOWER <= !p->START && p->HIGHER <= !p->START)) \
    P(AT_LOWER,                 "stops after the lower number", p->RULE == 1 || p->LOWER > p->LINES) \
    P(AT_HIGHER,                "stops after the higher number", p->RULE == 1 || p->HIGHER > p->LINES) \
    P(NO_LINE_AT_ALL,           "least number is 0", p->RULE == 1 || (p->LOWER && p->HIGHER)) \
    P(FEW_BEGINS,               "few wait from now on") \
    P(FEW_ENDS,                 "many wait from now on") \
    P(HOLD_ENDS_WITH_FEW,       "hold ends as many wait", p->RULE == 1 || p->HIGHER <= !p->START || p->LOWER >= p->HIGHER || p->LOWER >= p->LINES) \
    P(CHOICE_DROPPED,           "choice dropped as its row closes", p->RULE == 2 && p->START && !can_stop_after(p, p->LOWER) && !can_stop_after(p, p->HIGHER)) \
    P(CLOSES_BESIDE_OFFER,      "row closes while another bank's line is offered") \
    P(DEMAND_AFTER_OFFER,       "demand for the row of the offer") \
    P(DEMAND_TAKES_OFFERED,     "demand takes the offered line") \
    P(DEMAND_TAKES_LAST_LEFT,   "demand takes the last line left") \
    P(DEMAND_TAKES_ONE_AGAIN,   "demand for a line that is not left") \
    P(OPENED_FOR_WRITE,         "row opened for a write") \
    P(OPENED_AS_ANOTHER_CLOSES, "row opens as another closes") \
    P(OPENED_AS_LINE_IS_TAKEN,  "row opens as a line is taken") \
    P(AVERAGE_RISES,            "average rises") \
    P(AVERAGE_FALLS,            "average falls") \
    P(AVERAGE_AT_MOST,          "average at its most") \
    P(ARRIVALS_IN_A_ROW,        "arrival in the cycle after one") \
    P(RESET_OFFERED,            "reset with an offer") \
    P(RESET_AS_AVERAGE_MOVES,   "reset as the average moves") \
    P(RESET_WITH_EVENTS,        "reset as a row opens") \
    P(QUIET_EMPTY,              "quiet with all rows closed") \
    P(QUIET_OPEN,               "quiet with lines left") \
    P(QUIET_OFFERED,            "quiet with an offer")
/* clang-format on */

/* Can a row with that least number of lines stop before its last? */
static bool can_stop_after(const struct row_prefetch_params *p, unsigned lines) {
    return lines > 0 && lines < p->LINES;
}

COVERAGE_POINTS(ROW_PREFETCH_POINTS, struct row_prefetch_params)

/* Phases with traffic of their own, so that rare states come often in some of them. */
struct random_channel {
    unsigned left;                                         /* cycles of this phase */
    unsigned arrivals, hits, serves, opens, closes, takes; /* chances in 16 */
    unsigned low_lines;  /* chance that a demand is for a low line */
    unsigned base, span; /* banks that demands go to */
    unsigned more;       /* demands in other banks than ours */
    unsigned masks;      /* chance that a demand is not in service */
    bool light;          /* few of the demands are in this channel's queue */
    bool drains;         /* all rows are closed */
    uint64_t open;
    uint8_t for_row[ROW_PREFETCH_BANKS_MAX];   /* demands for the bank's open row */
    uint8_t for_other[ROW_PREFETCH_BANKS_MAX]; /* for another one, or any if it has none */
    bool taken;                                /* the last cycle's offer */
    uint8_t bank;                              /* of that */
};

static void begin_channel_phase(struct random_channel *c, struct rng *rng,
                                const struct row_prefetch_params *p) {
    static const unsigned often[] = {0, 1, 2, 5, 8, 12, 16, 16};
    static const unsigned loads[] = {0, 0, 0, 3, 12, 60, 200, 255};
    c->left = rng_below(rng, 3 * p->LINES + 60);
    c->arrivals = often[rng_below(rng, 8)];
    c->hits = often[rng_below(rng, 8)];
    c->serves = often[rng_below(rng, 8)];
    c->opens = often[rng_below(rng, 8)];
    c->closes = often[rng_below(rng, 8)];
    c->takes = often[1 + rng_below(rng, 7)];
    c->low_lines = often[rng_below(rng, 8)];
    c->masks = often[rng_below(rng, 4)];
    c->more = loads[rng_below(rng, 8)];
    c->span = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 2 : p->BANKS);
    c->base = rng_below(rng, p->BANKS);
    c->light = rng_chance(rng, 1, 4);
    c->drains = rng_chance(rng, 1, 20);
    if (rng_chance(rng, 1, 400)) { /* the average comes to its end */
        c->left = 20u << p->AVERAGE_SHIFT;
        c->arrivals = 16;
        c->more = rng_chance(rng, 1, 2) ? 0 : UINT8_MAX;
    }
}

static void row_prefetch_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_channel *c = self;
    const struct row_prefetch_params *p = now->params;
    struct row_prefetch_in *in = input;
    if (c->left-- == 0) {
        begin_channel_phase(c, now->rng, p);
    }
    in->rst = rng_chance(now->rng, 1, 3000);
    in->open = c->open;
    in->wanted = in->other = 0;
    unsigned pending = c->more;
    for (unsigned bank = 0; bank < p->BANKS; bank++) {
        bool serves = !rng_chance(now->rng, c->masks, 16);
        in->wanted |= (uint64_t)(c->for_row[bank] && serves) << bank;
        in->other |= (uint64_t)(c->for_other[bank] && serves) << bank;
        pending += c->for_row[bank] + c->for_other[bank];
    }
    pending = c->light ? pending % 8 : pending;
    in->wanted = c->drains ? c->open : in->wanted; /* so that none is held */
    in->wanted &= c->open;
    in->other &= c->open;
    in->pending = (uint8_t)(pending < UINT8_MAX ? pending : UINT8_MAX);
}

static unsigned bank_of_traffic(const struct random_channel *c, struct rng *rng,
                                const struct row_prefetch_params *p) {
    return (c->base + rng_below(rng, c->span)) % p->BANKS;
}

static void add_random_demand(struct random_channel *c, struct rng *rng,
                              const struct row_prefetch_params *p) {
    unsigned bank = bank_of_traffic(c, rng, p);
    bool hit = c->open >> bank & 1 && rng_chance(rng, c->hits, 16);
    uint8_t *count = hit ? &c->for_row[bank] : &c->for_other[bank];
    *count += *count < 3;
}

/* The channel's commands, up to one of each kind, and what becomes of its demands. */
static void row_prefetch_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                                     void *input) {
    struct random_channel *c = self;
    const struct row_prefetch_params *p = now->params;
    const struct row_prefetch *s = now->state;
    const struct row_prefetch_out *out = output;
    struct row_prefetch_in *in = input;
    struct rng *rng = now->rng;
    unsigned opens = bank_of_traffic(c, rng, p), closes = bank_of_traffic(c, rng, p),
             serves = bank_of_traffic(c, rng, p);
    in->act_bank = (uint8_t)opens;
    in->act_row = (uint32_t)rng_next(rng);
    in->act_write = rng_chance(rng, 1, 3);
    in->act_valid = !(in->open >> opens & 1) &&
                    rng_chance(rng, c->for_other[opens] ? c->opens : c->opens / 4, 16);
    in->pre_bank = (uint8_t)closes;
    in->pre_valid = (in->open & ~out->hold) >> closes & 1 &&
                    rng_chance(rng, c->for_other[closes] ? c->closes : c->closes / 8, 16);
    in->col_bank = (uint8_t)serves;
    in->col_line = (uint8_t)rng_below(rng, p->LINES);
    if (rng_chance(rng, c->low_lines, 16) && s->left[serves]) {
        in->col_line = (uint8_t)__builtin_ctzll(s->left[serves]);
    }
    if (c->drains) {
        uint64_t free = in->open & ~out->hold;
        closes = free ? (unsigned)__builtin_ctzll(free) : 0;
        in->pre_bank = (uint8_t)closes;
        in->pre_valid = free != 0;
        in->act_valid = false;
    }
    in->col_valid = in->wanted >> serves & 1 && rng_chance(rng, c->serves, 16);
    in->arrival = rng_chance(rng, c->arrivals, 16);
    in->pf_ready = rng_chance(rng, c->takes, 16);
    if (in->col_valid && c->for_row[serves]) {
        c->for_row[serves]--;
    }
    if (in->arrival) {
        add_random_demand(c, rng, p);
    }
    if (in->pre_valid) {
        c->open &= ~(UINT64_C(1) << closes);
        c->for_other[closes] |= c->for_row[closes];
        c->for_row[closes] = 0;
    }
    if (in->act_valid) {
        c->open |= UINT64_C(1) << opens;
        c->for_row[opens] = c->for_other[opens] != 0;
        c->for_other[opens] = (uint8_t)rng_below(rng, c->for_other[opens] + 1);
    }
}

static bool is_few_next(const struct row_prefetch *s, const struct row_prefetch_in *in) {
    unsigned pending = in->pending;
    return s->p.THRESHOLD ? pending < s->p.THRESHOLD : pending << s->p.AVERAGE_SHIFT < s->sum;
}

/* Each open bank at the beginning of the cycle. */
static void count_open_banks(const struct row_prefetch *s, const struct row_prefetch_params *p,
                             const struct row_prefetch_in *in, uint64_t *counts) {
    const unsigned least = s->few ? p->HIGHER : p->LOWER;
    const bool few = is_few_next(s, in);
    for (uint64_t banks = in->open; banks; banks &= banks - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(banks);
        bool wanted = in->wanted >> bank & 1, other = in->other >> bank & 1;
        bool offered = s->valid && s->bank == bank;
        if (wanted || offered) {
            counts[WANTED_ROW_KEEPS_LINES] += wanted && s->left[bank];
            continue;
        }
        counts[AT_LOWER] += p->RULE == 2 && other && !s->few && s->count[bank] == p->LOWER;
        counts[AT_HIGHER] += p->RULE == 2 && other && s->few && s->count[bank] == p->HIGHER;
        if (!s->left[bank]) {
            continue;
        }
        bool below = p->RULE == 2 && s->count[bank] < least && (p->START || s->count[bank]);
        counts[OTHER_STOPS] += other && !below;
        counts[OTHER_DOES_NOT_STOP] += other && below;
        counts[NO_LINE_AT_ALL] += p->RULE == 2 && !least && !other;
        counts[HOLD_ENDS_WITH_FEW] +=
            p->RULE == 2 && s->few && !few && below && s->count[bank] >= p->LOWER;
    }
}

static void count_offer(const struct random_channel *c, const struct row_prefetch *s,
                        const struct row_prefetch_params *p, const struct row_prefetch_in *in,
                        uint64_t *counts) {
    bool takes = in->col_valid && in->col_bank == s->bank && in->col_line == s->line;
    counts[OFFER_WAITS] += !in->pf_ready;
    counts[SAME_BANK_NEXT] += c->taken && c->bank == s->bank;
    counts[OTHER_BANK_NEXT] += c->taken && c->bank != s->bank;
    counts[TURN_WRAPS] += c->taken && c->bank > s->bank;
    counts[FIRST_LINE] += s->line == 0;
    counts[LAST_LINE] += s->line == p->LINES - 1;
    counts[LAST_BANK] += s->bank == p->BANKS - 1;
    counts[LINE_SKIPPED] += s->line > s->count[s->bank];
    counts[WHOLE_ROW] += in->pf_ready && s->count[s->bank] == p->LINES - 1;
    counts[CLOSES_BESIDE_OFFER] += in->pre_valid;
    counts[DEMAND_AFTER_OFFER] += in->wanted >> s->bank & 1;
    counts[DEMAND_TAKES_OFFERED] += takes;
    counts[OPENED_AS_LINE_IS_TAKEN] += in->act_valid && in->pf_ready;
}

static void row_prefetch_count_points(void *self, const struct lockstep_now *now, const void *input,
                                      const void *output, uint64_t *counts) {
    struct random_channel *c = self;
    const struct row_prefetch_params *p = now->params;
    const struct row_prefetch *s = now->state;
    const struct row_prefetch_in *in = input;
    const struct row_prefetch_out *out = output;
    if (in->rst) {
        counts[RESET_OFFERED] += s->valid;
        counts[RESET_AS_AVERAGE_MOVES] += s->move && in->arrival;
        counts[RESET_WITH_EVENTS] += in->act_valid;
        c->taken = false;
        return;
    }
    count_open_banks(s, p, in, counts);
    if (s->valid) {
        count_offer(c, s, p, in, counts);
    }
    if (in->pre_valid && (!s->valid || in->pf_ready)) {
        struct row_prefetch as_if = *s;
        struct row_prefetch_in without = *in;
        without.pre_valid = false;
        row_prefetch_step(&as_if, &without, out);
        counts[CHOICE_DROPPED] += as_if.valid && as_if.bank == in->pre_bank;
    }
    if (in->col_valid) {
        uint64_t left = s->left[in->col_bank], line = UINT64_C(1) << in->col_line;
        counts[DEMAND_TAKES_LAST_LEFT] += left == line;
        counts[DEMAND_TAKES_ONE_AGAIN] += !(left & line);
    }
    bool few = is_few_next(s, in);
    counts[FEW_BEGINS] += few && !s->few;
    counts[FEW_ENDS] += !few && s->few;
    counts[OPENED_FOR_WRITE] += in->act_valid && in->act_write;
    counts[OPENED_AS_ANOTHER_CLOSES] += in->act_valid && in->pre_valid;
    counts[AVERAGE_RISES] += s->move > 0;
    counts[AVERAGE_FALLS] += s->move < 0;
    counts[AVERAGE_AT_MOST] += s->sum >> p->AVERAGE_SHIFT == UINT8_MAX;
    counts[ARRIVALS_IN_A_ROW] += s->move && in->arrival;
    if (row_prefetch_quiet(s, in)) {
        counts[QUIET_EMPTY] += !in->open;
        counts[QUIET_OPEN] += in->open && !s->valid;
        counts[QUIET_OFFERED] += s->valid;
    }
    c->taken = s->valid && in->pf_ready;
    c->bank = s->bank;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_channel),
    .points = points,
    .early = row_prefetch_early_inputs,
    .late = row_prefetch_late_inputs,
    .cover = row_prefetch_count_points,
    .unreachable = point_unreachable,
};
