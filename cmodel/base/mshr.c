/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mshr.h"

#include <assert.h>
#include <stdlib.h>

bool mshr_init(struct mshr_file *m, unsigned entries, unsigned merge) {
    *m = (struct mshr_file){.entries = entries, .merge = merge, .free_count = entries};
    m->waiting = calloc(entries, sizeof *m->waiting);
    m->woken = calloc(entries, sizeof *m->woken);
    m->requests = calloc((size_t)entries * merge, sizeof *m->requests);
    m->free_list = calloc(entries, sizeof *m->free_list);
    m->ready = calloc(entries, sizeof *m->ready);
    if (!m->waiting || !m->woken || !m->requests || !m->free_list || !m->ready) {
        return false;
    }
    for (unsigned i = 0; i < entries; i++) {
        m->free_list[i] = (uint16_t)(entries - 1 - i);
    }
    return true;
}

void mshr_destroy(struct mshr_file *m) {
    free(m->waiting);
    free(m->woken);
    free(m->requests);
    free(m->free_list);
    free(m->ready);
    *m = (struct mshr_file){0};
}

unsigned mshr_allocate(struct mshr_file *m, const struct request *request) {
    assert(m->free_count);
    unsigned entry = m->free_list[--m->free_count];
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
    m->waiting[entry] = 0;
    m->free_list[m->free_count++] = (uint16_t)entry;
    m->ready_head = (m->ready_head + 1) % m->entries;
    m->ready_count--;
    return true;
}
