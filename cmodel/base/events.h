/* SPDX-License-Identifier: Apache-2.0
 *
 * Event trace: one line per event, "time unit what id", to find where two runs diverge. time is
 * in the time units of base/clock.h, the same for all domains. Units hold the file; NULL: no
 * trace.
 */
#ifndef WARPMEM_BASE_EVENTS_H
#define WARPMEM_BASE_EVENTS_H

#include <inttypes.h>
#include <stdio.h>

#define EVENT(file, now, ...) \
    do { \
        if (file) { \
            fprintf(file, "%" PRIu64 " ", now); \
            fprintf(file, __VA_ARGS__); \
        } \
    } while (0)

#endif
