/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the bypass at a partition's ports (see l2/bypass.h). */
#ifndef WARPMEM_L2_BYPASS_PORTS_H
#define WARPMEM_L2_BYPASS_PORTS_H

#include "base/ports.h"

#define BYPASS_PORTS_MAX 4

/* clang-format off */

/*    name       default min max               meaning */
#define BYPASS_PARAMS(P) \
    P(PORTS,     2,      1,  BYPASS_PORTS_MAX, "ports of the partition") \
    P(DATA_BITS, 64,     1,  64,               "bits of a request header") \
    P(STORES,    0,      0,  1,                "stores of a bypassing warp: 0: to their bank, where they take no line; 1: to the DRAM")

/*    name        PORTS DATA_BITS STORES */
#define BYPASS_SETS(S) \
    S(paper,      2,    64,       0) \
    S(direct,     2,    64,       1) \
    S(small,      1,    8,        0) \
    S(odd,        3,    5,        1) \
    S(most,       4,    13,       0)

/*    kind      C type    max  name         count     bits             compared when  meaning */
#define BYPASS_PORTS(X) \
    X(IN,       bool,          rst,                    1,                             "reset, synchronous") \
    X(IN,       uint8_t,       req_valid,              p->PORTS,                      "requests at the ends of the ports: a bit a port") \
    X(IN_VEC,   uint8_t,  BYPASS_PORTS_MAX, req_kind, p->PORTS, 2,                    "enum request_kind") \
    X(IN,       uint8_t,       req_keep,               p->PORTS,                      "never bypass: the line is expected to be used again (MeDiC 6.4)") \
    X(IN_VEC,   uint64_t, BYPASS_PORTS_MAX, req_data, p->PORTS, p->DATA_BITS,         "headers") \
    X(OUT,      uint8_t,       req_ready,              p->PORTS, ALWAYS,            "ports with room: a request enters at this edge; look its warp up now") \
    X(IN_VEC,   uint8_t,  BYPASS_PORTS_MAX, look_class, p->PORTS, 2,                  "enum l2_class of the request that entered in the last cycle") \
    X(IN,       uint8_t,       look_known,             p->PORTS,                      "its type is known") \
    X(OUT,      uint8_t,       arb_valid,              p->PORTS, ALWAYS,              "requests for the banks") \
    X(OUT_VEC,  uint64_t, BYPASS_PORTS_MAX, arb_data, p->PORTS, p->DATA_BITS, o->arb_valid, "headers; 0 where none is offered") \
    X(OUT_VEC,  uint8_t,  BYPASS_PORTS_MAX, arb_class, p->PORTS, 2,       o->arb_valid, "classes; 0 where none is offered") \
    X(OUT,      uint8_t,       arb_allocate,           p->PORTS, ALWAYS,              "they may take a line") \
    X(IN_LATE,  uint8_t,       arb_ready,              p->PORTS,                      "taken by the arbiter at this edge") \
    X(OUT,      bool,          byp_valid,              1,        ALWAYS,              "a request for the DRAM") \
    X(OUT,      uint8_t,       byp_port,               clog2(p->PORTS), o->byp_valid, "from this port") \
    X(OUT,      uint64_t,      byp_data,               p->DATA_BITS, o->byp_valid,    "its header") \
    X(IN_LATE,  bool,          byp_ready,              1,                             "taken by the way to the DRAM at this edge")

/* clang-format on */

BLOCK_TYPES(bypass, BYPASS)

#endif
