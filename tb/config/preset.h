/* SPDX-License-Identifier: Apache-2.0
 *
 * Configurations of tests: a preset, changed key by key, and still legal.
 */
#ifndef WARPMEM_TB_PRESET_H
#define WARPMEM_TB_PRESET_H

#include "base/unit_tests.h"
#include "config/config.h"

#define LINE_BYTES 128 /* of the presets that tests change, in L1 and L2 */

/** named_preset() - the preset of that name, which must exist. */
static inline struct config named_preset(const char *name) {
    struct config c;
    struct config_error e;
    if (!config_preset(&c, name, &e)) {
        fail_msg("%s", e.text);
    }
    return c;
}

/** base_preset() - MRPB's machine Base-S. */
static inline struct config base_preset(void) {
    return named_preset("c2050-s");
}

/* The n-th preset; false past the last. */
static inline bool nth_preset(unsigned n, struct config *c, const char **name) {
    *name = config_preset_name(n, NULL);
    if (*name) {
        *c = named_preset(*name);
    }
    return *name;
}

/** EACH_PRESET() - a loop that declares @name and @c, of each preset in turn. */
#define EACH_PRESET(name, c) \
    const char *name; \
    struct config c; \
    for (unsigned number_of_##c = 0; nth_preset(number_of_##c, &c, &name); number_of_##c++)

/** assert_legal() - a test must not ask a machine for what config_check() refuses. */
static inline void assert_legal(const struct config *c) {
    struct config_error e;
    if (!config_check(c, &e)) {
        fail_msg("%s", e.text);
    }
}

#endif
