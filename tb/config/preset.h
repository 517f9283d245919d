/* SPDX-License-Identifier: Apache-2.0
 *
 * Configurations of tests: a preset, changed key by key, and still legal.
 */
#ifndef WARPMEM_TB_PRESET_H
#define WARPMEM_TB_PRESET_H

#include "base/unit_tests.h"
#include "config/config.h"

#define LINE_BYTES 128 /* of the presets that tests change, in L1 and L2 */

/** preset() - MRPB's machine Base-S. */
static inline struct config preset(void) {
    struct config c;
    struct config_error e;
    if (!config_preset(&c, "c2050-s", &e)) {
        fail_msg("%s", e.text);
    }
    return c;
}

/** assert_legal() - a test must not ask a machine for what config_check() refuses. */
static inline void assert_legal(const struct config *c) {
    struct config_error e;
    if (!config_check(c, &e)) {
        fail_msg("%s", e.text);
    }
}

#endif
