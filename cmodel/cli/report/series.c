/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/series.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const rates[SERIES_RATES] = {"ipc_warp",        "ipc_thread",   "l1_hit_rate",
                                                "l1_pending_rate", "l1_miss_rate", "l1_bypass_rate",
                                                "l2_hit_rate",     "row_hit_rate", "bus_use"};

const char *series_name(unsigned i, char *meaning, size_t size) {
    if (i == 0) {
        snprintf(meaning, size, "core cycles: end of the interval");
        return "cycle";
    }
    if (i <= SERIES_RATES) {
        const struct figure *f = figure_find(rates[i - 1]);
        snprintf(meaning, size, "%s: %s, in the interval", f->unit, f->meaning);
        return f->name;
    }
    const struct gpu_gauge *g = gpu_gauge_at(i - 1 - SERIES_RATES);
    if (!g) {
        return NULL;
    }
    snprintf(meaning, size, "%s: %s, a sample at its end", g->unit, g->meaning);
    return g->name;
}

uint64_t series_first(struct series *s) {
    s->chosen = !s->interval;
    s->interval = s->chosen ? SERIES_SHORTEST : s->interval;
    s->next = s->interval;
    return s->next;
}

static uint64_t *point_at(const struct series *s, unsigned i) {
    return &s->points[i * s->words];
}

bool series_begin(struct series *s, const struct config *config, const struct stats *stats) {
    char meaning[256];
    const char *name;
    s->config = config;
    s->stats = stats;
    s->counters = stats_count(stats);
    s->words = 1 + s->counters + GPU_GAUGES_MAX;
    for (unsigned i = 0; i < SERIES_RATES; i++) {
        bool known = figure_resolve(&s->rates[i], figure_find(rates[i]), stats);
        assert(known && "every machine has these counters");
        (void)known;
    }
    /* One more: the end of the run, which may be no end of an interval. */
    s->points = calloc((s->chosen ? SERIES_LINES_MAX + 2 : 3) * s->words, sizeof *s->points);
    s->difference = calloc(s->counters, sizeof *s->difference);
    s->count = 1;
    if (!s->points || !s->difference) {
        return false;
    }
    for (unsigned i = 0; (name = series_name(i, meaning, sizeof meaning)); i++) {
        fprintf(s->out, "%s%s", i ? "," : "", name);
    }
    fputc('\n', s->out);
    return true;
}

static void add_point(struct series *s, const struct gpu *g, uint64_t cycle) {
    uint64_t *point = point_at(s, s->count++);
    point[0] = cycle;
    for (size_t i = 0; i < s->counters; i++) {
        point[1 + i] = stats_value(s->stats, i);
    }
    for (unsigned i = 0; gpu_gauge_at(i); i++) {
        point[1 + s->counters + i] = gpu_gauge_at(i)->read(g);
    }
}

static void move_point(struct series *s, unsigned to, unsigned from) {
    memmove(point_at(s, to), point_at(s, from), s->words * sizeof *s->points);
}

/* Writes the interval that ends with point @i. */
static void write_interval(struct series *s, unsigned i) {
    const uint64_t *old = point_at(s, i - 1), *now = point_at(s, i);
    for (size_t k = 0; k < s->counters; k++) {
        s->difference[k] = now[1 + k] - old[1 + k];
    }
    fprintf(s->out, "%" PRIu64, now[0]);
    for (unsigned k = 0; k < SERIES_RATES; k++) {
        uint64_t value;
        if (figure_value(&s->rates[k], s->difference, now[0] - old[0], s->config, &value)) {
            fprintf(s->out, ",%" PRIu64 ".%06" PRIu64, value / 1000000, value % 1000000);
        } else {
            fputc(',', s->out);
        }
    }
    for (unsigned k = 0; gpu_gauge_at(k); k++) {
        fprintf(s->out, ",%" PRIu64, now[1 + s->counters + k]);
    }
    fputc('\n', s->out);
}

/* A requested interval is written when the next one has ended, because the run's last one
 * includes the writes that drain after it. */
void series_sample(struct series *s, const struct gpu *g, uint64_t cycle) {
    if (!s->chosen && s->count == 2) {
        write_interval(s, 1);
        move_point(s, 0, 1);
        s->count = 1;
    }
    add_point(s, g, cycle);
    if (s->count == SERIES_LINES_MAX + 1) {
        for (unsigned i = 1; i <= SERIES_LINES_MAX / 2; i++) {
            move_point(s, i, 2 * i);
        }
        s->count = SERIES_LINES_MAX / 2 + 1;
        s->interval *= 2;
    }
    s->next = cycle + s->interval;
}

void series_end(struct series *s, const struct gpu *g, uint64_t cycles) {
    s->count -= s->count > 1 && point_at(s, s->count - 1)[0] == cycles;
    add_point(s, g, cycles);
    for (unsigned i = 1; i < s->count; i++) {
        write_interval(s, i);
    }
    free(s->points);
    free(s->difference);
    s->points = s->difference = NULL;
}
