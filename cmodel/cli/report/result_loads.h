/* SPDX-License-Identifier: Apache-2.0
 *
 * The counters of loads (core/loads.h) in results: as JSON, as a table, and read from JSON.
 */
#ifndef WARPMEM_CLI_REPORT_RESULT_LOADS_H
#define WARPMEM_CLI_REPORT_RESULT_LOADS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "gpu/kernels.h"

/** result_loads_json() - an array, of a kernel's loads that have issued. NULL: out of memory. */
json_t *result_loads_json(const struct load_counts *loads);
/** result_loads_read() - read it back; the caller zeroes *loads, and frees it also after a failure.
 * False: it lacks a member, or out of memory. */
bool result_loads_read(const json_t *array, struct load_counts *loads);
/** result_loads_print() - a table: shares of each load's accesses, in per cent. */
void result_loads_print(const struct gpu_kernels *kernels, FILE *out);

#endif
