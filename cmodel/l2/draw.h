/* SPDX-License-Identifier: Apache-2.0
 *
 * The lot of MeDiC's random bypassing (MeDiC section 5, Rand): "a percentage of randomly-chosen
 * warps bypass the cache every 100k cycles". A function of the period and the warp alone, so that
 * every partition draws the same warps, in any order.
 */
#ifndef WARPMEM_L2_DRAW_H
#define WARPMEM_L2_DRAW_H

#include <stdbool.h>
#include <stdint.h>

/** draw_bypasses() - is the warp drawn in this period? @percent: 0..100, of all warps on the
 * average. */
static inline bool draw_bypasses(uint64_t period, unsigned warp, unsigned percent) {
    uint64_t x = (period << 16 | warp) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (x >> 32) * 100 < (uint64_t)percent << 32;
}

#endif
