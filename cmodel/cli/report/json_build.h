/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON that is built member by member. When memory runs out, *to becomes NULL, and so does the
 * value that contains it.
 */
#ifndef WARPMEM_CLI_REPORT_JSON_BUILD_H
#define WARPMEM_CLI_REPORT_JSON_BUILD_H

#include <jansson.h>

/** set_member() - of an object; takes @value. */
void set_member(json_t **to, const char *name, json_t *value);
/** append_element() - to an array; takes @value. */
void append_element(json_t **to, json_t *value);

#endif
