/* SPDX-License-Identifier: Apache-2.0
 *
 * Divergence-aware warp scheduling in a machine (DAWS, MICRO 2013): the cycle in which a held load
 * goes on, what is held, barriers in loops that are throttled, and evaluation in every way.
 */
#include "base/seeded.h"

#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"
#include "gpu/random_machine.h"
#include "issue/daws_footprint.h"
#include "issue/daws/profile.h"

enum {
    I_OUTSIDE,
    I_OUTER,
    I_OUTER_TRIP,
    I_OUTER_END,
    I_FIRST,
    I_LOOP,
    I_LOOP_TRIP,
    I_LOOP_END,
    I_LOAD,
    I_USE,
    I_OTHER_LOAD,
    I_STORE,
    I_SHARED,
    I_UNCACHED,
    I_BARRIER,
    INSNS
};

static const struct insn table[INSNS] = {
    [I_OUTSIDE] = LOAD(1, NO),
    [I_OUTER] = SIMPLE(OP_LOOP_BEGIN),
    [I_OUTER_TRIP] = SIMPLE(OP_LOOP_ITERATION),
    [I_OUTER_END] = SIMPLE(OP_LOOP_END),
    [I_FIRST] = ALU(4, 1),
    [I_LOOP] = SIMPLE(OP_LOOP_BEGIN),
    [I_LOOP_TRIP] = SIMPLE(OP_LOOP_ITERATION),
    [I_LOOP_END] = SIMPLE(OP_LOOP_END),
    [I_LOAD] = LOAD(2, NO),
    [I_USE] = ALU(3, 2),
    [I_OTHER_LOAD] = LOAD(5, NO),
    [I_STORE] = STORE(NO),
    [I_SHARED] = {.op = OP_LOAD, .space = SPACE_SHARED, .width = 4, .dst = 6, .src = NO_REGS},
    [I_UNCACHED] = {.op = OP_LOAD, .width = 4, .uncached = 1, .dst = 6, .src = NO_REGS},
    [I_BARRIER] = SIMPLE(OP_BARRIER),
};

/* A profile of the program: the inner loop's first load is diverged, its second is not. hand_open()
 * gives PCs; of the markers those of struct insn. */
struct known_program {
    struct hand_program p;
    struct daws_profile profile;
    struct daws_profile_kernel kernel;
};

static void open_known_program(struct known_program *k, unsigned ctas, unsigned threads) {
    static char path[] = "by hand", name[] = "by_hand";
    hand_open(&k->p, table, INSNS, ctas, threads);
    for (unsigned i = 0; i < 3; i++) { /* a marker's PC is its loop's */
        k->p.insns[I_OUTER + i].pc = 8 * I_FIRST;
        k->p.insns[I_LOOP + i].pc = 8 * I_LOAD;
    }
    k->kernel = (struct daws_profile_kernel){
        .name = name,
        .hash = daws_code_hash(&k->p.code),
        .loads = 2,
        .load = {{.loop = 8 * I_LOAD, .pc = 8 * I_LOAD, .diverged = true},
                 {.loop = 8 * I_LOAD, .pc = 8 * I_OTHER_LOAD, .group = 1}}};
    k->profile = (struct daws_profile){.path = path, .kernel = &k->kernel, .kernels = 1};
}

static struct config core_with_daws(unsigned lines) {
    struct config c = base_preset();
    c.core.count = c.core.schedulers = 1;
    c.issue.scheduler = SCHEDULER_GTO;
    c.l1.sets = 1;
    c.l1.ways = lines;
    c.l1.mshrs = c.l1.mshr_merge = 64;
    c.daws.mode = DAWS_PROFILED;
    c.daws.factor = 100;
    assert_legal(&c);
    return c;
}

static void run_known(struct machine_run *r, const struct config *c, unsigned warps,
                      void (*warp)(void *, unsigned, unsigned, unsigned, struct warp_stream *)) {
    struct known_program k;
    open_known_program(&k, 1, 32 * warps);
    k.p.warp = warp;
    run_test_machine(r, c, &(struct gpu_options){.profile = &k.profile}, &k.p.program, true);
    assert_complete(r);
}

static void write_trip(struct warp_stream *s, unsigned warp, uint32_t lanes) {
    assert_true(warp_stream_put(s, I_LOOP_TRIP, lanes));
    put_lines(s, I_LOAD, 1000 * warp, lanes);
    assert_true(warp_stream_put(s, I_USE, lanes));
}

/* Long enough for the profile to be in the table: three cycles a load, and a scan of 32 entries. */
static void wait_for_profile(struct warp_stream *s) {
    for (unsigned i = 0; i < 50; i++) {
        put_insn(s, I_FIRST);
    }
}

#define LANES(n) (UINT32_MAX >> (32 - (n)))

/* Figure 1: warp 0 begins with four lanes, and one is left of its second trip. Warp 1 has three. */
WARP_WRITER(write_figure_1) {
    unsigned lanes = warp ? 3 : 4;
    wait_for_profile(s);
    assert_true(warp_stream_put(s, I_LOOP, LANES(lanes)));
    write_trip(s, warp, LANES(lanes));
    if (!warp) {
        for (unsigned i = 0; i < 200; i++) { /* long enough for warp 1 to be held */
            put_insn(s, I_USE);
        }
    }
    write_trip(s, warp, LANES(warp ? 3 : 1));
    assert_true(warp_stream_put(s, I_LOOP_END, LANES(4)));
}

/* The loop begins with its load: a warp without a footprint issues it. So the second trip's load of
 * warp 1 is the one that waits. */
TEST(figure_1_a_load_waits_until_thirteen_cycles_after_the_marker_that_frees_it) {
    struct config c = core_with_daws(8);
    c.daws.factor = 88; /* 7 lines, where warp 1 alone takes 5 and one lane 2 */
    c.issue.scheduler = SCHEDULER_LRR;
    RUN_BY(run_known, r, &c, 2, write_figure_1);
    uint64_t freed = issued_at(&r, 0, 0, 8 * I_LOAD, 1), goes = issued_at(&r, 0, 1, 8 * I_LOAD, 1);
    assert_true(issued_at(&r, 0, 1, 8 * I_LOAD, 0) < freed);
    assert_int_equal(
        goes, freed + daws_mark_cycles(&(struct daws_footprint_params){.WARPS = c.core.warps}));
    assert_true(run_counter(&r, "core.descheduled_cycles") > 0);
    c.daws.latency = DAWS_LATENCY_NONE;
    RUN_BY(run_known, quick, &c, 2, write_figure_1);
    assert_int_equal(issued_at(&quick, 0, 1, 8 * I_LOAD, 1),
                     issued_at(&quick, 0, 0, 8 * I_LOAD, 1) + 1);
    c.l1.ways = 20; /* room for both */
    RUN_BY(run_known, roomy, &c, 2, write_figure_1);
    assert_true(issued_at(&roomy, 0, 1, 8 * I_LOAD, 1) < issued_at(&roomy, 0, 0, 8 * I_LOAD, 1));
    assert_int_equal(run_counter(&roomy, "core.descheduled_cycles"), 0);
}

/* One warp, one trip: the second prediction comes from the trip behind the table's writing. */
WARP_WRITER(write_early_loop) {
    assert_true(warp_stream_put(s, I_LOOP, ALL_LANES));
    write_trip(s, warp, ALL_LANES);
    wait_for_profile(s);
    write_trip(s, warp, ALL_LANES);
    assert_true(warp_stream_put(s, I_LOOP_END, ALL_LANES));
}

TEST(a_loop_that_begins_before_its_profile_is_written_is_predicted_from_its_next_trip_on_5_1) {
    struct config c = core_with_daws(64);
    RUN_BY(run_known, r, &c, 1, write_early_loop);
    assert_int_equal(run_counter(&r, "daws.markers"), 3);
    assert_int_equal(run_counter(&r, "daws.predictions"), 1);
    assert_int_equal(run_counter(&r, "daws.predicted_lines"), 32 + 2);
    c.daws.latency = DAWS_LATENCY_NONE; /* it is written at once */
    RUN_BY(run_known, quick, &c, 1, write_early_loop);
    assert_int_equal(run_counter(&quick, "daws.predictions"), 2);
}

/* The dump in the cycle before the held load goes on. */
TEST(a_warp_that_daws_holds_is_told_so) {
    struct config c = core_with_daws(8);
    c.daws.factor = 88;
    RUN_BY(run_known, r, &c, 2, write_figure_1);
    struct known_program k;
    char *text, error[256];
    size_t size;
    open_known_program(&k, 1, 64);
    k.p.warp = write_figure_1;
    const struct gpu_options options = {.profile = &k.profile,
                                        .max_cycles = issued_at(&r, 0, 1, 8 * I_LOAD, 1) - 2};
    struct gpu *g = gpu_create(&c, &options, error, sizeof error);
    assert_non_null(g);
    assert_int_equal(gpu_run(g, &k.p.program), GPU_LIMIT);
    FILE *out = open_memstream(&text, &size);
    gpu_dump(g, out);
    fclose(out);
    if (!strstr(text, "warp  1 waits for its load: held by DAWS, its loop's lines do not fit")) {
        fail_msg("%s", text);
    }
    free(text);
    gpu_destroy(g);
}

/* Warp 1 is held from its first trip on, and issues all that is no load of the L1. */
WARP_WRITER(write_other_memory) {
    wait_for_profile(s);
    assert_true(warp_stream_put(s, I_LOOP, ALL_LANES));
    write_trip(s, warp, ALL_LANES);
    for (unsigned i = 0; i < 100; i++) {
        put_insn(s, I_USE);
    }
    if (warp) {
        put_whole_line(s, I_STORE, 5000);
        put_whole_line(s, I_SHARED, 0);
        put_whole_line(s, I_UNCACHED, 6000);
    }
    put_whole_line(s, I_OTHER_LOAD, 7000 + warp);
    put_insn(s, I_LOOP_END);
}

TEST(only_loads_that_look_the_l1_up_are_held_5_1) {
    struct config c = core_with_daws(64);
    RUN_BY(run_known, r, &c, 2, write_other_memory);
    uint64_t end = issued_at(&r, 0, 0, 8 * I_OTHER_LOAD, 0);
    static const unsigned free_insn[] = {I_STORE, I_SHARED, I_UNCACHED};
    for (unsigned i = 0; i < 3; i++) {
        (void)issued_at(&r, 0, 1, 8 * free_insn[i], 0);
    }
    assert_true(issued_at(&r, 0, 1, 8 * I_OTHER_LOAD, 0) >= end + 10);
}

/* Warp 1 comes out of a barrier with a load outside loops when warp 0 is in its loop. */
WARP_WRITER(write_load_outside) {
    put_insn(s, I_BARRIER);
    if (!warp) {
        assert_true(warp_stream_put(s, I_LOOP, ALL_LANES));
        write_trip(s, warp, ALL_LANES);
        for (unsigned i = 0; i < 50; i++) {
            put_insn(s, I_USE);
        }
        put_insn(s, I_LOOP_END);
    }
    if (warp) {
        put_insn(s, I_FIRST);
        for (unsigned i = 0; i < 30; i++) {
            put_insn(s, I_USE);
        }
        put_whole_line(s, I_OUTSIDE, 9000);
    }
    put_insn(s, I_USE);
}

TEST(a_load_outside_loops_waits_for_room_for_its_next_loop_5_1_2) {
    for (unsigned outside = 0; outside < 2; outside++) {
        struct config c = core_with_daws(40);
        c.daws.outside = outside;
        c.daws.latency = DAWS_LATENCY_NONE; /* else a load is gone before the mask comes */
        c.issue.scheduler = SCHEDULER_LRR;
        RUN_BY(run_known, r, &c, 2, write_load_outside);
        uint64_t last = issued_at(&r, 0, 0, 8 * I_USE, 50),
                 load = issued_at(&r, 0, 1, 8 * I_OUTSIDE, 0);
        assert_true(outside ? load > last : load < last);
    }
}

/* Without control flow awareness a warp's last lane counts as 32. */
WARP_WRITER(write_one_lane) {
    wait_for_profile(s);
    assert_true(warp_stream_put(s, I_LOOP, 1));
    for (unsigned trip = 0; trip < 4; trip++) {
        write_trip(s, warp, 1);
    }
    assert_true(warp_stream_put(s, I_LOOP_END, 1));
}

TEST(all_lanes_count_without_control_flow_awareness_7_1) {
    struct config c = core_with_daws(40);
    RUN_BY(run_known, aware, &c, 4, write_one_lane);
    assert_int_equal(run_counter(&aware, "core.descheduled_cycles"), 0);
    c.daws.lanes = DAWS_LANES_ALL;
    RUN_BY(run_known, all, &c, 4, write_one_lane);
    assert_true(run_counter(&all, "core.descheduled_cycles") > 0);
}

/* A profile of another program: the launch does not fit. */
TEST(a_launch_that_the_profile_does_not_know_is_refused) {
    struct config c = core_with_daws(40);
    struct known_program k;
    struct machine_run r;
    open_known_program(&k, 1, 32);
    k.p.warp = write_one_lane;
    k.kernel.hash++;
    run_test_machine(&r, &c, &(struct gpu_options){.profile = &k.profile}, &k.p.program, false);
    assert_int_equal(r.status, GPU_DOES_NOT_FIT);
    assert_non_null(strstr(r.message, "by hand:0: kernel by_hand: the code that runs is another"));
    machine_run_free(&r);
}

/* --- Detected-DAWS --- */

/* Each lane walks the words of its own line, as in figure 1. */
WARP_WRITER(write_walk) {
    const unsigned *trips = user;
    assert_true(warp_stream_put(s, I_LOOP, ALL_LANES));
    for (unsigned trip = 0; trip < *trips; trip++) {
        assert_true(warp_stream_put(s, I_LOOP_TRIP, ALL_LANES));
        assert_true(
            warp_stream_put_affine(s, I_LOAD, ALL_LANES, 128 * 1000 * (warp + 1) + 4 * trip, 128));
        assert_true(warp_stream_put(s, I_USE, ALL_LANES));
    }
    assert_true(warp_stream_put(s, I_LOOP_END, ALL_LANES));
}

static void run_walk(struct machine_run *r, const struct config *c, unsigned launches,
                     unsigned warps, unsigned trips) {
    struct known_program k;
    open_known_program(&k, 1, 32 * warps);
    while (k.p.launches < launches) {
        hand_launch(&k.p, 1, 32 * warps);
    }
    k.p.warp = write_walk;
    k.p.user = &trips;
    run_test_machine(r, c, &(struct gpu_options){0}, &k.p.program, false);
    assert_complete(r);
}

static struct config core_that_detects(unsigned lines) {
    struct config c = core_with_daws(lines);
    c.daws.mode = DAWS_DETECTED;
    assert_legal(&c);
    return c;
}

/* The first load has no locality, and the next ones have: 0 is above 0 after the third. The fourth
 * makes the entry and the fifth its class, so a trip behind them is predicted 32 lines. */
TEST(a_loops_locality_and_divergence_are_detected_5_2) {
    struct config c = core_that_detects(64);
    RUN_BY(run_walk, r, &c, 1, 1, 20);
    assert_int_equal(run_counter(&r, "daws.judged"), 20);
    assert_int_equal(run_counter(&r, "daws.local"), 19);
    uint64_t predictions = run_counter(&r, "daws.predictions");
    assert_true(predictions >= 14 && predictions < 20);
    uint64_t lines = run_counter(&r, "daws.predicted_lines");
    assert_true(lines >= 32 * (predictions - 5) && lines <= 32 * predictions);
}

TEST(a_codes_second_launch_begins_classified_5_2) {
    struct config c = core_that_detects(64);
    RUN_BY(run_walk, one, &c, 1, 1, 20);
    RUN_BY(run_walk, two, &c, 2, 1, 20);
    assert_int_equal(run_counter(&two, "daws.predictions"),
                     run_counter(&one, "daws.predictions") + 20);
    assert_int_equal(run_counter(&two, "daws.predicted_lines"),
                     run_counter(&one, "daws.predicted_lines") + 20 * 32);
}

/* Four warps of 32 lines in an L1 of 64: two of them at a time lose nothing. */
TEST(detected_footprints_keep_the_lines_of_a_warp_5_2) {
    struct config c = core_that_detects(64), gto = c;
    gto.daws.mode = DAWS_OFF;
    RUN_BY(run_walk, free, &gto, 3, 4, 30);
    RUN_BY(run_walk, held, &c, 3, 4, 30);
    assert_int_equal(run_counter(&free, "core.descheduled_cycles"), 0);
    assert_true(run_counter(&held, "core.descheduled_cycles") > 0);
    assert_true(run_counter(&held, "l1.read_misses") < run_counter(&free, "l1.read_misses"));
    assert_int_equal(run_counter(&held, "daws.refused"), 0);
}

/* --- random machines --- */

/* Warps in two loops in each other, with a barrier in some programs; lanes leave. */
struct random_loops {
    uint64_t seed;
    bool barriers, ends;
};

static uint32_t lanes_that_stay(struct rng *rng, uint32_t of) {
    uint32_t some = of & (uint32_t)rng_next(rng);
    return some ? some : of & -of;
}

static void write_inner_loop(struct rng *rng, struct warp_stream *s, uint32_t lanes) {
    unsigned span = rng_chance(rng, 1, 2) ? 3 : 200; /* few lines are used again */
    uint64_t first = rng_below(rng, 200);
    assert_true(warp_stream_put(s, I_LOOP, lanes));
    for (unsigned trip = 1 + rng_below(rng, 9); trip; trip--) {
        assert_true(warp_stream_put(s, I_LOOP_TRIP, lanes));
        put_lines(s, I_LOAD, first + rng_below(rng, span), lanes);
        if (rng_chance(rng, 1, 2)) {
            assert_true(warp_stream_put(s, I_USE, lanes));
            put_lines(s, rng_chance(rng, 1, 3) ? I_STORE : I_OTHER_LOAD, rng_below(rng, 200),
                      lanes);
        }
        lanes = lanes_that_stay(rng, lanes);
    }
    assert_true(warp_stream_put(s, I_LOOP_END, lanes));
}

WARP_WRITER(write_random_loops) {
    const struct random_loops *l = user;
    struct rng cta_rng, rng;
    rng_seed(&cta_rng, l->seed + 1000 * launch + cta);
    rng_seed(&rng, l->seed + 1000000 + 100000 * launch + 100 * cta + warp);
    unsigned trips = 1 + rng_below(&cta_rng, 4); /* all warps of a CTA meet at each barrier */
    put_whole_line(s, I_OUTSIDE, rng_below(&rng, 200));
    put_insn(s, I_OUTER);
    for (; trips; trips--) {
        put_insn(s, I_OUTER_TRIP);
        if (rng_chance(&rng, 1, 2)) {
            put_insn(s, I_FIRST);
        }
        for (unsigned loops = rng_below(&rng, 3); loops; loops--) {
            write_inner_loop(&rng, s, lanes_that_stay(&rng, ALL_LANES));
        }
        if (l->barriers) {
            put_insn(s, I_BARRIER);
        }
        if (rng_chance(&rng, 1, 3)) {
            put_whole_line(s, I_OTHER_LOAD, rng_below(&rng, 200));
        }
    }
    put_insn(s, I_OUTER_END);
    put_whole_line(s, I_OUTSIDE, rng_below(&rng, 200));
}

static struct config random_core_with_daws(struct rng *rng) {
    struct config c = core_with_daws(1u << one_of(rng, 2, 6));
    c.core.count = one_of(rng, 1, 3);
    c.core.schedulers = one_of(rng, 1, 2);
    c.core.simd_width = rng_chance(rng, 1, 3) ? 16 : 32;
    c.core.ctas = one_of(rng, 1, 4);
    c.issue.scheduler = one_of(rng, SCHEDULER_LRR, SCHEDULER_OLDEST);
    c.issue.inflight_per_warp = rng_chance(rng, 1, 4);
    c.l1.sets = 1u << one_of(rng, 0, 2);
    c.l1.mshrs = one_of(rng, 1, 8);
    c.l1.front = rng_chance(rng, 1, 3) ? L1_FRONT_MRPB : L1_FRONT_NONE;
    c.daws.factor = one_of(rng, 10, 100);
    c.daws.latency = !rng_chance(rng, 1, 4);
    c.daws.sum = rng_below(rng, 2);
    c.daws.mark = rng_below(rng, 2);
    c.daws.lanes = rng_below(rng, 2);
    c.daws.outside = rng_below(rng, 2);
    c.daws.mode = rng_chance(rng, 1, 2) ? DAWS_PROFILED : DAWS_DETECTED;
    c.daws.locality = rng_below(rng, 3);
    c.daws.counter_bits = one_of(rng, 2, 8);
    assert_legal(&c);
    return c;
}

static void run_random_loops(struct machine_run *r, const struct config *c,
                             struct random_loops *loops, const struct gpu_options *way) {
    struct known_program k;
    struct gpu_options options = *way;
    open_known_program(&k, 6, 96);
    hand_launch(&k.p, 2, 64);
    k.p.warp = write_random_loops;
    k.p.user = loops;
    options.profile = c->daws.mode == DAWS_PROFILED ? &k.profile : NULL;
    run_test_machine(r, c, &options, &k.p.program, false);
    assert_complete(r);
}

/* Held loads, barriers in loops, and every option: all end, and count the same asleep, polled and
 * reversed. */
TEST(random_loops_end_and_count_the_same_however_they_are_evaluated) {
    static const struct gpu_options ways[] = {
        {.poll = true}, {.reverse = true}, {.poll = true, .reverse = true}};
    unsigned held[2] = {0};
    uint64_t lost = 0;
    for (unsigned m = 0; m < 150; m++) {
        struct rng rng = seeded_rng(m);
        struct config c = random_core_with_daws(&rng);
        struct random_loops loops = {.seed = rng_next(&rng), .barriers = m & 1};
        char what[64];
        RUN_BY(run_random_loops, asleep, &c, &loops, &(struct gpu_options){0});
        RUN_BY(run_random_loops, other, &c, &loops, &ways[m % 3]);
        snprintf(what, sizeof what, "machine %u, way %u", m, m % 3);
        assert_same_run(&asleep, &other, what);
        lost += run_counter(&asleep, "daws.lost_held_in_loop");
        held[c.daws.mode == DAWS_DETECTED] += run_counter(&asleep, "core.descheduled_cycles") > 0;
    }
    assert_true(held[0] > 20 && held[1] > 10 && lost > 0);
}
