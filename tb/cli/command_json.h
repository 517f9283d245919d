/* SPDX-License-Identifier: Apache-2.0
 *
 * A command's output as JSON.
 */
#ifndef WARPMEM_TB_CLI_COMMAND_JSON_H
#define WARPMEM_TB_CLI_COMMAND_JSON_H

#include "cli/command.h"

#include <jansson.h>

/** json_of() - runs a command that prints JSON; the caller drops the reference. */
static inline json_t *json_of(const struct fixture *x, const char *line) {
    json_error_t e;
    FREED char *out = run_good_command(x, line);
    json_t *json = json_loads(out, JSON_REJECT_DUPLICATES, &e);
    if (!json) {
        fail_msg("%s\n%s in %s", line, e.text, out);
    }
    return json;
}

#endif
