/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws/detector.h"

#include <assert.h>
#include <stdio.h>

#define SAMPLED_LOOPS 8 /* 5.2: each application has at most five */
#define NAME_BITS 24    /* of a loop: daws_name() */
#define LOAD_MASK ((UINT32_C(1) << DAWS_CODE_SHIFT) - 1) /* of a name without its code */
#define REPETITION_SETS 8                                /* table 4: 64 entries, 8-way */
#define REPETITION_WAYS 8

bool daws_detector_make(struct daws_detector *d, const struct policy_view *view,
                        const struct build *build) {
    const unsigned warps = view->config->core.warps > 1 ? view->config->core.warps : 2;
    const struct daws_sampling_params sampling = {.WARPS = warps,
                                                  .LOOPS = SAMPLED_LOOPS,
                                                  .COUNTER_BITS = view->config->daws.counter_bits,
                                                  .PC_BITS = NAME_BITS,
                                                  .NEGATIVE = view->config->daws.counter_floor ==
                                                              DAWS_FLOOR_LEAST};
    const struct daws_repetition_params repetition = {.WARPS = warps,
                                                      .SETS = REPETITION_SETS,
                                                      .WAYS = REPETITION_WAYS,
                                                      .LINE_BITS = 32,
                                                      .PC_BITS = DAWS_CODE_SHIFT,
                                                      .MAJORITY = view->config->daws.repeat ==
                                                                  DAWS_REPEAT_MAJORITY};
    char where[16];
    snprintf(where, sizeof where, "sm%u", view->core);
    d->alarm = build->alarm;
    if (!block_make(build, &daws_sampling_block, &sampling, where, &d->cycle, &d->sampling) ||
        !block_make(build, &daws_repetition_block, &repetition, where, &d->cycle, &d->repetition)) {
        return false;
    }
    /* Outputs are worked out when a block has moved; these are those before it does. */
    d->sampling.comb(d->sampling.self, &d->sampling_in, &d->sampling_out);
    d->repetition.comb(d->repetition.self, &d->repetition_in, &d->repetition_out);
    return true;
}

void daws_detector_destroy(struct daws_detector *d) {
    block_unmake(&d->sampling);
    block_unmake(&d->repetition);
}

void daws_detector_init(struct daws_detector *d, enum daws_judge judge,
                        struct daws_predictor *loads) {
    d->loads = loads;
    daws_feedback_init(&d->feedback, judge);
}

/* The oldest mark that waits goes to the block. */
static void put_next_mark(struct daws_detector *d) {
    d->asks = d->count != 0;
    d->sampling_in.mark_valid = d->asks;
    if (!d->asks) {
        return;
    }
    d->asked = d->mark[d->head];
    d->head = (d->head + 1) % DAWS_MARKS;
    d->count--;
    d->sampling_in.mark_kind = d->asked.kind;
    d->sampling_in.mark_warp = d->asked.warp;
    d->sampling_in.mark_pc = d->asked.loop;
    d->sampling_in.mark_lanes = d->asked.lanes;
}

/* The oldest clear and probe that wait go to the block. */
static void put_next_probe(struct daws_detector *d) {
    if (!d->probe_count) {
        return;
    }
    const struct daws_queued_probe *probe = &d->probe[d->probe_head];
    d->repetition_in = probe->in;
    d->probed_loop[d->cycle % DAWS_REPETITION_LATENCY] = probe->loop;
    d->probe_head = (d->probe_head + 1) % DAWS_PROBES;
    d->probe_count--;
}

/* Return: it was not quiet, and shows something else now. */
static bool step_unless_quiet(struct daws_detector *d, struct block_instance *block, const void *in,
                              void *out) {
    if (block->quiet(block->self, in)) {
        return false;
    }
    block->comb(block->self, in, out);
    if (!block->step(block->self, in, out)) {
        alarm_ring(d->alarm, ALARM_BLOCK_DIFFERS);
    }
    return true;
}

/* The edge at the end of the blocks' current cycle. */
static void end_detector_cycle(struct daws_detector *d) {
    put_next_mark(d);
    put_next_probe(d);
    d->fed = d->sampling_in.feed_valid;
    d->fed_loop = d->sampling_in.feed_loop;
    bool sampling = step_unless_quiet(d, &d->sampling, &d->sampling_in, &d->sampling_out);
    bool repetition = step_unless_quiet(d, &d->repetition, &d->repetition_in, &d->repetition_out);
    d->cycle++;
    d->busy = sampling || repetition || d->feedback.waiting || d->probe_count;
    if (sampling) {
        d->sampling_in = (struct daws_sampling_in){0};
        d->sampling.comb(d->sampling.self, &d->sampling_in, &d->sampling_out);
    }
    if (repetition) {
        d->repetition_in = (struct daws_repetition_in){0};
        d->repetition.comb(d->repetition.self, &d->repetition_in, &d->repetition_out);
    }
}

static void take_load_answer(struct daws_detector *d) {
    const struct daws_queued_mark *m = &d->asked;
    const unsigned place = d->sampling_out.ans_loop;
    daws_feedback_want(&d->feedback, m->warp, m->number, place);
    /* A judgement may have taken its locality since. */
    if (d->sampling_out.ans_positive && d->sampling_out.positive >> place & 1) {
        daws_predictor_class(d->loads, m->loop, m->load, m->lanes, m->accesses, d->cycle);
    }
}

/* The cycle of the repetition detector for a clear or a probe, behind all before it; in a cycle the
 * clear goes first. NULL: the queue is full. */
static struct daws_queued_probe *find_probe_cycle(struct daws_detector *d, bool clears) {
    const unsigned end = d->probe_head + d->probe_count;
    struct daws_queued_probe *last = &d->probe[(end + DAWS_PROBES - 1) % DAWS_PROBES];
    if (d->probe_count && !last->in.probe_valid && !clears) {
        return last;
    }
    if (d->probe_count >= DAWS_PROBES - (clears ? 0 : DAWS_PROBES_LEFT)) {
        return NULL;
    }
    last = &d->probe[end % DAWS_PROBES];
    *last = (struct daws_queued_probe){.loop = 0};
    d->probe_count++;
    d->busy = true;
    return last;
}

static void clear_repetition_lines(struct daws_detector *d, unsigned warp) {
    struct daws_repetition_in *in = &find_probe_cycle(d, true)->in;
    in->clear_valid = true;
    in->clear_warp = (uint8_t)warp;
}

static void take_mark_answer(struct daws_detector *d) {
    const struct daws_queued_mark *m = &d->asked;
    d->refused += d->sampling_out.ans_refused;
    if (m->kind == DAWS_SAMPLING_EXIT ||
        (m->kind != DAWS_SAMPLING_LOAD && d->sampling_out.ans_samples)) {
        clear_repetition_lines(d, m->warp);
    } else if (d->sampling_out.ans_samples) {
        take_load_answer(d);
    }
}

/* A load, or an access, has been judged: the loop's counter moves at the end of the cycle. */
static void feed_judgement(struct daws_detector *d) {
    uint32_t place;
    bool local;
    if (daws_feedback_judge(&d->feedback, d->cycle, &place, &local)) {
        d->judged++;
        d->local += local;
        d->sampling_in.feed_valid = true;
        d->sampling_in.feed_loop = (uint8_t)place;
        d->sampling_in.feed_local = local;
    }
}

/* The name of a load from its PC: one of the loop's code. */
static uint32_t load_name(uint32_t loop, uint32_t pc) {
    return (loop & ~LOAD_MASK) | pc;
}

/* Reads the outputs of the cycle that has come. */
static void begin_detector_cycle(struct daws_detector *d) {
    if (d->repetition_out.pair_valid) {
        const uint32_t loop = d->probed_loop[d->cycle % DAWS_REPETITION_LATENCY];
        daws_predictor_pair(d->loads, loop, load_name(loop, d->repetition_out.pair_a),
                            load_name(loop, d->repetition_out.pair_b), d->cycle);
    }
    if (d->fed) {
        daws_predictor_sign(d->loads, d->sampling_out.loop_pc[d->fed_loop],
                            d->sampling_out.positive >> d->fed_loop & 1, d->cycle);
    }
    if (d->asks) {
        take_mark_answer(d);
    }
    feed_judgement(d);
}

void daws_detector_run_busy(struct daws_detector *d, uint64_t cycle) {
    while (d->busy && d->cycle < cycle) {
        end_detector_cycle(d);
        begin_detector_cycle(d);
    }
}

static void queue_mark(struct daws_detector *d, const struct daws_queued_mark *m) {
    const bool ends = m->kind == DAWS_SAMPLING_END || m->kind == DAWS_SAMPLING_EXIT;
    if (d->count >= DAWS_MARKS - (ends ? 0 : DAWS_MARKS_LEFT)) {
        d->refused++;
        return;
    }
    d->mark[(d->head + d->count++) % DAWS_MARKS] = *m;
    d->busy = true;
}

void daws_detector_mark(struct daws_detector *d, enum daws_sampling_mark kind, unsigned warp,
                        uint32_t loop, unsigned lanes) {
    queue_mark(d, &(struct daws_queued_mark){.kind = (uint8_t)kind,
                                             .warp = (uint8_t)warp,
                                             .lanes = (uint8_t)lanes,
                                             .loop = loop});
}

uint32_t daws_detector_issue(struct daws_detector *d, unsigned warp, uint32_t pc,
                             unsigned accesses) {
    return daws_feedback_load(&d->feedback, warp, pc, accesses);
}

void daws_detector_load(struct daws_detector *d, unsigned warp, uint32_t loop, uint32_t pc,
                        unsigned lanes, uint32_t number, unsigned accesses) {
    queue_mark(d, &(struct daws_queued_mark){.kind = DAWS_SAMPLING_LOAD,
                                             .warp = (uint8_t)warp,
                                             .lanes = (uint8_t)lanes,
                                             .loop = loop,
                                             .load = pc,
                                             .number = number,
                                             .accesses = accesses});
}

void daws_detector_access(struct daws_detector *d, unsigned warp, uint64_t line, bool own,
                          uint64_t lost_at) {
    const struct daws_flight *load =
        daws_feedback_access(&d->feedback, warp, line, own, d->cycle, lost_at);
    if (!load->wanted) {
        return;
    }
    struct daws_queued_probe *probe = find_probe_cycle(d, false);
    d->busy = true;
    if (!probe) {
        d->refused++;
        return;
    }
    probe->in.probe_valid = true;
    probe->in.probe_warp = (uint8_t)warp;
    probe->in.probe_line = (uint32_t)line;
    probe->in.probe_pc = load->pc & LOAD_MASK;
    probe->in.probe_last = !load->left;
    probe->loop = d->sampling_out.loop_pc[load->loop];
}

void daws_detector_lost(struct daws_detector *d, unsigned warp, uint64_t cycle) {
    daws_feedback_lost(&d->feedback, warp, cycle);
}
