/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/graph_memory.h"

#include <stdint.h>
#include <stdlib.h>

#include "cuda/errors.h"
#include "runtime/memory.h"

struct graph_memory {
    struct graph_memory *next;
    void *at;
    size_t bytes;
    unsigned nodes;
    bool in_use;
};

static struct graph_memory *first_memory;

/* By cudaGraphMemAttributeType: used now and at most, reserved now and at most. */
static uint64_t sums[4];

static void add_to_sum(unsigned which, size_t bytes, bool less) {
    sums[which] = less ? sums[which] - bytes : sums[which] + bytes;
    sums[which + 1] = sums[which] > sums[which + 1] ? sums[which] : sums[which + 1];
}

struct graph_memory *graph_memory_make(size_t bytes) {
    struct graph_memory *m = calloc(1, sizeof *m);
    void *at = m ? memory_take(bytes) : NULL;
    if (!at) {
        free(m);
        return NULL;
    }
    *m = (struct graph_memory){.next = first_memory, .at = at, .bytes = bytes, .nodes = 1};
    first_memory = m;
    add_to_sum(2, bytes, false);
    return m;
}

void *graph_memory_address(const struct graph_memory *m) {
    return m->at;
}

struct graph_memory *graph_memory_share(struct graph_memory *m) {
    m->nodes++;
    return m;
}

static void forget_unused(struct graph_memory *m) {
    struct graph_memory **at = &first_memory;
    if (m->nodes || m->in_use) {
        return;
    }
    while (*at != m) {
        at = &(*at)->next;
    }
    *at = m->next;
    add_to_sum(2, m->bytes, true);
    memory_give(m->at);
    free(m);
}

void graph_memory_drop(struct graph_memory *m) {
    m->nodes--;
    forget_unused(m);
}

bool graph_memory_begin(struct graph_memory *m) {
    if (m->in_use) {
        return false;
    }
    m->in_use = true;
    add_to_sum(0, m->bytes, false);
    return true;
}

static struct graph_memory *memory_at(const void *address) {
    struct graph_memory *m = first_memory;
    while (m && m->at != address) {
        m = m->next;
    }
    return m;
}

bool graph_memory_has(const void *address) {
    return memory_at(address);
}

bool graph_memory_end(const void *address) {
    struct graph_memory *m = memory_at(address);
    if (!m || !m->in_use) {
        return false;
    }
    m->in_use = false;
    add_to_sum(0, m->bytes, true);
    forget_unused(m);
    return true;
}

/* --- the API --- */

API(cudaDeviceGetGraphMemAttribute, int device, int which, uint64_t *value) {
    if (device || !value || which < 0 || which > 3) {
        return note_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    }
    *value = sums[which];
    return note_error(cudaSuccess);
}

/* The two highest may be set to 0, from where they count on. */
API(cudaDeviceSetGraphMemAttribute, int device, int which, const uint64_t *value) {
    if (device || !value || *value || (which != 1 && which != 3)) {
        return note_error(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    }
    sums[which] = sums[which - 1];
    return note_error(cudaSuccess);
}

API(cudaDeviceGraphMemTrim, int device) {
    return note_error(device ? cudaErrorInvalidDevice : cudaSuccess);
}
