/* SPDX-License-Identifier: Apache-2.0
 *
 * Result files, which appear whole or not at all. A file is written under a temporary name in the
 * same folder and renamed at the end; devices and pipes are written directly. The next program that
 * writes the same file removes temporary files left by kill -9.
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
 * output_check() - before a run: check that all results can be written, each to its own file; "-"
 * always can. False with a message that names the option; leaves no files.
 */
bool output_check(const struct output_wish *wishes, unsigned count, struct config_error *e);

/** output_spares() - check that no result overwrites @input, which is read; NULL: no input. False
 * with a message. */
bool output_spares(const struct output_wish *wishes, unsigned count, const char *input,
                   struct config_error *e);

/** output_open() - false with a message. "-" is stdout. */
bool output_open(struct output *o, const char *path, struct config_error *e);

/** output_commit() - close and rename; false with a message, and then no file is left. */
bool output_commit(struct output *o, struct config_error *e);

/** output_abandon() - close and remove. Nothing on a zeroed struct. */
void output_abandon(struct output *o);

/** output_field() - a cell of a table, quoted as RFC 4180 says where @between is a comma. */
void output_field(const char *text, char between, FILE *out);

/** output_is_stdout() - "-". */
bool output_is_stdout(const char *path);

#endif
