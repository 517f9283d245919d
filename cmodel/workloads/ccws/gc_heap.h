/* SPDX-License-Identifier: Apache-2.0
 *
 * A heap of objects that refer to each other: the input of gc. Objects are adjacent, in order of
 * creation; each has a header of 16 bytes, references of 8 bytes, and data.
 */
#ifndef WARPMEM_WORKLOADS_CCWS_GC_HEAP_H
#define WARPMEM_WORKLOADS_CCWS_GC_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* The papers' heap is not public. Shares are in percent. None is fitted to a paper's number, except
 * .split, which follows a paper's figure. */
static const struct gc_parameters {
    struct {
        unsigned share, least, most; /* references, uniform */
    } fields[3];
    unsigned data_most;    /* bytes of data, uniform in steps of 8 */
    unsigned object_least; /* bytes */
    unsigned nulls;        /* of the references are null */
    unsigned near, far;    /* of the others go near, or anywhere; the rest goes to hot objects */
    unsigned near_bytes;   /* before or after */
    unsigned hot_objects;
    unsigned dead; /* of the objects are garbage */
    unsigned roots;
    unsigned split; /* references of an object that one thread takes; others take the rest */
} gc_parameters = {
    .fields = {{70, 1, 3},    /* most objects are small: list cells, boxes, strings */
               {25, 4, 8},    /* objects with some members */
               {5, 16, 256}}, /* arrays, tables of maps */
    .data_most = 32,          /* small objects then have 32 to 128 bytes, as managed heaps have */
    .object_least = 32,       /* header and alignment */
    .nulls = 12,              /* ends of lists, members not set */
    .near = 60, /* allocators place objects in order of creation, and related ones are near */
    .far = 30,  /* the rest of a program's graph */
    .near_bytes = 4096, /* a page */
    .hot_objects = 256, /* classes, interned strings, singletons */
    .dead = 50,         /* collectors are run on heaps of twice what lives */
    .roots = 1,         /* stacks and globals */
    /* Parallel collectors split arrays, so that no thread walks a long one alone. Without
     * that 3 lanes are active on average here and 10 in memc, while in DAWS' figure 9 GC is less
     * divergent than MEMC. A part is a line of references, the smallest useful unit; with it the
     * two are about equal. */
    .split = 16,
};

#define GC_UNIT 8 /* bytes; places in the heap are counted in these */
#define GC_HEADER_UNITS 2

/* Words of the header. */
enum { GC_CLASS, GC_MARK, GC_FIELDS, GC_PAD };

/**
 * struct gc_heap - the places of the objects.
 * @place: of each object, in units from the heap's begin; of one more: the heap's end
 * @alive: 1: alive; roots and alive objects refer to alive objects only
 */
struct gc_heap {
    uint32_t objects;
    uint64_t seed;
    uint32_t *place;
    uint16_t *fields;
    uint8_t *alive;
};

/** gc_heap_create() - lay out @objects. False: out of memory; call gc_heap_destroy() anyway. */
bool gc_heap_create(struct gc_heap *h, uint32_t objects, uint64_t seed);
void gc_heap_destroy(struct gc_heap *h);

/**
 * gc_heap_fill() - write all objects, none marked.
 * @base: address of the heap, for references
 * @memory: zeroed units, gc_heap_units() of them
 */
void gc_heap_fill(const struct gc_heap *h, uint64_t base, uint64_t *memory);
static inline uint32_t gc_heap_units(const struct gc_heap *h) {
    return h->place[h->objects];
}

/* A piece of work: an object's place, and a part of its references. */
#define GC_PLACE_BITS 28
static inline uint32_t gc_parts(uint32_t fields) {
    return (fields + gc_parameters.split - 1) / gc_parameters.split;
}

/** gc_work_max() - the parts of all objects. */
uint32_t gc_work_max(const struct gc_heap *h);

/** gc_roots() - the places of different objects, gc_root_count() of them. */
void gc_roots(const struct gc_heap *h, uint32_t *place);
static inline uint32_t gc_root_count(const struct gc_heap *h) {
    return (uint32_t)((uint64_t)h->objects * gc_parameters.roots / 100);
}

/** gc_reach() - plain C's marking: everything that the roots reach, in @memory of gc_heap_fill().
 * False: out of memory. */
bool gc_reach(const struct gc_heap *h, uint64_t base, uint64_t *memory);

#endif
