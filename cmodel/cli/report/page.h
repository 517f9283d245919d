/* SPDX-License-Identifier: Apache-2.0
 *
 * compare --html: a self-contained page with the table, the picture, and the command that
 * repeats it.
 */
#ifndef WARPMEM_CLI_REPORT_PAGE_H
#define WARPMEM_CLI_REPORT_PAGE_H

#include <jansson.h>

#include "cli/report/columns.h"
#include "cli/output.h"

/** page_possible() - before the work: check that the plotting program exists. False with a
 * message. */
bool page_possible(struct config_error *e);

/**
 * page_write() - write the page to @path, whole or not at all.
 * @points: the picture's data, from compare_points_json(); taken over, NULL: out of memory
 * @words: the command's @count words, from main()
 * Return: false with a message.
 */
bool page_write(const char *path, json_t *points, const struct columns *columns, char **words,
                int count, struct config_error *e);

#endif
