/* SPDX-License-Identifier: Apache-2.0
 *
 * The lower half of the reader: checked and decompressed blocks, and messages with their place.
 */
#ifndef WARPMEM_TRACE_WTR_BLOCK_H
#define WARPMEM_TRACE_WTR_BLOCK_H

#include <stdio.h>
#include <zstd.h>

#include "trace/wtr.h"

struct wtr_blocks {
    FILE *file;
    char *path;
    uint64_t at;       /* bytes read */
    uint64_t size;     /* of the file; 0: unknown */
    uint64_t block_at; /* offset of the current block */
    uint32_t sequence; /* of the next block */
    ZSTD_DCtx *zstd;
    uint8_t *stored, *raw; /* the current block */
    size_t stored_room;
    uint32_t type, raw_bytes, stored_bytes;
    bool loaded; /* raw has its payload */
    char *error; /* NULL: no error */
};

/** wtr_blocks_open() - reads the file header too. False: b->error has the reason; NULL there: out
 * of memory. */
bool wtr_blocks_open(struct wtr_blocks *b, const char *path);
void wtr_blocks_close(struct wtr_blocks *b);

/** wtr_blocks_next() - the next block's header; its payload is not read yet. */
bool wtr_blocks_next(struct wtr_blocks *b);
/** wtr_blocks_load() - read its payload: raw has raw_bytes bytes. */
bool wtr_blocks_load(struct wtr_blocks *b);
/** wtr_blocks_skip() - skip its payload. */
bool wtr_blocks_skip(struct wtr_blocks *b);
/** wtr_blocks_at_end() - true if no byte follows the last block. */
bool wtr_blocks_at_end(struct wtr_blocks *b);

/** wtr_blocks_fail() - keep "PATH: byte N: ..." unless an error is kept already. Return: false. */
__attribute__((format(printf, 3, 4))) bool wtr_blocks_fail(struct wtr_blocks *b, uint64_t at,
                                                           const char *format, ...);

#endif
