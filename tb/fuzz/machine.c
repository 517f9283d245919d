/* SPDX-License-Identifier: Apache-2.0
 * Machines and traffic. The bytes say which machine, preset or small, and which keys of it are
 * changed to what; what config_check() accepts is built and runs a kernel. It must come to its end,
 * conserve, count what the kernel has, and count the same asleep, polled, in the opposite order,
 * cut short, and from a trace file. */
#include "fuzz/byte_rng.h"
#include "fuzz/fuzz.h"

#include "fuzz/promises.h"
#include "gpu/machine_run.h"
#include "gpu/random_kernel.h"
#include "trace/wtr_reader.h"
#include "trace/wtr_writer.h"

/* Evaluations of units that a polled run may take: a twentieth of a second with sanitizers. */
#define POLLED_MAX UINT64_C(20000)

static const struct machine_draws draws = {any_number, .lines = 1 << 14, .slow = 50, .burst = ~0u,
                                           .ideal = true};

struct traffic {
    struct hand_program p;
    struct random_kernel k;
};

/* Trace files know an atomic on shared memory as the load that it costs. */
static void traffic_open(struct traffic *t, const struct config *c, uint64_t seed) {
    random_program(&t->p, &t->k, c, seed);
    for (unsigned i = 0; i < RANDOM_INSNS; i++) {
        if (t->p.insns[i].op == OP_ATOMIC && t->p.insns[i].space == SPACE_SHARED) {
            t->p.insns[i].op = OP_LOAD;
        }
    }
}

static void judge_run(const struct machine_run *r, bool limited) {
    fuzz_check(r->status == GPU_COMPLETE || (limited && r->status == GPU_LIMIT),
               "status %d: %s\n%s", (int)r->status, r->message, r->dump ? r->dump : "");
    fuzz_check(!*r->broken, "not conserved: %s", r->broken);
}

static void run_traffic(struct machine_run *r, const struct config *c, uint64_t seed,
                        struct gpu_options options) {
    static struct traffic t;
    traffic_open(&t, c, seed);
    run_test_machine(r, c, &options, &t.p.program, false);
    judge_run(r, options.max_cycles);
    if (!options.max_cycles) {
        fuzz_check(run_counter(r, "core.warp_instructions") == t.k.counts.warp_instructions &&
                       run_counter(r, "core.thread_instructions") ==
                           t.k.counts.thread_instructions &&
                       run_counter(r, "core.barriers") == t.k.counts.barriers &&
                       run_counter(r, "core.fences") == t.k.counts.fences &&
                       run_counter(r, "shared.instructions") == t.k.counts.shared,
                   "instructions were lost or doubled");
    }
    machine_run_free(r);
}

static void record_traffic(const char *path, const struct config *c, uint64_t seed) {
    static const struct wtr_origin origin = {"any", "-", 0};
    static struct traffic t;
    const struct launch *launch;
    FILE *f = fopen(path, "wb");
    struct wtr_writer *w = wtr_writer_create(f, &origin);
    struct cta_trace *trace = cta_trace_create();
    traffic_open(&t, c, seed);
    while (t.p.program.next_launch(t.p.program.self, &launch)) {
        fuzz_check(wtr_write_launch(w, launch), "%s", wtr_writer_error(w));
        for (unsigned cta = 0; cta < launch_ctas(launch); cta++) {
            fuzz_check(t.p.program.run_cta(t.p.program.self, cta, trace) && wtr_write_cta(w, trace),
                       "a CTA cannot be written");
        }
    }
    fuzz_check(wtr_writer_finish(w), "%s", wtr_writer_error(w));
    cta_trace_destroy(trace);
    wtr_writer_destroy(w);
    fclose(f);
}

static void run_recorded_traffic(struct machine_run *r, const struct config *c, uint64_t seed) {
    char error[1024] = "";
    const char *path = fuzz_path("any.wtr");
    record_traffic(path, c, seed);
    struct wtr_reader *reader = wtr_reader_open(path, error, sizeof error);
    fuzz_check(reader, "%s", error);
    struct program p = wtr_reader_program(reader);
    run_test_machine(r, c, &(struct gpu_options){0}, &p, false);
    fuzz_check(!wtr_reader_error(reader), "%s", wtr_reader_error(reader));
    judge_run(r, false);
    machine_run_free(r);
    wtr_reader_close(reader);
}

static void compare_machine_runs(const struct config *c, uint64_t seed, uint64_t cut) {
    static struct machine_run first, other;
    uint64_t units = c->core.count + 2 + 2 * c->l2.partitions;
    run_traffic(&first, c, seed, (struct gpu_options){0});
    if (cut & 1) {
        run_traffic(&other, c, seed, (struct gpu_options){.reverse = true});
        assert_same_run(&first, &other, "reversed");
    } else {
        run_recorded_traffic(&other, c, seed);
        assert_same_run(&first, &other, "from a trace file");
    }
    uint64_t end = first.cycles * units < POLLED_MAX ? first.cycles : POLLED_MAX / units;
    end = end ? 1 + cut % end : 1;
    run_traffic(&first, c, seed, (struct gpu_options){.max_cycles = end});
    run_traffic(&other, c, seed, (struct gpu_options){.max_cycles = end, .poll = true});
    assert_same_run(&first, &other, "cut short, polled");
}

/* A preset's machine, made small enough, or a small one by chance. */
static struct config begin_machine(struct rng *rng, unsigned which, uint64_t seed) {
    struct config_error e;
    const char *name = config_preset_name(which, NULL);
    if (!name) {
        rng_seed(rng, seed);
        return random_machine(rng);
    }
    struct config c = promise_preset(name);
    c.l1.sets = c.l2.sets = 32;
    c.l1.ways = c.l2.ways = 2;
    fuzz_check(config_check(&c, &e), "%s", e.text);
    return c;
}

static void run_machine_target(const uint8_t *data, size_t size) {
    struct fuzz_bytes b = {data, size};
    struct rng rng;
    unsigned which = fuzz_byte(&b) % 12;
    uint64_t seed = fuzz_u16(&b), cut = fuzz_u16(&b);
    struct config c = begin_machine(&rng, which, seed);
    rng_bytes(&rng, b.at, b.at + b.left, seed);
    while (rng.at != rng.end) {
        draw_legal_key(&rng, &c, rng_below(&rng, CONFIG_KEYS), &draws);
    }
    if (is_affordable(&c, &draws)) {
        compare_machine_runs(&c, seed, cut);
    }
}

const struct fuzz_target fuzz_machine = {"machine", run_machine_target};
