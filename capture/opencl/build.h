/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles OpenCL C by calling warpmem-cc.
 */
#ifndef WARPMEM_OPENCL_BUILD_H
#define WARPMEM_OPENCL_BUILD_H

#include "runtime/capture.h"

enum build_result { BUILD_GOOD, BUILD_FAILED, BUILD_BAD_OPTIONS, BUILD_NO_COMPILER };

/* Headers that a program includes by name. */
struct build_headers {
    unsigned count;
    const char *const *names, *const *texts;
};

/**
 * build_module() - of a source, with the options of clBuildProgram().
 * @headers: may be NULL
 * @log: the compiler's messages, for the caller to free; NULL: out of memory
 */
enum build_result build_module(const char *source, const char *options,
                               const struct build_headers *headers, struct module **module,
                               char **log);

#endif
