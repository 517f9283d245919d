/* SPDX-License-Identifier: Apache-2.0
 *
 * The cycle of a partition whose requests pass the block l2/bypass.
 */
#include "l2/partition_parts.h"

/* --- to the DRAM --- */

/* A read that is not for the high queue leaves its share of the places free for those that are. */
static bool low_may_leave(const struct l2_partition *p, const struct request *r) {
    return !request_reads(r) || p->dram_reads < p->config->dram.return_queue;
}

/* Sends a request of the high queues, banks in turn. Return: true if one left. */
static bool send_high(struct l2_partition *p, uint64_t time) {
    uint32_t banks = 0;
    for (unsigned i = 0; i < p->banks; i++) {
        const struct ring_entry *e = ring_head(&p->bank[i].high_queue, time);
        banks |= (uint32_t)(e && may_leave(p, &e->request)) << i;
    }
    if (!banks || !ring_room(p->to_dram_high, time)) {
        return false;
    }
    unsigned bank = bank_in_turn(banks, p->next_high);
    send_from(p, &p->bank[bank], &p->bank[bank].high_queue, p->to_dram_high, time);
    p->next_high = (bank + 1) & (p->banks - 1);
    return true;
}

/* Sends a request of the low queues or the one that bypasses (@bypass, NULL: none), in turn.
 * Return: true if @bypass left. */
static bool send_low(struct l2_partition *p, const struct request *bypass, const struct now *now) {
    uint32_t who = 0;
    for (unsigned i = 0; i < p->banks; i++) {
        const struct ring_entry *e = ring_head(&p->bank[i].miss_queue, now->time);
        who |= (uint32_t)(e && low_may_leave(p, &e->request)) << i;
    }
    struct l2_bank *b = bypass ? bank_of(p, bypass) : NULL;
    if (b && low_may_leave(p, bypass) && l2_bank_may_bypass(b, bypass, now->time)) {
        who |= UINT32_C(1) << p->banks;
    }
    if (!who || !ring_room(p->to_dram, now->time)) {
        return false;
    }
    unsigned turn = bank_in_turn(who, p->next_miss);
    p->next_miss = turn == p->banks ? 0 : turn + 1;
    if (turn < p->banks) {
        send_from(p, &p->bank[turn], &p->bank[turn].miss_queue, p->to_dram, now->time);
        return false;
    }
    struct request sent = l2_bank_bypass(b, bypass, now);
    send_to_dram(p, p->to_dram, &sent, now->time, now->time);
    return true;
}

/* --- banks --- */

static void sorted_banks_cycle(struct l2_partition *p, const struct now *now, bool poll) {
    if (p->pooled) {
        p->dram_reads -= l2_partition_pooled_banks(p, now, poll);
        return;
    }
    for (struct l2_bank *b = p->bank; b < p->bank + p->banks; b++) {
        if (l2_bank_due(b, now->time, poll)) {
            p->dram_reads -= l2_bank_cycle(b, now, poll, L2_BANK_ALL);
        }
    }
}

/* --- front --- */

/* The source in front of the bypass block: a port's pipeline, or the interconnect. */
static struct ring *way_to_block(struct l2_partition *p, unsigned port) {
    return p->front.early ? p->requests[port] : &p->port[port].rop;
}

static const struct request *look_at_ports(struct l2_partition *p, const struct now *now) {
    for (unsigned i = 0; i < p->ports; i++) {
        const struct ring_entry *head = ring_head(way_to_block(p, i), now->time);
        if (head) {
            l2_front_show(&p->front, i, &head->request);
        }
    }
    return l2_front_look(&p->front);
}

/* The arbiter gives the banks the requests that the bypass block offers. Return: ports whose
 * request they take. */
static unsigned arbitrate_offered(struct l2_partition *p, const struct now *now) {
    struct l2_front *f = &p->front;
    struct bank_arbiter_in in = {.turn = (uint8_t)(now->cycle % p->ports),
                                 .req_valid = f->out.arb_valid};
    struct bank_arbiter_out out;
    for (unsigned left = in.req_valid; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        in.req_data[i] = f->out.arb_data[i];
        in.req_bank[i] = (uint8_t)bank_of(p, l2_front_offered(f, i))->number;
    }
    in.room = banks_with_room(p, now->time);
    l2_front_arbitrate(f, &in, &out);
    mark_ports(p, &in, now->cycle);
    for (unsigned left = out.bank_valid; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctz(left), port = out.bank_port[bank];
        struct l2_held *held = l2_front_leave(f, port, out.bank_data[bank]);
        l2_front_sort(f, port, &held->request);
        l2_bank_push(&p->bank[bank], &held->request,
                     now->time + p->config->l2.arbiter_latency * now->period, held->at_port_end,
                     now->cycle);
    }
    return out.req_ready;
}

/* With the block before the pipelines: the arbiter takes requests at their ends, and they take what
 * the block offers. Return: ports whose request they take. */
static unsigned fill_pipelines(struct l2_partition *p, const struct now *now) {
    struct l2_front *f = &p->front;
    unsigned taken = 0;
    bool heads = false;
    for (unsigned i = 0; i < p->ports; i++) {
        heads |= p->port[i].rop.front_at <= now->time;
    }
    if (heads) {
        l2_partition_arbitrate(p, now);
    }
    for (unsigned left = f->out.arb_valid; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (!ring_is_full(&p->port[i].rop)) {
            struct request *r = &l2_front_leave(f, i, f->out.arb_data[i])->request;
            l2_front_sort(f, i, r);
            ring_push(&p->port[i].rop, r, now->time + p->config->l2.rop_latency * now->period, 1);
            taken |= 1u << i;
        }
    }
    return taken;
}

/* The requests before the bypass block at @ports enter it. */
static void enter_bypass_block(struct l2_partition *p, unsigned ports, const struct now *now) {
    for (; ports; ports &= ports - 1) {
        unsigned i = (unsigned)__builtin_ctz(ports);
        struct ring *way = way_to_block(p, i);
        struct ring_entry *head = ring_front(way);
        if (p->front.early) {
            request_stamp(&head->request, STAMP_PORT, head->visible_at);
        }
        l2_front_enter(&p->front, i, &head->request,
                       now->cycle - (now->time - head->visible_at) / now->period);
        ring_pop(way, now->time);
        if (p->front.early && way->sender_waits) {
            clock_wake(p->noc_clock, p->request_network, now->time);
        }
    }
}

/* --- time --- */

static uint64_t next_of_bank(struct l2_partition *p, const struct l2_bank *b, uint64_t time) {
    uint64_t next =
        l2_bank_holds_return(b, time) ? l2_bank_next_held(b, time) : l2_bank_next(b, time);
    const struct ring *high = &b->high_queue, *low = &b->miss_queue;
    if (high->count && may_leave(p, &ring_front(high)->request) &&
        ring_has_room(p->to_dram_high, 1)) {
        next = earlier_time(next, high->front_at);
    }
    if (low->count && low_may_leave(p, &ring_front(low)->request) && ring_has_room(p->to_dram, 1)) {
        next = earlier_time(next, low->front_at);
    }
    return earlier_time(next,
                        ring_is_full(&reply_port_of(p, b)->queue) ? NEVER : b->output.front_at);
}

/* Can the request that the block offers at @port leave it to the arbiter, or the pipeline? */
static bool is_offer_taken(const struct l2_partition *p, unsigned port) {
    return !ring_is_full(p->front.early ? &p->port[port].rop
                                        : &bank_of(p, l2_front_offered(&p->front, port))->queue);
}

/* The time at which a request in the bypass block, or before it, can go on. */
static uint64_t next_of_front(struct l2_partition *p, const struct request *bypass, uint64_t time) {
    const struct l2_front *f = &p->front;
    if (f->active) {
        return time + 1;
    }
    for (unsigned left = f->out.arb_valid; left; left &= left - 1) {
        if (is_offer_taken(p, (unsigned)__builtin_ctz(left))) {
            return time + 1;
        }
    }
    if (bypass && low_may_leave(p, bypass) && ring_has_room(p->to_dram, 1) &&
        (bypass->kind != REQUEST_WRITE || !ring_is_full(&bank_of(p, bypass)->output))) {
        return time + 1;
    }
    uint64_t next = NEVER;
    for (unsigned i = 0; i < p->ports; i++) {
        uint64_t at = way_to_block(p, i)->front_at;
        next = earlier_time(next, at > time ? at : NEVER); /* else it waits for those before it */
    }
    return next;
}

static uint64_t next_time_sorted(struct l2_partition *p, const struct request *bypass,
                                 uint64_t time) {
    uint64_t next = next_of_front(p, bypass, time);
    for (const struct l2_bank *b = p->bank; b < p->bank + p->banks; b++) {
        next = earlier_time(next, next_of_bank(p, b, time));
    }
    for (unsigned i = 0; i < p->ports; i++) {
        const struct l2_port *port = &p->port[i];
        if (p->front.early) {
            next = port->rop.count ? earlier_time(next, next_port_time(p, port)) : next;
        } else {
            next = ring_is_full(&port->rop) ? next : earlier_time(next, p->requests[i]->front_at);
        }
    }
    return next_reply_time(p, p->reply_ports, next);
}

uint64_t l2_partition_cycle_sorted(struct l2_partition *p, const struct now *now, bool poll) {
    struct l2_front *f = &p->front;
    uint32_t outputs = 0;
    p->policies.view.cycle = now->cycle;
    sorted_banks_cycle(p, now, poll);
    const struct request *bypass = look_at_ports(p, now);
    bool left = !(p->to_dram_high && send_high(p, now->time)) && send_low(p, bypass, now);
    for (unsigned i = 0; i < p->banks; i++) {
        outputs |= (uint32_t)(p->bank[i].output.front_at <= now->time) << i;
    }
    if (outputs || replies_wait(p, p->reply_ports)) {
        reply_cycle(p, outputs, p->reply_ports, now);
    }
    unsigned taken = f->early ? fill_pipelines(p, now) : arbitrate_offered(p, now);
    if (left) {
        l2_front_bypassed(f);
    }
    enter_bypass_block(p, l2_front_edge(f, taken, left), now);
    for (unsigned i = 0; i < p->ports; i++) {
        if (!f->early && p->requests[i]->front_at <= now->time) {
            take_into_port(p, i, false, now);
        }
    }
    return next_time_sorted(p, left ? NULL : bypass, now->time);
}
