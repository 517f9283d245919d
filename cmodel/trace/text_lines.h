/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of a text file, plain or xz (recognized by its first bytes), in bounded memory.
 */
#ifndef WARPMEM_TRACE_TEXT_LINES_H
#define WARPMEM_TRACE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_LINE_MAX 65536 /* bytes of a line, without its end */
#define TEXT_LINES_ERROR 1024

struct text_lines;

/** text_lines_open() - NULL: *error has the reason, "PATH: ...". */
struct text_lines *text_lines_open(const char *path, char error[TEXT_LINES_ERROR]);
void text_lines_close(struct text_lines *t);

/**
 * text_lines_next() - the next line, without its end; a '\0' follows its last byte.
 * @line: valid until the next call
 * Return: false at the end of the file, or if it cannot be read: text_lines_error().
 */
bool text_lines_next(struct text_lines *t, const char **line, size_t *length);

/** text_lines_fail() - keep "PATH:LINE (byte N): ..." for the last line; for an xz file N counts
 * decompressed bytes. Only the first message is kept. Return: false. */
__attribute__((format(printf, 2, 3))) bool text_lines_fail(struct text_lines *t, const char *format,
                                                           ...);
/** text_lines_error() - NULL: no error. */
const char *text_lines_error(const struct text_lines *t);

/** text_lines_read() - bytes of the file read so far. */
uint64_t text_lines_read(const struct text_lines *t);

#endif
