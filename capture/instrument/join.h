/* SPDX-License-Identifier: Apache-2.0
 *
 * Relocatable device code: the bitcode of several files becomes one module, in which kernels find
 * functions and variables of other files.
 */
#ifndef WARPMEM_CAPTURE_JOIN_H
#define WARPMEM_CAPTURE_JOIN_H

#include <stdbool.h>

/** join_modules() - write the module of @count files of bitcode. False: the fault is printed. */
bool join_modules(unsigned version, const char *output, char *const inputs[], int count);
/** join_rename_static() - write a file's bitcode with @suffix behind its static kernels' names, as
 * clang writes the host's half; of kernels that launch kernels, which clang takes for functions. */
bool join_rename_static(unsigned version, const char *output, const char *input,
                        const char *suffix);

#endif
