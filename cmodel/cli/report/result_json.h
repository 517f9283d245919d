/* SPDX-License-Identifier: Apache-2.0
 *
 * Results as JSON; docs/result_json.md describes every member, data/schemas/ has the JSON Schemas.
 * The same run gives the same bytes, on any computer at any time, except for `times`.
 */
#ifndef WARPMEM_CLI_REPORT_RESULT_JSON_H
#define WARPMEM_CLI_REPORT_RESULT_JSON_H

#include <jansson.h>

#include "cli/output.h"
#include "cli/session.h"

#define RESULT_RUN_SCHEMA "warpmem.run"
#define RESULT_COMPARE_SCHEMA "warpmem.compare"
/* A whole number of millionths; 15 digits print it exactly, however the division was rounded. */
#define RESULT_REAL_DIGITS 15

#define RESULT_VERSION 2 /* of both; increases when a member changes its meaning or is removed */

/* The following functions return NULL when memory runs out. */
/** result_program_json() - {name, version, commit, modified}. */
json_t *result_program_json(void);
/** result_head_json() - {schema, version, program, workload, size, seed, machine, base,
 * differs}. */
json_t *result_head_json(const char *schema, int version, const struct session_options *o,
                         const struct machine *m);
/** result_run_json() - the whole of a run. @times: with its times */
json_t *result_run_json(const struct session *s, bool times);
/** result_config_json() - every key with its value: numbers as numbers, words as texts. */
json_t *result_config_json(const struct config *c);
/** result_limits_json() - the given limits. */
json_t *result_limits_json(const struct session_options *o);
/** result_read_time() - read `times.began` of a result. False: it is not such a text; NULL may be
 * given. */
bool result_read_time(const char *text, time_t *time);
/** result_hash_text() - 16 hexadecimal digits. Return: buf. */
const char *result_hash_text(uint64_t hash, char buf[17]);
/** result_write() - write, commit and release; false with a message, and then no file is left. */
bool result_write(json_t *json, struct output *out, struct config_error *e);

#endif
