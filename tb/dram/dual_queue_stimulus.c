/* SPDX-License-Identifier: Apache-2.0
 * Random requests and a DRAM of random timing for lockstep, and what has to be reached. */
#include "cosim/lockstep.h"
#include "dram/dual_queue.h"

/* clang-format off */
#define DUAL_QUEUE_POINTS(P) \
    P(LOW_REFUSED,                 "low refused because full") \
    P(HIGH_REFUSED,                "high refused because full") \
    P(HIGH_PASSES_FULL_LOW,        "high enters, low is full") \
    P(BOTH_ENTER,                  "both enter") \
    P(ENTERS_AS_ONE_LEAVES,        "enters as one leaves") \
    P(ENTERS_A_HIT,                "enters as a hit") \
    P(ENTERS_AS_ITS_ROW_OPENS,     "enters as its row opens") \
    P(ENTERS_AS_ITS_ROW_CLOSES,    "enters as its row closes") \
    P(ROW_OPENS_FOR_BOTH,          "row opens for both queues") \
    P(HIGH_COLUMN_BEFORE_LOW,      "high column before low") \
    P(HIGH_ROW_BEFORE_LOW_COLUMN,  "high row before low column", p->ROW_FIRST) \
    P(HIGH_ROW_BEFORE_LOW_ROW,     "high row before low row") \
    P(LOW_COLUMN_BEFORE_ITS_ROW,   "low column before low row") \
    P(LOW_WHILE_HIGH_WAITS,        "low chosen while high waits") \
    P(LOW_HELD_BY_ITS_BANK,        "low hit held, bank serves high", p->ROW_FIRST) \
    P(CLOSED_ON_LOW_HITS,          "high closes row of low hits") \
    P(LOW_COLUMN_BEFORE_HIGH_ROW,  "low column before high row", !p->ROW_FIRST) \
    P(LOW_HIT_BESIDE_HIGH,         "low hit goes in a bank with high requests", !p->ROW_FIRST) \
    P(ROW_KEPT_FOR_LOW_HIT,        "row kept for a low hit", !p->ROW_FIRST) \
    P(ROW_KEPT_FOR_NEW_LOW_HIT,    "row kept for a low hit as it opens", !p->ROW_FIRST) \
    P(HIT_PASSES_OLDER,            "hit passes an older one") \
    P(WRITE_PASSES_READ,           "write passes an older read") \
    P(COLUMN_HIDDEN,               "column hidden by a column") \
    P(ROW_HIDDEN,                  "row hidden by a row") \
    P(COLUMN_DROPPED,              "column dropped") \
    /* a hit on its way keeps its row for both queues, but in a turn */ \
    P(ROW_DROPPED,                 "row command dropped", p->ROW_FIRST && p->BOUND == 0) \
    P(BURST_NOT_LAST,              "burst that is not the last", p->BURST_BITS == 1) \
    P(OLDEST_LEAVES,               "the oldest leaves") \
    P(MIDDLE_LEAVES,               "one in the middle leaves", p->DEPTH < 3) \
    P(YOUNGEST_LEAVES,             "the youngest leaves") \
    P(LAST_PLACE_LEAVES,           "the last place is left") \
    P(CANDIDATES_MOVE_UP,          "candidates move up") \
    P(LAST_BANK,                   "command to the last bank") \
    P(TURN_BEGINS,                 "turn begins", p->BOUND == 0) \
    P(TURN_CLOSES_HIGH_HITS,       "turn closes row of high hits", p->BOUND == 0) \
    P(TURN_CLOSES_LOW_HITS,        "turn closes row of low hits", p->BOUND == 0) \
    P(TURN_BEFORE_HIGH_COLUMN,     "turn before high column", p->BOUND == 0) \
    P(TURN_BEFORE_HIGH_ROW,        "turn before high row", p->BOUND == 0) \
    P(TURN_HOLDS_READS,            "turn holds reads", p->BOUND == 0) \
    P(TURN_HOLDS_WRITES,           "turn holds writes", p->BOUND == 0) \
    P(TURN_HIGH_COLUMN_ON_ITS_WAY, "high column of the turn's bank on its way", p->BOUND == 0) \
    P(TURN_HIGH_COLUMN_ELSEWHERE,  "high column elsewhere in a turn", p->BOUND == 0) \
    P(TURN_LOW_COLUMN_ELSEWHERE,   "low column elsewhere in a turn", p->BOUND == 0) \
    P(TURN_BURST_NOT_LAST,         "burst in a turn that is not the last", p->BOUND == 0 || p->BURST_BITS == 1) \
    P(TURN_AFTER_TURN,             "turn ends with others in the queue", p->BOUND == 0) \
    P(RESET_IN_A_TURN,             "reset in a turn", p->BOUND == 0) \
    P(RESET_AT_WORK,               "reset at work") \
    P(QUIET_EMPTY,                 "quiet empty") \
    P(QUIET_WAITING,               "quiet with requests") \
    P(QUIET_FULL,                  "quiet with both full") \
    P(QUIET_IN_A_TURN,             "quiet in a turn", p->BOUND == 0)
/* clang-format on */

COVERAGE_POINTS(DUAL_QUEUE_POINTS, struct dual_queue_params)

/* Phases with traffic of their own, so that rare states come often in some of them. */
struct random_traffic {
    unsigned left;         /* cycles of this phase */
    unsigned high, low;    /* chances of an arrival in 16 */
    unsigned base, span;   /* banks that requests go to */
    unsigned rows, bursts; /* so many of them */
    uint32_t row_number[3];
    unsigned column, row;   /* chances in 16 that such commands are legal in a bank */
    unsigned writes;        /* chances in 16 */
    uint64_t open;          /* banks with an open row, as the commands say */
    uint64_t opens, opened; /* the bank whose row opens in this cycle, in the last one: one bit */
};

static void begin_phase(struct random_traffic *t, struct rng *rng,
                        const struct dual_queue_params *p) {
    static const unsigned often[] = {0, 1, 3, 8, 14, 16, 16};
    t->left = rng_below(rng, 6 * p->DEPTH + 40);
    t->high = often[rng_below(rng, 7)];
    t->low = often[rng_below(rng, 7)];
    t->column = often[rng_below(rng, 7)];
    t->row = often[rng_below(rng, 7)];
    t->writes = often[rng_below(rng, 5)];
    t->span = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 2 : p->BANKS);
    t->base = rng_below(rng, p->BANKS);
    t->rows = 1 + rng_below(rng, 3);
    t->bursts = 1 + rng_below(rng, (1u << p->BURST_BITS) - 1);
    if (p->BOUND > 16 && rng_chance(rng, 1, 4)) { /* a turn begins after so many columns */
        t->left += 10 * p->BOUND;
        t->high = t->low = t->column = t->row = 14 + rng_below(rng, 3);
    }
    /* Rows that differ in one bit, any one: each bit of a row is stored and compared. */
    t->row_number[0] = (uint32_t)rng_next(rng);
    for (unsigned i = 1; i < 3; i++) {
        t->row_number[i] = t->row_number[0] ^ UINT32_C(1) << rng_below(rng, p->ROW_BITS);
    }
}

static uint64_t some_banks(struct rng *rng, unsigned chance) {
    uint64_t banks = 0;
    if (chance == 0 || chance == 16) {
        return chance ? ~UINT64_C(0) : 0;
    }
    for (unsigned bit = 1; bit < 16; bit *= 2) { /* chance / 16 of each bit */
        uint64_t random = rng_next(rng);
        banks = chance & bit ? banks | random : banks & random;
    }
    return banks;
}

static void dual_queue_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_traffic *t = self;
    const struct dual_queue_params *p = now->params;
    struct dual_queue_in *in = input;
    if (t->left-- == 0) {
        begin_phase(t, now->rng, p);
    }
    in->rst = rng_chance(now->rng, 1, 3000);
    in->high_valid = rng_chance(now->rng, t->high, 16);
    in->high_bank = (uint8_t)((t->base + rng_below(now->rng, t->span)) % p->BANKS);
    in->high_row = t->row_number[rng_below(now->rng, t->rows)];
    in->high_write = rng_chance(now->rng, t->writes, 16);
    in->high_bursts = (uint8_t)(1 + rng_below(now->rng, t->bursts));
    in->high_tag = rng_next(now->rng);
    in->low_valid = rng_chance(now->rng, t->low, 16);
    in->low_bank = (uint8_t)((t->base + rng_below(now->rng, t->span)) % p->BANKS);
    in->low_row = t->row_number[rng_below(now->rng, t->rows)];
    in->low_write = rng_chance(now->rng, t->writes, 16);
    in->low_bursts = (uint8_t)(1 + rng_below(now->rng, t->bursts));
    in->low_tag = rng_next(now->rng);
}

static void dual_queue_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                                   void *input) {
    struct random_traffic *t = self;
    const struct dual_queue_out *out = output;
    struct dual_queue_in *in = input;
    if (out->cmd_valid && out->cmd_kind != DRAM_QUEUE_COLUMN) {
        t->open ^= UINT64_C(1) << out->cmd_bank;
    }
    t->opened = t->opens;
    t->opens =
        out->cmd_valid && out->cmd_kind == DRAM_QUEUE_ACTIVATE ? UINT64_C(1) << out->cmd_bank : 0;
    in->read_ok = t->open & some_banks(now->rng, t->column);
    in->write_ok = t->open & some_banks(now->rng, t->column);
    in->precharge_ok = t->open & some_banks(now->rng, t->row);
    in->activate_ok = ~t->open & some_banks(now->rng, t->row);
    if (in->rst) { /* the masks of this cycle do not know of it */
        t->open = 0;
    }
}

static dual_queue_mask positions_below(unsigned count) {
    return count == 128 ? ~(dual_queue_mask)0 : ((dual_queue_mask)1 << count) - 1;
}

/* The lists as they are at the beginning of the cycle. */
static void cover_arrival(const struct dual_queue *s, const struct dual_queue_list *l, bool valid,
                          bool ready, unsigned bank, uint32_t row, uint64_t *counts) {
    const struct dual_queue_out *c = &s->cmd;
    bool own = l == &s->list[c->cmd_high], here = c->cmd_valid && c->cmd_bank == bank;
    bool hit = s->open >> bank & 1 && s->open_row[bank] == row;
    if (!valid || !ready) {
        return;
    }
    counts[ENTERS_AS_ONE_LEAVES] += c->cmd_valid && c->cmd_last && own;
    counts[ENTERS_A_HIT] += hit;
    counts[ENTERS_AS_ITS_ROW_OPENS] +=
        here && c->cmd_kind == DRAM_QUEUE_ACTIVATE && c->cmd_row == row;
    counts[ENTERS_AS_ITS_ROW_CLOSES] += here && c->cmd_kind == DRAM_QUEUE_PRECHARGE && hit;
}

static void cover_command(const struct dual_queue *s, const struct dual_queue_params *p,
                          uint64_t *counts) {
    const struct dual_queue_list *low = &s->list[DUAL_QUEUE_LOW], *high = &s->list[DUAL_QUEUE_HIGH];
    const struct dual_queue_out *c = &s->cmd;
    const struct dual_queue_list *l = &s->list[c->cmd_high];
    dual_queue_mask low_here = low->in_bank[c->cmd_bank], older = positions_below(s->position);
    bool column = c->cmd_kind == DRAM_QUEUE_COLUMN;
    counts[LAST_BANK] += c->cmd_bank == p->BANKS - 1;
    counts[ROW_OPENS_FOR_BOTH] +=
        c->cmd_kind == DRAM_QUEUE_ACTIVATE && low_here && high->in_bank[c->cmd_bank];
    counts[CLOSED_ON_LOW_HITS] +=
        c->cmd_kind == DRAM_QUEUE_PRECHARGE && c->cmd_high && low_here & low->hit;
    counts[COLUMN_HIDDEN] += column && (low->column || high->column);
    counts[ROW_HIDDEN] += !column && (low->row || high->row);
    if (!column) {
        return;
    }
    counts[HIT_PASSES_OLDER] += (older & ~l->hit & l->in_bank[c->cmd_bank]) != 0;
    counts[WRITE_PASSES_READ] +=
        l->write >> s->position & 1 && (older & ~l->write & l->in_bank[c->cmd_bank]);
    counts[BURST_NOT_LAST] += !c->cmd_last;
    if (c->cmd_last) {
        counts[OLDEST_LEAVES] += s->position == 0 && l->count > 1;
        counts[MIDDLE_LEAVES] += s->position > 0 && s->position < l->count - 1;
        counts[YOUNGEST_LEAVES] += s->position > 0 && s->position == l->count - 1;
        counts[LAST_PLACE_LEAVES] += s->position == p->DEPTH - 1;
    }
}

static void cover_choice(const struct dual_queue *s, uint64_t *counts) {
    const struct dual_queue_list *low = &s->list[DUAL_QUEUE_LOW], *high = &s->list[DUAL_QUEUE_HIGH];
    const struct dual_queue_out *c = &s->cmd;
    bool issues_column = c->cmd_valid && c->cmd_kind == DRAM_QUEUE_COLUMN;
    bool issues_row = c->cmd_valid && !issues_column;
    dual_queue_mask high_column = issues_column ? 0 : high->column,
                    high_row = issues_row ? 0 : high->row,
                    low_column = issues_column ? 0 : low->column,
                    low_row = issues_row ? 0 : low->row;
    counts[HIGH_COLUMN_BEFORE_LOW] += high_column && low_column;
    counts[s->params.ROW_FIRST ? LOW_COLUMN_BEFORE_HIGH_ROW : HIGH_ROW_BEFORE_LOW_COLUMN] +=
        !high_column && high_row && low_column;
    counts[HIGH_ROW_BEFORE_LOW_ROW] += !high_column && high_row && !low_column && low_row;
    counts[LOW_COLUMN_BEFORE_ITS_ROW] += !high_column && !high_row && low_column && low_row;
    counts[LOW_WHILE_HIGH_WAITS] += !high_column && !high_row && low_column && high->count;
    counts[LOW_HELD_BY_ITS_BANK] +=
        !s->params.ROW_FIRST && (low->banks & high->banks) != 0 && low->hit != 0;
    /* The oldest of the first of these is chosen. */
    bool low_hit_goes = s->params.ROW_FIRST && low_column;
    bool from_high = high_column || (high_row && !low_hit_goes);
    bool column = high_column || (!from_high && low_column);
    dual_queue_mask from = high_column  ? high_column
                           : from_high  ? high_row
                           : low_column ? low_column
                                        : low_row;
    from &= -from;
    if (c->cmd_valid && from & s->list[from_high].in_bank[c->cmd_bank]) {
        counts[column ? COLUMN_DROPPED : ROW_DROPPED]++;
    }
}

/* ROW_FIRST: high requests that do not close a row, as a low one wants it. */
static void cover_kept_rows(const struct random_traffic *t, const struct dual_queue *s,
                            const struct dual_queue_in *in, uint64_t *counts) {
    const struct dual_queue_list *low = &s->list[DUAL_QUEUE_LOW], *high = &s->list[DUAL_QUEUE_HIGH];
    const struct dual_queue_out *c = &s->cmd;
    for (uint64_t left = low->banks & high->banks & s->open; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctzll(left);
        bool low_hits = low->in_bank[bank] & low->hit, high_hits = high->in_bank[bank] & high->hit;
        bool kept = low_hits && !high_hits && in->precharge_ok >> bank & 1;
        counts[ROW_KEPT_FOR_LOW_HIT] += kept;
        counts[ROW_KEPT_FOR_NEW_LOW_HIT] += kept && t->opened >> bank & 1;
        counts[LOW_HIT_BESIDE_HIGH] += low_hits && c->cmd_valid && c->cmd_bank == bank &&
                                       c->cmd_kind == DRAM_QUEUE_COLUMN && !c->cmd_high;
    }
}

static void cover_turn(const struct dual_queue *s, const struct dual_queue_in *in,
                       uint64_t *counts) {
    const struct dual_queue_list *low = &s->list[DUAL_QUEUE_LOW], *high = &s->list[DUAL_QUEUE_HIGH];
    const struct dual_queue_out *c = &s->cmd;
    bool column = c->cmd_valid && c->cmd_kind == DRAM_QUEUE_COLUMN, row = c->cmd_valid && !column;
    unsigned bank = low->entry[0].bank;
    if (s->passed < s->params.BOUND) {
        counts[TURN_BEGINS] +=
            column && c->cmd_high && low->count && s->passed == s->params.BOUND - 1;
        return;
    }
    bool here = c->cmd_bank == bank, oldest = !c->cmd_high && s->position == 0;
    if (c->cmd_valid && c->cmd_kind == DRAM_QUEUE_PRECHARGE && oldest) {
        counts[TURN_CLOSES_HIGH_HITS] += (high->in_bank[bank] & high->hit) != 0;
        counts[TURN_CLOSES_LOW_HITS] += (low->in_bank[bank] & low->hit) != 0;
    }
    if ((low->column & 1 && !column) || (low->row & 1 && !row)) {
        counts[TURN_BEFORE_HIGH_COLUMN] += high->column && !column;
        counts[TURN_BEFORE_HIGH_ROW] += high->row && !row;
    }
    if (low->hit & 1) {
        uint64_t ok = (low->write & 1 ? in->read_ok : in->write_ok) & ~(UINT64_C(1) << bank);
        dual_queue_mask hits = high->hit & (low->write & 1 ? ~high->write : high->write);
        for (; ok; ok &= ok - 1) {
            bool held = high->in_bank[__builtin_ctzll(ok)] & hits;
            counts[low->write & 1 ? TURN_HOLDS_READS : TURN_HOLDS_WRITES] += held;
        }
    }
    if (column) {
        counts[TURN_HIGH_COLUMN_ON_ITS_WAY] += c->cmd_high && here;
        counts[TURN_HIGH_COLUMN_ELSEWHERE] += c->cmd_high && !here;
        counts[TURN_LOW_COLUMN_ELSEWHERE] += !c->cmd_high && !here;
        counts[TURN_BURST_NOT_LAST] += oldest && !c->cmd_last;
        counts[TURN_AFTER_TURN] += oldest && c->cmd_last && low->count > 1;
    }
}

static void dual_queue_count_points(void *self, const struct lockstep_now *now, const void *input,
                                    const void *output, uint64_t *counts) {
    const struct dual_queue_params *p = now->params;
    const struct dual_queue *s = now->state;
    const struct dual_queue_list *low = &s->list[DUAL_QUEUE_LOW], *high = &s->list[DUAL_QUEUE_HIGH];
    const struct dual_queue_in *in = input;
    const struct dual_queue_out *out = output;
    counts[RESET_AT_WORK] += in->rst && out->cmd_valid && in->low_valid && high->column;
    bool turn = p->BOUND && s->passed == p->BOUND;
    if (in->rst) {
        counts[RESET_IN_A_TURN] += turn;
        return;
    }
    if (p->BOUND) {
        cover_turn(s, in, counts);
    }
    if (p->ROW_FIRST) {
        cover_kept_rows(self, s, in, counts);
    }
    counts[LOW_REFUSED] += in->low_valid && !out->low_ready;
    counts[HIGH_REFUSED] += in->high_valid && !out->high_ready;
    counts[HIGH_PASSES_FULL_LOW] += in->high_valid && out->high_ready && !out->low_ready;
    counts[BOTH_ENTER] += in->high_valid && out->high_ready && in->low_valid && out->low_ready;
    cover_arrival(s, high, in->high_valid, out->high_ready, in->high_bank, in->high_row, counts);
    cover_arrival(s, low, in->low_valid, out->low_ready, in->low_bank, in->low_row, counts);
    if (out->cmd_valid) {
        cover_command(s, p, counts);
        if (out->cmd_kind == DRAM_QUEUE_COLUMN && out->cmd_last) {
            const struct dual_queue_list *l = &s->list[out->cmd_high];
            counts[CANDIDATES_MOVE_UP] += (l->row & ~positions_below(s->position + 1)) != 0;
        }
    }
    cover_choice(s, counts);
    if (dual_queue_quiet(s, in)) {
        counts[QUIET_EMPTY] += low->count + high->count == 0;
        counts[QUIET_WAITING] += low->count && high->count;
        counts[QUIET_IN_A_TURN] += turn;
        counts[QUIET_FULL] += low->count == p->DEPTH && high->count == p->DEPTH;
    }
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_traffic),
    .points = points,
    .early = dual_queue_early_inputs,
    .late = dual_queue_late_inputs,
    .cover = dual_queue_count_points,
    .unreachable = point_unreachable,
};
