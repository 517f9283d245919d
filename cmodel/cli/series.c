/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/series.h"

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
    snprintf(meaning, size, "%s: %s, at its end", g->unit, g->meaning);
    return g->name;
}

bool series_begin(struct series *s, const struct config *config, const struct stats *stats) {
    char meaning[256];
    const char *name;
    s->config = config;
    s->stats = stats;
    s->counters = stats_count(stats);
    for (unsigned i = 0; i < SERIES_RATES; i++) {
        bool known = figure_resolve(&s->rates[i], figure_find(rates[i]), stats);
        assert(known && "every machine has these counters");
        (void)known;
    }
    s->base = calloc(3 * s->counters, sizeof *s->base);
    if (!s->base) {
        return false;
    }
    s->now = s->base + s->counters;
    s->difference = s->now + s->counters;
    for (unsigned i = 0; (name = series_name(i, meaning, sizeof meaning)); i++) {
        fprintf(s->out, "%s%s", i ? "," : "", name);
    }
    fputc('\n', s->out);
    return true;
}

static void read_machine(struct series *s, const struct gpu *g, uint64_t cycle) {
    for (size_t i = 0; i < s->counters; i++) {
        s->now[i] = stats_value(s->stats, i);
    }
    for (unsigned i = 0; gpu_gauge_at(i); i++) {
        s->gauges[i] = gpu_gauge_at(i)->read(g);
    }
    s->now_cycle = cycle;
    s->pending = true;
}

/* Writes the pending interval; the next one begins at its end. */
static void flush_interval(struct series *s) {
    if (!s->pending) {
        return;
    }
    uint64_t *old = s->base;
    for (size_t i = 0; i < s->counters; i++) {
        s->difference[i] = s->now[i] - old[i];
        old[i] = s->now[i];
    }
    fprintf(s->out, "%" PRIu64, s->now_cycle);
    for (unsigned i = 0; i < SERIES_RATES; i++) {
        uint64_t value;
        if (figure_value(&s->rates[i], s->difference, s->now_cycle - s->base_cycle, s->config,
                         &value)) {
            fprintf(s->out, ",%" PRIu64 ".%06" PRIu64, value / 1000000, value % 1000000);
        } else {
            fputc(',', s->out);
        }
    }
    for (unsigned i = 0; gpu_gauge_at(i); i++) {
        fprintf(s->out, ",%" PRIu64, s->gauges[i]);
    }
    fputc('\n', s->out);
    s->base_cycle = s->now_cycle;
    s->pending = false;
}

/* An interval is written when the next one has ended, because the run's last one includes the
 * writes that drain after it. */
void series_sample(struct series *s, const struct gpu *g, uint64_t cycle) {
    flush_interval(s);
    read_machine(s, g, cycle);
}

void series_end(struct series *s, const struct gpu *g, uint64_t cycles) {
    if (cycles > s->now_cycle) {
        flush_interval(s);
    }
    read_machine(s, g, cycles);
    flush_interval(s);
    free(s->base);
    s->base = NULL;
}
