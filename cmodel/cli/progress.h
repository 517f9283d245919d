/* SPDX-License-Identifier: Apache-2.0
 *
 * One line on the terminal during a run; none if stderr is not a terminal, or is one that cannot
 * overwrite a line (TERM=dumb).
 */
#ifndef WARPMEM_CLI_PROGRESS_H
#define WARPMEM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "gpu/gpu.h"

struct progress {
    const char *title; /* name of the run: "atax" */
    bool on, drawn;
    uint64_t max_cycles; /* of a limited run; 0: unknown */
    /* Totals of the run; 0: unknown. */
    uint64_t warp_instructions, launches;
    struct timespec start, launch_start, shown;
    unsigned launch;
};

/** progress_init() - @wanted: false switches it off. */
void progress_init(struct progress *p, const char *title, bool wanted);
/** progress_show() - for struct gpu_options; user: struct progress. */
void progress_show(void *user, const struct gpu_progress *now);
/** progress_percent() - per cent of @total warp instructions, at most 99; of the launch's CTAs if
 * @total is 0. */
unsigned progress_percent(const struct gpu_progress *now, uint64_t total);
/** progress_due() - true if progress is on and another line is due. *seconds: since the start. */
bool progress_due(struct progress *p, double *seconds);
/** progress_line() - replace the line, cut to the terminal's width. */
__attribute__((format(printf, 2, 3))) void progress_line(struct progress *p, const char *format,
                                                         ...);
/** progress_part() - progress of other work: @done of @total units. */
void progress_part(struct progress *p, uint64_t done, uint64_t total);
/** progress_clear() - remove the line. */
void progress_clear(struct progress *p);

/** progress_rate() - ", 850 kcycles/s, 12 s" of a run that began @seconds ago. Return: buf. */
const char *progress_rate(uint64_t cycles, double seconds, char *buf, size_t size);

#endif
