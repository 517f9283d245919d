/* SPDX-License-Identifier: Apache-2.0
 *
 * Many runs, on several cores of the host. Results and messages come in the order of the list, not
 * of completion.
 */
#ifndef WARPMEM_CLI_STUDY_BATCH_H
#define WARPMEM_CLI_STUDY_BATCH_H

#include "cli/study/keep.h"
#include "cli/session.h"

#define BATCH_TITLE 160

struct batch_job {
    const struct machine *machine;
    const struct session_options *options; /* with its workload */
    char title[BATCH_TITLE];               /* after the workload's name: "mrpb", "gtx480 mrpb" */
    /* Results, set by the run: */
    struct session session; /* stats NULL: none to report */
    int status;
    /* Used by the runner: */
    bool begun, ended, kept;
    char *said;
    size_t said_size;
    uint64_t cycles;
    uint64_t warp_instructions; /* of its workload, approximately; 0: unknown */
    unsigned percent;           /* of it, or of its launch */
};

/** batch_threads() - default number of parallel runs: the online cores. */
unsigned batch_threads(void);

/**
 * batch_run() - run all jobs under a title, at most @threads at once, each with its own machine and
 * inputs. @keep: jobs with a kept result do not run; the others' results are kept; NULL: none. A
 * failing job does not stop the others. After a signal no job begins, and each running job keeps
 * its statistics so far.
 * Return: CLI_OK, or the exit status of the first job that failed.
 */
int batch_run(struct batch_job *jobs, unsigned count, const char *title, unsigned threads,
              const struct keep *keep);

/** batch_report() - print the jobs' messages, and the number of results from @keep (NULL: none).
 * Return: as batch_run(). */
int batch_report(const struct batch_job *jobs, unsigned count, const struct keep *keep);

/** batch_reason() - one line with the reason why the job failed. NULL: it did not, or a signal
 * ended it. */
const char *batch_reason(const struct batch_job *job, char *text, size_t size);

void batch_end(struct batch_job *jobs, unsigned count);

#endif
