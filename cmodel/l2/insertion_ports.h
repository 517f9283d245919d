/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the replacement state with warp types (see l2/insertion.h). */
#ifndef WARPMEM_L2_INSERTION_PORTS_H
#define WARPMEM_L2_INSERTION_PORTS_H

#include "base/ports.h"

#define INSERTION_WAYS_MAX 64

/* clang-format off */

/*    name   default min max                 meaning */
#define INSERTION_PARAMS(P) \
    P(SETS,  32,     1,  4096,               "sets of the bank, a power of two") \
    P(WAYS,  16,     1,  INSERTION_WAYS_MAX, "lines a set") \
    P(RAISE, 0,      0,  1,                  "1: a hit raises its line to the class of the warp; 0: a line keeps the class that inserted it") \
    P(PLACE, 0,      0,  1,                  "1: the class decides the place of insertion in the LRU order; 0: class, then recency, decide eviction")

/*    name        SETS WAYS RAISE PLACE */
#define INSERTION_SETS(S) \
    S(paper,      32,  16,  0,    0) \
    S(way17,      32,  17,  0,    0) \
    S(raise,      8,   8,   1,    0) \
    S(small,      2,   2,   0,    0) \
    S(odd,        4,   5,   1,    0) \
    S(one,        1,   1,   0,    0) \
    S(place,      32,  16,  0,    1) \
    S(place_odd,  2,   5,   0,    1)

/*    kind      C type     name      bits            compared when  meaning */
#define INSERTION_PORTS(X) \
    X(IN,       bool,      rst,      1,                             "reset, synchronous: set 0; every line mostly-miss, the lowest way least recently used") \
    X(IN,       uint64_t,  free,     p->WAYS,                       "of the set that was read last: ways without a line") \
    X(IN,       uint64_t,  held,     p->WAYS,                       "ways that must not be evicted: their line is on its way") \
    X(OUT,      bool,      victim_valid, 1,          ALWAYS,        "victim is valid") \
    X(OUT,      uint8_t,   victim,   clog2(p->WAYS), o->victim_valid, "the lowest free one; else, of those not held, the oldest of the lowest class") \
    X(IN_LATE,  bool,      touch,    1,                             "the access is a hit: way becomes the most recently used") \
    X(IN_LATE,  bool,      insert,   1,                             "the access takes way, with line_class; PLACE 0: as the most recently used; before touch") \
    X(IN_LATE,  uint8_t,   way,      clog2(p->WAYS),                "below WAYS") \
    X(IN_LATE,  uint8_t,   line_class, 2,                           "enum l2_class of the warp") \
    X(IN_LATE,  bool,      read,     1,                             "the next access will be to this set: current from the next cycle until the next read") \
    X(IN_LATE,  uint32_t,  set,      clog2(p->SETS),                "the set, below SETS")

/* clang-format on */

BLOCK_TYPES(insertion, INSERTION)

#endif
