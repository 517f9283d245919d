/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the bank arbiter (see l2/bank_arbiter.h). */
#ifndef WARPMEM_L2_BANK_ARBITER_PORTS_H
#define WARPMEM_L2_BANK_ARBITER_PORTS_H

#include "base/ports.h"

#define BANK_ARBITER_PORTS_MAX 4
#define BANK_ARBITER_BANKS_MAX 16

/* clang-format off */

/*    name       default min max                     meaning */
#define BANK_ARBITER_PARAMS(P) \
    P(PORTS,     2,      1,  BANK_ARBITER_PORTS_MAX, "ports of the partition") \
    P(BANKS,     2,      1,  BANK_ARBITER_BANKS_MAX, "its banks") \
    P(DATA_BITS, 64,     1,  64,                     "bits of a request header")

/*    name        PORTS BANKS DATA_BITS */
#define BANK_ARBITER_SETS(S) \
    S(paper,      2,    2,    64) \
    S(banks24,    2,    4,    64) \
    S(banks48,    2,    8,    64) \
    S(small,      1,    1,    8) \
    S(odd,        3,    5,    13) \
    S(most,       4,    16,   8)

/*    kind      C type         max                     name        count     bits, compared when           meaning */
#define BANK_ARBITER_PORTS(X) \
    X(IN,       bool,          rst,                                1,                              "reset, synchronous; nothing is owed") \
    X(IN,       uint8_t,       req_valid,                          p->PORTS,                       "oldest requests of the ports: a bit a port") \
    X(IN_VEC,   uint8_t,       BANK_ARBITER_PORTS_MAX, req_bank,   p->PORTS, clog2(p->BANKS),      "their banks, below BANKS") \
    X(IN_VEC,   uint64_t,      BANK_ARBITER_PORTS_MAX, req_data,   p->PORTS, p->DATA_BITS,         "headers") \
    X(IN,       uint8_t,       turn,                               clog2(p->PORTS),                "the port examined first in this cycle, below PORTS") \
    X(IN,       uint16_t,      room,                               p->BANKS,                       "banks whose request queue has room") \
    X(OUT,      uint8_t,       req_ready,                          p->PORTS, ALWAYS,               "they go into their bank's queue at this edge") \
    X(OUT,      uint16_t,      bank_valid,                         p->BANKS, ALWAYS,               "banks that get one") \
    X(OUT_VEC,  uint8_t,       BANK_ARBITER_BANKS_MAX, bank_port,  p->BANKS, clog2(p->PORTS), o->bank_valid, "from this port; else 0") \
    X(OUT_VEC,  uint64_t,      BANK_ARBITER_BANKS_MAX, bank_data,  p->BANKS, p->DATA_BITS, o->bank_valid, "its header; else 0")

/* clang-format on */

BLOCK_TYPES(bank_arbiter, BANK_ARBITER)

#endif
