/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/scheduler.h"

int scheduler_lrr(const struct warp_scheduler *s, uint64_t candidates) {
    /* Two shifts: a shift by 64 is undefined. */
    uint64_t after =
        candidates & ((~UINT64_C(1) << (s->last & 63)) & (s->last < 0 ? 0 : ~UINT64_C(0)));
    return __builtin_ctzll(after ? after : candidates);
}

int scheduler_oldest(uint64_t candidates, const uint64_t *age) {
    int oldest = __builtin_ctzll(candidates);
    for (uint64_t left = candidates & (candidates - 1); left; left &= left - 1) {
        int slot = __builtin_ctzll(left);
        if (age[slot] < age[oldest]) {
            oldest = slot;
        }
    }
    return oldest;
}

int scheduler_gto(const struct warp_scheduler *s, uint64_t candidates, const uint64_t *age) {
    if (s->last >= 0 && candidates >> s->last & 1) {
        return s->last;
    }
    return scheduler_oldest(candidates, age);
}

int scheduler_gty(const struct warp_scheduler *s, uint64_t candidates, const uint64_t *age) {
    if (s->last >= 0 && candidates >> s->last & 1) {
        return s->last;
    }
    int youngest = __builtin_ctzll(candidates);
    for (uint64_t left = candidates & (candidates - 1); left; left &= left - 1) {
        int slot = __builtin_ctzll(left);
        youngest = age[slot] >= age[youngest] ? slot : youngest;
    }
    return youngest;
}
