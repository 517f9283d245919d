/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of cache-conscious warp scheduling (see issue/ccws.h). */
#ifndef WARPMEM_ISSUE_CCWS_PORTS_H
#define WARPMEM_ISSUE_CCWS_PORTS_H

#include "base/ports.h"

#define CCWS_WARPS_MAX 64

/* clang-format off */

/*    name        default min max             meaning */
#define CCWS_PARAMS(P) \
    P(WARPS,      32,     2,  CCWS_WARPS_MAX, "warps of the core; WARPS * BASE * CUTOFFS below 2^SCORE_BITS") \
    P(BASE,       100,    1,  1023,           "score of a warp that has lost nothing lately, and its share of the cutoff") \
    P(K,          8,      1,  255,            "weight of a lost line against an issued instruction") \
    P(SCORE_BITS, 15,     2,  20,             "bits of a score") \
    P(COUNT_BITS, 24,     11, 31,             "bits of the counts of lost lines, times K, and instructions; both halve when half full") \
    P(ISSUES,     2,      1,  4,              "warp instructions that the core issues in a cycle at most") \
    P(CUTOFFS,    8,      1,  16,             "bound of a score in cutoffs, a power of two")

/* paper: DAWS table 3, with room for the scores of the simulator of MICRO 2012, which bounds none; bounded: by the
 * cutoff; dual: another machines' cores.
 *    name        WARPS BASE K    SCORE_BITS COUNT_BITS ISSUES CUTOFFS */
#define CCWS_SETS(S) \
    S(paper,      32,   100, 8,   15,        24,        2,     8) \
    S(bounded,    32,   100, 8,   12,        24,        2,     1) \
    S(dual,       48,   100, 8,   16,        24,        2,     8) \
    S(small,      2,    3,   1,   3,         11,        1,     1) \
    S(odd,        5,    7,   3,   8,         11,        3,     4) \
    S(tight,      9,    1,   200, 4,         11,        4,     1) \
    S(most,       64,   1023, 255, 20,       31,        4,     16)

/*    kind        C type    name        bits                  compared when meaning */
#define CCWS_PORTS(X) \
    X(IN,         bool,     rst,        1,                            "reset, synchronous: no warp, no counts") \
    X(IN,         bool,     lost_valid, 1,                            "a warp has missed on a line that it had lost (l1/victim_tags)") \
    X(IN,         uint8_t,  lost_warp,  clog2(p->WARPS),              "the warp, below WARPS") \
    X(IN,         uint8_t,  issued,     clog2(p->ISSUES + 1),         "warp instructions that issue in this cycle, up to ISSUES") \
    X(IN,         uint64_t, live,       p->WARPS,                     "slots with a warp that has instructions left") \
    X(IN,         uint64_t, launch,     p->WARPS,                     "slots into which a warp comes in this cycle") \
    X(IN,         bool,     ticks,      1,                            "time passes: scores above BASE fall by 1") \
    X(OUT,        uint64_t, can_load,   p->WARPS,             ALWAYS, "warps that may issue a load")

/* clang-format on */

BLOCK_TYPES(ccws, CCWS)

#endif
