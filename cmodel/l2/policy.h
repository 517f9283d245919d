/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between the L2 and its policies: which requests bypass it, whose misses take a
 * line, which line is evicted, and how recently used a new one counts.
 *
 * Each partition has one state of a policy. A request passes up to four decisions:
 *
 * - bypass(): it is at the end of its port. A read may go to the DRAM without a look-up, at once or
 *   if its type is the lowest. The block l2/bypass carries that out; its header describes writes
 *   and atomics.
 * - takes_line(): it leaves for its bank's queue. A request that may take no line is looked up; on
 *   a miss a read fetches its own bytes only, and a write is sent on.
 * - victim(): it misses, and its set has no free way.
 * - place(): its line takes a way. The line counts as the most or the least recently used of its
 *   set.
 *
 * How policies combine. A machine has the policies that its keys ask for (wanted), and the one that
 * l2.policy names. Of several answers to bypass() the greatest wins. A request takes a line if all
 * policies allow it. Only one policy may order the lines of a set: the others have neither victim()
 * nor place(), and without it LRU orders them. OWL's prefetched lines work with place(), but not
 * with victim(). Bypassing needs l2.write = through and l2.perfect = off. All policies of a machine
 * use types of warps, or all use types of instructions. Every other combination works: any
 * l2.bypass with any l2.allocation, any l2.insertion, and an l2.policy.
 *
 * A policy receives the events of its partition as they happen. bypass() and victim() are called
 * repeatedly while a request waits: they are functions of the state and change nothing. With --poll
 * each is called twice, and a policy that answers differently or changes its state ends the run.
 * takes_line(), place() and tell() are called once and may change the state.
 *
 * A period has no event: a policy compares l2_policy_core_cycle() with a time that it has stored,
 * in its next call.
 *
 * A policy is one file below l2/ with a struct l2_policy_kind, and one word in the table of
 * l2/policy_kinds.c; or a plug-in (gpu/plugin.h) with the same struct.
 */
#ifndef WARPMEM_L2_POLICY_H
#define WARPMEM_L2_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build.h"
#include "base/request.h"
#include "base/stats.h"
#include "config/config.h"

#define L2_POLICY_NO_SET (-1)

/**
 * struct l2_policy_view - a partition as its policies see it.
 * @sets, @ways: of a bank
 * @cycle: the current L2 cycle
 * @core_period, @l2_period: time units of a core cycle, of an L2 cycle
 */
struct l2_policy_view {
    const struct config *config;
    unsigned partition, banks, ports, sets, ways;
    uint64_t cycle, core_period, l2_period;
};

/** l2_policy_core_cycle() - core cycles completed when the current L2 cycle begins. */
static inline uint64_t l2_policy_core_cycle(const struct l2_policy_view *view) {
    return view->cycle * view->l2_period / view->core_period;
}

/** l2_policy_lines() - lines of the partition. l2_policy_line() - number of one of them. */
static inline size_t l2_policy_lines(const struct l2_policy_view *view) {
    return (size_t)view->banks * view->sets * view->ways;
}

static inline size_t l2_policy_line(const struct l2_policy_view *view, unsigned bank, unsigned set,
                                    unsigned way) {
    return ((size_t)bank * view->sets + set) * view->ways + way;
}

/**
 * struct l2_policy_access - a request of the partition.
 * @line: number of its line in the partition; the low bits are its bank
 * @set: in its bank
 * @core, @warp: core and slot of its warp; of an L1's write-back, those of the warp that evicted it
 * @pc: a hash of kernel and static instruction; 0: unknown
 * @type: of its warp, or of its instruction; balanced while it is unknown, for bypass(), and where
 *        no policy has types
 * @prefetch: a read of OWL's prefetcher, which belongs to no warp
 */
struct l2_policy_access {
    uint64_t line;
    unsigned bank, set;
    enum request_kind kind;
    unsigned core, warp;
    uint16_t pc;
    enum l2_class type;
    bool prefetch;
};

/** l2_policy_warp() - number of the request's warp slot in the machine. The same slot of all cores
 * has adjacent numbers. */
static inline unsigned l2_policy_warp(const struct l2_policy_view *view,
                                      const struct l2_policy_access *access) {
    return access->warp * view->config->core.count + access->core;
}

/* May a request bypass the L2? */
enum l2_bypass {
    L2_BYPASS_NEVER,
    L2_BYPASS_BY_TYPE, /* if its type is known and the lowest, L2_CLASS_MISS */
    L2_BYPASS_ALWAYS,
};

/* Hit ratios, of warps or of instructions, decide the types (l2/types.h). */
enum l2_types_of { L2_TYPES_OF_NOTHING, L2_TYPES_OF_WARPS, L2_TYPES_OF_INSTRUCTIONS };

enum l2_place { L2_PLACE_MOST_RECENT, L2_PLACE_LEAST_RECENT };

enum l2_policy_event_kind {
    L2_POLICY_LAUNCHED, /* a launch begins */
    L2_POLICY_BYPASSED, /* access: it left for the DRAM without a look-up */
    L2_POLICY_ACCESSED, /* access, outcome: its bank has taken it; after TOUCHED and INSERTED */
    L2_POLICY_TOUCHED,  /* access, way: it uses its line, which is there or on its way */
    L2_POLICY_EVICTED,  /* access, way, line: its line evicts a valid one; after place() */
    L2_POLICY_INSERTED, /* access, way: its line takes the way; after EVICTED */
    L2_POLICY_FILLED,   /* access, way: the DRAM has brought the line; no warp, no pc */
    L2_POLICY_EVENTS
};

#define L2_POLICY_EVENT(kind) (1u << (kind))

/* A bank found the line; the line is being fetched; the line was missing. */
enum l2_outcome { L2_HIT, L2_PENDING_HIT, L2_MISS, L2_OUTCOMES };

/* Members as enum l2_policy_event_kind names them. */
struct l2_policy_event {
    enum l2_policy_event_kind kind;
    const struct l2_policy_access *access;
    enum l2_outcome outcome;
    unsigned way;
    uint64_t line; /* as in struct l2_policy_access */
};

/**
 * struct l2_policy_kind - one policy. All but name may be NULL or 0.
 * @name: of letters, digits, - and _: its scheme's, and the value of l2.policy
 * @about: one line
 * @wanted: do the configuration's keys ask for it? NULL: l2.policy alone does
 * @types: the kind of types that it needs
 * @events: L2_POLICY_EVENT() mask of the events that it receives; the others cost nothing
 * @state_size: bytes of its state, zeroed before make
 * @make: set up the state and its hardware blocks (block_make()). @view stays valid and in place.
 *        False: refused, with the reason in build->error
 * @destroy: undo make; also of a zeroed state
 * @bypasses: its answer for every request if it has no bypass()
 * @bypass: may @access, at the end of its port, bypass?
 * @takes_line: called once for each request that goes to its bank
 * @victim: choose one of @candidates, the ways with valid lines, a bit each, at least one
 * @place: called once for each line that takes a way
 * @begin_cycle, @end_cycle: for a victim() whose order is in a clocked memory that reads a set in
 *     the cycle before its access: an access takes a cycle more. A bank calls both in each cycle in
 *     which it reads or accesses. begin: ways of the set that was read last, @free for a line, and
 *     @held by one that is being fetched; @access: the bank tries it in this cycle, NULL: none.
 *     end: @set is read for the next access; L2_POLICY_NO_SET: none
 * @tell: receive an event
 * @register_stats: register its counters
 */
struct l2_policy_kind {
    const char *name, *about;
    bool (*wanted)(const struct config *config);
    enum l2_types_of types;
    unsigned events;
    size_t (*state_size)(const struct l2_policy_view *view);
    bool (*make)(void *state, const struct l2_policy_view *view, const struct build *build);
    void (*destroy)(void *state);
    enum l2_bypass bypasses;
    enum l2_bypass (*bypass)(const void *state, const struct l2_policy_view *view,
                             const struct l2_policy_access *access);
    bool (*takes_line)(void *state, const struct l2_policy_view *view,
                       const struct l2_policy_access *access);
    unsigned (*victim)(const void *state, const struct l2_policy_view *view,
                       const struct l2_policy_access *access, uint64_t candidates);
    enum l2_place (*place)(void *state, const struct l2_policy_view *view,
                           const struct l2_policy_access *access, unsigned way);
    void (*begin_cycle)(void *state, unsigned bank, const struct l2_policy_access *access,
                        uint64_t free, uint64_t held);
    void (*end_cycle)(void *state, unsigned bank, int set);
    void (*tell)(void *state, const struct l2_policy_view *view,
                 const struct l2_policy_event *event);
    bool (*register_stats)(const void *state, struct stats *s);
};

#define L2_POLICY_KINDS_MAX 16

/** l2_policy_sorts() - do requests bypass, have a type or take no line by this policy (NULL: none)?
 * Then the block l2/bypass is before the banks. */
static inline bool l2_policy_sorts(const struct l2_policy_kind *kind) {
    return kind && (kind->bypass || kind->bypasses || kind->takes_line || kind->types);
}

/** l2_policy_kind_at() - the i-th row; NULL: after the last one. */
const struct l2_policy_kind *l2_policy_kind_at(unsigned i);

/**
 * l2_policy_kinds_wanted() - the policies that the configuration asks for by keys, in the order of
 * their rows, then @named, that of l2.policy (NULL: none).
 * Return: their number.
 */
unsigned l2_policy_kinds_wanted(const struct config *config, const struct l2_policy_kind *named,
                                const struct l2_policy_kind *wanted[L2_POLICY_KINDS_MAX]);

/** l2_policy_fits() - can @named, the policy of l2.policy (NULL: none), be combined with the others
 * of a configuration that config_check() accepts? False: build->error has the reason. */
bool l2_policy_fits(const struct config *config, const struct l2_policy_kind *named,
                    const struct build *build);

#endif
