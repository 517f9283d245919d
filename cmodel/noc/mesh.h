/* SPDX-License-Identifier: Apache-2.0
 *
 * 2D mesh with dimension-order (XY) routing (OWL section 2.1): one event a packet and hop.
 */
#ifndef WARPMEM_NOC_MESH_H
#define WARPMEM_NOC_MESH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/request.h"
#include "config/mesh_map.h"

struct network;
struct now;

/* A router's inputs and outputs; an input has the name of its side. If the router's sender has
 * several inputs of the network, the first is local and the others follow the sides. */
enum mesh_side { MESH_LOCAL, MESH_EAST, MESH_WEST, MESH_SOUTH, MESH_NORTH, MESH_SIDES };
enum { MESH_INPUTS = 8 }; /* bits of a mask: sides, and three more of its sender */

#define MESH_NOBODY 255
#define MESH_WHEEL 64 /* cycles ahead for which a router's next evaluation can be scheduled */

struct mesh_packet {
    struct request request;
    uint64_t seen; /* cycle in which the packet became visible to its network */
    uint32_t next_free;
};

struct mesh_entry {
    uint64_t head_at; /* cycle from which the head flit can move */
    uint32_t packet;  /* in the pool; removed when it is delivered */
    uint16_t flits;
    uint8_t receiver;
};

/* The buffer at a link's far end. */
struct mesh_buffer {
    struct mesh_entry *entries;
    uint32_t mask;        /* entries - 1 */
    uint32_t used;        /* flits of packets that are here or on the link */
    uint32_t head, count; /* packets */
    bool sender_waits;    /* the router before waits until a packet begins to leave */
};

struct mesh_input {
    uint64_t from, until; /* the head leaves, one flit a cycle */
    uint64_t asked;       /* cycle in which its waiting head was first seen */
};

struct mesh_router {
    struct mesh_buffer buffer[MESH_SIDES]; /* the sender's inputs have its rings instead */
    struct mesh_input input[MESH_INPUTS];
    uint64_t link_until[MESH_SIDES]; /* each output is busy until then; local: see port_until */
    uint64_t port_until[4];          /* each of the receiver's ports is busy until then */
    uint8_t wanting[MESH_SIDES];     /* inputs that wait for each output */
    uint8_t last[MESH_SIDES];        /* input that each output served last */
    uint8_t present;                 /* sides whose buffer has a packet; without the sender's */
    uint8_t moving;                  /* inputs whose head leaves */
    uint8_t waiting;                 /* inputs that are in a `wanting` */
    uint8_t wanted;                  /* outputs with an input that wants them */
    uint8_t port;                    /* port to try first */
    uint8_t sender, receiver;        /* first input of the network at this router, unit at this
                                      * router; MESH_NOBODY: none */
    uint8_t neighbour[MESH_SIDES];   /* node at each side that has one */
};

/**
 * struct mesh - routers and links between the input and output buffers of a network.
 *
 * A router has an input from each neighbour (noc.router_flits of buffer) and one from each port of
 * its sender, an output to each neighbour and to each port of its receiver (multi-port routers,
 * Bakhoda, Kim, Aamodt, MICRO 2010). A packet goes along its row to the column of its destination,
 * then along that column. Virtual cut-through: the packet at the head of an input starts when its
 * output is free and the next buffer has room for all its flits. It occupies input and output for
 * as many cycles as it has flits, and its head can move on hop_latency cycles after the start. The
 * receiver sees it when its last flit has arrived. So a packet of F flits over H links takes
 * (H + 1) * hop_latency + F - 1 cycles without contention. Each flit frees its room a cycle after
 * it has left.
 *
 * An output serves the inputs that wait for it round-robin, and the input in turn keeps its turn
 * until there is room, so each other input overtakes it at most once. Deadlock is impossible:
 * requests and replies have separate meshes, the turns of XY routing form no cycle, and receivers
 * accept every packet in the end.
 */
struct mesh {
    struct mesh_map map;
    unsigned nodes;
    unsigned sender_inputs; /* as many bits as a sender has inputs of the network */
    struct mesh_router *router;
    uint8_t *route; /* [node * receivers + receiver]: output to take */
    uint8_t sender_node[MESH_NODES_MAX];
    uint64_t engaged;         /* inputs of the network whose head waits or leaves */
    uint64_t held;            /* nodes with a packet that waits for room at the receiver */
    uint64_t cycle;           /* cycle of the last evaluation */
    uint64_t due[MESH_WHEEL]; /* nodes to evaluate in a cycle, by its number mod MESH_WHEEL */
    uint64_t slots;           /* elements of `due` that are not empty */
    struct mesh_packet *pool; /* packets between their sender's ring and their receiver's */
    uint32_t fresh;           /* elements of the pool that were ever used */
    uint32_t free;            /* the first free one of these */
    uint32_t inside;
    uint32_t injecting;         /* packets that are still in their sender's ring too */
    struct mesh_entry *entries; /* of all buffers */
};

/** mesh_init() - of a network whose buffers are made. False: out of memory. */
bool mesh_init(struct network *n);
void mesh_destroy(struct mesh *m);
/** mesh_cycle() - see network_cycle(). */
uint64_t mesh_cycle(struct network *n, const struct now *now);
/** mesh_dump() - print the routers' buffers that are not empty, and the reasons of their waits. */
void mesh_dump(const struct network *n, FILE *out);

#endif
