/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/study/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/study/slurm_batch.h"

#define THREADS_MAX 256

enum { OPTION_JOBS = 0x2e0, OPTION_SWL_LIMITS };

/* clang-format off */
static const struct argp_option options[] = {
    {"jobs", OPTION_JOBS, "N", 0, "parallel runs, each with machine and inputs in memory (default: one per core of this computer)", 10},
    {"swl-limits", OPTION_SWL_LIMITS, "1,2,4", 0, "values of issue.warp_limit for best-swl and cbwt-best (default: 1 to core.warps / core.schedulers)", 10},
    {0},
};
/* clang-format on */

static error_t parse_limits(struct sweep_options *o, const char *arg) {
    char word[TEXT_SHOWN], shown[TEXT_SHOWN];
    unsigned long long value;
    text_shown(shown, sizeof shown, arg);
    for (o->limits = 0;; arg++) {
        size_t length = strcspn(arg, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 20 ? length : 20), arg);
        if (!cli_number(word, SWEEP_VALUES_MAX, &value) || !value) {
            return cli_bad("--swl-limits %s: must be numbers of 1..%d with commas between them",
                           shown, SWEEP_VALUES_MAX);
        }
        for (unsigned i = 0; i < o->limits; i++) {
            if (o->limit[i] == value) {
                return cli_bad("--swl-limits %s: %llu stands there twice", shown, value);
            }
        }
        o->limit[o->limits++] = (unsigned)value;
        arg += length;
        if (!*arg) {
            return 0;
        }
    }
}

static error_t parse_sweep_option(int key, char *arg, struct argp_state *state) {
    struct sweep_options *o = state->input;
    char shown[TEXT_SHOWN];
    unsigned long long value;
    switch (key) {
    case OPTION_JOBS:
        if (!cli_number(arg, THREADS_MAX, &value) || !value) {
            return cli_bad("--jobs %s: must be 1..%d", text_shown(shown, sizeof shown, arg),
                           THREADS_MAX);
        }
        o->threads = (unsigned)value;
        return 0;
    case OPTION_SWL_LIMITS: return parse_limits(o, arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp sweep_argp = {.options = options, .parser = parse_sweep_option};

/* Returns the warps that a scheduler has at most; a higher limit limits nothing. */
static unsigned highest_warp_limit(const struct config *c) {
    return (c->core.warps + c->core.schedulers - 1) / c->core.schedulers;
}

static bool choose_values(struct sweep_row *row, const struct sweep_options *o,
                          struct config_error *e) {
    const struct machine *m = row->machine;
    unsigned most = highest_warp_limit(&m->config);
    row->sweep = (struct sweep){.key = m->sweep, .count = 1};
    if (!m->sweep) {
        return true;
    }
    row->sweep.count = o->limits ? o->limits : most;
    for (unsigned i = 0; i < row->sweep.count; i++) {
        row->sweep.run[i].value = o->limits ? o->limit[i] : i + 1;
        if (row->sweep.run[i].value > most) {
            snprintf(e->text, sizeof e->text,
                     "--swl-limits %u: must be 1..%u on %s (core.warps / core.schedulers)",
                     row->sweep.run[i].value, most, m->preset);
            return false;
        }
    }
    return true;
}

/* Makes the row's machines and the titles of their messages. */
static bool fill_jobs(struct sweep_table *t, const struct sweep_row *row, bool presets,
                      struct config_error *e) {
    for (unsigned i = 0; i < row->sweep.count; i++) {
        struct machine *m = &t->machines[row->first + i];
        struct batch_job *job = &t->job[row->first + i];
        char assignment[64], limit[32] = "";
        *m = *row->machine;
        if (m->sweep) {
            snprintf(assignment, sizeof assignment, "%s=%u", m->sweep, row->sweep.run[i].value);
            snprintf(limit, sizeof limit, " %u", row->sweep.run[i].value);
            if (!config_set(&m->config, assignment, e) || !config_check(&m->config, e)) {
                return false;
            }
            machine_note_sweep(m);
        }
        job->machine = m;
        job->options = row->options;
        snprintf(job->title, sizeof job->title, "%.24s%s%.32s%s%s%.60s",
                 presets ? row->machine_name : "", presets ? " " : "", row->scheme, limit,
                 *row->point ? " " : "", row->point);
    }
    return true;
}

struct sweep_row sweep_row_of(const struct machine *m, const struct session_options *o) {
    return (struct sweep_row){
        .machine = m, .options = o, .machine_name = m->name, .scheme = m->scheme, .point = ""};
}

bool sweep_plan(struct sweep_table *t, const struct sweep_row *rows, unsigned count, bool presets,
                const struct sweep_options *o, struct config_error *e) {
    *t = (struct sweep_table){.rows = calloc(count, sizeof *t->rows), .count = count};
    bool good = t->rows, swept = false;
    snprintf(e->text, sizeof e->text, "out of memory");
    for (unsigned i = 0; good && i < count; i++) {
        t->rows[i] = rows[i];
        t->rows[i].first = t->jobs;
        good = choose_values(&t->rows[i], o, e);
        t->jobs += t->rows[i].sweep.count;
        swept |= t->rows[i].sweep.key != NULL;
    }
    if (good && o->limits && !swept) {
        snprintf(e->text, sizeof e->text, "--swl-limits: needs scheme best-swl or cbwt-best");
        good = false;
    }
    if (good) {
        t->machines = calloc(t->jobs, sizeof *t->machines);
        t->job = calloc(t->jobs, sizeof *t->job);
        good = t->machines && t->job;
    }
    for (unsigned i = 0; good && i < count; i++) {
        good = fill_jobs(t, &t->rows[i], presets, e);
    }
    if (!good) {
        sweep_end(t);
    }
    return good;
}

/* The fewest cycles win, the lower value among equals; a run that was cut short cannot win. */
static void choose_best(struct sweep_table *t, struct sweep_row *row) {
    struct sweep *sweep = &row->sweep;
    struct batch_job *jobs = &t->job[row->first];
    struct session *result = NULL;
    bool missing = false;
    sweep->best = sweep->count;
    for (unsigned i = 0; i < sweep->count; i++) {
        struct session *s = &jobs[i].session;
        sweep->run[i].ran = s->stats;
        sweep->run[i].complete = s->complete;
        sweep->run[i].cycles = s->cycles;
        missing |= !s->stats || jobs[i].status != CLI_OK;
        bool better =
            sweep->best == sweep->count || s->cycles < result->cycles ||
            (s->cycles == result->cycles && sweep->run[i].value < sweep->run[sweep->best].value);
        if (s->stats && s->complete && better) {
            sweep->best = i;
            result = s;
        } else if (s->stats && !result) {
            result = s; /* better than nothing, until one comes to its end */
        }
    }
    if (sweep->key && result) {
        result->sweep = sweep;
        result->complete &= !missing; /* the best of the runs that finished may not be the best of
                                         all */
    }
    row->result = result;
}

int sweep_run(struct sweep_table *t, const char *title, const struct sweep_options *o,
              const struct keep *keep) {
    int status = batch_run(t->job, t->jobs, title, o->threads ? o->threads : batch_threads(), keep);
    for (unsigned i = 0; i < t->count; i++) {
        choose_best(t, &t->rows[i]);
    }
    return status;
}

int sweep_run_on_slurm(struct sweep_table *t, const char *title, const struct keep *keep,
                       char **words, int word_count) {
    int status = slurm_batch_run(t->job, t->jobs, title, keep, words, word_count);
    for (unsigned i = 0; i < t->count; i++) {
        choose_best(t, &t->rows[i]);
    }
    return status;
}

const char *sweep_reason(const struct sweep_table *t, unsigned row, char *text, size_t size) {
    const struct sweep_row *r = &t->rows[row];
    for (unsigned i = 0; i < r->sweep.count; i++) {
        if (batch_reason(&t->job[r->first + i], text, size)) {
            return text;
        }
    }
    return r->result ? session_note(r->result) : NULL;
}

void sweep_end(struct sweep_table *t) {
    if (t->job) {
        batch_end(t->job, t->jobs);
    }
    free(t->rows);
    free(t->machines);
    free(t->job);
    *t = (struct sweep_table){0};
}
