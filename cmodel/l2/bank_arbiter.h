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
 * - Each port shows at most one request, its oldest. A bank whose queue has room gets one of those
 *   that are for it, in the same cycle (req_ready, bank_*): it is in the queue from the next cycle
 *   on, which is the arbiter's "extra cycle per request". A bank without room gets none: its
 *   requests remain at their ports, and what is behind them too.
 * - Which one: of the ports that are owed a turn at this bank and show a request for it, or if
 *   there are none of all that show one: the first from `turn` upwards, round the end. The others
 *   among which it was chosen are owed a turn at this bank from now on; nobody else is.
 * - So a port that keeps asking is passed over at most 2 * (PORTS - 1) times by its bank: while
 *   those before it that are owed have theirs, and once by each other port after that. A bank that
 *   has no room, or whose requests are of one port, owes as before, or nothing.
 * - `turn` is to be another port in each cycle ("rotates which port [is] first examined every
 *   cycle"). It comes from outside, so that an arbiter without requests is at rest. What is owed
 *   keeps a beat between that rotation and a bank's occupancy from starving a port. "Which bank is
 *   first examined" decides nothing: a port shows one request, so no two banks want the same one.
 * - In a reset cycle grants are shown as ever, and nobody is to use them; nothing is owed after.
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
/** bank_arbiter_step() - the clock edge; out as bank_arbiter_comb gave it for this very in. */
void bank_arbiter_step(struct bank_arbiter *s, const struct bank_arbiter_in *in,
                       const struct bank_arbiter_out *out);
/** bank_arbiter_quiet() - with these inputs held, neither state nor outputs ever change. */
bool bank_arbiter_quiet(const struct bank_arbiter *s, const struct bank_arbiter_in *in);

#endif
