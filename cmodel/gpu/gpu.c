/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/gpu.h"

#include <stdlib.h>

#include "gpu/machine.h"

#define WATCHDOG_CYCLES 1000000
#define PROGRESS_CYCLES 65536 /* core cycles between two looks at the outside world */

/* The rings between units, and whom each wakes. */
static void wire(struct gpu *g) {
    struct crossbar *request = &g->network[NETWORK_REQUEST], *reply = &g->network[NETWORK_REPLY];
    request->events = reply->events = g->options.events;
    for (unsigned i = 0; i < g->config.core.count; i++) {
        struct core *c = &g->core[i];
        dram_map_init(&c->map, &g->config);
        c->requests = &request->input[i].buffer;
        c->requesting = &request->occupied;
        c->replies = &reply->output[i].buffer;
        c->noc_clock = &g->clock[CLOCK_NOC];
        c->request_network = NETWORK_REQUEST;
        c->reply_network = NETWORK_REPLY;
        c->events = g->options.events;
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        struct l2_partition *p = &g->partition[i];
        struct dram_channel *d = &g->channel[i];
        p->requests = &request->output[i].buffer;
        p->replies = &reply->input[i].buffer;
        p->replying = &reply->occupied;
        p->to_dram = &d->in;
        p->from_dram = &d->out;
        p->noc_clock = &g->clock[CLOCK_NOC];
        p->request_network = NETWORK_REQUEST;
        p->reply_network = NETWORK_REPLY;
        p->dram_clock = &g->clock[CLOCK_DRAM];
        p->channel = i;
        d->l2_clock = &g->clock[CLOCK_L2];
        d->poll = g->options.poll;
        d->events = p->events = g->options.events;
        d->partition = i;
    }
}

static bool make_units(struct gpu *g, const uint64_t *period) {
    const struct config *c = &g->config;
    clock_domain_init(&g->clock[CLOCK_DRAM], period[CLOCK_DRAM], c->l2.partitions);
    clock_domain_init(&g->clock[CLOCK_L2], period[CLOCK_L2], c->l2.partitions);
    clock_domain_init(&g->clock[CLOCK_NOC], period[CLOCK_NOC], NETWORKS);
    clock_domain_init(&g->clock[CLOCK_CORE], period[CLOCK_CORE], c->core.count);
    g->core = calloc(c->core.count, sizeof *g->core);
    g->partition = calloc(c->l2.partitions, sizeof *g->partition);
    g->channel = calloc(c->l2.partitions, sizeof *g->channel);
    if (!g->core || !g->partition || !g->channel ||
        !crossbar_init(&g->network[NETWORK_REQUEST], c, c->core.count, c->l2.partitions, false,
                       &g->clock[CLOCK_CORE], &g->clock[CLOCK_L2]) ||
        !crossbar_init(&g->network[NETWORK_REPLY], c, c->l2.partitions, c->core.count, true,
                       &g->clock[CLOCK_L2], &g->clock[CLOCK_CORE])) {
        return false;
    }
    for (unsigned i = 0; i < c->core.count; i++) {
        if (!core_init(&g->core[i], c, i, g->options.blocks, g->message, sizeof g->message)) {
            return false;
        }
    }
    for (unsigned i = 0; i < c->l2.partitions; i++) {
        if (!l2_partition_init(&g->partition[i], c, period[CLOCK_DRAM]) ||
            !dram_channel_init(&g->channel[i], c, period[CLOCK_DRAM])) {
            return false;
        }
    }
    return true;
}

struct gpu *gpu_create(const struct config *config, const struct gpu_options *options, char *error,
                       size_t error_size) {
    struct gpu *g = calloc(1, sizeof *g);
    const unsigned khz[CLOCKS] = {[CLOCK_DRAM] = config->clock.dram,
                                  [CLOCK_L2] = config->clock.l2,
                                  [CLOCK_NOC] = config->clock.noc,
                                  [CLOCK_CORE] = config->clock.core};
    uint64_t period[CLOCKS];
    if (!g) {
        snprintf(error, error_size, "out of memory");
        return NULL;
    }
    g->config = *config;
    g->options = *options;
    g->last_core = config->core.count - 1;
    snprintf(g->message, sizeof g->message, "out of memory");
    if (!clock_periods(khz, CLOCKS, period)) {
        snprintf(g->message, sizeof g->message,
                 "clocks: their common multiple is too large; use rounder frequencies");
    } else if (make_units(g, period)) {
        wire(g);
        g->message[0] = '\0';
        return g;
    }
    snprintf(error, error_size, "%s", g->message);
    gpu_destroy(g);
    return NULL;
}

void gpu_destroy(struct gpu *g) {
    if (!g) {
        return;
    }
    for (unsigned i = 0; g->core && i < g->config.core.count; i++) {
        core_destroy(&g->core[i]);
    }
    for (unsigned i = 0; g->partition && g->channel && i < g->config.l2.partitions; i++) {
        l2_partition_destroy(&g->partition[i]);
        dram_channel_destroy(&g->channel[i]);
    }
    crossbar_destroy(&g->network[NETWORK_REQUEST]);
    crossbar_destroy(&g->network[NETWORK_REPLY]);
    free(g->core);
    free(g->partition);
    free(g->channel);
    free(g);
}

/* Evaluate a unit at an edge of its domain. Return: time of its next work. */
static inline uint64_t evaluate(struct gpu *g, unsigned domain, unsigned unit, uint64_t cycle,
                                uint64_t now) {
    uint64_t period = g->clock[domain].period;
    switch (domain) {
    case CLOCK_DRAM: return dram_channel_cycle(&g->channel[unit], cycle, now);
    case CLOCK_L2:
        return l2_partition_cycle(&g->partition[unit], cycle, now, period, g->options.poll);
    case CLOCK_NOC: return crossbar_cycle(&g->network[unit], now, period);
    default: {
        uint64_t next = core_cycle(&g->core[unit], cycle, now, period, g->options.poll);
        g->dispatch |= g->core[unit].cta_done;
        return next;
    }
    }
}

/* One edge of a domain, for the units in @units. The order in which they are evaluated changes
 * nothing. */
static inline void edge(struct gpu *g, unsigned domain, uint64_t units, uint64_t now) {
    struct clock_domain *clock = &g->clock[domain];
    while (units) {
        unsigned unit = g->options.reverse ? 63 - (unsigned)__builtin_clzll(units)
                                           : (unsigned)__builtin_ctzll(units);
        units &= ~(UINT64_C(1) << unit);
        clock_evaluated(clock, unit, evaluate(g, domain, unit, clock->cycle - 1, now));
    }
}

static uint64_t earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The time of the next edge with work. The dispatcher works in the core domain without being one
 * of its units. */
static uint64_t next_edge(const struct gpu *g) {
    const struct clock_domain *c = g->clock;
    if (g->options.poll) {
        return earlier(earlier(c[0].edge, c[1].edge), earlier(c[2].edge, c[3].edge));
    }
    uint64_t now = earlier(earlier(c[0].next, c[1].next), earlier(c[2].next, c[3].next));
    return g->dispatch ? earlier(now, c[CLOCK_CORE].edge) : now;
}

/* The units of a domain to evaluate at @now. */
static inline uint64_t take(struct gpu *g, unsigned domain, uint64_t now) {
    struct clock_domain *clock = &g->clock[domain];
    if (g->options.poll && clock->edge == now) {
        clock_take(clock, now);
        return clock->all;
    }
    return clock->next == now ? clock_take(clock, now) : 0;
}

static void step(struct gpu *g, uint64_t now) {
    if (g->dispatch && g->clock[CLOCK_CORE].edge == now) {
        gpu_dispatch(g);
    }
    /* Taken in all domains first: what a unit wakes at this time is evaluated at the next edge. */
    uint64_t dram = take(g, CLOCK_DRAM, now), l2 = take(g, CLOCK_L2, now);
    uint64_t noc = take(g, CLOCK_NOC, now), core = take(g, CLOCK_CORE, now);
    if (!g->options.reverse) {
        edge(g, CLOCK_DRAM, dram, now);
        edge(g, CLOCK_L2, l2, now);
        edge(g, CLOCK_NOC, noc, now);
        edge(g, CLOCK_CORE, core, now);
    } else {
        edge(g, CLOCK_CORE, core, now);
        edge(g, CLOCK_NOC, noc, now);
        edge(g, CLOCK_L2, l2, now);
        edge(g, CLOCK_DRAM, dram, now);
    }
}

static bool everything_idle(const struct gpu *g) {
    for (unsigned i = 0; i < g->config.core.count; i++) {
        if (!core_idle(&g->core[i])) {
            return false;
        }
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        if (!l2_partition_idle(&g->partition[i]) || !dram_channel_idle(&g->channel[i])) {
            return false;
        }
    }
    return !crossbar_packets_inside(&g->network[NETWORK_REQUEST]) &&
           !crossbar_packets_inside(&g->network[NETWORK_REPLY]);
}

/* Every PROGRESS_CYCLES: limits, signals, the watchdog and the progress line. */
static void look_outside(struct gpu *g, uint64_t cycle) {
    if (g->options.stop && *g->options.stop) {
        g->status = GPU_INTERRUPTED;
        return;
    }
    bool progressed = false;
    for (unsigned i = 0; i < g->config.core.count; i++) {
        progressed |= g->core[i].progressed;
        g->core[i].progressed = false;
    }
    uint64_t patience = g->options.watchdog_cycles ? g->options.watchdog_cycles : WATCHDOG_CYCLES;
    if (progressed || !g->launch) {
        g->watchdog_cycle = cycle;
    } else if (cycle - g->watchdog_cycle >= patience) {
        snprintf(g->message, sizeof g->message, "no progress since core cycle %llu",
                 (unsigned long long)g->watchdog_cycle);
        g->status = GPU_STUCK;
        return;
    }
    if (g->options.progress && g->launch) {
        g->options.progress(g->options.progress_user, cycle, g->launches, g->done_ctas,
                            launch_ctas(g->launch));
    }
}

static bool block_failed(const struct gpu *g) {
    for (unsigned i = 0; i < g->config.core.count; i++) {
        if (g->core[i].load_store.mrpb_failed) {
            return true;
        }
    }
    return false;
}

/* Whether the run goes on after the edges of one time. */
static bool go_on(struct gpu *g) {
    uint64_t cycle = g->clock[CLOCK_CORE].cycle;
    if (g->options.blocks && block_failed(g)) {
        snprintf(g->message, sizeof g->message, "a block in lockstep differs: its report is above");
        g->status = GPU_BLOCK_FAILED;
    } else if (cycle >= g->progress_cycle) {
        g->progress_cycle = cycle + PROGRESS_CYCLES;
        look_outside(g, cycle);
    }
    return g->status == GPU_COMPLETE;
}

/* The run ends at core cycle max_cycles whether or not anybody is awake in it: put every clock
 * there. */
static void stop_at_limit(struct gpu *g, uint64_t time) {
    for (unsigned d = 0; d < CLOCKS; d++) {
        g->clock[d].cycle = time / g->clock[d].period + 1;
        g->clock[d].edge = g->clock[d].cycle * g->clock[d].period;
    }
    g->status = GPU_LIMIT;
}

enum gpu_status gpu_run(struct gpu *g, struct program *p) {
    uint64_t core_period = g->clock[CLOCK_CORE].period;
    bool limited = g->options.max_cycles && g->options.max_cycles < NEVER / core_period;
    uint64_t limit = limited ? g->options.max_cycles * core_period : NEVER;
    g->program = p;
    g->launching = g->dispatch = true;
    g->status = GPU_COMPLETE;
    do {
        uint64_t now = next_edge(g);
        if (now > limit && now != NEVER && (g->launch || g->launching)) {
            stop_at_limit(g, limit);
            break;
        }
        if (now == NEVER) { /* all asleep for good */
            if (g->launch || !everything_idle(g)) {
                snprintf(g->message, sizeof g->message, "everything waits, nothing can move");
                g->status = GPU_STUCK;
            }
            break;
        }
        step(g, now);
        if (!g->launch && !g->launching && g->options.poll && everything_idle(g)) {
            break;
        }
    } while (go_on(g));
    if (g->status != GPU_COMPLETE) {
        g->end_cycle = gpu_cycles(g);
    }
    if (g->status == GPU_COMPLETE) {
        g->message[0] = '\0';
    }
    for (unsigned i = 0; i < g->config.core.count; i++) {
        load_store_settle(&g->core[i].load_store, g->clock[CLOCK_CORE].cycle);
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        l2_partition_settle(&g->partition[i], g->clock[CLOCK_L2].cycle);
    }
    return g->status;
}

uint64_t gpu_cycles(const struct gpu *g) {
    return g->status == GPU_COMPLETE && !g->launch && !g->launching
               ? g->end_cycle
               : g->clock[CLOCK_CORE].cycle - 1;
}

const char *gpu_message(const struct gpu *g) {
    return g->message;
}
