/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual output queues of a crossbar (noc.virtual_outputs).
 */
#ifndef WARPMEM_NOC_VIRTUAL_OUTPUTS_H
#define WARPMEM_NOC_VIRTUAL_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

struct network;

/**
 * struct virtual_outputs - the packets that each input has for each receiver.
 *
 * An input's packets wait by receiver, so that one whose receiver is busy holds up none for others;
 * all share the input's buffer, and those for one receiver keep their order. In each cycle the
 * receivers choose one after another, each the next input in turn that is free and has a packet for
 * it; the receiver that chooses first is another one in each cycle. So no free input and receiver
 * stay apart that could be matched (a maximal matching, as of a wavefront allocator).
 */
struct virtual_outputs {
    uint16_t *waiting; /* [input * receivers + receiver] packets that are visible */
    uint32_t *seen;    /* [input] of its ring, the first ones: those in @waiting */
};

/** virtual_outputs_init() - False: out of memory. */
bool virtual_outputs_init(struct virtual_outputs *v, unsigned inputs, unsigned receivers);
void virtual_outputs_destroy(struct virtual_outputs *v);

/** virtual_outputs_see() - packets of the input that are visible now ask their receivers. Return:
 * when the next one will be; NEVER: there is none. */
uint64_t virtual_outputs_see(struct network *n, unsigned input, uint64_t now);

/** virtual_outputs_find() - place in the input's ring of its first packet for the receiver, which
 * must have one. virtual_outputs_bring() - it moves to the head of the ring, from where it is sent.
 */
uint32_t virtual_outputs_find(const struct network *n, unsigned input, unsigned receiver);
void virtual_outputs_bring(struct network *n, unsigned input, unsigned receiver, uint32_t place);

/** virtual_outputs_weight() - flits of the packet at a place. */
uint32_t virtual_outputs_weight(const struct network *n, unsigned input, uint32_t place);

#endif
