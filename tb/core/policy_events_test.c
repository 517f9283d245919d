/* SPDX-License-Identifier: Apache-2.0
 *
 * A core tells its issue policies what happens, listening changes nothing, and the masks of two
 * policies compose.
 */
#include "base/seeded.h"

#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"
#include "issue/policy.h"

enum { I_BEGIN, I_TRIP, I_END, I_LOAD, I_USE, I_STORE, I_ATOMIC, I_BARRIER, INSNS };

static const struct insn insns[] = {
    [I_BEGIN] = SIMPLE(OP_LOOP_BEGIN),
    [I_TRIP] = SIMPLE(OP_LOOP_ITERATION),
    [I_END] = SIMPLE(OP_LOOP_END),
    [I_LOAD] = LOAD(1, NO),
    [I_USE] = ALU(2, 1),
    [I_STORE] = STORE(NO),
    [I_ATOMIC] = {.op = OP_ATOMIC, .space = SPACE_GLOBAL, .width = 4, .dst = 3, .src = NO_REGS},
    [I_BARRIER] = SIMPLE(OP_BARRIER),
};

/* Events of the listening policy, a word each; issued instructions apart. */
static struct {
    char text[1 << 15];
    size_t length;
    unsigned issued, issued_lanes, loaded;
    uint64_t last_cycle, started_at, ended_at; /* the last CTA */
    bool ordered;                              /* no event of the same kind came before its cycle */
} heard;

static void note_event(void *state, const struct policy_view *view, const struct policy_event *e,
                       struct issue_policy *masks) {
    static const char *const access[] = {"hit", "pending", "miss", "bypass", "write", "atomic"};
    (void)state, (void)masks;
    char *to = heard.text + heard.length;
    size_t room = sizeof heard.text - heard.length;
    int n = 0;
    assert_true(view->config && view->schedulers > 0);
    switch (e->kind) {
    case POLICY_ISSUED:
        heard.issued++;
        heard.issued_lanes += (unsigned)__builtin_popcount(e->active);
        assert_true(view->mine[e->scheduler] >> e->warp & 1);
        heard.ordered &= e->cycle >= heard.last_cycle;
        heard.last_cycle = e->cycle;
        break;
    case POLICY_LAUNCHED: n = snprintf(to, room, "*%ux%u ", e->ctas, e->cta_warps); break;
    case POLICY_CTA_STARTED:
        heard.started_at = e->cycle;
        n = snprintf(to, room, "+%u:%x ", e->cta, (unsigned)e->warps);
        break;
    case POLICY_CTA_ENDED:
        heard.ended_at = e->cycle;
        n = snprintf(to, room, "-%u:%x ", e->cta, (unsigned)e->warps);
        break;
    case POLICY_LOOP_BEGIN: n = snprintf(to, room, "w%u(%u ", e->warp, e->insn->pc / 8); break;
    case POLICY_LOOP_TRIP: n = snprintf(to, room, "w%u. ", e->warp); break;
    case POLICY_LOOP_END: n = snprintf(to, room, "w%u) ", e->warp); break;
    case POLICY_LOAD_NEXT: n = snprintf(to, room, "w%u? ", e->warp); break;
    case POLICY_LOADED: heard.loaded += e->accesses; break;
    case POLICY_WARP_ENDED: n = snprintf(to, room, "w%u$ ", e->warp); break;
    case POLICY_BARRIER_ARRIVED: n = snprintf(to, room, "w%u| ", e->warp); break;
    case POLICY_LOST_LINE: n = snprintf(to, room, "w%u! ", e->warp); break;
    case POLICY_BARRIER_RELEASED: n = snprintf(to, room, "|%x ", (unsigned)e->warps); break;
    default:
        n = snprintf(to, room, "w%u %s %u", e->warp, access[e->access->result],
                     (unsigned)e->access->line);
        heard.length += (size_t)n;
        n = e->access->evicts ? snprintf(to + n, room - (size_t)n, " evicts %u of w%u ",
                                         (unsigned)e->access->victim_line, e->access->victim_warp)
                              : snprintf(to + n, room - (size_t)n, " ");
    }
    heard.length += (size_t)n;
    assert_true(heard.length < sizeof heard.text);
}

static bool policy_never_wanted(const struct config *config) {
    (void)config;
    return false;
}

static const struct policy_kind listener = {.name = "listener",
                                            .wanted = policy_never_wanted,
                                            .events = POLICY_EVENT(POLICY_EVENTS) - 1,
                                            .tell = note_event};

/* One core with one scheduler and an L1 of one line. */
static struct config core_with_one_line(void) {
    struct config c = base_preset();
    c.core.count = 1;
    c.core.schedulers = 1;
    c.l1.sets = c.l1.ways = 1;
    return c;
}

static void run_warps(struct machine_run *r, const struct config *c,
                      const struct policy_kind *policy, unsigned ctas, unsigned warps,
                      void (*warp)(void *, unsigned, unsigned, unsigned, struct warp_stream *)) {
    struct hand_program p;
    const struct gpu_options options = {.policies.issue = policy};
    memset(&heard, 0, sizeof heard);
    heard.ordered = true;
    hand_open(&p, insns, INSNS, ctas, 32 * warps);
    p.warp = warp;
    run_test_machine(r, c, &options, &p.program, false);
    assert_int_equal(r->status, GPU_COMPLETE);
    assert_string_equal(r->broken, "");
}

/* A loop of two trips, then every kind of access. */
static void write_loop_and_accesses(void *user, unsigned launch, unsigned cta, unsigned warp,
                                    struct warp_stream *s) {
    (void)user, (void)launch, (void)cta, (void)warp;
    put_insn(s, I_BEGIN);
    for (unsigned trip = 0; trip < 2; trip++) {
        put_insn(s, I_TRIP);
        put_whole_line(s, I_LOAD, 100);
        put_insn(s, I_USE);
    }
    put_insn(s, I_END);
    put_whole_line(s, I_LOAD, 101);
    put_insn(s, I_USE);
    put_whole_line(s, I_STORE, 102);
    put_whole_line(s, I_ATOMIC, 103);
}

TEST(a_policy_is_told_loops_and_accesses) {
    struct machine_run r;
    struct config c = core_with_one_line();
    run_warps(&r, &c, &listener, 1, 1, write_loop_and_accesses);
    assert_string_equal(heard.text,
                        "*1x1 +0:1 w0(0 w0. w0? w0 miss 100 w0. w0? w0 hit 100 w0) "
                        "w0? w0 miss 101 evicts 100 of w0 w0$ w0 write 102 w0 atomic 103 "
                        "-0:1 ");
    assert_int_equal(heard.issued, 8);
    assert_int_equal(heard.issued_lanes, 8 * 32);
    assert_true(heard.ordered);
    machine_run_free(&r);
}

/* Warp 1 evicts what warp 0 has fetched; they meet at the barrier in between. */
static void write_eviction_across_warps(void *user, unsigned launch, unsigned cta, unsigned warp,
                                        struct warp_stream *s) {
    (void)user, (void)launch, (void)cta;
    if (warp == 0) {
        put_whole_line(s, I_LOAD, 100);
        put_insn(s, I_USE);
        put_insn(s, I_BARRIER);
    } else {
        put_insn(s, I_BARRIER);
        put_whole_line(s, I_LOAD, 200);
        put_insn(s, I_USE);
    }
}

TEST(a_policy_is_told_barriers_and_the_victims_owner) {
    struct machine_run r;
    struct config c = core_with_one_line();
    run_warps(&r, &c, &listener, 1, 2, write_eviction_across_warps);
    assert_string_equal(heard.text, "*1x2 +0:3 w0? w1| w0 miss 100 w0| |3 w0$ w1? "
                                    "w1 miss 200 evicts 100 of w0 w1$ -0:3 ");
    machine_run_free(&r);
}

/* Lines 100 and 101 in turn, in an L1 of one line. */
WARP_WRITER(write_lost_lines) {
    for (unsigned i = 0; i < 4; i++) {
        put_whole_line(s, I_LOAD, 100 + i % 2);
        put_insn(s, I_USE);
    }
}

TEST(a_policy_is_told_which_misses_are_of_lost_lines) {
    struct machine_run r;
    struct config c = core_with_one_line();
    for (unsigned watch = 0; watch < 2; watch++) {
        c.l1.victim_tags = watch;
        run_warps(&r, &c, &listener, 1, 1, write_lost_lines);
        assert_string_equal(heard.text,
                            watch ? "*1x1 +0:1 w0? w0 miss 100 w0? w0 miss 101 evicts 100 of w0 "
                                    "w0? w0 miss 100 evicts 101 of w0 w0! "
                                    "w0? w0 miss 101 evicts 100 of w0 w0! w0$ -0:1 "
                                  : "*1x1 +0:1 w0? w0 miss 100 w0? w0 miss 101 evicts 100 of w0 "
                                    "w0? w0 miss 100 evicts 101 of w0 "
                                    "w0? w0 miss 101 evicts 100 of w0 w0$ -0:1 ");
        assert_int_equal(run_counter(&r, "l1.victim_hits"), 2 * watch);
        machine_run_free(&r);
    }
}

static void write_nothing_in_the_second_cta(void *user, unsigned launch, unsigned cta,
                                            unsigned warp, struct warp_stream *s) {
    (void)user, (void)launch, (void)warp;
    if (cta == 0) {
        put_whole_line(s, I_LOAD, 100);
        put_insn(s, I_USE);
    }
}

TEST(a_cta_without_an_instruction_ends_when_it_starts) {
    struct machine_run r;
    struct config c = core_with_one_line();
    c.core.ctas = 1;
    run_warps(&r, &c, &listener, 2, 1, write_nothing_in_the_second_cta);
    assert_true(heard.started_at > 0);
    assert_int_equal(heard.ended_at, heard.started_at);
    machine_run_free(&r);
}

TEST(a_policy_is_told_each_cta) {
    struct machine_run r;
    struct config c = core_with_one_line();
    c.core.ctas = 1;
    run_warps(&r, &c, &listener, 3, 2, write_eviction_across_warps);
    unsigned started = 0, ended = 0;
    for (const char *at = heard.text; *at; at++) {
        started += !strncmp(at, "+0:3 ", 5);
        ended += !strncmp(at, "-0:3 ", 5);
    }
    assert_true(started == 3 && ended == 3);
    machine_run_free(&r);
}

/* Seven CTAs on three cores with room for two each; in the second launch for one on the first two.
 * */
WARP_WRITER(write_one_load) {
    put_whole_line(s, I_LOAD, 100);
}

static void run_two_launches(struct machine_run *r, const struct config *c,
                             const struct gpu_options *options) {
    struct hand_program p;
    hand_open(&p, insns, INSNS, 7, 32);
    hand_launch(&p, 2, 64);
    p.warp = write_one_load;
    memset(&heard, 0, sizeof heard);
    run_test_machine(r, c, options, &p.program, false);
    assert_complete(r);
}

TEST(each_core_is_told_how_many_ctas_it_gets_as_a_launch_begins) {
    struct config c = core_with_one_line();
    c.core.count = 3;
    c.core.ctas = 2;
    RUN_BY(run_two_launches, r, &c, &(struct gpu_options){.policies.issue = &listener});
    assert_true(!strncmp(heard.text, "*2x1 *2x1 *2x1 +", 16));
    const char *second = strstr(heard.text, "x2 ");
    /* The last CTA of the first launch went to core 0: the next one begins with core 1. */
    assert_true(second && !strncmp(second - 2, "*1x2 *1x2 *0x2 +", 16));
}

TEST(listening_changes_no_statistic) {
    for (unsigned k = 0; k < 6; k++) {
        struct machine_run with, without;
        struct config c = core_with_one_line();
        c.l1.front = k % 3;
        c.issue.warp_limit = k / 3;
        run_warps(&without, &c, NULL, 20, 4, write_eviction_across_warps);
        assert_int_equal(heard.issued, 0);
        run_warps(&with, &c, &listener, 20, 4, write_eviction_across_warps);
        assert_true(heard.issued > 0 && with.cycles == without.cycles);
        assert_int_equal(with.counters, without.counters);
        for (size_t i = 0; i < with.counters; i++) {
            assert_int_equal(with.value[i], without.value[i]);
        }
        machine_run_free(&with);
        machine_run_free(&without);
    }
}

/* --- two policies --- */

#define EVEN_WARPS UINT64_C(0x5555555555555555)

static void hold_odd_warps(void *state, const struct policy_view *view,
                           struct issue_policy *masks) {
    (void)state;
    masks->can_issue &= view->going & EVEN_WARPS ? EVEN_WARPS : ~UINT64_C(0);
}

static void note_issuing_warp(void *state, const struct policy_view *view,
                              const struct policy_event *e, struct issue_policy *masks) {
    (void)state, (void)view, (void)masks;
    heard.text[heard.length++] = (char)('0' + e->warp);
}

static const struct policy_kind even_first = {.name = "even-first",
                                              .wanted = policy_never_wanted,
                                              .events = POLICY_EVENT(POLICY_ISSUED),
                                              .tell = note_issuing_warp,
                                              .refresh = hold_odd_warps};

static void write_three_sums(void *user, unsigned launch, unsigned cta, unsigned warp,
                             struct warp_stream *s) {
    (void)user, (void)launch, (void)cta, (void)warp;
    for (unsigned i = 0; i < 3; i++) {
        put_insn(s, I_USE);
    }
}

TEST(a_warp_issues_only_if_each_policy_lets_it) {
    static const char *const order[] = {"020202313131", "000222313131"};
    for (unsigned limited = 0; limited < 2; limited++) {
        struct machine_run r;
        struct config c = core_with_one_line();
        c.issue.warp_limit = 2 * limited;
        run_warps(&r, &c, &even_first, 1, 4, write_three_sums);
        assert_string_equal(heard.text, order[limited]);
        machine_run_free(&r);
    }
}
