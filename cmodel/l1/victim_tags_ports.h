/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the victim tags (see l1/victim_tags.h). */
#ifndef WARPMEM_L1_VICTIM_TAGS_PORTS_H
#define WARPMEM_L1_VICTIM_TAGS_PORTS_H

#include "base/ports.h"

#define VICTIM_TAGS_WARPS_MAX 64
#define VICTIM_TAGS_SETS_MAX 8
#define VICTIM_TAGS_WAYS_MAX 16

/* clang-format off */

/*    name       default min max                    meaning */
#define VICTIM_TAGS_PARAMS(P) \
    P(WARPS,     32,     2,  VICTIM_TAGS_WARPS_MAX, "warps of the core, each with tags of its own") \
    P(SETS,      2,      1,  VICTIM_TAGS_SETS_MAX,  "sets of a warp, a power of two: the low bits of a line choose one") \
    P(WAYS,      8,      1,  VICTIM_TAGS_WAYS_MAX,  "lines of a set") \
    P(LINE_BITS, 32,     4,  32,                    "bits of a line's number") \
    P(FREES,     0,      0,  1,                     "1: a hit frees its line's way; 0: it keeps it")

/* paper: as DAWS table 3 and the simulator of MICRO 2012 have them.
 *    name       WARPS SETS WAYS LINE_BITS FREES */
#define VICTIM_TAGS_SETS(S) \
    S(paper,     32,   2,   8,   32,       0) \
    S(frees,     32,   2,   8,   32,       1) \
    S(warps48,   48,   2,   8,   32,       0) \
    S(small,     2,    1,   2,   4,        1) \
    S(keeps,     2,    1,   2,   4,        0) \
    S(odd,       3,    4,   3,   5,        1) \
    S(single,    5,    2,   1,   6,        0) \
    S(most,      64,   8,   16,  9,        0)

/*    kind       C type    name         bits                     compared when meaning */
#define VICTIM_TAGS_PORTS(X) \
    X(IN,        bool,     rst,         1,                                     "reset, synchronous: there are no lines") \
    X(IN,        bool,     evict_valid, 1,                                     "the cache has evicted a line to make room") \
    X(IN,        uint8_t,  evict_warp,  clog2(p->WARPS),                       "the warp that had fetched it, below WARPS") \
    X(IN,        uint32_t, evict_line,  p->LINE_BITS,                          "the line") \
    X(IN,        bool,     look_valid,  1,                                     "an access has missed") \
    X(IN,        uint8_t,  look_warp,   clog2(p->WARPS),                       "its warp, below WARPS") \
    X(IN,        uint32_t, look_line,   p->LINE_BITS,                          "its line") \
    X(IN,        bool,     clear_valid, 1,                                     "a new warp enters a slot") \
    X(IN,        uint8_t,  clear_warp,  clog2(p->WARPS),                       "the slot, below WARPS: its lines are dropped") \
    X(OUT,       bool,     hit_valid,   1,                       ALWAYS,       "the miss of the last cycle was of a line that its warp has lost") \
    X(OUT,       uint8_t,  hit_warp,    clog2(p->WARPS),         o->hit_valid, "the warp")

/* clang-format on */

BLOCK_TYPES(victim_tags, VICTIM_TAGS)

#endif
