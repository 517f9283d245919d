/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim_list.h"

#include <stdio.h>
#include <string.h>

#include "trace/accelsim_code.h"

#define COPY "MemcpyHtoD,"

static bool line_begins_with(const char *line, const char *with) {
    return !strncmp(line, with, strlen(with));
}

/* "MemcpyHtoD,0x00007f...,4096" */
static bool take_copy(struct text_lines *lines, const char *line, struct accelsim_command *c) {
    char text[128];
    const char *at = text;
    snprintf(text, sizeof text, "%s", line + strlen(COPY));
    char *comma = strchr(text, ',');
    if (comma) {
        *comma = ' '; /* characters that end numbers */
    }
    c->kernel = false;
    return (comma && accelsim_hex(&at, &c->address) &&
            accelsim_unsigned(&at, INT64_MAX, &c->bytes) && !*at) ||
           text_lines_fail(lines, "must be MemcpyHtoD,ADDRESS,BYTES");
}

static bool take_kernel(struct text_lines *lines, const char *list, const char *line,
                        struct accelsim_command *c) {
    const char *slash = strrchr(list, '/');
    int folder = slash ? (int)(slash - list) + 1 : 0;
    int length = snprintf(c->path, sizeof c->path, "%.*s%s", folder, list, line);
    c->kernel = true;
    return (length > 0 && length < ACCELSIM_PATH_MAX) ||
           text_lines_fail(lines, "a path of more than %d bytes: at most that",
                           ACCELSIM_PATH_MAX - 1);
}

bool accelsim_list_next(struct text_lines *lines, const char *path, struct accelsim_command *c) {
    const char *line;
    size_t length;
    while (text_lines_next(lines, &line, &length)) {
        if (line_begins_with(line, COPY)) {
            return take_copy(lines, line, c);
        }
        if (line_begins_with(line, "kernel")) {
            return take_kernel(lines, path, line, c);
        }
        /* Copies in other directions change nothing on the device; '#' takes a kernel out of the
         * list. */
        if (*line && *line != '#' && !line_begins_with(line, "Memcpy")) {
            return text_lines_fail(lines, "must be MemcpyHtoD,ADDRESS,BYTES or the name of a "
                                          "kernel's file, kernel-N.traceg");
        }
    }
    return false;
}
