/* SPDX-License-Identifier: Apache-2.0
 * Ports and parameters of the memory wrapper (see common/sram_1r1w.h). */
#ifndef WARPMEM_COMMON_SRAM_1R1W_PORTS_H
#define WARPMEM_COMMON_SRAM_1R1W_PORTS_H

#include "base/ports.h"

#define SRAM_1R1W_DATA_WORDS 4

/* clang-format off */

/*    name       default min max     meaning */
#define SRAM_1R1W_PARAMS(P) \
    P(WORDS,     384,    2,  65536,  "words") \
    P(DATA_BITS, 64,     1,  64 * SRAM_1R1W_DATA_WORDS, "bits of a word")

/*    name    WORDS DATA_BITS */
#define SRAM_1R1W_SETS(S) \
    S(queues, 384,  64) \
    S(small,  4,    8) \
    S(odd,    7,    136)

/*    kind     C type                name     bits             compared when  meaning */
#define SRAM_1R1W_PORTS(X) \
    X(IN,      bool,                 wr_en,   1,                              "write at this edge") \
    X(IN,      uint16_t,             wr_addr, clog2(p->WORDS),                "this word") \
    X(IN_WIDE, SRAM_1R1W_DATA_WORDS, wr_data, p->DATA_BITS,                   "with this value") \
    X(IN,      bool,                 rd_en,   1,                              "read at this edge") \
    X(IN,      uint16_t,             rd_addr, clog2(p->WORDS),                "this word") \
    X(OUT_WIDE, SRAM_1R1W_DATA_WORDS, rd_data, p->DATA_BITS,   o->defined,    "the word read last")

/* clang-format on */

/* @defined: rd_data is a word that was written before it was read; no port of the Verilog. */
BLOCK_TYPES_WITH(sram_1r1w, SRAM_1R1W, NO_C_PARAMS, bool defined;)

#endif
