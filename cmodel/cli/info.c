/* SPDX-License-Identifier: Apache-2.0
 * warpmem info: print the contents of a trace. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/report/info_code.h"
#include "cli/report/info_list.h"
#include "cli/report/result_json.h"
#include "trace/wtr_reader.h"

#define INFO_SCHEMA "warpmem.info"

enum { OPTION_JSON = 0x360, OPTION_CODE };

/* clang-format off */
static const struct argp_option options[] = {
    {"code", OPTION_CODE, NULL, 0, "print the kernels' instructions instead, with their source lines if the trace has them", 1},
    {"json", OPTION_JSON, "FILE|-", 0, "the same as JSON", 1},
    {0},
};
static const char doc[] =
    "Print the contents of a trace file: a line for each launch and each copy from the host, then the totals. For a list of text "
    "traces (a FILE whose name ends in .g): the headers of the kernels' files."
    "\v"
    "The columns: launch, its number; kernel; grid and block in x, y, z; ctas; warp_insn and thread_insn, instructions of "
    "warps and, times active lanes, of threads; memory_insn, those of warps that access memory; insns, instructions in the "
    "code; regs, registers a thread; shared, bytes a CTA; bytes, of records; stored, their size in the file.\n\n"
    "The columns of --code: PC of each instruction, operation, the register that it writes <- those that it reads, its file "
    "and line; and the line's text if the file is readable. loop_begin, loop_iteration and loop_end are markers. "
    "Captured kernels have source lines, others have none.\n\n"
    "The numbers come from the file; `warpmem run` checks them.\n\n"
    "For example: warpmem trace vecadd --size tiny -o v.wtr; warpmem info v.wtr";
/* clang-format on */

struct info_options {
    char *what;
    const char *json;
    bool code;
};

static error_t parse_info_option(int key, char *arg, struct argp_state *state) {
    struct info_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case OPTION_JSON: o->json = arg; return 0;
    case OPTION_CODE: o->code = true; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("%s: a second file: there must be exactly one",
                           text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_bad("info: needs a trace file (.wtr) or a list of text traces (.g)");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void print_trace_heading(void) {
    printf("%6s  %-20s %-14s %-11s %10s %12s %14s %12s %6s %5s %7s %12s %11s\n", "launch", "kernel",
           "grid", "block", "ctas", "warp_insn", "thread_insn", "memory_insn", "insns", "regs",
           "shared", "bytes", "stored");
}

static const char *dimensions_text(char *text, size_t size, const unsigned n[3]) {
    snprintf(text, size, "%u,%u,%u", n[0], n[1], n[2]);
    return text;
}

static void print_launch(const struct wtr_item *i, uint64_t number) {
    const struct launch *l = i->launch;
    const struct wtr_totals *t = &i->totals;
    char grid[40], block[40], name[256];
    printf("%6" PRIu64 "  %-20s %-14s %-11s %10" PRIu64 " %12" PRIu64 " %14" PRIu64 " %12" PRIu64
           " %6u %5u %7u %12" PRIu64 " %11" PRIu64 "\n",
           number, text_shown(name, sizeof name, l->code->name),
           dimensions_text(grid, sizeof grid, l->grid),
           dimensions_text(block, sizeof block, l->block), t->ctas, t->warp_instructions,
           t->thread_instructions, t->memory_instructions, l->code->insn_count, l->code->registers,
           l->code->shared_bytes, t->record_bytes, i->stored_bytes);
}

static json_t *totals_json(const struct wtr_totals *t) {
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "ctas", (json_int_t)t->ctas, "warp_instructions",
                     (json_int_t)t->warp_instructions, "thread_instructions",
                     (json_int_t)t->thread_instructions, "memory_instructions",
                     (json_int_t)t->memory_instructions, "record_bytes",
                     (json_int_t)t->record_bytes);
}

static json_t *launch_json(const struct wtr_item *i) {
    const struct launch *l = i->launch;
    json_t *json = json_pack(
        "{s:s, s:s, s:[i,i,i], s:[i,i,i], s:i, s:i, s:i, s:I}", "kind", "launch", "kernel",
        l->code->name, "grid", (int)l->grid[0], (int)l->grid[1], (int)l->grid[2], "block",
        (int)l->block[0], (int)l->block[1], (int)l->block[2], "instructions",
        (int)l->code->insn_count, "registers", (int)l->code->registers, "shared_bytes",
        (int)l->code->shared_bytes, "stored_bytes", (json_int_t)i->stored_bytes);
    json_t *totals = totals_json(&i->totals);
    json_object_update(json, totals);
    json_decref(totals);
    return json;
}

static json_t *item_json(const struct wtr_item *i) {
    if (i->kind == WTR_ITEM_LAUNCH) {
        return launch_json(i);
    }
    return json_pack("{s:s, s:I, s:I}", "kind", "copy", "address", (json_int_t)i->address, "bytes",
                     (json_int_t)i->bytes);
}

static void print_item(const struct wtr_item *i, uint64_t launches) {
    if (i->kind == WTR_ITEM_LAUNCH) {
        print_launch(i, launches);
    } else if (i->kind == WTR_ITEM_COPY) {
        printf("%6s  from the host to 0x%" PRIx64 ": %" PRIu64 " bytes\n", "copy", i->address,
               i->bytes);
    } else {
        printf("total   %" PRIu64 " launches, %" PRIu64 " copies, %" PRIu64 " CTAs, %" PRIu64
               " warp instructions, %" PRIu64 " thread instructions, %" PRIu64
               " memory instructions, %" PRIu64 " bytes of records\n",
               i->launches, i->copies, i->totals.ctas, i->totals.warp_instructions,
               i->totals.thread_instructions, i->totals.memory_instructions,
               i->totals.record_bytes);
    }
}

/* The codes of the launches, each once; into *codes if that is wanted. False: the file is bad. */
static bool print_codes(struct wtr_reader *r, json_t *codes) {
    struct wtr_item item;
    const struct kernel_code **seen = NULL;
    unsigned count = 0;
    while (wtr_reader_item(r, &item)) {
        unsigned i = 0;
        while (item.kind == WTR_ITEM_LAUNCH && i < count && seen[i] != item.launch->code) {
            i++;
        }
        if (item.kind != WTR_ITEM_LAUNCH || i < count) {
            continue;
        }
        const struct kernel_code **grown = realloc(seen, (count + 1) * sizeof *grown);
        if (!grown) {
            break;
        }
        seen = grown;
        seen[count++] = item.launch->code;
        if (codes) {
            json_array_append_new(codes, info_code_json(item.launch->code));
        } else {
            fputs(count > 1 ? "\n" : "", stdout);
            info_print_code(item.launch->code);
        }
    }
    free(seen);
    return !wtr_reader_error(r);
}

/* Reads all items, to the terminal as they come or into *items. False: the file is bad. */
static bool print_trace_items(struct wtr_reader *r, json_t *items, json_t *head) {
    struct wtr_item item;
    uint64_t launches = 0;
    while (wtr_reader_item(r, &item)) {
        launches += item.kind == WTR_ITEM_LAUNCH;
        if (!items) {
            print_item(&item, launches);
        } else if (item.kind == WTR_ITEM_END) {
            json_object_set_new(head, "totals", totals_json(&item.totals));
        } else {
            json_array_append_new(items, item_json(&item));
        }
    }
    return !wtr_reader_error(r);
}

static int write_json(const struct info_options *o, json_t *json) {
    struct config_error e;
    struct output out;
    const struct output_wish wish = {"--json", o->json, false};
    if (!output_spares(&wish, 1, o->what, &e) || !output_open(&out, o->json, &e)) {
        json_decref(json);
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    return result_write(json, &out, &e) ? CLI_OK : cli_error(CLI_FAILED, "%s", e.text);
}

static int info_json(const struct info_options *o, struct wtr_reader *r) {
    const struct wtr_origin *origin = wtr_reader_origin(r);
    json_t *items = json_array();
    const char *member = o->code ? "code" : "items";
    json_t *json =
        json_pack("{s:s, s:i, s:s, s:s, s:I}", "schema", INFO_SCHEMA, "version", 1, "workload",
                  origin->workload, "size", origin->size, "seed", (json_int_t)origin->seed);
    if (o->code ? !print_codes(r, items) : !print_trace_items(r, items, json)) {
        json_decref(items);
        json_decref(json);
        return cli_error(CLI_BAD_INPUT, "%s", wtr_reader_error(r));
    }
    json_object_set_new(json, member, items);
    return write_json(o, json);
}

static int info_text_traces(const struct info_options *o) {
    json_t *items = o->json ? json_array() : NULL;
    int status = info_list(o->what, items);
    if (status != CLI_OK || !items) {
        json_decref(items);
        return status;
    }
    return write_json(
        o, json_pack("{s:s, s:i, s:o}", "schema", INFO_SCHEMA, "version", 1, "items", items));
}

static bool is_list(const char *name) {
    size_t length = strlen(name);
    return length > 2 && !strcmp(name + length - 2, ".g");
}

static int run_info(const struct info_options *o) {
    char error[1024];
    if (is_list(o->what) && o->code) {
        return cli_error(CLI_BAD_INPUT,
                         "--code: %.200s is a list of text traces: must be a .wtr "
                         "file; `warpmem import` converts the list",
                         o->what);
    }
    if (is_list(o->what)) {
        return info_text_traces(o);
    }
    struct wtr_reader *r = wtr_reader_open(o->what, error, sizeof error);
    if (!r) {
        return cli_error(CLI_BAD_INPUT, "%s", error);
    }
    int status = CLI_OK;
    if (o->json) {
        status = info_json(o, r);
    } else if (o->code) {
        status =
            print_codes(r, NULL) ? CLI_OK : cli_error(CLI_BAD_INPUT, "%s", wtr_reader_error(r));
    } else {
        const struct wtr_origin *origin = wtr_reader_origin(r);
        printf("recorded from %s, size %s, seed %" PRIu64 "\n", origin->workload, origin->size,
               origin->seed);
        print_trace_heading();
        if (!print_trace_items(r, NULL, NULL)) {
            status = cli_error(CLI_BAD_INPUT, "%s", wtr_reader_error(r));
        }
    }
    wtr_reader_close(r);
    return status;
}

int cli_info(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp argp = {options, parse_info_option, "FILE", doc, NULL, NULL, NULL};
    struct info_options o = {0};
    (void)blocks;
    enum cli_parsed parsed = cli_parse(&argp, "warpmem info", argc, argv, &o);
    return parsed == CLI_PARSED ? run_info(&o) : parsed == CLI_HELPED ? CLI_OK : CLI_BAD_INPUT;
}
