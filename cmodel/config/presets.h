/* SPDX-License-Identifier: Apache-2.0
 *
 * The preset files, embedded: made by config/rules.mk from config/presets/, in alphabetical order.
 */
#ifndef WARPMEM_CONFIG_PRESETS_H
#define WARPMEM_CONFIG_PRESETS_H

#include <stddef.h>

#include "config/config.h"

struct preset_text {
    const char *name;  /* the file's, without .ini; NULL ends the list */
    const char *about; /* its first comment line */
    const unsigned char *text;
    size_t size;
};

extern const struct preset_text preset_texts[];

/** preset_parse() - what config_preset() does with the text it finds: every key must be there,
 * once. */
bool preset_parse(struct config *c, const struct preset_text *t, struct config_error *e);

#endif
