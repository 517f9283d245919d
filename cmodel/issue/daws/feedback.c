/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws/feedback.h"

#include <assert.h>

void daws_feedback_init(struct daws_feedback *f, enum daws_judge judge) {
    f->judge = judge;
    f->loads = 0;
    f->waits = false;
    for (unsigned i = 0; i < DAWS_FEEDBACK_WARPS; i++) {
        f->warp[i].head = f->warp[i].count = 0;
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

const struct daws_flight *daws_feedback_access(struct daws_feedback *f, unsigned warp, bool local,
                                               uint64_t cycle) {
    struct daws_flights *w = &f->warp[warp];
    struct daws_flight *load = &w->load[w->head];
    assert(w->count && load->left);
    load->local += local;
    f->ends = --load->left == 0;
    f->waits = load->wanted;
    f->cycle = cycle;
    f->last_warp = warp;
    f->last_local = local;
    f->last = *load;
    if (f->ends) {
        w->head = (w->head + 1) % DAWS_FEEDBACK_LOADS;
        w->count--;
    }
    return &f->last;
}

void daws_feedback_lost(struct daws_feedback *f, unsigned warp, uint64_t cycle) {
    if (!f->waits || f->last_warp != warp || f->cycle + 1 != cycle || f->last_local) {
        return;
    }
    f->last_local = true;
    f->last.local++;
    if (!f->ends) {
        f->warp[warp].load[f->warp[warp].head].local++;
    }
}

bool daws_feedback_judge(struct daws_feedback *f, uint64_t cycle, uint32_t *loop, bool *local) {
    if (!f->waits || cycle <= f->cycle) {
        return false;
    }
    f->waits = false;
    *loop = f->last.loop;
    switch (f->judge) {
    case DAWS_JUDGE_ACCESS: *local = f->last_local; return true;
    case DAWS_JUDGE_MAJORITY: *local = 2 * f->last.local > f->last.accesses; return f->ends;
    default: *local = f->last.local > 0; return f->ends;
    }
}
