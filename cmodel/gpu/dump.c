/* SPDX-License-Identifier: Apache-2.0
 *
 * The dump of a machine that is stuck: who waits for whom, from each warp to the queue in which its
 * request stands.
 */
#include <inttypes.h>
#include <string.h>

#include "gpu/core_issue.h"
#include "gpu/core_policy.h"
#include "gpu/machine.h"

struct named_ring {
    const char *name;
    const struct ring *ring;
};

enum { CORE_RINGS = 5, CORE_QUEUES = 3 }; /* of a core; of them, those of its caches */

static void rings_of_core(const struct gpu *g, unsigned i, struct named_ring *out) {
    const struct core *c = &g->core[i];
    const struct named_ring rings[CORE_RINGS] = {
        {"miss queue", &c->load_store.cache.miss_queue},
        {"constant misses", &c->load_store.constant.miss_queue},
        {"texture requests", &c->load_store.texture.requests},
        {"requests", c->requests},
        {"replies", c->replies}};
    memcpy(out, rings, sizeof rings);
}

static void dump_ring(const struct named_ring *n, FILE *out) {
    const struct ring *r = n->ring;
    fprintf(out, "    %-16s %u entries, %u of %u", n->name, r->count, r->used, r->capacity);
    if (r->count) {
        const struct ring_entry *e = ring_front(r);
        static const char *const kind[] = {"read", "write", "atomic", "write-back"};
        fprintf(out, "; head: %s of line 0x%" PRIx64 " for sm%u warp %u, visible at %" PRIu64,
                kind[e->request.kind], e->request.line, e->request.core, e->request.warp,
                e->visible_at);
    }
    fputc('\n', out);
}

/* Place of the warp's first request in the ring, from 1; 0: it has none there. */
static unsigned place_in(const struct ring *r, unsigned core, unsigned warp, uint64_t *line) {
    for (unsigned i = 0; i < r->count; i++) {
        const struct request *q = &r->entries[(r->head + i) & r->mask].request;
        if (q->core == core && q->warp == warp && q->kind != REQUEST_WRITEBACK) {
            *line = q->line;
            return i + 1;
        }
    }
    return 0;
}

/* Each of the rings in which the warp has a request. Return: in how many. */
static unsigned tell_places(const struct named_ring *rings, unsigned count, const char *where,
                            unsigned number, const struct core *c, unsigned w, FILE *out) {
    unsigned places = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t line;
        unsigned place = place_in(rings[i].ring, c->id, w, &line);
        if (place) {
            fprintf(out, "      -> its line 0x%" PRIx64 " is number %u of %u in %s%u, %s\n", line,
                    place, rings[i].ring->count, where, number, rings[i].name);
            places++;
        }
    }
    return places;
}

/* The rings of a partition's port or bank. */
enum { PORT_RINGS = 2, BANK_RINGS = 4, PARTITION_RINGS = 2 };

static void rings_of_port(const struct l2_partition *p, unsigned k, struct named_ring *out) {
    out[0] = (struct named_ring){"from the NoC", p->requests[k]};
    out[1] = (struct named_ring){"ROP", &p->port[k].rop};
}

static void rings_of_bank(const struct l2_partition *p, unsigned k, struct named_ring *out) {
    const struct l2_bank *b = &p->bank[k];
    out[0] = (struct named_ring){"queue", &b->queue};
    out[1] = (struct named_ring){"miss queue", &b->miss_queue};
    out[2] = (struct named_ring){"from the DRAM", b->from_dram};
    out[3] = (struct named_ring){"output", &b->output};
}

static void rings_of_partition(const struct l2_partition *p, struct named_ring *out) {
    out[0] = (struct named_ring){"to the DRAM", p->to_dram};
    out[1] = (struct named_ring){"reply queue", &p->reply_queue};
}

static unsigned tell_places_in_partition(const struct gpu *g, unsigned i, const struct core *c,
                                         unsigned w, FILE *out) {
    const struct l2_partition *p = &g->partition[i];
    struct named_ring rings[BANK_RINGS];
    unsigned places = 0;
    for (unsigned k = 0; k < p->ports; k++) {
        rings_of_port(p, k, rings);
        places += tell_places(rings, PORT_RINGS, "partition ", i, c, w, out);
    }
    for (unsigned k = 0; k < p->banks; k++) {
        rings_of_bank(p, k, rings);
        places += tell_places(rings, BANK_RINGS, "partition ", i, c, w, out);
    }
    rings_of_partition(p, rings);
    return places + tell_places(rings, PARTITION_RINGS, "partition ", i, c, w, out);
}

/* What the access at the head of the unit waits for; NULL: it was not refused. */
static const char *refused_by_l1(const struct load_store *u) {
    static const char *const what[L1_RESULTS] = {[L1_FAIL_ASSOCIATIVITY] = "a line of the set",
                                                 [L1_FAIL_MSHR_FULL] = "an MSHR",
                                                 [L1_FAIL_MSHR_MERGE] = "room in the line's MSHR",
                                                 [L1_FAIL_MISS_QUEUE] = "room in the miss queue"};
    static const char *const texture[TEXTURE_RESULTS] = {
        [TEXTURE_FAIL_FIFO] = "room in the texture FIFO",
        [TEXTURE_FAIL_REQUEST_QUEUE] = "room in the texture request queue",
        [TEXTURE_FAIL_REORDER] = "room in the texture reorder buffer"};
    return u->data.cause                                  ? what[u->data.cause]
           : !u->read_only.cause                          ? NULL
           : u->read_only.fails == u->texture.stats.fails ? texture[u->read_only.cause]
                                                          : what[u->read_only.cause];
}

/* Where the accesses for which a warp waits are. */
static void dump_chain(const struct gpu *g, const struct core *c, unsigned w, FILE *out) {
    const char *refused = refused_by_l1(&c->load_store);
    struct named_ring rings[CORE_RINGS];
    if (core_is_unsent(c, w)) {
        fprintf(out, "      -> %u in the load/store unit%s%s\n", c->load_store.unseen[w],
                refused ? ", whose first access waits for " : "", refused ? refused : "");
    }
    if (!core_is_beyond_l1(c, w)) {
        return;
    }
    rings_of_core(g, c->id, rings);
    unsigned places = tell_places(rings, CORE_RINGS, "sm", c->id, c, w, out);
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        places += tell_places_in_partition(g, i, c, w, out);
    }
    if (!places) {
        fprintf(out, "      -> in no queue: in an MSHR, in the interconnect or the DRAM\n");
    }
}

static const char *why_ready(const struct core *c, unsigned w) {
    const char *held = core_policy_reason(c, w);
    return held                                   ? held
           : (c->sending | c->answering) >> w & 1 ? "its turn, or its last instruction"
                                                  : "its turn, or the load/store unit";
}

static void dump_core(const struct gpu *g, const struct core *c, FILE *out) {
    const struct load_store *u = &c->load_store;
    const char *refused = refused_by_l1(u);
    if (core_idle(c)) {
        return;
    }
    fprintf(out, "  sm%u: %u CTAs; load/store unit: %u instructions%s%s\n", c->id, c->resident,
            u->count, refused ? ", its access waits for " : "", refused ? refused : "");
    for (unsigned w = 0; w < c->config->core.warps; w++) {
        if (!(c->live >> w & 1)) {
            continue;
        }
        const char *why = c->at_barrier >> w & 1           ? "barrier"
                          : c->at_fence >> w & 1           ? "its accesses, at a fence"
                          : c->ended >> w & 1              ? "its accesses, at the end"
                          : c->scoreboard.blocked >> w & 1 ? "a load"
                          : c->scoreboard.ready >> w & 1   ? why_ready(c, w)
                                                           : "a result";
        fprintf(out, "    warp %2u waits for %s (%u accesses outstanding)\n", w, why,
                c->warp[w].outstanding);
        if (c->warp[w].outstanding) {
            dump_chain(g, c, w, out);
        }
    }
    struct named_ring rings[CORE_RINGS];
    rings_of_core(g, c->id, rings);
    for (unsigned k = 0; k < CORE_QUEUES; k++) {
        dump_ring(&rings[k], out);
    }
    fprintf(out, "    %-16s %u accesses, %u lines under way\n", "texture FIFO",
            u->texture.fifo_count, u->texture.reorder_count);
    fprintf(out, "    %-16s %u of %u taken\n", "MSHRs",
            u->cache.mshrs.entries - u->cache.mshrs.free_count, u->cache.mshrs.entries);
}

static void dump_rings(const struct named_ring *rings, unsigned count, FILE *out) {
    for (unsigned i = 0; i < count; i++) {
        dump_ring(&rings[i], out);
    }
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
    struct named_ring rings[BANK_RINGS];
    fprintf(out, "  partition %u: DRAM queue %u of %u, %u reads under way\n", i, d->count,
            g->config.dram.queue, p->dram_reads);
    for (unsigned k = 0; k < p->ports; k++) {
        fprintf(out, "   port %u%s\n", k,
                p->port[k].blocked ? ": waits for room in a bank's queue" : "");
        rings_of_port(p, k, rings);
        dump_rings(rings, PORT_RINGS, out);
    }
    for (unsigned k = 0; k < p->banks; k++) {
        fprintf(out, "   bank %u waits for %s\n", k, refused[p->bank[k].refused]);
        rings_of_bank(p, k, rings);
        dump_rings(rings, BANK_RINGS, out);
    }
    rings_of_partition(p, rings);
    dump_rings(rings, PARTITION_RINGS, out);
}

void gpu_dump(const struct gpu *g, FILE *out) {
    fprintf(out, "machine at core cycle %" PRIu64 ": launch %u, %u CTAs started, %u done\n",
            gpu_cycles(g), g->launches, g->next_cta, g->done_ctas);
    for (unsigned i = 0; i < g->config.core.count; i++) {
        dump_core(g, &g->core[i], out);
    }
    for (unsigned i = 0; i < g->config.core.count; i++) {
        struct named_ring rings[CORE_RINGS];
        rings_of_core(g, i, rings);
        if (rings[1].ring->count || rings[2].ring->count) {
            fprintf(out, "  interconnect, sm%u\n", i);
            dump_rings(&rings[1], 2, out);
        }
    }
    for (unsigned i = 0; i < NETWORKS && g->config.noc.topology == NOC_MESH; i++) {
        mesh_dump(&g->network[i], out);
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        if (!l2_partition_idle(&g->partition[i]) || !dram_channel_idle(&g->channel[i])) {
            dump_partition(g, i, out);
        }
    }
}
