/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the two request queues of a DRAM controller (see dram/dual_queue.h). */
#ifndef WARPMEM_DRAM_DUAL_QUEUE_PORTS_H
#define WARPMEM_DRAM_DUAL_QUEUE_PORTS_H

#include "base/ports.h"

#define DUAL_QUEUE_DEPTH_MAX 128
#define DUAL_QUEUE_BANKS_MAX 64

/* clang-format off */

/*    name        default min max                   meaning */
#define DUAL_QUEUE_PARAMS(P) \
    P(DEPTH,      16,     2,  DUAL_QUEUE_DEPTH_MAX, "requests each queue holds") \
    P(BANKS,      8,      2,  DUAL_QUEUE_BANKS_MAX, "banks of the channel, a power of two") \
    P(ROW_BITS,   16,     1,  32,                   "bits of a row number") \
    P(BURST_BITS, 2,      1,  4,                    "bits of a number of bursts") \
    P(TAG_BITS,   8,      1,  64,                   "bits that name a request") \
    P(BOUND,      0,      0,  255,                  "high column commands by which the oldest low request is passed before its turn; 0: no turns") \
    P(ROW_FIRST,  0,      0,  1,                    "1: hits of the open row, low ones too, before another row; 0: high requests before all else")

/* machine, turns and rows are those of preset gtx480, turns with dram.low_bound = 16, rows with
 * dram.high = row-first.
 *    name        DEPTH BANKS ROW_BITS BURST_BITS TAG_BITS BOUND ROW_FIRST */
#define DUAL_QUEUE_SETS(S) \
    S(paper,      16,   8,    16,       2,         8,       0,      0) \
    S(deep,       64,   8,    16,       2,         8,       0,      0) \
    S(small,      2,    2,    1,        1,         4,       0,      0) \
    S(odd,        5,    4,    2,        2,         5,       3,      0) \
    S(ragged,     10,   2,    1,        1,         4,       2,      0) \
    S(hasty,      2,    2,    1,        1,         4,       1,      0) \
    S(far,        2,    2,    32,       1,         4,       0,      0) \
    S(machine,    16,   8,    32,       2,         8,       0,      0) \
    S(turns,      16,   8,    32,       2,         8,       16,     0) \
    S(rows,       16,   8,    32,       2,         8,       0,      1) \
    S(odd_rows,   5,    4,    2,        2,         5,       3,      1) \
    S(least_rows, 2,    2,    1,        1,         4,       0,      1)

/*    kind      C type    name          bits                  compared when  meaning */
#define DUAL_QUEUE_PORTS(X) \
    X(IN,       bool,     rst,          1,                                   "reset, synchronous: queues empty, all rows closed") \
    X(IN,       bool,     high_valid,   1,                                   "a request of a mostly-hit warp wants to enter") \
    X(IN,       uint8_t,  high_bank,    clog2(p->BANKS),                     "its bank") \
    X(IN,       uint32_t, high_row,     p->ROW_BITS,                         "its row") \
    X(IN,       bool,     high_write,   1,                                   "it is a write") \
    X(IN,       uint8_t,  high_bursts,  p->BURST_BITS,                       "its column commands, 1 or more") \
    X(IN,       uint64_t, high_tag,     p->TAG_BITS,                         "its name") \
    X(OUT,      bool,     high_ready,   1,                    ALWAYS,        "it enters at this edge if high_valid") \
    X(IN,       bool,     low_valid,    1,                                   "another request wants to enter") \
    X(IN,       uint8_t,  low_bank,     clog2(p->BANKS),                     "its bank") \
    X(IN,       uint32_t, low_row,      p->ROW_BITS,                         "its row") \
    X(IN,       bool,     low_write,    1,                                   "it is a write") \
    X(IN,       uint8_t,  low_bursts,   p->BURST_BITS,                       "its column commands, 1 or more") \
    X(IN,       uint64_t, low_tag,      p->TAG_BITS,                         "its name") \
    X(OUT,      bool,     low_ready,    1,                    ALWAYS,        "it enters at this edge if low_valid") \
    X(OUT,      bool,     cmd_valid,    1,                    ALWAYS,        "a command is issued in this cycle") \
    X(OUT,      uint8_t,  cmd_kind,     2,                    o->cmd_valid,  "enum dram_queue_command") \
    X(OUT,      uint8_t,  cmd_bank,     clog2(p->BANKS),      o->cmd_valid,  "its bank") \
    X(OUT,      uint32_t, cmd_row,      p->ROW_BITS,          o->cmd_valid,  "its row") \
    X(OUT,      bool,     cmd_high,     1,                    o->cmd_valid,  "for a request of the high queue") \
    X(OUT,      bool,     cmd_last,     1,                    o->cmd_valid,  "of a column command: the last of its request, which leaves") \
    X(OUT,      uint64_t, cmd_tag,      p->TAG_BITS,          o->cmd_valid,  "name of its request") \
    X(IN_LATE,  uint64_t, read_ok,      p->BANKS,                            "banks where a read is legal LEAD cycles from now, after this command") \
    X(IN_LATE,  uint64_t, write_ok,     p->BANKS,                            "the same for a write") \
    X(IN_LATE,  uint64_t, precharge_ok, p->BANKS,                            "the same for closing the row of an open bank") \
    X(IN_LATE,  uint64_t, activate_ok,  p->BANKS,                            "the same for opening a row in a closed bank")

/* clang-format on */

BLOCK_TYPES(dual_queue, DUAL_QUEUE)

#endif
