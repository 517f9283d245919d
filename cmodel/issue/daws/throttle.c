/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws/throttle.h"

#include <assert.h>
#include <stdio.h>

#define NAME_BITS 24 /* of loops and loads: daws_name() */
#define ASKED ((1u << DAWS_ASK_CYCLES) - 1)
#define NESTING 4 /* 5.1.3: none of the applications has more than two */

bool daws_throttle_make(struct daws_throttle *t, const struct policy_view *view,
                        const struct build *build) {
    const struct config *c = view->config;
    const struct daws_footprint_params params = {.WARPS = c->core.warps > 1 ? c->core.warps : 2,
                                                 .LANES = WARP_SIZE,
                                                 .LINES = c->l1.sets * c->l1.ways,
                                                 .PERCENT = c->daws.factor,
                                                 .DEPTH = NESTING,
                                                 .PC_BITS = NAME_BITS,
                                                 .AT_ONCE = c->daws.latency == DAWS_LATENCY_NONE,
                                                 .FIT = c->daws.sum == DAWS_SUM_FIT};
    char where[16];
    snprintf(where, sizeof where, "sm%u", view->core);
    t->alarm = build->alarm;
    t->at_once = params.AT_ONCE;
    return block_make(build, &daws_footprint_block, &params, where, &t->cycle, &t->block);
}

void daws_throttle_destroy(struct daws_throttle *t) {
    block_unmake(&t->block);
}

void daws_throttle_init(struct daws_throttle *t, struct daws_predictor *loads) {
    t->loads = loads;
    t->block.comb(t->block.self, &t->in, &t->out);
}

/* The oldest mark that waits goes to the block. */
static void show_next_mark(struct daws_throttle *t) {
    const struct daws_throttle_mark *m = &t->mark[t->head];
    t->looked[1] = t->looked[0];
    t->looked[0].valid = false;
    if (!t->count) {
        return;
    }
    t->in.mark_valid = true;
    t->in.mark_kind = m->kind;
    t->in.mark_warp = m->warp;
    t->in.mark_pc = m->pc;
    t->in.mark_lanes = m->lanes;
    t->looked[0].valid = m->kind == DAWS_LOAD;
    t->looked[0].load = m->load;
    t->head = (t->head + 1) % DAWS_QUEUE;
    t->count--;
}

static void count_prediction(struct daws_throttle *t, const struct daws_answer *answer) {
    t->predictions += answer->known;
    t->predicted_lines += answer->lines;
    t->over += answer->over;
}

/* The question of this cycle goes to the table of loads, and an earlier one has its answer. */
static void exchange_with_loads(struct daws_throttle *t) {
    const struct daws_answer answer = daws_predictor_exchange(t->loads, &t->out, t->cycle);
    bool near = t->asked_near >> (DAWS_ASK_CYCLES - 1);
    if (t->at_once) {
        near = t->out.ask_near;
    } else {
        t->asked = (uint8_t)((t->asked << 1 | t->out.ask_valid) & ASKED);
        t->asked_near = (uint8_t)((t->asked_near << 1 | t->out.ask_near) & ASKED);
    }
    t->in.ans_known = answer.known;
    t->in.ans_loop = answer.loop;
    t->in.ans_over = answer.over;
    t->in.ans_lines = answer.over ? 0 : answer.lines;
    if (!near) {
        count_prediction(t, &answer);
    }
}

/* Inputs that last, with what happens in one cycle alone left out. */
static void begin_throttle_cycle(struct daws_throttle *t) {
    t->in = (struct daws_footprint_in){.near = t->in.near | t->near_next,
                                       .waits = t->in.waits & ~t->released};
    t->near_next = t->released = 0;
    t->held_in_loop = (t->held_in_loop | ~t->out.can_load) & t->out.in_loop;
}

static bool only_levels(const struct daws_throttle *t) {
    return !t->count && !t->asked && !t->near_next && !t->released && !t->out.ask_valid &&
           !t->out.near_valid && !t->in.exit && !t->in.launch && !t->looked[0].valid &&
           !t->looked[1].valid && !(t->at_once && t->in.near);
}

bool daws_throttle_busy(const struct daws_throttle *t) {
    return !t->calm && !only_levels(t);
}

void daws_throttle_run(struct daws_throttle *t, uint64_t cycle) {
    while (t->cycle < cycle) {
        if (t->calm) {
            t->cycle = cycle;
            return;
        }
        uint64_t cycles = cycle - t->cycle;
        if (only_levels(t)) {
            t->calm = t->block.quiet(t->block.self, &t->in);
            if (t->calm) {
                continue;
            }
        } else {
            cycles = 1;
            show_next_mark(t);
            t->in.near_pc = t->near_pc[t->out.near_warp];
            t->in.near_lanes = t->near_lanes[t->out.near_warp];
            if (t->at_once) { /* its questions follow from the inputs of their cycle */
                t->block.comb(t->block.self, &t->in, &t->out);
                t->in.near_pc = t->near_pc[t->out.near_warp];
                t->in.near_lanes = t->near_lanes[t->out.near_warp];
                t->block.comb(t->block.self, &t->in, &t->out);
            }
            exchange_with_loads(t);
        }
        if (!block_pass(&t->block, &t->in, &t->out, cycles, &t->cycle)) {
            alarm_ring(t->alarm, ALARM_BLOCK_DIFFERS);
            t->cycle++;
        }
        begin_throttle_cycle(t);
    }
}

uint64_t daws_throttle_next(const struct daws_throttle *t) {
    if (!t->calm && !only_levels(t)) {
        return t->cycle + 1;
    }
    if (t->calm || t->block.quiet(t->block.self, &t->in)) {
        return UINT64_MAX;
    }
    return t->cycle + (t->block.steady ? t->block.steady(t->block.self, &t->in) : 1);
}

void daws_throttle_mark(struct daws_throttle *t, const struct daws_throttle_mark *m) {
    assert(t->count < DAWS_QUEUE); /* no warp issues when it is half full */
    t->mark[(t->head + t->count++) % DAWS_QUEUE] = *m;
    t->calm = false;
}

void daws_throttle_near(struct daws_throttle *t, unsigned warp, uint32_t pc, unsigned lanes) {
    t->calm = false;
    *(t->at_once ? &t->in.near : &t->near_next) |= UINT64_C(1) << warp;
    t->near_pc[warp] = pc;
    t->near_lanes[warp] = (uint8_t)lanes;
}

static void forget_next_loads(struct daws_throttle *t, uint64_t warps) {
    t->calm = false;
    t->in.near &= ~warps;
    t->near_next &= ~warps;
}

void daws_throttle_issued(struct daws_throttle *t, unsigned warp) {
    forget_next_loads(t, UINT64_C(1) << warp);
}

void daws_throttle_launch(struct daws_throttle *t, uint64_t warps) {
    forget_next_loads(t, warps);
    t->in.launch |= warps;
}

void daws_throttle_exit(struct daws_throttle *t, unsigned warp) {
    const unsigned count = t->count;
    forget_next_loads(t, UINT64_C(1) << warp);
    t->in.exit |= UINT64_C(1) << warp;
    t->in.waits &= ~(UINT64_C(1) << warp);
    t->count = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct daws_throttle_mark *m = &t->mark[(t->head + i) % DAWS_QUEUE];
        if (m->warp != warp) {
            t->mark[(t->head + t->count++) % DAWS_QUEUE] = *m;
        }
    }
}

void daws_throttle_wait(struct daws_throttle *t, unsigned warp) {
    t->calm = false;
    t->in.waits |= UINT64_C(1) << warp;
    t->released &= ~(UINT64_C(1) << warp);
}

void daws_throttle_release(struct daws_throttle *t, uint64_t warps) {
    t->calm = false;
    t->released |= warps;
}
