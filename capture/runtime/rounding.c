/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's arithmetic and casts with a rounding mode in the name.
 */
#include <fenv.h>
#include <math.h>

#include "runtime/listed.h"
#include "runtime/whole.h"

#define ROOT_f(x) sqrtf(x)
#define ROOT_d(x) sqrt(x)

/* The processor rounds as a GPU does, in the mode that is set. Reads and writes of volatile
 * variables stay where they are, and so does the arithmetic between them. */
#define WARPMEM_IN(type) volatile type
#define ROUNDED_BY(mode, cost, type, name, parameters, value) \
    type __wm_##cost##_##name parameters; \
    type __wm_##cost##_##name parameters { \
        const int before = fegetround(); \
        fesetround(mode); \
        volatile type result = (value); \
        fesetround(before); \
        return result; \
    }
#define WARPMEM_NEAREST(cost, type, name, parameters, value) \
    ROUNDED_BY(FE_TONEAREST, cost, type, name##_rn, parameters, value)
#define WARPMEM_ROUNDED(cost, type, name, parameters, value) \
    WARPMEM_NEAREST(cost, type, name, parameters, value) \
    ROUNDED_BY(FE_TOWARDZERO, cost, type, name##_rz, parameters, value) \
    ROUNDED_BY(FE_UPWARD, cost, type, name##_ru, parameters, value) \
    ROUNDED_BY(FE_DOWNWARD, cost, type, name##_rd, parameters, value)
#define WHOLE_BY(round, cost, type, name, from, value) \
    type __wm_##cost##_##name(from f); \
    type __wm_##cost##_##name(from f) { \
        const from x = (from)round((double)f); \
        return (type)(value); \
    }
#define WARPMEM_WHOLE(cost, type, name, from, value) \
    WHOLE_BY(rint, cost, type, name##_rn, from, value) \
    WHOLE_BY(trunc, cost, type, name##_rz, from, value) \
    WHOLE_BY(ceil, cost, type, name##_ru, from, value) \
    WHOLE_BY(floor, cost, type, name##_rd, from, value)
#include "include/warpmem_rounding_list.h"
