/* SPDX-License-Identifier: Apache-2.0
 * warpmem list: print the lists of workloads, schemes, presets, keys, statistics and blocks. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/blocks.h"
#include "cli/options/cli.h"
#include "cli/report/list_json.h"
#include "cli/options/machine.h"
#include "cli/output.h"
#include "cli/report/result_json.h"
#include "cli/report/series.h"
#include "gpu/gpu.h"
#include "workloads/costs.h"
#include "workloads/sets.h"
#include "workloads/workload.h"

static const char doc[] =
    "Print one of these lists: workloads, sets of them (suites), schemes, presets, keys of a "
    "machine, statistics, blocks."
    "\v"
    "A workload's sizes have the approximate time of a run: processor time with the default preset "
    "and scheme; ? if unknown.\n\n"
    "Only `list stats` has the options of a machine, because counters depend on its units. It "
    "prints each counter's name, unit, meaning and, in brackets, the source of its definition; "
    "then the figures computed from them, with their formulas.";

enum { OPTION_TSV = 0x360, OPTION_JSON };

static const struct argp_option options[] = {
    {"json", OPTION_JSON, "FILE|-", 0, "the list as JSON", 9},
    {"tsv", OPTION_TSV, NULL, 0, "workloads tab-separated, a row for each size", 9},
    {0},
};

struct list_options {
    struct machine_options machine;
    char *what;
    const char *json;
    bool tsv;
};

static error_t parse_list_option(int key, char *arg, struct argp_state *state) {
    struct list_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case OPTION_JSON: o->json = arg; return 0;
    case OPTION_TSV: o->tsv = true; return 0;
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("list: %s: one word too many", text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* Rounds a duration: "0.2 s", "45 s", "7 min", "3 h". */
static const char *time_text(char *text, size_t size, double seconds) {
    if (seconds < 100) {
        snprintf(text, size, "%.*f s", seconds < 9.95 ? 1 : 0, seconds);
    } else if (seconds < 6000) {
        snprintf(text, size, "%.0f min", seconds / 60);
    } else {
        snprintf(text, size, "%.0f h", seconds / 3600);
    }
    return text;
}

static void print_sizes(const struct workload *w) {
    char text[32];
    for (unsigned k = 0; k < SIZE_COUNT; k++) {
        const struct workload_cost *c = w->size_text[k] ? workload_cost(w, k) : NULL;
        if (w->size_text[k]) {
            printf("%22s%-12s %8s  %s\n", "", workload_size_name(k),
                   c ? time_text(text, sizeof text, c->seconds) : "?", w->size_text[k]);
        }
    }
}

static void print_rows(const struct workload *w) {
    for (unsigned k = 0; k < SIZE_COUNT; k++) {
        const struct workload_cost *c = w->size_text[k] ? workload_cost(w, k) : NULL;
        if (w->size_text[k]) {
            printf("%s\t%s\t%s\t%s", w->name, w->suite, workload_size_name(k), w->size_text[k]);
            c ? printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%g\n", c->launches,
                       c->warp_instructions, c->accesses, c->seconds)
              : printf("\t\t\t\t\n");
        }
    }
}

static int list_workloads(const struct list_options *o) {
    const struct workload *w;
    if (o->tsv) {
        puts("workload\tsuite\tsize\tmeaning\tlaunches\twarp_instructions\taccesses\tseconds");
    }
    for (unsigned i = 0; (w = workload_at(i)); i++) {
        if (o->tsv) {
            print_rows(w);
        } else {
            printf("%-21s %s: %s\n", w->name, w->suite, w->about);
            print_sizes(w);
        }
    }
    return CLI_OK;
}

static int list_suites(const struct list_options *o) {
    const struct workload_set_row *r = workload_set_rows;
    (void)o;
    while (r->set) {
        const char *set = r->set;
        printf("%-19s %s:", set, r->paper);
        for (; r->set && !strcmp(r->set, set); r++) {
            printf(" %s", r->workload);
        }
        fputc('\n', stdout);
    }
    return CLI_OK;
}

enum { SCHEME_NAME = 64 };

/* Prints the words to type for it: a scheme's name, or a place's option with its value. */
static int scheme_words(char *text, const struct scheme *s) {
    return snprintf(text, SCHEME_NAME, s->place ? "--%s %s" : "%s%s", s->place ? s->place : "",
                    s->name);
}

static int list_schemes(const struct list_options *o) {
    const struct scheme *s;
    char name[SCHEME_NAME];
    int width = 0;
    (void)o;
    for (unsigned i = 0; (s = scheme_at(i)); i++) {
        int length = scheme_words(name, s);
        width = length > width ? length : width;
    }
    for (unsigned i = 0; (s = scheme_at(i)); i++) {
        scheme_words(name, s);
        printf("%-*s %s\n%*s", width, name, s->about, width, "");
        for (const struct scheme_value *v = s->values; v->key.text; v++) {
            char text[SCHEME_VALUE_TEXT];
            printf(" %s%s", scheme_value_text(v, text),
                   v->yields ? " (unless another part says)" : "");
        }
        if (s->number.text) {
            printf(" %s=N of %s:N", s->number.text, s->name);
        }
        if (s->sweep.text) {
            printf(" %s=(the best)", s->sweep.text);
        }
        fputc('\n', stdout);
    }
    for (unsigned place = 0; place < POLICY_PLACE_COUNT; place++) {
        const char *policy, *about;
        for (unsigned i = 0; (policy = named_policy_row(place, i, &about)); i++) {
            printf("%-*s %s\n%*s %s=%s\n", width, policy, about ? about : "", width, "",
                   policy_place_key(place), policy);
        }
    }
    return CLI_OK;
}

static int list_presets(const struct list_options *o) {
    const char *name, *about;
    (void)o;
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        printf("%-12s %s\n", name, about);
    }
    return CLI_OK;
}

static int list_keys(const struct list_options *o) {
    char key[CONFIG_KEY_TEXT], allowed[CONFIG_ALLOWED_TEXT];
    (void)o;
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        printf("%-24s %s: %s\n", config_key_text(i, key), config_allowed_text(i, allowed),
               config_key_at(i)->meaning);
    }
    return CLI_OK;
}

/* Lists the figures that are computed from counters, and the columns of --series. */
static void list_derived(const struct stats *stats) {
    const struct figure *f;
    struct figure_ref ref;
    char text[512];
    const char *name;
    printf("\nFigures, for the report and the columns of compare:\n");
    for (unsigned i = 0; (f = figure_at(i)); i++) {
        if (figure_resolve(&ref, f, stats)) {
            printf("%-28s %s: %s = %s\n", f->name, f->unit, f->meaning,
                   figure_formula(f, text, sizeof text));
        }
    }
    printf("\nColumns of run --series:\n");
    for (unsigned i = 0; (name = series_name(i, text, sizeof text)); i++) {
        printf("%-28s %s\n", name, text);
    }
}

static int write_list(const struct list_options *o, json_t *json) {
    struct config_error e;
    struct output out;
    if (!output_open(&out, o->json, &e)) {
        json_decref(json);
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    return result_write(json, &out, &e) ? CLI_OK : cli_error(CLI_FAILED, "%s", e.text);
}

static void print_stats(const struct stats *stats) {
    for (size_t i = 0; i < stats_count(stats); i++) {
        const struct stat_desc *d = stats_at(stats, i);
        printf("%-28s %s%s: %s (%s)\n", d->name, d->unit, d->combine == STAT_MAX ? ", largest" : "",
               d->meaning, d->source);
    }
    list_derived(stats);
}

static int list_stats(const struct list_options *o) {
    struct machine m;
    struct config_error e;
    char error[256] = "out of memory";
    if (!machine_make(&m, &o->machine, NULL, NULL, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    const struct gpu_options options = {.policies = m.policies};
    struct gpu *gpu = gpu_create(&m.config, &options, error, sizeof error);
    struct stats *stats = stats_create();
    int status = CLI_OK;
    if (!gpu || !stats || !gpu_register_stats(gpu, stats)) {
        const char *why = stats ? stats_error(stats) : NULL;
        status = cli_error(why ? CLI_BAD_INPUT : CLI_FAILED, "%s", why ? why : error);
    } else if (o->json) {
        status = write_list(o, list_stats_json(stats));
    } else {
        print_stats(stats);
    }
    stats_destroy(stats);
    if (gpu) {
        gpu_destroy(gpu);
    }
    return status;
}

static void print_set(const struct block_row *row, const struct param_set *set) {
    printf("%12s %-10s ", "", set->name);
    for (unsigned i = 0; i < block_verilog_params(row->block); i++) {
        printf("%s%u", i ? ", " : "", set->values[i]);
    }
    printf(block_row_has_set(row, set->name) ? "\n" : " (only in its own test)\n");
}

static void print_block(const struct block_row *row) {
    const struct block *b = row->block;
    printf("%-12s %s; needs %s\n", b->name, row->about, row->needs);
    for (unsigned i = 0; i < b->param_count; i++) {
        const struct param_desc *p = &b->params[i];
        printf("%12s %-10s %u (%u..%u): %s\n", "", p->name, p->def, p->min, p->max, p->meaning);
    }
    printf("%12s as Verilog, these sets of them, in the same order:\n", "");
    for (unsigned i = 0; i < b->set_count; i++) {
        print_set(row, &b->sets[i]);
    }
}

static int list_blocks(const struct list_options *o) {
    (void)o;
    const struct block_row *row;
    for (unsigned i = 0; (row = block_row_at(i)); i++) {
        print_block(row);
    }
    puts("\nAssemblies of blocks, which have no C and replay a recording (docs/lockstep.md):\n"
         "top/memory_channel   a DRAM channel: dram/fr_fcfs, dram/bank_timing, queues and data; "
         "--record-border");
    return CLI_OK;
}

/* Does the command line describe a machine? Only statistics belong to one. */
static bool names_machine(const struct machine_options *m) {
    return m->preset || m->scheme || m->issue || m->l1 || m->l2 || m->dram || m->config_count ||
           m->set_count;
}

#define LISTS "workloads, suites, schemes, presets, keys, stats or blocks"

static int run_list(const struct list_options *o) {
    static const struct {
        const char *what;
        int (*print)(const struct list_options *o);
        json_t *(*json)(void); /* NULL: print() writes it too */
    } lists[] = {
        {"workloads", list_workloads, list_workloads_json},
        {"suites", list_suites, list_suites_json},
        {"schemes", list_schemes, list_schemes_json},
        {"presets", list_presets, list_presets_json},
        {"keys", list_keys, list_keys_json},
        {"stats", list_stats, NULL},
        {"blocks", list_blocks, list_blocks_json},
    };
    char shown[TEXT_SHOWN];
    for (unsigned i = 0; o->what && i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i].what, o->what)) {
            continue;
        }
        if (o->tsv && o->json) {
            return cli_error(CLI_BAD_INPUT, "list: --tsv and --json: must be one of them");
        }
        if (o->tsv && lists[i].print != list_workloads) {
            return cli_error(CLI_BAD_INPUT, "list %s --tsv: --tsv is for workloads", o->what);
        }
        if (lists[i].print != list_stats && names_machine(&o->machine)) {
            return cli_error(CLI_BAD_INPUT, "list %s: has no options of a machine; list stats has",
                             o->what);
        }
        return o->json && lists[i].json ? write_list(o, lists[i].json()) : lists[i].print(o);
    }
    return cli_error(CLI_BAD_INPUT, "list%s%s: must be " LISTS, o->what ? " " : "",
                     o->what ? text_shown(shown, sizeof shown, o->what) : "");
}

int cli_list(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp_child children[] = {{&machine_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        options, parse_list_option, "workloads|suites|schemes|presets|keys|stats|blocks",
        doc,     children,          NULL,
        NULL};
    struct list_options o = {0};
    (void)blocks;
    if (!machine_options_init(&o.machine, argc)) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    enum cli_parsed parsed = cli_parse(&argp, "warpmem list", argc, argv, &o);
    int status = parsed == CLI_PARSED   ? run_list(&o)
                 : parsed == CLI_HELPED ? CLI_OK
                                        : CLI_BAD_INPUT;
    machine_options_free(&o.machine);
    return status;
}
