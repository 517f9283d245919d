/* SPDX-License-Identifier: Apache-2.0
 *
 * What config_check() accepts can be built, runs every kernel that fits to its end, conserves, and
 * counts the same however it is evaluated, interrupted or not, and read from a trace file.
 * Arguments: seed, number of machines: 40 in `make unit-long`, else 12.
 */
#include "base/long_test.h"
#include "base/seeded.h"

#include <unistd.h>

#include "gpu/machine_run.h"
#include "gpu/random_kernel.h"
#include "trace/wtr_reader.h"
#include "trace/wtr_writer.h"

enum { MACHINES = 40, MACHINES_OF_A_DAY = 12, DRAWS = 1600 };

/* Evaluations of units that a polled run may take. */
#define POLLED_MAX UINT64_C(1000000)

static const struct machine_draws draws = {any_number, .lines = 1 << 19, .slow = 200, .burst = ~0u,
                                           .ideal = true};

/* --- runs --- */

static void assert_ended(const struct machine_run *r, const struct config *c, uint64_t seed,
                         bool limited) {
    if (!(limited && r->status == GPU_LIMIT) && (r->status != GPU_COMPLETE || r->broken[0])) {
        config_print(c, stderr);
        fail_msg("seed 0x%" PRIx64 ": status %d: %s%s\n%s", seed, (int)r->status, r->message,
                 r->broken, r->dump ? r->dump : "");
    }
}

/* Trace files know an atomic on shared memory as the load that it costs. */
static void any_program(struct hand_program *p, struct random_kernel *k, const struct config *c,
                        uint64_t seed) {
    random_program(p, k, c, seed);
    for (unsigned i = 0; i < RANDOM_INSNS; i++) {
        if (p->insns[i].op == OP_ATOMIC && p->insns[i].space == SPACE_SHARED) {
            p->insns[i].op = OP_LOAD;
        }
    }
}

static void run_any(struct machine_run *r, const struct config *c, uint64_t seed,
                    struct gpu_options options) {
    struct hand_program p;
    struct random_kernel k;
    any_program(&p, &k, c, seed);
    run_test_machine(r, c, &options, &p.program, false);
    assert_ended(r, c, seed, options.max_cycles);
    if (!options.max_cycles) {
        assert_true(run_counter(r, "core.warp_instructions") == k.counts.warp_instructions);
        assert_true(run_counter(r, "core.thread_instructions") == k.counts.thread_instructions);
    }
    machine_run_free(r);
}

static void record_any_program(FILE *f, const struct config *c, uint64_t seed) {
    static const struct wtr_origin origin = {"random", "-", 0};
    struct hand_program p;
    struct random_kernel k;
    const struct launch *launch;
    struct wtr_writer *w = wtr_writer_create(f, &origin);
    struct cta_trace *t = cta_trace_create();
    any_program(&p, &k, c, seed);
    while (p.program.next_launch(p.program.self, &launch)) {
        if (!wtr_write_launch(w, launch)) {
            fail_msg("%s", wtr_writer_error(w));
        }
        for (unsigned cta = 0; cta < launch_ctas(launch); cta++) {
            assert_true(p.program.run_cta(p.program.self, cta, t) && wtr_write_cta(w, t));
        }
    }
    assert_true(wtr_writer_finish(w));
    cta_trace_destroy(t);
    wtr_writer_destroy(w);
}

static void run_any_trace(struct machine_run *r, const struct config *c, uint64_t seed) {
    char path[] = "/tmp/warpmem_any_XXXXXX", error[1024];
    FILE *f = fdopen(mkstemp(path), "wb");
    record_any_program(f, c, seed);
    assert_int_equal(fclose(f), 0);
    struct wtr_reader *reader = wtr_reader_open(path, error, sizeof error);
    if (!reader) {
        fail_msg("%s", error);
    }
    struct program p = wtr_reader_program(reader);
    run_test_machine(r, c, &(struct gpu_options){0}, &p, false);
    assert_null(wtr_reader_error(reader));
    assert_ended(r, c, seed, false);
    machine_run_free(r);
    wtr_reader_close(reader);
    remove(path);
}

TEST(any_legal_machine_finishes_conserves_and_counts_the_same) {
    const unsigned machines =
        (unsigned)test_number(1, is_long_test() ? MACHINES : MACHINES_OF_A_DAY);
    unsigned polled = 0;
    for (unsigned m = 0; m < machines || polled <= machines / 8; m++) {
        static struct machine_run first, other;
        uint64_t seed = test_seed() + m;
        char what[64];
        struct rng rng;
        assert_true(m < 4 * machines);
        rng_seed(&rng, seed);
        struct config c = any_machine(&rng, &draws);
        snprintf(what, sizeof what, "seed 0x%" PRIx64, seed);
        run_any(&first, &c, seed, (struct gpu_options){0});
        run_any(&other, &c, seed, (struct gpu_options){.reverse = true});
        assert_same_run(&first, &other, what);
        run_any_trace(&other, &c, seed);
        assert_same_run(&first, &other, what);
        uint64_t units = c.core.count + 2 + 2 * c.l2.partitions, cycles = first.cycles;
        if (cycles * units < POLLED_MAX) {
            run_any(&other, &c, seed, (struct gpu_options){.poll = true, .reverse = true});
            assert_same_run(&first, &other, what);
            polled++;
        }
        uint64_t end = cycles * units < POLLED_MAX ? cycles : POLLED_MAX / units;
        end = end ? 1 + rng_next(&rng) % end : 1;
        run_any(&first, &c, seed, (struct gpu_options){.max_cycles = end});
        run_any(&other, &c, seed, (struct gpu_options){.max_cycles = end, .poll = true});
        assert_same_run(&first, &other, what);
    }
}

/* --- that the machines are all there are --- */

struct range {
    struct config first;
    unsigned least, most;
    bool varied;
};

static unsigned key_number_of(const struct config *c, unsigned i) {
    char text[CONFIG_KEY_TEXT];
    return (unsigned)strtoul(config_value_text(c, i, text), NULL, 10);
}

static void look_at_key(struct range *r, const struct config *c, unsigned i) {
    unsigned value = key_number_of(c, i);
    r->varied |= !config_key_same(&r->first, c, i);
    r->least = value < r->least ? value : r->least;
    r->most = value > r->most ? value : r->most;
}

/* Ends that no machine reaches here, and why. */
static const struct {
    const char *key;
    bool below, above;
} unreached[] = {
    {"clock.core", true, true}, /* frequencies lie at most draws.slow apart, and around */
    {"clock.noc", true, true},  /* those of the machine that the draws begin with */
    {"clock.l2", true, true},   {"clock.dram", true, true},
    {"l1.ways", false, true}, /* capacity: config_check() and draws.lines */
    {"l2.ways", false, true},   {"dram.ras", false, true}, /* ras + rp <= rc <= 255 */
    {"dram.rp", false, true},   {"dram.rc", true, false},
};

static bool may_miss(const char *key, bool above) {
    for (size_t i = 0; i < sizeof unreached / sizeof *unreached; i++) {
        if (!strcmp(key, unreached[i].key)) {
            return above ? unreached[i].above : unreached[i].below;
        }
    }
    return false;
}

/* The keys that name a plug-in's policy, which a random machine has not. */
static bool is_named_policy(unsigned i) {
    return !strcmp(config_key_at(i)->name, "policy");
}

static void draw_machines(struct range range[CONFIG_KEYS], struct config (*machine)(struct rng *)) {
    for (unsigned m = 0; m < DRAWS; m++) {
        struct rng rng;
        rng_seed(&rng, m); /* these draws are the same whatever the seed: no luck decides */
        struct config c = machine(&rng);
        for (unsigned i = 0; i < CONFIG_KEYS; i++) {
            if (!m) {
                range[i] = (struct range){.first = c, .least = ~0u};
            }
            look_at_key(&range[i], &c, i);
        }
    }
}

static struct config any_bounded(struct rng *rng) {
    return any_machine(rng, &draws);
}

TEST(every_key_reaches_both_ends_of_its_range) {
    static struct range range[CONFIG_KEYS];
    unsigned missed = 0;
    draw_machines(range, any_bounded);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const struct config_key *key = config_key_at(i);
        char key_text[CONFIG_KEY_TEXT];
        config_key_text(i, key_text);
        bool below = key->kind != CONFIG_NUMBER || range[i].least == key->min,
             above = key->kind != CONFIG_NUMBER || range[i].most == key->max;
        if (is_named_policy(i)) {
            continue;
        }
        if (!range[i].varied || !(below || may_miss(key_text, false)) ||
            !(above || may_miss(key_text, true))) {
            print_error("%s: %u..%u\n", key_text, range[i].least, range[i].most);
            missed++;
        }
    }
    assert_int_equal(missed, 0);
}

TEST(small_machines_vary_in_every_key) {
    static struct range range[CONFIG_KEYS];
    draw_machines(range, random_machine);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        char text[CONFIG_KEY_TEXT];
        if (!range[i].varied && !is_named_policy(i)) {
            fail_msg("%s never varied", config_key_text(i, text));
        }
    }
}
