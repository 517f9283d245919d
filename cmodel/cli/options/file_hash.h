/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes of input files: CRC-64 (ECMA-182), as in .xz files. It detects an accident, not a forgery.
 */
#ifndef WARPMEM_CLI_OPTIONS_FILE_HASH_H
#define WARPMEM_CLI_OPTIONS_FILE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** file_hash() - of the whole file. False with a message of one line in error (size bytes). */
bool file_hash(const char *path, uint64_t *hash, char *error, size_t size);

#endif
