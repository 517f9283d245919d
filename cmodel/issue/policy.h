/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between the schedulers' base order (LRR, GTO, oldest first) and policies: warp
 * limiting, fetch groups, CTA groups, load throttling.
 *
 * A policy restricts masks: it holds warps entirely (can_issue), only their memory instructions
 * (can_load), or only their loads that look up the L1 data cache (can_load_cached). The base order
 * of the scheduler picks from the remaining warps. A policy may put warps into groups instead: then
 * the block issue/warp_arbiter picks, round-robin within the group that it chooses. Loose: the
 * first group with a candidate, so a better one takes over as soon as one of its warps is ready.
 * Strict: the first group with a warp that is not stalled, even if that warp is no candidate, so a
 * group keeps the scheduler until all its warps are stalled. Rotating: the search begins with the
 * group that issued last.
 *
 * A policy receives its core's events as they happen, and reads its core through struct
 * policy_view. The masks are a function of both in the current cycle: a second evaluation changes
 * nothing.
 *
 * Several policies of a core share the masks: before each refresh every mask, unstalled too, has
 * all warps, and a policy removes warps (&=). Groups keep their contents and belong to one
 * policy.
 *
 * A policy is one file below issue/ with a struct policy_kind, and one row in issue/policy_kinds.c.
 */
#ifndef WARPMEM_ISSUE_POLICY_H
#define WARPMEM_ISSUE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alarm.h"
#include "base/block.h"
#include "base/stats.h"
#include "config/config.h"
#include "kernel/insn.h"

struct daws_profile;

#define POLICY_GROUPS_MAX 64
#define POLICY_SCHEDULERS_MAX 4

/**
 * struct issue_policy - the masks, one bit a warp slot in each.
 * @can_issue: warps that may issue
 * @can_load: warps that may issue a memory instruction
 * @can_load_cached: warps that may issue a cached load (insn_is_cached_load())
 * @unstalled: with strict groups, the warps that keep their group in turn: not ended and not
 *             stalled on memory, barrier or fence
 * @groups: places of groups, fixed at init; 0: the policy has none
 * @strict, @rotates: how the groups take turns, fixed at init
 * @group_warps: the warps in each place, highest priority first; empty places are skipped, and a
 *               warp in no group does not issue
 */
struct issue_policy {
    uint64_t can_issue, can_load, can_load_cached, unstalled;
    unsigned groups;
    bool strict, rotates;
    uint64_t group_warps[POLICY_GROUPS_MAX];
};

/** policy_hold_nobody() - put every warp into every mask; the groups stay. */
static inline void policy_hold_nobody(struct issue_policy *p) {
    p->can_issue = p->can_load = p->can_load_cached = p->unstalled = ~UINT64_C(0);
}

/** policy_init() - hold no warp, without groups. */
static inline void policy_init(struct issue_policy *p) {
    *p = (struct issue_policy){0};
    policy_hold_nobody(p);
}

/**
 * policy_allowed() - the warps of a mask that no policy holds.
 * @memory: warps whose next instruction is a load, a store or an atomic
 * @cached: of these, warps whose next instruction is a cached load
 */
static inline uint64_t policy_allowed(const struct issue_policy *p, uint64_t warps, uint64_t memory,
                                      uint64_t cached) {
    return warps & p->can_issue & (p->can_load | ~memory) & (p->can_load_cached | ~cached);
}

/**
 * struct policy_view - a core as its policies see it.
 * @profile: of --profile (issue/daws/profile.h); NULL: none
 * @cycle: the current cycle
 * @mine: warps of each scheduler
 * @age: launch number of each slot's CTA, smaller is older; among equals the lower slot is older
 * @going: warps in this cycle that have not ended and wait at no barrier or fence
 * @waiting: those of them whose next instruction waits for data from beyond the L1, and whose
 *           accesses have all reached the L1; only for kinds with sees_waiting
 * @blocked: those of them whose next instruction waits for a load with unknown completion
 */
struct policy_view {
    const struct config *config;
    const struct daws_profile *profile;
    uint64_t cycle;
    unsigned core, schedulers;
    uint64_t mine[POLICY_SCHEDULERS_MAX];
    const uint64_t *age;
    uint64_t going, waiting, blocked;
};

enum policy_event_kind {
    POLICY_LAUNCHED,         /* code, ctas, cta_warps: a launch begins, the core is empty */
    POLICY_CTA_STARTED,      /* cta, warps */
    POLICY_CTA_ENDED,        /* cta, warps */
    POLICY_ISSUED,           /* warp, scheduler, insn, active; before the instruction acts */
    POLICY_LOOP_BEGIN,       /* warp, insn, active: a warp passes a loop marker when the */
    POLICY_LOOP_TRIP,        /*   instruction before it has issued; a trip begins */
    POLICY_LOOP_END,         /*   the last trip has ended */
    POLICY_LOAD_NEXT,        /* warp, insn, active: its next instruction is a cached load */
    POLICY_LOADED,           /* warp, insn, active, accesses: a load or atomic of global or local
                              *   memory has issued; before any of its accesses */
    POLICY_WARP_ENDED,       /* warp: all its instructions have issued */
    POLICY_BARRIER_ARRIVED,  /* warp, cta */
    POLICY_BARRIER_RELEASED, /* cta, warps: those that continue */
    POLICY_ACCESS,           /* warp, access: the L1 data cache has taken an access */
    POLICY_LOST_LINE, /* warp: it missed on a line that it had fetched and lost; needs victim */
                      /*   tags (l1/victim_watch.h), and comes in their cycle */
    POLICY_EVENTS
};

#define POLICY_EVENT(kind) (1u << (kind))

enum policy_access_result {
    POLICY_ACCESS_HIT,
    POLICY_ACCESS_PENDING, /* the line's fill is under way */
    POLICY_ACCESS_MISS,
    POLICY_ACCESS_BYPASS, /* a read without a line, cached or not */
    POLICY_ACCESS_WRITE,
    POLICY_ACCESS_ATOMIC,
};

/**
 * struct policy_access - an access to the L1 data cache, and the line that it evicted.
 * @line: byte address / l1.line_bytes
 * @pc: as in requests: a hash of kernel and static instruction; 0: unknown, behind a front whose
 *      headers do not carry it (l1.front = mrpb)
 * @own: this warp slot fetched the line of the hit or pending hit; only for kinds with sees_owner
 * @lost_at: of a miss that is looked up in the victim tags: the cycle of its POLICY_LOST_LINE, if
 *           it is a victim hit; 0: of no other access. No two have one in the same cycle
 * @evicts: its line evicted a valid one; lines dropped by a write, an atomic, an uncached read or
 *          a fill (l1.allocate = fill) do not count; @victim_line and its owner: the warp slot and
 *          number of the CTA that fetched it
 */
struct policy_access {
    enum policy_access_result result;
    uint16_t pc;
    uint64_t line;
    bool own, evicts;
    uint64_t lost_at;
    uint64_t victim_line;
    uint16_t victim_warp;
    uint32_t victim_cta;
};

/* An event in core cycle @cycle. For a launch, the start of a CTA, a loop marker, the release of a
 * barrier and the end of a warp, @cycle is the first one in which the warps can issue, or no longer
 * can. enum policy_event_kind names the valid members. */
struct policy_event {
    enum policy_event_kind kind;
    uint64_t cycle;
    unsigned warp, scheduler, cta;
    uint64_t warps;
    unsigned ctas, cta_warps; /* CTAs that the core gets as the launch begins; warps of each */
    const struct kernel_code *code;
    const struct insn *insn;
    uint32_t active;
    unsigned accesses;
    const struct policy_access *access;
};

/**
 * struct policy_kind - one policy. All members but name may be NULL or 0.
 * @name: its scheme's, and the value of issue.policy
 * @about: one line
 * @wanted: true if the configuration's keys select it; NULL: issue.policy alone does
 * @state_size: bytes of its state, zeroed before init
 * @events: POLICY_EVENT() mask of the events that it receives; others cost nothing
 * @sees_waiting: it reads view->waiting
 * @sees_owner: it reads access->own
 * @init: @masks: those of policy_init(), and of the policies before it
 * @make: make the hardware blocks of its state (block_make()), before init; false: refused, and
 *        build->error has the reason
 * @destroy: undo make; also of a zeroed state
 * @tell: an event; a group that it changes is valid from the next refresh on
 * @refresh: compute the masks again: after the memory side of a cycle, and after its issue
 * @next_change: the first cycle after the current one in which refresh() may give other masks
 *               without an event; UINT64_MAX: none. NULL: never
 * @settle: complete its counters up to, but not including, the cycle: before statistics are read
 * @register_stats: its counters; without a state (NULL) names whose values are 0
 * @holds: for the dump: the reason why a warp that is missing in one of the three masks is held
 * @outranks: for the dump: the same for a warp outside the group in turn
 * @advice: for --explain: how to let it hold fewer warps: "a higher issue.warp_limit"
 * @idle: why a complete run with these statistics says nothing of it: "held no warp"; NULL: it does
 * @reads_profile: does it need view->profile on this configuration?
 */
struct policy_kind {
    const char *name, *about;
    bool (*wanted)(const struct config *config);
    size_t state_size;
    unsigned events;
    bool sees_waiting, sees_owner;
    bool (*make)(void *state, const struct policy_view *view, const struct build *build);
    void (*destroy)(void *state);
    void (*init)(void *state, const struct policy_view *view, struct issue_policy *masks);
    void (*tell)(void *state, const struct policy_view *view, const struct policy_event *event,
                 struct issue_policy *masks);
    void (*refresh)(void *state, const struct policy_view *view, struct issue_policy *masks);
    uint64_t (*next_change)(const void *state);
    void (*settle)(void *state, uint64_t cycle);
    bool (*register_stats)(const void *state, struct stats *s);
    const char *holds, *outranks, *advice;
    const char *(*idle)(const struct stats *s);
    bool (*reads_profile)(const struct config *config);
};

/** policy_held_nobody() - an idle() for policies that hold ready warps. */
const char *policy_held_nobody(const struct stats *s);

#define POLICY_KINDS_MAX 16

/** policy_kind_at() - the i-th row; NULL: there are no more. */
const struct policy_kind *policy_kind_at(unsigned i);

/** policy_kinds_wanted() - the policies that the configuration selects, in the order of their
 * rows. Return: their number; at most POLICY_KINDS_MAX. */
unsigned policy_kinds_wanted(const struct config *config,
                             const struct policy_kind *wanted[POLICY_KINDS_MAX]);

#endif
