/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/network.h"

#include <stdlib.h>

bool network_init(struct network *n, const struct config *config, enum network_direction direction,
                  struct clock_domain *senders, struct clock_domain *receivers) {
    bool to_cores = direction == TO_CORES;
    unsigned replies = config->l2.partitions * config->l2.reply_ports;
    *n = (struct network){.config = config,
                          .topology = config->noc.topology,
                          .inputs = to_cores ? replies : config->core.count,
                          .receivers = to_cores ? config->core.count : config->l2.partitions,
                          .ports = to_cores ? 1 : config->l2.ports,
                          .sender_shift =
                              to_cores ? (unsigned)__builtin_ctz(config->l2.reply_ports) : 0,
                          .direction = direction,
                          .sender_clock = senders,
                          .receiver_clock = receivers};
    n->wide = unit_words(n->inputs) > 1 || unit_words(n->receivers) > 1;
    n->input = calloc(n->inputs, sizeof *n->input);
    n->output = calloc((size_t)n->receivers * n->ports, sizeof *n->output);
    bool ok = n->input && n->output;
    for (unsigned i = 0; ok && i < n->inputs; i++) {
        ok = ring_init(&n->input[i], config->noc.input_flits);
    }
    for (unsigned i = 0; ok && i < n->receivers * n->ports; i++) {
        ok = ring_init(&n->output[i], config->noc.output_flits);
    }
    return ok && (n->topology == NOC_MESH ? mesh_init(n) : crossbar_init(n));
}

void network_destroy(struct network *n) {
    for (unsigned i = 0; n->input && i < n->inputs; i++) {
        ring_destroy(&n->input[i]);
    }
    for (unsigned i = 0; n->output && i < n->receivers * n->ports; i++) {
        ring_destroy(&n->output[i]);
    }
    crossbar_destroy(&n->crossbar);
    mesh_destroy(&n->mesh);
    free(n->input);
    free(n->output);
    *n = (struct network){0};
}

unsigned network_packets_inside(const struct network *n) {
    unsigned count = 0;
    for (unsigned i = 0; i < n->inputs; i++) {
        count += n->input[i].count;
    }
    for (unsigned i = 0; i < n->receivers * n->ports; i++) {
        count += n->output[i].count;
    }
    /* A packet that leaves a mesh's input stays in its ring until its last flit has left: it counts
     * at its destination only. */
    return n->topology == NOC_MESH ? count + n->mesh.inside - n->mesh.injecting : count;
}
