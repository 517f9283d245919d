/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of a batch as tasks of Slurm: a task runs this program with the same arguments and the
 * number of its run, and keeps its result in the folder of kept results. scripts/slurm_tasks.py,
 * which is built into the program, submits and collects.
 */
#ifndef WARPMEM_CLI_STUDY_SLURM_BATCH_H
#define WARPMEM_CLI_STUDY_SLURM_BATCH_H

#include "cli/study/batch.h"

/** slurm_batch_run() - as batch_run(), on a cluster whose nodes see the folder of @keep.
 * @words: the command's words, of which the first is no option; a task gets all of them and
 * --task=NUMBER. A signal other than SIGHUP cancels the submitted tasks. Return: as batch_run();
 * CLI_BAD_INPUT without a cluster, the message is printed then. */
int slurm_batch_run(struct batch_job *jobs, unsigned count, const char *title,
                    const struct keep *keep, char **words, int word_count);
/** slurm_batch_task() - run one of the jobs, in its task. Return: an exit status; a job without
 * kept result has failed. */
int slurm_batch_task(struct batch_job *job, const char *title, const struct keep *keep);

#endif
