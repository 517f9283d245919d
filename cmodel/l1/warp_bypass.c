/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/warp_bypass.h"

bool warp_bypass_init(struct warp_bypass *s, const struct warp_bypass_params *params) {
    s->params = *params;
    return true;
}

void warp_bypass_destroy(struct warp_bypass *s) {
    (void)s;
}

void warp_bypass_comb(const struct warp_bypass *s, const struct warp_bypass_in *in,
                      struct warp_bypass_out *out) {
    out->bypass = in->acc_number >= in->limit && in->limit < s->params.NUMBERS && !in->acc_atomic &&
                  !in->acc_local && !in->acc_uncached;
}

void warp_bypass_step(struct warp_bypass *s, const struct warp_bypass_in *in,
                      const struct warp_bypass_out *out) {
    (void)s;
    (void)in;
    (void)out;
}

bool warp_bypass_quiet(const struct warp_bypass *s, const struct warp_bypass_in *in) {
    (void)s;
    (void)in;
    return true;
}
