/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SHOW_EVERY 0.125 /* seconds; also keeps short runs from flickering */
#define LINE_TEXT 512

void progress_init(struct progress *p, const char *title, bool wanted) {
    *p = (struct progress){.title = title, .on = wanted && isatty(STDERR_FILENO)};
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->launch_start = p->shown = p->start;
}

static double seconds_since(const struct timespec *then, const struct timespec *now) {
    return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) * 1e-9;
}

bool progress_due(struct progress *p, double *seconds) {
    struct timespec now;
    if (!p->on) {
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (seconds_since(&p->shown, &now) < SHOW_EVERY) {
        return false;
    }
    p->shown = now;
    *seconds = seconds_since(&p->start, &now);
    return true;
}

/* A line that the terminal wraps cannot be taken back. */
static int terminal_columns(void) {
    struct winsize size;
    bool known = !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1;
    return known ? size.ws_col - 1 : 79;
}

void progress_line(struct progress *p, const char *format, ...) {
    char text[LINE_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "\r\x1b[K%.*s", terminal_columns(), text);
    fflush(stderr);
    p->drawn = true;
}

const char *progress_rate(uint64_t cycles, double seconds, char *buf, size_t size) {
    snprintf(buf, size, ", %.0f kcycles/s, %.0f s", (double)cycles / seconds * 1e-3, seconds);
    return buf;
}

void progress_show(void *user, uint64_t cycles, unsigned launch, unsigned ctas_done,
                   unsigned ctas) {
    struct progress *p = user;
    char rate[64], left[64] = "";
    double seconds;
    if (p->on && launch != p->launch) {
        p->launch = launch;
        clock_gettime(CLOCK_MONOTONIC, &p->launch_start);
    }
    if (!progress_due(p, &seconds)) {
        return;
    }
    /* The number of launches is unknown, so the estimate is for the launch's end; a limited run has
     * an estimate for its own end, if it lasts that long. */
    double spent = seconds_since(&p->launch_start, &p->shown);
    if (ctas_done && ctas_done < ctas) {
        snprintf(left, sizeof left, ", %.0f s left of this launch",
                 spent * (ctas - ctas_done) / ctas_done);
    } else if (p->max_cycles > cycles && cycles) {
        snprintf(left, sizeof left, ", at most %.0f s left",
                 seconds * (double)(p->max_cycles - cycles) / (double)cycles);
    }
    progress_line(p, "%s: launch %u, %u of %u CTAs, %" PRIu64 " cycles%s%s", p->title, launch,
                  ctas_done, ctas, cycles, progress_rate(cycles, seconds, rate, sizeof rate), left);
}

void progress_part(struct progress *p, uint64_t done, uint64_t total) {
    double seconds;
    if (done && done <= total && progress_due(p, &seconds)) {
        progress_line(p, "%s: %.0f %%, %.0f s left", p->title, (double)done / (double)total * 100,
                      seconds * (double)(total - done) / (double)done);
    }
}

void progress_clear(struct progress *p) {
    if (p->drawn) {
        fputs("\r\x1b[K", stderr);
        fflush(stderr);
        p->drawn = false;
    }
}
