/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration files and messages of tests.
 */
#ifndef WARPMEM_TB_CONFIG_TEXTS_H
#define WARPMEM_TB_CONFIG_TEXTS_H

#include "config/preset.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_TEXT_PATH "/tmp/config_test_" /* how messages name it */

/** config_from_text() - config_file() of a text. */
static inline bool config_from_text(struct config *c, const void *text, size_t size,
                                    struct config_error *e) {
    char path[] = CONFIG_TEXT_PATH "XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, size), size);
    close(fd);
    bool good = config_file(c, path, e);
    unlink(path);
    return good;
}

static inline void assert_contains(const char *text, const char *part) {
    if (!strstr(text, part)) {
        fail_msg("\"%s\" is not in \"%s\"", part, text);
    }
}

static inline void assert_one_line(const struct config_error *e) {
    assert_true(strlen(e->text) < sizeof e->text - 1);
    for (const char *p = e->text; *p; p++) {
        assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
    }
}

#endif
