/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/core_policy.h"

#include <stdlib.h>

#include "gpu/core_issue.h"

bool core_policy_init(struct core *c, const struct policy_kind *extra) {
    struct core_policies *p = &c->policies;
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
            return false;
        }
        p->kind[p->count] = kind;
        p->state[p->count++] = state;
        p->events |= kind->events;
        p->sees_waiting |= kind->sees_waiting;
        if (kind->init) {
            kind->init(state, &p->view, &p->masks);
        }
    }
    c->limited = p->count > 0;
    if (core_policy_listens(c, POLICY_ACCESS)) {
        load_store_watch(&c->load_store, &p->watched);
    }
    return true;
}

void core_policy_destroy(struct core *c) {
    for (unsigned i = 0; i < c->policies.count; i++) {
        free(c->policies.state[i]);
    }
}

/* Warps of @warps whose next instruction waits for data from beyond the L1. */
static uint64_t find_waiting_warps(const struct core *c, uint64_t warps) {
    uint64_t waiting = 0;
    for (uint64_t left = warps & c->scoreboard.blocked; left; left &= left - 1) {
        if (core_is_beyond_l1(c, (unsigned)__builtin_ctzll(left))) {
            waiting |= left & -left;
        }
    }
    return waiting;
}

void core_policy_refresh(struct core *c) {
    struct core_policies *p = &c->policies;
    p->view.going = c->live & ~(c->ended | c->at_barrier | c->at_fence);
    p->view.blocked = p->view.going & c->scoreboard.blocked;
    if (p->sees_waiting) {
        p->view.waiting = find_waiting_warps(c, p->view.going);
    }
    p->masks.can_issue = p->masks.can_load = p->masks.unstalled = ~UINT64_C(0);
    for (unsigned i = 0; i < p->count; i++) {
        if (p->kind[i]->refresh) {
            p->kind[i]->refresh(p->state[i], &p->view, &p->masks);
        }
    }
}

void core_policy_tell(struct core *c, const struct policy_event *event) {
    struct core_policies *p = &c->policies;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->kind[i]->events & POLICY_EVENT(event->kind)) {
            p->kind[i]->tell(p->state[i], &p->view, event, &p->masks);
        }
    }
}

void core_policy_tell_access(struct core *c, const struct l1_taken *taken, uint64_t cycle) {
    static const enum policy_access_result result[] = {
        [L1_HIT] = POLICY_ACCESS_HIT,       [L1_PENDING_HIT] = POLICY_ACCESS_PENDING,
        [L1_MISS] = POLICY_ACCESS_MISS,     [L1_BYPASS] = POLICY_ACCESS_BYPASS,
        [L1_WRITE] = POLICY_ACCESS_WRITE,   [L1_WRITE_DONE] = POLICY_ACCESS_WRITE,
        [L1_ATOMIC] = POLICY_ACCESS_ATOMIC,
    };
    struct l1_watched *w = &c->policies.watched;
    const struct policy_access access = {.result = result[taken->result],
                                         .pc = w->pc,
                                         .line = w->line,
                                         .evicts = w->victim.evicted,
                                         .victim_line = w->victim.line,
                                         .victim_warp = w->victim.warp,
                                         .victim_cta = w->victim.cta};
    w->victim.evicted = false;
    core_policy_tell(c, &(struct policy_event){
                            .kind = POLICY_ACCESS,
                            .cycle = cycle,
                            .warp = taken->warp,
                            .access = &access,
                        });
}

const char *core_policy_reason(const struct core *c, unsigned warp) {
    const struct core_policies *p = &c->policies;
    uint64_t mine = UINT64_C(1) << warp;
    const struct warp_scheduler *s = &c->scheduler[warp % c->config->core.schedulers];
    if (!c->limited ||
        policy_allowed(&p->masks, s->mine, c->scoreboard.ready, c->memory_next) & mine) {
        return NULL;
    }
    uint64_t loads = c->memory_next & ~p->masks.can_load;
    bool held = !(p->masks.can_issue & ~loads & mine);
    for (unsigned i = 0; i < p->count; i++) {
        const char *reason = held ? p->kind[i]->holds : p->kind[i]->outranks;
        if (reason) {
            return reason;
        }
    }
    return "its turn: held by the issue policy";
}
