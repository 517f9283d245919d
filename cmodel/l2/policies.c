/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/policies.h"

#include <stdlib.h>
#include <string.h>

static bool make_row(struct l2_policies *p, struct l2_policy_row *row,
                     const struct l2_policy_kind *kind, const struct build *build) {
    *row = (struct l2_policy_row){.kind = kind,
                                  .state_size = kind->state_size ? kind->state_size(&p->view) : 0};
    row->state = calloc(1, row->state_size + 1);
    p->count++;
    p->events |= kind->events;
    p->bypasses = kind->bypasses > p->bypasses ? kind->bypasses : p->bypasses;
    p->asks_bypass |= kind->bypass != NULL;
    p->asks_line |= kind->takes_line != NULL;
    p->order = kind->victim || kind->place ? row : p->order;
    p->sorts |= l2_policy_sorts(kind);
    p->types = kind->types ? kind->types : p->types;
    if (!row->state) {
        return build_refused(build, "out of memory");
    }
    return !kind->make || kind->make(row->state, &p->view, build);
}

bool l2_policies_make(struct l2_policies *p, const struct l2_policy_view *view,
                      const struct tag_array *tags, const struct l2_policy_kind *named,
                      const struct build *build) {
    const struct l2_policy_kind *kinds[L2_POLICY_KINDS_MAX];
    unsigned count = l2_policy_kinds_wanted(view->config, named, kinds);
    size_t largest = 1;
    *p = (struct l2_policies){.view = *view, .tags = tags, .alarm = build->alarm};
    if (!l2_policy_fits(view->config, named, build)) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!make_row(p, &p->row[i], kinds[i], build)) {
            return false;
        }
        largest = p->row[i].state_size > largest ? p->row[i].state_size : largest;
    }
    if (config_has_warp_types(view->config)) {
        p->types = L2_TYPES_OF_WARPS; /* for the DRAM's queues too */
    }
    p->copy = build->asks_twice ? malloc(largest) : NULL;
    return !build->asks_twice || p->copy || build_refused(build, "out of memory");
}

void l2_policies_destroy(struct l2_policies *p) {
    for (unsigned i = 0; i < p->count; i++) {
        if (p->row[i].kind->destroy && p->row[i].state) {
            p->row[i].kind->destroy(p->row[i].state);
        }
        free(p->row[i].state);
    }
    free(p->copy);
}

bool l2_policies_register_stats(const struct l2_policies *p, struct stats *s) {
    bool good = true;
    for (unsigned i = 0; good && i < p->count; i++) {
        const struct l2_policy_kind *kind = p->row[i].kind;
        good = !kind->register_stats || kind->register_stats(p->row[i].state, s);
    }
    return good;
}

void l2_policies_tell(const struct l2_policies *p, const struct l2_policy_event *event) {
    for (const struct l2_policy_row *row = p->row; row < p->row + p->count; row++) {
        if (row->kind->events & L2_POLICY_EVENT(event->kind)) {
            row->kind->tell(row->state, &p->view, event);
        }
    }
}

/* The state before a call, which is repeated if there is a copy. */
static void keep_policy_state(const struct l2_policies *p, const struct l2_policy_row *row) {
    if (p->copy) {
        memcpy(p->copy, row->state, row->state_size);
    }
}

/* After both: were the answers the same, and is the state? */
static bool judge_policy_answers(const struct l2_policies *p, const struct l2_policy_row *row,
                                 unsigned bank, const char *question, bool same) {
    if (same && !memcmp(p->copy, row->state, row->state_size)) {
        return true;
    }
    alarm_ring_text(p->alarm, ALARM_PLUGIN,
                    "policy %.60s, partition %u, bank %u: %s() %s when it is called again: "
                    "must be a function of its state, which it leaves alone",
                    row->kind->name, p->view.partition, bank, question,
                    same ? "changes its state" : "gives another answer");
    return false;
}

enum l2_bypass l2_policies_ask_bypass(const struct l2_policies *p, const struct request *r) {
    struct l2_policy_access access = l2_policy_access_of(p, r);
    enum l2_bypass most = p->bypasses;
    access.type = L2_CLASS_BALANCED;
    for (const struct l2_policy_row *row = p->row; row < p->row + p->count; row++) {
        if (row->kind->bypass) {
            keep_policy_state(p, row);
            enum l2_bypass answer = row->kind->bypass(row->state, &p->view, &access);
            if (p->copy) {
                bool same = row->kind->bypass(row->state, &p->view, &access) == answer;
                judge_policy_answers(p, row, access.bank, "bypass", same);
            }
            most = answer > most ? answer : most;
        }
    }
    return most;
}

bool l2_policies_takes_line(const struct l2_policies *p, const struct request *r) {
    bool takes = true;
    if (p->asks_line) {
        const struct l2_policy_access access = l2_policy_access_of(p, r);
        for (const struct l2_policy_row *row = p->row; row < p->row + p->count; row++) {
            takes &= !row->kind->takes_line || row->kind->takes_line(row->state, &p->view, &access);
        }
    }
    return takes;
}

int l2_policies_victim(const struct l2_policies *p, const struct tag_array *tags,
                       const struct request *r, unsigned set) {
    const struct l2_policy_row *row = p->order;
    const struct tag_set *s = &tags->set[set];
    const uint64_t candidates = s->valid;
    if (!row || !row->kind->victim || !candidates ||
        ~(s->valid | s->reserved) & UINT64_MAX >> (TAG_WAYS_SMALL - tags->ways)) {
        return tag_victim(tags, set);
    }
    const struct l2_policy_access access = l2_policy_access_of(p, r);
    keep_policy_state(p, row);
    unsigned way = row->kind->victim(row->state, &p->view, &access, candidates);
    if (way >= tags->ways || !(candidates >> way & 1)) {
        alarm_ring_text(p->alarm, ALARM_PLUGIN,
                        "policy %.60s, partition %u, bank %u: victim() gives way %u: must be one "
                        "of the candidates, 0x%llx",
                        row->kind->name, p->view.partition, access.bank, way,
                        (unsigned long long)candidates);
        return TAG_NO_WAY;
    }
    return !p->copy || judge_policy_answers(
                           p, row, access.bank, "victim",
                           row->kind->victim(row->state, &p->view, &access, candidates) == way)
               ? (int)way
               : TAG_NO_WAY;
}
