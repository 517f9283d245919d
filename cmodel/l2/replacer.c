/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/replacer.h"

#include <stdlib.h>
#include <string.h>

struct l2_replacer *l2_replacer_create(const struct l2_replacement_kind *kind,
                                       const struct l2_replacement_view *view,
                                       const struct build *build) {
    struct l2_replacer *p = calloc(1, sizeof *p);
    if (!p) {
        return NULL;
    }
    *p = (struct l2_replacer){.kind = kind,
                              .view = *view,
                              .alarm = build->alarm,
                              .checks = build->asks_twice,
                              .state_size = kind->state_size ? kind->state_size(view) : 0};
    p->state = calloc(1, p->state_size + 1);
    p->copy = calloc(1, p->state_size + 1);
    if (!p->state || !p->copy) {
        l2_replacer_destroy(p);
        return NULL;
    }
    if (kind->init) {
        kind->init(p->state, view);
    }
    return p;
}

void l2_replacer_destroy(struct l2_replacer *p) {
    if (p) {
        free(p->state);
        free(p->copy);
        free(p);
    }
}

static struct l2_replacement_access replacement_access(const struct request *r, uint64_t line,
                                                       unsigned set) {
    return (struct l2_replacement_access){.line = line,
                                          .set = set,
                                          .kind = (enum request_kind)r->kind,
                                          .core = r->core,
                                          .warp = r->warp,
                                          .pc = r->pc};
}

/* Asks once more. False: the alarm rings. */
static bool ask_victim_again(struct l2_replacer *p, const struct l2_replacement_access *a,
                             uint64_t candidates, unsigned way) {
    memcpy(p->copy, p->state, p->state_size);
    unsigned again = p->kind->victim(p->state, &p->view, a, candidates);
    if (again == way && !memcmp(p->copy, p->state, p->state_size)) {
        return true;
    }
    alarm_ring_text(p->alarm, ALARM_PLUGIN,
                    "plug-in %.60s, partition %u, bank %u: victim() %s when it is asked again: "
                    "must be a function of its state, which it leaves alone",
                    p->kind->name, p->view.partition, p->view.bank,
                    again == way ? "changes its state" : "gives another way");
    return false;
}

int l2_replacer_victim(struct l2_replacer *p, const struct tag_array *tags, const struct request *r,
                       uint64_t line, unsigned set) {
    const struct tag_set *s = &tags->set[set];
    const uint64_t ways = UINT64_MAX >> (TAG_WAYS_SMALL - tags->ways), candidates = s->valid;
    if (~(s->valid | s->reserved) & ways) {
        return tag_victim(tags, set);
    }
    if (!candidates) {
        return TAG_NO_WAY;
    }
    const struct l2_replacement_access a = replacement_access(r, line, set);
    unsigned way = p->kind->victim(p->state, &p->view, &a, candidates);
    if (way >= tags->ways || !(candidates >> way & 1)) {
        alarm_ring_text(p->alarm, ALARM_PLUGIN,
                        "plug-in %.60s, partition %u, bank %u: victim() gives way %u: must be one "
                        "of the candidates, 0x%llx",
                        p->kind->name, p->view.partition, p->view.bank, way,
                        (unsigned long long)candidates);
        return TAG_NO_WAY;
    }
    return !p->checks || ask_victim_again(p, &a, candidates, way) ? (int)way : TAG_NO_WAY;
}

void l2_replacer_touch(struct l2_replacer *p, const struct request *r, uint64_t line, unsigned set,
                       int way) {
    const struct l2_replacement_access a = replacement_access(r, line, set);
    if (p->kind->touch) {
        p->kind->touch(p->state, &p->view, &a, (unsigned)way);
    }
}

void l2_replacer_insert(struct l2_replacer *p, const struct request *r, uint64_t line, unsigned set,
                        int way) {
    const struct l2_replacement_access a = replacement_access(r, line, set);
    if (p->kind->insert) {
        p->kind->insert(p->state, &p->view, &a, (unsigned)way);
    }
}
