/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a run: the counters for the registry, and the conservation laws.
 */
#include <inttypes.h>

#include "gpu/machine.h"

#define NETWORK_STAT(name, member, unit, meaning, source) \
    { {name "_" #member, unit, meaning, source, STAT_SUM}, offsetof(struct network_stats, member) }

/* @what: the network's packets. */
#define NETWORK_STATS(name, what) \
    { \
        NETWORK_STAT(name, packets, "packets", what, "MRPB 5.5"), \
            NETWORK_STAT(name, flits, "flits", "flits of " what, "model"), \
            NETWORK_STAT(name, flit_hops, "flits", \
                         "flits of " what \
                         " over links between the routers of a mesh, once a link", \
                         "OWL 2.1"), \
            NETWORK_STAT(name, latency, "NoC cycles", \
                         what ": sum, from the network's first sight of one to the receiver's", \
                         "model"), \
            NETWORK_STAT(name, head_wait, "NoC cycles", \
                         what ": sum, at the head of a buffer, waiting for an output or for room", \
                         "model"), \
            NETWORK_STAT(name, occupancy, "flit cycles", \
                         what \
                         ": flits times latency; over NoC cycles: flits in the network, mean", \
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
    static const struct stat_desc launches = {"gpu.launches", "launches", "kernel launches begun",
                                              "model", STAT_SUM},
                                  capped = {"gpu.capped_launches", "launches",
                                            "cut by --max-insn-per-kernel", "MeDiC 5", STAT_SUM};
    bool ok = stats_register(s, &launches, &g->launches) &&
              stats_register(s, &capped, &g->capped_launches);
    for (unsigned i = 0; ok && i < g->config.core.count; i++) {
        ok = core_register_stats(&g->core[i], s);
    }
    ok = ok && register_network(&g->network[NETWORK_REQUEST], s) &&
         register_network(&g->network[NETWORK_REPLY], s);
    static const struct stat_desc lost = {
        "l2.type_updates_lost", "requests",
        "L2 accesses that a full queue kept from the counters of their warp or instruction",
        "model", STAT_SUM};
    static const uint64_t none = 0;
    ok = ok && stats_register(s, &lost, &none);
    for (unsigned i = 0; ok && i < g->tables; i++) {
        ok = stats_register(s, &lost, &g->table[i].updates_lost);
    }
    for (unsigned i = 0; ok && i < g->config.l2.partitions; i++) {
        ok = l2_partition_register_stats(&g->partition[i], s) &&
             (!g->core[0].load_store.cache.prefetches ||
              l2_partition_register_l1_prefetches(&g->partition[i], s)) &&
             dram_channel_register_stats(&g->channel[i], s);
    }
    return ok && energy_register_stats(&g->energy, &g->config, s);
}

/* Counters of the whole machine, for the laws. */
struct totals {
    uint64_t coalesced, taken, reads, hits, pending, misses, bypasses, fetches, fills;
    uint64_t prefetches, prefetch_ends, contended, reused, constant_words, constant_taken,
        texture_lines, texture_taken;
    uint64_t l1_sent, unanswered, sent, received;
    uint64_t l2_requests, l2_lineless, l2_replies, l2_fetches, l1_writebacks, writes_on, dram_reads,
        dram_writes, dram_prefetches, l2_claims;
    uint64_t launched, accounted;
};

static void add_data_cache(struct totals *t, const struct l1_data_cache *c) {
    const struct reuse_stats *reuse = &c->stats.reuse;
    for (unsigned i = 0; i < 2; i++) {
        const struct l1_space_stats *s = &c->stats.space[i];
        t->taken += s->reads + s->writes;
        t->reads += s->reads;
        t->hits += s->read_hits;
        t->pending += s->read_pending_hits;
        t->misses += s->read_misses;
        t->bypasses += s->read_bypasses;
        t->fetches += s->read_misses + s->write_misses;
    }
    t->taken += c->stats.atomics;
    t->fills += c->stats.fills;
    t->prefetches += c->stats.prefetch.issued;
    t->prefetch_ends += c->stats.prefetch.useful + c->stats.prefetch.late +
                        c->stats.prefetch.useless + l1_data_cache_unused(c);
    t->contended +=
        reuse->cold + reuse->freed + reuse->intra_warp + reuse->cross_warp + reuse->cross_block;
    t->contended += c->stats.sector_misses;
    t->reused += reuse->hits_this_trip + reuse->hits_last_trip + reuse->hits_other_trip +
                 reuse->hits_inter_warp;
    t->l1_sent += l1_data_cache_sent(c);
    t->unanswered += c->stats.writebacks;
}

static struct totals add_up(const struct gpu *g) {
    struct totals t = {0};
    for (unsigned i = 0; i < g->config.core.count; i++) {
        const struct core *c = &g->core[i];
        add_data_cache(&t, &c->load_store.cache);
        const struct load_store *u = &c->load_store;
        t.coalesced += u->stats.coalesced;
        t.constant_words += u->stats.constant_words;
        t.constant_taken += u->constant.stats.space[0].reads;
        t.texture_lines += u->stats.texture_lines;
        t.texture_taken += u->texture.stats.accesses;
        t.l1_sent += l1_data_cache_sent(&u->constant) + u->texture.stats.misses;
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
        t.l2_lineless += l2.returns;
        t.l2_replies += l2.replies;
        t.l2_fetches += l2.fetches;
        t.writes_on += l2.writebacks + l2.write_throughs + l2.write_arounds;
        for (unsigned k = 0; k < L2_OUTCOMES; k++) {
            t.l1_writebacks += l2.outcome[REQUEST_WRITEBACK][k];
        }
        t.l1_writebacks += l2.bypasses[REQUEST_WRITEBACK];
        t.writes_on += l2.bypasses[REQUEST_WRITE] + l2.bypasses[REQUEST_WRITEBACK];
        for (unsigned k = 0; k < L2_KINDS; k++) {
            t.l2_requests += l2.bypasses[k];
        }
        t.dram_reads += g->channel[i].stats.reads;
        t.dram_prefetches += g->channel[i].stats.prefetches;
        t.l2_claims += l2.claims;
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
        {"each coalesced access met the L1 once", t.coalesced, t.taken},
        {"each word of constant memory met the constant cache once", t.constant_words,
         t.constant_taken},
        {"each texture line met the texture cache once", t.texture_lines, t.texture_taken},
        {"each read of the L1 was one of four things", t.reads,
         t.hits + t.pending + t.misses + t.bypasses},
        {"each line that a miss or a prefetch took is filled once", t.fetches + t.prefetches,
         t.fills},
        {"each prefetch was useful, late, useless, or its line is there unused", t.prefetches,
         t.prefetch_ends},
        {"each miss has one kind of contention, none, or found its line", t.fetches, t.contended},
        {"each read hit has one kind of reuse", g->config.l1.perfect ? 0 : t.hits, t.reused},
        {"what the first-level caches send enters the interconnect", t.l1_sent, t.sent},
        {"what enters the interconnect reaches the L2", t.sent, t.l2_requests},
        {"each L2 request but an L1's write-back is answered once", t.l2_requests,
         t.l2_replies + t.l1_writebacks},
        {"each write-back of an L1 reaches the L2", t.unanswered, t.l1_writebacks},
        {"each answer reaches its core", t.l2_replies, t.received},
        {"each L2 fetch and each read without a line is a DRAM read", t.l2_fetches + t.l2_lineless,
         t.dram_reads},
        {"each line that the L2 let a prefetcher read is a DRAM read", t.l2_claims,
         t.dram_prefetches},
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
