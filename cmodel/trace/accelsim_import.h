/* SPDX-License-Identifier: Apache-2.0
 *
 * Accel-Sim's text traces, from its list of kernels (kernelslist.g) to a trace file. Memory is
 * bounded by one thread block and 16 bytes a thread block of the grid.
 */
#ifndef WARPMEM_TRACE_ACCELSIM_IMPORT_H
#define WARPMEM_TRACE_ACCELSIM_IMPORT_H

#include <stdatomic.h>
#include <stdio.h>

#include "trace/accelsim_code.h"
#include "trace/wtr_writer.h"

#define ACCELSIM_ERROR TEXT_LINES_ERROR

enum accelsim_status {
    ACCELSIM_GOOD,
    ACCELSIM_BAD_INPUT, /* @error says what and where */
    ACCELSIM_FAILED,    /* writing, memory: @error says why */
    ACCELSIM_STOPPED,   /* *stop */
};

/**
 * struct accelsim_import - what an import needs and what it tells.
 * @list: path of the list of kernels; their files lie beside it
 * @output: what the caller writes; an input that is this file is refused. NULL: nothing to compare
 * @writer: gets the launches; finished by the import
 * @spool: a temporary file, open for reading and writing
 * @stop: becomes non-zero to end it early
 * @progress: called now and then with bytes read, of all (0: not known, the list is a pipe)
 */
struct accelsim_import {
    const char *list, *output;
    struct wtr_writer *writer;
    FILE *spool;
    const atomic_int *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
    /* Told. */
    struct accelsim_notes notes;
    char error[ACCELSIM_ERROR];
    /* Private. */
    uint64_t done, total;
};

enum accelsim_status accelsim_import(struct accelsim_import *i);

#endif
