/* SPDX-License-Identifier: Apache-2.0
 *
 * Result files: whole or not there at all. A file is written under a temporary name beside the
 * wanted one and renamed at the end; devices and pipes are written directly. Temporary files that
 * kill -9 has left are removed by the next program that writes the same file.
 */
#ifndef WARPMEM_CLI_OUTPUT_H
#define WARPMEM_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "config/config.h"

struct output {
    FILE *file;
    char *path;   /* its name in messages */
    char *target; /* to rename to; NULL: written directly */
    char *temporary;
};

/**
 * struct output_wish - a requested result file.
 * @option: "--json"
 * @path: NULL: not requested
 * @file:   must be a file: neither "-" nor a device or pipe
 */
struct output_wish {
    const char *option, *path;
    bool file;
};

/**
 * output_check() - before a run: can all results be written, each to a file of its own? "-" always
 * can. False with a message that names the option; leaves no files behind.
 */
bool output_check(const struct output_wish *wishes, unsigned count, struct config_error *e);

/** output_spares() - do all results leave @input, which is read, alone? NULL: nothing is read.
 * False with a message. */
bool output_spares(const struct output_wish *wishes, unsigned count, const char *input,
                   struct config_error *e);

/** output_open() - false with a message. "-" is stdout. */
bool output_open(struct output *o, const char *path, struct config_error *e);

/** output_commit() - close and put in place; false with a message, and then no file is left. */
bool output_commit(struct output *o, struct config_error *e);

/** output_abandon() - close and remove. Nothing on a zeroed struct. */
void output_abandon(struct output *o);

/** output_field() - a cell of a table, quoted as RFC 4180 says where @between is a comma. */
void output_field(const char *text, char between, FILE *out);

/** output_is_stdout() - "-". */
bool output_is_stdout(const char *path);

#endif
