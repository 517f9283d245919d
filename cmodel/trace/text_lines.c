/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/text_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

#define INPUT_BYTES (64u << 10)
#define TEXT_BYTES (256u << 10)         /* more than the longest line */
#define XZ_MEMORY_MAX (128u << 20)      /* xz -9 needs half of it */
#define XZ_MAGIC "\xfd\x37\x7a\x58\x5a" /* and a zero byte */
#define XZ_MAGIC_BYTES 6
#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* some editors begin a file with it */
#define BYTE_ORDER_MARK_BYTES 3

struct text_lines {
    FILE *file;
    char *path;
    bool xz, ended;
    lzma_stream lzma;
    uint64_t read;
    uint64_t line, at; /* number of the line that came last, its first byte */
    char *text;        /* text[begin .. end) is there and not yet given out */
    size_t begin, end;
    uint64_t text_at; /* byte number of text[0] */
    uint8_t input[INPUT_BYTES];
    char error[TEXT_LINES_ERROR];
};

static bool fail_lines_file(struct text_lines *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail_lines_file(struct text_lines *t, const char *format, ...) {
    char what[TEXT_LINES_ERROR / 4], shown[TEXT_LINES_ERROR / 2];
    va_list args;
    if (!*t->error) {
        va_start(args, format);
        vsnprintf(what, sizeof what, format, args);
        va_end(args);
        snprintf(t->error, sizeof t->error, "%s: %s", text_shown(shown, sizeof shown, t->path),
                 what);
    }
    return false;
}

bool text_lines_fail(struct text_lines *t, const char *format, ...) {
    char what[TEXT_LINES_ERROR / 4], shown[TEXT_LINES_ERROR / 2];
    va_list args;
    if (!*t->error) {
        va_start(args, format);
        vsnprintf(what, sizeof what, format, args);
        va_end(args);
        snprintf(t->error, sizeof t->error, "%s:%" PRIu64 " (byte %" PRIu64 "): %s",
                 text_shown(shown, sizeof shown, t->path), t->line, t->at, what);
    }
    return false;
}

const char *text_lines_error(const struct text_lines *t) {
    return *t->error ? t->error : NULL;
}

uint64_t text_lines_read(const struct text_lines *t) {
    return t->read;
}

/* Reads bytes of the file into input[from..). */
static size_t read_input(struct text_lines *t, size_t from) {
    errno = 0;
    size_t got = fread(t->input + from, 1, sizeof t->input - from, t->file);
    if (ferror(t->file)) {
        fail_lines_file(t, "cannot be read: %s", strerror(errno ? errno : EIO));
    }
    t->read += got;
    return got;
}

static bool start_reading(struct text_lines *t) {
    struct stat st;
    t->file = fopen(t->path, "rb");
    if (!t->file || fstat(fileno(t->file), &st)) {
        return fail_lines_file(t, "cannot be read: %s", strerror(errno));
    }
    if (S_ISDIR(st.st_mode)) {
        return fail_lines_file(t, "cannot be read: %s", strerror(EISDIR));
    }
    size_t got = read_input(t, 0);
    if (*t->error) {
        return false;
    }
    t->xz = got >= XZ_MAGIC_BYTES && !memcmp(t->input, XZ_MAGIC, XZ_MAGIC_BYTES);
    t->lzma.next_in = t->input;
    t->lzma.avail_in = got;
    if (t->xz && lzma_stream_decoder(&t->lzma, XZ_MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK) {
        return fail_lines_file(t, "out of memory");
    }
    return true;
}

struct text_lines *text_lines_open(const char *path, char error[TEXT_LINES_ERROR]) {
    struct text_lines *t = calloc(1, sizeof *t);
    snprintf(error, TEXT_LINES_ERROR, "out of memory");
    if (!t) {
        return NULL;
    }
    t->lzma = (lzma_stream)LZMA_STREAM_INIT;
    t->path = strdup(path);
    t->text = malloc(TEXT_BYTES + 1); /* and the '\0' behind a last line */
    if (t->path && t->text && start_reading(t)) {
        return t;
    }
    if (*t->error) {
        snprintf(error, TEXT_LINES_ERROR, "%s", t->error);
    }
    text_lines_close(t);
    return NULL;
}

void text_lines_close(struct text_lines *t) {
    if (!t) {
        return;
    }
    if (t->file) {
        fclose(t->file);
    }
    lzma_end(&t->lzma);
    free(t->path);
    free(t->text);
    free(t);
}

static bool fail_xz(struct text_lines *t, lzma_ret why) {
    uint64_t at = t->read - t->lzma.avail_in;
    switch (why) {
    case LZMA_MEMLIMIT_ERROR:
        return fail_lines_file(t, "byte %" PRIu64 ": xz needs %" PRIu64 " MiB: at most %u", at,
                               lzma_memusage(&t->lzma) >> 20, XZ_MEMORY_MAX >> 20);
    case LZMA_MEM_ERROR: return fail_lines_file(t, "out of memory");
    case LZMA_BUF_ERROR:
        return fail_lines_file(t, "byte %" PRIu64 ": the file ends in an xz stream: must be whole",
                               at);
    default:
        return fail_lines_file(
            t, "byte %" PRIu64 ": xz data are damaged (%d): must be a whole xz file", at, (int)why);
    }
}

static void decompress_text(struct text_lines *t) {
    t->lzma.next_out = (uint8_t *)t->text + t->end;
    t->lzma.avail_out = TEXT_BYTES - t->end;
    while (t->lzma.avail_out && !t->ended && !*t->error) {
        bool finished = false;
        if (!t->lzma.avail_in) {
            t->lzma.next_in = t->input;
            t->lzma.avail_in = read_input(t, 0);
            finished = !t->lzma.avail_in;
        }
        lzma_ret got = lzma_code(&t->lzma, finished ? LZMA_FINISH : LZMA_RUN);
        if (got == LZMA_STREAM_END) {
            t->ended = true;
        } else if (got != LZMA_OK) {
            fail_xz(t, got);
        }
    }
    t->end = TEXT_BYTES - t->lzma.avail_out;
}

static void copy_text(struct text_lines *t) {
    while (t->end < TEXT_BYTES && !t->ended && !*t->error) {
        size_t part = TEXT_BYTES - t->end;
        part = part < t->lzma.avail_in ? part : t->lzma.avail_in;
        memcpy(t->text + t->end, t->lzma.next_in, part);
        t->end += part;
        t->lzma.next_in += part;
        t->lzma.avail_in -= part;
        if (!t->lzma.avail_in) {
            t->lzma.next_in = t->input;
            t->lzma.avail_in = read_input(t, 0);
            t->ended = !t->lzma.avail_in;
        }
    }
}

/* Keeps the line that has begun and fills up behind it. */
static void refill_text(struct text_lines *t) {
    memmove(t->text, t->text + t->begin, t->end - t->begin);
    t->text_at += t->begin;
    t->end -= t->begin;
    t->begin = 0;
    if (t->xz) {
        decompress_text(t);
    } else {
        copy_text(t);
    }
}

bool text_lines_next(struct text_lines *t, const char **line, size_t *length) {
    if (*t->error) {
        return false;
    }
    char *newline = memchr(t->text + t->begin, '\n', t->end - t->begin);
    if (!newline && !t->ended) {
        refill_text(t);
        if (*t->error) {
            return false;
        }
        newline = memchr(t->text, '\n', t->end);
    }
    if (!t->line && t->end >= BYTE_ORDER_MARK_BYTES &&
        !memcmp(t->text, BYTE_ORDER_MARK, BYTE_ORDER_MARK_BYTES)) {
        t->begin = BYTE_ORDER_MARK_BYTES;
    }
    t->line++;
    t->at = t->text_at + t->begin;
    if (!newline && t->begin == t->end) {
        return false;
    }
    char *text = t->text + t->begin, *stop = newline ? newline : t->text + t->end;
    if (stop - text > TEXT_LINE_MAX) {
        return text_lines_fail(t, "a line of more than %d bytes: at most that", TEXT_LINE_MAX);
    }
    t->begin = (size_t)(stop - t->text) + (newline != NULL);
    stop -= stop > text && stop[-1] == '\r';
    *stop = '\0';
    *line = text;
    *length = (size_t)(stop - text);
    return true;
}
