/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the framework's own test block (see cosim/sample.h). */
#ifndef WARPMEM_COSIM_SAMPLE_PORTS_H
#define WARPMEM_COSIM_SAMPLE_PORTS_H

#include "base/ports.h"

#define SAMPLE_LANES_MAX 16
#define SAMPLE_WORD_WORDS 3

/* clang-format off */

/*    name       default min max               meaning */
#define SAMPLE_PARAMS(P) \
    P(LANES,     4,      1,  SAMPLE_LANES_MAX, "lanes, each with an accumulator") \
    P(LANE_BITS, 5,      1,  16,               "bits of an accumulator") \
    P(WORD_BITS, 100,    1,  64 * SAMPLE_WORD_WORDS, "bits of the word")

/*    name   LANES LANE_BITS WORD_BITS */
#define SAMPLE_SETS(S) \
    S(plain, 4,    5,        100) \
    S(tiny,  1,    1,        1) \
    S(even,  2,    16,       64) \
    S(wide,  13,   11,       129)

/*    kind      C type             name        bits                count     bits           when             meaning */
#define SAMPLE_PORTS(X) \
    X(IN,       bool,              rst,        1,                                                            "reset, synchronous") \
    X(IN,       bool,              add_valid,  1,                                                            "add to the accumulators") \
    X(IN_VEC,   uint16_t, SAMPLE_LANES_MAX, add_lane,              p->LANES, p->LANE_BITS,                   "a summand a lane") \
    X(IN_WIDE,  SAMPLE_WORD_WORDS, add_word,   p->WORD_BITS,                                                 "a word to remember") \
    X(OUT,      bool,              any_carry,  1,                                           ALWAYS,          "an addition would overflow, now") \
    X(OUT,      bool,              sum_valid,  1,                                           ALWAYS,          "something was added") \
    X(OUT_VEC,  uint16_t, SAMPLE_LANES_MAX, sum_lane,              p->LANES, p->LANE_BITS,  ALWAYS,          "the accumulators") \
    X(OUT_WIDE, SAMPLE_WORD_WORDS, sum_word,   p->WORD_BITS,                                o->sum_valid,    "the last word") \
    X(IN_LATE,  bool,              sum_ready,  1,                                                            "the sums are taken: start from zero")

/* clang-format on */

BLOCK_TYPES(sample, SAMPLE)

#endif
