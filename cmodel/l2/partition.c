/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/partition.h"

#include <assert.h>

#include "base/events.h"
#include "config/packets.h"

bool l2_partition_init(struct l2_partition *p, const struct config *config, uint64_t dram_period) {
    *p = (struct l2_partition){.config = config, .dram_period = dram_period};
    /* The ROP pipeline holds one request a stage when the queue behind it is full. */
    return tag_array_init(&p->tags, config->l2.sets, config->l2.ways, TAG_INDEX_MODULO) &&
           mshr_init(&p->mshrs, config->l2.mshrs, config->l2.mshr_merge) &&
           ring_init(&p->queue, config->l2.rop_latency + config->l2.queue) &&
           ring_init(&p->miss_queue, config->l2.miss_queue) &&
           ring_init(&p->reply_queue, config->l2.reply_queue);
}

void l2_partition_destroy(struct l2_partition *p) {
    tag_array_destroy(&p->tags);
    mshr_destroy(&p->mshrs);
    ring_destroy(&p->queue);
    ring_destroy(&p->miss_queue);
    ring_destroy(&p->reply_queue);
}

static void reply(struct l2_partition *p, const struct request *r, uint64_t visible) {
    ring_push(&p->reply_queue, r, visible, 1);
    p->stats.replies++;
}

/* Answer one request that waited for a fill. */
static void wake_one(struct l2_partition *p, uint64_t now, uint64_t period) {
    if (mshr_ready(&p->mshrs) && ring_room(&p->reply_queue, now)) {
        reply(p, mshr_first(&p->mshrs), now + p->config->l2.fill_latency * period);
        p->changed |= mshr_wake(&p->mshrs) ? L2_CHANGE_MSHR_FREE : 0;
    }
}

static void take_fill(struct l2_partition *p, uint64_t now) {
    struct ring_entry *e = ring_head(p->from_dram, now);
    if (!e) {
        return;
    }
    unsigned set = tag_set_of(&p->tags, e->request.local);
    unsigned way = e->request.l2_way;
    assert(tag_line(&p->tags, set, (int)way) == e->request.local &&
           !tag_is_valid(&p->tags, set, (int)way));
    tag_fill(&p->tags, set, (int)way);
    mshr_fill(&p->mshrs, e->request.l2_mshr);
    ring_pop(p->from_dram, now);
    p->dram_reads--;
    p->changed |= L2_CHANGE_FILL;
    EVENT(p->events, now, "l2.%u fill local %" PRIx64 "\n", p->channel,
          tag_line(&p->tags, set, (int)way));
}

/* Evict a dirty victim: its data goes to the DRAM. There is room in the miss queue. */
static void evict(struct l2_partition *p, const struct request *r, unsigned set, int victim,
                  uint64_t visible) {
    struct request back = {.kind = REQUEST_WRITEBACK,
                           .local = tag_line(&p->tags, set, victim),
                           .partition = r->partition,
                           .bytes = LINE_BYTES};
    ring_push(&p->miss_queue, &back, visible, 1);
    p->stats.writebacks++;
}

static enum l2_refusal hit(struct l2_partition *p, const struct request *r, unsigned set, int way,
                           uint64_t now, uint64_t period) {
    if (!ring_room(&p->reply_queue, now)) {
        return L2_FAIL_REPLY_QUEUE;
    }
    tag_touch(&p->tags, set, way);
    if (r->kind == REQUEST_WRITE) {
        tag_set_dirty(&p->tags, set, way);
        p->stats.write_hits++;
    } else {
        p->stats.read_hits++;
    }
    reply(p, r, now + p->config->l2.hit_latency * period);
    return L2_ACCEPTED;
}

static enum l2_refusal miss(struct l2_partition *p, const struct request *r, unsigned set,
                            uint64_t now, uint64_t period) {
    bool write = r->kind == REQUEST_WRITE,
         fetch = !(write && r->full && p->config->l2.write_miss == L2_WRITE_MISS_PARTIAL);
    int victim = tag_victim(&p->tags, set);
    if (victim == TAG_NO_WAY) {
        return L2_FAIL_ASSOCIATIVITY;
    }
    if (fetch && !mshr_has_free(&p->mshrs)) {
        return L2_FAIL_MSHR_FULL;
    }
    bool dirty = tag_is_dirty(&p->tags, set, victim);
    if (ring_room(&p->miss_queue, now) < (unsigned)dirty + (unsigned)fetch) {
        return L2_FAIL_MISS_QUEUE;
    }
    if (!fetch && !ring_room(&p->reply_queue, now)) {
        return L2_FAIL_REPLY_QUEUE;
    }
    if (dirty) {
        evict(p, r, set, victim, now + period);
    }
    if (fetch) {
        struct request read = *r;
        read.l2_mshr = (uint16_t)mshr_allocate(&p->mshrs, r);
        read.l2_way = (uint32_t)victim;
        read.kind = REQUEST_READ;
        tag_reserve(&p->tags, set, victim, r->local, read.l2_mshr);
        if (write) {
            tag_set_dirty(&p->tags, set, victim); /* from the fill on */
        }
        ring_push(&p->miss_queue, &read, now + period, 1);
    } else {
        tag_insert(&p->tags, set, victim, r->local);
        tag_set_dirty(&p->tags, set, victim);
        p->stats.full_line_writes++;
        reply(p, r, now + p->config->l2.hit_latency * period);
    }
    p->stats.write_misses += write;
    p->stats.read_misses += !write;
    return L2_ACCEPTED;
}

static enum l2_refusal access_bank(struct l2_partition *p, const struct request *r, uint64_t now,
                                   uint64_t period) {
    unsigned set = tag_set_of(&p->tags, r->local);
    int way = tag_find(&p->tags, set, r->local);
    if (way == TAG_NO_WAY) {
        return miss(p, r, set, now, period);
    }
    if (tag_is_valid(&p->tags, set, way)) {
        return hit(p, r, set, way, now, period);
    }
    unsigned entry = tag_mshr(&p->tags, set, way);
    if (!mshr_can_merge(&p->mshrs, entry)) {
        return L2_FAIL_MSHR_MERGE;
    }
    mshr_merge(&p->mshrs, entry, r);
    tag_touch(&p->tags, set, way);
    if (r->kind == REQUEST_WRITE) {
        tag_set_dirty(&p->tags, set, way);
        p->stats.write_pending_hits++;
    } else {
        p->stats.read_pending_hits++;
    }
    return L2_ACCEPTED;
}

static void count_retries(struct l2_partition *p, uint64_t cycle) {
    if (p->refused != L2_ACCEPTED) {
        p->stats.fails[p->refused] += cycle - p->refused_since;
        p->refused_since = cycle;
    }
}

/* Could the request that was refused be taken now, or refused for another cause? A fill makes a
 * line valid, so it also changes which line would be evicted, and with it whether a write-back
 * needs a place. */
static bool may_go_on(const struct l2_partition *p) {
    static const unsigned waits_for[L2_REFUSALS] = {
        [L2_ACCEPTED] = L2_CHANGE_ANY,
        [L2_FAIL_ASSOCIATIVITY] = L2_CHANGE_FILL,
        [L2_FAIL_MSHR_FULL] = L2_CHANGE_MSHR_FREE,
        [L2_FAIL_MSHR_MERGE] = L2_CHANGE_FILL,
        [L2_FAIL_MISS_QUEUE] = L2_CHANGE_FILL | L2_CHANGE_MISS_QUEUE,
        [L2_FAIL_REPLY_QUEUE] = L2_CHANGE_FILL | L2_CHANGE_REPLY_QUEUE,
    };
    return p->refused == L2_ACCEPTED || p->changed & waits_for[p->refused];
}

static void bank_cycle(struct l2_partition *p, uint64_t cycle, uint64_t now, uint64_t period) {
    const struct ring_entry *e = ring_head(&p->queue, now);
    if (!e || !may_go_on(p)) {
        return;
    }
    count_retries(p, cycle);
    p->changed = 0;
    p->refused = access_bank(p, &e->request, now, period);
    if (p->refused == L2_ACCEPTED) {
        p->stats.requests++;
        EVENT(p->events, now, "l2.%u took %s line %" PRIx64 " sm%u warp %u\n", p->channel,
              e->request.kind == REQUEST_READ ? "read" : "write", e->request.line, e->request.core,
              e->request.warp);
        ring_pop(&p->queue, now);
    } else {
        p->refused_since = cycle;
    }
}

/* To the DRAM: a read needs a place for its return. */
static void miss_queue_cycle(struct l2_partition *p, uint64_t now) {
    const struct ring_entry *e = ring_head(&p->miss_queue, now);
    if (!e || !ring_room(p->to_dram, now)) {
        return;
    }
    bool read = e->request.kind == REQUEST_READ;
    if (read && p->dram_reads == p->config->dram.return_queue) {
        return;
    }
    p->dram_reads += read;
    uint64_t visible = now + p->config->dram.latency * p->dram_period;
    ring_push(p->to_dram, &e->request, visible, 1);
    ring_pop(&p->miss_queue, now);
    p->changed |= L2_CHANGE_MISS_QUEUE;
    clock_wake_at(p->dram_clock, p->channel, now, visible);
}

static void reply_queue_cycle(struct l2_partition *p, uint64_t now) {
    const struct ring_entry *e = ring_head(&p->reply_queue, now);
    if (!e) {
        return;
    }
    unsigned flits = reply_flits(p->config, &e->request);
    if (ring_room(p->replies, now) >= flits) {
        ring_push(p->replies, &e->request, now + 1, flits);
        *p->replying |= UINT64_C(1) << p->channel;
        ring_pop(&p->reply_queue, now);
        p->changed |= L2_CHANGE_REPLY_QUEUE;
        clock_wake(p->noc_clock, p->reply_network, now);
    }
}

/* Whether a request came from the port. */
static inline bool take_request(struct l2_partition *p, struct ring *port, uint64_t now,
                                uint64_t period) {
    struct ring_entry *e = ring_head(port, now);
    if (!e || !ring_room(&p->queue, now)) {
        return false;
    }
    ring_push(&p->queue, &e->request, now + p->config->l2.rop_latency * period, 1);
    ring_pop(port, now);
    if (port->sender_waits) {
        clock_wake(p->noc_clock, p->request_network, now);
    }
    return true;
}

/* One request a cycle; the port that is looked at first rotates. */
static void request_cycle(struct l2_partition *p, uint64_t cycle, uint64_t now, uint64_t period) {
    unsigned ports = p->config->l2.ports;
    if (ports == 1) {
        take_request(p, p->requests, now, period);
        return;
    }
    for (unsigned i = 0; i < ports; i++) {
        if (take_request(p, &p->requests[(cycle + i) % ports], now, period)) {
            return;
        }
    }
}

static bool full(const struct ring *r) {
    return r->used == r->capacity;
}

/* The time at which the partition can go on by itself. What waits for a neighbour's room is left
 * out: it wakes us. */
static uint64_t next_time(const struct l2_partition *p, uint64_t now) {
    uint64_t next = ring_next(p->from_dram);
    if ((p->refused != L2_ACCEPTED && may_go_on(p)) ||
        (mshr_ready(&p->mshrs) && !full(&p->reply_queue))) {
        return now + 1;
    }
    if (p->refused == L2_ACCEPTED) {
        next = earlier(next, ring_next(&p->queue));
    }
    if (p->miss_queue.count && ring_has_room(p->to_dram, 1)) {
        next = earlier(next, ring_next(&p->miss_queue));
    }
    if (!full(&p->queue)) {
        next = earlier(next, ring_next(p->requests));
        for (unsigned i = 1; i < p->config->l2.ports; i++) {
            next = earlier(next, ring_next(&p->requests[i]));
        }
    }
    if (p->reply_queue.count) {
        const struct ring_entry *e = ring_front(&p->reply_queue);
        if (ring_has_room(p->replies, reply_flits(p->config, &e->request))) {
            next = earlier(next, e->visible_at);
        }
    }
    return next;
}

uint64_t l2_partition_cycle(struct l2_partition *p, uint64_t cycle, uint64_t now, uint64_t period,
                            bool poll) {
    p->changed |= poll ? L2_CHANGE_ANY : 0;
    wake_one(p, now, period);
    take_fill(p, now);
    bank_cycle(p, cycle, now, period);
    miss_queue_cycle(p, now);
    reply_queue_cycle(p, now);
    request_cycle(p, cycle, now, period);
    return next_time(p, now);
}

void l2_partition_settle(struct l2_partition *p, uint64_t cycle) {
    count_retries(p, cycle);
}

bool l2_partition_idle(const struct l2_partition *p) {
    return !p->queue.count && !p->miss_queue.count && !p->reply_queue.count && !p->dram_reads &&
           p->mshrs.free_count == p->mshrs.entries && !tag_reserved_count(&p->tags);
}

bool l2_partition_register_stats(const struct l2_partition *p, struct stats *s) {
#define L2_STAT(member, stat, unit, meaning, source) \
    { {"l2." stat, unit, meaning, source, STAT_SUM}, offsetof(struct l2_stats, member) }
    static const struct stat_member members[] = {
        L2_STAT(requests, "requests", "requests", "requests that the banks took", "model"),
        L2_STAT(read_hits, "read_hits", "requests", "reads that found their line valid", "model"),
        L2_STAT(read_pending_hits, "read_pending_hits", "requests", "reads merged into an MSHR",
                "model"),
        L2_STAT(read_misses, "read_misses", "requests", "reads that fetched their line", "model"),
        L2_STAT(write_hits, "write_hits", "requests", "writes that found their line valid",
                "model"),
        L2_STAT(write_pending_hits, "write_pending_hits", "requests", "writes merged into an MSHR",
                "model"),
        L2_STAT(write_misses, "write_misses", "requests", "writes that allocated their line",
                "model"),
        L2_STAT(full_line_writes, "full_line_write_misses", "requests",
                "of them, writes of a whole line: allocated without a fetch", "model"),
        L2_STAT(writebacks, "writebacks", "lines", "dirty lines evicted", "model"),
        L2_STAT(replies, "replies", "replies", "answers to the cores, acknowledgements included",
                "model"),
        L2_STAT(fails[L2_FAIL_ASSOCIATIVITY], "fail_associativity", "L2 cycles",
                "a request waited: every line of its set waits for a fill", "model"),
        L2_STAT(fails[L2_FAIL_MSHR_FULL], "fail_mshr_full", "L2 cycles",
                "a request waited: no MSHR free", "model"),
        L2_STAT(fails[L2_FAIL_MSHR_MERGE], "fail_mshr_merge", "L2 cycles",
                "a request waited: the MSHR of its line holds no more", "model"),
        L2_STAT(fails[L2_FAIL_MISS_QUEUE], "fail_miss_queue", "L2 cycles",
                "a request waited: no room in the queue to the DRAM", "model"),
        L2_STAT(fails[L2_FAIL_REPLY_QUEUE], "fail_reply_queue", "L2 cycles",
                "a request waited: no room in the queue to the interconnect", "model"),
    };
#undef L2_STAT
    return stats_register_members(s, members, sizeof members / sizeof *members, &p->stats);
}
