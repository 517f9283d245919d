/* SPDX-License-Identifier: Apache-2.0
 * A stop watch of the host, which implements the timers of cutil.h and helper_timer.h. */
#ifndef WARPMEM_TIMER_H
#define WARPMEM_TIMER_H

#include <stdlib.h>
#include <time.h>

struct warpmem_timer {
    double began; /* ms; only while it runs */
    double total; /* ms of all sessions */
    int sessions, runs;
};

static inline double warpmem_timer_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline struct warpmem_timer *warpmem_timer_create(void) {
    return (struct warpmem_timer *)calloc(1, sizeof(struct warpmem_timer));
}

static inline void warpmem_timer_start(struct warpmem_timer *t) {
    t->began = warpmem_timer_now();
    t->runs = 1;
}

static inline void warpmem_timer_stop(struct warpmem_timer *t) {
    if (t->runs) {
        t->total += warpmem_timer_now() - t->began;
        t->sessions++;
    }
    t->runs = 0;
}

static inline void warpmem_timer_reset(struct warpmem_timer *t) {
    t->total = 0;
    t->sessions = 0;
    t->began = warpmem_timer_now();
}

/** warpmem_timer_value() - ms until now, or until it was stopped. */
static inline float warpmem_timer_value(const struct warpmem_timer *t) {
    return (float)(t->total + (t->runs ? warpmem_timer_now() - t->began : 0));
}

static inline float warpmem_timer_average(const struct warpmem_timer *t) {
    return t->sessions ? (float)(t->total / t->sessions) : 0;
}

#endif
