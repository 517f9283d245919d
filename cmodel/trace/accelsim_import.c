/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim_import.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "trace/accelsim_kernel.h"
#include "trace/accelsim_list.h"

static void progress_of_kernel(void *user, uint64_t bytes) {
    struct import *i = user;
    i->progress(i->progress_user, i->done + bytes, i->total);
}

static enum import_status import_kernel(struct import *i, struct accelsim_notes *notes,
                                        const struct opcodes *opcodes, const char *path) {
    struct accelsim_kernel *k = calloc(1, sizeof *k);
    enum import_status status = IMPORT_GOOD;
    if (!k) {
        return import_failure(i, NULL);
    }
    k->lines = import_open(i, path);
    if (!k->lines) {
        free(k);
        return IMPORT_BAD_INPUT;
    }
    k->spool.file = i->spool;
    k->stop = i->stop;
    k->progress = progress_of_kernel;
    k->progress_user = i;
    if (!accelsim_kernel_read(k, opcodes, notes) || !accelsim_kernel_write(k, i->writer)) {
        status = import_failure(i, k->lines);
    }
    i->done += text_lines_read(k->lines);
    text_lines_close(k->lines);
    accelsim_kernel_free(k);
    free(k);
    return status;
}

static enum import_status take_command(struct import *i, struct accelsim_notes *notes,
                                       const struct opcodes *opcodes,
                                       const struct accelsim_command *c) {
    struct stat st;
    if (!opcodes) {
        i->total += !c->kernel || stat(c->path, &st) || st.st_size < 0 ? 0 : (uint64_t)st.st_size;
        return IMPORT_GOOD;
    }
    if (c->kernel) {
        return import_kernel(i, notes, opcodes, c->path);
    }
    notes->copies++;
    return wtr_write_copy(i->writer, c->address, c->bytes) ? IMPORT_GOOD : import_failure(i, NULL);
}

/* @opcodes: NULL: only add the files' sizes. */
static enum import_status take_list(struct import *i, struct accelsim_notes *notes,
                                    const struct opcodes *opcodes) {
    enum import_status status = IMPORT_GOOD;
    struct accelsim_command command;
    uint64_t commands = 0;
    struct text_lines *list = import_open(i, i->path);
    if (!list) {
        return IMPORT_BAD_INPUT;
    }
    while (status == IMPORT_GOOD && accelsim_list_next(list, i->path, &command)) {
        status = take_command(i, notes, opcodes, &command);
        commands++;
    }
    if (!commands) {
        text_lines_fail(list, "an empty list: must name a kernel's file");
    }
    if (status == IMPORT_GOOD && text_lines_error(list)) {
        status = import_failure(i, list);
    }
    text_lines_close(list);
    return status;
}

enum import_status accelsim_import(struct import *i, struct accelsim_notes *notes) {
    unsigned line;
    struct opcodes *opcodes = opcodes_create(opcodes_text, &line);
    if (!opcodes) {
        snprintf(i->error, sizeof i->error, "the table of opcodes, line %u (0: out of memory)",
                 line);
        return IMPORT_FAILED;
    }
    enum import_status status = IMPORT_GOOD;
    struct stat st;
    if (stat(i->path, &st) || !S_ISFIFO(st.st_mode)) { /* a pipe has only one reading in it */
        status = take_list(i, notes, NULL);
    }
    status = status == IMPORT_GOOD ? take_list(i, notes, opcodes) : status;
    if (status == IMPORT_GOOD && !wtr_writer_finish(i->writer)) {
        status = import_failure(i, NULL);
    }
    opcodes_destroy(opcodes);
    return status;
}
