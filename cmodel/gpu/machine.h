/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's parts in one struct, only for the cycle loop, the checks and the dump.
 */
#ifndef WARPMEM_GPU_MACHINE_H
#define WARPMEM_GPU_MACHINE_H

#include "base/alarm.h"
#include "base/clock.h"
#include "dram/border.h"
#include "core/core.h"
#include "gpu/energy.h"
#include "gpu/gpu.h"
#include "gpu/kernels.h"
#include "l2/partition.h"
#include "noc/network.h"

enum { CLOCK_DRAM, CLOCK_L2, CLOCK_NOC, CLOCK_CORE, CLOCKS };
enum { NETWORK_REQUEST, NETWORK_REPLY, NETWORKS };

/* Running totals; a launch's counts are differences of them. */
struct kernel_totals {
    uint64_t cycles, capped, warp_instructions, thread_instructions;
};

struct gpu {
    struct config config;
    struct gpu_options options;
    struct clock_domain clock[CLOCKS];
    struct core *core;
    struct network network[NETWORKS];
    struct l2_partition *partition;
    struct warp_table *table; /* table of warp types: one, or one per partition */
    unsigned tables;          /* 0: no policy uses types */
    struct dram_channel *channel;
    struct dram_border border;       /* with gpu_options.border: of partition 0 */
    uint64_t channel_due[UNITS_MAX]; /* where channels share units: the time of the next cycle */
    /* The launch that is running. */
    struct program *program;
    const struct launch *launch;
    uint64_t launches;
    unsigned next_cta, done_ctas, last_core;
    uint64_t cta_number;        /* CTAs started in the whole run: their age */
    uint64_t insn_at_launch;    /* thread instructions before the launch */
    uint64_t capped_launches;   /* launches cut by their cap */
    bool cap_reached, cap_done; /* the launch must be cut; it has been cut */
    bool launching;             /* no launch runs, and there may be one more */
    bool last_launch_ran;       /* max_insn_launch: the remaining launches do not run */
    struct gpu_kernels kernels;
    unsigned kernel_running;            /* 1 + its index; 0: none */
    struct kernel_totals before_kernel; /* at the end of the launch before */
    struct load_counter load_counter;   /* of the running kernel's loads */
    uint32_t *load_rows;                /* [insn], for load_counter */
    enum gpu_status status;
    uint64_t end_cycle;      /* core cycle in which the last CTA ended */
    uint64_t watchdog_cycle; /* core cycle of the last check that found progress */
    uint64_t watchdog_moved; /* progress of the machine below the cores at that time */
    /* Times of events that belong to no unit; NEVER: none. */
    uint64_t dispatch_at;   /* core edge before which the dispatcher works */
    uint64_t progress_at;   /* limits, signals, watchdog, progress line */
    uint64_t limit_at;      /* just after the last core cycle of a limited run */
    uint64_t sample_at;     /* just after the last core cycle of an interval */
    uint64_t warp_types_at; /* just after the last core cycle of MeDiC's period */
    uint64_t attention;     /* the earliest of them */
    uint64_t seen_at;       /* the earliest at which counters and queues are read */
    struct alarm alarm;     /* a unit that cannot continue sets it */
    struct energy energy;
    char message[256];
};

/** gpu_dispatch() - before the current core edge: end launches, begin the next, give each core at
 * most one CTA. Return: true if CTAs may start in the next cycle too. */
bool gpu_dispatch(struct gpu *g);

/** gpu_next_launch() - begin the next launch if none runs, or if all CTAs of the running one have
 * ended. Return: true if there is a next; g->launch is NULL if none runs. */
bool gpu_next_launch(struct gpu *g);

/** gpu_kernel_begin() - a launch of the kernel begins. False: out of memory. */
bool gpu_kernel_begin(struct gpu *g, const struct kernel_code *code);
/** gpu_kernel_end() - the running kernel, if any, ended in core cycle @cycle, or the run did. */
void gpu_kernel_end(struct gpu *g, uint64_t cycle, bool complete);

#endif
