/* SPDX-License-Identifier: Apache-2.0
 * warpmem run: one workload on one machine. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/derived.h"
#include "cli/report/explain.h"
#include "cli/study/keep.h"
#include "cli/output.h"
#include "cli/report/report.h"
#include "cli/report/result_file.h"
#include "cli/report/result_json.h"
#include "cli/report/result_loads.h"
#include "cli/signals.h"
#include "cli/study/sweep.h"

enum {
    OPTION_JSON = 0x280,
    OPTION_CSV,
    OPTION_TSV,
    OPTION_EVENTS,
    OPTION_STATS,
    OPTION_SERIES,
    OPTION_SERIES_INTERVAL,
    OPTION_DRAM_LOG,
    OPTION_BORDER,
    OPTION_EXPLAIN,
    OPTION_KERNELS,
    OPTION_LOADS,
    OPTION_WARPS,
    OPTION_KEEP,
    OPTION_ONLY_KEPT
};

enum { NOT_KEPT = 3 }; /* exit status of --only-kept */

/* clang-format off */
static const struct argp_option options[] = {
    {"keep", OPTION_KEEP, "FOLDER", 0, "keep the result in this folder, and reuse a result of this program there; `compare` and `make repro` share it", 10},
    {"only-kept", OPTION_ONLY_KEPT, NULL, 0, "do not run: exit status 3 if the folder of --keep has no such result", 10},
    {NULL, 0, NULL, 0, "Results; a FILE appears whole or not at all, - is stdout:", 15},
    {"json", OPTION_JSON, "FILE|-", 0, "all statistics as JSON", 15},
    {"csv", OPTION_CSV, "FILE|-", 0, "the same as lines of name, value and unit, separated by commas", 15},
    {"tsv", OPTION_TSV, "FILE|-", 0, "the same, separated by tabs", 15},
    {"explain", OPTION_EXPLAIN, NULL, 0, "after the short report, print the classes of stalled cycles, the causes and the remedies", 15},
    {"kernels", OPTION_KERNELS, NULL, 0, "print each kernel's cycles, instructions and IPC after the short report; the JSON has them always", 15},
    {"loads", OPTION_LOADS, NULL, 0, "print the L1's hits and misses of each load after the short report; the JSON has them always", 15},
    {"stats", OPTION_STATS, NULL, 0, "print all statistics after the short report", 15},
    {"events", OPTION_EVENTS, "FILE", 0, "trace of events, a line each with its time, to compare two runs with diff", 15},
    {"series", OPTION_SERIES, "FILE", 0, "the run over time, comma-separated: rates, queue lengths; `scripts/plot_series.py FILE -o x.png` draws it", 15},
    {"warps", OPTION_WARPS, "FILE", 0, "tab-separated, over time: each warp's requests beyond the L1, its L2 bypasses and L2 hits (MeDiC figure 6)", 15},
    {"series-interval", OPTION_SERIES_INTERVAL, "N", 0, "core cycles between two samples of --series (default: for 250 to 500 lines), of --warps (10000)", 15},
    {"dram-log", OPTION_DRAM_LOG, "FILE", 0, "every DRAM command", 15},
    {"record-border", OPTION_BORDER, "FILE", 0, "requests, commands and returns of partition 0's DRAM channel, for rtl/top/memory_channel.v", 15},
    {0},
};
static const char doc[] =
    "Run a workload (WHAT: a name that `warpmem list workloads` prints), check its results against plain C, and report. Or "
    "run a trace (WHAT: a file that has a '/' in its name or ends in .wtr; see `warpmem help trace`): the statistics are "
    "those of the recorded run. Or, without WHAT, repeat the run of a result of --json."
    "\v"
    "Precedence: preset < scheme and its parts < --config files in order < --set in order.\n\n"
    "Exit status: 0 good, 1 a check failed or the machine is stuck, 2 bad input, 128 + N after signal N: "
    "SIGHUP, SIGINT, SIGTERM, SIGXFSZ (the statistics so far are written, marked incomplete). With --only-kept, 3 no such "
    "result.\n\n"
    "For example: warpmem run atax --size tiny --scheme mrpb --json atax.json";
/* clang-format on */

struct run_options {
    struct machine_options machine;
    struct session_options session;
    struct sweep_options sweep;
    const struct cli_blocks *blocks;
    void *block_options;
    char *what;
    struct result_file repeats; /* a result that gives the run; json NULL: none does */
    const char *json, *csv, *tsv, *events, *series, *warps, *dram_log, *border, *keep_folder;
    unsigned long long series_interval;
    bool stats, explain, kernels, loads, only_kept;
    struct keep keep;
};

static error_t parse_run_option(int key, char *arg, struct argp_state *state) {
    struct run_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->session;
        state->child_inputs[2] = &o->sweep;
        state->child_inputs[3] = o->block_options;
        return 0;
    case OPTION_JSON: o->json = arg; return 0;
    case OPTION_CSV: o->csv = arg; return 0;
    case OPTION_TSV: o->tsv = arg; return 0;
    case OPTION_EVENTS: o->events = arg; return 0;
    case OPTION_STATS: o->stats = true; return 0;
    case OPTION_EXPLAIN: o->explain = true; return 0;
    case OPTION_KERNELS: o->kernels = true; return 0;
    case OPTION_LOADS: o->loads = true; return 0;
    case OPTION_SERIES: o->series = arg; return 0;
    case OPTION_WARPS: o->warps = arg; return 0;
    case OPTION_KEEP: o->keep_folder = arg; return 0;
    case OPTION_ONLY_KEPT: o->only_kept = true; return 0;
    case OPTION_SERIES_INTERVAL:
        if (!cli_number(arg, SERIES_INTERVAL_MAX, &o->series_interval) || !o->series_interval) {
            return cli_bad("--series-interval %s: must be 1..%llu core cycles",
                           text_shown(shown, sizeof shown, arg), SERIES_INTERVAL_MAX);
        }
        return 0;
    case OPTION_DRAM_LOG: o->dram_log = arg; return 0;
    case OPTION_BORDER: o->border = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("%s: a second workload: there must be exactly one",
                           text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

enum { RESULTS_MAX = 64 };

/* Finds every error that is visible before the run. */
static bool check_run_outputs(const struct run_options *o, struct config_error *e) {
    struct output_wish wishes[RESULTS_MAX] = {
        {"--json", o->json, false},         {"--csv", o->csv, false},
        {"--tsv", o->tsv, false},           {"--events", o->events, false},
        {"--series", o->series, false},     {"--warps", o->warps, false},
        {"--dram-log", o->dram_log, false}, {"--record-border", o->border, false},
    };
    unsigned count = 8;
    const struct cli_blocks *b = o->blocks;
    for (unsigned i = 0; b->result && count < RESULTS_MAX; i++) {
        if (!b->result(o->block_options, i, &wishes[count])) {
            break;
        }
        count++;
    }
    return output_spares(wishes, count, o->session.trace.path, e) && output_check(wishes, count, e);
}

/* A file that cannot be written does not cost the other results of a long run. */
static int commit_result(struct output *out, int status) {
    struct config_error e;
    return output_commit(out, &e) ? status : cli_error(CLI_FAILED, "%s", e.text);
}

static void print_run_results(const struct run_options *o, const struct session *s) {
    report_short(s, stdout);
    if (o->explain) {
        fputc('\n', stdout);
        explain_session(s, stdout);
    }
    if (o->kernels) {
        fputc('\n', stdout);
        report_kernels(s, stdout);
    }
    if (o->loads) {
        fputc('\n', stdout);
        result_loads_print(&s->kernels, stdout);
    }
    if (o->stats) {
        fputc('\n', stdout);
        report_stats(s->stats, stdout);
    }
    fflush(stdout); /* before the messages about files */
}

static int write_run_results(const struct run_options *o, const struct session *s, int status) {
    struct config_error e;
    struct output out;
    const struct {
        const char *path;
        void (*write)(const struct session *s, FILE *out);
    } tables[] = {{o->csv, report_csv}, {o->tsv, report_tsv}};
    if (!output_is_stdout(o->json) && !output_is_stdout(o->csv) && !output_is_stdout(o->tsv) &&
        !output_is_stdout(o->series) && !output_is_stdout(o->warps)) {
        print_run_results(o, s);
    }
    if (o->json && (!output_open(&out, o->json, &e) ||
                    !result_write(result_run_json(s, o->session.times), &out, &e))) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (tables[i].path && output_open(&out, tables[i].path, &e)) {
            tables[i].write(s, out.file);
            status = commit_result(&out, status);
        } else if (tables[i].path) {
            status = cli_error(CLI_FAILED, "%s", e.text);
        }
    }
    return status;
}

/* Files that are written during a run. */
struct streams {
    struct output events, series, warps, dram_log, border;
};

static bool open_streams(const struct run_options *o, struct streams *f, struct config_error *e) {
    return (!o->events || output_open(&f->events, o->events, e)) &&
           (!o->series || output_open(&f->series, o->series, e)) &&
           (!o->warps || output_open(&f->warps, o->warps, e)) &&
           (!o->dram_log || output_open(&f->dram_log, o->dram_log, e)) &&
           (!o->border || output_open(&f->border, o->border, e));
}

static int run_one_machine(struct run_options *o, const struct machine *m, struct streams *f,
                           FILE *warps_out, struct session *session) {
    struct series series = {.out = f->series.file, .interval = o->series_interval};
    struct warp_series warps = {.out = warps_out,
                                .interval =
                                    o->series_interval ? o->series_interval : WARP_SERIES_INTERVAL};
    struct session_extras x = {.events = f->events.file,
                               .dram_log = f->dram_log.file,
                               .border = f->border.file,
                               .series = o->series ? &series : NULL,
                               .warps = o->warps ? &warps : NULL,
                               .blocks = o->blocks,
                               .block_options = o->block_options};
    return session_run(session, &o->session, m, &x);
}

/* Commits or abandons every requested result. */
static int finish_run(struct run_options *o, const struct session *s, struct streams *f,
                      int status) {
    struct output *streams[] = {&f->events, &f->series, &f->warps, &f->dram_log, &f->border};
    bool ran = s && s->stats;
    if (ran) {
        status = write_run_results(o, s, status);
    }
    for (unsigned i = 0; i < sizeof streams / sizeof *streams; i++) {
        if (ran && streams[i]->file) {
            status = commit_result(streams[i], status);
        }
        output_abandon(streams[i]);
    }
    return status;
}

/* Runs and keeps the result. What --warps writes is a part of it. */
static int run_to_keep(struct run_options *o, const struct machine *m, struct streams *f,
                       struct session *session) {
    struct config_error e;
    size_t size;
    char *text = NULL;
    FILE *warps = o->warps ? open_memstream(&text, &size) : NULL;
    if (o->warps && !warps) {
        *session = (struct session){.options = &o->session, .machine = m};
        return cli_error(CLI_FAILED, "out of memory");
    }
    int status = run_one_machine(o, m, f, warps, session);
    if (warps && fclose(warps)) {
        status = cli_error(CLI_FAILED, "out of memory");
    }
    session->warps = text;
    if (status == CLI_OK && session->stats && !keep_put(&o->keep, session, &e)) {
        status = cli_error(CLI_FAILED, "%s: results are not kept", e.text);
    }
    return status;
}

static void look_up_result(const struct run_options *o, const struct machine *m,
                           struct session *session) {
    char fault[KEEP_FAULT];
    keep_get(&o->keep, session, &o->session, m, fault);
    if (*fault) {
        cli_error(CLI_OK, "%s", fault);
    }
    if (session->stats && o->session.wanted_by && session->input_hash != o->session.wanted_hash) {
        session_end(session); /* the run says what is wrong */
    }
}

static int run_once(struct run_options *o, const struct machine *m, struct streams *f) {
    struct session session = {0};
    int status = CLI_OK;
    if (!o->keep_folder) {
        status = run_one_machine(o, m, f, f->warps.file, &session);
    } else {
        look_up_result(o, m, &session);
        if (!session.stats) {
            status = o->only_kept ? NOT_KEPT : run_to_keep(o, m, f, &session);
        }
        if (session.warps) {
            fputs(session.warps, f->warps.file);
        }
    }
    status = finish_run(o, &session, f, status);
    session_end(&session);
    return status;
}

/* Has the folder all results of a sweep? */
static bool all_is_kept(const struct run_options *o, const struct sweep_table *t) {
    bool all = true;
    for (unsigned i = 0; i < t->jobs; i++) {
        struct session session;
        look_up_result(o, t->job[i].machine, &session);
        all &= session.stats != NULL;
        session_end(&session);
    }
    return all;
}

/* Repeats the best run of a sweep if options record a single run. */
static int run_sweep(struct run_options *o, const struct sweep_table *t, struct streams *f,
                     int status) {
    const struct session *best = t->rows[0].result;
    struct session again;
    bool record = f->events.file || f->series.file || f->warps.file || f->dram_log.file ||
                  f->border.file || o->blocks->open;
    if (status != CLI_OK || !best || !record) {
        struct streams none = {0};
        finish_run(o, NULL, f, status); /* a recording of one run is not written for many */
        return finish_run(o, best, &none, status);
    }
    status = run_one_machine(o, best->machine, f, f->warps.file, &again);
    again.sweep = best->sweep;
    status = finish_run(o, &again, f, status);
    session_end(&again);
    return status;
}

static void tell_idle_profile(const struct run_options *o, const struct machine *m) {
    if (o->session.profile && !machine_reads_profile(m)) {
        cli_error(CLI_OK, "--profile: changes nothing while no policy reads it (--scheme "
                          "daws-profiled)");
    }
}

/* The result supplies the options that the command line lacks. False: the message is printed. */
static bool take_run_of_result(struct run_options *o) {
    struct session_options *s = &o->session;
    const struct result_file *r = &o->repeats;
    const struct {
        const char *name;
        unsigned long long *value;
    } limits[] = {{"max_cycles", &s->max_cycles},
                  {"max_insn", &s->max_insn},
                  {"max_insn_launch", &s->max_insn_launch},
                  {"max_insn_per_kernel", &s->max_insn_per_kernel},
                  {"launch", &s->launch}};
    bool same = !s->size_given && !s->seed_given;
    if (!r->trace && !s->size_given && session_parse_size(s, r->size)) {
        return false;
    }
    s->seed = s->seed_given || r->trace ? s->seed : r->seed;
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        *limits[i].value =
            *limits[i].value ? *limits[i].value : result_file_limit(r, limits[i].name);
    }
    if (r->profile && !s->profile) {
        if (session_parse_profile(s, r->profile)) {
            return false;
        }
        if (s->profile_hash != r->profile_hash) {
            cli_bad("%s: %s has changed since: its profile is another one", r->path, r->profile);
            return false;
        }
    }
    while (r->sweep && o->sweep.limits < SWEEP_VALUES_MAX &&
           result_file_tried(r, o->sweep.limits)) {
        o->sweep.limit[o->sweep.limits] = result_file_tried(r, o->sweep.limits);
        o->sweep.limits++;
    }
    s->wanted_by = same ? r->path : NULL;
    s->wanted_hash = r->input_hash;
    return session_workload(s, r->trace ? r->trace : r->workload);
}

/* The workload of the command line, or of the result that --config names. */
static bool choose_workload(struct run_options *o) {
    struct config_error e;
    char origin[128];
    const char *config = o->machine.config_count ? o->machine.configs[0] : NULL;
    if (o->what) {
        return session_workload(&o->session, o->what);
    }
    if (!config || !result_file_is(config)) {
        cli_bad("run: needs a workload's name; `warpmem list workloads` lists them");
        return false;
    }
    if (!result_file_read(&o->repeats, config, &e)) {
        cli_bad("%s", e.text);
        return false;
    }
    if (!result_file_origin(&o->repeats, origin, sizeof origin)) {
        cli_error(CLI_OK, "%s: made by %s: this program may give another result", config, origin);
    }
    return take_run_of_result(o);
}

/* A result that is kept is one of a plain run. */
static bool check_keep(struct run_options *o, const struct machine *m, struct config_error *e) {
    const struct {
        const char *option;
        bool given;
    } others[] = {{"--events", o->events},          {"--series", o->series},
                  {"--dram-log", o->dram_log},      {"--record-border", o->border},
                  {"--poll", o->session.poll},      {"--reverse", o->session.reverse},
                  {"--in-time", o->session.in_time}};
    if (!o->keep_folder) {
        return !o->only_kept || config_fail(e, "--only-kept: needs --keep FOLDER");
    }
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].given) {
            return config_fail(e, "--keep: not with %s, which needs a run", others[i].option);
        }
    }
    if (o->blocks->open) {
        return config_fail(e, "--keep: warpmem-rtl keeps no results; warpmem does");
    }
    if (o->warps && !m->sweep) { /* the best run of a sweep runs again for them */
        o->session.warps_interval = o->series_interval ? o->series_interval : WARP_SERIES_INTERVAL;
    }
    return keep_open(&o->keep, o->keep_folder, !o->only_kept, e);
}

/* The Verilog lacks what dram/fr_fcfs does, and a request takes four cycles at least to it. */
static bool check_border(const struct run_options *o, const struct machine *m,
                         struct config_error *e) {
    bool can = config_has_fr_fcfs(&m->config) && !m->policies.dram &&
               !config_has_row_prefetch(&m->config) && m->config.dram.latency >= 4;
    return !o->border || can ||
           config_fail(
               e, "--record-border: needs dram.queues=one, dram.queue=2..64, dram.latency=4.., "
                  "no dram.policy, and neither refresh, write_drain, row_hit_cap nor prefetch");
}

static int run_workload_command(struct run_options *o) {
    struct config_error e;
    struct machine machine;
    struct sweep_table table;
    struct streams files = {0};
    if (!choose_workload(o)) {
        return CLI_BAD_INPUT;
    }
    o->session.hash_inputs = o->json || o->session.wanted_by || o->keep_folder;
    if (o->series_interval && !o->series && !o->warps) {
        return cli_error(CLI_BAD_INPUT, "--series-interval: needs --series or --warps");
    }
    if (!machine_make(&machine, &o->machine, NULL, NULL, &e) || !check_run_outputs(o, &e) ||
        !check_keep(o, &machine, &e) || !check_border(o, &machine, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    const struct sweep_row row = sweep_row_of(&machine, &o->session);
    if (!sweep_plan(&table, &row, 1, false, &o->sweep, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    machine_tell_idle_keys(&machine, &o->machine);
    tell_idle_profile(o, &machine);
    int status;
    signals_catch(); /* before there is a file to leave behind */
    if (!open_streams(o, &files, &e)) {
        status = cli_error(CLI_BAD_INPUT, "%s", e.text);
        finish_run(o, NULL, &files, status);
    } else if (machine.sweep && o->only_kept && !all_is_kept(o, &table)) {
        status = finish_run(o, NULL, &files, NOT_KEPT);
    } else if (machine.sweep) {
        status = sweep_run(&table, o->session.workload->name, &o->sweep,
                           o->keep_folder ? &o->keep : NULL);
        status = run_sweep(o, &table, &files, status);
    } else {
        status = run_once(o, &machine, &files);
    }
    sweep_end(&table);
    return status;
}

int cli_run(int argc, char **argv, const struct cli_blocks *blocks) {
    const struct argp_child children[] = {
        {&machine_argp, 0, NULL, 0},
        {&session_argp, 0, NULL, 0},
        {&sweep_argp, 0, NULL, 0},
        {blocks->argp, 0, NULL, 0},
        {0},
    };
    const struct argp argp = {
        options, parse_run_option, "WHAT\n--config RESULT.json", doc, children, NULL, NULL};
    struct run_options o = {.blocks = blocks};
    session_options_init(&o.session);
    o.block_options = calloc(1, blocks->options_size + 1);
    if (!machine_options_init(&o.machine, argc) || !o.block_options) {
        machine_options_free(&o.machine);
        free(o.block_options);
        return cli_error(CLI_FAILED, "out of memory");
    }
    enum cli_parsed parsed = cli_parse(&argp, "warpmem run", argc, argv, &o);
    int status = parsed == CLI_PARSED   ? run_workload_command(&o)
                 : parsed == CLI_HELPED ? CLI_OK
                                        : CLI_BAD_INPUT;
    machine_options_free(&o.machine);
    session_options_free(&o.session);
    result_file_close(&o.repeats);
    free(o.block_options);
    return status;
}
