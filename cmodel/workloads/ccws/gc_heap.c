/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/ccws/gc_heap.h"

#include <stdlib.h>

#include "workloads/host.h"

static uint32_t below(uint64_t *state, uint32_t limit) {
    return (uint32_t)(host_random(state) % limit);
}

static unsigned draw_fields(uint64_t *state) {
    const struct gc_parameters *p = &gc_parameters;
    unsigned kind = 0, percent = below(state, 100);
    while (percent >= p->fields[kind].share) {
        percent -= p->fields[kind++].share;
    }
    return p->fields[kind].least + below(state, p->fields[kind].most - p->fields[kind].least + 1);
}

bool gc_heap_create(struct gc_heap *h, uint32_t objects, uint64_t seed) {
    const struct gc_parameters *p = &gc_parameters;
    uint64_t state = seed;
    *h = (struct gc_heap){
        .objects = objects,
        .seed = seed,
        .place = malloc((objects + (size_t)1) * sizeof *h->place),
        .fields = malloc(objects * sizeof *h->fields),
        .alive = malloc(objects),
    };
    if (!h->place || !h->fields || !h->alive) {
        return false;
    }
    h->place[0] = 0;
    for (uint32_t i = 0; i < objects; i++) {
        h->fields[i] = (uint16_t)draw_fields(&state);
        h->alive[i] = below(&state, 100) >= p->dead;
        unsigned units = GC_HEADER_UNITS + h->fields[i] + below(&state, p->data_most / GC_UNIT + 1);
        units = units < p->object_least / GC_UNIT ? p->object_least / GC_UNIT : units;
        h->place[i + 1] = h->place[i] + units;
    }
    h->alive[0] = 1; /* someone is, so that living() ends */
    return true;
}

void gc_heap_destroy(struct gc_heap *h) {
    free(h->place);
    free(h->fields);
    free(h->alive);
}

/* The object that holds @place, a place of the heap. */
static uint32_t object_at(const struct gc_heap *h, uint32_t place) {
    uint32_t low = 0, high = h->objects;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (h->place[middle] <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The object itself, or the next one behind it that lives. */
static uint32_t living(const struct gc_heap *h, uint32_t object) {
    while (!h->alive[object]) {
        object = (object + 1) % h->objects;
    }
    return object;
}

/* The places of the hot objects: spread over the heap. */
static uint32_t hot_object(const struct gc_heap *h, uint32_t i) {
    return living(h, (uint32_t)((uint64_t)i * h->objects / gc_parameters.hot_objects));
}

static uint32_t draw_target(const struct gc_heap *h, uint32_t from, uint64_t *state) {
    const struct gc_parameters *p = &gc_parameters;
    const unsigned kind = below(state, 100);
    if (kind < p->near) {
        const int64_t reach = p->near_bytes / GC_UNIT, end = gc_heap_units(h);
        int64_t place = h->place[from] - reach + below(state, (uint32_t)(2 * reach));
        place = place < 0 ? 0 : place;
        return object_at(h, (uint32_t)(place < end ? place : end - 1));
    }
    if (kind < p->near + p->far) {
        return below(state, h->objects);
    }
    return hot_object(h, below(state, p->hot_objects));
}

void gc_heap_fill(const struct gc_heap *h, uint64_t base, uint64_t *memory) {
    uint64_t state = h->seed + 1;
    for (uint32_t i = 0; i < h->objects; i++) {
        uint64_t *at = memory + h->place[i];
        uint32_t *header = (uint32_t *)at;
        header[GC_CLASS] = 1 + below(&state, 1000);
        header[GC_FIELDS] = h->fields[i];
        for (unsigned f = 0; f < h->fields[i]; f++) {
            if (below(&state, 100) >= gc_parameters.nulls) {
                uint32_t target = draw_target(h, i, &state);
                target = h->alive[i] ? living(h, target) : target;
                at[GC_HEADER_UNITS + f] = base + (uint64_t)h->place[target] * GC_UNIT;
            }
        }
    }
}

uint32_t gc_work_max(const struct gc_heap *h) {
    uint32_t parts = 0;
    for (uint32_t i = 0; i < h->objects; i++) {
        parts += gc_parts(h->fields[i]);
    }
    return parts;
}

/* One of each part of the heap, so all different. */
void gc_roots(const struct gc_heap *h, uint32_t *place) {
    const uint32_t count = gc_root_count(h);
    uint64_t state = h->seed + 2;
    for (uint32_t i = 0, least = 0; i < count; i++) {
        const uint32_t first = (uint32_t)((uint64_t)i * h->objects / count);
        uint32_t root = first + below(&state, h->objects / count);
        root = root < least ? least : root;
        while (root < h->objects - 1 && !h->alive[root]) {
            root++;
        }
        place[i] = h->place[root];
        least = root + 1;
    }
}

bool gc_reach(const struct gc_heap *h, uint64_t base, uint64_t *memory) {
    uint32_t count = gc_root_count(h);
    uint32_t *stack = malloc((h->objects + (size_t)count) * sizeof *stack);
    if (!stack) {
        return false;
    }
    gc_roots(h, stack);
    for (uint32_t i = 0; i < count; i++) {
        ((uint32_t *)(memory + stack[i]))[GC_MARK] = 1;
    }
    while (count) {
        const uint64_t *object = memory + stack[--count];
        const uint64_t *field = object + GC_HEADER_UNITS;
        for (uint32_t left = ((const uint32_t *)object)[GC_FIELDS]; left; left--, field++) {
            const uint32_t to = (uint32_t)((*field - base) / GC_UNIT);
            uint32_t *mark = *field ? (uint32_t *)(memory + to) + GC_MARK : NULL;
            if (mark && !*mark) {
                *mark = 1;
                stack[count++] = to;
            }
        }
    }
    free(stack);
    return true;
}
