/* SPDX-License-Identifier: Apache-2.0 */
#include "config/keys.h"

#include <assert.h>
#include <string.h>

#define KEY_U(key, min, max, unit, meaning) {#key, NULL, unit, meaning, min, max},
#define KEY_E(key, choices, meaning) {#key, choices, NULL, meaning, 0, 0},
#define KEYS_OF_SECTION(name, KEYS) KEYS(KEY_U, KEY_E)
static const struct config_key keys[] = {CONFIG_SECTIONS(KEYS_OF_SECTION)};

struct section {
    const char *name;
    unsigned end; /* number of its last key, plus one */
};
#define SECTION_END(name, KEYS) \
    {#name, offsetof(struct config, name) / sizeof(unsigned) KEYS(CONFIG_COUNT_U, CONFIG_COUNT_E)},
static const struct section sections[] = {CONFIG_SECTIONS(SECTION_END)};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* Every member is an unsigned, so a key's number is its place in the struct. */
static_assert(sizeof(struct config) == CONFIG_KEYS * sizeof(unsigned), "config has other members");
static_assert(sizeof keys / sizeof *keys == CONFIG_KEYS, "the table misses a key");

const struct config_key *config_key_at(unsigned i) {
    assert(i < CONFIG_KEYS);
    return &keys[i];
}

const char *config_key_section(unsigned i) {
    unsigned s = 0;
    assert(i < CONFIG_KEYS);
    while (sections[s].end <= i) {
        s++;
    }
    return sections[s].name;
}

const char *config_section_at(unsigned i) {
    return i < SECTIONS ? sections[i].name : NULL;
}

int config_key_find(const char *section, const char *name) {
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        if (!strcmp(keys[i].name, name) && !strcmp(config_key_section(i), section)) {
            return (int)i;
        }
    }
    return -1;
}

unsigned config_key_get(const struct config *c, unsigned i) {
    unsigned value;
    assert(i < CONFIG_KEYS);
    memcpy(&value, (const char *)c + i * sizeof value, sizeof value);
    return value;
}

void config_key_put(struct config *c, unsigned i, unsigned value) {
    assert(i < CONFIG_KEYS);
    memcpy((char *)c + i * sizeof value, &value, sizeof value);
}

const char *config_key_text(unsigned i, char buf[CONFIG_KEY_TEXT]) {
    snprintf(buf, CONFIG_KEY_TEXT, "%s.%s", config_key_section(i), config_key_at(i)->name);
    return buf;
}

const char *config_value_text(const struct config *c, unsigned i, char buf[CONFIG_KEY_TEXT]) {
    unsigned value = config_key_get(c, i);
    const char *choice = keys[i].choices;
    if (!choice) {
        snprintf(buf, CONFIG_KEY_TEXT, "%u", value);
        return buf;
    }
    for (; value; value--) {
        choice = strchr(choice, '|');
        assert(choice); /* the value is none of the choices */
        choice++;
    }
    snprintf(buf, CONFIG_KEY_TEXT, "%.*s", (int)strcspn(choice, "|"), choice);
    return buf;
}

const char *config_allowed_text(unsigned i, char buf[CONFIG_ALLOWED_TEXT]) {
    const struct config_key *k = config_key_at(i);
    if (!k->choices) {
        if (k->min == k->max) {
            snprintf(buf, CONFIG_ALLOWED_TEXT, "%u %s", k->min, k->unit);
        } else {
            snprintf(buf, CONFIG_ALLOWED_TEXT, "%u..%u %s", k->min, k->max, k->unit);
        }
        return buf;
    }
    size_t n = 0;
    buf[0] = '\0';
    for (const char *c = k->choices; n < CONFIG_ALLOWED_TEXT;) {
        size_t length = strcspn(c, "|");
        n += (size_t)snprintf(buf + n, CONFIG_ALLOWED_TEXT - n, "%s%.*s", n ? " or " : "",
                              (int)length, c);
        if (!c[length]) {
            break;
        }
        c += length + 1;
    }
    return buf;
}

static bool parse_number(const struct config_key *k, const char *text, unsigned *value) {
    unsigned long long n = 0;
    if (!*text) {
        return false;
    }
    for (; *text; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        n = n * 10 + (unsigned)(*text - '0');
        if (n > k->max) {
            return false;
        }
    }
    *value = (unsigned)n;
    return n >= k->min;
}

bool config_value_parse(unsigned i, const char *text, unsigned *value) {
    const struct config_key *k = config_key_at(i);
    if (!k->choices) {
        return parse_number(k, text, value);
    }
    unsigned n = 0;
    for (const char *c = k->choices;; n++) {
        size_t length = strcspn(c, "|");
        if (strlen(text) == length && !memcmp(c, text, length)) {
            *value = n;
            return true;
        }
        if (!c[length]) {
            return false;
        }
        c += length + 1;
    }
}
