/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of kernels as the source has them, and the list of `warpmem capture --kernels`.
 */
#ifndef WARPMEM_RUNTIME_KERNEL_NAMES_H
#define WARPMEM_RUNTIME_KERNEL_NAMES_H

#include <stdbool.h>

/** kernel_name_of() - "_Z4spmvIiEvPi" as "spmv<int>", for the caller to free; NULL: out of memory.
 */
char *kernel_name_of(const char *device_name);

/** kernel_is_listed() - true if the name is in "a,b<1, 2>". Commas within brackets belong to a
 * name. No list, or an empty one, has every name. */
bool kernel_is_listed(const char *list, const char *name);

/** kernel_names_note() - a kernel of this name was launched. @name must stay. */
void kernel_names_note(const char *name);
/** kernel_names_report() - print each name of the list that no launched kernel has, and the names
 * of those that were launched. */
void kernel_names_report(const char *list);

#endif
