/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the DRAM timing of a channel's banks (see dram/bank_timing.h). */
#ifndef WARPMEM_DRAM_BANK_TIMING_PORTS_H
#define WARPMEM_DRAM_BANK_TIMING_PORTS_H

#include "base/ports.h"

#define BANK_TIMING_BANKS_MAX 64

/* clang-format off */

/*    name             default min max  meaning */
#define BANK_TIMING_PARAMS(P) \
    P(BANKS,           16,     2,  BANK_TIMING_BANKS_MAX, "banks of the channel, a power of two") \
    P(GROUPS,          4,      1,  16,   "bank groups, a power of two") \
    P(LOW_GROUPS,      0,      0,  1,    "1: the bank's low bits are its group; 0: its high bits") \
    P(LEAD,            2,      1,  2,    "cycles from the masks to the command that they allow") \
    P(RCD_READ,        12,     1,  511,  "activate to read") \
    P(RCD_WRITE,       7,      1,  511,  "activate to write") \
    P(COLUMN,          2,      1,  511,  "column to column command") \
    P(COLUMN_GROUP,    3,      1,  511,  "the same in a bank group, COLUMN or more") \
    P(READ_TO_WRITE,   12,     1,  511,  "read to write") \
    P(WRITE_TO_READ,   11,     1,  511,  "write to read") \
    P(READ_TO_CLOSE,   2,      1,  511,  "read to precharge, same bank") \
    P(WRITE_TO_CLOSE,  18,     1,  511,  "write to precharge, same bank") \
    P(RAS,             28,     1,  511,  "activate to precharge, same bank") \
    P(RP,              12,     1,  511,  "precharge to activate, same bank") \
    P(RC,              40,     1,  511,  "activate to activate, same bank") \
    P(RRD,             6,      1,  511,  "activate to activate, other bank") \
    P(FAW,             0,      0,  4095, "window of at most 4 activates; 0: none") \
    P(AW32,            0,      0,  4095, "window of at most 32 activates; 0: none")

/* gddr5 are the times of preset c2050-s, gddr3 those of quadro-daws, hbm2 those of v100 with a window of 32. Machines: gtx480 and
 * c2050 beside dram/fr_fcfs, gtx480_two beside dram/dual_queue, owl is quadro-owl.
 *    name   BANKS GROUPS LOW LEAD RCD_READ RCD_WRITE COLUMN COLUMN_GROUP R_TO_W W_TO_R R_TO_C W_TO_C RAS RP RC RRD FAW AW32 */
#define BANK_TIMING_SETS(S) \
    S(gddr5, 16,   4,     0,  2,   12,      7,        2,     3,           12,    11,    2,     18,    28, 12, 40, 6,  0,  0) \
    S(gddr3, 8,    1,     0,  1,   12,      4,        2,     2,           7,     15,    2,     22,    25, 10, 35, 8,  0,  0) \
    S(hbm2,  16,   4,     1,  2,   13,      8,        2,     4,           13,    14,    6,     21,    30, 13, 43, 4,  27, 200) \
    S(small, 4,    2,     0,  2,   4,       2,        2,     3,           4,     5,     2,     6,     6,  3,  10, 3,  0,  0) \
    S(odd,   4,    2,     1,  1,   3,       1,        1,     2,           3,     4,     2,     5,     5,  4,  8,  2,  13, 0) \
    S(least, 2,    1,     0,  1,   1,       1,        1,     1,           1,     1,     1,     1,     1,  1,  1,  1,  0,  200) \
    S(gtx480, 8,   4,     0,  1,   12,      7,        2,     3,           12,    11,    2,     18,    28, 12, 40, 6,  0,  0) \
    S(gtx480_two, 8, 4,   0,  2,   12,      7,        2,     3,           12,    11,    2,     18,    28, 12, 40, 6,  0,  0) \
    S(c2050, 16,   4,     0,  1,   12,      7,        2,     3,           12,    11,    2,     18,    28, 12, 40, 6,  0,  0) \
    S(owl,   4,    1,     0,  1,   12,      4,        2,     2,           7,     15,    2,     20,    25, 10, 35, 8,  0,  0)

/*    kind  C type    name          bits              compared when  meaning */
#define BANK_TIMING_PORTS(X) \
    X(IN,   bool,     rst,          1,                               "reset, synchronous: all banks closed, every command legal") \
    X(IN,   bool,     cmd_valid,    1,                               "a command is issued in this cycle; it is legal") \
    X(IN,   uint8_t,  cmd_kind,     2,                               "enum dram_queue_command") \
    X(IN,   bool,     cmd_write,    1,                               "of a column command: it is a write") \
    X(IN,   uint64_t, cmd_bank_oh,  p->BANKS,                        "its bank, one-hot; anything without cmd_valid") \
    X(OUT,  uint64_t, open,         p->BANKS,         ALWAYS,        "banks with an open row, after this command") \
    X(OUT,  uint64_t, read_ok,      p->BANKS,         ALWAYS,        "banks where a read is legal LEAD cycles from now, after this command") \
    X(OUT,  uint64_t, write_ok,     p->BANKS,         ALWAYS,        "the same for a write") \
    X(OUT,  uint64_t, precharge_ok, p->BANKS,         ALWAYS,        "the same for closing the row of an open bank") \
    X(OUT,  uint64_t, activate_ok,  p->BANKS,         ALWAYS,        "the same for opening a row in a closed bank")

/* clang-format on */

BLOCK_TYPES(bank_timing, BANK_TIMING)

#endif
