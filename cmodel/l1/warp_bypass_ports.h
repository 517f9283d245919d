/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the decision to bypass the L1 (see l1/warp_bypass.h). */
#ifndef WARPMEM_L1_WARP_BYPASS_PORTS_H
#define WARPMEM_L1_WARP_BYPASS_PORTS_H

#include "base/ports.h"

/* clang-format off */

/*    name         default min max meaning */
#define WARP_BYPASS_PARAMS(P) \
    P(NUMBERS,     8,      2,  8,  "warps or CTAs that are counted separately")

/*    name   NUMBERS */
#define WARP_BYPASS_SETS(S) \
    S(paper, 8) \
    S(small, 2) \
    S(odd,   5)

/*    kind  C type   name         bits                   compared when  meaning */
#define WARP_BYPASS_PORTS(X) \
    X(IN,   uint8_t, acc_number,  clog2(p->NUMBERS + 1),                "the access's warp or CTA; NUMBERS: after all of those") \
    X(IN,   bool,    acc_atomic,  1,                                    "it is an atomic") \
    X(IN,   bool,    acc_local,   1,                                    "it is of local memory") \
    X(IN,   bool,    acc_uncached, 1,                                   "the program does not cache it") \
    X(IN,   uint8_t, limit,       clog2(p->NUMBERS + 1),                "warps or CTAs that use the cache; NUMBERS: all") \
    X(OUT,  bool,    bypass,      1,                     ALWAYS,        "it bypasses the cache")

/* clang-format on */

BLOCK_TYPES(warp_bypass, WARP_BYPASS)

#endif
