/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the tags of a set-associative cache (see common/tag_sets.h). */
#ifndef WARPMEM_COMMON_TAG_SETS_PORTS_H
#define WARPMEM_COMMON_TAG_SETS_PORTS_H

#include "base/ports.h"

/* clang-format off */

/*    name      default min max meaning */
#define TAG_SETS_PARAMS(P) \
    P(SET_BITS,  5,      1,  10, "clog2 of the sets") \
    P(WAYS,      16,     2,  16, "lines of a set") \
    P(LINE_BITS, 32,     12, 48, "bits of a line's number") \
    P(INDEX,     0,      0,  2,  "set of a line: 0 its low bits, 1 these XOR as many above them, 2 XOR all groups of as many bits") \
    P(EARLY,     1,      0,  1,  "1: tags and order are in memories, which are read a cycle before; 0: in flip-flops")

/* gtx480 is the L2 bank of that preset, c2050 that of c2050-s, fermi_l1 the L1 of both, mdb_l1 that of gtx480-mdb.
 *    name      SET_BITS WAYS LINE_BITS INDEX EARLY */
#define TAG_SETS_SETS(S) \
    S(gtx480,   5,       16,  32,       0,    1) \
    S(c2050,    6,       16,  32,       0,    1) \
    S(fermi_l1, 5,       4,   32,       0,    0) \
    S(mdb_l1,   5,       4,   32,       1,    1) \
    S(small,    1,       2,   12,       1,    1) \
    S(flops,    1,       3,   12,       2,    0) \
    S(odd,      3,       5,   17,       2,    1)

/*    kind     C type    name           bits             compared when              meaning */
#define TAG_SETS_PORTS(X) \
    X(IN,      bool,     rst,           1,                                         "reset, synchronous; no way has a line") \
    X(IN,      bool,     clear,         1,                                         "all lines are dropped, only while none of any set is to come") \
    X(IN,      bool,     look,          1,                                         "this line is looked up") \
    X(IN,      uint64_t, line,          p->LINE_BITS,                              "its number; with EARLY that of ahead_line in the cycle before") \
    X(IN,      uint16_t, held,          p->WAYS,                                   "ways of its set whose lines are to come: no victims") \
    X(OUT,     bool,     found,         1,               ALWAYS,                   "with look: a way of the set has the line, held or not") \
    X(OUT,     uint8_t,  way,           clog2(p->WAYS),  o->found,                 "that way") \
    X(OUT,     bool,     dirty,         1,               o->found,                 "its line is dirty") \
    X(OUT,     bool,     room,          1,               ALWAYS,                   "with look: the set has a victim") \
    X(OUT,     uint8_t,  victim,        clog2(p->WAYS),  o->room,                  "the lowest way without a line, else the least recently used not held") \
    X(OUT,     bool,     victim_live,   1,               o->room,                  "it has a line") \
    X(OUT,     uint64_t, victim_line,   p->LINE_BITS,    o->room && o->victim_live, "that line") \
    X(OUT,     bool,     victim_dirty,  1,               o->room && o->victim_live, "it is dirty") \
    X(IN_LATE, uint64_t, ahead_line,    p->LINE_BITS,                              "with EARLY: what the next cycle may look up") \
    X(IN_LATE, bool,     update,        1,                                         "with look: a way of the set changes at this edge") \
    X(IN_LATE, uint8_t,  update_way,    clog2(p->WAYS),                            "that way; without update_take it has a line") \
    X(IN_LATE, bool,     update_take,   1,                                         "it gets the line, clean and newest; not held, no way has the line") \
    X(IN_LATE, bool,     update_drop,   1,                                         "it loses its line; not with update_take") \
    X(IN_LATE, bool,     update_newest, 1,                                         "it becomes the most recently used") \
    X(IN_LATE, bool,     update_oldest, 1,                                         "it becomes the least recently used, whatever else") \
    X(IN_LATE, bool,     update_clean,  1,                                         "its line becomes clean") \
    X(IN_LATE, bool,     update_dirty,  1,                                         "its line becomes dirty, whatever else")

/* clang-format on */

BLOCK_TYPES(tag_sets, TAG_SETS)

#endif
