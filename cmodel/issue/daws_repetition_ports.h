/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of DAWS's intra-loop repetition detector (see issue/daws_repetition.h). */
#ifndef WARPMEM_ISSUE_DAWS_REPETITION_PORTS_H
#define WARPMEM_ISSUE_DAWS_REPETITION_PORTS_H

#include "base/ports.h"

#define DAWS_REPETITION_WARPS_MAX 64
#define DAWS_REPETITION_SETS_MAX 16
#define DAWS_REPETITION_WAYS_MAX 16

/* clang-format off */

/*    name       default min max                           meaning */
#define DAWS_REPETITION_PARAMS(P) \
    P(WARPS,     32,     2,  DAWS_REPETITION_WARPS_MAX,    "warps of the core") \
    P(SETS,      8,      2,  DAWS_REPETITION_SETS_MAX,     "sets, a power of two: the low bits of a line choose") \
    P(WAYS,      8,      2,  DAWS_REPETITION_WAYS_MAX,     "lines of a set") \
    P(LINE_BITS, 32,     5,  32,                           "bits of a line's number") \
    P(PC_BITS,   16,     1,  24,                           "bits of a load's name: PC / 8, as a core runs one code at a time") \
    P(MAJORITY,  0,      0,  1,                            "1: a pair of most of a load's accesses; 0: of any access")

/* paper: DAWS table 4, 64 entries, 8-way; warps48: other machines' cores; majority:
 * paper with daws.repeat = majority.
 *    name       WARPS SETS WAYS LINE_BITS PC_BITS MAJORITY */
#define DAWS_REPETITION_SETS(S) \
    S(paper,     32,   8,   8,   32,       16,     0) \
    S(warps48,   48,   8,   8,   32,       16,     0) \
    S(majority,  32,   8,   8,   32,       16,     1) \
    S(small,     2,    2,   2,   5,        2,      0) \
    S(odd,       5,    4,   3,   6,        3,      0) \
    S(votes,     3,    2,   2,   5,        3,      1) \
    S(most,      64,   16,  16,  9,        5,      0)

/*    kind       C type    name         bits                      compared when  meaning */
#define DAWS_REPETITION_PORTS(X) \
    X(IN,        bool,     rst,         1,                                       "reset, synchronous: there are no lines") \
    X(IN,        bool,     probe_valid, 1,                                       "the L1 has taken an access of a sampling warp's load") \
    X(IN,        uint8_t,  probe_warp,  clog2(p->WARPS),                         "the warp, below WARPS") \
    X(IN,        uint32_t, probe_line,  p->LINE_BITS,                            "the access' line") \
    X(IN,        uint32_t, probe_pc,    p->PC_BITS,                              "the load") \
    X(IN,        bool,     probe_last,  1,                                       "its load's last; with MAJORITY those of a load come in succession") \
    X(IN,        bool,     clear_valid, 1,                                       "a sampling warp begins a trip, or a warp has ended") \
    X(IN,        uint8_t,  clear_warp,  clog2(p->WARPS),                         "the warp, below WARPS: its lines are forgotten") \
    X(OUT,       bool,     pair_valid,  1,                        ALWAYS,        "the access of five cycles ago, or most of its load: a line of another load") \
    X(OUT,       uint32_t, pair_a,      p->PC_BITS,               o->pair_valid, "the access' load") \
    X(OUT,       uint32_t, pair_b,      p->PC_BITS,               o->pair_valid, "the load that had put the line there")

/* clang-format on */

BLOCK_TYPES(daws_repetition, DAWS_REPETITION)

#endif
