/* SPDX-License-Identifier: Apache-2.0
 *
 * Ring of requests between two units, registered on both sides: a push becomes visible at a
 * later time only, and so does the room that a pop frees. So the order in which units are
 * evaluated at one time changes nothing. Room is counted in weights: 1 a request, or its
 * flits.
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
    uint64_t front_at; /* when the oldest entry can be seen; NEVER: empty */
    uint32_t mask;     /* entries - 1 */
    uint32_t capacity; /* in weights */
    uint32_t used;     /* in weights */
    uint32_t head, count;
    uint32_t freed; /* weight popped at freed_at: not to be used at that time */
    uint64_t freed_at;
    uint32_t leaving; /* weight popped by ring_pop_until(): not to be used up to leaving_until */
    uint64_t leaving_until;
    bool sender_waits; /* the sender may sleep until there is more room: a pop wakes it */
};

/** ring_init() - room for @capacity weights. False: out of memory. */
bool ring_init(struct ring *r, uint32_t capacity);
void ring_destroy(struct ring *r);

/** ring_has_room() - for @weight, at @now or soon. If not, the sender will be woken. */
static inline bool ring_has_room(struct ring *r, uint32_t weight) {
    r->sender_waits = r->capacity - r->used < weight;
    return !r->sender_waits;
}

/** ring_room() - weight that can be pushed at @now. */
static inline uint32_t ring_room(const struct ring *r, uint64_t now) {
    return r->capacity - r->used - (r->freed_at == now ? r->freed : 0);
}

/** ring_is_full() - is there no room, now or soon? */
static inline bool ring_is_full(const struct ring *r) {
    return r->used == r->capacity;
}

/** ring_push() - there must be room; visible_at > now. Entries leave in the order in which they
 * came. */
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

/** ring_front() - the oldest entry, visible yet or not; the ring is not empty. */
static inline struct ring_entry *ring_front(const struct ring *r) {
    return &r->entries[r->head & r->mask];
}

/** ring_head() - the oldest entry if it can be seen at @now, else NULL. */
static inline struct ring_entry *ring_head(const struct ring *r, uint64_t now) {
    return r->front_at <= now ? ring_front(r) : NULL;
}

/** ring_next() - when the oldest entry can be seen; NEVER when the ring is empty. */
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

/** ring_pop_until() - the oldest entry leaves from @now to @until; no other may be leaving. Senders
 * that use ring_room_beside_leaving() can use its room after that. */
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

/** ring_room_from() - time from which @weight can be pushed into a ring with ring_pop_until();
 * NEVER: the sender will be woken. */
static inline uint64_t ring_room_from(struct ring *r, uint32_t weight) {
    if (!ring_has_room(r, weight)) {
        return NEVER;
    }
    return r->capacity - r->used - r->leaving < weight ? r->leaving_until + 1 : 0;
}

#endif
