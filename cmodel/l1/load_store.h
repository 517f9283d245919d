/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_LOAD_STORE_H
#define WARPMEM_L1_LOAD_STORE_H

#include "base/block.h"
#include "l1/coalescer.h"
#include "l1/data_cache.h"
#include "l1/mrpb.h"
#include "l1/texture_cache.h"

#define LOAD_STORE_WARPS_MAX 64

struct memory_insn {
    uint64_t at;       /* core cycle from which its first access can be sent */
    uint16_t pc;       /* as its requests bear it */
    uint8_t warp, reg; /* reg: REG_NONE for a store */
    uint8_t space;
    uint8_t kind; /* enum request_kind */
    bool uncached;
    bool started;        /* shared memory: the banks are at work */
    uint8_t count, done; /* accesses */
    unsigned conflicts;  /* shared memory: cycles that the banks need */
    uint64_t until;      /* shared memory: first core cycle in which the banks are free again */
    uint32_t trip;       /* of the warp's loop, when it issued */
    uint32_t header;     /* for the MRPB: that of its accesses without what they differ in */
    struct line_access accesses[COALESCER_ACCESSES_MAX];
};

/* What one cycle of the unit did, for the scoreboard: at most one access meets the data cache, one
 * the shared memory, and one the constant or the texture cache. */
struct load_store_outcome {
    bool cache_taken;
    enum l1_result cache_result;
    uint8_t cache_warp, cache_reg;
    bool shared_taken;
    uint8_t shared_warp, shared_reg;
    bool shared_write;
    uint64_t shared_ready_at; /* core cycle of its data */
    bool constant_hit;
    bool texture_taken;
    uint8_t read_only_warp, read_only_reg; /* of a constant or texture access */
};

struct load_store_stats {
    uint64_t shared_instructions, shared_conflict_cycles;
    uint64_t coalesced; /* accesses to global and local memory of the instructions that entered */
    uint64_t constant_words, texture_lines; /* the same of the other spaces */
    uint64_t mrpb_reads, mrpb_writes;
    uint64_t lines[WARP_SIZE + 1]; /* instructions by their number of accesses, from 1 */
};

/* Why a refused access is tried again. */
enum refusal_retry {
    RETRY_NEVER = 0,
    RETRY_BYPASS = 1, /* it may bypass now */
    RETRY_ROOM = 2,   /* a miss queue has room */
    RETRY_CHANGE = 4, /* something else that it may wait for has changed */
};

/* An access that a cache has refused, and its retries. */
struct refusal {
    unsigned cause;  /* of its cache's results, a failure; 0: none */
    uint8_t retry;   /* of enum refusal_retry, all that apply */
    uint64_t since;  /* core cycle up to which its retries have been counted */
    uint64_t *fails; /* counters by cause */
};

#define LOAD_STORE_LINE_BITS 44 /* of a line number in a request header of the MRPB */

/* Why the run must end. */
enum load_store_failure {
    LOAD_STORE_GOOD,
    LOAD_STORE_BLOCK_DIFFERS, /* the MRPB in lockstep: its report is written */
    LOAD_STORE_FAR_ADDRESS,   /* an address has no place in a request header of the MRPB */
};

/**
 * struct load_store - load/store unit of a core: one memory instruction at a time, one access a
 * cycle, in order: to the shared memory, to the texture or constant cache, or to the L1 data cache
 * or, where the machine has one, to the MRPB in front of it. An access that is refused stays at the
 * head and is tried again every cycle; everything behind it waits.
 *
 * Only accesses to global and local memory go through the MRPB, atomics as writes; the other spaces
 * pass by. With l1.mrpb = slot there are no queues: the head access itself may bypass, from the
 * cycle after it was refused for a cause of mrpb.bypass (MRPB 5.4).
 *
 * The retries of a refused access are not evaluated but counted: its cause cannot change before
 * something that it may wait for changes, and whoever changes that calls load_store_retry().
 */
struct load_store {
    const struct config *config;
    struct l1_data_cache cache, constant;
    struct texture_cache texture;
    struct memory_insn *slot;
    unsigned slots; /* core.operand_latency + 1: one instruction whose accesses are being sent, and
                     * one in each stage of operand collection */
    unsigned head, count;
    unsigned shared_waiting; /* instructions whose turn at the shared memory has not come */
    bool has_mrpb;
    bool has_slot;      /* l1.mrpb = slot */
    bool slot_bypasses; /* the head access has been refused for a cause of mrpb.bypass */
    struct block_instance mrpb;
    uint32_t kernel; /* hash of its name */
    uint8_t failure; /* enum load_store_failure */
    uint8_t core;
    uint32_t all_words;                    /* of a line of the data cache */
    uint8_t all_sectors;                   /* the same */
    uint32_t unseen[LOAD_STORE_WARPS_MAX]; /* accesses that its cache has not taken yet, a warp */
    uint32_t cta[LOAD_STORE_WARPS_MAX];    /* number of the warp's CTA in the run */
    uint8_t generation[LOAD_STORE_WARPS_MAX]; /* warps that the slot has had */
    uint8_t queue[LOAD_STORE_WARPS_MAX];      /* of the MRPB: the warp's signature */
    struct loop_trip trip[LOAD_STORE_WARPS_MAX];
    /* Loop trips of what is in the MRPB, which keeps the order of a warp: a ring a warp. NULL where
     * its queues have no bound: there the headers carry them. */
    uint32_t *trips;
    uint16_t trips_in[LOAD_STORE_WARPS_MAX], trips_out[LOAD_STORE_WARPS_MAX];
    bool read_only_used; /* texture or constant memory has been accessed in this run: else nothing
                          * of theirs needs to be looked at */
    bool asleep;         /* nothing changes until load_store_retry(), a push, or cycle wake_at */
    uint64_t wake_at;    /* core cycle */
    struct request offered;   /* by the MRPB in the last try; worth something once refused */
    struct refusal data;      /* of the data cache */
    struct refusal read_only; /* of the texture or constant cache */
    struct load_store_stats stats;
};

/**
 * load_store_init() - @mrpb: the block in front of the cache when config->l1.mrpb is on (owned by
 * the caller), else NULL. False: out of memory.
 */
bool load_store_init(struct load_store *u, const struct config *config, unsigned core,
                     const struct block_instance *mrpb);
void load_store_destroy(struct load_store *u);

/** load_store_mrpb_params() - of the MRPB before a core's L1, when config->l1.mrpb is on. */
struct mrpb_params load_store_mrpb_params(const struct config *config);

/** load_store_kernel() - a launch of this kernel begins: launches of one kernel bear the same
 * PCs. */
void load_store_kernel(struct load_store *u, const char *name);

/**
 * load_store_warp() - a warp begins in the slot @warp.
 * @cta: its CTA's number in the run
 * @cta_slot: its CTA's slot in the core
 * @number: of the warp in its CTA
 */
void load_store_warp(struct load_store *u, unsigned warp, uint64_t cta, unsigned cta_slot,
                     unsigned number);
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

/** load_store_cycle() - one core cycle. @now: its time, @next: the time of the next core cycle. */
void load_store_cycle(struct load_store *u, uint64_t cycle, uint64_t now, uint64_t next,
                      struct load_store_outcome *o);

/** load_store_next() - the first core cycle after @cycle in which the unit has something to do;
 * NEVER: when woken. */
static inline uint64_t load_store_next(const struct load_store *u, uint64_t cycle) {
    return u->asleep ? u->wake_at : cycle + 1;
}

/** load_store_retry() - something that a refused access may wait for has changed. */
static inline void load_store_retry(struct load_store *u) {
    u->data.retry = RETRY_CHANGE;
    u->read_only.retry = RETRY_CHANGE;
    u->asleep = false;
}

/** load_store_room() - the same where no more than the room in a miss queue has changed. */
static inline void load_store_room(struct load_store *u) {
    u->data.retry |= RETRY_ROOM;
    u->read_only.retry |= RETRY_ROOM;
    u->asleep = false;
}

/** load_store_is_refused() - an access has been refused and waits. */
static inline bool load_store_is_refused(const struct load_store *u) {
    return u->data.cause | u->read_only.cause;
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
