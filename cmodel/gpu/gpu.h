/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole machine: cores, interconnect, memory partitions and DRAM channels, wired, and the cycle
 * loop.
 */
#ifndef WARPMEM_GPU_GPU_H
#define WARPMEM_GPU_GPU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/block.h"
#include "base/stats.h"
#include "config/config.h"
#include "gpu/named_policies.h"
#include "kernel/launch.h"

struct gpu;
struct daws_profile;
struct warp_hits;

enum gpu_status {
    GPU_COMPLETE,     /* every launch ran to its end and everything drained */
    GPU_LIMIT,        /* --max-cycles, --max-insn or --max-insn-launch reached */
    GPU_INTERRUPTED,  /* *stop became non-zero */
    GPU_STUCK,        /* the watchdog found no progress: gpu_dump() shows the chains of waits */
    GPU_BLOCK_FAILED, /* a block in lockstep differed; its report is written */
    GPU_OUT_OF_MEMORY,
    GPU_DOES_NOT_FIT, /* a CTA of the launch needs more than a core has, or an address more bits
                         than the machine supports: gpu_message() */
};

/** struct gpu_progress - progress of a run. @launch: 1 for the first. @ctas: of the launch. */
struct gpu_progress {
    uint64_t cycles, warp_instructions;
    unsigned launch, ctas_done, ctas;
};

struct gpu_options {
    bool poll;                /* evaluate everything every cycle; statistics are the same */
    bool reverse;             /* evaluate units in the opposite order; statistics are the same */
    bool in_time;             /* nothing moves through the L2 early; statistics are the same */
    uint64_t max_cycles;      /* core cycles, 0: no limit */
    uint64_t max_insn;        /* thread instructions of the run, 0: no limit; ends as GPU_LIMIT */
    uint64_t max_insn_launch; /* the same; ends with the launch that reaches it */
    uint64_t max_insn_per_kernel; /* of each launch, 0: no limit: gpu/caps.h */
    /* Core cycles without progress, checked every 65536; 0: 1,000,000 cycles of the slowest
     * clock. */
    uint64_t watchdog_cycles;
    const atomic_int *stop; /* non-zero, set by a signal handler or a thread: end; NULL: never */
    /* Called every 65536 core cycles while a launch runs; may be NULL. */
    void (*progress)(void *user, const struct gpu_progress *now);
    void *progress_user;
    /* Called after the last unit of core cycle sample_cycles while a launch runs, with every
     * counter settled; changes nothing. Returns the number of core cycles until its next call. 0:
     * never. */
    uint64_t sample_cycles;
    uint64_t (*sample)(void *user, const struct gpu *g, uint64_t cycle);
    void *sample_user;
    bool warp_hits; /* count hits for gpu_warp_hits() */
    FILE *events;   /* event trace: "time unit what id" a line; NULL: none */
    FILE *dram_log; /* DRAM commands, see dram/log.h; NULL: none */
    FILE *border;   /* of partition 0's channel, see dram/border.h; NULL: none. Implies in_time */
    struct named_policies policies;     /* those that the configuration names */
    const struct daws_profile *profile; /* with daws.mode = profiled: of the program; else NULL */
    struct block_factory *blocks; /* makes hardware blocks in place of the C ones; NULL: all C */
};

/** gpu_create() - build the machine of *config (checked by config_check). NULL: @error has the
 * reason, in one line. */
struct gpu *gpu_create(const struct config *config, const struct gpu_options *options, char *error,
                       size_t error_size);
void gpu_destroy(struct gpu *g);
/** gpu_register_stats() - enter every counter of the machine into the registry, which must outlive
 * the run. Once for each gpu. */
bool gpu_register_stats(struct gpu *g, struct stats *s);
/** gpu_run() - run a program to its end. Once for each gpu. */
enum gpu_status gpu_run(struct gpu *g, struct program *p);
/** gpu_cycles() - core cycles so far. */
uint64_t gpu_cycles(const struct gpu *g);
/** gpu_warp_hits() - with gpu_options.warp_hits: the hits of each of a core's
 * WARP_TYPES_WARPS_MAX warp slots. Between two edges of the clocks they do not depend on the
 * order of evaluation. */
const struct warp_hits *gpu_warp_hits(const struct gpu *g, unsigned core);
/** gpu_message() - one line that explains the status, if it needs one. */
const char *gpu_message(const struct gpu *g);
/**
 * gpu_conserved() - after GPU_COMPLETE: was every request answered exactly once, is every queue
 * empty? Return: NULL, or the first law that does not hold, with both sides.
 */
const char *gpu_conserved(struct gpu *g);
/** gpu_dump() - print each unit's queue heads and the resource that it waits for. */
void gpu_dump(const struct gpu *g, FILE *out);

#endif
