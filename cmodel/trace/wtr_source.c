/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/wtr_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_good_file_name(const char *name) {
    const size_t length = strlen(name);
    return length <= WTR_NAME_MAX && wtr_printable((const uint8_t *)name, length);
}

static bool check_source(const struct kernel_source *s, unsigned insns, char *wrong) {
    size_t bytes = 2 + (size_t)insns * WTR_SOURCE_LINE_BYTES;
    if (!s->file_count || s->file_count > WTR_SOURCE_FILES_MAX) {
        snprintf(wrong, WTR_SOURCE_WRONG, "%u source files: must be 1..%d", s->file_count,
                 WTR_SOURCE_FILES_MAX);
        return false;
    }
    for (unsigned i = 0; i < s->file_count; i++) {
        bytes += 2 + strlen(s->files[i]);
        if (!is_good_file_name(s->files[i]) || bytes > WTR_BLOCK_MAX) {
            snprintf(wrong, WTR_SOURCE_WRONG,
                     "name of source file %u: must be at most %d printable ASCII characters, and "
                     "all of them %u bytes",
                     i, WTR_NAME_MAX, WTR_BLOCK_MAX);
            return false;
        }
    }
    for (unsigned i = 0; i < insns; i++) {
        if (s->lines[i].file >= s->file_count) {
            snprintf(wrong, WTR_SOURCE_WRONG, "instruction %u: source file %u: must be below %u", i,
                     s->lines[i].file, s->file_count);
            return false;
        }
    }
    return true;
}

size_t wtr_put_source(uint8_t *to, const struct kernel_source *s, unsigned insns,
                      char wrong[static WTR_SOURCE_WRONG]) {
    uint8_t *at = to;
    if (!check_source(s, insns, wrong)) {
        return 0;
    }
    at = wtr_put16(at, (uint16_t)s->file_count);
    for (unsigned i = 0; i < s->file_count; i++) {
        const size_t length = strlen(s->files[i]);
        at = wtr_put16(at, (uint16_t)length);
        memcpy(at, s->files[i], length);
        at += length;
    }
    for (unsigned i = 0; i < insns; i++) {
        at = wtr_put16(wtr_put32(at, s->lines[i].line), s->lines[i].file);
    }
    return (size_t)(at - to);
}

/* Read the names before the lines. Return: the first line; NULL: too short. */
static const uint8_t *take_file_names(struct kernel_source *s, char **files, unsigned count,
                                      const uint8_t *at, const uint8_t *end) {
    for (; s->file_count < count; s->file_count++) {
        if (end - at < 2 || (size_t)(end - at) < 2 + (size_t)wtr_get16(at)) {
            return NULL;
        }
        files[s->file_count] = strndup((const char *)at + 2, wtr_get16(at));
        if (!files[s->file_count]) {
            return NULL;
        }
        at += 2 + wtr_get16(at);
    }
    return at;
}

struct kernel_source *wtr_get_source(const uint8_t *at, size_t bytes, unsigned insns,
                                     char wrong[static WTR_SOURCE_WRONG]) {
    const uint8_t *end = at + bytes;
    const unsigned count = bytes < 2 ? 0 : wtr_get16(at);
    if (!count || count > WTR_SOURCE_FILES_MAX) {
        snprintf(wrong, WTR_SOURCE_WRONG, "%u source files: must be 1..%d", count,
                 WTR_SOURCE_FILES_MAX);
        return NULL;
    }
    struct kernel_source *s = calloc(1, sizeof *s);
    char **files = calloc(count, sizeof *files);
    struct source_line *lines = calloc(insns, sizeof *lines);
    if (!s || !files || !lines) {
        free(s);
        free(files);
        free(lines);
        snprintf(wrong, WTR_SOURCE_WRONG, "out of memory");
        return NULL;
    }
    *s = (struct kernel_source){.files = (const char *const *)files, .lines = lines};
    at = take_file_names(s, files, count, at + 2, end);
    if (!at || (size_t)(end - at) != (size_t)insns * WTR_SOURCE_LINE_BYTES) {
        snprintf(wrong, WTR_SOURCE_WRONG,
                 "%zu bytes of source lines: must be %u names and %d bytes for each of %u "
                 "instructions",
                 bytes, count, WTR_SOURCE_LINE_BYTES, insns);
        wtr_free_source(s);
        return NULL;
    }
    for (unsigned i = 0; i < insns; i++, at += WTR_SOURCE_LINE_BYTES) {
        lines[i] = (struct source_line){wtr_get32(at), wtr_get16(at + 4)};
    }
    if (!check_source(s, insns, wrong)) {
        wtr_free_source(s);
        return NULL;
    }
    return s;
}

void wtr_free_source(const struct kernel_source *s) {
    if (s) {
        for (unsigned i = 0; i < s->file_count; i++) {
            free((char *)(uintptr_t)s->files[i]);
        }
        free((void *)(uintptr_t)s->files);
        free((void *)(uintptr_t)s->lines);
        free((void *)(uintptr_t)s);
    }
}
