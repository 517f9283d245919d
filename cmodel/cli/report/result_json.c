/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/result_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "cli/report/figures.h"
#include "cli/report/json_build.h"
#include "cli/report/result_loads.h"
#include "cli/options/source_commit.h"
#include "cli/study/sweep.h"
#include "issue/daws/profile.h"

static double real_of_millionths(uint64_t millionths) {
    return (double)millionths / 1e6;
}

const char *result_hash_text(uint64_t hash, char buf[17]) {
    snprintf(buf, 17, "%016" PRIx64, hash);
    return buf;
}

json_t *result_program_json(void) {
    return json_pack("{s:s, s:s, s:s?, s:b}", "name", "warpmem", "version", WARPMEM_VERSION,
                     "commit", *source_commit ? source_commit : NULL, "modified",
                     (int)source_modified);
}

/* Numbers as numbers, words as texts. */
static json_t *key_json(const struct config *c, unsigned i) {
    char text[CONFIG_KEY_TEXT];
    return config_key_at(i)->kind == CONFIG_NUMBER ? json_integer(config_key_number(c, i))
                                                   : json_string(config_value_text(c, i, text));
}

json_t *result_config_json(const struct config *c) {
    json_t *to = json_object();
    char key[CONFIG_KEY_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        set_member(&to, config_key_text(i, key), key_json(c, i));
    }
    return to;
}

/* Every key that has another value than in the base, and which option gave it. */
static json_t *differs_json(const struct machine *m) {
    json_t *array = json_array();
    char key[CONFIG_KEY_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (!machine_differs(m, i)) {
            continue;
        }
        json_t *one = json_pack("{s:s, s:o, s:o, s:s}", "key", config_key_text(i, key), "base",
                                key_json(&m->base, i), "value", key_json(&m->config, i), "by",
                                machine_by_name(m->by[i]));
        append_element(&array, one);
    }
    return array;
}

json_t *result_head_json(const char *schema, int version, const struct session_options *o,
                         const struct machine *m) {
    return json_pack("{s:s, s:i, s:o, s:s, s:s, s:I, s:s, s:s, s:o}", "schema", schema, "version",
                     version, "program", result_program_json(), "workload", o->workload->name,
                     "size", o->size_text, "seed", (json_int_t)o->seed, "machine", m->name, "base",
                     m->preset, "differs", differs_json(m));
}

/* Those that were given: a run without any is not limited. */
json_t *result_limits_json(const struct session_options *o) {
    const struct {
        const char *name;
        unsigned long long value;
    } limits[] = {{"max_cycles", o->max_cycles},
                  {"max_insn", o->max_insn},
                  {"max_insn_launch", o->max_insn_launch},
                  {"max_insn_per_kernel", o->max_insn_per_kernel},
                  {"launch", o->launch}};
    json_t *to = json_object();
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (limits[i].value) {
            set_member(&to, limits[i].name, json_integer((json_int_t)limits[i].value));
        }
    }
    return to;
}

static json_t *sweep_json(const struct sweep *sweep) {
    json_t *runs = json_array();
    for (unsigned i = 0; i < sweep->count; i++) {
        if (sweep->run[i].ran) {
            append_element(&runs, json_pack("{s:i, s:b, s:I}", "value", (int)sweep->run[i].value,
                                            "complete", (int)sweep->run[i].complete, "cycles",
                                            (json_int_t)sweep->run[i].cycles));
        }
    }
    json_t *best =
        sweep->best < sweep->count ? json_integer((int)sweep->run[sweep->best].value) : json_null();
    return json_pack("{s:s, s:o, s:o}", "key", sweep->key, "best", best, "runs", runs);
}

static json_t *ipc_json(uint64_t thread_instructions, uint64_t cycles) {
    return json_real(real_of_millionths(figure_ratio(thread_instructions, cycles)));
}

static json_t *kernels_json(const struct gpu_kernels *kernels) {
    json_t *array = json_array();
    for (unsigned i = 0; i < kernels->count; i++) {
        const struct gpu_kernel *k = &kernels->kernel[i];
        json_t *one = json_pack(
            "{s:s, s:I, s:I, s:b, s:I, s:I, s:I, s:o, s:o}", "name", k->name, "launches",
            (json_int_t)k->launches, "capped_launches", (json_int_t)k->capped_launches, "complete",
            (int)k->complete, "cycles", (json_int_t)k->cycles, "warp_instructions",
            (json_int_t)k->warp_instructions, "thread_instructions",
            (json_int_t)k->thread_instructions, "ipc", ipc_json(k->thread_instructions, k->cycles),
            "loads", result_loads_json(&k->loads));
        append_element(&array, one);
    }
    return array;
}

static json_t *stats_json(const struct stats *stats) {
    json_t *to = json_object();
    for (size_t i = 0; i < stats_count(stats); i++) {
        set_member(&to, stats_at(stats, i)->name, json_integer((json_int_t)stats_value(stats, i)));
    }
    return to;
}

/* The figures whose counters the machine has; null where nothing was counted to divide by. */
static json_t *figures_json(const struct session *s) {
    json_t *to = json_object();
    const struct figure *f;
    struct figure_ref ref;
    uint64_t millionths;
    for (unsigned i = 0; (f = figure_at(i)); i++) {
        if (figure_resolve(&ref, f, s->stats)) {
            bool any = figure_value(&ref, s->values, s->cycles, &s->machine->config, &millionths);
            set_member(&to, f->name, any ? json_real(real_of_millionths(millionths)) : json_null());
        }
    }
    return to;
}

static json_t *microseconds_json(double seconds) {
    return json_real(real_of_millionths((uint64_t)(seconds * 1e6 + 0.5)));
}

/* The only members that differ from run to run. */
static json_t *times_json(const struct session *s) {
    char began[32] = "";
    struct tm utc;
    if (gmtime_r(&s->began, &utc)) {
        strftime(began, sizeof began, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    return json_pack("{s:s, s:o, s:o}", "began", began, "wall_seconds",
                     microseconds_json(s->wall_seconds), "processor_seconds",
                     microseconds_json(s->processor_seconds));
}

bool result_read_time(const char *text, time_t *time) {
    unsigned year, month, day, hour, minute, second;
    if (!text || sscanf(text, "%4u-%2u-%2uT%2u:%2u:%2uZ", &year, &month, &day, &hour, &minute,
                        &second) != 6) {
        return false;
    }
    /* Days since 1970-01-01, of years that begin in March. */
    unsigned y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    long long days = 365LL * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
    *time = (time_t)(((days * 24 + hour) * 60 + minute) * 60 + second);
    return true;
}

static json_t *plugins_json(const struct machine *m) {
    json_t *array = json_array();
    char hash[17];
    for (unsigned place = 0; place < POLICY_PLACE_COUNT; place++) {
        const struct loaded_plugin *from = m->policy_from[place];
        if (from) {
            append_element(&array,
                           json_pack("{s:s, s:s, s:s, s:s}", "key", policy_place_key(place), "name",
                                     policy_place_word(&m->config, place), "file", from->path,
                                     "hash", result_hash_text(from->hash, hash)));
        }
    }
    return array;
}

json_t *result_run_json(const struct session *s, bool times) {
    const struct session_options *o = s->options;
    const struct machine *m = s->machine;
    char hash[17];
    json_t *to = result_head_json(RESULT_RUN_SCHEMA, RESULT_VERSION, o, m);
    if (o->trace.path) {
        set_member(&to, "trace", json_string(o->trace.path));
    }
    set_member(&to, "input_hash", json_string(result_hash_text(s->input_hash, hash)));
    if (o->profile && machine_reads_profile(m)) {
        set_member(&to, "profile",
                   json_pack("{s:s, s:s}", "file", o->profile->path, "hash",
                             result_hash_text(o->profile_hash, hash)));
    }
    json_t *plugins = plugins_json(m);
    if (!plugins || json_array_size(plugins)) {
        set_member(&to, "plugins", plugins);
    } else {
        json_decref(plugins);
    }
    set_member(&to, "limits", result_limits_json(o));
    set_member(&to, "scheme", json_string(m->scheme));
    set_member(&to, "config_hash", json_string(result_hash_text(config_hash(&m->config), hash)));
    set_member(&to, "config", result_config_json(&m->config));
    set_member(&to, "complete", json_boolean(s->complete));
    set_member(&to, "cycles", json_integer((json_int_t)s->cycles));
    set_member(&to, "warp_instructions", json_integer((json_int_t)s->warp_instructions));
    set_member(&to, "thread_instructions", json_integer((json_int_t)s->thread_instructions));
    set_member(&to, "ipc", ipc_json(s->thread_instructions, s->cycles));
    if (s->sweep) {
        set_member(&to, "sweep", sweep_json(s->sweep));
    }
    set_member(&to, "kernels", kernels_json(&s->kernels));
    set_member(&to, "figures", figures_json(s));
    set_member(&to, "stats", stats_json(s->stats));
    if (times) {
        set_member(&to, "times", times_json(s));
    }
    return to;
}

bool result_write(json_t *json, struct output *out, struct config_error *e) {
    const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(RESULT_REAL_DIGITS);
    bool whole = json && !json_dumpf(json, out->file, flags) && fputc('\n', out->file) != EOF;
    json_decref(json);
    if (whole || ferror(out->file)) {
        return output_commit(out, e); /* which knows why writing failed */
    }
    snprintf(e->text, sizeof e->text, "%.200s: out of memory", out->path);
    output_abandon(out);
    return false;
}
