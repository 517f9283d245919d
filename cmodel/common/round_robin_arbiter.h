/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_COMMON_ROUND_ROBIN_ARBITER_H
#define WARPMEM_COMMON_ROUND_ROBIN_ARBITER_H

#include "common/round_robin_arbiter_ports.h"

/**
 * struct round_robin_arbiter - grants one requester, each in turn.
 *
 * The requester that is first in turn wins if it requests, else the next one above it that does,
 * with wrap-around. When a grant is taken, the requester after the winner becomes the first in
 * turn. A requester that keeps requesting is granted after at most REQUESTERS - 1 taken grants of
 * others. Verilog twin: rtl/common/round_robin_arbiter.v.
 */
struct round_robin_arbiter {
    struct round_robin_arbiter_params params;
    uint8_t first; /* in turn */
};

/** round_robin_arbiter_init() - params must lie in the ranges of the list. Always true. */
bool round_robin_arbiter_init(struct round_robin_arbiter *s,
                              const struct round_robin_arbiter_params *params);
void round_robin_arbiter_destroy(struct round_robin_arbiter *s);
/** round_robin_arbiter_comb() - the outputs of this cycle; late inputs are not read. */
void round_robin_arbiter_comb(const struct round_robin_arbiter *s,
                              const struct round_robin_arbiter_in *in,
                              struct round_robin_arbiter_out *out);
/** round_robin_arbiter_step() - the clock edge, with comb's outputs for the same input. */
void round_robin_arbiter_step(struct round_robin_arbiter *s,
                              const struct round_robin_arbiter_in *in,
                              const struct round_robin_arbiter_out *out);
/** round_robin_arbiter_quiet() - with these inputs held, neither state nor outputs ever change. */
bool round_robin_arbiter_quiet(const struct round_robin_arbiter *s,
                               const struct round_robin_arbiter_in *in);

#endif
