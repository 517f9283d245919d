/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of DAWS's table of sampling warps (see issue/daws_sampling.h). */
#ifndef WARPMEM_ISSUE_DAWS_SAMPLING_PORTS_H
#define WARPMEM_ISSUE_DAWS_SAMPLING_PORTS_H

#include "base/ports.h"

#define DAWS_SAMPLING_LOOPS_MAX 16

/* Kinds of marks; larger numbers do nothing. */
enum daws_sampling_mark {
    DAWS_SAMPLING_BEGIN, /* the warp enters the loop */
    DAWS_SAMPLING_TRIP,  /* it begins another trip */
    DAWS_SAMPLING_END,   /* it leaves the loop */
    DAWS_SAMPLING_LOAD,  /* a load of it has issued, in the loop */
    DAWS_SAMPLING_EXIT,  /* it has ended */
    DAWS_SAMPLING_KINDS
};

/* clang-format off */

/*    name          default min max                      meaning */
#define DAWS_SAMPLING_PARAMS(P) \
    P(WARPS,        32,     2,  64,                      "warps of the core") \
    P(LOOPS,        8,      2,  DAWS_SAMPLING_LOOPS_MAX, "loops that have a place") \
    P(COUNTER_BITS, 8,      2,  16,                      "bits of a locality counter, signed") \
    P(PC_BITS,      24,     1,  24,                      "bits of a loop's name: number of its code, PC / 8") \
    P(NEGATIVE,     1,      0,  1,                       "1: a counter counts down below 0; 0: it stops there")

/* paper: 5.2, an application has at most five loops; warps48: other machines' cores.
 *    name          WARPS LOOPS COUNTER_BITS PC_BITS NEGATIVE */
#define DAWS_SAMPLING_SETS(S) \
    S(paper,        32,   8,    8,           24,     1) \
    S(stops,        32,   8,    8,           24,     0) \
    S(warps48,      48,   8,    8,           24,     1) \
    S(small,        2,    2,    2,           2,      1) \
    S(odd,          5,    3,    3,           3,      0) \
    S(most,         64,   16,   16,          24,     1)

/*    kind          C type    name          bits                     compared when   meaning */
#define DAWS_SAMPLING_PORTS(X) \
    X(IN,           bool,     rst,          1,                                       "reset, synchronous: there are no loops") \
    X(IN,           bool,     mark_valid,   1,                                       "a warp has done something in a loop, or ended") \
    X(IN,           uint8_t,  mark_kind,    3,                                       "what: enum daws_sampling_mark") \
    X(IN,           uint8_t,  mark_warp,    clog2(p->WARPS),                         "the warp, below WARPS") \
    X(IN,           uint32_t, mark_pc,      p->PC_BITS,                              "the loop; not of an exit") \
    X(IN,           uint8_t,  mark_lanes,   6,                                       "active lanes, of a begin") \
    X(IN,           bool,     feed_valid,   1,                                       "a load of a sampling warp has been judged") \
    X(IN,           uint8_t,  feed_loop,    clog2(p->LOOPS),                         "place of its loop, as it was answered; no loop there: nothing") \
    X(IN,           bool,     feed_local,   1,                                       "it had intra-warp locality, captured or lost") \
    X(OUT,          bool,     ans_samples,  1,                        ALWAYS,        "the last cycle's mark: a begin, trip or load of the sampling warp") \
    X(OUT,          uint8_t,  ans_loop,     clog2(p->LOOPS),          o->ans_samples, "the loop's place, which it keeps") \
    X(OUT,          bool,     ans_positive, 1,                        o->ans_samples, "the loop had locality in the last cycle") \
    X(OUT,          bool,     ans_refused,  1,                        ALWAYS,        "the last cycle's mark: a begin of a new loop that found no place") \
    X(OUT,          uint16_t, positive,     p->LOOPS,                 ALWAYS,        "loops whose counter is above 0: they have locality") \
    X(OUT_VEC,      uint32_t, DAWS_SAMPLING_LOOPS_MAX, loop_pc, p->LOOPS, p->PC_BITS, ALWAYS, "the loop of each place, 0 before there is one")

/* clang-format on */

BLOCK_TYPES(daws_sampling, DAWS_SAMPLING)

#endif
