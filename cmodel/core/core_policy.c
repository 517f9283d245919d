/* SPDX-License-Identifier: Apache-2.0 */
#include "core/core_policy.h"

#include <stdlib.h>
#include <string.h>

#include "core/core_arbiter.h"

bool core_policy_init(struct core *c, const struct policy_kind *extra, const struct build *build) {
    struct core_policies *p = &c->policies;
    size_t largest = 1;
    const struct policy_kind *kinds[POLICY_KINDS_MAX + 1];
    unsigned count = policy_kinds_wanted(c->config, kinds);
    if (extra) {
        kinds[count++] = extra;
    }
    p->view = (struct policy_view){.config = c->config,
                                   .core = c->id,
                                   .schedulers = c->config->core.schedulers,
                                   .age = c->age};
    for (unsigned s = 0; s < p->view.schedulers; s++) {
        p->view.mine[s] = c->scheduler[s].mine;
    }
    policy_init(&p->masks);
    for (unsigned i = 0; i < count; i++) {
        const struct policy_kind *kind = kinds[i];
        void *state = calloc(1, kind->state_size ? kind->state_size : 1);
        if (!state) {
            return build_refused(build, "out of memory");
        }
        largest = kind->state_size > largest ? kind->state_size : largest;
        p->kind[p->count] = kind;
        p->state[p->count++] = state;
        p->events |= kind->events;
        p->sees_waiting |= kind->sees_waiting;
        p->sees_owner |= kind->sees_owner;
        p->changes_by_itself |= kind->next_change != NULL;
        if (kind->make && !kind->make(state, &p->view, build)) {
            return false;
        }
        if (kind->init) {
            kind->init(state, &p->view, &p->masks);
        }
    }
    c->limited = p->count > 0;
    p->alarm = build->alarm;
    if (build->asks_twice && !(p->copy = malloc(largest))) {
        return build_refused(build, "out of memory");
    }
    p->watches = core_policy_listens(c, POLICY_ACCESS) || c->load_store.victims;
    if (p->watches) {
        load_store_watch(&c->load_store, &p->watched);
    }
    if (p->masks.groups) {
        c->arbiters = core_arbiters_create(c, build);
    }
    return c->arbiters || !p->masks.groups;
}

void core_policy_destroy(struct core *c) {
    struct core_policies *p = &c->policies;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->kind[i]->destroy) {
            p->kind[i]->destroy(p->state[i]);
        }
        free(p->state[i]);
    }
    free(p->copy);
    core_arbiters_destroy(c->arbiters);
}

/* @masks: those before the policy's refresh. */
static void ask_again(struct core *c, unsigned i, struct issue_policy masks) {
    struct core_policies *p = &c->policies;
    const struct policy_kind *kind = p->kind[i];
    memcpy(p->copy, p->state[i], kind->state_size);
    kind->refresh(p->state[i], &p->view, &masks);
    bool same_state = !memcmp(p->copy, p->state[i], kind->state_size);
    if (!same_state || memcmp(&masks, &p->masks, sizeof masks)) {
        alarm_ring_text(p->alarm, ALARM_PLUGIN,
                        "policy %.60s, core %u: refresh() %s when it is called again in one cycle: "
                        "masks must be a function of the events, and asking changes nothing",
                        kind->name, c->id, same_state ? "gives other masks" : "changes its state");
    }
}

static void refresh_and_check(struct core *c) {
    struct core_policies *p = &c->policies;
    for (unsigned i = 0; i < p->count; i++) {
        const struct issue_policy before = p->masks;
        if (p->kind[i]->refresh) {
            p->kind[i]->refresh(p->state[i], &p->view, &p->masks);
            ask_again(c, i, before);
        }
    }
}

/* Warps of @warps whose next instruction waits for data from beyond the L1: an access that the
 * load/store unit must still present may hit, so its warp does not wait for memory yet. */
static uint64_t find_waiting_warps(const struct core *c, uint64_t warps) {
    uint64_t waiting = 0;
    for (uint64_t left = warps & c->scoreboard.blocked; left; left &= left - 1) {
        if (!core_is_unsent(c, (unsigned)__builtin_ctzll(left))) {
            waiting |= left & -left;
        }
    }
    return waiting;
}

void core_policy_refresh(struct core *c) {
    struct core_policies *p = &c->policies;
    p->view.cycle = c->cycle;
    p->view.going = c->live & ~(c->ended | c->at_barrier | c->at_fence);
    p->view.blocked = p->view.going & c->scoreboard.blocked;
    if (p->sees_waiting) {
        p->view.waiting = find_waiting_warps(c, p->view.going);
    }
    policy_hold_nobody(&p->masks);
    if (p->copy) {
        refresh_and_check(c);
        return;
    }
    for (unsigned i = 0; i < p->count; i++) {
        if (p->kind[i]->refresh) {
            p->kind[i]->refresh(p->state[i], &p->view, &p->masks);
        }
    }
}

uint64_t core_policy_next_change(const struct core *c) {
    const struct core_policies *p = &c->policies;
    uint64_t next = UINT64_MAX;
    const struct victim_watch *victims = c->load_store.victims;
    if (victims && victims->busy && core_policy_listens(c, POLICY_LOST_LINE)) {
        return c->cycle + 1;
    }
    for (unsigned i = 0; p->changes_by_itself && i < p->count; i++) {
        if (p->kind[i]->next_change) {
            next = earlier_time(next, p->kind[i]->next_change(p->state[i]));
        }
    }
    return next;
}

void core_policy_tell(struct core *c, const struct policy_event *event) {
    struct core_policies *p = &c->policies;
    p->view.cycle = c->cycle;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->kind[i]->events & POLICY_EVENT(event->kind)) {
            p->kind[i]->tell(p->state[i], &p->view, event, &p->masks);
        }
    }
}

void core_policy_tell_hits(struct core *c, uint64_t cycle) {
    struct victim_hit hit;
    while (victim_watch_next_hit(c->load_store.victims, cycle, &hit)) {
        if (core_policy_listens(c, POLICY_LOST_LINE)) {
            core_policy_tell(c, &(struct policy_event){.kind = POLICY_LOST_LINE,
                                                       .cycle = hit.cycle,
                                                       .warp = hit.warp});
        }
    }
}

/* A bypassing read takes no line: it loses nothing to others, and is not looked up. Return: the
 * cycle in which a victim hit is told; 0: there can be none. */
static uint64_t show_victims_access(struct core *c, const struct l1_taken *taken) {
    const struct l1_watched *w = &c->policies.watched;
    uint64_t lost_at = 0;
    if (taken->result == L1_MISS) {
        lost_at = victim_watch_miss(c->load_store.victims, taken->warp, w->line);
    }
    if (w->victim.evicted) {
        victim_watch_evict(c->load_store.victims, w->victim.warp, w->victim.line);
    }
    return lost_at;
}

void core_policy_settle(struct core *c, uint64_t cycle) {
    struct core_policies *p = &c->policies;
    core_policy_tell_victims(c, cycle);
    for (unsigned i = 0; i < p->count; i++) {
        if (p->kind[i]->settle) {
            p->kind[i]->settle(p->state[i], cycle);
        }
    }
}

static const void *state_of_policy(const struct core *c, const struct policy_kind *kind) {
    const struct core_policies *p = &c->policies;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->kind[i] == kind) {
            return p->state[i];
        }
    }
    return NULL;
}

/* Counters of a policy that is in no row of the table. */
static bool register_extra_stats(const struct core *c, struct stats *s) {
    const struct core_policies *p = &c->policies;
    const struct policy_kind *last = p->count ? p->kind[p->count - 1] : NULL, *kind;
    for (unsigned i = 0; (kind = policy_kind_at(i)); i++) {
        if (kind == last) {
            return true;
        }
    }
    return !last || !last->register_stats || last->register_stats(p->state[p->count - 1], s);
}

bool core_policy_register_stats(const struct core *c, struct stats *s) {
    const struct policy_kind *kind;
    for (unsigned i = 0; (kind = policy_kind_at(i)); i++) {
        if (kind->register_stats && !kind->register_stats(state_of_policy(c, kind), s)) {
            return false;
        }
    }
    return register_extra_stats(c, s);
}

/* POLICY_ACCESS, of the access that the L1 has just taken. */
static void tell_taken_access(struct core *c, const struct l1_taken *taken, uint64_t cycle,
                              uint64_t lost_at) {
    static const enum policy_access_result result[] = {
        [L1_HIT] = POLICY_ACCESS_HIT,       [L1_PENDING_HIT] = POLICY_ACCESS_PENDING,
        [L1_MISS] = POLICY_ACCESS_MISS,     [L1_BYPASS] = POLICY_ACCESS_BYPASS,
        [L1_WRITE] = POLICY_ACCESS_WRITE,   [L1_WRITE_DONE] = POLICY_ACCESS_WRITE,
        [L1_ATOMIC] = POLICY_ACCESS_ATOMIC,
    };
    const struct l1_watched *w = &c->policies.watched;
    const bool hit = taken->result == L1_HIT || taken->result == L1_PENDING_HIT;
    const struct policy_access access = {
        .result = result[taken->result],
        .own = hit && c->policies.sees_owner &&
               l1_data_cache_owns(&c->load_store.cache, taken->warp, w->line),
        .pc = w->pc,
        .line = w->line,
        .lost_at = lost_at,
        .evicts = w->victim.evicted,
        .victim_line = w->victim.line,
        .victim_warp = w->victim.warp,
        .victim_cta = w->victim.cta};
    core_policy_tell(c, &(struct policy_event){
                            .kind = POLICY_ACCESS,
                            .cycle = cycle,
                            .warp = taken->warp,
                            .access = &access,
                        });
}

void core_policy_tell_access(struct core *c, const struct l1_taken *taken, uint64_t cycle) {
    const uint64_t lost_at = c->load_store.victims ? show_victims_access(c, taken) : 0;
    if (core_policy_listens(c, POLICY_ACCESS)) {
        tell_taken_access(c, taken, cycle, lost_at);
    }
    c->policies.watched.victim.evicted = false;
}

/* In a step one fill, access or prefetch evicts a line, as the block has one input for all. */
void core_policy_tell_eviction(struct core *c) {
    struct l1_victim *victim = &c->policies.watched.victim;
    if (victim->evicted && c->load_store.victims) {
        victim_watch_evict(c->load_store.victims, victim->warp, victim->line);
    }
    victim->evicted = false;
}

/* Is another group in turn than that of the ready warp? */
static bool is_outranked(const struct core *c, unsigned warp, uint64_t candidates) {
    unsigned scheduler = warp % c->config->core.schedulers;
    if (!c->arbiters) {
        return false;
    }
    return !core_arbiter_choose(c, scheduler, candidates) ||
           !(c->policies.masks.group_warps[c->arbiters->out[scheduler].grant_group] >> warp & 1);
}

const char *core_policy_reason(const struct core *c, unsigned warp) {
    const struct core_policies *p = &c->policies;
    const uint64_t mine = UINT64_C(1) << warp;
    if (!c->limited || !(c->scoreboard.ready & mine)) {
        return NULL;
    }
    uint64_t candidates = core_policy_allowed(c, c->scoreboard.ready);
    bool held = !(candidates & mine);
    if (!held && !is_outranked(c, warp, candidates)) {
        return NULL;
    }
    for (unsigned i = 0; i < p->count; i++) {
        const char *reason = held ? p->kind[i]->holds : p->kind[i]->outranks;
        if (reason) {
            return reason;
        }
    }
    return "its turn: held by the issue policy";
}
