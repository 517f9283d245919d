/* SPDX-License-Identifier: Apache-2.0
 *
 * The source lines of a text trace's kernel: lines "source FILE" after the kernel's line, and
 * "line=FILE:LINE" at the end of an insn line, where FILE counts the source lines from 1.
 */
#ifndef WARPMEM_TRACE_TEXT_TRACE_SOURCE_H
#define WARPMEM_TRACE_TEXT_TRACE_SOURCE_H

#include "kernel/insn.h"
#include "trace/text_lines.h"
#include "trace/wtr_source.h"

struct text_source {
    struct kernel_source source;
    char *files[WTR_SOURCE_FILES_MAX];
    struct source_line *lines;
    unsigned room; /* of lines */
};

/** text_source_clear() - begin a kernel. */
void text_source_clear(struct text_source *s);
void text_source_free(struct text_source *s);

/** text_source_take_file() - read the rest of a line "source FILE". False with a message in
 * @lines. */
bool text_source_take_file(struct text_source *s, struct text_lines *lines, const char *at);

/** text_source_take_line() - read "line=FILE:LINE" of an instruction, if present. False with a
 * message in @lines. */
bool text_source_take_line(struct text_source *s, struct text_lines *lines, const char **at,
                           unsigned index);

/** text_source_of() - source of a code with @insns instructions. NULL: no source line, or out of
 * memory. */
const struct kernel_source *text_source_of(struct text_source *s, unsigned insns);

#endif
