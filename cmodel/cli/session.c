/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/signals.h"

#define SEED_MAX ((1ull << 53) - 1) /* what every JSON reader keeps exactly */

enum {
    OPTION_SIZE = 0x240,
    OPTION_SEED,
    OPTION_MAX_CYCLES,
    OPTION_POLL,
    OPTION_REVERSE,
    OPTION_NO_PROGRESS,
};

/* clang-format off */
static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "The run:", 10},
    {"size", OPTION_SIZE, "tiny|small|paper", 0, "input size (small); paper:mrpb says whose where papers differ", 10},
    {"seed", OPTION_SEED, "N", 0, "of the generated inputs (1)", 10},
    {"max-cycles", OPTION_MAX_CYCLES, "N", 0, "stop after N core cycles; the statistics are marked incomplete", 10},
    {"no-progress", OPTION_NO_PROGRESS, NULL, 0, "no progress line on the terminal", 10},
    {NULL, 0, NULL, 0, "Checks of the model itself; the statistics must not change by a bit:", 30},
    {"poll", OPTION_POLL, NULL, 0, "evaluate every unit in every cycle", 30},
    {"reverse", OPTION_REVERSE, NULL, 0, "evaluate units in the opposite order", 30},
    {0},
};
/* clang-format on */

static const char *const size_names[] = {"tiny", "small", "paper"};

static error_t parse_size(struct session_options *o, const char *arg) {
    char shown[TEXT_SHOWN];
    const char *name = strcmp(arg, "paper:mrpb") ? arg : "paper";
    for (unsigned i = 0; i < 3; i++) {
        if (!strcmp(name, size_names[i])) {
            o->size = (enum workload_size)i;
            o->size_text = size_names[i];
            return 0;
        }
    }
    return cli_bad("--size %s: must be tiny, small, paper or paper:mrpb",
                   text_shown(shown, sizeof shown, arg));
}

static error_t parse_number(const char *option, const char *arg, unsigned long long min,
                            unsigned long long max, unsigned long long *value) {
    char shown[TEXT_SHOWN];
    if (cli_number(arg, max, value) && *value >= min) {
        return 0;
    }
    return cli_bad("%s %s: must be %llu..%llu", option, text_shown(shown, sizeof shown, arg), min,
                   max);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct session_options *o = state->input;
    switch (key) {
    case OPTION_SIZE: return parse_size(o, arg);
    case OPTION_SEED: return parse_number("--seed", arg, 0, SEED_MAX, &o->seed);
    case OPTION_MAX_CYCLES: return parse_number("--max-cycles", arg, 1, SEED_MAX, &o->max_cycles);
    case OPTION_POLL: o->poll = true; return 0;
    case OPTION_REVERSE: o->reverse = true; return 0;
    case OPTION_NO_PROGRESS: o->no_progress = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp session_argp = {.options = options, .parser = parse};

void session_options_init(struct session_options *o) {
    *o = (struct session_options){.size = SIZE_SMALL, .size_text = "small", .seed = 1};
}

bool session_workload(struct session_options *o, const char *name) {
    char shown[TEXT_SHOWN];
    struct text_nearest near;
    o->workload = workload_find(name);
    if (o->workload) {
        return true;
    }
    text_nearest_init(&near, name);
    for (unsigned i = 0; workload_at(i); i++) {
        text_nearest_offer(&near, workload_at(i)->name);
    }
    text_shown(shown, sizeof shown, name);
    if (near.best) {
        cli_error(CLI_BAD_INPUT, "%s: no such workload; did you mean %s?", shown, near.best);
    } else {
        cli_error(CLI_BAD_INPUT, "%s: no such workload; `warpmem list workloads` lists them",
                  shown);
    }
    return false;
}

/* Counts that the workload knows by formula against what the machine counted. */
static int check_counts(const struct session *s) {
    struct workload_expectation want = {0};
    s->options->workload->expect(&s->program, &want);
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
        uint64_t got = stats_get(s->stats, counts[i].name);
        if (got != counts[i].want) {
            return cli_error(CLI_FAILED, "%s %s: %s = %" PRIu64 ": must be %" PRIu64,
                             s->options->workload->name, s->options->size_text, counts[i].name, got,
                             counts[i].want);
        }
    }
    return CLI_OK;
}

static int check_complete(struct session *s) {
    const struct workload *w = s->options->workload;
    const char *wrong = w->check(&s->program);
    if (wrong) {
        return cli_error(CLI_FAILED, "%s %s: results differ from plain C: %s", w->name,
                         s->options->size_text, wrong);
    }
    wrong = gpu_conserved(s->gpu);
    if (wrong) {
        return cli_error(CLI_FAILED, "%s %s: not conserved: %s", w->name, s->options->size_text,
                         wrong);
    }
    return check_counts(s);
}

/* What the machine's last word means for the user. */
static int judge(struct session *s) {
    const char *name = s->options->workload->name;
    switch (s->status) {
    case GPU_COMPLETE: s->complete = true; return check_complete(s);
    case GPU_LIMIT:
        cli_error(CLI_OK, "%s: stopped at --max-cycles %llu; the statistics are incomplete", name,
                  s->options->max_cycles);
        return CLI_OK;
    case GPU_INTERRUPTED:
        return cli_error(CLI_SIGNAL + (int)*signals_flag(),
                         "%s: interrupted at cycle %" PRIu64 "; the statistics are incomplete",
                         name, s->cycles);
    case GPU_STUCK:
        gpu_dump(s->gpu, stderr);
        return cli_error(CLI_FAILED, "%s: stuck at cycle %" PRIu64 ": %s", name, s->cycles,
                         gpu_message(s->gpu));
    case GPU_BLOCK_FAILED: return cli_error(CLI_FAILED, "%s: %s", name, gpu_message(s->gpu));
    case GPU_DOES_NOT_FIT: return cli_error(CLI_BAD_INPUT, "%s: %s", name, gpu_message(s->gpu));
    case GPU_OUT_OF_MEMORY: break;
    }
    return cli_error(CLI_FAILED, "%s: out of memory", name);
}

static bool worth_writing(const struct session *s, int status) {
    return status == CLI_OK ||
           (!s->complete && s->status != GPU_DOES_NOT_FIT && s->status != GPU_OUT_OF_MEMORY);
}

static int run(struct session *s, const struct gpu_options *options) {
    const struct session_options *o = s->options;
    char error[256] = "out of memory";
    const char *wrong = o->workload->open(&s->program, o->size, o->seed);
    if (wrong) {
        return cli_error(CLI_FAILED, "%s %s: %s", o->workload->name, o->size_text, wrong);
    }
    s->program_open = true;
    s->gpu = gpu_create(&s->machine->config, options, error, sizeof error);
    if (!s->gpu) {
        return cli_error(options->blocks ? CLI_BAD_INPUT : CLI_FAILED, "%s", error);
    }
    s->stats = stats_create();
    if (!s->stats || !gpu_register_stats(s->gpu, s->stats)) {
        return cli_error(CLI_FAILED, "statistics: out of memory");
    }
    s->status = gpu_run(s->gpu, &s->program);
    progress_clear(options->progress_user);
    s->cycles = gpu_cycles(s->gpu);
    s->warp_instructions = stats_get(s->stats, "core.warp_instructions");
    s->thread_instructions = stats_get(s->stats, "core.thread_instructions");
    int status = judge(s);
    if (!worth_writing(s, status)) {
        stats_destroy(s->stats);
        s->stats = NULL;
    }
    return status;
}

int session_run(struct session *s, const struct session_options *o, const struct machine *m,
                FILE *events, const struct cli_blocks *blocks, void *block_options) {
    char error[256] = "";
    struct progress progress;
    struct gpu_options options = {.poll = o->poll,
                                  .reverse = o->reverse,
                                  .max_cycles = o->max_cycles,
                                  .stop = signals_flag(),
                                  .progress = progress_show,
                                  .progress_user = &progress,
                                  .events = events};
    *s = (struct session){.options = o, .machine = m, .blocks = blocks};
    if (blocks && blocks->open &&
        !blocks->open(block_options, &options.blocks, error, sizeof error)) {
        return cli_error(CLI_BAD_INPUT, "%s", error);
    }
    s->factory = options.blocks;
    progress_init(&progress, o->workload->name, !o->no_progress);
    signals_catch();
    int status = run(s, &options);
    if (options.blocks) {
        bool good = blocks->finish(options.blocks, s->blocks_text, sizeof s->blocks_text);
        if (!good && status == CLI_OK) {
            status = cli_error(CLI_FAILED, "%s", s->blocks_text);
        }
    }
    return status;
}

void session_end(struct session *s) {
    stats_destroy(s->stats);
    if (s->gpu) {
        gpu_destroy(s->gpu);
    }
    if (s->factory) {
        s->blocks->close(s->factory);
    }
    if (s->program_open) {
        s->options->workload->close(&s->program);
    }
    *s = (struct session){0};
}
