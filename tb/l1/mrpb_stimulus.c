/* SPDX-License-Identifier: Apache-2.0
 * MRPB: random traffic in phases, and what it must reach. */
#include "l1/mrpb_cases.h"

enum point {
    EVERYTHING_EMPTY,
    QUEUE_FULL,
    ALL_QUEUES_HOLD_ONE,
    HEAD_WRAPS,
    TAIL_WRAPS,
    IN_AND_OUT_SAME_QUEUE,
    IN_AND_OUT_OTHER_QUEUE,
    DELAY_LINE_FULL,
    LAST_QUEUE_BY_ORDER,
    FLUSH_OF_FULL_QUEUE,
    FLUSH_WAITS_FOR_DELAY_LINE,
    FLUSH_WAITS_FOR_BUFFER,
    WRITE_TO_EMPTY_QUEUE,
    WRITE_BEHIND_READ,
    WRITE_WITH_SELECTION,
    WRITE_WAITS_FOR_SLOT,
    WRITE_SLOTS_FULL,
    WRITE_SLOTS_OF_ONE_QUEUE,
    WRITE_IN_AND_OUT,
    SELECTION_AS_LAST_WRITE_LEAVES,
    WRITE_IN_AND_OUT_WITH_SELECTION,
    NO_SELECTION_AS_FIRST_WRITE_LEAVES,
    READ_BEHIND_WRITE,
    READ_BEHIND_SECOND_WRITE,
    BYPASS_SET,
    BYPASS_TAKEN,
    STALL_WITHOUT_BYPASS,
    STALLED_WRITE,
    STALL_AND_READY,
    RESET_AT_WORK,
    QUIET_EMPTY,
    QUIET_STALLED,
    REQUEST_WITHDRAWN,
    WRITE_FINDS_1,
    WRITE_FINDS_8 = WRITE_FINDS_1 + 7,
    POINTS
};

static const char *const points[POINTS + 1] = {
    [EVERYTHING_EMPTY] = "everything empty",
    [QUEUE_FULL] = "a queue full",
    [ALL_QUEUES_HOLD_ONE] = "every queue holds one",
    [HEAD_WRAPS] = "head wraps",
    [TAIL_WRAPS] = "tail wraps",
    [IN_AND_OUT_SAME_QUEUE] = "in and out of one queue",
    [IN_AND_OUT_OTHER_QUEUE] = "in and out of two queues",
    [DELAY_LINE_FULL] = "delay line full",
    [LAST_QUEUE_BY_ORDER] = "last queue in order",
    [FLUSH_OF_FULL_QUEUE] = "rule 1 against order",
    [FLUSH_WAITS_FOR_DELAY_LINE] = "flush finds nothing selectable",
    [FLUSH_WAITS_FOR_BUFFER] = "flush finds buffer occupied",
    [WRITE_TO_EMPTY_QUEUE] = "write to empty queue",
    [WRITE_BEHIND_READ] = "write behind read",
    [WRITE_WITH_SELECTION] = "write enters with a selection",
    [WRITE_WAITS_FOR_SLOT] = "write waits for slot",
    [WRITE_SLOTS_FULL] = "both write slots full",
    [WRITE_SLOTS_OF_ONE_QUEUE] = "two writes of one queue",
    [WRITE_IN_AND_OUT] = "write enters while one leaves",
    [SELECTION_AS_LAST_WRITE_LEAVES] = "selection as last write leaves",
    [WRITE_IN_AND_OUT_WITH_SELECTION] = "write in, write out, selection",
    [NO_SELECTION_AS_FIRST_WRITE_LEAVES] = "second write stops selection",
    [READ_BEHIND_WRITE] = "read waits behind write of its queue",
    [READ_BEHIND_SECOND_WRITE] = "read waits behind second write",
    [BYPASS_SET] = "bypass set",
    [BYPASS_TAKEN] = "bypass taken",
    [STALL_WITHOUT_BYPASS] = "refused without bypass",
    [STALLED_WRITE] = "write refused for associativity",
    [STALL_AND_READY] = "taken with stall",
    [RESET_AT_WORK] = "reset at work",
    [QUIET_EMPTY] = "quiet empty",
    [QUIET_STALLED] = "quiet stalled",
    [REQUEST_WITHDRAWN] = "request withdrawn",
    [WRITE_FINDS_1] = "write finds 1",
    [WRITE_FINDS_1 + 1] = "write finds 2",
    [WRITE_FINDS_1 + 2] = "write finds 3",
    [WRITE_FINDS_1 + 3] = "write finds 4",
    [WRITE_FINDS_1 + 4] = "write finds 5",
    [WRITE_FINDS_1 + 5] = "write finds 6",
    [WRITE_FINDS_1 + 6] = "write finds 7",
    [WRITE_FINDS_8] = "write finds 8",
};

static bool unreachable(const void *params, unsigned point) {
    const struct mrpb_params *p = params;
    return point >= WRITE_FINDS_1 && point - WRITE_FINDS_1 >= p->DEPTH;
}

/* Phases with traffic of their own, so that rare states come often in some of them. */
struct random_traffic {
    unsigned left;         /* cycles of this phase */
    unsigned base, span;   /* queues that requests go to */
    unsigned busy, writes; /* in 16 */
    unsigned ready, stall; /* in 16 */
    unsigned patience;     /* in 16: keeps asking */
    bool waiting;          /* a request was refused in the last cycle */
    bool withdrawn;        /* and is not there any more */
};

static void new_phase(struct random_traffic *st, const struct mrpb_params *p, struct rng *rng) {
    static const unsigned often[] = {0, 1, 4, 8, 12, 15, 16, 16};
    st->left = 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 400 : 60);
    st->span = rng_chance(rng, 1, 2) ? p->QUEUES : 1 + rng_below(rng, 3);
    st->span = st->span > p->QUEUES ? p->QUEUES : st->span;
    st->base = rng_below(rng, p->QUEUES - st->span + 1);
    st->busy = often[rng_below(rng, 8)];
    st->writes = (unsigned[]){0, 0, 1, 2, 6, 16}[rng_below(rng, 6)];
    st->ready = often[rng_below(rng, 8)];
    st->stall = often[rng_below(rng, 8)];
    st->patience = rng_chance(rng, 1, 4) ? 8 : 16;
}

static void early(void *self, const struct lockstep_now *now, void *input) {
    struct random_traffic *st = self;
    const struct mrpb_params *p = now->params;
    struct mrpb_in *in = input;
    if (st->left-- == 0) {
        new_phase(st, p, now->rng);
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

static void late(void *self, const struct lockstep_now *now, const void *output, void *input) {
    struct random_traffic *st = self;
    const struct mrpb_out *out = output;
    struct mrpb_in *in = input;
    in->deq_ready = rng_chance(now->rng, st->ready, 16);
    in->deq_assoc_stall = rng_chance(now->rng, st->stall, 16);
    st->waiting = in->enq_valid && !out->enq_ready;
}

static void cover(void *self, const struct lockstep_now *now, const void *input, const void *output,
                  uint64_t *counts) {
    const struct mrpb_params *p = now->params;
    const struct mrpb *s = now->state;
    const struct mrpb_in *in = input;
    const struct mrpb_out *out = output;
    const struct random_traffic *st = self;
    bool refused = out->deq_valid && !in->deq_ready;
    bool taken = out->deq_valid && in->deq_ready;
    bool waits = in->enq_valid && !out->enq_ready;
    bool enters = in->enq_valid && out->enq_ready;
    unsigned writes_stay = s->writes - (taken && out->deq_write);
    bool room = writes_stay == 0 && (!s->read_valid || in->deq_ready);
    bool ripe = s->nonempty >> in->enq_queue & 1;
    bool selects = room && s->nonempty;
    unsigned lowest = s->nonempty ? (unsigned)__builtin_ctzll(s->nonempty) : 0;
    unsigned pick = waits && ripe ? in->enq_queue : lowest;
    unsigned stages = p->LATENCY - 2;
    unsigned total = 0, least = ~0u, most = 0;

    if (in->rst) {
        counts[RESET_AT_WORK] += out->deq_valid && s->nonempty && s->delay_valid && enters;
        return;
    }
    for (unsigned queue = 0; queue < p->QUEUES; queue++) {
        unsigned count = s->count[queue];
        total += count;
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    counts[EVERYTHING_EMPTY] += total == 0 && !out->deq_valid;
    counts[QUEUE_FULL] += most == p->DEPTH;
    counts[ALL_QUEUES_HOLD_ONE] += least >= 1;
    counts[DELAY_LINE_FULL] += s->delay_valid == (1u << stages) - 1;

    bool read_enters = enters && !in->enq_write;
    unsigned tail = (s->head[in->enq_queue] + s->count[in->enq_queue]) % p->DEPTH;
    counts[HEAD_WRAPS] += selects && s->head[pick] == p->DEPTH - 1;
    counts[TAIL_WRAPS] += read_enters && tail == p->DEPTH - 1;
    counts[IN_AND_OUT_SAME_QUEUE] += selects && read_enters && pick == in->enq_queue;
    counts[IN_AND_OUT_OTHER_QUEUE] += selects && read_enters && pick != in->enq_queue;
    counts[LAST_QUEUE_BY_ORDER] += selects && lowest == p->QUEUES - 1 && !waits;

    counts[FLUSH_OF_FULL_QUEUE] += waits && !in->enq_write && selects && ripe && pick > lowest;
    counts[FLUSH_WAITS_FOR_DELAY_LINE] += waits && selects && !ripe;
    counts[FLUSH_WAITS_FOR_BUFFER] += waits && ripe && !room;
    if (waits && in->enq_write && selects && ripe) {
        unsigned found = s->count[in->enq_queue];
        counts[WRITE_FINDS_1 + (found > 8 ? 8 : found) - 1]++;
    }

    bool write_enters = enters && in->enq_write;
    bool write_leaves = taken && out->deq_write;
    bool full = s->writes == MRPB_WRITE_SLOTS;
    counts[WRITE_TO_EMPTY_QUEUE] += write_enters;
    counts[WRITE_WITH_SELECTION] += write_enters && selects;
    counts[WRITE_BEHIND_READ] += s->writes > 0 && s->read_valid && taken;
    counts[WRITE_WAITS_FOR_SLOT] += waits && in->enq_write && full && s->count[in->enq_queue] == 0;
    counts[WRITE_SLOTS_FULL] += full;
    counts[WRITE_SLOTS_OF_ONE_QUEUE] += full && s->write_queue[0] == s->write_queue[1];
    counts[WRITE_IN_AND_OUT] += write_enters && write_leaves;
    counts[SELECTION_AS_LAST_WRITE_LEAVES] += write_leaves && selects;
    counts[WRITE_IN_AND_OUT_WITH_SELECTION] += write_enters && write_leaves && selects;
    counts[NO_SELECTION_AS_FIRST_WRITE_LEAVES] += write_leaves && full && s->nonempty;
    counts[READ_BEHIND_WRITE] +=
        s->writes > 0 && !s->read_valid && s->selectable[s->write_queue[0]] > 0;
    counts[READ_BEHIND_SECOND_WRITE] +=
        full && !s->read_valid && s->selectable[s->write_queue[1]] > 0;

    counts[BYPASS_SET] += refused && s->read_valid && in->deq_assoc_stall && !s->read_bypass;
    counts[BYPASS_TAKEN] += taken && out->deq_bypass;
    counts[STALL_WITHOUT_BYPASS] += refused && s->read_valid && !in->deq_assoc_stall;
    counts[STALLED_WRITE] += refused && out->deq_write && in->deq_assoc_stall;
    counts[STALL_AND_READY] += taken && !out->deq_write && in->deq_assoc_stall && selects;
    counts[REQUEST_WITHDRAWN] += st->withdrawn;

    bool quiet = mrpb_quiet(s, in);
    counts[QUIET_EMPTY] += quiet && !out->deq_valid;
    counts[QUIET_STALLED] += quiet && out->deq_valid;
}

const struct stimulus mrpb_stimulus = {
    .size = sizeof(struct random_traffic),
    .points = points,
    .early = early,
    .late = late,
    .cover = cover,
    .unreachable = unreachable,
};
