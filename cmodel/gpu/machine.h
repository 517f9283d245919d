/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's parts in one struct: shared by the cycle loop, the checks and the dump, and by
 * nobody else.
 */
#ifndef WARPMEM_GPU_MACHINE_H
#define WARPMEM_GPU_MACHINE_H

#include "base/clock.h"
#include "dram/channel.h"
#include "gpu/core.h"
#include "gpu/gpu.h"
#include "l2/partition.h"
#include "noc/crossbar.h"

enum { CLOCK_DRAM, CLOCK_L2, CLOCK_NOC, CLOCK_CORE, CLOCKS };
enum { NETWORK_REQUEST, NETWORK_REPLY, NETWORKS };

struct gpu {
    struct config config;
    struct gpu_options options;
    struct clock_domain clock[CLOCKS];
    struct core *core;
    struct crossbar network[NETWORKS];
    struct l2_partition *partition;
    struct dram_channel *channel;
    /* The launch that is running. */
    struct program *program;
    const struct launch *launch;
    unsigned launches;
    unsigned next_cta, done_ctas, last_core;
    uint64_t cta_number; /* CTAs started in the whole run: their age */
    bool dispatch;       /* there may be something to dispatch */
    bool launching;      /* no launch runs, and there may be one more */
    enum gpu_status status;
    uint64_t end_cycle; /* core cycle in which the last CTA ended */
    uint64_t progress_cycle, watchdog_cycle;
    char message[256];
};

/** gpu_dispatch() - before the cores of a cycle: end launches, begin the next, give each core at
 * most one CTA. */
void gpu_dispatch(struct gpu *g);

#endif
