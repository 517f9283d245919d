/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside of a partition: its kinds of cycles, of which l2_partition_init() chooses one, and their
 * common parts: the way to the DRAM, replies, ports.
 */
#ifndef WARPMEM_L2_PARTITION_PARTS_H
#define WARPMEM_L2_PARTITION_PARTS_H

#include "config/packets.h"
#include "l2/partition.h"

/** l2_partition_cycle_of_one(), _of_two(), _of_many(), _pooled() - requests go from the ports
 * directly to the arbiter. They are instances for one port and one bank, for two of each and one
 * reply port, for any numbers, and for any numbers with shared MSHRs. */
uint64_t l2_partition_cycle_of_one(struct l2_partition *p, const struct now *now, bool poll);
uint64_t l2_partition_cycle_of_two(struct l2_partition *p, const struct now *now, bool poll);
uint64_t l2_partition_cycle_of_many(struct l2_partition *p, const struct now *now, bool poll);
uint64_t l2_partition_cycle_pooled(struct l2_partition *p, const struct now *now, bool poll);

/** l2_partition_pooled_banks() - the cycles of banks that share MSHRs. Return: fills taken. */
unsigned l2_partition_pooled_banks(struct l2_partition *p, const struct now *now, bool poll);

/** l2_partition_arbitrate() - the arbiter gives the banks the requests at the ends of the pipelines
 * of the ports. */
void l2_partition_arbitrate(struct l2_partition *p, const struct now *now);

/** l2_partition_cycle_sorted() - the cycle with the block l2/bypass before the arbiter: if
 * l2_policies_sort(). */
uint64_t l2_partition_cycle_sorted(struct l2_partition *p, const struct now *now, bool poll);

static inline struct l2_bank *bank_of(const struct l2_partition *p, const struct request *r) {
    return &p->bank[r->local & (p->banks - 1)];
}

static inline struct l2_reply_port *reply_port_of(struct l2_partition *p, const struct l2_bank *b) {
    return &p->reply[b->number & (p->reply_ports - 1)];
}

/* --- to the DRAM --- */

/* A read needs a place for its return. */
static inline bool may_leave(const struct l2_partition *p, const struct request *r) {
    return r->kind != REQUEST_READ || p->dram_reads < p->reads;
}

/* A request leaves at @at, which is @time or later. */
static inline void send_to_dram(struct l2_partition *p, struct ring *way, const struct request *r,
                                uint64_t time, uint64_t at) {
    uint64_t visible = at + p->config->dram.latency * p->dram_period;
    p->dram_reads += r->kind == REQUEST_READ;
    ring_push(way, r, visible, 1);
    clock_wake_at(p->dram_clock, p->channel, time, visible - p->dram_early);
}

/* The head of a bank's queue leaves when it is visible, at @time or in the next cycle. */
static inline void send_from(struct l2_partition *p, struct l2_bank *b, struct ring *queue,
                             struct ring *way, uint64_t time) {
    const struct ring_entry *e = ring_front(queue);
    send_to_dram(p, way, &e->request, time, later_time(e->visible_at, time));
    ring_pop(queue, time);
    l2_bank_note(b, L2_CHANGE_MISS_QUEUE);
}

static inline bool send_miss(struct l2_partition *p, struct l2_bank *b, uint64_t time) {
    if (!may_leave(p, &ring_front(&b->miss_queue)->request)) {
        return false;
    }
    send_from(p, b, &b->miss_queue, p->to_dram, time);
    return true;
}

/* The first bank of a mask from @first on, else the lowest. */
static inline unsigned bank_in_turn(uint32_t banks, unsigned first) {
    uint32_t after = banks >> first << first;
    return (unsigned)__builtin_ctz(after ? after : banks);
}

/* Sends one request a cycle, the banks in turn. */
static inline void miss_cycle(struct l2_partition *p, uint32_t banks, uint64_t time) {
    while (banks && ring_room(p->to_dram, time)) {
        unsigned bank = bank_in_turn(banks, p->next_miss);
        if (send_miss(p, &p->bank[bank], time)) {
            p->next_miss = (bank + 1) & (p->banks - 1);
            return;
        }
        banks &= ~(1u << bank);
    }
}

/* --- replies --- */

/* The reply leaves at @at, which is @time or later. */
static inline bool send_reply(struct l2_partition *p, struct l2_reply_port *port, struct request *r,
                              uint64_t time, uint64_t at) {
    unsigned flits = reply_flits(p->config, r);
    if (ring_room_beside_leaving(port->to_noc, time) < flits) {
        return false;
    }
    request_stamp(r, STAMP_REPLY, at);
    ring_push(port->to_noc, r, at + 1, flits);
    unit_set_add(p->replying, port->input);
    clock_wake_at(p->noc_clock, p->reply_network, time, at + 1);
    return true;
}

/* The head of a bank's output goes into the interconnect at once if no reply is before it, else
 * into the queue. */
static inline bool take_output(struct l2_partition *p, struct l2_reply_port *port,
                               struct l2_bank *b, bool pass, const struct now *now) {
    struct ring_entry *e = ring_head(&b->output, now->time);
    if (!pass || !send_reply(p, port, &e->request, now->time, now->time)) {
        if (!ring_room(&port->queue, now->time)) {
            return false;
        }
        ring_push(&port->queue, &e->request, now_next_edge(now), 1);
    }
    ring_pop(&b->output, now->time);
    l2_bank_note(b, L2_CHANGE_OUTPUT);
    return true;
}

/* @banks: those of the port whose output has a reply. */
static inline __attribute__((always_inline)) void reply_port_cycle(struct l2_partition *p,
                                                                   struct l2_reply_port *port,
                                                                   uint32_t banks,
                                                                   const struct now *now) {
    bool pass = !port->queue.count;
    struct ring_entry *e = ring_head(&port->queue, now->time);
    if (e && send_reply(p, port, &e->request, now->time, now->time)) {
        ring_pop(&port->queue, now->time);
    }
    if (banks) {
        unsigned bank = bank_in_turn(banks, port->next);
        if (take_output(p, port, &p->bank[bank], pass, now)) {
            port->next = (bank + 1) & (p->banks - 1);
        }
    }
}

/* @banks: those whose output has a reply; @ports: p->reply_ports. */
static inline __attribute__((always_inline)) void reply_cycle(struct l2_partition *p,
                                                              uint32_t banks, unsigned ports,
                                                              const struct now *now) {
    for (struct l2_reply_port *port = p->reply; port < p->reply + ports; port++) {
        reply_port_cycle(p, port, ports == 1 ? banks : banks & port->banks, now);
    }
}

/* Does a queue hold a reply? */
static inline bool replies_wait(const struct l2_partition *p, unsigned ports) {
    return ports == 1 ? p->reply->queue.count : l2_partition_replies(p);
}

/* The first time at which the head of a reply queue can leave; @next if that is earlier. */
static inline uint64_t next_reply_time(const struct l2_partition *p, unsigned ports,
                                       uint64_t next) {
    for (const struct l2_reply_port *port = p->reply; port < p->reply + ports; port++) {
        if (port->queue.count) {
            const struct ring_entry *e = ring_front(&port->queue);
            uint64_t room = ring_room_from(port->to_noc, reply_flits(p->config, &e->request));
            next = earlier_time(next, later_time(e->visible_at, room));
        }
    }
    return next;
}

/* --- ports and arbiter --- */

static inline void mark_blocked(struct l2_partition *p, struct l2_port *port, bool blocked,
                                uint64_t cycle) {
    if (port->blocked && !blocked) {
        p->conflicts += cycle - port->blocked_since;
    } else if (!port->blocked && blocked) {
        port->blocked_since = cycle;
    }
    port->blocked = blocked;
}

/* Banks whose queues have room. */
static inline uint16_t banks_with_room(const struct l2_partition *p, uint64_t time) {
    unsigned banks = 0;
    for (unsigned i = 0; i < p->banks; i++) {
        banks |= (unsigned)(ring_room(&p->bank[i].queue, time) > 0) << i;
    }
    return (uint16_t)banks;
}

/* Marks the ports whose request is before the arbiter and waits for room. */
static inline void mark_ports(struct l2_partition *p, const struct bank_arbiter_in *in,
                              uint64_t cycle) {
    for (unsigned left = in->req_valid; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        mark_blocked(p, &p->port[i], !(in->room >> in->req_bank[i] & 1), cycle);
    }
}

/* Moves the head of a port into its bank's queue. */
static inline void give_to_bank(struct l2_port *port, struct l2_bank *b,
                                const struct ring_entry *head, const struct now *now) {
    uint64_t waited =
        head->visible_at == now->time ? 0 : (now->time - head->visible_at) / now->period;
    l2_bank_push(b, &head->request, now->time + b->config->l2.arbiter_latency * now->period,
                 now->cycle - waited, now->cycle);
    ring_pop(&port->rop, now->time);
}

/* The time of a head that is not visible yet, lost to another port, or has a bank with room now. */
static inline uint64_t next_port_time(const struct l2_partition *p, const struct l2_port *port) {
    const struct ring_entry *head = ring_front(&port->rop);
    return !port->blocked || !ring_is_full(&bank_of(p, &head->request)->queue) ? head->visible_at
                                                                               : NEVER;
}

/* Moves the first request before a port into its pipeline; with @ahead, if its bank's queue has
 * room, into that queue, visible when it would have passed pipeline and arbiter. */
static inline void take_into_port(struct l2_partition *p, unsigned i, bool ahead,
                                  const struct now *now) {
    struct ring *rop = &p->port[i].rop, *requests = p->requests[i];
    struct ring_entry *e = ring_front(requests);
    struct l2_bank *b = bank_of(p, &e->request);
    bool gives = p->joined || (ahead && ring_room(&b->queue, now->time));
    if (p->joined ? !ring_room(&b->queue, now->time) : ring_is_full(rop)) {
        return; /* a stage of the pipeline that moved on in this cycle is free */
    }
    uint64_t end = now->time + p->config->l2.rop_latency * now->period;
    request_stamp(&e->request, STAMP_PORT, e->visible_at);
    if (gives) {
        l2_bank_push(b, &e->request, end + p->config->l2.arbiter_latency * now->period,
                     now->cycle + p->config->l2.rop_latency,
                     now->cycle + p->config->l2.rop_latency);
    } else {
        ring_push(rop, &e->request, end, 1);
    }
    ring_pop(requests, now->time);
    if (requests->sender_waits) {
        clock_wake(p->noc_clock, p->request_network, now->time);
    }
}

#endif
