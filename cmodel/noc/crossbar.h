/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_NOC_CROSSBAR_H
#define WARPMEM_NOC_CROSSBAR_H

#include <stdio.h>

#include "base/clock.h"
#include "base/ring.h"
#include "base/stats.h"
#include "config/config.h"

#define CROSSBAR_PORTS_MAX 64

struct crossbar_input {
    struct ring buffer; /* in flits */
    uint64_t until;     /* the packet at the head crosses until then */
};

struct crossbar_output {
    struct ring buffer; /* in flits */
    uint64_t until;     /* the port is taken until then */
    uint64_t wanting;   /* inputs whose head has this destination and can be seen */
    unsigned last;      /* input served last */
};

struct crossbar_stats {
    uint64_t packets, flits;
};

/**
 * struct crossbar - one network (requests, or replies) between input and output ports.
 *
 * A packet takes its input and its output for as many cycles as it has flits; only the packet at
 * the head of an input can move (head-of-line blocking). An output serves the inputs that want it
 * round-robin. A packet starts only when the far buffer has room for all its flits; it can be seen
 * there hop_latency cycles after its last flit has crossed.
 */
struct crossbar {
    const struct config *config;
    unsigned inputs, outputs;
    uint64_t occupied;   /* inputs with a packet: senders set their bit when they push */
    uint64_t moving;     /* inputs whose head crosses */
    uint64_t waiting;    /* inputs that stand in an output's `wanting` */
    uint64_t wanted;     /* outputs with an input in `wanting` */
    uint64_t crossed_at; /* when the first of the moving heads has crossed; NEVER: none moves */
    bool to_cores;       /* destination of a packet: its core, or its partition */
    struct crossbar_input *input;
    struct crossbar_output *output;
    struct clock_domain *senders, *receivers; /* whom to wake; unit number = port number */
    FILE *events;
    struct crossbar_stats stats;
};

/** crossbar_init() - False: out of memory. */
bool crossbar_init(struct crossbar *x, const struct config *config, unsigned inputs,
                   unsigned outputs, bool to_cores, struct clock_domain *senders,
                   struct clock_domain *receivers);
void crossbar_destroy(struct crossbar *x);

/** crossbar_cycle() - one NoC cycle at @now. Return: time at which it has something to do again;
 * NEVER: when woken. */
uint64_t crossbar_cycle(struct crossbar *x, uint64_t now, uint64_t period);

/** crossbar_packets_inside() - packets in the buffers. */
unsigned crossbar_packets_inside(const struct crossbar *x);

#endif
