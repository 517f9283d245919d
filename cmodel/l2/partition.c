/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/partition.h"

#include <stdlib.h>

#include "config/packets.h"

/* At most: of a request that was waiting, of a fill ahead of time, of an access. */
#define OUTPUTS_A_CYCLE 3

bool l2_partition_init(struct l2_partition *p, const struct config *config, unsigned number,
                       uint64_t dram_period) {
    *p = (struct l2_partition){.config = config,
                               .dram_period = dram_period,
                               .ports = config->l2.ports,
                               .banks = config->l2.banks,
                               /* A bank's next access must not miss the place: it takes two. */
                               .sends_ahead = config->l2.miss_queue > 2,
                               .gives_ahead = true,
                               .channel = number};
    p->bank = calloc(p->banks, sizeof *p->bank);
    bool ok = p->bank && ring_init(&p->reply_queue, config->l2.reply_queue);
    for (unsigned i = 0; ok && i < p->ports; i++) {
        ok = ring_init(&p->port[i].rop, config->l2.rop_latency);
    }
    for (unsigned i = 0; ok && i < p->banks; i++) {
        ok = l2_bank_init(&p->bank[i], config, number, i);
    }
    /* The next reply that is not known yet: of an access, or of a fill, in the next cycle. */
    unsigned fill = config->l2.fill_latency + 1, hit = config->l2.hit_latency;
    p->replies_ahead = hit < fill ? hit : fill;
    if (ok && p->replies_ahead * OUTPUTS_A_CYCLE >= p->bank->output.capacity) {
        p->replies_ahead = 0; /* the place of a reply that leaves too early could be missed */
    }
    return ok;
}

bool l2_partition_make_blocks(struct l2_partition *p, struct block_factory *blocks,
                              struct block_alarm *alarm, char *error, size_t size) {
    for (unsigned i = 0; i < p->banks; i++) {
        if (!l2_bank_make_blocks(&p->bank[i], blocks, alarm, error, size)) {
            return false;
        }
    }
    return true;
}

bool l2_partition_join(struct l2_partition *p) {
    unsigned seen_early = p->bank->replacement ? 1 : 0; /* a request, for its set */
    p->joined = p->ports == 1 && p->banks == 1 && p->config->l2.queue > 1 + seen_early;
    return !p->joined || l2_bank_join_port(p->bank);
}

void l2_partition_destroy(struct l2_partition *p) {
    for (unsigned i = 0; p->bank && i < p->banks; i++) {
        l2_bank_destroy(&p->bank[i]);
    }
    for (unsigned i = 0; i < p->ports; i++) {
        ring_destroy(&p->port[i].rop);
    }
    ring_destroy(&p->reply_queue);
    free(p->bank);
}

void l2_partition_wire(struct l2_partition *p, struct ring *from_dram, FILE *events) {
    for (unsigned i = 0; i < p->banks; i++) {
        p->bank[i].from_dram = &from_dram[i];
        p->bank[i].events = events;
    }
}

/* Few banks and ports must not pay for many: instances of their own, with constant counts. */
#define FOR_ANY_COUNT static inline __attribute__((always_inline))

static bool full(const struct ring *r) {
    return r->used == r->capacity;
}

static struct l2_bank *bank_of(const struct l2_partition *p, const struct request *r) {
    return &p->bank[r->local & (p->banks - 1)];
}

/* --- to the DRAM --- */

/* A read needs a place for its return. */
static bool may_leave(const struct l2_partition *p, const struct request *r) {
    return r->kind != REQUEST_READ || p->dram_reads < p->config->dram.return_queue;
}

/* The head of a bank's miss queue leaves when it can be seen, at @now or in the next cycle. */
static inline bool send_miss(struct l2_partition *p, struct l2_bank *b, uint64_t now) {
    const struct ring_entry *e = ring_front(&b->miss_queue);
    if (!may_leave(p, &e->request)) {
        return false;
    }
    uint64_t visible =
        (e->visible_at > now ? e->visible_at : now) + p->config->dram.latency * p->dram_period;
    p->dram_reads += e->request.kind == REQUEST_READ;
    ring_push(p->to_dram, &e->request, visible, 1);
    ring_pop(&b->miss_queue, now);
    l2_bank_note(b, L2_CHANGE_MISS_QUEUE);
    clock_wake_at(p->dram_clock, p->channel, now, visible);
    return true;
}

/* The banks of a mask, those from @first on before the others. */
static unsigned in_turn(uint32_t banks, unsigned first) {
    uint32_t after = banks >> first << first;
    return (unsigned)__builtin_ctz(after ? after : banks);
}

/* One request a cycle, the banks in turn. */
static void miss_cycle(struct l2_partition *p, uint32_t banks, uint64_t now) {
    while (banks && ring_room(p->to_dram, now)) {
        unsigned bank = in_turn(banks, p->next_miss);
        if (send_miss(p, &p->bank[bank], now)) {
            p->next_miss = (bank + 1) & (p->banks - 1);
            return;
        }
        banks &= ~(1u << bank);
    }
}

/* --- replies --- */

/* It leaves at @at, @now or later. */
static inline bool send_reply(struct l2_partition *p, struct request *r, uint64_t now,
                              uint64_t at) {
    unsigned flits = reply_flits(p->config, r);
    if (ring_room(p->replies, now) < flits) {
        return false;
    }
    request_stamp(r, STAMP_REPLY, at);
    ring_push(p->replies, r, at + 1, flits);
    *p->replying |= UINT64_C(1) << p->channel;
    clock_wake_at(p->noc_clock, p->reply_network, now, at + 1);
    return true;
}

/* Of a bank's output: at once into the interconnect if nothing is before it, else into the queue.
 */
static bool take_output(struct l2_partition *p, struct l2_bank *b, bool pass, uint64_t now,
                        uint64_t period) {
    struct ring_entry *e = ring_head(&b->output, now);
    if (!pass || !send_reply(p, &e->request, now, now)) {
        if (!ring_room(&p->reply_queue, now)) {
            return false;
        }
        ring_push(&p->reply_queue, &e->request, now + period, 1);
    }
    ring_pop(&b->output, now);
    l2_bank_note(b, L2_CHANGE_OUTPUT);
    return true;
}

static void reply_cycle(struct l2_partition *p, uint32_t banks, uint64_t now, uint64_t period) {
    bool pass = !p->reply_queue.count;
    struct ring_entry *e = ring_head(&p->reply_queue, now);
    if (e && send_reply(p, &e->request, now, now)) {
        ring_pop(&p->reply_queue, now);
    }
    if (banks) {
        unsigned bank = in_turn(banks, p->next_reply);
        if (take_output(p, &p->bank[bank], pass, now, period)) {
            p->next_reply = (bank + 1) & (p->banks - 1);
        }
    }
}

/* A fill has just been answered: its reply leaves ahead of time if no other can come before it or
 * with it. */
static inline void reply_ahead(struct l2_partition *p, uint64_t now, uint64_t period) {
    struct l2_bank *first = NULL;
    uint64_t at = NEVER;
    bool competes = false;
    for (struct l2_bank *b = p->bank; b < p->bank + p->banks; b++) {
        if (mshr_ready(&b->mshrs)) {
            return;
        }
        competes = b->output.front_at == at || (competes && b->output.front_at > at);
        first = b->output.front_at < at ? b : first;
        at = earlier(at, b->output.front_at);
    }
    if (!first || competes || at > now + p->replies_ahead * period) {
        return;
    }
    struct ring *output = &first->output;
    if (output->count == 1 && send_reply(p, &ring_front(output)->request, now, at)) {
        ring_pop(output, now);
        p->next_reply = (first->number + 1) & (p->banks - 1);
    }
}

/* --- ports and arbiter --- */

static void mark_blocked(struct l2_partition *p, struct l2_port *port, bool blocked,
                         uint64_t cycle) {
    if (port->blocked && !blocked) {
        p->conflicts += cycle - port->blocked_since;
    } else if (!port->blocked && blocked) {
        port->blocked_since = cycle;
    }
    port->blocked = blocked;
}

/* The head of a port into its bank's queue. */
static void give(struct l2_port *port, struct l2_bank *b, const struct ring_entry *head,
                 uint64_t cycle, uint64_t now, uint64_t period) {
    uint64_t waited = head->visible_at == now ? 0 : (now - head->visible_at) / period;
    l2_bank_push(b, &head->request, now + b->config->l2.arbiter_latency * period, cycle - waited);
    ring_pop(&port->rop, now);
}

static inline void arbitrate_one_port(struct l2_partition *p, uint64_t cycle, uint64_t now,
                                      uint64_t period) {
    struct l2_port *port = &p->port[0];
    const struct ring_entry *head = ring_front(&port->rop);
    struct l2_bank *b = bank_of(p, &head->request);
    if (port->blocked && full(&b->queue)) {
        return; /* as before */
    }
    bool room = ring_room(&b->queue, now);
    if (room) {
        give(port, b, head, cycle, now, period);
    }
    mark_blocked(p, port, !room, cycle);
}

/* Whose request the bank gets, of the ports that show one for it. */
static unsigned choose_port(struct l2_partition *p, unsigned bank, unsigned ports, uint64_t cycle) {
    unsigned owed = p->owed[bank] & ports, among = owed ? owed : ports;
    unsigned port = (unsigned)(cycle % p->ports);
    while (!(among >> port & 1)) {
        port = port + 1 == p->ports ? 0 : port + 1;
    }
    p->owed[bank] = (uint8_t)(among & ~(1u << port));
    return port;
}

static void arbitrate(struct l2_partition *p, uint64_t cycle, uint64_t now, uint64_t period) {
    uint8_t wanting[L2_BANKS_MAX] = {0}; /* ports with a request for a bank */
    uint32_t wanted = 0;
    for (unsigned i = 0; i < p->ports; i++) {
        const struct ring_entry *head = ring_head(&p->port[i].rop, now);
        if (head) {
            unsigned bank = (unsigned)(head->request.local & (p->banks - 1));
            wanting[bank] |= (uint8_t)(1u << i);
            wanted |= 1u << bank;
        }
    }
    for (; wanted; wanted &= wanted - 1) {
        unsigned bank = (unsigned)__builtin_ctz(wanted);
        struct l2_bank *b = &p->bank[bank];
        bool room = ring_room(&b->queue, now);
        for (unsigned left = wanting[bank]; left; left &= left - 1) {
            mark_blocked(p, &p->port[__builtin_ctz(left)], !room, cycle);
        }
        if (room) {
            struct l2_port *port = &p->port[choose_port(p, bank, wanting[bank], cycle)];
            give(port, b, ring_front(&port->rop), cycle, now, period);
        }
    }
}

/* The first request before a port into its pipeline; @ahead: if its bank's queue has room, there,
 * to be seen when it has gone through pipeline and arbiter. */
static void take_request(struct l2_partition *p, unsigned i, bool ahead, uint64_t cycle,
                         uint64_t now, uint64_t period) {
    struct ring *rop = &p->port[i].rop, *requests = p->requests[i];
    struct ring_entry *e = ring_front(requests);
    struct l2_bank *b = bank_of(p, &e->request);
    bool gives = p->joined || (ahead && ring_room(&b->queue, now));
    if (p->joined ? !ring_room(&b->queue, now) : full(rop)) {
        return; /* a stage of the pipeline that moved on in this very cycle is free */
    }
    uint64_t end = now + p->config->l2.rop_latency * period;
    request_stamp(&e->request, STAMP_PORT, e->visible_at);
    if (gives) {
        l2_bank_push(b, &e->request, end + p->config->l2.arbiter_latency * period,
                     cycle + p->config->l2.rop_latency);
    } else {
        ring_push(rop, &e->request, end, 1);
    }
    ring_pop(requests, now);
    if (requests->sender_waits) {
        clock_wake(p->noc_clock, p->request_network, now);
    }
}

/* Is each request that is before a port now certain to be given to its bank when it comes to the
 * arbiter, if there is room for it now? No other that is inside can be there before it or with it:
 * the pipelines are empty, and the requests are for different banks. */
static bool may_give_ahead(const struct l2_partition *p, unsigned ports, uint64_t now) {
    uint32_t banks = 0;
    for (unsigned i = 0; i < ports; i++) {
        if (p->port[i].rop.count) {
            return false;
        }
        if (p->requests[i]->front_at <= now) {
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

/* --- time --- */

/* A head that has not yet been seen, or lost to another port, or whose bank has room now. */
static uint64_t next_port_time(const struct l2_partition *p, const struct l2_port *port) {
    const struct ring_entry *head = ring_front(&port->rop);
    return !port->blocked || !full(&bank_of(p, &head->request)->queue) ? head->visible_at : NEVER;
}

/* The time at which the partition can go on by itself. What waits for a neighbour's room is left
 * out: it wakes us. */
FOR_ANY_COUNT uint64_t next_time(const struct l2_partition *p, uint64_t now, unsigned banks,
                                 unsigned ports) {
    uint64_t next = NEVER;
    bool queue_full = full(&p->reply_queue);
    const struct l2_bank *end = p->bank + banks;
    for (const struct l2_bank *b = p->bank; b < end; b++) {
        next = earlier(next, l2_bank_next(b, now));
        if (b->miss_queue.count && may_leave(p, &ring_front(&b->miss_queue)->request) &&
            ring_has_room(p->to_dram, 1)) {
            next = earlier(next, b->miss_queue.front_at);
        }
        next = earlier(next, queue_full ? NEVER : b->output.front_at);
    }
    for (unsigned i = 0; i < ports; i++) {
        const struct l2_port *port = &p->port[i];
        next = port->rop.count ? earlier(next, next_port_time(p, port)) : next;
        bool no_room = full(banks == 1 && p->joined ? &p->bank->queue : &port->rop);
        next = no_room ? next : earlier(next, p->requests[i]->front_at);
    }
    if (p->reply_queue.count) {
        const struct ring_entry *e = ring_front(&p->reply_queue);
        if (ring_has_room(p->replies, reply_flits(p->config, &e->request))) {
            next = earlier(next, e->visible_at);
        }
    }
    return next;
}

FOR_ANY_COUNT uint64_t partition_cycle(struct l2_partition *p, uint64_t cycle, uint64_t now,
                                       uint64_t period, bool poll, unsigned banks, unsigned ports) {
    uint32_t misses = 0, outputs = 0, bit = 1;
    unsigned fills = 0, waiting = 0;
    struct l2_bank *end = p->bank + banks, *last = p->bank;
    for (struct l2_bank *b = p->bank; b < end; b++, bit <<= 1) {
        if (l2_bank_due(b, now, poll)) {
            fills += l2_bank_cycle(b, cycle, now, period, poll);
        }
        misses |= b->miss_queue.front_at <= now ? bit : 0;
        outputs |= b->output.front_at <= now ? bit : 0;
        last = b->miss_queue.count ? b : last;
        waiting += b->miss_queue.count;
    }
    p->dram_reads -= fills;
    if (misses) {
        miss_cycle(p, misses, now);
    } else if (waiting == 1 && p->sends_ahead && p->to_dram->used < p->to_dram->capacity) {
        if (send_miss(p, last, now)) {
            p->next_miss = (last->number + 1) & (banks - 1);
        }
    }
    if (outputs || p->reply_queue.count) {
        reply_cycle(p, outputs, now, period);
    } else if (fills && p->replies_ahead) {
        reply_ahead(p, now, period);
    }
    bool heads = false;
    for (unsigned i = 0; i < ports; i++) {
        heads |= p->port[i].rop.front_at <= now;
    }
    if (heads && ports == 1) {
        arbitrate_one_port(p, cycle, now, period);
    } else if (heads) {
        arbitrate(p, cycle, now, period);
    }
    bool arrivals = false, ahead = false;
    for (unsigned i = 0; i < ports; i++) {
        arrivals |= p->requests[i]->front_at <= now;
    }
    if (arrivals && !p->joined) {
        ahead = may_give_ahead(p, ports, now);
    }
    for (unsigned i = 0; arrivals && i < ports; i++) {
        if (p->requests[i]->front_at <= now) {
            take_request(p, i, ahead, cycle, now, period);
        }
    }
    return next_time(p, now, banks, ports);
}

#define INSTANCE(name, banks, ports) \
    static __attribute__((noinline)) uint64_t name(struct l2_partition *p, uint64_t cycle, \
                                                   uint64_t now, uint64_t period, bool poll) { \
        return partition_cycle(p, cycle, now, period, poll, banks, ports); \
    }
INSTANCE(cycle_of_one, 1, 1)
INSTANCE(cycle_of_two, 2, 2)
INSTANCE(cycle_of_many, p->banks, p->ports)
#undef INSTANCE

uint64_t l2_partition_cycle(struct l2_partition *p, uint64_t cycle, uint64_t now, uint64_t period,
                            bool poll) {
    if (p->banks == 1 && p->ports == 1) {
        return cycle_of_one(p, cycle, now, period, poll);
    }
    return p->banks == 2 && p->ports == 2 ? cycle_of_two(p, cycle, now, period, poll)
                                          : cycle_of_many(p, cycle, now, period, poll);
}

void l2_partition_settle(struct l2_partition *p, uint64_t cycle) {
    for (unsigned i = 0; i < p->banks; i++) {
        l2_bank_settle(&p->bank[i], cycle);
    }
    for (unsigned i = 0; i < p->ports; i++) {
        if (p->port[i].blocked) {
            p->conflicts += cycle - p->port[i].blocked_since;
            p->port[i].blocked_since = cycle;
        }
    }
}

bool l2_partition_idle(const struct l2_partition *p) {
    bool idle = !p->reply_queue.count && !p->dram_reads;
    for (unsigned i = 0; idle && i < p->ports; i++) {
        idle = !p->port[i].rop.count;
    }
    for (unsigned i = 0; idle && i < p->banks; i++) {
        idle = l2_bank_idle(&p->bank[i]);
    }
    return idle;
}
