/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the request queue of a DRAM controller (see dram/fr_fcfs.h). */
#ifndef WARPMEM_DRAM_FR_FCFS_PORTS_H
#define WARPMEM_DRAM_FR_FCFS_PORTS_H

#include "base/ports.h"

#define FR_FCFS_DEPTH_MAX 64
#define FR_FCFS_BANKS_MAX 64

/* clang-format off */

/*    name         default min max                meaning */
#define FR_FCFS_PARAMS(P) \
    P(DEPTH,       16,     2,  FR_FCFS_DEPTH_MAX, "requests that take part in the choice; one more may wait") \
    P(BANKS,       8,      2,  FR_FCFS_BANKS_MAX, "banks of the channel, a power of two") \
    P(ROW_BITS,    16,     1,  32,                "bits of a row number") \
    P(COLUMN_BITS, 5,      1,  16,                "bits of a line's number within its row") \
    P(BURST_BITS,  2,      1,  4,                 "bits of a number of bursts") \
    P(TAG_BITS,    8,      1,  64,                "bits that name a request") \
    P(ORDER,       0,      0,  1,                 "1: a request does not pass an older one of its line, if one of them is a write")

/* gtx480, c2050 and owl are those presets (owl: quadro-owl with dram.queue = 16), ordered is gtx480 with dram.line_order.
 *    name      DEPTH BANKS ROW_BITS COLUMN_BITS BURST_BITS TAG_BITS ORDER */
#define FR_FCFS_SETS(S) \
    S(paper,    16,   8,    16,      5,          2,         8,       0) \
    S(small,    2,    2,    1,       1,          1,         4,       0) \
    S(odd,      3,    4,    2,       1,          2,         5,       1) \
    S(four,     4,    2,    1,       1,          1,         4,       1) \
    S(gtx480,   16,   8,    32,      5,          2,         8,       0) \
    S(ordered,  16,   8,    32,      5,          2,         8,       1) \
    S(c2050,    16,   16,   32,      5,          2,         8,       0) \
    S(owl,      16,   4,    32,      5,          2,         8,       0)

/*    kind      C type    name          bits                  compared when  meaning */
#define FR_FCFS_PORTS(X) \
    X(IN,       bool,     rst,          1,                                   "reset, synchronous: empty, all rows closed, every command legal") \
    X(IN,       bool,     req_valid,    1,                                   "a request arrives, if req_ready") \
    X(IN,       uint8_t,  req_bank,     clog2(p->BANKS),                     "its bank") \
    X(IN,       uint32_t, req_row,      p->ROW_BITS,                         "its row") \
    X(IN,       uint16_t, req_column,   p->COLUMN_BITS,                      "its line within the row") \
    X(IN,       bool,     req_write,    1,                                   "it is a write") \
    X(IN,       uint8_t,  req_bursts,   p->BURST_BITS,                       "its column commands, 1 or more") \
    X(IN,       uint64_t, req_tag,      p->TAG_BITS,                         "its name") \
    X(OUT,      bool,     req_ready,    1,                    ALWAYS,        "it arrives at this edge if req_valid") \
    X(IN,       uint64_t, hold,         p->BANKS,                            "banks whose open row is not closed") \
    X(OUT,      bool,     cmd_valid,    1,                    ALWAYS,        "a command is issued in this cycle") \
    X(OUT,      uint8_t,  cmd_kind,     2,                    o->cmd_valid,  "enum dram_queue_command") \
    X(OUT,      uint8_t,  cmd_bank,     clog2(p->BANKS),      o->cmd_valid,  "its bank") \
    X(OUT,      uint64_t, cmd_bank_oh,  p->BANKS,             o->cmd_valid,  "the same, one-hot") \
    X(OUT,      uint32_t, cmd_row,      p->ROW_BITS,          o->cmd_valid,  "the row of its request") \
    X(OUT,      bool,     cmd_write,    1,                    o->cmd_valid,  "its request is a write") \
    X(OUT,      uint8_t,  cmd_bursts,   p->BURST_BITS,        o->cmd_valid && !o->cmd_kind, "column commands left of its request, a column command included") \
    X(OUT,      bool,     cmd_last,     1,                    o->cmd_valid,  "of a column command: the last of its request, which leaves") \
    X(OUT,      uint64_t, cmd_tag,      p->TAG_BITS,          o->cmd_valid,  "name of its request") \
    X(IN_LATE,  uint64_t, read_ok,      p->BANKS,                            "banks where a read is legal in the next cycle, after this command") \
    X(IN_LATE,  uint64_t, write_ok,     p->BANKS,                            "the same for a write") \
    X(IN_LATE,  uint64_t, precharge_ok, p->BANKS,                            "the same for closing the row of an open bank") \
    X(IN_LATE,  uint64_t, activate_ok,  p->BANKS,                            "the same for opening a row in a closed bank")

/* clang-format on */

BLOCK_TYPES(fr_fcfs, FR_FCFS)

#endif
