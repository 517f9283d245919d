/* SPDX-License-Identifier: Apache-2.0
 *
 * A result of `warpmem run --json`, read again: the run that it tells of. docs/result_json.md
 * describes the file.
 */
#ifndef WARPMEM_CLI_REPORT_RESULT_FILE_H
#define WARPMEM_CLI_REPORT_RESULT_FILE_H

#include <jansson.h>

#include "config/layer.h"

/* Members are texts of @json, or NULL. */
struct result_file {
    json_t *json;
    const char *path;
    const char *workload, *size, *trace, *profile;
    const char *machine, *base, *scheme;
    const char *sweep; /* the key of which the run tried values */
    uint64_t seed, input_hash, profile_hash;
};

/** result_file_is() - does the file begin as JSON does? No keys of a machine begin so. */
bool result_file_is(const char *path);

/** result_file_read() - false with a message: what is wrong with it, and what it must be. */
bool result_file_read(struct result_file *r, const char *path, struct config_error *e);

/** result_file_layer() - the whole configuration. False with a message that names the key that this
 * program does not have, or the file does not. */
bool result_file_layer(const struct result_file *r, struct config_layer *l, struct config_error *e);

/** result_file_by() - which option gave the key its value: "scheme", ...; NULL: the base did. */
const char *result_file_by(const struct result_file *r, const char *key);

/** result_file_limit() - of the run: "max_cycles", ...; 0: it had none. */
uint64_t result_file_limit(const struct result_file *r, const char *name);

/** result_file_tried() - the i-th value of the swept key; 0 past the end. */
unsigned result_file_tried(const struct result_file *r, unsigned i);

/** result_file_origin() - was it made by this very program? False: *text (size bytes) says by
 * which. */
bool result_file_origin(const struct result_file *r, char *text, size_t size);

void result_file_close(struct result_file *r);

#endif
