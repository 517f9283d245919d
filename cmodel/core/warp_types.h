/* SPDX-License-Identifier: Apache-2.0
 *
 * Hit ratios of warps in the shared cache: MeDiC's five warp types (MeDiC 3.1, figure 4). They are
 * counted in two ways, because the paper gives both readings:
 *   a load   "when the warp issues a single memory instruction" (3.1): the accesses of a load with
 *            a register that waited for a reply of the L2, with those merged into an earlier L1
 *            miss
 *   a warp   as the paper's hardware finds the type of a warp (4.1): from "the first 30 cache
 *            accesses of each warp" after its two counters are reset, which is "every 100k cycles
 *            for each warp". All requests count, writes and atomics too, for any medic.counts. The
 *            counters belong to a warp slot of the core: the next warp in the slot continues
 *            them. The type of a warp with fewer accesses in a period follows from those.
 * A hit found its line valid; a line that is being filled is no hit, and neither is a request that
 * bypasses the L2: its warp waits for the DRAM. Nothing in the machine depends on the counts.
 */
#ifndef WARPMEM_CORE_WARP_TYPES_H
#define WARPMEM_CORE_WARP_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stats.h"

#define WARP_TYPES_WARPS_MAX 64
#define WARP_TYPES_SAMPLE 30     /* requests (4.1) */
#define WARP_TYPES_PERIOD 100000 /* core cycles between resets (4.1) */

/* By the share of hits: 1, from 0.7 on, between, up to 0.2, 0. */
enum warp_type {
    WARP_ALL_HIT,
    WARP_MOSTLY_HIT,
    WARP_BALANCED,
    WARP_MOSTLY_MISS,
    WARP_ALL_MISS,
    WARP_TYPES
};

/* Of a warp slot, in the whole run: answers to its requests beyond the L1, those of them that
 * bypassed the L2, and those that hit in it. */
struct warp_hits {
    uint64_t requests, hits;
};

struct warp_types {
    /* Of each warp slot, since the reset; at WARP_TYPES_SAMPLE requests its type is known. */
    uint8_t requests[WARP_TYPES_WARPS_MAX], hits[WARP_TYPES_WARPS_MAX];
    uint64_t sampled[WARP_TYPES]; /* warps whose type is known */
    struct {
        uint64_t loads[WARP_TYPES];
        uint64_t warps[WARP_TYPES]; /* from warp_types_settle() */
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

/** warp_types_sampled() - the type of a warp is known; it has sent at least one request. */
void warp_types_sampled(struct warp_types *t, unsigned warp);

/** warp_types_reply() - the L2 has answered a request of the warp. */
static inline void warp_types_reply(struct warp_types *t, unsigned warp, bool hit) {
    if (t->requests[warp] < WARP_TYPES_SAMPLE) {
        t->hits[warp] = (uint8_t)(t->hits[warp] + hit);
        if (++t->requests[warp] == WARP_TYPES_SAMPLE) {
            warp_types_sampled(t, warp);
        }
    }
}

/** warp_types_reset() - a period has ended. */
void warp_types_reset(struct warp_types *t);
/** warp_types_settle() - set stats.warps from the samples so far, as if the period ended now. */
void warp_types_settle(struct warp_types *t);

bool warp_types_register_stats(const struct warp_types *t, struct stats *s);

#endif
