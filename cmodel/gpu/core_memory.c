/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/core_memory.h"

#include "base/events.h"
#include "config/packets.h"
#include "gpu/core_issue.h"

bool core_wake_one(struct core *c, uint64_t cycle) {
    struct mshr_file *mshrs = &c->load_store.cache.mshrs;
    if (!mshr_ready(mshrs)) {
        return false;
    }
    const struct request *r = mshr_first(mshrs);
    core_data(c, r->warp, r->reg, cycle + c->config->l1.fill_latency, cycle, r);
    if (mshr_wake(mshrs)) {
        load_store_retry(&c->load_store);
    }
    return true;
}

void core_take_reply(struct core *c, uint64_t cycle, uint64_t now, bool port_taken) {
    const struct ring_entry *e = ring_head(c->replies, now);
    if (!e || (e->request.bypasses && port_taken)) {
        return;
    }
    const struct request *r = &e->request;
    c->stats.replies_received++;
    stall_reply(&c->stall, r, now);
    c->progressed = true;
    EVENT(c->events, now, "sm%u reply line %" PRIx64 " warp %u\n", c->id, r->line, r->warp);
    if (r->kind == REQUEST_WRITE) {
        core_answered(c, r->warp, cycle);
    } else if (r->bypasses) {
        core_data(c, r->warp, r->reg, cycle + c->config->l1.fill_latency, cycle, r);
    } else {
        l1_data_cache_fill(&c->load_store.cache, r);
        load_store_retry(&c->load_store);
    }
    ring_pop(c->replies, now);
    if (c->replies->sender_waits) {
        clock_wake(c->noc_clock, c->reply_network, now);
    }
}

void core_access_memory(struct core *c, uint64_t cycle, uint64_t now, uint64_t next) {
    struct load_store_outcome o;
    load_store_cycle(&c->load_store, cycle, now, next, &o);
    if (o.shared_taken) {
        if (o.shared_write) {
            core_answered(c, o.shared_warp, cycle);
        } else {
            core_data(c, o.shared_warp, o.shared_reg, o.shared_ready_at, cycle, NULL);
        }
    }
    if (!o.cache_taken) {
        return;
    }
    c->progressed = true;
    static const char *const name[] = {"hit", "pending", "miss", "bypass", "write"};
    EVENT(c->events, now, "sm%u l1-%s warp %u reg %u\n", c->id, name[o.cache_result], o.cache_warp,
          o.cache_reg);
    if (o.cache_result == L1_HIT) {
        core_data(c, o.cache_warp, o.cache_reg, cycle + c->config->l1.hit_latency, cycle, NULL);
    }
}

void core_inject(struct core *c, uint64_t now) {
    struct ring *queue = &c->load_store.cache.miss_queue;
    const struct ring_entry *e = ring_head(queue, now);
    if (!e) {
        return;
    }
    unsigned flits = request_flits(c->config, &e->request);
    if (ring_room(c->requests, now) < flits) {
        return;
    }
    struct request r = e->request;
    r.partition = (uint8_t)dram_map_partition(&c->map, r.line * c->config->l1.line_bytes, &r.local);
    ring_push(c->requests, &r, now + 1, flits);
    *c->requesting |= UINT64_C(1) << c->id;
    ring_pop(queue, now);
    clock_wake(c->noc_clock, c->request_network, now);
    load_store_retry(&c->load_store);
    c->stats.requests_sent++;
}

uint64_t core_memory_next(const struct core *c) {
    if (mshr_ready(&c->load_store.cache.mshrs)) {
        return 0;
    }
    uint64_t next = ring_next(c->replies);
    const struct ring *queue = &c->load_store.cache.miss_queue;
    if (queue->count) {
        const struct ring_entry *e = ring_front(queue);
        if (ring_has_room(c->requests, request_flits(c->config, &e->request))) {
            next = earlier(next, e->visible_at);
        }
    }
    return next;
}
