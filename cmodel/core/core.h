/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_CORE_CORE_H
#define WARPMEM_CORE_CORE_H

#include "base/clock.h"
#include "base/ring.h"
#include "base/stats.h"
#include "base/unit_set.h"
#include "config/config.h"
#include "dram/address.h"
#include "core/loads.h"
#include "core/pipelines.h"
#include "core/stall.h"
#include "core/warp_types.h"
#include "issue/policy.h"
#include "issue/scheduler.h"
#include "issue/scoreboard.h"
#include "kernel/launch.h"
#include "l1/load_store.h"

#define CORE_WARPS_MAX 64
#define CORE_CTAS_MAX 32
#define CORE_SCHEDULERS_MAX POLICY_SCHEDULERS_MAX

#define CORE_UNITS 3 /* units of enum request_unit, which share the path to the interconnect */

/* Sources of data that compete for the register write port: see core_take_data(). */
enum core_port { CORE_PORT_REPLY, CORE_PORT_CONSTANT, CORE_PORT_TEXTURE, CORE_PORTS };

struct core_warp {
    struct warp_cursor cursor;
    struct warp_op op;    /* the next instruction, while the warp has one */
    uint32_t outstanding; /* unanswered accesses: reads, and writes not acknowledged */
    uint32_t issued;      /* instructions */
    uint8_t cta;          /* slot of its CTA */
    uint8_t after; /* issue.inflight_per_warp: register of the load before the next instruction */
};

struct core_cta {
    struct cta_trace *trace; /* kept from CTA to CTA */
    bool used;
    unsigned first_warp, warps;
    unsigned live;    /* warps that have not exited */
    unsigned arrived; /* warps at the barrier */
    bool one_ended;   /* all instructions of one of its warps have issued */
};

struct core_stats {
    uint64_t warp_instructions, thread_instructions;
    uint64_t lanes[WARP_SIZE / 4]; /* warp instructions with 0 to 4 active lanes, 5 to 8, ... */
    /* Thread instructions of arithmetic; from core_settle(). The others move data or wait. */
    uint64_t integer_lanes, float_lanes;
    uint64_t loads, stores, atomics, barriers, fences;
    uint64_t arithmetic; /* the others; from core_settle() */
    uint64_t ctas;
    uint64_t most_ctas, most_cta_warps; /* resident at once; in a CTA */
    /* Instructions issued when the first warp of a CTA has issued all of its own: by the CTA's warp
     * with the most and that with the fewest; and per scheduler, for the CTA's warps. Sums over
     * CTAs of two warps and more. */
    uint64_t most_issued, fewest_issued;
    uint64_t scheduler_most_issued, scheduler_fewest_issued;
    uint64_t issue_cycles; /* cycles in which at least one warp instruction issued */
    uint64_t requests_sent, replies_received;
    uint64_t ack_replies;  /* replies to writes among them */
    uint64_t data_replies; /* the other replies, to reads and atomics; from core_settle() */
};

/* The issue policies of a core (core/core_policy.h). */
struct core_policies {
    struct issue_policy masks;
    struct policy_view view;
    unsigned count;
    const struct policy_kind *kind[POLICY_KINDS_MAX + 1];
    void *state[POLICY_KINDS_MAX + 1];
    unsigned events; /* POLICY_EVENT() mask of the events that any policy listens to */
    bool sees_waiting, sees_owner, changes_by_itself;
    /* With --poll each refresh is computed twice: alarm NULL: once; room for the largest state. */
    struct alarm *alarm;
    void *copy;
    bool watches; /* a policy listens to POLICY_ACCESS, or there are victim tags */
    struct l1_watched watched;
};

/**
 * struct core - one SM: warp slots, scoreboard, schedulers, function units, load/store unit with
 * its L1.
 *
 * Order within a cycle: data for one register, and one reply; the load/store unit; inject one
 * request; with l1.steps these again; issue. So a fill in cycle n wakes warps from n + 1, and is
 * visible to the cache's look-up in n.
 */
struct core {
    const struct config *config;
    unsigned id;
    uint64_t cycle; /* of the last evaluation; hardware blocks read it */
    struct scoreboard scoreboard;
    struct warp_scheduler scheduler[CORE_SCHEDULERS_MAX];
    struct load_store load_store;
    bool injected; /* a request has left a queue in this cycle: it has room from the next on */
    uint8_t port_turn, inject_turn; /* round-robin positions: enum core_port, enum request_unit */
    struct core_warp warp[CORE_WARPS_MAX];
    uint64_t age[CORE_WARPS_MAX]; /* launch number of the slot's CTA */
    /* Warps, one bit each: */
    uint64_t live;  /* slots with a warp that has not exited */
    uint64_t ended; /* all their instructions have issued */
    uint64_t at_barrier, at_fence;
    uint64_t memory_next, sfu_next, sync_next; /* their next instruction is of that kind */
    uint64_t cached_load_next;                 /* of memory_next: insn_is_cached_load() */
    /* issue.inflight_per_warp: their last instruction ends when its accesses have been sent, or are
     * answered. */
    uint64_t sending, answering;
    struct load_flight flight[CORE_WARPS_MAX][REG_COUNT]; /* of a pending load */
    bool limited;                                         /* there are issue policies */
    struct core_policies policies;
    struct core_arbiters *arbiters; /* NULL: no policy has groups */
    unsigned pump; /* cycles that an instruction takes of its scheduler: 32 / SIMD width */
    struct pipelines pipelines;
    struct core_cta cta[CORE_CTAS_MAX];
    unsigned cta_limit; /* CTAs of the current launch that fit at once */
    unsigned resident;
    bool cta_done;   /* a CTA has ended: for the dispatcher */
    bool progressed; /* for the watchdog */
    /* Neighbours, wired by the machine. */
    struct dram_map map;
    struct ring *requests;       /* to the interconnect, in flits */
    struct unit_set *requesting; /* the interconnect's inputs with a packet */
    struct ring *replies;        /* from the interconnect */
    struct clock_domain *noc_clock;
    unsigned request_network, reply_network;
    FILE *events;
    bool watched;                           /* each reply is recorded: events, warp_hits */
    uint64_t lanes_of[OP_ARITHMETIC_COUNT]; /* thread instructions issued */
    struct core_stats stats;
    struct stall stall;
    struct warp_types warp_types;
    struct warp_hits *warp_hits; /* hits of each slot; NULL: not counted */
    struct core_loads loads;
};

/** core_init() - @c: zeroed; the caller sets its neighbours. @policy: as in struct gpu_options.
 * False: refused. */
bool core_init(struct core *c, const struct config *config, unsigned id,
               const struct policy_kind *policy, const struct l1_policy_kind *l1,
               const struct build *build);
void core_destroy(struct core *c);

/**
 * core_fit() - CTAs of a launch that a core holds at once, by threads, warps, CTA slots, registers
 * and shared memory.
 * @limit: set to the resource that limits them, for messages. Return: 0 if not even one fits.
 */
unsigned core_fit(const struct config *config, const struct launch *launch, const char **limit);

/**
 * core_prepare() - a launch begins in @cycle; the core is empty.
 * @fit: CTAs that the core has room for
 * @ctas: CTAs that it gets when the launch begins
 */
void core_prepare(struct core *c, const struct launch *launch, unsigned fit, unsigned ctas,
                  uint64_t cycle);

/** core_has_room() - can the dispatcher give it a CTA? core_free_trace() - the buffer for that
 * CTA's streams. */
static inline bool core_has_room(const struct core *c) {
    return c->resident < c->cta_limit;
}
struct cta_trace *core_free_trace(struct core *c);

/** core_start() - start the CTA whose streams are in core_free_trace(): its warps can issue in
 * @cycle. */
void core_start(struct core *c, const struct kernel_code *code, uint64_t launch_number,
                uint64_t cycle);

/** core_cycle() - one core cycle. @poll: a refused access is retried. Return: time of its next
 * work; NEVER: when woken. */
uint64_t core_cycle(struct core *c, const struct now *now, bool poll);

/** core_drop() - drop the instructions that its warps have not issued; the warps exit when their
 * outstanding accesses are answered. Between two edges; @cycle: the next one. */
void core_drop(struct core *c, uint64_t cycle);

/** core_settle() - complete every counter before core cycle @cycle: before statistics are read. Any
 * number of times. */
void core_settle(struct core *c, uint64_t cycle);

/** core_idle() - no warp, no request inside. */
bool core_idle(const struct core *c);

bool core_register_stats(const struct core *c, struct stats *s);

/** core_cta_warps() - the slots of a CTA's warps, one bit each. */
static inline uint64_t core_cta_warps(const struct core_cta *cta) {
    return (cta->warps < 64 ? (UINT64_C(1) << cta->warps) - 1 : ~UINT64_C(0)) << cta->first_warp;
}

/** core_takeable() - ready warps, with room in the load/store unit if they need it; none where it
 * holds them all. */
static inline uint64_t core_takeable(const struct core *c) {
    const struct load_store *u = &c->load_store;
    if (__builtin_expect(u->holds_issue, false) && load_store_holds_issue(u, c->cycle)) {
        return 0;
    }
    return c->scoreboard.ready & ~(load_store_can_take(u) ? 0 : c->memory_next);
}

/** core_is_unsent() - must the load/store unit still present an access of the warp?
 * core_is_beyond_l1() - is an access that left the L1, or its own cache, unanswered? */
static inline bool core_is_unsent(const struct core *c, unsigned warp) {
    const struct load_store *u = &c->load_store;
    return u->unseen[warp] || load_store_shared_waits(u, warp);
}
static inline bool core_is_beyond_l1(const struct core *c, unsigned warp) {
    const struct load_store *u = &c->load_store;
    return c->warp[warp].outstanding > u->unseen[warp] + load_store_shared_waits(u, warp);
}

#endif
