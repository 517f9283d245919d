/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence-aware warp scheduling (DAWS, MICRO 2013): warps in loops with locality may issue loads
 * that look up the L1 while their footprints fit it. The policy reports its warps' events to the
 * table of footprints; the table of loads predicts, from a profile (5.1) or from the loads of
 * sampling warps (5.2).
 */
#include "config/derived.h"
#include "issue/daws/detector.h"
#include "issue/daws/profile.h"
#include "issue/daws/throttle.h"
#include "issue/policy.h"

#define DAWS_CODES 256 /* that a name distinguishes; with more, two share theirs */
#define DAWS_ISSUED (2 * DAWS_QUEUE)
#define DAWS_WAITING 8 /* markers between two instructions of a warp */

/* @lanes: that predict; @active: that there are. */
struct waiting_mark {
    uint8_t kind, lanes, active;
    uint32_t pc;
};

/* Markers that a warp has passed, and that count with its next instruction. */
struct waiting_marks {
    unsigned count;
    struct waiting_mark mark[DAWS_WAITING];
};

/* A load whose loop is looked up. @number: of the feedback's. */
struct daws_issued_load {
    uint32_t pc, number;
    uint8_t warp, lanes;
    unsigned accesses;
};

struct daws_stats {
    uint64_t markers, predictions, predicted_lines, over;
    uint64_t judged, local;
    uint64_t lost_in_loop, lost_held_in_loop;
    uint64_t refused;
};

struct daws {
    struct daws_predictor loads;
    struct daws_throttle throttle;
    bool detects; /* daws.mode = detected: */
    struct daws_detector detector;
    struct waiting_marks waiting[DAWS_FOOTPRINT_WARPS_MAX];
    struct daws_issued_load issued[DAWS_ISSUED];
    unsigned issues; /* of these, so far */
    unsigned code;   /* number of the launch's */
    unsigned codes;
    uint64_t code_hash[DAWS_CODES];
    struct daws_stats stats;
};

static bool make_daws(void *state, const struct policy_view *view, const struct build *build) {
    struct daws *d = state;
    d->detects = view->config->daws.mode == DAWS_DETECTED;
    return daws_predictor_make(&d->loads, view, build) &&
           daws_throttle_make(&d->throttle, view, build) &&
           (!d->detects || daws_detector_make(&d->detector, view, build));
}

static void destroy_daws(void *state) {
    struct daws *d = state;
    daws_predictor_destroy(&d->loads);
    daws_throttle_destroy(&d->throttle);
    daws_detector_destroy(&d->detector);
}

static void init_daws(void *state, const struct policy_view *view, struct issue_policy *masks) {
    static const enum daws_judge judge[] = {[DAWS_LOCALITY_LOAD] = DAWS_JUDGE_LOAD,
                                            [DAWS_LOCALITY_MAJORITY] = DAWS_JUDGE_MAJORITY,
                                            [DAWS_LOCALITY_ACCESS] = DAWS_JUDGE_ACCESS};
    struct daws *d = state;
    const struct config *c = view->config;
    (void)masks;
    daws_throttle_init(&d->throttle, &d->loads);
    daws_detector_init(&d->detector, judge[c->daws.locality], &d->loads);
}

/* The loop of a load is known. */
static void see_loop_of_load(struct daws *d) {
    struct daws_load_loop l;
    if (daws_throttle_loop(&d->throttle, &l) && l.found) {
        const struct daws_issued_load *i = &d->issued[l.load];
        daws_detector_load(&d->detector, i->warp, l.loop, i->pc, i->lanes, i->number, i->accesses);
    }
}

static void run_tables_to(struct daws *d, uint64_t cycle) {
    while (d->throttle.cycle < cycle) {
        const bool busy = daws_throttle_busy(&d->throttle) || d->detector.busy;
        const uint64_t next = busy ? d->throttle.cycle + 1 : cycle;
        daws_throttle_run(&d->throttle, next);
        if (d->detects) {
            daws_detector_run(&d->detector, next);
            see_loop_of_load(d);
        }
    }
}

/* Advances all tables to @cycle. A prediction in a cycle sees the loads of that cycle. */
static inline void run_daws_to(struct daws *d, uint64_t cycle) {
    if (d->throttle.cycle >= cycle) {
        return;
    }
    if (d->throttle.calm && !d->detector.busy) { /* mostly, so without a call */
        d->throttle.cycle = d->detector.cycle = cycle;
    } else {
        run_tables_to(d, cycle);
    }
}

/* The code's number, a new one at its first launch. */
static unsigned number_code(struct daws *d, const struct kernel_code *code) {
    uint64_t hash = daws_code_hash(code);
    for (const char *name = code->name; *name; name++) {
        hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
    }
    for (unsigned i = 0; i < d->codes; i++) {
        if (d->code_hash[i] == hash) {
            return i;
        }
    }
    if (d->codes < DAWS_CODES) {
        d->code_hash[d->codes++] = hash;
    }
    return d->codes - 1;
}

static void begin_daws_launch(struct daws *d, const struct policy_view *view,
                              const struct policy_event *e) {
    d->code = number_code(d, e->code);
    if (view->config->daws.mode == DAWS_PROFILED && view->profile) {
        daws_predictor_populate(&d->loads, d->code, daws_profile_find(view->profile, e->code),
                                e->cycle);
    }
}

static void apply_mark(struct daws *d, unsigned warp, const struct waiting_mark *m) {
    daws_throttle_mark(&d->throttle,
                       &(struct daws_throttle_mark){
                           .kind = m->kind, .warp = (uint8_t)warp, .lanes = m->lanes, .pc = m->pc});
    d->stats.markers++;
    if (d->detects) {
        static const enum daws_sampling_mark kind[] = {[DAWS_BEGIN] = DAWS_SAMPLING_BEGIN,
                                                       [DAWS_TRIP] = DAWS_SAMPLING_TRIP,
                                                       [DAWS_END] = DAWS_SAMPLING_END};
        daws_detector_mark(&d->detector, kind[m->kind], warp, m->pc, m->active);
    }
}

/* A load, or an atomic, has issued. */
static void see_load(struct daws *d, const struct policy_event *e) {
    const uint32_t pc = daws_name(d->code, e->insn->pc);
    const uint32_t number = daws_detector_issue(&d->detector, e->warp, pc, e->accesses);
    if (insn_is_cached_load(e->insn)) {
        const unsigned at = d->issues++ % DAWS_ISSUED;
        d->issued[at] = (struct daws_issued_load){.pc = pc,
                                                  .number = number,
                                                  .warp = (uint8_t)e->warp,
                                                  .lanes = (uint8_t)__builtin_popcount(e->active),
                                                  .accesses = e->accesses};
        daws_throttle_mark(
            &d->throttle,
            &(struct daws_throttle_mark){.kind = DAWS_LOAD, .warp = (uint8_t)e->warp, .load = at});
    }
}

/* The L1 has taken an access. */
static void see_access(struct daws *d, const struct policy_view *view,
                       const struct policy_event *e) {
    if (d->detects && e->access->result != POLICY_ACCESS_WRITE) {
        run_daws_to(d, view->cycle);
        daws_detector_access(&d->detector, e->warp, e->access->line, e->access->own,
                             e->access->lost_at);
    }
}

/* The loops and the mask are those of the cycle before, in which the access was looked up. */
static void see_lost_line(struct daws *d, const struct policy_event *e) {
    run_daws_to(d, e->cycle - 1);
    d->stats.lost_in_loop += d->throttle.out.in_loop >> e->warp & 1;
    d->stats.lost_held_in_loop += d->throttle.held_in_loop >> e->warp & 1;
    daws_detector_lost(&d->detector, e->warp, e->cycle);
}

/* The warp's next instruction bears the marker. A trip that begins with its loop is one marker with
 * it. */
static void hold_mark(struct daws *d, unsigned warp, const struct waiting_mark *m) {
    struct waiting_marks *w = &d->waiting[warp];
    if (w->count && w->mark[w->count - 1].pc == m->pc) {
        w->mark[w->count - 1].lanes = m->lanes;
        w->mark[w->count - 1].active = m->active;
    } else if (w->count < DAWS_WAITING) {
        w->mark[w->count++] = *m;
    } else {
        apply_mark(d, warp, m);
    }
}

/* An end counts with the instruction before it, which has issued. A loop without an instruction has
 * not been entered. */
static void end_daws_loop(struct daws *d, unsigned warp, const struct waiting_mark *m) {
    struct waiting_marks *w = &d->waiting[warp];
    if (w->count && w->mark[w->count - 1].pc == m->pc) {
        bool entered = w->mark[--w->count].kind == DAWS_TRIP;
        if (!entered) {
            return;
        }
    }
    apply_mark(d, warp, m);
}

static void tell_daws_marker(struct daws *d, const struct policy_view *view,
                             const struct policy_event *e) {
    const unsigned lanes = view->config->daws.lanes == DAWS_LANES_ALL
                               ? WARP_SIZE
                               : (unsigned)__builtin_popcount(e->active);
    const struct waiting_mark m = {.kind = e->kind == POLICY_LOOP_BEGIN  ? DAWS_BEGIN
                                           : e->kind == POLICY_LOOP_TRIP ? DAWS_TRIP
                                                                         : DAWS_END,
                                   .lanes = (uint8_t)lanes,
                                   .active = (uint8_t)__builtin_popcount(e->active),
                                   .pc = daws_name(d->code, e->insn->pc)};
    if (m.kind == DAWS_END) {
        end_daws_loop(d, e->warp, &m);
    } else if (view->config->daws.mark == DAWS_MARK_FETCH) {
        apply_mark(d, e->warp, &m);
    } else {
        hold_mark(d, e->warp, &m);
    }
}

static void issue_daws_marks(struct daws *d, unsigned warp) {
    struct waiting_marks *w = &d->waiting[warp];
    for (unsigned i = 0; i < w->count; i++) {
        apply_mark(d, warp, &w->mark[i]);
    }
    w->count = 0;
}

static void tell_daws(void *state, const struct policy_view *view, const struct policy_event *e,
                      struct issue_policy *masks) {
    struct daws *d = state;
    (void)masks;
    if (e->kind == POLICY_ACCESS) {
        see_access(d, view, e);
        return;
    }
    if (e->kind == POLICY_ISSUED && !d->waiting[e->warp].count &&
        !((d->throttle.in.near | d->throttle.near_next) >> e->warp & 1)) {
        return; /* most instructions: nothing of the tables changes */
    }
    if (e->kind == POLICY_LOST_LINE) { /* of its own cycle, before all other events of it */
        see_lost_line(d, e);
        return;
    }
    if (!d->detects && e->kind == POLICY_LOADED) {
        return;
    }
    const bool begins = e->kind == POLICY_LAUNCHED || e->kind == POLICY_CTA_STARTED;
    run_daws_to(d, begins ? e->cycle : view->cycle);
    switch (e->kind) {
    case POLICY_LAUNCHED: begin_daws_launch(d, view, e); break;
    case POLICY_CTA_STARTED: daws_throttle_launch(&d->throttle, e->warps); break;
    case POLICY_ISSUED:
        daws_throttle_issued(&d->throttle, e->warp);
        issue_daws_marks(d, e->warp);
        break;
    case POLICY_LOAD_NEXT:
        if (view->config->daws.outside) {
            daws_throttle_near(&d->throttle, e->warp, daws_name(d->code, e->insn->pc),
                               view->config->daws.lanes == DAWS_LANES_ALL
                                   ? WARP_SIZE
                                   : (unsigned)__builtin_popcount(e->active));
        }
        break;
    case POLICY_LOADED: see_load(d, e); break;
    case POLICY_WARP_ENDED:
        if (d->detects) {
            daws_detector_mark(&d->detector, DAWS_SAMPLING_EXIT, e->warp, 0, 0);
        }
        d->waiting[e->warp].count = 0;
        daws_throttle_exit(&d->throttle, e->warp);
        break;
    case POLICY_BARRIER_ARRIVED: daws_throttle_wait(&d->throttle, e->warp); break;
    case POLICY_BARRIER_RELEASED: daws_throttle_release(&d->throttle, e->warps); break;
    default: tell_daws_marker(d, view, e);
    }
}

static void refresh_daws(void *state, const struct policy_view *view, struct issue_policy *masks) {
    struct daws *d = state;
    run_daws_to(d, view->cycle);
    masks->can_load_cached &= d->throttle.out.can_load;
    masks->can_issue &= daws_throttle_full(&d->throttle) ? 0 : ~UINT64_C(0);
}

static uint64_t next_daws_change(const void *state) {
    return daws_throttle_next(&((const struct daws *)state)->throttle);
}

static void settle_daws(void *state, uint64_t cycle) {
    struct daws *d = state;
    run_daws_to(d, cycle);
    daws_predictor_run(&d->loads, d->throttle.cycle);
    d->stats.predictions = d->throttle.predictions;
    d->stats.predicted_lines = d->throttle.predicted_lines;
    d->stats.over = d->throttle.over;
    d->stats.judged = d->detector.judged;
    d->stats.local = d->detector.local;
    d->stats.refused = d->loads.refused + d->detector.refused + d->detector.feedback.refused;
}

static bool register_daws_stats(const void *state, struct stats *s) {
    static const struct daws none;
#define DAWS_STAT(member, unit, meaning, source) \
    { {"daws." #member, unit, meaning, source, STAT_SUM}, offsetof(struct daws_stats, member) }
    static const struct stat_member members[] = {
        DAWS_STAT(markers, "markers", "of loops that warps have passed with an instruction",
                  "DAWS 5.1"),
        DAWS_STAT(predictions, "trips", "for which a footprint was predicted", "DAWS 5.1.1"),
        DAWS_STAT(predicted_lines, "lines", "of these footprints", "DAWS 5.1.1"),
        DAWS_STAT(over, "trips", "of these, with more lines than the L1 has: not held", "DAWS 5.1"),
        DAWS_STAT(judged, "loads", "of sampling warps, or accesses with daws.locality = access",
                  "DAWS 5.2.1"),
        DAWS_STAT(local, "loads", "of these, with intra-warp locality, captured or lost",
                  "DAWS 5.2.1"),
        DAWS_STAT(lost_in_loop, "accesses", "victim hits of warps in a loop, with victim tags",
                  "DAWS 7.1"),
        DAWS_STAT(lost_held_in_loop, "accesses",
                  "of these, of warps that have been held since they entered their outermost loop",
                  "DAWS 7.1"),
        DAWS_STAT(refused, "times",
                  "that a full table or queue refused a load, an access or a loop", "DAWS 7.4"),
    };
#undef DAWS_STAT
    const struct daws *d = state ? state : &none;
    return stats_register_members(s, members, sizeof members / sizeof *members, &d->stats);
}

/* An imported trace need not have the markers that loops are known by. */
static const char *find_daws_idle(const struct stats *s) {
    return stats_get(s, "daws.markers") ? policy_held_nobody(s) : "held no warp: no loop markers";
}

static bool daws_reads_profile(const struct config *config) {
    return config->daws.mode == DAWS_PROFILED;
}

const struct policy_kind policy_daws = {
    .name = "daws",
    .wanted = config_has_daws,
    .state_size = sizeof(struct daws),
    .events = POLICY_EVENT(POLICY_LAUNCHED) | POLICY_EVENT(POLICY_CTA_STARTED) |
              POLICY_EVENT(POLICY_ISSUED) | POLICY_EVENT(POLICY_LOOP_BEGIN) |
              POLICY_EVENT(POLICY_LOOP_TRIP) | POLICY_EVENT(POLICY_LOOP_END) |
              POLICY_EVENT(POLICY_LOAD_NEXT) | POLICY_EVENT(POLICY_WARP_ENDED) |
              POLICY_EVENT(POLICY_BARRIER_ARRIVED) | POLICY_EVENT(POLICY_BARRIER_RELEASED) |
              POLICY_EVENT(POLICY_LOADED) | POLICY_EVENT(POLICY_ACCESS) |
              POLICY_EVENT(POLICY_LOST_LINE),
    .sees_owner = true,
    .make = make_daws,
    .destroy = destroy_daws,
    .init = init_daws,
    .tell = tell_daws,
    .refresh = refresh_daws,
    .next_change = next_daws_change,
    .settle = settle_daws,
    .register_stats = register_daws_stats,
    .holds = "its load: held by DAWS, its loop's lines do not fit",
    .advice = "a higher daws.factor",
    .idle = find_daws_idle,
    .reads_profile = daws_reads_profile};
