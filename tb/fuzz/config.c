/* SPDX-License-Identifier: Apache-2.0
 * Configuration files: bytes are an INI file over a preset. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "config/config.h"
#include "fuzz/promises.h"

static void run_config_target(const uint8_t *data, size_t size) {
    const struct config base = promise_preset("gtx480");
    struct config c = base;
    struct config_error e = {""};
    if (config_file(&c, fuzz_save("any.ini", data, size), &e)) {
        promise_config(&c);
    } else {
        fuzz_one_line(e.text);
        fuzz_check(!memcmp(&c, &base, sizeof c), "a refused file has changed the configuration");
    }
}

const struct fuzz_target fuzz_config = {"config", run_config_target};
