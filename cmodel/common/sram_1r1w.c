/* SPDX-License-Identifier: Apache-2.0 */
#include "common/sram_1r1w.h"

#include <stdlib.h>
#include <string.h>

bool sram_1r1w_init(struct sram_1r1w *s, const struct sram_1r1w_params *params) {
    memset(s, 0, sizeof *s);
    s->chunks = (params->DATA_BITS + 63) / 64;
    s->words = calloc((size_t)params->WORDS * s->chunks, sizeof *s->words);
    s->written = calloc(params->WORDS, sizeof *s->written);
    if (!s->words || !s->written) {
        sram_1r1w_destroy(s);
        return false;
    }
    return true;
}

void sram_1r1w_destroy(struct sram_1r1w *s) {
    free(s->words);
    free(s->written);
    memset(s, 0, sizeof *s);
}

void sram_1r1w_comb(const struct sram_1r1w *s, const struct sram_1r1w_in *in,
                    struct sram_1r1w_out *out) {
    (void)in;
    out->defined = s->rd_defined;
    memcpy(out->rd_data, s->rd_data, s->chunks * sizeof *s->rd_data);
}

void sram_1r1w_step(struct sram_1r1w *s, const struct sram_1r1w_in *in,
                    const struct sram_1r1w_out *out) {
    (void)out;
    size_t size = s->chunks * sizeof *s->words;
    if (in->rd_en) {
        bool collides = in->wr_en && in->wr_addr == in->rd_addr;
        s->rd_defined = s->written[in->rd_addr] && !collides;
        memcpy(s->rd_data, &s->words[in->rd_addr * s->chunks], size);
    }
    if (in->wr_en) {
        memcpy(&s->words[in->wr_addr * s->chunks], in->wr_data, size);
        s->written[in->wr_addr] = true;
    }
}

bool sram_1r1w_quiet(const struct sram_1r1w *s, const struct sram_1r1w_in *in) {
    (void)s;
    return !in->wr_en && !in->rd_en;
}
