/* SPDX-License-Identifier: Apache-2.0
 *
 * Event trace: a line an event, "time unit what id", to find where two runs part. time is in the
 * time units of base/clock.h, the same for all domains. Units hold the file, NULL when nobody wants
 * it.
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
