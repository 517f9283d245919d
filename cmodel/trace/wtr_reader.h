/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a trace file, block by block, and believes nothing: what a machine or a report gets has
 * been checked, and no allocation is larger than the data that has arrived explains.
 *
 * The first thing that is wrong ends the reading; wtr_reader_error() then says
 * "FILE: byte N: what; what is allowed". A machine that runs a trace sees the end of the program,
 * so whoever ran it must ask.
 */
#ifndef WARPMEM_TRACE_WTR_READER_H
#define WARPMEM_TRACE_WTR_READER_H

#include "kernel/launch.h"
#include "trace/wtr.h"

struct wtr_reader;

/**
 * wtr_reader_open() - open a file and read what it is.
 * @error: one line, as wtr_reader_error() would give it
 * Return: NULL with a message.
 */
struct wtr_reader *wtr_reader_open(const char *path, char *error, size_t size);
void wtr_reader_close(struct wtr_reader *r);

const struct wtr_origin *wtr_reader_origin(const struct wtr_reader *r);
/** wtr_reader_totals() - of the launches that are complete. */
const struct wtr_totals *wtr_reader_totals(const struct wtr_reader *r);
/** wtr_reader_error() - NULL: nothing is wrong so far. */
const char *wtr_reader_error(const struct wtr_reader *r);

/**
 * wtr_reader_program() - the file as a program for a machine. Launches of the same code have the
 * same struct kernel_code, which lives as long as the reader.
 */
struct program wtr_reader_program(struct wtr_reader *r);
/** wtr_reader_tell_copies() - the program, which passes over copies of the host, tells of each. */
void wtr_reader_tell_copies(struct wtr_reader *r,
                            void (*tell)(void *user, uint64_t address, uint64_t bytes), void *user);

enum wtr_item_kind { WTR_ITEM_LAUNCH, WTR_ITEM_COPY, WTR_ITEM_END };

/* A part of the file, without its records. */
struct wtr_item {
    enum wtr_item_kind kind;
    const struct launch *launch; /* valid until the next item */
    struct wtr_totals totals;    /* of the launch, or of the file; as the file says */
    uint64_t address, bytes;     /* of the copy */
    uint64_t launches, copies;   /* of the file */
    uint64_t stored_bytes;       /* that the launch's blocks take */
};

/**
 * wtr_reader_item() - the next item; records are passed over, not checked.
 * Return: false after WTR_ITEM_END, or on an error.
 */
bool wtr_reader_item(struct wtr_reader *r, struct wtr_item *item);

/** wtr_reader_place() - bytes read and bytes of the file, for a progress line; 0, 0: not known. */
void wtr_reader_place(const struct wtr_reader *r, uint64_t *at, uint64_t *size);

#endif
