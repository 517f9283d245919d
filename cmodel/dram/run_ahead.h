/* SPDX-License-Identifier: Apache-2.0
 *
 * A channel with one queue runs ahead of the present while its state is not observed.
 */
#ifndef WARPMEM_DRAM_RUN_AHEAD_H
#define WARPMEM_DRAM_RUN_AHEAD_H

#include "base/clock.h"
#include "dram/channel.h"

/* Input slots that a channel keeps free when it runs ahead; it needs one of them for the request of
 * the present cycle. */
#define RUN_AHEAD_MARGIN 3

/* The end of the time in which all inputs of the channel are known and its outputs are invisible.
 * The constant latency bounds it, and so does the time in which the L2's requests, one an L2 cycle,
 * could fill the input queue. */
static inline uint64_t known_until(const struct dram_channel *d, const struct now *now) {
    uint32_t room = d->in.capacity - d->in.used;
    if (!d->seen_at || room <= RUN_AHEAD_MARGIN) {
        return now->time;
    }
    uint64_t arrival = d->config->dram.latency * now->period;
    uint64_t filled = (room - RUN_AHEAD_MARGIN) * d->l2_clock->period;
    return earlier_time(now->time + earlier_time(arrival, filled), *d->seen_at);
}

/**
 * run_channel_ahead() - the current cycle, and the later ones that can be done already.
 * @step: one DRAM cycle, in which at most one request of d->in enters. Return: the first cycle
 *        after it with work even if no request comes; NEVER: none
 * Return: see dram_channel_cycle()
 */
static inline __attribute__((always_inline)) uint64_t run_channel_ahead(
    struct dram_channel *d, const struct now *now,
    uint64_t (*step)(struct dram_channel *d, const struct now *at)) {
    struct now at = *now; /* the cycle that it has reached */
    uint64_t until = known_until(d, now);
    d->present = now->time;
    d->ahead_to = until;
    for (;;) {
        uint64_t idle_until = step(d, &at);
        uint64_t cycles = idle_until - at.cycle;
        uint64_t next = idle_until == NEVER ? NEVER : at.time + cycles * at.period;
        uint64_t arrival = d->count < d->config->dram.queue ? ring_next(&d->in) : NEVER;
        if (earlier_time(next, arrival) >= until) {
            return earlier_time(next, arrival);
        }
        if (arrival < next) {
            cycles = arrival <= at.time ? 1 : clock_periods_in(d->clock, arrival - at.time);
        }
        at.cycle += cycles;
        at.time += cycles * at.period;
        if (at.time >= until) {
            return at.time;
        }
    }
}

#endif
