/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the bypassing parameter generator (see l1/bpg.h). */
#ifndef WARPMEM_L1_BPG_PORTS_H
#define WARPMEM_L1_BPG_PORTS_H

#include "base/ports.h"
#include "l1/shadow_tags_ports.h"

#define BPG_CALCULATORS_MAX SHADOW_TAGS_ARRAYS_MAX
#define BPG_SAMPLED_BITS 3 /* sets that are 0 modulo 8 are sampled (MDB 6) */

/* clang-format off */

/*    name         default min max                   meaning */
#define BPG_PARAMS(P) \
    P(CALCULATORS, 8,      2,  BPG_CALCULATORS_MAX,  "warps or CTAs that are counted separately: one calculator each") \
    P(SET_BITS,    5,      4,  9,                    "bits of the cache's set number") \
    P(WAYS,        4,      2,  SHADOW_TAGS_WAYS_MAX, "ways of the cache") \
    P(LINE_BITS,   44,     10, 58,                   "bits of a line number") \
    P(TAG_BITS,    32,     1,  32,                   "bits of a tag: the line number above the set's bits, as far as they go") \
    P(INTERVAL,    1000,   24, 65536,                "accesses from one limit to the next") \
    P(HIT_BITS,    10,     4,  16,                   "bits of a hit counter") \
    P(FAIL_BITS,   12,     4,  16,                   "bits of the counter of reservation failures") \
    P(COUNT_BITS,  12,     1,  16,                   "bits of the failures of one cycle") \
    P(HITS_SHIFT,  3,      0,  4,                    "log2 of the weight of a sampled hit: 3 where one set in eight is sampled") \
    P(E_64THS,     32,     0,  64,                   "weight of a failure against a hit, in 64ths (E of MDB 5.3)") \
    P(RESCALE,     0,      0,  1,                    "1: the failures counted at the limit in force are scaled to no bypassing")

/*    name        CALCULATORS SET_BITS WAYS LINE_BITS TAG_BITS INTERVAL HIT_BITS FAIL_BITS COUNT_BITS HITS_SHIFT E_64THS RESCALE */
#define BPG_SETS(S) \
    S(paper,      8,          5,       4,   44,       32,      1000,    10,      12,       1,         3,         32,     0) \
    S(machine,    8,          5,       4,   44,       32,      1000,    10,      12,       12,        3,         32,     0) \
    S(kb32,       8,          6,       4,   44,       32,      1000,    10,      12,       12,        3,         32,     0) \
    S(small,      2,          4,       2,   10,       2,       24,      4,       4,        1,         0,         32,     0) \
    S(odd,        5,          4,       3,   12,       4,       25,      5,       6,        3,         1,         21,     0) \
    S(rescale,    8,          4,       4,   12,       8,       24,      6,       8,        6,         3,         45,     1) \
    S(as_counted, 8,          5,       4,   44,       32,      1000,    10,      12,       12,        0,         32,     0)

/*    kind  C type    name       bits                       compared when  meaning */
#define BPG_PORTS(X) \
    X(IN,   bool,     rst,       1,                                        "reset, synchronous") \
    X(IN,   bool,     clear,     1,                                        "start again; this cycle's access and failures do not count") \
    X(IN,   bool,     acc_valid, 1,                                        "the cache takes a load, or the load bypasses it") \
    X(IN,   uint8_t,  acc_number, clog2(p->CALCULATORS + 1),               "its warp or CTA; CALCULATORS: one without a calculator") \
    X(IN,   uint64_t, acc_line,  p->LINE_BITS,                             "its line's number") \
    X(IN,   uint16_t, acc_set,   p->SET_BITS,                              "the set of the cache for the line") \
    X(IN,   uint16_t, fail_count, p->COUNT_BITS,                           "reservation failures since the last edge") \
    X(IN,   uint8_t,  resident,  clog2(p->CALCULATORS + 1),                "warps or CTAs in the core (N), read with an interval's first access") \
    X(OUT,  bool,     first,     1,                          ALWAYS,       "the next access is the first of its interval") \
    X(OUT,  uint8_t,  limit,     clog2(p->CALCULATORS + 1),  ALWAYS,       "warps or CTAs that use the cache (L); CALCULATORS: all, no bypass") \
    X(OUT,  bool,     limit_new, 1,                          ALWAYS,       "limit was computed, or cleared, at the last edge")

/* clang-format on */

BLOCK_TYPES(bpg, BPG)

#endif
