/* SPDX-License-Identifier: Apache-2.0
 *
 * Mesh: latency, bandwidth, routes, backpressure, fairness.
 */
#include "noc/network_bench.h"

#include <stdlib.h>
#include <string.h>

#include "config/mesh_map.h"

/* A mesh of the preset's buffers; @nodes says what stands where. */
static struct config mesh_of_nodes(const char *nodes) {
    struct config c = base_preset();
    struct mesh_map m;
    struct config_error e;
    if (!mesh_map_parse(&m, nodes, &e)) {
        fail_msg("%s", e.text);
    }
    c.noc.topology = NOC_MESH;
    snprintf(c.noc.nodes, sizeof c.noc.nodes, "%s", nodes);
    c.core.count = m.cores;
    c.l2.partitions = m.partitions;
    return c;
}

static unsigned node_distance(const struct mesh_map *m, unsigned a, unsigned b) {
    int x = (int)(a % m->columns) - (int)(b % m->columns),
        y = (int)(a / m->columns) - (int)(b / m->columns);
    return (unsigned)(abs(x) + abs(y));
}

static uint64_t until_seen(struct bench *b, unsigned output) {
    for (unsigned patience = 0; !is_packet_seen(b, output); patience++) {
        assert_true(patience < 10000);
        tick_network(b);
    }
    return b->now;
}

/* OWL's machine: 6 x 6, 28 cores, 8 memory controllers. */
#define OWL "cpccpc/cccccc/pccccp/pccccp/cccccc/cpccpc"

/* --- alone --- */

TEST(a_packet_takes_a_hop_latency_a_router_and_its_flits) {
    static const unsigned hops[] = {1, 2, 5};
    for (unsigned k = 0; k < 12; k++) {
        unsigned hop = hops[k % 3], flits = 1 + k, period = 1 + k % 2;
        CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes(OWL)};
        b.config.noc.hop_latency = hop;
        b.config.noc.router_flits = b.config.noc.input_flits = b.config.noc.output_flits = 12;
        open_network(&b, k & 1 ? TO_CORES : TO_PARTITIONS, period);
        const struct mesh_map *m = &b.n.mesh.map;
        const uint8_t *from = k & 1 ? m->partition : m->core, *to = k & 1 ? m->core : m->partition;
        for (unsigned i = 0; i < b.n.inputs; i++) {
            for (unsigned o = 0; o < b.n.receivers; o++) {
                struct network_stats before = b.n.stats;
                unsigned links = node_distance(m, from[i], to[o]);
                send_packet(&b, i, o, flits, 1);
                uint64_t edge = b.now / period + 1, latency = (links + 1) * hop + flits - 1;
                assert_true(until_seen(&b, o) == (edge + latency) * period);
                receive_packet(&b, o);
                assert_true(b.n.stats.packets == before.packets + 1);
                assert_true(b.n.stats.flits == before.flits + flits);
                assert_true(b.n.stats.flit_hops == before.flit_hops + (uint64_t)links * flits);
                assert_true(b.n.stats.latency == before.latency + latency);
                assert_true(b.n.stats.occupancy == before.occupancy + latency * flits);
                assert_true(b.n.stats.head_wait == 0);
                while (network_packets_inside(&b.n) || b.n.mesh.engaged) {
                    tick_network(&b);
                }
            }
        }
    }
}

/* The path of the only packet, from the events: nodes in order. */
static unsigned path_from_events(const char *events, unsigned *node) {
    unsigned count = 0;
    for (const char *at = events; (at = strstr(at, " node ")); at++) {
        unsigned from, to;
        assert_int_equal(sscanf(at, " node %u to %u,", &from, &to), 2);
        if (!count) {
            node[count++] = from;
        }
        assert_int_equal(node[count - 1], from);
        node[count++] = to;
    }
    return count;
}

TEST(a_packet_goes_along_its_row_and_then_along_its_column) {
    static const struct {
        const char *nodes;
        unsigned count, node[5];
    } way[] = {{"c../.../..p", 5, {0, 1, 2, 5, 8}},
               {"..c/.../p..", 5, {2, 1, 0, 3, 6}},
               {"..p/.../c..", 5, {6, 7, 8, 5, 2}},
               {"p../.../..c", 5, {8, 7, 6, 3, 0}},
               {"cp", 2, {0, 1}}};
    for (unsigned k = 0; k < sizeof way / sizeof *way; k++) {
        CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes(way[k].nodes)};
        FREED char *events;
        size_t size;
        unsigned node[16];
        open_network(&b, TO_PARTITIONS, 1);
        b.n.events = open_memstream(&events, &size);
        send_packet(&b, 0, 0, 2, 1);
        until_seen(&b, 0);
        fclose(b.n.events);
        assert_int_equal(path_from_events(events, node), way[k].count);
        assert_memory_equal(node, way[k].node, way[k].count * sizeof *node);
    }
}

/* --- bandwidth --- */

/* One packet after the other between two nodes, taken at once: cycles for @packets. */
static uint64_t stream_packets(struct bench *b, unsigned flits, unsigned packets) {
    uint64_t sent = 0, got = 0, first = 0;
    while (got < packets) {
        tick_network(b);
        if (sent < packets && room_of_input(b, 0) >= flits) {
            send_packet(b, 0, 0, flits, sent++);
        }
        if (is_packet_seen(b, 0)) {
            assert_true(receive_packet(b, 0) == got);
            first = got++ ? first : b->now;
        }
    }
    return b->now - first;
}

/* Room for the next packet comes back in time when a buffer holds the flits that are on their way
 * besides the packet: the bound of a router with credits for each flit. */
TEST(a_link_carries_a_flit_a_cycle_if_its_buffer_covers_the_hop) {
    enum { PACKETS = 100 };
    for (unsigned flits = 1; flits <= 6; flits++) {
        for (unsigned hop = 1; hop <= 7; hop++) {
            for (unsigned less = 0; less < 2; less++) {
                CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes("c..p")};
                unsigned needed = flits + hop - less;
                b.config.noc.hop_latency = hop;
                b.config.noc.router_flits = needed > 5 ? needed : 5;
                b.config.noc.input_flits = b.config.noc.output_flits = 64;
                open_network(&b, TO_PARTITIONS, 1);
                uint64_t took = stream_packets(&b, flits, PACKETS);
                uint64_t least = (uint64_t)(PACKETS - 1) * flits;
                assert_true(b.config.noc.router_flits < flits + hop ? took > least : took == least);
            }
        }
    }
}

/* Everybody sends to the other half: each row's middle link carries a flit a cycle. */
TEST(saturating_traffic_fills_the_bisection) {
    enum { ROWS = 4, FLITS = 5, CYCLES = 2000 };
    CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes("ccpp/ccpp/ccpp/ccpp")};
    b.config.noc.router_flits = 16;
    b.config.noc.input_flits = b.config.noc.output_flits = 64;
    open_network(&b, TO_PARTITIONS, 1);
    uint64_t flits = 0;
    while (b.now < 2 * CYCLES) {
        tick_network(&b);
        for (unsigned i = 0; i < b.n.inputs; i++) {
            if (room_of_input(&b, i) >= FLITS) {
                send_packet(&b, i, i, FLITS, 0); /* in the same row */
            }
        }
        for (unsigned o = 0; o < b.n.receivers; o++) {
            if (is_packet_seen(&b, o)) {
                receive_packet(&b, o);
            }
        }
        flits = b.now == CYCLES ? b.n.stats.flits : flits;
    }
    uint64_t carried = b.n.stats.flits - flits;
    assert_true(carried <= CYCLES * ROWS + ROWS * 2 * FLITS);
    assert_true(carried >= CYCLES * ROWS - ROWS * 2 * FLITS);
}

TEST(every_port_of_a_receiver_carries_a_flit_a_cycle) {
    enum { FLITS = 5, CYCLES = 2000 };
    for (unsigned ports = 1; ports <= 4; ports++) {
        CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes(".c./cpc/.c.")};
        b.config.l2.ports = ports;
        b.config.noc.router_flits = 16;
        b.config.noc.input_flits = b.config.noc.output_flits = 64;
        open_network(&b, TO_PARTITIONS, 1);
        while (b.now < CYCLES) {
            tick_network(&b);
            for (unsigned i = 0; i < 4; i++) {
                if (room_of_input(&b, i) >= FLITS) {
                    send_packet(&b, i, 0, FLITS, 0);
                }
            }
            for (unsigned p = 0; p < ports; p++) {
                if (is_packet_seen(&b, p)) {
                    receive_packet(&b, p);
                }
            }
        }
        uint64_t ramp = 1 + b.config.noc.hop_latency + FLITS;
        assert_true(b.n.stats.flits <= ports * CYCLES);
        assert_true(b.n.stats.flits >= ports * (CYCLES - ramp - FLITS));
    }
}

TEST(mesh_packets_take_free_ports_in_turn) {
    for (unsigned ports = 1; ports <= 4; ports++) {
        CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes("cp")};
        b.config.l2.ports = ports;
        open_network(&b, TO_PARTITIONS, 1);
        for (unsigned i = 0; i < 3 * ports; i++) {
            send_packet(&b, 0, 0, 1, i);
            for (unsigned cycles = 0; cycles < 4 * b.config.noc.hop_latency; cycles++) {
                tick_network(&b);
            }
            assert_true(is_packet_seen(&b, i % ports));
            assert_true(receive_packet(&b, i % ports) == i);
        }
    }
}

/* --- backpressure and fairness --- */

TEST(behind_a_receiver_that_takes_nothing_everything_waits_and_nothing_is_lost) {
    enum { FLITS = 3 };
    CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes("cc./.cp")};
    uint64_t sent[3] = {0}, got[3] = {0}, all = 0;
    open_network(&b, TO_PARTITIONS, 1);
    for (unsigned i = 0; i < 500; i++) {
        tick_network(&b);
        for (unsigned s = 0; s < 3; s++) {
            if (room_of_input(&b, s) >= FLITS) {
                send_packet(&b, s, 0, FLITS, sent[s]++ * 4 + s);
                all++;
            }
        }
    }
    uint64_t evaluations = b.evaluations, packets = b.n.stats.packets;
    assert_true(packets == b.config.noc.output_flits / FLITS);
    assert_true(network_packets_inside(&b.n) == all);
    for (unsigned i = 0; i < 500; i++) {
        tick_network(&b);
    }
    assert_true(b.evaluations == evaluations); /* asleep */
    for (uint64_t left = all; left; left--) {
        until_seen(&b, 0);
        uint64_t id = receive_packet(&b, 0);
        assert_true(id / 4 == got[id % 4]++);
    }
    for (unsigned i = 0; i < 100; i++) {
        tick_network(&b);
        assert_false(is_packet_seen(&b, 0));
    }
    assert_true(got[0] == sent[0] && got[1] == sent[1] && got[2] == sent[2]);
    assert_int_equal(network_packets_inside(&b.n), 0);
    assert_int_equal(b.n.mesh.inside, 0);
}

TEST(the_dump_says_what_heads_wait_for) {
    CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes("ccp")};
    FREED char *text;
    size_t size;
    b.config.noc.output_flits = b.config.noc.router_flits = 5;
    open_network(&b, TO_PARTITIONS, 1);
    for (unsigned i = 0; i < 6; i++) {
        send_packet(&b, 0, 0, 2, i);
        for (unsigned k = 0; k < 100; k++) {
            tick_network(&b);
        }
    }
    FILE *out = open_memstream(&text, &size);
    mesh_dump(&b.n, out);
    fclose(out);
    assert_string_equal(
        text,
        "  request mesh, node 1, from west: 2 packets, 4 of 5 flits; head to 0 waits for east\n"
        "  request mesh, node 2, from west: 2 packets, 4 of 5 flits; head to 0 waits for its "
        "receiver\n");
}

/*
 * The sender at the end of a row sends packets that fill a router's buffer, everybody else on their
 * way packets of one flit, as fast as they can. At each router a large packet that waits is passed
 * once by each other input at most, so that its wait is bounded by what the routers behind it take.
 */
TEST(a_large_packet_is_passed_once_by_each_other_input_at_each_router) {
    enum { R = 4, LARGE = 8 };
    CLOSED_BY(close_network) struct bench b = {.config = mesh_of_nodes("ccccp")};
    unsigned passed[R] = {0}, most = 0, came = 0;
    b.config.noc.router_flits = b.config.noc.output_flits = LARGE;
    open_network(&b, TO_PARTITIONS, 1);
    while (came < 50) {
        tick_network(&b);
        for (unsigned node = 1; node < R; node++) {
            const struct mesh_router *r = &b.n.mesh.router[node];
            const struct mesh_buffer *row = &r->buffer[MESH_WEST];
            bool waits =
                (r->waiting >> MESH_WEST & 1) && row->entries[row->head & row->mask].flits == LARGE;
            passed[node] = waits ? passed[node] + (r->input[MESH_LOCAL].from == b.now &&
                                                   r->input[MESH_WEST].asked < b.now)
                                 : 0;
            most = passed[node] > most ? passed[node] : most;
            assert_true(passed[node] <= 1);
        }
        for (unsigned i = 0; i < b.n.inputs; i++) {
            unsigned flits = i ? 1 : LARGE;
            if (room_of_input(&b, i) >= flits) {
                send_packet(&b, i, 0, flits, i);
            }
        }
        if (b.now % 3 == 0 && is_packet_seen(&b, 0)) {
            came += receive_packet(&b, 0) == 0;
        }
        assert_true(b.now < 100000);
    }
    assert_int_equal(most, 1);
}
