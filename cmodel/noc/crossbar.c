/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/crossbar.h"

#include <stdlib.h>

#include "base/events.h"

bool crossbar_init(struct crossbar *x, const struct config *config, unsigned inputs,
                   unsigned outputs, bool to_cores, struct clock_domain *senders,
                   struct clock_domain *receivers) {
    *x = (struct crossbar){.config = config,
                           .inputs = inputs,
                           .outputs = outputs,
                           .to_cores = to_cores,
                           .senders = senders,
                           .receivers = receivers,
                           .crossed_at = NEVER};
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

/* Packets that have crossed leave their input. */
static void retire(struct crossbar *x, uint64_t now) {
    uint64_t first = NEVER;
    for (uint64_t inputs = x->moving; inputs; inputs &= inputs - 1) {
        unsigned port = (unsigned)__builtin_ctzll(inputs);
        struct crossbar_input *in = &x->input[port];
        if (now < in->until) {
            first = earlier(first, in->until);
            continue;
        }
        ring_pop(&in->buffer, now);
        x->moving &= ~(UINT64_C(1) << port);
        if (!in->buffer.count) {
            x->occupied &= ~(UINT64_C(1) << port);
        }
        if (in->buffer.sender_waits) {
            clock_wake(x->senders, port, now);
        }
    }
    x->crossed_at = first;
}

/* Heads that can be seen since now ask for their output. */
static void ask(struct crossbar *x, uint64_t now, uint64_t *next) {
    for (uint64_t inputs = x->occupied & ~x->moving & ~x->waiting; inputs; inputs &= inputs - 1) {
        unsigned port = (unsigned)__builtin_ctzll(inputs);
        const struct ring_entry *head = ring_head(&x->input[port].buffer, now);
        if (!head) {
            *next = earlier(*next, ring_next(&x->input[port].buffer));
            continue;
        }
        unsigned to = x->to_cores ? head->request.core : head->request.partition;
        x->waiting |= UINT64_C(1) << port;
        x->output[to].wanting |= UINT64_C(1) << port;
        x->wanted |= UINT64_C(1) << to;
    }
}

static void start(struct crossbar *x, unsigned from, unsigned to, uint64_t now, uint64_t period) {
    struct crossbar_input *in = &x->input[from];
    struct crossbar_output *out = &x->output[to];
    const struct ring_entry *head = ring_front(&in->buffer);
    uint64_t crossed = now + head->weight * period;
    uint64_t visible = crossed + (x->config->noc.hop_latency - 1) * period;
    in->until = out->until = crossed;
    x->crossed_at = earlier(x->crossed_at, crossed);
    x->moving |= UINT64_C(1) << from;
    x->waiting &= ~(UINT64_C(1) << from);
    out->last = from;
    out->wanting &= ~(UINT64_C(1) << from);
    if (!out->wanting) {
        x->wanted &= ~(UINT64_C(1) << to);
    }
    ring_push(&out->buffer, &head->request, visible, head->weight);
    clock_wake_at(x->receivers, to, now, visible);
    x->stats.packets++;
    EVENT(x->events, now, "noc.%s %u to %u, %u flits\n", x->to_cores ? "reply" : "request", from,
          to, head->weight);
    x->stats.flits += head->weight;
}

/* A free output takes the first input after the one it served last whose packet fits into the
 * far buffer. */
static void serve(struct crossbar *x, unsigned to, uint64_t now, uint64_t period, uint64_t *next) {
    struct crossbar_output *out = &x->output[to];
    if (now < out->until) {
        *next = earlier(*next, out->until);
        return;
    }
    out->buffer.sender_waits = false;
    uint64_t after = out->last == 63 ? 0 : out->wanting & ~UINT64_C(0) << (out->last + 1);
    uint32_t room = ring_room(&out->buffer, now),
             room_soon = out->buffer.capacity - out->buffer.used;
    for (uint64_t left = out->wanting; left;) {
        unsigned from = (unsigned)__builtin_ctzll(after ? after : left);
        uint32_t weight = ring_front(&x->input[from].buffer)->weight;
        if (weight <= room) {
            start(x, from, to, now, period);
            return;
        }
        if (weight <= room_soon) {
            *next = earlier(*next, now + 1);
        }
        left &= ~(UINT64_C(1) << from);
        after &= ~(UINT64_C(1) << from);
    }
    out->buffer.sender_waits = true;
}

uint64_t crossbar_cycle(struct crossbar *x, uint64_t now, uint64_t period) {
    uint64_t next = NEVER;
    if (x->crossed_at <= now) {
        retire(x, now);
    }
    ask(x, now, &next);
    for (uint64_t outputs = x->wanted; outputs; outputs &= outputs - 1) {
        serve(x, (unsigned)__builtin_ctzll(outputs), now, period, &next);
    }
    return earlier(next, x->crossed_at);
}

unsigned crossbar_packets_inside(const struct crossbar *x) {
    unsigned count = 0;
    for (unsigned i = 0; i < x->inputs; i++) {
        /* One that crosses stands in both buffers. */
        count += x->input[i].buffer.count - (unsigned)(x->moving >> i & 1);
    }
    for (unsigned o = 0; o < x->outputs; o++) {
        count += x->output[o].buffer.count;
    }
    return count;
}
