/* SPDX-License-Identifier: Apache-2.0
 *
 * Miss status holding registers: one entry for each line that is being fetched, with the requests
 * that wait for it. After the fill the requests are woken one at a time: entries in the order of
 * their fills, requests in the order of arrival. The entry is free when its last request has been
 * woken. A hit on the filled line goes to the cache, not here.
 */
#ifndef WARPMEM_BASE_MSHR_H
#define WARPMEM_BASE_MSHR_H

#include <stddef.h>

#include "base/request.h"

struct mshr_file {
    unsigned entries, merge;
    uint16_t *waiting;        /* requests of an entry */
    uint16_t *woken;          /* requests of an entry already woken */
    struct request *requests; /* [entry][merge] */
    /* Up to 64 entries: a bit for each free one. More: a bit for each word of free_of that has a
     * free one. */
    uint64_t free;
    uint64_t *free_of;
    unsigned free_count;
    uint16_t *ready; /* filled entries, oldest first: a ring */
    unsigned ready_head, ready_count;
};

/** mshr_init() - False: out of memory. */
bool mshr_init(struct mshr_file *m, unsigned entries, unsigned merge);
void mshr_destroy(struct mshr_file *m);

static inline bool mshr_has_free(const struct mshr_file *m) {
    return m->free_count > 0;
}

static inline bool mshr_can_merge(const struct mshr_file *m, unsigned entry) {
    return m->waiting[entry] < m->merge;
}

/** mshr_waiting() - requests of the entry. */
static inline unsigned mshr_waiting(const struct mshr_file *m, unsigned entry) {
    return m->waiting[entry];
}

/** mshr_allocate() - allocate the free entry of the lowest number, as a priority encoder does; one
 * must be free. The request becomes its first. */
unsigned mshr_allocate(struct mshr_file *m, const struct request *request);
/** mshr_merge() - add the request to the entry, which must have room. */
void mshr_merge(struct mshr_file *m, unsigned entry, const struct request *request);
/** mshr_fill() - the entry's line has arrived. mshr_fill_behind_first() - the same of an entry of
 * several requests, whose first one nobody waits for. */
void mshr_fill(struct mshr_file *m, unsigned entry);
static inline void mshr_fill_behind_first(struct mshr_file *m, unsigned entry) {
    m->woken[entry] = 1;
    mshr_fill(m, entry);
}
/** mshr_ready() - true if a request can be woken. mshr_first() - that request. mshr_wake() - remove
 * it. */
static inline bool mshr_ready(const struct mshr_file *m) {
    return m->ready_count > 0;
}
static inline const struct request *mshr_first(const struct mshr_file *m) {
    unsigned entry = m->ready[m->ready_head];
    return &m->requests[entry * m->merge + m->woken[entry]];
}
/** mshr_wake() - Return: true if an entry became free. */
bool mshr_wake(struct mshr_file *m);

/** mshr_only() - the request that took the entry. mshr_release() - the entry's line has
 * arrived and its request is served: free the entry, which was never ready. */
static inline const struct request *mshr_only(const struct mshr_file *m, unsigned entry) {
    return &m->requests[entry * m->merge];
}
static inline void mshr_release(struct mshr_file *m, unsigned entry) {
    unsigned bit = entry;
    if (__builtin_expect(m->free_of != NULL, false)) {
        bit = entry / 64;
        m->free_of[bit] |= UINT64_C(1) << entry % 64;
    }
    m->free |= UINT64_C(1) << bit;
    m->waiting[entry] = 0;
    m->free_count++;
}

#endif
