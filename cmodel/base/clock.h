/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock domains. Simulated time counts in units of the least common multiple of all clocks, so that
 * every period is an integer and no rounding decides anything. A domain's edges are the multiples
 * of its period.
 *
 * A unit is evaluated at an edge only when it asked for that edge or somebody woke it. Evaluating
 * it without need changes nothing (polling does just that), so waking may be coarse. An evaluation
 * ends with the unit's next wish, which replaces what it or others wished for it before: a unit
 * always looks at all that can come to it.
 */
#ifndef WARPMEM_BASE_CLOCK_H
#define WARPMEM_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/request.h"

#define CLOCK_UNITS_MAX 64

/** earlier() - of two times; NEVER is later than any. */
static inline uint64_t earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

struct clock_domain {
    uint64_t period;    /* time units */
    uint64_t edge;      /* time of the next edge that may be evaluated */
    uint64_t cycle;     /* number of that edge */
    uint64_t next;      /* time of the first edge at which a unit is to be evaluated; NEVER: none */
    uint64_t wish_next; /* the same, of the wishes alone; may be too early, never too late */
    uint64_t awake;     /* units to evaluate at `edge` */
    uint64_t all;       /* every unit of the domain */
    uint64_t wishing;   /* units with a wish */
    uint64_t wish[CLOCK_UNITS_MAX]; /* edge at which a wishing unit wants to be evaluated */
};

/** clock_periods() - integer periods for @count clocks in kHz; false when they do not fit into 64
 * bits. */
bool clock_periods(const unsigned *khz, unsigned count, uint64_t *period);

/** clock_domain_init() - a domain of @units (at most CLOCK_UNITS_MAX) units, its first edge at
 * one period. */
void clock_domain_init(struct clock_domain *d, uint64_t period, unsigned units);

/** clock_due() - of the domain's wishes, the units whose time has come at @now; looks for the
 * next wish. */
uint64_t clock_due(struct clock_domain *d, uint64_t now);

/* The domain slept over some edges: go to its first edge at or after @time. */
static inline void clock_catch_up(struct clock_domain *d, uint64_t time) {
    if (d->edge < time) {
        uint64_t missed = (time - d->edge + d->period - 1) / d->period;
        d->edge += missed * d->period;
        d->cycle += missed;
    }
}

/** clock_take() - at time @now, an edge of the domain: the units to evaluate. Moves to the next
 * edge. */
static inline uint64_t clock_take(struct clock_domain *d, uint64_t now) {
    clock_catch_up(d, now);
    uint64_t units = d->awake;
    d->awake = 0;
    if (d->wish_next <= now) {
        units |= clock_due(d, now);
    }
    d->edge += d->period;
    d->cycle++;
    d->next = d->wish_next;
    return units;
}

/* Evaluate the unit at the first edge at or after @at, or at the next one. The edge in hand lies
 * after the present. */
static inline void clock_ask(struct clock_domain *d, unsigned unit, uint64_t at) {
    if (at <= d->edge) {
        d->awake |= UINT64_C(1) << unit;
        d->next = d->edge;
        return;
    }
    uint64_t edge = d->edge + (at - d->edge + d->period - 1) / d->period * d->period;
    if (!(d->wishing >> unit & 1) || edge < d->wish[unit]) {
        d->wishing |= UINT64_C(1) << unit;
        d->wish[unit] = edge;
        d->wish_next = edge < d->wish_next ? edge : d->wish_next;
        d->next = edge < d->next ? edge : d->next;
    }
}

/** clock_wake() - evaluate the unit at the domain's first edge after @now. */
static inline void clock_wake(struct clock_domain *d, unsigned unit, uint64_t now) {
    clock_catch_up(d, now + 1);
    d->awake |= UINT64_C(1) << unit;
    d->next = d->edge;
}

/** clock_wake_at() - evaluate the unit at the domain's first edge at or after @at (and after
 * @now). */
static inline void clock_wake_at(struct clock_domain *d, unsigned unit, uint64_t now, uint64_t at) {
    clock_catch_up(d, now + 1);
    clock_ask(d, unit, at);
}

/** clock_evaluated() - after an evaluation, at which the domain has just been: the unit's next
 * wish; NEVER: none. */
static inline void clock_evaluated(struct clock_domain *d, unsigned unit, uint64_t at) {
    d->wishing &= ~(UINT64_C(1) << unit);
    if (at != NEVER) {
        clock_ask(d, unit, at);
    }
}

#endif
