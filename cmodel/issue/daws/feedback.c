/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws/feedback.h"

#include <assert.h>

void daws_feedback_init(struct daws_feedback *f, enum daws_judge judge) {
    f->judge = judge;
    f->loads = 0;
    f->head = f->waiting = 0;
    f->refused = 0;
    for (unsigned i = 0; i < DAWS_FEEDBACK_WARPS; i++) {
        f->warp[i].head = f->warp[i].count = f->local[i] = 0;
    }
}

uint32_t daws_feedback_load(struct daws_feedback *f, unsigned warp, uint32_t pc,
                            unsigned accesses) {
    struct daws_flights *w = &f->warp[warp];
    struct daws_flight *last = &w->load[(w->head + w->count - 1) % DAWS_FEEDBACK_LOADS];
    if (w->count == DAWS_FEEDBACK_LOADS) {
        last->wanted = false;
        last->number = 0;
        last->left += accesses;
        return 0;
    }
    f->loads += f->loads == UINT32_MAX ? 2 : 1; /* never 0 */
    w->load[(w->head + w->count++) % DAWS_FEEDBACK_LOADS] =
        (struct daws_flight){.number = f->loads, .pc = pc, .left = accesses, .accesses = accesses};
    return f->loads;
}

void daws_feedback_want(struct daws_feedback *f, unsigned warp, uint32_t number, uint32_t loop) {
    struct daws_flights *w = &f->warp[warp];
    for (unsigned i = 0; number && i < w->count; i++) {
        struct daws_flight *load = &w->load[(w->head + i) % DAWS_FEEDBACK_LOADS];
        if (load->number == number) {
            load->wanted = true;
            load->loop = loop;
        }
    }
}

/* The oldest access leaves, and counts for its load. */
static struct daws_waiting_access take_waiting_access(struct daws_feedback *f) {
    struct daws_waiting_access a = f->access[f->head];
    f->head = (f->head + 1) % DAWS_FEEDBACK_WAITING;
    f->waiting--;
    a.local += f->local[a.warp];
    f->local[a.warp] = a.ends ? 0 : a.local;
    return a;
}

const struct daws_flight *daws_feedback_access(struct daws_feedback *f, unsigned warp,
                                               uint64_t line, bool local, uint64_t cycle,
                                               uint64_t lost_at) {
    struct daws_flights *w = &f->warp[warp];
    struct daws_flight *load = &w->load[w->head];
    assert(w->count && load->left);
    const bool repeats = load->begun && load->line == line;
    local = local && !repeats;
    load->begun = true;
    load->line = line;
    load->accesses -= repeats;
    load->local += local;
    const bool ends = --load->left == 0;
    if (load->wanted) {
        if (f->waiting == DAWS_FEEDBACK_WAITING) {
            take_waiting_access(f);
            f->refused++;
        }
        f->access[(f->head + f->waiting++) % DAWS_FEEDBACK_WAITING] =
            (struct daws_waiting_access){.from = lost_at ? lost_at : cycle + 1,
                                         .lost_at = lost_at,
                                         .own_local = local,
                                         .ends = ends,
                                         .repeats = repeats,
                                         .warp = (uint8_t)warp,
                                         .local = load->local,
                                         .accesses = load->accesses,
                                         .loop = load->loop};
        load->local = 0;
    }
    f->last = *load;
    if (ends) {
        w->head = (w->head + 1) % DAWS_FEEDBACK_LOADS;
        w->count--;
    }
    return &f->last;
}

void daws_feedback_lost(struct daws_feedback *f, unsigned warp, uint64_t cycle) {
    for (unsigned i = 0; i < f->waiting; i++) {
        struct daws_waiting_access *a = &f->access[(f->head + i) % DAWS_FEEDBACK_WAITING];
        if (a->lost_at == cycle && a->warp == warp && !a->own_local) {
            a->own_local = true;
            a->local++;
        }
    }
}

bool daws_feedback_judge(struct daws_feedback *f, uint64_t cycle, uint32_t *loop, bool *local) {
    bool judged = false;
    while (!judged && f->waiting && f->access[f->head].from <= cycle) {
        const struct daws_waiting_access a = take_waiting_access(f);
        *loop = a.loop;
        switch (f->judge) {
        case DAWS_JUDGE_ACCESS:
            *local = a.own_local;
            judged = !a.repeats;
            break;
        case DAWS_JUDGE_MAJORITY:
            *local = 2 * a.local > a.accesses;
            judged = a.ends;
            break;
        default: *local = a.local > 0; judged = a.ends;
        }
    }
    return judged;
}
