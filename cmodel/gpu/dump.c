/* SPDX-License-Identifier: Apache-2.0
 *
 * The dump of a stuck machine: each warp's chain of waits, up to the queue with its
 * request.
 */
#include <inttypes.h>
#include <string.h>

#include "core/core_dump.h"
#include "gpu/machine.h"

struct named_ring {
    const char *name;
    const struct ring *ring;
};

enum { CORE_RINGS = 5, CORE_QUEUES = 3 }; /* rings of a core; those of its caches */

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
        static const char *const kind[] = {"read", "write", "atomic", "write-back", "prefetch"};
        fprintf(out, "; head: %s of line 0x%" PRIx64 " for sm%u warp %u, visible at %" PRIu64,
                kind[e->request.kind], e->request.line, e->request.core, e->request.warp,
                e->visible_at);
    }
    fputc('\n', out);
}

/* Is it the warp's, and does it wait for its answer? */
static bool is_of(const struct request *q, unsigned core, unsigned warp) {
    return q->core == core && q->warp == warp && q->kind != REQUEST_WRITEBACK &&
           q->kind != REQUEST_PREFETCH;
}

/* Place of the warp's first request in the ring, from 1; 0: it has none there. */
static unsigned place_in(const struct ring *r, unsigned core, unsigned warp, uint64_t *line) {
    for (unsigned i = 0; i < r->count; i++) {
        const struct request *q = &r->entries[(r->head + i) & r->mask].request;
        if (is_of(q, core, warp)) {
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

/* The rings of a partition's port or bank, and its others at most. */
enum { PORT_RINGS = 2, BANK_RINGS = 5, PARTITION_RINGS = 2 + 2 * L2_PORTS_MAX };

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
    out[4] = (struct named_ring){"high miss queue", &b->high_queue};
}

/* Return: how many. */
static unsigned rings_of_partition(const struct gpu *g, const struct l2_partition *p,
                                   struct named_ring *out) {
    static const char *const queue[L2_PORTS_MAX] = {"reply queue", "reply queue 1", "reply queue 2",
                                                    "reply queue 3"};
    static const char *const to_noc[L2_PORTS_MAX] = {"to the NoC", "to the NoC 1", "to the NoC 2",
                                                     "to the NoC 3"};
    unsigned count = 0;
    out[count++] = (struct named_ring){"to the DRAM", p->to_dram};
    for (unsigned i = 0; i < p->reply_ports; i++) {
        out[count++] = (struct named_ring){queue[i], &p->reply[i].queue};
        out[count++] = (struct named_ring){to_noc[i], p->reply[i].to_noc};
    }
    out[count++] = (struct named_ring){"to the DRAM, high", &g->channel[p->channel].high_in};
    return count;
}

/* Misses, and the requests that merged into them. */
static unsigned tell_mshrs(const struct mshr_file *m, const char *where, const struct core *c,
                           unsigned w, FILE *out) {
    unsigned places = 0;
    for (unsigned i = 0; i < m->entries; i++) {
        for (unsigned k = m->woken[i]; k < m->waiting[i]; k++) {
            const struct request *q = &m->requests[i * m->merge + k];
            if (is_of(q, c->id, w)) {
                fprintf(out, "      -> its line 0x%" PRIx64 " is in an MSHR of %s\n", q->line,
                        where);
                places++;
            }
        }
    }
    return places;
}

/* Requests between the ports and the arbiter, or the path to the DRAM. */
static unsigned tell_front(const struct l2_front *f, unsigned partition, const struct core *c,
                           unsigned w, FILE *out) {
    unsigned places = 0;
    for (unsigned port = 0; port < f->config->l2.ports; port++) {
        for (unsigned i = 0; i < FRONT_PLACES; i++) {
            const struct request *q = &f->held[port][i].request;
            if (!(f->free[port] >> i & 1) && is_of(q, c->id, w)) {
                fprintf(out,
                        "      -> its line 0x%" PRIx64 " is in partition %u, bypass of port %u\n",
                        q->line, partition, port);
                places++;
            }
        }
    }
    return places;
}

/* Requests in the DRAM controller. The fetch of a line has the name of the warp that missed
 * first. */
static unsigned tell_dram(const struct dram_channel *d, unsigned partition, const struct core *c,
                          unsigned w, FILE *out) {
    unsigned places = 0;
    for (unsigned i = 0; i < d->count; i++) {
        const struct dram_entry *e = &d->entry[d->order[i]];
        if (is_of(&e->request, c->id, w)) {
            fprintf(out,
                    "      -> its line 0x%" PRIx64
                    " is number %u of %u in partition %u, DRAM queue, for bank %u, row %" PRIu64
                    "\n",
                    e->request.line, i + 1, d->count, partition, e->at.bank, (uint64_t)e->at.row);
            places++;
        }
    }
    return places;
}

/* Packets in the routers of a mesh. */
static unsigned tell_mesh(const struct network *n, const struct core *c, unsigned w, FILE *out) {
    const struct mesh *m = &n->mesh;
    unsigned places = 0;
    for (unsigned node = 0; n->topology == NOC_MESH && node < m->nodes; node++) {
        for (unsigned side = 0; side < MESH_SIDES; side++) {
            const struct mesh_buffer *b = &m->router[node].buffer[side];
            for (unsigned i = 0; i < b->count; i++) {
                const struct mesh_entry *e = &b->entries[(b->head + i) & b->mask];
                const struct request *q = &m->pool[e->packet].request;
                if (is_of(q, c->id, w)) {
                    fprintf(out,
                            "      -> its line 0x%" PRIx64
                            " is number %u of %u in node %u of the %s mesh, to %s%u\n",
                            q->line, i + 1, b->count, node, network_name(n),
                            n->direction == TO_CORES ? "sm" : "partition ", e->receiver);
                    places++;
                }
            }
        }
    }
    return places;
}

static unsigned tell_places_in_partition(const struct gpu *g, unsigned i, const struct core *c,
                                         unsigned w, FILE *out) {
    const struct l2_partition *p = &g->partition[i];
    struct named_ring rings[PARTITION_RINGS];
    char where[64];
    unsigned places = 0;
    for (unsigned k = 0; k < p->ports; k++) {
        rings_of_port(p, k, rings);
        places += tell_places(rings, PORT_RINGS, "partition ", i, c, w, out);
    }
    for (unsigned k = 0; k < p->banks; k++) {
        rings_of_bank(p, k, rings);
        places += tell_places(rings, BANK_RINGS, "partition ", i, c, w, out);
        snprintf(where, sizeof where, "partition %u, bank %u", i, k);
        places += tell_mshrs(&p->bank[k].mshrs, where, c, w, out);
    }
    places += tell_dram(&g->channel[i], i, c, w, out);
    places += tell_front(&p->front, i, c, w, out);
    unsigned count = rings_of_partition(g, p, rings);
    return places + tell_places(rings, count, "partition ", i, c, w, out);
}

/* Prints the places of the warp's accesses that have left the L1. */
static void dump_chain(const struct gpu *g, const struct core *c, unsigned w, FILE *out) {
    struct named_ring rings[CORE_RINGS];
    rings_of_core(g, c->id, rings);
    unsigned places = tell_places(rings, CORE_RINGS, "sm", c->id, c, w, out);
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        places += tell_places_in_partition(g, i, c, w, out);
    }
    for (unsigned i = 0; i < NETWORKS; i++) {
        places += tell_mesh(&g->network[i], c, w, out);
    }
    if (!places && !tell_mshrs(&c->load_store.cache.mshrs, "the L1", c, w, out) &&
        !tell_mshrs(&c->load_store.constant.mshrs, "the constant cache", c, w, out)) {
        fprintf(out, "      -> in no queue: its data is on its way to the register\n");
    }
}

static void dump_core(const struct gpu *g, const struct core *c, FILE *out) {
    if (core_idle(c)) {
        return;
    }
    core_dump_head(c, out);
    for (uint64_t live = c->live; live; live &= live - 1) {
        unsigned w = (unsigned)__builtin_ctzll(live);
        if (core_dump_warp(c, w, out)) {
            dump_chain(g, c, w, out);
        }
    }
    struct named_ring rings[CORE_RINGS];
    rings_of_core(g, c->id, rings);
    for (unsigned k = 0; k < CORE_QUEUES; k++) {
        dump_ring(&rings[k], out);
    }
    core_dump_caches(c, out);
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
    struct named_ring rings[PARTITION_RINGS];
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
    dump_rings(rings, rings_of_partition(g, p, rings), out);
}

/* The heads of a crossbar's inputs; a packet that crosses is in its destination's ring. */
static void dump_crossbar(const struct network *n, FILE *out) {
    bool to_cores = n->direction == TO_CORES;
    for (unsigned i = 0; i < n->inputs; i++) {
        if (unit_set_has(&n->crossbar.waiting, i)) {
            fprintf(out, "  %s crossbar, from %s%u: head waits for its turn or for room at %s%u\n",
                    network_name(n), to_cores ? "partition " : "sm", network_sender(n, i),
                    to_cores ? "sm" : "partition ",
                    network_receiver(n, &ring_front(&n->input[i])->request));
        }
    }
}

void gpu_dump(const struct gpu *g, FILE *out) {
    fprintf(out,
            "machine at core cycle %" PRIu64 ": launch %" PRIu64 ", %u CTAs started, %u done\n",
            gpu_cycles(g), g->launches, g->next_cta, g->done_ctas);
    for (unsigned i = 0; i < g->config.core.count; i++) {
        dump_core(g, &g->core[i], out);
    }
    for (unsigned i = 0; i < g->config.core.count; i++) {
        struct named_ring rings[CORE_RINGS];
        rings_of_core(g, i, rings);
        const struct named_ring *in = &rings[CORE_QUEUES];
        if (in[0].ring->count || in[1].ring->count) {
            fprintf(out, "  interconnect, sm%u\n", i);
            dump_rings(in, CORE_RINGS - CORE_QUEUES, out);
        }
    }
    for (unsigned i = 0; i < NETWORKS; i++) {
        if (g->config.noc.topology == NOC_MESH) {
            mesh_dump(&g->network[i], out);
        } else {
            dump_crossbar(&g->network[i], out);
        }
    }
    for (unsigned i = 0; i < g->config.l2.partitions; i++) {
        if (!l2_partition_idle(&g->partition[i]) || !dram_channel_idle(&g->channel[i])) {
            dump_partition(g, i, out);
        }
    }
}
