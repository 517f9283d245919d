/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the miss status holding registers (see common/mshrs.h). */
#ifndef WARPMEM_COMMON_MSHRS_PORTS_H
#define WARPMEM_COMMON_MSHRS_PORTS_H

#include "base/ports.h"

/* clang-format off */

/*    name      default min max meaning */
#define MSHRS_PARAMS(P) \
    P(ENTRIES,  32,     2,  64, "registers: lines that are being fetched") \
    P(MERGE,    8,      1,  32, "requests an entry holds") \
    P(TAG_BITS, 16,     1,  64, "bits that name a request")

/* machine is the L1's of preset gtx480, wide the L2 bank's of c2050-s.
 *    name     ENTRIES MERGE TAG_BITS */
#define MSHRS_SETS(S) \
    S(machine, 32,     8,    16) \
    S(wide,    64,     32,   16) \
    S(small,   4,      2,    4) \
    S(odd,     5,      3,    3) \
    S(single,  2,      1,    2)

/*    kind   C type    name          bits                     compared when     meaning */
#define MSHRS_PORTS(X) \
    X(IN,    bool,     rst,          1,                                         "reset, synchronous; all entries are free") \
    X(OUT,   bool,     wake_valid,   1,                       ALWAYS,           "a request whose line has come is offered") \
    X(OUT,   uint8_t,  wake_entry,   clog2(p->ENTRIES),       o->wake_valid,    "its entry") \
    X(OUT,   uint64_t, wake_tag,     p->TAG_BITS,             o->wake_valid,    "its name") \
    X(OUT,   bool,     wake_last,    1,                       o->wake_valid,    "the entry's last: it frees the entry") \
    X(IN,    bool,     wake_ready,   1,                                         "it is taken at this edge if wake_valid") \
    X(IN,    bool,     fill_valid,   1,                                         "a line has come") \
    X(IN,    uint8_t,  fill_entry,   clog2(p->ENTRIES),                         "its entry, which is taken and has not been filled") \
    X(IN,    bool,     fill_skip,    1,                                         "nobody waits for the first of the entry's several requests") \
    X(IN,    bool,     fill_drop,    1,                                         "nobody waits for any: the entry is free at once") \
    X(IN,    bool,     put_valid,    1,                                         "a request waits for a line") \
    X(IN,    bool,     put_merge,    1,                                         "with put_valid: for the line of put_entry, not filled yet; else a new one") \
    X(IN,    uint8_t,  put_entry,    clog2(p->ENTRIES),                         "with put_merge") \
    X(IN,    uint64_t, put_tag,      p->TAG_BITS,                               "its name") \
    X(OUT,   bool,     put_ready,    1,                       ALWAYS,           "it enters at this edge if put_valid") \
    X(OUT,   bool,     new_valid,    1,                       ALWAYS,           "an entry is free, after this cycle's wake and fill") \
    X(OUT,   uint8_t,  new_entry,    clog2(p->ENTRIES),       o->new_valid,     "the lowest of these: what a request takes without put_merge") \
    X(OUT,   uint8_t,  free_count,   clog2(p->ENTRIES + 1),   ALWAYS,           "free entries at the beginning of this cycle")

/* clang-format on */

BLOCK_TYPES(mshrs, MSHRS)

#endif
