/* SPDX-License-Identifier: Apache-2.0
 *
 * A run's report and results. Nothing here depends on time, place or machine: the same run gives
 * the same bytes.
 */
#ifndef WARPMEM_CLI_REPORT_H
#define WARPMEM_CLI_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "cli/figures.h"
#include "cli/output.h"
#include "cli/session.h"

#define REPORT_RUN_SCHEMA "warpmem.run"
#define REPORT_COMPARE_SCHEMA "warpmem.compare"
#define REPORT_SCHEMA_VERSION 1 /* of both; grows when a member changes its meaning or is removed */

/** report_short() - a run in ten lines. */
void report_short(const struct session *s, FILE *out);
/** report_stats() - every counter: name, value, unit, aligned. */
void report_stats(const struct stats *stats, FILE *out);
/** report_kernels() - a table: each kernel's launches, cycles, instructions, IPC. */
void report_kernels(const struct session *s, FILE *out);
/** report_csv(), report_tsv() - name, value, unit, with a heading; the run's own members first. */
void report_csv(const struct session *s, FILE *out);
void report_tsv(const struct session *s, FILE *out);

/* The following functions return NULL, or false, when memory runs out. */
/** report_head() - {schema, version, workload, size, seed, preset}; @preset NULL: without it. */
json_t *report_head(const char *schema, const struct session_options *o, const char *preset);
/** report_add() - append scheme, config_hash, complete, cycles, ..., ipc to an object, and kernels:
 * an array, in the order of their first launches, of {name, launches, capped_launches, complete,
 * cycles, warp_instructions, thread_instructions, ipc}, see gpu/kernels.h. */
bool report_add(json_t *to, const struct session *s);
/** report_stats_json() - {"name": value, ...}. */
json_t *report_stats_json(const struct stats *stats);
/** report_json() - the whole of a run. */
json_t *report_json(const struct session *s);
/** report_write() - write, commit and release; false with a message, and then no file is left. */
bool report_write(json_t *json, struct output *out, struct config_error *e);

#endif
