/* SPDX-License-Identifier: Apache-2.0
 *
 * Cache-conscious warp scheduling (MICRO 2012; DAWS 4 and table 3): the block issue/ccws decides
 * which warps may issue a cached load. A warp is live until its last instruction has issued.
 */
#include <stdio.h>

#include "issue/ccws.h"
#include "issue/policy.h"

struct ccws_stats {
    uint64_t lost_held, lost_in_loop, lost_held_in_loop;
};

struct ccws_policy {
    struct block_instance block;
    struct alarm *alarm;
    uint64_t cycle;    /* of the block; its Verilog reads it */
    struct ccws_in in; /* of that cycle */
    struct ccws_out out;
    uint64_t ending; /* warps that are no longer live from @ending_at on */
    uint64_t ending_at;
    uint8_t loops[CCWS_WARPS_MAX]; /* that each warp is in */
    uint64_t in_loop;
    uint64_t held_in_loop; /* since the outermost of them began */
    struct ccws_stats stats;
};

static struct ccws_params choose_ccws_params(const struct config *c) {
    const unsigned warps = c->core.warps > 1 ? c->core.warps : 2;
    const unsigned bits = clog2(warps * c->ccws.base * c->ccws.clamp + 1);
    return (struct ccws_params){.WARPS = warps,
                                .BASE = c->ccws.base,
                                .K = c->ccws.k,
                                .SCORE_BITS = bits > 2 ? bits : 2,
                                .COUNT_BITS = c->ccws.count_bits,
                                .ISSUES = c->core.schedulers > 2 ? c->core.schedulers : 2,
                                .CUTOFFS = c->ccws.clamp};
}

static bool ccws_is_wanted(const struct config *config) {
    return config->ccws.mode;
}

static bool make_ccws(void *state, const struct policy_view *view, const struct build *build) {
    struct ccws_policy *a = state;
    const struct ccws_params params = choose_ccws_params(view->config);
    char where[16];
    snprintf(where, sizeof where, "sm%u", view->core);
    a->alarm = build->alarm;
    return block_make(build, &ccws_block, &params, where, &a->cycle, &a->block);
}

static void destroy_ccws(void *state) {
    struct ccws_policy *a = state;
    block_unmake(&a->block);
}

static void init_ccws(void *state, const struct policy_view *view, struct issue_policy *masks) {
    struct ccws_policy *a = state;
    (void)view, (void)masks;
    a->in.ticks = true;
    a->block.comb(a->block.self, &a->in, &a->out);
}

/* The block has reached the current cycle: which warps does it hold? */
static void enter_ccws_cycle(struct ccws_policy *a) {
    if (a->ending && a->cycle == a->ending_at) {
        a->in.live &= ~a->ending;
        a->ending = 0;
    }
    a->held_in_loop |= a->in_loop & ~a->out.can_load;
}

/* Steps the block up to @cycle with its inputs. */
static void run_ccws_to(struct ccws_policy *a, uint64_t cycle) {
    while (a->cycle < cycle) {
        uint64_t until = a->ending && a->ending_at < cycle ? a->ending_at : cycle;
        if (a->block.quiet(a->block.self, &a->in)) {
            a->cycle = until;
        } else {
            bool pulse = a->in.lost_valid || a->in.launch || a->in.issued;
            uint64_t cycles = pulse ? 1 : until - a->cycle;
            if (!block_pass(&a->block, &a->in, &a->out, cycles, &a->cycle)) {
                alarm_ring(a->alarm, ALARM_BLOCK_DIFFERS);
                a->cycle++;
            }
            a->in = (struct ccws_in){.live = a->in.live, .ticks = true};
        }
        enter_ccws_cycle(a);
    }
}

static void end_ccws_warp(struct ccws_policy *a, const struct policy_event *event) {
    a->ending |= UINT64_C(1) << event->warp;
    a->ending_at = event->cycle;
    enter_ccws_cycle(a);
}

static void count_lost_line(struct ccws_policy *a, unsigned warp) {
    const uint64_t its = UINT64_C(1) << warp;
    a->in.lost_valid = true;
    a->in.lost_warp = (uint8_t)warp;
    a->stats.lost_held += !(a->out.can_load & its);
    a->stats.lost_in_loop += !!(a->in_loop & its);
    a->stats.lost_held_in_loop += !!(a->held_in_loop & its);
}

static void begin_ccws_loop(struct ccws_policy *a, unsigned warp) {
    const uint64_t its = UINT64_C(1) << warp;
    if (a->loops[warp]++ == 0) {
        a->in_loop |= its;
        a->held_in_loop &= ~its;
    }
    a->loops[warp] -= a->loops[warp] == UINT8_MAX;
}

static void leave_ccws_loops(struct ccws_policy *a, uint64_t warps) {
    a->in_loop &= ~warps;
    a->held_in_loop &= ~warps;
}

static void end_ccws_loop(struct ccws_policy *a, unsigned warp) {
    if (a->loops[warp] && --a->loops[warp] == 0) {
        leave_ccws_loops(a, UINT64_C(1) << warp);
    }
}

static void start_ccws_warps(struct ccws_policy *a, uint64_t warps) {
    a->in.live |= warps;
    a->in.launch |= warps;
    leave_ccws_loops(a, warps);
    for (uint64_t left = warps; left; left &= left - 1) {
        a->loops[__builtin_ctzll(left)] = 0;
    }
}

static void tell_ccws(void *state, const struct policy_view *view, const struct policy_event *event,
                      struct issue_policy *masks) {
    struct ccws_policy *a = state;
    (void)view, (void)masks;
    switch (event->kind) {
    case POLICY_ISSUED:
        run_ccws_to(a, event->cycle);
        a->in.issued++;
        break;
    case POLICY_LOST_LINE:
        run_ccws_to(a, event->cycle);
        count_lost_line(a, event->warp);
        break;
    case POLICY_CTA_STARTED:
        run_ccws_to(a, event->cycle);
        start_ccws_warps(a, event->warps);
        break;
    /* These events come one cycle early, and more may follow. */
    case POLICY_WARP_ENDED:
        run_ccws_to(a, event->cycle - 1);
        end_ccws_warp(a, event);
        break;
    case POLICY_LOOP_BEGIN:
        run_ccws_to(a, event->cycle - 1);
        begin_ccws_loop(a, event->warp);
        break;
    default: run_ccws_to(a, event->cycle - 1); end_ccws_loop(a, event->warp);
    }
}

static void refresh_ccws(void *state, const struct policy_view *view, struct issue_policy *masks) {
    struct ccws_policy *a = state;
    run_ccws_to(a, view->cycle);
    masks->can_load_cached &= a->out.can_load;
}

static uint64_t next_move_of_ccws(const void *state) {
    const struct ccws_policy *a = state;
    if (a->ending) {
        return a->cycle + 1;
    }
    if (a->block.quiet(a->block.self, &a->in)) {
        return UINT64_MAX;
    }
    return a->cycle + (a->block.steady ? a->block.steady(a->block.self, &a->in) : 1);
}

static void settle_ccws(void *state, uint64_t cycle) {
    run_ccws_to(state, cycle);
}

static bool register_ccws_stats(const void *state, struct stats *s) {
    static const struct ccws_policy none;
    static const struct stat_member members[] = {
        {{"ccws.lost_held", "accesses",
          "victim hits of warps that could not issue a load when they were known", "DAWS 7.2",
          STAT_SUM},
         offsetof(struct ccws_stats, lost_held)},
        {{"ccws.lost_in_loop", "accesses", "victim hits of warps in a loop", "DAWS 7.2", STAT_SUM},
         offsetof(struct ccws_stats, lost_in_loop)},
        {{"ccws.lost_held_in_loop", "accesses",
          "victim hits of warps that have been held since they entered their outermost loop: lost "
          "after being de-scheduled in a loop",
          "DAWS 7.2", STAT_SUM},
         offsetof(struct ccws_stats, lost_held_in_loop)},
    };
    const struct ccws_policy *a = state ? state : &none;
    return stats_register_members(s, members, sizeof members / sizeof *members, &a->stats);
}

const struct policy_kind policy_ccws = {
    .name = "ccws",
    .wanted = ccws_is_wanted,
    .state_size = sizeof(struct ccws_policy),
    .events = POLICY_EVENT(POLICY_ISSUED) | POLICY_EVENT(POLICY_LOST_LINE) |
              POLICY_EVENT(POLICY_CTA_STARTED) | POLICY_EVENT(POLICY_WARP_ENDED) |
              POLICY_EVENT(POLICY_LOOP_BEGIN) | POLICY_EVENT(POLICY_LOOP_END),
    .make = make_ccws,
    .destroy = destroy_ccws,
    .init = init_ccws,
    .tell = tell_ccws,
    .refresh = refresh_ccws,
    .next_change = next_move_of_ccws,
    .settle = settle_ccws,
    .register_stats = register_ccws_stats,
    .holds = "its load: held by CCWS, others have lost more lines",
    .advice = "a lower ccws.k",
    .idle = policy_held_nobody};
