/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between the L1 data cache and its policies: which accesses bypass it, which line
 * makes room for another, and which lines are prefetched.
 *
 * A policy works behind any front of the L1 (l1/front.h). The L1 calls bypasses() when the cache
 * first sees an access, and victim() when a line is to be evicted, and reports the results of both
 * by tell(). Only tell() changes the policy's state.
 *
 * Several policies of a core work together: an access bypasses the L1 if one of them decides so, at
 * most one chooses victims, and the prefetches of all wait in one queue, in the order of their
 * requests.
 *
 * A policy requests a prefetch in tell(). The prefetch uses the cache's port in a cycle in which no
 * access does (a refused access retries in each cycle), and is tried once: l1/data_cache.h lists
 * its resources. Sectors, lines that are taken with their data, and bypasses by other policies make
 * no difference to it. While the core has no warp nothing is prefetched.
 *
 * A policy is one file below l1/ with a struct l1_policy_kind, and one word in the table of
 * l1/policy_kinds.c; or a plug-in (gpu/plugin.h) with the same struct. With --poll bypasses() and
 * victim() are called twice, and a policy whose second result differs, or whose state changes, ends
 * the run.
 */
#ifndef WARPMEM_L1_POLICY_H
#define WARPMEM_L1_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build.h"
#include "base/request.h"
#include "base/stats.h"
#include "base/tag_array.h"
#include "config/config.h"
#include "l1/result.h"

#define L1_POLICIES_MAX 8
#define L1_PREFETCHES_MAX 16 /* that wait for the port; a power of two */

/**
 * struct l1_policy_view - an L1 as its policies see it.
 * @cycle: core cycle of the call; hardware blocks read it
 * @tags: of the cache
 * @fails: retry cycles of refused accesses up to now, by cause: [L1_RESULTS]
 */
struct l1_policy_view {
    const struct config *config;
    unsigned core;
    uint64_t cycle;
    const struct tag_array *tags;
    const uint64_t *fails;
};

/**
 * struct l1_policy_access - an access to the L1 data cache.
 * @line: byte address / l1.line_bytes; @set: its set
 * @kind: REQUEST_READ, _WRITE or _ATOMIC; _PREFETCH for victim(), and at a fill
 * @warp: the slot of its warp; @cta: number of that warp's CTA in the run
 * @pc: a hash of kernel and static instruction; 0 at a fill. Behind the MRPB, whose request headers
 *      do not have it, a policy that reads it needs headers of 16 bits more
 * @local: of local memory
 * @uncached: a read that the L1 may not serve
 */
struct l1_policy_access {
    uint64_t line;
    unsigned set;
    enum request_kind kind;
    unsigned warp;
    uint32_t cta;
    uint16_t pc;
    bool local, uncached;
};

enum l1_policy_event_kind {
    L1_POLICY_LAUNCHED,     /* kernel: a launch begins; the core has no warp */
    L1_POLICY_LAUNCH_ENDED, /* all of its CTAs have ended, on all cores */
    L1_POLICY_CTA_STARTED,  /* kernel: a CTA of the launch starts, before its warps begin */
    L1_POLICY_WARP_BEGUN,   /* warp, cta_slot, number */
    L1_POLICY_WARP_ENDED,   /* warp */
    L1_POLICY_REFUSED,      /* access, result, bypasses: it waits; its retries are no events */
    L1_POLICY_TAKEN,        /* access, result, bypasses, refused */
    L1_POLICY_FILLED,       /* access, way: the fetch of a line has come, for that access */
};

#define L1_POLICY_EVENT(kind) (1u << (kind))

/**
 * struct l1_policy_event - members as enum l1_policy_event_kind names them.
 * @kernel: hash of its name
 * @cta_slot: of the core; @number: of the warp in its CTA
 * @bypasses: a policy has sent the access round the L1
 * @refused: it was refused before
 */
struct l1_policy_event {
    enum l1_policy_event_kind kind;
    uint32_t kernel;
    unsigned warp, cta_slot, number;
    const struct l1_policy_access *access;
    enum l1_result result;
    bool bypasses, refused;
    int way;
};

/* A line to be fetched on behalf of a warp. */
struct l1_prefetch {
    uint64_t line;
    uint32_t cta;
    uint16_t pc;
    uint8_t warp;
    bool local;
};

/**
 * struct l1_prefetches - prefetches of a core that wait for the port.
 * @warps: of the core; 0: none are taken
 * @dropped: counts those for which there is no place here, or no warp
 */
struct l1_prefetches {
    struct l1_prefetch list[L1_PREFETCHES_MAX];
    unsigned head, count, warps;
    uint64_t *dropped;
};

/** l1_prefetch_line() - request a prefetch, in tell(). @cause: the access whose warp it is for; its
 * cache finds the line's owner there. */
static inline void l1_prefetch_line(struct l1_prefetches *p, const struct l1_policy_access *cause,
                                    uint64_t line) {
    if (!p->warps || p->count == L1_PREFETCHES_MAX) {
        ++*p->dropped;
        return;
    }
    p->list[(p->head + p->count++) % L1_PREFETCHES_MAX] =
        (struct l1_prefetch){.line = line,
                             .cta = cause->cta,
                             .pc = cause->pc,
                             .warp = (uint8_t)cause->warp,
                             .local = cause->local};
}

/* Results of victim() other than a way. */
enum {
    L1_NO_VICTIM = TAG_NO_WAY, /* the access waits, as where every line waits for its fill; an event
                                  must change the result */
    L1_NO_LINE = -2,           /* a read goes on without a line; another access waits */
};

/**
 * struct l1_policy_kind - one policy. All but name may be NULL or 0.
 * @name: of letters, digits, - and _; without @wanted its scheme's, and the value of l1.policy
 * @about: one line
 * @wanted: do the configuration's keys select it? NULL: l1.policy alone does
 * @state_size: bytes of its state in a core, zeroed before make
 * @events: L1_POLICY_EVENT() mask of the events that it receives
 * @prefetches: it requests prefetches
 * @make: the rest of its state, hardware blocks among it; false: refused
 * @destroy: undo make; also of a zeroed state
 * @join: all cores are made; @states: its state in each of them
 * @bypasses: does the access bypass the L1? Called when the cache first sees it; the result holds
 *            until the cache takes it. Atomics, accesses to local memory and uncached reads never
 *            bypass
 * @victim: the way to evict for an access that misses, or a prefetch, in a full set: one of
 *          @candidates, ways with valid lines, a bit each; L1_NO_VICTIM, L1_NO_LINE. Called again
 *          for an access that then lacks another resource
 * @tell: receive an event. @prefetches: those of the core; NULL: @prefetches of the kind is not set
 * @register_stats: its counters; without a state (NULL), of a kind with @wanted, names whose values
 *                  are 0
 */
struct l1_policy_kind {
    const char *name, *about;
    bool (*wanted)(const struct config *config);
    size_t (*state_size)(const struct l1_policy_view *view);
    unsigned events;
    bool prefetches;
    bool (*make)(void *state, const struct l1_policy_view *view, const struct build *build);
    void (*destroy)(void *state);
    void (*join)(void *state, void *const *states);
    bool (*bypasses)(const void *state, const struct l1_policy_view *view,
                     const struct l1_policy_access *access);
    int (*victim)(const void *state, const struct l1_policy_view *view,
                  const struct l1_policy_access *access, uint64_t candidates);
    void (*tell)(void *state, const struct l1_policy_view *view,
                 const struct l1_policy_event *event, struct l1_prefetches *prefetches);
    bool (*register_stats)(const void *state, struct stats *s);
};

/** l1_policy_kind_at() - the i-th row; NULL: there are no more. */
const struct l1_policy_kind *l1_policy_kind_at(unsigned i);

/**
 * l1_policy_kinds_wanted() - the policies that the configuration's keys select, in the order of
 * their rows, then @named, that of l1.policy (NULL: none).
 * Return: how many.
 */
unsigned l1_policy_kinds_wanted(const struct config *config, const struct l1_policy_kind *named,
                                const struct l1_policy_kind *wanted[L1_POLICIES_MAX]);

/** l1_policy_fits() - can @named, the policy of l1.policy (NULL: none), be combined with the others
 * of a configuration that config_check() accepts? False: build->error has the reason. */
bool l1_policy_fits(const struct config *config, const struct l1_policy_kind *named,
                    const struct build *build);

#endif
