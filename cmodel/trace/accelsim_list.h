/* SPDX-License-Identifier: Apache-2.0
 *
 * Accel-Sim's list of kernels, kernelslist.g: a line for each launch and each copy from the host.
 */
#ifndef WARPMEM_TRACE_ACCELSIM_LIST_H
#define WARPMEM_TRACE_ACCELSIM_LIST_H

#include "trace/text_lines.h"

#define ACCELSIM_PATH_MAX 4096

struct accelsim_command {
    bool kernel;                  /* else a copy to the device */
    char path[ACCELSIM_PATH_MAX]; /* of the kernel's file, in the list's folder */
    uint64_t address, bytes;      /* of the copy */
};

/**
 * accelsim_list_next() - the next line with a command.
 * @path: of the list
 * Return: false at the end of the list, or with a message in @lines.
 */
bool accelsim_list_next(struct text_lines *lines, const char *path, struct accelsim_command *c);

#endif
