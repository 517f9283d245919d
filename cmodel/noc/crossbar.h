/* SPDX-License-Identifier: Apache-2.0
 *
 * Crossbar: every input reaches every output in one step.
 */
#ifndef WARPMEM_NOC_CROSSBAR_H
#define WARPMEM_NOC_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit_set.h"

#define NETWORK_PORTS_MAX 4 /* of a receiver */

struct network;
struct now;

struct crossbar_input {
    uint64_t until; /* the packet that went last crosses until then */
    uint64_t asked; /* when the head that waits was first seen there */
};

struct crossbar_receiver {
    uint64_t until[NETWORK_PORTS_MAX]; /* each port is taken until then */
    struct unit_set wanting;           /* inputs whose head has this destination and can be seen */
    unsigned last;                     /* input served last */
    unsigned port; /* port to look at first: the one after that which took a packet last */
};

/**
 * struct crossbar - between the input and output buffers of a network.
 *
 * A packet takes its input and a port of its receiver for as many cycles as it has flits; only the
 * packet at the head of an input can move (head-of-line blocking). A receiver serves the inputs
 * that want it round-robin. A packet takes any free port whose buffer has room for all its flits
 * (MeDiC section 5); it can be seen there hop_latency cycles after its last flit has crossed.
 *
 * The input whose turn it is keeps its turn while there is no room for its packet: small packets
 * do not pass a large one. So a packet is passed at most once by each other input, and waits no
 * longer than the receiver needs to make that room.
 */
struct crossbar {
    struct unit_set waiting; /* inputs that stand in a receiver's `wanting` */
    struct unit_set wanted;  /* receivers with an input in `wanting` */
    struct crossbar_input *input;
    struct crossbar_receiver *receiver;
};

/** crossbar_init() - of a network whose buffers are made. False: out of memory. */
bool crossbar_init(struct network *n);
void crossbar_destroy(struct crossbar *x);
/** crossbar_cycle() - see network_cycle(). */
uint64_t crossbar_cycle(struct network *n, const struct now *now);

#endif
