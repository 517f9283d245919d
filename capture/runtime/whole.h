/* SPDX-License-Identifier: Apache-2.0
 *
 * Casts to integers as a GPU makes them.
 */
#ifndef WARPMEM_RUNTIME_WHOLE_H
#define WARPMEM_RUNTIME_WHOLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/** whole_of() - @x, which has no fraction, as an integer of @bits bits: the nearest that there is.
 * A NaN becomes 0, or has only the highest bit set. */
static inline uint64_t whole_of(double x, unsigned bits, bool is_signed, bool nan_is_high) {
    const double above = ldexp(1, (int)bits - is_signed);
    const uint64_t high = UINT64_C(1) << (bits - 1), most = is_signed ? high - 1 : 2 * high - 1;
    if (x != x) {
        return nan_is_high ? high : 0;
    }
    if (x >= above) {
        return most;
    }
    if (is_signed) {
        return x <= -above ? 0 - high : (uint64_t)(int64_t)x;
    }
    return x <= 0 ? 0 : (uint64_t)x;
}

#endif
