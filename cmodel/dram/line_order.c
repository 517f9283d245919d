/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/line_order.h"

#include <string.h>

#include "dram/scheduler.h"

/* Two requests of one line, of which one is a write. */
static bool requests_conflict(const struct request *a, const struct request *b) {
    return a->local == b->local && (a->kind != REQUEST_READ || b->kind != REQUEST_READ);
}

static const struct request *request_at(const struct dram_channel *d, unsigned position) {
    return &d->entry[d->order[position]].request;
}

/* Is the line read for no request inside, before the request at the position? */
static bool waits_for_prefetch(const struct dram_channel *d, unsigned position) {
    const struct dram_scheduler_kind *kind = d->scheduler.kind;
    const struct dram_entry *e = &d->entry[d->order[position]];
    return kind->reads_unasked && e->request.kind != REQUEST_READ &&
           kind->reads_unasked(d, e->request.local, e->number);
}

static void set_position(uint64_t *mask, unsigned position) {
    mask[position / 64] |= UINT64_C(1) << position % 64;
}

void line_order_update(struct dram_channel *d) {
    memset(d->held, 0, sizeof d->held);
    memset(d->holding, 0, sizeof d->holding);
    d->holds_some = false;
    for (unsigned i = 0; i < d->count; i++) {
        bool held = waits_for_prefetch(d, i);
        for (unsigned older = 0; older < i; older++) {
            if (requests_conflict(request_at(d, older), request_at(d, i))) {
                held = true;
                set_position(d->holding, older);
            }
        }
        if (held) {
            set_position(d->held, i);
            d->holds_some = true;
        }
    }
}

bool line_order_stops_head(const struct dram_channel *d, const struct ring *ring,
                           const struct ring *other) {
    const struct ring_entry *head = ring_front(ring);
    for (uint32_t i = 0; d->line_order && i < other->count; i++) {
        const struct ring_entry *e = &other->entries[(other->head + i) & other->mask];
        bool before = e->visible_at < head->visible_at ||
                      (e->visible_at == head->visible_at && other == &d->high_in);
        if (before && requests_conflict(&e->request, &head->request)) {
            return true;
        }
    }
    for (unsigned i = 0; d->line_order && i < d->count; i++) {
        if (requests_conflict(request_at(d, i), &head->request)) {
            return true;
        }
    }
    return false;
}

bool line_order_may_read(const struct dram_channel *d, const struct dram_entry *prefetch) {
    for (unsigned i = 0; d->line_order && i < d->count; i++) {
        if (requests_conflict(request_at(d, i), &prefetch->request) &&
            d->entry[d->order[i]].number < prefetch->number) {
            return false;
        }
    }
    return true;
}
