/* SPDX-License-Identifier: Apache-2.0
 * Random requests and a DRAM of random timing for lockstep, and what has to be reached. */
#include "cosim/lockstep.h"
#include "dram/fr_fcfs.h"

/* clang-format off */
#define FR_FCFS_POINTS(P) \
    P(REFUSED,                "refused because full") \
    P(ARRIVES_AS_ITS_ROW_OPENS, "arrives as its row opens") \
    P(ARRIVES_AS_ITS_ROW_CLOSES, "arrives as its row closes") \
    P(WAITS_AS_ITS_ROW_OPENS, "has arrived and waits as its row opens") \
    P(WAITS_AS_ITS_ROW_CLOSES,"has arrived and waits as its row closes") \
    P(ENTERS_AS_ONE_LEAVES,   "enters as one leaves") \
    P(ENTERS_A_HIT,           "enters as a hit and stays") \
    P(ENTERS_AS_ITS_ROW_OPENS,"enters as its row opens for an older one") \
    P(NEW_COLUMN,             "column in the first cycle, not the last", p->BURST_BITS == 1) \
    P(NEW_LEAVES,             "leaves in its first cycle") \
    P(NEW_ACTIVATE,           "activate in the first cycle") \
    P(NEW_PRECHARGE,          "precharge in the first cycle") \
    P(NEW_KEEPS_ITS_ROW,      "a newcomer keeps its row from being closed") \
    P(NEW_BEHIND_A_COLUMN,    "a newcomer's column waits for an older one's") \
    P(HIT_PASSES_OLDER,       "hit passes an older one of its bank") \
    P(WRITE_PASSES_READ,      "write passes an older read of its row") \
    P(COLUMN_BEFORE_ROW,      "column before a legal row command") \
    P(ROW_PASSES_OLDER,       "row command passes that of an older one") \
    P(ROW_KEPT,               "row kept for a hit") \
    P(ROW_KEPT_AS_ONE_LEAVES, "row kept as one of its hits leaves") \
    P(ROW_KEPT_NO_MORE,       "the last hit leaves, and another row is wanted") \
    P(ROW_KEPT_BY_NEWCOMER,   "a hit enters as the last one leaves") \
    P(ROW_HELD,               "row held though it may be closed") \
    P(OPENS_FOR_SEVERAL,      "row opens for several") \
    P(LINE_HELD,              "legal hit waits for an older one of its line", !p->ORDER) \
    P(LINE_HELD_NEW,          "a newcomer does", !p->ORDER) \
    P(LINE_HELD_BY_TWO,       "a write waits for two reads", !p->ORDER || p->DEPTH < 3) \
    P(BURST_NOT_LAST,         "burst that is not the last", p->BURST_BITS == 1) \
    P(OLDEST_LEAVES,          "the oldest leaves") \
    P(MIDDLE_LEAVES,          "one in the middle leaves", p->DEPTH < 3) \
    P(YOUNGEST_LEAVES,        "the youngest leaves") \
    P(LAST_BANK,              "command to the last bank") \
    P(RESET_AT_WORK,          "reset at work") \
    P(QUIET_EMPTY,            "quiet empty") \
    P(QUIET_WAITING,          "quiet with requests") \
    P(QUIET_FULL,             "quiet full")
/* clang-format on */

COVERAGE_POINTS(FR_FCFS_POINTS, struct fr_fcfs_params)

/* Phases with traffic of their own, so that rare states come often in some of them. */
struct request_traffic {
    unsigned left, often;        /* cycles of this phase; chance of an arrival in 16 */
    unsigned base, span;         /* banks that requests go to */
    unsigned rows, bursts;       /* so many of them */
    unsigned column, row, holds; /* chances in 16 that such commands are legal, rows held */
    unsigned writes;             /* chances in 16 */
    uint32_t row_number[3];
    uint16_t column_number[2];
    uint64_t open; /* banks with an open row, as the commands say */
};

static void begin_traffic(struct request_traffic *t, struct rng *rng,
                          const struct fr_fcfs_params *p) {
    static const unsigned often[] = {0, 1, 3, 8, 14, 16, 16};
    t->left = rng_below(rng, 6 * p->DEPTH + 40);
    t->often = often[rng_below(rng, 7)];
    t->column = often[rng_below(rng, 7)];
    t->row = often[rng_below(rng, 7)];
    t->writes = often[rng_below(rng, 5)];
    t->holds = often[rng_below(rng, 3)];
    t->span = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 2 : p->BANKS);
    t->base = rng_below(rng, p->BANKS);
    t->rows = 1 + rng_below(rng, 3);
    t->bursts = 1 + rng_below(rng, (1u << p->BURST_BITS) - 1);
    /* Rows that differ in one bit, any one: each bit of a row is stored and compared. So are the
     * lines of a row. */
    t->row_number[0] = (uint32_t)rng_next(rng);
    for (unsigned i = 1; i < 3; i++) {
        t->row_number[i] = t->row_number[0] ^ UINT32_C(1) << rng_below(rng, p->ROW_BITS);
    }
    t->column_number[0] = (uint16_t)rng_next(rng);
    t->column_number[1] = (uint16_t)(t->column_number[0] ^ 1u << rng_below(rng, p->COLUMN_BITS));
}

static uint64_t random_banks(struct rng *rng, unsigned chance) {
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

static void fr_fcfs_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct request_traffic *t = self;
    const struct fr_fcfs_params *p = now->params;
    struct fr_fcfs_in *in = input;
    if (t->left-- == 0) {
        begin_traffic(t, now->rng, p);
    }
    in->rst = rng_chance(now->rng, 1, 3000);
    in->req_valid = rng_chance(now->rng, t->often, 16);
    in->req_bank = (uint8_t)((t->base + rng_below(now->rng, t->span)) % p->BANKS);
    in->req_row = t->row_number[rng_below(now->rng, t->rows)];
    in->req_column = t->column_number[rng_below(now->rng, 2)];
    in->req_write = rng_chance(now->rng, t->writes, 16);
    in->req_bursts = (uint8_t)(1 + rng_below(now->rng, t->bursts));
    in->req_tag = rng_next(now->rng);
    in->hold = random_banks(now->rng, t->holds);
}

static void fr_fcfs_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                                void *input) {
    struct request_traffic *t = self;
    const struct fr_fcfs_out *out = output;
    struct fr_fcfs_in *in = input;
    if (out->cmd_valid && out->cmd_kind != DRAM_QUEUE_COLUMN) {
        t->open ^= UINT64_C(1) << out->cmd_bank;
    }
    in->read_ok = t->open & random_banks(now->rng, t->column);
    in->write_ok = t->open & random_banks(now->rng, t->column);
    in->precharge_ok = t->open & random_banks(now->rng, t->row);
    in->activate_ok = ~t->open & random_banks(now->rng, t->row);
    if (in->rst) {
        t->open = 0;
    }
}

/* The requests of a cycle, the entering one too, oldest first, by the rules of dram/fr_fcfs.h. */
struct seen_request {
    struct fr_fcfs_entry e;
    unsigned bank, waits_for; /* requests of its line */
    bool write, hit, legal;   /* its column command, if its line is free */
    bool row_legal;           /* its bank's row command, if its row is not wanted */
};

struct seen_queue {
    struct seen_request r[FR_FCFS_DEPTH_MAX + 1];
    unsigned count, issued; /* the request whose command is issued; count: none */
    bool enters;
    uint64_t wanted; /* banks with a hit */
};

static bool is_same_row(const struct seen_request *a, const struct seen_request *b) {
    return a->bank == b->bank && a->e.row == b->e.row;
}

static void see_queue(struct seen_queue *q, const struct fr_fcfs *s,
                      const struct fr_fcfs_out *out) {
    q->enters = s->arrival.valid && s->count < s->params.DEPTH;
    q->count = s->count + q->enters;
    q->issued = q->count;
    q->wanted = 0;
    for (unsigned i = 0; i < q->count; i++) {
        struct seen_request *r = &q->r[i];
        bool new = i == s->count;
        *r = (struct seen_request){.e = new ? s->arrival.entry : s->entry[i],
                                   .bank = new ? s->arrival.bank : s->at.bank_of[i],
                                   .write = new ? s->arrival.write : s->at.writing[0] >> i & 1};
        for (unsigned older = 0; older < i; older++) {
            r->waits_for += is_same_row(r, &q->r[older]) && q->r[older].e.column == r->e.column &&
                            (r->write || q->r[older].write);
        }
        r->hit = s->open >> r->bank & 1 && s->open_row[r->bank] == r->e.row;
        r->legal = r->hit && (r->write ? s->write_ok : s->read_ok) >> r->bank & 1;
        r->row_legal = s->row_ok >> r->bank & 1;
        q->wanted |= (uint64_t)r->hit << r->bank;
        bool mine = out->cmd_valid && out->cmd_tag == r->e.tag && out->cmd_bank == r->bank &&
                    out->cmd_row == r->e.row && out->cmd_write == r->write;
        bool may = out->cmd_kind == DRAM_QUEUE_COLUMN ? r->legal : r->row_legal;
        may = may && !(out->cmd_kind == DRAM_QUEUE_COLUMN && s->params.ORDER && r->waits_for);
        q->issued = mine && may && q->issued == q->count ? i : q->issued;
    }
}

static void cover_lines(const struct seen_queue *q, uint64_t *counts) {
    for (unsigned i = 0; i < q->count; i++) {
        bool held = q->r[i].legal && q->r[i].waits_for, new = q->enters &&i == q->count - 1;
        counts[new ? LINE_HELD_NEW : LINE_HELD] += held;
        counts[LINE_HELD_BY_TWO] += held && q->r[i].write && q->r[i].waits_for > 1;
    }
}

static void cover_rows(const struct seen_queue *q, const struct fr_fcfs *s,
                       const struct fr_fcfs_in *in, uint64_t *counts) {
    for (unsigned i = 0; i < q->count; i++) {
        const struct seen_request *r = &q->r[i];
        bool closes = r->row_legal && s->open >> r->bank & 1 && !r->hit;
        counts[ROW_KEPT] += closes && s->at.kept_banks >> r->bank & 1;
        counts[NEW_KEEPS_ITS_ROW] += closes && !(s->at.kept_banks >> r->bank & 1) &&
                                     !(in->hold >> r->bank & 1) && q->wanted >> r->bank & 1;
        counts[ROW_HELD] += closes && in->hold >> r->bank & 1 && !(q->wanted >> r->bank & 1);
    }
}

static void cover_column(const struct seen_queue *q, const struct fr_fcfs_out *out,
                         uint64_t *counts) {
    const struct seen_request *c = &q->r[q->issued];
    bool new = q->enters && q->issued == q->count - 1, row = false;
    unsigned others = 0;
    for (unsigned i = 0; i < q->count; i++) {
        const struct seen_request *r = &q->r[i];
        bool older = i < q->issued && r->bank == c->bank;
        counts[HIT_PASSES_OLDER] += older && !r->hit;
        counts[WRITE_PASSES_READ] += older && r->hit && c->write && !r->write;
        row |= r->row_legal && !(q->wanted >> r->bank & 1);
        others += i != q->issued && r->hit && r->bank == c->bank;
    }
    counts[COLUMN_BEFORE_ROW] += row;
    counts[NEW_BEHIND_A_COLUMN] += q->enters && !new && q->r[q->count - 1].legal;
    counts[NEW_COLUMN] += new && !out->cmd_last;
    counts[NEW_LEAVES] += new && out->cmd_last;
    counts[BURST_NOT_LAST] += !out->cmd_last;
    if (!out->cmd_last || new) {
        return;
    }
    const unsigned old = q->count - q->enters;
    const struct seen_request *last = &q->r[q->count - 1];
    counts[ENTERS_AS_ONE_LEAVES] += q->enters;
    counts[OLDEST_LEAVES] += q->issued == 0 && old > 1;
    counts[MIDDLE_LEAVES] += q->issued > 0 && q->issued < old - 1;
    counts[YOUNGEST_LEAVES] += q->issued > 0 && q->issued == old - 1;
    bool follows = q->enters && last->hit && last->bank == c->bank;
    counts[ROW_KEPT_AS_ONE_LEAVES] += others > follows;
    counts[ROW_KEPT_BY_NEWCOMER] += follows && others == 1;
    for (unsigned i = 0; i < q->count && !others; i++) {
        counts[ROW_KEPT_NO_MORE] += i != q->issued && q->r[i].bank == c->bank;
    }
}

static void cover_row_command(const struct seen_queue *q, const struct fr_fcfs_out *out,
                              uint64_t *counts) {
    const struct seen_request *c = &q->r[q->issued];
    bool new = q->enters && q->issued == q->count - 1, opens = out->cmd_kind == DRAM_QUEUE_ACTIVATE;
    counts[NEW_ACTIVATE] += new &&opens;
    counts[NEW_PRECHARGE] += new && !opens;
    unsigned same = 0;
    for (unsigned i = 0; i < q->count; i++) {
        same += is_same_row(&q->r[i], c);
        counts[ROW_PASSES_OLDER] += i < q->issued && !q->r[i].row_legal;
    }
    counts[OPENS_FOR_SEVERAL] += opens && same > 1;
    counts[ENTERS_AS_ITS_ROW_OPENS] +=
        opens && !new && q->enters &&is_same_row(&q->r[q->count - 1], c);
}

/* Row commands in the bank of a request that takes no part yet. */
static void cover_row_of_arrival(const struct fr_fcfs *s, const struct fr_fcfs_in *in,
                                 const struct fr_fcfs_out *out, uint64_t *counts) {
    const bool waits = !out->req_ready;
    const unsigned bank = waits ? s->arrival.bank : in->req_bank;
    const uint32_t row = waits ? s->arrival.entry.row : in->req_row;
    const bool here = (waits || in->req_valid) && out->cmd_valid && out->cmd_bank == bank;
    const bool opens = here && out->cmd_kind == DRAM_QUEUE_ACTIVATE && out->cmd_row == row;
    const bool closes = here && out->cmd_kind == DRAM_QUEUE_PRECHARGE && s->open_row[bank] == row;
    counts[waits ? WAITS_AS_ITS_ROW_OPENS : ARRIVES_AS_ITS_ROW_OPENS] += opens;
    counts[waits ? WAITS_AS_ITS_ROW_CLOSES : ARRIVES_AS_ITS_ROW_CLOSES] += closes;
}

static void fr_fcfs_count_points(void *self, const struct lockstep_now *now, const void *input,
                                 const void *output, uint64_t *counts) {
    const struct fr_fcfs_params *p = now->params;
    const struct fr_fcfs *s = now->state;
    const struct fr_fcfs_in *in = input;
    const struct fr_fcfs_out *out = output;
    struct seen_queue q;
    (void)self;
    counts[RESET_AT_WORK] += in->rst && out->cmd_valid && in->req_valid && s->count;
    if (in->rst) {
        return;
    }
    see_queue(&q, s, out);
    cover_row_of_arrival(s, in, out, counts);
    counts[REFUSED] += in->req_valid && !out->req_ready;
    counts[LAST_BANK] += out->cmd_valid && out->cmd_bank == p->BANKS - 1;
    if (p->ORDER) {
        cover_lines(&q, counts);
    }
    cover_rows(&q, s, in, counts);
    counts[ENTERS_A_HIT] += q.enters && q.r[q.count - 1].hit && q.issued != q.count - 1;
    if (out->cmd_valid && q.issued < q.count) {
        (out->cmd_kind == DRAM_QUEUE_COLUMN ? cover_column : cover_row_command)(&q, out, counts);
    }
    if (fr_fcfs_quiet(s, in)) {
        counts[QUIET_EMPTY] += !s->count;
        counts[QUIET_WAITING] += s->count && s->count < p->DEPTH;
        counts[QUIET_FULL] += s->count == p->DEPTH;
    }
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct request_traffic),
    .points = points,
    .early = fr_fcfs_early_inputs,
    .late = fr_fcfs_late_inputs,
    .cover = fr_fcfs_count_points,
    .unreachable = point_unreachable,
};
