/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of workloads and machines, as rows of a table. A row whose scheme tries every value of a
 * key (best-swl) has one run a value; its result is the run with the fewest cycles.
 */
#ifndef WARPMEM_CLI_STUDY_SWEEP_H
#define WARPMEM_CLI_STUDY_SWEEP_H

#include "cli/study/batch.h"

#define SWEEP_VALUES_MAX 64 /* values of a key: warps a scheduler */

struct sweep_options {
    unsigned threads;                         /* parallel runs; 0: one per core */
    unsigned limit[SWEEP_VALUES_MAX], limits; /* of issue.warp_limit; none: all */
};

/* --jobs --swl-limits; input: struct sweep_options, zeroed. */
extern const struct argp sweep_argp;

/* The result of a sweep. */
struct sweep {
    const char *key;
    unsigned count;
    unsigned best; /* index of the best run; count: no run finished */
    struct {
        unsigned value;
        bool ran, complete;
        uint64_t cycles;
    } run[SWEEP_VALUES_MAX];
};

/* Given to sweep_plan(): */
struct sweep_row {
    const struct machine *machine;
    const struct session_options *options; /* with its workload */
    const char *machine_name, *scheme;     /* in tables and messages */
    const char *point; /* further difference to other rows, in messages: "l1.ways=2" or "" */
    /* Set by it and by sweep_run(): */
    struct sweep sweep;           /* key NULL: one run */
    unsigned first;               /* of its jobs */
    const struct session *result; /* NULL: none to report */
};

struct sweep_table {
    struct sweep_row *rows;
    unsigned count, jobs;
    struct machine *machines; /* one a job */
    struct batch_job *job;
};

/** sweep_row_of() - a row with the names of its machine. */
struct sweep_row sweep_row_of(const struct machine *m, const struct session_options *o);

/**
 * sweep_plan() - @rows: @count rows, which the table copies; their machines and options must
 * outlive it.
 * @presets: titles name the machine
 * Return: false with a message.
 */
bool sweep_plan(struct sweep_table *t, const struct sweep_row *rows, unsigned count, bool presets,
                const struct sweep_options *o, struct config_error *e);

/** sweep_run() - run every job. @title, @keep, and Return: as batch_run(). */
int sweep_run(struct sweep_table *t, const char *title, const struct sweep_options *o,
              const struct keep *keep);
/** sweep_run_on_slurm() - the same as tasks of a cluster: slurm_batch_run(). */
int sweep_run_on_slurm(struct sweep_table *t, const char *title, const struct keep *keep,
                       char **words, int word_count);

/** sweep_reason() - the reason why the row lacks results of runs, or session_note() of its result;
 * NULL: neither. */
const char *sweep_reason(const struct sweep_table *t, unsigned row, char *text, size_t size);

void sweep_end(struct sweep_table *t);

#endif
