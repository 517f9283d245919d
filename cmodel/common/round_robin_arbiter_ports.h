/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the round-robin arbiter (see common/round_robin_arbiter.h). */
#ifndef WARPMEM_COMMON_ROUND_ROBIN_ARBITER_PORTS_H
#define WARPMEM_COMMON_ROUND_ROBIN_ARBITER_PORTS_H

#include "base/ports.h"

/* clang-format off */

/*    name        default min max  meaning */
#define ROUND_ROBIN_ARBITER_PARAMS(P) \
    P(REQUESTERS, 8,      2,  64,  "requesters")

/*    name     REQUESTERS */
#define ROUND_ROBIN_ARBITER_SETS(S) \
    S(least,   2) \
    S(odd,     7) \
    S(most,    64)

/*    kind     C type    name         bits                  compared when    meaning */
#define ROUND_ROBIN_ARBITER_PORTS(X) \
    X(IN,      bool,     rst,         1,                                     "reset, synchronous: the turn starts at requester 0") \
    X(IN,      uint64_t, req_valid,   p->REQUESTERS,                         "requests, a bit a requester") \
    X(OUT,     bool,     grant_valid, 1,                    ALWAYS,          "there is a request") \
    X(OUT,     uint64_t, grant_oh,    p->REQUESTERS,        ALWAYS,          "the winner, one-hot; zero without a request") \
    X(OUT,     uint8_t,  grant_index, clog2(p->REQUESTERS), ALWAYS,          "the same as a number; zero without a request") \
    X(IN_LATE, bool,     grant_taken, 1,                                     "the winner is served at this edge")

/* clang-format on */

BLOCK_TYPES(round_robin_arbiter, ROUND_ROBIN_ARBITER)

#endif
