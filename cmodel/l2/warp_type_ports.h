/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the table of warp types (see l2/warp_type.h). */
#ifndef WARPMEM_L2_WARP_TYPE_PORTS_H
#define WARPMEM_L2_WARP_TYPE_PORTS_H

#include "base/ports.h"

#define WARP_TYPE_WARPS_MAX 4096
#define WARP_TYPE_PORTS_MAX 64
#define WARP_TYPE_LANES_MAX 8

/* clang-format off */

/*    name          default min max                   meaning */
#define WARP_TYPE_PARAMS(P) \
    P(WARPS,        720,    2,  WARP_TYPE_WARPS_MAX,  "warp slots of all cores") \
    P(UPDATES,      12,     1,  WARP_TYPE_PORTS_MAX,  "update ports: one an L2 bank") \
    P(LOOKUPS,      12,     1,  WARP_TYPE_PORTS_MAX,  "lookup ports: one a partition port") \
    P(LANES,        4,      1,  WARP_TYPE_LANES_MAX,  "a power of two not above WARPS: warp w lies in lane w mod LANES, which takes one update a cycle") \
    P(QUEUE,        4,      2,  16,                   "updates that wait at a port; one that finds its queue full is lost") \
    P(COUNTER_BITS, 10,     4,  16,                   "bits of the hit and of the access counter") \
    P(PROFILE,      30,     1,  255,                  "accesses until the type is known; below 2^(COUNTER_BITS-1)") \
    P(HIT_20THS,    14,     1,  20,                   "mostly-hit: hits of 20 accesses at least") \
    P(MISS_20THS,   4,      0,  19,                   "mostly-miss: hits of 20 accesses at most, before the boundary moves; below HIT_20THS") \
    P(MOVES,        3,      0,  3,                    "falls a 20th for a 20th more misses than 1: the period's least; 2: the least; 3: the last period's") \
    P(WINDOW,       10,     4,  20,                   "log2 of the requests between two checks of the miss rate") \
    P(FOLLOW,       0,      0,  1,                    "0: the type is kept until the reset; 1: it follows the counters") \
    P(GENERATION_BITS, 0,   0,  4,                    "bits that distinguish a slot's warps: a new one begins with empty counters; 0: it keeps the slot's")

/*    name        WARPS UPDATES LOOKUPS LANES QUEUE COUNTER_BITS PROFILE HIT_20THS MISS_20THS MOVES WINDOW FOLLOW GENERATION_BITS */
#define WARP_TYPE_SETS(S) \
    S(paper,      720,  12,     12,     4,    4,    10,          30,     14,       4,         3,    10,    0,     0) \
    S(partition,  720,  2,      2,      1,    4,    10,          30,     14,       4,         3,    10,    0,     0) \
    S(small,      4,    1,      1,      1,    2,    4,           3,      14,       4,         1,    4,     0,     0) \
    S(odd,        5,    3,      2,      2,    3,    5,           5,      13,       6,         1,    5,     0,     2) \
    S(follow,     6,    2,      3,      2,    2,    4,           5,      16,       4,         1,    4,     1,     1) \
    S(kept,       720,  12,     12,     4,    4,    10,          30,     14,       4,         2,    10,    0,     0) \
    S(quarters,   720,  2,      2,      4,    4,    10,          30,     14,       4,         3,    10,    0,     0) \
    S(alone,      7,    1,      4,      4,    2,    4,           3,      16,       4,         2,    4,     1,     1) \
    S(mean,       4,    2,      1,      2,    2,    4,           3,      14,       4,         3,    4,     0,     0) \
    S(fixed,      3,    2,      1,      1,    2,    4,           6,      20,       0,         0,    4,     0,     0)

/* A port with no bits is not possible; without generations the port has one bit, which is unused. */
#define WARP_TYPE_GENERATION_PORT(p) ((p)->GENERATION_BITS ? (p)->GENERATION_BITS : 1)

/*    kind      C type     max  name            count        bits                compared when  meaning */
#define WARP_TYPE_PORTS(X) \
    X(IN,       bool,           rst,                         1,                                 "reset, synchronous") \
    X(IN,       bool,           clear,                       1,                                 "a period ends: a reset, without the boundary if MOVES > 1") \
    X(IN,       uint64_t,       upd_valid,                   p->UPDATES,                        "accesses of the banks: a bit a port") \
    X(IN_VEC,   uint16_t, WARP_TYPE_PORTS_MAX, upd_warp, p->UPDATES, clog2(p->WARPS),           "their warps, below WARPS") \
    X(IN_VEC,   uint8_t,  WARP_TYPE_PORTS_MAX, upd_generation, p->UPDATES, WARP_TYPE_GENERATION_PORT(p), "their warps' generations") \
    X(IN,       uint64_t,       upd_hit,                     p->UPDATES,                        "they were hits; one that merges with a fetch is no hit") \
    X(OUT,      uint64_t,       upd_ready,                   p->UPDATES, ALWAYS,                "ports whose queue has room; elsewhere an access is lost") \
    X(IN,       uint64_t,       look_valid,                  p->LOOKUPS,                        "requests whose warps' types are wanted in the next cycle") \
    X(IN_VEC,   uint16_t, WARP_TYPE_PORTS_MAX, look_warp, p->LOOKUPS, clog2(p->WARPS),          "their warps, below WARPS") \
    X(IN_VEC,   uint8_t,  WARP_TYPE_PORTS_MAX, look_generation, p->LOOKUPS, WARP_TYPE_GENERATION_PORT(p), "their warps' generations") \
    X(OUT_VEC,  uint8_t,  WARP_TYPE_PORTS_MAX, look_class, p->LOOKUPS, 2,         ALWAYS,       "enum l2_class; balanced where not known") \
    X(OUT,      uint64_t,       look_known,                  p->LOOKUPS, ALWAYS,                "lookups that found a known type") \
    X(IN,       uint64_t,       bypassed,                    p->LOOKUPS,                        "requests that bypass: misses for the boundary") \
    X(OUT,      uint8_t,        boundary,                    5,          ALWAYS,                "the mostly-miss boundary, in 20ths")

/* clang-format on */

BLOCK_TYPES(warp_type, WARP_TYPE)

#endif
