/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mshr.h"

#include <assert.h>
#include <stdlib.h>

bool mshr_init(struct mshr_file *m, unsigned entries, unsigned merge) {
    *m = (struct mshr_file){.entries = entries, .merge = merge};
    m->waiting = calloc(entries, sizeof *m->waiting);
    m->woken = calloc(entries, sizeof *m->woken);
    m->requests = calloc((size_t)entries * merge, sizeof *m->requests);
    m->ready = calloc(entries, sizeof *m->ready);
    m->free_of = entries > 64 ? calloc(entries / 64 + 1, sizeof *m->free_of) : NULL;
    if ((entries > 64 && !m->free_of) || !m->waiting || !m->woken || !m->requests || !m->ready) {
        return false;
    }
    for (unsigned i = 0; i < entries; i++) {
        mshr_release(m, i);
    }
    return true;
}

void mshr_destroy(struct mshr_file *m) {
    free(m->waiting);
    free(m->woken);
    free(m->requests);
    free(m->free_of);
    free(m->ready);
    *m = (struct mshr_file){0};
}

static unsigned take_lowest_free(struct mshr_file *m) {
    unsigned lowest = (unsigned)__builtin_ctzll(m->free);
    m->free_count--;
    if (__builtin_expect(m->free_of != NULL, false)) {
        uint64_t *free = &m->free_of[lowest];
        unsigned entry = lowest * 64 + (unsigned)__builtin_ctzll(*free);
        *free &= *free - 1;
        m->free &= *free ? ~UINT64_C(0) : m->free - 1;
        return entry;
    }
    m->free &= m->free - 1;
    return lowest;
}

unsigned mshr_allocate(struct mshr_file *m, const struct request *request) {
    assert(m->free_count);
    unsigned entry = take_lowest_free(m);
    m->waiting[entry] = 1;
    m->woken[entry] = 0;
    m->requests[entry * m->merge] = *request;
    return entry;
}

void mshr_merge(struct mshr_file *m, unsigned entry, const struct request *request) {
    assert(m->waiting[entry] && m->waiting[entry] < m->merge);
    m->requests[entry * m->merge + m->waiting[entry]++] = *request;
}

void mshr_fill(struct mshr_file *m, unsigned entry) {
    assert(m->waiting[entry] && m->ready_count < m->entries);
    m->ready[(m->ready_head + m->ready_count++) % m->entries] = (uint16_t)entry;
}

bool mshr_wake(struct mshr_file *m) {
    unsigned entry = m->ready[m->ready_head];
    if (++m->woken[entry] < m->waiting[entry]) {
        return false;
    }
    mshr_release(m, entry);
    m->ready_head = (m->ready_head + 1) % m->entries;
    m->ready_count--;
    return true;
}
