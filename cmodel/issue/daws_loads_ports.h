/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of DAWS's table of classified loads (see issue/daws_loads.h). */
#ifndef WARPMEM_ISSUE_DAWS_LOADS_PORTS_H
#define WARPMEM_ISSUE_DAWS_LOADS_PORTS_H

#include "base/ports.h"

#define DAWS_LOADS_WARPS_MAX 64
#define DAWS_LOADS_ENTRIES_MAX 64
#define DAWS_LOADS_LOOPS_MAX 16

/* clang-format off */

/*    name       default min max                      meaning */
#define DAWS_LOADS_PARAMS(P) \
    P(WARPS,     32,     2,  DAWS_LOADS_WARPS_MAX,    "warps of the core") \
    P(LANES,     32,     4,  32,                      "lanes of a warp") \
    P(ENTRIES,   32,     2,  DAWS_LOADS_ENTRIES_MAX,  "loads that have a class") \
    P(LOOPS,     8,      2,  DAWS_LOADS_LOOPS_MAX,    "loops that have such loads") \
    P(PC_BITS,   24,     3,  32,                      "name of a loop or load: the number of its code, and its PC / 8") \
    P(CODE_BITS, 8,      1,  16,                      "of them, the number of its code; below PC_BITS") \
    P(LINES,     256,    1,  2048,                    "lines of the L1")

/* paper: 7.4, for the L1 of table 3. wide48: another machine's core.
 *    name       WARPS LANES ENTRIES LOOPS PC_BITS CODE_BITS LINES */
#define DAWS_LOADS_SETS(S) \
    S(paper,     32,   32,   32,     8,    24,     8,        256) \
    S(warps48,   48,   32,   32,     8,    24,     8,        128) \
    S(small,     2,    4,    2,      2,    3,      1,        3) \
    S(odd,       3,    5,    5,      3,    4,      2,        7) \
    S(single,    5,    32,   9,      2,    5,      1,        40)

/*    kind       C type    name            bits                               compared when meaning */
#define DAWS_LOADS_PORTS(X) \
    X(IN,        bool,     rst,            1,                                                "reset, synchronous: there are no entries") \
    X(IN,        bool,     ask_valid,      1,                                                "a warp comes to a loop, or is before one") \
    X(IN,        uint8_t,  ask_warp,       clog2(p->WARPS),                                  "the warp, below WARPS") \
    X(IN,        uint32_t, ask_pc,         p->PC_BITS,                                       "the loop; with ask_near the load before or at its begin") \
    X(IN,        uint8_t,  ask_lanes,      clog2(p->LANES + 1),                              "active lanes of the warp, up to LANES") \
    X(IN,        bool,     ask_near,       1,                                                "the load is in no loop: its code's next one answers") \
    X(IN,        bool,     class_valid,    1,                                                "a load of a sampling warp has issued, in a loop with locality") \
    X(IN,        uint32_t, class_loop,     p->PC_BITS,                                       "the loop") \
    X(IN,        uint32_t, class_pc,       p->PC_BITS,                                       "the load") \
    X(IN,        uint8_t,  class_lanes,    clog2(p->LANES + 1),                              "its active lanes, up to LANES") \
    X(IN,        uint8_t,  class_accesses, clog2(p->LANES + 1),                              "its accesses, LANES if there are more") \
    X(IN,        bool,     pair_valid,     1,                                                "two loads of a loop have accessed one line in a trip") \
    X(IN,        uint32_t, pair_loop,      p->PC_BITS,                                       "the loop") \
    X(IN,        uint32_t, pair_a,         p->PC_BITS,                                       "one load") \
    X(IN,        uint32_t, pair_b,         p->PC_BITS,                                       "the other") \
    X(IN,        bool,     sign_valid,     1,                                                "a loop's counter of locality has moved") \
    X(IN,        uint32_t, sign_loop,      p->PC_BITS,                                       "the loop") \
    X(IN,        bool,     sign_positive,  1,                                                "it has locality: predictions are made for it") \
    X(IN,        bool,     write_valid,    1,                                                "a load of a profile; a class in this cycle is ignored") \
    X(IN,        uint32_t, write_loop,     p->PC_BITS,                                       "its loop, which has locality from now on") \
    X(IN,        uint32_t, write_pc,       p->PC_BITS,                                       "the load") \
    X(IN,        bool,     write_diverged, 1,                                                "its class") \
    X(IN,        uint8_t,  write_group,    clog2(p->ENTRIES),                                "its group, below ENTRIES: of its loop's loads, those with this") \
    X(IN,        bool,     clear,          1,                                                "no entries; of this cycle only an ask counts") \
    X(OUT,       bool,     ans_valid,      1,                                 ALWAYS,        "an answer: three cycles after each ask") \
    X(OUT,       uint8_t,  ans_warp,       clog2(p->WARPS),                   o->ans_valid,  "the warp") \
    X(OUT,       bool,     ans_known,      1,                                 o->ans_valid,  "there is such a loop, and predictions are made for it") \
    X(OUT,       uint32_t, ans_loop,       p->PC_BITS,                        o->ans_known,  "the loop") \
    X(OUT,       uint16_t, ans_lines,      clog2(p->LANES * p->ENTRIES + 1),  o->ans_known,  "lines of a trip, 5.1.1") \
    X(OUT,       bool,     ans_over,       1,                                 o->ans_known,  "more than the L1 has") \
    X(OUT,       bool,     refused,        1,                                 ALWAYS,        "a class or write of three cycles ago found a full table")

/* clang-format on */

BLOCK_TYPES(daws_loads, DAWS_LOADS)

#endif
