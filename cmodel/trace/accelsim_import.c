/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim_import.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "trace/accelsim_kernel.h"

#define PATH_BYTES_MAX 4096

/* What is told of is the first thing that went wrong: the lines' message or the writer's. */
static enum accelsim_status fail(struct accelsim_import *i, const struct text_lines *lines) {
    if (lines && text_lines_error(lines)) {
        snprintf(i->error, sizeof i->error, "%s", text_lines_error(lines));
        return ACCELSIM_BAD_INPUT;
    }
    if (wtr_writer_error(i->writer)) {
        snprintf(i->error, sizeof i->error, "%s", wtr_writer_error(i->writer));
        return ACCELSIM_FAILED;
    }
    if (*i->stop) {
        return ACCELSIM_STOPPED;
    }
    snprintf(i->error, sizeof i->error, "out of memory");
    return ACCELSIM_FAILED;
}

/* The file beside the list. */
static bool beside(const struct accelsim_import *i, const char *name, char path[PATH_BYTES_MAX]) {
    const char *slash = strrchr(i->list, '/');
    int folder = slash ? (int)(slash - i->list) + 1 : 0;
    int length = snprintf(path, PATH_BYTES_MAX, "%.*s%s", folder, i->list, name);
    return length > 0 && length < PATH_BYTES_MAX;
}

static void progress_of_kernel(void *user, uint64_t bytes) {
    struct accelsim_import *i = user;
    i->progress(i->progress_user, i->done + bytes, i->total);
}

static enum accelsim_status import_kernel(struct accelsim_import *i, const struct opcodes *opcodes,
                                          const char *path) {
    struct accelsim_kernel *k = calloc(1, sizeof *k);
    enum accelsim_status status = ACCELSIM_GOOD;
    if (!k) {
        return fail(i, NULL);
    }
    k->lines = text_lines_open(path, i->error);
    if (!k->lines) {
        free(k);
        return ACCELSIM_BAD_INPUT;
    }
    k->spool = i->spool;
    k->stop = i->stop;
    k->progress = progress_of_kernel;
    k->progress_user = i;
    if (!accelsim_kernel_read(k, opcodes, &i->notes) || !accelsim_kernel_write(k, i->writer)) {
        status = fail(i, k->lines);
    }
    i->done += text_lines_read(k->lines);
    text_lines_close(k->lines);
    accelsim_kernel_free(k);
    free(k);
    return status;
}

/* "MemcpyHtoD,0x00007f...,4096" */
static bool take_copy(struct accelsim_import *i, struct text_lines *list, const char *line) {
    char text[128];
    uint64_t address, bytes;
    const char *at = text;
    snprintf(text, sizeof text, "%s", line + strlen("MemcpyHtoD,"));
    char *comma = strchr(text, ',');
    if (comma) {
        *comma = ' '; /* where numbers end */
    }
    if (!comma || !accelsim_hex(&at, &address) || !accelsim_unsigned(&at, INT64_MAX, &bytes) ||
        *at) {
        return text_lines_fail(list, "must be MemcpyHtoD,ADDRESS,BYTES");
    }
    i->notes.copies++;
    return wtr_write_copy(i->writer, address, bytes);
}

/* One line of the list. @opcodes: NULL: only add up the files' sizes. */
static enum accelsim_status take_line(struct accelsim_import *i, struct text_lines *list,
                                      const struct opcodes *opcodes, const char *line) {
    char path[PATH_BYTES_MAX];
    struct stat st;
    if (!strncmp(line, "MemcpyHtoD,", strlen("MemcpyHtoD,"))) {
        return !opcodes || take_copy(i, list, line) ? ACCELSIM_GOOD : fail(i, list);
    }
    if (!*line || !strncmp(line, "Memcpy", strlen("Memcpy"))) {
        return ACCELSIM_GOOD; /* other directions change nothing on the device */
    }
    if (strncmp(line, "kernel", strlen("kernel"))) {
        text_lines_fail(list, "must be MemcpyHtoD,ADDRESS,BYTES or the name of a kernel's file, "
                              "kernel-N.traceg");
        return fail(i, list);
    }
    if (!beside(i, line, path)) {
        text_lines_fail(list, "a path of more than %d bytes: at most that", PATH_BYTES_MAX - 1);
        return fail(i, list);
    }
    if (!opcodes) {
        i->total += stat(path, &st) || st.st_size < 0 ? 0 : (uint64_t)st.st_size;
        return ACCELSIM_GOOD;
    }
    return import_kernel(i, opcodes, path);
}

static enum accelsim_status take_list(struct accelsim_import *i, const struct opcodes *opcodes) {
    enum accelsim_status status = ACCELSIM_GOOD;
    const char *line;
    size_t length;
    uint64_t lines = 0;
    struct text_lines *list = text_lines_open(i->list, i->error);
    if (!list) {
        return ACCELSIM_BAD_INPUT;
    }
    while (status == ACCELSIM_GOOD && text_lines_next(list, &line, &length)) {
        lines += length > 0;
        status = take_line(i, list, opcodes, line);
    }
    if (status == ACCELSIM_GOOD && !text_lines_error(list) && !lines) {
        text_lines_fail(list, "an empty list: must name a kernel's file");
    }
    if (status == ACCELSIM_GOOD && text_lines_error(list)) {
        status = fail(i, list);
    }
    text_lines_close(list);
    return status;
}

enum accelsim_status accelsim_import(struct accelsim_import *i) {
    unsigned line;
    struct opcodes *opcodes = opcodes_create(opcodes_text, &line);
    if (!opcodes) {
        snprintf(i->error, sizeof i->error, "the table of opcodes, line %u (0: out of memory)",
                 line);
        return ACCELSIM_FAILED;
    }
    enum accelsim_status status = take_list(i, NULL);
    status = status == ACCELSIM_GOOD ? take_list(i, opcodes) : status;
    if (status == ACCELSIM_GOOD && !wtr_writer_finish(i->writer)) {
        status = fail(i, NULL);
    }
    opcodes_destroy(opcodes);
    return status;
}
