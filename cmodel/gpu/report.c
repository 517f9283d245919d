/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run leaves: the counters for the registry, the conservation laws, and the dump of a
 * machine that is stuck.
 */
#include <inttypes.h>

#include "gpu/machine.h"

static bool register_network(struct crossbar *x, struct stats *s,
                             const struct stat_member *members) {
    return stats_register_members(s, members, 2, &x->stats);
}

bool gpu_register_stats(struct gpu *g, struct stats *s) {
    static const struct stat_member request[] = {
        {{"noc.request_packets", "packets", "packets from the cores", "MRPB 5.5", STAT_SUM},
         offsetof(struct crossbar_stats, packets)},
        {{"noc.request_flits", "flits", "their flits", "model", STAT_SUM},
         offsetof(struct crossbar_stats, flits)},
    };
    static const struct stat_member reply[] = {
        {{"noc.reply_packets", "packets", "packets to the cores, acknowledgements included",
          "MRPB 5.5", STAT_SUM},
         offsetof(struct crossbar_stats, packets)},
        {{"noc.reply_flits", "flits", "their flits", "model", STAT_SUM},
         offsetof(struct crossbar_stats, flits)},
    };
    bool ok = true;
    for (unsigned i = 0; ok && i < g->config.core.count; i++) {
        ok = core_register_stats(&g->core[i], s);
    }
    ok = ok && register_network(&g->network[NETWORK_REQUEST], s, request) &&
         register_network(&g->network[NETWORK_REPLY], s, reply);
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
    uint64_t launched;
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
    if (crossbar_packets_inside(&g->network[NETWORK_REQUEST]) +
        crossbar_packets_inside(&g->network[NETWORK_REPLY])) {
        snprintf(g->message, sizeof g->message, "the interconnect is not empty after the run");
        return g->message;
    }
    return NULL;
}

static void dump_ring(const char *name, const struct ring *r, FILE *out) {
    fprintf(out, "    %-16s %u entries, %u of %u", name, r->count, r->used, r->capacity);
    if (r->count) {
        const struct ring_entry *e = ring_front(r);
        static const char *const kind[] = {"read", "write", "atomic", "write-back"};
        fprintf(out, "; head: %s of line 0x%" PRIx64 " for sm%u warp %u, visible at %" PRIu64,
                kind[e->request.kind], e->request.line, e->request.core, e->request.warp,
                e->visible_at);
    }
    fputc('\n', out);
}

static void dump_core(const struct core *c, FILE *out) {
    static const char *const refused[L1_RESULTS] = {
        [L1_FAIL_ASSOCIATIVITY] = "a line of the set",
        [L1_FAIL_MSHR_FULL] = "an MSHR",
        [L1_FAIL_MSHR_MERGE] = "room in the line's MSHR",
        [L1_FAIL_MISS_QUEUE] = "room in the miss queue"};
    const struct load_store *u = &c->load_store;
    if (core_idle(c)) {
        return;
    }
    fprintf(out, "  sm%u: %u CTAs; load/store unit: %u instructions%s%s\n", c->id, c->resident,
            u->count, refused[u->refused] ? ", its access waits for " : "",
            refused[u->refused] ? refused[u->refused] : "");
    for (unsigned w = 0; w < c->config->core.warps; w++) {
        const struct core_warp *warp = &c->warp[w];
        if (!(c->live >> w & 1)) {
            continue;
        }
        const char *why = c->at_barrier >> w & 1                 ? "barrier"
                          : c->at_fence >> w & 1                 ? "its accesses, at a fence"
                          : c->ended >> w & 1                    ? "its accesses, at the end"
                          : c->scoreboard.blocked >> w & 1 ? "a load"
                          : c->scoreboard.ready >> w & 1   ? "its turn, or the load/store unit"
                                                           : "a result";
        fprintf(out, "    warp %2u waits for %s (%u accesses outstanding)\n", w, why,
                warp->outstanding);
    }
    dump_ring("miss queue", &u->cache.miss_queue, out);
    fprintf(out, "    %-16s %u of %u taken\n", "MSHRs",
            u->cache.mshrs.entries - u->cache.mshrs.free_count, u->cache.mshrs.entries);
}

static void dump_partition(const struct gpu *g, unsigned i, FILE *out) {
    static const char *const refused[L2_REFUSALS] = {"nothing",
                                                     "a line of the set",
                                                     "an MSHR",
                                                     "room in the line's MSHR",
                                                     "room in the miss queue",
                                                     "room at the output"};
    const struct l2_partition *p = &g->partition[i];
    const struct dram_channel *d = &g->channel[i];
    fprintf(out, "  partition %u: DRAM queue %u of %u, %u reads under way\n", i, d->count,
            g->config.dram.queue, p->dram_reads);
    for (unsigned k = 0; k < p->ports; k++) {
        fprintf(out, "   port %u%s\n", k,
                p->port[k].blocked ? ": waits for room in a bank's queue" : "");
        dump_ring("from the NoC", p->requests[k], out);
        dump_ring("ROP", &p->port[k].rop, out);
    }
    for (unsigned k = 0; k < p->banks; k++) {
        const struct l2_bank *b = &p->bank[k];
        fprintf(out, "   bank %u waits for %s\n", k, refused[b->refused]);
        dump_ring("queue", &b->queue, out);
        dump_ring("miss queue", &b->miss_queue, out);
        dump_ring("from the DRAM", b->from_dram, out);
        dump_ring("output", &b->output, out);
    }
    dump_ring("to the DRAM", p->to_dram, out);
    dump_ring("reply queue", &p->reply_queue, out);
}

void gpu_dump(const struct gpu *g, FILE *out) {
    fprintf(out, "machine at core cycle %" PRIu64 ": launch %u, %u CTAs started, %u done\n",
            gpu_cycles(g), g->launches, g->next_cta, g->done_ctas);
    for (unsigned i = 0; i < g->config.core.count; i++) {
        dump_core(&g->core[i], out);
    }
    for (unsigned i = 0; i < g->config.core.count; i++) {
        if (g->network[NETWORK_REQUEST].input[i].buffer.count ||
            g->network[NETWORK_REPLY].output[i].buffer.count) {
            fprintf(out, "  interconnect, sm%u\n", i);
            dump_ring("requests", &g->network[NETWORK_REQUEST].input[i].buffer, out);
            dump_ring("replies", &g->network[NETWORK_REPLY].output[i].buffer, out);
        }
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        if (!l2_partition_idle(&g->partition[i]) || !dram_channel_idle(&g->channel[i])) {
            dump_partition(g, i, out);
        }
    }
}
