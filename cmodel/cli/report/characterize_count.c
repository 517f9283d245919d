/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/characterize_count.h"

#include <inttypes.h>

#include "cli/progress.h"
#include "cli/signals.h"
#include "config/derived.h"

/* STEP_LIMITED: --max-insn was reached; the counts so far are good. */
enum step { STEP_GOOD, STEP_LIMITED, STEP_NO_MEMORY, STEP_STOPPED, STEP_SAID };

static enum step one_launch(struct characterize *c, struct program *p, const struct launch *l,
                            const struct session_options *o, struct progress *progress) {
    const char *wrong = characterize_launch(c, l), *name = o->workload->name;
    bool limited = false;
    if (wrong && *wrong) {
        progress_clear(progress);
        cli_error(CLI_BAD_INPUT, "%s: %s", name, wrong);
        return STEP_SAID;
    }
    for (unsigned cta = 0; !wrong && !limited && cta < launch_ctas(l); cta++) {
        struct cta_trace *trace = characterize_room(c);
        if (*signals_flag()) {
            return STEP_STOPPED;
        }
        if (!trace || !p->run_cta(p->self, cta, trace) || !characterize_cta(c)) {
            return STEP_NO_MEMORY;
        }
        progress_part(progress, cta + 1, launch_ctas(l));
        limited = o->max_insn && characterize_instructions(c) >= o->max_insn;
    }
    return wrong || !characterize_end(c) ? STEP_NO_MEMORY : limited ? STEP_LIMITED : STEP_GOOD;
}

/* Checks the counts that the workload knows by formula. */
static int check_kernel_counts(const struct session_options *o, const struct program *p,
                               const struct kernel_counts *total, unsigned warp_line) {
    struct workload_expectation want = {0};
    workload_expect(o->workload, p, warp_line, &want);
    const struct {
        const char *name;
        uint64_t got, want;
    } counts[] = {
        {"warp instructions", total->lanes.warp_instructions, want.warp_instructions},
        {"thread instructions", total->lanes.thread_instructions, want.thread_instructions},
        {"accesses of global loads", total->lines.accesses[SPACE_GLOBAL][ACCESS_LOAD],
         want.global_read_accesses},
        {"accesses of global stores", total->lines.accesses[SPACE_GLOBAL][ACCESS_STORE],
         want.global_write_accesses},
    };
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (!workload_meets(counts[i].got, counts[i].want)) {
            return cli_error(CLI_FAILED, "%s %s: %s = %" PRIu64 ": must be %" PRIu64,
                             o->workload->name, o->size_text, counts[i].name, counts[i].got,
                             counts[i].want);
        }
    }
    return CLI_OK;
}

static int judge_count(const struct session_options *s, const struct machine *m,
                       struct characterize *c, const struct program *p, enum step step) {
    const char *broken = trace_source_broken(&s->trace, p), *wrong;
    if (broken) {
        return cli_error(CLI_BAD_INPUT, "%s", broken);
    }
    switch (step) {
    case STEP_STOPPED:
        return cli_error(CLI_SIGNAL + (int)*signals_flag(), "%s: interrupted; nothing is written",
                         s->workload->name);
    case STEP_NO_MEMORY: return cli_error(CLI_FAILED, "%s: out of memory", s->workload->name);
    case STEP_SAID: return CLI_BAD_INPUT;
    case STEP_LIMITED:
        return cli_error(CLI_OK, "%s: stopped at --max-insn %llu", s->workload->name, s->max_insn);
    case STEP_GOOD: break;
    }
    if ((wrong = workload_check(s->workload, p))) {
        return cli_error(CLI_FAILED, "%s %s: results differ from plain C: %s", s->workload->name,
                         s->size_text, wrong);
    }
    return check_kernel_counts(s, p, characterize_total(c), config_warp_line(&m->config));
}

int count_program(const struct session_options *s, const struct machine *m, struct characterize *c,
                  bool *complete) {
    char error[TRACE_SOURCE_ERROR];
    struct program program = {0};
    struct progress progress;
    const struct launch *launch;
    enum step step = STEP_GOOD;
    const char *wrong = s->trace.path ? trace_source_start(&s->trace, &program, error)
                                      : workload_open(s->workload, &program, s->size, s->seed);
    if (wrong) {
        return cli_error(s->trace.path ? CLI_BAD_INPUT : CLI_FAILED, "%s: %s", s->workload->name,
                         wrong);
    }
    progress_init(&progress, s->workload->name, !s->no_progress);
    while (step == STEP_GOOD && program.next_launch(program.self, &launch)) {
        step = one_launch(c, &program, launch, s, &progress);
    }
    progress_clear(&progress);
    int status = judge_count(s, m, c, &program, step);
    *complete = step == STEP_GOOD;
    workload_close(s->workload, &program);
    return status;
}
