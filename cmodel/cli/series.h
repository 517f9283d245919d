/* SPDX-License-Identifier: Apache-2.0
 *
 * A run over time: one line of comma-separated values for each interval of core cycles, the last,
 * shorter one included. Rates are those of the interval; an empty field had a divisor of 0. Queue
 * lengths and residency are those at the interval's end, summed over the machine.
 */
#ifndef WARPMEM_CLI_SERIES_H
#define WARPMEM_CLI_SERIES_H

#include <stdio.h>

#include "cli/figures.h"
#include "gpu/gauges.h"

#define SERIES_INTERVAL 10000 /* default interval in core cycles */
#define SERIES_INTERVAL_MAX 1000000000000ull
#define SERIES_RATES 9

struct series {
    FILE *out;
    const struct config *config;
    const struct stats *stats;
    struct figure_ref rates[SERIES_RATES];
    size_t counters;
    uint64_t *base, *now, *difference; /* a counter each: at the interval's begin, at its end */
    uint64_t base_cycle, now_cycle;
    bool pending; /* the interval that ends at now_cycle is yet to be written */
    uint64_t gauges[GPU_GAUGES_MAX];
};

/** series_name() - the i-th column's name and meaning; NULL past the end. */
const char *series_name(unsigned i, char *meaning, size_t size);

/** series_begin() - before the run; writes the heading. @out was set by the caller.
 * False: out of memory. */
bool series_begin(struct series *s, const struct config *config, const struct stats *stats);
/** series_sample() - an interval ends with @cycle. */
void series_sample(struct series *s, const struct gpu *g, uint64_t cycle);
/** series_end() - after the run of @cycles: write the last interval, with the writes that drained
 * after the last instruction. */
void series_end(struct series *s, const struct gpu *g, uint64_t cycles);

#endif
