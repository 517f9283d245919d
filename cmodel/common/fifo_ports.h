/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the FIFO (see common/fifo.h). */
#ifndef WARPMEM_COMMON_FIFO_PORTS_H
#define WARPMEM_COMMON_FIFO_PORTS_H

#include "base/ports.h"

#define FIFO_DATA_WORDS 4

/* clang-format off */

/*    name       default min max    meaning */
#define FIFO_PARAMS(P) \
    P(DEPTH,     8,      2,  4096,  "words") \
    P(DATA_BITS, 64,     1,  64 * FIFO_DATA_WORDS, "bits of a word")

/*    name    DEPTH DATA_BITS */
#define FIFO_SETS(S) \
    S(least,  2,    1) \
    S(odd,    5,    136) \
    S(deep,   32,   64)

/*    kind       C type           name       bits                 compared when  meaning */
#define FIFO_PORTS(X) \
    X(IN,        bool,            rst,       1,                                  "reset, synchronous; empties it") \
    X(IN,        bool,            enq_valid, 1,                                  "a word wants to enter") \
    X(IN_WIDE,   FIFO_DATA_WORDS, enq_data,  p->DATA_BITS,                       "the word") \
    X(OUT,       bool,            enq_ready, 1,                   ALWAYS,        "it enters at this edge if enq_valid") \
    X(OUT,       bool,            deq_valid, 1,                   ALWAYS,        "a word is offered") \
    X(OUT_WIDE,  FIFO_DATA_WORDS, deq_data,  p->DATA_BITS,        o->deq_valid,  "the oldest word") \
    X(IN_LATE,   bool,            deq_ready, 1,                                  "it leaves at this edge if deq_valid") \
    X(OUT,       uint16_t,        count,     clog2(p->DEPTH + 1), ALWAYS,        "words inside, the offered one included")

/* clang-format on */

BLOCK_TYPES(fifo, FIFO)

#endif
