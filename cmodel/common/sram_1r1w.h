/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_COMMON_SRAM_1R1W_H
#define WARPMEM_COMMON_SRAM_1R1W_H

#include "common/sram_1r1w_ports.h"

/**
 * struct sram_1r1w - memory with one read and one write port.
 *
 * A word written at an edge can be read from the next edge on. rd_data shows a word from the cycle
 * after rd_en and holds it until the next rd_en. Some words are undefined, and out.defined is then
 * false: a word before its first write; rd_data before the first read, and after a read of a word
 * that is written at the same edge. Addresses are below WORDS. Verilog twin:
 * rtl/common/sram_1r1w.v. Other C blocks hold their entries themselves; this block specifies an
 * SRAM macro that may replace the Verilog.
 */
struct sram_1r1w {
    unsigned chunks; /* 64-bit words a word */
    uint64_t *words; /* [word][chunks] */
    bool *written;   /* [word] */
    uint64_t rd_data[SRAM_1R1W_DATA_WORDS];
    bool rd_defined;
};

/** sram_1r1w_init() - allocate. params must lie in the ranges of the list. False: out of memory. */
bool sram_1r1w_init(struct sram_1r1w *s, const struct sram_1r1w_params *params);
void sram_1r1w_destroy(struct sram_1r1w *s);
/** sram_1r1w_comb() - the outputs of this cycle. */
void sram_1r1w_comb(const struct sram_1r1w *s, const struct sram_1r1w_in *in,
                    struct sram_1r1w_out *out);
/** sram_1r1w_step() - the clock edge, with the outputs that comb gave for the same input. */
void sram_1r1w_step(struct sram_1r1w *s, const struct sram_1r1w_in *in,
                    const struct sram_1r1w_out *out);
/** sram_1r1w_quiet() - with these inputs held, neither state nor outputs ever change. */
bool sram_1r1w_quiet(const struct sram_1r1w *s, const struct sram_1r1w_in *in);

#endif
