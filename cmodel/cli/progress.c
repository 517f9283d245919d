/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define SHOW_EVERY 0.125 /* seconds; also keeps short runs from flickering */

void progress_init(struct progress *p, const char *title, bool wanted) {
    *p = (struct progress){.title = title, .on = wanted && isatty(STDERR_FILENO)};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->launch_start = p->shown = p->start;
}

static double seconds_since(const struct timespec *then, const struct timespec *now) {
    return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) * 1e-9;
}

void progress_show(void *user, uint64_t cycles, unsigned launch, unsigned ctas_done,
                   unsigned ctas) {
    struct progress *p = user;
    struct timespec now;
    if (!p->on) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (launch != p->launch) {
        p->launch = launch;
        p->launch_start = now;
    }
    if (seconds_since(&p->shown, &now) < SHOW_EVERY) {
        return;
    }
    p->shown = now;
    double run = seconds_since(&p->start, &now);
    fprintf(stderr, "\r\x1b[K%s: launch %u, %u of %u CTAs, %" PRIu64 " cycles", p->title, launch,
            ctas_done, ctas, cycles);
    if (run > 0.5) {
        fprintf(stderr, ", %.2f M cycles/s", (double)cycles / run * 1e-6);
    }
    if (ctas_done && ctas_done < ctas) {
        double spent = seconds_since(&p->launch_start, &now);
        fprintf(stderr, ", %.0f s left of this launch", spent * (ctas - ctas_done) / ctas_done);
    }
    fflush(stderr);
    p->drawn = true;
}

void progress_part(struct progress *p, uint64_t done, uint64_t total) {
    struct timespec now;
    if (!p->on) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (seconds_since(&p->shown, &now) < SHOW_EVERY || !done || done > total) {
        return;
    }
    p->shown = now;
    double spent = seconds_since(&p->start, &now);
    fprintf(stderr, "\r\x1b[K%s: %.0f %%, %.0f s left", p->title,
            (double)done / (double)total * 100, spent * (double)(total - done) / (double)done);
    fflush(stderr);
    p->drawn = true;
}

void progress_clear(struct progress *p) {
    if (p->drawn) {
        fputs("\r\x1b[K", stderr);
        fflush(stderr);
        p->drawn = false;
    }
}
