/* SPDX-License-Identifier: Apache-2.0
 *
 * The lists of `warpmem list` as JSON: {schema, version, program} and a member for each list.
 */
#ifndef WARPMEM_CLI_REPORT_LIST_JSON_H
#define WARPMEM_CLI_REPORT_LIST_JSON_H

#include <jansson.h>

#include "base/stats.h"

#define LIST_SCHEMA "warpmem.list"
#define LIST_VERSION 1 /* increases when a member changes its meaning or is removed */

/* The functions return NULL when memory runs out. */
/** list_head_json() - {schema, version, program}. */
json_t *list_head_json(void);
/** list_workloads_json() - {workloads}; seconds with the default preset and scheme. */
json_t *list_workloads_json(void);
/** list_suites_json() - {suites}: the sets of workloads. */
json_t *list_suites_json(void);
json_t *list_schemes_json(void);
json_t *list_presets_json(void);
json_t *list_keys_json(void);
json_t *list_blocks_json(void);
/** list_stats_json() - {counters, figures, series} of the machine that has registered @stats. */
json_t *list_stats_json(const struct stats *stats);

#endif
