/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of `warpmem info` that describes text traces: what the heads of the kernels' files say.
 */
#ifndef WARPMEM_CLI_INFO_LIST_H
#define WARPMEM_CLI_INFO_LIST_H

#include <jansson.h>
#include <stdbool.h>

/**
 * info_list() - a line for each kernel and copy of a list of kernels.
 * @items: gets them instead; NULL: print
 * Return: an exit status; the message is printed.
 */
int info_list(const char *path, json_t *items);

#endif
