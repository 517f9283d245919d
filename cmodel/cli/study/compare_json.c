/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/study/compare_json.h"

#include "cli/report/figures.h"
#include "cli/report/json_build.h"

/* The values of the swept keys. */
static void set_point(json_t **to, const struct axes *axes, const struct machine *m) {
    json_t *point = json_object();
    for (unsigned i = 0; i < axes->count; i++) {
        char text[CONFIG_KEY_TEXT];
        const unsigned key = axes->axis[i].number;
        set_member(&point, axes->axis[i].key,
                   config_key_at(key)->kind == CONFIG_NUMBER
                       ? json_integer(config_key_number(&m->config, key))
                       : json_string(config_value_text(&m->config, key, text)));
    }
    if (axes->count) {
        set_member(to, "point", point);
    } else {
        json_decref(point);
    }
}

/* A row, and why it has no result. Its speedup is null where it or its reference is incomplete.
 * NULL: out of memory. */
static json_t *row_json(const struct grid *g, const struct axes *axes, unsigned row) {
    const struct sweep_row *r = &g->table.rows[row];
    const struct machine *m = r->machine;
    const struct session *s = r->result;
    const uint64_t reference = grid_reference(g, row);
    json_t *to = json_pack("{s:s, s:s, s:s, s:s, s:s}", "workload", r->options->workload->name,
                           "size", r->options->size_text, "machine", m->name, "base", m->preset,
                           "scheme", r->scheme);
    bool known = s && s->complete && reference;
    set_point(&to, axes, m);
    set_member(&to, "speedup",
               known ? json_real((double)figure_ratio(reference, s->cycles) / 1e6) : json_null());
    return to;
}

static json_t *compare_rows_json(const struct grid *g, const struct axes *axes, bool results,
                                 bool times) {
    json_t *rows = json_array();
    for (unsigned i = 0; i < g->table.count; i++) {
        char text[320];
        const struct session *s = g->table.rows[i].result;
        const char *reason = sweep_reason(&g->table, i, text, sizeof text);
        if (!s && !reason) {
            continue;
        }
        json_t *row = row_json(g, axes, i);
        if (!s) {
            set_member(&row, "failed", json_string(reason));
        } else if (reason) {
            set_member(&row, "note", json_string(reason));
        }
        if (s && results) {
            set_member(&row, "result", result_run_json(s, times));
        }
        append_element(&rows, row);
    }
    return rows;
}

static json_t *means_json(const struct grid *g, const struct axes *axes, enum grid_mean mean) {
    json_t *means = json_array();
    const unsigned machines = g->presets * g->schemes * g->points;
    for (unsigned m = 0; m < machines; m++) {
        unsigned lacking;
        const struct sweep_row *r = &g->table.rows[m];
        double speedup = grid_mean(g, m, mean, &lacking);
        json_t *one = json_pack("{s:s, s:s, s:s, s:s, s:i}", "mean", grid_mean_names[mean],
                                "machine", r->machine->name, "base", r->machine->preset, "scheme",
                                r->scheme, "lacking", (int)lacking);
        set_point(&one, axes, r->machine);
        set_member(&one, "speedup", lacking ? json_null() : json_real(speedup));
        append_element(&means, one);
    }
    return means;
}

static json_t *grid_json(const struct grid *g, const struct axes *axes, enum grid_mean mean,
                         bool results, bool times) {
    json_t *json = json_pack("{s:s, s:i, s:o}", "schema", RESULT_COMPARE_SCHEMA, "version",
                             RESULT_VERSION, "program", result_program_json());
    set_member(&json, "reference", json_string(g->each_point ? "point" : "first"));
    set_member(&json, "rows", compare_rows_json(g, axes, results, times));
    if (g->workloads > 1 && mean != GRID_MEAN_NONE) {
        set_member(&json, "means", means_json(g, axes, mean));
    }
    return json;
}

json_t *compare_json(const struct grid *g, const struct axes *axes, enum grid_mean mean,
                     bool times) {
    return grid_json(g, axes, mean, true, times);
}

json_t *compare_points_json(const struct grid *g, const struct axes *axes, enum grid_mean mean) {
    return grid_json(g, axes, mean, false, false);
}
