/* SPDX-License-Identifier: Apache-2.0
 *
 * DAWS's table of footprints as its paper has it, a cycle at a time and without what makes the
 * block fast: each mark remembers the cycle in which it counts, each warp its age, and a round's
 * result waits for its cycle. Beside it, loops that answer.
 */
#ifndef WARPMEM_TB_ISSUE_DAWS_FOOTPRINT_CASES_H
#define WARPMEM_TB_ISSUE_DAWS_FOOTPRINT_CASES_H

#include <string.h>

#include "issue/daws_footprint.h"

/* --- loops with locality: what the table of loads would answer (5.1.1) --- */

struct known_loop {
    uint32_t pc;
    unsigned diverged, converged; /* groups of loads */
};

struct known_loops {
    unsigned count;
    struct known_loop loop[8];
};

struct loop_answer {
    bool known;
    uint32_t loop;
    unsigned lines;
};

static inline struct loop_answer answer_of_loops(const struct known_loops *k, uint32_t pc,
                                                 unsigned lanes, bool near) {
    struct loop_answer a = {0};
    for (unsigned i = 0; i < k->count; i++) {
        const struct known_loop *l = &k->loop[i];
        if (near ? l->pc >= pc && (!a.known || l->pc < a.loop) : l->pc == pc) {
            a = (struct loop_answer){.known = true,
                                     .loop = l->pc,
                                     .lines = lanes * l->diverged +
                                              (lanes < 2 ? lanes : 2) * l->converged};
        }
    }
    return a;
}

static inline void put_loop_answer(struct daws_footprint_in *in, const struct loop_answer *a,
                                   unsigned lines) {
    in->ans_known = a->known;
    in->ans_loop = a->loop;
    in->ans_over = a->lines > lines;
    in->ans_lines = a->known && !in->ans_over ? a->lines : 0;
}

/* --- the plain model --- */

struct plain_mark {
    bool valid, near, begins, ends, asks;
    unsigned kind, warp, lanes;
    uint32_t pc;
    uint64_t due; /* the cycle in which its answer is there */
};

struct plain_warp {
    unsigned depth;
    uint32_t loop[DAWS_FOOTPRINT_DEPTH_MAX];
    bool has_target, near, asked, wanted;
    uint32_t target;
    unsigned lines;
    uint64_t age;
    bool launching;
};

struct plain_footprint {
    struct daws_footprint_params p;
    uint64_t cycle, youngest;
    struct plain_warp warp[DAWS_FOOTPRINT_WARPS_MAX];
    struct plain_mark looked_at;    /* the mark of the last cycle */
    struct plain_mark under_way[8]; /* the first asks in this cycle */
    int chosen;                     /* a warp; -1: none */
    int taken, found, moves;        /* slots that were launched; -1: none */
    bool load_valid, load_found;
    uint32_t load_loop;
    unsigned sums; /* cycles until the round's last */
    bool stale;
    uint64_t sum_held, held;
};

static inline void plain_footprint_init(struct plain_footprint *s,
                                        const struct daws_footprint_params *p) {
    memset(s, 0, sizeof *s);
    s->p = *p;
    s->chosen = s->taken = s->found = s->moves = -1;
    for (unsigned w = 0; w < p->WARPS; w++) {
        s->warp[w].age = s->youngest++;
    }
}

static inline bool plain_inside(const struct plain_footprint *s) {
    for (unsigned w = 0; w < s->p.WARPS; w++) {
        if (s->warp[w].lines && !s->warp[w].near) {
            return true;
        }
    }
    return false;
}

static inline unsigned plain_lines(const struct plain_footprint *s, unsigned w) {
    return s->warp[w].near && !plain_inside(s) ? 0 : s->warp[w].lines;
}

/* 5.1: warps whose sum, with all older ones, is greater than the effective size; not the oldest. */
static inline uint64_t plain_held(const struct plain_footprint *s) {
    uint64_t held = 0;
    for (unsigned w = 0; w < s->p.WARPS; w++) {
        uint64_t older = 0;
        for (unsigned v = 0; v < s->p.WARPS; v++) {
            older += s->warp[v].age < s->warp[w].age ? plain_lines(s, v) : 0;
        }
        if (plain_lines(s, w) && older &&
            100 * (older + plain_lines(s, w)) > (uint64_t)s->p.LINES * s->p.PERCENT) {
            held |= UINT64_C(1) << w;
        }
    }
    return held;
}

static inline bool plain_wants(const struct plain_footprint *s, const struct daws_footprint_in *in,
                               unsigned w) {
    const struct plain_warp *warp = &s->warp[w];
    return in->near >> w & 1 && !warp->depth && !warp->asked && !(warp->lines && warp->near);
}

static inline struct plain_mark *plain_asking(struct plain_footprint *s) {
    for (unsigned i = 0; i < 8; i++) {
        if (s->under_way[i].valid && s->under_way[i].asks &&
            s->under_way[i].due == s->cycle + DAWS_ASK_CYCLES) {
            return &s->under_way[i];
        }
    }
    return NULL;
}

static inline void plain_put(struct plain_footprint *s, struct plain_mark mark) {
    unsigned i = 0;
    while (s->under_way[i].valid) {
        i++;
    }
    mark.valid = true;
    mark.due = s->cycle + 1 + DAWS_ASK_CYCLES;
    s->under_way[i] = mark;
}

/* The mark that came in the last cycle. */
static inline void plain_look(struct plain_footprint *s, struct plain_mark mark) {
    struct plain_warp *w = &s->warp[mark.warp];
    unsigned named = w->depth < s->p.DEPTH ? w->depth : s->p.DEPTH;
    switch (mark.kind) {
    case DAWS_BEGIN:
        if (w->depth < s->p.DEPTH) {
            w->loop[w->depth] = mark.pc;
        }
        w->depth += w->depth < DAWS_NESTING_MAX;
        mark.asks = mark.begins = true;
        plain_put(s, mark);
        break;
    case DAWS_TRIP:
        mark.asks = true;
        mark.pc = w->has_target && w->target > mark.pc ? w->target : mark.pc;
        plain_put(s, mark);
        break;
    case DAWS_END:
        w->depth -= w->depth > 0;
        if (!w->depth) {
            mark.ends = true;
            plain_put(s, mark);
        }
        break;
    default:
        s->load_valid = true;
        s->load_found = named > 0;
        s->load_loop = named ? w->loop[named - 1] : 0;
    }
}

/* Return: the entry may have changed. */
static inline bool plain_answer(struct plain_footprint *s, const struct plain_mark *mark,
                                const struct daws_footprint_in *in) {
    struct plain_warp *w = &s->warp[mark->warp];
    if (mark->ends || (mark->begins && !in->ans_known && w->lines && w->near)) {
        w->lines = 0;
        w->has_target &= !mark->ends;
        return true;
    }
    if (!mark->asks || !in->ans_known) {
        return false;
    }
    w->lines = in->ans_over ? 0 : in->ans_lines;
    w->near = mark->near;
    if (!mark->near) {
        w->has_target = true;
        w->target = in->ans_loop;
    }
    return true;
}

static inline void plain_end_warp(struct plain_footprint *s, unsigned w) {
    const struct plain_warp old = s->warp[w];
    s->warp[w] = (struct plain_warp){.age = old.age, .launching = old.launching};
    for (unsigned i = 0; i < 8; i++) {
        s->under_way[i].valid &= s->under_way[i].warp != w;
    }
}

static inline bool plain_launching(const struct plain_footprint *s) {
    if (s->taken >= 0 || s->found >= 0 || s->moves >= 0) {
        return true;
    }
    for (unsigned w = 0; w < s->p.WARPS; w++) {
        if (s->warp[w].launching) {
            return true;
        }
    }
    return false;
}

static inline void plain_round(struct plain_footprint *s) {
    unsigned levels = 0;
    while (1u << levels < s->p.WARPS) {
        levels++;
    }
    if (plain_launching(s)) {
        s->sums = 0;
        return;
    }
    if (s->sums && --s->sums == 0) {
        s->held = s->sum_held;
    }
    if (!s->sums && s->stale) {
        s->sum_held = plain_held(s);
        s->sums = levels + 1;
        s->stale = false;
    }
}

static inline void plain_footprint_step(struct plain_footprint *s,
                                        const struct daws_footprint_in *in) {
    const struct daws_footprint_params p = s->p;
    bool wants[DAWS_FOOTPRINT_WARPS_MAX], changed = s->moves >= 0;
    const uint64_t ends = in->exit | in->launch;
    const bool inside = plain_inside(s);
    int goes = -1, lowest = -1, taken = -1;
    if (in->rst) {
        plain_footprint_init(s, &p);
        return;
    }
    plain_round(s);
    for (unsigned w = 0; w < p.WARPS; w++) {
        wants[w] = plain_wants(s, in, w);
        changed |= s->warp[w].lines && (ends | in->waits) >> w & 1;
    }
    if (s->chosen >= 0 && !s->looked_at.valid && wants[s->chosen]) {
        goes = s->chosen;
    }
    for (unsigned w = p.WARPS; w-- > 0;) {
        const bool waiting = s->warp[w].wanted && (int)w != s->chosen;
        lowest = waiting ? (int)w : lowest;
    }
    s->load_valid = s->load_found = false;
    const struct plain_mark looked_at = s->looked_at;
    if (looked_at.valid && !(ends >> looked_at.warp & 1)) {
        plain_look(s, looked_at);
    }
    if (goes >= 0) {
        s->warp[goes].asked = true;
        plain_put(s, (struct plain_mark){.warp = (unsigned)goes,
                                         .asks = true,
                                         .near = true,
                                         .pc = in->near_pc,
                                         .lanes = in->near_lanes});
    }
    for (unsigned i = 0; i < 8; i++) {
        if (s->under_way[i].valid && s->under_way[i].due == s->cycle) {
            changed |= plain_answer(s, &s->under_way[i], in);
            s->under_way[i].valid = false;
        }
    }
    s->chosen = s->chosen >= 0 && looked_at.valid ? s->chosen : lowest;
    if (s->moves >= 0) {
        s->warp[s->moves].age = s->youngest++;
    }
    if (s->taken >= 0) {
        s->warp[s->taken].launching = false;
    }
    for (unsigned w = p.WARPS; w-- > 0;) {
        taken = s->warp[w].launching ? (int)w : taken;
        s->warp[w].asked &= in->near >> w & 1;
        s->warp[w].lines = in->waits >> w & 1 ? 0 : s->warp[w].lines;
        if (ends >> w & 1) {
            plain_end_warp(s, w);
        }
        s->warp[w].launching |= in->launch >> w & 1;
        s->warp[w].wanted = wants[w] && inside && (int)w != goes;
    }
    s->moves = s->found;
    s->found = s->taken;
    s->taken = taken;
    s->held &= ~in->launch;
    s->stale |= changed;
    s->looked_at = (struct plain_mark){.valid = in->mark_valid && !(in->exit >> in->mark_warp & 1),
                                       .kind = in->mark_kind,
                                       .warp = in->mark_warp,
                                       .pc = in->mark_pc,
                                       .lanes = in->mark_lanes};
    s->cycle++;
}

#endif
