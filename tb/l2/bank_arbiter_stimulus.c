/* SPDX-License-Identifier: Apache-2.0
 * Bank arbiter: random traffic in phases, and what it must reach. */
#include "l2/bank_arbiter_cases.h"

/* clang-format off */
#define BANK_ARBITER_POINTS(P) \
    P(NOBODY,                 "nobody asks") \
    P(EVERY_PORT_SERVED,      "every port served at once", p->PORTS > p->BANKS) \
    P(EVERY_BANK_SERVED,      "every bank served at once", p->BANKS > p->PORTS) \
    P(LAST_PORT_TO_LAST_BANK, "last port to last bank") \
    P(TURN_DECIDES,           "turn decides between two", p->PORTS < 2) \
    P(TURN_WRAPS,             "turn goes round the end", p->PORTS < 3) \
    P(ALL_FOR_ONE_BANK,       "all ports for one bank", p->PORTS < 2) \
    P(OWED_AGAINST_TURN,      "owed port before the first in turn", p->PORTS < 2) \
    P(OWED_SEVERAL,           "turn decides between two that are owed", p->PORTS < 3) \
    P(DEBT_PAID,              "last debt paid while others wait", p->PORTS < 2) \
    P(DEBT_DROPPED,           "debt dropped: its port does not ask", p->PORTS < 2) \
    P(DEBT_REPLACED,          "debt replaced by another port's", p->PORTS < 3) \
    P(DEBT_WAITS_FOR_ROOM,    "owed port waits for room", p->PORTS < 2) \
    P(DEBT_NOT_ASKED,         "debt kept while nobody asks", p->PORTS < 2) \
    P(ONE_BANK_FULL,          "one bank full, another served", p->PORTS < 2 || p->BANKS < 2) \
    P(ALL_BANKS_FULL,         "all banks full") \
    P(REQUEST_WITHDRAWN,      "request withdrawn") \
    P(RESET_WITH_DEBT,        "reset with a debt", p->PORTS < 2) \
    P(QUIET_ALONE,            "quiet while a port is served") \
    P(QUIET_HELD,             "quiet while a port is held")
/* clang-format on */

COVERAGE_POINTS(BANK_ARBITER_POINTS, struct bank_arbiter_params)

struct random_requests {
    unsigned left;         /* cycles of this phase */
    unsigned asking, room; /* of 16 */
    unsigned banks;        /* requests go to so many */
    unsigned turns;        /* how the turn goes on */
    bool keeps;            /* a request waits until it is served */
    uint8_t served, withdrawn;
};

static void bank_arbiter_next_phase(struct random_requests *st, const struct bank_arbiter_params *p,
                                    struct rng *rng) {
    static const unsigned often[] = {1, 4, 8, 12, 15, 16};
    st->left = rng_below(rng, 120);
    st->asking = often[rng_below(rng, 6)];
    st->room = often[rng_below(rng, 6)];
    st->banks = 1 + rng_below(rng, p->BANKS);
    st->turns = rng_below(rng, 4);
    st->keeps = rng_chance(rng, 2, 3);
}

static void bank_arbiter_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_requests *st = self;
    const struct bank_arbiter_params *p = now->params;
    struct bank_arbiter_in *in = input;
    if (st->left-- == 0) {
        bank_arbiter_next_phase(st, p, now->rng);
    }
    unsigned waits = in->req_valid & ~st->served, last = 0;
    for (unsigned i = 0; i < p->PORTS; i++) {
        last |= in->req_valid & 1u << i;
        if (st->keeps && (waits >> i & 1)) {
            continue;
        }
        in->req_valid &= (uint8_t) ~(1u << i);
        in->req_valid |= (uint8_t)(rng_chance(now->rng, st->asking, 16) << i);
        in->req_bank[i] = (uint8_t)((rng_below(now->rng, st->banks) + st->left / 32) % p->BANKS);
        in->req_data[i] = rng_next(now->rng);
    }
    st->withdrawn = (uint8_t)(waits & ~in->req_valid);
    in->room = 0;
    for (unsigned i = 0; i < p->BANKS; i++) {
        in->room |= (uint16_t)(rng_chance(now->rng, st->room, 16) << i);
    }
    switch (st->turns) {
    case 0: break; /* stands still */
    case 1: in->turn = (uint8_t)rng_below(now->rng, p->PORTS); break;
    default: in->turn = (uint8_t)(now->cycle % p->PORTS); break;
    }
    in->rst = rng_chance(now->rng, 1, 1000);
}

static bool are_several(unsigned ports) {
    return ports & (ports - 1);
}

static void bank_arbiter_count_bank(const struct bank_arbiter_params *p,
                                    const struct bank_arbiter_in *in,
                                    const struct bank_arbiter_out *out, unsigned bank,
                                    unsigned debts, uint64_t *counts) {
    unsigned wanting = 0, port = out->bank_port[bank];
    bool room = in->room >> bank & 1;
    for (unsigned i = 0; i < p->PORTS; i++) {
        wanting |= (in->req_valid >> i & 1) && in->req_bank[i] == bank ? 1u << i : 0;
    }
    counts[DEBT_NOT_ASKED] += debts && !wanting;
    counts[DEBT_WAITS_FOR_ROOM] += (debts & wanting) && !room;
    if (!wanting || !room) {
        return;
    }
    unsigned owed = debts & wanting;
    counts[LAST_PORT_TO_LAST_BANK] += bank == p->BANKS - 1 && port == p->PORTS - 1;
    counts[TURN_DECIDES] +=
        !owed && are_several(wanting) && port > (unsigned)__builtin_ctz(wanting);
    counts[TURN_WRAPS] += !owed && are_several(wanting) && port < in->turn;
    counts[ALL_FOR_ONE_BANK] += are_several(wanting) && wanting == (1u << p->PORTS) - 1;
    counts[OWED_AGAINST_TURN] += owed && (wanting >> in->turn & 1) && port != in->turn;
    counts[OWED_SEVERAL] += are_several(owed) && port > (unsigned)__builtin_ctz(owed);
    counts[DEBT_PAID] += owed && !are_several(owed) && are_several(wanting);
    counts[DEBT_DROPPED] += (debts & ~wanting) && !are_several(wanting);
    counts[DEBT_REPLACED] += debts && !owed && are_several(wanting);
}

static void bank_arbiter_count_points(void *self, const struct lockstep_now *now, const void *input,
                                      const void *output, uint64_t *counts) {
    struct random_requests *st = self;
    const struct bank_arbiter_params *p = now->params;
    const struct bank_arbiter *s = now->state;
    const struct bank_arbiter_in *in = input;
    const struct bank_arbiter_out *out = output;
    unsigned every_port = (1u << p->PORTS) - 1, every_bank = (1u << p->BANKS) - 1, debts = 0;
    for (unsigned bank = 0; bank < p->BANKS; bank++) {
        debts |= s->owed[bank];
    }
    st->served = out->req_ready;
    counts[RESET_WITH_DEBT] += in->rst && debts;
    if (in->rst) {
        return;
    }
    for (unsigned bank = 0; bank < p->BANKS; bank++) {
        bank_arbiter_count_bank(p, in, out, bank, s->owed[bank], counts);
    }
    unsigned held = in->req_valid & ~out->req_ready;
    counts[NOBODY] += !in->req_valid;
    counts[EVERY_PORT_SERVED] += out->req_ready == every_port;
    counts[EVERY_BANK_SERVED] += out->bank_valid == every_bank;
    for (unsigned i = 0; i < p->PORTS; i++) {
        bool full = (held >> i & 1) && !(in->room >> in->req_bank[i] & 1);
        counts[ONE_BANK_FULL] += full && out->req_ready;
    }
    counts[ALL_BANKS_FULL] += in->req_valid && !in->room;
    counts[REQUEST_WITHDRAWN] += st->withdrawn != 0;
    bool quiet = bank_arbiter_quiet(s, in);
    counts[QUIET_ALONE] += quiet && out->req_ready;
    counts[QUIET_HELD] += quiet && held;
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_requests),
    .points = points,
    .early = bank_arbiter_early_inputs,
    .cover = bank_arbiter_count_points,
    .unreachable = point_unreachable,
};
