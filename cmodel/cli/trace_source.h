/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace file in a workload's place.
 */
#ifndef WARPMEM_CLI_TRACE_SOURCE_H
#define WARPMEM_CLI_TRACE_SOURCE_H

#include "trace/wtr.h"
#include "workloads/workload.h"

#define TRACE_SOURCE_ERROR 1024 /* room for a message */

/**
 * struct trace_source - a file, and what it says it is.
 * @path: NULL: this is no trace, a workload runs
 * @workload: under the recorded workload's name, for reports; its open is NULL
 */
struct trace_source {
    const char *path;
    struct wtr_origin origin;
    char about[256];
    struct workload workload;
};

/** trace_source_is() - does a word on the command line mean a file: has it a '/' or .wtr at the
 * end? */
bool trace_source_is(const char *word);
/** trace_source_open() - read what the file is, once. False with a message. */
bool trace_source_open(struct trace_source *t, const char *path, char error[TRACE_SOURCE_ERROR]);
/** trace_source_start() - a program that reads the file from its beginning; the workload's close
 * ends it. Return: NULL, or the message. */
const char *trace_source_start(const struct trace_source *t, struct program *p,
                               char error[TRACE_SOURCE_ERROR]);
/** trace_source_length() - warp instructions and launches, as the file says; a damaged file leaves
 * them 0. */
void trace_source_length(const struct trace_source *t, uint64_t *warp_instructions,
                         uint64_t *launches);
/** trace_source_broken() - what was wrong with the file while it ran; NULL: nothing, or it is no
 * trace. */
const char *trace_source_broken(const struct trace_source *t, const struct program *p);

#endif
