/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "config/derived.h"
#include "dram/log.h"
#include "dram/scheduler.h"
#include "gpu/machine.h"

static void join_l1_policies(struct gpu *g) {
    struct l1_policies *of[UNITS_MAX];
    for (unsigned i = 0; i < g->config.core.count; i++) {
        of[i] = g->core[i].load_store.front.policies;
    }
    l1_policies_join(of, g->config.core.count);
}

/* The rings between units, and the unit that each wakes. */
static void wire_units(struct gpu *g) {
    struct network *request = &g->network[NETWORK_REQUEST], *reply = &g->network[NETWORK_REPLY];
    request->events = reply->events = g->options.events;
    request->poll = reply->poll = g->options.poll;
    join_l1_policies(g);
    for (unsigned i = 0; i < g->config.core.count; i++) {
        struct core *c = &g->core[i];
        dram_map_init(&c->map, &g->config);
        c->requests = &request->input[i];
        c->requesting = &request->occupied;
        c->replies = network_outputs(reply, i);
        c->noc_clock = &g->clock[CLOCK_NOC];
        c->request_network = NETWORK_REQUEST;
        c->reply_network = NETWORK_REPLY;
        c->events = g->options.events;
        c->watched = c->events || c->warp_hits;
        c->loads.to = &g->load_counter;
        if (c->events || c->load_store.cache.takes_at_fill) { /* they want each access' line */
            load_store_watch(&c->load_store, &c->policies.watched);
        }
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        struct l2_partition *p = &g->partition[i];
        struct dram_channel *d = &g->channel[i];
        for (unsigned port = 0; port < g->config.l2.ports; port++) {
            p->requests[port] = &network_outputs(request, i)[port];
        }
        l2_partition_wire_replies(p, reply->input, &reply->occupied);
        p->to_dram = &d->in;
        p->answers = &d->answers;
        d->claims = &p->claims;
        p->to_dram_high = d->scheduler.kind->has_high_way ? &d->high_in : NULL;
        p->noc_clock = &g->clock[CLOCK_NOC];
        p->request_network = NETWORK_REQUEST;
        p->reply_network = NETWORK_REPLY;
        p->dram_clock = &g->clock[CLOCK_DRAM];
        p->dram_early = d->early * p->dram_period;
        l2_partition_wire(p, d->out, &g->seen_at, g->options.events);
        d->clock = &g->clock[CLOCK_DRAM];
        d->l2_clock = &g->clock[CLOCK_L2];
        d->poll = g->options.poll;
        d->events = g->options.events;
        if (g->options.dram_log) {
            dram_log_attach(d, g->options.dram_log);
        }
    }
    if (g->options.dram_log) {
        dram_log_header(g->options.dram_log, &g->config);
    }
    if (g->options.border) {
        dram_border_attach(&g->border, g->channel, g->options.border);
    }
}

/* Tables of types, and the partitions' ports of them. */
static bool make_tables(struct gpu *g, const uint64_t *period, const struct build *build) {
    const struct config *c = &g->config;
    enum l2_types_of of = g->partition->policies.types;
    bool shared = c->medic.table == MEDIC_TABLE_SHARED;
    g->tables = !of ? 0 : shared ? 1 : c->l2.partitions;
    g->table = calloc(g->tables ? g->tables : 1, sizeof *g->table);
    if (!g->table) {
        return false;
    }
    for (unsigned i = 0; i < g->tables; i++) {
        char where[16];
        snprintf(where, sizeof where, shared ? "l2" : "p%u", i);
        if (!warp_table_init(&g->table[i], c, of, shared ? c->l2.partitions : 1, period[CLOCK_CORE],
                             period[CLOCK_L2], where, build)) {
            return false;
        }
    }
    for (unsigned i = 0; g->tables && i < c->l2.partitions; i++) {
        unsigned place = shared ? i : 0;
        l2_partition_attach(&g->partition[i], &g->table[shared ? 0 : i], place * c->l2.banks,
                            place * c->l2.ports);
    }
    return true;
}

static bool make_units(struct gpu *g, const uint64_t *period) {
    const struct config *c = &g->config;
    const struct build build = {.factory = g->options.blocks,
                                .alarm = &g->alarm,
                                .error = g->message,
                                .error_size = sizeof g->message,
                                .asks_twice = g->options.poll,
                                .in_time = g->options.in_time || g->options.border ||
                                           (g->options.blocks && g->options.blocks->in_time)};
    const struct l2_periods periods = {
        .core = period[CLOCK_CORE], .l2 = period[CLOCK_L2], .dram = period[CLOCK_DRAM]};
    clock_domain_init(&g->clock[CLOCK_DRAM], period[CLOCK_DRAM], c->l2.partitions);
    clock_domain_init(&g->clock[CLOCK_L2], period[CLOCK_L2], c->l2.partitions);
    clock_domain_init(&g->clock[CLOCK_NOC], period[CLOCK_NOC], NETWORKS);
    clock_domain_init(&g->clock[CLOCK_CORE], period[CLOCK_CORE], c->core.count);
    g->core = calloc(c->core.count, sizeof *g->core);
    g->partition = calloc(c->l2.partitions, sizeof *g->partition);
    g->channel = calloc(c->l2.partitions, sizeof *g->channel);
    if (!g->core || !g->partition || !g->channel ||
        !network_init(&g->network[NETWORK_REQUEST], c, TO_PARTITIONS, &g->clock[CLOCK_CORE],
                      &g->clock[CLOCK_L2]) ||
        !network_init(&g->network[NETWORK_REPLY], c, TO_CORES, &g->clock[CLOCK_L2],
                      &g->clock[CLOCK_CORE])) {
        return false;
    }
    for (unsigned i = 0; i < c->core.count; i++) {
        if (!core_init(&g->core[i], c, i, g->options.policies.issue, g->options.policies.l1,
                       &build)) {
            return false;
        }
        g->core[i].policies.view.profile = g->options.profile;
        g->core[i].stall.period = period[CLOCK_CORE];
        g->core[i].warp_hits =
            g->options.warp_hits ? calloc(WARP_TYPES_WARPS_MAX, sizeof(struct warp_hits)) : NULL;
        if (g->options.warp_hits && !g->core[i].warp_hits) {
            return false;
        }
    }
    for (unsigned i = 0; i < c->l2.partitions; i++) {
        if (!l2_partition_init(&g->partition[i], c, i, &periods, g->options.policies.l2, &build) ||
            !l2_partition_join(&g->partition[i]) ||
            !dram_channel_init(&g->channel[i], c, i, g->options.policies.dram, &build)) {
            return false;
        }
    }
    return make_tables(g, period, &build);
}

/* Each name in the configuration is that of a policy. */
static bool find_named_policies(struct gpu *g) {
    unsigned place = named_policies_find(&g->options.policies, &g->config);
    if (place < POLICY_PLACE_COUNT) {
        snprintf(g->message, sizeof g->message,
                 "%s = %s: no plug-in has this policy: must be - or the name of one",
                 policy_place_key(place), policy_place_word(&g->config, place));
    }
    return place == POLICY_PLACE_COUNT;
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
    g->alarm.attention = &g->attention;
    snprintf(g->message, sizeof g->message, "out of memory");
    if (!clock_periods(khz, CLOCKS, period)) {
        snprintf(g->message, sizeof g->message,
                 "clocks: their common multiple is too large; use rounder frequencies");
    } else if (find_named_policies(g) && make_units(g, period)) {
        wire_units(g);
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
    for (unsigned i = 0; g->table && i < g->tables; i++) {
        warp_table_destroy(&g->table[i]);
    }
    network_destroy(&g->network[NETWORK_REQUEST]);
    network_destroy(&g->network[NETWORK_REPLY]);
    free(g->core);
    free(g->partition);
    free(g->channel);
    free(g->table);
    gpu_kernels_free(&g->kernels);
    free(g->load_rows);
    free(g);
}

uint64_t gpu_cycles(const struct gpu *g) {
    bool drained = g->status == GPU_COMPLETE || (g->status == GPU_LIMIT && g->last_launch_ran);
    return drained && !g->launch && !g->launching ? g->end_cycle : g->clock[CLOCK_CORE].cycle - 1;
}

const struct warp_hits *gpu_warp_hits(const struct gpu *g, unsigned core) {
    return g->core[core].warp_hits;
}

const char *gpu_message(const struct gpu *g) {
    return g->message;
}
