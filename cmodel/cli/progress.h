/* SPDX-License-Identifier: Apache-2.0
 *
 * One line on the terminal while a run goes on; nothing where stderr is not a terminal.
 */
#ifndef WARPMEM_CLI_PROGRESS_H
#define WARPMEM_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
    const char *title; /* what runs: "atax" or a scheme */
    bool on, drawn;
    struct timespec start, launch_start, shown;
    unsigned launch;
};

/** progress_init() - @wanted: false switches it off. */
void progress_init(struct progress *p, const char *title, bool wanted);
/** progress_show() - for struct gpu_options; user: struct progress; the first launch is 1. */
void progress_show(void *user, uint64_t cycles, unsigned launch, unsigned ctas_done, unsigned ctas);
/** progress_part() - work that is no run: @done of @total of something. */
void progress_part(struct progress *p, uint64_t done, uint64_t total);
/** progress_clear() - the line is gone. */
void progress_clear(struct progress *p);

#endif
