/* SPDX-License-Identifier: Apache-2.0
 * Messages and files of a run whose machine or workload fails: a scripted machine stands in
 * the real one's place (its functions are defined here, so the linker leaves cmodel/gpu
 * out). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/unit_tests.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "workloads/host.h"

/* The script of the machine and the workload. */
struct script {
    enum gpu_status status;
    const char *refused, *not_conserved, *wrong_results;
    bool no_open;
    uint64_t warp_instructions; /* that the machine counts; the workload expects 100 */
};

struct gpu {
    uint64_t count[4];
};

static struct script script; /* the functions below have no other way to see it */

static const struct stat_desc counters[] = {
    {"core.warp_instructions", "instructions", "issued", "model", STAT_SUM},
    {"core.thread_instructions", "instructions", "times lanes", "model", STAT_SUM},
    {"l1.global_read_accesses", "accesses", "loads", "model", STAT_SUM},
    {"l1.global_write_accesses", "accesses", "stores", "model", STAT_SUM},
};

struct gpu *gpu_create(const struct config *config, const struct gpu_options *options, char *error,
                       size_t error_size) {
    (void)config;
    (void)options;
    if (script.refused) {
        snprintf(error, error_size, "%s", script.refused);
        return NULL;
    }
    return calloc(1, sizeof(struct gpu));
}

void gpu_destroy(struct gpu *g) {
    free(g);
}

bool gpu_register_stats(struct gpu *g, struct stats *s) {
    bool good = true;
    for (unsigned i = 0; i < 4; i++) {
        good = good && stats_register(s, &counters[i], &g->count[i]);
    }
    return good;
}

enum gpu_status gpu_run(struct gpu *g, struct program *p) {
    (void)p;
    g->count[0] = script.warp_instructions;
    g->count[1] = 3200;
    g->count[2] = 30;
    g->count[3] = 4;
    return script.status;
}

uint64_t gpu_cycles(const struct gpu *g) {
    return g->count[1] ? 1600 : 0;
}

struct gpu_kernels gpu_take_kernels(struct gpu *g) {
    (void)g;
    return (struct gpu_kernels){.kernel = calloc(1, sizeof(struct gpu_kernel)), .room = 1};
}

void gpu_kernels_free(struct gpu_kernels *k) {
    free(k->kernel);
    *k = (struct gpu_kernels){0};
}

const struct warp_hits *gpu_warp_hits(const struct gpu *g, unsigned core) {
    (void)g, (void)core;
    return NULL; /* no run here asks for warps */
}

const char *gpu_message(const struct gpu *g) {
    (void)g;
    return "what the machine says";
}

const char *gpu_conserved(struct gpu *g) {
    (void)g;
    return script.not_conserved;
}

void gpu_dump(const struct gpu *g, FILE *out) {
    (void)g;
    fprintf(out, "the heads of all queues\n");
}

static bool open_program(void *self, enum workload_size size, uint64_t seed) {
    (void)self, (void)size, (void)seed;
    return !script.no_open;
}

static const char *check_program(void *self) {
    (void)self;
    return script.wrong_results;
}

static void expect_scripted_counts(const void *self, unsigned line_bytes,
                                   struct workload_expectation *e) {
    (void)self, (void)line_bytes;
    *e = (struct workload_expectation){100, 3200, 30, 4};
}

static const struct workload workload = {.name = "toy",
                                         .suite = "test",
                                         .about = "nothing",
                                         .size_text = {"1", "2", "3"},
                                         .bytes = sizeof(struct host),
                                         .open = open_program,
                                         .check = check_program,
                                         .expect = expect_scripted_counts};

/* Runs the script; stderr goes to said. */
static int run_scripted_session(const struct script *s, struct session *session, char *said,
                                size_t size) {
    struct session_options options;
    struct machine machine;
    struct machine_options none = {0};
    struct config_error e;
    script = *s;
    session_options_init(&options);
    options.workload = &workload;
    assert_true(machine_make(&machine, &none, NULL, NULL, &e));
    fflush(stderr);
    FILE *f = tmpfile();
    int old = dup(STDERR_FILENO);
    dup2(fileno(f), STDERR_FILENO);
    int status = session_run(session, &options, &machine, NULL);
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(f);
    said[fread(said, 1, size - 1, f)] = '\0';
    fclose(f);
    return status;
}

TEST(a_good_run_is_silent_and_keeps_its_statistics) {
    struct session s;
    char said[512];
    assert_int_equal(
        run_scripted_session(&(struct script){.warp_instructions = 100}, &s, said, sizeof said),
        CLI_OK);
    assert_string_equal(said, "");
    assert_true(s.complete);
    assert_int_equal(s.cycles, 1600);
    assert_int_equal(s.thread_instructions, 3200);
    assert_int_equal(stats_get(s.stats, "l1.global_read_accesses"), 30);
    session_end(&s);
}

TEST(what_goes_wrong_is_said_and_decides_the_exit_status) {
    static const struct {
        struct script script;
        int exit;
        bool kept; /* incomplete statistics are there to be written */
        const char *said;
    } cases[] = {
        {{.wrong_results = "y[3] = 1, must be 2", .warp_instructions = 100},
         CLI_FAILED,
         false,
         "warpmem: toy small: results differ from plain C: y[3] = 1, must be 2\n"},
        {{.not_conserved = "reads 5, replies 4", .warp_instructions = 100},
         CLI_FAILED,
         false,
         "warpmem: toy small: not conserved: reads 5, replies 4\n"},
        {{.warp_instructions = 101},
         CLI_FAILED,
         false,
         "warpmem: toy small: core.warp_instructions = 101: must be 100\n"},
        {{.no_open = true}, CLI_FAILED, false, "warpmem: toy small: out of memory\n"},
        {{.refused = "cores: out of memory"}, CLI_FAILED, false, "warpmem: cores: out of memory\n"},
        {{.status = GPU_OUT_OF_MEMORY}, CLI_FAILED, false, "warpmem: toy: out of memory\n"},
        {{.status = GPU_DOES_NOT_FIT},
         CLI_BAD_INPUT,
         false,
         "warpmem: toy: what the machine says\n"},
        {{.status = GPU_STUCK},
         CLI_FAILED,
         true,
         "the heads of all queues\nwarpmem: toy: stuck at cycle 1600: what the machine says\n"},
        {{.status = GPU_BLOCK_FAILED},
         CLI_FAILED,
         true,
         "warpmem: toy: cycle 1600: what the machine says\n"},
        {{.status = GPU_LIMIT},
         CLI_OK,
         true,
         "warpmem: toy: stopped at --max-cycles 0; the statistics are incomplete\n"},
        {{.status = GPU_INTERRUPTED},
         CLI_SIGNAL,
         true,
         "warpmem: toy: interrupted at cycle 1600; the statistics are incomplete\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct session s;
        char said[512];
        assert_int_equal(run_scripted_session(&cases[i].script, &s, said, sizeof said),
                         cases[i].exit);
        assert_string_equal(said, cases[i].said);
        assert_int_equal(s.stats != NULL, cases[i].kept);
        assert_false(cases[i].kept && s.complete);
        session_end(&s);
    }
}

static bool refuse_blocks(void *options, const struct config *config,
                          const struct named_policies *policies, struct block_factory **factory,
                          char *error, size_t size) {
    (void)options;
    (void)config, (void)policies;
    (void)factory;
    snprintf(error, size, "l1/mrpb: no");
    return false;
}

static bool give_blocks(void *options, const struct config *config,
                        const struct named_policies *policies, struct block_factory **factory,
                        char *error, size_t size) {
    (void)config, (void)policies;
    (void)error;
    (void)size;
    *factory = options;
    return true;
}

static bool nothing_compared(void *options, FILE *out) {
    (void)options;
    if (out) {
        fprintf(out, "nothing was compared\n");
    }
    return false;
}

TEST(blocks_that_refuse_or_compare_nothing_fail_the_run) {
    static const struct cli_blocks refuse = {.open = refuse_blocks};
    static const struct cli_blocks idle = {.open = give_blocks, .close = nothing_compared};
    struct session_options options;
    struct machine machine;
    struct machine_options none = {0};
    struct config_error e;
    struct block_factory factory = {0};
    struct session s;
    script = (struct script){.warp_instructions = 100};
    session_options_init(&options);
    options.workload = &workload;
    assert_true(machine_make(&machine, &none, NULL, NULL, &e));
    struct session_extras refusing = {.blocks = &refuse};
    assert_int_equal(session_run(&s, &options, &machine, &refusing), CLI_BAD_INPUT);
    assert_null(s.stats);
    struct session_extras idling = {.blocks = &idle, .block_options = &factory};
    assert_int_equal(session_run(&s, &options, &machine, &idling), CLI_FAILED);
    assert_null(s.stats);
}

TEST(progress_is_silent_off_a_terminal) {
    struct progress p;
    FILE *f = tmpfile();
    int old = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(f), STDERR_FILENO);
    progress_init(&p, "toy", true);
    progress_show(&p,
                  &(struct gpu_progress){.cycles = 1000, .launch = 1, .ctas_done = 3, .ctas = 4});
    progress_clear(&p);
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    fseek(f, 0, SEEK_END);
    assert_int_equal(ftell(f), 0);
    fclose(f);
}
