/* SPDX-License-Identifier: Apache-2.0
 * warpmem run: one workload on one machine. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/output.h"
#include "cli/report.h"

enum { OPTION_JSON = 0x280, OPTION_CSV, OPTION_EVENTS, OPTION_STATS };

/* clang-format off */
static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Results; a FILE appears whole or not at all, - is stdout:", 15},
    {"json", OPTION_JSON, "FILE|-", 0, "all statistics as JSON", 15},
    {"csv", OPTION_CSV, "FILE|-", 0, "the same as lines of name, value and unit, separated by tabs", 15},
    {"stats", OPTION_STATS, NULL, 0, "print all statistics after the short report", 15},
    {"events", OPTION_EVENTS, "FILE", 0, "what happened when, a line for each event: to compare two runs with diff", 15},
    {0},
};
static const char doc[] =
    "Run a workload (WHAT: a name that `warpmem list workloads` prints), check its results against plain C, and report. Or "
    "run a trace (WHAT: a file that has a '/' in its name or ends in .wtr; see `warpmem help trace`): the statistics are "
    "those of the run that was recorded."
    "\v"
    "Precedence: preset < scheme and its parts < --config files in order < --set in order.\n\n"
    "Exit status: 0 good, 1 a check failed or the machine is stuck, 2 bad input, 130 and 143 after SIGINT and "
    "SIGTERM (the statistics so far are written, marked incomplete).\n\n"
    "For example: warpmem run atax --size tiny --scheme mrpb --json atax.json";
/* clang-format on */

struct run_options {
    struct machine_options machine;
    struct session_options session;
    const struct cli_blocks *blocks;
    void *block_options;
    char *what;
    const char *json, *csv, *events;
    bool stats;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct run_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->session;
        state->child_inputs[2] = o->block_options;
        return 0;
    case OPTION_JSON: o->json = arg; return 0;
    case OPTION_CSV: o->csv = arg; return 0;
    case OPTION_EVENTS: o->events = arg; return 0;
    case OPTION_STATS: o->stats = true; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("%s: a second workload: there must be exactly one",
                           text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_bad("run: needs a workload's name; `warpmem list workloads` lists them");
    default: return ARGP_ERR_UNKNOWN;
    }
}

enum { RESULTS_MAX = 64 };

/* Everything that can be known to be wrong before the run. */
static bool check_outputs(const struct run_options *o, struct config_error *e) {
    struct output_wish wishes[RESULTS_MAX] = {
        {"--json", o->json, false}, {"--csv", o->csv, false}, {"--events", o->events, false}};
    unsigned count = 3;
    const struct cli_blocks *b = o->blocks;
    for (unsigned i = 0; b->result && count < RESULTS_MAX; i++) {
        if (!b->result(o->block_options, i, &wishes[count])) {
            break;
        }
        count++;
    }
    return output_spares(wishes, count, o->session.trace.path, e) && output_check(wishes, count, e);
}

static bool write_results(const struct run_options *o, const struct session *s,
                          struct config_error *e) {
    struct output out;
    if (o->json && (!output_open(&out, o->json, e) || !report_write(report_json(s), &out, e))) {
        return false;
    }
    if (o->csv) {
        if (!output_open(&out, o->csv, e)) {
            return false;
        }
        report_tsv(s, out.file);
        if (!output_commit(&out, e)) {
            return false;
        }
    }
    if (!output_is_stdout(o->json) && !output_is_stdout(o->csv)) {
        report_short(s, stdout);
        if (o->stats) {
            fputc('\n', stdout);
            report_stats(s->stats, stdout);
        }
    }
    return true;
}

static int run(struct run_options *o) {
    struct config_error e;
    struct machine machine;
    struct session session;
    struct output events = {0};
    if (!session_workload(&o->session, o->what)) {
        return CLI_BAD_INPUT;
    }
    if (!machine_make(&machine, &o->machine, NULL, &e) || !check_outputs(o, &e) ||
        (o->events && !output_open(&events, o->events, &e))) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    int status =
        session_run(&session, &o->session, &machine, events.file, o->blocks, o->block_options);
    if (session.stats) {
        if ((events.file && !output_commit(&events, &e)) || !write_results(o, &session, &e)) {
            status = cli_error(CLI_FAILED, "%s", e.text);
        }
    } else {
        output_abandon(&events);
    }
    session_end(&session);
    return status;
}

int cli_run(int argc, char **argv, const struct cli_blocks *blocks) {
    const struct argp_child children[] = {
        {&machine_argp, 0, NULL, 0},
        {&session_argp, 0, NULL, 0},
        {blocks->argp, 0, NULL, 0},
        {0},
    };
    const struct argp argp = {options, parse, "WHAT", doc, children, NULL, NULL};
    struct run_options o = {.blocks = blocks};
    session_options_init(&o.session);
    o.block_options = calloc(1, blocks->options_size + 1);
    if (!machine_options_init(&o.machine, argc) || !o.block_options) {
        free(o.block_options);
        return cli_error(CLI_FAILED, "out of memory");
    }
    enum cli_parsed parsed = cli_parse(&argp, "warpmem run", argc, argv, &o);
    int status = parsed == CLI_PARSED ? run(&o) : parsed == CLI_HELPED ? CLI_OK : CLI_BAD_INPUT;
    machine_options_free(&o.machine);
    free(o.block_options);
    return status;
}
