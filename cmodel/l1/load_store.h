/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_LOAD_STORE_H
#define WARPMEM_L1_LOAD_STORE_H

#include "l1/front.h"
#include "l1/texture_cache.h"
#include "l1/victim_watch.h"

#define LOAD_STORE_WARPS_MAX L1_FRONT_WARPS_MAX

/* The results of one step of the unit, for the scoreboard: at most one access to the data cache,
 * one to the shared memory, and one to the constant or the texture cache. */
struct load_store_outcome {
    bool cache_taken, shared_taken, constant_hit, texture_taken;
    bool prefetched;       /* the data cache has taken a prefetch */
    struct l1_taken cache; /* with cache_taken */
    uint8_t shared_warp, shared_reg;
    bool shared_write;
    uint64_t shared_ready_at;              /* core cycle of its data */
    uint8_t read_only_warp, read_only_reg; /* of a constant or texture access */
};

struct load_store_stats {
    uint64_t shared_instructions, shared_bank_cycles, shared_conflict_cycles;
    uint64_t coalesced; /* accesses to global and local memory of the instructions that entered */
    uint64_t constant_words, texture_lines; /* the same of the other spaces */
    uint64_t lines[WARP_SIZE + 1];          /* instructions by their number of accesses, from 1 */
};

/**
 * struct load_store - load/store unit of a core: one memory instruction at a time, one access a
 * step, in order: to the shared memory, to the texture or constant cache, or, of global and local
 * memory, to the front of the L1 data cache (l1/front.h). An access that is refused stays at the
 * head and is tried again every cycle; everything behind it waits. A core cycle has l1.steps steps:
 * with two, the unit runs at twice the core clock. A caller that changes a resource
 * that a refused access may wait for calls load_store_retry().
 */
struct load_store {
    const struct config *config;
    struct l1_data_cache cache, constant;
    struct texture_cache texture;
    struct memory_insn *slot;
    unsigned slots; /* core.operand_latency + 1: one instruction whose accesses are being sent, and
                     * one in each stage of operand collection */
    unsigned head, count;
    unsigned accesses;       /* steps of a core cycle that may send one: config_l1_accesses() */
    unsigned ports;          /* accesses of a step: config_l1_ports() */
    bool holds_issue;        /* core.memory_stall = all */
    unsigned shared_waiting; /* instructions whose turn at the shared memory has not come */
    uint32_t kernel;         /* hash of its name */
    uint32_t unseen[LOAD_STORE_WARPS_MAX]; /* accesses that its cache has not taken yet, a warp */
    struct loop_trip trip[LOAD_STORE_WARPS_MAX];
    bool read_only_used; /* texture or constant memory has been accessed in this run: else nothing
                          * of theirs needs to be looked at */
    bool asleep;         /* no state changes until load_store_retry(), a push, or cycle wake_at */
    uint64_t wake_at;    /* core cycle */
    struct l1_front front;
    struct victim_watch *victims; /* NULL: none */
    struct refusal read_only;     /* of the texture or constant cache */
    struct load_store_stats stats;
};

/**
 * load_store_init() - of core number @core.
 * @named: the policy of l1.policy; NULL: none
 * @cycle: the core's cycle counter, which hardware blocks read
 * False: refused.
 */
bool load_store_init(struct load_store *u, const struct config *config, unsigned core,
                     const struct l1_policy_kind *named, const uint64_t *cycle,
                     const struct build *build);
void load_store_destroy(struct load_store *u);

/** load_store_watch() - from now on, report each access that the data cache accepts there. */
void load_store_watch(struct load_store *u, struct l1_watched *watched);

/* After an event a policy may choose another victim for the access that waits, or have requested a
 * prefetch. */
static inline void load_store_follow_policies(struct load_store *u) {
    if (u->cache.chooser) {
        u->front.refusal.retry = RETRY_CHANGE;
        u->asleep = false;
    }
    u->asleep &= !l1_front_prefetches(&u->front);
}

/* Report an event to the policies that receive it. */
static inline void load_store_tell(struct load_store *u, const struct l1_policy_event *event,
                                   uint64_t cycle) {
    if (l1_policies_listen(u->front.policies, event->kind)) {
        l1_policies_tell(u->front.policies, event, cycle);
        load_store_follow_policies(u);
    }
}

/** load_store_kernel() - a launch of this kernel begins in @cycle: launches of one kernel bear the
 * same PCs. load_store_launch_ended() - all CTAs of the launch have ended, on all cores. */
void load_store_kernel(struct load_store *u, const char *name, uint64_t cycle);
static inline void load_store_launch_ended(struct load_store *u, uint64_t cycle) {
    load_store_tell(u, &(struct l1_policy_event){.kind = L1_POLICY_LAUNCH_ENDED}, cycle);
}

/** load_store_begin_cta() - a CTA of the launch starts in @cycle, before its warps begin. */
static inline void load_store_begin_cta(struct load_store *u, uint64_t cycle) {
    load_store_tell(
        u, &(struct l1_policy_event){.kind = L1_POLICY_CTA_STARTED, .kernel = u->kernel}, cycle);
}

/**
 * load_store_warp() - a warp begins in the slot @warp in @cycle.
 * @cta: its CTA's number in the run
 * @cta_slot: its CTA's slot in the core
 * @number: of the warp in its CTA
 */
void load_store_warp(struct load_store *u, unsigned warp, uint64_t cta, unsigned cta_slot,
                     unsigned number, uint64_t cycle);
/** load_store_warp_ended() - the warp in the slot has ended, in @cycle. */
static inline void load_store_warp_ended(struct load_store *u, unsigned warp, uint64_t cycle) {
    load_store_tell(u, &(struct l1_policy_event){.kind = L1_POLICY_WARP_ENDED, .warp = warp},
                    cycle);
}

/** load_store_marker() - the warp has passed a loop marker; @op: enum insn_op. */
static inline void load_store_marker(struct load_store *u, unsigned warp, unsigned op) {
    struct loop_trip *t = &u->trip[warp];
    if (op == OP_LOOP_ITERATION) {
        loop_trip_iteration(t);
    } else if (op == OP_LOOP_BEGIN) {
        loop_trip_begin(t);
    } else {
        loop_trip_end(t);
    }
}

static inline bool load_store_can_take(const struct load_store *u) {
    return u->count < u->slots;
}

/** load_store_holds_issue() - nothing may issue behind the instruction that the unit is at: after
 * this cycle it has accesses left, or needs the shared memory for more cycles. */
static inline bool load_store_holds_issue(const struct load_store *u, uint64_t cycle) {
    const struct memory_insn *m = &u->slot[u->head];
    return u->holds_issue && u->count && m->at <= cycle && !(m->started && m->until <= cycle + 1);
}

/** load_store_push() - an issued memory instruction; its first access can be sent in cycle @at.
 * Return: its accesses. */
unsigned load_store_push(struct load_store *u, unsigned warp, const struct warp_op *op,
                         uint64_t at);

unsigned load_store_shared_waits_of(const struct load_store *u, unsigned warp);
/** load_store_shared_waits() - instructions of the warp whose turn at the shared memory has not
 * come. */
static inline unsigned load_store_shared_waits(const struct load_store *u, unsigned warp) {
    return u->shared_waiting ? load_store_shared_waits_of(u, warp) : 0;
}

/** load_store_sleeps() - load_store_cycle() would do nothing. */
static inline bool load_store_sleeps(const struct load_store *u, uint64_t cycle) {
    return u->asleep && cycle < u->wake_at;
}

/** load_store_continues() - after an access that the data cache has taken: its instruction has
 * another one. load_store_leaves_next() - the data cache does not answer that one by itself. */
static inline bool load_store_continues(const struct load_store *u) {
    return u->count && u->slot[u->head].done;
}
bool load_store_leaves_next(const struct load_store *u);

/** load_store_cycle() - one step of a core cycle. */
void load_store_cycle(struct load_store *u, const struct now *now, struct load_store_outcome *o);

/** load_store_next() - the first core cycle after @cycle in which the unit has work; NEVER: when
 * woken. */
static inline uint64_t load_store_next(const struct load_store *u, uint64_t cycle) {
    return u->asleep ? u->wake_at : cycle + 1;
}

/** load_store_retry() - a resource that a refused access may wait for has changed. */
static inline void load_store_retry(struct load_store *u) {
    u->front.refusal.retry = RETRY_CHANGE;
    u->read_only.retry = RETRY_CHANGE;
    u->asleep = false;
}

/* Tries the access before the data cache again if it was refused. */
static inline void load_store_retry_data(struct load_store *u) {
    u->front.refusal.retry = RETRY_CHANGE;
    u->asleep = false;
}

/** load_store_filled() - the same after a fill of the data cache in the set of its last
 * access: for an access that waits for a line or the data. One that waits for an MSHR waits on,
 * but with sectors, where what it still misses may be in one MSHR now, or here, and where it would
 * have fetched this line again. */
static inline void load_store_filled(struct load_store *u) {
    if (u->front.refusal.cause &&
        (u->front.refusal.cause != L1_FAIL_MSHR_FULL || u->cache.sectors || u->cache.refetches)) {
        load_store_retry_data(u);
    }
}

/** load_store_freed() - the same where an MSHR of the data cache has become free. */
static inline void load_store_freed(struct load_store *u) {
    if (u->front.refusal.cause == L1_FAIL_MSHR_FULL) {
        load_store_retry_data(u);
    }
}

/** load_store_take_fill() - the reply of a miss of the data cache has arrived in @cycle. */
static inline void load_store_take_fill(struct load_store *u, const struct request *r,
                                        uint64_t cycle) {
    unsigned did = l1_data_cache_fill(&u->cache, r);
    if (did & L1_FILL_IN_SET) {
        load_store_filled(u);
    }
    if (__builtin_expect(did & L1_FILL_FREES_MSHR, false)) {
        load_store_freed(u);
    }
    if (l1_policies_listen(u->front.policies, L1_POLICY_FILLED)) {
        l1_front_tell_filled(&u->front, r, cycle);
        load_store_follow_policies(u);
    }
}

/** load_store_room() - the same where only the room in a miss queue has changed. */
static inline void load_store_room(struct load_store *u) {
    if (u->front.refusal.cause == L1_FAIL_MISS_QUEUE) {
        u->front.refusal.retry |= RETRY_ROOM;
        u->asleep = false;
    }
    if (u->read_only.cause) {
        u->read_only.retry |= RETRY_ROOM;
        u->asleep = false;
    }
}

/** load_store_is_refused() - an access has been refused and waits. */
static inline bool load_store_is_refused(const struct load_store *u) {
    return u->front.refusal.cause | u->read_only.cause;
}

/** load_store_settle() - count the retries up to, not including, @cycle: before statistics are
 * read. */
void load_store_settle(struct load_store *u, uint64_t cycle);

/** load_store_invalidate() - a kernel boundary: the caches forget their valid lines. */
void load_store_invalidate(struct load_store *u);

/** load_store_idle() - no access is on its way to a cache. */
bool load_store_idle(const struct load_store *u);

bool load_store_register_stats(const struct load_store *u, struct stats *s);

#endif
