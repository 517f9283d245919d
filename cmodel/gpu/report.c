/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run leaves: the counters for the registry, and the conservation laws.
 */
#include <inttypes.h>

#include "gpu/machine.h"

#define NETWORK_STAT(name, member, unit, meaning, source) \
    { {name "_" #member, unit, meaning, source, STAT_SUM}, offsetof(struct network_stats, member) }

/* @what: the network's packets. */
#define NETWORK_STATS(name, what) \
    { \
        NETWORK_STAT(name, packets, "packets", what, "MRPB 5.5"), \
            NETWORK_STAT(name, flits, "flits", "their flits", "model"), \
            NETWORK_STAT(name, flit_hops, "flits", \
                         "flits sent over links between routers of a mesh", "OWL 2.1"), \
            NETWORK_STAT(name, latency, "NoC cycles", \
                         "packets, from the network's first sight of them to the receiver's", \
                         "model"), \
            NETWORK_STAT(name, head_wait, "NoC cycles", \
                         "packets at the head of a buffer waited for an output, or for room", \
                         "model"), \
            NETWORK_STAT(name, occupancy, "flit cycles", \
                         "flits times latency of their packets; / NoC cycles: mean filling", \
                         "model"), \
    }

static bool register_network(const struct network *n, struct stats *s) {
    static const struct stat_member request[] =
        NETWORK_STATS("noc.request", "packets from the cores");
    static const struct stat_member reply[] =
        NETWORK_STATS("noc.reply", "packets to the cores, acknowledgements included");
    return stats_register_members(s, n->direction == TO_CORES ? reply : request,
                                  sizeof request / sizeof *request, &n->stats);
}

bool gpu_register_stats(struct gpu *g, struct stats *s) {
    static const struct stat_desc capped = {"gpu.capped_launches", "launches",
                                            "cut by --max-insn-per-kernel", "MeDiC 5", STAT_SUM};
    bool ok = stats_register(s, &capped, &g->capped_launches);
    for (unsigned i = 0; ok && i < g->config.core.count; i++) {
        ok = core_register_stats(&g->core[i], s);
    }
    ok = ok && register_network(&g->network[NETWORK_REQUEST], s) &&
         register_network(&g->network[NETWORK_REPLY], s);
    for (unsigned i = 0; ok && i < g->config.l2.partitions; i++) {
        ok = l2_partition_register_stats(&g->partition[i], s) &&
             dram_channel_register_stats(&g->channel[i], s);
    }
    return ok && energy_register_stats(&g->energy, &g->config, s);
}

/* Counters of the whole machine, for the laws. */
struct totals {
    uint64_t coalesced, reads, hits, pending, misses, bypasses, writes, fills, sent, received;
    uint64_t l2_requests, l2_replies, l2_fetches, l1_writebacks, writes_on, dram_reads, dram_writes;
    uint64_t launched, accounted;
};

static struct totals add_up(const struct gpu *g) {
    struct totals t = {0};
    for (unsigned i = 0; i < g->config.core.count; i++) {
        const struct core *c = &g->core[i];
        const struct l1_stats *l1 = &c->load_store.cache.stats;
        t.coalesced += c->load_store.stats.coalesced;
        t.reads += l1->reads;
        t.hits += l1->read_hits;
        t.pending += l1->read_pending_hits;
        t.misses += l1->read_misses;
        t.bypasses += l1->read_bypasses;
        t.writes += l1->writes;
        t.fills += l1->fills;
        t.sent += c->stats.requests_sent;
        t.received += c->stats.replies_received;
        t.launched += c->stats.ctas;
        t.accounted += c->stats.issue_cycles;
        for (unsigned k = 0; k < STALL_CLASSES; k++) {
            t.accounted += c->stall.stats.wait[k];
        }
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        struct l2_stats l2 = l2_partition_totals(&g->partition[i]);
        t.l2_requests += l2.requests;
        t.l2_replies += l2.replies;
        t.l2_fetches += l2.fetches;
        t.writes_on += l2.writebacks + l2.write_throughs + l2.write_arounds;
        for (unsigned k = 0; k < L2_OUTCOMES; k++) {
            t.l1_writebacks += l2.outcome[REQUEST_WRITEBACK][k];
        }
        t.dram_reads += g->channel[i].stats.reads;
        t.dram_writes += g->channel[i].stats.writes;
    }
    return t;
}

const char *gpu_conserved(struct gpu *g) {
    struct totals t = add_up(g);
    const struct {
        const char *law;
        uint64_t left, right;
    } laws[] = {
        {"each coalesced access met the L1 once", t.coalesced, t.reads + t.writes},
        {"each read of the L1 was one of four things", t.reads,
         t.hits + t.pending + t.misses + t.bypasses},
        {"each miss is filled once: l1.read_misses = l1.fills", t.misses, t.fills},
        {"what the L1s send enters the interconnect", t.misses + t.bypasses + t.writes, t.sent},
        {"what enters the interconnect reaches the L2", t.sent, t.l2_requests},
        {"each L2 request but an L1's write-back is answered once", t.l2_requests,
         t.l2_replies + t.l1_writebacks},
        {"each answer reaches its core", t.l2_replies, t.received},
        {"each L2 fetch is a DRAM read", t.l2_fetches, t.dram_reads},
        {"each write-back and each write that the L2 sends on is a DRAM write", t.writes_on,
         t.dram_writes},
        {"request packets = requests", g->network[NETWORK_REQUEST].stats.packets, t.sent},
        {"reply packets = replies", g->network[NETWORK_REPLY].stats.packets, t.received},
        {"each CTA ran", t.launched, g->cta_number},
        {"each cycle of each core is in one class", t.accounted,
         gpu_cycles(g) * g->config.core.count},
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        if (laws[i].left != laws[i].right) {
            snprintf(g->message, sizeof g->message, "%s: %" PRIu64 " against %" PRIu64, laws[i].law,
                     laws[i].left, laws[i].right);
            return g->message;
        }
    }
    for (unsigned i = 0; i < g->config.core.count; i++) {
        if (!core_idle(&g->core[i])) {
            snprintf(g->message, sizeof g->message, "sm%u is not empty after the run", i);
            return g->message;
        }
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        if (!l2_partition_idle(&g->partition[i]) || !dram_channel_idle(&g->channel[i])) {
            snprintf(g->message, sizeof g->message, "partition %u is not empty after the run", i);
            return g->message;
        }
    }
    if (network_packets_inside(&g->network[NETWORK_REQUEST]) +
        network_packets_inside(&g->network[NETWORK_REPLY])) {
        snprintf(g->message, sizeof g->message, "the interconnect is not empty after the run");
        return g->message;
    }
    return NULL;
}
