/* SPDX-License-Identifier: Apache-2.0
 *
 * Many runs, on several cores of the host. Results and messages come in the order
 * of the list, not in that of completion.
 */
#ifndef WARPMEM_CLI_STUDY_BATCH_H
#define WARPMEM_CLI_STUDY_BATCH_H

#include "cli/study/keep.h"
#include "cli/session.h"

#define BATCH_TITLE 160

struct batch_job {
    const struct machine *machine;
    const struct session_options *options; /* with its workload */
    char title[BATCH_TITLE];               /* behind the workload's name: "mrpb", "gtx480 mrpb" */
    /* Results, set by the run: */
    struct session session; /* stats NULL: it has none to report */
    int status;
    /* Used by the runner: */
    bool begun, ended, kept;
    char *said;
    size_t said_size;
    uint64_t cycles;
    uint64_t warp_instructions; /* of its workload, about; 0: not known */
    unsigned percent;           /* of it, or of its launch */
};

/** batch_threads() - default number of parallel runs: the online cores. */
unsigned batch_threads(void);

/**
 * batch_run() - run all jobs under a title, at most @threads at once, each with a machine and
 * inputs of its own. @keep: has results of jobs, which do not run then, and gets the others'; NULL:
 * none. A failing job does not stop the others. After a signal no job begins, and each running
 * job keeps its statistics so far.
 * Return: CLI_OK, or the exit status of the first job that failed.
 */
int batch_run(struct batch_job *jobs, unsigned count, const char *title, unsigned threads,
              const struct keep *keep);

/** batch_report() - print what the jobs said, and how many results are those of @keep (NULL: none).
 * Return: as batch_run(). */
int batch_report(const struct batch_job *jobs, unsigned count, const struct keep *keep);

/** batch_reason() - one line: why the job failed. NULL: it did not, or a signal ended it. */
const char *batch_reason(const struct batch_job *job, char *text, size_t size);

void batch_end(struct batch_job *jobs, unsigned count);

#endif
