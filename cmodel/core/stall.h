/* SPDX-License-Identifier: Apache-2.0
 *
 * Stall classes of a core's cycles. Each cycle of each core is in exactly one class (a law of
 * gpu_conserved()). A class holds from one change of the core's state to the next, so a sleeping
 * core counts the same as one that is evaluated every cycle.
 *
 * A cycle in which an instruction issues is core.issue_cycles. Else the class follows from the
 * warp that is nearest to issue at the cycle's end:
 *  1. no warp is resident;
 *  2. a warp's registers are ready: its pipeline or scheduler is busy; or the issue policy holds
 *     it; or the load/store unit is full, because it sends, or because the L1 refuses its access;
 *  3. a warp waits for a result whose cycle is known: of arithmetic, or data from the L1;
 *  4. a warp waits for a load whose data's cycle is not known: memory;
 *  5. all wait at barriers and fences, or have ended, for their accesses to be answered.
 * The memory class is divided afterwards. It ends in the cycle in which the data of a load makes a
 * warp ready: the stamps of that request give its place in each of the cycles. Cycles before it was
 * made, in or before the load/store unit, count for the L1. From then on each stamp begins a stage
 * (base/request.h); a stamp of 0 begins none, and its cycles stay in the stage before. Data that
 * never left the core (a hit) has no stages: all cycles count for the L1. If the wait ends
 * otherwise (a fence, an exit at a barrier: sync; a new CTA, the end of the run: unresolved), that
 * class gets the cycles.
 */
#ifndef WARPMEM_CORE_STALL_H
#define WARPMEM_CORE_STALL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/request.h"
#include "base/stats.h"
#include "l1/load_store.h"

struct core;

enum stall_class {
    STALL_NO_WARP,
    STALL_PIPELINE,
    STALL_DESCHEDULED,
    STALL_LOAD_STORE,
    STALL_REFUSED,
    STALL_RESULT,
    STALL_L1,
    STALL_NOC_REQUEST,
    STALL_L2_QUEUE,
    STALL_L2_BANK,
    STALL_DRAM_QUEUE,
    STALL_DRAM_SERVICE,
    STALL_NOC_REPLY,
    STALL_SYNC,
    STALL_END,
    STALL_UNRESOLVED,
    STALL_CLASSES,
    STALL_MEMORY = STALL_CLASSES, /* not yet divided */
    STALL_DIVIDED                 /* for the rest of the cycle in which it was divided */
};

/* A load with data outstanding. Cycles are the low 32 bits: only differences count. */
struct load_flight {
    uint32_t issued, first, last; /* cycles: issue, first and last reply */
    uint32_t least, most;         /* least and most time units that hits waited before their L2
                                     bank */
    uint8_t remaining;            /* accesses without data */
    uint8_t replies;              /* accesses that went beyond the L1 and returned */
    uint8_t hits;                 /* those of them that hit in the L2 */
    bool shared;
};

struct stall_stats {
    uint64_t wait[STALL_CLASSES]; /* core cycles */
    uint64_t memory_block_cycles;
    uint64_t barrier_warp_cycles, fence_warp_cycles;
    uint64_t read_replies, read_latency, read_latency_max; /* core cycles, from core_settle() */
    uint64_t loads, load_latency, load_latency_max;
    uint64_t all_hit_loads, divergence, divergence_max;
    uint64_t queue_divergence, queue_divergence_max; /* core cycles, from core_settle() */
};

struct stall {
    unsigned class; /* enum stall_class, of the cycles from `since` on */
    uint64_t since; /* core cycle */
    uint64_t unresolved;
    bool memory_blocked; /* since cycle memory_since */
    uint64_t memory_since;
    uint64_t maybe_unsent; /* warps that may have no access beyond the L1; all others have one */
    uint64_t from_data;    /* warps that wait for data from the L1, not for arithmetic, with a known
                              cycle */
    uint64_t barrier_since, fence_since; /* warp cycles are counted up to these cycles */
    uint64_t latency_ticks, latency_max; /* time units */
    uint64_t queue_ticks, queue_max;     /* the same: of queue_divergence */
    uint64_t period;                     /* of the core clock, time units */
    struct stall_stats stats;
};

void stall_init(struct stall *s);

/** stall_class_full() - the class of a cycle in which warps are ready but the load/store unit takes
 * none. */
static inline unsigned stall_class_full(const struct load_store *u) {
    return load_store_is_refused(u) ? STALL_REFUSED : STALL_LOAD_STORE;
}

/** stall_account() - at the end of the evaluation of @cycle. @issued: an instruction issued.
 * @ready_class: the class of a cycle in which a warp's registers are ready, as they may be now.
 * stall_account_idle() - the same if core_takeable() is 0. */
void stall_account(struct core *c, uint64_t cycle, bool issued, unsigned ready_class);
void stall_account_idle(struct core *c, uint64_t cycle);

/** stall_stays_full() - short form of stall_account_idle() for the most frequent case: the
 * load/store unit was full and still is; only its access may have become refused or accepted.
 * False: another case. */
static inline bool stall_stays_full(struct stall *s, unsigned class, uint64_t cycle) {
    if (s->class != STALL_LOAD_STORE && s->class != STALL_REFUSED) {
        return false;
    }
    if (s->class != class) {
        s->stats.wait[s->class] += cycle - s->since;
        s->since = cycle;
        s->class = class;
    }
    return true;
}

/** stall_resolve() - a wait for memory ends in @cycle by the data of @cause; NULL: data of the core
 * itself. stall_resolve_as() - it ends otherwise: count it in @class. Both do nothing if the core
 * does not wait. */
void stall_resolve(struct stall *s, const struct request *cause, uint64_t cycle);
void stall_resolve_as(struct stall *s, enum stall_class class, uint64_t cycle);

/** stall_barrier() - call before the set of warps at barriers changes in @cycle. stall_fence() -
 * the same for fences. */
void stall_barrier(struct core *c, uint64_t cycle);
void stall_fence(struct core *c, uint64_t cycle);

/** stall_reply() - a reply arrives from the interconnect. */
static inline void stall_reply(struct stall *s, const struct request *reply, uint64_t now) {
    if (reply->kind == REQUEST_READ) {
        uint64_t ticks = now - reply->born;
        s->stats.read_replies++;
        s->latency_ticks += ticks;
        if (ticks > s->latency_max) {
            s->latency_max = ticks;
        }
    }
}

/** stall_load_reply() - a reply has brought the data of an access of the load. stall_load_done() -
 * all data is there and can be used from @ready_at on. */
static inline void stall_load_reply(struct load_flight *f, const struct request *cause,
                                    uint64_t cycle) {
    f->last = (uint32_t)cycle;
    if (!f->replies++) {
        f->first = f->last;
    }
    if (cause->l2_hit) {
        uint32_t queued = cause->stamp[STAMP_BANK] - cause->stamp[STAMP_PORT];
        f->least = !f->hits || queued < f->least ? queued : f->least;
        f->most = queued > f->most ? queued : f->most;
        f->hits++;
    }
}
void stall_load_done(struct stall *s, const struct load_flight *f, uint64_t ready_at);

/** stall_settle() - as core_settle(). */
void stall_settle(struct core *c, uint64_t cycle);

bool stall_register_stats(const struct stall *s, struct stats *stats);

#endif
