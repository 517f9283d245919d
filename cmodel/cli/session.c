/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/options/file_hash.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "config/derived.h"
#include "issue/daws/profile.h"
#include "workloads/costs.h"

#define SEED_MAX ((1ull << 53) - 1) /* integers that every JSON reader keeps exactly */

enum {
    OPTION_SIZE = 0x240,
    OPTION_SEED,
    OPTION_MAX_CYCLES,
    OPTION_MAX_INSN,
    OPTION_MAX_INSN_LAUNCH,
    OPTION_MAX_INSN_PER_KERNEL,
    OPTION_LAUNCH,
    OPTION_PROFILE,
    OPTION_POLL,
    OPTION_REVERSE,
    OPTION_IN_TIME,
    OPTION_NO_PROGRESS,
    OPTION_TIMES,
};

/* clang-format off */
static const struct argp_option session_list[] = {
    {NULL, 0, NULL, 0, "The run:", 10},
    {"size", OPTION_SIZE, "tiny|small|paper", 0, "input size; paper:mrpb (mdb, medic, owl, daws): of that paper, if they differ (default small)", 10},
    {"seed", OPTION_SEED, "N", 0, "seed of the generated inputs (default 1)", 10},
    {"max-cycles", OPTION_MAX_CYCLES, "N", 0, "stop after N core cycles; the statistics are marked incomplete", 10},
    {"max-insn", OPTION_MAX_INSN, "N", 0, "stop after N thread instructions; the statistics are marked incomplete", 10},
    {"max-insn-launch", OPTION_MAX_INSN_LAUNCH, "N", 0, "stop after the launch that reaches N, so that all machines execute the same work", 10},
    {"max-insn-per-kernel", OPTION_MAX_INSN_PER_KERNEL, "N", 0, "cut each kernel after N thread instructions and continue with the next", 10},
    {"launch", OPTION_LAUNCH, "N", 0, "of a trace, run launch N alone, on a machine without earlier ones; `warpmem info TRACE` numbers them", 10},
    {"profile", OPTION_PROFILE, "FILE", 0, "with daws.mode=profiled: classes of the loads, from `warpmem profile WHAT -o FILE`", 10},
    {"no-progress", OPTION_NO_PROGRESS, NULL, 0, "no progress line on the terminal", 10},
    {"times", OPTION_TIMES, NULL, 0, "add the run's start and duration to the JSON: `times`, the only member that differs from run to run", 10},
    {NULL, 0, NULL, 0, "Checks of the model itself; the statistics must not change by a bit:", 30},
    {"poll", OPTION_POLL, NULL, 0, "evaluate every unit in every cycle", 30},
    {"reverse", OPTION_REVERSE, NULL, 0, "evaluate units in the opposite order", 30},
    {"in-time", OPTION_IN_TIME, NULL, 0, "move no request through the L2 before its time, as with Verilog in the L2 or the DRAM", 30},
    {0},
};
/* clang-format on */

error_t session_parse_size(struct session_options *o, const char *arg) {
    char shown[TEXT_SHOWN];
    char list[128] = "";
    for (unsigned i = 0; i < SIZE_COUNT; i++) {
        const char *name = workload_size_name(i);
        if (!strcmp(arg, name)) {
            o->size_given = true;
            o->size = (enum workload_size)i;
            o->size_text = name;
            return 0;
        }
        text_list(list, sizeof list, name);
    }
    return cli_bad("--size %s: must be one of %s", text_shown(shown, sizeof shown, arg), list);
}

static error_t parse_bounded_number(const char *option, const char *arg, unsigned long long min,
                                    unsigned long long max, unsigned long long *value) {
    char shown[TEXT_SHOWN];
    if (cli_number(arg, max, value) && *value >= min) {
        return 0;
    }
    return cli_bad("%s %s: must be %llu..%llu", option, text_shown(shown, sizeof shown, arg), min,
                   max);
}

error_t session_parse_seed(struct session_options *o, const char *arg) {
    o->seed_given = true;
    return parse_bounded_number("--seed", arg, 0, SEED_MAX, &o->seed);
}

error_t session_parse_profile(struct session_options *o, const char *path) {
    char error[512];
    if (o->profile) {
        return cli_bad("--profile: must be given once");
    }
    o->profile = daws_profile_read(path, error, sizeof error);
    return o->profile && file_hash(path, &o->profile_hash, error, sizeof error)
               ? 0
               : cli_bad("%s", error);
}

static error_t parse_session_option(int key, char *arg, struct argp_state *state) {
    struct session_options *o = state->input;
    switch (key) {
    case OPTION_SIZE: return session_parse_size(o, arg);
    case OPTION_SEED: return session_parse_seed(o, arg);
    case OPTION_MAX_CYCLES:
        return parse_bounded_number("--max-cycles", arg, 1, SEED_MAX, &o->max_cycles);
    case OPTION_MAX_INSN: return parse_bounded_number("--max-insn", arg, 1, SEED_MAX, &o->max_insn);
    case OPTION_MAX_INSN_LAUNCH:
        return parse_bounded_number("--max-insn-launch", arg, 1, SEED_MAX, &o->max_insn_launch);
    case OPTION_MAX_INSN_PER_KERNEL:
        return parse_bounded_number("--max-insn-per-kernel", arg, 1, SEED_MAX,
                                    &o->max_insn_per_kernel);
    case OPTION_LAUNCH: return parse_bounded_number("--launch", arg, 1, SEED_MAX, &o->launch);
    case OPTION_PROFILE: return session_parse_profile(o, arg);
    case OPTION_POLL: o->poll = true; return 0;
    case OPTION_REVERSE: o->reverse = true; return 0;
    case OPTION_IN_TIME: o->in_time = true; return 0;
    case OPTION_NO_PROGRESS: o->no_progress = true; return 0;
    case OPTION_TIMES: o->times = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp session_argp = {.options = session_list, .parser = parse_session_option};

void session_options_init(struct session_options *o) {
    *o = (struct session_options){.size = SIZE_SMALL, .size_text = "small", .seed = 1};
}

void session_options_free(struct session_options *o) {
    daws_profile_destroy(o->profile);
    o->profile = NULL;
}

static bool use_trace(struct session_options *o, const char *path) {
    char error[TRACE_SOURCE_ERROR];
    if (o->size_given || o->seed_given) {
        cli_error(CLI_BAD_INPUT, "%s: %s: a trace has the one it was recorded with", path,
                  o->size_given ? "--size" : "--seed");
        return false;
    }
    if (!trace_source_open(&o->trace, path, error)) {
        cli_error(CLI_BAD_INPUT, "%s", error);
        return false;
    }
    o->trace.launch = o->launch;
    o->workload = &o->trace.workload;
    o->size_text = o->trace.origin.size;
    o->seed = o->trace.origin.seed;
    return true;
}

/* The size must be one that the workload has; "paper" becomes the workload's own. */
static bool resolve_size(struct session_options *o) {
    const struct workload *w = o->workload;
    char list[128] = "";
    enum workload_size size = o->size == SIZE_PAPER ? workload_paper_size(w) : o->size;
    if (size < SIZE_COUNT && w->size_text[size]) {
        o->size = size;
        o->size_text = workload_size_name(size);
        return true;
    }
    for (unsigned i = 0; i < SIZE_COUNT; i++) {
        if (w->size_text[i]) {
            text_list(list, sizeof list, workload_size_name(i));
        }
    }
    cli_error(CLI_BAD_INPUT, "--size %s: %s has %s", o->size_text, w->name, list);
    return false;
}

bool session_workload(struct session_options *o, const char *name) {
    char shown[TEXT_SHOWN];
    struct text_nearest near;
    if (trace_source_is(name)) {
        return use_trace(o, name);
    }
    if (o->launch) {
        cli_error(CLI_BAD_INPUT,
                  "--launch: only of a trace; `warpmem trace %s -o FILE.wtr` records one",
                  text_shown(shown, sizeof shown, name));
        return false;
    }
    o->workload = workload_find(name);
    if (o->workload) {
        return resolve_size(o);
    }
    text_nearest_init(&near, name);
    for (unsigned i = 0; workload_at(i); i++) {
        text_nearest_offer(&near, workload_at(i)->name);
    }
    text_shown(shown, sizeof shown, *name ? name : "(empty name)");
    if (!access(name, F_OK)) {
        cli_error(CLI_BAD_INPUT, "%s: no such workload; a trace of that name would be ./%s", shown,
                  shown);
    } else if (near.best) {
        cli_error(CLI_BAD_INPUT, "%s: no such workload; did you mean %s?", shown, near.best);
    } else {
        cli_error(CLI_BAD_INPUT, "%s: no such workload; `warpmem list workloads` lists them",
                  shown);
    }
    return false;
}

void session_length(const struct session_options *o, uint64_t *warp_instructions,
                    uint64_t *launches) {
    *warp_instructions = *launches = 0;
    if (o->trace.path) {
        if (!o->launch) {
            trace_source_length(&o->trace, warp_instructions, launches);
        }
        return;
    }
    const struct workload_cost *cost = workload_cost(o->workload, o->size);
    if (cost) {
        *warp_instructions = cost->warp_instructions;
        *launches = cost->launches;
    }
}

/* The first policy of which a run with these statistics says nothing; NULL: it says of all. */
static const struct policy_kind *idle_policy(const struct machine *m, const struct stats *stats) {
    const struct policy_kind *kinds[POLICY_KINDS_MAX + 1];
    unsigned count = machine_policies(m, kinds);
    for (unsigned i = 0; i < count; i++) {
        if (kinds[i]->idle && kinds[i]->idle(stats)) {
            return kinds[i];
        }
    }
    return NULL;
}

const char *session_note(const struct session *s) {
    const struct policy_kind *idle =
        s->stats && s->complete ? idle_policy(s->machine, s->stats) : NULL;
    return idle ? idle->idle(s->stats) : NULL;
}

/* The machine and the workload during a run. */
struct running {
    const struct session_options *options;
    const struct session_extras *extras;
    const char *title;
    struct gpu *gpu;
    struct stats *stats;
    struct program program;
    enum gpu_status status;
    unsigned warp_line; /* config_warp_line() */
};

uint64_t session_capped(const struct stats *stats) {
    size_t i;
    return stats_find(stats, "gpu.capped_launches", &i) ? stats_value(stats, i) : 0;
}

/* Compares counts that the workload knows by formula with the machine's counters. */
static int check_session_counts(const struct running *r) {
    struct workload_expectation want = {0};
    uint64_t capped = session_capped(r->stats);
    if (capped) { /* the formulas are those of whole kernels */
        return cli_error_to(r->extras->said, CLI_OK,
                            "%s: %" PRIu64 " launches were cut at --max-insn-per-kernel %llu",
                            r->title, capped, r->options->max_insn_per_kernel);
    }
    workload_expect(r->options->workload, &r->program, r->warp_line, &want);
    const struct {
        const char *name;
        uint64_t want;
    } counts[] = {
        {"core.warp_instructions", want.warp_instructions},
        {"core.thread_instructions", want.thread_instructions},
        {"l1.global_read_accesses", want.global_read_accesses},
        {"l1.global_write_accesses", want.global_write_accesses},
    };
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint64_t got = stats_get(r->stats, counts[i].name);
        if (!workload_meets(got, counts[i].want)) {
            return cli_error_to(r->extras->said, CLI_FAILED,
                                "%s %s: %s = %" PRIu64 ": must be %" PRIu64, r->title,
                                r->options->size_text, counts[i].name, got, counts[i].want);
        }
    }
    return CLI_OK;
}

static void tell_idle_policy(const struct running *r, const struct machine *m) {
    const struct policy_kind *idle = idle_policy(m, r->stats);
    if (idle) {
        cli_error_to(r->extras->said, CLI_OK, "%s: %s %s", r->title, idle->name,
                     idle->idle(r->stats));
    }
}

static int check_complete(const struct running *r) {
    const struct workload *w = r->options->workload;
    const char *name = r->title, *size = r->options->size_text,
               *wrong = workload_check(w, &r->program);
    if (wrong) {
        return cli_error_to(r->extras->said, CLI_FAILED, "%s %s: results differ from plain C: %s",
                            name, size, wrong);
    }
    wrong = gpu_conserved(r->gpu);
    if (wrong) {
        return cli_error_to(r->extras->said, CLI_FAILED, "%s %s: not conserved: %s", name, size,
                            wrong);
    }
    return check_session_counts(r);
}

/* Names the cap that ended the run: of cycles, of instructions, or of instructions at a launch's
 * end. */
static int limit_said(const struct running *r, uint64_t cycles) {
    const struct session_options *o = r->options;
    uint64_t insn = stats_get(r->stats, "core.thread_instructions");
    const char *option = "--max-cycles";
    unsigned long long cap = o->max_cycles;
    bool by_cycles = cap && cycles == cap;
    if (!by_cycles && o->max_insn && insn >= o->max_insn) {
        option = "--max-insn";
        cap = o->max_insn;
    } else if (!by_cycles && o->max_insn_launch) {
        option = "--max-insn-launch";
        cap = o->max_insn_launch;
    }
    return cli_error_to(r->extras->said, CLI_OK,
                        "%s: stopped at %s %llu; the statistics are incomplete", r->title, option,
                        cap);
}

/* Converts the machine's last status to the user's exit status. */
static int judge_session(const struct running *r) {
    const char *broken = trace_source_broken(&r->options->trace, &r->program);
    if (broken) {
        return cli_error_to(r->extras->said, CLI_BAD_INPUT, "%s", broken);
    }
    const char *name = r->title;
    uint64_t cycles = gpu_cycles(r->gpu);
    switch (r->status) {
    case GPU_COMPLETE: return check_complete(r);
    case GPU_LIMIT: return limit_said(r, cycles);
    case GPU_INTERRUPTED:
        return cli_error_to(r->extras->said, CLI_SIGNAL + (int)*signals_flag(),
                            "%s: interrupted at cycle %" PRIu64 "; the statistics are incomplete",
                            name, cycles);
    case GPU_STUCK:
        gpu_dump(r->gpu, r->extras->said ? r->extras->said : stderr);
        return cli_error_to(r->extras->said, CLI_FAILED, "%s: stuck at cycle %" PRIu64 ": %s", name,
                            cycles, gpu_message(r->gpu));
    case GPU_BLOCK_FAILED:
        return cli_error_to(r->extras->said, CLI_FAILED, "%s: cycle %" PRIu64 ": %s", name, cycles,
                            gpu_message(r->gpu));
    case GPU_DOES_NOT_FIT:
        return cli_error_to(r->extras->said, CLI_BAD_INPUT, "%s: %s", name, gpu_message(r->gpu));
    case GPU_OUT_OF_MEMORY: break;
    }
    return cli_error_to(r->extras->said, CLI_FAILED, "%s: out of memory", name);
}

/* Copies the counters, so that they outlive the machine. False: out of memory. */
static bool keep_stats(struct session *s, const struct stats *stats) {
    size_t count = stats_count(stats);
    s->stats = stats_create();
    s->values = calloc(count + 1, sizeof *s->values);
    for (size_t i = 0; s->stats && s->values && i < count; i++) {
        s->values[i] = stats_value(stats, i);
        if (!stats_register(s->stats, stats_at(stats, i), &s->values[i])) {
            return false;
        }
    }
    return s->stats && s->values;
}

/* Statistics of a run that failed its checks are dropped; those of a run that was cut short are
 * kept. */
static bool worth_keeping(const struct running *r, int status) {
    return status == CLI_OK || (r->status != GPU_COMPLETE && r->status != GPU_DOES_NOT_FIT &&
                                r->status != GPU_OUT_OF_MEMORY);
}

/* Called at the end of an interval. */
static uint64_t sample_interval(void *user, const struct gpu *g, uint64_t cycle) {
    const struct session_extras *x = user;
    struct series *series = x->series;
    struct warp_series *warps = x->warps;
    if (series && series->next == cycle) {
        series_sample(series, g, cycle);
    }
    if (warps && warps->next == cycle) {
        warp_series_sample(warps, g, cycle);
    }
    return !warps || (series && series->next < warps->next) ? series->next - cycle
                                                            : warps->next - cycle;
}

/* Core cycles until the first sample; 0: none is asked for. */
static uint64_t first_sample(const struct session_extras *x) {
    uint64_t first = x->series ? series_first(x->series) : 0;
    if (x->warps) {
        x->warps->next = x->warps->interval;
    }
    return x->warps && (!first || x->warps->next < first) ? x->warps->next : first;
}

static int run_machine_of_session(struct session *s, struct running *r,
                                  const struct gpu_options *options) {
    char error[512] = "out of memory";
    r->gpu = gpu_create(&s->machine->config, options, error, sizeof error);
    if (!r->gpu) {
        return cli_error_to(r->extras->said, options->blocks ? CLI_BAD_INPUT : CLI_FAILED, "%s",
                            error);
    }
    r->stats = stats_create();
    if (!r->stats || !gpu_register_stats(r->gpu, r->stats)) {
        const char *why = r->stats ? stats_error(r->stats) : NULL;
        return cli_error_to(r->extras->said, why ? CLI_BAD_INPUT : CLI_FAILED, "statistics: %s",
                            why ? why : "out of memory");
    }
    struct series *series = r->extras->series;
    if (series && !series_begin(series, &s->machine->config, r->stats)) {
        return cli_error_to(r->extras->said, CLI_FAILED, "time series: out of memory");
    }
    struct warp_series *warps = r->extras->warps;
    if (warps && !warp_series_begin(warps, &s->machine->config)) {
        return cli_error_to(r->extras->said, CLI_FAILED, "warps over time: out of memory");
    }
    r->status = gpu_run(r->gpu, &r->program);
    if (warps) {
        warp_series_end(warps, r->gpu, gpu_cycles(r->gpu));
    }
    if (series) {
        series_end(series, r->gpu, gpu_cycles(r->gpu));
    }
    if (!r->extras->progress) {
        progress_clear(options->progress_user);
    }
    int status = judge_session(r);
    if (r->status == GPU_COMPLETE) {
        tell_idle_policy(r, s->machine);
    }
    s->kernels = gpu_take_kernels(r->gpu);
    s->complete = r->status == GPU_COMPLETE;
    s->cycles = gpu_cycles(r->gpu);
    s->warp_instructions = stats_get(r->stats, "core.warp_instructions");
    s->thread_instructions = stats_get(r->stats, "core.thread_instructions");
    if (worth_keeping(r, status) && !keep_stats(s, r->stats)) {
        session_end(s);
        return cli_error_to(r->extras->said, CLI_FAILED, "statistics: out of memory");
    }
    return status;
}

/* A result that is repeated from other inputs would be another result. */
static int take_input_hash(struct session *s, const struct running *r) {
    const struct session_options *o = r->options;
    char error[512];
    if (!o->hash_inputs) {
        return CLI_OK;
    }
    if (!o->trace.path) {
        s->input_hash = workload_input_hash(&r->program);
    } else if (!file_hash(o->trace.path, &s->input_hash, error, sizeof error)) {
        return cli_error_to(r->extras->said, CLI_BAD_INPUT, "%s", error);
    }
    if (o->wanted_by && s->input_hash != o->wanted_hash) {
        return cli_error_to(r->extras->said, CLI_BAD_INPUT,
                            "%s: its input_hash is %016" PRIx64 ", that of %s here is %016" PRIx64
                            ": must be equal to repeat it",
                            o->wanted_by, o->wanted_hash, o->trace.path ? o->trace.path : r->title,
                            s->input_hash);
    }
    return CLI_OK;
}

static double seconds_on(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int run_program_of_session(struct session *s, const struct session_extras *x,
                                  const char *title, const struct gpu_options *options) {
    const struct session_options *o = s->options;
    struct running r = {.options = o,
                        .extras = x,
                        .title = title,
                        .warp_line = config_warp_line(&s->machine->config)};
    char error[TRACE_SOURCE_ERROR];
    const char *wrong = o->trace.path ? trace_source_start(&o->trace, &r.program, error)
                                      : workload_open(o->workload, &r.program, o->size, o->seed);
    if (wrong && o->trace.path) {
        return cli_error_to(x->said, CLI_BAD_INPUT, "%s", wrong);
    }
    if (wrong) {
        return cli_error_to(x->said, CLI_FAILED, "%s %s: %s", title, o->size_text, wrong);
    }
    int status = take_input_hash(s, &r);
    if (status == CLI_OK) {
        status = run_machine_of_session(s, &r, options);
    }
    stats_destroy(r.stats);
    if (r.gpu) {
        gpu_destroy(r.gpu);
    }
    workload_close(o->workload, &r.program);
    return status;
}

int session_run(struct session *s, const struct session_options *o, const struct machine *m,
                const struct session_extras *x) {
    static const struct session_extras none = {0};
    char error[512] = "";
    struct progress progress;
    x = x ? x : &none;
    const char *title = x->title ? x->title : o->workload->name;
    const struct cli_blocks *blocks = x->blocks;
    struct gpu_options options = {.poll = o->poll,
                                  .reverse = o->reverse,
                                  .in_time = o->in_time,
                                  .max_cycles = o->max_cycles,
                                  .max_insn = o->max_insn,
                                  .max_insn_launch = o->max_insn_launch,
                                  .max_insn_per_kernel = o->max_insn_per_kernel,
                                  .stop = signals_flag(),
                                  .progress = x->progress ? x->progress : progress_show,
                                  .progress_user = x->progress ? x->progress_user : &progress,
                                  .sample = sample_interval,
                                  .sample_user = (void *)(uintptr_t)x,
                                  .sample_cycles = first_sample(x),
                                  .warp_hits = x->warps != NULL,
                                  .policies = m->policies,
                                  .events = x->events,
                                  .dram_log = x->dram_log,
                                  .border = x->border};
    *s = (struct session){.options = o, .machine = m};
    const struct policy_kind *reader = machine_reads_profile(m);
    options.profile = reader ? o->profile : NULL;
    if (reader && !o->profile) {
        return cli_error_to(x->said, CLI_BAD_INPUT,
                            "%s: policy %s needs --profile FILE, which `warpmem profile` writes",
                            title, reader->name);
    }
    if (blocks && blocks->open &&
        !blocks->open(x->block_options, &m->config, &m->policies, &options.blocks, error,
                      sizeof error)) {
        return cli_error_to(x->said, CLI_BAD_INPUT, "%s", error);
    }
    if (!x->progress) {
        progress_init(&progress, title, !o->no_progress);
        progress.max_cycles = o->max_cycles;
        if (progress.on) {
            session_length(o, &progress.warp_instructions, &progress.launches);
        }
    }
    const double wall = seconds_on(CLOCK_MONOTONIC),
                 processor = seconds_on(CLOCK_THREAD_CPUTIME_ID);
    s->began = time(NULL);
    int status = run_program_of_session(s, x, title, &options);
    s->wall_seconds = seconds_on(CLOCK_MONOTONIC) - wall;
    s->processor_seconds = seconds_on(CLOCK_THREAD_CPUTIME_ID) - processor;
    if (options.blocks && !blocks->close(x->block_options, s->stats ? stderr : NULL) &&
        status == CLI_OK) {
        session_end(s);
        status = CLI_FAILED; /* close() has said why */
    }
    return status;
}

void session_end(struct session *s) {
    stats_destroy(s->stats);
    free(s->values);
    gpu_kernels_free(&s->kernels);
    free(s->warps);
    s->warps = NULL;
    s->stats = NULL;
    s->values = NULL;
}
