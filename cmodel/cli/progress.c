/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SHOW_EVERY 0.125 /* seconds; also keeps short runs from flickering */
#define LINE_TEXT 512

void progress_init(struct progress *p, const char *title, bool wanted) {
    const char *terminal = getenv("TERM");
    bool dumb = terminal && !strcmp(terminal, "dumb");
    *p = (struct progress){.title = title, .on = wanted && !dumb && isatty(STDERR_FILENO)};
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

unsigned progress_percent(const struct gpu_progress *now, uint64_t total) {
    uint64_t done = total ? now->warp_instructions : now->ctas_done,
             all = total ? total : now->ctas;
    uint64_t percent = all ? done * 100 / all : 0;
    return percent < 99 ? (unsigned)percent : 99; /* the known length of a run is approximate */
}

/* Seconds until the end, by the known length of the run; 0: unknown. */
static double seconds_left(const struct progress *p, const struct gpu_progress *now,
                           double seconds) {
    double part = 0;
    if (p->warp_instructions) {
        part = (double)now->warp_instructions / (double)p->warp_instructions;
    }
    if (p->max_cycles > now->cycles && (double)now->cycles / (double)p->max_cycles > part) {
        part = (double)now->cycles / (double)p->max_cycles;
    }
    return part > 0 && part < 1 ? seconds * (1 - part) / part : 0;
}

void progress_show(void *user, const struct gpu_progress *now) {
    struct progress *p = user;
    char rate[64], left[64] = "", part[16] = "", launches[32] = "";
    double seconds;
    if (p->on && now->launch != p->launch) {
        p->launch = now->launch;
        clock_gettime(CLOCK_MONOTONIC, &p->launch_start);
    }
    if (!progress_due(p, &seconds)) {
        return;
    }
    double whole = seconds_left(p, now, seconds);
    double spent = seconds_since(&p->launch_start, &p->shown);
    if (p->warp_instructions) {
        snprintf(part, sizeof part, "%u %%, ", progress_percent(now, p->warp_instructions));
    }
    if (p->launches >= now->launch) {
        snprintf(launches, sizeof launches, " of %" PRIu64, p->launches);
    }
    if (whole > 0) {
        snprintf(left, sizeof left, "%s%.0f s left, ", p->warp_instructions ? "" : "at most ",
                 whole);
    } else if (now->ctas_done && now->ctas_done < now->ctas) {
        snprintf(left, sizeof left, "%.0f s left of this launch, ",
                 spent * (now->ctas - now->ctas_done) / now->ctas_done);
    }
    /* Per cent and time left come first: a narrow terminal cuts the line. */
    progress_line(p, "%s: %s%slaunch %u%s, %u of %u CTAs, %" PRIu64 " cycles%s", p->title, part,
                  left, now->launch, launches, now->ctas_done, now->ctas, now->cycles,
                  progress_rate(now->cycles, seconds, rate, sizeof rate));
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
