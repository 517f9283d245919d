/* SPDX-License-Identifier: Apache-2.0
 * MRPB: random traffic in phases, and what it must reach. */
#include "l1/mrpb_cases.h"

/* clang-format off */
#define MRPB_POINTS(P) \
    P(EVERYTHING_EMPTY,            "everything empty") \
    P(QUEUE_FULL,                  "a queue full") \
    P(ALL_QUEUES_HOLD_ONE,         "every queue holds one") \
    P(HEAD_WRAPS,                  "head wraps") \
    P(TAIL_WRAPS,                  "tail wraps") \
    P(IN_AND_OUT_SAME_QUEUE,       "in and out of one queue") \
    P(IN_AND_OUT_OTHER_QUEUE,      "in and out of two queues") \
    P(FREED_AND_FILLED,            "a place freed as one is filled") \
    P(DELAY_LINE_FULL,             "delay line full") \
    P(LAST_QUEUE_BY_POLICY,        "last queue by policy") \
    P(LIST_FULL,                   "as many chosen as may be") \
    P(LIST_FULL_MOVES,             "one is read of as many as may be") \
    P(STORED_WRITE,                "a write out of a queue", p->FLUSH) \
    P(RULE_1,                      "rule 1 against the policy", !p->FLUSH) \
    P(RULE_1_PLACE_COMING,         "rule 1 has a place coming", !p->FLUSH) \
    P(RULE_2,                      "rule 2 against the policy", !p->FLUSH) \
    P(RULE_2_NOT_RIPE,             "rule 2 finds nothing selectable", !p->FLUSH) \
    P(FLUSH_WAITS,                 "flush while nothing may be chosen", !p->FLUSH) \
    P(WRITE_PASSES,                "write to empty queue", !p->FLUSH) \
    P(WRITE_BEFORE_READS,          "write chosen before reads", !p->FLUSH) \
    P(WRITES_IN_A_ROW,             "writes chosen in a row", !p->FLUSH) \
    P(WRITES_MOST,                 "as many writes as may be", !p->FLUSH) \
    P(WRITE_WAITS_FOR_ROOM,        "write waits for room", !p->FLUSH) \
    P(WRITE_HELD,                  "write waits for the reads", !p->FLUSH) \
    P(WRITES_OF_ONE_QUEUE,         "two writes of one queue", !p->FLUSH) \
    P(READ_BEHIND_WRITE,           "read waits behind write of its queue", !p->FLUSH) \
    P(READ_CHOSEN_AS_WRITE_ENTERS, "read chosen as a write enters", !p->FLUSH) \
    P(TURN_MOVES,                  "turn passes the lowest", basic_drain(p) != MRPB_DRAIN_ROUND_ROBIN) \
    P(TURN_WRAPS,                  "turn wraps", basic_drain(p) != MRPB_DRAIN_ROUND_ROBIN) \
    P(LONGEST_NOT_LOWEST,          "longest is not the lowest", basic_drain(p) != MRPB_DRAIN_LONGEST) \
    P(LONGEST_OF_EQUALS,           "lowest of equally long ones", basic_drain(p) != MRPB_DRAIN_LONGEST) \
    P(LONGEST_GONE,                "longest has emptied", basic_drain(p) != MRPB_DRAIN_LONGEST) \
    P(GREED_STAYS,                 "greed against the basic policy", p->DRAIN < MRPB_DRAIN_GREEDY_FIXED) \
    P(GREED_ENDS,                  "greed ends with its queue", p->DRAIN < MRPB_DRAIN_GREEDY_FIXED) \
    P(GREED_INTERRUPTED,           "greed interrupted by a flush", p->DRAIN < MRPB_DRAIN_GREEDY_FIXED || !p->FLUSH) \
    P(BYPASS_SET,                  "bypass set", p->BYPASS == MRPB_BYPASS_OFF) \
    P(BYPASS_TAKEN,                "bypass taken", p->BYPASS == MRPB_BYPASS_OFF) \
    P(STALL_WITHOUT_BYPASS,        "refused without bypass") \
    P(STALLED_WRITE,               "write refused with stall") \
    P(STALL_AND_READY,             "taken with stall") \
    P(RESET_AT_WORK,               "reset at work") \
    P(QUIET_EMPTY,                 "quiet empty") \
    P(QUIET_STALLED,               "quiet stalled") \
    P(REQUEST_WITHDRAWN,           "request withdrawn") \
    P(WRITE_FINDS_1,               "write finds 1", !p->FLUSH || p->DEPTH < 1) \
    P(WRITE_FINDS_2,               "write finds 2", !p->FLUSH || p->DEPTH < 2) \
    P(WRITE_FINDS_3,               "write finds 3", !p->FLUSH || p->DEPTH < 3) \
    P(WRITE_FINDS_4,               "write finds 4", !p->FLUSH || p->DEPTH < 4) \
    P(WRITE_FINDS_5,               "write finds 5", !p->FLUSH || p->DEPTH < 5) \
    P(WRITE_FINDS_6,               "write finds 6", !p->FLUSH || p->DEPTH < 6) \
    P(WRITE_FINDS_7,               "write finds 7", !p->FLUSH || p->DEPTH < 7) \
    P(WRITE_FINDS_8,               "write finds 8", !p->FLUSH || p->DEPTH < 8)
/* clang-format on */

static unsigned basic_drain(const struct mrpb_params *p) {
    return p->DRAIN % MRPB_DRAIN_GREEDY_FIXED;
}

COVERAGE_POINTS(MRPB_POINTS, struct mrpb_params)

/* Phases with traffic of their own, so that rare states come often in some of them. */
struct random_traffic {
    unsigned left;                /* cycles of this phase */
    unsigned base, span;          /* queues that requests go to */
    unsigned busy, writes;        /* in 16 */
    unsigned ready, stall, assoc; /* in 16 */
    unsigned patience;            /* in 16: keeps asking */
    bool waiting;                 /* a request was refused in the last cycle */
    bool withdrawn;               /* and is not there any more */
};

static void new_mrpb_phase(struct random_traffic *st, const struct mrpb_params *p,
                           struct rng *rng) {
    static const unsigned often[] = {0, 1, 4, 8, 12, 15, 16, 16};
    st->left = 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 400 : 60);
    st->span = rng_chance(rng, 1, 2) ? p->QUEUES : 1 + rng_below(rng, 3);
    st->span = st->span > p->QUEUES ? p->QUEUES : st->span;
    st->base = rng_below(rng, p->QUEUES - st->span + 1);
    st->busy = often[rng_below(rng, 8)];
    st->writes = (unsigned[]){0, 0, 1, 2, 6, 16}[rng_below(rng, 6)];
    st->ready = often[rng_below(rng, 8)];
    st->stall = often[rng_below(rng, 8)];
    st->assoc = often[rng_below(rng, 8)];
    st->patience = rng_chance(rng, 1, 4) ? 8 : 16;
}

static void mrpb_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_traffic *st = self;
    const struct mrpb_params *p = now->params;
    struct mrpb_in *in = input;
    if (st->left-- == 0) {
        new_mrpb_phase(st, p, now->rng);
    }
    in->rst = rng_chance(now->rng, 1, 3000);
    st->withdrawn = st->waiting && !rng_chance(now->rng, st->patience, 16);
    if (st->waiting && !st->withdrawn) {
        return;
    }
    in->enq_valid = rng_chance(now->rng, st->busy, 16);
    in->enq_queue = (uint8_t)(st->base + rng_below(now->rng, st->span));
    in->enq_write = rng_chance(now->rng, st->writes, 16);
    for (unsigned i = 0; i < MRPB_DATA_WORDS; i++) {
        in->enq_data[i] = rng_next(now->rng);
    }
}

static void mrpb_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                             void *input) {
    struct random_traffic *st = self;
    const struct mrpb_out *out = output;
    struct mrpb_in *in = input;
    in->deq_ready = rng_chance(now->rng, st->ready, 16);
    in->deq_stall = rng_chance(now->rng, st->stall, 16);
    in->deq_assoc_stall = rng_chance(now->rng, st->assoc, 16);
    st->waiting = in->enq_valid && !out->enq_ready;
}

/* The choice at this edge, from the rules in l1/mrpb.h. */
struct choice {
    bool write, queue; /* a write that waits; an entry of a queue */
    bool flush;        /* for rule 1 or 2 */
    uint64_t from;     /* those that rule 3 looks at first */
    unsigned policy;   /* the queue that rule 3 names, */
    unsigned pick;     /* and the one that is taken */
};

static unsigned lowest_queue(uint64_t queues) {
    return (unsigned)__builtin_ctzll(queues);
}

static struct choice choice_of(const struct mrpb *s) {
    struct choice c = {0};
    uint64_t flush = s->ready & ((s->refused_read & ~s->coming) | s->refused_write);
    bool may = s->picks < s->pipe;
    c.write = may && s->waiting;
    c.queue = may && !s->waiting && s->ready;
    if (!c.queue) {
        return c;
    }
    c.from = s->ready & s->chosen ? s->ready & s->chosen : s->ready & s->prefer;
    c.policy = lowest_queue(c.from ? c.from : s->ready);
    c.flush = flush != 0;
    c.pick = c.flush ? lowest_queue(flush) : c.policy;
    return c;
}

static void mrpb_count_queue_points(const struct mrpb *s, const struct mrpb_params *p,
                                    uint64_t *counts) {
    unsigned total = 0, least = ~0u, most = 0;
    for (unsigned queue = 0; queue < p->QUEUES; queue++) {
        unsigned stored = s->queue[queue].stored;
        total += stored;
        least = stored < least ? stored : least;
        most = stored > most ? stored : most;
    }
    counts[EVERYTHING_EMPTY] += total == 0 && !s->offered && !s->picks && !s->writes;
    counts[QUEUE_FULL] += most == p->DEPTH;
    counts[ALL_QUEUES_HOLD_ONE] += least >= 1;
    counts[DELAY_LINE_FULL] += s->delay_valid == 2 * s->delay_last - 1;
}

static void cover_policy(const struct mrpb *s, const struct mrpb_params *p, struct choice c,
                         uint64_t *counts) {
    bool by_policy = c.queue && !c.flush;
    uint64_t again = s->ready & s->chosen, first = s->ready & s->prefer;
    bool based = by_policy && !again;
    counts[LAST_QUEUE_BY_POLICY] += by_policy && c.policy == p->QUEUES - 1;
    if (basic_drain(p) == MRPB_DRAIN_ROUND_ROBIN) {
        counts[TURN_MOVES] += based && first && c.policy != lowest_queue(s->ready);
        counts[TURN_WRAPS] += based && !first && s->prefer;
    } else if (basic_drain(p) == MRPB_DRAIN_LONGEST) {
        counts[LONGEST_NOT_LOWEST] += based && first && c.policy != lowest_queue(s->ready);
        counts[LONGEST_OF_EQUALS] += based && (first & (first - 1)) && first != s->ready;
        counts[LONGEST_GONE] += based && !first;
    }
    if (c.queue) {
        counts[GREED_STAYS] +=
            again && !c.flush && c.policy != lowest_queue(first ? first : s->ready);
        counts[GREED_ENDS] += s->chosen && !again && !c.flush;
        counts[GREED_INTERRUPTED] += again && c.flush && c.pick != c.policy;
    }
}

static void cover_flush(const struct mrpb *s, const struct mrpb_in *in, const struct mrpb_out *out,
                        struct choice c, uint64_t *counts) {
    bool waits = in->enq_valid && in->enq_write && !out->enq_ready;
    bool enters = in->enq_valid && in->enq_write && out->enq_ready;
    bool room = s->writes < s->pipe + 2;
    if (c.flush && c.pick != c.policy) {
        counts[s->refused_write ? RULE_2 : RULE_1]++;
    }
    if (c.flush && s->refused_write) {
        unsigned found = s->queue[c.pick].stored;
        counts[WRITE_FINDS_1 + (found > 8 ? 8 : found) - 1]++;
    }
    counts[RULE_1_PLACE_COMING] += c.queue && (s->refused_read & s->coming & s->ready);
    counts[RULE_2_NOT_RIPE] += c.queue && (s->refused_write & ~s->ready);
    counts[FLUSH_WAITS] +=
        s->picks == s->pipe && (s->ready & ((s->refused_read & ~s->coming) | s->refused_write));
    counts[WRITE_PASSES] += enters;
    counts[WRITE_BEFORE_READS] += c.write && s->ready;
    counts[WRITES_IN_A_ROW] += c.write && s->picked_last && s->picked_write;
    counts[WRITES_MOST] += !room;
    counts[WRITE_WAITS_FOR_ROOM] += waits && !room && !s->queue[in->enq_queue].stored;
    counts[WRITE_HELD] += waits && room && s->hold && !s->queue[in->enq_queue].stored;
    counts[READ_CHOSEN_AS_WRITE_ENTERS] += enters && c.queue;
    if (s->waiting) {
        const struct mrpb_request *w = &s->write[s->write_at];
        counts[READ_BEHIND_WRITE] += s->ready >> w->queue & 1;
        counts[WRITES_OF_ONE_QUEUE] +=
            s->waiting > 1 && s->write[(s->write_at + 1) % MRPB_WRITES_MAX].queue == w->queue;
    }
}

static void cover_outbound(const struct mrpb *s, const struct mrpb_params *p,
                           const struct mrpb_in *in, const struct mrpb_out *out, uint64_t *counts) {
    bool refused = out->deq_valid && !in->deq_ready, taken = out->deq_valid && in->deq_ready;
    bool stall = p->BYPASS == MRPB_BYPASS_ASSOCIATIVITY ? in->deq_assoc_stall
                 : p->BYPASS == MRPB_BYPASS_ALL         ? in->deq_stall
                                                        : false;
    bool any = in->deq_assoc_stall || in->deq_stall;
    counts[STORED_WRITE] += taken && out->deq_write && !p->FLUSH;
    counts[LIST_FULL] += s->picks == s->pipe;
    counts[LIST_FULL_MOVES] += s->picks == s->pipe && taken;
    counts[BYPASS_SET] += refused && !out->deq_write && stall && !s->bypass;
    counts[BYPASS_TAKEN] += taken && out->deq_bypass;
    counts[STALL_WITHOUT_BYPASS] += refused && !out->deq_write && !stall;
    counts[STALLED_WRITE] += refused && out->deq_write && any;
    counts[STALL_AND_READY] += taken && !out->deq_write && any && s->picks;
}

static void mrpb_count_points(void *self, const struct lockstep_now *now, const void *input,
                              const void *output, uint64_t *counts) {
    const struct mrpb_params *p = now->params;
    const struct mrpb *s = now->state;
    const struct mrpb_in *in = input;
    const struct mrpb_out *out = output;
    const struct random_traffic *st = self;
    bool enters = in->enq_valid && out->enq_ready && !(in->enq_write && p->FLUSH);
    const struct mrpb_queue *q = &s->queue[in->enq_queue];
    struct choice c = choice_of(s);

    if (in->rst) {
        counts[RESET_AT_WORK] += out->deq_valid && s->ready && s->delay_valid && enters;
        return;
    }
    mrpb_count_queue_points(s, p, counts);
    counts[HEAD_WRAPS] += c.queue && s->queue[c.pick].head == p->DEPTH - 1;
    counts[TAIL_WRAPS] += enters && q->tail == p->DEPTH - 1;
    counts[IN_AND_OUT_SAME_QUEUE] += c.queue && enters && c.pick == in->enq_queue;
    counts[IN_AND_OUT_OTHER_QUEUE] += c.queue && enters && c.pick != in->enq_queue;
    counts[FREED_AND_FILLED] += enters && s->freeing && s->freed_queue == in->enq_queue;
    cover_policy(s, p, c, counts);
    if (p->FLUSH) {
        cover_flush(s, in, out, c, counts);
    }
    cover_outbound(s, p, in, out, counts);
    counts[REQUEST_WITHDRAWN] += st->withdrawn;
    bool quiet = mrpb_quiet(s, in);
    counts[QUIET_EMPTY] += quiet && !out->deq_valid;
    counts[QUIET_STALLED] += quiet && out->deq_valid;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_traffic),
    .points = points,
    .early = mrpb_early_inputs,
    .late = mrpb_late_inputs,
    .cover = mrpb_count_points,
    .unreachable = point_unreachable,
};
