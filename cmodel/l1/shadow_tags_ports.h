/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the shadow tag arrays (see l1/shadow_tags.h). */
#ifndef WARPMEM_L1_SHADOW_TAGS_PORTS_H
#define WARPMEM_L1_SHADOW_TAGS_PORTS_H

#include "base/ports.h"

#define SHADOW_TAGS_ARRAYS_MAX 8
#define SHADOW_TAGS_SETS_MAX 64
#define SHADOW_TAGS_WAYS_MAX 8

/* clang-format off */

/*    name      default min max                     meaning */
#define SHADOW_TAGS_PARAMS(P) \
    P(ARRAYS,   8,      1,  SHADOW_TAGS_ARRAYS_MAX, "arrays, each for the accesses of one warp or CTA more") \
    P(SETS,     4,      2,  SHADOW_TAGS_SETS_MAX,   "sets of an array: those of the cache that are sampled") \
    P(WAYS,     4,      2,  SHADOW_TAGS_WAYS_MAX,   "ways of a set, those of the cache") \
    P(TAG_BITS, 32,     1,  32,                     "bits of a tag")

/*    name      ARRAYS SETS WAYS TAG_BITS */
#define SHADOW_TAGS_SETS(S) \
    S(paper,    8,     4,   4,   32) \
    S(small,    2,     2,   2,   2) \
    S(odd,      3,     2,   3,   3) \
    S(one,      1,     4,   5,   3) \
    S(kb32,     8,     8,   4,   32) \
    S(kb48,     8,     8,   6,   32) \
    S(wide,     5,     64,  8,   5)

/*    kind  C type    name       bits                compared when    meaning */
#define SHADOW_TAGS_PORTS(X) \
    X(IN,   bool,     rst,       1,                                   "reset, synchronous: every array is empty") \
    X(IN,   bool,     acc_valid, 1,                                   "an access to a sampled set") \
    X(IN,   uint8_t,  acc_set,   clog2(p->SETS),                      "the set, by its number among the sampled ones") \
    X(IN,   uint32_t, acc_tag,   p->TAG_BITS,                         "the line's tag") \
    X(IN,   uint8_t,  acc_first, clog2(p->ARRAYS),                    "the first array that it enters, below ARRAYS; it enters all above too") \
    X(OUT,  bool,     hit_valid, 1,                  ALWAYS,          "the access of three cycles ago has been looked up") \
    X(OUT,  uint8_t,  hit,       p->ARRAYS,          o->hit_valid,    "the arrays that it entered and that had its line, a bit each")

/* clang-format on */

BLOCK_TYPES(shadow_tags, SHADOW_TAGS)

#endif
