/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/virtual_outputs.h"

#include <stdlib.h>

#include "noc/network.h"

bool virtual_outputs_init(struct virtual_outputs *v, unsigned inputs, unsigned receivers) {
    v->waiting = calloc((size_t)inputs * receivers, sizeof *v->waiting);
    v->seen = calloc(inputs, sizeof *v->seen);
    return v->waiting && v->seen;
}

void virtual_outputs_destroy(struct virtual_outputs *v) {
    free(v->waiting);
    free(v->seen);
}

static struct ring_entry *entry_at(const struct ring *r, uint32_t place) {
    return &r->entries[(r->head + place) & r->mask];
}

uint64_t virtual_outputs_see(struct network *n, unsigned input, uint64_t now) {
    struct virtual_outputs *v = &n->crossbar.outputs;
    const struct ring *r = &n->input[input];
    for (uint32_t *seen = &v->seen[input]; *seen < r->count; ++*seen) {
        const struct ring_entry *e = entry_at(r, *seen);
        if (e->visible_at > now) {
            return e->visible_at;
        }
        const unsigned to = network_receiver(n, &e->request);
        if (!v->waiting[input * n->receivers + to]++) {
            unit_set_add(&n->crossbar.receiver[to].wanting, input);
            unit_set_add(&n->crossbar.wanted, to);
        }
    }
    return NEVER;
}

uint32_t virtual_outputs_find(const struct network *n, unsigned input, unsigned receiver) {
    uint32_t place = 0;
    while (network_receiver(n, &entry_at(&n->input[input], place)->request) != receiver) {
        place++;
    }
    return place;
}

uint32_t virtual_outputs_weight(const struct network *n, unsigned input, uint32_t place) {
    return entry_at(&n->input[input], place)->weight;
}

void virtual_outputs_bring(struct network *n, unsigned input, unsigned receiver, uint32_t place) {
    struct virtual_outputs *v = &n->crossbar.outputs;
    struct crossbar_receiver *to = &n->crossbar.receiver[receiver];
    struct ring *r = &n->input[input];
    const struct ring_entry moved = *entry_at(r, place);
    for (; place; place--) {
        *entry_at(r, place) = *entry_at(r, place - 1);
    }
    *ring_front(r) = moved;
    n->crossbar.input[input].asked = moved.visible_at;
    v->seen[input]--;
    if (!--v->waiting[input * n->receivers + receiver]) {
        unit_set_remove(&to->wanting, input);
        if (unit_set_is_empty(&to->wanting)) {
            unit_set_remove(&n->crossbar.wanted, receiver);
        }
    }
}
