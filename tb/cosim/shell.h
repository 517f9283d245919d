/* SPDX-License-Identifier: Apache-2.0
 *
 * Running programs in the framework's tests.
 */
#ifndef WARPMEM_COSIM_SHELL_H
#define WARPMEM_COSIM_SHELL_H

#include <stdbool.h>

/**
 * run_shell() - run a command line; its exit code, or -1 if it died. *output: what it printed; the
 * caller frees it.
 */
int run_shell(char **output, const char *format, ...) __attribute__((format(printf, 2, 3)));
/**
 * scratch_path() - path of a file for this test, in $COSIM_TMP or build/cosim; the caller
 * frees it.
 */
char *scratch_path(const char *name);
/** setting_or() - an environment variable of `make cosim-test`, or the value for a run by hand.
 */
const char *setting_or(const char *name, const char *otherwise);
/** write_shell_file() - text into a file. */
void write_shell_file(const char *path, const char *text);

#endif
