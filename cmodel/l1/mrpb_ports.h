/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the memory request prioritization buffer (see l1/mrpb.h). */
#ifndef WARPMEM_L1_MRPB_PORTS_H
#define WARPMEM_L1_MRPB_PORTS_H

#include "base/ports.h"
#include "config/mrpb_modes.h"

#define MRPB_QUEUES_MAX 64
#define MRPB_DEPTH_MAX 64
#define MRPB_DATA_WORDS 4

/* clang-format off */

/*    name       default min max               meaning */
#define MRPB_PARAMS(P) \
    P(QUEUES,    48,     2,  MRPB_QUEUES_MAX,  "request queues, one a signature") \
    P(DEPTH,     8,      2,  MRPB_DEPTH_MAX,   "entries a queue; the C block alone also takes 0: without bound") \
    P(DATA_BITS, 64,     1,  64 * MRPB_DATA_WORDS, "bits of a request header") \
    P(LATENCY,   5,      3,  18,               "cycles from enqueue until the request is visible to the cache") \
    P(DRAIN,     0,      0,  5,                "drain policy: enum mrpb_drain") \
    P(FLUSH,     1,      0,  1,                "1: a full queue drains first, a write empties its queue and is not stored; 0: writes queue") \
    P(BYPASS,    1,      0,  2,                "refusals after which a read may bypass: enum mrpb_bypass")

/*    name        QUEUES DEPTH DATA_BITS LATENCY DRAIN FLUSH BYPASS */
#define MRPB_SETS(S) \
    S(paper,      48,    8,    64,       5,      0,    1,    1) \
    S(small,      4,     4,    8,        3,      0,    1,    1) \
    S(odd,        5,     3,    136,      6,      0,    1,    2) \
    S(turns,      8,     5,    16,       4,      1,    1,    1) \
    S(longest,    5,     6,    16,       5,      2,    1,    0) \
    S(greedy,     4,     4,    8,        5,      3,    0,    1) \
    S(in_turn,    32,    8,    64,       5,      4,    0,    2) \
    S(long_queue, 8,     32,   64,       18,     5,    1,    2) \
    S(no_flush,   48,    8,    64,       5,      2,    0,    1)

/*    kind      C type           name            bits                compared when  meaning */
#define MRPB_PORTS(X) \
    X(IN,       bool,            rst,            1,                                 "reset, synchronous") \
    X(IN,       bool,            enq_valid,      1,                                 "a coalesced request wants to enter") \
    X(IN,       uint8_t,         enq_queue,      clog2(p->QUEUES),                  "its signature") \
    X(IN,       bool,            enq_write,      1,                                 "it is a write: with FLUSH it waits until its queue is empty") \
    X(IN_WIDE,  MRPB_DATA_WORDS, enq_data,       p->DATA_BITS,                      "its header") \
    X(OUT,      bool,            enq_ready,      1,                  ALWAYS,        "it enters at this edge if enq_valid") \
    X(OUT,      bool,            deq_valid,      1,                  ALWAYS,        "the outbound buffer offers a request to the cache") \
    X(OUT,      uint8_t,         deq_queue,      clog2(p->QUEUES),   o->deq_valid,  "its queue") \
    X(OUT,      bool,            deq_write,      1,                  o->deq_valid,  "it is a write") \
    X(OUT,      bool,            deq_bypass,     1,                  o->deq_valid,  "it may bypass: it was refused for a cause of BYPASS") \
    X(OUT_WIDE, MRPB_DATA_WORDS, deq_data,       p->DATA_BITS,       o->deq_valid,  "its header") \
    X(IN_LATE,  bool,            deq_ready,      1,                                 "the cache takes it at this edge") \
    X(IN_LATE,  bool,            deq_stall,      1,                                 "the cache refuses it: a resource is missing that a bypass does not need") \
    X(IN_LATE,  bool,            deq_assoc_stall, 1,                                "the cache refuses it: every line of its set waits for a fill")

/* clang-format on */

BLOCK_TYPES(mrpb, MRPB)

#endif
