/* SPDX-License-Identifier: Apache-2.0
 * Bypass: random traffic in phases, and what it must reach. */
#include "l2/bypass_cases.h"

/* clang-format off */
#define BYPASS_POINTS(P) \
    P(EVERYTHING_EMPTY,              "everything empty") \
    P(EVERYTHING_FULL,               "everything full") \
    P(FULL_REFUSES,                  "full port refuses") \
    P(FULL_GIVES,                    "full port refuses as one leaves") \
    P(IN_AND_OUT,                    "in and out of one port") \
    P(DRAM_AT_ONCE,                  "to the DRAM in its first cycle") \
    P(DRAM_LATER,                    "to the DRAM later") \
    P(BANK_AT_ONCE,                  "to its bank in its first cycle") \
    P(BANK_LATER,                    "to its bank later") \
    P(CLASS_COMES_AS_IT_MOVES_UP,    "class comes as the request moves up") \
    P(CLASS_CAME_BEFORE_IT_MOVES_UP, "class came before the request moves up") \
    P(ANOTHER_CLASS_IS_LOOKED_UP,    "another class is looked up while one waits") \
    P(NOT_KNOWN_BUT_MISS,            "class miss, but not known") \
    P(STORE_TO_BANK,                 "store of a miss warp to its bank", p->STORES) \
    P(STORE_TO_DRAM,                 "store of a miss warp to the DRAM", !p->STORES) \
    P(WRITEBACK_TO_BANK,             "write-back of a miss warp to its bank", p->STORES) \
    P(WRITEBACK_TO_DRAM,             "write-back of a miss warp to the DRAM", !p->STORES) \
    P(ATOMIC_OF_MISS,                "atomic of a miss warp") \
    P(KEPT_OF_MISS,                  "line to keep of a miss warp") \
    P(ALL_HIT,                       "all-hit warp") \
    P(DRAM_REFUSES,                  "DRAM refuses") \
    P(BANK_REFUSES,                  "bank refuses") \
    P(MISS_BEHIND_HELD_HIT,          "miss behind a held hit") \
    P(HIT_BEHIND_HELD_MISS,          "hit behind a held miss") \
    P(SEVERAL_FOR_DRAM,              "several ports for the DRAM", p->PORTS < 2) \
    P(ALL_FOR_DRAM,                  "all ports for the DRAM") \
    P(TURN_PASSES_BY,                "turn passes by who does not ask", p->PORTS < 2) \
    P(TURN_WRAPS,                    "turn wraps", p->PORTS < 2) \
    P(BOTH_WAYS,                     "to a bank and to the DRAM at once", p->PORTS < 2) \
    P(RESET_AT_WORK,                 "reset at work") \
    P(QUIET_EMPTY,                   "quiet empty") \
    P(QUIET_HELD,                    "quiet held") \
    P(QUIET_FULL,                    "quiet full, one waits to enter")
/* clang-format on */

COVERAGE_POINTS(BYPASS_POINTS, struct bypass_params)

struct random_traffic {
    unsigned left;                             /* cycles of this phase */
    unsigned in, bank, dram;                   /* of 16 */
    unsigned misses, known, keep, reads, held; /* of 16 */
};

static void bypass_next_phase(struct random_traffic *st, struct rng *rng) {
    static const unsigned often[] = {1, 4, 8, 12, 15, 16}, seldom[] = {0, 1, 4, 8};
    st->left = rng_below(rng, 80);
    st->in = often[rng_below(rng, 6)];
    st->bank = often[rng_below(rng, 6)];
    st->dram = often[rng_below(rng, 6)];
    st->misses = often[rng_below(rng, 6)];
    st->known = often[rng_below(rng, 6)];
    st->keep = seldom[rng_below(rng, 4)];
    st->reads = often[rng_below(rng, 6)];
    st->held = often[rng_below(rng, 6)];
}

static void bypass_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_traffic *st = self;
    const struct bypass *s = now->state;
    const struct bypass_params *p = now->params;
    struct bypass_in *in = input;
    if (st->left-- == 0) {
        bypass_next_phase(st, now->rng);
    }
    /* A request that is refused most often waits; one that is withdrawn does no harm. */
    bool waits = rng_chance(now->rng, st->held, 16);
    in->look_known = 0;
    for (unsigned i = 0; i < p->PORTS; i++) {
        in->look_class[i] =
            rng_chance(now->rng, st->misses, 16) ? L2_CLASS_MISS : (uint8_t)rng_below(now->rng, 4);
        in->look_known |= (uint8_t)(rng_chance(now->rng, st->known, 16) << i);
        if (waits && (s->full & in->req_valid) >> i & 1) {
            continue;
        }
        in->req_valid &= (uint8_t) ~(1u << i);
        in->req_valid |= (uint8_t)(rng_chance(now->rng, st->in, 16) << i);
        in->req_keep &= (uint8_t) ~(1u << i);
        in->req_keep |= (uint8_t)(rng_chance(now->rng, st->keep, 16) << i);
        in->req_kind[i] =
            rng_chance(now->rng, st->reads, 16) ? REQUEST_READ : (uint8_t)rng_below(now->rng, 4);
        in->req_data[i] = rng_next(now->rng);
    }
    in->rst = rng_chance(now->rng, 1, 1000);
}

static void bypass_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                               void *input) {
    const struct random_traffic *st = self;
    struct bypass_in *in = input;
    (void)output;
    in->arb_ready = 0;
    for (unsigned i = 0; i < BYPASS_PORTS_MAX; i++) {
        in->arb_ready |= (uint8_t)(rng_chance(now->rng, st->bank, 16) << i);
    }
    in->arb_ready &= (uint8_t)((1u << ((const struct bypass_params *)now->params)->PORTS) - 1);
    in->byp_ready = rng_chance(now->rng, st->dram, 16);
}

/* A port whose oldest request goes, or waits, for its bank. */
static void bypass_count_bank(const struct bypass *s, const struct bypass_in *in,
                              const struct bypass_out *out, unsigned i, uint64_t *counts) {
    const struct bypass_request *r = s->request[i];
    bool taken = in->arb_ready >> i & 1, second = s->full >> i & 1;
    bool fresh = s->fresh >> i & 1, known = in->look_known >> i & 1;
    bool miss = out->arb_class[i] == L2_CLASS_MISS;
    counts[BANK_AT_ONCE] += taken && fresh && !second;
    counts[BANK_LATER] += taken && !fresh;
    counts[BANK_REFUSES] += !taken;
    counts[NOT_KNOWN_BUT_MISS] += fresh && !second && !known && in->look_class[i] == L2_CLASS_MISS;
    counts[STORE_TO_BANK] += miss && !r->keep && r->kind == REQUEST_WRITE;
    counts[WRITEBACK_TO_BANK] += miss && !r->keep && r->kind == REQUEST_WRITEBACK;
    counts[ATOMIC_OF_MISS] += miss && !r->keep && r->kind == REQUEST_ATOMIC;
    counts[KEPT_OF_MISS] += miss && r->keep && r->kind == REQUEST_READ;
    counts[ALL_HIT] += out->arb_class[i] == L2_CLASS_ALL_HIT;
    counts[MISS_BEHIND_HELD_HIT] += second && !fresh && !taken && r[1].class == L2_CLASS_MISS;
    counts[ANOTHER_CLASS_IS_LOOKED_UP] +=
        !taken && !fresh && known && !miss && !second && in->look_class[i] == L2_CLASS_MISS;
}

static void cover_dram(const struct bypass *s, const struct bypass_in *in,
                       const struct bypass_out *out, unsigned to_dram, uint64_t *counts) {
    unsigned port = out->byp_port;
    const struct bypass_request *r = s->request[port];
    bool fresh = s->fresh & ~s->full & 1u << port;
    counts[DRAM_AT_ONCE] += in->byp_ready && fresh;
    counts[DRAM_LATER] += in->byp_ready && !fresh;
    counts[DRAM_REFUSES] += !in->byp_ready;
    counts[STORE_TO_DRAM] += r->kind == REQUEST_WRITE;
    counts[WRITEBACK_TO_DRAM] += r->kind == REQUEST_WRITEBACK;
    counts[HIT_BEHIND_HELD_MISS] +=
        !in->byp_ready && (s->full & ~s->fresh & 1u << port) && r[1].class != L2_CLASS_MISS;
    counts[SEVERAL_FOR_DRAM] += (to_dram & (to_dram - 1)) != 0;
    counts[ALL_FOR_DRAM] += to_dram == (1u << s->params.PORTS) - 1;
    counts[TURN_PASSES_BY] += port > s->turn.first;
    counts[TURN_WRAPS] += port < s->turn.first;
    counts[BOTH_WAYS] += in->byp_ready && (out->arb_valid & in->arb_ready);
}

static void bypass_count_points(void *self, const struct lockstep_now *now, const void *input,
                                const void *output, uint64_t *counts) {
    const struct bypass *s = now->state;
    const struct bypass_in *in = input;
    const struct bypass_out *out = output;
    (void)self;
    unsigned to_dram = s->held & ~out->arb_valid, every = (1u << s->params.PORTS) - 1;
    unsigned leaves = (out->arb_valid & in->arb_ready) |
                      (out->byp_valid && in->byp_ready ? 1u << out->byp_port : 0);
    counts[RESET_AT_WORK] += in->rst && leaves && s->fresh && (in->req_valid & out->req_ready);
    if (in->rst) {
        return;
    }
    counts[EVERYTHING_EMPTY] += !s->held;
    counts[EVERYTHING_FULL] += s->full == every;
    counts[FULL_REFUSES] += (s->full & in->req_valid) != 0;
    counts[FULL_GIVES] += (s->full & in->req_valid & leaves) != 0;
    counts[IN_AND_OUT] += (in->req_valid & out->req_ready & leaves) != 0;
    counts[CLASS_COMES_AS_IT_MOVES_UP] += (leaves & s->full & s->fresh) != 0;
    counts[CLASS_CAME_BEFORE_IT_MOVES_UP] += (leaves & s->full & ~s->fresh) != 0;
    for (unsigned left = out->arb_valid; left; left &= left - 1) {
        bypass_count_bank(s, in, out, (unsigned)__builtin_ctz(left), counts);
    }
    if (out->byp_valid) {
        cover_dram(s, in, out, to_dram, counts);
    }
    bool quiet = bypass_quiet(s, in);
    counts[QUIET_EMPTY] += quiet && !s->held;
    counts[QUIET_HELD] += quiet && s->held;
    counts[QUIET_FULL] += quiet && (s->full & in->req_valid);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_traffic),
    .points = points,
    .early = bypass_early_inputs,
    .late = bypass_late_inputs,
    .cover = bypass_count_points,
    .unreachable = point_unreachable,
};
