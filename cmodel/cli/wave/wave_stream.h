/* SPDX-License-Identifier: Apache-2.0
 *
 * An FST file as a stream of changes, for wavediff and wavejoin, the only users of GTKWave's
 * reader.
 *
 * The file is read by a child process that streams it through a pipe: memory is bounded by the
 * number of signals, and a damaged file cannot take this program with it (GTKWave's reader trusts
 * its input). Every failure ends the program with one line on stderr and exit code TROUBLE.
 */
#ifndef WARPMEM_CLI_WAVE_WAVE_STREAM_H
#define WARPMEM_CLI_WAVE_WAVE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum { EQUAL, DIFFERENT, TROUBLE }; /* exit codes */

/** die_with_message() - print "PROGRAM: ..." and exit. */
__attribute__((format(printf, 1, 2), noreturn)) void die_with_message(const char *format, ...);
/** need_memory() - return the memory, or exit if it is NULL. */
void *need_memory(void *memory);

struct signal {
    char *name;  /* without the range */
    char *range; /* "[5:0]" behind it in the file, in the same memory; NULL: none */
    char *key;   /* key that pairs it with the other file's signal */
    uint32_t handle, bits;
};

struct dump {
    const char *path;
    FILE *pipe;
    pid_t child;
    struct signal *signals; /* the signals that are compared, by key */
    size_t count;
    struct signal *all; /* all signals in the file's order; they own the names */
    size_t all_count, capacity;
    char **value;     /* by handle; NULL: unknown so far, which is x */
    uint32_t *length; /* room in value */
    size_t handles;
    uint64_t first, last;
    int64_t exponent;
    bool ended;    /* no further change */
    uint64_t time; /* the next change, read but not applied */
    uint32_t handle, bits;
    uint64_t changes;
};

/** dump_open() - open a file: read its signals into all[], and its times, but no change yet. */
void dump_open(struct dump *d, const char *path);
/** dump_next() - the time, handle and bits of the next change; at the end sets d->ended and no
 * time. */
void dump_next(struct dump *d);
/** dump_apply() - apply the change that dump_next() read last; before the next dump_next(). */
void dump_apply(struct dump *d);
/** dump_close() - end the child process and free all. */
void dump_close(struct dump *d);

#endif
