/* SPDX-License-Identifier: Apache-2.0 */
#include "place/skeleton.h"

bool skeleton_init(struct skeleton *s, const struct skeleton_params *params) {
    *s = (struct skeleton){.params = *params};
    return true;
}

void skeleton_destroy(struct skeleton *s) {
    (void)s;
}

void skeleton_comb(const struct skeleton *s, const struct skeleton_in *in,
                   struct skeleton_out *out) {
    (void)in;
    out->in_ready = !s->full;
    out->out_valid = s->full;
    out->out_data = s->data;
}

void skeleton_step(struct skeleton *s, const struct skeleton_in *in,
                   const struct skeleton_out *out) {
    if (in->rst) {
        s->full = false;
    } else if (in->in_valid && out->in_ready) {
        s->full = true;
        s->data = in->in_data;
    } else if (in->out_ready) {
        s->full = false;
    }
}

bool skeleton_quiet(const struct skeleton *s, const struct skeleton_in *in) {
    return s->full ? !in->rst && !in->out_ready : in->rst || !in->in_valid;
}
