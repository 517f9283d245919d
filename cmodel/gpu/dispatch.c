/* SPDX-License-Identifier: Apache-2.0
 *
 * CTA dispatch: launches one after another, CTAs in ascending order, round-robin over the cores, at
 * most one CTA a core a cycle; with core.dispatch = turn no core is passed over. A CTA that ended
 * in cycle n makes room in n + 1.
 */
#include <inttypes.h>

#include "gpu/caps.h"
#include "issue/daws/profile.h"

/* A grid of fewer CTAs than fit is distributed round-robin over the cores. */
static void tell_cores_of_launch(struct gpu *g, unsigned fit) {
    const unsigned cores = g->config.core.count, ctas = launch_ctas(g->launch);
    for (unsigned turn = 0; turn < cores; turn++) {
        struct core *core = &g->core[(g->last_core + 1 + turn) % cores];
        unsigned share = ctas / cores + (turn < ctas % cores);
        core_prepare(core, g->launch, fit, share < fit ? share : fit, g->clock[CLOCK_CORE].cycle);
    }
}

static bool start_launch(struct gpu *g) {
    const char *limit;
    unsigned fit = core_fit(&g->config, g->launch, &limit);
    if (!launch_ctas(g->launch) || !launch_threads(g->launch)) {
        snprintf(g->message, sizeof g->message, "kernel %s: launched without a thread",
                 g->launch->code->name);
        g->status = GPU_DOES_NOT_FIT;
        return false;
    }
    if (launch_warps(g->launch) > CTA_WARPS_MAX) {
        snprintf(g->message, sizeof g->message, "kernel %s: a CTA of %u threads: at most %u",
                 g->launch->code->name, launch_threads(g->launch), CTA_WARPS_MAX * WARP_SIZE);
        g->status = GPU_DOES_NOT_FIT;
        return false;
    }
    if (launch_threads(g->launch) > g->config.core.cta_threads) {
        snprintf(g->message, sizeof g->message,
                 "kernel %s: a CTA of %u threads: at most core.cta_threads = %u",
                 g->launch->code->name, launch_threads(g->launch), g->config.core.cta_threads);
        g->status = GPU_DOES_NOT_FIT;
        return false;
    }
    if (!fit) {
        snprintf(g->message, sizeof g->message,
                 "kernel %s: a CTA of %u threads needs more than a core has (%s)",
                 g->launch->code->name, launch_threads(g->launch), limit);
        g->status = GPU_DOES_NOT_FIT;
        return false;
    }
    if (g->options.profile &&
        !daws_profile_fits(g->options.profile, g->launch->code, g->message, sizeof g->message)) {
        g->status = GPU_DOES_NOT_FIT;
        return false;
    }
    tell_cores_of_launch(g, fit);
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        l2_partition_launch(&g->partition[i], g->clock[CLOCK_L2].cycle);
    }
    if (!gpu_kernel_begin(g, g->launch->code)) {
        g->status = GPU_OUT_OF_MEMORY;
        return false;
    }
    g->next_cta = g->done_ctas = 0;
    g->launches++;
    caps_launch(g);
    return true;
}

/* CTAs that ended since the last call. A core's flag means one or more, so the
 * resident CTAs are counted. */
static void collect_done_ctas(struct gpu *g) {
    unsigned resident = 0;
    for (unsigned i = 0; i < g->config.core.count; i++) {
        resident += g->core[i].resident;
        g->core[i].cta_done = false;
    }
    g->done_ctas = g->next_cta - resident;
}

static bool give_cta_to_core(struct gpu *g, struct core *core) {
    struct clock_domain *clock = &g->clock[CLOCK_CORE];
    if (!g->program->run_cta(g->program->self, g->next_cta, core_free_trace(core))) {
        g->status = GPU_OUT_OF_MEMORY;
        return false;
    }
    /* Called between two edges: clock->cycle is the cycle that comes now. */
    core_start(core, g->launch->code, g->cta_number++, clock->cycle);
    g->next_cta++;
    clock_ask(clock, clock_unit(core->id), clock->edge);
    return true;
}

static void tell_cores_of_end(struct gpu *g) {
    for (unsigned i = 0; i < g->config.core.count; i++) {
        load_store_launch_ended(&g->core[i].load_store, g->end_cycle);
    }
}

bool gpu_next_launch(struct gpu *g) {
    if (g->launch) {
        collect_done_ctas(g);
        if (g->done_ctas < launch_ctas(g->launch)) {
            return false;
        }
        g->end_cycle = g->clock[CLOCK_CORE].cycle - 1;
        gpu_kernel_end(g, g->end_cycle, true);
        tell_cores_of_end(g);
    }
    if (g->launch || g->launching) {
        g->launching = false;
        if (g->program->next_launch(g->program->self, &g->launch)) {
            g->last_launch_ran = caps_end_run(g);
            g->launch = g->last_launch_ran ? NULL : g->launch;
            return g->launch != NULL;
        }
        g->launch = NULL;
    }
    return false;
}

bool gpu_dispatch(struct gpu *g) {
    bool more = false;
    if (g->cap_reached && !caps_cut(g)) {
        return false;
    }
    if (gpu_next_launch(g) && !start_launch(g)) {
        return false;
    }
    if (!g->launch) {
        return false;
    }
    unsigned cores = g->config.core.count, first = g->last_core + 1;
    for (unsigned i = 0; i < cores && g->next_cta < launch_ctas(g->launch); i++) {
        struct core *core = &g->core[(first + i) % cores];
        if (core_has_room(core)) {
            if (!give_cta_to_core(g, core)) {
                return false;
            }
            g->last_core = core->id;
            more = true; /* it may take another in the next cycle */
        } else if (g->config.core.dispatch == DISPATCH_TURN) {
            return more;
        }
    }
    return more;
}
