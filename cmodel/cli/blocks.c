/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/blocks.h"

#include <string.h>

#include "config/derived.h"

#define DEFINE(place, name, area, stands, sets, about, needs, present) \
    extern const struct block name##_block; \
    static bool has_##name(const struct config *c, const struct named_policies *p) { \
        (void)c, (void)p; \
        return present; \
    }
BLOCKS(DEFINE)

#define ROW(place, name, area, stands, sets, about, needs, present) \
    {&name##_block, BLOCK_##stands, sets, about, needs, has_##name},
static const struct block_row rows[] = {BLOCKS(ROW)};

const struct block_row *block_row_at(unsigned i) {
    return i < sizeof rows / sizeof *rows ? &rows[i] : NULL;
}

bool block_row_has_set(const struct block_row *row, const char *set) {
    size_t length = strlen(set);
    for (const char *s = row->sets; *s; s += strspn(s, " ")) {
        size_t word = strcspn(s, " ");
        if (word == length && !memcmp(s, set, length)) {
            return true;
        }
        s += word;
    }
    return false;
}
