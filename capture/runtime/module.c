/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of each module, which is the shared object of a source file's device half: the addresses
 * of its variables. warpmem-cc compiles it.
 */
#include "runtime/module.h"

extern char __start_wm_in_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_wm_in_shared[] __attribute__((weak, visibility("hidden")));
extern char __start_wm_in_device[] __attribute__((weak, visibility("hidden")));
extern char __stop_wm_in_device[] __attribute__((weak, visibility("hidden")));
extern char __start_wm_in_constant[] __attribute__((weak, visibility("hidden")));
extern char __stop_wm_in_constant[] __attribute__((weak, visibility("hidden")));
extern char __start_wm_in_tables[] __attribute__((weak, visibility("hidden")));
extern char __stop_wm_in_tables[] __attribute__((weak, visibility("hidden")));

/* The launch's dynamic shared memory. */
__attribute__((aligned(256))) char wm_dynamic_shared[MODULE_DYNAMIC_SHARED];

void wm_module_ranges(struct module_ranges *r);
void wm_module_ranges(struct module_ranges *r) {
    *r = (struct module_ranges){
        .shared = {__start_wm_in_shared, (size_t)(__stop_wm_in_shared - __start_wm_in_shared)},
        .dynamic = {wm_dynamic_shared, sizeof wm_dynamic_shared},
        .device = {__start_wm_in_device, (size_t)(__stop_wm_in_device - __start_wm_in_device)},
        .constant = {__start_wm_in_constant,
                     (size_t)(__stop_wm_in_constant - __start_wm_in_constant)},
        .tables = {__start_wm_in_tables, (size_t)(__stop_wm_in_tables - __start_wm_in_tables)}};
}
