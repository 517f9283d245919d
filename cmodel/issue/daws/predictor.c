/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws/predictor.h"

#include <stdio.h>

#define TABLE_LOADS 32  /* 7.4 */
#define TABLE_LOOPS 8   /* 5.2: each application has at most five */
#define NAME_BITS 24    /* of loops and loads: daws_name() */
#define MAKING_CYCLES 2 /* after an entry, in which the block makes none */
/* Edges until nothing changes: a change, and a scan of each loop. */
#define SETTLED_EDGES (8 + TABLE_LOOPS * (TABLE_LOADS + 5))

bool daws_predictor_make(struct daws_predictor *p, const struct policy_view *view,
                         const struct build *build) {
    const struct config *c = view->config;
    const unsigned most = WARP_SIZE * TABLE_LOADS, lines = c->l1.sets * c->l1.ways;
    const struct daws_loads_params params = {.WARPS = c->core.warps > 1 ? c->core.warps : 2,
                                             .LANES = WARP_SIZE,
                                             .ENTRIES = TABLE_LOADS,
                                             .LOOPS = TABLE_LOOPS,
                                             .PC_BITS = NAME_BITS,
                                             .CODE_BITS = NAME_BITS - DAWS_CODE_SHIFT,
                                             /* No prediction is greater. */
                                             .LINES = lines < most ? lines : most};
    char where[16];
    snprintf(where, sizeof where, "sm%u", view->core);
    p->alarm = build->alarm;
    p->at_once = c->daws.latency == DAWS_LATENCY_NONE;
    p->calm = true;
    if (!block_make(build, &daws_loads_block, &params, where, &p->cycle, &p->block)) {
        return false;
    }
    p->block.comb(p->block.self, &p->in, &p->out);
    return true;
}

void daws_predictor_destroy(struct daws_predictor *p) {
    block_unmake(&p->block);
}

/* Up to so many cycles; what comes lasts one. */
static void pass_predictor_cycles(struct daws_predictor *p, uint64_t cycles) {
    if (!block_pass(&p->block, &p->in, &p->out, p->told ? 1 : cycles, &p->cycle)) {
        alarm_ring(p->alarm, ALARM_BLOCK_DIFFERS);
        p->cycle++;
    }
    if (p->told) {
        p->in = (struct daws_loads_in){0};
        p->told = false;
    }
    p->refused += p->out.refused;
}

static void write_next_load(struct daws_predictor *p) {
    const struct daws_profile_load *load = &p->profile->load[p->written++];
    p->in.write_valid = p->told = true;
    p->in.write_loop = daws_name(p->code, load->loop);
    p->in.write_pc = daws_name(p->code, load->pc);
    p->in.write_diverged = load->diverged;
    p->in.write_group = (uint8_t)load->group;
    p->pause = MAKING_CYCLES;
    if (p->written == p->profile->loads) {
        p->profile = NULL;
    }
}

/* The cycles in which a profile is written, one by one. */
static void write_profile_to(struct daws_predictor *p, uint64_t cycle) {
    while (p->profile && p->cycle < cycle) {
        if (!p->pause && !p->in.clear) {
            write_next_load(p);
        } else if (p->pause) {
            p->pause--;
        }
        pass_predictor_cycles(p, 1);
    }
}

void daws_predictor_run(struct daws_predictor *p, uint64_t cycle) {
    if (p->at_once) {
        return;
    }
    write_profile_to(p, cycle);
    while (p->cycle < cycle) {
        p->calm = p->calm || (!p->told && p->block.quiet(p->block.self, &p->in));
        if (p->calm) {
            p->cycle = cycle;
            return;
        }
        pass_predictor_cycles(p, cycle - p->cycle);
    }
}

/* Before something comes in @cycle. */
static void wake_predictor(struct daws_predictor *p, uint64_t cycle) {
    daws_predictor_run(p, cycle);
    p->told = true;
    p->calm = false;
}

static struct daws_answer read_daws_answer(const struct daws_loads_out *out) {
    const bool known = out->ans_valid && out->ans_known;
    return (struct daws_answer){.known = known,
                                .over = known && out->ans_over,
                                .loop = known ? out->ans_loop : 0,
                                .lines = known ? out->ans_lines : 0};
}

/* With no cycles: what has come counts at once. Return: the answer, if it was a question. */
static struct daws_answer settle_predictor(struct daws_predictor *p) {
    struct daws_answer answer = {.known = false};
    for (unsigned i = 0; i < SETTLED_EDGES; i++) {
        if (p->block.quiet(p->block.self, &p->in)) {
            break;
        }
        pass_predictor_cycles(p, 1);
        answer = p->out.ans_valid ? read_daws_answer(&p->out) : answer;
    }
    return answer;
}

static void finish_telling(struct daws_predictor *p) {
    if (p->at_once) {
        settle_predictor(p);
    }
}

void daws_predictor_populate(struct daws_predictor *p, unsigned code,
                             const struct daws_profile_kernel *kernel, uint64_t cycle) {
    wake_predictor(p, cycle);
    p->in.clear = true;
    p->code = code;
    p->profile = kernel && kernel->loads ? kernel : NULL;
    p->written = p->pause = 0;
    finish_telling(p);
    while (p->at_once && p->profile) {
        write_next_load(p);
        settle_predictor(p);
    }
}

struct daws_answer daws_predictor_exchange(struct daws_predictor *p,
                                           const struct daws_footprint_out *ask, uint64_t cycle) {
    daws_predictor_run(p, cycle);
    struct daws_answer answer = read_daws_answer(&p->out);
    if (ask->ask_valid) {
        wake_predictor(p, cycle);
        p->in.ask_valid = true;
        p->in.ask_warp = ask->ask_warp;
        p->in.ask_pc = ask->ask_pc;
        p->in.ask_lanes = ask->ask_lanes;
        p->in.ask_near = ask->ask_near;
    }
    return p->at_once ? settle_predictor(p) : answer;
}

void daws_predictor_class(struct daws_predictor *p, uint32_t loop, uint32_t pc, unsigned lanes,
                          unsigned accesses, uint64_t cycle) {
    wake_predictor(p, cycle);
    p->in.class_valid = true;
    p->in.class_loop = loop;
    p->in.class_pc = pc;
    p->in.class_lanes = (uint8_t)lanes;
    p->in.class_accesses = (uint8_t)(accesses < WARP_SIZE ? accesses : WARP_SIZE);
    finish_telling(p);
}

void daws_predictor_pair(struct daws_predictor *p, uint32_t loop, uint32_t a, uint32_t b,
                         uint64_t cycle) {
    wake_predictor(p, cycle);
    p->in.pair_valid = true;
    p->in.pair_loop = loop;
    p->in.pair_a = a;
    p->in.pair_b = b;
    finish_telling(p);
}

void daws_predictor_sign(struct daws_predictor *p, uint32_t loop, bool positive, uint64_t cycle) {
    wake_predictor(p, cycle);
    p->in.sign_valid = true;
    p->in.sign_loop = loop;
    p->in.sign_positive = positive;
    finish_telling(p);
}
