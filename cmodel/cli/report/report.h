/* SPDX-License-Identifier: Apache-2.0
 *
 * A run's report and results. They do not depend on time, place or computer: the same run gives the
 * same bytes.
 */
#ifndef WARPMEM_CLI_REPORT_REPORT_H
#define WARPMEM_CLI_REPORT_REPORT_H

#include <stdio.h>

#include "cli/report/figures.h"
#include "cli/session.h"

/** report_short() - a run in ten lines. */
void report_short(const struct session *s, FILE *out);
/** report_stats() - every counter: name, value, unit, aligned. */
void report_stats(const struct stats *stats, FILE *out);
/** report_kernels() - a table: each kernel's launches, cycles, instructions, IPC. */
void report_kernels(const struct session *s, FILE *out);
/** report_csv(), report_tsv() - name, value, unit, with a heading; the run's own members first. */
void report_csv(const struct session *s, FILE *out);
void report_tsv(const struct session *s, FILE *out);

#endif
