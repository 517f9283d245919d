/* SPDX-License-Identifier: Apache-2.0
 *
 * The preset files, embedded: made by config/rules.mk from config/presets/, in alphabetical order,
 * then from config/parents/. A file has the values in which it differs from the one it inherits, or
 * from the defaults of the keys.
 */
#ifndef WARPMEM_CONFIG_PRESET_TEXTS_H
#define WARPMEM_CONFIG_PRESET_TEXTS_H

#include <stddef.h>

#include "config/layer.h"

struct preset_text {
    const char *name;  /* the file's, without .ini; NULL ends the list */
    const char *about; /* its first comment line */
    const unsigned char *text;
    size_t size;
    bool machine; /* a preset; else a parent of presets, which is no machine by itself */
};

extern const struct preset_text preset_texts[];

/* The file and line that give a preset's value. */
struct preset_source {
    const char *file; /* NULL: it is the key's default */
    struct config_place place;
};

/**
 * preset_parse() - config_preset() for a given list of texts.
 * @source: receives the origin of each value; NULL: not wanted
 * @all:    as preset_texts
 * False, with a message, if there is no preset of that name, a file inherits itself or a missing
 * file, a key is wrong, or no file gives a key that has no default.
 */
bool preset_parse(struct config *c, struct preset_source source[CONFIG_KEYS],
                  const struct preset_text *all, const char *name, struct config_error *e);

/** config_preset_exists() - is there a preset of that name? False with a message. */
bool config_preset_exists(const char *name, struct config_error *e);

/** preset_print_sources() - print every key as INI, with its file, line and comment there; mark
 * values that are not the preset's. */
void preset_print_sources(const struct config *c, const char *preset, FILE *out);

#endif
