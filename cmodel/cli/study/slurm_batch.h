/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of a batch as tasks of Slurm: a task is this program again, with the same words and the
 * number of its run, which leaves its result where results are kept. scripts/slurm_tasks.py, which
 * is in the program, submits and collects.
 */
#ifndef WARPMEM_CLI_STUDY_SLURM_BATCH_H
#define WARPMEM_CLI_STUDY_SLURM_BATCH_H

#include "cli/study/batch.h"

/** slurm_batch_run() - as batch_run(), on a cluster whose nodes see the folder of @keep.
 * @words: of the command, the first is no option; a task gets all and --task=NUMBER. A signal but
 * SIGHUP cancels what was submitted. Return: as batch_run(); CLI_BAD_INPUT without a cluster, the
 * message is printed then. */
int slurm_batch_run(struct batch_job *jobs, unsigned count, const char *title,
                    const struct keep *keep, char **words, int word_count);
/** slurm_batch_task() - run one of the jobs, as the task that has it. Return: an exit status; what
 * is not kept has failed. */
int slurm_batch_task(struct batch_job *job, const char *title, const struct keep *keep);

#endif
