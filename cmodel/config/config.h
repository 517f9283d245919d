/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's parameters. Every key is one row in config/keys/, with its default, range, unit and
 * meaning, or the words and constants of its values. The struct, the enums, the parser, `warpmem
 * config show` and the messages are made from the rows. A preset (config/presets/) has the values
 * in which its machine differs from the defaults.
 */
#ifndef WARPMEM_CONFIG_CONFIG_H
#define WARPMEM_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/mrpb_modes.h"

#define CONFIG_TEXT 96 /* room for the value of a T key with its '\0' */

/* Choices of several keys. */
/* clang-format off */
#define OFF_ON(V) V(false, "off") V(true, "on")
#define INDEX_VALUES(V) V(INDEX_MODULO, "modulo") V(INDEX_XOR, "xor") V(INDEX_XOR_ALL, "xor-all") V(INDEX_FERMI, "fermi")
#define L1_WRITE_VALUES(V) V(L1_WRITE_EVICT, "evict") V(L1_WRITE_THROUGH, "through") V(L1_WRITE_BACK, "back")

#define E(key, values, ...) enum { values };
#define V(constant, word) constant,
#include "config/keys/sections.h"

struct config {
#define SECTION(name) struct {
#define ROW(key, ...) unsigned key;
#define T(key, ...) char key[CONFIG_TEXT];
#define END(name) } name;
#include "config/keys/sections.h"
};
/* clang-format on */

/* A message for the user in one line: the place, the error, the allowed values. */
struct config_error {
    char text[512];
};

/** config_preset() - fill *c from an embedded preset. False with a message if there is none of
 * that name. */
bool config_preset(struct config *c, const char *name, struct config_error *e);
/** config_preset_name() - the i-th preset's name and its first comment line; NULL past the end. */
const char *config_preset_name(unsigned i, const char **about);
/** config_file() - override from an INI file: unknown keys, ranges and duplicates are errors with
 * file and line. `base = PRESET` before its first section overrides that preset instead. */
bool config_file(struct config *c, const char *path, struct config_error *e);
/** config_set() - override one key from "section.key=value". */
bool config_set(struct config *c, const char *assignment, struct config_error *e);
/** config_check() - check combinations of keys, which no single range can express. Call it last. */
bool config_check(const struct config *c, struct config_error *e);
/** config_check_types() - may a policy of the L2, @asker for messages, have types of warps, or of
 * instructions? config_check() calls this if keys need types. */
bool config_check_types(const struct config *c, bool of_instructions, const char *asker,
                        struct config_error *e);
/** config_print() - print every key as INI with unit and meaning as comments. */
void config_print(const struct config *c, FILE *out);
/** config_print_section() - print "[section]" if key i is its section's first. */
void config_print_section(unsigned i, FILE *out);
/** config_hash() - hash of all keys and values: 64-bit FNV-1a over "section.key=value\n" in the
 * order of the lists. */
uint64_t config_hash(const struct config *c);

#endif
