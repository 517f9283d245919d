/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/sample.h"

#include <string.h>

#include "base/block_define.h"

bool sample_init(struct sample *s, const struct sample_params *params) {
    memset(s, 0, sizeof *s);
    s->params = *params;
    return true;
}

void sample_destroy(struct sample *s) {
    (void)s;
}

void sample_comb(const struct sample *s, const struct sample_in *in, struct sample_out *out) {
    out->any_carry = false;
    for (unsigned i = 0; i < s->params.LANES; i++) {
        unsigned sum = s->lane[i] + in->add_lane[i];
        out->any_carry |= in->add_valid && sum >> s->params.LANE_BITS;
        out->sum_lane[i] = s->lane[i];
    }
    out->sum_valid = s->valid;
    memcpy(out->sum_word, s->word, sizeof out->sum_word);
}

void sample_step(struct sample *s, const struct sample_in *in, const struct sample_out *out) {
    if (in->rst) {
        s->valid = false;
        memset(s->lane, 0, sizeof s->lane);
        return;
    }
    bool taken = out->sum_valid && in->sum_ready;
    for (unsigned i = 0; i < s->params.LANES; i++) {
        unsigned sum = s->lane[i] + (in->add_valid ? in->add_lane[i] : 0u);
        s->lane[i] = taken ? 0 : (uint16_t)(sum & ((1u << s->params.LANE_BITS) - 1));
    }
    s->valid = !taken && (s->valid || in->add_valid);
    if (in->add_valid) {
        memcpy(s->word, in->add_word, sizeof s->word);
    }
}

bool sample_quiet(const struct sample *s, const struct sample_in *in) {
    return !in->rst && !in->add_valid && !(s->valid && in->sum_ready);
}

BLOCK_DEFINE(cosim, sample, SAMPLE)
