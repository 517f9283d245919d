/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_COSIM_SAMPLE_H
#define WARPMEM_COSIM_SAMPLE_H

#include "cosim/sample_ports.h"

/**
 * struct sample - accumulators with a port of every kind: the framework tests itself on it. No part
 * of the machine.
 *
 * add: adds a number to every lane and remembers the word, at the edge. sum: the accumulators and
 * the last word; when taken they restart, an addition at the same edge first.
 */
struct sample {
    struct sample_params params;
    bool valid;
    uint16_t lane[SAMPLE_LANES_MAX];
    uint64_t word[SAMPLE_WORD_WORDS];
};

bool sample_init(struct sample *s, const struct sample_params *params);
void sample_destroy(struct sample *s);
void sample_comb(const struct sample *s, const struct sample_in *in, struct sample_out *out);
void sample_step(struct sample *s, const struct sample_in *in, const struct sample_out *out);
bool sample_quiet(const struct sample *s, const struct sample_in *in);

#endif
