/* SPDX-License-Identifier: Apache-2.0 */
#include "core/core_issue.h"

#include <assert.h>

#include "base/events.h"
#include "core/core_arbiter.h"
#include "core/core_policy.h"

static uint64_t warp_bit(unsigned i) {
    return UINT64_C(1) << i;
}

/* The warps of a CTA continue after its barrier, when all that have not exited have arrived: they
 * can issue from @cycle on. */
static void barrier_release(struct core *c, struct core_cta *cta, uint64_t cycle) {
    if (!cta->arrived || cta->arrived < cta->live) {
        return;
    }
    cta->arrived = 0;
    stall_barrier(c, cycle);
    if (core_policy_listens(c, POLICY_BARRIER_RELEASED)) {
        core_policy_tell(c, &(struct policy_event){.kind = POLICY_BARRIER_RELEASED,
                                                   .cycle = cycle,
                                                   .cta = (unsigned)(cta - c->cta),
                                                   .warps = core_cta_warps(cta) & c->at_barrier});
    }
    for (unsigned i = 0; i < cta->warps; i++) {
        unsigned w = cta->first_warp + i;
        if (c->at_barrier & warp_bit(w)) {
            c->at_barrier &= ~warp_bit(w);
            core_fetch(c, w, cycle);
        }
    }
}

/* A warp exits when its last instruction has issued and its accesses are answered; warps that
 * waited for it at a barrier can issue from @cycle on. */
static void exit_warp(struct core *c, unsigned w, uint64_t cycle) {
    struct core_cta *cta = &c->cta[c->warp[w].cta];
    c->live &= ~warp_bit(w);
    c->ended &= ~warp_bit(w);
    load_store_warp_ended(&c->load_store, w, c->cycle);
    if (--cta->live == 0) {
        if (core_policy_listens(c, POLICY_CTA_ENDED)) {
            core_policy_tell(c, &(struct policy_event){.kind = POLICY_CTA_ENDED,
                                                       .cycle = c->cycle,
                                                       .cta = (unsigned)(cta - c->cta),
                                                       .warps = core_cta_warps(cta)});
        }
        cta->used = false;
        c->resident--;
        c->cta_done = true;
    } else {
        barrier_release(c, cta, cycle);
    }
}

static inline void need_register(struct scoreboard_needs *needs, uint8_t reg) {
    needs->reg[needs->count] = reg; /* the next one takes the place of none */
    needs->count += reg < REG_COUNT;
}

static struct scoreboard_needs registers_of(const struct insn *insn) {
    struct scoreboard_needs needs = {0};
    for (unsigned i = 0; i < INSN_SOURCES_MAX; i++) {
        need_register(&needs, insn->src[i]);
    }
    need_register(&needs, insn->dst);
    return needs;
}

void core_forget(struct core *c, unsigned w, uint64_t cycle) {
    c->ended |= warp_bit(w);
    scoreboard_forget(&c->scoreboard, w);
    if (core_policy_listens(c, POLICY_WARP_ENDED)) {
        core_policy_tell(
            c, &(struct policy_event){.kind = POLICY_WARP_ENDED, .cycle = cycle, .warp = w});
    }
    if (!c->warp[w].outstanding) {
        exit_warp(c, w, cycle);
    }
}

/* The warp passes a loop marker. */
static inline void tell_loop_marker(struct core *c, unsigned w, const struct warp_op *op,
                                    uint64_t cycle) {
    enum policy_event_kind kind = op->insn->op == OP_LOOP_BEGIN       ? POLICY_LOOP_BEGIN
                                  : op->insn->op == OP_LOOP_ITERATION ? POLICY_LOOP_TRIP
                                                                      : POLICY_LOOP_END;
    if (core_policy_listens(c, kind)) {
        core_policy_tell(
            c,
            &(struct policy_event){
                .kind = kind, .cycle = cycle, .warp = w, .insn = op->insn, .active = op->active});
    }
}

struct extremes {
    uint64_t most, fewest;
};

static void note_extremes(struct extremes *e, uint64_t value) {
    e->most = value > e->most ? value : e->most;
    e->fewest = value < e->fewest ? value : e->fewest;
}

/* The first warp of a CTA has issued all its instructions: counts those of the others. */
static __attribute__((noinline)) void compare_progress(struct core *c, struct core_cta *cta) {
    struct extremes warps = {0, UINT64_MAX}, schedulers = warps;
    uint64_t by_scheduler[CORE_SCHEDULERS_MAX] = {0};
    const unsigned count = c->config->core.schedulers;
    cta->one_ended = true;
    if (cta->warps == 1) {
        return;
    }
    for (unsigned w = cta->first_warp; w < cta->first_warp + cta->warps; w++) {
        note_extremes(&warps, c->warp[w].issued);
        by_scheduler[w % count] += c->warp[w].issued;
    }
    /* Some schedulers have no warp, where there are more of them than warps. */
    for (unsigned i = 0; i < count && i < cta->warps; i++) {
        note_extremes(&schedulers, by_scheduler[(cta->first_warp + i) % count]);
    }
    c->stats.most_issued += warps.most;
    c->stats.fewest_issued += warps.fewest;
    c->stats.scheduler_most_issued += schedulers.most;
    c->stats.scheduler_fewest_issued += schedulers.fewest;
}

static void next_is_cached_load(struct core *c, unsigned w, uint64_t cycle) {
    c->cached_load_next |= warp_bit(w);
    if (core_policy_listens(c, POLICY_LOAD_NEXT)) {
        core_policy_tell(c, &(struct policy_event){.kind = POLICY_LOAD_NEXT,
                                                   .cycle = cycle,
                                                   .warp = w,
                                                   .insn = c->warp[w].op.insn,
                                                   .active = c->warp[w].op.active});
    }
}

void core_fetch(struct core *c, unsigned w, uint64_t cycle) {
    struct core_warp *warp = &c->warp[w];
    uint64_t mine = warp_bit(w);
    c->memory_next &= ~mine;
    c->cached_load_next &= ~mine;
    c->sfu_next &= ~mine;
    c->sync_next &= ~mine;
    for (;;) {
        if (!warp_cursor_next(&warp->cursor, &warp->op)) {
            if (!c->cta[warp->cta].one_ended) {
                compare_progress(c, &c->cta[warp->cta]);
            }
            core_forget(c, w, cycle);
            return;
        }
        if (!insn_is_marker(warp->op.insn)) {
            break;
        }
        load_store_marker(&c->load_store, w, warp->op.insn->op);
        core_loads_marker(&c->loads, w, warp->op.insn);
        tell_loop_marker(c, w, &warp->op, cycle);
    }
    unsigned op = warp->op.insn->op;
    if (insn_is_memory(warp->op.insn)) {
        c->memory_next |= mine;
        if (insn_is_cached_load(warp->op.insn)) {
            next_is_cached_load(c, w, cycle);
        }
    } else if (op == OP_BARRIER || op == OP_FENCE) {
        c->sync_next |= mine;
    } else if (pipelines_use_sfu(op)) {
        c->sfu_next |= mine;
    }
    if (__builtin_expect(c->pipelines.own, false)) {
        pipelines_expect(&c->pipelines, w, op);
    }
    struct scoreboard_needs needs = registers_of(warp->op.insn);
    if (c->config->issue.inflight_per_warp) {
        need_register(&needs, warp->after);
        warp->after = REG_NONE;
    }
    scoreboard_expect(&c->scoreboard, w, &needs, cycle);
}

/* All accesses of a warp are answered: a fence or its exit may have waited for that. */
static __attribute__((noinline)) void answered_all(struct core *c, unsigned w, uint64_t cycle) {
    if (c->ended & warp_bit(w)) {
        uint64_t waited = c->at_barrier;
        exit_warp(c, w, cycle + 1);
        if (c->at_barrier != waited) {
            stall_resolve_as(&c->stall, STALL_SYNC, cycle);
        }
    } else if (c->at_fence & warp_bit(w)) {
        stall_fence(c, cycle + 1);
        stall_resolve_as(&c->stall, STALL_SYNC, cycle);
        c->at_fence &= ~warp_bit(w);
        c->stall.from_data |= warp_bit(w);
        core_fetch(c, w, cycle + 1);
    }
}

void core_answered(struct core *c, unsigned w, uint64_t cycle) {
    assert(c->warp[w].outstanding);
    c->stall.maybe_unsent |= warp_bit(w);
    if (--c->warp[w].outstanding == 0) {
        answered_all(c, w, cycle);
    }
}

/* A register has all its data. */
static __attribute__((noinline)) void load_done(struct core *c, unsigned w, unsigned reg,
                                                uint64_t cycle, const struct request *cause) {
    uint64_t waited = c->scoreboard.blocked;
    scoreboard_release(&c->scoreboard, w, reg, cycle);
    const struct load_flight *f = &c->flight[w][reg];
    stall_load_done(&c->stall, f, c->scoreboard.warp[w].ready_at[reg]);
    warp_types_load(&c->warp_types, f->hits, f->replies);
    if (waited != c->scoreboard.blocked) {
        c->stall.from_data |= warp_bit(w);
        stall_resolve(&c->stall, cause, cycle);
    }
}

void core_data(struct core *c, unsigned w, unsigned reg, uint64_t ready_at, uint64_t cycle,
               const struct request *cause) {
    if (reg < REG_COUNT) {
        struct load_flight *f = &c->flight[w][reg];
        scoreboard_data(&c->scoreboard, w, reg, ready_at);
        if (cause) {
            stall_load_reply(f, cause, cycle);
        }
        if (--f->remaining == 0) {
            load_done(c, w, reg, cycle, cause);
        }
    }
    core_answered(c, w, cycle);
}

/* A warp arrives at a barrier or fence only when the cache has seen all its accesses: a front that
 * keeps accesses must not carry one across (MRPB 3.1). Without one the unit keeps their order by
 * itself. */
static bool sync_held(const struct core *c, unsigned w) {
    return c->load_store.front.keeps_accesses && c->load_store.unseen[w];
}

/* With one instruction in flight: those of these warps whose last one has not ended. */
static uint64_t in_flight(const struct core *c, uint64_t warps) {
    uint64_t held = 0;
    for (warps &= c->sending | c->answering; warps; warps &= warps - 1) {
        unsigned w = (unsigned)__builtin_ctzll(warps);
        if (c->answering & warp_bit(w) ? c->warp[w].outstanding : core_is_unsent(c, w)) {
            held |= warp_bit(w);
        }
    }
    return held;
}

/* The same for warps whose next instruction is a barrier or a fence. */
static uint64_t synchronizing_warps(const struct core *c, uint64_t warps) {
    uint64_t held = 0;
    for (warps &= c->sync_next; warps; warps &= warps - 1) {
        unsigned w = (unsigned)__builtin_ctzll(warps);
        held |= sync_held(c, w) ? warp_bit(w) : 0;
    }
    return held;
}

/* Ready warps whose kind of instruction the core can accept, busy pipelines
 * aside. */
static inline uint64_t issuable_warps(const struct core *c) {
    uint64_t warps = core_takeable(c);
    if (warps & (c->sync_next | c->sending | c->answering)) {
        warps &= ~(synchronizing_warps(c, warps) | in_flight(c, warps));
    }
    return warps;
}

bool core_can_issue_limited(const struct core *c) {
    uint64_t warps = issuable_warps(c);
    if (!c->limited || !warps) {
        return warps != 0;
    }
    warps = core_policy_allowed(c, warps);
    if (!c->arbiters) {
        return warps != 0;
    }
    for (unsigned s = 0; s < c->config->core.schedulers; s++) {
        if (core_arbiter_choose(c, s, warps)) {
            return true;
        }
    }
    return false;
}

bool core_is_held(const struct core *c) {
    return c->limited && issuable_warps(c) && !core_can_issue(c);
}

/* Scheduler @s issues it. Return: the cycle of its result. */
static uint64_t issue_arithmetic(struct core *c, unsigned s, unsigned w, const struct insn *insn,
                                 uint64_t cycle) {
    uint64_t result = pipelines_take(&c->pipelines, s, insn->op, cycle);
    if (insn->dst < REG_COUNT) {
        scoreboard_write(&c->scoreboard, w, insn->dst, result);
    }
    return result;
}

/* With one instruction in flight: makes the warp's next one wait. */
static void follow_memory(struct core *c, unsigned w, const struct insn *insn) {
    if (insn->dst < REG_COUNT) {
        c->warp[w].after = insn->dst;
    } else if (insn->op == OP_STORE) {
        c->sending |= warp_bit(w);
    } else {
        c->answering |= warp_bit(w);
    }
}

/* A load, or an atomic, whose accesses the L1 will take. */
static inline void tell_load(struct core *c, unsigned w, const struct warp_op *op,
                             unsigned accesses, uint64_t cycle) {
    core_loads_issued(&c->loads, w, op->insn, op->active, accesses);
    if (core_policy_listens(c, POLICY_LOADED)) {
        core_policy_tell(c, &(struct policy_event){.kind = POLICY_LOADED,
                                                   .cycle = cycle,
                                                   .warp = w,
                                                   .insn = op->insn,
                                                   .active = op->active,
                                                   .accesses = accesses});
    }
}

static void issue_memory(struct core *c, unsigned w, const struct warp_op *op, uint64_t cycle) {
    const struct insn *insn = op->insn;
    unsigned accesses =
        load_store_push(&c->load_store, w, op, cycle + c->config->core.operand_latency);
    if (insn->op != OP_STORE && insn->space <= SPACE_LOCAL) {
        tell_load(c, w, op, accesses, cycle);
    }
    c->warp[w].outstanding += accesses;
    c->stall.maybe_unsent |= warp_bit(w);
    c->stats.stores += insn->op == OP_STORE;
    c->stats.loads += insn->op == OP_LOAD;
    c->stats.atomics += insn->op == OP_ATOMIC;
    if (insn->dst < REG_COUNT) {
        scoreboard_load(&c->scoreboard, w, insn->dst);
        c->flight[w][insn->dst] = (struct load_flight){.issued = (uint32_t)cycle,
                                                       .remaining = (uint8_t)accesses,
                                                       .shared = insn->space == SPACE_SHARED};
    }
    if (c->config->issue.inflight_per_warp) {
        follow_memory(c, w, insn);
    }
}

static void issue_one(struct core *c, unsigned s, unsigned w, const struct now *now) {
    const uint64_t cycle = now->cycle;
    struct core_warp *warp = &c->warp[w];
    const struct insn *insn = warp->op.insn;
    unsigned lanes =
        warp->op.active == UINT32_MAX ? WARP_SIZE : (unsigned)__builtin_popcount(warp->op.active);
    uint64_t next = cycle + 1;
    warp->issued++;
    c->stats.warp_instructions++;
    c->stats.thread_instructions += lanes;
    c->stats.lanes[(lanes - (lanes != 0)) / 4]++;
    c->stall.from_data &= ~warp_bit(w);
    c->sending &= ~warp_bit(w);
    c->answering &= ~warp_bit(w);
    EVENT(c->events, now->time, "sm%u issue warp %u pc %" PRIu32 "\n", c->id, w, insn->pc);
    scoreboard_forget(&c->scoreboard, w);
    switch (insn->op) {
    case OP_LOAD:
    case OP_STORE:
    case OP_ATOMIC: issue_memory(c, w, &warp->op, cycle); break;
    case OP_BARRIER:
        c->stats.barriers++;
        stall_barrier(c, cycle + 1);
        c->at_barrier |= warp_bit(w);
        c->cta[warp->cta].arrived++;
        if (core_policy_listens(c, POLICY_BARRIER_ARRIVED)) {
            core_policy_tell(c, &(struct policy_event){.kind = POLICY_BARRIER_ARRIVED,
                                                       .cycle = cycle,
                                                       .warp = w,
                                                       .cta = warp->cta});
        }
        barrier_release(c, &c->cta[warp->cta], cycle + 1);
        return;
    case OP_FENCE:
        c->stats.fences++;
        if (warp->outstanding) {
            stall_fence(c, cycle + 1);
            c->at_fence |= warp_bit(w);
            return;
        }
        break;
    default: {
        c->lanes_of[insn->op] += lanes;
        uint64_t result = issue_arithmetic(c, s, w, insn, cycle);
        next = c->config->issue.inflight_per_warp ? result : next;
    }
    }
    core_fetch(c, w, next);
}

static int choose_warp(const struct core *c, const struct warp_scheduler *s, uint64_t candidates) {
    switch (c->config->issue.scheduler) {
    case SCHEDULER_GTO: return scheduler_gto(s, candidates, c->age);
    case SCHEDULER_OLDEST: return scheduler_oldest(candidates, c->age);
    case SCHEDULER_GTY: return scheduler_gty(s, candidates, c->age);
    default: return scheduler_lrr(s, candidates);
    }
}

/* The scheduler that chooses first in a cycle. */
static inline unsigned first_scheduler(const struct config *config, uint64_t cycle) {
    return config->issue.arbitration == ARBITRATION_ROTATING
               ? (unsigned)(cycle % config->core.schedulers)
               : 0;
}

/* Those of @candidates, of scheduler @s, whose instruction a pipeline can take. */
static inline uint64_t with_free_pipeline(const struct core *c, unsigned s, uint64_t candidates,
                                          uint64_t cycle) {
    const struct pipelines *p = &c->pipelines;
    if (__builtin_expect(p->own, false)) {
        return candidates & ~pipelines_busy(p, s, cycle);
    }
    if (!pipelines_any_free(p->sp_free, p->sp_units, cycle)) {
        candidates &= c->memory_next | c->sync_next | c->sfu_next;
    }
    return pipelines_any_free(p->sfu_free, p->sfu_units, cycle) ? candidates
                                                                : candidates & ~c->sfu_next;
}

bool core_issue(struct core *c, const struct now *now) {
    const uint64_t cycle = now->cycle;
    const unsigned schedulers = c->config->core.schedulers;
    uint64_t issued = 0, memory_port = ~UINT64_C(0);
    unsigned s = first_scheduler(c->config, cycle);
    for (unsigned left = schedulers; left; left--, s = s + 1 < schedulers ? s + 1 : 0) {
        struct warp_scheduler *scheduler = &c->scheduler[s];
        /* Evaluated for each scheduler: the one before may have taken the load/store unit or a
         * pipeline. */
        uint64_t candidates = issuable_warps(c) & scheduler->mine & memory_port;
        if (c->limited) {
            candidates = core_policy_allowed(c, candidates);
        }
        if (!candidates || scheduler->free_at > cycle) {
            continue;
        }
        candidates = with_free_pipeline(c, s, candidates, cycle);
        if (!candidates || (c->arbiters && !core_arbiter_choose(c, s, candidates))) {
            continue;
        }
        int w = c->arbiters ? (int)core_arbiter_take(c, s) : choose_warp(c, scheduler, candidates);
        scheduler->last = w;
        scheduler->free_at = cycle + c->pump;
        if (core_policy_listens(c, POLICY_ISSUED)) {
            core_policy_tell(c, &(struct policy_event){.kind = POLICY_ISSUED,
                                                       .cycle = cycle,
                                                       .warp = (unsigned)w,
                                                       .scheduler = s,
                                                       .insn = c->warp[w].op.insn,
                                                       .active = c->warp[w].op.active});
        }
        if (c->memory_next >> w & 1) {
            memory_port = ~c->memory_next; /* one load/store unit takes one instruction a cycle */
        }
        issue_one(c, s, (unsigned)w, now);
        issued++;
    }
    if (issued) {
        c->stats.issue_cycles++;
        c->progressed = true;
    }
    return issued != 0;
}
