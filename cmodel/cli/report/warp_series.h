/* SPDX-License-Identifier: Apache-2.0
 *
 * Each warp's requests at the L2 over time (MeDiC figure 6): for each interval of core cycles one
 * line per warp slot that got an answer, separated by tabs: the cycle at the interval's end, core,
 * warp, answered requests, and those of them that hit a valid line; requests that bypass the L2 did
 * not. The last, shorter interval ends with the run.
 */
#ifndef WARPMEM_CLI_REPORT_WARP_SERIES_H
#define WARPMEM_CLI_REPORT_WARP_SERIES_H

#include <stdio.h>

#include "gpu/gpu.h"
#include "core/warp_types.h"

#define WARP_SERIES_INTERVAL 10000 /* default, in core cycles */

struct warp_series {
    FILE *out;
    uint64_t interval, next; /* core cycles; set by the caller; cycle of the next sample */
    unsigned cores;
    struct warp_hits *before; /* at the interval's beginning, of each warp slot of each core */
};

/** warp_series_begin() - before the run; writes the heading. @out was set by the caller. False: out
 * of memory. */
bool warp_series_begin(struct warp_series *s, const struct config *config);
/** warp_series_sample() - an interval ends with @cycle; @g counts (gpu_options.warp_hits). */
void warp_series_sample(struct warp_series *s, const struct gpu *g, uint64_t cycle);
/** warp_series_end() - after the run, of @cycles. */
void warp_series_end(struct warp_series *s, const struct gpu *g, uint64_t cycles);

#endif
