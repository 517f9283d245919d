/* SPDX-License-Identifier: Apache-2.0
 *
 * The front of the L1 data cache, between the coalescer and the cache. It takes the accesses to
 * global and local memory in the order of their instructions, selects the one that the cache sees
 * next, and decides if a read that the cache would refuse may bypass it. The load/store unit hands
 * it one access a cycle; the cache gets from its front only the causes of refusal that let a read
 * bypass.
 *
 * A front is one file with a struct l1_front_kind, and one word in the table of l1/front.c.
 */
#ifndef WARPMEM_L1_FRONT_H
#define WARPMEM_L1_FRONT_H

#include "base/alarm.h"
#include "base/block.h"
#include "base/now.h"
#include "kernel/insn.h"
#include "l1/coalescer.h"
#include "l1/data_cache.h"
#include "l1/policies.h"
#include "l1/refusal.h"

#define L1_FRONT_WARPS_MAX 64

/* A memory instruction in the load/store unit. */
struct memory_insn {
    uint64_t at;       /* core cycle from which its first access can be sent */
    uint16_t pc;       /* as its requests bear it */
    uint8_t warp, reg; /* reg: REG_NONE for a store */
    uint8_t space;
    uint8_t kind; /* enum request_kind */
    bool uncached;
    bool started;             /* shared memory: the banks are busy */
    uint8_t count, done;      /* accesses */
    struct bank_cycles banks; /* shared memory */
    uint64_t until;  /* shared memory: first core cycle in which the banks are free again */
    uint32_t trip;   /* of the warp's loop, when it issued */
    uint32_t header; /* for the front: header bits that its accesses share */
    struct line_access accesses[COALESCER_ACCESSES_MAX];
};

/* An access that the cache has accepted. */
struct l1_taken {
    enum l1_result result;
    uint8_t warp, reg;
};

/* For observers of the cache: the access that it accepted last. The reader clears
 * victim.evicted. */
struct l1_watched {
    uint64_t line;
    uint16_t pc; /* as requests bear it; 0: not known */
    struct l1_victim victim;
};

/* Results of a front's cycle, a bit each. */
enum {
    L1_FRONT_ENTERED = 1, /* the access shown by the load/store unit has left the unit */
    L1_FRONT_SLEEPS = 2,  /* no state changes until an access is shown or a refusal ends */
    L1_FRONT_TAKEN = 4,   /* the cache has taken an access: struct l1_taken */
};

struct l1_front;

/**
 * struct l1_front_kind - one kind of front. All but wanted and cycle may be NULL.
 * @wanted: does the configuration select it? It selects one of the table
 * @keeps_accesses: accesses can stay in it when their instruction has left the load/store unit, so
 *                  that a barrier or fence of their warp waits for them, and it is called in every
 *                  cycle in which the unit does not sleep
 * @bypass_causes: refusals, one bit each of enum l1_result, for which it may let a read bypass
 * @init: @where, @cycle as in struct block_factory. False: refused
 * @begin_warp: a warp begins in a slot; see load_store_warp()
 * @pack: m->header of an instruction that enters the load/store unit
 * @cycle: one core cycle. @m: the instruction whose next access the unit shows; NULL: none.
 *         @taken: set with L1_FRONT_TAKEN. Return: of L1_FRONT_ENTERED, _SLEEPS and _TAKEN
 * @register_stats: its counters; @own NULL: of another front, names whose values are 0
 */
struct l1_front_kind {
    bool (*wanted)(const struct config *config);
    bool keeps_accesses;
    uint32_t (*bypass_causes)(const struct config *config);
    bool (*init)(struct l1_front *f, const char *where, const uint64_t *cycle,
                 const struct build *build);
    void (*destroy)(struct l1_front *f);
    void (*begin_warp)(struct l1_front *f, unsigned warp, unsigned cta_slot, unsigned number);
    uint32_t (*pack)(const struct memory_insn *m);
    unsigned (*cycle)(struct l1_front *f, struct memory_insn *m, const struct now *now,
                      struct l1_taken *taken);
    bool (*register_stats)(const void *own, struct stats *s);
};

struct l1_front_stats {
    /* Retry cycles of accesses that bypass the cache: no reservation failures (MDB 2.2). */
    uint64_t pass_fails[L1_RESULTS];
};

/**
 * struct l1_front - the front of one core's L1.
 * @refusal: of the access that waits for the cache
 * @cta, @generation: of the warp in each slot, as its requests bear them
 * @offered: for a kind without queues: the access that waits for the cache; unchanged while
 *           f->refusal.cause is set, because the cache changes a request only when it accepts it
 * @follows: a policy prefetches or chooses victims: the load/store unit follows them in each cycle
 * @watched: receives each access that the cache accepts; NULL: not wanted
 * @own: the kind's own state; NULL: it has none
 */
struct l1_front {
    const struct l1_front_kind *kind;
    const struct config *config;
    struct l1_data_cache *cache;
    struct alarm *alarm;
    bool keeps_accesses; /* as kind */
    bool follows;
    uint8_t core;
    uint8_t all_sectors; /* of a line of the cache */
    uint32_t all_words;  /* the same */
    uint32_t cta[L1_FRONT_WARPS_MAX];
    uint8_t generation[L1_FRONT_WARPS_MAX]; /* number of warps in the slot so far */
    struct refusal refusal;
    struct l1_policies *policies; /* NULL: none */
    struct request offered;
    struct l1_watched *watched;
    void *own;
    struct l1_front_stats stats;
};

/**
 * l1_front_init() - the front that the configuration selects, before @cache, whose bypass causes it
 * sets.
 * @core: its number; a block in the front is named after it
 * @named: the policy of l1.policy; NULL: none
 * False: refused.
 */
bool l1_front_init(struct l1_front *f, const struct config *config, unsigned core,
                   struct l1_data_cache *cache, const struct l1_policy_kind *named,
                   const uint64_t *cycle, const struct build *build);
void l1_front_destroy(struct l1_front *f);

/** l1_front_begin_warp() - as load_store_warp(). */
void l1_front_begin_warp(struct l1_front *f, unsigned warp, uint64_t cta, unsigned cta_slot,
                         unsigned number);

bool l1_front_register_stats(const struct l1_front *f, struct stats *s);

/* request.full: each byte is written of the line, or where the L2 has sectors, of those that it
 * writes. */
static inline bool l1_front_is_full(const struct l1_front *f, const struct line_access *a) {
    return f->config->l2.sectors ? line_access_sectors_full(a) : line_access_full(a, f->all_words);
}

/** l1_front_make_request() - for a kind: the request of the access at hand. */
static inline void l1_front_make_request(const struct l1_front *f, const struct memory_insn *m,
                                         struct request *r) {
    const struct line_access *a = &m->accesses[m->done];
    *r = (struct request){.line = a->line,
                          .cta = f->cta[m->warp],
                          .generation = f->generation[m->warp] & 3,
                          .sectors = line_access_sectors(a),
                          .full = l1_front_is_full(f, a),
                          .kind = m->kind,
                          .local_space = m->space == SPACE_LOCAL,
                          .uncached = m->uncached,
                          .core = f->core,
                          .warp = m->warp,
                          .pc = m->pc,
                          .reg = m->reg};
    if (m->kind == REQUEST_WRITE) {
        r->words = a->narrow ? 0 : a->words;
    }
}

/** l1_front_decide_way() - for l1_front_present(): policies decide if an access that the cache sees
 * for the first time bypasses it. l1_front_tell_result() - report to them that the cache has taken
 * or refused an access. */
void l1_front_decide_way(struct l1_front *f, struct request *r, const struct now *now);
void l1_front_tell_result(struct l1_front *f, const struct request *r, enum l1_result result,
                          const struct now *now);

/** l1_front_tell_filled() - report to the policies, of which there are some, that the fetch of a
 * line has come. */
void l1_front_tell_filled(struct l1_front *f, const struct request *reply, uint64_t cycle);

/** l1_front_prefetches() - does a prefetch wait for a cycle without an access? */
static inline bool l1_front_prefetches(const struct l1_front *f) {
    return f->policies && f->policies->prefetches.count;
}

/** l1_front_prefetch() - try the oldest one in this cycle. Return: false if it is dropped. */
bool l1_front_prefetch(struct l1_front *f, const struct now *now);

/** l1_front_watch_access() - for l1_front_present(): report the access to the observer. */
void l1_front_watch_access(struct l1_front *f, const struct request *r);

/**
 * l1_front_present() - for a kind: present a request to the cache in this cycle.
 * @only_bypass: refusal_is_only_bypass() of the refusal before this try
 * Return: true if the cache accepted it; else f->refusal has the cause.
 */
static inline __attribute__((always_inline)) bool l1_front_present(struct l1_front *f,
                                                                   struct request *r,
                                                                   bool only_bypass, uint32_t trip,
                                                                   const struct now *now,
                                                                   struct l1_taken *taken) {
    if (f->policies && !f->refusal.cause) { /* else it is decided */
        l1_front_decide_way(f, r, now);
    }
    enum l1_result result = r->passes_l1 ? l1_data_cache_pass(f->cache, r, now)
                            : only_bypass && r->may_bypass
                                ? l1_data_cache_bypass(f->cache, r, now)
                                : l1_data_cache_access(f->cache, r, trip, now);
    if (f->policies) {
        l1_front_tell_result(f, r, result, now);
    }
    if (result >= L1_FAILS) {
        refusal_begin(&f->refusal, result, now->cycle);
        f->refusal.fails = r->passes_l1 ? f->stats.pass_fails : f->cache->stats.fails;
        return false;
    }
    f->refusal.cause = 0;
    if (f->watched) {
        l1_front_watch_access(f, r);
    }
    *taken = (struct l1_taken){result, (uint8_t)r->warp, r->reg};
    return true;
}

/** l1_front_retry_bypass() - for a kind: a read that was refused may bypass from the next cycle on.
 * It is looked up again where a write may wait in its line's MSHR: it must not pass that write. */
static inline void l1_front_retry_bypass(struct l1_front *f) {
    f->refusal.retry |= f->refusal.cause == L1_FAIL_MSHR_MERGE ? RETRY_CHANGE : RETRY_BYPASS;
}

#endif
