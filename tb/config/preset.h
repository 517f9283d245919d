/* SPDX-License-Identifier: Apache-2.0
 *
 * Configurations of tests: a preset, changed key by key, and still legal.
 */
#ifndef WARPMEM_TB_PRESET_H
#define WARPMEM_TB_PRESET_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

/** preset() - MRPB's machine Base-S. */
static inline struct config preset(void) {
    return named_preset("c2050-s");
}

/** assert_legal() - a test must not ask a machine for what config_check() refuses. */
static inline void assert_legal(const struct config *c) {
    struct config_error e;
    if (!config_check(c, &e)) {
        fail_msg("%s", e.text);
    }
}

#endif
