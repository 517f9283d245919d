/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the priority encoder (see common/priority_encoder.h). */
#ifndef WARPMEM_COMMON_PRIORITY_ENCODER_PORTS_H
#define WARPMEM_COMMON_PRIORITY_ENCODER_PORTS_H

#include "base/ports.h"

/* clang-format off */

/*    name        default min max  meaning */
#define PRIORITY_ENCODER_PARAMS(P) \
    P(REQUESTERS, 48,     2,  64,  "requesters; the lowest wins")

/*    name     REQUESTERS */
#define PRIORITY_ENCODER_SETS(S) \
    S(least,   2) \
    S(odd,     5) \
    S(queues,  48) \
    S(most,    64)

/*    kind  C type    name         bits                  compared when    meaning */
#define PRIORITY_ENCODER_PORTS(X) \
    X(IN,   uint64_t, req_valid,   p->REQUESTERS,                         "requests, a bit a requester") \
    X(OUT,  bool,     grant_valid, 1,                    ALWAYS,          "there is a request") \
    X(OUT,  uint64_t, grant_oh,    p->REQUESTERS,        ALWAYS,          "the lowest request, one-hot; zero without one") \
    X(OUT,  uint8_t,  grant_index, clog2(p->REQUESTERS), ALWAYS,          "the same as a number; zero without one")

/* clang-format on */

BLOCK_TYPES(priority_encoder, PRIORITY_ENCODER)

#endif
