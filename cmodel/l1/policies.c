/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/policies.h"

#include <stdlib.h>
#include <string.h>

#include "base/alarm.h"
#include "base/unit_set.h"
#include "kernel/insn.h"

static bool add_policy(struct l1_policies *p, const struct l1_policy_kind *kind,
                       const struct build *build) {
    struct l1_policy_row *row = &p->row[p->count];
    *row = (struct l1_policy_row){.kind = kind,
                                  .state_size = kind->state_size ? kind->state_size(&p->view) : 0};
    row->state = calloc(1, row->state_size + 1);
    if (!row->state) {
        return build_refused(build, "out of memory");
    }
    p->count++;
    p->events |= kind->events;
    p->decide |= kind->bypasses != NULL;
    p->prefetch |= kind->prefetches;
    p->chooser = kind->victim ? row : p->chooser;
    if (kind->prefetches) { /* which count the warps */
        p->events |= L1_POLICY_EVENT(L1_POLICY_WARP_BEGUN) | L1_POLICY_EVENT(L1_POLICY_WARP_ENDED);
    }
    return !kind->make || kind->make(row->state, &p->view, build);
}

bool l1_policies_make(struct l1_policies **made, const struct config *config,
                      const struct l1_policy_kind *named, unsigned core,
                      const struct tag_array *tags, const uint64_t *fails, uint64_t *dropped,
                      const struct build *build) {
    const struct l1_policy_kind *kinds[L1_POLICIES_MAX];
    unsigned count = l1_policy_kinds_wanted(config, named, kinds);
    size_t largest = 1;
    *made = NULL;
    if (!count) {
        return true;
    }
    if (!l1_policy_fits(config, named, build)) {
        return false;
    }
    struct l1_policies *p = *made = calloc(1, sizeof *p);
    if (!p) {
        return build_refused(build, "out of memory");
    }
    p->alarm = build->alarm;
    p->view = (struct l1_policy_view){.config = config, .core = core, .tags = tags, .fails = fails};
    p->prefetches.dropped = dropped;
    for (unsigned i = 0; i < count; i++) {
        if (!add_policy(p, kinds[i], build)) {
            return false;
        }
        largest = p->row[i].state_size > largest ? p->row[i].state_size : largest;
    }
    p->copy = build->asks_twice ? malloc(largest) : NULL;
    return !build->asks_twice || p->copy || build_refused(build, "out of memory");
}

void l1_policies_destroy(struct l1_policies *p) {
    for (unsigned i = 0; p && i < p->count; i++) {
        if (p->row[i].kind->destroy) {
            p->row[i].kind->destroy(p->row[i].state);
        }
        free(p->row[i].state);
    }
    if (p) {
        free(p->copy);
    }
    free(p);
}

void l1_policies_join(struct l1_policies *const *of, unsigned cores) {
    void *states[UNITS_MAX];
    for (unsigned i = 0; of[0] && i < of[0]->count; i++) {
        const struct l1_policy_kind *kind = of[0]->row[i].kind;
        for (unsigned core = 0; core < cores; core++) {
            states[core] = of[core]->row[i].state;
        }
        for (unsigned core = 0; kind->join && core < cores; core++) {
            kind->join(states[core], states);
        }
    }
}

struct l1_policy_access l1_policies_access(const struct l1_policies *p, const struct request *r) {
    return (struct l1_policy_access){.line = r->line,
                                     .set = tag_set_of(p->view.tags, r->line),
                                     .kind = r->kind,
                                     .warp = r->warp,
                                     .cta = r->cta,
                                     .pc = r->pc,
                                     .local = r->local_space,
                                     .uncached = r->uncached};
}

void l1_policies_show(struct l1_policies *p, const struct request *r, uint64_t cycle) {
    p->view.cycle = cycle;
    p->access = l1_policies_access(p, r);
    p->access.pc = r->pc ? r->pc : p->pc;
}

/* The state before a question, which is asked twice if there is a copy. */
static void keep_row_state(const struct l1_policies *p, const struct l1_policy_row *row) {
    if (p->copy) {
        memcpy(p->copy, row->state, row->state_size);
    }
}

/* After both: was the answer the same, and is the state? */
static void judge_row_answers(const struct l1_policies *p, const struct l1_policy_row *row,
                              const char *question, bool same) {
    if (!same || memcmp(p->copy, row->state, row->state_size) != 0) {
        alarm_ring_text(p->alarm, ALARM_PLUGIN,
                        "policy %.60s, L1 of core %u: %s() %s when it is asked again: must be a "
                        "function of its state, which it leaves alone",
                        row->kind->name, p->view.core, question,
                        same ? "changes its state" : "gives another answer");
    }
}

static __attribute__((noinline)) bool ask_bypass_twice(const struct l1_policies *p,
                                                       const struct l1_policy_row *row) {
    keep_row_state(p, row);
    bool answer = row->kind->bypasses(row->state, &p->view, &p->access);
    bool same = row->kind->bypasses(row->state, &p->view, &p->access) == answer;
    judge_row_answers(p, row, "bypasses", same);
    return answer;
}

bool l1_policies_ask_bypass(const struct l1_policies *p) {
    const struct l1_policy_access *a = &p->access;
    bool bypasses = false;
    for (const struct l1_policy_row *row = p->row; row < p->row + p->count; row++) {
        if (row->kind->bypasses) {
            bypasses |=
                p->copy ? ask_bypass_twice(p, row) : row->kind->bypasses(row->state, &p->view, a);
        }
    }
    return bypasses && a->kind != REQUEST_ATOMIC && !a->local && !a->uncached;
}

static int ask_chooser(const struct l1_policies *p, uint64_t candidates) {
    const struct l1_policy_row *row = p->chooser;
    keep_row_state(p, row);
    int way = row->kind->victim(row->state, &p->view, &p->access, candidates);
    if (p->copy) {
        bool same = row->kind->victim(row->state, &p->view, &p->access, candidates) == way;
        judge_row_answers(p, row, "victim", same);
    }
    if (way >= 0 ? way < 64 && candidates >> way & 1 : way >= L1_NO_LINE) {
        return way;
    }
    alarm_ring_text(p->alarm, ALARM_PLUGIN,
                    "policy %.60s, L1 of core %u: victim() gives way %d: must be one of the "
                    "candidates, 0x%llx, or none",
                    row->kind->name, p->view.core, way, (unsigned long long)candidates);
    return L1_NO_VICTIM;
}

int l1_policies_ask_victim(const struct l1_policies *p) {
    const struct tag_array *tags = p->view.tags;
    const struct tag_set *set = &tags->set[p->access.set];
    const uint64_t all = tags->ways == 64 ? ~UINT64_C(0) : (UINT64_C(1) << tags->ways) - 1;
    return (set->valid | set->reserved) != all ? tag_victim(tags, p->access.set)
                                               : ask_chooser(p, set->valid);
}

/* A core without a warp prefetches nothing, else a run might not end. */
static void count_warps(struct l1_prefetches *p, enum l1_policy_event_kind kind) {
    p->warps += kind == L1_POLICY_WARP_BEGUN;
    if (kind == L1_POLICY_WARP_ENDED && --p->warps == 0) {
        *p->dropped += p->count;
        p->count = 0;
    }
}

struct request l1_policies_take_prefetch(struct l1_policies *p) {
    struct l1_prefetches *waiting = &p->prefetches;
    const struct l1_prefetch *next = &waiting->list[waiting->head];
    waiting->head = (waiting->head + 1) % L1_PREFETCHES_MAX;
    waiting->count--;
    return (struct request){.kind = REQUEST_PREFETCH,
                            .line = next->line,
                            .cta = next->cta,
                            .pc = next->pc,
                            .warp = next->warp,
                            .local_space = next->local,
                            .core = (uint8_t)p->view.core,
                            .reg = REG_NONE};
}

void l1_policies_tell(struct l1_policies *p, const struct l1_policy_event *event, uint64_t cycle) {
    p->view.cycle = cycle;
    if (p->prefetch) {
        count_warps(&p->prefetches, event->kind);
    }
    for (const struct l1_policy_row *row = p->row; row < p->row + p->count; row++) {
        if (row->kind->events & L1_POLICY_EVENT(event->kind)) {
            row->kind->tell(row->state, &p->view, event,
                            row->kind->prefetches ? &p->prefetches : NULL);
        }
    }
}

static void *state_of_kind(const struct l1_policies *p, const struct l1_policy_kind *kind) {
    for (unsigned i = 0; p && i < p->count; i++) {
        if (p->row[i].kind == kind) {
            return p->row[i].state;
        }
    }
    return NULL;
}

void *l1_policies_state(const struct l1_policies *p, const char *name) {
    for (unsigned i = 0; p && i < p->count; i++) {
        if (!strcmp(p->row[i].kind->name, name)) {
            return p->row[i].state;
        }
    }
    return NULL;
}

bool l1_policies_register_stats(const struct l1_policies *p, struct stats *s) {
    const struct l1_policy_kind *kind;
    for (unsigned i = 0; (kind = l1_policy_kind_at(i)); i++) {
        if (kind->wanted && kind->register_stats &&
            !kind->register_stats(state_of_kind(p, kind), s)) {
            return false;
        }
    }
    for (unsigned i = 0; p && i < p->count; i++) {
        kind = p->row[i].kind;
        if (!kind->wanted && kind->register_stats && !kind->register_stats(p->row[i].state, s)) {
            return false;
        }
    }
    return true;
}
