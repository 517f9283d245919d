/* SPDX-License-Identifier: Apache-2.0
 *
 * One network, for requests or for replies, as cores and memory partitions see it: each sender
 * pushes into a ring, and each port of a receiver has a ring. A crossbar or a mesh connects them.
 */
#ifndef WARPMEM_NOC_NETWORK_H
#define WARPMEM_NOC_NETWORK_H

#include <stdio.h>

#include "base/clock.h"
#include "base/now.h"
#include "base/ring.h"
#include "base/unit_set.h"
#include "config/config.h"
#include "noc/crossbar.h"
#include "noc/mesh.h"

enum network_direction { TO_PARTITIONS, TO_CORES };

/* A packet is counted when it moves on, so the cycles in which it was evaluated while waiting do
 * not matter. */
struct network_stats {
    uint64_t packets, flits; /* given to receivers */
    uint64_t flit_hops;      /* flits times links between routers; a crossbar has none */
    uint64_t latency;        /* NoC cycles from visibility here to visibility at the receiver */
    uint64_t head_wait;      /* NoC cycles that packets waited at the head of a buffer */
    uint64_t occupancy;      /* flits times their packet's latency; / NoC cycles: mean occupancy */
};

/**
 * struct network - a sender that pushes into its input sets the input's bit in @occupied and wakes
 * the network; a receiver that pops a ring whose sender_waits is set wakes it too. An input's room
 * is that of ring_room_beside_leaving(): a packet leaves its input with its last flit. Sender s has
 * the inputs from s << @sender_shift on: a core has one, a partition l2.reply_ports.
 */
struct network {
    const struct config *config;
    unsigned topology; /* noc.topology */
    unsigned inputs, receivers, ports;
    unsigned sender_shift;    /* log2 of a sender's inputs */
    struct unit_set occupied; /* inputs with a packet */
    bool wide;                /* more than 64 inputs or receivers */
    struct ring *input;       /* in flits */
    struct ring *output;      /* in flits; receiver r has the ports from r * ports on */
    enum network_direction direction;
    bool poll; /* evaluate everything in every cycle: results must not change */
    /* A receiver may wait for up to @lag before it looks at a packet, as long as the packet's port
     * has @lag_room left: it takes the packet as if it had looked at once. 0: receivers look at
     * once. */
    uint64_t lag;
    uint32_t lag_room;
    struct clock_domain *sender_clock, *receiver_clock; /* units to wake: sender, receiver */
    FILE *events;
    struct network_stats stats;
    struct crossbar crossbar;
    struct mesh mesh;
};

/** network_init() - of a configuration that config_check() passed. False: out of memory. */
bool network_init(struct network *n, const struct config *config, enum network_direction direction,
                  struct clock_domain *senders, struct clock_domain *receivers);
void network_destroy(struct network *n);

/** network_cycle() - a NoC cycle. Return: time of its next work; NEVER: when woken. */
static inline uint64_t network_cycle(struct network *n, const struct now *now) {
    return n->topology == NOC_MESH ? mesh_cycle(n, now) : crossbar_cycle(n, now);
}

/** network_packets_inside() - packets in the buffers. */
unsigned network_packets_inside(const struct network *n);

/** network_outputs() - the rings of a receiver, one a port. */
static inline struct ring *network_outputs(const struct network *n, unsigned receiver) {
    return &n->output[receiver * n->ports];
}

/* Shared by crossbar and mesh. */

static inline unsigned network_receiver(const struct network *n, const struct request *r) {
    return n->direction == TO_CORES ? r->core : r->partition;
}

/** network_sender() - the unit that pushes into an input. */
static inline unsigned network_sender(const struct network *n, unsigned input) {
    return input >> n->sender_shift;
}

static inline const char *network_name(const struct network *n) {
    return n->direction == TO_CORES ? "reply" : "request";
}

/** network_sent() - the head of an input has left. */
static inline void network_sent(struct network *n, unsigned input, uint64_t time) {
    struct ring *r = &n->input[input];
    ring_pop(r, time);
    if (!r->count) {
        unit_set_remove(&n->occupied, input);
    }
    if (r->sender_waits) {
        clock_wake(n->sender_clock, network_sender(n, input), time);
    }
}

/** network_send_head() - the head of an input leaves it, from @now to @until. */
static inline void network_send_head(struct network *n, unsigned input, uint64_t now,
                                     uint64_t until) {
    struct ring *r = &n->input[input];
    ring_pop_until(r, now, until);
    if (!r->count) {
        unit_set_remove(&n->occupied, input);
    }
    if (r->sender_waits) {
        clock_wake_at(n->sender_clock, network_sender(n, input), now, until + 1);
    }
}

/** network_deliver() - the packet begins to cross to a port; the receiver sees it from @visible on.
 */
static inline void network_deliver(struct network *n, unsigned receiver, struct ring *port,
                                   const struct request *r, uint32_t flits, uint64_t time,
                                   uint64_t visible) {
    ring_push(port, r, visible, flits);
    uint64_t look = !n->lag                                      ? visible
                    : port->capacity - port->used >= n->lag_room ? visible + n->lag
                                                                 : time;
    clock_wake_at(n->receiver_clock, receiver, time, look);
    n->stats.packets++;
    n->stats.flits += flits;
}

#endif
