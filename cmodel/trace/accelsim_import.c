/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim_import.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/text.h"
#include "trace/accelsim_kernel.h"
#include "trace/accelsim_list.h"

/* Reports the first error: the lines' message or the writer's. */
static enum accelsim_status import_failure(struct accelsim_import *i,
                                           const struct text_lines *lines) {
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

static void progress_of_kernel(void *user, uint64_t bytes) {
    struct accelsim_import *i = user;
    i->progress(i->progress_user, i->done + bytes, i->total);
}

/* Returns whether writing the output would destroy this input. */
static bool is_output(struct accelsim_import *i, const char *path) {
    struct stat in, out;
    if (!i->output || stat(path, &in) || stat(i->output, &out) || in.st_dev != out.st_dev ||
        in.st_ino != out.st_ino) {
        return false;
    }
    char shown[ACCELSIM_ERROR / 2];
    snprintf(i->error, sizeof i->error, "%s: is read and would be written: must be another file",
             text_shown(shown, sizeof shown, path));
    return true;
}

static enum accelsim_status import_kernel(struct accelsim_import *i, const struct opcodes *opcodes,
                                          const char *path) {
    struct accelsim_kernel *k = calloc(1, sizeof *k);
    enum accelsim_status status = ACCELSIM_GOOD;
    if (!k) {
        return import_failure(i, NULL);
    }
    k->lines = is_output(i, path) ? NULL : text_lines_open(path, i->error);
    if (!k->lines) {
        free(k);
        return ACCELSIM_BAD_INPUT;
    }
    k->spool = i->spool;
    k->stop = i->stop;
    k->progress = progress_of_kernel;
    k->progress_user = i;
    if (!accelsim_kernel_read(k, opcodes, &i->notes) || !accelsim_kernel_write(k, i->writer)) {
        status = import_failure(i, k->lines);
    }
    i->done += text_lines_read(k->lines);
    text_lines_close(k->lines);
    accelsim_kernel_free(k);
    free(k);
    return status;
}

static enum accelsim_status take_command(struct accelsim_import *i, const struct opcodes *opcodes,
                                         const struct accelsim_command *c) {
    struct stat st;
    if (!opcodes) {
        i->total += !c->kernel || stat(c->path, &st) || st.st_size < 0 ? 0 : (uint64_t)st.st_size;
        return ACCELSIM_GOOD;
    }
    if (c->kernel) {
        return import_kernel(i, opcodes, c->path);
    }
    i->notes.copies++;
    return wtr_write_copy(i->writer, c->address, c->bytes) ? ACCELSIM_GOOD
                                                           : import_failure(i, NULL);
}

/* @opcodes: NULL: only add up the files' sizes. */
static enum accelsim_status take_list(struct accelsim_import *i, const struct opcodes *opcodes) {
    enum accelsim_status status = ACCELSIM_GOOD;
    struct accelsim_command command;
    uint64_t commands = 0;
    struct text_lines *list = is_output(i, i->list) ? NULL : text_lines_open(i->list, i->error);
    if (!list) {
        return ACCELSIM_BAD_INPUT;
    }
    while (status == ACCELSIM_GOOD && accelsim_list_next(list, i->list, &command)) {
        status = take_command(i, opcodes, &command);
        commands++;
    }
    if (!commands) {
        text_lines_fail(list, "an empty list: must name a kernel's file");
    }
    if (status == ACCELSIM_GOOD && text_lines_error(list)) {
        status = import_failure(i, list);
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
    enum accelsim_status status = ACCELSIM_GOOD;
    struct stat st;
    if (stat(i->list, &st) || !S_ISFIFO(st.st_mode)) { /* a pipe has only one reading in it */
        status = take_list(i, NULL);
    }
    status = status == ACCELSIM_GOOD ? take_list(i, opcodes) : status;
    if (status == ACCELSIM_GOOD && !wtr_writer_finish(i->writer)) {
        status = import_failure(i, NULL);
    }
    opcodes_destroy(opcodes);
    return status;
}
