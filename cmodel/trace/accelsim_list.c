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

static bool line_ends_with(const char *line, const char *with) {
    const size_t length = strlen(line), behind = strlen(with);
    return length >= behind && !strcmp(line + length - behind, with);
}

/* "cudaMalloc,0x7f...": a call that Accel-Sim skips too. */
static bool is_other_call(const char *line) {
    const size_t name =
        strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return name && line[name] == ',';
}

static bool take_kernel(struct text_lines *lines, const char *list, const char *line,
                        struct accelsim_command *c) {
    if (line_ends_with(line, ".trace") || line_ends_with(line, ".trace.xz")) {
        return text_lines_fail(lines, ACCELSIM_UNPROCESSED);
    }
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
        line += line_begins_with(line, "./kernel") ? strlen("./") : 0;
        if (line_begins_with(line, "kernel")) {
            return take_kernel(lines, path, line, c);
        }
        /* Other calls, as copies to the host, change nothing on the device; '#' takes a kernel out
         * of the list. */
        if (*line && *line != '#' && !line_begins_with(line, "Memcpy") && !is_other_call(line)) {
            return text_lines_fail(lines, "must be MemcpyHtoD,ADDRESS,BYTES or the name of a "
                                          "kernel's file, kernel-N.traceg");
        }
    }
    return false;
}
