/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine runs a workload as a sequence of kernel launches. It requests the records of a CTA
 * when it launches that CTA, always in the order of CTA numbers, so results never depend on
 * timing.
 */
#ifndef WARPMEM_KERNEL_LAUNCH_H
#define WARPMEM_KERNEL_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/warp_stream.h"

/* The streams of one CTA; the buffers are kept and reused. */
struct cta_trace {
    struct warp_stream warp[CTA_WARPS_MAX];
    unsigned warp_count;
};

struct cta_trace *cta_trace_create(void);
void cta_trace_destroy(struct cta_trace *t);

struct launch {
    const struct kernel_code *code;
    unsigned grid[3];  /* CTAs in x, y, z */
    unsigned block[3]; /* threads a CTA in x, y, z */
};

static inline unsigned launch_ctas(const struct launch *l) {
    return l->grid[0] * l->grid[1] * l->grid[2];
}

static inline unsigned launch_threads(const struct launch *l) {
    return l->block[0] * l->block[1] * l->block[2];
}

static inline unsigned launch_warps(const struct launch *l) {
    return (launch_threads(l) + WARP_SIZE - 1) / WARP_SIZE;
}

/**
 * struct program - a running workload, as the machine sees it.
 * @next_launch: the next launch, after the previous one has finished; false: there is none. The
 *               pointer in @launch stays valid until the next call.
 * @run_cta: compute CTA @cta (0 .. launch_ctas-1; x fastest) of the current launch and write its
 *           records. Called once for each CTA, in ascending order. False: out of memory.
 */
struct program {
    void *self;
    bool (*next_launch)(void *self, const struct launch **launch);
    bool (*run_cta)(void *self, unsigned cta, struct cta_trace *out);
};

#endif
