/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace file that replaces a workload.
 */
#ifndef WARPMEM_CLI_OPTIONS_TRACE_SOURCE_H
#define WARPMEM_CLI_OPTIONS_TRACE_SOURCE_H

#include "trace/wtr.h"
#include "workloads/workload.h"

#define TRACE_SOURCE_ERROR 1024 /* room for a message */

/**
 * struct trace_source - a trace file and its own description.
 * @path: NULL: a workload runs instead
 * @launch: number of the only launch that runs, from 1; 0: all run
 * @workload: under the recorded workload's name, for reports; its open is NULL
 */
struct trace_source {
    const char *path;
    uint64_t launch;
    struct wtr_origin origin;
    char about[256];
    struct workload workload;
};

/** trace_source_is() - true if an argument names a file: it has a '/' or ends in .wtr. */
bool trace_source_is(const char *word);
/** trace_source_is_text() - true if the file is the text form of a trace. */
bool trace_source_is_text(const char *path);
/** trace_source_open() - read the file's description, once. False with a message. */
bool trace_source_open(struct trace_source *t, const char *path, char error[TRACE_SOURCE_ERROR]);
/** trace_source_start() - a program that reads the file from its beginning; the workload's close
 * ends it. Return: NULL, or the message. */
const char *trace_source_start(const struct trace_source *t, struct program *p,
                               char error[TRACE_SOURCE_ERROR]);
/** trace_source_length() - warp instructions and launches by the file's totals; 0 for a damaged
 * file. */
void trace_source_length(const struct trace_source *t, uint64_t *warp_instructions,
                         uint64_t *launches);
/** trace_source_broken() - the error that the run found in the file; NULL: none, or no trace. */
const char *trace_source_broken(const struct trace_source *t, const struct program *p);

#endif
