/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws_footprint.h"

#include <string.h>

/* A stage of `pipe`: what becomes of the warp's entry when the answer is there. */
enum {
    STAGE_WARP = 0x3f,
    STAGE_VALID = 0x40,
    STAGE_ASKS = 0x80,
    STAGE_NEAR = 0x100,
    STAGE_BEGINS = 0x200,
    STAGE_CLEARS = 0x400,
    STAGE_BITS = 16,
    STAGES = 1 + DAWS_ASK_CYCLES
};

unsigned daws_round_cycles(const struct daws_footprint_params *p) {
    return clog2(p->WARPS) + 1;
}

unsigned daws_mark_cycles(const struct daws_footprint_params *p) {
    return p->AT_ONCE ? 1 : 2 + DAWS_ASK_CYCLES + 1 + 1 + daws_round_cycles(p);
}

static void reset_daws_table(struct daws_footprint *s) {
    const struct daws_footprint_params p = s->p;
    memset(s, 0, sizeof *s);
    s->p = p;
    s->limit = (unsigned)((uint64_t)p.LINES * p.PERCENT / 100);
    s->summed = true;
    for (unsigned w = 0; w < p.WARPS; w++) {
        s->order[w] = (uint8_t)w;
    }
}

bool daws_footprint_init(struct daws_footprint *s, const struct daws_footprint_params *p) {
    s->p = *p;
    reset_daws_table(s);
    return true;
}

void daws_footprint_destroy(struct daws_footprint *s) {
    (void)s;
}

static inline uint64_t daws_warp_bit(unsigned warp) {
    return UINT64_C(1) << warp;
}

/* Warps whose next load must be looked up. */
static inline uint64_t near_wants(const struct daws_footprint *s, uint64_t near) {
    return near & ~(s->in_loop | s->nearby | s->asked);
}

static bool mark_asks(unsigned kind) {
    return kind == DAWS_BEGIN || kind == DAWS_TRIP;
}

/* The loop whose loads the mark predicts. */
static uint32_t predicting_loop(const struct daws_footprint *s, unsigned kind, unsigned warp,
                                uint32_t pc) {
    return kind == DAWS_TRIP && s->targets >> warp & 1 && s->target[warp] > pc ? s->target[warp]
                                                                               : pc;
}

/* Questions in the cycle of what asks. */
static void ask_at_once(const struct daws_footprint *s, const struct daws_footprint_in *in,
                        struct daws_footprint_out *out) {
    const uint64_t wants = s->inside ? near_wants(s, in->near) : 0;
    out->near_valid = wants && !in->mark_valid;
    out->near_warp = wants ? (uint8_t)__builtin_ctzll(wants) : 0;
    out->ask_near = out->near_valid;
    out->ask_valid = out->near_valid || (in->mark_valid && mark_asks(in->mark_kind));
    out->ask_warp = out->near_valid ? out->near_warp : in->mark_warp;
    out->ask_pc = out->near_valid ? in->near_pc
                                  : predicting_loop(s, in->mark_kind, in->mark_warp, in->mark_pc);
    out->ask_lanes = out->near_valid ? in->near_lanes : in->mark_lanes;
}

void daws_footprint_comb(const struct daws_footprint *s, const struct daws_footprint_in *in,
                         struct daws_footprint_out *out) {
    const unsigned question = s->pipe & UINT16_MAX;
    out->can_load = ~s->held & ~UINT64_C(0) >> (64 - s->p.WARPS);
    out->in_loop = s->in_loop;
    out->load_valid = s->load_valid;
    out->load_found = s->load_found;
    out->load_loop = s->load_loop;
    if (s->p.AT_ONCE) {
        ask_at_once(s, in, out);
        return;
    }
    out->near_valid = s->chosen && !s->marked;
    out->near_warp = s->chosen ? (uint8_t)__builtin_ctzll(s->chosen) : 0;
    out->ask_valid = question & STAGE_ASKS;
    out->ask_warp = question & STAGE_WARP;
    out->ask_near = question & STAGE_NEAR;
    out->ask_pc = s->ask_pc;
    out->ask_lanes = s->ask_lanes;
}

/* --- the sum --- */

unsigned daws_footprint_of(const struct daws_footprint *s, unsigned warp) {
    uint64_t counts = s->inside | (s->inside ? s->nearby : 0);
    return counts >> warp & 1 ? s->lines[warp] : 0;
}

static uint64_t warps_that_do_not_fit(const struct daws_footprint *s) {
    uint64_t held = 0, sum = 0, counts = s->inside ? s->inside | s->nearby : 0;
    for (unsigned i = 0; counts; i++) {
        const unsigned warp = s->order[i];
        if (!(counts >> warp & 1)) {
            continue;
        }
        counts &= ~daws_warp_bit(warp);
        bool fits = !sum || sum + s->lines[warp] <= s->limit;
        held |= (uint64_t)!fits << warp;
        sum += fits || !s->p.FIT ? s->lines[warp] : 0;
    }
    return held;
}

bool daws_slots_move(const struct daws_footprint *s) {
    return s->launching || s->taken || s->found || s->moves;
}

/* The entries before the edge. */
static inline void step_daws_round(struct daws_footprint *s) {
    const bool waits = daws_slots_move(s);
    const bool ends = s->round == daws_round_cycles(&s->p) && !waits;
    const bool takes = s->stale && !waits && (!s->round || ends);
    if (ends) {
        s->held = s->sums;
    }
    s->round = s->round && !waits && !ends ? s->round + 1 : takes;
    if (takes) {
        s->stale = false;
        s->sums = s->summed ? s->sums : warps_that_do_not_fit(s);
        s->summed = true;
    }
}

/* --- entries --- */

static inline void change_daws_entry(struct daws_footprint *s, unsigned warp, unsigned lines,
                                     bool near) {
    const uint64_t its = daws_warp_bit(warp), inside = s->inside, nearby = s->nearby;
    s->inside = (inside & ~its) | (lines && !near ? its : 0);
    s->nearby = (nearby & ~its) | (lines && near ? its : 0);
    s->summed &= s->inside == inside && s->nearby == nearby && (!lines || s->lines[warp] == lines);
    s->lines[warp] = lines;
}

static void clear_daws_entries(struct daws_footprint *s, uint64_t warps) {
    const uint64_t clears = warps & (s->inside | s->nearby);
    if (clears) {
        s->inside &= ~clears;
        s->nearby &= ~clears;
        s->summed = false;
        s->stale = true;
    }
}

/* The answer to what the last stage has asked. */
static void apply_daws_answer(struct daws_footprint *s, unsigned stage,
                              const struct daws_footprint_in *in) {
    const unsigned warp = stage & STAGE_WARP;
    const uint64_t its = daws_warp_bit(warp);
    const bool known = stage & STAGE_ASKS && in->ans_known, near = stage & STAGE_NEAR;
    if (known) {
        bool counts = !in->ans_over && !(in->waits & its);
        change_daws_entry(s, warp, counts ? in->ans_lines : 0, near);
        if (!near) {
            s->target[warp] = in->ans_loop;
            s->targets |= its;
        }
    } else if (stage & STAGE_CLEARS || (stage & STAGE_BEGINS && s->nearby & its)) {
        change_daws_entry(s, warp, 0, false);
        s->targets &= stage & STAGE_CLEARS ? ~its : ~UINT64_C(0);
    } else {
        return;
    }
    s->stale = true;
}

/* --- marks --- */

static void enter_daws_loop(struct daws_footprint *s, unsigned warp, uint32_t pc) {
    if (s->depth[warp] < s->p.DEPTH) {
        s->loop[warp][s->depth[warp]] = pc;
    }
    s->depth[warp] += s->depth[warp] < DAWS_NESTING_MAX;
    s->in_loop |= daws_warp_bit(warp);
}

/* Return: was it the outermost? */
static bool leave_daws_loop(struct daws_footprint *s, unsigned warp) {
    s->depth[warp] -= s->depth[warp] > 0;
    if (s->depth[warp]) {
        return false;
    }
    s->in_loop &= ~daws_warp_bit(warp);
    return true;
}

static void find_loop_of_load(struct daws_footprint *s, unsigned warp) {
    const unsigned depth = s->depth[warp];
    s->load_valid = true;
    s->load_found = depth > 0;
    s->load_loop = depth ? s->loop[warp][(depth < s->p.DEPTH ? depth : s->p.DEPTH) - 1] : 0;
}

/* Return: the stage of `pipe` that follows; 0: none. */
static unsigned apply_daws_mark(struct daws_footprint *s, unsigned kind, unsigned warp, uint32_t pc,
                                unsigned lanes) {
    const unsigned stage = warp | STAGE_VALID;
    switch (kind) {
    case DAWS_LOAD: find_loop_of_load(s, warp); return 0;
    case DAWS_END: return leave_daws_loop(s, warp) ? stage | STAGE_CLEARS : 0;
    case DAWS_BEGIN: enter_daws_loop(s, warp, pc); break;
    default: break;
    }
    s->ask_pc = predicting_loop(s, kind, warp, pc);
    s->ask_lanes = (uint8_t)lanes;
    return stage | STAGE_ASKS | (kind == DAWS_BEGIN ? STAGE_BEGINS : 0);
}

static unsigned ask_for_near(struct daws_footprint *s, uint64_t its,
                             const struct daws_footprint_in *in) {
    s->asked |= its;
    s->ask_pc = in->near_pc;
    s->ask_lanes = in->near_lanes;
    return (unsigned)__builtin_ctzll(its) | STAGE_VALID | STAGE_ASKS | STAGE_NEAR;
}

/* --- slots --- */

static void drop_what_is_under_way(struct daws_footprint *s, uint64_t warps) {
    for (unsigned i = 0; i < STAGES; i++) {
        const unsigned stage = s->pipe >> (STAGE_BITS * i) & UINT16_MAX;
        if (stage && warps >> (stage & STAGE_WARP) & 1) {
            s->pipe &= ~((uint64_t)UINT16_MAX << (STAGE_BITS * i));
        }
    }
}

static void end_daws_warps(struct daws_footprint *s, uint64_t warps) {
    clear_daws_entries(s, warps);
    s->targets &= ~warps;
    s->asked &= ~warps;
    s->in_loop &= ~warps;
    for (; warps; warps &= warps - 1) {
        s->depth[__builtin_ctzll(warps)] = 0;
    }
}

static void make_slot_youngest(struct daws_footprint *s, unsigned warp) {
    const unsigned last = s->p.WARPS - 1;
    uint8_t *at = memchr(s->order, (int)warp, s->p.WARPS);
    memmove(at, at + 1, (size_t)(s->order + last - at));
    s->order[last] = (uint8_t)warp;
    s->summed = false;
    s->stale = true;
}

static void step_launching_slots(struct daws_footprint *s, uint64_t launch) {
    const uint64_t waiting = s->launching & ~(s->taken ? daws_warp_bit(s->taken_warp) : 0);
    if (s->moves) {
        make_slot_youngest(s, s->moves_warp);
    }
    s->moves = s->found;
    s->moves_warp = s->found_warp;
    s->found = s->taken;
    s->found_warp = s->taken_warp;
    s->taken = waiting != 0;
    s->taken_warp = waiting ? (uint8_t)__builtin_ctzll(waiting) : 0;
    s->launching = waiting | launch;
}

/* --- cycles --- */

static void step_at_once(struct daws_footprint *s, const struct daws_footprint_in *in,
                         const struct daws_footprint_out *out) {
    unsigned stage = 0;
    s->load_valid = s->load_found = false;
    end_daws_warps(s, in->exit | in->launch);
    if (in->mark_valid && !(in->exit >> in->mark_warp & 1)) {
        stage = apply_daws_mark(s, in->mark_kind, in->mark_warp, in->mark_pc, in->mark_lanes);
    } else if (out->near_valid && !((in->exit | in->launch) >> out->near_warp & 1)) {
        stage = ask_for_near(s, daws_warp_bit(out->near_warp), in);
    }
    if (stage) {
        apply_daws_answer(s, stage, in);
    }
    s->asked &= in->near;
    clear_daws_entries(s, in->waits | in->exit);
    for (uint64_t left = in->launch; left; left &= left - 1) {
        make_slot_youngest(s, (unsigned)__builtin_ctzll(left));
    }
    s->held = s->summed ? s->held : warps_that_do_not_fit(s);
    s->summed = true;
    s->stale = false;
}

void daws_footprint_step(struct daws_footprint *s, const struct daws_footprint_in *in,
                         const struct daws_footprint_out *out) {
    const uint64_t ends = in->exit | in->launch;
    if (in->rst) {
        reset_daws_table(s);
        return;
    }
    if (s->p.AT_ONCE) {
        step_at_once(s, in, out);
        return;
    }
    const uint64_t wants = near_wants(s, in->near), near = s->marked ? 0 : s->chosen & wants;
    const uint64_t waiting = s->want & ~s->chosen;
    const unsigned last = s->pipe >> (STAGE_BITS * (STAGES - 1)) & UINT16_MAX;
    unsigned stage = 0;
    step_daws_round(s);
    s->load_valid = s->load_found = false;
    s->chosen = s->marked && s->chosen ? s->chosen : waiting & -waiting;
    s->want = s->inside ? wants & ~near : 0;
    if (s->marked && !(ends >> s->mark_warp & 1)) {
        stage = apply_daws_mark(s, s->mark_kind, s->mark_warp, s->mark_pc, s->mark_lanes);
    } else if (near) {
        stage = ask_for_near(s, near, in);
    }
    if (last) {
        apply_daws_answer(s, last, in);
    }
    s->pipe = s->pipe << STAGE_BITS | stage;
    s->asked &= in->near;
    if (in->waits) {
        clear_daws_entries(s, in->waits);
    }
    if (ends) {
        end_daws_warps(s, ends);
        drop_what_is_under_way(s, ends);
        s->held &= ~in->launch;
    }
    if (in->launch || daws_slots_move(s)) {
        step_launching_slots(s, in->launch);
    }
    s->marked = in->mark_valid && !(in->exit >> in->mark_warp & 1);
    if (s->marked) {
        s->mark_kind = in->mark_kind;
        s->mark_warp = in->mark_warp;
        s->mark_lanes = in->mark_lanes;
        s->mark_pc = in->mark_pc;
    }
}

/* Is nothing under way but a round? */
static bool only_sums(const struct daws_footprint *s, const struct daws_footprint_in *in) {
    return !in->rst && !in->mark_valid && !(in->exit | in->launch) && !s->marked && !s->pipe &&
           !s->load_valid && !daws_slots_move(s) && !(s->chosen | s->want) &&
           !(in->waits & (s->inside | s->nearby)) && !(s->asked & ~in->near) &&
           !(s->inside && near_wants(s, in->near));
}

bool daws_footprint_quiet(const struct daws_footprint *s, const struct daws_footprint_in *in) {
    return only_sums(s, in) && !s->round && !s->stale;
}

void daws_footprint_skip(struct daws_footprint *s, const struct daws_footprint_in *in,
                         uint64_t cycles) {
    const unsigned round_cycles = daws_round_cycles(&s->p);
    struct daws_footprint_out out;
    while (cycles && !daws_footprint_quiet(s, in)) {
        uint64_t calm = 0;
        if (s->round && s->round < round_cycles && only_sums(s, in)) {
            calm = round_cycles - s->round;
            calm = calm < cycles ? calm : cycles;
            s->round += (unsigned)calm;
            cycles -= calm;
            continue;
        }
        daws_footprint_comb(s, in, &out);
        daws_footprint_step(s, in, &out);
        cycles--;
    }
}

/* Only the end of a round changes the mask by itself. */
uint64_t daws_footprint_steady(const struct daws_footprint *s, const struct daws_footprint_in *in) {
    const unsigned round_cycles = daws_round_cycles(&s->p);
    if (!only_sums(s, in)) {
        return 1;
    }
    if (!s->round && !s->stale) {
        return UINT64_MAX;
    }
    unsigned left = s->round ? round_cycles - s->round + 1 : 1;
    return s->round && s->sums != s->held ? left : left + (s->stale ? round_cycles : 1);
}
