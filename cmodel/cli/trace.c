/* SPDX-License-Identifier: Apache-2.0
 * warpmem trace: record a workload, or print a recording as text. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "trace/text_trace.h"
#include "trace/wtr_reader.h"
#include "trace/wtr_writer.h"

enum { OPTION_SIZE = 0x340, OPTION_SEED, OPTION_NO_PROGRESS, OPTION_TEXT };

/* clang-format off */
static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "the file to write, usually NAME.wtr; it appears whole or not at all. With --text also -, stdout (default)", 1},
    {"text", OPTION_TEXT, NULL, 0, "write readable lines, which `import --format text` reads", 1},
    {"size", OPTION_SIZE, "tiny|small|paper", 0, "input size, as for run (default small)", 2},
    {"seed", OPTION_SEED, "N", 0, "seed of the generated inputs (default 1)", 2},
    {"no-progress", OPTION_NO_PROGRESS, NULL, 0, "no progress line on the terminal", 2},
    {0},
};
static const char doc[] =
    "Record a workload (WHAT: a name that `warpmem list workloads` prints; with --text also a trace file): its kernels, and for every warp the "
    "instructions, active lanes and addresses, in one compressed file. Nothing is timed; the results are checked against "
    "plain C."
    "\v"
    "`warpmem run FILE.wtr` then gives the same statistics, to the byte, as running the workload, on any machine that it "
    "fits. docs/wtr_format.md describes the file.\n\n"
    "For example:\n"
    "  warpmem trace atax --size tiny -o atax.wtr\n"
    "  warpmem run atax.wtr --scheme mrpb --json atax.json\n"
    "  warpmem trace atax.wtr --text | less";
/* clang-format on */

struct trace_options {
    struct session_options session;
    char *what;
    const char *output;
    bool text;
};

/* The file that is written, in one of its two forms. */
struct recording {
    struct wtr_writer *wtr; /* NULL: text */
    struct text_trace_writer text;
    const char *failed; /* why the text cannot be written; NULL: it can */
};

static error_t parse_trace_option(int key, char *arg, struct argp_state *state) {
    struct trace_options *o = state->input;
    char shown[TEXT_SHOWN];
    switch (key) {
    case 'o': o->output = arg; return 0;
    case OPTION_SIZE: return session_parse_size(&o->session, arg);
    case OPTION_SEED: return session_parse_seed(&o->session, arg);
    case OPTION_TEXT: o->text = true; return 0;
    case OPTION_NO_PROGRESS: o->session.no_progress = true; return 0;
    case ARGP_KEY_ARG:
        if (o->what) {
            return cli_bad("%s: a second workload: there must be exactly one",
                           text_shown(shown, sizeof shown, arg));
        }
        o->what = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return cli_bad("trace: needs a workload's name; `warpmem list workloads` lists them");
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* NULL: nothing is wrong so far. */
static const char *recording_error(const struct recording *r) {
    if (r->wtr) {
        return wtr_writer_error(r->wtr);
    }
    return r->failed;
}

static bool record_cta(struct recording *r, unsigned cta, const struct cta_trace *trace) {
    if (r->wtr) {
        return wtr_write_cta(r->wtr, trace);
    }
    errno = 0;
    text_trace_cta(&r->text, cta, trace);
    if (ferror(r->text.file)) {
        r->failed = strerror(errno ? errno : EIO);
    }
    return !r->failed;
}

static void record_copy(void *user, uint64_t address, uint64_t bytes) {
    struct recording *r = user;
    text_trace_copy(&r->text, address, bytes);
}

/* Writes one launch; false when the writer failed or a signal came. */
static bool record_launch(struct program *p, const struct launch *l, struct cta_trace *trace,
                          struct recording *r, struct progress *progress) {
    if (!r->wtr) {
        text_trace_launch(&r->text, l);
    } else if (!wtr_write_launch(r->wtr, l)) {
        return false;
    }
    for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
        if (*signals_flag() || !p->run_cta(p->self, cta, trace) || !record_cta(r, cta, trace)) {
            return false;
        }
        progress_part(progress, cta + 1, launch_ctas(l));
    }
    return true;
}

/* Compares the results, and the counts of a trace file, with what the workload knows. */
static int check_recording(const struct session_options *o, const struct program *p,
                           const struct recording *r) {
    struct workload_expectation want;
    const char *wrong = workload_check(o->workload, p);
    if (wrong) {
        return cli_error(CLI_FAILED, "%s %s: results differ from plain C: %s", o->workload->name,
                         o->size_text, wrong);
    }
    if (!r->wtr) {
        return CLI_OK;
    }
    const struct wtr_totals *got = wtr_writer_totals(r->wtr);
    workload_expect(o->workload, p, 128, &want); /* lines are not compared */
    if (!workload_meets(got->warp_instructions, want.warp_instructions) ||
        !workload_meets(got->thread_instructions, want.thread_instructions)) {
        return cli_error(CLI_FAILED,
                         "%s %s: %" PRIu64 " warp and %" PRIu64
                         " thread instructions: must be %" PRIu64 " and %" PRIu64,
                         o->workload->name, o->size_text, got->warp_instructions,
                         got->thread_instructions, want.warp_instructions,
                         want.thread_instructions);
    }
    return CLI_OK;
}

/* Does everything except the file itself. The message is printed. */
static int record_program(const struct session_options *o, struct program *p,
                          struct cta_trace *trace, struct recording *r) {
    struct progress progress;
    const struct launch *launch;
    bool good = true;
    progress_init(&progress, o->workload->name, !o->no_progress);
    while (good && p->next_launch(p->self, &launch)) {
        good = record_launch(p, launch, trace, r, &progress);
    }
    progress_clear(&progress);
    if (*signals_flag()) {
        return cli_error(CLI_SIGNAL + (int)*signals_flag(), "%s: interrupted; nothing is written",
                         o->workload->name);
    }
    const char *broken = trace_source_broken(&o->trace, p);
    if (broken) {
        return cli_error(CLI_BAD_INPUT, "%s", broken);
    }
    if ((!good && !recording_error(r)) || (r->wtr && !wtr_writer_finish(r->wtr)) ||
        recording_error(r)) {
        const char *why = recording_error(r);
        return cli_error(CLI_FAILED, "%s %s: %s%s", o->workload->name, o->size_text,
                         r->failed ? "cannot be written: " : "", why ? why : "out of memory");
    }
    return check_recording(o, p, r);
}

/* NULL, or why it does not start. */
static const char *start_program(const struct session_options *o, struct program *p,
                                 struct recording *r, char error[TRACE_SOURCE_ERROR]) {
    if (!o->trace.path) {
        return workload_open(o->workload, p, o->size, o->seed);
    }
    const char *wrong = trace_source_start(&o->trace, p, error);
    if (!wrong) {
        wtr_reader_tell_copies(p->self, record_copy, r);
    }
    return wrong;
}

static int record_to(const struct trace_options *t, FILE *file) {
    const struct session_options *o = &t->session;
    struct wtr_origin origin = {.seed = o->seed};
    struct program program;
    struct recording r = {0};
    char error[TRACE_SOURCE_ERROR];
    snprintf(origin.workload, sizeof origin.workload, "%s", o->workload->name);
    snprintf(origin.size, sizeof origin.size, "%s", o->size_text);
    if (t->text) {
        text_trace_begin(&r.text, file, o->trace.path ? &o->trace.origin : &origin);
    } else {
        r.wtr = wtr_writer_create(file, &origin);
    }
    struct cta_trace *trace = cta_trace_create();
    const char *wrong =
        (r.wtr || t->text) && trace ? start_program(o, &program, &r, error) : "out of memory";
    int status;
    if (wrong) {
        status = cli_error(CLI_FAILED, "%s %s: %s", o->workload->name, o->size_text, wrong);
    } else {
        status = record_program(o, &program, trace, &r);
        workload_close(o->workload, &program);
    }
    cta_trace_destroy(trace);
    wtr_writer_destroy(r.wtr);
    return status;
}

static int run_trace_command(struct trace_options *o) {
    struct config_error e;
    struct output out;
    if (o->text && !o->output) {
        o->output = "-";
    }
    struct output_wish wish = {"-o", o->output, !o->text};
    if (!o->output) {
        return cli_error(CLI_BAD_INPUT, "trace: needs a file to write: -o FILE.wtr");
    }
    if (!o->text && trace_source_is(o->what)) {
        return cli_error(CLI_BAD_INPUT, "%.200s: is a file: must be a workload's name, or --text",
                         o->what);
    }
    if (!session_workload(&o->session, o->what)) {
        return CLI_BAD_INPUT;
    }
    signals_catch(); /* before there is a file to leave behind */
    if (!output_check(&wish, 1, &e) || !output_spares(&wish, 1, o->session.trace.path, &e) ||
        !output_open(&out, o->output, &e)) {
        return cli_error(CLI_BAD_INPUT, "%s", e.text);
    }
    int status = record_to(o, out.file);
    if (status != CLI_OK) {
        output_abandon(&out);
    } else if (!output_commit(&out, &e)) {
        status = cli_error(CLI_FAILED, "%s", e.text);
    }
    return status;
}

int cli_trace(int argc, char **argv, const struct cli_blocks *blocks) {
    static const struct argp argp = {options, parse_trace_option, "WHAT", doc, NULL, NULL, NULL};
    struct trace_options o = {0};
    (void)blocks;
    session_options_init(&o.session);
    enum cli_parsed parsed = cli_parse(&argp, "warpmem trace", argc, argv, &o);
    return parsed == CLI_PARSED   ? run_trace_command(&o)
           : parsed == CLI_HELPED ? CLI_OK
                                  : CLI_BAD_INPUT;
}
