/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock domains. Simulated time counts in units of the least common multiple of all clocks, so that
 * every period is an integer and no rounding decides anything. A domain's edges are the multiples
 * of its period.
 *
 * A unit is evaluated at an edge only when it requested that edge or another unit woke it. A
 * needless evaluation changes nothing (--poll evaluates every unit in every cycle), so wake-ups may
 * be coarse. An evaluation ends with the unit's next request, which replaces all its earlier ones,
 * because a unit always examines all of its inputs.
 *
 * A domain has a bit for each of CLOCK_UNITS_MAX units. In a machine with more units, those whose
 * numbers are equal modulo CLOCK_UNITS_MAX are evaluated together, as one unit of the domain.
 */
#ifndef WARPMEM_BASE_CLOCK_H
#define WARPMEM_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/now.h"
#include "base/request.h"

#define CLOCK_UNITS_MAX 64 /* evaluated separately */

/** earlier_time(), later_time() - the earlier or later of two times; NEVER is later than any. */
static inline uint64_t earlier_time(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static inline uint64_t later_time(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

#define CLOCK_WINDOW 64 /* edges ahead that a domain keeps a slot for */

/**
 * struct clock_domain - the edges of a clock, and the units to evaluate at each edge.
 *
 * Most requests are for the next edge, which has its own mask of units. Each of the next
 * CLOCK_WINDOW edges has a slot, a mask of units, at the edge's number modulo the window. A unit is
 * in the slot of the earliest edge requested for it, or among the far units while that edge is
 * beyond the window. A unit in the mask of the next edge may also be in a slot or among the far
 * units; its evaluation at the next edge cancels that request.
 */
struct clock_domain {
    uint64_t period;     /* time units */
    uint64_t reciprocal; /* 2^64 / period, rounded up; 0: not exact for times of 32 bits */
    uint64_t edge;       /* time of the next edge that may be evaluated */
    uint64_t cycle;      /* number of that edge */
    struct now now;      /* the last edge, at which its units are evaluated */
    uint64_t next; /* time of the first edge with a slot that is not empty; NEVER: none. May be too
                      early, never too late */
    uint64_t next_cycle; /* its number */
    uint64_t soon;       /* units to evaluate at the next edge */
    uint64_t occupied;   /* slots with a unit */
    uint64_t all;        /* every unit of the domain */
    uint64_t far;        /* units whose edge was beyond the window at the request */
    uint64_t far_first;  /* number of the first of their edges, or a lower one; NEVER: none */
    uint64_t asked;      /* units in a slot or far ahead */
    uint64_t slot[CLOCK_WINDOW];
    uint64_t far_cycle[CLOCK_UNITS_MAX];
    uint8_t slot_of[CLOCK_UNITS_MAX];
};

/** clock_periods() - integer periods for @count clocks in kHz; false if they do not fit into 64
 * bits. */
bool clock_periods(const unsigned *khz, unsigned count, uint64_t *period);

/** clock_domain_init() - a domain for @units of the machine; its first edge is at one period. */
void clock_domain_init(struct clock_domain *d, uint64_t period, unsigned units);

/* The domain's unit for unit number @number of the machine. */
static inline unsigned clock_unit(unsigned number) {
    return number % CLOCK_UNITS_MAX;
}

/** clock_take_far() - remove and return the far units whose edge is number @cycle or earlier; set
 * the first edge of the others. */
uint64_t clock_take_far(struct clock_domain *d, uint64_t cycle);

/* Periods in @time, rounded up. */
static inline uint64_t clock_periods_in(const struct clock_domain *d, uint64_t time) {
    uint64_t up = time + d->period - 1;
    return up >> 32 || !d->reciprocal ? up / d->period
                                      : (uint64_t)((unsigned __int128)up * d->reciprocal >> 64);
}

/* The domain slept over some edges without a unit to evaluate: go to its first edge at or after
 * @time. */
static inline void clock_catch_up(struct clock_domain *d, uint64_t time) {
    if (d->edge < time) {
        d->edge += d->period;
        d->cycle++;
        if (d->edge < time) {
            uint64_t missed = clock_periods_in(d, time - d->edge);
            d->edge += missed * d->period;
            d->cycle += missed;
        }
    }
}

static inline void clock_leave_slot(struct clock_domain *d, unsigned unit) {
    uint64_t bit = UINT64_C(1) << unit;
    d->asked &= ~bit;
    if (d->far & bit) {
        d->far &= ~bit;
        return;
    }
    unsigned slot = d->slot_of[unit];
    d->slot[slot] &= ~bit;
    if (!d->slot[slot]) {
        d->occupied &= ~(UINT64_C(1) << slot);
    }
}

/* Set the first edge, from the next one on, that has a request. */
static inline void clock_set_next(struct clock_domain *d) {
    uint64_t ahead = d->far_first - d->cycle;
    if (d->occupied) {
        unsigned shift = d->cycle % CLOCK_WINDOW;
        uint64_t rotated = d->occupied >> shift | d->occupied
                                                      << ((CLOCK_WINDOW - shift) % CLOCK_WINDOW);
        ahead = earlier_time(ahead, (unsigned)__builtin_ctzll(rotated));
    } else if (d->far_first == NEVER) {
        d->next = d->next_cycle = NEVER;
        return;
    }
    d->next = d->edge + ahead * d->period;
    d->next_cycle = d->cycle + ahead;
}

/** clock_take() - at time @now, an edge of the domain: return the units to evaluate at d->now, and
 * move to the next edge. */
static inline uint64_t clock_take(struct clock_domain *d, uint64_t now) {
    if (now == d->next) {
        d->edge = now;
        d->cycle = d->next_cycle;
    } else {
        clock_catch_up(d, now);
    }
    unsigned slot = d->cycle % CLOCK_WINDOW;
    uint64_t units = 0, soon = d->soon;
    d->now.cycle = d->cycle;
    d->soon = 0;
    d->edge += d->period;
    d->cycle++;
    if (d->occupied >> slot & 1) {
        units = d->slot[slot];
        d->slot[slot] = 0;
        d->occupied &= ~(UINT64_C(1) << slot);
        d->asked &= ~units;
    }
    if (d->far_first < d->cycle) {
        units |= clock_take_far(d, d->cycle - 1);
    }
    clock_set_next(d);
    d->now.time = now; /* apart from now.cycle: side by side both become one slower vector */
    return units | soon;
}

/* Evaluate the unit at the next edge. */
static inline void clock_soon(struct clock_domain *d, unsigned unit) {
    d->soon |= UINT64_C(1) << unit;
    d->next = d->edge;
    d->next_cycle = d->cycle;
}

/* Evaluate the unit, which has no request yet, @ahead edges after the next one. */
static inline void clock_enter_slot(struct clock_domain *d, unsigned unit, uint64_t ahead) {
    uint64_t bit = UINT64_C(1) << unit, cycle = d->cycle + ahead;
    d->asked |= bit;
    if (ahead >= CLOCK_WINDOW) {
        d->far |= bit;
        d->far_cycle[unit] = cycle;
        d->far_first = earlier_time(d->far_first, cycle);
    } else {
        unsigned slot = cycle % CLOCK_WINDOW;
        d->slot_of[unit] = (uint8_t)slot;
        d->slot[slot] |= bit;
        d->occupied |= UINT64_C(1) << slot;
    }
    if (cycle < d->next_cycle) {
        d->next_cycle = cycle;
        d->next = d->edge + ahead * d->period;
    }
}

/* Edges from the next one to the one requested for the unit. */
static inline uint64_t clock_asked_ahead(const struct clock_domain *d, unsigned unit) {
    return d->far >> unit & 1 ? d->far_cycle[unit] - d->cycle
                              : (d->slot_of[unit] - d->cycle) % CLOCK_WINDOW;
}

/* Evaluate the unit @ahead edges after the next one, or at an earlier requested edge. */
static inline void clock_ask_ahead(struct clock_domain *d, unsigned unit, uint64_t ahead) {
    if (d->asked >> unit & 1) {
        if (clock_asked_ahead(d, unit) <= ahead) {
            return;
        }
        clock_leave_slot(d, unit);
    }
    clock_enter_slot(d, unit, ahead);
}

/** clock_ask() - evaluate the unit at the first edge at or after @at, or at the next one. The
 * domain's next edge must be later than the present. */
static inline void clock_ask(struct clock_domain *d, unsigned unit, uint64_t at) {
    if (at <= d->edge) {
        clock_soon(d, unit);
    } else if (!(d->soon >> unit & 1)) {
        clock_ask_ahead(d, unit, clock_periods_in(d, at - d->edge));
    }
}

/** clock_wake() - evaluate the unit at the domain's first edge after @now. */
static inline void clock_wake(struct clock_domain *d, unsigned unit, uint64_t now) {
    clock_catch_up(d, now + 1);
    clock_soon(d, clock_unit(unit));
}

/** clock_wake_at() - evaluate the unit at the domain's first edge at or after @at (and after
 * @now). */
static inline void clock_wake_at(struct clock_domain *d, unsigned unit, uint64_t now, uint64_t at) {
    clock_catch_up(d, now + 1);
    clock_ask(d, clock_unit(unit), at);
}

/** clock_evaluated() - after the unit's evaluation at the domain's latest edge, request its next
 * one at @at; NEVER: none. A wake-up for the next edge during the evaluation stays. */
static inline void clock_evaluated(struct clock_domain *d, unsigned unit, uint64_t at) {
    if (d->asked >> unit & 1) {
        clock_leave_slot(d, unit);
    }
    if (at <= d->edge) {
        clock_soon(d, unit);
    } else if (at != NEVER && !(d->soon >> unit & 1)) {
        clock_enter_slot(d, unit, clock_periods_in(d, at - d->edge));
    }
}

#endif
