/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/partition.h"

#include <stdlib.h>

#include "config/derived.h"
#include "l2/partition_sorted.h"
#include "l2/partition_ways.h"

/* At most: of a request that was waiting, of a fill ahead of time, of an access. */
#define OUTPUTS_A_CYCLE 3

static uint64_t cycle_of_one(struct l2_partition *p, const struct now *now, bool poll);
static uint64_t cycle_of_two(struct l2_partition *p, const struct now *now, bool poll);
static uint64_t cycle_of_many(struct l2_partition *p, const struct now *now, bool poll);

static void choose_cycle(struct l2_partition *p) {
    p->evaluate = l2_front_sorts(p->config)        ? l2_partition_sorted_cycle
                  : p->banks == 1 && p->ports == 1 ? cycle_of_one
                  : p->banks == 2 && p->ports == 2 ? cycle_of_two
                                                   : cycle_of_many;
}

/* Nothing ahead of time: where requests are sorted, as any may then come between. */
static void only_in_time(struct l2_partition *p) {
    p->sends_ahead = p->gives_ahead = false;
    p->replies_ahead = 0;
    for (unsigned i = 0; i < p->banks; i++) {
        p->bank[i].wakes_ahead = false;
    }
}

bool l2_partition_init(struct l2_partition *p, const struct config *config, unsigned number,
                       uint64_t dram_period) {
    *p = (struct l2_partition){.config = config,
                               .dram_period = dram_period,
                               .ports = config->l2.ports,
                               .banks = config->l2.banks,
                               .reads = config_dram_returns(config),
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
    if (!ok) {
        return false;
    }
    choose_cycle(p);
    /* The next reply that is not known yet: of an access, or of a fill, in the next cycle. */
    unsigned fill = config->l2.fill_latency + 1, hit = config->l2.hit_latency;
    p->replies_ahead = hit < fill ? hit : fill;
    if (p->replies_ahead * OUTPUTS_A_CYCLE >= p->bank->output.capacity) {
        p->replies_ahead = 0; /* the place of a reply that leaves too early could be missed */
    }
    if (l2_front_sorts(config)) {
        only_in_time(p);
    }
    return true;
}

void l2_partition_attach(struct l2_partition *p, struct warp_table *table, unsigned first_update,
                         unsigned first_lookup) {
    p->front.table = table;
    p->front.first_update = first_update;
    p->front.first_lookup = first_lookup;
}

bool l2_partition_make_blocks(struct l2_partition *p, struct block_factory *blocks,
                              struct alarm *alarm, char *error, size_t size) {
    p->gives_ahead &=
        !blocks ||
        !l2_front_arbitrates(p->config); /* an arbiter in another's hands sees every request */
    for (unsigned i = 0; i < p->banks; i++) {
        if (!l2_bank_make_blocks(&p->bank[i], blocks, alarm, error, size)) {
            return false;
        }
    }
    for (unsigned i = 0; p->config->medic.reuse == MEDIC_REUSE_BLOOM && i < p->banks; i++) {
        p->bank[i].filters->recent = &p->front.policy.recent;
    }
    return l2_front_init(&p->front, p->config, p->channel, blocks, alarm, error, size);
}

bool l2_partition_join(struct l2_partition *p) {
    unsigned seen_early = p->bank->replacement ? 1 : 0; /* a request, for its set */
    p->joined =
        p->gives_ahead && p->ports == 1 && p->banks == 1 && p->config->l2.queue > 1 + seen_early;
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
    l2_front_destroy(&p->front);
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

/* A fill has just been answered: its reply leaves ahead of time if no other can come before it or
 * with it. */
static inline void reply_ahead(struct l2_partition *p, const struct now *now) {
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
    if (!first || competes || at > now->time + p->replies_ahead * now->period) {
        return;
    }
    struct ring *output = &first->output;
    if (output->count == 1 && send_reply(p, &ring_front(output)->request, now->time, at)) {
        ring_pop(output, now->time);
        p->next_reply = (first->number + 1) & (p->banks - 1);
    }
}

/* --- ports and arbiter --- */

static inline void arbitrate_one_port(struct l2_partition *p, const struct now *now) {
    struct l2_port *port = &p->port[0];
    const struct ring_entry *head = ring_front(&port->rop);
    struct l2_bank *b = bank_of(p, &head->request);
    if (port->blocked && full(&b->queue)) {
        return; /* as before */
    }
    bool room = ring_room(&b->queue, now->time);
    if (room) {
        give(port, b, head, now);
    }
    mark_blocked(p, port, !room, now->cycle);
}

static void arbitrate(struct l2_partition *p, const struct now *now) {
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
    l2_front_arbitrate(&p->front, &in, &out, now->cycle);
    mark_ports(p, &in, now->cycle);
    for (unsigned left = out.bank_valid; left; left &= left - 1) {
        unsigned bank = (unsigned)__builtin_ctz(left);
        struct l2_port *port = &p->port[out.bank_port[bank]];
        give(port, &p->bank[bank], ring_front(&port->rop), now);
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

/* --- time --- */

/* A head that has not yet been seen, or lost to another port, or whose bank has room now. */
static uint64_t next_port_time(const struct l2_partition *p, const struct l2_port *port) {
    const struct ring_entry *head = ring_front(&port->rop);
    return !port->blocked || !full(&bank_of(p, &head->request)->queue) ? head->visible_at : NEVER;
}

/* The time at which the partition can go on by itself. What waits for a neighbour's room is left
 * out: it wakes us. */
FOR_ANY_COUNT uint64_t next_time(const struct l2_partition *p, uint64_t time, unsigned banks,
                                 unsigned ports) {
    uint64_t next = NEVER;
    bool queue_full = full(&p->reply_queue);
    const struct l2_bank *end = p->bank + banks;
    for (const struct l2_bank *b = p->bank; b < end; b++) {
        next = earlier(next, l2_bank_next(b, time));
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

FOR_ANY_COUNT uint64_t partition_cycle(struct l2_partition *p, const struct now *now, bool poll,
                                       unsigned banks, unsigned ports) {
    uint32_t misses = 0, outputs = 0, bit = 1;
    unsigned fills = 0, waiting = 0;
    struct l2_bank *end = p->bank + banks, *last = p->bank;
    for (struct l2_bank *b = p->bank; b < end; b++, bit <<= 1) {
        if (l2_bank_due(b, now->time, poll)) {
            fills += l2_bank_cycle(b, now, poll);
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
    if (outputs || p->reply_queue.count) {
        reply_cycle(p, outputs, now);
    } else if (fills && p->replies_ahead) {
        reply_ahead(p, now);
    }
    bool heads = false;
    for (unsigned i = 0; i < ports; i++) {
        heads |= p->port[i].rop.front_at <= now->time;
    }
    if (heads && ports == 1) {
        arbitrate_one_port(p, now);
    } else if (heads) {
        arbitrate(p, now);
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
            take_request(p, i, ahead, now);
        }
    }
    return next_time(p, now->time, banks, ports);
}

#define INSTANCE(name, banks, ports) \
    static __attribute__((noinline)) uint64_t name(struct l2_partition *p, const struct now *now, \
                                                   bool poll) { \
        return partition_cycle(p, now, poll, banks, ports); \
    }
INSTANCE(cycle_of_one, 1, 1)
INSTANCE(cycle_of_two, 2, 2)
INSTANCE(cycle_of_many, p->banks, p->ports)
#undef INSTANCE

void l2_partition_settle(struct l2_partition *p, uint64_t cycle) {
    for (unsigned i = 0; i < p->banks; i++) {
        struct l2_bank *b = &p->bank[i];
        l2_bank_settle(b, cycle);
        unsigned stages = p->config->l2.arbiter_latency + p->front.sorts + (b->replacement != NULL);
        b->stats.pipeline_delay = b->stats.requests * stages;
        b->stats.queue_wait = b->stats.delay - b->stats.pipeline_delay;
    }
    for (unsigned i = 0; i < p->ports; i++) {
        if (p->port[i].blocked) {
            p->conflicts += cycle - p->port[i].blocked_since;
            p->port[i].blocked_since = cycle;
        }
    }
}

bool l2_partition_idle(const struct l2_partition *p) {
    bool idle = !p->reply_queue.count && !p->dram_reads && !p->front.count;
    for (unsigned i = 0; idle && i < p->ports; i++) {
        idle = !p->port[i].rop.count;
    }
    for (unsigned i = 0; idle && i < p->banks; i++) {
        idle = l2_bank_idle(&p->bank[i]);
    }
    return idle;
}
