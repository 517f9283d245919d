/* SPDX-License-Identifier: Apache-2.0 */
#define _FILE_OFFSET_BITS 64
#include "trace/wtr_block.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

enum { MESSAGE = 1024, SHOWN = 400 };

bool wtr_blocks_fail(struct wtr_blocks *b, uint64_t at, const char *format, ...) {
    char what[MESSAGE / 2], shown[SHOWN];
    va_list args;
    if (b->error) {
        return false;
    }
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    b->error = malloc(MESSAGE);
    if (b->error) {
        snprintf(b->error, MESSAGE, "%s: byte %" PRIu64 ": %s",
                 text_shown(shown, sizeof shown, b->path), at, what);
    }
    return false;
}

/* Report an error without a place: the file cannot be opened or read at all. */
static bool fail_block_file(struct wtr_blocks *b, int error) {
    char shown[SHOWN];
    if (!b->error && (b->error = malloc(MESSAGE))) {
        snprintf(b->error, MESSAGE, "%s: cannot be read: %s",
                 *b->path ? text_shown(shown, sizeof shown, b->path) : "(empty name)",
                 strerror(error));
    }
    return false;
}

/* Fails on fewer bytes than wanted; @what names the part in which the file ends. */
static bool read_bytes(struct wtr_blocks *b, void *to, size_t bytes, const char *what) {
    errno = 0;
    size_t got = fread(to, 1, bytes, b->file);
    b->at += got;
    if (got == bytes) {
        return true;
    }
    return ferror(b->file)
               ? fail_block_file(b, errno ? errno : EIO)
               : wtr_blocks_fail(b, b->at, "the file ends in %s: must go on to an END block", what);
}

static bool read_header(struct wtr_blocks *b) {
    uint8_t header[WTR_HEADER_BYTES] = {0};
    size_t got = fread(header, 1, sizeof header, b->file);
    b->at = got;
    if (got < WTR_MAGIC_BYTES || memcmp(header, WTR_MAGIC, WTR_MAGIC_BYTES)) {
        return wtr_blocks_fail(b, 0, "not a trace file: must begin with 89 57 54 52 0d 0a 1a 0a");
    }
    if (got < sizeof header) {
        return wtr_blocks_fail(b, got, "the file ends in its header: must go on to an END block");
    }
    if (wtr_get32(header + 8) != WTR_VERSION) {
        return wtr_blocks_fail(b, 8, "format version %" PRIu32 ": must be %d",
                               wtr_get32(header + 8), WTR_VERSION);
    }
    return !wtr_get32(header + 12) || wtr_blocks_fail(b, 12, "a byte is not 0: must be 0");
}

bool wtr_blocks_open(struct wtr_blocks *b, const char *path) {
    struct stat st;
    *b = (struct wtr_blocks){.path = strdup(path)};
    b->stored_room = ZSTD_compressBound(WTR_BLOCK_MAX) + WTR_BLOCK_HEADER_BYTES;
    b->raw = malloc(WTR_BLOCK_MAX);
    b->stored = malloc(b->stored_room);
    b->zstd = ZSTD_createDCtx();
    if (!b->path || !b->raw || !b->stored || !b->zstd) {
        return false;
    }
    b->file = fopen(path, "rb");
    if (!b->file || fstat(fileno(b->file), &st)) {
        return fail_block_file(b, errno);
    }
    if (S_ISDIR(st.st_mode)) {
        return fail_block_file(b, EISDIR);
    }
    b->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    return read_header(b);
}

void wtr_blocks_close(struct wtr_blocks *b) {
    if (b->file) {
        fclose(b->file);
    }
    ZSTD_freeDCtx(b->zstd);
    free(b->path);
    free(b->raw);
    free(b->stored);
    free(b->error);
    *b = (struct wtr_blocks){0};
}

bool wtr_blocks_next(struct wtr_blocks *b) {
    uint8_t *header = b->stored; /* load() wants header and payload in one piece */
    b->loaded = false;
    b->block_at = b->at;
    if (b->error || !read_bytes(b, header, WTR_BLOCK_HEADER_BYTES, "a block header")) {
        return false;
    }
    b->type = wtr_get32(header);
    b->raw_bytes = wtr_get32(header + 4);
    b->stored_bytes = wtr_get32(header + 8);
    if (b->type < WTR_ORIGIN || b->type > WTR_SOURCE) {
        return wtr_blocks_fail(b, b->block_at, "block type %" PRIu32 ": must be %d..%d", b->type,
                               WTR_ORIGIN, WTR_SOURCE);
    }
    if (b->raw_bytes > WTR_BLOCK_MAX) {
        return wtr_blocks_fail(b, b->block_at + 4, "a block of %" PRIu32 " bytes: at most %u",
                               b->raw_bytes, WTR_BLOCK_MAX);
    }
    if (b->stored_bytes > b->stored_room - WTR_BLOCK_HEADER_BYTES) {
        return wtr_blocks_fail(b, b->block_at + 8,
                               "a block of %" PRIu32 " compressed bytes: at most %zu",
                               b->stored_bytes, b->stored_room - WTR_BLOCK_HEADER_BYTES);
    }
    if (wtr_get32(header + 12) != b->sequence) {
        return wtr_blocks_fail(b, b->block_at + 12, "block number %" PRIu32 ": must be %" PRIu32,
                               wtr_get32(header + 12), b->sequence);
    }
    b->sequence++;
    return true;
}

bool wtr_blocks_load(struct wtr_blocks *b) {
    uint8_t *payload = b->stored + WTR_BLOCK_HEADER_BYTES;
    if (b->error || !read_bytes(b, payload, b->stored_bytes, "a block")) {
        return false;
    }
    if (wtr_get64(b->stored + WTR_SUMMED_BYTES) !=
        wtr_checksum(b->stored, payload, b->stored_bytes)) {
        return wtr_blocks_fail(b, b->block_at + WTR_SUMMED_BYTES,
                               "the block's checksum differs: must be that of what follows");
    }
    size_t got = ZSTD_decompressDCtx(b->zstd, b->raw, b->raw_bytes, payload, b->stored_bytes);
    if (ZSTD_isError(got) || got != b->raw_bytes) {
        return wtr_blocks_fail(
            b, b->block_at + WTR_BLOCK_HEADER_BYTES,
            "the block cannot be decompressed (%s): must be zstd of %" PRIu32 " bytes",
            ZSTD_isError(got) ? ZSTD_getErrorName(got) : "too short", b->raw_bytes);
    }
    b->loaded = true;
    return true;
}

bool wtr_blocks_skip(struct wtr_blocks *b) {
    if (b->error || b->loaded) {
        return !b->error;
    }
    if (b->size >= b->at + b->stored_bytes && !fseeko(b->file, (off_t)b->stored_bytes, SEEK_CUR)) {
        b->at += b->stored_bytes;
        return true;
    }
    return read_bytes(b, b->stored + WTR_BLOCK_HEADER_BYTES, b->stored_bytes, "a block");
}

bool wtr_blocks_at_end(struct wtr_blocks *b) {
    return getc(b->file) == EOF ||
           wtr_blocks_fail(b, b->at, "bytes behind the END block: must be none");
}
