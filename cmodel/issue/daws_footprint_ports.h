/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of DAWS's table of predicted footprints (see issue/daws_footprint.h). */
#ifndef WARPMEM_ISSUE_DAWS_FOOTPRINT_PORTS_H
#define WARPMEM_ISSUE_DAWS_FOOTPRINT_PORTS_H

#include "base/ports.h"

#define DAWS_FOOTPRINT_WARPS_MAX 64
#define DAWS_FOOTPRINT_DEPTH_MAX 8

/* mark_kind */
enum daws_mark { DAWS_BEGIN, DAWS_TRIP, DAWS_END, DAWS_LOAD };

/* clang-format off */

/*    name        default min max                       meaning */
#define DAWS_FOOTPRINT_PARAMS(P) \
    P(WARPS,      32,     2,  DAWS_FOOTPRINT_WARPS_MAX, "warps of the core") \
    P(LANES,      32,     4,  32,                       "lanes of a warp") \
    P(LINES,      256,    1,  65536,                    "lines of the L1") \
    P(PERCENT,    60,     1,  100,                      "of them, the effective cache size: kAssocFactor, equation 1") \
    P(DEPTH,      4,      2,  DAWS_FOOTPRINT_DEPTH_MAX, "loops in each other whose PCs an entry has; deeper ones are named as the last") \
    P(PC_BITS,    24,     3,  32,                       "name of a loop or load: the number of its code, and its PC / 8")

/* Variants to compare the block with: no cycles; a sum that needs a comparison between any two adders. */
#define DAWS_FOOTPRINT_C_PARAMS(P) \
    P(AT_ONCE,    0,      0,  1,                        "in C alone, 1: answers come at once, and the mask follows in the next cycle") \
    P(FIT,        0,      0,  1,                        "in C alone, 1: a held warp does not count in the sum")

/* paper: 5.1 with the L1 and factor of tables 1 and 4. warps48: another machine's core. figure1, figure6: of the paper.
 *    name        WARPS LANES LINES  PERCENT DEPTH PC_BITS */
#define DAWS_FOOTPRINT_SETS(S) \
    S(paper,      32,   32,   256,   60,     4,    24) \
    S(warps48,    48,   32,   128,   60,     4,    24) \
    S(small,      2,    4,    4,     100,    2,    3) \
    S(odd,        5,    5,    13,    55,     3,    4) \
    S(ragged,     9,    32,   40,    80,     8,    5)

/*    kind        C type    name        bits                    compared when    meaning */
#define DAWS_FOOTPRINT_PORTS(X) \
    X(IN,         bool,     rst,        1,                                         "reset, synchronous: no loops, lower slots are older") \
    X(IN,         bool,     mark_valid, 1,                                         "an instruction has issued that bears a loop's marker or is a load") \
    X(IN,         uint8_t,  mark_kind,  2,                                         "0: the loop begins; 1: a trip of it; 2: it has ended; 3: a load") \
    X(IN,         uint8_t,  mark_warp,  clog2(p->WARPS),                           "the warp, below WARPS") \
    X(IN,         uint32_t, mark_pc,    p->PC_BITS,                                "the loop") \
    X(IN,         uint8_t,  mark_lanes, clog2(p->LANES + 1),                       "active lanes of the warp, up to LANES") \
    X(IN,         uint64_t, near,       p->WARPS,                                  "warps whose next instruction is a load; falls when it issues") \
    X(IN,         uint64_t, waits,      p->WARPS,                                  "warps that come to a barrier or are at one") \
    X(IN,         uint64_t, launch,     p->WARPS,                                  "slots into which a warp comes in this cycle") \
    X(IN,         uint64_t, exit,       p->WARPS,                                  "warps whose last instruction has issued") \
    X(OUT,        bool,     near_valid, 1,                      ALWAYS,            "the load of a warp outside loops is to be asked for") \
    X(OUT,        uint8_t,  near_warp,  clog2(p->WARPS),        o->near_valid,     "the warp") \
    X(IN_LATE,    uint32_t, near_pc,    p->PC_BITS,                                "of that warp's next instruction") \
    X(IN_LATE,    uint8_t,  near_lanes, clog2(p->LANES + 1),                       "its active lanes, up to LANES") \
    X(OUT,        bool,     ask_valid,  1,                      ALWAYS,            "a question to the table of loads (issue/daws_loads)") \
    X(OUT,        uint8_t,  ask_warp,   clog2(p->WARPS),        o->ask_valid,      "the warp") \
    X(OUT,        uint32_t, ask_pc,     p->PC_BITS,             o->ask_valid,      "the loop, or with ask_near the load before it") \
    X(OUT,        uint8_t,  ask_lanes,  clog2(p->LANES + 1),    o->ask_valid,      "active lanes of the warp") \
    X(OUT,        bool,     ask_near,   1,                      o->ask_valid,      "the warp is outside loops: the next loop of its code answers") \
    X(IN_LATE,    bool,     ans_known,  1,                                         "the question of three cycles ago has an answer") \
    X(IN_LATE,    uint32_t, ans_loop,   p->PC_BITS,                                "the loop that it is of") \
    X(IN_LATE,    uint32_t, ans_lines,  clog2(p->LINES + 2),                       "lines of a trip, up to LINES") \
    X(IN_LATE,    bool,     ans_over,   1,                                         "they are more than LINES") \
    X(OUT,        uint64_t, can_load,   p->WARPS,               ALWAYS,            "warps that may issue a load") \
    X(OUT,        uint64_t, in_loop,    p->WARPS,               ALWAYS,            "warps that are in a loop") \
    X(OUT,        bool,     load_valid, 1,                      ALWAYS,            "two cycles after a load") \
    X(OUT,        bool,     load_found, 1,                      o->load_valid,     "its warp was in a loop") \
    X(OUT,        uint32_t, load_loop,  p->PC_BITS,             o->load_found,     "the innermost of them")

/* clang-format on */

BLOCK_TYPES_WITH(daws_footprint, DAWS_FOOTPRINT, DAWS_FOOTPRINT_C_PARAMS, )

#endif
