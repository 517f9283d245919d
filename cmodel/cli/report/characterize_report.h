/* SPDX-License-Identifier: Apache-2.0
 *
 * The report and results of `warpmem characterize`. The same input gives the same bytes.
 */
#ifndef WARPMEM_CLI_REPORT_CHARACTERIZE_REPORT_H
#define WARPMEM_CLI_REPORT_CHARACTERIZE_REPORT_H

#include <jansson.h>

#include "characterize/characterize.h"
#include "cli/session.h"

#define CHARACTER_SCHEMA "warpmem.character"
#define CHARACTER_SCHEMA_VERSION 2 /* increases when a member changes its meaning or is removed */

/* Words of the report and the JSON, by enum. */
extern const char *const character_space[SPACE_COUNT];
extern const char *const character_kind[ACCESS_KINDS];
extern const char *const character_by[REUSE_BY_COUNT];
extern const char *const character_order[ORDER_COUNT];

/** character_json() - the whole report. @complete: the whole program was counted. NULL: out of
 * memory. */
json_t *character_json(struct characterize *c, const struct session_options *o,
                       const struct machine *m, bool complete);
/** character_text() - the same as text; empty parts are left out. */
void character_text(struct characterize *c, const struct session_options *o,
                    const struct machine *m, bool complete, FILE *out);

#endif
