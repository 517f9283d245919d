/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the prefetcher of open DRAM rows (see dram/row_prefetch.h). */
#ifndef WARPMEM_DRAM_ROW_PREFETCH_PORTS_H
#define WARPMEM_DRAM_ROW_PREFETCH_PORTS_H

#include "base/ports.h"

#define ROW_PREFETCH_BANKS_MAX 64
#define ROW_PREFETCH_LINES_MAX 64

/* clang-format off */

/*    name           default min max                     meaning */
#define ROW_PREFETCH_PARAMS(P) \
    P(BANKS,         4,      2,  ROW_PREFETCH_BANKS_MAX, "banks of the channel, a power of two") \
    P(LINES,         32,     2,  ROW_PREFETCH_LINES_MAX, "cache lines of a row, a power of two") \
    P(ROW_BITS,      32,     1,  32,                     "bits of a row number") \
    P(RULE,          2,      1,  2,                      "1: stop at a demand for another row; 2: at least LOWER or HIGHER lines") \
    P(LOWER,         8,      0,  ROW_PREFETCH_LINES_MAX, "lines of a row that are offered even if others wait; 0: none at all") \
    P(HIGHER,        16,     0,  ROW_PREFETCH_LINES_MAX, "the same while few demands wait") \
    P(THRESHOLD,     0,      0,  127,                    "few: fewer than this; 0: fewer than their average") \
    P(AVERAGE_SHIFT, 4,      2,  8,                      "the average moves by a 2^this-th of the difference") \
    P(WRITTEN,       0,      0,  1,                      "rows that are opened for a write are prefetched too") \
    P(START,         0,      0,  1,                      "a row's first line: 0: only while no demand waits for another row; 1: whatever waits")

/* paper: OWL table 1 and 4.4.
 *    name        BANKS LINES ROW_BITS RULE LOWER HIGHER THRESHOLD AVERAGE_SHIFT WRITTEN START */
#define ROW_PREFETCH_SETS(S) \
    S(paper,      4,    32,   32,      2,   8,    16,    0,        4,            0,      0) \
    S(stop,       4,    32,   32,      1,   8,    16,    0,        4,            0,      0) \
    S(small,      2,    16,   1,       2,   1,    2,     0,        2,            1,      0) \
    S(odd,        8,    8,    5,       2,   0,    7,     5,        3,            0,      1)

/*    kind      C type    name        bits                  compared when  meaning */
#define ROW_PREFETCH_PORTS(X) \
    X(IN,       bool,     rst,        1,                                   "reset, synchronous: no row is known, the average is 0") \
    X(IN,       uint64_t, open,       p->BANKS,                            "banks with an open row, at the beginning of the cycle") \
    X(IN,       uint64_t, wanted,     p->BANKS,                            "of these, banks for whose open row a demand waits") \
    X(IN,       uint64_t, other,      p->BANKS,                            "of these, banks in which a demand waits for another row") \
    X(IN,       uint8_t,  pending,    8,                                   "demands that wait in the channel") \
    X(OUT,      bool,     pf_valid,   1,                    ALWAYS,        "a line is to be prefetched; held until it is taken") \
    X(OUT,      uint8_t,  pf_bank,    clog2(p->BANKS),      o->pf_valid,   "its bank") \
    X(OUT,      uint32_t, pf_row,     p->ROW_BITS,          o->pf_valid,   "its row") \
    X(OUT,      uint8_t,  pf_line,    clog2(p->LINES),      o->pf_valid,   "its line within the row") \
    X(OUT,      uint64_t, hold,       p->BANKS,             ALWAYS,        "banks whose row must stay open in this cycle") \
    X(IN_LATE,  bool,     act_valid,  1,                                   "a row is opened in this cycle, in a bank without one") \
    X(IN_LATE,  uint8_t,  act_bank,   clog2(p->BANKS),                     "its bank") \
    X(IN_LATE,  uint32_t, act_row,    p->ROW_BITS,                         "its number") \
    X(IN_LATE,  bool,     act_write,  1,                                   "for a write") \
    X(IN_LATE,  bool,     pre_valid,  1,                                   "a row is closed in this cycle") \
    X(IN_LATE,  uint8_t,  pre_bank,   clog2(p->BANKS),                     "its bank: an open one that hold does not name") \
    X(IN_LATE,  bool,     col_valid,  1,                                   "a demand's last column command is issued, of a read or a write") \
    X(IN_LATE,  uint8_t,  col_bank,   clog2(p->BANKS),                     "its bank: one that is wanted") \
    X(IN_LATE,  uint8_t,  col_line,   clog2(p->LINES),                     "its line within the row") \
    X(IN_LATE,  bool,     arrival,    1,                                   "one more demand comes in this cycle") \
    X(IN_LATE,  bool,     pf_ready,   1,                                   "the offered line is taken at this edge if pf_valid")

/* clang-format on */

BLOCK_TYPES(row_prefetch, ROW_PREFETCH)

#endif
