/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of skeleton (see place/skeleton.h). */
#ifndef WARPMEM_PLACE_SKELETON_PORTS_H
#define WARPMEM_PLACE_SKELETON_PORTS_H

#include "base/ports.h"

/* clang-format off */

/*    name       default min max meaning */
#define SKELETON_PARAMS(P) \
    P(DATA_BITS, 32,     1,  64, "bits of a word")

/*    name    DATA_BITS */
#define SKELETON_SETS(S) \
    S(paper,  32) \
    S(small,  2) \
    S(odd,    7)

/*    kind     C type    name       bits          compared when  meaning */
#define SKELETON_PORTS(X) \
    X(IN,      bool,     rst,       1,                           "reset, synchronous") \
    X(IN,      bool,     in_valid,  1,                           "a word asks to enter") \
    X(IN,      uint64_t, in_data,   p->DATA_BITS,                "the word") \
    X(OUT,     bool,     in_ready,  1,            ALWAYS,        "it enters") \
    X(OUT,     bool,     out_valid, 1,            ALWAYS,        "a word is inside") \
    X(OUT,     uint64_t, out_data,  p->DATA_BITS, o->out_valid,  "that word") \
    X(IN_LATE, bool,     out_ready, 1,                           "it leaves at this edge")

/* clang-format on */

BLOCK_TYPES(skeleton, SKELETON)

#endif
