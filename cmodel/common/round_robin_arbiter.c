/* SPDX-License-Identifier: Apache-2.0 */
#include "common/round_robin_arbiter.h"

bool round_robin_arbiter_init(struct round_robin_arbiter *s,
                              const struct round_robin_arbiter_params *params) {
    s->params = *params;
    s->first = 0;
    return true;
}

void round_robin_arbiter_destroy(struct round_robin_arbiter *s) {
    (void)s;
}

void round_robin_arbiter_comb(const struct round_robin_arbiter *s,
                              const struct round_robin_arbiter_in *in,
                              struct round_robin_arbiter_out *out) {
    uint64_t ahead = in->req_valid >> s->first << s->first;
    uint64_t among = ahead ? ahead : in->req_valid;
    out->grant_valid = among != 0;
    out->grant_oh = among & -among;
    out->grant_index = among ? (uint8_t)__builtin_ctzll(among) : 0;
}

void round_robin_arbiter_step(struct round_robin_arbiter *s,
                              const struct round_robin_arbiter_in *in,
                              const struct round_robin_arbiter_out *out) {
    if (in->rst) {
        s->first = 0;
    } else if (in->grant_taken && out->grant_valid) {
        unsigned next = out->grant_index + 1u;
        s->first = next == s->params.REQUESTERS ? 0 : (uint8_t)next;
    }
}

bool round_robin_arbiter_quiet(const struct round_robin_arbiter *s,
                               const struct round_robin_arbiter_in *in) {
    if (in->rst) {
        return s->first == 0;
    }
    return !in->grant_taken || in->req_valid == 0;
}
