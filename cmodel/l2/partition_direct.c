/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycle of a partition whose requests go from the ports directly to the arbiter.
 */
#include "l2/partition_parts.h"

/* Few banks and ports must not pay for many: instances of their own, with constant counts. */
#define FOR_ANY_COUNT static inline __attribute__((always_inline))

/* The first time at which a request that is still before the bank may reach its output. */
static inline uint64_t next_access_output(const struct l2_partition *p, const struct l2_bank *b,
                                          const struct now *now) {
    const struct config *c = p->config;
    uint64_t access = now->time + (c->l2.rop_latency + c->l2.arbiter_latency) * now->period;
    for (unsigned i = 0; i < p->ports; i++) {
        uint64_t given = later_time(p->port[i].rop.front_at, now->time);
        access = given == NEVER ? access
                                : earlier_time(access, given + c->l2.arbiter_latency * now->period);
    }
    uint64_t queued = later_time(b->queue.front_at, b->free_at);
    access = earlier_time(access, b->refused == L2_ACCEPTED ? queued : now->time);
    return later_time(access, now_next_edge(now)) + c->l2.hit_latency * now->period;
}

/* A fill has just been answered: its reply leaves ahead of time if no other can come before it.
 * Replies of its own bank follow it; a fill of a later cycle is answered later. */
static inline void reply_ahead(struct l2_partition *p, unsigned banks, unsigned ports,
                               const struct now *now) {
    struct l2_bank *first = NULL;
    for (struct l2_bank *b = p->bank; b < p->bank + banks; b++) {
        if (mshr_ready(&b->mshrs) || (b->output.count && first)) {
            return;
        }
        first = b->output.count ? b : first;
    }
    if (!first || first->output.count != 1 || first->output.leaving_until >= now->time) {
        return;
    }
    struct ring *output = &first->output;
    const uint64_t at = output->front_at;
    if (at > now->time + (p->config->l2.fill_latency + 1) * now->period) {
        return; /* not the fill's, which no request waited for */
    }
    for (struct l2_bank *b = p->bank; banks > 1 && b < p->bank + banks; b++) {
        if (b != first && next_access_output(p, b, now) <= at) {
            return;
        }
    }
    struct l2_reply_port *port = ports == 1 ? p->reply : reply_port_of(p, first);
    if (send_reply(p, port, &ring_front(output)->request, now->time, at)) {
        ring_pop_until(output, now->time, at);
        p->replied_at = at;
        port->next = (first->number + 1) & (banks - 1);
    }
}

/* --- ports and arbiter --- */

static inline void arbitrate_one_port(struct l2_partition *p, const struct now *now) {
    struct l2_port *port = &p->port[0];
    const struct ring_entry *head = ring_front(&port->rop);
    struct l2_bank *b = bank_of(p, &head->request);
    if (port->blocked && ring_is_full(&b->queue)) {
        return; /* as before */
    }
    bool room = ring_room(&b->queue, now->time);
    if (room) {
        give_to_bank(port, b, head, now);
    }
    mark_blocked(p, port, !room, now->cycle);
}

void l2_partition_arbitrate(struct l2_partition *p, const struct now *now) {
    struct bank_arbiter_in in = {.turn = (uint8_t)(now->cycle % p->ports)};
    struct bank_arbiter_out out;
    for (unsigned i = 0; i < p->ports; i++) {
        const struct ring_entry *head = ring_head(&p->port[i].rop, now->time);
        if (head) {
            in.req_valid |= (uint8_t)(1u << i);
            in.req_bank[i] = (uint8_t)bank_of(p, &head->request)->number;
            in.req_data[i] = l2_front_header(&head->request, 0);
        }
    }
    in.room = banks_with_room(p, now->time);
    l2_front_arbitrate(&p->front, &in, &out);
    mark_ports(p, &in, now->cycle);
    for (unsigned left = out.bank_valid; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctz(left);
        struct l2_port *port = &p->port[out.bank_port[bank]];
        give_to_bank(port, &p->bank[bank], ring_front(&port->rop), now);
    }
}

/* Is each request that is before a port now certain to be given to its bank when it comes to the
 * arbiter, if there is room for it now? No other that is inside can be there before it or with it:
 * the pipelines are empty, and the requests are for different banks. */
static bool may_give_ahead(const struct l2_partition *p, unsigned ports, uint64_t time) {
    uint32_t banks = 0;
    for (unsigned i = 0; i < ports; i++) {
        if (p->port[i].rop.count) {
            return false;
        }
        if (p->requests[i]->front_at <= time) {
            uint64_t local = ring_front(p->requests[i])->request.local;
            uint32_t bank = UINT32_C(1) << (local & (p->banks - 1));
            if (banks & bank) {
                return false;
            }
            banks |= bank;
        }
    }
    return p->gives_ahead;
}

/* Takes the requests that could be seen before @now, each when it would have been taken: one a
 * cycle, while the bank has room, of which nothing has become free since. */
static inline void take_late(struct l2_partition *p, const struct now *now) {
    const struct ring *requests = p->requests[0];
    while (requests->front_at < now->time && !ring_is_full(&p->bank->queue)) {
        uint64_t cycles = (now->time - requests->front_at) / now->period;
        uint64_t first = now->time - cycles * now->period;
        uint64_t at = later_time(first, p->taken_at + now->period);
        if (at >= now->time || !ring_room(&p->bank->queue, at)) {
            return;
        }
        struct now then = {.time = at,
                           .cycle = now->cycle - (now->time - at) / now->period,
                           .period = now->period};
        take_into_port(p, 0, false, &then);
        p->taken_at = at;
    }
}

void l2_partition_take_late(struct l2_partition *p, const struct now *now) {
    if (p->banks == 1 && p->lag) {
        take_late(p, now);
    }
}

/* --- time --- */

/* The time at which the partition can go on by itself. A request that waits for a neighbour's room
 * is left out: the neighbour wakes us. */
FOR_ANY_COUNT uint64_t next_time_direct(struct l2_partition *p, uint64_t time, unsigned banks,
                                        unsigned ports, unsigned replies) {
    uint64_t next = NEVER;
    bool first_full = ring_is_full(&p->reply->queue);
    const struct l2_bank *end = p->bank + banks;
    for (const struct l2_bank *b = p->bank; b < end; b++) {
        next = earlier_time(next, l2_bank_next(b, time));
        if (b->miss_queue.count && may_leave(p, &ring_front(&b->miss_queue)->request) &&
            ring_has_room(p->to_dram, 1)) {
            next = earlier_time(next, b->miss_queue.front_at);
        }
        if (b->output.count &&
            !(replies == 1 ? first_full : ring_is_full(&reply_port_of(p, b)->queue))) {
            next = earlier_time(next, later_time(b->output.front_at, p->replied_at + 1));
        }
    }
    for (unsigned i = 0; i < ports; i++) {
        const struct l2_port *port = &p->port[i];
        next = port->rop.count ? earlier_time(next, next_port_time(p, port)) : next;
        bool no_room = ring_is_full(banks == 1 && p->joined ? &p->bank->queue : &port->rop);
        const struct ring *requests = p->requests[i];
        if (banks == 1 && p->lag && requests->capacity - requests->used >= p->lag_room) {
            next = earlier_time(next, requests->count ? requests->front_at + p->lag : NEVER);
        } else {
            next = no_room ? next : earlier_time(next, requests->front_at);
        }
    }
    return next_reply_time(p, replies, next);
}

/* All wake before one of them accesses its tags; the bank whose turn it is accesses first. */
unsigned l2_partition_pooled_banks(struct l2_partition *p, const struct now *now, bool poll) {
    const unsigned first = p->pool.first;
    unsigned fills = 0;
    for (struct l2_bank *b = p->bank; b < p->bank + p->banks; b++) {
        if (b->from_dram->front_at <= now->time || mshr_ready(&b->mshrs)) {
            fills += l2_bank_cycle(b, now, false, L2_BANK_WAKES);
        }
    }
    for (unsigned turn = 0; turn < p->banks; turn++) {
        struct l2_bank *b = &p->bank[(first + turn) & (p->banks - 1)];
        if (b->queue.front_at <= now->time && (l2_bank_may_go_on(b) || poll)) {
            l2_bank_cycle(b, now, poll, L2_BANK_ACCESSES);
        }
    }
    return fills;
}

FOR_ANY_COUNT uint64_t direct_partition_cycle(struct l2_partition *p, const struct now *now,
                                              bool poll, unsigned banks, unsigned ports,
                                              unsigned replies, bool pooled) {
    uint32_t misses = 0, outputs = 0, bit = 1;
    p->policies.view.cycle = now->cycle;
    unsigned fills = pooled ? l2_partition_pooled_banks(p, now, poll) : 0, waiting = 0;
    if (!pooled && banks == 1 && p->lag) {
        take_late(p, now);
    }
    struct l2_bank *end = p->bank + banks, *last = p->bank;
    for (struct l2_bank *b = p->bank; b < end; b++, bit <<= 1) {
        if (!pooled && l2_bank_due(b, now->time, poll)) {
            fills += l2_bank_cycle(b, now, poll, L2_BANK_ALL);
        }
        misses |= b->miss_queue.front_at <= now->time ? bit : 0;
        outputs |= b->output.front_at <= now->time ? bit : 0;
        last = b->miss_queue.count ? b : last;
        waiting += b->miss_queue.count;
    }
    p->dram_reads -= fills;
    if (misses) {
        miss_cycle(p, misses, now->time);
    } else if (waiting == 1 && p->sends_ahead && p->to_dram->used < p->to_dram->capacity) {
        if (send_miss(p, last, now->time)) {
            p->next_miss = (last->number + 1) & (banks - 1);
        }
    }
    if (outputs || replies_wait(p, replies)) {
        reply_cycle(p, now->time > p->replied_at ? outputs : 0, replies, now);
    } else if (fills && p->replies_ahead) {
        reply_ahead(p, banks, replies, now);
    }
    bool heads = false;
    for (unsigned i = 0; i < ports; i++) {
        heads |= p->port[i].rop.front_at <= now->time;
    }
    if (heads && ports == 1) {
        arbitrate_one_port(p, now);
    } else if (heads) {
        l2_partition_arbitrate(p, now);
    }
    bool arrivals = false, ahead = false;
    for (unsigned i = 0; i < ports; i++) {
        arrivals |= p->requests[i]->front_at <= now->time;
    }
    if (arrivals && !p->joined) {
        ahead = may_give_ahead(p, ports, now->time);
    }
    for (unsigned i = 0; arrivals && i < ports; i++) {
        if (p->requests[i]->front_at <= now->time) {
            take_into_port(p, i, ahead, now);
            p->taken_at = now->time;
        }
    }
    return next_time_direct(p, now->time, banks, ports, replies);
}

#define INSTANCE(name, banks, ports, replies, pooled) \
    uint64_t name(struct l2_partition *p, const struct now *now, bool poll) { \
        return direct_partition_cycle(p, now, poll, banks, ports, replies, pooled); \
    }
INSTANCE(l2_partition_cycle_of_one, 1, 1, 1, false)
INSTANCE(l2_partition_cycle_of_two, 2, 2, 1, false)
INSTANCE(l2_partition_cycle_of_many, p->banks, p->ports, p->reply_ports, false)
INSTANCE(l2_partition_cycle_pooled, p->banks, p->ports, p->reply_ports, true)
#undef INSTANCE
