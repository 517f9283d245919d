/* SPDX-License-Identifier: Apache-2.0
 *
 * The trace as text, for traces from scripts and for human readers. docs/wtr_format.md describes
 * the format.
 */
#ifndef WARPMEM_TRACE_TEXT_TRACE_H
#define WARPMEM_TRACE_TEXT_TRACE_H

#include <stdio.h>

#include "trace/import.h"

#define TEXT_TRACE_MAGIC "warpmem-trace"
#define TEXT_TRACE_VERSION 1

/** text_trace_import() - import a text trace (i->path), plain or xz. Memory is bounded by one CTA,
 * one kernel's code and 16 bytes a CTA of the grid. */
enum import_status text_trace_import(struct import *i);

/* Writes the text. The caller checks ferror(file) at the end. */
struct text_trace_writer {
    FILE *file;
    const struct kernel_code *code; /* of the last kernel line */
};

/** text_trace_begin() - the first lines. */
void text_trace_begin(struct text_trace_writer *w, FILE *file, const struct wtr_origin *origin);
/** text_trace_copy() - a copy from host to device memory. */
void text_trace_copy(struct text_trace_writer *w, uint64_t address, uint64_t bytes);
/** text_trace_launch() - begin a launch; writes its code unless the launch before had the same. */
void text_trace_launch(struct text_trace_writer *w, const struct launch *l);
/** text_trace_cta() - the records of a CTA of that launch. */
void text_trace_cta(struct text_trace_writer *w, uint32_t cta, const struct cta_trace *t);

#endif
