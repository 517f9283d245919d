/* SPDX-License-Identifier: Apache-2.0 */
#include "common/priority_encoder.h"

bool priority_encoder_init(struct priority_encoder *s,
                           const struct priority_encoder_params *params) {
    s->params = *params;
    return true;
}

void priority_encoder_destroy(struct priority_encoder *s) {
    (void)s;
}

void priority_encoder_comb(const struct priority_encoder *s, const struct priority_encoder_in *in,
                           struct priority_encoder_out *out) {
    (void)s;
    out->grant_valid = in->req_valid != 0;
    out->grant_oh = in->req_valid & -in->req_valid;
    out->grant_index = in->req_valid ? (uint8_t)__builtin_ctzll(in->req_valid) : 0;
}

void priority_encoder_step(struct priority_encoder *s, const struct priority_encoder_in *in,
                           const struct priority_encoder_out *out) {
    (void)s;
    (void)in;
    (void)out;
}

bool priority_encoder_quiet(const struct priority_encoder *s,
                            const struct priority_encoder_in *in) {
    (void)s;
    (void)in;
    return true;
}
