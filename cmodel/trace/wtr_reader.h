/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a trace file, block by block, and trusts nothing: a machine or a report gets only checked
 * data, and no allocation is larger than the data read so far justifies.
 *
 * The first error ends the reading; wtr_reader_error() then returns
 * "FILE: byte N: fault; allowed values". A machine that runs a trace sees an error as the end of
 * the program, so its caller must check wtr_reader_error().
 */
#ifndef WARPMEM_TRACE_WTR_READER_H
#define WARPMEM_TRACE_WTR_READER_H

#include "kernel/launch.h"
#include "trace/wtr.h"

struct wtr_reader;

/**
 * wtr_reader_open() - open a file and read its origin.
 * @error: one line, as wtr_reader_error() returns it
 * Return: NULL with a message.
 */
struct wtr_reader *wtr_reader_open(const char *path, char *error, size_t size);
void wtr_reader_close(struct wtr_reader *r);

const struct wtr_origin *wtr_reader_origin(const struct wtr_reader *r);
/** wtr_reader_totals() - totals of the complete launches. */
const struct wtr_totals *wtr_reader_totals(const struct wtr_reader *r);
/** wtr_reader_error() - NULL: no error so far. */
const char *wtr_reader_error(const struct wtr_reader *r);

/**
 * wtr_reader_program() - the file as a program for a machine. Launches of the same code have the
 * same struct kernel_code, which lives as long as the reader.
 */
struct program wtr_reader_program(struct wtr_reader *r);
/** wtr_reader_tell_copies() - call back for each copy from the host, which the program skips. */
void wtr_reader_tell_copies(struct wtr_reader *r,
                            void (*tell)(void *user, uint64_t address, uint64_t bytes), void *user);

/** wtr_reader_only() - the program is launch @number alone, counted from 1, and the totals are its
 * own. Earlier launches are skipped, not checked. Before the program's first launch. */
void wtr_reader_only(struct wtr_reader *r, uint64_t number);

enum wtr_item_kind { WTR_ITEM_LAUNCH, WTR_ITEM_COPY, WTR_ITEM_END };

/* A part of the file, without its records. */
struct wtr_item {
    enum wtr_item_kind kind;
    const struct launch *launch; /* valid until the next item */
    struct wtr_totals totals;    /* of the launch, or of the file; as the file has them */
    uint64_t address, bytes;     /* of the copy */
    uint64_t launches, copies;   /* of the file */
    uint64_t stored_bytes;       /* of the launch's blocks */
};

/**
 * wtr_reader_item() - the next item; records are skipped, not checked.
 * Return: false after WTR_ITEM_END, or on an error.
 */
bool wtr_reader_item(struct wtr_reader *r, struct wtr_item *item);

/** wtr_reader_place() - bytes read and bytes of the file, for a progress line; 0, 0: unknown. */
void wtr_reader_place(const struct wtr_reader *r, uint64_t *at, uint64_t *size);

#endif
