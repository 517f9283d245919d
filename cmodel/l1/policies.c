/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/policies.h"

#include <stdlib.h>
#include <string.h>

#define CORES_MAX 128 /* core.count */

static bool add_policy(struct l1_policies *p, const struct l1_policy_kind *kind,
                       const struct build *build) {
    struct l1_active_policy *policy = &p->policy[p->count];
    size_t size = kind->state_size ? kind->state_size(&p->view) : 0;
    *policy = (struct l1_active_policy){.kind = kind, .state = calloc(1, size ? size : 1)};
    if (!policy->state) {
        return build_refused(build, "out of memory");
    }
    p->count++;
    p->events |= kind->events;
    p->decide |= kind->bypasses != NULL;
    p->chooser = kind->victim ? policy : p->chooser;
    return !kind->make || kind->make(policy->state, &p->view, build);
}

bool l1_policies_make(struct l1_policies **made, const struct config *config, unsigned core,
                      const struct tag_array *tags, const uint64_t *fails,
                      const struct build *build) {
    const struct l1_policy_kind *kind;
    struct l1_policies *p = NULL;
    *made = NULL;
    for (unsigned i = 0; (kind = l1_policy_kind_at(i)); i++) {
        if (!kind->wanted(config)) {
            continue;
        }
        if (!p && !(p = *made = calloc(1, sizeof *p))) {
            return build_refused(build, "out of memory");
        }
        p->view =
            (struct l1_policy_view){.config = config, .core = core, .tags = tags, .fails = fails};
        if (!add_policy(p, kind, build)) {
            return false;
        }
    }
    return true;
}

void l1_policies_destroy(struct l1_policies *p) {
    for (unsigned i = 0; p && i < p->count; i++) {
        if (p->policy[i].kind->destroy) {
            p->policy[i].kind->destroy(p->policy[i].state);
        }
        free(p->policy[i].state);
    }
    free(p);
}

void l1_policies_join(struct l1_policies *const *of, unsigned cores) {
    void *states[CORES_MAX];
    for (unsigned i = 0; of[0] && i < of[0]->count; i++) {
        const struct l1_policy_kind *kind = of[0]->policy[i].kind;
        for (unsigned core = 0; core < cores; core++) {
            states[core] = of[core]->policy[i].state;
        }
        for (unsigned core = 0; kind->join && core < cores; core++) {
            kind->join(states[core], states);
        }
    }
}

void l1_policies_show(struct l1_policies *p, const struct request *r, uint64_t cycle) {
    p->view.cycle = cycle;
    p->access = (struct l1_policy_access){.line = r->line,
                                          .set = tag_set_of(p->view.tags, r->line),
                                          .kind = r->kind,
                                          .warp = r->warp,
                                          .cta = r->cta,
                                          .pc = r->pc,
                                          .local = r->local_space,
                                          .uncached = r->uncached};
}

bool l1_policies_bypass(const struct l1_policies *p) {
    const struct l1_policy_access *a = &p->access;
    bool bypasses = false;
    for (unsigned i = 0; i < p->count; i++) {
        const struct l1_active_policy *policy = &p->policy[i];
        if (policy->kind->bypasses) {
            bypasses |= policy->kind->bypasses(policy->state, &p->view, a);
        }
    }
    return bypasses && a->kind != REQUEST_ATOMIC && !a->local && !a->uncached;
}

int l1_policies_victim(const struct l1_policies *p) {
    const struct tag_array *tags = p->view.tags;
    const unsigned number = p->access.set;
    const struct tag_set *set = &tags->set[number];
    const uint64_t all = tags->ways == 64 ? ~UINT64_C(0) : (UINT64_C(1) << tags->ways) - 1;
    return (set->valid | set->reserved) != all
               ? tag_victim(tags, number)
               : p->chooser->kind->victim(p->chooser->state, &p->view, &p->access, set->valid);
}

void l1_policies_tell(struct l1_policies *p, const struct l1_policy_event *event, uint64_t cycle) {
    p->view.cycle = cycle;
    for (unsigned i = 0; i < p->count; i++) {
        const struct l1_active_policy *policy = &p->policy[i];
        if (policy->kind->events & L1_POLICY_EVENT(event->kind)) {
            policy->kind->tell(policy->state, &p->view, event);
        }
    }
}

static void *state_of_kind(const struct l1_policies *p, const struct l1_policy_kind *kind) {
    for (unsigned i = 0; p && i < p->count; i++) {
        if (p->policy[i].kind == kind) {
            return p->policy[i].state;
        }
    }
    return NULL;
}

void *l1_policies_state(const struct l1_policies *p, const char *name) {
    for (unsigned i = 0; p && i < p->count; i++) {
        if (!strcmp(p->policy[i].kind->name, name)) {
            return p->policy[i].state;
        }
    }
    return NULL;
}

bool l1_policies_register_stats(const struct l1_policies *p, struct stats *s) {
    const struct l1_policy_kind *kind;
    for (unsigned i = 0; (kind = l1_policy_kind_at(i)); i++) {
        if (kind->register_stats && !kind->register_stats(state_of_kind(p, kind), s)) {
            return false;
        }
    }
    return true;
}
