/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L2_BANK_ARBITER_H
#define WARPMEM_L2_BANK_ARBITER_H

#include "l2/bank_arbiter_ports.h"

/**
 * struct bank_arbiter - the unified arbiter between the ports of a memory partition and the request
 * queues of its L2 banks.
 *
 * Source: Ausavarungnirun et al., PACT 2015 (MeDiC), section 5, "Modeling L2 Bank Conflicts".
 * Verilog twin: rtl/l2/bank_arbiter.v.
 *
 * Cycle behaviour, the same in both.
 *
 * - Each port shows at most one request, its oldest. A bank whose queue has room gets one of the
 *   requests for it in the same cycle (req_ready, bank_*). That request is in the queue from the
 *   next cycle on: the arbiter's "extra cycle per request". A bank without room gets none: its
 *   requests stay at their ports, and so do the requests after them.
 * - A bank takes the request of one port. The candidates are the ports that are owed a turn at this
 *   bank and show a request for it; without any, all ports that show one. The first candidate from
 *   `turn` upwards wins, modulo PORTS. The other candidates are owed a turn at this bank from now
 *   on; no other port is.
 * - So a bank passes over a port that keeps requesting at most 2 * (PORTS - 1) times: once for each
 *   port before it that is owed a turn, and then once for each other port. A bank that has no room
 *   keeps its debts; a bank whose requests come from one port has none afterwards.
 * - `turn` should be another port in each cycle ("rotates which port [is] first examined every
 *   cycle"). It is an input, so that an arbiter without requests is at rest. The debts keep a beat
 *   between that rotation and a bank's occupancy from starving a port. The paper's "which bank is
 *   first examined" has no effect: a port shows one request, so two banks never want the same one.
 * - In a reset cycle grants are shown as usual but must be ignored; no turn is owed afterwards.
 * - req_bank is below BANKS where req_valid; turn is below PORTS.
 */
struct bank_arbiter {
    struct bank_arbiter_params params;
    uint8_t owed[BANK_ARBITER_BANKS_MAX]; /* ports that are owed a turn at a bank, a bit each */
};

/** bank_arbiter_init() - nothing is owed; params in the ranges of the list. Always true. */
bool bank_arbiter_init(struct bank_arbiter *s, const struct bank_arbiter_params *params);
void bank_arbiter_destroy(struct bank_arbiter *s);
/** bank_arbiter_comb() - the outputs of this cycle. */
void bank_arbiter_comb(const struct bank_arbiter *s, const struct bank_arbiter_in *in,
                       struct bank_arbiter_out *out);
/** bank_arbiter_step() - the clock edge; @out is the output of bank_arbiter_comb() for this @in. */
void bank_arbiter_step(struct bank_arbiter *s, const struct bank_arbiter_in *in,
                       const struct bank_arbiter_out *out);
/** bank_arbiter_quiet() - with these inputs held, neither state nor outputs ever change. */
bool bank_arbiter_quiet(const struct bank_arbiter *s, const struct bank_arbiter_in *in);

#endif
