/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/gauges.h"

#include "gpu/machine.h"

/* A gauge is a sum of the same expression over cores, partitions with their channels, or the ports
 * of a network. */
#define OVER_CORES(name, expression) \
    static uint64_t name(const struct gpu *g) { \
        uint64_t sum = 0; \
        for (unsigned i = 0; i < g->config.core.count; i++) { \
            const struct core *c = &g->core[i]; \
            sum += (expression); \
        } \
        return sum; \
    }
#define OVER_PARTITIONS(name, expression) \
    static uint64_t name(const struct gpu *g) { \
        uint64_t sum = 0; \
        for (unsigned i = 0; i < g->config.l2.partitions; i++) { \
            const struct l2_partition *p = &g->partition[i]; \
            const struct dram_channel *d = &g->channel[i]; \
            (void)p; \
            (void)d; \
            sum += (expression); \
        } \
        return sum; \
    }

#define OVER_BANKS(name, expression) \
    static uint64_t name(const struct gpu *g) { \
        uint64_t sum = 0; \
        for (unsigned i = 0; i < g->config.l2.partitions; i++) { \
            for (unsigned k = 0; k < g->partition[i].banks; k++) { \
                const struct l2_bank *b = &g->partition[i].bank[k]; \
                sum += (expression); \
            } \
        } \
        return sum; \
    }

OVER_CORES(resident_ctas, c->resident)
OVER_CORES(resident_warps, (unsigned)__builtin_popcountll(c->live))
OVER_CORES(load_store, c->load_store.count)
OVER_CORES(l1_mshrs, c->load_store.cache.mshrs.entries - c->load_store.cache.mshrs.free_count)
OVER_CORES(l1_miss_queue, c->load_store.cache.miss_queue.count)
OVER_CORES(noc_request, c->requests->count)
OVER_BANKS(l2_bank_queues, b->queue.count)
OVER_BANKS(l2_mshrs, b->mshrs.entries - b->mshrs.free_count)
OVER_BANKS(l2_miss_queues, b->miss_queue.count + b->high_queue.count)
OVER_PARTITIONS(l2_fronts, p->front.count)
OVER_BANKS(l2_outputs, b->output.count)
OVER_PARTITIONS(to_dram, p->to_dram->count + (p->to_dram_high ? p->to_dram_high->count : 0))
OVER_PARTITIONS(dram_queue, d->count)
OVER_PARTITIONS(reply_queue, l2_partition_replies(p))

/* Packets at the inputs of a network. */
static uint64_t noc_reply(const struct gpu *g) {
    const struct network *n = &g->network[NETWORK_REPLY];
    uint64_t sum = 0;
    for (unsigned i = 0; i < n->inputs; i++) {
        sum += n->input[i].count;
    }
    return sum;
}

static uint64_t noc_requests(const struct gpu *g) {
    return network_packets_inside(&g->network[NETWORK_REQUEST]);
}

static uint64_t noc_replies(const struct gpu *g) {
    return network_packets_inside(&g->network[NETWORK_REPLY]);
}

static uint64_t l2_queue(const struct gpu *g) {
    uint64_t sum = l2_bank_queues(g) + l2_fronts(g);
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        for (unsigned k = 0; k < g->partition[i].ports; k++) {
            sum += g->partition[i].port[k].rop.count;
        }
    }
    return sum;
}

static uint64_t l2_miss_queue(const struct gpu *g) {
    return l2_miss_queues(g) + to_dram(g);
}

static uint64_t l2_reply_queue(const struct gpu *g) {
    return l2_outputs(g) + reply_queue(g);
}

static const struct gpu_gauge gauges[] = {
    {"resident_ctas", "CTAs", "on all cores", resident_ctas},
    {"resident_warps", "warps", "not exited, on all cores", resident_warps},
    {"load_store_queue", "instructions", "in the load/store units", load_store},
    {"l1_mshrs", "entries", "L1 MSHRs taken", l1_mshrs},
    {"l1_miss_queue", "requests", "from the L1 to the interconnect", l1_miss_queue},
    {"noc_request_queue", "packets", "waiting at the interconnect's inputs from the cores",
     noc_request},
    {"noc_requests", "packets", "requests anywhere in the interconnect", noc_requests},
    {"l2_queue", "requests", "on the way to the L2 banks and in front of them", l2_queue},
    {"l2_mshrs", "entries", "L2 MSHRs taken", l2_mshrs},
    {"l2_miss_queue", "requests", "from the L2 to the DRAM controllers' queues", l2_miss_queue},
    {"dram_queue", "requests", "in the DRAM controllers' queues", dram_queue},
    {"l2_reply_queue", "replies", "from the L2 to the interconnect", l2_reply_queue},
    {"noc_reply_queue", "packets", "waiting at the interconnect's inputs from the partitions",
     noc_reply},
    {"noc_replies", "packets", "replies anywhere in the interconnect", noc_replies},
};
enum { GAUGES = sizeof gauges / sizeof *gauges };
_Static_assert(GAUGES <= GPU_GAUGES_MAX, "room in a row");

const struct gpu_gauge *gpu_gauge_at(unsigned i) {
    return i < GAUGES ? &gauges[i] : NULL;
}
