/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool clock_periods(const unsigned *khz, unsigned count, uint64_t *period) {
    uint64_t multiple = 1;
    for (unsigned i = 0; i < count; i++) {
        uint64_t factor = khz[i] / greatest_common_divisor(multiple, khz[i]);
        /* Leaves 2^24 periods of headroom for times far ahead. */
        if (multiple > (UINT64_C(1) << 40) / factor) {
            return false;
        }
        multiple *= factor;
    }
    for (unsigned i = 0; i < count; i++) {
        period[i] = multiple / khz[i];
    }
    return true;
}

void clock_domain_init(struct clock_domain *d, uint64_t period, unsigned units) {
    *d = (struct clock_domain){.period = period,
                               .edge = period,
                               .cycle = 1,
                               .now = {.period = period},
                               .next = NEVER,
                               .next_cycle = NEVER,
                               .far_first = NEVER};
    /* time * (reciprocal - 2^64 / period) must stay below 2^64 / period. */
    d->reciprocal = period > 1 && period < UINT64_C(1) << 16 ? UINT64_MAX / period + 1 : 0;
    d->all = units >= CLOCK_UNITS_MAX ? ~UINT64_C(0) : (UINT64_C(1) << units) - 1;
}

uint64_t clock_take_far(struct clock_domain *d, uint64_t cycle) {
    uint64_t due = 0, first = NEVER;
    for (uint64_t left = d->far; left; left &= left - 1) {
        unsigned unit = (unsigned)__builtin_ctzll(left);
        if (d->far_cycle[unit] <= cycle) {
            due |= left & -left;
        } else {
            first = earlier_time(first, d->far_cycle[unit]);
        }
    }
    d->far &= ~due;
    d->asked &= ~due;
    d->far_first = first;
    return due;
}
