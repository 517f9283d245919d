/* SPDX-License-Identifier: Apache-2.0
 *
 * A run over time: one line of comma-separated values for each interval of core cycles, the last,
 * shorter one included. Rates are those of the interval; an empty field had a divisor of 0. Queue
 * lengths and residency are samples at the interval's end, summed over the machine.
 *
 * Without a given interval it begins with SERIES_SHORTEST cycles. Whenever SERIES_LINES_MAX lines
 * exist, every two become one, so a run of any length ends with at least half of them.
 */
#ifndef WARPMEM_CLI_REPORT_SERIES_H
#define WARPMEM_CLI_REPORT_SERIES_H

#include <stdio.h>

#include "cli/report/figures.h"
#include "gpu/gauges.h"

#define SERIES_SHORTEST 5 /* core cycles of the first interval */
#define SERIES_LINES_MAX 500
#define SERIES_INTERVAL_MAX 1000000000000ull
#define SERIES_RATES 9

struct series {
    FILE *out;
    const struct config *config;
    const struct stats *stats;
    struct figure_ref rates[SERIES_RATES];
    uint64_t interval,
        next;    /* core cycles; set by the caller, 0: chosen. Cycle of the next sample */
    bool chosen; /* the interval */
    /* Point 0 is the beginning of the first interval that has not been written, the others are
     * ends. A point: its cycle, the counters, the gauges. */
    uint64_t *points, *difference;
    size_t counters, words; /* of a point */
    unsigned count;         /* of points */
};

/** series_name() - the i-th column's name and meaning; NULL past the end. */
const char *series_name(unsigned i, char *meaning, size_t size);

/** series_first() - chooses the interval if none was given. Return: cycle of the first sample. */
uint64_t series_first(struct series *s);
/** series_begin() - before the run; writes the heading. @out was set by the caller.
 * False: out of memory. */
bool series_begin(struct series *s, const struct config *config, const struct stats *stats);
/** series_sample() - an interval ends with @cycle; sets next. */
void series_sample(struct series *s, const struct gpu *g, uint64_t cycle);
/** series_end() - after the run of @cycles: write the last interval, with the writes that drained
 * after the last instruction. */
void series_end(struct series *s, const struct gpu *g, uint64_t cycles);

#endif
