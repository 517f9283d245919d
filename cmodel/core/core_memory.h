/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory side of a core: its load/store unit and caches between the scoreboard and the
 * interconnect.
 */
#ifndef WARPMEM_CORE_CORE_MEMORY_H
#define WARPMEM_CORE_CORE_MEMORY_H

#include "core/core.h"

void core_take_what_waits(struct core *c, const struct now *now);
enum l1_result core_access_one(struct core *c, const struct now *now);
void core_access_more(struct core *c, const struct now *now);
void core_inject_one(struct core *c, uint64_t now);

/**
 * core_take_data() - take the data that returns to the registers and caches in a step; a cycle has
 * l1.steps of them, and what is said of a cycle here holds for each.
 *
 * Misses share one register write port. An access in a filled MSHR of the data cache goes first,
 * because those are few; else these take turns: a reply for the register (of a bypassing read or
 * an atomic), an access in a filled MSHR of the constant cache, the head of the texture cache's
 * FIFO. Hits of the data and constant caches and shared-memory data have paths of their own. One
 * reply a cycle leaves the interconnect; a reply for the register that does not get the port stays
 * there and blocks those after it.
 */
static inline void core_take_data(struct core *c, const struct now *now) {
    const struct load_store *u = &c->load_store;
    if (ring_next(c->replies) <= now->time || mshr_ready(&u->cache.mshrs) || u->read_only_used) {
        core_take_what_waits(c, now);
    }
}
/** core_access_memory() - one step of the load/store unit. */
static inline void core_access_memory(struct core *c, const struct now *now) {
    if (load_store_sleeps(&c->load_store, now->cycle)) {
        return;
    }
    if (c->load_store.ports == 1) {
        core_access_one(c, now);
    } else {
        core_access_more(c, now);
    }
}
/** core_inject() - at most one request into the interconnect: of the data, the texture and the
 * constant cache, in turn. */
static inline void core_inject(struct core *c, uint64_t now) {
    if (ring_next(&c->load_store.cache.miss_queue) <= now || c->load_store.read_only_used) {
        core_inject_one(c, now);
    }
}
/** core_memory_next() - time of the next work of the functions above, without the load/store unit;
 * NEVER: when woken. */
uint64_t core_memory_next(const struct core *c);

#endif
