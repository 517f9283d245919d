/* SPDX-License-Identifier: Apache-2.0
 *
 * The import of a foreign trace: inputs and results of every importer.
 */
#ifndef WARPMEM_TRACE_IMPORT_H
#define WARPMEM_TRACE_IMPORT_H

#include <stdatomic.h>
#include <stdio.h>

#include "trace/text_lines.h"
#include "trace/wtr_writer.h"

enum import_status {
    IMPORT_GOOD,
    IMPORT_BAD_INPUT, /* @error has the fault and its place */
    IMPORT_FAILED,    /* writing or memory failed: @error has the reason */
    IMPORT_STOPPED,   /* *stop was set */
};

/**
 * struct import - an import.
 * @path: of the input
 * @output: path of the caller's output; an input that is this file is refused. NULL: no check
 * @writer: gets the launches; finished by the import
 * @named: the writer's origin comes from the user; a name in the input does not replace it
 * @spool: a temporary file, open for reading and writing
 * @stop: becomes non-zero to end the import early
 * @progress: called now and then with bytes read and all bytes (0: unknown, the input is a pipe)
 */
struct import {
    const char *path, *output;
    struct wtr_writer *writer;
    bool named;
    FILE *spool;
    const atomic_int *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
    /* Results. */
    char error[TEXT_LINES_ERROR];
    /* Private. */
    uint64_t done, total;
};

/** import_failure() - keep the first error: the lines' message or the writer's. @lines: may be
 * NULL. */
enum import_status import_failure(struct import *i, const struct text_lines *lines);

/** import_open() - open an input, unless it is the output. NULL: i->error has the reason. */
struct text_lines *import_open(struct import *i, const char *path);

#endif
