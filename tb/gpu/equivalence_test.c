/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine that sleeps, one that evaluates everything every cycle, one that evaluates its units in
 * the opposite order, and one whose L2 moves nothing early count the same, bit for bit: on each
 * workload, interrupted at any cycle, and on random machines and kernels. Arguments: seed, number
 * of random machines.
 * `make unit-long` crosses all workloads with all ways; else every third workload has one of them,
 * each configuration has one workload of the sample, and each random machine one way.
 */
#include "base/long_test.h"
#include "base/seeded.h"
#include "base/unit_set.h"

#include "config/derived.h"
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"
#include "gpu/random_kernel.h"
#include "l1/test_policies.h"
#include "workloads/sample.h"
#include "workloads/workload.h"

static const struct {
    const char *name;
    struct gpu_options options;
} ways[] = {{"asleep", {0}},
            {"polled", {.poll = true}},
            {"reversed", {.reverse = true}},
            {"in time", {.in_time = true}},
            {"polled, reversed", {.poll = true, .reverse = true}},
            {"in time, polled", {.in_time = true, .poll = true}}};
enum { WAYS = sizeof ways / sizeof *ways, WAYS_OF_LONG_RUNS = 4 };

/* The policy that l1.policy names: one for tests. */
static const struct l1_policy_kind *l1_policy_of(const struct config *c) {
    const struct l1_policy_kind *kind = NULL;
    for (unsigned i = 0; config_names_policy(c->l1.policy) && (kind = busy_policy(i)); i++) {
        if (!strcmp(kind->name, c->l1.policy)) {
            break;
        }
    }
    return kind;
}

/* The i-th policy for tests, where the machine can have it. */
static void name_l1_policy(struct config *c, unsigned i) {
    const struct l1_policy_kind *kind = busy_policy(i);
    char why[256];
    if (kind && l1_policy_fits(c, kind, &(struct build){.error = why, .error_size = sizeof why})) {
        snprintf(c->l1.policy, sizeof c->l1.policy, "%s", kind->name);
    }
}

/* --- workloads --- */

static struct config config_with_scheme(unsigned front, unsigned scheduler) {
    struct config c = base_preset();
    c.l1.front = front;
    c.issue.scheduler = scheduler;
    assert_legal(&c);
    return c;
}

static void run_workload_in_way(struct machine_run *r, const struct workload *w,
                                const struct config *c, unsigned way, uint64_t max_cycles) {
    struct gpu_options options = ways[way].options;
    struct program p;
    const char *wrong = workload_open(w, &p, SIZE_TINY, 1);
    if (wrong) {
        fail_msg("%s: %s", w->name, wrong);
    }
    options.max_cycles = max_cycles;
    options.policies.l1 = l1_policy_of(c);
    run_test_machine(r, c, &options, &p, false);
    if (!max_cycles) {
        struct workload_expectation e;
        assert_complete(r);
        wrong = workload_check(w, &p);
        if (wrong) {
            fail_msg("%s: %s", w->name, wrong);
        }
        workload_expect(w, &p, config_warp_line(c), &e);
        assert_true(workload_meets(run_counter(r, "core.warp_instructions"), e.warp_instructions));
        assert_true(
            workload_meets(run_counter(r, "core.thread_instructions"), e.thread_instructions));
        assert_true(
            workload_meets(run_counter(r, "l1.global_read_accesses"), e.global_read_accesses));
        assert_true(
            workload_meets(run_counter(r, "l1.global_write_accesses"), e.global_write_accesses));
    }
    workload_close(w, &p);
}

/* The ways from @way to before @end, and the first. */
static void compare_ways(const struct workload *w, const struct config *c, uint64_t max_cycles,
                         unsigned way, unsigned end) {
    struct machine_run first, other;
    run_workload_in_way(&first, w, c, 0, max_cycles);
    for (; way < end; way++) {
        char what[128];
        run_workload_in_way(&other, w, c, way, max_cycles);
        snprintf(what, sizeof what, "%s, front %u, scheduler %u, %s, max cycles %" PRIu64, w->name,
                 c->l1.front, c->issue.scheduler, ways[way].name, max_cycles);
        assert_same_run(&first, &other, what);
    }
}

static void compare_workload(const struct workload *w, const struct config *c,
                             uint64_t max_cycles) {
    compare_ways(w, c, max_cycles, 1, WAYS_OF_LONG_RUNS);
}

/* Each workload of the sample with the @turn-th configuration, each way; but for `make unit-long`
 * one of them, one way. */
static void compare_sample(const struct config *c, unsigned turn) {
    const struct workload *w;
    unsigned workloads = 0;
    while (workload_sample(workloads)) {
        workloads++;
    }
    for (unsigned i = 0; (w = workload_sample(i)); i++) {
        if (is_long_test()) {
            compare_workload(w, c, 0);
        } else if (i == turn % workloads) {
            unsigned way = 1 + turn / workloads % (WAYS_OF_LONG_RUNS - 1);
            compare_ways(w, c, 0, way, way + 1);
        }
    }
}

/* Counters that depend on neither base order nor cache. */
static struct config limited_config(unsigned scheduler) {
    struct config c = config_with_scheme(0, scheduler);
    c.issue.group_warps = 4;
    if (scheduler != SCHEDULER_TWO_LEVEL) {
        c.issue.warp_limit = 3;
        c.issue.inflight_per_warp = 1;
        c.core.simd_width = 16;
    }
    assert_legal(&c);
    return c;
}

TEST(every_workload_counts_the_same_however_it_is_evaluated) {
    const struct workload *w;
    for (unsigned i = 0; (w = workload_at(i)); i++) {
        for (unsigned k = 0; k < 2; k++) {
            struct config c = config_with_scheme(k, SCHEDULER_LRR);
            if (is_long_test()) {
                compare_workload(w, &c, 0);
            } else if (i % 3 == 0 && k == i / 3 % 2) {
                unsigned way = 1 + i / 6 % (WAYS_OF_LONG_RUNS - 1);
                compare_ways(w, &c, 0, way, way + 1);
            }
        }
    }
}

/* With more channels than a clock has units, some are evaluated for each other's sake, and a full
 * one has run ahead of that time. */
TEST(channels_that_share_a_unit_count_the_same_when_they_are_full) {
    struct config c = base_preset();
    c.l2.partitions = UNITS_MAX;
    c.dram.queue = 1;
    assert_legal(&c);
    compare_ways(workload_find("fwt"), &c, 12000, 1, WAYS_OF_LONG_RUNS);
}

/* The largest machine. CTAs go to one core after the other, so that each has one. */
TEST(the_most_cores_and_partitions_count_the_same) {
    const struct workload *w = workload_find("fwt");
    for (unsigned queues = 0; queues < 2; queues++) {
        struct config c = base_preset();
        struct machine_run r;
        c.core.count = c.l2.partitions = UNITS_MAX;
        c.noc.virtual_outputs = queues;
        assert_legal(&c);
        compare_ways(w, &c, 12000, 1, WAYS_OF_LONG_RUNS);
        run_workload_in_way(&r, w, &c, 0, 0);
        assert_true(run_counter(&r, "core.ctas") >= UNITS_MAX);
        assert_true(run_counter(&r, "l2.p191b0.requests") > 0);
        machine_run_free(&r);
    }
}

/* MRPB table 4: every signature, drain policy, flush, bound and way of bypassing. */
TEST(workloads_count_the_same_at_each_point_of_mrpbs_design_space) {
    unsigned turn = 0;
    for (unsigned k = 0; k < 6; k++) {
        struct config c = config_with_scheme(L1_FRONT_MRPB, SCHEDULER_LRR);
        c.mrpb.drain = k;
        c.mrpb.signature = k % 3;
        c.mrpb.bypass = k / 2;
        c.mrpb.flush = k & 1;
        c.mrpb.depth = k < 2 ? 0 : 1u << (k - 1);
        c.mrpb.latency = 3 + 3 * k;
        assert_legal(&c);
        compare_sample(&c, turn++);
    }
    for (unsigned bypass = MRPB_BYPASS_ASSOCIATIVITY; bypass <= MRPB_BYPASS_ALL; bypass++) {
        struct config c = config_with_scheme(L1_FRONT_SLOT, SCHEDULER_LRR);
        c.mrpb.bypass = bypass;
        compare_sample(&c, turn++);
    }
}

TEST(workloads_count_the_same_with_each_scheduler) {
    unsigned turn = 0;
    for (unsigned k = 0; k < 4; k++) {
        struct config c = config_with_scheme(k & 1, k & 2 ? SCHEDULER_GTO : SCHEDULER_LRR);
        compare_sample(&c, turn++);
    }
    struct config oldest = limited_config(SCHEDULER_OLDEST),
                  groups = limited_config(SCHEDULER_TWO_LEVEL);
    compare_sample(&oldest, turn++);
    compare_sample(&groups, turn++);
    for (unsigned k = 0; k < 3; k++) {
        struct config ctas = config_with_scheme(0, SCHEDULER_CTA_AWARE + k);
        ctas.owl.life = k;
        compare_sample(&ctas, turn++);
    }
}

/* Few lines, so that they are lost, and scores that stay long. */
TEST(workloads_count_the_same_with_throttled_loads) {
    unsigned turn = 0;
    for (unsigned k = 0; k < 4; k++) {
        struct config c = config_with_scheme(k & 1, k & 2 ? SCHEDULER_GTO : SCHEDULER_LRR);
        c.ccws.mode = true;
        c.l1.sets = 2;
        c.ccws.k = 1u << (2 * k);
        assert_legal(&c);
        compare_sample(&c, turn++);
    }
}

/* Few lines and MSHRs, so that prefetches evict, are dropped and are late. */
TEST(workloads_count_the_same_with_prefetches) {
    unsigned turn = 0;
    for (unsigned k = 0; k < 6; k++) {
        struct config c = config_with_scheme(k & 1, k & 2 ? SCHEDULER_GTO : SCHEDULER_LRR);
        c.l1.sets = 1u << k;
        c.l1.mshrs = 4 + 4 * k;
        c.l1.sectors = k == 4;
        c.l1.allocate = k == 5 ? L1_ALLOCATE_FILL : L1_ALLOCATE_MISS;
        c.l1.local_write = L1_WRITE_EVICT;
        name_l1_policy(&c, k % 3);
        assert_legal(&c);
        compare_sample(&c, turn++);
    }
}

TEST(a_run_that_ends_early_has_counted_the_same_too) {
    static const uint64_t cycles[] = {1, 2, 6, 13, 101, 997, 1459, 9999, 20011, 65537, 100003};
    const struct workload *w;
    for (unsigned i = 0; (w = workload_sample(i)); i++) {
        for (unsigned k = 0; k < 4; k++) {
            struct config c = config_with_scheme(k & 1, k & 2 ? SCHEDULER_GTO : SCHEDULER_LRR);
            for (size_t m = 0; m < sizeof cycles / sizeof *cycles; m++) {
                compare_workload(w, &c, cycles[m]);
            }
        }
    }
}

TEST(a_run_ends_at_its_limit_or_before) {
    struct config c = config_with_scheme(0, SCHEDULER_LRR);
    struct machine_run whole, cut;
    const struct workload *w = workload_find("vecadd");
    run_workload_in_way(&whole, w, &c, 0, 0);
    for (unsigned way = 0; way < WAYS; way++) {
        run_workload_in_way(&cut, w, &c, way, whole.cycles / 2);
        assert_true(cut.status == GPU_LIMIT && cut.cycles == whole.cycles / 2);
        run_workload_in_way(&cut, w, &c, way, whole.cycles + 1);
        assert_true(cut.status == GPU_COMPLETE);
        assert_same_run(&whole, &cut, "limit beyond the end");
    }
}

/* --- random machines --- */

enum { MACHINES = 150, MACHINES_INTERRUPTED = 60, MACHINES_CAPPED = 15, MACHINES_MORE = 290 };

struct limits {
    uint64_t cycles, insn, insn_per_kernel;
};

static void run_random_machine(struct machine_run *r, struct random_counts *counts, uint64_t seed,
                               unsigned way, struct limits limits) {
    struct rng rng;
    struct hand_program p;
    struct random_kernel k;
    rng_seed(&rng, seed);
    struct config c = random_machine(&rng);
    struct gpu_options options = ways[way].options;
    name_l1_policy(&c, rng_below(&rng, 6));
    options.policies.l1 = l1_policy_of(&c);
    options.max_cycles = limits.cycles;
    options.max_insn = limits.insn;
    options.max_insn_per_kernel = limits.insn_per_kernel;
    options.watchdog_cycles = 200000;
    random_program(&p, &k, &c, seed);
    run_test_machine(r, &c, &options, &p.program, false);
    *counts = k.counts;
    if (r->dump) {
        fprintf(stderr, "seed 0x%" PRIx64 ", %s\n%s", seed, ways[way].name, r->dump);
    }
    if (!limits.cycles && !limits.insn && (r->status != GPU_COMPLETE || r->broken[0])) {
        fail_msg("seed 0x%" PRIx64 ", %s: status %d: %s%s", seed, ways[way].name, (int)r->status,
                 r->message, r->broken);
    }
    machine_run_free(r);
}

static void check_random_counts(const struct machine_run *r, const struct random_counts *n) {
    assert_true(run_counter(r, "core.warp_instructions") == n->warp_instructions);
    assert_true(run_counter(r, "core.thread_instructions") == n->thread_instructions);
    assert_true(run_counter(r, "core.barriers") == n->barriers &&
                run_counter(r, "core.fences") == n->fences);
    assert_true(run_counter(r, "l1.global_read_accesses") == n->reads[SPACE_GLOBAL]);
    assert_true(run_counter(r, "l1.local_read_accesses") == n->reads[SPACE_LOCAL]);
    assert_true(run_counter(r, "l1.global_write_accesses") == n->writes[SPACE_GLOBAL]);
    assert_true(run_counter(r, "l1.local_write_accesses") == n->writes[SPACE_LOCAL]);
    assert_true(run_counter(r, "l1.atomics") == n->atomics);
    assert_true(run_counter(r, "texture.accesses") == n->reads[SPACE_TEXTURE]);
    assert_true(run_counter(r, "constant.accesses") == n->reads[SPACE_CONSTANT]);
    assert_true(run_counter(r, "shared.instructions") == n->shared);
    assert_true(run_counter(r, "l1.read_hits") + run_counter(r, "l1.read_pending_hits") +
                    run_counter(r, "l1.read_misses") + run_counter(r, "l1.read_bypasses") ==
                n->reads[SPACE_GLOBAL] + n->reads[SPACE_LOCAL]);
}

/* Machines differ in what they register: counters are added up by name. */
static void add_counters(struct machine_run *sum, const struct machine_run *r) {
    for (size_t i = 0; i < r->counters; i++) {
        size_t at = 0;
        while (at < sum->counters && strcmp(sum->name[at], r->name[i])) {
            at++;
        }
        sum->counters += at == sum->counters;
        sum->name[at] = r->name[i];
        sum->value[at] += r->value[i];
    }
}

/* Counters that these runs need not reach: single banks, long delays; capped launches are tested
 * elsewhere in this file. */
static bool is_reached_elsewhere(const char *name) {
    static const char *const prefix[] = {"l2.p0",
                                         "l2.p1",
                                         "l2.p2",
                                         "l2.p3",
                                         "l2.p4",
                                         "l2.p5",
                                         "l2.queue_delay_ge_",
                                         "gpu.capped_launches",
                                         "daws.lost_held_in_loop", /* tb/gpu/daws_test.c */
                                         "l1.victim_refused",      /* tb/l1/victim_watch_test.c */
                                         "daws.refused"};          /* tb/issue/daws_*_test.c */
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
        if (!strncmp(name, prefix[i], strlen(prefix[i]))) {
            return true;
        }
    }
    return false;
}

static const char *never_counted(const struct machine_run *sum) {
    for (size_t i = 0; i < sum->counters; i++) {
        if (!sum->value[i] && !is_reached_elsewhere(sum->name[i])) {
            return sum->name[i];
        }
    }
    return NULL;
}

static void compare_random(uint64_t seed, struct machine_run *sum) {
    static struct machine_run first, other;
    struct random_counts counts;
    run_random_machine(&first, &counts, seed, 0, (struct limits){0});
    check_random_counts(&first, &counts);
    for (unsigned way = 1; way < WAYS; way++) {
        char what[64];
        if (!is_long_test() && way != 1 + seed % (WAYS - 1)) {
            continue;
        }
        run_random_machine(&other, &counts, seed, way, (struct limits){0});
        snprintf(what, sizeof what, "seed 0x%" PRIx64 ", %s", seed, ways[way].name);
        assert_same_run(&first, &other, what);
    }
    add_counters(sum, &first);
}

TEST(random_machines_finish_conserve_and_count_the_same) {
    static struct machine_run sum; /* of all machines: what the kernels reached */
    const unsigned machines = (unsigned)test_number(1, MACHINES);
    for (unsigned m = 0; m < machines; m++) {
        compare_random(test_seed() + m, &sum);
    }
    /* A counter that stayed zero has been compared with nothing. Counters that the draws of one
     * seed miss, others must reach. */
    for (unsigned more = 0; never_counted(&sum); more++) {
        if (more == MACHINES_MORE) {
            fail_msg("%s was never counted", never_counted(&sum));
        }
        compare_random(test_seed() + 10000 + more, &sum);
    }
}

TEST(random_machines_that_are_interrupted_have_counted_the_same) {
    unsigned cut = 0;
    for (unsigned m = 0; m < MACHINES_INTERRUPTED; m++) {
        uint64_t seed = test_seed() + 1000 + m;
        struct rng rng;
        rng_seed(&rng, ~seed);
        for (unsigned k = 0; k < 3; k++) {
            struct machine_run first, other;
            struct random_counts counts;
            uint64_t max_cycles = 1 + rng_below(&rng, k ? 4000 : 100);
            run_random_machine(&first, &counts, seed, 0, (struct limits){.cycles = max_cycles});
            cut += first.status == GPU_LIMIT;
            for (unsigned way = 1; way < WAYS; way++) {
                char what[96];
                run_random_machine(&other, &counts, seed, way,
                                   (struct limits){.cycles = max_cycles});
                snprintf(what, sizeof what, "seed 0x%" PRIx64 ", %s, max cycles %" PRIu64, seed,
                         ways[way].name, max_cycles);
                assert_same_run(&first, &other, what);
            }
        }
    }
    assert_true(cut > 100);
}

/* A cap that is sure to be reached long before the end: of the run, of its longest kernel, which
 * has at least a share of the instructions, or of both, where the run ends first or never. */
static struct limits random_caps(struct rng *rng, const struct machine_run *whole, unsigned kind) {
    uint64_t insn = run_counter(whole, "core.thread_instructions");
    unsigned some = insn < 8 * RANDOM_LAUNCHES_MAX ? 1 : (unsigned)(insn / 2);
    struct limits limits = {.insn = 1 + rng_below(rng, some),
                            .insn_per_kernel = 1 + rng_below(rng, some / RANDOM_LAUNCHES_MAX + 1)};
    if (kind == 0) {
        limits.insn_per_kernel = 0;
    } else if (kind == 1) {
        limits.insn = 0;
    }
    return limits;
}

TEST(random_machines_with_instruction_caps_have_counted_the_same) {
    const unsigned machines = is_long_test() ? MACHINES_INTERRUPTED : MACHINES_CAPPED;
    for (unsigned m = 0; m < machines; m++) {
        uint64_t seed = test_seed() + 2000 + m;
        struct rng rng;
        struct machine_run first, other;
        struct random_counts counts;
        rng_seed(&rng, ~seed);
        run_random_machine(&first, &counts, seed, 0, (struct limits){0});
        bool is_long = counts.thread_instructions > 10000;
        struct limits limits = random_caps(&rng, &first, m % 3);
        run_random_machine(&first, &counts, seed, 0, limits);
        if (is_long && m % 3 == 0) {
            assert_true(first.status == GPU_LIMIT);
        } else if (is_long && m % 3 == 1) {
            assert_true(first.status == GPU_COMPLETE && run_counter(&first, "gpu.capped_launches"));
        }
        for (unsigned way = 1; way < WAYS; way++) {
            char what[128];
            run_random_machine(&other, &counts, seed, way, limits);
            snprintf(what, sizeof what,
                     "seed 0x%" PRIx64 ", %s, max insn %" PRIu64 ", a kernel %" PRIu64, seed,
                     ways[way].name, limits.insn, limits.insn_per_kernel);
            assert_same_run(&first, &other, what);
        }
    }
}
