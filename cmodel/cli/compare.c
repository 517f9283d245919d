/* SPDX-License-Identifier: Apache-2.0
 * warpmem compare: one workload on several machines under several schemes, in one table. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/columns.h"
#include "cli/figures.h"
#include "cli/json_build.h"
#include "cli/output.h"
#include "cli/result_json.h"
#include "cli/sweep.h"
#include "cli/words.h"

enum { NAMES_MAX = 32 };

enum { OPTION_SCHEMES = 0x2c0, OPTION_PRESETS, OPTION_STATS, OPTION_JSON, OPTION_CSV, OPTION_TSV };

/* clang-format off */
static const struct argp_option options[] = {
    {"presets", OPTION_PRESETS, "A,B,C|all", 0, "machines, in place of --preset: each under each scheme", 2},
    {"schemes", OPTION_SCHEMES, "A,B,C", 0, "schemes; the first is a machine's reference (default baseline,mrpb)", 2},
    {NULL, 0, NULL, 0, "Results; a FILE appears whole or not at all, - is stdout:", 15},
    {"stats", OPTION_STATS, "NAME,NAME", 0, "more columns: counters and figures that `warpmem list stats` prints", 15},
    {"json", OPTION_JSON, "FILE|-", 0, "all statistics of every run as JSON", 15},
    {"csv", OPTION_CSV, "FILE|-", 0, "the table, separated by commas", 15},
    {"tsv", OPTION_TSV, "FILE|-", 0, "the same, separated by tabs", 15},
    {0},
};
static const char doc[] =
    "Run a workload (WHAT: a name that `warpmem list workloads` prints, or a trace file) under several schemes and print one table."
    "\v"
    "The columns: cycles; ipc, thread instructions a core cycle, all cores together; speedup, the cycles of the machine's "
    "first scheme over this one's; then figures, whose formulas `warpmem list stats` prints: " COLUMNS_HELP ". A scheme "
    "that tries every value of a key (best-swl) has the value that it chose in a column of the key's name.\n\n"
    "Exit status as for run. For example: warpmem compare atax --schemes baseline,mrpb,gto,mrpb+gto";
/* clang-format on */

struct compare_options {
    struct machine_options machine;
    struct session_options session;
    struct sweep_options sweep;
    char *what;
    struct words schemes, presets, stats;
    const char *json, *csv, *tsv;
};

static error_t split_names(const char *option, struct words *words, const char *arg) {
    const char *twice;
    switch (words_split(words, arg, NAMES_MAX, &twice)) {
    case WORDS_GOOD: return 0;
    case WORDS_EMPTY: {
        char shown[TEXT_SHOWN];
        return cli_bad("%s %s: an empty name: must be NAME,NAME...", option,
                       *arg ? text_shown(shown, sizeof shown, arg) : "(nothing)");
    }
    case WORDS_TWICE: return cli_bad("%s %.60s: named twice", option, twice);
    case WORDS_MANY: return cli_bad("%s: at most %d names", option, NAMES_MAX);
    case WORDS_NO_MEMORY: break;
    }
    return cli_bad("out of memory");
}

static error_t parse_compare_option(int key, char *arg, struct argp_state *state) {
    struct compare_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->session;
        state->child_inputs[2] = &o->sweep;
        return 0;
    case OPTION_SCHEMES: return split_names("--schemes", &o->schemes, arg);
    case OPTION_PRESETS: return split_names("--presets", &o->presets, arg);
    case OPTION_STATS: return split_names("--stats", &o->stats, arg);
    case OPTION_JSON: o->json = arg; return 0;
    case OPTION_CSV: o->csv = arg; return 0;
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

/* The table's machines, row by row. */
struct plan {
    struct machine *machines;
    struct sweep_table table;
    struct columns columns;
    unsigned schemes, rows;
};

static bool use_all_presets(struct compare_options *o, struct config_error *e) {
    const char *name, *about;
    char list[1024] = "";
    if (o->presets.count != 1 || strcmp(o->presets.word[0], "all")) {
        return true;
    }
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? "," : "", name);
    }
    snprintf(e->text, sizeof e->text, "out of memory");
    return words_split(&o->presets, list, NAMES_MAX, &name) == WORDS_GOOD;
}

/* Names the refused machine, if there are several. */
static bool refuse_machine(const struct compare_options *o, const struct machine *m,
                           struct config_error *e) {
    struct config_error old = *e;
    if (*m->scheme && o->presets.count) {
        snprintf(e->text, sizeof e->text, "preset %.40s, scheme %.100s: %.340s", m->preset,
                 m->scheme, old.text);
    } else if (*m->scheme) {
        snprintf(e->text, sizeof e->text, "scheme %.100s: %.380s", m->scheme, old.text);
    }
    return false;
}

static bool make_plan(struct compare_options *o, struct plan *p, struct config_error *e) {
    if (o->presets.count && o->machine.preset) {
        snprintf(e->text, sizeof e->text, "--preset and --presets: must be one of the two");
        return false;
    }
    if (!use_all_presets(o, e)) {
        return false;
    }
    unsigned presets = o->presets.count ? o->presets.count : 1;
    p->schemes = o->schemes.count;
    p->rows = presets * p->schemes;
    p->machines = calloc(p->rows, sizeof *p->machines);
    snprintf(e->text, sizeof e->text, "out of memory");
    for (unsigned i = 0; p->machines && i < p->rows; i++) {
        const char *preset = o->presets.count ? o->presets.word[i / p->schemes] : NULL;
        if (!machine_make(&p->machines[i], &o->machine, preset, o->schemes.word[i % p->schemes],
                          e)) {
            return refuse_machine(o, &p->machines[i], e);
        }
    }
    return p->machines &&
           sweep_plan(&p->table, p->machines, p->rows, o->presets.count, &o->sweep, e) &&
           columns_choose(&p->columns, &p->table, o->presets.count, &o->stats, e);
}

/* Returns the cycles of the speedup's reference; 0: there is none. Cycles of a part of the work are
 * no reference. */
static uint64_t reference_cycles(const struct plan *p, unsigned row) {
    const struct session *s = p->table.rows[row / p->schemes * p->schemes].result;
    return s && s->complete ? s->cycles : 0;
}

/* A row with its result, or why it has none. Its speedup is null where it or its reference is
 * incomplete. NULL: out of memory. */
static json_t *row_json(const struct compare_options *o, const struct plan *p, unsigned row,
                        const char *reason) {
    const struct machine *m = &p->machines[row];
    const struct session *s = p->table.rows[row].result;
    uint64_t reference = reference_cycles(p, row);
    json_t *to =
        json_pack("{s:s, s:s, s:s, s:s, s:s}", "workload", o->session.workload->name, "size",
                  o->session.size_text, "machine", m->name, "base", m->preset, "scheme", m->scheme);
    bool known = s && s->complete && reference;
    set_member(&to, "speedup",
               known ? json_real((double)figure_ratio(reference, s->cycles) / 1e6) : json_null());
    if (s) {
        set_member(&to, "result", result_run_json(s, o->session.times));
    } else {
        set_member(&to, "failed", json_string(reason));
    }
    return to;
}

/* NULL: out of memory. */
static json_t *whole_json(const struct compare_options *o, const struct plan *p) {
    json_t *json = json_pack("{s:s, s:i, s:o}", "schema", RESULT_COMPARE_SCHEMA, "version",
                             RESULT_VERSION, "program", result_program_json());
    json_t *rows = json_array();
    for (unsigned i = 0; i < p->rows; i++) {
        char text[COLUMNS_CELL];
        const char *reason = sweep_reason(&p->table, i, text, sizeof text);
        if (p->table.rows[i].result || reason) {
            append_element(&rows, row_json(o, p, i, reason));
        }
    }
    set_member(&json, "rows", rows);
    return json;
}

/* Adds the rows. False: out of memory. */
static bool fill_table(struct plan *p) {
    char text[COLUMNS_CELL];
    bool failed = false, good = true;
    for (unsigned i = 0; i < p->rows; i++) {
        failed |= sweep_reason(&p->table, i, text, sizeof text) != NULL;
    }
    if (failed) {
        columns_add_reasons(&p->columns);
    }
    for (unsigned i = 0; good && i < p->rows; i++) {
        const char *reason = sweep_reason(&p->table, i, text, sizeof text);
        if (p->table.rows[i].result || reason) {
            good = columns_add(&p->columns, &p->table.rows[i], reference_cycles(p, i), reason);
        }
    }
    return good;
}

/* A file that cannot be written does not stop the others. */
static int write_table(const struct compare_options *o, struct plan *p, int status) {
    const struct {
        const char *path;
        char between;
    } tables[] = {{o->csv, ','}, {o->tsv, '\t'}};
    struct config_error e;
    struct output out;
    if (!output_is_stdout(o->json) && !output_is_stdout(o->csv) && !output_is_stdout(o->tsv)) {
        columns_print(&p->columns, stdout);
        fflush(stdout); /* before the messages about files */
    }
    if (o->json && (!output_open(&out, o->json, &e) || !result_write(whole_json(o, p), &out, &e))) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!tables[i].path) {
            continue;
        }
        bool good = output_open(&out, tables[i].path, &e);
        if (good) {
            columns_print_table(&p->columns, tables[i].between, out.file);
            good = output_commit(&out, &e);
        }
        status = good ? status : cli_error(CLI_FAILED, "%s", e.text);
    }
    return status;
}

static int run_compare(struct compare_options *o, struct plan *p) {
    const struct output_wish wishes[] = {
        {"--json", o->json, false}, {"--csv", o->csv, false}, {"--tsv", o->tsv, false}};
    struct config_error e;
    if (!session_workload(&o->session, o->what)) {
        return CLI_BAD_INPUT;
    }
    o->session.hash_inputs = o->json;
    if (!make_plan(o, p, &e) || !output_spares(wishes, 3, o->session.trace.path, &e) ||
        !output_check(wishes, 3, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    int status = sweep_run(&p->table, &o->session, &o->sweep);
    bool results = false;
    for (unsigned i = 0; i < p->rows; i++) {
        results |= p->table.rows[i].result != NULL;
    }
    if (!results) {
        return status; /* each reason has been printed */
    }
    if (!fill_table(p)) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    /* A workload that does not fit one machine is no bad input if others have run it. */
    return write_table(o, p, status == CLI_BAD_INPUT ? CLI_FAILED : status);
}

int cli_compare(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp_child children[] = {{&machine_argp_no_scheme, 0, NULL, 0},
                                                 {&session_argp, 0, NULL, 0},
                                                 {&sweep_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {options, parse_compare_option, "WHAT", doc, children, NULL,
                                     NULL};
    struct compare_options o = {0};
    struct plan plan = {0};
    int status;
    (void)blocks;
    session_options_init(&o.session);
    if (!machine_options_init(&o.machine, argc)) {
        status = cli_error(CLI_FAILED, "out of memory");
    } else if (split_names("", &o.schemes, "baseline,mrpb")) {
        status = CLI_FAILED; /* as split_names() said */
    } else {
        enum cli_parsed parsed = cli_parse(&argp, "warpmem compare", argc, argv, &o);
        status = parsed == CLI_PARSED   ? run_compare(&o, &plan)
                 : parsed == CLI_HELPED ? CLI_OK
                                        : CLI_BAD_INPUT;
    }
    columns_free(&plan.columns);
    sweep_end(&plan.table);
    free(plan.machines);
    machine_options_free(&o.machine);
    session_options_free(&o.session);
    words_free(&o.schemes);
    words_free(&o.presets);
    words_free(&o.stats);
    return status;
}
