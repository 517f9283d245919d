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
 * struct bypass - warp-type-aware cache bypassing at the ends of a memory partition's ports: sends
 * requests of mostly-miss and all-miss warps to the DRAM and all others to the bank arbiter.
 *
 * Source: Ausavarungnirun et al., PACT 2015 (MeDiC), sections 4.2 and 6.4. Verilog twin:
 * rtl/l2/bypass.v.
 *
 * Cycle behaviour, the same in both.
 *
 * - A port has two places. A request enters in cycle n if a place is free as the cycle begins
 *   (req_ready); the table of warp types looks up its warp in the same cycle. In n + 1 the answer
 *   is on look_*; it takes effect at once, is kept with the request, and so never changes. An
 *   unknown type counts as balanced.
 * - Requests of a port leave in order, from n + 1 on, one a cycle. The oldest is offered either to
 *   the DRAM or to the bank arbiter, and blocks those after it until it is taken.
 * - To the DRAM (byp_*), without a look-up in the L2: a read of a warp of class L2_CLASS_MISS; with
 *   STORES a write or a write-back too. Requests with req_keep and atomics never bypass: "fences
 *   and atomic instructions from bypassed warps still access the L2". One request a cycle; the
 *   ports take turns, by a round_robin_arbiter that moves only when a request is taken. Until then
 *   a request of a port that is earlier in turn may replace the offered one.
 * - To its bank (arb_*): every other request. arb_allocate is 0 for a request of class
 *   L2_CLASS_MISS without req_keep: atomics, and without STORES writes, look the line up, and "are
 *   not allowed to store data in the cache". arb_class is for insertion and the order at the DRAM;
 *   a request that bypasses is of class L2_CLASS_MISS, so byp has no class.
 * - req_kind, req_keep and req_data count with req_valid, look_* in the cycle after a request has
 *   entered.
 *
 * Order. Requests of a port for one destination stay in order; requests for the DRAM overtake older
 * ones that wait in a bank's queue or for a miss. A thread may then read a line that it has just
 * written: without STORES always while its warp bypasses (the write goes to the bank, the read does
 * not), with STORES when the type of its warp has just become mostly-miss or been forgotten. A
 * timing model is not affected: values are those of the program's order. A chip needs one of two
 * additions: the core holds back a read of a line for which a write or atomic of the same warp has
 * not been acknowledged (it counts those for its fences anyway); or a read that would bypass is
 * compared with the lines of the writes and atomics between arbiter and DRAM, and goes to its bank
 * if one matches. With STORES a write must also invalidate a copy of its line in the L2; here it
 * does not. Between threads no order holds without a fence, and a fence waits for the
 * acknowledgements.
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
/** bypass_step() - the clock edge; @out is the output of bypass_comb() for this @in. */
void bypass_step(struct bypass *s, const struct bypass_in *in, const struct bypass_out *out);
/** bypass_quiet() - with these inputs held, neither state nor outputs ever change. */
bool bypass_quiet(const struct bypass *s, const struct bypass_in *in);

#endif
