/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a result of `warpmem run --json`. docs/result_json.md describes the file.
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
    const char *sweep; /* the key whose values the run tried */
    uint64_t seed, input_hash, profile_hash;
};

/** result_file_is() - true if the file begins like JSON; a file of keys does not. */
bool result_file_is(const char *path);

/** result_file_read() - false with a message: the fault and the allowed values. */
bool result_file_read(struct result_file *r, const char *path, struct config_error *e);

/** result_file_layer() - the whole configuration. False with a message that names the key that this
 * program does not have, or the file does not. */
bool result_file_layer(const struct result_file *r, struct config_layer *l, struct config_error *e);

/** result_file_by() - the option that set the key: "scheme", ...; NULL: the base. */
const char *result_file_by(const struct result_file *r, const char *key);

/** result_file_limit() - a limit of the run: "max_cycles", ...; 0: none. */
uint64_t result_file_limit(const struct result_file *r, const char *name);

/** result_file_tried() - the i-th value of the swept key; 0 past the end. */
unsigned result_file_tried(const struct result_file *r, unsigned i);

/** result_file_origin() - true if this program made it. False: *text (size bytes) names the program
 * that did. */
bool result_file_origin(const struct result_file *r, char *text, size_t size);

void result_file_close(struct result_file *r);

#endif
