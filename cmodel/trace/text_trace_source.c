/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text_trace_source.h"

#include <stdlib.h>
#include <string.h>

#include "trace/text_trace_code.h"

void text_source_clear(struct text_source *s) {
    for (unsigned i = 0; i < s->source.file_count; i++) {
        free(s->files[i]);
    }
    s->source.file_count = 0;
    if (s->lines) {
        memset(s->lines, 0, s->room * sizeof *s->lines);
    }
}

void text_source_free(struct text_source *s) {
    text_source_clear(s);
    free(s->lines);
    *s = (struct text_source){0};
}

bool text_source_take_file(struct text_source *s, struct text_lines *lines, const char *at) {
    const size_t length = strlen(text_blanks(&at));
    if (!length || length > WTR_NAME_MAX || !wtr_printable((const uint8_t *)at, length)) {
        return text_lines_fail(
            lines, "must be \"source FILE\", a name of at most %d printable ASCII characters",
            WTR_NAME_MAX);
    }
    if (s->source.file_count == WTR_SOURCE_FILES_MAX) {
        return text_lines_fail(lines, "more than %d source files: at most that",
                               WTR_SOURCE_FILES_MAX);
    }
    char *name = strdup(at);
    if (!name) {
        return text_lines_fail(lines, "out of memory");
    }
    s->files[s->source.file_count++] = name;
    return true;
}

static bool grow_lines(struct text_source *s, unsigned count) {
    if (count <= s->room) {
        return true;
    }
    const unsigned room = count < 64 ? 64 : 2 * count;
    struct source_line *grown = realloc(s->lines, room * sizeof *grown);
    if (!grown) {
        return false;
    }
    memset(grown + s->room, 0, (room - s->room) * sizeof *grown);
    s->lines = grown;
    s->room = room;
    return true;
}

bool text_source_take_line(struct text_source *s, struct text_lines *lines, const char **at,
                           unsigned index) {
    uint64_t file, line;
    if (strncmp(text_blanks(at), "line=", 5)) {
        return true;
    }
    *at += 5;
    bool good = text_number(at, ":", s->source.file_count, &file) && file && **at == ':';
    *at += good;
    if (!good || !text_number(at, "", UINT32_MAX, &line)) {
        return text_lines_fail(lines,
                               "must be \"line=FILE:LINE\", FILE from 1 to %u, the number of "
                               "\"source\" lines",
                               s->source.file_count);
    }
    if (!grow_lines(s, index + 1)) {
        return text_lines_fail(lines, "out of memory");
    }
    s->lines[index] = (struct source_line){(uint32_t)line, (uint16_t)(file - 1)};
    return true;
}

const struct kernel_source *text_source_of(struct text_source *s, unsigned insns) {
    if (!s->source.file_count || !grow_lines(s, insns)) {
        return NULL;
    }
    s->source.files = (const char *const *)s->files;
    s->source.lines = s->lines;
    return &s->source;
}
