/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_CLI_REPORT_CHARACTERIZE_COUNT_H
#define WARPMEM_CLI_REPORT_CHARACTERIZE_COUNT_H

#include "characterize/characterize.h"
#include "cli/session.h"

/**
 * count_program() - read all records of the options' workload or trace into *c, and check the
 * counts that the workload predicts. Messages are printed.
 * @complete: true if no option ended it early
 * Return: the exit status; CLI_OK: *c may be written.
 */
int count_program(const struct session_options *s, const struct machine *m, struct characterize *c,
                  bool *complete);

#endif
