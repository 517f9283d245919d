/* SPDX-License-Identifier: Apache-2.0
 *
 * Crossbar: latency, blocking, fairness, backpressure, and that nothing is lost.
 */
#include "noc/network_bench.h"

#include <string.h>

#include "config/packets.h"

/* The preset with buffers of eight flits, which a few packets fill. */
static struct config small_buffers(void) {
    struct config c = base_preset();
    c.noc.input_flits = c.noc.output_flits = 8;
    return c;
}

enum { PORTS = 16 };

static void open_crossbar(struct bench *b, unsigned inputs, unsigned outputs, unsigned period) {
    b->config.core.count = inputs;
    b->config.l2.partitions = outputs;
    open_network(b, TO_PARTITIONS, period);
}

/* A crossbar with small buffers, opened by open_crossbar() or open_ports(). */
#define SMALL(open, b, ...) \
    CLOSED_BY(close_network) struct bench b = {.config = small_buffers()}; \
    open(&b, __VA_ARGS__)

/* MRPB table 1: a read is 8 bytes, a write 136; flits of 32. */
TEST(packets_are_whole_flits) {
    struct config c = base_preset();
    struct request read = {.kind = REQUEST_READ, .bytes = 128},
                   write = {.kind = REQUEST_WRITE, .bytes = 128};
    assert_int_equal(request_flits(&c, &read), 1);
    assert_int_equal(request_flits(&c, &write), 5);
    assert_int_equal(reply_flits(&c, &read), 5);
    assert_int_equal(reply_flits(&c, &write), 1);
    static const unsigned flits[] = {1, 1, 2, 2, 3}; /* of 0, 24, 25, 56, 57 bytes behind 8 */
    static const unsigned bytes[] = {0, 24, 25, 56, 57};
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(packet_flits(&c, bytes[i]), flits[i]);
    }
    c.noc.header_bytes = 0;
    assert_int_equal(packet_flits(&c, 0), 1);
}

TEST(a_packet_takes_its_flits_and_the_hop) {
    static const unsigned hops[] = {1, 4, 9};
    for (unsigned h = 0; h < 3; h++) {
        for (unsigned flits = 1; flits <= 8; flits++) {
            for (unsigned period = 1; period <= 3; period++) {
                CLOSED_BY(close_network) struct bench b = {.config = small_buffers()};
                b.config.noc.hop_latency = hops[h];
                open_crossbar(&b, 3, 2, period);
                b.now = 5 * period;
                send_packet(&b, 2, 1, flits, 77);
                uint64_t start =
                    (b.now / period + 1) * period; /* the network's first edge after now */
                while (!is_packet_seen(&b, 1)) {
                    tick_network(&b);
                }
                assert_true(b.now == start + (flits + hops[h] - 1) * period);
                assert_true(receive_packet(&b, 1) == 77);
                assert_true(b.n.stats.packets == 1 && b.n.stats.flits == flits);
            }
        }
    }
}

TEST(a_port_carries_one_flit_a_cycle) {
    enum { PACKETS = 200, FLITS = 5 };
    CLOSED_BY(close_network) struct bench b = {.config = small_buffers()};
    b.config.noc.input_flits = b.config.noc.output_flits = 4 * FLITS;
    open_crossbar(&b, 2, 2, 1);
    uint64_t sent = 0, got = 0, first = 0;
    while (got < PACKETS) {
        tick_network(&b);
        if (sent < PACKETS && room_of_input(&b, 0) >= FLITS) {
            send_packet(&b, 0, 1, FLITS, sent++);
        }
        if (is_packet_seen(&b, 1)) {
            first = got ? first : b.now;
            assert_true(b.now == first + got * FLITS);
            assert_true(receive_packet(&b, 1) == got++);
        }
    }
}

TEST(disjoint_ports_do_not_disturb_each_other) {
    enum { PACKETS = 50, FLITS = 3, N = 4 };
    CLOSED_BY(close_network) struct bench b = {.config = small_buffers()};
    b.config.noc.input_flits = b.config.noc.output_flits = 4 * FLITS;
    open_crossbar(&b, N, N, 1);
    uint64_t sent[N] = {0}, got[N] = {0}, first = 0;
    while (got[N - 1] < PACKETS) {
        tick_network(&b);
        for (unsigned i = 0; i < N; i++) {
            if (room_of_input(&b, i) >= FLITS) {
                send_packet(&b, i, (i + 1) % N, FLITS, sent[i]++);
            }
            if (is_packet_seen(&b, i)) {
                first = first ? first : b.now;
                assert_true(b.now == first + got[i] * FLITS);
                assert_true(receive_packet(&b, i) == got[i]);
                got[i]++;
            }
        }
    }
}

TEST(only_the_head_of_an_input_moves) {
    SMALL(open_crossbar, b, 2, 2, 1);
    /* Output 0 is full of a packet that nobody takes; the head of input 1 waits for it. */
    send_packet(&b, 0, 0, b.config.noc.output_flits, 1);
    while (!is_packet_seen(&b, 0)) {
        tick_network(&b);
    }
    send_packet(&b, 1, 0, 1, 2);
    send_packet(&b, 1, 1, 1, 3);
    for (unsigned i = 0; i < 100; i++) {
        tick_network(&b);
        assert_false(is_packet_seen(&b, 1));
    }
    assert_true(receive_packet(&b, 0) == 1);
    /* The head crosses in the next cycle, the one behind it in the cycle after. */
    uint64_t freed = b.now;
    while (!is_packet_seen(&b, 1)) {
        tick_network(&b);
    }
    assert_true(b.now == freed + 1 + 1 + 1 + b.config.noc.hop_latency - 1);
    assert_true(receive_packet(&b, 0) == 2 && receive_packet(&b, 1) == 3);
}

TEST(with_virtual_outputs_a_packet_passes_one_whose_receiver_is_busy) {
    CLOSED_BY(close_network) struct bench b = {.config = small_buffers()};
    b.config.noc.virtual_outputs = true;
    open_crossbar(&b, 2, 2, 1);
    send_packet(&b, 0, 0, b.config.noc.output_flits, 1);
    while (!is_packet_seen(&b, 0)) {
        tick_network(&b);
    }
    const uint64_t sent = b.now;
    for (uint64_t id = 2; id < 6; id++) { /* two for each receiver */
        send_packet(&b, 1, id % 2, 1, id);
    }
    while (!is_packet_seen(&b, 1)) {
        tick_network(&b);
    }
    assert_true(b.now == sent + 1 + 1 + b.config.noc.hop_latency - 1);
    assert_true(receive_packet(&b, 1) == 3 && receive_packet(&b, 0) == 1);
    for (uint64_t id = 5; id; id = id == 5 ? 2 : id == 2 ? 4 : 0) { /* those of a pair in order */
        while (!is_packet_seen(&b, id % 2)) {
            tick_network(&b);
        }
        assert_true(receive_packet(&b, id % 2) == id);
    }
}

TEST(an_output_serves_the_inputs_in_turn) {
    enum { N = 5, ROUNDS = 20 };
    SMALL(open_crossbar, b, N, 2, 1);
    for (unsigned got = 0; got < N * ROUNDS;) {
        for (unsigned i = 0; i < N; i++) {
            if (room_of_input(&b, i) >= 2) {
                send_packet(&b, i, 0, 2, i);
            }
        }
        tick_network(&b);
        if (is_packet_seen(&b, 0)) {
            assert_true(receive_packet(&b, 0) == got++ % N);
        }
    }
}

TEST(an_idle_input_loses_its_turn_to_the_next) {
    CLOSED_BY(close_network) struct bench b = {.config = small_buffers()};
    static const unsigned order[] = {3, 0, 3, 0, 3};
    open_crossbar(&b, 4, 1, 1);
    send_packet(&b, 3, 0, 1, 3);
    tick_network(&b);
    for (unsigned got = 0; got < 5;) {
        if (room_of_input(&b, 0) >= 1) {
            send_packet(&b, 0, 0, 1, 0);
        }
        if (room_of_input(&b, 3) >= 1) {
            send_packet(&b, 3, 0, 1, 3);
        }
        tick_network(&b);
        if (is_packet_seen(&b, 0)) {
            assert_true(receive_packet(&b, 0) == order[got++]);
        }
    }
}

TEST(a_full_far_buffer_holds_packets_back) {
    enum { FLITS = 3 };
    SMALL(open_crossbar, b, 1, 1, 1);
    unsigned fit = b.config.noc.output_flits / FLITS;
    for (unsigned i = 0; i < 200; i++) {
        if (room_of_input(&b, 0) >= FLITS) {
            send_packet(&b, 0, 0, FLITS, i);
        }
        tick_network(&b);
    }
    assert_int_equal(b.n.output[0].count, fit);
    assert_int_equal(b.n.stats.packets, fit);
    assert_int_equal(b.n.input[0].count, b.config.noc.input_flits / FLITS);
    receive_packet(&b, 0);
    uint64_t freed = b.now;
    while (b.n.stats.packets == fit) {
        tick_network(&b);
    }
    assert_true(b.now == freed + 1);
}

TEST(the_sender_is_woken_when_its_packet_has_left) {
    enum { FLITS = 8 };
    SMALL(open_crossbar, b, 1, 1, 1);
    assert_int_equal(b.config.noc.input_flits, FLITS);
    send_packet(&b, 0, 0, FLITS, 1);
    assert_false(ring_has_room(&b.n.input[0], 1));
    while (b.senders.next == NEVER && b.now < 1000) {
        tick_network(&b);
    }
    b.now = 1 + FLITS; /* the last flit has crossed at this very time */
    assert_int_equal(room_of_input(&b, 0), 0);
    b.now++;
    assert_true(b.senders.next == b.now);
    assert_int_equal(room_of_input(&b, 0), FLITS);
}

/* A sender that finds no room while a packet crosses needs no wake-up: the time is known. */
TEST(the_room_of_a_crossing_packet_has_a_time) {
    enum { FLITS = 8 };
    SMALL(open_crossbar, b, 1, 1, 1);
    send_packet(&b, 0, 0, FLITS, 1);
    assert_true(ring_room_from(&b.n.input[0], 1) == NEVER);
    tick_network(&b);
    assert_true(ring_room_from(&b.n.input[0], 1) == b.now + FLITS + 1);
    assert_true(ring_room_from(&b.n.input[0], FLITS + 1) == NEVER);
}

TEST(the_receiver_is_woken_when_it_can_see_the_packet) {
    SMALL(open_crossbar, b, 1, 3, 1);
    send_packet(&b, 0, 2, 5, 1);
    while (b.receivers.next == NEVER) {
        tick_network(&b);
    }
    uint64_t woken = b.receivers.next;
    assert_true(clock_take(&b.receivers, woken) == 1 << 2);
    b.now = woken - 1;
    assert_false(is_packet_seen(&b, 2));
    b.now = woken;
    assert_true(is_packet_seen(&b, 2));
}

/* A partition has an input a reply port; each wakes its partition. */
TEST(a_partition_is_woken_when_any_of_its_inputs_has_room) {
    enum { PARTITIONS = 3, REPLY_PORTS = 4 };
    for (unsigned input = 0; input < PARTITIONS * REPLY_PORTS; input++) {
        CLOSED_BY(close_network) struct bench b = {.config = small_buffers()};
        b.config.core.count = 1;
        b.config.l2.banks = b.config.l2.reply_ports = REPLY_PORTS;
        b.config.l2.partitions = PARTITIONS;
        open_network(&b, TO_CORES, 1);
        assert_int_equal(b.n.inputs, PARTITIONS * REPLY_PORTS);
        send_packet(&b, input, 0, b.config.noc.input_flits, 1);
        assert_false(ring_has_room(&b.n.input[input], 1));
        tick_network(&b);
        assert_true(clock_take(&b.senders, b.senders.next) == UINT64_C(1) << input / REPLY_PORTS);
    }
}

/* --- several ports --- */

static void open_ports(struct bench *b, unsigned inputs, unsigned ports) {
    b->config.l2.ports = ports;
    open_crossbar(b, inputs, 2, 1);
}

/* MeDiC section 5. */
TEST(packets_take_every_free_port_of_their_receiver) {
    enum { N = 6, FLITS = 3 };
    for (unsigned ports = 1; ports <= 4; ports++) {
        CLOSED_BY(close_network) struct bench b = {.config = small_buffers()};
        b.config.noc.output_flits = N * FLITS;
        open_ports(&b, N, ports);
        for (unsigned i = 0; i < N; i++) {
            send_packet(&b, i, 1, FLITS, i);
        }
        /* As many at a time as there are ports, each for its flits. */
        uint64_t first = 1 + FLITS + b.config.noc.hop_latency - 1;
        for (unsigned got = 0; got < N;) {
            tick_network(&b);
            for (unsigned p = 0; p < ports; p++) {
                if (is_packet_seen(&b, ports + p)) {
                    assert_true(b.now == first + got / ports * FLITS);
                    assert_true(receive_packet(&b, ports + p) / ports == got++ / ports);
                }
            }
        }
        assert_true(b.n.stats.packets == N && b.n.stats.flits == N * FLITS);
        assert_int_equal(network_packets_inside(&b.n), 0);
    }
}

TEST(crossbar_packets_take_free_ports_in_turn) {
    for (unsigned ports = 1; ports <= 4; ports++) {
        CLOSED_BY(close_network) struct bench b = {.config = base_preset()};
        open_ports(&b, 1, ports);
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

TEST(a_packet_takes_the_port_with_room) {
    SMALL(open_ports, b, 2, 2);
    unsigned all = b.config.noc.output_flits;
    send_packet(&b, 0, 0, all, 1); /* fills port 0 */
    while (!is_packet_seen(&b, 0)) {
        tick_network(&b);
    }
    for (uint64_t id = 2; id < 6; id++) {
        send_packet(&b, 0, 0, 1, id);
        for (unsigned i = 0; i < 20; i++) {
            tick_network(&b);
        }
        assert_true(receive_packet(&b, 1) == id);
    }
    assert_true(receive_packet(&b, 0) == 1);
}

/* --- fairness --- */

/* Everybody sends as fast as it can: packets of one flit, but input 0 one that fills the buffer. A
 * receiver's port is emptied slowly. */
TEST(a_large_packet_is_passed_once_by_each_other_input_at_most) {
    enum { N = 8 };
    for (unsigned ports = 1; ports <= 3; ports++) {
        for (unsigned slow = 1; slow <= 9; slow += 4) {
            CLOSED_BY(close_network) struct bench b = {.config = small_buffers()};
            unsigned passed = 0, most = 0, served = 0;
            open_ports(&b, N, ports);
            while (served < 20) {
                bool waited = unit_set_has(&b.n.crossbar.waiting, 0);
                uint64_t before = b.n.stats.packets;
                tick_network(&b);
                if (waited && unit_set_has(&b.n.crossbar.waiting, 0)) {
                    passed += (unsigned)(b.n.stats.packets - before);
                } else if (waited) {
                    served++;
                    passed = 0;
                }
                most = passed > most ? passed : most;
                assert_true(passed <= N - 1 && b.now < 100000);
                for (unsigned i = 0; i < N; i++) {
                    unsigned flits = i ? 1 : b.config.noc.output_flits;
                    if (room_of_input(&b, i) >= flits) {
                        send_packet(&b, i, 0, flits, i);
                    }
                }
                for (unsigned p = 0; p < ports; p++) {
                    if (b.now % slow == 0 && is_packet_seen(&b, p)) {
                        receive_packet(&b, p);
                    }
                }
            }
            assert_true(ports > 1 || most == N - 1);
        }
    }
}

/* --- statistics --- */

TEST(latency_waiting_and_filling_are_counted_in_cycles) {
    enum { FLITS = 3 };
    for (unsigned period = 1; period <= 3; period++) {
        SMALL(open_crossbar, b, 2, 1, period);
        send_packet(&b, 0, 0, FLITS, 1);
        send_packet(&b, 1, 0, FLITS, 2);
        while (b.n.stats.packets < 2) {
            tick_network(&b);
        }
        unsigned alone = FLITS + b.config.noc.hop_latency - 1;
        assert_true(b.n.stats.latency == alone + FLITS + alone);
        assert_true(b.n.stats.head_wait == FLITS);
        assert_true(b.n.stats.occupancy == b.n.stats.latency * FLITS);
        assert_true(b.n.stats.flits == 2 * FLITS && b.n.stats.flit_hops == 0);
    }
}

/* --- random traffic --- */

/* The ports' actions at a time are drawn from that time alone, so that two equal networks see the
 * same traffic. */
struct traffic {
    uint64_t sent[PORTS][PORTS], got[PORTS][PORTS]; /* a pair of ports */
    uint64_t held, hash;
};

static void drive_ports(struct bench *b, struct traffic *t, uint64_t stream, uint64_t until) {
    struct rng rng = seeded_rng(stream * 1000000 + b->now);
    unsigned greedy = rng_below(&rng, 4), sleepy = b->now / 500 % 3 ? 1 : 4;
    for (unsigned i = 0; i < b->n.inputs && b->now < until; i++) {
        unsigned flits = 1 + rng_below(&rng, 5),
                 to = rng_chance(&rng, greedy, 4) ? 0 : rng_below(&rng, b->n.receivers);
        bool wants = rng_chance(&rng, 1, 3);
        if (wants && ring_has_room(&b->n.input[i], flits) && room_of_input(b, i) >= flits) {
            send_packet(b, i, to, flits, t->sent[i][to]++ * PORTS + i);
        }
        t->held += wants && room_of_input(b, i) < flits;
    }
    for (unsigned o = 0; o < b->n.receivers * b->n.ports; o++) {
        if (rng_chance(&rng, 1, sleepy) && is_packet_seen(b, o)) {
            uint64_t id = receive_packet(b, o);
            unsigned to = o / b->n.ports;
            /* Ports are emptied by chance: only those of one port see packets in order. */
            assert_true(id / PORTS == t->got[id % PORTS][to] || b->n.ports > 1);
            t->got[id % PORTS][to]++;
            t->hash = (t->hash ^ (id + b->now * 64 + o)) * UINT64_C(0x100000001b3);
        }
    }
}

static struct traffic run_random_crossbar(unsigned stream, bool poll, bool ports_first,
                                          uint64_t *evaluations) {
    static const struct {
        unsigned inputs, outputs, period, input_flits, output_flits, hop, ports;
    } shape[] = {{14, 6, 1, 8, 8, 4, 1},  {6, 14, 3, 5, 5, 1, 1},  {1, 1, 1, 5, 9, 2, 1},
                 {16, 2, 2, 20, 5, 7, 1}, {2, 16, 1, 5, 40, 3, 1}, {14, 6, 1, 8, 8, 4, 2},
                 {16, 2, 2, 20, 5, 7, 4}};
    enum { SHAPES = sizeof shape / sizeof *shape, UNTIL = 20000 };
    unsigned k = stream % SHAPES;
    struct bench b = {.config = small_buffers(), .poll = poll};
    b.config.noc.virtual_outputs = stream / SHAPES % 2;
    struct traffic t;
    memset(&t, 0, sizeof t);
    b.config.noc.input_flits = shape[k].input_flits;
    b.config.noc.output_flits = shape[k].output_flits;
    b.config.noc.hop_latency = shape[k].hop;
    b.config.l2.ports = shape[k].ports;
    open_crossbar(&b, shape[k].inputs, shape[k].outputs, shape[k].period);
    while (b.now < UNTIL || network_packets_inside(&b.n)) {
        assert_true(b.now < 2 * UNTIL); /* all that was sent comes out */
        b.now++;
        bool evaluated = is_network_due(&b);
        if (evaluated && !ports_first) {
            evaluate_network(&b);
        }
        drive_ports(&b, &t, stream, UNTIL);
        if (evaluated && ports_first) {
            evaluate_network(&b);
        }
    }
    uint64_t packets = 0;
    for (unsigned i = 0; i < PORTS; i++) {
        for (unsigned o = 0; o < PORTS; o++) {
            assert_true(t.sent[i][o] == t.got[i][o]);
            packets += t.sent[i][o];
        }
    }
    assert_true(b.n.stats.packets == packets && packets > 1000);
    assert_true(t.held > 100); /* buffers were full at times */
    *evaluations = b.evaluations;
    close_network(&b);
    return t;
}

TEST(random_crossbar_traffic_arrives_once) {
    for (unsigned stream = 0; stream < 14; stream++) {
        uint64_t asleep, polled, other;
        struct traffic a = run_random_crossbar(stream, false, true, &asleep),
                       b = run_random_crossbar(stream, true, true, &polled),
                       c = run_random_crossbar(stream, false, false, &other);
        assert_true(a.hash == b.hash && a.hash == c.hash);
        assert_true(asleep <= polled);
    }
}

/* --- saturation --- */

/* Packets of one flit a port and cycle, where each of @ports inputs always has one for a receiver
 * by lot, and every receiver takes what comes. */
static double saturation_of_ports(unsigned ports, bool virtual_outputs) {
    enum { WARM_UP = 10000, CYCLES = 500000 };
    CLOSED_BY(close_network) struct bench b = {.config = base_preset()};
    b.config.noc.virtual_outputs = virtual_outputs;
    struct rng rng = seeded_rng(ports);
    uint64_t received = 0;
    b.config.core.count = b.config.l2.partitions = ports;
    b.config.noc.header_bytes = 1; /* the least flits */
    open_network(&b, TO_PARTITIONS, 1);
    for (unsigned cycle = 0; cycle < WARM_UP + CYCLES; cycle++) {
        for (unsigned i = 0; i < ports; i++) {
            while (room_of_input(&b, i)) {
                send_packet(&b, i, rng_below(&rng, ports), 1, 0);
            }
        }
        tick_network(&b);
        for (unsigned i = 0; i < ports; i++) {
            while (is_packet_seen(&b, i)) {
                receive_packet(&b, i);
                received += cycle >= WARM_UP;
            }
        }
    }
    return (double)received / CYCLES / ports;
}

/* Karol, Hluchyj, Morgan, IEEE Trans. Communications 1987, table I: queues at the inputs, whose
 * heads wait for their output. */
TEST(saturation_is_that_of_input_queueing) {
    static const double karol[] = {.7500, .6825, .6553, .6399, .6302, .6234, .6184};
    for (unsigned i = 0; i < sizeof karol / sizeof *karol; i++) {
        double ours = saturation_of_ports(2 + i, false);
        if (ours < karol[i] * .998 || ours > karol[i] * 1.002) {
            fail_msg("%u ports: %.4f, Karol %.4f", 2 + i, ours, karol[i]);
        }
    }
}

/* With one packet of 16 for each of 8 receivers on the average, most of them find an input. */
TEST(virtual_outputs_reach_what_input_queueing_does_not) {
    assert_true(saturation_of_ports(8, true) > .9);
}
