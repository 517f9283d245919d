/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables of a module by memory space, and the tables that the compiler has made: strings,
 * large constant arrays.
 */
#ifndef WARPMEM_RUNTIME_MODULE_H
#define WARPMEM_RUNTIME_MODULE_H

#include <stddef.h>

#define MODULE_DYNAMIC_SHARED (256 << 10)

struct module_range {
    char *at;
    size_t bytes;
};

struct module_ranges {
    struct module_range shared, dynamic, device, constant, tables;
};

#endif
