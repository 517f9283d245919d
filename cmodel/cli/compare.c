/* SPDX-License-Identifier: Apache-2.0
 * warpmem compare: one workload under several schemes, in one table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/output.h"
#include "cli/report.h"

#define SCHEMES_MAX 32

enum { OPTION_SCHEMES = 0x2c0, OPTION_JSON, OPTION_TSV };

/* clang-format off */
static const struct argp_option options[] = {
    {"schemes", OPTION_SCHEMES, "A,B,C", 0, "which schemes; the first is the reference (default baseline,mrpb)", 2},
    {NULL, 0, NULL, 0, "Results; a FILE appears whole or not at all, - is stdout:", 15},
    {"json", OPTION_JSON, "FILE|-", 0, "all statistics of every run as JSON", 15},
    {"tsv", OPTION_TSV, "FILE|-", 0, "the table, separated by tabs", 15},
    {0},
};
static const char doc[] =
    "Run a workload (WHAT: a name that `warpmem list workloads` prints, or a trace file) under several schemes and print one table."
    "\v"
    "The columns, summed over all cores: ipc, thread instructions a core cycle; speedup, the first scheme's cycles over "
    "this one's; l1_hits, l1_pending_hits (the line was on its way), l1_misses, l1_bypasses (sent on without a line): "
    "every read is one of the four; assoc_stalls, cycles in which an access waited because every line of its set waits "
    "for a fill; dram_bytes, read and written.\n\n"
    "Exit status as for run. For example: warpmem compare atax --schemes baseline,mrpb,gto,mrpb+gto";

static const char *const columns[] = {"scheme", "cycles", "ipc", "speedup", "l1_hits", "l1_pending_hits",
                                      "l1_misses", "l1_bypasses", "assoc_stalls", "dram_bytes"};
/* clang-format on */
enum { COLUMNS = sizeof columns / sizeof *columns, CELL = SCHEME_LABEL + 16 };

struct row {
    char cell[COLUMNS][CELL];
};

struct compare_options {
    struct machine_options machine;
    struct session_options session;
    char *what;
    char *scheme[SCHEMES_MAX];
    char *list; /* the storage of the names */
    unsigned schemes;
    const char *json, *tsv;
};

static error_t split_schemes(struct compare_options *o, const char *arg) {
    free(o->list);
    o->list = strdup(arg);
    o->schemes = 0;
    if (!o->list) {
        return cli_bad("out of memory");
    }
    for (char *at = o->list;; at++) {
        size_t length = strcspn(at, ",");
        bool last = !at[length];
        at[length] = '\0';
        for (unsigned i = 0; i < o->schemes; i++) {
            if (!strcmp(o->scheme[i], at)) {
                return cli_bad("--schemes %.60s: named twice", at);
            }
        }
        if (o->schemes == SCHEMES_MAX) {
            return cli_bad("--schemes: at most %d names", SCHEMES_MAX);
        }
        o->scheme[o->schemes++] = at;
        if (last) {
            return 0;
        }
        at += length;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct compare_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->session;
        return 0;
    case OPTION_SCHEMES: return split_schemes(o, arg);
    case OPTION_JSON: o->json = arg; return 0;
    case OPTION_TSV: o->tsv = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("%s: a second workload: there must be exactly one",
                           text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_bad("compare: needs a workload's name; `warpmem list workloads` lists them");
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* @first_cycles: 0 when there is nothing to compare with. Cycles of a part of the work compare
 *                with nothing either. */
static void fill_row(struct row *r, const struct session *s, uint64_t first_cycles) {
    uint64_t ipc = report_ratio(s->thread_instructions, s->cycles);
    uint64_t speedup = report_ratio(first_cycles, s->cycles);
    const struct stats *st = s->stats;
    const uint64_t counts[] = {
        stats_get(st, "l1.read_hits"),
        stats_get(st, "l1.read_pending_hits"),
        stats_get(st, "l1.read_misses"),
        stats_get(st, "l1.read_bypasses"),
        stats_get(st, "l1.fail_associativity"),
        stats_get(st, "dram.read_bytes") + stats_get(st, "dram.write_bytes"),
    };
    snprintf(r->cell[0], CELL, "%s", s->machine->scheme);
    snprintf(r->cell[1], CELL, "%" PRIu64, s->cycles);
    snprintf(r->cell[2], CELL, "%" PRIu64 ".%06" PRIu64, ipc / 1000000, ipc % 1000000);
    if (s->complete && first_cycles) {
        snprintf(r->cell[3], CELL, "%" PRIu64 ".%06" PRIu64, speedup / 1000000, speedup % 1000000);
    } else {
        snprintf(r->cell[3], CELL, "incomplete");
    }
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        snprintf(r->cell[4 + i], CELL, "%" PRIu64, counts[i]);
    }
}

static void print_table(const struct row *rows, unsigned count, FILE *out) {
    for (int i = -1; i < (int)count; i++) {
        for (unsigned k = 0; k < COLUMNS; k++) {
            int width = (int)strlen(columns[k]);
            for (unsigned j = 0; j < count; j++) {
                int length = (int)strlen(rows[j].cell[k]);
                width = length > width ? length : width;
            }
            const char *text = i < 0 ? columns[k] : rows[i].cell[k];
            fprintf(out, "%s%*s", k ? "  " : "", k ? width : -width, text);
        }
        fputc('\n', out);
    }
}

static void print_tsv(const struct row *rows, unsigned count, FILE *out) {
    for (int i = -1; i < (int)count; i++) {
        for (unsigned k = 0; k < COLUMNS; k++) {
            fprintf(out, "%s%s", k ? "\t" : "", i < 0 ? columns[k] : rows[i].cell[k]);
        }
        fputc('\n', out);
    }
}

static json_t *run_json(const struct session *s, uint64_t first_cycles) {
    json_t *run = json_object();
    double speedup = (double)report_ratio(first_cycles, s->cycles) / 1e6;
    if (run && report_add(run, s) &&
        !json_object_set_new(run, "speedup",
                             s->complete && first_cycles ? json_real(speedup) : json_null()) &&
        !json_object_set_new(run, "stats", report_stats_json(s->stats))) {
        return run;
    }
    json_decref(run);
    return NULL;
}

static bool write_results(const struct compare_options *o, const struct row *rows, unsigned count,
                          json_t *json, struct config_error *e) {
    struct output out;
    if (o->json && (!output_open(&out, o->json, e) || !report_write(json_incref(json), &out, e))) {
        return false;
    }
    if (o->tsv) {
        if (!output_open(&out, o->tsv, e)) {
            return false;
        }
        print_tsv(rows, count, out.file);
        if (!output_commit(&out, e)) {
            return false;
        }
    }
    if (!output_is_stdout(o->json) && !output_is_stdout(o->tsv)) {
        print_table(rows, count, stdout);
    }
    return true;
}

/* One run after another; one that ends early ends the comparison, and the rows so far stand. */
static int run_all(struct compare_options *o, const struct machine *machines, struct row *rows,
                   unsigned *count, json_t *runs) {
    uint64_t first_cycles = 0;
    int status = CLI_OK;
    for (unsigned i = 0; i < o->schemes && status == CLI_OK; i++) {
        struct session session;
        status = session_run(&session, &o->session, &machines[i], NULL, NULL, NULL);
        if (session.stats) {
            first_cycles = i ? first_cycles : session.complete ? session.cycles : 0;
            fill_row(&rows[i], &session, first_cycles);
            json_array_append_new(runs, run_json(&session, first_cycles));
            *count = i + 1;
        }
        session_end(&session);
    }
    return status;
}

static int compare(struct compare_options *o, struct machine *machines, struct row *rows) {
    struct config_error e;
    unsigned count = 0;
    if (!session_workload(&o->session, o->what)) {
        return CLI_BAD_INPUT;
    }
    for (unsigned i = 0; i < o->schemes; i++) {
        if (!machine_make(&machines[i], &o->machine, o->scheme[i], &e)) {
            return cli_error(CLI_BAD_INPUT, "%s", e.text);
        }
    }
    const struct output_wish wishes[] = {{"--json", o->json, false}, {"--tsv", o->tsv, false}};
    if (!output_spares(wishes, 2, o->session.trace.path, &e) || !output_check(wishes, 2, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    json_t *json = report_head(REPORT_COMPARE_SCHEMA, &o->session, machines[0].preset);
    json_t *runs = json_array();
    json_object_set_new(json, "runs", runs);
    int status = run_all(o, machines, rows, &count, runs);
    if (count && !write_results(o, rows, count, json, &e)) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    json_decref(json);
    return status;
}

int cli_compare(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp_child children[] = {
        {&machine_argp_no_scheme, 0, NULL, 0}, {&session_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse, "WHAT", doc, children, NULL, NULL};
    struct compare_options o = {0};
    (void)blocks;
    session_options_init(&o.session);
    struct machine *machines = calloc(SCHEMES_MAX, sizeof *machines);
    struct row *rows = calloc(SCHEMES_MAX, sizeof *rows);
    int status;
    if (!machine_options_init(&o.machine, argc) || !machines || !rows ||
        split_schemes(&o, "baseline,mrpb")) {
        status = cli_error(CLI_FAILED, "out of memory");
    } else {
        enum cli_parsed parsed = cli_parse(&argp, "warpmem compare", argc, argv, &o);
        status = parsed == CLI_PARSED   ? compare(&o, machines, rows)
                 : parsed == CLI_HELPED ? CLI_OK
                                        : CLI_BAD_INPUT;
    }
    machine_options_free(&o.machine);
    free(o.list);
    free(machines);
    free(rows);
    return status;
}
