/* SPDX-License-Identifier: Apache-2.0
 * warpmem compare: one workload on several machines under several schemes, in one table. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/report/columns.h"
#include "cli/study/compare_json.h"
#include "cli/study/grid.h"
#include "cli/output.h"
#include "cli/report/page.h"
#include "cli/report/plot.h"
#include "cli/study/slurm_batch.h"
#include "cli/options/words.h"
#include "workloads/sets.h"

enum { NAMES_MAX = 32 };

enum {
    OPTION_SCHEMES = 0x2c0,
    OPTION_PRESETS,
    OPTION_SUITE,
    OPTION_SWEEP,
    OPTION_MEAN,
    OPTION_REFERENCE,
    OPTION_KEEP,
    OPTION_ENGINE,
    OPTION_TASK,
    OPTION_STATS,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_TSV,
    OPTION_PLOT,
    OPTION_HTML
};

/* clang-format off */
static const struct argp_option options[] = {
    {"suite", OPTION_SUITE, "NAME", 0, "the workloads of a set that `warpmem list suites` prints, in addition to WHAT", 2},
    {"presets", OPTION_PRESETS, "A,B,C|all", 0, "machines, instead of --preset: each under each scheme", 2},
    {"schemes", OPTION_SCHEMES, "A,B,C", 0, "schemes; the first is a machine's reference (default baseline,mrpb)", 2},
    {"sweep", OPTION_SWEEP, "SECTION.KEY=A,B,C", 0, "a key's values, each under each scheme; several --sweep are combined", 2},
    {"keep", OPTION_KEEP, "FOLDER", 0, "keep each result in this folder, and reuse results of this program there, so that a stopped command can resume", 10},
    {"engine", OPTION_ENGINE, "local|slurm", 0, "slurm: each run is a task of a Slurm cluster that sees the folder of --keep (default local)", 10},
    {"task", OPTION_TASK, "N", OPTION_HIDDEN, "in a task: only this run, into the folder of --keep", 10},
    {NULL, 0, NULL, 0, "Results; a FILE appears whole or not at all, - is stdout:", 15},
    {"stats", OPTION_STATS, "NAME,NAME", 0, "more columns: counters and figures that `warpmem list stats` prints", 15},
    {"mean", OPTION_MEAN, "geometric|harmonic|none", 0, "mean of the speedups over several workloads, in extra rows (default geometric)", 15},
    {"reference", OPTION_REFERENCE, "first|point", 0, "speedups are over the first scheme at the first values of --sweep, or at the row's values", 15},
    {"json", OPTION_JSON, "FILE|-", 0, "all statistics of every run as JSON", 15},
    {"csv", OPTION_CSV, "FILE|-", 0, "the table, separated by commas", 15},
    {"tsv", OPTION_TSV, "FILE|-", 0, "the same, separated by tabs", 15},
    {"plot", OPTION_PLOT, "PICTURE", 0, "the speedups: bars; with one --sweep lines, with two a heat map; .png, .svg or .pdf", 15},
    {"html", OPTION_HTML, "FILE|-", 0, "a page with the table, that picture and the command; it needs no other file", 15},
    {0},
};
static const char doc[] =
    "Run workloads (WHAT: names that `warpmem list workloads` prints, or trace files) under several schemes and print one table."
    "\v"
    "The columns: cycles; ipc, thread instructions a core cycle, all cores together; speedup, the cycles of the workload "
    "on that machine under the first scheme, at the first values of --sweep (--reference=point: at the row's own), over this one's; "
    "then figures, whose formulas "
    "`warpmem list stats` prints: " COLUMNS_HELP ". A scheme that tries every value of a key (best-swl) has the value that "
    "it chose in a column of the key's name.\n\n"
    "Exit status as for run. For example:\n"
    "  warpmem compare atax --schemes baseline,mrpb,gto,mrpb+gto\n"
    "  warpmem compare --suite polybench12 --size tiny --schemes baseline,mrpb --plot bars.svg\n"
    "  warpmem compare atax mvt --sweep l1.ways=2,4,8 --sweep l1.mshrs=16,32 --csv ways.csv";
/* clang-format on */

struct compare_options {
    struct machine_options machine;
    struct session_options session;
    struct sweep_options sweep;
    char *what[WORDS_MAX];
    unsigned whats;
    const char *suite;
    struct words workloads, schemes, presets, stats;
    struct axes axes;
    enum grid_mean mean;
    bool each_point;
    const char *keep, *json, *csv, *tsv, *plot, *html;
    bool on_slurm, is_task;
    unsigned long long task; /* number of its run */
    char **words;            /* of the command */
    int word_count;
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
    case OPTION_SUITE: o->suite = arg; return 0;
    case OPTION_SWEEP: {
        struct config_error e;
        return axes_add(&o->axes, arg, &e) ? 0 : cli_bad("%s", e.text);
    }
    case OPTION_MEAN:
        for (unsigned i = 0; i < sizeof grid_mean_names / sizeof *grid_mean_names; i++) {
            if (!strcmp(arg, grid_mean_names[i])) {
                o->mean = (enum grid_mean)i;
                return 0;
            }
        }
        return cli_bad("--mean %s: must be geometric, harmonic or none",
                       text_shown(shown, sizeof shown, arg));
    case OPTION_REFERENCE:
        o->each_point = !strcmp(arg, "point");
        return o->each_point || !strcmp(arg, "first")
                   ? 0
                   : cli_bad("--reference %s: must be first or point",
                             text_shown(shown, sizeof shown, arg));
    case OPTION_PLOT: o->plot = arg; return 0;
    case OPTION_HTML: o->html = arg; return 0;
    case OPTION_KEEP: o->keep = arg; return 0;
    case OPTION_ENGINE:
        o->on_slurm = !strcmp(arg, "slurm");
        return o->on_slurm || !strcmp(arg, "local") ? 0
                                                    : cli_bad("--engine %s: must be local or slurm",
                                                              text_shown(shown, sizeof shown, arg));
    case OPTION_TASK:
        o->is_task = true;
        return cli_number(arg, UINT32_MAX, &o->task)
                   ? 0
                   : cli_bad("--task %s: must be the number of a run",
                             text_shown(shown, sizeof shown, arg));
    case OPTION_STATS: return split_names("--stats", &o->stats, arg);
    case OPTION_JSON: o->json = arg; return 0;
    case OPTION_CSV: o->csv = arg; return 0;
    case OPTION_TSV: o->tsv = arg; return 0;
    case ARGP_KEY_ARG:
        if (o->whats == WORDS_MAX) {
            return cli_bad("%s: one too many: at most %d workloads",
                           text_shown(shown, sizeof shown, arg), WORDS_MAX);
        }
        o->what[o->whats++] = arg;
        return 0;
    case ARGP_KEY_END:
        return o->whats || o->suite ? 0
                                    : cli_bad("compare: needs a workload's name or --suite; "
                                              "`warpmem list workloads` and `list suites` list "
                                              "them");
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The workloads by name, those of the suite behind the others. */
static bool choose_names(struct compare_options *o, struct config_error *e) {
    struct words *w = &o->workloads;
    char shown[TEXT_SHOWN];
    struct text_nearest near;
    for (unsigned i = 0; i < o->whats; i++) {
        w->word[w->count++] = o->what[i];
    }
    if (!o->suite) {
        return true;
    }
    const unsigned before = w->count;
    text_nearest_init(&near, o->suite);
    for (const struct workload_set_row *r = workload_set_rows; r->set; r++) {
        text_nearest_offer(&near, r->set);
        if (!strcmp(r->set, o->suite)) {
            if (w->count == WORDS_MAX) {
                return config_fail(e,
                                   "--suite %.60s: with WHAT more than %d workloads: at most that",
                                   o->suite, WORDS_MAX);
            }
            w->word[w->count++] = (char *)r->workload;
        }
    }
    text_shown(shown, sizeof shown, o->suite);
    return w->count > before ||
           config_fail(e,
                       near.best ? "--suite %s: there is none of that name; did you mean %s?"
                                 : "--suite %s: there is none of that name; `warpmem list "
                                   "suites` lists them%s",
                       shown, near.best ? near.best : "");
}

static bool name_is_once(const struct words *w, struct config_error *e) {
    for (unsigned i = 0; i < w->count; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (!strcmp(w->word[i], w->word[k])) {
                return config_fail(e, "%.200s: named twice", w->word[i]);
            }
        }
    }
    return true;
}

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

/* Adds the rows of the means. False: out of memory. */
static bool add_means(const struct compare_options *o, const struct grid *g, struct columns *c) {
    const unsigned machines = g->presets * g->schemes * g->points;
    bool good = true;
    for (unsigned m = 0; o->mean != GRID_MEAN_NONE && g->workloads > 1 && good && m < machines;
         m++) {
        unsigned lacking;
        char reason[80];
        double mean = grid_mean(g, m, o->mean, &lacking);
        const unsigned idle = grid_idle(g, m);
        if (lacking) {
            snprintf(reason, sizeof reason, "%u of %u workloads have no speedup", lacking,
                     g->workloads);
        } else {
            snprintf(reason, sizeof reason, "held no warp in %u of %u workloads", idle,
                     g->workloads);
        }
        good = columns_add_mean(c, &g->table.rows[m], grid_mean_names[o->mean], mean,
                                lacking || idle ? reason : NULL);
    }
    return good;
}

/* Adds the rows. False: out of memory. */
static bool fill_table(const struct compare_options *o, const struct grid *g, struct columns *c) {
    char text[COLUMNS_CELL];
    bool failed = false, good = true;
    for (unsigned i = 0; i < g->table.count; i++) {
        failed |= sweep_reason(&g->table, i, text, sizeof text) != NULL;
    }
    if (failed) {
        columns_add_reasons(c);
    }
    for (unsigned i = 0; good && i < g->table.count; i++) {
        const char *reason = sweep_reason(&g->table, i, text, sizeof text);
        if (g->table.rows[i].result || reason) {
            good = columns_add(c, &g->table.rows[i], grid_reference(g, i), reason);
        }
    }
    return good && add_means(o, g, c);
}

static bool write_plot(const struct compare_options *o, const struct grid *g,
                       struct config_error *e) {
    struct output out;
    json_t *json = compare_points_json(g, &o->axes, o->mean);
    bool good = (json || config_fail(e, "out of memory")) && output_open(&out, o->plot, e);
    if (good && !plot_draw(PLOT_COMPARE, json, &out, e)) {
        output_abandon(&out);
        good = false;
    } else if (good) {
        good = output_commit(&out, e);
    }
    json_decref(json);
    return good;
}

/* A file that cannot be written does not stop the others. */
static int write_table(const struct compare_options *o, const struct grid *g, struct columns *c,
                       int status) {
    const struct {
        const char *path;
        char between;
    } tables[] = {{o->csv, ','}, {o->tsv, '\t'}};
    struct config_error e;
    struct output out;
    if (!output_is_stdout(o->json) && !output_is_stdout(o->csv) && !output_is_stdout(o->tsv) &&
        !output_is_stdout(o->html)) {
        columns_print(c, stdout);
        fflush(stdout); /* before the messages about files */
    }
    if (o->json &&
        (!output_open(&out, o->json, &e) ||
         !result_write(compare_json(g, &o->axes, o->mean, o->session.times), &out, &e))) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!tables[i].path) {
            continue;
        }
        bool good = output_open(&out, tables[i].path, &e);
        if (good) {
            columns_print_table(c, tables[i].between, out.file);
            good = output_commit(&out, &e);
        }
        status = good ? status : cli_error(CLI_FAILED, "%s", e.text);
    }
    if (o->plot && !write_plot(o, g, &e)) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    if (o->html && !page_write(o->html, compare_points_json(g, &o->axes, o->mean), c, o->words,
                               o->word_count, &e)) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    return status;
}

/* Rows, machines and columns, before anything runs. False: the message is printed. */
static bool plan_compare(struct compare_options *o, struct grid *g, struct columns *c) {
    const struct grid_wish wish = {.machine = &o->machine,
                                   .session = &o->session,
                                   .workloads = &o->workloads,
                                   .presets = &o->presets,
                                   .schemes = &o->schemes,
                                   .axes = &o->axes,
                                   .sweep = &o->sweep,
                                   .each_point = o->each_point};
    struct config_error e = {""};
    bool good = choose_names(o, &e) && name_is_once(&o->workloads, &e);
    if (good && o->presets.count && o->machine.preset) {
        good = config_fail(&e, "--preset and --presets: must be one of the two");
    }
    good = good && use_all_presets(o, &e) && grid_make(g, &wish, &e) &&
           columns_choose(c, &g->table, o->workloads.count > 1, o->presets.count, &o->axes,
                          &o->stats, &e);
    if (!good && *e.text) {
        cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    return good;
}

static bool check_compare_outputs(const struct compare_options *o, const struct grid *g,
                                  struct config_error *e) {
    const struct output_wish wishes[] = {{"--json", o->json, false},
                                         {"--csv", o->csv, false},
                                         {"--tsv", o->tsv, false},
                                         {"--plot", o->plot, false},
                                         {"--html", o->html, false}};
    const unsigned count = sizeof wishes / sizeof *wishes;
    for (unsigned i = 0; i < g->workloads; i++) {
        if (!output_spares(wishes, count, g->options[i].trace.path, e)) {
            return false;
        }
    }
    return output_check(wishes, count, e) &&
           (!o->plot || plot_possible(PLOT_COMPARE, o->plot, e)) && (!o->html || page_possible(e));
}

static int run_compare(struct compare_options *o, struct grid *g, struct columns *c) {
    struct config_error e;
    struct keep keep;
    o->session.hash_inputs = o->json || o->keep;
    if ((o->on_slurm || o->is_task) && !o->keep) {
        return cli_error(CLI_BAD_INPUT, "--engine slurm: needs --keep FOLDER: tasks leave their "
                                        "results there, and the nodes must see it");
    }
    if (!plan_compare(o, g, c)) {
        return CLI_BAD_INPUT;
    }
    if ((!o->is_task && !check_compare_outputs(o, g, &e)) ||
        (o->keep && !keep_open(&keep, o->keep, true, &e))) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    const char *title = g->workloads > 1 ? "compare" : g->options->workload->name;
    if (o->is_task) {
        return o->task < g->table.jobs ? slurm_batch_task(&g->table.job[o->task], title, &keep)
                                       : cli_error(CLI_BAD_INPUT, "--task %llu: there are %u runs",
                                                   o->task, g->table.jobs);
    }
    int status = o->on_slurm ? sweep_run_on_slurm(&g->table, title, &keep, o->words, o->word_count)
                             : sweep_run(&g->table, title, &o->sweep, o->keep ? &keep : NULL);
    bool results = false;
    for (unsigned i = 0; i < g->table.count; i++) {
        results |= g->table.rows[i].result != NULL;
    }
    if (!results) {
        return status; /* each reason has been printed */
    }
    if (!fill_table(o, g, c)) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    /* A workload that does not fit one machine is no bad input if others have run it. */
    return write_table(o, g, c, status == CLI_BAD_INPUT ? CLI_FAILED : status);
}

int cli_compare(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp_child children[] = {{&machine_argp_no_scheme, 0, NULL, 0},
                                                 {&session_argp, 0, NULL, 0},
                                                 {&sweep_argp, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        options, parse_compare_option, "[WHAT...]", doc, children, NULL, NULL};
    struct compare_options o = {.mean = GRID_MEAN_GEOMETRIC, .words = argv, .word_count = argc};
    struct grid grid = {0};
    struct columns columns = {0};
    int status;
    (void)blocks;
    session_options_init(&o.session);
    if (!machine_options_init(&o.machine, argc)) {
        status = cli_error(CLI_FAILED, "out of memory");
    } else if (split_names("", &o.schemes, "baseline,mrpb")) {
        status = CLI_FAILED; /* as split_names() said */
    } else {
        enum cli_parsed parsed = cli_parse(&argp, "warpmem compare", argc, argv, &o);
        status = parsed == CLI_PARSED   ? run_compare(&o, &grid, &columns)
                 : parsed == CLI_HELPED ? CLI_OK
                                        : CLI_BAD_INPUT;
    }
    columns_free(&columns);
    grid_free(&grid);
    axes_free(&o.axes);
    machine_options_free(&o.machine);
    session_options_free(&o.session);
    words_free(&o.schemes);
    words_free(&o.presets);
    words_free(&o.stats);
    return status;
}
