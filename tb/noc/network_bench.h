/* SPDX-License-Identifier: Apache-2.0
 *
 * A network with its own clock; senders and receivers are the test. A packet's identity stands in
 * its line number.
 */
#ifndef WARPMEM_TB_NETWORK_BENCH_H
#define WARPMEM_TB_NETWORK_BENCH_H

#include "base/seeded.h"

#include "config/preset.h"
#include "noc/network.h"

struct bench {
    struct config config;
    struct network n;
    struct clock_domain senders, receivers, noc;
    uint64_t now, period;
    bool poll;
    uint64_t evaluations;
};

/** open_network() - of b->config; b->poll counts. */
static inline void open_network(struct bench *b, enum network_direction direction,
                                unsigned period) {
    b->period = period;
    b->now = 0;
    b->evaluations = 0;
    clock_domain_init(&b->senders, 1, 64);
    clock_domain_init(&b->receivers, 1, 64);
    clock_domain_init(&b->noc, period, 1);
    assert_legal(&b->config);
    assert_true(network_init(&b->n, &b->config, direction, &b->senders, &b->receivers));
    b->n.poll = b->poll;
}

static inline void close_network(struct bench *b) {
    network_destroy(&b->n);
}

static inline unsigned room_of_input(struct bench *b, unsigned input) {
    return ring_room_beside_leaving(&b->n.input[input], b->now);
}

static inline void send_packet(struct bench *b, unsigned input, unsigned receiver, unsigned flits,
                               uint64_t id) {
    struct request r = {.line = id};
    *(b->n.direction == TO_CORES ? &r.partition : &r.core) = (uint8_t)input;
    *(b->n.direction == TO_CORES ? &r.core : &r.partition) = (uint8_t)receiver;
    ring_push(&b->n.input[input], &r, b->now + 1, flits);
    unit_set_add(&b->n.occupied, input);
    clock_wake(&b->noc, 0, b->now);
}

/** is_packet_seen(), receive_packet() - at an output: receiver * ports + port. */
static inline bool is_packet_seen(struct bench *b, unsigned output) {
    return ring_head(&b->n.output[output], b->now) != NULL;
}

static inline uint64_t receive_packet(struct bench *b, unsigned output) {
    struct ring *r = &b->n.output[output];
    uint64_t id = ring_head(r, b->now)->request.line;
    ring_pop(r, b->now);
    if (r->sender_waits) {
        clock_wake(&b->noc, 0, b->now);
    }
    return id;
}

/* Is the network evaluated now? As in the machine, this is asked before anybody acts at this time.
 */
static inline bool is_network_due(struct bench *b) {
    if (b->poll) {
        return b->now == b->noc.edge && (clock_take(&b->noc, b->now), true);
    }
    return b->now == b->noc.next && clock_take(&b->noc, b->now);
}

static inline void evaluate_network(struct bench *b) {
    clock_evaluated(&b->noc, 0, network_cycle(&b->n, &b->noc.now));
    b->evaluations++;
}

static inline void tick_network(struct bench *b) {
    b->now++;
    if (is_network_due(b)) {
        evaluate_network(b);
    }
}

#endif
