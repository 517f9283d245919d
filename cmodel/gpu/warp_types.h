/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of what warps ask of the shared cache it has: MeDiC's five warp types (MeDiC 3.1,
 * figure 4). Counted twice, because the paper gives both readings:
 *   a load   "when the warp issues a single memory instruction" (3.1): the accesses of a load with
 *            a register that waited for a reply of the L2, those that merged into another's miss
 *            in the L1 too
 *   a warp   "the total number of cache hits and cache accesses for the warp" (4.1): all requests
 *            that the warp sent over its life, writes and atomics too
 * A hit found its line valid; a line whose fill is under way is none. Nothing in the machine
 * depends on these counts.
 */
#ifndef WARPMEM_GPU_WARP_TYPES_H
#define WARPMEM_GPU_WARP_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stats.h"

#define WARP_TYPES_WARPS_MAX 64

/* By the share of hits: 1, from 0.7 on, between, up to 0.2, 0. */
enum warp_type {
    WARP_ALL_HIT,
    WARP_MOSTLY_HIT,
    WARP_BALANCED,
    WARP_MOSTLY_MISS,
    WARP_ALL_MISS,
    WARP_TYPES
};

struct warp_types {
    uint32_t requests[WARP_TYPES_WARPS_MAX], hits[WARP_TYPES_WARPS_MAX]; /* of the slot's warp */
    struct {
        uint64_t loads[WARP_TYPES], warps[WARP_TYPES];
    } stats;
};

/** warp_type_of() - @requests at least 1. */
static inline enum warp_type warp_type_of(uint64_t hits, uint64_t requests) {
    return hits == requests            ? WARP_ALL_HIT
           : hits == 0                 ? WARP_ALL_MISS
           : hits * 10 >= requests * 7 ? WARP_MOSTLY_HIT
           : hits * 10 <= requests * 2 ? WARP_MOSTLY_MISS
                                       : WARP_BALANCED;
}

/** warp_types_load() - a load has all its data. @requests: of it, beyond the L1; may be 0. */
static inline void warp_types_load(struct warp_types *t, unsigned hits, unsigned requests) {
    if (requests) {
        t->stats.loads[warp_type_of(hits, requests)]++;
    }
}

/** warp_types_reply() - the L2 has answered a request of the warp. */
static inline void warp_types_reply(struct warp_types *t, unsigned warp, bool hit) {
    t->requests[warp]++;
    if (hit) {
        t->hits[warp]++;
    }
}

/** warp_types_exit() - the warp in the slot has ended. */
static inline void warp_types_exit(struct warp_types *t, unsigned warp) {
    if (t->requests[warp]) {
        t->stats.warps[warp_type_of(t->hits[warp], t->requests[warp])]++;
        t->requests[warp] = t->hits[warp] = 0;
    }
}

bool warp_types_register_stats(const struct warp_types *t, struct stats *s);

#endif
