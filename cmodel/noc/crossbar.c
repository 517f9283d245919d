/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/crossbar.h"

#include <stdlib.h>

#include "base/events.h"
#include "noc/network.h"

bool crossbar_init(struct network *n) {
    struct crossbar *x = &n->crossbar;
    x->input = calloc(n->inputs, sizeof *x->input);
    x->receiver = calloc(n->receivers, sizeof *x->receiver);
    const bool queues = !n->config->noc.virtual_outputs ||
                        virtual_outputs_init(&x->outputs, n->inputs, n->receivers);
    if (!x->input || !x->receiver || !queues) {
        return false;
    }
    for (unsigned r = 0; r < n->receivers; r++) {
        x->receiver[r].last = n->inputs - 1;
    }
    return true;
}

void crossbar_destroy(struct crossbar *x) {
    free(x->input);
    free(x->receiver);
    virtual_outputs_destroy(&x->outputs);
}

/* In a network that is not wide, all units are in the first word. */

static inline void add_to_set(bool wide, struct unit_set *s, unsigned unit) {
    s->word[wide ? unit / 64 : 0] |= UINT64_C(1) << unit % 64;
}

static inline void remove_from_set(bool wide, struct unit_set *s, unsigned unit) {
    s->word[wide ? unit / 64 : 0] &= ~(UINT64_C(1) << unit % 64);
}

static inline bool set_is_empty(bool wide, const struct unit_set *s) {
    return wide ? unit_set_is_empty(s) : !s->word[0];
}

/* The input after the one served last. */
static inline unsigned next_in_turn(bool wide, const struct crossbar_receiver *r) {
    if (wide) {
        return unit_set_after(&r->wanting, r->last);
    }
    uint64_t wanting = r->wanting.word[0], after = wanting & ~UINT64_C(1) << r->last;
    return (unsigned)__builtin_ctzll(after ? after : wanting);
}

/* Heads of these 64 inputs that become visible now request their receiver. */
static inline void ask_receivers(struct network *n, bool wide, unsigned word, uint64_t time,
                                 uint64_t *next) {
    struct crossbar *x = &n->crossbar;
    for (uint64_t inputs = n->occupied.word[word] & ~x->waiting.word[word]; inputs;
         inputs &= inputs - 1) {
        unsigned from = word * 64 + (unsigned)__builtin_ctzll(inputs);
        const struct ring *input = &n->input[from];
        uint64_t at = later_time(ring_next(input), x->input[from].until);
        if (at > time) {
            *next = earlier_time(*next, at);
            continue;
        }
        const struct ring_entry *head = ring_front(input);
        unsigned to = network_receiver(n, &head->request);
        x->input[from].asked = time;
        add_to_set(wide, &x->waiting, from);
        add_to_set(wide, &x->receiver[to].wanting, from);
        add_to_set(wide, &x->wanted, to);
    }
}

/* Whole periods in a time, which is mostly shorter than one. */
static inline uint64_t whole_periods(uint64_t time, uint64_t period) {
    return time < period ? 0 : time / period;
}

/* Inlined at each call, because the first two are frequent. */
static inline __attribute__((always_inline)) void start_crossing(
    struct network *n, unsigned from, unsigned to, unsigned port, struct ring *output,
    uint32_t weight, const struct now *now, uint64_t *next) {
    struct crossbar *x = &n->crossbar;
    struct crossbar_input *in = &x->input[from];
    struct crossbar_receiver *r = &x->receiver[to];
    const struct ring_entry *head = ring_front(&n->input[from]);
    uint64_t crossed = now->time + weight * now->period;
    uint64_t visible = crossed + (n->config->noc.hop_latency - 1) * now->period;
    uint64_t waited = now->time - head->visible_at;
    uint64_t latency = weight + n->config->noc.hop_latency - 1 + whole_periods(waited, now->period);
    in->until = r->until[port] = crossed;
    r->last = from;
    network_deliver(n, to, output, &head->request, weight, now->time, visible);
    n->stats.latency += latency;
    n->stats.occupancy += latency * weight;
    if (in->asked != now->time) {
        n->stats.head_wait += whole_periods(now->time - in->asked, now->period);
    }
    EVENT(n->events, now->time, "noc.%s %u to %u port %u, %u flits\n", network_name(n),
          network_sender(n, from), to, port, weight);
    network_send_head(n, from, now->time, crossed);
    if (n->input[from].count) {
        *next = earlier_time(*next, crossed);
    }
}

/* The head of an input no longer requests the receiver. */
static inline void leave_turn(struct crossbar *x, bool wide, unsigned from, unsigned to) {
    struct crossbar_receiver *r = &x->receiver[to];
    remove_from_set(wide, &x->waiting, from);
    remove_from_set(wide, &r->wanting, from);
    if (set_is_empty(wide, &r->wanting)) {
        remove_from_set(wide, &x->wanted, to);
    }
}

/* Has the port room? If not: when may it have. */
static inline bool port_has_room(struct ring *port, uint32_t weight, uint64_t time,
                                 uint64_t *next) {
    port->sender_waits = false;
    if (weight <= ring_room(port, time)) {
        return true;
    }
    if (weight <= port->capacity - port->used) {
        *next = earlier_time(*next, time + 1);
    } else {
        port->sender_waits = true;
    }
    return false;
}

/* The packets in turn, as long as there is a free port with room for them. */
static __attribute__((noinline)) void serve_ports(struct network *n, bool wide, unsigned to,
                                                  const struct now *now, uint64_t *next) {
    struct crossbar_receiver *r = &n->crossbar.receiver[to];
    for (unsigned port = r->port, left = n->ports; left && !set_is_empty(wide, &r->wanting);
         left--) {
        if (r->until[port] <= now->time) {
            unsigned from = next_in_turn(wide, r);
            uint32_t weight = ring_front(&n->input[from])->weight;
            struct ring *output = &n->output[to * n->ports + port];
            if (port_has_room(output, weight, now->time, next)) {
                leave_turn(&n->crossbar, wide, from, to);
                start_crossing(n, from, to, port, output, weight, now, next);
                r->port = port + 1 == n->ports ? 0 : port + 1;
                left = n->ports + 1; /* the next in turn may fit where this one did not */
            }
        } else {
            *next = earlier_time(*next, r->until[port]);
        }
        port = port + 1 == n->ports ? 0 : port + 1;
    }
}

/* The same for a receiver of one port: it starts at most one packet. */
static inline void serve_port(struct network *n, bool wide, unsigned to, const struct now *now,
                              uint64_t *next) {
    struct crossbar_receiver *r = &n->crossbar.receiver[to];
    if (r->until[0] <= now->time) {
        unsigned from = next_in_turn(wide, r);
        uint32_t weight = ring_front(&n->input[from])->weight;
        if (!port_has_room(&n->output[to], weight, now->time, next)) {
            return;
        }
        leave_turn(&n->crossbar, wide, from, to);
        start_crossing(n, from, to, 0, &n->output[to], weight, now, next);
        if (set_is_empty(wide, &r->wanting)) {
            return;
        }
    }
    *next = earlier_time(*next, r->until[0]);
}

/* The most frequent case: the only packet before the crossbar finds its receiver's only port free.
 * It need not ask for it. False: not that case, and nothing has changed. */
static inline bool send_only_packet(struct network *n, const struct now *now, uint64_t *next) {
    uint64_t occupied = n->occupied.word[0];
    if (n->crossbar.wanted.word[0] || occupied & (occupied - 1) || !occupied || n->ports > 1) {
        return false;
    }
    unsigned from = (unsigned)__builtin_ctzll(occupied);
    struct crossbar_input *in = &n->crossbar.input[from];
    const struct ring_entry *head = ring_head(&n->input[from], now->time);
    if (!head || in->until > now->time) {
        return false;
    }
    unsigned to = network_receiver(n, &head->request);
    struct crossbar_receiver *r = &n->crossbar.receiver[to];
    if (r->until[0] > now->time || head->weight > ring_room(&n->output[to], now->time)) {
        return false;
    }
    in->asked = now->time;
    start_crossing(n, from, to, 0, &n->output[to], head->weight, now, next);
    return true;
}

static inline void serve_receivers(struct network *n, bool wide, unsigned word,
                                   const struct now *now, uint64_t *next) {
    for (uint64_t left = n->crossbar.wanted.word[word]; left; left &= left - 1) {
        unsigned to = word * 64 + (unsigned)__builtin_ctzll(left);
        if (n->ports == 1) {
            serve_port(n, wide, to, now, next);
        } else {
            serve_ports(n, wide, to, now, next);
        }
    }
}

/* Most networks have one word, and an instance of their own. */
static inline __attribute__((always_inline)) uint64_t cycle_of_width(struct network *n, bool wide,
                                                                     const struct now *now) {
    uint64_t next = NEVER;
    for (unsigned word = 0; word < (wide ? UNIT_WORDS : 1); word++) {
        ask_receivers(n, wide, word, now->time, &next);
    }
    for (unsigned word = 0; word < (wide ? UNIT_WORDS : 1); word++) {
        serve_receivers(n, wide, word, now, &next);
    }
    return next;
}

static __attribute__((noinline)) uint64_t wide_cycle(struct network *n, const struct now *now) {
    return cycle_of_width(n, true, now);
}

/* The next input in turn that is free. Return: n->inputs: none is. */
static unsigned next_free_input(const struct network *n, const struct crossbar_receiver *r,
                                uint64_t time, uint64_t *next) {
    if (unit_set_is_empty(&r->wanting)) {
        return n->inputs;
    }
    unsigned from = unit_set_after(&r->wanting, r->last);
    const unsigned first = from;
    do {
        if (n->crossbar.input[from].until <= time) {
            return from;
        }
        *next = earlier_time(*next, n->crossbar.input[from].until);
        from = unit_set_after(&r->wanting, from);
    } while (from != first);
    return n->inputs;
}

/* With virtual output queues: each free port of a receiver takes a packet. */
static void serve_receiver(struct network *n, unsigned to, const struct now *now, uint64_t *next) {
    struct crossbar_receiver *r = &n->crossbar.receiver[to];
    unsigned port = r->port;
    for (unsigned tried = 0; tried < n->ports;
         tried++, port = port + 1 == n->ports ? 0 : port + 1) {
        struct ring *output = &n->output[to * n->ports + port];
        const unsigned from = next_free_input(n, r, now->time, next);
        if (from == n->inputs) {
            return;
        }
        if (r->until[port] <= now->time) {
            const uint32_t place = virtual_outputs_find(n, from, to),
                           weight = virtual_outputs_weight(n, from, place);
            if (!port_has_room(output, weight, now->time, next)) {
                continue;
            }
            virtual_outputs_bring(n, from, to, place);
            start_crossing(n, from, to, port, output, weight, now, next);
            r->port = port + 1 == n->ports ? 0 : port + 1;
        }
        *next = earlier_time(*next, r->until[port]);
    }
}

static uint64_t cycle_of_queues(struct network *n, const struct now *now) {
    const uint64_t packets = n->stats.packets;
    uint64_t next = NEVER;
    for (unsigned word = 0; word < UNIT_WORDS; word++) {
        for (uint64_t left = n->occupied.word[word]; left; left &= left - 1) {
            const unsigned input = word * 64 + (unsigned)__builtin_ctzll(left);
            next = earlier_time(next, virtual_outputs_see(n, input, now->time));
        }
    }
    struct unit_set left = n->crossbar.wanted;
    unsigned to = (unsigned)(now->cycle % n->receivers);
    for (; !unit_set_is_empty(&left); unit_set_remove(&left, to)) {
        to = unit_set_after(&left, to);
        serve_receiver(n, to, now, &next);
    }
    /* A receiver without room for the input in turn may have room for the next one, now that this
     * input sends to another receiver. */
    return n->stats.packets == packets ? next : earlier_time(next, now_next_edge(now));
}

uint64_t crossbar_cycle(struct network *n, const struct now *now) {
    uint64_t next = NEVER;
    if (n->config->noc.virtual_outputs) {
        return cycle_of_queues(n, now);
    }
    if (n->wide) {
        return wide_cycle(n, now);
    }
    return send_only_packet(n, now, &next) ? next : cycle_of_width(n, false, now);
}
