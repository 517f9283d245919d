/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/warp_series.h"

#include <inttypes.h>
#include <stdlib.h>

bool warp_series_begin(struct warp_series *s, const struct config *config) {
    s->cores = config->core.count;
    s->before = calloc((size_t)s->cores * WARP_TYPES_WARPS_MAX, sizeof *s->before);
    fprintf(s->out, "cycle\tcore\twarp\trequests\thits\n");
    return s->before;
}

void warp_series_sample(struct warp_series *s, const struct gpu *g, uint64_t cycle) {
    for (unsigned core = 0; core < s->cores; core++) {
        const struct warp_hits *now = gpu_warp_hits(g, core);
        struct warp_hits *before = &s->before[(size_t)core * WARP_TYPES_WARPS_MAX];
        for (unsigned w = 0; w < WARP_TYPES_WARPS_MAX; w++) {
            if (now[w].requests != before[w].requests) {
                fprintf(s->out, "%" PRIu64 "\t%u\t%u\t%" PRIu64 "\t%" PRIu64 "\n", cycle, core, w,
                        now[w].requests - before[w].requests, now[w].hits - before[w].hits);
            }
            before[w] = now[w];
        }
    }
    s->next = cycle + s->interval;
}

void warp_series_end(struct warp_series *s, const struct gpu *g, uint64_t cycles) {
    warp_series_sample(s, g, cycles);
    free(s->before);
    s->before = NULL;
}
