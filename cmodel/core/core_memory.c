/* SPDX-License-Identifier: Apache-2.0 */
#include "core/core_memory.h"

#include "base/events.h"
#include "config/packets.h"
#include "core/core_issue.h"
#include "core/core_policy.h"

/* One access that waits in a filled MSHR. A write that waited there has long been answered. */
static void wake_one(struct core *c, struct l1_data_cache *cache, unsigned latency,
                     uint64_t cycle) {
    const struct request *r = mshr_first(&cache->mshrs);
    if (r->kind == REQUEST_READ) {
        core_data(c, r->warp, r->reg, cycle + latency, cycle, l1_data_cache_filled_by(cache));
    }
    if (!mshr_wake(&cache->mshrs)) {
        return;
    }
    if (cache == &c->load_store.cache) {
        load_store_freed(&c->load_store);
    } else {
        load_store_retry(&c->load_store);
    }
}

static void take_texture_data(struct core *c, uint64_t cycle) {
    const struct request *cause;
    struct texture_access a = texture_cache_take(&c->load_store.texture, &cause);
    core_data(c, a.warp, a.reg, cycle + c->config->texture.hit_latency - 1, cycle, cause);
    load_store_retry(&c->load_store);
}

/* Its data goes to the register and fills no line. */
static bool needs_port(const struct request *r) {
    return r->bypasses || r->kind == REQUEST_ATOMIC;
}

/* The source that writes a register in this cycle, after the data cache's MSHRs: round-robin behind
 * the last one, so none starves. */
static enum core_port grant_port(struct core *c, uint64_t cycle, const struct ring_entry *reply) {
    struct load_store *u = &c->load_store;
    if (!u->read_only_used) {
        return CORE_PORT_REPLY;
    }
    const bool wants[CORE_PORTS] = {
        [CORE_PORT_REPLY] = reply && needs_port(&reply->request),
        [CORE_PORT_CONSTANT] = mshr_ready(&u->constant.mshrs),
        [CORE_PORT_TEXTURE] = texture_cache_next(&u->texture) <= cycle,
    };
    for (unsigned i = 0; i < CORE_PORTS; i++) {
        unsigned port = (c->port_turn + i) % CORE_PORTS;
        if (wants[port]) {
            c->port_turn = (uint8_t)((port + 1) % CORE_PORTS);
            return port;
        }
    }
    return CORE_PORTS;
}

static void take_reply(struct core *c, const struct request *r, uint64_t cycle) {
    struct load_store *u = &c->load_store;
    if (r->kind == REQUEST_WRITE) {
        c->stats.ack_replies++;
        core_answered(c, r->warp, cycle);
        return;
    }
    if (needs_port(r)) {
        core_data(c, r->warp, r->reg, cycle + c->config->l1.fill_latency, cycle, r);
    } else if (r->unit == UNIT_TEXTURE) {
        texture_cache_fill(&u->texture, r);
    } else if (r->unit == UNIT_CONSTANT) {
        l1_data_cache_fill(&u->constant, r);
        load_store_retry(u);
    } else {
        load_store_take_fill(u, r, cycle);
        if (core_policy_watches(c)) {
            core_policy_tell_eviction(c);
        }
    }
}

static __attribute__((noinline)) void watch_reply(struct core *c, const struct request *r,
                                                  uint64_t now) {
    EVENT(c->events, now, "sm%u reply line %" PRIx64 " warp %u\n", c->id, r->line, r->warp);
    if (c->warp_hits && r->kind != REQUEST_PREFETCH) {
        c->warp_hits[r->warp].requests++;
        c->warp_hits[r->warp].hits += r->l2_hit;
    }
}

void core_take_what_waits(struct core *c, const struct now *now) {
    const uint64_t cycle = now->cycle;
    struct load_store *u = &c->load_store;
    const struct ring_entry *e = ring_head(c->replies, now->time);
    enum core_port port = CORE_PORTS;
    if (mshr_ready(&u->cache.mshrs)) {
        wake_one(c, &u->cache, c->config->l1.fill_latency, cycle);
    } else {
        port = grant_port(c, cycle, e);
    }
    if (port == CORE_PORT_CONSTANT) {
        wake_one(c, &u->constant, c->config->constant.hit_latency, cycle);
    } else if (port == CORE_PORT_TEXTURE) {
        take_texture_data(c, cycle);
    }
    if (!e || (needs_port(&e->request) && port != CORE_PORT_REPLY)) {
        return;
    }
    const struct request *r = &e->request;
    c->stats.replies_received++;
    stall_reply(&c->stall, r, now->time);
    if (r->kind != REQUEST_PREFETCH) {
        warp_types_reply(&c->warp_types, r->warp, r->l2_hit);
    }
    c->progressed = true;
    if (c->watched) {
        watch_reply(c, r, now->time);
    }
    take_reply(c, r, cycle);
    ring_pop(c->replies, now->time);
    if (c->replies->sender_waits) {
        clock_wake(c->noc_clock, c->reply_network, now->time);
    }
}

/* An access to another memory than the L1 data cache, or a prefetch. */
static void past_data_cache(struct core *c, const struct load_store_outcome *o,
                            const struct now *now) {
    const uint64_t cycle = now->cycle;
    if (o->shared_taken && o->shared_write) {
        core_answered(c, o->shared_warp, cycle);
    } else if (o->shared_taken) {
        core_data(c, o->shared_warp, o->shared_reg, o->shared_ready_at, cycle, NULL);
    }
    if (o->constant_hit) {
        core_data(c, o->read_only_warp, o->read_only_reg, cycle + c->config->constant.hit_latency,
                  cycle, NULL);
    }
    if (o->prefetched) {
        EVENT(c->events, now->time, "sm%u l1-prefetch line %" PRIx64 "\n", c->id,
              c->load_store.cache.prefetched);
        if (core_policy_watches(c)) {
            core_policy_tell_eviction(c);
        }
    }
    c->progressed |= o->constant_hit || o->texture_taken || o->prefetched;
}

static inline void count_load_access(struct core *c, const struct l1_taken *taken) {
    enum load_access what;
    switch (taken->result) {
    case L1_HIT: what = LOAD_HIT_OTHER; break;
    case L1_PENDING_HIT: what = LOAD_PENDING_OTHER; break;
    case L1_MISS: what = LOAD_MISS; break;
    case L1_BYPASS:
    case L1_ATOMIC: what = LOAD_PAST; break;
    default: return; /* of a store */
    }
    if (what <= LOAD_PENDING_OTHER &&
        l1_data_cache_owns(&c->load_store.cache, taken->warp, c->policies.watched.line)) {
        what--; /* the same of its own line */
    }
    core_loads_taken(&c->loads, taken->warp, what);
}

/* Return: of the access that the data cache has taken; L1_RESULTS: none. */
enum l1_result core_access_one(struct core *c, const struct now *now) {
    const uint64_t cycle = now->cycle;
    struct load_store_outcome o;
    load_store_cycle(&c->load_store, now, &o);
    if (o.shared_taken | o.constant_hit | o.texture_taken | o.prefetched) {
        past_data_cache(c, &o, now);
    }
    if (!o.cache_taken) {
        return L1_RESULTS;
    }
    c->progressed = true;
    count_load_access(c, &o.cache);
    if (core_policy_watches(c)) {
        core_policy_tell_access(c, &o.cache, cycle);
    }
    static const char *const name[] = {"hit",   "pending",    "miss",  "bypass",
                                       "write", "write-done", "atomic"};
    EVENT(c->events, now->time, "sm%u l1-%s warp %u reg %u line %" PRIx64 "\n", c->id,
          name[o.cache.result], o.cache.warp, o.cache.reg, c->policies.watched.line);
    if (o.cache.result == L1_HIT) {
        core_data(c, o.cache.warp, o.cache.reg, cycle + c->config->l1.hit_latency, cycle, NULL);
    } else if (o.cache.result == L1_WRITE_DONE) {
        core_answered(c, o.cache.warp, cycle);
    }
    return o.cache.result;
}

/* Accesses of one instruction, with l1.ports: no second one that leaves the L1. */
void core_access_more(struct core *c, const struct now *now) {
    struct load_store *u = &c->load_store;
    bool left = false;
    for (unsigned ports = u->ports; ports; ports--) {
        const enum l1_result result = core_access_one(c, now);
        left |= !l1_data_cache_answered(&u->cache, result);
        if (result == L1_RESULTS || !load_store_continues(u) ||
            (left && load_store_leaves_next(u))) {
            return;
        }
    }
}

/* Queues before the interconnect, by enum request_unit. */
static struct ring *request_queue(struct core *c, unsigned unit) {
    struct load_store *u = &c->load_store;
    return unit == UNIT_DATA      ? &u->cache.miss_queue
           : unit == UNIT_TEXTURE ? &u->texture.requests
                                  : &u->constant.miss_queue;
}

static inline unsigned line_bytes(const struct config *config, unsigned unit) {
    return unit == UNIT_DATA      ? config->l1.line_bytes
           : unit == UNIT_TEXTURE ? config->texture.line_bytes
                                  : config->constant.line_bytes;
}

static inline void inject_request(struct core *c, struct ring *queue, unsigned unit, uint64_t now) {
    struct ring_entry *e = ring_head(queue, now);
    if (!e) {
        return;
    }
    unsigned flits = request_flits(c->config, &e->request);
    if (ring_room_beside_leaving(c->requests, now) < flits) {
        return; /* the others wait too: a small packet must not pass a large one for ever */
    }
    struct request *r = &e->request;
    r->partition =
        (uint8_t)dram_map_partition(&c->map, r->line * line_bytes(c->config, unit), &r->local);
    ring_push(c->requests, r, now + 1, flits);
    unit_set_add(c->requesting, c->id);
    ring_pop(queue, now);
    clock_wake(c->noc_clock, c->request_network, now);
    c->injected = true;
    c->inject_turn = unit + 1 < CORE_UNITS ? (uint8_t)(unit + 1) : 0;
    c->stats.requests_sent++;
}

void core_inject_one(struct core *c, uint64_t now) {
    unsigned unit = c->inject_turn;
    if (!c->load_store.read_only_used) {
        inject_request(c, &c->load_store.cache.miss_queue, UNIT_DATA,
                       now); /* the most frequent case */
        return;
    }
    for (unsigned i = 1; i < CORE_UNITS && !ring_head(request_queue(c, unit), now); i++) {
        unit = (unit + 1) % CORE_UNITS;
    }
    inject_request(c, request_queue(c, unit), unit, now);
}

static uint64_t next_injection(const struct core *c, const struct ring *queue) {
    if (!queue->count) {
        return NEVER;
    }
    const struct ring_entry *e = ring_front(queue);
    return later_time(e->visible_at,
                      ring_room_from(c->requests, request_flits(c->config, &e->request)));
}

uint64_t core_memory_next(const struct core *c) {
    const struct load_store *u = &c->load_store;
    if (mshr_ready(&u->cache.mshrs)) {
        return 0;
    }
    uint64_t next = earlier_time(ring_next(c->replies), next_injection(c, &u->cache.miss_queue));
    if (!u->read_only_used) {
        return next;
    }
    if (mshr_ready(&u->constant.mshrs) || texture_cache_next(&u->texture) != NEVER) {
        return 0;
    }
    next = earlier_time(next, next_injection(c, &u->texture.requests));
    return earlier_time(next, next_injection(c, &u->constant.miss_queue));
}
