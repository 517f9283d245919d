/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L2_BYPASS_H
#define WARPMEM_L2_BYPASS_H

#include "common/round_robin_arbiter.h"
#include "l2/bypass_ports.h"

#define BYPASS_PLACES 2

/* A request that waits at its port. */
struct bypass_request {
    uint64_t data;
    uint8_t kind;  /* enum request_kind */
    uint8_t class; /* enum l2_class; balanced while the type is not known */
    bool keep;
};

/**
 * struct bypass - warp-type-aware cache bypassing: at the ends of a memory partition's ports, sends
 * requests of mostly-miss and all-miss warps to the DRAM and all others to the bank arbiter.
 *
 * Source: Ausavarungnirun et al., PACT 2015 (MeDiC), sections 4.2 and 6.4. Verilog twin:
 * rtl/l2/bypass.v.
 *
 * Cycle behaviour, the same in both.
 *
 * - A port has two places. A request enters in cycle n if one is free as the cycle begins
 *   (req_ready); its warp is looked up in the table of warp types in this very cycle. In n + 1 the
 *   answer is on look_*; it counts at once, is kept with the request, and so never changes. A type
 *   that is not known counts as balanced.
 * - Requests of a port leave in order, from n + 1 on, one a cycle. The oldest one is offered either
 *   to the DRAM or to the bank arbiter, and holds those behind it until it is taken.
 * - To the DRAM (byp_*), without a look-up in the L2: a read of a warp of class L2_CLASS_MISS; with
 *   STORES a write or a write-back too. Not one with req_keep, and never an atomic: "fences and
 *   atomic instructions from bypassed warps still access the L2". One a cycle; the ports take
 *   turns, by a round_robin_arbiter that moves only when a request is taken; until then a request
 *   of a port that is earlier in turn may come in its place.
 * - To its bank (arb_*): everything else. arb_allocate is not set for a request of class
 *   L2_CLASS_MISS, if not req_keep: atomics, and without STORES writes, look the line up, and "are
 *   not allowed to store data in the cache". arb_class is for insertion and the order at the DRAM;
 *   what bypasses is of class L2_CLASS_MISS, which is why byp has none.
 * - req_kind, req_keep and req_data count with req_valid, look_* in the cycle after a request has
 *   entered.
 *
 * Order. Requests of a port for one destination stay in order; requests for the DRAM overtake older
 * ones that wait in a bank's queue or behind a miss. That touches a thread that reads what it has
 * just written: without STORES always while its warp bypasses (the write goes to the bank, the read
 * does not), with STORES when the type of its warp has just become mostly-miss or been forgotten.
 * In a model of time it does no harm: values are those of the program's order. A chip needs one of
 * two things more: the core holds back a read of a line for which a write or atomic of the same
 * warp has not been acknowledged (it counts those for its fences anyway); or a read that would
 * bypass is compared with the lines of the writes and atomics between arbiter and DRAM, and goes to
 * its bank if one is the same. With STORES a write must also invalidate a copy of its line in the
 * L2; here it does not. Between threads nothing is promised without a fence, and a fence waits for
 * the acknowledgements.
 */
struct bypass {
    struct bypass_params params;
    struct bypass_request request[BYPASS_PORTS_MAX][BYPASS_PLACES]; /* the oldest first */
    uint8_t held, full; /* ports with a request; with two: a bit a port */
    uint8_t fresh;      /* whose youngest request entered in the last cycle */
    struct round_robin_arbiter turn;
};

/** bypass_init() - empty; params in the ranges of the list. Always true. */
bool bypass_init(struct bypass *s, const struct bypass_params *params);
void bypass_destroy(struct bypass *s);
/** bypass_comb() - the outputs of this cycle; late inputs are not read. */
void bypass_comb(const struct bypass *s, const struct bypass_in *in, struct bypass_out *out);
/** bypass_step() - the clock edge; out as bypass_comb gave it for this very in. */
void bypass_step(struct bypass *s, const struct bypass_in *in, const struct bypass_out *out);
/** bypass_quiet() - with these inputs held, neither state nor outputs ever change. */
bool bypass_quiet(const struct bypass *s, const struct bypass_in *in);

#endif
