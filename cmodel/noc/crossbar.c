/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/crossbar.h"

#include <stdlib.h>

bool crossbar_init(struct crossbar *x, const struct config *config, unsigned inputs, unsigned outputs, bool to_cores,
                   struct clock_domain *senders, struct clock_domain *receivers) {
    *x = (struct crossbar){.config = config,
                           .inputs = inputs,
                           .outputs = outputs,
                           .to_cores = to_cores,
                           .senders = senders,
                           .receivers = receivers};
    x->input = calloc(inputs, sizeof *x->input);
    x->output = calloc(outputs, sizeof *x->output);
    bool ok = x->input && x->output;
    for (unsigned i = 0; ok && i < inputs; i++) {
        ok = ring_init(&x->input[i].buffer, config->noc.input_flits);
    }
    for (unsigned o = 0; ok && o < outputs; o++) {
        x->output[o].last = inputs - 1;
        ok = ring_init(&x->output[o].buffer, config->noc.output_flits);
    }
    return ok;
}

void crossbar_destroy(struct crossbar *x) {
    for (unsigned i = 0; x->input && i < x->inputs; i++) {
        ring_destroy(&x->input[i].buffer);
    }
    for (unsigned o = 0; x->output && o < x->outputs; o++) {
        ring_destroy(&x->output[o].buffer);
    }
    free(x->input);
    free(x->output);
    *x = (struct crossbar){0};
}

static uint64_t earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Retire the packet that has crossed, then see which output the head of the buffer wants. -1: none. */
static int wanted_output(struct crossbar *x, unsigned port, uint64_t now, uint64_t *next) {
    struct crossbar_input *in = &x->input[port];
    if (in->moving) {
        if (now < in->until) {
            *next = earlier(*next, in->until);
            return -1;
        }
        ring_pop(&in->buffer, now);
        in->moving = false;
        if (in->buffer.sender_waits) {
            clock_wake(x->senders, port, now);
        }
        if (!in->buffer.count) {
            x->occupied &= ~(UINT64_C(1) << port);
            return -1;
        }
    }
    const struct ring_entry *head = ring_head(&in->buffer, now);
    if (!head) {
        *next = earlier(*next, ring_next(&in->buffer));
        return -1;
    }
    unsigned to = x->to_cores ? head->request.core : head->request.partition;
    struct crossbar_output *out = &x->output[to];
    if (now < out->until) {
        *next = earlier(*next, out->until);
        return -1;
    }
    if (!ring_has_room(&out->buffer, head->weight)) {
        return -1;
    }
    if (ring_room(&out->buffer, now) < head->weight) {
        *next = earlier(*next, now + 1);
        return -1;
    }
    return (int)to;
}

static void start(struct crossbar *x, unsigned from, unsigned to, uint64_t now, uint64_t period) {
    struct crossbar_input *in = &x->input[from];
    struct crossbar_output *out = &x->output[to];
    const struct ring_entry *head = ring_head(&in->buffer, now);
    uint64_t crossed = now + head->weight * period;
    uint64_t visible = crossed + (x->config->noc.hop_latency - 1) * period;
    in->moving = true;
    in->until = out->until = crossed;
    out->last = from;
    ring_push(&out->buffer, &head->request, visible, head->weight);
    clock_wake_at(x->receivers, to, now, visible);
    x->stats.packets++;
    x->stats.flits += head->weight;
}

uint64_t crossbar_cycle(struct crossbar *x, uint64_t now, uint64_t period) {
    uint64_t wanting[CROSSBAR_PORTS_MAX]; /* inputs that want an output */
    uint64_t outputs = 0, next = NEVER;
    for (uint64_t inputs = x->occupied; inputs; inputs &= inputs - 1) {
        unsigned i = (unsigned)__builtin_ctzll(inputs);
        int to = wanted_output(x, i, now, &next);
        if (to >= 0) {
            /* Only the entries of outputs that are wanted are ever read. */
            wanting[to] = (outputs >> to & 1 ? wanting[to] : 0) | UINT64_C(1) << i;
            outputs |= UINT64_C(1) << to;
        }
    }
    for (; outputs; outputs &= outputs - 1) {
        unsigned to = (unsigned)__builtin_ctzll(outputs);
        unsigned last = x->output[to].last;
        uint64_t after = last == 63 ? 0 : wanting[to] & ~UINT64_C(0) << (last + 1);
        unsigned from = (unsigned)__builtin_ctzll(after ? after : wanting[to]);
        start(x, from, to, now, period);
        next = earlier(next, x->input[from].until);
        if (wanting[to] & (wanting[to] - 1)) {
            next = earlier(next, x->output[to].until);
        }
    }
    return next;
}

unsigned crossbar_packets_inside(const struct crossbar *x) {
    unsigned count = 0;
    for (unsigned i = 0; i < x->inputs; i++) {
        /* One that crosses stands in both buffers. */
        count += x->input[i].buffer.count - (unsigned)x->input[i].moving;
    }
    for (unsigned o = 0; o < x->outputs; o++) {
        count += x->output[o].buffer.count;
    }
    return count;
}
