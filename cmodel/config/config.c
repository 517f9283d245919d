/* SPDX-License-Identifier: Apache-2.0 */
#include "config/config.h"

#include <string.h>

#include "base/text.h"
#include "config/keys.h"

/* Copies [from, to) without blanks at its ends; false if it does not fit. */
static bool copy_trimmed(char *buf, size_t size, const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t')) {
        from++;
    }
    while (from < to && (to[-1] == ' ' || to[-1] == '\t')) {
        to--;
    }
    if ((size_t)(to - from) >= size) {
        return false;
    }
    memcpy(buf, from, (size_t)(to - from));
    buf[to - from] = '\0';
    return true;
}

bool config_set(struct config *c, const char *assignment, struct config_error *e) {
    char section[CONFIG_KEY_TEXT], name[CONFIG_KEY_TEXT], value[2 * TEXT_SHOWN];
    char shown[TEXT_SHOWN];
    const char *equals = strchr(assignment, '=');
    const char *dot = equals ? memchr(assignment, '.', (size_t)(equals - assignment)) : NULL;
    if (!dot || !copy_trimmed(section, sizeof section, assignment, dot) ||
        !copy_trimmed(name, sizeof name, dot + 1, equals) ||
        !copy_trimmed(value, sizeof value, equals + 1, assignment + strlen(assignment))) {
        return config_fail(e, "%s: must be section.key=value",
                           text_shown(shown, sizeof shown, assignment));
    }
    int i = config_key_named(section, name, e);
    return i >= 0 && config_value_assign(c, (unsigned)i, value, e);
}

void config_print_section(unsigned i, FILE *out) {
    const char *section = config_key_section(i);
    if (i == 0 || strcmp(section, config_key_section(i - 1))) {
        fprintf(out, "%s[%s]\n", i ? "\n" : "", section);
    }
}

void config_print(const struct config *c, FILE *out) {
    char value[CONFIG_KEY_TEXT], allowed[CONFIG_ALLOWED_TEXT];
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        const struct config_key *k = config_key_at(i);
        config_print_section(i, out);
        config_value_text(c, i, value);
        config_allowed_text(i, allowed);
        if (k->kind == CONFIG_WORD) { /* both in one line can be more than a file may have */
            fprintf(out, "; %s: %s\n%-17s = %s\n", allowed, k->meaning, k->name, value);
        } else {
            fprintf(out, "%-17s = %-13s ; %s: %s\n", k->name, value, allowed, k->meaning);
        }
    }
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t config_hash(const struct config *c) {
    char text[CONFIG_KEY_TEXT];
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        hash = hash_text(hash, config_key_text(i, text));
        hash = hash_text(hash, "=");
        hash = hash_text(hash, config_value_text(c, i, text));
        hash = hash_text(hash, "\n");
    }
    return hash;
}
