/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_COMMON_PRIORITY_ENCODER_H
#define WARPMEM_COMMON_PRIORITY_ENCODER_H

#include "common/priority_encoder_ports.h"

/**
 * struct priority_encoder - grants the lowest of the requesters. It has no state.
 *
 * Verilog twin: rtl/common/priority_encoder.v.
 */
struct priority_encoder {
    struct priority_encoder_params params;
};

/** priority_encoder_init() - params in the ranges of PRIORITY_ENCODER_PARAMS. Always true. */
bool priority_encoder_init(struct priority_encoder *s,
                           const struct priority_encoder_params *params);
void priority_encoder_destroy(struct priority_encoder *s);
/** priority_encoder_comb() - the outputs of this cycle. */
void priority_encoder_comb(const struct priority_encoder *s, const struct priority_encoder_in *in,
                           struct priority_encoder_out *out);
/** priority_encoder_step() - does nothing. */
void priority_encoder_step(struct priority_encoder *s, const struct priority_encoder_in *in,
                           const struct priority_encoder_out *out);
/** priority_encoder_quiet() - always true. */
bool priority_encoder_quiet(const struct priority_encoder *s, const struct priority_encoder_in *in);

#endif
