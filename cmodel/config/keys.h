/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of struct config as a table, made from the lists in config/config.h.
 */
#ifndef WARPMEM_CONFIG_KEYS_H
#define WARPMEM_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"

#define CONFIG_KEY_TEXT CONFIG_TEXT /* room for "section.key", or for a value */
#define CONFIG_ALLOWED_TEXT 96      /* room for what a key allows */

enum config_kind { CONFIG_NUMBER, CONFIG_CHOICE, CONFIG_WORD };

struct config_key {
    const char *name; /* without its section */
    enum config_kind kind;
    const char *choices; /* "first|second" */
    const char *unit;    /* of a number */
    const char *meaning;
    unsigned min, max; /* of a number, both permitted */
};

#define CONFIG_COUNT_U(key, min, max, unit, meaning) +1
#define CONFIG_COUNT_E(key, choices, meaning) +1
#define CONFIG_COUNT_T(key, meaning) +1
#define CONFIG_COUNT_SECTION(name, KEYS) KEYS(CONFIG_COUNT_U, CONFIG_COUNT_E, CONFIG_COUNT_T)
enum { CONFIG_KEYS = 0 CONFIG_SECTIONS(CONFIG_COUNT_SECTION) };

/** config_key_at() - the i-th key, i < CONFIG_KEYS, in the order of the lists. */
const struct config_key *config_key_at(unsigned i);
/** config_key_section() - the name of its section. */
const char *config_key_section(unsigned i);
/** config_key_find() - its number, or -1. */
int config_key_find(const char *section, const char *name);
/** config_section_at() - the i-th section's name; NULL past the end. */
const char *config_section_at(unsigned i);

/** config_key_same() - has the key the same value in both? */
bool config_key_same(const struct config *a, const struct config *b, unsigned i);

/** config_key_text() - "section.key". Return: buf. */
const char *config_key_text(unsigned i, char buf[CONFIG_KEY_TEXT]);
/** config_value_text() - the key's value as it is written in a file. Return: buf. */
const char *config_value_text(const struct config *c, unsigned i, char buf[CONFIG_KEY_TEXT]);
/** config_allowed_text() - "1..64 lines" or "lrr or gto". Return: buf. */
const char *config_allowed_text(unsigned i, char buf[CONFIG_ALLOWED_TEXT]);
/** config_value_put() - set the key from a text: decimal digits alone, a choice's name, or the word
 * itself. False when the key does not allow it; *c is then untouched. */
bool config_value_put(struct config *c, unsigned i, const char *text);

#endif
