/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_LOAD_STORE_H
#define WARPMEM_L1_LOAD_STORE_H

#include "base/block.h"
#include "l1/coalescer.h"
#include "l1/data_cache.h"
#include "l1/mrpb.h"

/* One instruction whose accesses are being sent, and one in each stage of operand collection. */
#define LOAD_STORE_SLOTS_MAX 33
#define LOAD_STORE_WARPS_MAX 64

struct memory_insn {
    uint64_t at;       /* core cycle from which its first access can be sent */
    uint8_t warp, reg; /* reg: REG_NONE for a store */
    uint8_t space;
    bool write;
    bool started;        /* shared memory: the banks are at work */
    uint8_t count, done; /* accesses */
    unsigned conflicts;  /* shared memory: cycles that the banks need */
    uint64_t until;      /* shared memory: first core cycle in which the banks are free again */
    struct line_access accesses[COALESCER_ACCESSES_MAX];
};

/* What one cycle of the unit did, for the scoreboard: at most one access meets the cache, one
 * the shared memory. */
struct load_store_outcome {
    bool cache_taken;
    enum l1_result cache_result;
    uint8_t cache_warp, cache_reg;
    bool cache_write;
    bool shared_taken;
    uint8_t shared_warp, shared_reg;
    bool shared_write;
    uint64_t shared_ready_at; /* core cycle of its data */
};

struct load_store_stats {
    uint64_t shared_instructions, shared_conflict_cycles;
    uint64_t coalesced; /* accesses of the instructions that entered */
    uint64_t mrpb_reads, mrpb_writes;
};

/**
 * struct load_store - load/store unit of a core: one memory instruction at a time, one access a
 * cycle, in order, to the L1 data cache or, where the machine has one, to the MRPB in front of it.
 * An access that is refused stays at the head and is tried again every cycle; everything behind it
 * waits.
 *
 * The retries of a refused access are not evaluated but counted: its cause cannot change before
 * something that it may wait for changes, and whoever changes that calls load_store_retry().
 */
struct load_store {
    const struct config *config;
    struct l1_data_cache cache;
    struct memory_insn slot[LOAD_STORE_SLOTS_MAX];
    unsigned slots; /* core.operand_latency + 1 */
    unsigned head, count;
    bool has_mrpb;
    struct block_instance mrpb;
    bool mrpb_failed; /* in lockstep it differed: the run must end */
    uint8_t core;
    uint16_t unseen[LOAD_STORE_WARPS_MAX]; /* accesses that its cache has not taken yet, a warp */
    bool asleep;            /* nothing changes until load_store_retry(), a push, or cycle wake_at */
    uint64_t wake_at;       /* core cycle */
    enum l1_result refused; /* the offered access was refused: why; L1_HIT: it was not */
    uint64_t refused_since; /* core cycle */
    bool retry;
    struct load_store_stats stats;
};

/**
 * load_store_init() - @mrpb: the block in front of the cache when config->l1.mrpb is on (owned by
 * the caller), else NULL. False: out of memory.
 */
bool load_store_init(struct load_store *u, const struct config *config, unsigned core,
                     const struct block_instance *mrpb);
void load_store_destroy(struct load_store *u);

static inline bool load_store_can_take(const struct load_store *u) {
    return u->count < u->slots;
}

/** load_store_push() - an issued memory instruction; its first access can be sent in cycle @at.
 * Return: its accesses. */
unsigned load_store_push(struct load_store *u, unsigned warp, const struct warp_op *op,
                         uint64_t at);

/** load_store_shared_waits() - instructions of the warp whose turn at the shared memory has not come.
 */
unsigned load_store_shared_waits(const struct load_store *u, unsigned warp);

/** load_store_cycle() - one core cycle. @now: its time, @next: the time of the next core cycle. */
void load_store_cycle(struct load_store *u, uint64_t cycle, uint64_t now, uint64_t next,
                      struct load_store_outcome *o);

/** load_store_next() - the first core cycle after @cycle in which the unit has something to do;
 * NEVER: when woken. */
uint64_t load_store_next(const struct load_store *u, uint64_t cycle);

/** load_store_retry() - something that a refused access may wait for has changed. */
static inline void load_store_retry(struct load_store *u) {
    u->retry = true;
    u->asleep = false;
}

/** load_store_settle() - count the retries up to, not including, @cycle: before statistics are
 * read. */
void load_store_settle(struct load_store *u, uint64_t cycle);

/** load_store_idle() - no access is on its way to the cache. */
bool load_store_idle(const struct load_store *u);

bool load_store_register_stats(const struct load_store *u, struct stats *s);

#endif
