/* SPDX-License-Identifier: Apache-2.0
 * warpmem import: Accel-Sim's text traces, and our own. */
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/options/cli.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/options/trace_source.h"
#include "trace/accelsim_import.h"
#include "trace/text_trace.h"

enum { OPTION_NAME = 0x380, OPTION_FORMAT, OPTION_NO_PROGRESS };

/* clang-format off */
static const struct argp_option options[] = {
    {"output", 'o', "FILE.wtr", 0, "the file to write; it appears whole or not at all", 1},
    {"format", OPTION_FORMAT, "accelsim|text", 0, "format of INPUT (default accelsim); text: the output of a script or of `warpmem trace --text`", 1},
    {"name", OPTION_NAME, "NAME", 0, "its name in reports (default: of its origin line, else FILE without folder and .wtr)", 2},
    {"no-progress", OPTION_NO_PROGRESS, NULL, 0, "no progress line on the terminal", 2},
    {0},
};
static const char doc[] =
    "Turn text traces into a trace file. INPUT is the list of kernels that Accel-Sim's tracer wrote on a real GPU, usually "
    "kernelslist.g; the kernels' files must be in its folder, plain or .xz. Tracer versions 3 to 5, all address modes, Kepler to "
    "Blackwell. Or, with --format text, INPUT is a file of warpmem's own text, plain or .xz; - is stdin."
    "\v"
    "At the end stderr lists the opcodes of Accel-Sim's traces that the table (cmodel/trace/opcodes.tsv) lacks, each with its "
    "count; they run as integer additions. docs/wtr_format.md describes the import of each instruction, and the text. The "
    "host's copies are kept in the file but take no time: runs begin with cold caches.\n\n"
    "For example:\n"
    "  warpmem import traces/kernelslist.g -o bfs.wtr\n"
    "  warpmem run bfs.wtr --scheme mrpb\n"
    "  python3 stream.py | warpmem import --format text - -o stream.wtr";
/* clang-format on */

struct import_options {
    char *what;
    const char *output, *name;
    bool text, no_progress;
};

static error_t parse_import_option(int key, char *arg, struct argp_state *state) {
    struct import_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case 'o': o->output = arg; return 0;
    case OPTION_NAME: o->name = arg; return 0;
    case OPTION_FORMAT:
        o->text = !strcmp(arg, "text");
        return o->text || !strcmp(arg, "accelsim")
                   ? 0
                   : cli_bad("--format %s: must be accelsim or text",
                             text_shown(shown, sizeof shown, arg));
    case OPTION_NO_PROGRESS: o->no_progress = true; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("%s: a second input: there must be exactly one",
                           text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_bad(
            "import: needs a list of kernels (kernelslist.g), or a text with --format text");
    default: return ARGP_ERR_UNKNOWN;
    }
}

static bool name_it(const struct import_options *o, struct wtr_origin *origin) {
    const char *slash = strrchr(o->output, '/');
    const char *name = o->name ? o->name : slash ? slash + 1 : o->output;
    size_t length = strlen(name);
    if (!o->name && length > 4 && !strcmp(name + length - 4, ".wtr")) {
        length -= 4;
    }
    if (!length || length > 200 || !wtr_printable((const uint8_t *)name, length)) {
        cli_error(CLI_BAD_INPUT, "--name: must be 1..200 printable ASCII characters");
        return false;
    }
    *origin = (struct wtr_origin){.size = "-"};
    memcpy(origin->workload, name, length);
    return true;
}

/* Opens a file without a name beside the output, because that disk has room for it. */
static FILE *open_spool(const char *output) {
    size_t size = strlen(output) + sizeof ".spoolXXXXXX";
    char *path = malloc(size);
    if (!path) {
        return NULL;
    }
    snprintf(path, size, "%s.spoolXXXXXX", output);
    int fd = mkstemp(path);
    if (fd >= 0) {
        unlink(path);
    }
    free(path);
    return fd < 0 ? NULL : fdopen(fd, "w+");
}

static void show_import_progress(void *user, uint64_t done, uint64_t total) {
    progress_part(user, done, total);
}

static void tell_count(uint64_t count, const char *what) {
    if (count) {
        fprintf(stderr, "warpmem: import: %" PRIu64 " %s\n", count, what);
    }
}

static void tell_notes(const struct accelsim_notes *n) {
    for (unsigned i = 0; i < n->unknown_count; i++) {
        if (n->unknown[i].count) {
            fprintf(stderr,
                    "warpmem: import: %s: unknown opcode, ran as an integer addition %" PRIu64
                    " times\n",
                    n->unknown[i].opcode, n->unknown[i].count);
        }
    }
    tell_count(n->other_unknown,
               "instructions of further unknown opcodes ran as integer additions");
    tell_count(n->without_addresses,
               "memory instructions without an address ran as integer additions");
    tell_count(n->cut, "instructions with more than 16 bytes a lane access 16");
    tell_count(n->no_lane, "instructions with every lane predicated off are dropped");
    tell_count(n->same_pc, "instructions share a PC with another: higher bits distinguish them");
}

static int finish_import(enum import_status status, const struct import *i) {
    switch (status) {
    case IMPORT_GOOD: return CLI_OK;
    case IMPORT_BAD_INPUT: return cli_error(CLI_BAD_INPUT, "%s", i->error);
    case IMPORT_FAILED: return cli_error(CLI_FAILED, "import: %s", i->error);
    case IMPORT_STOPPED: break;
    }
    return cli_error(CLI_SIGNAL + (int)*signals_flag(), "import: interrupted; nothing is written");
}

static int import_by_format(const struct import_options *o, struct import *i) {
    struct progress progress;
    struct accelsim_notes *notes = calloc(1, sizeof *notes);
    if (!notes) {
        return cli_error(CLI_FAILED, "import: out of memory");
    }
    progress_init(&progress, o->what, !o->no_progress);
    i->progress_user = &progress;
    enum import_status got = o->text ? text_trace_import(i) : accelsim_import(i, notes);
    progress_clear(&progress);
    int status = finish_import(got, i);
    if (status == CLI_OK) {
        tell_notes(notes);
    }
    free(notes);
    return status;
}

static int import_to(const struct import_options *o, const struct wtr_origin *origin, FILE *file) {
    struct wtr_writer *w = wtr_writer_create(file, origin);
    FILE *spool = open_spool(o->output);
    int status;
    if (!w) {
        status = cli_error(CLI_FAILED, "import: out of memory");
    } else if (!spool) {
        status = cli_error(CLI_FAILED, "import: no temporary file beside %.200s: %s", o->output,
                           strerror(errno));
    } else {
        struct import i = {.path = o->text && !strcmp(o->what, "-") ? "/dev/stdin" : o->what,
                           .output = o->output,
                           .writer = w,
                           .named = o->name,
                           .spool = spool,
                           .stop = signals_flag(),
                           .progress = show_import_progress};
        status = import_by_format(o, &i);
    }
    if (spool) {
        fclose(spool);
    }
    wtr_writer_destroy(w);
    return status;
}

static int run_import(const struct import_options *o) {
    struct config_error e;
    struct output out;
    struct wtr_origin origin;
    struct output_wish wish = {"-o", o->output, true};
    if (!o->output) {
        return cli_error(CLI_BAD_INPUT, "import: needs a file to write: -o FILE.wtr");
    }
    if (!name_it(o, &origin)) {
        return CLI_BAD_INPUT;
    }
    if (!o->text && trace_source_is_text(o->what)) {
        return cli_error(CLI_BAD_INPUT, "%.200s: warpmem's text form: needs --format text",
                         o->what);
    }
    signals_catch(); /* before there is a file to leave behind */
    if (!output_check(&wish, 1, &e) || !output_open(&out, o->output, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    int status = import_to(o, &origin, out.file);
    if (status != CLI_OK) {
        output_abandon(&out);
    } else if (!output_commit(&out, &e)) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    return status;
}

int cli_import(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp argp = {options, parse_import_option, "INPUT", doc, NULL, NULL, NULL};
    struct import_options o = {0};
    (void)blocks;
    enum cli_parsed parsed = cli_parse(&argp, "warpmem import", argc, argv, &o);
    return parsed == CLI_PARSED ? run_import(&o) : parsed == CLI_HELPED ? CLI_OK : CLI_BAD_INPUT;
}
