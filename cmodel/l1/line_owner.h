/* SPDX-License-Identifier: Apache-2.0
 *
 * Owners of cache lines: the warp that fetched each line, which classifies its hits and misses.
 *
 * A miss "after the initial cache fill" is of the kind of contention that evicted its victim (MRPB
 * 2.2, 2.4, figure 4): the warp that had fetched the victim is the one that misses (intra-warp),
 * another of its CTA (cross-warp, intra-block) or of another CTA, resident or not any more
 * (cross-block). A miss that takes a line for the first time is cold, the initial fill. A miss that
 * takes a line freed by a write, an atomic or a launch evicts nothing and belongs to no kind: it
 * counts separately.
 *
 * A hit is intra-warp where the warp itself fetched the line, else inter-warp (DAWS 3.2, figure 3).
 * An intra-warp hit within a loop is classified by the loop trip in which the warp accessed the
 * line before (DAWS 3.2, figure 4): this one, the last, or other.
 */
#ifndef WARPMEM_L1_LINE_OWNER_H
#define WARPMEM_L1_LINE_OWNER_H

#include "base/request.h"

struct line_owner {
    uint32_t cta;  /* number in the run: distinguishes the users of a warp slot */
    uint32_t trip; /* the owner's trip at its last access to the line: see struct loop_trip */
    uint16_t warp;
    bool used;       /* the line has been allocated before */
    bool prefetched; /* a prefetch has brought it, and no access has used it */
};

struct reuse_stats {
    uint64_t cold, freed, intra_warp, cross_warp, cross_block; /* misses */
    uint64_t hits_intra_warp, hits_inter_warp;                 /* hits of reads */
    uint64_t hits_this_trip, hits_last_trip, hits_other_trip;  /* of the intra-warp ones */
};

/**
 * struct loop_trip - loop trips of a warp. Trips of one loop are consecutive numbers; of two loops
 * they are not, so the trip before the first of a loop never counts as its last trip. The part
 * of an outer trip after an inner loop counts as a trip of its own: only the innermost loop
 * counts.
 */
struct loop_trip {
    uint32_t count; /* trip numbers given */
    uint32_t depth; /* loops that the warp is in */
};

/* Markers of the kernel's stream: enum insn_op OP_LOOP_BEGIN, _ITERATION, _END. */
static inline void loop_trip_begin(struct loop_trip *t) {
    t->depth++;
    t->count += 2;
}

static inline void loop_trip_iteration(struct loop_trip *t) {
    t->count++;
}

static inline void loop_trip_end(struct loop_trip *t) {
    t->depth -= t->depth > 0;
    t->count += 2;
}

/** loop_trip_number() - the warp's current trip; 0: in no loop. */
static inline uint32_t loop_trip_number(const struct loop_trip *t) {
    return t->depth ? t->count : 0;
}

static inline bool line_owner_is(const struct line_owner *o, const struct request *r) {
    return o->warp == r->warp && o->cta == r->cta;
}

/** line_owner_used() - an access other than a read hit: updates the owner's trip. */
static inline void line_owner_used(struct line_owner *o, const struct request *r, uint32_t trip) {
    if (line_owner_is(o, r)) {
        o->trip = trip;
    }
}

/** line_owner_hit() - a read has hit the line. */
static inline void line_owner_hit(struct line_owner *o, const struct request *r, uint32_t trip,
                                  struct reuse_stats *s) {
    if (!line_owner_is(o, r)) {
        s->hits_inter_warp++;
        return;
    }
    s->hits_intra_warp++;
    if (trip && o->trip == trip) {
        s->hits_this_trip++;
    } else if (o->trip && o->trip + 1 == trip) {
        s->hits_last_trip++;
    } else {
        s->hits_other_trip++;
    }
    o->trip = trip;
}

/** line_owner_take() - the line is allocated for the request. line_owner_miss() - by a miss, which
 * is counted by its kind; @valid: it evicts a line. */
static inline void line_owner_take(struct line_owner *o, const struct request *r, uint32_t trip) {
    *o = (struct line_owner){.cta = r->cta, .trip = trip, .warp = r->warp, .used = true};
}

static inline void line_owner_miss(struct line_owner *o, const struct request *r, uint32_t trip,
                                   bool valid, struct reuse_stats *s) {
    if (!valid) {
        *(o->used ? &s->freed : &s->cold) += 1;
    } else if (o->cta != r->cta) {
        s->cross_block++;
    } else if (o->warp != r->warp) {
        s->cross_warp++;
    } else {
        s->intra_warp++;
    }
    line_owner_take(o, r, trip);
}

#endif
