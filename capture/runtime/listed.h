/* SPDX-License-Identifier: Apache-2.0
 *
 * The lists in capture/include/warpmem_*_list.h define these functions here; kernels declare them
 * (include/warpmem_functions.h). The name has the cost: instrument/calls.h.
 */
#ifndef WARPMEM_RUNTIME_LISTED_H
#define WARPMEM_RUNTIME_LISTED_H

#include <stdbool.h>
#include <stdint.h>

#define WARPMEM_FUNCTION(cost, type, name, parameters, value) \
    type __wm_##cost##_##name parameters; \
    type __wm_##cost##_##name parameters { \
        return value; \
    }
#define WARPMEM_DEVICE_FUNCTION(cost, type, name, parameters, value) \
    WARPMEM_FUNCTION(cost, type, name, parameters, value)
#define WARPMEM_OVERLOAD(cost, type, name, tag, parameters, value) \
    WARPMEM_FUNCTION(cost, type, name##_##tag, parameters, value)

#endif
