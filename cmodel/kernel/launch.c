/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/launch.h"

#include <stdlib.h>

struct cta_trace *cta_trace_create(void) {
    struct cta_trace *t = calloc(1, sizeof *t);
    if (!t) {
        return NULL;
    }
    for (unsigned w = 0; w < CTA_WARPS_MAX; w++) {
        warp_stream_clear(&t->warp[w]);
    }
    return t;
}

void cta_trace_destroy(struct cta_trace *t) {
    if (!t) {
        return;
    }
    for (unsigned w = 0; w < CTA_WARPS_MAX; w++) {
        warp_stream_free(&t->warp[w]);
    }
    free(t);
}
