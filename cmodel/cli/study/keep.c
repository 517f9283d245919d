/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/study/keep.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/options/file_hash.h"
#include "cli/report/json_build.h"
#include "cli/output.h"
#include "cli/report/result_json.h"
#include "cli/report/result_loads.h"

#define KEEP_SCHEMA "warpmem.kept"
#define KEEP_VERSION 3 /* 2: with a checksum, and warps over time; 3: with counters of loads */
#define KEEP_PATH 4096
#define KEEP_CHECK "check"

static bool make_folder(const char *path, struct config_error *e) {
    char shown[TEXT_SHOWN];
    struct stat st;
    if (!mkdir(path, 0777) || (errno == EEXIST && !stat(path, &st) && S_ISDIR(st.st_mode))) {
        return true;
    }
    return config_fail(e, "--keep %s: %s", text_shown(shown, sizeof shown, path),
                       strerror(errno == EEXIST ? ENOTDIR : errno));
}

bool keep_open(struct keep *k, const char *folder, bool make, struct config_error *e) {
    char runs[KEEP_PATH], error[512];
    *k = (struct keep){.folder = folder};
    if (!*folder || snprintf(runs, sizeof runs, "%s/runs", folder) >= KEEP_PATH - 40) {
        return config_fail(e, "--keep: must be the name of a folder");
    }
    if (!file_hash("/proc/self/exe", &k->program, error, sizeof error)) {
        return config_fail(e, "--keep: %.300s", error);
    }
    return !make || (make_folder(folder, e) && make_folder(runs, e));
}

static void set_hash(json_t **to, const char *name, uint64_t hash) {
    char text[17];
    set_member(to, name, json_string(result_hash_text(hash, text)));
}

/* All that a result depends on, but the time. NULL: out of memory, or the trace cannot be read. */
static json_t *key_of_run(const struct keep *k, const struct session_options *o,
                          const struct machine *m) {
    char error[512];
    uint64_t trace;
    json_t *key = json_pack("{s:s, s:s, s:I}", "workload", o->workload->name, "size",
                            o->trace.path ? "-" : o->size_text, "seed", (json_int_t)o->seed);
    set_hash(&key, "program", k->program);
    if (o->trace.path) {
        if (!file_hash(o->trace.path, &trace, error, sizeof error)) {
            json_decref(key);
            return NULL;
        }
        set_hash(&key, "trace", trace);
    }
    if (o->profile && machine_reads_profile(m)) {
        set_hash(&key, "profile", o->profile_hash);
    }
    for (unsigned place = 0; place < POLICY_PLACE_COUNT; place++) {
        if (m->policy_from[place]) {
            set_hash(&key, policy_place_key(place), m->policy_from[place]->hash);
        }
    }
    if (o->warps_interval) {
        set_member(&key, "warps_interval", json_integer((json_int_t)o->warps_interval));
    }
    set_member(&key, "limits", result_limits_json(o));
    set_member(&key, "config", result_config_json(&m->config));
    return key;
}

/* The same of equal values, also of those that were written and read again. False: out of memory,
 * or no value. */
static bool hash_of_json(const json_t *value, char hash[KEEP_NAME]) {
    const size_t flags = JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(RESULT_REAL_DIGITS);
    char *text = value ? json_dumps(value, flags) : NULL;
    if (!text) {
        return false;
    }
    snprintf(hash, KEEP_NAME, "%016" PRIx64, lzma_crc64((const uint8_t *)text, strlen(text), 0));
    free(text);
    return true;
}

static bool path_of_key(const struct keep *k, const json_t *key, char path[KEEP_PATH]) {
    char name[KEEP_NAME];
    if (!hash_of_json(key, name)) {
        return false;
    }
    snprintf(path, KEEP_PATH, "%s/runs/%s.json", k->folder, name);
    return true;
}

bool keep_name_of_run(const struct keep *k, const struct session_options *o,
                      const struct machine *m, char name[KEEP_NAME]) {
    json_t *key = key_of_run(k, o, m);
    bool good = hash_of_json(key, name);
    json_decref(key);
    return good;
}

/* --- a session from a result --- */

static bool get_count(const json_t *from, const char *name, uint64_t *value) {
    const json_t *number = json_object_get(from, name);
    *value = (uint64_t)json_integer_value(number);
    return json_is_integer(number);
}

static bool get_kernels(const json_t *array, struct gpu_kernels *to) {
    size_t count = json_array_size(array);
    to->kernel = calloc(count ? count : 1, sizeof *to->kernel);
    to->room = (unsigned)count;
    for (size_t i = 0; to->kernel && i < count; i++) {
        const json_t *one = json_array_get(array, i);
        struct gpu_kernel *k = &to->kernel[i];
        const char *name = json_string_value(json_object_get(one, "name"));
        if (!name || !get_count(one, "launches", &k->launches) ||
            !get_count(one, "capped_launches", &k->capped_launches) ||
            !get_count(one, "cycles", &k->cycles) ||
            !get_count(one, "warp_instructions", &k->warp_instructions) ||
            !get_count(one, "thread_instructions", &k->thread_instructions)) {
            return false;
        }
        k->complete = json_is_true(json_object_get(one, "complete"));
        k->name = strdup(name);
        to->count++; /* to be freed */
        if (!k->name || !result_loads_read(json_object_get(one, "loads"), &k->loads)) {
            return false;
        }
    }
    return to->kernel && json_is_array(array);
}

/* The counters' names and units are the machine's, which is built for that. */
static bool get_stats(const json_t *from, const struct machine *m, struct session *s) {
    const struct gpu_options options = {.policies = m->policies};
    char error[256];
    struct gpu *gpu = gpu_create(&m->config, &options, error, sizeof error);
    struct stats *stats = stats_create();
    bool good = gpu && stats && gpu_register_stats(gpu, stats);
    size_t count = good ? stats_count(stats) : 0;
    s->stats = stats_create();
    s->values = calloc(count + 1, sizeof *s->values);
    good = good && s->stats && s->values && json_object_size(from) == count;
    for (size_t i = 0; good && i < count; i++) {
        good = get_count(from, stats_at(stats, i)->name, &s->values[i]) &&
               stats_register(s->stats, stats_at(stats, i), &s->values[i]);
    }
    stats_destroy(stats);
    gpu_destroy(gpu);
    return good;
}

static bool get_times(const json_t *times, struct session *s) {
    const json_t *began = json_object_get(times, "began");
    s->wall_seconds = json_real_value(json_object_get(times, "wall_seconds"));
    s->processor_seconds = json_real_value(json_object_get(times, "processor_seconds"));
    return result_read_time(json_string_value(began), &s->began);
}

static bool take_result(struct session *s, const json_t *result) {
    const char *hash = json_string_value(json_object_get(result, "input_hash"));
    s->input_hash = hash ? strtoull(hash, NULL, 16) : 0;
    s->complete = json_is_true(json_object_get(result, "complete"));
    return hash && get_count(result, "cycles", &s->cycles) &&
           get_count(result, "warp_instructions", &s->warp_instructions) &&
           get_count(result, "thread_instructions", &s->thread_instructions) &&
           get_kernels(json_object_get(result, "kernels"), &s->kernels) &&
           get_stats(json_object_get(result, "stats"), s->machine, s) &&
           get_times(json_object_get(result, "times"), s);
}

static bool check_is_right(json_t *kept) {
    char hash[KEEP_NAME];
    json_t *check = json_incref(json_object_get(kept, KEEP_CHECK));
    json_object_del(kept, KEEP_CHECK);
    const bool right = check && json_is_string(check) && hash_of_json(kept, hash) &&
                       !strcmp(hash, json_string_value(check));
    json_decref(check);
    return right;
}

static bool take_warps(struct session *s, const json_t *warps) {
    const char *text = json_string_value(warps);
    s->warps = text ? strdup(text) : NULL;
    return s->warps || !s->options->warps_interval;
}

/* Takes the result of a file that is there. Return: why it is not believed; NULL: it is. */
static const char *take_kept(struct session *s, json_t *kept, const json_t *key) {
    const char *schema = json_string_value(json_object_get(kept, "schema"));
    if (!schema || strcmp(schema, KEEP_SCHEMA) != 0) {
        return "is not a kept result";
    }
    if (json_integer_value(json_object_get(kept, "version")) != KEEP_VERSION) {
        return "is of another version of kept results";
    }
    if (!check_is_right(kept)) {
        return "its checksum is not that of its contents";
    }
    if (!json_equal(json_object_get(kept, "key"), key)) {
        return "is of another run";
    }
    return take_result(s, json_object_get(kept, "result")) &&
                   take_warps(s, json_object_get(kept, "warps"))
               ? NULL
               : "lacks a part of the result, or out of memory";
}

void keep_get(const struct keep *k, struct session *s, const struct session_options *o,
              const struct machine *m, char *fault) {
    char path[KEEP_PATH];
    json_error_t why;
    json_t *key = key_of_run(k, o, m);
    *s = (struct session){.options = o, .machine = m};
    *fault = '\0';
    if (path_of_key(k, key, path) && !access(path, F_OK)) {
        json_t *kept = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
        const char *wrong = kept ? take_kept(s, kept, key) : "is not JSON, or incomplete";
        if (wrong) {
            session_end(s);
            snprintf(fault, KEEP_FAULT, "%s: %s: not used", path, wrong);
        }
        json_decref(kept);
    }
    json_decref(key);
}

bool keep_put(const struct keep *k, const struct session *s, struct config_error *e) {
    char path[KEEP_PATH];
    struct output out;
    json_t *key = key_of_run(k, s->options, s->machine);
    if (!path_of_key(k, key, path)) {
        json_decref(key);
        return config_fail(e, "--keep: out of memory");
    }
    json_t *kept = json_pack("{s:s, s:i, s:o, s:o?}", "schema", KEEP_SCHEMA, "version",
                             KEEP_VERSION, "key", key, "result", result_run_json(s, true));
    char check[KEEP_NAME];
    if (s->warps) {
        set_member(&kept, "warps", json_string(s->warps));
    }
    set_member(&kept, KEEP_CHECK, hash_of_json(kept, check) ? json_string(check) : NULL);
    if (!output_open(&out, path, e)) {
        json_decref(kept);
        return false;
    }
    return result_write(kept, &out, e);
}
