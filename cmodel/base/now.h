/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_BASE_NOW_H
#define WARPMEM_BASE_NOW_H

#include <stdint.h>

/**
 * struct now - the edge at which a unit is evaluated. The caller that evaluates the unit fills it
 * in; no callee changes it.
 * @cycle: number of the edge in the unit's clock domain
 * @time: of the edge, in the time units of base/clock.h
 * @period: time units from it to the domain's next edge
 */
struct now {
    uint64_t cycle, time, period;
};

/** now_next_edge() - time of the domain's next edge. Other units of the same clock see this unit's
 * messages from then on. */
static inline uint64_t now_next_edge(const struct now *now) {
    return now->time + now->period;
}

/** now_time_of() - time of the domain's edge number @cycle, this edge or a later one. */
static inline uint64_t now_time_of(const struct now *now, uint64_t cycle) {
    return now->time + (cycle - now->cycle) * now->period;
}

#endif
