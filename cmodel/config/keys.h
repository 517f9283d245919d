/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of struct config as a table, made from the rows in config/keys/.
 */
#ifndef WARPMEM_CONFIG_KEYS_H
#define WARPMEM_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"

#define CONFIG_KEY_TEXT CONFIG_TEXT /* room for "section.key", or for a value */
#define CONFIG_ALLOWED_TEXT 112     /* room for the values that a key allows */

enum config_kind { CONFIG_NUMBER, CONFIG_CHOICE, CONFIG_WORD };

struct config_key {
    const char *name; /* without its section */
    enum config_kind kind;
    const char *const *words; /* of a choice: those of the values 0..max */
    const char *unit;         /* of a number */
    const char *meaning;
    unsigned min, max;         /* both inclusive, of a number or a choice */
    bool power_of_two;         /* a number that config_check() requires to be a power of two */
    const char *default_value; /* as in a file; NULL: every preset gives one */
    const char *source;        /* of the default */
};

enum {
    CONFIG_KEYS = 0
#define ROW(...) +1
#include "config/keys/sections.h"
};

/** config_key_at() - the i-th key, i < CONFIG_KEYS, in the order of the rows. */
const struct config_key *config_key_at(unsigned i);
/** config_key_section() - the name of the key's section. */
const char *config_key_section(unsigned i);
/** config_key_find() - the key's number, or -1. */
int config_key_find(const char *section, const char *name);
/** config_key_named() - the same, with a message if there is no such key. */
int config_key_named(const char *section, const char *name, struct config_error *e);
/** config_key_at_offset() - the number of the key whose member starts there in struct config. */
unsigned config_key_at_offset(size_t offset);
/** config_section_at() - the i-th section's name; NULL past the end. */
const char *config_section_at(unsigned i);

/** config_key_number() - the value of a number or a choice. */
unsigned config_key_number(const struct config *c, unsigned i);
/** config_key_copy() - give @to the key's value in @from. */
void config_key_copy(struct config *to, const struct config *from, unsigned i);
/** config_key_same() - has the key the same value in both? */
bool config_key_same(const struct config *a, const struct config *b, unsigned i);

/** config_key_idle() - the reason why the key has no effect on this machine: "l1.front=none
 * (--scheme mrpb)". NULL: it has one. */
const char *config_key_idle(const struct config *c, unsigned i);

/** config_key_text() - "section.key". Return: buf. */
const char *config_key_text(unsigned i, char buf[CONFIG_KEY_TEXT]);
/** config_value_text() - the key's value as in a file. Return: buf. */
const char *config_value_text(const struct config *c, unsigned i, char buf[CONFIG_KEY_TEXT]);
/** config_allowed_text() - "1..64 lines" or "lrr or gto". Return: buf. */
const char *config_allowed_text(unsigned i, char buf[CONFIG_ALLOWED_TEXT]);
/** config_value_put() - set the key from a text: decimal digits alone, a choice's name, or the word
 * itself. False if the key does not allow it; *c is then unchanged. */
bool config_value_put(struct config *c, unsigned i, const char *text);
/** config_value_assign() - the same, with a message of the allowed values. */
bool config_value_assign(struct config *c, unsigned i, const char *text, struct config_error *e);

/** config_fail() - fill in the message. Return: false. */
__attribute__((format(printf, 2, 3))) bool config_fail(struct config_error *e, const char *format,
                                                       ...);

#endif
