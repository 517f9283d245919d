/* SPDX-License-Identifier: Apache-2.0
 *
 * Random traffic on random meshes: every packet arrives once, in order, at the same times however
 * the mesh is evaluated. Arguments: seed, number of meshes.
 */
#include "noc/network_bench.h"

#include <string.h>

enum { MESHES = 60, UNTIL = 4000, PLACES = 64 };

/* A map of 1 x 2 to 8 x 8 nodes with at least a core and a partition. */
static void random_map(struct rng *rng, struct config *c) {
    unsigned columns = 1 + rng_below(rng, 8), rows = 1 + rng_below(rng, 8), at = 0;
    rows = columns * rows == 1 ? 2 : rows;
    unsigned cores = 0, partitions = 0, nodes = columns * rows, core = rng_below(rng, nodes);
    unsigned partition = (core + 1 + rng_below(rng, nodes - 1)) % nodes;
    for (unsigned i = 0; i < nodes; i++) {
        unsigned kind = i == core ? 0 : i == partition ? 1 : rng_below(rng, 4);
        kind = kind == 1 && partitions >= 31 && i != partition ? 2 : kind;
        if (i && i % columns == 0) {
            c->noc.nodes[at++] = '/';
        }
        c->noc.nodes[at++] = "cp.c"[kind];
        cores += kind == 0 || kind == 3;
        partitions += kind == 1;
    }
    c->noc.nodes[at] = '\0';
    c->core.count = cores;
    c->l2.partitions = partitions;
}

static struct config random_mesh_config(struct rng *rng) {
    struct config c = base_preset();
    c.noc.topology = NOC_MESH;
    random_map(rng, &c);
    /* Latencies and packets on both sides of what the mesh can note ahead. */
    bool far = rng_chance(rng, 1, 6);
    c.noc.hop_latency = far ? 60 + rng_below(rng, 12) : 1 + rng_below(rng, 6);
    c.noc.router_flits = 5 + (rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 20));
    c.noc.input_flits = 5 + (rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 10));
    c.noc.output_flits = 5 + (rng_chance(rng, 1, 2) ? 0 : rng_below(rng, 10));
    if (rng_chance(rng, 1, 8)) { /* a flit a byte and a half */
        c.noc.router_flits = c.noc.input_flits = c.noc.output_flits = 90;
    }
    c.l2.ports = 1 + rng_below(rng, 4);
    c.l2.banks = 4;
    c.l2.reply_ports = 1u << rng_below(rng, c.l2.partitions > 16 ? 2 : 3);
    return c;
}

struct traffic {
    uint64_t sent[PLACES][PLACES], got[PLACES][PLACES];
    uint64_t held, hash, longest;
};

/* Actions of senders and receivers at a time are drawn from that time alone. An identity is the
 * number of a packet among those of its pair, its sender and the time it was sent. */
static void drive_places(struct bench *b, struct traffic *t, uint64_t stream, bool sends) {
    struct rng rng = seeded_rng(stream * 1000000 + b->now);
    unsigned greedy = rng_below(&rng, 4), sleepy = b->now / 500 % 3 ? 1 : 8;
    unsigned large = b->config.noc.router_flits < 90 ? 5 : 90;
    for (unsigned i = 0; i < b->n.inputs && sends; i++) {
        unsigned flits = rng_chance(&rng, 1, 2) ? 1 + rng_below(&rng, large) : 1,
                 to = rng_chance(&rng, greedy, 4) ? 0 : rng_below(&rng, b->n.receivers);
        bool wants = rng_chance(&rng, 1, 3);
        if (wants && ring_has_room(&b->n.input[i], flits) && room_of_input(b, i) >= flits) {
            send_packet(b, i, to, flits, (t->sent[i][to]++ * PLACES + i) << 32 | b->now);
        }
        t->held += wants && room_of_input(b, i) < flits;
    }
    for (unsigned o = 0; o < b->n.receivers * b->n.ports; o++) {
        if (rng_chance(&rng, 1, sleepy) && is_packet_seen(b, o)) {
            uint64_t id = receive_packet(b, o), since = b->now - (uint32_t)id;
            unsigned from = (unsigned)(id >> 32) % PLACES, to = o / b->n.ports;
            /* Ports are emptied by chance: only those of one port see packets in order. */
            assert_true((id >> 32) / PLACES == t->got[from][to] || b->n.ports > 1);
            t->got[from][to]++;
            t->longest = since > t->longest ? since : t->longest;
            t->hash = (t->hash ^ (id + b->now * 1021 + o)) * UINT64_C(0x100000001b3);
        }
    }
}

static void run_mesh_traffic(struct traffic *t, struct network_stats *stats, const struct config *c,
                             uint64_t stream, bool poll, bool places_first) {
    struct bench b = {.config = *c, .poll = poll};
    memset(t, 0, sizeof *t);
    open_network(&b, stream & 1 ? TO_CORES : TO_PARTITIONS, 1 + (unsigned)(stream / 2 % 3));
    while (b.now < UNTIL || network_packets_inside(&b.n)) {
        assert_true(b.now < 200 * UNTIL); /* all that was sent comes out */
        b.now++;
        bool evaluated = is_network_due(&b);
        if (evaluated && !places_first) {
            evaluate_network(&b);
        }
        drive_places(&b, t, stream, b.now < UNTIL);
        if (evaluated && places_first) {
            evaluate_network(&b);
        }
    }
    uint64_t packets = 0;
    for (unsigned i = 0; i < PLACES; i++) {
        for (unsigned o = 0; o < PLACES; o++) {
            assert_true(t->sent[i][o] == t->got[i][o]);
            packets += t->sent[i][o];
        }
    }
    assert_true(b.n.stats.packets == packets && packets > 10);
    assert_int_equal(b.n.mesh.inside, 0);
    *stats = b.n.stats;
    close_network(&b);
}

TEST(random_mesh_traffic_arrives_once) {
    const unsigned meshes = (unsigned)test_number(1, MESHES);
    uint64_t held = 0, waited = 0;
    for (unsigned stream = 0; stream < meshes; stream++) {
        struct rng rng = seeded_rng(stream);
        struct config c = random_mesh_config(&rng);
        static struct traffic a, other;
        struct network_stats s, other_s;
        run_mesh_traffic(&a, &s, &c, stream, false, true);
        for (unsigned way = 1; way < 4; way++) {
            run_mesh_traffic(&other, &other_s, &c, stream, way & 1, way & 2);
            if (memcmp(&a, &other, sizeof a) || memcmp(&s, &other_s, sizeof s)) {
                fail_msg("stream %u, way %u, %s", stream, way, c.noc.nodes);
            }
        }
        held += a.held;
        waited += s.head_wait;
    }
    assert_true(held > 1000 && waited > 1000); /* buffers were full, heads had to wait */
}
