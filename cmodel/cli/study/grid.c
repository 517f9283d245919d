/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/study/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES "+changes"
#define OVERRIDES "+overrides"

const char *const grid_mean_names[] = {[GRID_MEAN_GEOMETRIC] = "geometric",
                                       [GRID_MEAN_HARMONIC] = "harmonic",
                                       [GRID_MEAN_NONE] = "none"};

static unsigned machines_of(const struct grid *g) {
    return g->presets * g->schemes * g->points;
}

/* The options of each workload. */
static bool choose_workloads(struct grid *g, const struct grid_wish *wish, struct config_error *e) {
    for (unsigned i = 0; i < g->workloads; i++) {
        g->options[i] = *wish->session;
        if (!session_workload(&g->options[i], wish->workloads->word[i])) {
            *e->text = '\0';
            return false;
        }
    }
    return true;
}

/* Names the refused machine, if there are several. */
static bool refuse_machine(const struct grid_wish *wish, const struct machine *m, const char *point,
                           struct config_error *e) {
    struct config_error old = *e;
    if (*m->scheme && wish->presets->count) {
        config_fail(e, "preset %.40s, scheme %.100s: %.340s", m->preset, m->scheme, old.text);
    } else if (*m->scheme) {
        config_fail(e, "scheme %.100s: %.380s", m->scheme, old.text);
    }
    if (*point) {
        old = *e;
        config_fail(e, "%.100s: %.400s", point, old.text);
    }
    return false;
}

static void cut_word(char *text, const char *word) {
    char *at = strstr(text, word);
    if (at) {
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
    }
}

/* The machine at a point, with names that do not tell of the swept keys: the table has a column for
 * each. */
static bool make_point(struct grid *g, const struct grid_wish *wish, unsigned m,
                       struct machine_options *o, struct config_error *e) {
    const unsigned point = m % g->points, scheme = m / g->points % g->schemes;
    const char *preset =
        wish->presets->count ? wish->presets->word[m / g->points / g->schemes] : NULL;
    char set[AXES_MAX][AXIS_ASSIGNMENT];
    const unsigned before = o->set_count;
    size_t used = 0;
    for (unsigned i = 0; i < wish->axes->count; i++) {
        o->sets[o->set_count++] = (char *)axes_assignment(wish->axes, point, i, set[i]);
        used += (size_t)snprintf(g->point[m] + (used < sizeof *g->point ? used : 0),
                                 used < sizeof *g->point ? sizeof *g->point - used : 0, "%s%s",
                                 i ? " " : "", set[i]);
    }
    bool good = machine_make(&g->machines[m], o, preset, wish->schemes->word[scheme], e);
    o->set_count = before;
    if (!good) {
        return refuse_machine(wish, &g->machines[m], g->point[m], e);
    }
    snprintf(g->scheme[m], sizeof *g->scheme, "%s", g->machines[m].scheme);
    snprintf(g->name[m], sizeof *g->name, "%s", g->machines[m].name);
    if (wish->axes->count && !before) {
        cut_word(g->scheme[m], OVERRIDES);
        cut_word(g->name[m], CHANGES);
    }
    return true;
}

static bool make_machines(struct grid *g, const struct grid_wish *wish, struct config_error *e) {
    struct machine_options o = *wish->machine; /* and room for the swept keys */
    o.sets = calloc(o.set_count + AXES_MAX, sizeof *o.sets);
    bool good = o.sets || config_fail(e, "out of memory");
    for (unsigned i = 0; good && i < o.set_count; i++) {
        o.sets[i] = wish->machine->sets[i];
    }
    for (unsigned m = 0; good && m < machines_of(g); m++) {
        good = make_point(g, wish, m, &o, e);
    }
    free(o.sets);
    return good;
}

static bool plan_rows(struct grid *g, const struct grid_wish *wish, struct config_error *e) {
    const unsigned machines = machines_of(g), count = g->workloads * machines;
    struct sweep_row *rows = calloc(count, sizeof *rows);
    if (!rows) {
        return config_fail(e, "out of memory");
    }
    for (unsigned i = 0; i < count; i++) {
        const unsigned m = i % machines;
        rows[i] = (struct sweep_row){.machine = &g->machines[m],
                                     .options = &g->options[i / machines],
                                     .machine_name = g->name[m],
                                     .scheme = g->scheme[m],
                                     .point = g->point[m]};
    }
    bool good = sweep_plan(&g->table, rows, count, wish->presets->count, wish->sweep, e);
    free(rows);
    return good;
}

bool grid_make(struct grid *g, const struct grid_wish *wish, struct config_error *e) {
    *g = (struct grid){.workloads = wish->workloads->count,
                       .presets = wish->presets->count ? wish->presets->count : 1,
                       .schemes = wish->schemes->count,
                       .points = axes_points(wish->axes),
                       .each_point = wish->each_point};
    const uint64_t rows = (uint64_t)g->workloads * g->presets * g->schemes * g->points;
    if (rows > GRID_ROWS_MAX) {
        return config_fail(e, "%llu runs: at most %d", (unsigned long long)rows, GRID_ROWS_MAX);
    }
    const unsigned machines = machines_of(g);
    g->options = calloc(g->workloads, sizeof *g->options);
    g->machines = calloc(machines, sizeof *g->machines);
    g->scheme = calloc(machines, sizeof *g->scheme);
    g->name = calloc(machines, sizeof *g->name);
    g->point = calloc(machines, sizeof *g->point);
    if (!g->options || !g->machines || !g->scheme || !g->name || !g->point) {
        return config_fail(e, "out of memory");
    }
    return choose_workloads(g, wish, e) && make_machines(g, wish, e) && plan_rows(g, wish, e);
}

void grid_free(struct grid *g) {
    sweep_end(&g->table);
    free(g->options);
    free(g->machines);
    free(g->scheme);
    free(g->name);
    free(g->point);
    *g = (struct grid){0};
}

uint64_t grid_reference(const struct grid *g, unsigned row) {
    const unsigned of_machine = g->schemes * g->points;
    const unsigned point = g->each_point ? row % g->points : 0;
    const struct session *s = g->table.rows[row / of_machine * of_machine + point].result;
    return s && s->complete ? s->cycles : 0;
}

/* 0: it has none. */
static double speedup_of(const struct grid *g, unsigned row) {
    const struct session *s = g->table.rows[row].result;
    return s && s->complete && s->cycles ? (double)grid_reference(g, row) / (double)s->cycles : 0;
}

double grid_mean(const struct grid *g, unsigned m, enum grid_mean mean, unsigned *lacking) {
    double sum = 0;
    *lacking = 0;
    for (unsigned w = 0; w < g->workloads; w++) {
        double speedup = speedup_of(g, w * machines_of(g) + m);
        *lacking += speedup <= 0;
        sum += speedup <= 0 ? 0 : mean == GRID_MEAN_HARMONIC ? 1 / speedup : log(speedup);
    }
    return *lacking ? 0 : mean == GRID_MEAN_HARMONIC ? g->workloads / sum : exp(sum / g->workloads);
}

unsigned grid_idle(const struct grid *g, unsigned m) {
    unsigned idle = 0;
    for (unsigned w = 0; w < g->workloads; w++) {
        const struct session *s = g->table.rows[w * machines_of(g) + m].result;
        idle += s && session_note(s);
    }
    return idle;
}
