/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/result_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/options/cli.h"
#include "cli/report/result_json.h"
#include "cli/options/source_commit.h"

bool result_file_is(const char *path) {
    FILE *f = fopen(path, "rb");
    int first = ' ';
    while (f && isspace(first)) {
        first = fgetc(f);
    }
    if (f) {
        fclose(f);
    }
    return first == '{';
}

/* A text that is required or optional. */
struct member {
    const char *name;
    const char **text;
    bool needed;
};

static bool read_hash(const json_t *object, const char *name, uint64_t *hash) {
    const char *text = json_string_value(json_object_get(object, name));
    char *end;
    *hash = text ? strtoull(text, &end, 16) : 0;
    return text && strlen(text) == 16 && !*end;
}

static bool read_members(struct result_file *r, struct config_error *e) {
    const struct member members[] = {
        {"workload", &r->workload, true}, {"size", &r->size, true}, {"trace", &r->trace, false},
        {"machine", &r->machine, true},   {"base", &r->base, true}, {"scheme", &r->scheme, true},
    };
    for (unsigned i = 0; i < sizeof members / sizeof *members; i++) {
        const json_t *value = json_object_get(r->json, members[i].name);
        *members[i].text = json_string_value(value);
        if ((members[i].needed || value) && !*members[i].text) {
            return config_fail(e, "%s: \"%s\" must be a text", r->path, members[i].name);
        }
    }
    const json_t *seed = json_object_get(r->json, "seed");
    if (!json_is_integer(seed) || json_integer_value(seed) < 0) {
        return config_fail(e, "%s: \"seed\" must be a number", r->path);
    }
    r->seed = (uint64_t)json_integer_value(seed);
    if (!read_hash(r->json, "input_hash", &r->input_hash)) {
        return config_fail(e, "%s: \"input_hash\" must be 16 hexadecimal digits", r->path);
    }
    const json_t *profile = json_object_get(r->json, "profile");
    r->profile = json_string_value(json_object_get(profile, "file"));
    if (profile && (!r->profile || !read_hash(profile, "hash", &r->profile_hash))) {
        return config_fail(e, "%s: \"profile\" must have a file and its hash", r->path);
    }
    const json_t *sweep = json_object_get(r->json, "sweep");
    r->sweep = json_string_value(json_object_get(sweep, "key"));
    return !sweep || r->sweep || config_fail(e, "%s: \"sweep\" must have a key", r->path);
}

bool result_file_read(struct result_file *r, const char *path, struct config_error *e) {
    json_error_t why;
    char shown[TEXT_SHOWN], what[TEXT_SHOWN];
    *r = (struct result_file){.json = json_load_file(path, JSON_REJECT_DUPLICATES, &why),
                              .path = path};
    text_shown(shown, sizeof shown, path);
    if (!r->json) {
        return config_fail(e,
                           "%s:%d: %.200s: must be keys of a machine, or a result of `warpmem "
                           "run --json`",
                           shown, why.line, why.text);
    }
    const char *schema = json_string_value(json_object_get(r->json, "schema"));
    json_int_t version = json_integer_value(json_object_get(r->json, "version"));
    bool good = schema && !strcmp(schema, RESULT_RUN_SCHEMA) && version == RESULT_VERSION;
    if (!good) {
        config_fail(e, "%s: is %s, version %" JSON_INTEGER_FORMAT ": must be %s, version %d", shown,
                    schema ? text_shown(what, sizeof what, schema) : "JSON without a schema",
                    version, RESULT_RUN_SCHEMA, RESULT_VERSION);
    }
    good = good && read_members(r, e);
    if (!good) {
        result_file_close(r);
    }
    return good;
}

bool result_file_layer(const struct result_file *r, struct config_layer *l,
                       struct config_error *e) {
    const json_t *config = json_object_get(r->json, "config");
    const char *name;
    json_t *value;
    char key[CONFIG_KEY_TEXT], text[32];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        struct config_error why;
        value = json_object_get(config, config_key_text(i, key));
        if (!value) {
            return config_fail(e, "%s: \"config\" lacks %s, which this program has", r->path, key);
        }
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        const char *word = json_is_integer(value) ? text : json_string_value(value);
        if (!config_value_assign(&l->values, i, word ? word : "", &why)) {
            return config_fail(e, "%s: %.300s", r->path, why.text);
        }
        l->place[i] = (struct config_place){.line = 1};
    }
    json_object_foreach((json_t *)config, name, value) {
        const char *dot = strchr(name, '.');
        char section[CONFIG_KEY_TEXT];
        snprintf(section, sizeof section, "%.*s", dot ? (int)(dot - name) : 0, name);
        if (!dot || config_key_find(section, dot + 1) < 0) {
            return config_fail(e, "%s: \"config\" has %.60s, which this program has not", r->path,
                               name);
        }
    }
    return true;
}

const char *result_file_by(const struct result_file *r, const char *key) {
    const json_t *differs = json_object_get(r->json, "differs"), *one;
    size_t i;
    json_array_foreach(differs, i, one) {
        const char *name = json_string_value(json_object_get(one, "key"));
        if (name && !strcmp(name, key)) {
            return json_string_value(json_object_get(one, "by"));
        }
    }
    return NULL;
}

uint64_t result_file_limit(const struct result_file *r, const char *name) {
    json_int_t value =
        json_integer_value(json_object_get(json_object_get(r->json, "limits"), name));
    return value > 0 ? (uint64_t)value : 0;
}

unsigned result_file_tried(const struct result_file *r, unsigned i) {
    const json_t *runs = json_object_get(json_object_get(r->json, "sweep"), "runs");
    json_int_t value = json_integer_value(json_object_get(json_array_get(runs, i), "value"));
    return value > 0 && value < 1 << 16 ? (unsigned)value : 0;
}

bool result_file_origin(const struct result_file *r, char *text, size_t size) {
    const json_t *program = json_object_get(r->json, "program");
    const char *version = json_string_value(json_object_get(program, "version"));
    const char *commit = json_string_value(json_object_get(program, "commit"));
    snprintf(text, size, "version %.40s, commit %.40s", version ? version : "?",
             commit ? commit : "not known");
    return version && !strcmp(version, WARPMEM_VERSION) &&
           !strcmp(commit ? commit : "", source_commit);
}

void result_file_close(struct result_file *r) {
    json_decref(r->json);
    *r = (struct result_file){0};
}
