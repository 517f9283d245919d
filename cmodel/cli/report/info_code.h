/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a trace's kernels, for `warpmem info --code`.
 */
#ifndef WARPMEM_CLI_REPORT_INFO_CODE_H
#define WARPMEM_CLI_REPORT_INFO_CODE_H

#include <jansson.h>

#include "kernel/insn.h"

/** info_print_code() - a kernel's instructions, with their source lines, and these lines' text if
 * the files can be read. */
void info_print_code(const struct kernel_code *c);
/** info_code_json() - the same without the source's lines. */
json_t *info_code_json(const struct kernel_code *c);

#endif
