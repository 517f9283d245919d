/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence-aware warp scheduling (DAWS, MICRO 2013): warps in loops with locality may issue loads
 * that look the L1 up while their footprints fit it. The policy tells the table of footprints what
 * its warps do; the table of loads predicts, as a profile has written it (5.1).
 */
#include "config/derived.h"
#include "issue/daws_footprint.h"
#include "issue/daws_loads.h"
#include "issue/daws_profile.h"
#include "issue/policy.h"

#define DAWS_ENTRIES 32 /* 7.4 */
#define DAWS_LOOPS 8    /* 5.2: each application has at most five */
#define DAWS_CODES 256  /* that a name tells apart; with more, two share theirs */
#define DAWS_WAITING 8  /* markers between two instructions of a warp */

struct waiting_mark {
    uint8_t kind, lanes;
    uint32_t pc;
};

/* Markers that a warp has passed, and that count with its next instruction. */
struct waiting_marks {
    unsigned count;
    struct waiting_mark mark[DAWS_WAITING];
};

struct daws {
    struct daws_loads loads;
    struct daws_footprint footprint;
    struct waiting_marks waiting[DAWS_WARPS_MAX];
    uint64_t barrier; /* warps that wait at one */
    unsigned code;    /* number of the launch's */
    unsigned codes;
    uint64_t code_hash[DAWS_CODES];
};

static void init_daws(void *state, const struct policy_view *view, struct issue_policy *masks) {
    struct daws *d = state;
    const struct config *c = view->config;
    const struct daws_footprint_params params = {
        .warps = c->core.warps,
        .lines = c->l1.sets * c->l1.ways,
        .percent = c->daws.factor,
        .latency = c->daws.latency,
        .fit = c->daws.sum == DAWS_SUM_FIT,
    };
    (void)masks;
    daws_loads_init(&d->loads, DAWS_ENTRIES, DAWS_LOOPS, !c->daws.latency);
    daws_footprint_init(&d->footprint, &params, &d->loads);
}

/* Both tables as they are in @cycle. */
static void run_daws_to(struct daws *d, uint64_t cycle) {
    daws_loads_run(&d->loads, cycle);
    daws_footprint_run(&d->footprint, cycle);
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

/* 5.1: the table is populated when a kernel is launched. */
static void write_profile(struct daws *d, const struct daws_profile_kernel *k) {
    daws_loads_clear(&d->loads);
    for (unsigned i = 0; k && i < k->loads; i++) {
        const struct daws_profile_load *load = &k->load[i];
        daws_loads_write(&d->loads, daws_name(d->code, load->loop), daws_name(d->code, load->pc),
                         load->diverged, load->group);
    }
}

static void begin_daws_launch(struct daws *d, const struct policy_view *view,
                              const struct kernel_code *code) {
    d->code = number_code(d, code);
    if (view->config->daws.mode == DAWS_PROFILED && view->profile) {
        write_profile(d, daws_profile_find(view->profile, code));
    }
}

static void apply_mark(struct daws *d, unsigned warp, const struct waiting_mark *m) {
    daws_footprint_mark(&d->footprint, m->kind, warp, m->pc, m->lanes);
}

/* The warp's next instruction bears the marker. A trip that begins with its loop is one marker with
 * it. */
static void hold_mark(struct daws *d, unsigned warp, const struct waiting_mark *m) {
    struct waiting_marks *w = &d->waiting[warp];
    if (w->count && w->mark[w->count - 1].pc == m->pc) {
        w->mark[w->count - 1].lanes = m->lanes;
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
    if (e->kind == POLICY_ISSUED && !d->waiting[e->warp].count &&
        !(d->footprint.near_wanted >> e->warp & 1)) {
        return; /* most instructions: nothing of the tables changes */
    }
    run_daws_to(d, e->kind == POLICY_CTA_STARTED ? e->cycle : view->cycle);
    switch (e->kind) {
    case POLICY_LAUNCHED: begin_daws_launch(d, view, e->code); break;
    case POLICY_CTA_STARTED:
        d->barrier &= ~e->warps;
        daws_footprint_launch(&d->footprint, e->warps);
        break;
    case POLICY_ISSUED:
        daws_footprint_near_issued(&d->footprint, e->warp);
        issue_daws_marks(d, e->warp);
        break;
    case POLICY_LOAD_NEXT:
        if (view->config->daws.outside) {
            daws_footprint_near(&d->footprint, e->warp, daws_name(d->code, e->insn->pc),
                                view->config->daws.lanes == DAWS_LANES_ALL
                                    ? WARP_SIZE
                                    : (unsigned)__builtin_popcount(e->active));
        }
        break;
    case POLICY_WARP_ENDED:
        d->waiting[e->warp].count = 0;
        d->barrier &= ~(UINT64_C(1) << e->warp);
        daws_footprint_exit(&d->footprint, e->warp);
        break;
    case POLICY_BARRIER_ARRIVED:
        d->barrier |= UINT64_C(1) << e->warp;
        daws_footprint_wait(&d->footprint, d->barrier);
        break;
    case POLICY_BARRIER_RELEASED:
        d->barrier &= ~e->warps;
        daws_footprint_wait(&d->footprint, d->barrier);
        break;
    default: tell_daws_marker(d, view, e);
    }
}

static void refresh_daws(void *state, const struct policy_view *view, struct issue_policy *masks) {
    struct daws *d = state;
    run_daws_to(d, view->cycle);
    masks->can_load_cached &= d->footprint.can_load;
}

static uint64_t next_daws_change(const void *state) {
    return daws_footprint_next(&((const struct daws *)state)->footprint);
}

const struct policy_kind policy_daws = {
    .name = "daws",
    .wanted = config_has_daws,
    .state_size = sizeof(struct daws),
    .events = POLICY_EVENT(POLICY_LAUNCHED) | POLICY_EVENT(POLICY_CTA_STARTED) |
              POLICY_EVENT(POLICY_ISSUED) | POLICY_EVENT(POLICY_LOOP_BEGIN) |
              POLICY_EVENT(POLICY_LOOP_TRIP) | POLICY_EVENT(POLICY_LOOP_END) |
              POLICY_EVENT(POLICY_LOAD_NEXT) | POLICY_EVENT(POLICY_WARP_ENDED) |
              POLICY_EVENT(POLICY_BARRIER_ARRIVED) | POLICY_EVENT(POLICY_BARRIER_RELEASED),
    .init = init_daws,
    .tell = tell_daws,
    .refresh = refresh_daws,
    .next_change = next_daws_change,
    .holds = "room in the L1 for its loop's lines: held by DAWS"};
