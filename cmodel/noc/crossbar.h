/* SPDX-License-Identifier: Apache-2.0
 *
 * Crossbar: every input reaches every output in one step.
 */
#ifndef WARPMEM_NOC_CROSSBAR_H
#define WARPMEM_NOC_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit_set.h"
#include "noc/virtual_outputs.h"

#define NETWORK_PORTS_MAX 4 /* of a receiver */

struct network;
struct now;

struct crossbar_input {
    uint64_t until; /* end of the crossing of its last packet */
    uint64_t asked; /* time at which its waiting head was first seen */
};

struct crossbar_receiver {
    uint64_t until[NETWORK_PORTS_MAX]; /* each port is busy until then */
    struct unit_set wanting;           /* inputs whose visible head has this destination */
    unsigned last;                     /* input served last */
    unsigned port; /* port to try first: the one after the last port that took a packet */
};

/**
 * struct crossbar - between the input and output buffers of a network.
 *
 * A packet occupies its input and a port of its receiver for as many cycles as it has flits; only
 * the packet at the head of an input can move (head-of-line blocking), or with noc.virtual_outputs
 * the first one for each receiver. A receiver serves the inputs
 * that have a packet for it round-robin. A packet takes any free port whose buffer has room for all
 * its flits (MeDiC section 5); it becomes visible there hop_latency cycles after its last flit has
 * crossed.
 *
 * The input in turn keeps its turn while there is no room for its packet, so small packets do not
 * overtake a large one. Each other input overtakes a packet at most once, and the packet waits no
 * longer than the receiver needs to make that room.
 */
struct crossbar {
    struct unit_set waiting; /* inputs that are in a receiver's `wanting` */
    struct unit_set wanted;  /* receivers with an input in `wanting` */
    struct crossbar_input *input;
    struct crossbar_receiver *receiver;
    struct virtual_outputs outputs; /* where noc.virtual_outputs is on */
};

/** crossbar_init() - of a network whose buffers are made. False: out of memory. */
bool crossbar_init(struct network *n);
void crossbar_destroy(struct crossbar *x);
/** crossbar_cycle() - see network_cycle(). */
uint64_t crossbar_cycle(struct network *n, const struct now *now);

#endif
