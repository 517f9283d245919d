/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of `warpmem info` that describes text traces, from the headers of the kernels' files.
 */
#ifndef WARPMEM_CLI_REPORT_INFO_LIST_H
#define WARPMEM_CLI_REPORT_INFO_LIST_H

#include <jansson.h>
#include <stdbool.h>

/**
 * info_list() - a line for each kernel and copy of a list of kernels.
 * @items: gets the lines; NULL: print them
 * Return: an exit status; the message is printed.
 */
int info_list(const char *path, json_t *items);

#endif
