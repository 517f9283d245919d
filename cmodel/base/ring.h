/* SPDX-License-Identifier: Apache-2.0
 *
 * Ring of requests between two units, registered on both sides: a push becomes visible at a later
 * time, and so does the room that a pop frees. The order in which units are evaluated at one time
 * therefore changes nothing. Room is counted in weights: 1 for a request, or its flits.
 */
#ifndef WARPMEM_BASE_RING_H
#define WARPMEM_BASE_RING_H

#include <assert.h>
#include <stddef.h>

#include "base/request.h"

struct ring_entry {
    struct request request;
    uint64_t visible_at;
    uint32_t weight;
};

struct ring {
    struct ring_entry *entries;
    uint64_t front_at; /* time from which the oldest entry is visible; NEVER: empty */
    uint32_t mask;     /* entries - 1 */
    uint32_t capacity; /* in weights */
    uint32_t used;     /* in weights */
    uint32_t head, count;
    uint32_t freed; /* weight popped at freed_at; usable from the next time on */
    uint64_t freed_at;
    uint32_t leaving; /* weight popped by ring_pop_until(); usable after leaving_until */
    uint64_t leaving_until;
    bool sender_waits; /* the sender may sleep until there is more room; a pop wakes it */
};

/** ring_init() - room for @capacity weights. False: out of memory. */
bool ring_init(struct ring *r, uint32_t capacity);
void ring_destroy(struct ring *r);

/** ring_has_room() - true if @weight fits now or soon. Otherwise the sender will be woken. */
static inline bool ring_has_room(struct ring *r, uint32_t weight) {
    r->sender_waits = r->capacity - r->used < weight;
    return !r->sender_waits;
}

/** ring_room() - weight that fits at @now. */
static inline uint32_t ring_room(const struct ring *r, uint64_t now) {
    return r->capacity - r->used - (r->freed_at == now ? r->freed : 0);
}

/** ring_is_full() - true if there is no room now or soon. */
static inline bool ring_is_full(const struct ring *r) {
    return r->used == r->capacity;
}

/** ring_push() - add an entry, for which there must be room; visible_at > now. Entries leave in
 * order of arrival. */
static inline void ring_push(struct ring *r, const struct request *request, uint64_t visible_at,
                             uint32_t weight) {
    assert(r->used + weight <= r->capacity);
    struct ring_entry *e = &r->entries[(r->head + r->count) & r->mask];
    e->request = *request;
    e->visible_at = visible_at;
    e->weight = weight;
    if (r->count++ == 0) {
        r->front_at = visible_at;
    }
    r->used += weight;
}

/** ring_front() - the oldest entry, visible or not; the ring must not be empty. */
static inline struct ring_entry *ring_front(const struct ring *r) {
    return &r->entries[r->head & r->mask];
}

/** ring_head() - the oldest entry if it is visible at @now, else NULL. */
static inline struct ring_entry *ring_head(const struct ring *r, uint64_t now) {
    return r->front_at <= now ? ring_front(r) : NULL;
}

/** ring_next() - time from which the oldest entry is visible; NEVER when the ring is empty. */
static inline uint64_t ring_next(const struct ring *r) {
    return r->front_at;
}

static inline void ring_pop(struct ring *r, uint64_t now) {
    assert(r->count);
    uint32_t weight = r->entries[r->head & r->mask].weight;
    r->head++;
    r->front_at = --r->count ? ring_front(r)->visible_at : NEVER;
    r->used -= weight;
    r->freed = weight + (r->freed_at == now ? r->freed : 0);
    r->freed_at = now;
}

/** ring_pop_until() - the oldest entry leaves from @now to @until; only one may be leaving. Senders
 * that use ring_room_beside_leaving() can use its room afterwards. */
static inline void ring_pop_until(struct ring *r, uint64_t now, uint64_t until) {
    uint32_t left = r->leaving_until == now ? r->leaving : 0;
    r->freed = left + (r->freed_at == now ? r->freed : 0);
    r->freed_at = now;
    uint32_t weight = ring_front(r)->weight;
    r->head++;
    r->front_at = --r->count ? ring_front(r)->visible_at : NEVER;
    r->used -= weight;
    r->leaving = weight;
    r->leaving_until = until;
}

/** ring_room_beside_leaving() - ring_room() of a ring with ring_pop_until(). */
static inline uint32_t ring_room_beside_leaving(const struct ring *r, uint64_t now) {
    return ring_room(r, now) - (now <= r->leaving_until ? r->leaving : 0);
}

/** ring_room_from() - time from which @weight fits into a ring with ring_pop_until(); NEVER: the
 * sender will be woken. */
static inline uint64_t ring_room_from(struct ring *r, uint32_t weight) {
    if (!ring_has_room(r, weight)) {
        return NEVER;
    }
    return r->capacity - r->used - r->leaving < weight ? r->leaving_until + 1 : 0;
}

#endif
