/* SPDX-License-Identifier: Apache-2.0
 * Results that --config repeats: bytes are members that replace those of a good one; what is no
 * object is a whole file. */
#include "fuzz/fuzz.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/machine.h"
#include "cli/report/result_file.h"
#include "cli/report/result_json.h"
#include "fuzz/promises.h"

/* The members that a repetition reads. */
static json_t *good_result(void) {
    const struct config c = promise_preset("c2050-s");
    char key[CONFIG_KEY_TEXT], value[CONFIG_KEY_TEXT];
    json_t *config = json_object();
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        json_object_set_new(config, config_key_text(i, key),
                            json_string(config_value_text(&c, i, value)));
    }
    return json_pack("{s:s, s:i, s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:o}", "schema",
                     RESULT_RUN_SCHEMA, "version", RESULT_VERSION, "workload", "vecadd", "size",
                     "tiny", "seed", 1, "input_hash", "0123456789abcdef", "machine", "c2050-s",
                     "base", "c2050-s", "scheme", "baseline", "config", config);
}

static const char *save_result(const uint8_t *data, size_t size) {
    json_t *members = json_loadb((const char *)data, size, 0, NULL), *whole = good_result();
    char *text = NULL;
    if (json_is_object(members) && !json_object_update_recursive(whole, members)) {
        text = json_dumps(whole, 0);
    }
    const char *path =
        text ? fuzz_save("any.json", text, strlen(text)) : fuzz_save("any.json", data, size);
    free(text);
    json_decref(members);
    json_decref(whole);
    return path;
}

static void read_run_of_result(const char *path) {
    struct result_file r;
    struct config_error e = {""};
    char text[128];
    if (!result_file_read(&r, path, &e)) {
        fuzz_one_line(e.text);
        return;
    }
    fuzz_check(r.workload && r.size && r.machine && r.base && r.scheme, "a text is missing");
    result_file_origin(&r, text, sizeof text);
    for (unsigned i = 0; i < 100; i++) {
        fuzz_check(result_file_tried(&r, i) < 1 << 16, "a value is too large");
    }
    result_file_limit(&r, "max_cycles");
    result_file_close(&r);
}

static void run_result_target(const uint8_t *data, size_t size) {
    char *path = (char *)(uintptr_t)save_result(data, size);
    struct machine_options o = {.configs = &path, .config_count = 1};
    struct machine m;
    struct config_error e = {""};
    read_run_of_result(path);
    if (!result_file_is(path)) {
        return;
    }
    if (machine_make(&m, &o, NULL, NULL, &e)) {
        fuzz_check(promise_config(&m.config), "a machine of a result is no machine");
    } else {
        fuzz_one_line(e.text);
    }
}

const struct fuzz_target fuzz_result = {"result", run_result_target};
