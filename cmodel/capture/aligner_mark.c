/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/aligner_internal.h"

void aligner_set_mark(const struct aligner *a, struct aligner_mark *m) {
    for (unsigned w = 0; w < a->warps; w++) {
        m->warp[w].bytes = a->out->warp[w].size;
        m->warp[w].last_active = a->out->warp[w].last_active;
        m->warp[w].present = a->warp[w].present;
        m->warp[w].open_count = a->warp[w].open_count;
    }
}

void aligner_cut_to_mark(struct aligner *a, const struct aligner_mark *m) {
    for (unsigned w = 0; w < a->warps; w++) {
        if (m->warp[w].present != a->warp[w].present ||
            m->warp[w].open_count != a->warp[w].open_count) {
            return;
        }
    }
    for (unsigned w = 0; w < a->warps; w++) {
        a->out->warp[w].size = m->warp[w].bytes;
        a->out->warp[w].last_active = m->warp[w].last_active;
    }
}
