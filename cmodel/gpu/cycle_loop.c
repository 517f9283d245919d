/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycle loop: the units of the four clock domains are evaluated at the edges that they
 * requested or were woken for.
 */
#include "config/packets.h"
#include "gpu/caps.h"

#define WATCHDOG_CYCLES 1000000 /* of the slowest clock */
#define PROGRESS_CYCLES 65536   /* core cycles between two checks of signals and limits */

/* Ways of evaluating the units, and what a loop looks at beside them. The usual run's instance has
 * constants here, because it must be fast. */
struct loop_ways {
    bool poll, reverse;
    bool caps, tables; /* launches are capped; there are tables of warp types */
};

/* Each unit of a mask, which becomes 0. The order in which units are evaluated changes nothing. */
static inline unsigned next_unit(uint64_t *units, bool reverse) {
    unsigned unit =
        reverse ? 63 - (unsigned)__builtin_clzll(*units) : (unsigned)__builtin_ctzll(*units);
    *units &= reverse ? ~(UINT64_C(1) << unit) : *units - 1;
    return unit;
}

/* Has the machine more of its kind than a domain has units, and this one? (See base/clock.h.) */
static inline bool is_unit(unsigned number, unsigned count) {
    return __builtin_expect(number < count, false);
}

/* Of a machine with more channels than a domain has units. A channel is not evaluated for another
 * one of its unit: without polling it looks for nothing that cannot be legal yet. */
static uint64_t evaluate_due_channel(struct gpu *g, unsigned number, const struct now *now) {
    struct dram_channel *d = &g->channel[number];
    uint64_t *due = &g->channel_due[number];
    *due = earlier_time(*due, dram_channel_next_input(d));
    if (*due <= now->time || g->options.poll) {
        *due = dram_channel_cycle(d, now);
    }
    return *due;
}

static inline void dram_edge(struct gpu *g, uint64_t units, bool reverse) {
    struct clock_domain *clock = &g->clock[CLOCK_DRAM];
    const unsigned channels = g->config.l2.partitions;
    while (units) {
        unsigned unit = next_unit(&units, reverse);
        uint64_t next;
        if (__builtin_expect(channels <= CLOCK_UNITS_MAX, true)) {
            next = dram_channel_cycle(&g->channel[unit], &clock->now);
        } else {
            next = NEVER;
            for (unsigned i = unit; i < channels; i += CLOCK_UNITS_MAX) {
                next = earlier_time(next, evaluate_due_channel(g, i, &clock->now));
            }
        }
        clock_evaluated(clock, unit, next);
    }
}

/* After all partitions, in any order: the tables take their updates. */
static void tables_edge(struct gpu *g, uint64_t cycle) {
    for (unsigned i = 0; i < g->tables; i++) {
        if (g->table[i].pending) {
            warp_table_cycle(&g->table[i], cycle);
        }
    }
}

static inline void l2_edge(struct gpu *g, uint64_t units, struct loop_ways ways) {
    struct clock_domain *clock = &g->clock[CLOCK_L2];
    while (units) {
        unsigned unit = next_unit(&units, ways.reverse);
        uint64_t next = l2_partition_cycle(&g->partition[unit], &clock->now, ways.poll);
        while (is_unit(unit += CLOCK_UNITS_MAX, g->config.l2.partitions)) {
            next =
                earlier_time(next, l2_partition_cycle(&g->partition[unit], &clock->now, ways.poll));
        }
        clock_evaluated(clock, clock_unit(unit), next);
    }
}

static inline void noc_edge(struct gpu *g, uint64_t units, bool reverse) {
    struct clock_domain *clock = &g->clock[CLOCK_NOC];
    while (units) {
        unsigned unit = next_unit(&units, reverse);
        clock_evaluated(clock, unit, network_cycle(&g->network[unit], &clock->now));
    }
}

static inline uint64_t evaluate_core(struct gpu *g, unsigned number, bool poll) {
    struct clock_domain *clock = &g->clock[CLOCK_CORE];
    struct core *core = &g->core[number];
    uint64_t next = core_cycle(core, &clock->now, poll);
    if (core->cta_done) {
        g->dispatch_at = clock->edge;
        g->attention = earlier_time(g->attention, clock->edge);
    }
    return next;
}

static inline void core_edge(struct gpu *g, uint64_t units, struct loop_ways ways) {
    struct clock_domain *clock = &g->clock[CLOCK_CORE];
    while (units) {
        unsigned unit = next_unit(&units, ways.reverse);
        uint64_t next = evaluate_core(g, unit, ways.poll);
        while (is_unit(unit += CLOCK_UNITS_MAX, g->config.core.count)) {
            next = earlier_time(next, evaluate_core(g, unit, ways.poll));
        }
        clock_evaluated(clock, clock_unit(unit), next);
    }
}

/* The units of a domain to evaluate at @now. */
static inline __attribute__((always_inline)) uint64_t take_clock_edge(struct clock_domain *clock,
                                                                      uint64_t now, bool poll) {
    if (poll && clock->edge == now) {
        clock_take(clock, now);
        return clock->all;
    }
    return clock->next == now ? clock_take(clock, now) : 0;
}

static inline __attribute__((always_inline)) void step_machine(struct gpu *g, uint64_t now,
                                                               struct loop_ways ways) {
    /* First in all domains: a unit that is woken at this time is evaluated at its next edge. */
    uint64_t dram = take_clock_edge(&g->clock[CLOCK_DRAM], now, ways.poll);
    uint64_t l2 = take_clock_edge(&g->clock[CLOCK_L2], now, ways.poll);
    uint64_t noc = take_clock_edge(&g->clock[CLOCK_NOC], now, ways.poll);
    uint64_t core = take_clock_edge(&g->clock[CLOCK_CORE], now, ways.poll);
    if (ways.reverse) {
        core_edge(g, core, ways);
        noc_edge(g, noc, true);
        l2_edge(g, l2, ways);
        dram_edge(g, dram, true);
    } else {
        dram_edge(g, dram, false);
        l2_edge(g, l2, ways);
        noc_edge(g, noc, false);
        core_edge(g, core, ways);
    }
    if (ways.tables && l2) {
        tables_edge(g, g->clock[CLOCK_L2].cycle - 1);
    }
    if (ways.caps && core) {
        caps_look(g, now);
    }
}

/* The time of the next edge with a unit to evaluate; NEVER: all sleep for good. */
static inline uint64_t next_edge(const struct clock_domain *c, bool poll) {
    return poll ? earlier_time(earlier_time(c[0].edge, c[1].edge),
                               earlier_time(c[2].edge, c[3].edge))
                : earlier_time(earlier_time(c[0].next, c[1].next),
                               earlier_time(c[2].next, c[3].next));
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
    return !network_packets_inside(&g->network[NETWORK_REQUEST]) &&
           !network_packets_inside(&g->network[NETWORK_REPLY]);
}

/* Requests that went a step: writes drain long after the last core has ended. */
static uint64_t moved_below_cores(const struct gpu *g) {
    uint64_t moved =
        g->network[NETWORK_REQUEST].stats.packets + g->network[NETWORK_REPLY].stats.packets;
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        moved += l2_partition_totals(&g->partition[i]).requests + g->channel[i].stats.columns;
    }
    return moved;
}

/* The watchdog's timeout in core cycles. Work may be in any domain: behind a slow DRAM a core waits
 * for many of its own cycles. */
static uint64_t patience_cycles(const struct gpu *g) {
    uint64_t slowest = 0;
    for (unsigned d = 0; d < CLOCKS; d++) {
        slowest = g->clock[d].period > slowest ? g->clock[d].period : slowest;
    }
    return g->options.watchdog_cycles ? g->options.watchdog_cycles
                                      : (uint64_t)((unsigned __int128)WATCHDOG_CYCLES * slowest /
                                                   g->clock[CLOCK_CORE].period);
}

/* Every PROGRESS_CYCLES: limits, signals, the watchdog and the progress line. */
static void look_outside(struct gpu *g, uint64_t cycle) {
    if (g->options.stop && *g->options.stop) {
        g->status = GPU_INTERRUPTED;
        return;
    }
    uint64_t moved = moved_below_cores(g);
    bool progressed = moved != g->watchdog_moved;
    g->watchdog_moved = moved;
    for (unsigned i = 0; i < g->config.core.count; i++) {
        progressed |= g->core[i].progressed;
        g->core[i].progressed = false;
    }
    if (progressed) {
        g->watchdog_cycle = cycle;
    } else if (cycle - g->watchdog_cycle >= patience_cycles(g)) {
        snprintf(g->message, sizeof g->message, "no progress since core cycle %llu",
                 (unsigned long long)g->watchdog_cycle);
        g->status = GPU_STUCK;
        return;
    }
    if (g->options.progress && g->launch) {
        struct gpu_progress now = {.cycles = cycle,
                                   .launch = (unsigned)g->launches,
                                   .ctas_done = g->done_ctas,
                                   .ctas = launch_ctas(g->launch)};
        for (unsigned i = 0; i < g->config.core.count; i++) {
            now.warp_instructions += g->core[i].stats.warp_instructions;
        }
        g->options.progress(g->options.progress_user, &now);
    }
}

/* The alarm was rung: sets the run's status and message. */
static void end_by_alarm(struct gpu *g) {
    const char *kernel = g->launch ? g->launch->code->name : "-";
    switch (g->alarm.cause) {
    case ALARM_NONE: return;
    case ALARM_BLOCK_DIFFERS:
        snprintf(g->message, sizeof g->message, "a block in lockstep differs: its report is above");
        g->status = GPU_BLOCK_FAILED;
        return;
    case ALARM_FAR_ADDRESS:
        snprintf(g->message, sizeof g->message, "kernel %s: %s", kernel, g->alarm.text);
        g->status = GPU_DOES_NOT_FIT;
        return;
    case ALARM_PLUGIN:
        snprintf(g->message, sizeof g->message, "%s", g->alarm.text);
        g->status = GPU_BLOCK_FAILED;
        return;
    }
}

/* The run ends at @time even if no unit is awake then: moves every clock there. */
static void stop_at(struct gpu *g, uint64_t time, enum gpu_status status) {
    for (unsigned d = 0; d < CLOCKS; d++) {
        g->clock[d].cycle = time / g->clock[d].period + 1;
        g->clock[d].edge = g->clock[d].cycle * g->clock[d].period;
    }
    g->status = status;
}

/* Before the core edge at dispatch_at: CTAs that ended leave, new ones come. */
static void dispatch_launches(struct gpu *g) {
    struct clock_domain *core = &g->clock[CLOCK_CORE];
    clock_catch_up(core, g->dispatch_at);
    bool more = gpu_dispatch(g);
    g->dispatch_at = more ? core->edge + core->period : NEVER;
}

/* The last CTA of the last launch has ended in the last cycle allowed: the run is whole. */
static bool ends_at_limit(struct gpu *g) {
    return !gpu_next_launch(g) && !g->launch;
}

/* Brings the counters of sleeping units up to, not including, these cycles. */
static void settle_counters(struct gpu *g, uint64_t core_cycle, uint64_t l2_cycle,
                            uint64_t dram_cycle) {
    for (unsigned i = 0; i < g->config.core.count; i++) {
        core_settle(&g->core[i], core_cycle);
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        l2_partition_settle(&g->partition[i], l2_cycle);
        dram_channel_settle(&g->channel[i], dram_cycle);
    }
    for (unsigned i = 0; i < g->tables; i++) {
        warp_table_settle(&g->table[i], l2_cycle);
    }
    energy_count(&g->energy, core_cycle - 1);
}

/* Time at which the sample of @cycles core cycles that starts at @from ends. */
static uint64_t time_of_sample(const struct gpu *g, uint64_t from, uint64_t cycles) {
    const uint64_t period = g->clock[CLOCK_CORE].period;
    return cycles && cycles < NEVER / period / 2 ? (from + cycles) * period + 1 : NEVER;
}

/* The end of an interval. No interval ends after the last launch, because the drain is no part of
 * the run. */
static void sample_machine(struct gpu *g) {
    const uint64_t time = g->sample_at - 1, period = g->clock[CLOCK_CORE].period;
    if (!g->launch) {
        g->sample_at = NEVER;
        return;
    }
    settle_counters(g, time / period + 1, time / g->clock[CLOCK_L2].period + 1,
                    time / g->clock[CLOCK_DRAM].period + 1);
    g->sample_at = time_of_sample(g, time / period,
                                  g->options.sample(g->options.sample_user, g, time / period));
}

static void reset_warp_types(struct gpu *g) {
    for (unsigned i = 0; i < g->config.core.count; i++) {
        warp_types_reset(&g->core[i].warp_types);
    }
}

/* Handles the event due at g->attention that belongs to no unit; the next edge of a unit is at @now
 * or later. Return: true if the run goes on. */
static bool attend_due_work(struct gpu *g, uint64_t now) {
    uint64_t due = g->attention;
    if (g->alarm.cause) {
        return false;
    }
    if (due == g->sample_at && due != NEVER) {
        sample_machine(
            g); /* first: a limit or a new CTA at this time belongs to the next interval */
    } else if (due == g->warp_types_at) {
        reset_warp_types(g);
        g->warp_types_at += WARP_TYPES_PERIOD * g->clock[CLOCK_CORE].period;
    } else if (due == g->dispatch_at && due < g->limit_at) {
        dispatch_launches(g);
    } else if (due == g->limit_at && due != NEVER && !ends_at_limit(g)) {
        stop_at(g, g->limit_at - 1, GPU_LIMIT);
    } else if (now == NEVER && g->dispatch_at == NEVER) {
        if (g->launch || !everything_idle(g)) {
            snprintf(g->message, sizeof g->message, "everything waits, nothing can move");
            g->status = GPU_STUCK;
        }
        return false;
    } else if (due == g->limit_at) {
        g->limit_at = g->dispatch_at = NEVER; /* outstanding accesses drain */
    } else {
        g->progress_at = due + PROGRESS_CYCLES * g->clock[CLOCK_CORE].period;
        look_outside(g, due / g->clock[CLOCK_CORE].period);
        if (g->status != GPU_COMPLETE) {
            stop_at(g, due - 1, g->status);
        }
    }
    g->seen_at = earlier_time(g->progress_at, earlier_time(g->limit_at, g->sample_at));
    g->attention = earlier_time(g->dispatch_at, earlier_time(g->seen_at, g->warp_types_at));
    return g->status == GPU_COMPLETE;
}

static inline __attribute__((always_inline)) void loop_over_edges(struct gpu *g,
                                                                  struct loop_ways ways) {
    for (;;) {
        uint64_t now = next_edge(g->clock, ways.poll);
        if (now >= g->attention) {
            if (!attend_due_work(g, now)) {
                return;
            }
            continue;
        }
        step_machine(g, now, ways);
        /* Polled units never all sleep. */
        if (ways.poll && !g->launch && !g->launching && everything_idle(g)) {
            return;
        }
    }
}

/* If the end of the run is known ahead of time, and no trace needs the order of events. */
static void let_channels_run_ahead(struct gpu *g, bool ordered) {
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        g->channel[i].seen_at = ordered ? NULL : &g->seen_at;
        g->channel_due[i] = NEVER;
    }
}

/* A request's ring within the ROP pipeline is invisible from outside: its partition need not move
 * it before its access. A port with less than @room left is evaluated in the next L2 cycle; until
 * then packets of a cycle's flits, and one more, may come. */
static void let_partitions_look_late(struct gpu *g, bool ordered) {
    const struct config *c = &g->config;
    const uint64_t period = g->clock[CLOCK_L2].period, flit = g->clock[CLOCK_NOC].period;
    const uint64_t room = 2 * packet_flits(c, c->l1.line_bytes) + period / flit + 2;
    bool late = !ordered && g->sample_at == NEVER && g->partition[0].joined;
    uint64_t lag = (c->l2.rop_latency + c->l2.arbiter_latency) * period;
    lag = late && room < c->noc.output_flits ? lag : 0;
    g->network[NETWORK_REQUEST].lag = lag;
    g->network[NETWORK_REQUEST].lag_room = (uint32_t)room;
    for (unsigned i = 0; i < c->l2.partitions; i++) {
        g->partition[i].lag = lag;
        g->partition[i].lag_room = (uint32_t)room;
    }
}

/* The run has ended early, and gpu_dump() may be next. */
static void show_where_requests_are(struct gpu *g) {
    const struct clock_domain *l2 = &g->clock[CLOCK_L2];
    struct now now = {.time = l2->edge, .cycle = l2->cycle, .period = l2->period};
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        l2_partition_take_late(&g->partition[i], &now);
    }
}

/* The DRAM cycle after the run, up to which an idle channel counts refreshes, independently of
 * other units' activity after the end. */
static uint64_t end_of_dram(const struct gpu *g) {
    const struct clock_domain *clock = g->clock;
    return g->status == GPU_COMPLETE
               ? gpu_cycles(g) * clock[CLOCK_CORE].period / clock[CLOCK_DRAM].period + 1
               : clock[CLOCK_DRAM].cycle;
}

enum gpu_status gpu_run(struct gpu *g, struct program *p) {
    uint64_t period = g->clock[CLOCK_CORE].period, cycles = g->options.max_cycles;
    g->program = p;
    g->launching = true;
    g->status = GPU_COMPLETE;
    g->limit_at = cycles && cycles < NEVER / period ? cycles * period + 1 : NEVER;
    g->sample_at = time_of_sample(g, 0, g->options.sample_cycles);
    g->progress_at = PROGRESS_CYCLES * period;
    g->warp_types_at = WARP_TYPES_PERIOD * period + 1;
    g->seen_at = g->attention = g->dispatch_at = g->clock[CLOCK_CORE].edge;
    const struct loop_ways ways = {.poll = g->options.poll,
                                   .reverse = g->options.reverse,
                                   .caps = caps_wanted(g),
                                   .tables = g->tables > 0};
    bool ordered =
        ways.poll || g->options.events || g->options.dram_log || g->options.border || ways.caps;
    let_channels_run_ahead(g, ordered);
    let_partitions_look_late(g, ordered);
    if (ways.poll || ways.reverse || ways.caps || ways.tables) {
        loop_over_edges(g, ways);
    } else {
        loop_over_edges(g, (struct loop_ways){0});
    }
    end_by_alarm(g);
    if (g->status != GPU_COMPLETE) {
        g->end_cycle = gpu_cycles(g);
        show_where_requests_are(g);
        gpu_kernel_end(g, g->end_cycle, false);
    }
    settle_counters(g, gpu_cycles(g) + 1, g->clock[CLOCK_L2].cycle, end_of_dram(g));
    if (g->status == GPU_COMPLETE && g->last_launch_ran) {
        g->status = GPU_LIMIT;
    }
    return g->status;
}
