/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/list_json.h"

#include <stdio.h>
#include <string.h>

#include "cli/blocks.h"
#include "cli/report/figures.h"
#include "cli/report/json_build.h"
#include "cli/report/result_json.h"
#include "cli/report/series.h"
#include "config/config.h"
#include "config/keys.h"
#include "config/schemes.h"
#include "workloads/costs.h"
#include "workloads/sets.h"
#include "workloads/workload.h"

json_t *list_head_json(void) {
    return json_pack("{s:s, s:i, s:o}", "schema", LIST_SCHEMA, "version", LIST_VERSION, "program",
                     result_program_json());
}

/* The list under its name, after the head. */
static json_t *whole_list(const char *name, json_t *array) {
    json_t *to = list_head_json();
    set_member(&to, name, array);
    return to;
}

static json_t *sizes_json(const struct workload *w) {
    json_t *array = json_array();
    for (unsigned k = 0; k < SIZE_COUNT; k++) {
        const struct workload_cost *c = w->size_text[k] ? workload_cost(w, k) : NULL;
        if (!w->size_text[k]) {
            continue;
        }
        json_t *one =
            json_pack("{s:s, s:s}", "size", workload_size_name(k), "meaning", w->size_text[k]);
        if (c) {
            set_member(&one, "launches", json_integer((json_int_t)c->launches));
            set_member(&one, "warp_instructions", json_integer((json_int_t)c->warp_instructions));
            set_member(&one, "accesses", json_integer((json_int_t)c->accesses));
            set_member(&one, "seconds", json_real(c->seconds));
        }
        append_element(&array, one);
    }
    return array;
}

json_t *list_workloads_json(void) {
    json_t *array = json_array();
    const struct workload *w;
    for (unsigned i = 0; (w = workload_at(i)); i++) {
        append_element(&array, json_pack("{s:s, s:s, s:s, s:o}", "name", w->name, "suite", w->suite,
                                         "about", w->about, "sizes", sizes_json(w)));
    }
    return whole_list("workloads", array);
}

json_t *list_suites_json(void) {
    json_t *array = json_array();
    for (const struct workload_set_row *r = workload_set_rows; r->set;) {
        json_t *workloads = json_array();
        const char *set = r->set, *paper = r->paper;
        for (; r->set && !strcmp(r->set, set); r++) {
            append_element(&workloads,
                           json_pack("{s:s, s:s}", "name", r->workload, "label", r->label));
        }
        append_element(&array, json_pack("{s:s, s:s, s:o}", "name", set, "paper", paper,
                                         "workloads", workloads));
    }
    return whole_list("suites", array);
}

/* "l1.front=mrpb", ...; @yields: those that give way to other parts. */
static json_t *scheme_sets_json(const struct scheme *s, bool yields) {
    json_t *array = json_array();
    char text[SCHEME_VALUE_TEXT];
    for (const struct scheme_value *v = s->values; v->key.text; v++) {
        if (v->yields == yields) {
            append_element(&array, json_string(scheme_value_text(v, text)));
        }
    }
    return array;
}

json_t *list_schemes_json(void) {
    json_t *array = json_array();
    const struct scheme *s;
    for (unsigned i = 0; (s = scheme_at(i)); i++) {
        append_element(&array, json_pack("{s:s, s:s, s:s, s:o, s:o, s:s?, s:s?}", "option",
                                         s->place ? s->place : "scheme", "name", s->name, "about",
                                         s->about, "sets", scheme_sets_json(s, false), "yielding",
                                         scheme_sets_json(s, true), "number", s->number.text,
                                         "tries", s->sweep.text));
    }
    for (unsigned place = 0; place < POLICY_PLACE_COUNT; place++) {
        const char *policy, *about;
        char sets[2 * CONFIG_TEXT];
        for (unsigned k = 0; (policy = named_policy_row(place, k, &about)); k++) {
            snprintf(sets, sizeof sets, "%s=%s", policy_place_key(place), policy);
            append_element(&array, json_pack("{s:s, s:s, s:s, s:[s], s:[], s:n, s:n}", "option",
                                             "scheme", "name", policy, "about", about ? about : "",
                                             "sets", sets, "yielding", "number", "tries"));
        }
    }
    return whole_list("schemes", array);
}

json_t *list_presets_json(void) {
    json_t *array = json_array();
    const char *name, *about;
    for (unsigned i = 0; (name = config_preset_name(i, &about)); i++) {
        struct config c;
        struct config_error e;
        char hash[17];
        json_t *one = json_pack("{s:s, s:s}", "name", name, "about", about);
        if (config_preset(&c, name, &e)) {
            set_member(&one, "config_hash", json_string(result_hash_text(config_hash(&c), hash)));
            set_member(&one, "config", result_config_json(&c));
        }
        append_element(&array, one);
    }
    return whole_list("presets", array);
}

static json_t *words_json(const struct config_key *k) {
    json_t *array = json_array();
    for (unsigned v = 0; v <= k->max; v++) {
        append_element(&array, json_string(k->words[v]));
    }
    return array;
}

json_t *list_keys_json(void) {
    json_t *array = json_array();
    char key[CONFIG_KEY_TEXT], allowed[CONFIG_ALLOWED_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const struct config_key *k = config_key_at(i);
        json_t *one = json_pack("{s:s, s:s, s:s}", "key", config_key_text(i, key), "allowed",
                                config_allowed_text(i, allowed), "meaning", k->meaning);
        if (k->kind == CONFIG_NUMBER) {
            set_member(&one, "least", json_integer(k->min));
            set_member(&one, "most", json_integer(k->max));
            set_member(&one, "power_of_two", json_boolean(k->power_of_two));
            set_member(&one, "unit", json_string(k->unit));
        } else if (k->kind == CONFIG_CHOICE) {
            set_member(&one, "words", words_json(k));
        }
        append_element(&array, one);
    }
    return whole_list("keys", array);
}

static json_t *block_parameters_json(const struct block *b) {
    json_t *array = json_array();
    for (unsigned i = 0; i < b->param_count; i++) {
        const struct param_desc *p = &b->params[i];
        append_element(&array, json_pack("{s:s, s:i, s:i, s:i, s:s}", "name", p->name, "default",
                                         (int)p->def, "least", (int)p->min, "most", (int)p->max,
                                         "meaning", p->meaning));
    }
    return array;
}

static json_t *block_sets_json(const struct block_row *row) {
    json_t *array = json_array();
    const struct block *b = row->block;
    for (unsigned i = 0; i < b->set_count; i++) {
        json_t *values = json_array();
        for (unsigned k = 0; k < block_verilog_params(b); k++) {
            append_element(&values, json_integer(b->sets[i].values[k]));
        }
        append_element(&array,
                       json_pack("{s:s, s:o, s:b}", "name", b->sets[i].name, "values", values,
                                 "in_machines", (int)block_row_has_set(row, b->sets[i].name)));
    }
    return array;
}

json_t *list_blocks_json(void) {
    json_t *array = json_array();
    const struct block_row *row;
    for (unsigned i = 0; (row = block_row_at(i)); i++) {
        append_element(&array,
                       json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", row->block->name, "about",
                                 row->about, "needs", row->needs, "parameters",
                                 block_parameters_json(row->block), "sets", block_sets_json(row)));
    }
    return whole_list("blocks", array);
}

json_t *list_stats_json(const struct stats *stats) {
    json_t *to = list_head_json(), *counters = json_array(), *figures = json_array();
    json_t *series = json_array();
    const struct figure *f;
    struct figure_ref ref;
    const char *name;
    char text[512];
    for (size_t i = 0; i < stats_count(stats); i++) {
        const struct stat_desc *d = stats_at(stats, i);
        append_element(&counters,
                       json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", d->name, "unit", d->unit,
                                 "combine", d->combine == STAT_MAX ? "largest" : "sum", "meaning",
                                 d->meaning, "source", d->source));
    }
    for (unsigned i = 0; (f = figure_at(i)); i++) {
        if (figure_resolve(&ref, f, stats)) {
            append_element(&figures, json_pack("{s:s, s:s, s:s, s:s}", "name", f->name, "unit",
                                               f->unit, "meaning", f->meaning, "formula",
                                               figure_formula(f, text, sizeof text)));
        }
    }
    for (unsigned i = 0; (name = series_name(i, text, sizeof text)); i++) {
        append_element(&series, json_pack("{s:s, s:s}", "name", name, "meaning", text));
    }
    set_member(&to, "counters", counters);
    set_member(&to, "figures", figures);
    set_member(&to, "series", series);
    return to;
}
