/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws_held.h"

#include <string.h>

void daws_held_init(struct daws_held *f, const struct daws_held_params *params,
                    const struct daws_classes *loads) {
    *f = (struct daws_held){.params = *params, .loads = loads, .can_load = ~UINT64_C(0)};
}

static unsigned sum_latency(const struct daws_held *f) {
    return f->params.latency < DAWS_MASK_LATENCY ? f->params.latency : DAWS_MASK_LATENCY;
}

static unsigned ask_latency(const struct daws_held *f) {
    return f->params.latency - sum_latency(f);
}

unsigned daws_held_of(const struct daws_held *f, unsigned warp) {
    const struct daws_entry *e = &f->entry[warp];
    return e->known && (!e->near || f->in_loop) ? e->lines : 0;
}

/* The prefix sum: warps that may load. */
static uint64_t sum_footprints(const struct daws_held *f) {
    uint64_t can_load = ~UINT64_C(0), sum = 0;
    bool oldest = true;
    for (unsigned i = 0; i < f->live; i++) {
        unsigned warp = f->order[i], lines = daws_held_of(f, warp);
        if (!lines) {
            continue;
        }
        bool fits = oldest || (sum + lines) * 100 <= (uint64_t)f->params.percent * f->params.lines;
        can_load &= ~((uint64_t)!fits << warp);
        sum += fits || !f->params.fit ? lines : 0;
        oldest = false;
    }
    return can_load;
}

static void apply_due_masks(struct daws_held *f) {
    while (f->masks && f->mask[f->mask_head].due <= f->cycle) {
        f->can_load = f->mask[f->mask_head].can_load;
        f->held |= ~f->can_load;
        f->mask_head = (f->mask_head + 1) % DAWS_MASKS_MAX;
        f->masks--;
    }
}

/* The table has changed: the mask of this state is there after the sum. */
static void sum_after_change(struct daws_held *f) {
    uint64_t due = f->cycle + sum_latency(f);
    struct daws_mask *last =
        &f->mask[(f->mask_head + f->masks + DAWS_MASKS_MAX - 1) % DAWS_MASKS_MAX];
    if (!f->masks || last->due != due) {
        last = &f->mask[(f->mask_head + f->masks++) % DAWS_MASKS_MAX];
    }
    *last = (struct daws_mask){.due = due, .can_load = sum_footprints(f)};
    apply_due_masks(f);
}

static void set_daws_entry(struct daws_held *f, unsigned warp, bool known, bool near,
                           unsigned lines) {
    struct daws_entry *e = &f->entry[warp];
    const uint64_t mine = UINT64_C(1) << warp;
    bool counts = known && lines && lines <= f->params.lines, same;
    lines = counts ? lines : 0;
    same = e->known == known && e->near == near && e->lines == lines;
    e->known = known;
    e->near = near;
    e->lines = lines;
    f->in_loop = (f->in_loop & ~mine) | (counts && !near ? mine : 0);
    f->nearby = (f->nearby & ~mine) | (counts && near ? mine : 0);
    if (!same) {
        sum_after_change(f);
    }
}

static void clear_daws_entry(struct daws_held *f, unsigned warp) {
    set_daws_entry(f, warp, false, false, 0);
}

static void apply_daws_ask(struct daws_held *f, const struct daws_ask *a) {
    const struct daws_entry *e = &f->entry[a->warp];
    bool waits = f->waits >> a->warp & 1;
    if (a->clears || (a->begins && e->near && !a->answer.known)) {
        clear_daws_entry(f, a->warp);
    } else if (a->answer.known) {
        set_daws_entry(f, a->warp, true, a->near, waits ? 0 : a->answer.lines);
    }
}

static void apply_due_asks(struct daws_held *f) {
    while (f->asks && f->ask[f->ask_head].due <= f->cycle) {
        struct daws_ask a = f->ask[f->ask_head];
        f->ask_head = (f->ask_head + 1) % DAWS_ASKS_MAX;
        f->asks--;
        if (a.warp < DAWS_WARPS_MAX) {
            apply_daws_ask(f, &a);
        }
    }
}

static void put_daws_ask(struct daws_held *f, struct daws_ask a) {
    if (f->asks == DAWS_ASKS_MAX) { /* more markers than warps can issue: the oldest counts early */
        f->ask[f->ask_head].due = f->cycle;
        apply_due_asks(f);
    }
    a.due = f->cycle + ask_latency(f);
    f->ask[(f->ask_head + f->asks++) % DAWS_ASKS_MAX] = a;
    apply_due_asks(f);
}

/* The entry of a warp that another one follows in its slot. */
static void drop_asks_of(struct daws_held *f, uint64_t warps) {
    for (unsigned i = 0; i < f->asks; i++) {
        struct daws_ask *a = &f->ask[(f->ask_head + i) % DAWS_ASKS_MAX];
        if (a->warp < DAWS_WARPS_MAX && warps >> a->warp & 1) {
            a->warp = DAWS_WARPS_MAX;
        }
    }
}

/* One warp a cycle: the lowest slot. */
static void ask_one_near(struct daws_held *f) {
    unsigned warp = (unsigned)__builtin_ctzll(f->near_wanted);
    f->near_wanted &= f->near_wanted - 1;
    put_daws_ask(f, (struct daws_ask){.warp = (uint8_t)warp,
                                      .near = true,
                                      .answer = daws_classes_ask(f->loads, f->near_pc[warp],
                                                                 f->near_lanes[warp], true)});
}

void daws_held_run(struct daws_held *f, uint64_t cycle) {
    while (f->cycle < cycle) {
        if (!f->asks && !f->masks && !(f->near_wanted && f->in_loop)) {
            f->cycle = cycle;
            return;
        }
        if (f->near_wanted && f->in_loop) {
            ask_one_near(f);
        }
        f->cycle++;
        apply_due_asks(f);
        apply_due_masks(f);
    }
}

static void forget_warp_order(struct daws_held *f, unsigned warp) {
    for (unsigned i = 0; i < f->live; i++) {
        if (f->order[i] == warp) {
            f->live--;
            memmove(&f->order[i], &f->order[i + 1], f->live - i);
            return;
        }
    }
}

void daws_held_exit(struct daws_held *f, unsigned warp) {
    const uint64_t mine = UINT64_C(1) << warp;
    drop_asks_of(f, mine);
    f->near_wanted &= ~mine;
    f->waits &= ~mine;
    f->entry[warp].depth = 0;
    f->entry[warp].targets = false;
    forget_warp_order(f, warp);
    clear_daws_entry(f, warp);
}

void daws_held_launch(struct daws_held *f, uint64_t warps) {
    for (; warps; warps &= warps - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(warps);
        daws_held_exit(f, warp);
        f->order[f->live++] = (uint8_t)warp;
    }
}

/* The loop whose loads a marker of @pc predicts. */
static uint32_t predicting_loop_in_plain_c(const struct daws_entry *e, enum daws_mark kind,
                                           uint32_t pc) {
    return kind == DAWS_TRIP && e->targets && e->target > pc ? e->target : pc;
}

struct daws_answer daws_held_mark(struct daws_held *f, enum daws_mark kind, unsigned warp,
                                  uint32_t pc, unsigned lanes) {
    struct daws_entry *e = &f->entry[warp];
    struct daws_ask a = {.warp = (uint8_t)warp, .begins = kind == DAWS_BEGIN};
    f->near_wanted &= ~(UINT64_C(1) << warp);
    if (kind == DAWS_END) {
        e->depth -= e->depth > 0;
        if (e->depth) {
            return a.answer;
        }
        a.clears = true;
        e->targets = false;
    } else {
        if (kind == DAWS_BEGIN) {
            if (!e->depth) {
                f->held &= f->can_load >> warp & 1 ? ~(UINT64_C(1) << warp) : ~UINT64_C(0);
            }
            if (e->depth < DAWS_DEPTH) {
                e->stack[e->depth] = pc;
            }
            e->depth++;
        }
        a.answer =
            daws_classes_ask(f->loads, predicting_loop_in_plain_c(e, kind, pc), lanes, false);
        if (a.answer.known) {
            e->targets = true;
            e->target = a.answer.loop;
        }
    }
    put_daws_ask(f, a);
    return a.answer;
}

void daws_held_near(struct daws_held *f, unsigned warp, uint32_t pc, unsigned lanes) {
    if (!f->entry[warp].depth && !(f->nearby >> warp & 1)) {
        f->near_wanted |= UINT64_C(1) << warp;
        f->near_pc[warp] = pc;
        f->near_lanes[warp] = (uint8_t)lanes;
        if (f->in_loop && !f->params.latency) {
            ask_one_near(f);
        }
    }
}

void daws_held_near_issued(struct daws_held *f, unsigned warp) {
    f->near_wanted &= ~(UINT64_C(1) << warp);
}

void daws_held_wait(struct daws_held *f, uint64_t waits) {
    uint64_t fresh = waits & ~f->waits;
    f->waits = waits;
    for (; fresh; fresh &= fresh - 1) {
        unsigned warp = (unsigned)__builtin_ctzll(fresh);
        const struct daws_entry *e = &f->entry[warp];
        set_daws_entry(f, warp, e->known, e->near, 0);
    }
}

uint64_t daws_held_next(const struct daws_held *f) {
    uint64_t next = UINT64_MAX;
    if (f->masks) {
        next = f->mask[f->mask_head].due;
    }
    if (f->asks && f->ask[f->ask_head].due + sum_latency(f) < next) {
        next = f->ask[f->ask_head].due + sum_latency(f);
    }
    if (f->near_wanted && f->in_loop && f->cycle + 1 < next) {
        next = f->cycle + 1;
    }
    return next > f->cycle ? next : f->cycle + 1;
}
